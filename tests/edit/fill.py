"""Writes the missing external data of models: small random floats, the same each time.

    fill.py MODEL...
"""

import os
import sys

import numpy as np
import onnx


def needed(path):
    """{file: size}"""
    out = {}
    for tensor in onnx.load(path, load_external_data=False).graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            if tensor.data_type != onnx.TensorProto.FLOAT:
                sys.exit(f'{tensor.name} is not float32')
            said = {e.key: e.value for e in tensor.external_data}
            end = int(said.get('offset', 0)) + int(said['length'])
            out[said['location']] = max(end, out.get(said['location'], 0))
    return out


def main(paths):
    for path in paths:
        for name, size in needed(path).items():
            data = os.path.join(os.path.dirname(path), name)
            if not os.path.exists(data):
                numbers = np.random.default_rng(7).random((size + 3) // 4, np.float32)
                ((numbers - np.float32(0.5)) * np.float32(0.1)).tofile(data)


main(sys.argv[1:])
