"""Minimizes a counter-example: fewer nodes, attributes, inputs and symbols, smaller sizes.

A step is kept if the smaller model still runs and the same operator is still wrong in the same way.
"""

import copy

import numpy as np
import onnx
from onnx import helper

import judge
from build import element, session, used_names


def keep_output(model, fills, wanted):
    """Keeps only what the requested tensors need, and makes all of it outputs."""
    model = copy.deepcopy(model)
    need, nodes = set(wanted), []
    for node in reversed(model.graph.node):
        if need & set(node.output):
            nodes.insert(0, node)
            need |= set(used_names(node))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return tidy(model), fills


def tidy(model):
    used = {n for node in model.graph.node for n in used_names(node)}
    made = {n for node in model.graph.node for n in node.output}
    for field, name in ((model.graph.input, lambda v: v.name), (model.graph.initializer, lambda v: v.name)):
        rest = [v for v in field if name(v) in used]
        del field[:]
        field.extend(rest)
    rest = [o for o in model.graph.output if o.name in made]
    del model.graph.output[:]
    model.graph.output.extend(rest)
    return model


def without_node(model, fills, index, value, constant):
    """A node's first output becomes an input or a constant with its value."""
    model, fills = copy.deepcopy(model), dict(fills)
    node = model.graph.node[index]
    if len([o for o in node.output if o]) != 1 or not isinstance(value, np.ndarray) or value.dtype == object:
        return None
    name = node.output[0]
    del model.graph.node[index]
    if constant:
        model.graph.initializer.append(onnx.numpy_helper.from_array(value, name))
    else:
        model.graph.input.append(helper.make_tensor_value_info(name, element(value), value.shape))
        low, high = (0, 1) if value.dtype == bool or not value.size else (value.min().item(), value.max().item())
        fills[name] = [str(value.dtype), low, high]
    return tidy(model), fills


def candidates(model, fills, bind):
    """Smaller models, as (model, fills, bind)."""
    try:
        s = session(model)
        values = dict(zip((o.name for o in model.graph.output), s.run(None, judge.feeds(model, fills, bind))))
    except Exception:
        values = {}
    for o in model.graph.output:
        yield *keep_output(model, fills, [o.name]), bind
    for i, node in enumerate(model.graph.node):
        for constant in (False, True):
            if small := without_node(model, fills, i, values.get(node.output[0]), constant):
                yield *small, bind
    for i, node in enumerate(model.graph.node):
        for k in range(len(node.attribute)):
            m = copy.deepcopy(model)
            del m.graph.node[i].attribute[k]
            yield m, fills, bind
        for k, name in enumerate(node.input):
            if name:
                m = copy.deepcopy(model)
                m.graph.node[i].input[k] = ''
                while m.graph.node[i].input and not m.graph.node[i].input[-1]:
                    m.graph.node[i].input.pop()
                yield tidy(m), fills, bind
        for k, attribute in enumerate(node.attribute):
            for j, number in enumerate(attribute.ints):
                for simple in (0, 1):
                    if abs(simple) < abs(number):
                        m = copy.deepcopy(model)
                        m.graph.node[i].attribute[k].ints[j] = simple
                        yield m, fills, bind
    for name, size in bind.items():
        m = copy.deepcopy(model)
        for x in m.graph.input:
            for d, known in zip(x.type.tensor_type.shape.dim, judge.dims_of(x)):
                if known == name:
                    d.dim_value = size
        yield m, fills, {s: n for s, n in bind.items() if s != name}
        for smaller in range(size):
            yield model, fills, {**bind, name: smaller}


def shrink(model, fills, bind, path, patience=400):
    """The smallest model found, with its fills and the binding at which it is wrong."""
    start = judge.judge(model, fills, [bind], path)
    wanted = start.trouble()
    if wanted is None:
        return model, fills, bind
    seen, again = 0, True
    while again and seen < patience:
        again = False
        for m, f, b in candidates(model, fills, bind):
            seen += 1
            b = {s: b[s] for s in judge.symbols(m)}
            try:
                if seen < patience and judge.judge(m, f, [b], path).trouble() == wanted:
                    model, fills, bind, again = m, f, b, True
                    break
            except Exception:
                continue
    return model, fills, bind
