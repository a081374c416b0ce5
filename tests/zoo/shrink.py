#!/usr/bin/env python3
"""Keep a judged model small, for tests without torch:  shrink.py AXED RECORDS MODEL.onnx...

Writes small/NAME.xz, JSON with the model, whose float weights are zeros and which has no metadata, and with the runs that
`judge.py --record RECORDS --more` made.  A model whose answers would change is refused.
"""

import base64
import json
import lzma
import os
import subprocess
import sys
import tempfile

import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, 'small')
KEPT = 64  # elements of a float tensor that may matter, a scale or a pad
FLOATS = {onnx.TensorProto.FLOAT: 4, onnx.TensorProto.FLOAT16: 2, onnx.TensorProto.DOUBLE: 8, onnx.TensorProto.BFLOAT16: 2}


def erase(tensor):
    """Zeros in place of a large float tensor."""
    count = 1
    for d in tensor.dims:
        count *= d
    if tensor.data_type in FLOATS and count > KEPT:
        for field in ('float_data', 'double_data', 'int32_data'):
            tensor.ClearField(field)
        tensor.raw_data = bytes(count * FLOATS[tensor.data_type])


def erase_graph(graph):
    for tensor in graph.initializer:
        erase(tensor)
        tensor.ClearField('doc_string')
        del tensor.metadata_props[:]
    for value in [*graph.input, *graph.output, *graph.value_info]:
        del value.metadata_props[:]
    del graph.metadata_props[:]
    erase_nodes(graph.node)


def erase_nodes(nodes):
    for node in nodes:
        node.ClearField('doc_string')
        del node.metadata_props[:]
        for attribute in node.attribute:
            if attribute.HasField('t'):
                erase(attribute.t)
            for inner in ([attribute.g] if attribute.HasField('g') else []) + list(attribute.graphs):
                erase_graph(inner)


def answers(axed, path):
    out = []
    for words in (['shapes', path], ['check', path], ['axes', path]):
        text = subprocess.run([axed, *words, '--json'], capture_output=True, text=True).stdout
        answer = json.loads(text)
        answer.pop('model', None)
        for finding in answer.get('findings', []):
            finding.pop('source', None)
        out.append(answer)
    return out


def packed(runs):
    """The runs without what the test does not ask: error texts, shapes of failed runs."""
    for part in ('everything', 'freed', 'inner'):
        for answer in runs.get(part, {}).values():
            if 'error' in answer:
                answer['error'] = ''
            if part == 'freed':
                answer.pop('shapes', None)
    return runs


def keep(axed, records, path):
    name = os.path.basename(path)[: -len('.onnx')]
    model = onnx.load(path)
    erase_graph(model.graph)
    for function in model.functions:
        erase_nodes(function.node)
        function.ClearField('doc_string')
        del function.metadata_props[:]
    del model.metadata_props[:]
    data = model.SerializeToString()
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, os.path.basename(path))
        with open(target, 'wb') as file:
            file.write(data)
        if answers(axed, target) != answers(axed, path):
            return f'{name}: refused, the answers would change'
    with open(os.path.join(records, name + '.runs.json')) as file:
        kept = {'model': base64.b64encode(data).decode(), **packed(json.load(file))}
    content = lzma.compress(json.dumps(kept, separators=(',', ':')).encode(), preset=9)
    with open(os.path.join(SMALL, name + '.xz'), 'wb') as file:
        file.write(content)
    return f'{name}: {len(content)} bytes'


def main():
    os.makedirs(SMALL, exist_ok=True)
    for path in sys.argv[3:]:
        print(keep(sys.argv[1], sys.argv[2], path), flush=True)


if __name__ == '__main__':
    main()
