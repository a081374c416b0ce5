"""Compares the program's answers about a model with the truth.  Needs only the standard library.

The truth of a run is {tensor: {"elem": "float32", "shape": [2, 3]}}; a sequence has "shapes", one per element.
"""

import json
import os
import subprocess

AXED = os.environ.get('AXED', 'build/axed')


class Broken(Exception):
    """The program crashed, hung or rejected the model."""


def axed(*words):
    try:
        done = subprocess.run([AXED, *words], capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        raise Broken(f'axed {words[0]}: no answer within 30 s') from None
    if done.returncode not in (0, 1):
        raise Broken(f'axed {words[0]}: exit {done.returncode}: {done.stderr.decode(errors="replace").strip()[:300]}')
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Broken(f'axed {words[0]}: no JSON') from None


def shapes(path, bind):
    words = [w for name, size in bind.items() for w in ('--bind', f'{name}={size}')]
    return {t['name']: t for t in axed('shapes', '--json', path, *words)['tensors'] if t['graph'] == ''}


def errors(path):
    return [f for f in axed('check', '--json', path)['findings'] if f['level'] == 'error']


def shape_differs(got, true):
    if got is None:
        return None
    if len(got) != len(true) or any(isinstance(g, int) and g != t for g, t in zip(got, true)):
        return f'{got}, truly {true}'
    return None


def differs(got, true):
    """None, or what is wrong about a tensor."""
    kind = got['type'] or {}
    if not kind:
        return None
    inner = kind
    if 'shapes' in true:
        if kind['kind'] != 'sequence':
            return f'{kind["kind"]}, truly a sequence'
        inner = kind['elem'] if isinstance(kind['elem'], dict) else {}
        for shape in true['shapes']:
            if problem := shape_differs(inner.get('shape'), shape):
                return 'element ' + problem
    elif kind['kind'] != 'tensor':
        return f'{kind["kind"]}, truly a tensor'
    if true['elem'] and inner.get('elem') not in (None, true['elem']):
        return f'{inner["elem"]}, truly {true["elem"]}'
    return shape_differs(got['shape'], true['shape']) if 'shape' in true else None


def tally(got, true):
    """The numbers of known and unknown dims."""
    if 'shapes' in true:
        return 0, 0
    if got is None or got['shape'] is None:
        return 0, len(true['shape'])
    known = sum(isinstance(d, int) for d in got['shape'])
    return known, len(got['shape']) - known


def first_wrong(got, truth):
    """The first wrong tensor in node order, as (name, problem), or None."""
    for name, true in truth.items():
        if name in got and (problem := differs(got[name], true)):
            return name, problem
    return None
