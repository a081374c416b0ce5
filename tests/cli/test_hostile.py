"""Hostile models: each gets a finding in well below a second, and nothing crashes."""

import json
import os
import sys
import time

import tap
from tap import check, equal

sys.path.insert(0, tap.MODELS)
from build import FLOAT, INT64, float_tensor, floats, function, graph, int_tensor, ints, model, node, tensor, value
from wire import data, integer

# The promise is 100 ms; a loaded machine or a sanitizer gets ten times that.
MOST_SECONDS = 1.0


def judged(name, content, level='error'):
    """Checks the model and returns its findings; one must have that level."""
    with tap.folder() as folder:
        path = os.path.join(folder, name + '.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(content))
        start = time.monotonic()
        code, out, err = tap.run('check', '--json', path)
        took = time.monotonic() - start
        check(code in (0, 1), f'{name}: exit {code}, {err!r}')
        check(took < MOST_SECONDS, f'{name}: {took:.2f} s')
        found = json.loads(out)['findings'] if code in (0, 1) else []
        if level:
            check(any(f['level'] == level for f in found), f'{name}: no {level} in {found[:3]}')
        for command in ('shapes', 'symbols', 'axes'):
            equal(tap.run(command, '--json', path)[0], 0, f'{name}: {command}')
        return found


def single(op, inputs, initializers=(), **attributes):
    names = [f'x{i}' for i in range(len(inputs))] + [n for n, _ in initializers]
    return model(graph('g', [node(op, names, ['y'], 'n', **attributes)], inputs,
                       [value('y')], [t for _, t in initializers]))


def test_expressions_that_grow_without_end():
    nodes, last = [], 'x'
    for i in range(200):
        nodes += [node('Shape', [last], [f's{i}'], f'Shape_{i}'),
                  node('Mul', [f's{i}', f's{i}'], [f'm{i}'], f'Mul_{i}'),
                  node('Add', [f'm{i}', f's{i}'], [f'a{i}'], f'Add_{i}'),
                  node('ConstantOfShape', [f'a{i}'], [f'c{i}'], f'Fill_{i}')]
        last = f'c{i}'
    judged('grow', model(graph('g', nodes, [floats('x', 'H', 'W')], [value(last)])), 'complex')


def test_sums_of_many_symbols():
    inputs = [floats(f'x{i}', f's{i}') for i in range(300)]
    judged('sum', model(graph('g', [node('Concat', [f'x{i}' for i in range(300)], ['y'], 'n', axis=0)], inputs,
                              [value('y')])), 'complex')


def test_ranks_beyond_reason():
    judged('rank_by_shape', single('ConstantOfShape', [ints('x0', 2**31)]))
    judged('rank_by_unsqueeze', single('Unsqueeze', [floats('x0', 2)], [('axes', int_tensor('axes', [1000], range(1000)))]))
    judged('rank_by_expand', single('Expand', [floats('x0', 2)], [('s', int_tensor('s', [1000], [1] * 1000))]))


def test_strides_kernels_and_pads_that_cannot_be():
    for name, attributes in (('zero stride', {'strides': [0, 0]}), ('negative stride', {'strides': [-1, 1]}),
                             ('zero dilation', {'dilations': [0, 0]}), ('zero kernel', {'kernel_shape': [0, 0]}),
                             ('huge kernel', {'kernel_shape': [2**62, 2**62], 'dilations': [2**62, 1]})):
        judged(name, single('MaxPool', [floats('x0', 'N', 3, 'H', 'W')], **{'kernel_shape': [2, 2], **attributes}))


def test_sizes_that_overflow():
    big = 2**62
    judged('reshape', single('Reshape', [floats('x0', 3)], [('s', int_tensor('s', [3], [big, big, -1]))]))
    judged('tile', single('Tile', [floats('x0', big)], [('r', int_tensor('r', [1], [big]))]), None)
    judged('pad', single('Pad', [floats('x0', big)], [('p', int_tensor('p', [2], [big, big]))]), None)


def test_limits_at_the_end_of_64_bits():
    for off in range(3):
        nodes = [node('Shape', 'x', 's', 'S'), node('Sub', 'b s', 'd', 'D'), node('Max', 'd z', 'e', 'M'),
                 node('ConstantOfShape', 'e', 'f', 'F'), node('MatMul', 'f w', 'y', 'P')]
        judged(f'end {off}', model(graph('g', nodes, [floats('x', 'n')], [value('y')],
                                         [int_tensor('b', [1], [2**63 - 1 - off]), int_tensor('z', [1], [0]),
                                          float_tensor('w', [7, 3], [0.0] * 21)])), None)


def test_many_needs_of_a_large_modulus():
    nodes = [node('Reshape', 'x s', f'y{i}', f'R{i}') for i in range(10000)]
    judged('modulus', model(graph('g', nodes, [floats('x', 'n')], [value('y0')], [int_tensor('s', [2], [-1, 32768])])),
           'divisible')


def test_functions_that_call_themselves():
    def calls(name, other):
        return function('local', name, 'a', 'b', [node(other, ['a'], ['b'], 'n', 'local')], {'local': 1})

    for name, functions in (('itself', [calls('F', 'F')]), ('in a ring', [calls('F', 'G'), calls('G', 'F')])):
        judged(name, model(graph('g', [node('F', ['x'], ['y'], 'n', 'local')], [floats('x', 'N')], [value('y')]),
                           opset={'': 17, 'local': 1}, functions=functions))


def test_functions_that_double():
    # f0 calls f1 twice, f1 calls f2 twice: 2^24 calls when each is followed.
    functions = [function('local', f'F{i}', 'a', 'c',
                          [node(f'F{i + 1}', ['a'], ['b'], 'n', 'local'), node(f'F{i + 1}', ['b'], ['c'], 'm', 'local')],
                          {'local': 1}) for i in range(24)]
    functions.append(function('local', 'F24', 'a', 'c', [node('Relu', ['a'], ['c'], 'n')], {'': 17}))
    judged('doubling', model(graph('g', [node('F0', ['x'], ['y'], 'n', 'local')], [floats('x', 'N')], [value('y')]),
                             opset={'': 17, 'local': 1}, functions=functions), None)


def test_deep_nesting():
    code, out, err = tap.run('check', '--json', tap.model('deep.onnx'))
    check(code in (0, 1), f'deep: {code} {err!r}')


def test_attributes_of_the_wrong_kind():
    judged('axis as text', single('Concat', [floats('x0', 'N')], axis='one'))
    judged('perm as number', single('Transpose', [floats('x0', 'N', 3)], perm=1), None)
    judged('kernel as text', single('Conv', [floats('x0', 'N', 3, 8, 8), floats('x1', 4, 3, 3, 3)], kernel_shape='3'),
           None)


def test_long_chains_behind_many_findings():
    chain = [node('Relu', [f'r{i}' if i else 'x'], [f'r{i + 1}'], f'R{i}') for i in range(10000)]
    ends = [node('Add', ['r10000', 'w'], [f'y{i}'], f'A{i}') for i in range(3000)]
    found = judged('chain', model(graph('g', chain + ends, [floats('x', 'a')], [value('y0')],
                                        [float_tensor('w', [3], [0.0] * 3)])), 'soft')
    check(found[0]['why'][1].endswith('through 9999 nodes'), found[0])
    check(all(len(f['why']) <= 40 for f in found), 'short')


def test_findings_at_nodes_with_very_many_inputs():
    wide = [node('Concat', ['x'] * 2000 + ['z'], [f'c{i}'], f'C{i}', axis=1) for i in range(100)]
    judged('wide', model(graph('g', wide, [floats('x', 'a', 'q'), floats('z', 'b', 'p')], [value('c0')])), 'merge')


def test_functions_called_with_ever_other_sizes():
    steps = [node('Relu', [f'v{i}' if i else 'a'], [f'v{i + 1}' if i < 199 else 'c']) for i in range(200)]
    f = function('l', 'f', 'a', 'c', steps, {'': 17})
    calls = [node('f', [f'x{i}'], [f'y{i}'], f'call{i}', 'l') for i in range(60)]
    judged('calls', model(graph('g', calls, [floats(f'x{i}', i + 1, 'n') for i in range(60)], [value('y0')]),
                          functions=[f], opset={'': 17, 'l': 1}), None)


def loops(levels):
    """A Loop in a Loop in a Loop; the state of the innermost doubles."""
    def body(level):
        state = f'v{level}'
        inner = (node('Loop', ['trip', '', state], [f'n{level}'], f'L{level}', body=body(level - 1)) if level else
                 node('Concat', [state, state], ['n0'], 'C', axis=0))
        formals = [ints(f'i{level}'), value(f'c{level}'), value(state)]
        return graph(f'b{level}', [node('Identity', [f'c{level}'], [f'd{level}']), inner], formals,
                     [value(f'd{level}'), value(f'n{level}')])
    return model(graph('g', [node('Loop', ['trip', '', 'x'], ['y'], 'top', body=body(levels))], [floats('x', 'N')],
                       [value('y')], [int_tensor('trip', [], [3])]))


def maps(levels):
    """Each body maps the same sequence of 4 again."""
    def body(level):
        inner = [node('SequenceMap', ['s'], [f'n{level}'], f'M{level}', body=body(level - 1))] if level else []
        return graph(f'b{level}', inner + [node('Relu', [f'e{level}'], [f'o{level}'])], [value(f'e{level}')],
                     [value(f'o{level}')])
    return model(graph('g', [node('SequenceConstruct', ['x'] * 4, ['s'], 'S'),
                             node('SequenceMap', ['s'], ['y'], 'top', body=body(levels))], [floats('x', 'N')], [value('y')]))


def told(content):
    """The verdict of the first axis, and whether each value in a body has a shape."""
    with tap.folder() as folder:
        path = os.path.join(folder, 'm.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(content))
        tensors = json.loads(tap.run('shapes', '--json', path)[1])['tensors']
        axes = json.loads(tap.run('axes', '--json', path)[1])['axes']
        return axes[0]['verdict'], [t['shape'] is not None for t in tensors if t['graph']]


def test_bodies_in_bodies():
    for make in (loops, maps):
        verdict, known = told(make(3))
        check(verdict == 'free' and any(known), f'{make.__name__}: {verdict}, {known}')
        judged(make.__name__, make(30), 'complex')
        verdict, known = told(make(30))
        check(verdict == 'unknown' and not any(known), f'{make.__name__}: {verdict}, {known}')


tap.main(globals())
