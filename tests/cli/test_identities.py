"""A symbol that must equal an expression of others: `symbols` says so, and the line it offers works."""

import json
import os
import sys

import tap
from tap import asked, check, equal, run

tap.AXED = os.path.abspath(tap.AXED)
sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

CUT = [b.floats('past_k', 'batch', 'past', 4), b.floats('cur', 'batch', 'seq', 4), b.floats('mask', 'batch', 3, 'total')]
JOIN = b.node('Concat', 'past_k cur', 'k', 'cat', axis=1)
USE = b.node('MatMul', 'mask k', 'y', '/attn/use')


def model(nodes, inputs, outputs=None, **rest):
    return b.model(b.graph('g', nodes, inputs, outputs or [b.floats('y', 'batch', 3, 4)], **rest))


def symbols(content, *words):
    code, out, err = asked(content, lambda path: run('symbols', path, '--json', *words))
    equal(code, 0, err)
    return {s['name']: s for s in json.loads(out)['symbols']}


def offers(content):
    return {name: s['do'] for name, s in symbols(content).items() if s['do']}


def test_what_must_be_equal_is_offered():
    content = model([JOIN, USE], CUT)
    equal(offers(content), {'total': 'set total=past+seq'}, 'offers')
    equal(symbols(content)['total']['notes'], ['= past + seq by MatMul /attn/use'], 'and where it comes from')
    rows = asked(content, lambda path: run('symbols', path))[1].decode().splitlines()
    equal(rows[3].split('\t'), ['total', 'declared', '1 axis', '= past + seq by MatMul /attn/use', 'declared by mask:2',
                                'do: set total=past+seq'], 'text')


def after(content, line):
    """The findings and symbols once the line has run."""
    with tap.folder() as folder:
        path, new = (os.path.join(folder, name) for name in ('m.onnx', 'n.onnx'))
        with open(path, 'wb') as file:
            file.write(content)
        words = line.replace("'", '').split()
        code, _, err = run(words[0], path, *words[1:], '-o', new)
        equal(code, 0, f'{line}: {err}')
        found = json.loads(run('check', new, '--json')[1])['findings']
        return [f['message'] for f in found], tap.read(new)


def test_the_line_works():
    content = model([JOIN, USE], CUT)
    found, new = after(content, offers(content)['total'])
    equal(found, [], 'nothing is left to say')
    equal(sorted(symbols(new)), ['batch', 'past', 'seq'], 'total is gone')
    two = model([b.node('Concat', 'a c', 'y', 'ab', axis=1)], [b.floats('a', 'N', 2), b.floats('c', 'M', 2)], [b.floats('y', 'N', 4)])
    equal(offers(two), {'M': 'set --merge M=N'}, 'of two names, the one declared first stays')
    found, new = after(two, offers(two)['M'])
    equal((found, sorted(symbols(new))), ([], ['N']), 'merged')
    product = model([b.node('Reshape', 'x s', 'r', 'flat'), b.node('MatMul', 'w r', 'y', 'use')],
                    [b.floats('x', 'h', 'w', 4), b.floats('w', 3, 'patches')], [b.floats('y', 3, 4)],
                    initializers=[b.int_tensor('s', [2], [-1, 4])])
    equal(offers(product), {'patches': 'set patches=h*w'}, 'a product')
    equal(after(product, offers(product)['patches'])[0], [], 'a product, written')


def test_a_mask_that_is_added_is_offered_too():
    content = model([b.node('Concat', 'past_k cur', 'k', 'cat', axis=2), b.node('MatMul', 'q k', 'scores', 'scores'),
                     b.node('Add', 'scores mask', 'y', '/attn/add')],
                    [b.floats('past_k', 'batch', 4, 'past'), b.floats('cur', 'batch', 4, 'seq'), b.floats('q', 'batch', 'seq', 4),
                     b.floats('mask', 'batch', 1, 'total')], [b.floats('y', 'batch', 'seq', 'out')])
    equal(offers(content), {'total': 'set total=past+seq'}, 'offers')
    equal(symbols(content)['total']['notes'], ['= past + seq, unless one of them is 1, by Add /attn/add'], 'the 1 is not kept back')
    found, new = after(content, offers(content)['total'])
    check(not any('past + seq' in message for message in found), f'nothing is left to say: {found}')
    equal(sorted(symbols(new)), ['batch', 'past', 'seq'], 'total is gone')


def test_what_is_not_demanded_of_every_run_is_not_offered():
    boolean = b.value('p', b.tensor_type(b.BOOL, []))
    branch = b.graph('b', [JOIN, b.node('MatMul', 'mask k', 'r', 'use')], [], [b.floats('r', 'batch', 3, 4)])
    other = b.graph('o', [b.node('Identity', 'z', 'r', 'same')], [], [b.floats('r', 'batch', 3, 4)])
    content = model([b.node('If', 'p', 'y', 'if', then_branch=branch, else_branch=other)],
                    [*CUT, b.floats('z', 'batch', 3, 4), boolean])
    equal(offers(content), {}, 'a branch')
    check(not any(n.startswith('= ') for s in symbols(content).values() for n in s['notes']), 'nor said')
    add = model([b.node('Add', 'x z', 'y', 'add')], [b.floats('x', 'n'), b.floats('z', 'm')], [b.floats('y', 'n')])
    equal(offers(add), {}, 'a broadcast of two names, of which either may be the 1')
    claimed = model([b.node('Own', 'past_k', 'k', 'own', domain='test'), USE],
                    [b.floats('past_k', 'batch', 'past', 4), b.floats('mask', 'batch', 3, 'total')],
                    values=[b.floats('k', 'batch', 'past', 4)])
    equal(offers(claimed), {}, 'what a claim says')
    check(symbols(claimed)['total'], 'the claim is used, though')
    unnamed = model([b.node('Concat', 'a c', 'y', 'ab', axis=1)], [b.floats('a', None, 2), b.floats('c', 'M', 2)],
                    [b.floats('y', 'N', 4)])
    equal(offers(unnamed), {}, 'an axis without a name')
    found = model([b.node('NonZero', 'x', 'i', 'nz'), b.node('Transpose', 'i', 't', 'turn'), b.node('MatMul', 'm f', 'y', 'use'),
                   b.node('Cast', 't', 'f', 'cast', to=b.FLOAT)], [b.floats('x', 'n'), b.floats('m', 3, 'k')], [b.floats('y', 3, 1)])
    equal(offers(found), {}, 'a size that depends on data')
    fixed = model([b.node('MatMul', 'x w', 'y', 'use')], [b.floats('x', 'n', 'k')], [b.floats('y', 'n', 2)],
                  initializers=[b.float_tensor('w', [4, 2], [0] * 8)])
    equal(offers(fixed), {}, 'a number: that is a pin')


def test_the_screen_offers_it_with_a_key():
    def ask(path):
        script = '\n'.join(['resize 120 36', 'pane symbols', 'keys j j j', 'save-screen', 'keys R', 'save-screen', 'quit!'])
        with tap.folder() as state:
            return run('edit', path, '--script', '-', stdin=script.encode(), env={'XDG_STATE_HOME': state, 'LC_ALL': 'C.UTF-8'})
    code, out, err = asked(model([JOIN, USE], CUT), ask)
    equal(code, 0, err)
    before, now = out.decode()[:len(out.decode()) // 2], out.decode()[len(out.decode()) // 2:]
    check('R set total=past+seq' in before and '= past + seq by MatMul' in before, before)
    check('■ total' in before and '■ total' not in now and '■ past' in now, now)


tap.main(globals())
