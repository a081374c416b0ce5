"""axed set: axes that something pins, patterns, --batch, names in back-quotes."""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
import build
import tap
from build import float_tensor, floats, graph, int_tensor, node
from tap import check, equal, run

SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
OUT = os.path.join(SCRATCH.name, 'out.onnx')


def written(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def pinned(batch=3):
    """The export baked 3 into a Reshape."""
    return written('pinned.onnx', build.model(graph(
        'pinned', [node('Reshape', 'x shape', 'y', 'fold')], [floats('x', batch, 4)], [floats('y', 3, 2, 2)],
        [int_tensor('shape', [3], [3, 2, 2])])))


def joined():
    """Both inputs have the size of the other."""
    return written('joined.onnx', build.model(graph(
        'joined', [node('Concat', 'a b', 'y', 'join', axis=1)], [floats('a', 3, 4), floats('b', 3, 5)],
        [floats('y', 3, 9)])))


def decoder(layers=2):
    """Scalars, a KV cache, an input with a default, a name that is a pattern."""
    caches = [floats(f'past.{i}.{kind}', 1, 8, 16, 4) for i in range(layers) for kind in ('key', 'value')]
    nodes = [node('Relu', f'"{c}"' if ' ' in c else c, f'{c}.out', f'n{i}')
             for i, c in enumerate([f'past.{i}.{k}' for i in range(layers) for k in ('key', 'value')])]
    nodes += [node('Mul', 'ids scale', 'ids.out', 'scaled'), node('Relu', 'p*', 'star.out', 'star'),
              node('Relu', 'weight', 'weight.out', 'clip')]
    return written(f'decoder{layers}.onnx', build.model(graph(
        'decoder', nodes, [floats('ids', 1, 5), floats('scale'), *caches, floats('p*', 1, 7), floats('weight', 2)],
        [floats('ids.out', 1, 5)], [float_tensor('weight', [2], [1.0, 2.0])])))


def named():
    """Names that are not identifiers, and a dim without one."""
    return written('named.onnx', build.model(graph(
        'named', [node('Concat', 'x x', 'y', 'twice', axis=0)],
        [floats('x', 'my axis', 'a-b', None), floats('other', 'a`b')], [floats('y', None, None, None)])))


def shapes(path, *words):
    code, out, err = run('shapes', path, *words, '--json')
    equal((code, err), (0, b''), f'shapes {words}')
    return {t['name']: t['shape'] for t in json.loads(out)['tensors']}


def changes(path, *words):
    code, out, err = run('set', path, *words, '-o', OUT, '--json')
    equal((code, err), (0, b''), f'set {words}')
    return {c['name']: c['after'].split(' ', 1)[1] for c in json.loads(out or '{"changes": []}')['changes']}


def refused(path, *words, says):
    if os.path.exists(OUT):
        os.remove(OUT)
    code, out, err = run('set', path, *words, '-o', OUT)
    equal((code, out), (2, b''), f'set {words}')
    equal(err.decode(), f'axed: {says}\n', f'set {words}')
    check(not os.path.exists(OUT), f'set {words} wrote a file')


# ---- what pins an axis is told


def test_a_pinned_axis_is_refused_with_its_repair():
    path = pinned()
    refused(path, 'x:0=N', says=f'N can only be 3 (Reshape fold); to free it: axed repair {path} x:0=N -o OUT; '
                                '--force sets it anyway')
    code, out, err = run('repair', path, 'x:0=N', '-o', OUT)
    equal((code, err), (0, b''), 'the repair that is offered')
    equal(shapes(OUT)['y'], ['N', 2, 2], 'its result')
    equal(changes(path, 'x:0=N', '--force')['x'], '[N, 4]', '--force')
    equal(run('check', OUT)[0], 1, 'the forced file is pinned')
    code, out, err = run('set', path, 'x:0=N', '-n')
    equal((code, out), (2, b''), 'a dry run')


def test_the_repair_is_quoted_for_a_shell():
    path = written("it's pinned.onnx", tap.read(pinned()))
    refused(path, '*:0=N', says='N can only be 3 (Reshape fold); to free it: axed repair '
                                f"""'{path.replace("'", "'" + chr(92) + "''")}' '*:0=N' -o OUT; --force sets it anyway""")
    refused(path, '--batch', 'N', says='N can only be 3 (Reshape fold); to free it: axed repair '
            f"""'{path.replace("'", "'" + chr(92) + "''")}' --batch=N -o OUT; --force sets it anyway""")
    for words in (['*:0=N'], ['--batch', 'N'], ['--batch=N']):
        code, out, err = run('repair', path, *words, '-o', OUT)
        equal((code, err), (0, b''), f'repair {words}')
        equal(shapes(OUT)['y'], ['N', 2, 2], f'repair {words}')


def test_a_size_that_was_baked_in_is_freed_first():
    path = pinned('batch')
    said = (f'the graph contradicts it: Reshape fold: 32 elements in, 12 out; to free it first: axed repair {path} x:0 -o OUT '
            '(--force sets it anyway)')
    refused(path, 'batch=8', says=said)
    refused(path, 'x:0=8', says=said)
    code, out, err = run('repair', path, 'x:0', '-o', OUT)
    equal((code, err), (0, b''), 'the repair that is offered')
    equal(changes(OUT, 'batch=8'), {'x': '[8, 4]', 'y': '[8, 2, 2]'}, 'and the edit after it')
    refused(pinned(3), 'x:0=8', says='the graph contradicts it: Reshape fold: 32 elements in, 12 out (--force sets it anyway)')


def test_a_repair_of_more_axes_is_offered():
    path = joined()
    refused(path, 'a:0=N', says=f'N can only be 3 (Concat join); to free it: axed repair {path} a:0=N b:0=N -o OUT; --force sets it anyway')
    code, out, err = run('repair', path, 'a:0=N', 'b:0=N', '-o', OUT)
    equal((code, err), (0, b''), 'the repair that is offered')


def test_only_a_repair_that_works_is_offered():
    # A weight decides.
    path = written('weighed.onnx', build.model(graph(
        'weighed', [node('MatMul', 'x w', 'y', 'head')], [floats('x', 3, 'n')], [floats('y', 3, 2)],
        [float_tensor('w', [4, 2], [1.0] * 8)])))
    refused(path, 'x:1=8', says='the graph contradicts it: MatMul head: inner sizes of the product: 8 and 4 (--force sets it anyway)')
    path = joined()
    equal(changes(path, 'a:0=N', 'b:0=N'), {'a': '[N, 4]', 'b': '[N, 5]', 'y': '[N, 9]'}, 'both')
    equal(changes(path, '*:0=N'), {'a': '[N, 4]', 'b': '[N, 5]', 'y': '[N, 9]'}, 'a pattern')


def test_a_rename_of_a_pinned_symbol_is_no_promise():
    equal(changes(pinned('batch'), 'batch=N')['x'], '[N, 4]', 'a rename')
    equal(changes(pinned('batch'), 'batch=3')['x'], '[3, 4]', 'a size')
    equal(changes(pinned('batch'), 'x:0=3')['x'], '[3, 4]', 'the size that it has')
    refused(pinned('batch'), 'x:0=N', says=f'N can only be 3 (Reshape fold); to free it: axed repair {pinned("batch")} '
                                           'x:0=N -o OUT; --force sets it anyway')


def test_a_merge_that_pins_is_refused():
    path = written('merged.onnx', build.model(graph(
        'merged', [node('Reshape', 'x shape', 'y', 'fold'), node('Relu', 'free', 'z', 'clip')],
        [floats('x', 'a', 4), floats('free', 'b', 4)], [floats('y', 3, 2, 2), floats('z', 'b', 4)],
        [int_tensor('shape', [3], [3, 2, 2])])))
    code, out, err = run('set', path, 'b=a', '--merge', '-n')
    equal((code, err.decode()), (2, f'axed: a can only be 3 (Reshape fold); to free it: axed repair {path} x:0 -o OUT; '
                                    '--force sets it anyway\n'), 'the repair is of the symbol as it was')
    equal(changes(path, 'b=c'), {'free': '[c, 4]', 'z': '[c, 4]'}, 'an edit elsewhere')
    equal(changes(path, 'free:0=c'), {'free': '[c, 4]', 'z': '[c, 4]'}, 'an axis elsewhere')


def test_recipes_are_refused_alike():
    path, recipe = pinned(), os.path.join(SCRATCH.name, 'recipe.txt')
    for line, options, codes in (('set x:0=N # why', [], (2, 1)), ('set x:0=N # why', ['--force'], (0, 0)),
                                 ('set --force x:0=N', [], (0, 0)), ('repair x:0=N', ['--force'], (0, 0))):
        with open(recipe, 'w', encoding='utf-8') as file:
            file.write(line + '\n')
        code, out, err = run('apply', path, recipe, '-o', OUT, *options)
        equal(code, codes[0], f'{line} {options}: {err}')
        if code:
            check(b'line 1: N can only be 3 (Reshape fold); to free it: repair x:0=N; --force sets it anyway\n' in err, err)
        equal(run('apply', path, recipe, '-o', OUT, '--partial', *options)[0], codes[1], f'{line} {options} --partial')
    code, out, err = run('edit', path, '--script', '-', stdin=b'set x:0=N\n', env={'XDG_STATE_HOME': SCRATCH.name})
    check(code == 2 and b'to free it: repair x:0=N;' in err, err)


def test_a_refusal_leaves_no_trace():
    path = pinned()
    script = b'resize 80 24\nset --force x:0=N\nundo\nkeys : s e t Space x : 0 = M Enter\nhistory\nredo\nhistory\nquit!\n'
    code, out, err = run('edit', path, '--script', '-', stdin=script, env={'XDG_STATE_HOME': SCRATCH.name})
    equal((code, out), (0, b'x: float32 [3, 4] -> float32 [N, 4]\n[set x:0=N --force]\nset x:0=N --force\n'), err)


# ---- patterns


def test_patterns_name_axes_of_inputs():
    path = decoder()
    after = changes(path, 'past.*:2=past')
    equal({n: s for n, s in after.items() if n.startswith('past')},
          {f'past.{i}.{k}': '[1, 8, past, 4]' for i in (0, 1) for k in ('key', 'value')}, 'past.*:2')
    equal(sorted(changes(path, 'past.[1-9].k?y:-2=p')), ['past.1.key'], 'sets and single characters')
    equal(sorted(changes(path, 'p*:0=b')), ['p*'], 'a tensor of that name comes first')
    equal(sorted(changes(path, 'p[a]*:0=b')), ['past.0.key', 'past.0.value', 'past.1.key', 'past.1.value'], 'not it')
    everything = ['ids', 'ids.out', 'p*', 'past.0.key', 'past.0.value', 'past.1.key', 'past.1.value']
    equal(sorted(changes(path, '*:0=batch')), everything, 'no scalar, no initializer, the output follows')
    equal(sorted(changes(path, '--batch', 'batch')), everything, '--batch')
    equal(sorted(changes(path, '*:0=batch', 'past.*:2=past')), everything, 'two patterns')
    equal(changes(path, '--batch', '1'), {}, 'as it was')


def test_patterns_that_match_nothing():
    path = decoder()
    refused(path, 'future.*:0=b', says="no input matches 'future.*'")
    refused(path, 'ids.*:0=b', says="no input matches 'ids.*'")
    refused(path, 'past.*:4=b', says="no input that matches 'past.*' has an axis 4")
    refused(path, '*:0', says="'*:0' is not an edit; use TENSOR:AXIS=DIM or SYMBOL=DIM")
    refused(path, '--batch', '', says='--batch needs a name')
    scalar = written('scalar.onnx', build.model(graph('s', [node('Relu', 'x', 'y', 'n')], [floats('x')], [floats('y')])))
    refused(scalar, '--batch', 'N', says='no input has an axis 0')


def test_patterns_replay():
    """History and recipes have the pattern: the next export may have more layers."""
    recipe = os.path.join(SCRATCH.name, 'layers.txt')
    edits = ['past.*:2=past', '--batch', 'batch']
    code, out, err = run('set', decoder(2), *edits, '-o', OUT, '--save-recipe', recipe)
    equal((code, err), (0, b''), 'saving')
    equal(tap.read(recipe), b'# axed recipe\nset past.*:2=past --batch=batch\n', 'the recipe')
    first = tap.read(OUT)
    code, out, err = run('apply', decoder(2), recipe, '-o', OUT)
    check(code == 0 and tap.read(OUT) == first, f'the same model: {err}')
    code, out, err = run('apply', decoder(3), recipe, '-o', OUT)
    equal((code, shapes(OUT)['past.2.value']), (0, ['batch', 8, 'past', 4]), 'more layers')
    script = (f'set past.*:2=past --batch batch\nundo\nredo\nwrite! {OUT}\nhistory\nquit\n').encode()
    code, out, err = run('edit', decoder(2), '--script', '-', stdin=script, env={'XDG_STATE_HOME': SCRATCH.name})
    check(code == 0 and tap.read(OUT) == first and b'\nset past.*:2=past --batch=batch\n' in out, (code, out, err))
    state, path = {'XDG_STATE_HOME': os.path.join(SCRATCH.name, 'state')}, decoder(2)
    code, out, err = run('edit', path, '--script', '-', stdin=script[:script.index(b'\nundo')] + b'\n', env=state)
    check(code == 0 and b'unsaved' in err, 'a run that ends without saving')
    code, out, err = run('edit', path, '--recover', '--script', '-', stdin=f'write! {OUT}\nquit\n'.encode(), env=state)
    check(code == 0 and tap.read(OUT) == first, f'the journal: {err}')


def test_patterns_are_completed():
    def candidates(*words):
        return run('complete', '--', *words)[1].decode().splitlines()
    demo = tap.model('demo.onnx')
    equal(candidates('set', demo, '*')[:2], ['*:0=', '*:1='], 'edits')
    equal(candidates('repair', demo, '*')[:2], ['*:0', '*:1'], 'axes')
    equal(candidates('set', demo, '*:0=s'), ['*:0=seq'], 'names after a pattern')
    equal(candidates('set', demo, '--batch='), ['--batch=batch', '--batch=seq'], 'symbols')
    equal(candidates('set', decoder(), '--batch', ''), ['batch'], 'the usual name')
    equal([c for c in candidates('set', demo, '') if c[0] in '*-'], [], 'only when asked for')


# ---- names in back-quotes


def test_names_in_back_quotes_are_accepted():
    path = named()
    equal(shapes(path)['y'], ['2*`my axis`', 'a-b', 'x:2'], 'as printed')
    equal(changes(path, '`my axis`=N')['x'], '[N, a-b, ?]', 'a symbol')
    equal(changes(path, '`x:2`=N')['x'], '[my axis, a-b, N]', 'a dim without a name')
    equal(changes(path, '`x`:1=N')['x'], '[my axis, N, ?]', 'a tensor')
    equal(changes(path, 'x:2=`a-b`')['x'], '[my axis, a-b, a-b]', 'a name that exists')
    equal(changes(path, '`a``b`=N')['other'], '[N]', 'a back-quote in a name')
    equal(changes(path, '`a-b`=`my axis`', '--merge')['x'], '[my axis, my axis, ?]', 'both sides')
    equal(shapes(path, '--bind', '`my axis`=3', '-b', '`x:2`=4', '-b', '`a``b`=5')['x'], [3, 'a-b', 4], '--bind')
    check(shapes(path, '`x`:0') and shapes(path, '`y`'), 'tensors of shapes')
    code, out, err = run('explain', path, '`x:2`')
    equal((code, out.split(b'\n')[0]), (0, b'x[2] = x:2  an input'), 'explain')
    equal(run('check', path, '--expect', '`y`:0=2*`my axis`')[0], 0, '--expect')
    refused(path, 'x:0=`new axis`', says="'`new axis`' is neither a name (letters, digits, _ and .) nor an expression of "
                                         'declared names')
    script = b'try `my axis`=3\nshapes y\nset `my axis`=N\nhistory\nquit!\n'
    code, out, err = run('edit', path, '--script', '-', stdin=script, env={'XDG_STATE_HOME': SCRATCH.name})
    check(code == 0 and b'y [6, a-b, x:2]\n' in out and b'\nset "`my axis`=N"\n' in out, (code, out, err))


tap.main(globals())
