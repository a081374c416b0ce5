"""axed fit: exports of small programs at several sizes, what they become, and why others are refused.

With a Python that has onnxruntime (this one or AXED_JUDGE), the results are run at sizes of no export too.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
import build
import judges
import tap
from build import float_tensor, floats, graph, int_tensor, ints, node
from tap import check, equal, run

SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
OUT = os.path.join(SCRATCH.name, 'out.onnx')
PYTHON = judges.python('numpy', 'onnxruntime')
RUN = """
import json, sys
import numpy as np, onnxruntime as ort
path, sizes = sys.argv[1], json.loads(sys.argv[2])
rng = np.random.default_rng(0)
feeds = {n: rng.standard_normal(s).astype(np.float32) for n, s in sizes.items()}
a, b = (ort.InferenceSession(p, providers=['CPUExecutionProvider']).run(None, feeds) for p in (path, sys.argv[3]))
assert all(x.shape == y.shape and np.allclose(x, y, 1e-5, 1e-6) for x, y in zip(a, b)), [(x.shape, y.shape) for x, y in zip(a, b)]
"""


def written(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def program(nodes, inputs, outputs, constants=()):
    return build.model(graph('g', nodes, inputs, outputs, constants))


def exports(make, *sizes):
    """One file for each tuple of sizes."""
    return [written(f'{make.__name__}{"_".join(map(str, s))}.onnx', make(*s)) for s in sizes]


def fit(paths, *words, out=OUT):
    """Exit code and what is printed as JSON."""
    if os.path.exists(OUT):
        os.remove(OUT)
    code, text, err = run('fit', *paths, '-o', out, '--json', *words)
    equal(os.path.exists(OUT), code == 0, f'{paths}: written')
    return code, json.loads(text) if text.strip() else {'reasons': [err.decode()]}


def fitted(make, *sizes, third=(), words=(), bounds=()):
    """Fits, and compares the result with the program at sizes of no export."""
    code, said = fit(exports(make, *sizes), *words)
    equal((code, said['reasons']), (0, []), make.__name__)
    equal(said['bounds'], list(bounds), f'{make.__name__}: bounds')
    equal(run('check', OUT)[0], 0, f'{make.__name__}: check')
    for size in (*sizes, *third) if PYTHON else ():
        shapes = make.inputs(*size)
        want = written('third.onnx', make(*size))
        done = subprocess.run([PYTHON, '-c', RUN, OUT, json.dumps(shapes), want], capture_output=True)
        equal((done.returncode, done.stderr[-400:]), (0, b''), f'{make.__name__} at {size}')
    return said


def refused(paths, *says, words=(), code=1):
    got, said = fit(paths, *words)
    equal(got, code, f'{paths}: {said}')
    text = '\n'.join(said['reasons'])
    for part in says:
        check(part in text, f'{part!r} is not in {text!r}')


def inputs(shapes):
    def mark(make):
        make.inputs = shapes
        return make

    return mark


# ---- programs ----


@inputs(lambda n, s: {'x': [n, s, 6]})
def heads(n, s):
    """Batch and sequence are cut and joined."""
    return program(
        [node('Reshape', 'x cut', 'h', 'cut'), node('Transpose', 'h', 't', 'swap', perm=[0, 2, 1, 3]),
         node('Reshape', 't join', 'y', 'join')],
        [floats('x', n, s, 6)], [floats('y', 2 * n, s, 3)],
        [int_tensor('cut', [4], [n, s, 2, 3]), int_tensor('join', [3], [2 * n, s, 3])])


@inputs(lambda n: {'x': [2, n]})
def mean(n):
    """x / 7"""
    return program([node('ReduceSum', 'x axes', 's', 'sum', keepdims=0), node('Div', 's n', 'm', 'mean'),
                    node('Mul', 'm scale', 'y', 'scale')],
                   [floats('x', 2, n)], [floats('y', 2)],
                   [int_tensor('axes', [1], [1]), float_tensor('n', [], [float(n)]), float_tensor('scale', [1], [n ** -0.5])])


@inputs(lambda n: {'x': [1, 2, n, 3]})
def resized(n):
    """Resize to twice the size, and back to it."""
    return program(
        [node('Resize', ['x', '', '', 'big'], 'b', 'grow', mode='nearest'),
         node('Resize', ['b', '', '', 'old'], 'y', 'shrink', mode='nearest')],
        [floats('x', 1, 2, n, 3)], [floats('y', 1, 2, n, 3)],
        [int_tensor('big', [4], [1, 2, 2 * n, 6]), int_tensor('old', [4], [1, 2, n, 3])])


@inputs(lambda n: {'x': [2, n]})
def sliced(n):
    """All but the last two."""
    return program([node('Slice', 'x start end axes', 'y', 'cut')], [floats('x', 2, n)], [floats('y', 2, n - 2)],
                   [int_tensor('start', [1], [0]), int_tensor('end', [1], [n - 2]), int_tensor('axes', [1], [1])])


@inputs(lambda n: {'x': [2, n]})
def halved(n):
    """The first half, rounded down."""
    return program([node('Slice', 'x start end axes', 'y', 'cut')], [floats('x', 2, n)], [floats('y', 2, n // 2)],
                   [int_tensor('start', [1], [0]), int_tensor('end', [1], [n // 2]), int_tensor('axes', [1], [1])])


@inputs(lambda n: {'x': [n, n]})
def causal(n):
    mask = [0.0 if j <= i else -1e9 for i in range(n) for j in range(n)]
    return program([node('Add', 'x mask', 'm', 'mask'), node('Add', 'm positions', 'y', 'place')], [floats('x', n, n)],
                   [floats('y', n, n)], [float_tensor('mask', [n, n], mask),
                                         float_tensor('positions', [n], [float(i) for i in range(n)])])


TABLE = [((i * 37) % 101) / 7 for i in range(64)]


@inputs(lambda n: {'x': [1, n]})
def table(n):
    return program([node('Add', 'x table', 'y', 'add')], [floats('x', 1, n)], [floats('y', 1, n)],
                   [float_tensor('table', [n], TABLE[:n])])


@inputs(lambda n: {'x': [n, n]})
def buckets(n):
    """Distances in buckets that double, as relative positions have them: equal at the end, but not for ever."""
    bias = [float(max(0, i - j).bit_length()) for i in range(n) for j in range(n)]
    return program([node('Add', 'x bias', 'y', 'add')], [floats('x', n, n)], [floats('y', n, n)],
                   [float_tensor('bias', [n, n], bias)])


@inputs(lambda n, s: {'x': [n, s], 'past': [n, s + 2]})
def padded(n, s):
    return program([node('Concat', 'past x', 'c', 'join', axis=1), node('Reshape', 'c flat', 'y', 'flat')],
                   [floats('x', n, s), floats('past', n, s + 2)], [floats('y', n * (2 * s + 2))],
                   [int_tensor('flat', [1], [n * (2 * s + 2)])])


def windows(h):
    """floor(h/4) windows: 3 for 12 and for 13."""
    return program([node('AveragePool', 'x', 'p', 'pool', kernel_shape=[4], strides=[4]),
                    node('Slice', 'p start end axes', 'y', 'cut')],
                   [floats('x', 1, 2, h)], [floats('y', 1, 2, h // 4)],
                   [int_tensor('start', [1], [0]), int_tensor('end', [1], [h // 4]), int_tensor('axes', [1], [2])])


# ---- what fits ----


def test_two_axes():
    said = fitted(heads, (2, 5), (3, 7), third=[(4, 11), (1, 1)])
    equal([(a['axis'], a['name'], a['sizes']) for a in said['axes']], [('x:0', 'batch', [2, 3]), ('x:1', 'x_dim_1', [5, 7])],
          'axes')
    said = fitted(heads, (2, 5), (3, 7), words=('--name', 'x:1=seq', '--name', 'x:0=n'))
    equal([a['name'] for a in said['axes']], ['n', 'seq'], 'given names')


def test_axes_of_one_size_share_a_name():
    said = fitted(heads, (3, 3), (5, 5), third=[(4, 4)])
    equal([a['name'] for a in said['axes']], ['batch', 'batch'], 'joined')


def test_scalars():
    said = fitted(mean, (7,), (11,), third=[(5,), (13,)])
    equal([s['after'] for s in said['solved']], ['(x_dim_1)', '(x_dim_1)^-0.5'], 'scalars')


def test_resize_targets():
    fitted(resized, (5,), (7,), third=[(9,)])


def test_slice_ends():
    fitted(sliced, (5,), (8,), third=[(11,), (3,)])


def test_masks_and_positions():
    fitted(causal, (5,), (8,), third=[(11,), (3,)])


def test_tables_come_from_the_largest_export():
    fitted(table, (5,), (8,), third=[(7,), (3,)], bounds=['x_dim_1 <= 8'])
    fitted(table, (8,), (5,), third=[(6,)], bounds=['x_dim_1 <= 8'])


def test_what_only_seems_to_end_is_bounded():
    fitted(buckets, (9,), (12,), third=[(10,), (5,)], bounds=['batch <= 12'])


@inputs(lambda h: {'x': [1, 1, h]})
def patches(h):
    return program([node('AveragePool', 'x', 'y', 'pool', kernel_shape=[4], strides=[4])], [floats('x', 1, 1, h)],
                   [floats('y', 1, 1, h // 4)])


def test_a_remainder_that_no_export_has():
    """At other sizes, the program may pad: nobody can know."""
    said = fitted(patches, (8,), (12,), third=[(20,)], bounds=['x_dim_2 >= 4'])
    equal(said['assumes'], ['x_dim_2 % 4 = 0'], 'only multiples were exported')
    said = fitted(patches, (8,), (13,), third=[(20,), (7,)], bounds=['x_dim_2 >= 4'])
    equal(said['assumes'], [], 'a remainder was exported')


def test_three_exports():
    fitted(halved, (6,), (7,), (10,), third=[(9,), (13,)])
    fitted(heads, (2, 5), (3, 7), (4, 9), third=[(5, 6)])


def test_sums_are_declared():
    said = fitted(padded, (2, 5), (3, 7), third=[(1, 4)], words=('--name', 'x:1=seq', '--name', 'past:1=past'))
    equal([a['name'] for a in said['axes']], ['batch', 'seq', 'batch', 'past'], 'names')


def test_nothing_else_changes():
    """Only what differs is rewritten: the other bytes are the base's."""
    a, b = exports(sliced, (5,), (8,))
    equal(fit([a, b])[0], 0, 'fits')
    code, out, _ = run('diff', a, OUT)
    check(code == 1 and b'+\tcut/' in out and b'start' not in out and b'axes' not in out, out)


def test_another_program_is_told_in_one_line():
    one = written('one.onnx', build.model(build.graph('g', [node('Relu', 'x', 'y', 'r')], [floats('x', 3, 4)], [floats('y', 3, 4)])))
    many = written('many.onnx', build.model(build.graph(
        'g', [node('Tanh', f'x{i or ""}', f'x{i + 1}', f't{i}') for i in range(30)], [floats('x', 5, 4)], [floats('x30', 5, 4)])))
    for a, b, nodes in ((one, many, '1 node'), (many, one, '30 nodes')):
        code, out, err = run('fit', a, b, '-n')
        equal((code, err.decode()), (1, f'axed: cannot fit: not the same program: export 2 has 0 of the {nodes} of export 1\n'), 'text')


def test_text_and_dry_run():
    paths = exports(sliced, (5,), (8,))
    code, out, err = run('fit', *paths, '-n')
    equal((code, err), (0, b''), 'dry run')
    equal(out.decode().splitlines()[0].split('\t'), ['axis', 'x:1', '5 | 8 -> x_dim_1'], 'axis')
    check('solved\tSlice cut input 2\t[3] | [6] -> [x_dim_1 - 2]' in out.decode(), out)
    check(not run('fit', *paths, '-n', '--quiet')[1], 'quiet')


def test_verify_runs_each_export():
    if not PYTHON:
        raise tap.Skip('no Python with onnxruntime and numpy; name one with AXED_JUDGE')
    paths = exports(heads, (2, 5), (3, 7))
    code, out, err = run('fit', *paths, '-o', OUT, '--verify', env={'AXED_PYTHON': PYTHON})
    equal(code, 0, err)
    check(err.count(b'same') >= 2, err)


# ---- what does not ----


def test_the_same_sizes():
    paths = exports(sliced, (5,), (5,))
    refused(paths, 'the exports have the same sizes, so there is nothing to fit')


def test_ambiguous_sizes():
    refused(exports(halved, (6,), (10,)), 'Slice cut: 3, 5 may be', 'floor(x_dim_1/2)', 'ceil(x_dim_1/2)', 'add an export')


def test_a_number_that_may_be_a_size():
    refused(exports(windows, (12,), (13,)), 'Slice cut: 3 may be a number or', 'add an export')


def test_a_product_that_stays():
    """2*3 and 1*6 are both 6: nothing differs, and nothing may change."""
    def flat(b, s):
        return program([node('Reshape', 'x flat', 'y', 'flat')], [floats('x', 3, b, s)], [floats('y', 18)],
                       [int_tensor('flat', [1], [18])])

    refused(exports(flat, (2, 3), (1, 6)), 'Reshape flat: x_dim_1*x_dim_2 must equal 6')


def test_an_index_from_the_end():
    """5 and 7 are the last of 6 and 8, not the other size."""
    def last(b, s):
        return program([node('Gather', 'x last', 'y', 'pick', axis=1)], [floats('x', b, s)], [floats('y', b)],
                       [int_tensor('last', [], [s - 1])])

    refused(exports(last, (5, 6), (7, 8)), 'Gather pick: 5, 7 may be batch or x_dim_1 - 1')
    last.inputs = lambda b, s: {'x': [b, s]}
    fitted(last, (2, 6), (5, 8), third=[(3, 9)])


def test_two_numbers_fit_any_line():
    def windows_of_four(n, s):
        count = (s - 4) // 2 + 1
        return program([node('Expand', 'one shape', 'e', 'spread'), node('ReduceSum', 'x', 't', 'sum', keepdims=0),
                        node('Mul', 'e t', 'y', 'mul')],
                       [floats('x', n, s)], [floats('y', count)],
                       [float_tensor('one', [1], [1.0]), int_tensor('shape', [1], [count])])

    refused(exports(windows_of_four, (2, 12), (3, 16)), 'Expand spread: no simple expression of the sizes gives 5, 7')


def test_other_weights():
    def weights(n, scale):
        return program([node('MatMul', 'x w', 'y', 'mul')], [floats('x', n, 4)], [floats('y', n, 4)],
                       [float_tensor('w', [4, 4], [scale * i for i in range(16)])])

    refused(exports(weights, (2, 1), (3, 2)), 'MatMul mul: w differs in its elements: exports of other weights')


def test_another_structure():
    def longer(n, relu):
        nodes = [node('Neg', 'x', 'h', 'first')] + [node('Relu', 'h', 'r', 'extra')] * relu
        return program([*nodes, node('Abs', 'r' if relu else 'h', 'y', 'last')], [floats('x', n, 4)], [floats('y', n, 4)])

    refused(exports(longer, (2, 0), (3, 1)), 'only export 2 has Relu extra', 'Abs last: input 0 comes from elsewhere in export 2')

    def other(n, op):
        return program([node(op, 'x', 'y', 'last')], [floats('x', n, 4)], [floats('y', n, 4)])

    refused(exports(other, (2, 'Abs'), (3, 'Neg')), 'Abs last: it is Neg last in export 2')

    def attribute(n, axis):
        return program([node('Softmax', 'x', 'y', 'soft', axis=axis)], [floats('x', n, 4)], [floats('y', n, 4)])

    refused(exports(attribute, (2, 1), (3, 0)), 'Softmax soft: attribute axis is 1 here and 0 in export 2')


def test_folded_tables():
    def folded(n):
        return program([node('Add', 'x table', 'y', 'add')], [floats('x', 1, n)], [floats('y', 1, n)],
                       [float_tensor('table', [n], [(i / n) ** 2 for i in range(n)])])

    refused(exports(folded, (5,), (8,)), 'Add add: table was computed when the model was exported, and follows no rule')


def test_other_inputs():
    def several(n, more):
        return program([node('Sum', 'x' + ' b' * more, 'y', 'sum')], [floats('x', n), *[floats('b', n)] * more], [floats('y', n)])

    refused(exports(several, (2, 0), (3, 1)), 'the first export has 1 input, export 2 has 2')

    def typed(n, kind):
        return program([node('Neg', 'x', 'y', 'neg')], [kind('x', n)], [kind('y', n)])

    refused([written('f.onnx', typed(2, floats)), written('i.onnx', typed(3, ints))], 'input x has another type in export 2')


def test_names():
    paths = exports(heads, (2, 5), (3, 7))
    for word, says in (('x:2=c', 'its size is the same in all exports'), ('x:1=', 'is not a name'), ('z:0=n', "there is no tensor 'z'"),
                       ('x:0=a b', 'is not a name')):
        code, said = fit(paths, '--name', word)
        check(code == 2 and says in said['reasons'][0], f'{word}: {code} {said}')
    code, said = fit(paths, '--name', 'x:0=n', '--name', 'x:1=n')
    check(code == 2 and 'n: two axes of that name have other sizes' in said['reasons'][0], said)


def test_usage():
    a, b = exports(sliced, (5,), (8,))
    for words, says in (((a, b), b'no output file: use -o FILE, or -n to write nothing'), ((a, '-o', OUT), b'usage: axed fit A B [C...] -o OUT'),
                        ((a, '-', '-n'), b'fit reads files, not standard input'),
                        ((a, a + '.missing', '-n'), b'missing'), ((*[a] * 9, '-n'), b'fit takes at most 8 exports')):
        code, out, err = run('fit', *words)
        check(code == 2 and not out and says in err and err.count(b'\n') == 1, f'{words}: {code} {out} {err}')


def test_broken_files():
    a, b = exports(causal, (5,), (8,))
    data = tap.read(b)
    for cut in (0, 1, 7, len(data) // 2, len(data) - 3):
        path = written('broken.onnx', data[:cut])
        code, out, err = run('fit', a, path, '-n')
        check(code in (1, 2) and (err or cut == 0), f'cut at {cut}: {code} {err}')
    for at in range(0, len(data), 5):
        path = written('broken.onnx', data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1:])
        code, out, err = run('fit', a, path, '-n')
        check(code in (0, 1, 2), f'byte {at}: {code} {err}')
        code, out, err = run('fit', path, a, '-n')
        check(code in (0, 1, 2), f'byte {at}, first: {code} {err}')



tap.main(globals())
