"""Tests the judge of repairs on manual repairs: four correct ones, and one mistake of each kind.

Needs onnx and numpy; $AXED_JUDGE is a Python with them, if this one lacks them.
"""

import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import judges
import tap

judges.need()
import judge
import numpy as np
import onnx
from onnx import helper, numpy_helper

ZOO = os.path.join(HERE, 'zoo')
with open(os.path.join(HERE, 'zoo.json'), encoding='utf-8') as zoo:
    CASES = {c['name']: c for c in json.load(zoo)}


def load(name):
    return onnx.load(os.path.join(ZOO, name + '.onnx'))


def declare(model, **dims):
    """The declared inputs and outputs, e.g. x={0: 'batch'}."""
    for value in [*model.graph.input, *model.graph.output]:
        for axis, name in dims.get(value.name, {}).items():
            value.type.tensor_type.shape.dim[axis].dim_param = name


def constant(model, name, numbers, dtype=np.int64):
    model.graph.initializer.append(numpy_helper.from_array(np.array(numbers, dtype), name))


def replace(model, name, array):
    tensor = next(i for i in model.graph.initializer if i.name == name)
    tensor.CopyFrom(numpy_helper.from_array(np.asarray(array), name))


def held(model, name):
    return numpy_helper.to_array(next(i for i in model.graph.initializer if i.name == name))


def node(model, name):
    return next(n for n in model.graph.node if n.name == name)


def before(model, name, *nodes):
    at = [n.name for n in model.graph.node].index(name)
    for n in reversed(nodes):
        model.graph.node.insert(at, n)


def reshape_zero(shape=(0, 24), declared=True):
    m = load('reshape_zero')
    replace(m, 'shape', np.array(shape, np.int64))
    if declared:
        declare(m, y={0: 'batch'})
    return m


def lstm_zero(both=True):
    m = load('lstm_zero')
    n = node(m, 'cell')
    n.input[5] = ''
    if both:
        n.input[6] = ''
    kept = [i for i in m.graph.initializer if i.name in n.input]
    del m.graph.initializer[:]
    m.graph.initializer.extend(kept)
    declare(m, y={1: 'batch'})
    return m


def position_table(from_the_end=False):
    m = load('position_table')
    constant(m, 'zero', [0])
    constant(m, 'one', [1])
    constant(m, 'five', [5])
    added = [helper.make_node('Shape', ['x'], ['shape']), helper.make_node('Gather', ['shape', 'one'], ['seq'])]
    if from_the_end:
        added += [helper.make_node('Sub', ['five', 'seq'], ['start']),
                  helper.make_node('Slice', ['positions', 'start', 'five', 'one'], ['sliced'])]
    else:
        added += [helper.make_node('Slice', ['positions', 'zero', 'seq', 'one'], ['sliced'])]
    before(m, 'add', *added)
    node(m, 'add').input[1] = 'sliced'
    declare(m, x={1: 'seq'}, y={1: 'seq'})
    return m


def token_rows(scale=1):
    m = load('token_rows')
    replace(m, 'token', held(m, 'token')[:1] * np.float32(scale))
    constant(m, 'zero', [0])
    constant(m, 'rest', [1, 6])
    before(m, 'concat', helper.make_node('Shape', ['x'], ['shape']),
           helper.make_node('Gather', ['shape', 'zero'], ['batch']),
           helper.make_node('Concat', ['batch', 'rest'], ['target'], axis=0),
           helper.make_node('Expand', ['token', 'target'], ['tokens']))
    node(m, 'concat').input[0] = 'tokens'
    declare(m, x={0: 'batch'}, y={0: 'batch'})
    return m


def other_opset():
    m = reshape_zero()
    m.opset_import[0].version = 18
    return m


def other_interface():
    m = reshape_zero()
    m.graph.output[0].name = m.graph.node[-1].output[0] = 'z'
    return m


def invalid():
    m = reshape_zero()
    node(m, 'reshape').input[1] = 'nowhere'
    return m


def problems(name, model):
    with tempfile.TemporaryDirectory(prefix='axed-test-') as folder:
        path = os.path.join(folder, 'result.onnx')
        onnx.save(model, path)
        return judge.judge({**CASES[name], 'original': f'{ZOO}/{name}.onnx', 'truth': f'{ZOO}/{name}.truth.onnx',
                            'result': path})


def right(name, model):
    return lambda: tap.equal(problems(name, model()), [], 'problems')


def wrong(name, model, why):
    def test():
        found = problems(name, model())
        tap.check(any(why in p for p in found), f'{why!r} is not among {found}')
    return test


def test_every_twin_is_right():
    for name, case in CASES.items():
        if case['truth'] == f'{name}.truth':
            twin = load(case['truth'])
            tap.equal(problems(name, twin), [], name)


def test_every_export_is_like_its_twin():
    for name, case in CASES.items():
        if case['pattern'] == 'exported by torch':
            model, twin = (judge.Model(f'{ZOO}/{case[which]}.onnx') for which in ('model', 'truth'))
            fed = judge.feeds(twin.inputs, case['old'], case.get('below', {}), 1)
            got, want = model.run(fed), twin.run(fed)
            tap.equal(judge.differ(['y'], got, want, case['within']), None, name)
            # Equal rows would hide a mistake.
            tap.check(len(want[0]) == 1 or want[0].std(0).max() > 1000 * case['within'], f'{name}: all rows alike')


def test_no_pinned_model_is_right():
    for name, case in CASES.items():
        if case['ends'] == 'repaired':
            job = {**case, 'original': f'{ZOO}/{case["model"]}.onnx', 'truth': f'{ZOO}/{case["truth"]}.onnx'}
            tap.check(judge.judge({**job, 'result': job['original']}), f'{name} needs no repair')


tap.main({
    'test_every_twin_is_right': test_every_twin_is_right,
    'test_every_export_is_like_its_twin': test_every_export_is_like_its_twin,
    'test_no_pinned_model_is_right': test_no_pinned_model_is_right,
    'test_zero_in_a_reshape': right('reshape_zero', reshape_zero),
    'test_states_dropped': right('lstm_zero', lstm_zero),
    'test_table_sliced': right('position_table', position_table),
    'test_token_expanded': right('token_rows', token_rows),
    'test_stale_output': wrong('reshape_zero', lambda: reshape_zero(declared=False), 'is declared 3 and is 2'),
    'test_still_pinned': wrong('reshape_zero', lambda: reshape_zero((3, -1)), 'does not run'),
    'test_other_rank': wrong('reshape_zero', lambda: reshape_zero((1, 0, 24)), 'does not run'),
    'test_one_state_forgotten': wrong('lstm_zero', lambda: lstm_zero(both=False), 'does not run'),
    'test_table_sliced_at_the_wrong_end': wrong('position_table', lambda: position_table(True), 'has other numbers'),
    'test_other_token': wrong('token_rows', lambda: token_rows(1.001), 'has other numbers'),
    'test_other_opset': wrong('reshape_zero', other_opset, 'another opset_import'),
    'test_other_interface': wrong('reshape_zero', other_interface, 'another interface'),
    'test_invalid': wrong('reshape_zero', invalid, 'not accepted'),
})
