"""Finds what an edit changed in a model's bytes: walks two files in parallel, down to the dimensions.

    changes(before, after) -> [(place, dim before, dim after)], or Differs when anything but a dimension changed

Only the enclosing length prefixes may change with a dimension.  A dimension is its value (an integer), its name (a
string) or None; its denotation and other fields must not change.
"""


class Differs(Exception):
    pass


VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, all bytes before the content, content) of every field."""
    at, end = 0, len(data)
    while at < end:
        start = at
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == BYTES:
            size, at = varint(data, at)
        elif kind == VARINT:
            size = varint(data, at)[1] - at
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
        else:
            raise Differs(f'wire type {kind}')
        if at + size > end:
            raise Differs('a field that is too long')
        yield tag >> 3, data[start:at], data[at:at + size]
        at += size


# The messages on the way to a dimension: field number -> (name, message).
DIM = 'dim'
SHAPE = {1: ('dim', DIM)}
TENSOR = {2: ('shape', SHAPE)}
TYPE = {1: ('tensor', TENSOR), 8: ('sparse', TENSOR)}
TYPE[4] = TYPE[9] = ('element', {1: ('type', TYPE)})
TYPE[5] = ('map', {2: ('value', TYPE)})
VALUE = {1: ('name', None), 2: ('type', TYPE)}
GRAPH = {11: ('input', VALUE), 12: ('output', VALUE), 13: ('value_info', VALUE)}
NODE = {5: ('attribute', {6: ('graph', GRAPH), 11: ('graphs', GRAPH), 14: ('type', TYPE), 15: ('types', TYPE)})}
GRAPH[1] = ('node', NODE)
MODEL = {7: ('graph', GRAPH), 25: ('function', {7: ('node', NODE), 12: ('value_info', VALUE)})}


def dim(data):
    """Its value or name, and the remaining fields."""
    said, rest = None, []
    for number, head, content in fields(data):
        if number == 1:
            value = varint(content, 0)[0]
            said = value - (value >> 63 << 64)
        elif number == 2:
            said = content.decode(errors='surrogateescape') or None
        else:
            rest.append(head + content)
    return said, rest


def title(parts, index):
    """The name of a value, the index of anything else."""
    return next((c.decode(errors='replace') for n, _, c in parts if n == 1), index)


def walk(before, after, message, place, out):
    if message == DIM:
        (was, rest), (now, other) = dim(before), dim(after)
        if rest != other:
            raise Differs(f'{place}: more than the dimension')
        if was != now:
            out.append((place, was, now))
        elif before != after:
            raise Differs(f'{place}: the same dimension in other bytes')
        return
    old, new = list(fields(before)), list(fields(after))
    if [f[0] for f in old] != [f[0] for f in new]:
        raise Differs(f'{place or "the model"}: other fields')
    counts = {}
    for (number, head, content), (_, other_head, other) in zip(old, new):
        name, inner = message.get(number, (number, None))
        index = counts[name] = counts.get(name, -1) + 1
        if content == other and head == other_head:
            continue
        if inner is None:
            raise Differs(f'{place}: field {name}')
        if content == other:
            raise Differs(f'{place}: another prefix before {name}')
        if inner is VALUE:
            where = f'{place}/{name} {title(fields(content), index)}'
        elif inner == DIM:
            where = f'{place}:{index}'
        elif inner in (SHAPE, TENSOR, TYPE):
            where = place
        else:
            where = f'{place}/{name}{index}'
        walk(content, other, inner, where, out)


def changes(before, after):
    out = []
    walk(before, after, MODEL, '', out)
    return [(place.removeprefix('/graph0/'), was, now) for place, was, now in out]


def said(data):
    """(place, dim) of every dimension of the main graph's inputs, outputs and value_info."""
    out = []
    for number, _, graph in fields(data):
        for kind, _, value in fields(graph) if number == 7 else ():
            if kind not in (11, 12, 13):
                continue
            parts = list(fields(value))
            place = f'{GRAPH[kind][0]} {title(parts, 0)}'
            dims = [d for n, _, t in parts if n == 2 for n, _, u in fields(t) if n == 1 for n, _, s in fields(u) if n == 2
                    for n, _, d in fields(s) if n == 1]
            out += [(f'{place}:{axis}', dim(d)[0]) for axis, d in enumerate(dims)]
    return out
