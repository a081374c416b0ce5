"""What `check` offers for a finding: a line that was tried, and after which the finding is gone."""

import json
import os
import sys

import tap
from tap import asked, check, equal, run

tap.AXED = os.path.abspath(tap.AXED)
sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402


def model(nodes, inputs, outputs, **rest):
    return b.model(b.graph('g', nodes, inputs, outputs, **rest))


def offers(content):
    """[(level, axis, lines)]"""
    code, out, err = asked(content, lambda path: run('check', '--json', path))
    check(code in (0, 1), err)
    return [(f['level'], f['axis'], f['repairs']) for f in json.loads(out)['findings']]


def repaired(content, *words):
    """Exit code, what is said, and the findings afterwards."""
    with tap.folder() as folder:
        path, new = (os.path.join(folder, name) for name in ('m.onnx', 'n.onnx'))
        with open(path, 'wb') as file:
            file.write(content)
        code, out, err = run('repair', path, *words, '-o', new)
        left = json.loads(run('check', '--json', new)[1])['findings'] if os.path.exists(new) else None
        return code, (out + err).decode(), left


def test_an_output_that_lost_its_batch_is_repaired():
    content = model([b.node('Reshape', 'x s', 'y', 'R')], [b.floats('x', 'batch', 6, 4, 4)], [b.floats('y', 'batch', 6, 16)],
                    initializers=[b.int_tensor('s', [3], [1, 6, -1])])
    equal(offers(content), [('stale', 2, ['repair x:0']), ('loss', 0, ['repair x:0'])], 'the cause, not what follows from it')
    code, said, left = repaired(content, 'x:0')
    equal((code, left), (0, []), said)


def test_an_output_that_no_repair_restores_is_declared_anew():
    content = model([b.node('ReduceSum', 'x a', 'y', 'S', keepdims=1)], [b.floats('x', 'batch', 6)], [b.floats('y', 'batch', 6)],
                    initializers=[b.int_tensor('a', [1], [0])])
    equal(offers(content), [('loss', 0, ['set y:0=1'])], 'the sum has one row, whatever is repaired')


def test_what_stays_pinned_is_neither_offered_nor_called_free():
    content = model([b.node('MaxPool', 'x', 'p', 'P', kernel_shape=[4], strides=[4]), b.node('Reshape', 'p s', 'y', 'R')],
                    [b.floats('x', 1, 2, 'n')], [b.floats('y', 1, 32)], initializers=[b.int_tensor('s', [2], [1, 32])])
    equal([(level, lines) for level, _, lines in offers(content) if level == 'pin'], [('pin', [])], '64 … 67, and no export tells which')
    code, said, left = repaired(content, 'x:2')
    equal((code, left), (1, None), said)
    check('x:2 cannot be freed: it is pinned, and no number of the graph tells' in said, said)


def test_a_refusal_names_the_node_that_still_pins():
    """The batch of the data is a constant 1: states of another batch do not fit."""
    def weights(name, *dims):
        count = 1
        for dim in dims:
            count *= dim
        return b.float_tensor(name, list(dims), [0.1] * count)
    content = model([b.node('Unsqueeze', 'x one', 'u', 'U'), b.node('LSTM', ['u', 'w', 'r', '', '', 'h', 'c'], ['y'], 'L', hidden_size=2)],
                    [b.floats('x', 'T', 4), b.floats('h', 1, 1, 2), b.floats('c', 1, 1, 2)], [b.floats('y', 'T', 1, 1, 2)],
                    initializers=[b.int_tensor('one', [1], [1]), weights('w', 1, 8, 4), weights('r', 1, 8, 2)])
    code, said, _ = repaired(content, 'h:1=B', 'c:1=B')
    check(code == 1 and 'cannot be freed: ' in said and 'LSTM L: ' in said.splitlines()[0], said)


def test_the_smallest_size_is_not_the_old_one():
    content = model([b.node('Conv', 'x k', 'c', 'C'), b.node('Reshape', 'c s', 'y', 'R')], [b.floats('x', 1, 1, 'n')], [b.floats('y', 1, 'n')],
                    initializers=[b.float_tensor('k', [1, 1, 3], [1.0] * 3), b.int_tensor('s', [2], [1, 8])])
    code, said, left = repaired(content, 'x:2')
    equal((code, [f['level'] for f in left or []]), (0, ['bound']), said)


def test_nothing_to_repair_is_said():
    free = model([b.node('Relu', 'x', 'y', 'R')], [b.floats('x', 'batch', 6)], [b.floats('y', 'batch', 6)])
    note = 'axed: note: nothing to repair: no axis that is declared dynamic is pinned'
    with tap.folder() as folder:
        path, new = (os.path.join(folder, name) for name in ('m.onnx', 'n.onnx'))
        with open(path, 'wb') as file:
            file.write(free)
        equal(run('repair', path, '-o', new), (0, b'', f'{note}; {new} is a copy\n'.encode()), 'a copy')
        equal(tap.read(new), free, 'of the same bytes')
        equal(run('repair', path, '-n'), (0, b'', f'{note}\n'.encode()), 'a dry run')
        equal(run('repair', path, '-n', '-q'), (0, b'', b''), 'quiet')
    # A pinned axis whose old size nobody knows: check would still fail, and so does this.
    unknown = model([b.node('MaxPool', 'x', 'p', 'P', kernel_shape=[4], strides=[4]), b.node('Reshape', 'p s', 'y', 'R')],
                    [b.floats('x', 1, 2, 'n')], [b.floats('y', 1, 32)], initializers=[b.int_tensor('s', [2], [1, 32])])
    code, said, left = repaired(unknown)
    check(code == 1 and 'no number of the model tells which size' in said, (code, said))


def test_a_negative_size_is_an_axis_without_a_name():
    content = model([b.node('Relu', 'x', 'y', 'R')], [b.floats('x', -1, 3, -2)], [b.floats('y', -1, 3, -2)])
    equal(offers(content), [('unnamed', 0, ['set x:0=?']), ('unnamed', 2, ['set x:2=?'])], 'one finding for each, and it fails nothing')
    with tap.folder() as folder:
        path, new = (os.path.join(folder, name) for name in ('m.onnx', 'n.onnx'))
        with open(path, 'wb') as file:
            file.write(content)
        equal(run('check', '-q', path)[0], 0, 'check')
        equal(run('set', path, 'x:0=batch', 'x:2=?', '-q', '-o', new), (0, b'', b''), 'set')
        equal(json.loads(run('check', '--json', new)[1])['findings'], [], 'and nothing is left')
        equal(run('shapes', new)[1], b'x\tfloat32 [batch, 3, x:2]\tinput\ny\tfloat32 [batch, 3, x:2]\tinferred\n', 'its shapes')


def many_reshapes(count):
    nodes, last = [], 'x'
    for i in range(count):
        nodes += [b.node('Reshape', f'{last} s{i}', f'r{i}', f'R{i}'), b.node('Relu', f'r{i}', f'a{i}', f'A{i}')]
        last = f'a{i}'
    return model(nodes, [b.floats('x', 3, 8)], [b.floats(last, 3, 8)], initializers=[b.int_tensor(f's{i}', [2], [3, 8]) for i in range(count)])


def test_many_changes_are_counted():
    said = repaired(many_reshapes(20), 'x:0=N')[1].splitlines()
    equal(sum(line.startswith('constant ') for line in said), 8, 'of each kind a few')
    check(any(line.split() == 'constants 12 more; -v lists them'.split() for line in said), said)
    said = repaired(many_reshapes(20), 'x:0=N', '-v')[1].splitlines()
    equal(sum(line.startswith('constant ') for line in said), 20, '-v lists them')
    equal(sum(line.startswith('constant ') for line in repaired(many_reshapes(8), 'x:0=N')[1].splitlines()), 8, 'as many as are shown')


def test_a_new_constant_is_shown_with_its_numbers():
    # Two nodes share a constant, and only one of them has the freed size.
    content = model([b.node('Reshape', 'x s', 'y', 'R'), b.node('Reshape', 'w s', 'z', 'S')], [b.floats('x', 3, 8), b.floats('w', 6, 4)],
                    [b.floats('y', 3, 2, 4), b.floats('z', 3, 2, 4)], initializers=[b.int_tensor('s', [3], [3, 2, 4])])
    said = repaired(content, 'x:0=N')[1]
    check('Constant([0, 2, 4])' in said and 'Constant()' not in said, said)


def test_sizes_that_are_not_found_are_named():
    content = model([b.node('Reshape', 'x s', 'y', 'R')], [b.floats('x', 'n')], [b.floats('y', 'm', 4000037)],
                    initializers=[b.int_tensor('s', [2], [-1, 4000037])])
    code, out, err = asked(content, lambda path: run('verify', path))
    check(code == 2 and err.endswith(b': no sizes of n were found that it accepts; choose some, as in --size n=16\n'), err)


def test_check_is_quiet_for_scripts():
    path = tap.model('pinned_reshape.onnx')
    equal(run('check', '-q', path), (1, b'', b''), 'one model')
    equal(run('check', '--quiet', tap.model('dynamic_linear.onnx'), path), (1, b'', b''), 'two')
    equal(run('check', '-q', tap.model('dynamic_linear.onnx')), (0, b'', b''), 'no problem')
    check(run('check', '-q', '--json', path)[1].startswith(b'{'), 'JSON that is asked for is printed')


tap.main(globals())
