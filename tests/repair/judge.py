"""Checks repaired models: jobs as JSON lines in, one JSON line with the problems of each out.

    judge.py < JOBS

A job has `original`, `result` and `truth` (paths), the baked-in sizes `old` and other `sizes`, a tolerance (`within`),
and the end of the range of integer inputs (`below`).  The result must be a valid model with the interface of the
original, and compute the same as the original at the old sizes and the same as the truth at all sizes.  The judge also
checks edited models: there `truth` is the original.
"""

import functools
import json
import sys

import numpy as np
import onnx
import onnxruntime


def session(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # The order of operations changes the rounding.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(path, options, providers=['CPUExecutionProvider'])


class Model:
    def __init__(self, path):
        self.path = path
        self.proto = onnx.load(path, load_external_data=False)
        held = {i.name for i in self.proto.graph.initializer}
        self.inputs = [x for x in self.proto.graph.input if x.name not in held]
        self.outputs = list(self.proto.graph.output)
        try:
            self.session = session(path)
        except Exception as error:
            if 'load external data into raw data' not in str(error):
                raise
            # The runtime's inference needs shape constants, and does not read them from external files.
            self.session = session(onnx.load(path).SerializeToString())

    def run(self, feeds):
        """The outputs, or why there are none."""
        try:
            return self.session.run(None, feeds)
        except Exception as error:
            return str(error).splitlines()[0][:300]

    def interface(self):
        return [[(v.name, v.type.tensor_type.elem_type, len(v.type.tensor_type.shape.dim)) for v in values]
                for values in (self.inputs, self.outputs)]


@functools.lru_cache(maxsize=2)
def known(path):
    """A model that many jobs compare with."""
    return Model(path)


def dims(value):
    return [d.dim_value if d.HasField('dim_value') else d.dim_param or None for d in value.type.tensor_type.shape.dim]


def feeds(inputs, bind, below, seed):
    r = np.random.RandomState(seed)
    out = {}
    for x in inputs:
        sizes = [d if isinstance(d, int) else bind[d] for d in dims(x)]
        kind = onnx.helper.tensor_dtype_to_np_dtype(x.type.tensor_type.elem_type)
        if kind == np.bool_ or np.issubdtype(kind, np.integer):
            out[x.name] = np.asarray(r.randint(0, below.get(x.name, 2), sizes)).astype(kind)
        else:
            out[x.name] = np.asarray(r.uniform(-1, 1, sizes)).astype(kind)
    return out


def differ(names, got, want, within):
    for name, a, b in zip(names, got, want):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f'{name} is {a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}'
        same = np.allclose(a, b, rtol=within, atol=within) if within else np.array_equal(a, b)
        if not same:
            return f'{name} has other numbers, off by up to {np.abs(a.astype(float) - b.astype(float)).max():.3g}'
    return None


def undeclared(model, fed, got):
    """Whether the declared inputs and outputs hold in this run."""
    bound = {}
    for x in model.inputs + model.outputs:
        value = fed[x.name] if x.name in fed else got[[o.name for o in model.outputs].index(x.name)]
        for axis, (said, size) in enumerate(zip(dims(x), value.shape)):
            if isinstance(said, str):
                said = bound.setdefault(said, size)
            if said is not None and said != size:
                return f'{x.name}:{axis} is declared {said} and is {size}'
    return None


def judge(job):
    problems = []
    below, within = job.get('below', {}), job.get('within', 0)
    original, truth = known(job['original']), known(job['truth'])
    try:
        onnx.checker.check_model(job['result'])
        result = Model(job['result'])
    except Exception as error:
        return [f'not accepted: {str(error)[:500]}']
    if result.interface() != original.interface():
        problems.append(f'another interface: {result.interface()}, was {original.interface()}')
    for name in ('ir_version', 'producer_name', 'opset_import'):
        if str(getattr(result.proto, name)) != str(getattr(original.proto, name)):
            problems.append(f'another {name}')
    if problems:
        return problems
    for key, sizes in job.get('dims', {}).items():
        name, axis = key.rsplit(':', 1)
        said = next(dims(x) for x in result.inputs + result.outputs if x.name == name)[int(axis)]
        if said != sizes:
            problems.append(f'{key} is declared {said!r}, expected {sizes!r}')
    names = [o.name for o in result.outputs]
    for number, bind in enumerate([job['old'], *job['sizes']]):
        other = original if number == 0 else truth
        fed = feeds(truth.inputs, bind, below, number)
        want, got = other.run(fed), result.run(fed)
        where = f'at {bind}'
        if isinstance(want, str):
            problems.append(f'{where}: the other model does not run: {want}')
        elif isinstance(got, str):
            problems.append(f'{where}: does not run: {got}')
        elif not all(np.isfinite(v).all() and (v.size < 2 or v.min() != v.max()) for v in want if v.dtype.kind == 'f'):
            problems.append(f'{where}: the other model gives nothing to compare with')
        elif wrong := differ(names, got, want, within) or undeclared(result, fed, got):
            problems.append(f'{where}: {wrong}')
    return problems


def main():
    for line in sys.stdin:
        job = json.loads(line)
        try:
            problems = judge(job)
        except Exception as error:
            problems = [f'{type(error).__name__}: {str(error)[:500]}']
        print(json.dumps({'name': job['name'], 'problems': problems}), flush=True)


if __name__ == '__main__':
    main()
