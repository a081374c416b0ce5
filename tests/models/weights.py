"""Elements of every type, their two encodings in a file, and their values.

Each row is (name, type, dims, elements).  An element is what the file stores: the bits of the small
floats and integers, a Python float for those `struct` can pack, a pair for complex.
"""

import math
import struct

import build as o
from wire import data, packed, varints

INF, NAN = math.inf, math.nan
MIN32, MAX32, TINY32 = 2.0**-126, (2 - 2.0**-23) * 2.0**127, 2.0**-149
MIN64, MAX64, TINY64 = 2.0**-1022, (2 - 2.0**-52) * 2.0**1023, 2.0**-1074

# zero and minus zero, one, minimum and maximum, smallest and largest subnormal, infinities, NaN, a third
HALF = [0x0000, 0x8000, 0x3C00, 0xC000, 0x0400, 0x7BFF, 0xFBFF, 0x0001, 0x03FF, 0x7C00, 0xFC00, 0x7E00,
        0x3555]
BRAIN = [0x0000, 0x8000, 0x3F80, 0xC000, 0x0080, 0x7F7F, 0xFF7F, 0x0001, 0x007F, 0x7F80, 0xFF80, 0x7FC0,
         0x3EAB]
FLOATS = [0.0, -0.0, 1.0, -2.5, MIN32, MAX32, -MAX32, TINY32, MIN32 - TINY32, INF, -INF, NAN]
DOUBLES = [0.0, -0.0, 1.0, 0.1, MIN64, MAX64, -MAX64, TINY64, MIN64 - TINY64, INF, -INF, NAN]


def bounds(bits, signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return sorted({low, low + 1, -1 if signed else 2, 0, 1, high - 1, high})


ROWS = [
    ("float32", o.FLOAT, [3, 4], FLOATS),
    ("uint8", o.UINT8, [6], bounds(8, False) + [127]),
    ("int8", o.INT8, [7], bounds(8, True)),
    ("uint16", o.UINT16, [5], bounds(16, False)),
    ("int16", o.INT16, [7], bounds(16, True)),
    ("int32", o.INT32, [7], bounds(32, True)),
    ("int64", o.INT64, [7], bounds(64, True)),
    ("string", o.STRING, [2, 3], [b"", b"plain", "größe".encode(), b"two\nlines", b"nul\0in", b"\xff\xfe"]),
    ("bool", o.BOOL, [3], [False, True, True]),
    ("float16", o.FLOAT16, [13], HALF),
    ("float64", o.DOUBLE, [12], DOUBLES),
    ("uint32", o.UINT32, [5], bounds(32, False)),
    ("uint64", o.UINT64, [5], bounds(64, False)),
    ("complex64", o.COMPLEX64, [3], [(1.0, -2.5), (INF, NAN), (TINY32, -0.0)]),
    ("complex128", o.COMPLEX128, [2], [(0.1, -MAX64), (NAN, -INF)]),
    ("bfloat16", o.BFLOAT16, [13], BRAIN),
    # few enough bits for all values
    ("float8e4m3fn", o.FLOAT8E4M3FN, [16, 16], list(range(256))),
    ("float8e4m3fnuz", o.FLOAT8E4M3FNUZ, [16, 16], list(range(256))),
    ("float8e5m2", o.FLOAT8E5M2, [16, 16], list(range(256))),
    ("float8e5m2fnuz", o.FLOAT8E5M2FNUZ, [16, 16], list(range(256))),
    ("float8e8m0", o.FLOAT8E8M0, [16, 16], list(range(256))),
    ("float4e2m1", o.FLOAT4E2M1, [17], [*range(16), 5]),
    ("uint4", o.UINT4, [17], [*range(16), 9]),
    ("int4", o.INT4, [17], [*range(-8, 8), -3]),
    ("uint2", o.UINT2, [7], [0, 1, 2, 3, 3, 0, 2]),
    ("int2", o.INT2, [5], [-2, -1, 0, 1, -2]),
    ("int4_rows", o.INT4, [3, 3], [-8, 7, -1, 0, 1, 2, 3, -4, 5]),  # rows are not byte-aligned
    ("uint2_three", o.UINT2, [3], [1, 2, 3]),
    ("int2_one", o.INT2, [1], [-1]),
    ("scalar_float32", o.FLOAT, [], [0.5]),
    ("scalar_int64", o.INT64, [], [-7]),
    ("scalar_int4", o.INT4, [], [-8]),
    ("empty_float32", o.FLOAT, [0, 3], []),
    ("empty_int64", o.INT64, [2, 0], []),
    ("empty_string", o.STRING, [0], []),
    ("empty_uint4", o.UINT4, [0], []),
]

# struct's letter for an element of raw data
LETTERS = {
    o.FLOAT: "f", o.UINT8: "B", o.INT8: "b", o.UINT16: "H", o.INT16: "h", o.INT32: "i", o.INT64: "q",
    o.BOOL: "?", o.FLOAT16: "H", o.DOUBLE: "d", o.UINT32: "I", o.UINT64: "Q", o.COMPLEX64: "f",
    o.COMPLEX128: "d", o.BFLOAT16: "H", o.FLOAT8E4M3FN: "B", o.FLOAT8E4M3FNUZ: "B", o.FLOAT8E5M2: "B",
    o.FLOAT8E5M2FNUZ: "B", o.FLOAT8E8M0: "B",
}
NARROW = {o.UINT4: 4, o.INT4: 4, o.FLOAT4E2M1: 4, o.UINT2: 2, o.INT2: 2}


def squeeze(elements, bits):
    """Several elements per byte, the first in the lowest bits, the last byte padded with zeros."""
    each = 8 // bits
    out = bytearray(-(-len(elements) // each))
    for i, e in enumerate(elements):
        out[i // each] |= (e & (1 << bits) - 1) << i % each * bits
    return bytes(out)


def flat(elements):
    return [part for e in elements for part in (e if isinstance(e, tuple) else (e,))]


def raw(kind, elements):
    if kind in NARROW:
        return data(9, squeeze(elements, NARROW[kind]))
    if kind == o.STRING:  # has no raw form
        return typed(kind, elements)
    parts = flat(elements)
    return data(9, struct.pack(f"<{len(parts)}{LETTERS[kind]}", *parts))


def typed(kind, elements):
    parts = flat(elements)
    if kind in (o.FLOAT, o.COMPLEX64):
        return packed(4, struct.pack(f"<{len(parts)}f", *parts))
    if kind in (o.DOUBLE, o.COMPLEX128):
        return packed(10, struct.pack(f"<{len(parts)}d", *parts))
    if kind == o.STRING:
        return [data(6, e) for e in elements]
    if kind == o.INT64:
        return packed(7, varints(elements))
    if kind in (o.UINT32, o.UINT64):
        return packed(11, varints(elements))
    if kind in NARROW:  # an entry of int32_data is one byte, not one element
        return packed(5, varints(squeeze(elements, NARROW[kind])))
    return packed(5, varints(elements))


def small_float(bits, exponent, mantissa, bias, special):
    """A float with one sign bit; `special` says which bits are not numbers."""
    sign = -1.0 if bits >> exponent + mantissa else 1.0
    e = bits >> mantissa & (1 << exponent) - 1
    m = bits & (1 << mantissa) - 1
    if special == "ieee" and e == (1 << exponent) - 1:
        return sign * INF if m == 0 else NAN
    if special == "fn" and bits & 0x7F == 0x7F:
        return NAN
    if special == "uz" and bits == 0x80:
        return NAN
    if e == 0:
        return sign * m * 2.0 ** (1 - bias - mantissa)
    return sign * (1 + m / (1 << mantissa)) * 2.0 ** (e - bias)


MEANING = {
    o.FLOAT16: lambda b: small_float(b, 5, 10, 15, "ieee"),
    o.BFLOAT16: lambda b: small_float(b, 8, 7, 127, "ieee"),
    o.FLOAT8E4M3FN: lambda b: small_float(b, 4, 3, 7, "fn"),
    o.FLOAT8E4M3FNUZ: lambda b: small_float(b, 4, 3, 8, "uz"),
    o.FLOAT8E5M2: lambda b: small_float(b, 5, 2, 15, "ieee"),
    o.FLOAT8E5M2FNUZ: lambda b: small_float(b, 5, 2, 16, "uz"),
    o.FLOAT8E8M0: lambda b: NAN if b == 0xFF else 2.0 ** (b - 127),
    o.FLOAT4E2M1: lambda b: small_float(b, 2, 1, 1, None),
}


def expected(kind, element):
    """The element as JSON: floats in hexadecimal, so that nothing is rounded."""
    if isinstance(element, tuple):
        return [expected(kind, part) for part in element]
    if isinstance(element, bytes):
        text = element.decode(errors="surrogateescape")
        return "".join(f"\\x{ord(c) - 0xDC00:02x}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in text)
    x = MEANING.get(kind, lambda e: e)(element)
    if isinstance(x, float):
        return x.hex() if math.isfinite(x) else str(x)
    return x


def model(write):
    """All rows as initializers; `write` is `typed` or `raw`."""
    made = [o.tensor(name, kind, dims, write(kind, elements)) for name, kind, dims, elements in ROWS]
    return o.model(
        o.graph("weights", [o.node("Identity", "float32", "out")], [], [o.floats("out", 3, 4)], made),
        ir=13, opset={"": 25})


def facts():
    """weights.json"""
    return {
        name: {
            "data_type": kind,
            "dims": dims,
            "elements": [expected(kind, e) for e in elements],
        } for name, kind, dims, elements in ROWS}
