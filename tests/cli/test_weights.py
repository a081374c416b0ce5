"""Elements of every type are read as the standard defines them.  The argument is the program that prints them."""

import json
import math
import os
import subprocess
import sys

import tap
from tap import check, equal, model

ELEMENTS = sys.argv[1]


def elements(name, *words):
    done = subprocess.run([ELEMENTS, *words, model(name)], capture_output=True, text=True)
    equal(done.returncode, 0, f'{name}: {done.stderr}')
    tensors = {}
    for line in done.stdout.splitlines():
        tensor, elem, dims, data = line.split('\t')
        tensors[tensor] = (int(elem), [int(d) for d in dims.split()], data)
    return tensors


def number(text):
    return float.fromhex(text) if text not in ('nan', 'inf', '-inf') else float(text)


def same_float(a, b):
    return a == b and math.copysign(1, a) == math.copysign(1, b) or (math.isnan(a) and math.isnan(b))


def text(word):
    """A string as weights.json writes it."""
    raw, out = bytes.fromhex(word.rstrip('.')), ''
    while raw:
        for size in (1, 2, 3, 4):
            try:
                out += raw[:size].decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            out, size = out + f'\\x{raw[0]:02x}', 1
        raw = raw[size:]
    return out


def same(got, want):
    if isinstance(want, list):
        return all(same_float(number(a), number(b)) for a, b in zip(got.split(','), want))
    if isinstance(want, str) and got.endswith('.') and 'p' not in got:
        return text(got) == want
    if isinstance(want, str):
        return same_float(number(got), number(want))
    return int(got) == int(want)


def compare(name, skip=0):
    wanted = json.load(open(model('weights.json')))
    got = elements(name, *(['-s', str(skip)] if skip else []))
    check(len(got) > 25, f'{name}: all types')
    for tensor, (elem, dims, data) in got.items():
        want = wanted[tensor]
        equal(elem, want['data_type'], f'{name}: {tensor}: type')
        equal(dims, want['dims'], f'{name}: {tensor}: dims')
        words = data.split(' ')[:-1]
        if not equal(len(words), max(0, len(want['elements']) - skip), f'{name}: {tensor}: count ({data[:60]})'):
            continue
        for i, (a, b) in enumerate(zip(words, want['elements'][skip:])):
            check(same(a, b), f'{name}: {tensor}[{i}] is {a}, expected {b}')


def test_raw_data():
    compare('weights_raw.onnx')


def test_typed_fields():
    compare('weights_typed.onnx')


def test_skipping_gives_the_same_elements():
    for skip in (1, 3, 4):
        compare('weights_raw.onnx', skip)
        compare('weights_typed.onnx', skip)


def test_external_data_is_read_where_it_is():
    for name in ('external.onnx', 'external_sub.onnx'):
        for tensor, (elem, dims, data) in elements(name).items():
            check(not data.startswith('!'), f'{name}: {tensor}: {data}')
            equal(len(data.split()), math.prod(dims), f'{name}: {tensor}: count')


def test_external_data_outside_the_folder_is_refused():
    got = elements('external_escape.onnx')
    check(len(got) > 5, 'all attempts')
    for tensor, (elem, dims, data) in got.items():
        check(data.startswith('!'), f'{tensor}: {data}')
    said = ' '.join(data for _, _, data in got.values())
    for part in ("'../x' leads out", "'/etc/passwd' is an absolute path", "'link.bin' leads out", 'has a NUL',
                 'not a regular file', 'without a location', 'not a number'):
        check(part in said, f'{part}: {said}')


def test_missing_external_data_is_told():
    for tensor, (elem, dims, data) in elements('external_missing.onnx').items():
        check(data.startswith('!'), f'{tensor}: {data}')


tap.main(globals())
