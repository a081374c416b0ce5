"""Axes that `axed axes` calls free run at other sizes in ONNX Runtime, each on its own.

    test_verdicts.py [MODEL...]

Default: all of tests/models and tests/repair/zoo, and the operator models next to the repository, if present.  The
program is $AXED; $AXED_JUDGE is a Python with onnx and onnxruntime, if this one lacks them.
"""

import collections
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import judges
import tap

judges.need()
import numpy as np
import onnx
import onnxruntime

# The runtime accepts less than the specification, or the sizes are valid but the contents are not.
NARROW = {
    'Resize': 'few modes in few ranks',
    'QLinearMatMul': 'scales of one element only',
    'MatMulInteger': 'zero points of one element only',
    'DFT': 'real or complex: 1 or 2',
    'DeformConv': 'offsets are counted by groups and kernel',
    'NonMaxSuppression': 'a threshold of 0',
    'TensorScatter': 'the cache must hold the update',
}
# Their targets come from data that the test cannot choose.
DATA = {'reshape_data.onnx', 'expand_if.onnx'}




def session(model):
    """Without declared sizes: only the operators' requirements count."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    held = {i.name for i in model.graph.initializer}
    del model.graph.value_info[:]
    for v in model.graph.input:
        for d in v.type.tensor_type.shape.dim if v.name not in held else ():
            d.Clear()
    for v in model.graph.output:
        v.type.tensor_type.ClearField('shape')
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])


def feed(value, sizes):
    kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
    if kind == object:
        return np.full(sizes, 'a', object)
    if kind == np.bool_:
        return np.ones(sizes, kind)
    if np.issubdtype(kind, np.integer):
        return np.zeros(sizes, kind)
    return np.random.RandomState(0).uniform(-1, 1, sizes).astype(kind)


class Case:
    def __init__(self, path):
        self.path = path
        self.model = onnx.load(path)
        held = {i.name for i in self.model.graph.initializer}
        self.inputs = [v for v in self.model.graph.input if v.name not in held]
        self.session = session(self.model)

    def runs(self, sizes):
        try:
            self.session.run(None, {v.name: feed(v, sizes[v.name]) for v in self.inputs})
            return True
        except Exception:
            return False

    def start(self, binds):
        """Sizes at which it runs, or None."""
        for bind in binds:
            sizes = {v.name: [d.dim_value if d.HasField('dim_value') else bind.get(d.dim_param, bind.get(None, 2))
                              for d in v.type.tensor_type.shape.dim] for v in self.inputs}
            if self.runs(sizes):
                return sizes
        return None


def opened(path):
    """None if there is nothing to test."""
    try:
        case = Case(path)
    except Exception:
        return None
    tensors = all(v.type.WhichOneof('value') == 'tensor_type' for v in case.inputs)
    return case if case.inputs and tensors else None


def verdicts(path):
    done = subprocess.run([tap.AXED, 'axes', '--json', path], capture_output=True)
    return json.loads(done.stdout)['axes'] if done.returncode == 0 else []


def others(size):
    return sorted({size + 1, 2 * size + 3})


counts = collections.Counter()


def judge(path, binds):
    case = opened(path)
    start = case and case.start(binds)
    if not start:
        counts['models that do not run'] += 1
        return
    counts['models'] += 1
    narrow = {n.op_type for n in case.model.graph.node} & NARROW.keys() or os.path.basename(path) in DATA
    for axis in verdicts(path):
        name, number = axis['input'], axis['axis']
        for size in others(start[name][number]):
            sizes = {**start, name: [size if i == number else s for i, s in enumerate(start[name])]}
            ran = case.runs(sizes)
            counts[axis['verdict'] + (', with needs' if axis['bounds'] else '') + (': runs' if ran else ': fails')] += 1
            if axis['verdict'] == 'free' and not axis['bounds'] and not narrow:
                tap.check(ran, f'{path}: {name}:{number} is called free, and does not run with {size}')


def test_small_models():
    for path in sorted(glob.glob(os.path.join(tap.MODELS, '*.onnx')) +
                       glob.glob(os.path.join(tap.TOP, 'tests', 'repair', 'zoo', '*.onnx'))):
        judge(path, [{None: n} for n in (3, 2, 4, 5, 8, 1, 16)])


def test_operators():
    with open(tap.shared('conformance', 'runtime', 'expected.json'), encoding='utf-8') as file:
        cases = json.load(file)
    for name, case in cases.items():
        judge(tap.shared('conformance', 'runtime', name + '.onnx'), [case['bind']])


def test_enough_was_tried():
    print('# ' + ', '.join(f'{n} {what}' for what, n in sorted(counts.items())))
    tap.check(counts['models'] > 100 and counts['free: runs'] > 300, 'models and free axes')


if len(sys.argv) > 1:
    for given in sys.argv[1:]:
        judge(given, [{None: n} for n in (3, 2, 4, 5, 8, 1, 16)])
    print(dict(counts), *tap.failures, sep='\n')
else:
    tap.main(globals())
