"""Runs models with onnxruntime, runs onnx's inference, and compares the program with both."""

import contextlib
import os
import random

import numpy as np
import onnx
from onnx import helper

import compare
from argued import argued
from build import fill, session, size_of, terms

SIZES = (0, 1, 1, 2, 3, 5, 7, 11)


class Judged:
    """One graph's result."""

    def __init__(self):
        self.runs = []  # (bind, truth) of each binding that runs
        self.tried = self.dims = self.missed = 0
        self.wrong = None  # (tensor, operator, problem, bind)
        self.error = None  # an error that `axed check` reports although the model runs
        self.agreed_error = False  # ... and onnx reports one as well
        self.other = []  # integers where onnx disagrees with the program, which the run confirms
        self.missed_ops = {}  # operator -> the first dim it left unknown
        self.broken = None

    def trouble(self):
        """The kind of failure and the operator: failures of the same kind count once."""
        if self.broken:
            return 'broken', ''
        if self.wrong:
            return 'wrong', self.wrong[1]
        if self.error and not self.agreed_error:
            return 'error', self.error['op']
        return None


def name_of(dtype):
    return {'str': 'string', 'object': 'string'}.get(str(dtype), str(dtype))


def describe(value):
    if isinstance(value, np.ndarray):
        return {'elem': name_of(value.dtype), 'shape': list(value.shape)}
    if isinstance(value, list) and all(isinstance(v, np.ndarray) for v in value):
        return {'elem': name_of(value[0].dtype) if value else None, 'shapes': [list(v.shape) for v in value]}
    if np.isscalar(value):
        return {'elem': name_of(np.asarray(value).dtype), 'shape': []}
    return None


def feeds(model, fills, bind):
    out = {}
    for number, x in enumerate(model.graph.input):
        dims = [size_of(d, bind) for d in dims_of(x)]
        out[x.name] = fill(fills[x.name], dims, number + sum(dims))
    return out


def dims_of(x):
    return [d.dim_value if d.HasField('dim_value') else d.dim_param or f'{x.name}:{axis}'
            for axis, d in enumerate(x.type.tensor_type.shape.dim)]


def symbols(model):
    return sorted({s for x in model.graph.input for d in dims_of(x) for s in terms(d)})


def bindings(first, seed, least=0, count=6):
    """The first binding, one with other sizes, and some where a single symbol changes."""
    r = random.Random(seed)
    out = [dict(first)]
    if first:
        out.append({s: r.choice(SIZES) for s in first})
    while first and len(out) < count:
        one = r.choice(sorted(first))
        out.append({**first, one: r.choice((0, 1, 1, 2, 3, 5, 11))})
    out = [{s: max(n, least) for s, n in b.items()} for b in out]
    return [b for i, b in enumerate(out) if b not in out[:i]]


def truths(model, fills, binds):
    """The true type and shape of each tensor, at each binding that runs."""
    with quiet():
        s = session(model)
        names = [o.name for o in model.graph.output]
        constants = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
        for bind in binds:
            fed = feeds(model, fills, bind)
            try:
                values = s.run(None, fed)
            except Exception:
                continue
            true = {n: d for n, v in zip(names, values) if (d := describe(v))}
            known = {**constants, **fed, **dict(zip(names, values))}
            if not argued(model, known, helper.get_attribute_value):
                yield bind, true


@contextlib.contextmanager
def quiet():
    keep, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(keep, 2)
        os.close(keep)
        os.close(null)


def operator(model, tensor):
    for node in model.graph.node:
        if tensor in node.output:
            return (node.domain + '::' if node.domain else '') + node.op_type
    return 'input'


def inferred(model):
    """The result of onnx's inference; {} if it fails."""
    try:
        with quiet():
            graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    except Exception:
        return {}
    out = {}
    for v in list(graph.value_info) + list(graph.output):
        if v.type.HasField('tensor_type') and v.type.tensor_type.HasField('shape'):
            out[v.name] = [d.dim_value if d.HasField('dim_value') else None for d in v.type.tensor_type.shape.dim]
    return out


def refused(model):
    """Whether onnx in strict mode rejects the model too."""
    try:
        with quiet():
            onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        return False
    except Exception:
        return True


def judge(model, fills, binds, path):
    j = Judged()
    onnx.save(model, path)
    try:
        j.runs = list(truths(model, fills, binds))
    except Exception:
        return j
    j.tried = len(binds)
    if not j.runs:
        return j
    official = inferred(model)
    try:
        for bind, true in j.runs:
            compare_run(j, model, compare.shapes(path, bind), true, bind, official)
        found = compare.errors(path)
    except compare.Broken as e:
        j.broken = str(e)
        return j
    if found:
        j.error, j.agreed_error = found[0], refused(model)
    return j


def compare_run(j, model, got, true, bind, official):
    for name, t in true.items():
        known, missed = compare.tally(got.get(name), t)
        j.dims += known
        j.missed += missed
        if missed:
            op = operator(model, name)
            j.missed_ops.setdefault(op, f'{(got.get(name) or {}).get("shape")}, truly {t["shape"]} at {bind}')
        for axis, (mine, theirs) in enumerate(zip((got.get(name) or {}).get('shape') or (), official.get(name) or ())):
            if isinstance(mine, int) and theirs is not None and mine != theirs:
                j.other.append(f'{operator(model, name)}: {name}:{axis}: onnx {theirs}, axed {mine}, '
                               f'truly {t.get("shape")} at {bind}')
    if not j.wrong and (wrong := compare.first_wrong(got, true)):
        j.wrong = (wrong[0], operator(model, wrong[0]), wrong[1], bind)
