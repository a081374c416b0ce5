#!/usr/bin/env python3
"""Keep small exports and torch's answers for tests without torch:  repairs_small.py ANSWERS EXPORT.onnx...

Writes small_repairs/STEM.xz for each fixed export: JSON with the model, without its metadata, and with what the module
computes at the old sizes and at others, larger and smaller.  ANSWERS is the folder that repairs.py fills.
"""

import base64
import json
import lzma
import os
import sys

import numpy as np
import onnx

from repairs import Judge, asks, axes, bindings, present

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, 'small_repairs')
LARGEST = 120 << 10


def strip(graph):
    """Names of files and functions of the machine that exported it."""
    for item in [*graph.node, *graph.initializer, *graph.input, *graph.output, *graph.value_info, graph]:
        item.ClearField('doc_string')
        del item.metadata_props[:]
    for node in graph.node:
        for attribute in node.attribute:
            for inner in ([attribute.g] if attribute.HasField('g') else []) + list(attribute.graphs):
                strip(inner)


def stripped(path):
    model = onnx.load(path)
    model.ClearField('doc_string')
    del model.metadata_props[:]
    strip(model.graph)
    for function in model.functions:
        function.ClearField('doc_string')
        del function.metadata_props[:]
        for item in [*function.node, *function.value_info]:
            item.ClearField('doc_string')
            del item.metadata_props[:]
    return model.SerializeToString()


def outputs(path):
    with np.load(path) as file:
        results = [file[f'o{i}'] for i in range(len(file.files))]
    return [[str(a.dtype), list(a.shape), base64.b64encode(a.tobytes()).decode()] for a in results]


def cases(judge, model, about, symbols):
    """Bindings that torch can run: two of any size, and two where only the batch grows."""
    exported = about['exported']
    found, why = judge.others(model, about, symbols, lambda bind: True)
    small = [b for b in bindings(about, symbols, lambda b: all(b[s] < exported[s] or s == 'batch' for s in symbols))]
    for bind in small[:4]:
        path, _ = judge.answer(model, bind)
        if path and len(found) < 4 and bind not in [b for b, _ in found]:
            found.append((bind, path))
    return found if len(found) >= 2 and not why else []


def keep(judge, path):
    stem = os.path.basename(path)[: -len('.onnx')]
    model = stem.rsplit('.', 2)[0]
    with open(path[: -len('onnx')] + 'json') as file:
        about = json.load(file)
    first, why = judge.original(path, model, about)
    if not first:
        return why
    kept, answers = {}, {json.dumps(about['exported']): outputs(first[0])}
    for kind, symbols in asks(about).items():
        found, asked = cases(judge, model, about, symbols), axes(about, symbols, present(path))
        if found and asked:
            kept[kind] = {'axes': asked, 'cases': [json.dumps(bind) for bind, _ in found]}
            answers.update({json.dumps(bind): outputs(file) for bind, file in found})
    data = stripped(path)
    text = {
        'about': {k: about[k] for k in ('family', 'exporter', 'form', 'inputs', 'exported')},
        'within': max(2e-5, 20 * first[1]),
        'kinds': kept,
        'answers': answers,
        'model': base64.b64encode(data).decode(),
    }
    packed = lzma.compress(json.dumps(text).encode(), preset=9)
    if not kept or len(packed) > LARGEST:
        return 'no other sizes' if not kept else f'{len(packed)} bytes'
    with open(os.path.join(FOLDER, stem + '.xz'), 'wb') as file:
        file.write(packed)
    return None


def main():
    os.makedirs(FOLDER, exist_ok=True)
    judge = Judge(None, sys.argv[1], None)
    try:
        for path in sys.argv[2:]:
            print(os.path.basename(path), keep(judge, os.path.abspath(path)) or 'kept', flush=True)
    finally:
        judge.stop()


if __name__ == '__main__':
    main()
