"""axed verify: models in ONNX Runtime, faults put in on purpose, and Pythons that misbehave.

ONNX Runtime is that of AXED_JUDGE or of this Python; without one, the runs are skipped.
"""

import json
import os
import signal
import subprocess
import sys
import time

import judges
import tap
from tap import check, equal, folder, model, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

RUNTIME = judges.python('numpy', 'onnxruntime')
PYTHON = RUNTIME or 'python3'


def need_runtime():
    if not RUNTIME:
        raise tap.Skip('no Python with onnxruntime and numpy; name one with AXED_JUDGE')


def verify(*words, **rest):
    return run('verify', *words, '--python', PYTHON, **rest)


def made(nodes, inputs, outputs, weights=(), opset=17):
    return b.model(b.graph('g', nodes, inputs, outputs, weights), opset={'': opset})


def write(place, name, data):
    path = os.path.join(place, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def ramp(name, *dims):
    count = 1
    for d in dims:
        count *= d
    return b.float_tensor(name, dims, [((i * 7) % 11 - 5) / 5 for i in range(count)])


# ---- faults: (old size, model of a size and of whether it has the fault) ----

FAULTS = {}


def fault(old=3):
    def keep(function):
        FAULTS[function.__name__] = (old, function)
        return function
    return keep


def plain(n, nodes, weights=(), inputs=(4, 4), output=(4, 4)):
    return made(nodes, [b.floats('x', n, *inputs)], [b.floats('y', n, *output)], weights)


@fault()
def swapped_axes_of_a_transpose(n, bad):
    return plain(n, [b.node('Relu', 'x', 'a'), b.node('Transpose', 'a', 'y', perm=[0, 1, 2] if bad else [0, 2, 1])])


@fault(old=1)
def index_0_for_an_item(n, bad):
    first = b.node('Gather', 'x zero', 'a', axis=0) if bad else b.node('Identity', 'x', 'a')
    return plain(n, [first, b.node('Mul', 'x a', 'y')], [b.int_tensor('zero', [1], [0])])


@fault()
def table_sliced_wrongly(n, bad):
    limits = [b.int_tensor('from', [1], [1 if bad else 0]), b.int_tensor('to', [1], [5 if bad else 4]),
              b.int_tensor('along', [1], [0])]
    return plain(n, [b.node('Slice', 'table from to along', 'part'), b.node('Add', 'x part', 'y')],
                 [ramp('table', 8, 4), *limits])


@fault(old=7)
def scalar_that_follows_the_batch(n, bad):
    """x / 7, where 7 is not the batch."""
    nodes = [b.node('Shape', 'x', 's', start=0, end=1), b.node('Cast', 's', 'f', to=b.FLOAT)] if bad else \
            [b.node('Identity', 'seven', 'f')]
    return plain(n, [*nodes, b.node('Div', 'x f', 'y')], [b.float_tensor('seven', [1], [7.0])])


@fault()
def wrong_softmax_axis(n, bad):
    return plain(n, [b.node('Softmax', 'x', 'y', axis=1 if bad else 2)])


@fault(old=1)
def reshape_that_mixes_items(n, bad):
    good = [b.node('Reshape', 'x rows', 'y')]
    mixed = [b.node('Reshape', 'x four', 'a'), b.node('Transpose', 'a', 'c', perm=[1, 0, 2]),
             b.node('Reshape', 'c rows', 'y')]
    return plain(n, mixed if bad else good, [b.int_tensor('rows', [2], [-1, 16]), b.int_tensor('four', [3], [4, -1, 4])],
                 output=(16,))


@fault()
def wrong_concat_order(n, bad):
    return plain(n, [b.node('Relu', 'x', 'a'), b.node('Concat', 'a x' if bad else 'x a', 'y', axis=2)], output=(4, 8))


@fault()
def transposed_weight(n, bad):
    weight = [b.node('Transpose', 'w', 'v', perm=[1, 0])] if bad else [b.node('Identity', 'w', 'v')]
    return plain(n, [*weight, b.node('MatMul', 'x v', 'y')], [ramp('w', 4, 4)])


@fault()
def dropped_mask(n, bad):
    last = b.node('Identity', 'x', 'y') if bad else b.node('Where', 'mask x zero', 'y')
    inputs = [b.floats('x', n, 4), b.bools('mask', n, 4)]
    return made([b.node('Not', 'mask', 'm'), last], inputs, [b.floats('y', n, 4), b.bools('m', n, 4)],
                [b.float_tensor('zero', [], [0.0])])


@fault()
def slice_off_by_one(n, bad):
    limits = [b.int_tensor('from', [1], [0 if bad else 1]), b.int_tensor('to', [1], [2 if bad else 3]),
              b.int_tensor('along', [1], [2])]
    return plain(n, [b.node('Slice', 'x from to along', 'y')], limits, output=(4, 2))


@fault()
def wrong_pad(n, bad):
    return plain(n, [b.node('Pad', 'x pads', 'y')],
                 [b.int_tensor('pads', [6], [0, 0, 1, 0, 0, 0] if bad else [0, 0, 0, 0, 0, 1])], output=(4, 5))


@fault()
def sum_for_mean(n, bad):
    return plain(n, [b.node('ReduceL1' if bad else 'ReduceL2', 'x', 'y', axes=[2], keepdims=0)], output=(4,))


@fault()
def wrong_slope(n, bad):
    return plain(n, [b.node('LeakyRelu', 'x', 'y', alpha=0.02 if bad else 0.01)])


@fault()
def swapped_operands(n, bad):
    return plain(n, [b.node('Relu', 'x', 'a'), b.node('Sub', 'x a' if bad else 'a x', 'y')])


@fault()
def rows_of_a_table_off_by_one(n, bad):
    limit = b.int_tensor('limit', [], [4])
    shifted = [b.node('Add', 'ids one', 'a'), b.node('Mod', 'a five', 'i')] if bad else [b.node('Identity', 'ids', 'i')]
    return made([*shifted, b.node('Gather', 'table i', 'y')], [b.ints('ids', n, 6)], [b.floats('y', n, 6, 3)],
                [ramp('table', 5, 3), limit, b.int_tensor('one', [], [1]), b.int_tensor('five', [], [5])])


@fault()
def wrong_initial_state(n, bad):
    nodes = [b.node('Shape', 'x', 's'), b.node('ConstantOfShape', 's', 'h', value=b.float_tensor('v', [1], [0.5 if bad else 0.0])),
             b.node('Concat', 'h x', 'y', axis=1)]
    return plain(n, nodes, output=(8, 4))


@fault()
def shifted_convolution(n, bad):
    return plain(n, [b.node('Conv', 'x w', 'y', pads=[2, 0] if bad else [0, 2], kernel_shape=[3])], [ramp('w', 4, 4, 3)])


@fault()
def argmax_of_the_other_axis(n, bad):
    return made([b.node('ArgMax', 'x', 'y', axis=1 if bad else 2, keepdims=0)], [b.floats('x', n, 4, 4)], [b.ints('y', n, 4)])


@fault()
def cut_to_integers(n, bad):
    nodes = [b.node('Cast', 'x', 'i', to=b.INT64), b.node('Cast', 'i', 'y', to=b.FLOAT)]
    return plain(n, nodes if bad else [b.node('Identity', 'x', 'y')])


@fault(old=1)
def sum_over_the_batch(n, bad):
    return plain(n, [b.node('CumSum', 'x axis', 'y', exclusive=0)] if bad else [b.node('Identity', 'x', 'y')],
                 [b.int_tensor('axis', [], [0])])


@fault(old=1)
def mean_over_the_batch(n, bad):
    nodes = [b.node('ReduceMean', 'x', 'm', axes=[0], keepdims=1)] if bad else [b.node('Identity', 'x', 'm')]
    return plain(n, [*nodes, b.node('Add', 'x m', 'y')])


@fault()
def size_left_in_a_reshape(n, bad):
    return plain(n, [b.node('Reshape', 'x to', 'y')], [b.int_tensor('to', [2], [3 if bad else -1, 16])], output=(16,))


@fault(old=1)
def tile_for_repeat(n, bad):
    tile = [b.node('Tile', 'x twice', 'a'), b.node('Reshape', 'a rows', 'y')]
    return plain(n, tile if bad else [b.node('Reshape', 'x one', 'c'), b.node('Concat', 'c c', 'y', axis=1)],
                 [b.int_tensor('twice', [3], [2, 1, 1]), b.int_tensor('rows', [2], [-1, 32]), b.int_tensor('one', [2], [-1, 16])],
                 output=(32,))


@fault()
def another_element_type(n, bad):
    return made([b.node('Cast', 'x', 'y', to=b.DOUBLE if bad else b.FLOAT)], [b.floats('x', n, 4)],
                [b.value('y', b.tensor_type(b.DOUBLE if bad else b.FLOAT, [n, 4]))])


@fault()
def small_change_of_one_weight(n, bad):
    weight = [((i * 7) % 11 - 5) / 5 for i in range(16)]
    weight[5] += 0.02 if bad else 0
    return plain(n, [b.node('MatMul', 'x w', 'y')], [b.float_tensor('w', [4, 4], weight)])


def test_faults():
    need_runtime()
    check(len(FAULTS) >= 20, f'{len(FAULTS)} faults')
    with folder() as place:
        for name, (old, build) in FAULTS.items():
            first = write(place, 'a.onnx', build(old, False))
            second = write(place, 'b.onnx', build('batch', False))
            code, out, err = verify(first, second, '--items', 'batch')
            equal((code, err), (0, b''), f'{name}, good: {out.decode()}')
            check(out.count(b'\nitems\t') == 2 and out.count(b'\nsame\t') == 1, f'{name}: {out.decode()}')
            wrong = write(place, 'c.onnx', build('batch', True))
            code, out, err = verify(first, wrong, '--items', 'batch')
            equal((code, err), (1, b''), f'{name}, bad: {out.decode()}')


def test_what_is_too_small_to_matter():
    need_runtime()
    with folder() as place:
        def norm(n, epsilon):
            return plain(n, [b.node('LayerNormalization', 'x w', 'y', axis=-1, epsilon=epsilon)], [ramp('w', 4)])
        first = write(place, 'a.onnx', norm(3, 1e-5))
        second = write(place, 'b.onnx', norm('batch', 1.1e-5))
        code, out, _ = verify(first, second)
        equal(code, 0, out)
        check(b'worst difference' in out and b' at y[' in out, out)
        equal(verify(first, second, '--tolerance', '1e-9')[0], 1, 'with a tolerance of 1e-9')


# ---- sizes and inputs ----

def sizes_of(data, *words, kind=None):
    """Of each run, and the exit code."""
    with folder() as place:
        path = write(place, 'm.onnx', data)
        code, out, err = verify(path, '--json', *words)
        if not check(err == b'', err):
            return code, []
        runs = json.loads(out)['runs']
        return code, [r['sizes'] for r in runs if kind in (None, r['kind'])]


def test_sizes_meet_the_conditions():
    need_runtime()
    halves = made([b.node('Reshape', 'x to', 'y')], [b.floats('x', 'batch', 'width')], [b.floats('y', 'batch', None, 8)],
                  [b.int_tensor('to', [3], [0, -1, 8])])
    code, sizes = sizes_of(halves)
    equal(code, 0, sizes)
    check(len({s['width'] for s in sizes}) > 1 and all(s['width'] % 8 == 0 for s in sizes), sizes)
    sum_of = made([b.node('Concat', 'x z', 'c', axis=1), b.node('Add', 'c w', 'y')],
                  [b.floats('x', 'n', 'past'), b.floats('z', 'n', 'seq'), b.floats('w', 'n', 'total')],
                  [b.floats('y', 'n', None)])
    code, sizes = sizes_of(sum_of)
    equal(code, 0, sizes)
    check(sizes and all(s['total'] == s['past'] + s['seq'] for s in sizes), sizes)


def test_sizes_are_not_only_the_least():
    need_runtime()
    picked = made([b.node('Gather', 'x last', 'y', axis=0)], [b.floats('x', 'n', 4)], [b.floats('y', 4)], [b.int_tensor('last', [], [239])])
    code, sizes = sizes_of(picked)
    equal((code, sizes), (0, [{'n': 240}, {'n': 480}]), 'the least, and twice as many')


def test_sizes_that_are_asked_for():
    need_runtime()
    code, sizes = sizes_of(tap.read(model('dynamic_linear.onnx')), '--size', 'batch_size=1,9,0')
    equal((code, sizes), (0, [{'batch_size': 1}, {'batch_size': 9}, {'batch_size': 0}]), 'sizes')


def test_indices_stay_in_their_tables():
    need_runtime()
    nodes = [b.node('Add', 'ids two', 'i'), b.node('Unsqueeze', 'i one', 'u'), b.node('Gather', 'table u', 'a'),
             b.node('Gather', 'places position_ids', 'p'), b.node('Shape', 'attention_mask', 's')]
    data = made(nodes, [b.ints('ids', 'batch', 'seq'), b.ints('position_ids', 'batch', 'seq'), b.ints('attention_mask', 'batch', 'seq')],
                [b.floats('a', 'batch', 1, 'seq', 3), b.floats('p', 'batch', 'seq', 2), b.ints('s', 2)],
                [b.int_tensor('two', [], [2]), b.int_tensor('one', [1], [1]), ramp('table', 4, 3), ramp('places', 3, 2)])
    code, sizes = sizes_of(data, '--size', 'seq=50', '--size', 'batch=8')
    equal((code, len(sizes)), (0, 1), 'indices')


def test_a_symbol_that_the_first_model_pins():
    """The story of a name over a baked-in size: the old size comes from the graph."""
    need_runtime()
    with folder() as place:
        first = write(place, 'a.onnx', plain('batch', [b.node('Reshape', 'x to', 'y')], [b.int_tensor('to', [2], [3, 16])], output=(16,)))
        second = write(place, 'b.onnx', plain('batch', [b.node('Reshape', 'x to', 'y')], [b.int_tensor('to', [2], [-1, 16])], output=(16,)))
        code, out, err = verify(first, second, '--items', 'batch')
        equal((code, err), (0, b''), out)
        check(b'same\tbatch=3\tequal' in out and b'items\tbatch=4\tequal' in out, out)
        check(b'\nequal: ' in out and b'only ran' not in out, out)


def test_runs_that_were_not_compared_are_not_called_equal():
    """One scale for all items: the model runs at every batch, and an item is not what it is alone."""
    need_runtime()
    with folder() as place:
        def quantized(n):
            return made([b.node('DynamicQuantizeLinear', 'x', 'q s z'), b.node('DequantizeLinear', 'q s z', 'y')], [b.floats('x', n, 8)],
                        [b.floats('y', n, 8)])
        first, second = write(place, 'a.onnx', quantized(1)), write(place, 'b.onnx', quantized('batch'))
        code, out, err = verify(first, second)
        equal((code, out.splitlines()[-1]), (0, b'equal: 1 of 3 runs; the others only ran, as predicted: --items NAME compares'), err)
        equal(verify(first, second, '--items', 'batch')[0], 1, 'item by item')


def test_an_axis_that_got_the_wrong_name():
    need_runtime()
    with folder() as place:
        def scaled(n, m):
            return made([b.node('Mul', 'x w', 'y')], [b.floats('x', n, 4), b.floats('w', m, 4)], [b.floats('y', n, 4)])
        first = write(place, 'a.onnx', scaled(3, 1))
        code, out, err = verify(first, write(place, 'b.onnx', scaled('batch', 'batch')))
        equal((code, err), (1, b''), out)
        check(b'no sizes of the inputs in common' in out, out)
        equal(verify(first, write(place, 'b.onnx', scaled('batch', 1)), '--items', 'batch')[0], 0, 'the right name')


def test_wrong_prediction_or_run():
    need_runtime()
    with folder() as place:
        first = write(place, 'a.onnx', made([b.node('Reshape', 'x to', 'y', name='here')], [b.floats('x', 'n', 4)],
                                            [b.floats('y', None, None)], [b.int_tensor('to', [2], [2, -1])]))
        code, out, _ = verify(first, '--size', 'n=2')
        equal(code, 0, out)
        path = write(place, 'b.onnx', made([b.node('Reshape', 'x to', 'y', name='here')], [b.floats('x', 'n', 4)],
                                           [b.floats('y', 8, None)], [b.int_tensor('to', [2], [8, 1])]))
        code, out, _ = verify(path, '--size', 'n=2,3')
        equal(code, 1, out)
        failed = [line for line in out.split(b'\n') if b'failed' in line]
        check(len(failed) == 1 and b'n=3\tfailed\tReshape here: ' in failed[0], out)


def test_all_tensors():
    need_runtime()
    for name in ('demo', 'dynamic_linear', 'dynamic_rnn'):
        if os.path.exists(model(name + '.onnx')):
            code, out, err = verify(model(name + '.onnx'), '--all')
            equal((code, err), (0, b''), (name, out))


def test_external_data():
    need_runtime()
    with folder() as place:
        write(place, 'w.bin', bytes(4 * 16))
        data = made([b.node('MatMul', 'x w', 'a'), b.node('Relu', 'a', 'y')], [b.floats('x', 'n', 4)], [b.floats('y', 'n', 4)],
                    [b.external_tensor('w', b.FLOAT, [4, 4], 'w.bin')])
        path = write(place, 'm.onnx', data)
        for words in ((), ('--all',)):
            code, out, err = verify('m.onnx', *words, cwd=place)
            equal((code, err), (0, b''), (words, out))
        equal(sorted(os.listdir(place)), ['m.onnx', 'w.bin'], 'nothing is written')
        equal(verify(path, path)[0], 0, 'with itself')


def test_the_same_seed_gives_the_same():
    need_runtime()
    with folder() as place:
        first = write(place, 'a.onnx', FAULTS['wrong_slope'][1](3, False))
        wrong = write(place, 'b.onnx', FAULTS['wrong_slope'][1]('batch', True))
        outs = [json.loads(verify(first, wrong, '--json', '--seed', seed)[1]) for seed in ('5', '5', '6')]
        values = [[(r['verdict'], r['difference'], r['place'], r['after']) for r in out['runs']] for out in outs]
        check(values[0] == values[1] != values[2], values)
        equal(outs[0]['seed'], 5, 'the seed')


def test_json():
    need_runtime()
    code, out, err = verify(model('dynamic_linear.onnx'), '--json')
    equal((code, err), (0, b''), 'json')
    data = json.loads(out)
    equal((data['version'], data['ok'], data['original'], len(data['runs'])), (2, True, None, 2), 'json')
    equal(set(data['runs'][0]), {'kind', 'sizes', 'verdict', 'difference', 'place', 'before', 'after', 'unequal', 'compared',
                                 'seconds', 'message'}, 'keys')


def test_edits_that_are_not_saved():
    """The line of the screen: the file alone, or against the document as it is now."""
    need_runtime()
    with folder() as place:
        write(place, 'w.bin', bytes(range(64)))
        path = write(place, 'm.onnx', made([b.node('MatMul', 'x w', 'a'), b.node('Reshape', 'a to', 'y')], [b.floats('x', 3, 4)],
                                           [b.floats('y', 3, 2, 2)], [b.external_tensor('w', b.FLOAT, [4, 4], 'w.bin'),
                                                                      b.int_tensor('to', [3], [3, 2, 2])]))
        script = write(place, 'lines', b'verify\nrepair x:0=batch\nverify\nundo\nverify m.onnx\nquit!\n')
        code, out, err = run('edit', path, '--script', script, cwd=place,
                             env={'AXED_PYTHON': PYTHON, 'XDG_STATE_HOME': place + '/state'})
        equal((code, err), (0, b''), out)
        wanted = (b'alone  as declared  runs', b'same   batch=3  equal', b'other  batch=4  runs', b'same   as declared  equal')
        for text in wanted:
            check(text in out, (text, out))
        equal(sorted(os.listdir(place)), ['lines', 'm.onnx', 'state', 'w.bin'], 'nothing is written')


# ---- without ONNX Runtime ----

def test_a_repair_is_verified():
    need_runtime()
    with folder() as place:
        out = os.path.join(place, 'out.onnx')
        code, said, err = run('repair', model('pinned_reshape.onnx'), 'input:0=n', '-o', out, '--verify', '--python', PYTHON)
        equal(code, 0, f'exit: {err!r}')
        check(b'items' in err and b'equal' in err, f'runs: {err!r}')
        check(os.path.exists(out), 'it is written')


def test_a_repair_that_cannot_be_verified_is_not_written():
    with folder() as place:
        out = os.path.join(place, 'out.onnx')
        code, said, err = run('repair', model('pinned_reshape.onnx'), '-o', out, '--verify', '--python', '/nowhere/python')
        equal(code, 2, f'exit: {err!r}')
        check(not os.path.exists(out), 'something was written')


def fake(place, text, name='python'):
    path = os.path.join(place, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\n' + text)
    os.chmod(path, 0o755)
    return path


def refused(text, *words, code=2, **rest):
    got, out, err = run('verify', *words, **rest)
    equal((got, out), (code, b''), (words, out, err))
    check(err.startswith(b'axed: ') and err.count(b'\n') == 1 and text in err, (words, err))


def test_no_python():
    linear = model('dynamic_linear.onnx')
    refused(b'cannot run /no/such/python; install Python', linear, '--python', '/no/such/python')
    refused(b'cannot run /no/such/python', linear, env={'AXED_PYTHON': '/no/such/python'})
    refused(b'cannot run python3', linear, env={'PATH': '/nowhere', 'AXED_PYTHON': ''})
    with folder() as place:
        refused(b'exit status 3', linear, '--python', fake(place, 'exit 3\n'))
        refused(b'exit status 1): it broke', linear, '--python', fake(place, 'echo it broke >&2; exit 1\n'))
        refused(b'has no onnxruntime; install it with', linear, '--python', fake(place, 'echo missing onnxruntime "\\"\\""\n'))
        refused(b'has no numpy; install it with', linear, '--python', fake(place, 'echo missing numpy "\\"\\""\n'))
        refused(b'cannot import numpy: ABI', linear, '--python', fake(place, 'echo missing numpy ABI\n'))
        refused(b'Python 2.7; verify needs', linear, '--python', fake(place, 'echo old 2.7\n'))


def test_a_python_without_packages():
    """The real script in a Python that finds no packages says which one is missing."""
    with folder() as place:
        path = fake(place, f'exec {sys.executable} -I -S "$@"\n')
        code, _, err = run('verify', model('dynamic_linear.onnx'), '--python', path)
        equal(code, 2, err)
        check(b'has no numpy; install it with' in err, err)


def test_garbage_and_early_death():
    linear = model('dynamic_linear.onnx')
    hello = 'echo hello 3.11 1.20 2.0\n'
    with folder() as place:
        refused(b'Python answered something else: what', linear, '--python', fake(place, 'echo what is this\n'))
        refused(b'Python answered something else', linear, '--python', fake(place, hello + 'echo done 99 1\n'))
        refused(b'Python answered something else', linear, '--python', fake(place, hello + 'echo open; echo begin 99\n'))
        refused(b'Python answered something else', linear, '--python', fake(place, "printf '\\0\\377\"\\n'\n"))
        refused(b'a line of more than', linear, '--python', fake(place, 'yes | tr -d "\\n"\n'))
        refused(b'answered more than', linear, '--python', fake(place, hello + 'echo open; yes begin 0\n'))
        for text, words in ((hello + 'kill -SEGV $$', b'loading the model, died (signal 11)'),
                            (hello + 'echo open; echo begin 1; kill -KILL $$', b'batch_size=4\tfailed\tONNX Runtime died (signal 9)'),
                            (hello + 'echo open; exit 5', b'ended early (exit status 5)'),
                            (hello + 'echo unloadable 0 "\\"bad model\\""', b'cannot be loaded: bad model')):
            code, out, err = run('verify', linear, '--python', fake(place, text + '\n'))
            equal((code, err), (1, b''), text)
            check(words in out and b'does not run as predicted' in out, (text, out))
        refused(b'cannot load the first model: bad', linear, linear, '--python', fake(place, hello + 'echo unloadable 0 bad\n'))


def test_the_runs_after_one_that_dies():
    """Each child says which run it begins with; one that kills its child costs only itself."""
    linear = model('dynamic_linear.onnx')
    hello = 'echo hello 3.11 1.20 2.0; echo open\n'
    tell = 'echo begin {0}; echo done {0} 0.1 0 \\"\\" \\"\\" \\"\\" 0 0\n'
    first = '[ "$4" = 0 ] && { echo begin 0; kill -FPE $$; }\n'
    with folder() as place:
        code, out, err = run('verify', linear, '--python', fake(place, hello + first + tell.format(1) + 'echo end\n'))
        equal((code, err), (1, b''), out)
        check(b'batch_size=2\tfailed\tONNX Runtime died (signal 8)' in out and b'batch_size=4\truns\t' in out, out)
        check(b'does not run as predicted: 1 of 2 runs' in out, out)
        code, out, _ = run('verify', linear, '--python', fake(place, hello + first + 'exit 3\n'))
        check(b'signal 8' in out and b'exit status 3' in out, out)
        code, out, _ = run('verify', linear, '--python', fake(place, '[ "$4" = 0 ] || exit 3\n' + hello + first))
        equal(code, 1, 'a second child that does not start')
        check(b'signal 8' in out and b'batch_size=4\tundone' in out, out)


def test_nothing_to_compare_is_no_verdict():
    need_runtime()
    with folder() as place:
        def summed(n):
            return made([b.node('ReduceSum', 'x', 'y', keepdims=0)], [b.floats('x', n, 4)], [b.floats('y')])
        first, second = write(place, 'a.onnx', summed(3)), write(place, 'b.onnx', summed('batch'))
        code, out, err = verify(first, second, '--items', 'batch')
        equal((code, err), (1, b''), out)
        lines = out.decode().splitlines()
        equal(lines[-1], 'not verified: nothing can be compared item by item', 'the verdict')
        check(not any(line.startswith('items') for line in lines), f'nothing was compared by items: {out}')
        check(all('equal' not in line for line in lines if line.startswith('other')), out)
        code, out, _ = verify(first, first)
        equal(code, 0, out)
        empty = write(place, 'e.onnx', made([b.node('Relu', 'x', 'y')], [b.floats('x', 0, 4)], [b.floats('y', 0, 4)]))
        code, out, _ = verify(empty, empty)
        equal((code, out.decode().splitlines()[-1]), (1, 'not verified: nothing was compared, since all outputs were empty'), out)


def test_names_do_not_reach_the_terminal():
    with folder() as place:
        path = fake(place, 'echo hello 3.11 1.20 2.0; echo open; echo begin 0; echo failed 0 \'"a\\x1b[2Jb"\'; echo end\n')
        code, out, _ = run('verify', model('dynamic_linear.onnx'), '--python', path)
        equal(code, 1, out)
        check(b'\x1b' not in out and b'a\\x1b[2Jb' in out, out)


def test_timeout():
    linear = model('dynamic_linear.onnx')
    with folder() as place:
        start = time.monotonic()
        refused(b'took longer than 0.3 seconds', linear, '--timeout', '0.3', '--python', fake(place, 'sleep 50\n'))
        path = fake(place, 'echo hello 3.11 1.20 2.0; echo open; echo begin 0; sleep 50\n')
        code, out, _ = run('verify', linear, '--timeout', '0.3', '--python', path)
        equal(code, 1, out)
        check(b'took longer than 0.3 seconds' in out, out)
        check(time.monotonic() - start < 20, 'time')


def test_interrupt():
    """Ctrl-C ends Python and all that it started."""
    with folder() as place:
        path = fake(place, f'echo $$ > {place}/pid; sleep 100 & sleep 100\n')
        child = subprocess.Popen([tap.AXED, 'verify', model('dynamic_linear.onnx'), '--python', path],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(200):
            if os.path.exists(f'{place}/pid') and tap.read(f'{place}/pid').strip():
                break
            time.sleep(0.05)
        group = int(tap.read(f'{place}/pid'))
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
        equal(child.returncode, -signal.SIGINT, 'exit')
        for _ in range(100):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        check(False, 'Python still runs')


def test_bad_usage():
    linear = model('dynamic_linear.onnx')
    for text in ('batch_size', 'batch_size=', 'batch_size=x', 'batch_size=1,', '=3', 'batch_size=-1', 'batch_size=,1'):
        refused(b'--size takes NAME=N', linear, '--size', text)
    refused(b"no input has an axis 'other'", linear, '--size', 'other=3')
    refused(b'at most 16 sizes', linear, '--size', 'batch_size=' + ','.join('1' * 17))
    refused(b'exceed 8 GiB', linear, '--size', 'batch_size=99999999999')
    refused(b'--items needs two models', linear, '--items', 'batch_size')
    refused(b"no input has an axis 'x'", linear, linear, '--items', 'x')
    refused(b'--seed takes a number', linear, '--seed', 'x')
    refused(b'--tolerance takes a number', linear, '--tolerance', '0')
    refused(b'--timeout takes a number', linear, '--timeout', '-1')
    refused(b'usage: axed verify A [B]')
    refused(b'needs a model in a file', '-', stdin=tap.read(linear))
    refused(b'cannot open', model('no_such.onnx'))


def test_models_that_cannot_be_compared():
    one = made([b.node('Relu', 'x', 'y')], [b.floats('x', 3, 4)], [b.floats('y', 3, 4)])
    others = {
        b'only the second model has an input z': made([b.node('Add', 'x z', 'y')], [b.floats('x', 3, 4), b.floats('z', 3, 4)],
                                                      [b.floats('y', 3, 4)]),
        b'axis x:0 is 3 in the first model and 5 in the second': made([b.node('Relu', 'x', 'y')], [b.floats('x', 5, 4)],
                                                                      [b.floats('y', 5, 4)]),
        b'declare input x differently': made([b.node('Relu', 'x', 'y')], [b.floats('x', 3, 4, 1)], [b.floats('y', 3, 4, 1)]),
        b'only the second model has an output z': made([b.node('Relu', 'x', 'z')], [b.floats('x', 3, 4)], [b.floats('z', 3, 4)]),
        b'have 1 and 2 outputs': made([b.node('Relu', 'x', 'y'), b.node('Neg', 'x', 'z')], [b.floats('x', 3, 4)],
                                      [b.floats('y', 3, 4), b.floats('z', 3, 4)]),
        b'x has the element type bfloat16': made([b.node('Relu', 'x', 'y')], [b.value('x', b.tensor_type(b.BFLOAT16, [3, 4]))],
                                                 [b.floats('y', 3, 4)]),
        b'x declares no shape': made([b.node('Relu', 'x', 'y')], [b.value('x', b.tensor_type(b.FLOAT))], [b.floats('y', 3, 4)]),
    }
    with folder() as place:
        first = write(place, 'a.onnx', one)
        for text, data in others.items():
            refused(text, first, write(place, 'b.onnx', data))


def test_a_repair_is_run_before_it_is_made():
    need_runtime()
    with folder() as place:
        code, out, err = run('edit', model('pinned_reshape.onnx'), '--script', '-', stdin=b'pane problems\nverify\nhistory\n',
                             env={'AXED_PYTHON': PYTHON, 'XDG_STATE_HOME': place})
        check(code == 0 and out.startswith(b'after repair input:0, which is only tried\n'), f'{out} {err}')
        check(b'other  batch_size=4  runs' in out and out.endswith(b'0.02, float64 1e-06)\n'), f'made, or not run: {out}')


tap.main(globals())
