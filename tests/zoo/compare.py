#!/usr/bin/env python3
"""Runs models in ONNX Runtime and compares with recorded answers: a child that reads one JSON object a line.

{"path", "inputs", "cases": [[bind, answers.npz], ...], "within"}: the first case that disagrees decides the class that is
printed: right, wrong numbers, wrong shape or fails.  `error` is the worst difference, by the scale of its output.
"""

import json
import sys

import numpy as np
import onnxruntime as ort

import spec

NUMPY = {
    'float': np.float32,
    'double': np.float64,
    'float16': np.float16,
    'int64': np.int64,
    'int32': np.int32,
    'bool': np.bool_,
    'uint8': np.uint8,
    'int8': np.int8,
}


def session(path):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(path, options, providers=['CPUExecutionProvider'])


def feeds(runtime, inputs, bind):
    """Those of the inputs that the export has kept, in its types."""
    data = spec.feeds(inputs, bind)
    return {i.name: data[i.name].astype(NUMPY[i.type[7:-1]]) for i in runtime.get_inputs()}


def difference(got, want):
    """The largest difference, by the scale of what is expected; infinite where NaN, infinity or integers differ."""
    if want.dtype.kind in 'biu':
        return 0.0 if np.array_equal(got, want) else float('inf')
    if not want.size:
        return 0.0
    got, want = got.astype(np.float64), want.astype(np.float64)
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True) or not np.isfinite(got[finite]).all():
        return float('inf')
    if not finite.any():
        return 0.0
    # Masks leave values such as -3e38 beside the numbers that matter.
    large = np.abs(want) > 1e30
    if not np.allclose(got[finite & large], want[finite & large], 1e-4):
        return float('inf')
    rest = finite & ~large
    if not rest.any():
        return 0.0
    return float(np.abs(got[rest] - want[rest]).max() / max(1e-3, np.abs(want[rest]).max()))


def compare(results, wants, within):
    """Class, detail, worst difference."""
    if len(results) != len(wants):
        return 'wrong shape', f'{len(results)} outputs, not {len(wants)}', 0.0
    worst = 0.0
    for i, (got, want) in enumerate(zip(results, wants)):
        if not isinstance(got, np.ndarray) or got.shape != want.shape:
            return 'wrong shape', f'output {i} is {list(np.shape(got))}, not {list(want.shape)}', worst
        worst = max(worst, difference(got, want))
        if worst > within:
            return 'wrong numbers', f'output {i} is off by {worst:.3g}', worst
    return 'right', '', worst


def shorten(error):
    text = str(error).replace('\n', ' ')
    return text if len(text) < 400 else f'{text[:150]} ... {text[-250:]}'


def judge(case):
    try:
        runtime = session(case['path'])
    except Exception as error:
        return {'class': 'fails', 'detail': 'cannot be loaded: ' + shorten(error)}
    worst = 0.0
    for bind, path in case['cases']:
        with np.load(path) as file:
            wants = [file[f'o{i}'] for i in range(len(file.files))]
        try:
            results = runtime.run(None, feeds(runtime, case['inputs'], bind))
        except Exception as error:
            return {'class': 'fails', 'detail': shorten(error), 'at': bind}
        found, detail, error = compare(results, wants, case['within'])
        worst = max(worst, error)
        if found != 'right':
            return {'class': found, 'detail': detail, 'at': bind}
    return {'class': 'right', 'error': worst}


def main():
    for line in sys.stdin:
        print(json.dumps(judge(json.loads(line))), flush=True)


if __name__ == '__main__':
    main()
