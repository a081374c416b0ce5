"""How a model of the zoo is declared: what builds it, its inputs, its symbols and their sizes.

An input is a line of text, a kind and its dims: 'f batch 3 H W'.  Kinds:

    f       float32, normal            b       bool, differs from item to item, never all false
    u       float32 from 0 to 1        mask    int64 ones, then zeros; the number differs from item to item
    iN      int64 from 0 to N - 1      fmask   the same as float32
    pos     int64, 0, 1, 2 ... in the last axis

A dim is a number, a symbol or a sum of them (past+seq).  SIZES gives each symbol the size at
which it is exported, and the others at which it is run.
"""

import dataclasses
import typing

REGISTRY = {}
SIZES = {'batch': (2, 3, 1, 5), 'seq': (6, 9, 4, 11), 'H': (64, 96, 128, 80), 'W': (64, 64, 96, 112)}


@dataclasses.dataclass
class Model:
    name: str
    family: str
    build: typing.Callable
    inputs: dict
    sizes: dict  # symbol -> (exported, others ...)
    outputs: typing.Callable = None  # chooses among the module's results
    dynamo: bool = True
    script: bool = True

    def symbols(self):
        return list(self.sizes)

    def bindings(self):
        count = max((len(s) for s in self.sizes.values()), default=1)
        return [{k: v[min(i, len(v) - 1)] for k, v in self.sizes.items()} for i in range(count)]


def dims_of(text):
    return text.split()[1:]


def size_of(dim, bind):
    return sum(int(part) if part.isdigit() else bind[part] for part in dim.split('+'))


def add(name, family, build, inputs, outputs=None, dynamo=True, script=True, **sizes):
    if name in REGISTRY:
        raise ValueError(f'{name} is declared twice')
    used = {part for text in inputs.values() for dim in dims_of(text) for part in dim.split('+')}
    sizes = {s: sizes.get(s, SIZES.get(s)) for s in sorted(used) if not s.isdigit()}
    REGISTRY[name] = Model(name, family, build, inputs, sizes, outputs, dynamo, script)


def values(kind, shape, rng):
    """Legal values of one input, a numpy array."""
    import numpy as np

    if kind == 'f':
        return rng.standard_normal(shape).astype(np.float32)
    if kind == 'u':
        return rng.random(shape).astype(np.float32)
    if kind == 'b':
        out = rng.random(shape) < 0.6
        if out.ndim:
            out[..., :1] = True
        return out
    if kind in ('mask', 'fmask'):
        out = np.zeros(shape, np.int64)
        rows = out.reshape(-1, shape[-1])
        for i, row in enumerate(rows):
            row[: max(1, shape[-1] - i % max(1, shape[-1] - 1))] = 1
        return out.astype(np.float32) if kind == 'fmask' else out
    if kind == 'pos':
        return np.broadcast_to(np.arange(shape[-1], dtype=np.int64) % 16, shape).copy()
    if kind[0] == 'i':
        return rng.integers(0, int(kind[1:]), shape, dtype=np.int64)
    raise ValueError(kind)


def lowest(kind, data, way, least):
    """Values that may be legal indices, or lead to them, at any size.

    Way 0: zeros, and only the first entry of a mask is set.  Way 1: ones, and masks are as long as the shortest last axis of
    all inputs, LEAST.  Way 2: as way 0, and floats ascend, so that the places of the smallest are legal.
    """
    if kind not in ('b', 'mask', 'fmask', 'pos') and kind[0] != 'i':
        if way == 2 and data.ndim:
            data.sort(axis=-1)
        return data
    way %= 2
    out = data * 0 if kind != 'b' else data & False
    if kind not in ('b', 'mask', 'fmask'):
        return out + way
    if way and out.ndim:
        out[..., :least] = 1
    elif out.size:
        out.flat[0] = 1
    return out


def feeds(inputs, bind, seed=0):
    import numpy as np

    rng = np.random.default_rng(seed)
    return {name: values(text.split()[0], [size_of(d, bind) for d in dims_of(text)], rng) for name, text in inputs.items()}
