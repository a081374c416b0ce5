#!/usr/bin/env python3
"""Runs one model in ONNX Runtime at many sizes:  runner.py MODEL all|free|inner

Reads cases, one JSON object a line: {"inputs": {name: [kind, [sizes]]}, "seed": 0}.  Prints for each the shapes of all tensors
that are outputs, or the error.  `all` makes every tensor of the main graph an output; `free` forgets all declared sizes; `inner`
prints the shapes in branches and bodies, {graph: {tensor: [shapes]}}.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort

import bodies
import spec

NUMPY = {
    1: np.float32,
    2: np.uint8,
    3: np.int8,
    5: np.int16,
    6: np.int32,
    7: np.int64,
    9: np.bool_,
    10: np.float16,
    11: np.float64,
    12: np.uint32,
    13: np.uint64,
    4: np.uint16,
    8: object,
}


def forget(graph):
    """Drops what the file says about shapes of the graph's values."""
    del graph.value_info[:]
    for value in graph.output:
        if value.type.HasField('tensor_type'):
            value.type.tensor_type.ClearField('shape')
    for node in graph.node:
        for attribute in node.attribute:
            for inner in ([attribute.g] if attribute.HasField('g') else []) + list(attribute.graphs):
                forget(inner)


def free(model):
    forget(model.graph)
    for function in model.functions:
        del function.value_info[:]
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()


def expose(model):
    """Makes every tensor an output; those behind optional types are left out."""
    known = {o.name for o in model.graph.output}
    for node in model.graph.node:
        if node.op_type in ('Optional',):
            continue
        for name in node.output:
            if name and name not in known:
                known.add(name)
                model.graph.output.append(onnx.ValueInfoProto(name=name))


def inner(model):
    forget(model.graph)  # ONNX Runtime plans memory by what is said of a body, right or wrong
    return bodies.Exposed(model).places


def open_session(path, mode):
    model = onnx.load(path)
    places = {'all': expose, 'free': free, 'inner': inner}[mode](model)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_reuse = mode != 'inner'  # its plan goes wrong where an iteration changes a rank
    where = f'{path}.{mode}.{os.getpid()}.tmp'
    try:
        onnx.save(model, where)
        return ort.InferenceSession(where, options, providers=['CPUExecutionProvider']), model, places
    finally:
        if os.path.exists(where):
            os.remove(where)


def feed(model, case):
    rng, out = np.random.default_rng(case.get('seed', 0)), {}
    least = min((shape[-1] for _, shape in case['inputs'].values() if shape), default=1)
    for value in model.graph.input:
        if value.name not in case['inputs']:
            continue
        kind, shape = case['inputs'][value.name]
        elem = value.type.tensor_type.elem_type
        data = spec.values(kind, shape, rng)
        if case.get('low'):
            data = spec.lowest(kind, data, int(case['low']) - 1, least)
        out[value.name] = data.astype(NUMPY[elem]) if elem in NUMPY else data
    return out


def describe(value):
    if isinstance(value, np.ndarray):
        return list(value.shape)
    if isinstance(value, list):
        return {'sequence': [describe(v) for v in value]}
    return [] if np.isscalar(value) else None


def shorten(text):
    return text if len(text) < 400 else f'{text[:200]} ... {text[-200:]}'


def main():
    session, model, places = None, None, None
    for line in sys.stdin:
        try:
            if session is None:
                session, model, places = open_session(sys.argv[1], sys.argv[2])
            names = [o.name for o in session.get_outputs() if places is None or o.name in places]
            results = dict(zip(names, session.run(names, feed(model, json.loads(line)))))
            shapes = {n: describe(v) for n, v in results.items()} if places is None else bodies.decode(places, results)
            answer = {'ok': True, 'shapes': shapes}
        except Exception as error:
            answer = {'ok': False, 'error': shorten(str(error)), 'load': session is None}
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
