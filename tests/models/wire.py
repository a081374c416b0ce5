"""The protobuf wire format, written by hand.

A library writes only the canonical form; the tests need all other valid ones: padded varints,
fields in any order, unknown fields, messages in pieces.  So a message here is a list of fields
that `message` joins according to `style`.
"""

import random
import struct
from contextlib import contextmanager
from typing import NamedTuple

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)


class Field(NamedTuple):
    number: int
    data: bytes  # tag included


class Style:
    """The current encoding.

    tag, length, value: the minimum number of bytes of such a varint.
    order: rearranges the fields of each message.
    extra: fields appended to every message.
    """

    tag = length = value = 0
    order = staticmethod(lambda fields: fields)
    extra = ()


STYLE = Style()


@contextmanager
def style(**changes):
    before = dict(vars(STYLE))
    vars(STYLE).update(changes)
    try:
        yield
    finally:
        vars(STYLE).clear()
        vars(STYLE).update(before)


def varint(n, pad=0):
    """`n` as 64-bit two's complement; `pad` is the minimum length, reached with empty bytes."""
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7F or len(out) + 1 < pad:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def tag(number, kind):
    return varint(number << 3 | kind, STYLE.tag)


def integer(number, n):
    """Also for enums, int32 (which is sign-extended to 64 bits) and unsigned."""
    if n is not None:
        return Field(number, tag(number, VARINT) + varint(n, STYLE.value))


def data(number, content):
    """A string, bytes, a message or a packed list."""
    if content is not None:
        content = content.encode() if isinstance(content, str) else bytes(content)
        return Field(number, tag(number, BYTES) + varint(len(content), STYLE.length) + content)


def fixed32(number, content):
    return Field(number, tag(number, FIXED32) + content)


def fixed64(number, content):
    return Field(number, tag(number, FIXED64) + content)


def float32(number, x):
    if x is not None:
        return fixed32(number, struct.pack("<f", x))


def group(number, *fields):
    return Field(number, tag(number, GROUP) + join(fields) + tag(number, END_GROUP))


def packed(number, payload):
    """A packed list; an empty one is no field at all."""
    return data(number, payload) if payload else None


def varints(numbers):
    return b"".join(varint(n, STYLE.value) for n in numbers)


def flatten(fields):
    for f in fields:
        if isinstance(f, Field):
            yield f
        elif f is not None:
            yield from flatten(f)


def join(fields):
    return b"".join(f.data for f in flatten(fields))


def message(*fields):
    """Fields, lists of fields, and None for those that are absent."""
    return join(STYLE.order([*flatten(fields), *STYLE.extra]))


def reverse(fields):
    """Highest number first; fields of one number keep their order, which matters."""
    return sorted(fields, key=lambda f: -f.number)


def shuffle(seed):
    """Fields of different numbers interleaved at random."""
    dice = random.Random(seed)

    def order(fields):
        queues = {}
        for f in fields:
            queues.setdefault(f.number, []).append(f)
        turns = [f.number for f in fields]
        # only random() is guaranteed to be the same in all versions of Python
        turns.sort(key=lambda _: dice.random())
        return [queues[number].pop(0) for number in turns]

    return order
