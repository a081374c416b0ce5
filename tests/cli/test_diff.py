"""axed diff: its rows, recognition of renamed things, and exit codes."""

import glob
import json
import os
import struct
import sys
import time

import tap
from tap import check, equal, model, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402


def diff(before, after, *words):
    """Exit code and rows of (kind, name, what, before, after) for two models given as bytes."""
    with tap.folder() as folder:
        paths = [os.path.join(folder, name) for name in ('a.onnx', 'b.onnx')]
        for path, data in zip(paths, (before, after)):
            with open(path, 'wb') as file:
                file.write(data)
        code, out, err = run('diff', '--json', *paths, *words)
        check(not err, err)
        told = json.loads(out)
        return code, [(d['kind'], d['name'], d['what'], d['before'], d['after']) for d in told['differences']]


def expect(before, after, *rows, why=''):
    code, got = diff(before, after)
    equal(code, 1 if rows else 0, f'{why}: exit code')
    equal(got, list(rows), why)


def chain(nodes=None, inputs=None, outputs=None, weights=None, **rest):
    """x -> MatMul w -> Relu -> Softmax -> y"""
    return b.model(b.graph(
        'g',
        nodes or [b.node('MatMul', 'x w', 'h', 'mul'), b.node('Relu', 'h', 'r', 'relu'),
                  b.node('Softmax', 'r', 'y', 'soft', axis=1)],
        inputs or [b.floats('x', 'batch', 2)],
        outputs or [b.floats('y', 'batch', 3)],
        weights if weights is not None else [b.float_tensor('w', [2, 3], [1, 2, 3, 4, 5, 6])]), **rest)


def test_every_model_is_like_itself():
    for path in sorted(glob.glob(model('*.onnx'))):
        if path.endswith('too_deep.onnx'):
            continue
        code, out, err = run('diff', path, path)
        equal((code, out, err), (0, b'', b''), path)
        code, out, err = run('diff', path, '-', stdin=tap.read(path))
        check(code == 0 or 'external' in path, f'{path} from a pipe: {out!r} {err!r}')


def test_shared_models_are_like_themselves_and_unlike_each_other():
    paths = sorted(glob.glob(tap.shared('models') + '/*.onnx'))
    for path, other in zip(paths, paths[1:]):
        equal(run('diff', path, path)[0], 0, path)
        code, out, err = run('diff', path, other)
        equal(code, 1, f'{path} {other}: {err!r}')


def test_what_cannot_be_read():
    for words in (('/no/such.onnx', model('if.onnx')), (model('if.onnx'), '/no/such.onnx'), ('-', '-'),
                  (model('too_deep.onnx'), model('if.onnx')), (model('if.onnx'),)):
        code, out, err = run('diff', *words)
        equal((code, out, err.count(b'\n')), (2, b'', 1), f'{words}: {err!r}')


def test_the_order_of_things_and_their_coding_mean_nothing():
    nodes = [b.node('Relu', 'x', 'a', 'one'), b.node('Tanh', 'x', 'y', 'two', p=1, q=2.5)]
    turned = [b.node('Tanh', 'x', 'y', 'two', q=2.5, p=1), b.node('Relu', 'x', 'a', 'one')]
    expect(chain(nodes), chain(turned), why='order')
    typed = b.tensor('w', b.FLOAT, [2, 3], b.packed(4, struct.pack('<6f', 1, 2, 3, 4, 5, 6)))
    expect(chain(), chain(weights=[typed]), why='coding')


def test_heads():
    expect(chain(), chain(opset={'': 18, 'com.new': 1}, producer='other', ir=9, metadata={'k': 'v'}, version=3),
           ('model', '', 'IR version', '8', '9'),
           ('model', '', 'producer', 'axed', 'other'),
           ('model', '', 'model version', '0', '3'),
           ('model', '', 'opset ai.onnx', '17', '18'),
           ('model', '', 'opset com.new', None, '1'),
           ('model', '', 'metadata k', None, 'v'), why='heads')


def test_a_renamed_symbol_is_one_difference_and_inferred_shapes_follow_it():
    expect(chain(), chain(inputs=[b.floats('x', 'N', 2)], outputs=[b.floats('y', 'N', 3)]),
           ('symbol', 'batch', 'name', 'batch', 'N'),
           ('input', 'x', 'type', 'float32 [batch, 2]', 'float32 [N, 2]'),
           ('output', 'y', 'type', 'float32 [batch, 3]', 'float32 [N, 3]'), why='renamed')


def test_a_fixed_axis_changes_what_follows_from_it():
    expect(chain(), chain(inputs=[b.floats('x', 4, 2)], outputs=[b.floats('y', 4, 3)]),
           ('symbol', 'batch', '', '2 dims', None),
           ('input', 'x', 'type', 'float32 [batch, 2]', 'float32 [4, 2]'),
           ('output', 'y', 'type', 'float32 [batch, 3]', 'float32 [4, 3]'),
           *(('shape', n, '', 'float32 [batch, 3]', 'float32 [4, 3]') for n in 'hry'), why='fixed')


def test_inputs_and_outputs_come_go_and_move():
    two = [b.floats('x', 'batch', 2), b.floats('z', 5)]
    expect(chain(), chain(inputs=two), ('input', 'z', '', None, 'float32 [5]'), why='one more')
    expect(chain(inputs=two), chain(), ('input', 'z', '', 'float32 [5]', None), why='one less')
    expect(chain(inputs=two), chain(inputs=two[::-1]), ('input', 'x', 'position', '0', '1'),
           ('input', 'z', 'position', '1', '0'), why='moved')


def test_attributes():
    nodes = [b.node('Foo', 'x', 'y', 'foo', domain='d', i=1, f=1.5, s='text', ints=[1, 2], gone=1)]
    other = [b.node('Foo', 'x', 'y', 'foo', domain='d', i=2, f=2.5, s='other', ints=[1, 3], new=1)]
    expect(chain(nodes), chain(other),
           ('node', 'foo', 'attribute i', '1', '2'),
           ('node', 'foo', 'attribute f', '1.5', '2.5'),
           ('node', 'foo', 'attribute s', 'text', 'other'),
           ('node', 'foo', 'attribute ints', '[1, 2]', '[1, 3]'),
           ('node', 'foo', 'attribute gone', '1', None),
           ('node', 'foo', 'attribute new', None, '1'), why='attributes')
    expect(chain([b.node('Foo', 'x', 'y', 'foo', domain='d', to=1, ints=list(range(20)))]),
           chain([b.node('Foo', 'x', 'y', 'foo', domain='d', to=10, t=b.float_tensor('', [2], [0.5, 1]))]),
           ('node', 'foo', 'attribute to', '1 (float32)', '10 (float16)'),
           ('node', 'foo', 'attribute ints', f'[{", ".join(map(str, range(16)))}, … (20)]', None),
           ('node', 'foo', 'attribute t', None, 'float32 [2] 0.5, 1'), why='types and lists')


def test_attributes_that_lack_what_they_promise():
    from wire import data, integer, message
    bare = [message(data(1, f'a{kind}'), integer(20, kind)) for kind in range(16)]
    empty = chain([b.node('Foo', 'x', 'y', 'foo', domain='d', raw=bare)])
    expect(empty, empty, why='nothing and nothing')
    full = [b.attribute('a5', branch('Relu')), b.attribute('a11', b.sparse_tensor(
        b.float_tensor('v', [1], [1]), b.int_tensor('i', [1], [0]), [4])), b.attribute('a13', b.tensor_type())]
    code, got = diff(empty, chain([b.node('Foo', 'x', 'y', 'foo', domain='d', raw=full)]))
    equal([r[2] for r in got if r[2] in ('attribute a5', 'attribute a11', 'attribute a13')],
          ['attribute a5', 'attribute a11', 'attribute a13'], got)


def test_renamed_nodes_and_tensors_are_recognised():
    renamed = [b.node('MatMul', 'x weight', 't1', 'n1'), b.node('Relu', 't1', 't2', 'n2'),
               b.node('Softmax', 't2', 'y', 'n3', axis=1)]
    expect(chain(), chain(renamed, weights=[b.float_tensor('weight', [2, 3], [1, 2, 3, 4, 5, 6])]),
           ('node', 'mul', 'name', 'mul', 'n1'), ('node', 'relu', 'name', 'relu', 'n2'),
           ('node', 'soft', 'name', 'soft', 'n3'), ('constant', 'w', 'name', 'w', 'weight'),
           ('tensor', 'h', 'name', 'h', 't1'), ('tensor', 'r', 'name', 'r', 't2'), why='renamed')


def test_an_inserted_node_among_new_numbers():
    """Every later name has another number: by name alone everything would differ."""
    def numbered(extra):
        ops = ['Relu', 'Tanh', 'Relu', *extra, 'Tanh', 'Relu', 'Tanh']
        names = ['x', *(str(i + 10) for i in range(len(ops) - 1)), 'y']
        return chain([b.node(op, [names[i]], [names[i + 1]], f'{op}_{i}') for i, op in enumerate(ops)])
    code, got = diff(numbered([]), numbered(['Sigmoid']))
    equal([r for r in got if r[2] != 'name'],
          [('node', 'Sigmoid_3', '', None, 'Sigmoid(12) -> 13'),
           ('node', 'Tanh_3', 'input 0', '12', '13')], 'what is new')


def test_another_operator():
    other = [b.node('MatMul', 'x w', 'h', 'mul'), b.node('Sigmoid', 'h', 'r', 'relu'),
             b.node('Softmax', 'r', 'y', 'soft', axis=1)]
    expect(chain(), chain(other), ('node', 'relu', 'op', 'Relu', 'Sigmoid'), why='op')


def test_constants_small_and_large():
    expect(chain(), chain(weights=[b.float_tensor('w', [2, 3], [1, 2, 3, 4, 5, 7])]),
           ('constant', 'w', 'elements', '[1, 2, 3, 4, 5, 6]', '[1, 2, 3, 4, 5, 7]'), why='small')
    many = [float(i) for i in range(60000)]
    before = chain(weights=[b.float_tensor('w', [2, 30000], many)])
    many[54321] = -1.0
    expect(before, chain(weights=[b.float_tensor('w', [2, 30000], many)]),
           ('constant', 'w', 'elements differ, first at 54321', '54321', '-1'), why='large')
    many[0] = 7.0
    expect(before, chain(weights=[b.float_tensor('w', [2, 30000], many)]),
           ('constant', 'w', 'elements differ, first at 0', '0', '7'), why='the first one')
    double = b.tensor('w', b.DOUBLE, [2, 3], b.data(9, struct.pack('<6d', 1, 2, 3, 4, 5, 6)))
    code, got = diff(chain(), chain(weights=[double]))
    check(('constant', 'w', 'type', 'float32 [2, 3]', 'float64 [2, 3]') in got, got)


def test_a_constant_node_and_an_initializer_hold_the_same():
    inside = [b.node('Constant', [], ['w'], 'const', value=b.float_tensor('', [2, 3], [1, 2, 3, 4, 5, 6])),
              b.node('MatMul', 'x w', 'h', 'mul'), b.node('Relu', 'h', 'r', 'relu'),
              b.node('Softmax', 'r', 'y', 'soft', axis=1)]
    expect(chain(), chain(inside, weights=[]), ('node', 'const', '', None, 'Constant() -> w'), why='moved')
    changed = [b.node('Constant', [], ['w'], 'const', value=b.float_tensor('', [2, 3], [9, 2, 3, 4, 5, 6])),
               *inside[1:]]
    expect(chain(inside, weights=[]), chain(changed, weights=[]),
           ('constant', 'w', 'elements', '[1, 2, 3, 4, 5, 6]', '[9, 2, 3, 4, 5, 6]'), why='changed')


def external_pair(folder, contents, size=40000):
    paths = []
    for name, data in contents.items():
        os.mkdir(os.path.join(folder, name))
        paths.append(os.path.join(folder, name, 'm.onnx'))
        with open(paths[-1], 'wb') as file:
            file.write(chain(weights=[b.external_tensor('w', b.FLOAT, [2, size // 8], 'w.bin')]))
        if data is not None:
            with open(os.path.join(folder, name, 'w.bin'), 'wb') as file:
                file.write(data)
    return paths


def test_external_data_is_compared_by_its_bytes():
    data = bytes(range(250)) * 160
    other = data[:20000] + b'\xff' + data[20001:]
    with tap.folder() as folder:
        same, also, unlike, missing, gone = external_pair(
            folder, {'a': data, 'b': data, 'c': other, 'd': None, 'e': None})
        equal(run('diff', same, also)[0], 0, 'the same bytes elsewhere')
        code, out, err = run('diff', same, unlike)
        equal(code, 1, 'other bytes')
        check(b'first at 5000' in out, out)
        equal(run('diff', missing, gone)[0], 0, 'the same place, and nothing there')
        code, out, err = run('diff', same, missing)
        equal((code, err), (1, b''), 'what cannot be compared is not the same')
        check(b'elements cannot be compared' in out, out)


def branch(op, op_name='inner'):
    return b.graph('branch', [b.node(op, 'x', 'o', op_name)], [], [b.floats('o', 'batch', 2)])


def test_bodies_and_functions():
    def whole(op, version=17):
        nodes = [b.node('If', 'c', 'z', 'if', then_branch=branch(op), else_branch=branch('Relu')),
                 b.node('F', 'z', 'y', 'call', domain='own')]
        call = b.function('own', 'F', 'p', 'q', [b.node(op, 'p', 'q', 'body')], {'': version})
        return chain(nodes, [b.bools('c'), b.floats('x', 'batch', 2)], functions=[call], opset={'': 17, 'own': 1})
    expect(whole('Tanh'), whole('Tanh'), why='alike')
    code, got = diff(whole('Tanh'), whole('Sigmoid', 18))
    equal(got, [('function', 'own::F::', 'opset ai.onnx', '17', '18'),
                ('node', 'body', 'op', 'Tanh', 'Sigmoid'), ('node', 'inner', 'op', 'Tanh', 'Sigmoid')], 'inside')
    with tap.folder() as folder:
        for name, data in (('a', whole('Tanh')), ('b', whole('Sigmoid'))):
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)
        code, out, err = run('diff', '--json', os.path.join(folder, 'a'), os.path.join(folder, 'b'))
    equal([d['graph'] for d in json.loads(out)['differences']], ['own::F::', '0.then_branch'], 'where')
    code, got = diff(whole('Tanh'), chain())
    check(('function', 'own::F::', '', '1 node', None) in got, got)


def test_text_is_grouped_plain_in_a_pipe_and_coloured_on_demand():
    with tap.folder() as folder:
        paths = [os.path.join(folder, n) for n in 'ab']
        other = [b.node('MatMul', 'x w', 'h', 'mul'), b.node('Relu', 'h', 'y', 'relu')]
        for path, data in zip(paths, (chain(), chain(other))):
            with open(path, 'wb') as file:
                file.write(data)
        code, out, err = run('diff', *paths)
        equal(out.decode().splitlines()[:2], ['nodes', '-\tsoft\t\tSoftmax(r) -> y'], 'plain')
        code, out, err = run('diff', '--color=always', *paths)
        check(b'\x1b[1mnodes\x1b[0m\n\x1b[38;5;160m-\x1b[0m' in out, out)
        code, out, err = run('diff', *paths[::-1])
        check(b'\n+\tsoft\t\tSoftmax(r) -> y\n' in out, out)


def test_names_from_a_file_are_shown_escaped():
    wild = '\x1b[2J"\n\u202e'
    nodes = [b.node('Relu', ['x'], ['y'], wild)]
    with tap.folder() as folder:
        paths = [os.path.join(folder, n) for n in 'ab']
        for path, data in zip(paths, (chain(nodes), chain([b.node('Relu', 'x', 'y', 'tame')]))):
            with open(path, 'wb') as file:
                file.write(data)
        code, out, err = run('diff', *paths)
    check(b'\x1b' not in out and '\u202e'.encode() not in out and b'\\x1b[2J' in out, out)
    code, got = diff(chain(nodes), chain([b.node('Relu', 'x', 'y', 'tame')]))
    equal(got[0][:4], ('node', wild, 'name', wild), 'JSON has the name itself')


def test_what_few_models_say():
    from wire import data, message
    def whole(zero, doc, mark, place):
        note = message(data(1, 'h'), b.entries(2, {'ZERO_POINT_TENSOR': zero}))
        nodes = [b.node('MatMul', 'x w', 'h', 'mul', doc=doc, metadata={'k': mark}), b.node('Relu', 'h', 'y', 'relu')]
        x = b.value('x', b.tensor_type(b.FLOAT, [b.dim('batch', place), 2]), doc=doc)
        weight = b.float_tensor('w', [2, 3], [1, 2, 3, 4, 5, 6])
        return b.model(b.graph('g', nodes, [x], [b.floats('y', 'batch', 3)], [weight], annotations=[note], doc=doc))
    same = whole('z', 'text', 'v', 'DATA_BATCH')
    expect(same, same, why='alike')
    expect(same, whole('q', 'other', 'u', 'DATA_TIME'),
           ('input', 'x', 'denotation of axis 0', 'DATA_BATCH', 'DATA_TIME'),
           ('input', 'x', 'doc', 'text', 'other'),
           ('graph', 'g', 'doc', 'text', 'other'),
           ('node', 'mul', 'doc', 'text', 'other'),
           ('node', 'mul', 'metadata k', 'v', 'u'),
           ('tensor', 'h', 'metadata ZERO_POINT_TENSOR', 'z', 'q'), why='everything')


def test_large_models_take_little_time_and_little_room():
    def large(op, length, count=30000):
        names = ['x', *(f't{i}' for i in range(count - 1)), 'y']
        return chain([b.node(op if i % 2 else 'Relu', [names[i]], [names[i + 1]], 'n' * length + str(i))
                      for i in range(count)])
    began = time.monotonic()
    before = large('Tanh', 500)
    with tap.folder() as folder:
        paths = [os.path.join(folder, n) for n in 'abc']
        for path, data in zip(paths, (before, large('Sigmoid', 500), large('Tanh', 400))):
            with open(path, 'wb') as file:
                file.write(data)
        built = time.monotonic()
        for other, kind in ((paths[1], b'"op"'), (paths[2], b'"name"')):
            code, out, err = run('diff', '--json', paths[0], other)
            equal(code, 1, err)
            check(len(out) < 8 << 20 and kind in out, f'{len(out)} bytes')
            check(json.loads(out)['count'] >= 15000, 'the count is whole')
    check(time.monotonic() - built < 20, f'{time.monotonic() - built} s, built in {built - began} s')


tap.main(globals())
