"""ONNX messages as bytes: one function per message, arguments named as in onnx.proto.

Types are subclasses of bytes only so that an attribute can tell them apart.
"""

import struct

from wire import data, float32, integer, message, packed, varints

# TensorProto.DataType
(UNDEFINED, FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, STRING, BOOL, FLOAT16, DOUBLE, UINT32,
 UINT64, COMPLEX64, COMPLEX128, BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ,
 UINT4, INT4, FLOAT4E2M1, FLOAT8E8M0, UINT2, INT2) = range(27)


class Type(bytes):
    pass


class Tensor(bytes):
    pass


class Sparse(bytes):
    pass


class Graph(bytes):
    pass


def strings(number, items):
    return [data(number, s) for s in items]


def entries(number, pairs):
    """StringStringEntryProto, from a dict or pairs."""
    pairs = pairs.items() if isinstance(pairs, dict) else pairs
    return [data(number, message(data(1, k), data(2, v))) for k, v in pairs]


def opsets(number, pairs):
    pairs = pairs.items() if isinstance(pairs, dict) else pairs
    return [data(number, message(data(1, domain), integer(2, version))) for domain, version in pairs]


# types

def dim(d=None, denotation=None, *extra):
    """A size, a name, or nothing."""
    return message(
        integer(1, d) if isinstance(d, int) else data(2, d),
        data(3, denotation),
        extra)


def shape(dims):
    """Dims are what `dim` takes, or encoded dims."""
    made = [d if isinstance(d, bytes) else dim(d) for d in dims]
    return message([data(1, d) for d in made])


def tensor_type(elem=FLOAT, dims=None, denotation=None, *, field=1):
    """No dims: the rank is unknown.  An empty list: a scalar."""
    inner = message(integer(1, elem), data(2, None if dims is None else shape(dims)))
    return Type(message(data(field, inner), data(6, denotation)))


def sparse_type(elem=FLOAT, dims=None):
    return tensor_type(elem, dims, field=8)


def sequence_type(elem):
    return Type(message(data(4, message(data(1, elem)))))


def optional_type(elem):
    return Type(message(data(9, message(data(1, elem)))))


def map_type(key, value):
    return Type(message(data(5, message(integer(1, key), data(2, value)))))


def opaque_type(domain, name):
    return Type(message(data(7, message(data(1, domain), data(2, name)))))


def value(name, type=None, doc=None, metadata=()):
    """ValueInfoProto"""
    return message(data(1, name), data(2, type), data(3, doc), entries(4, metadata))


def floats(name, *dims):
    """The usual value: a float tensor."""
    return value(name, tensor_type(FLOAT, dims))


def ints(name, *dims):
    return value(name, tensor_type(INT64, dims))


def bools(name, *dims):
    return value(name, tensor_type(BOOL, dims))


# tensors

def tensor(name, elem, dims, *content, doc=None, metadata=()):
    """`content` is the encoded data field."""
    return Tensor(message(
        [integer(1, d) for d in dims],
        integer(2, elem),
        content,
        data(8, name),
        data(12, doc),
        entries(16, metadata)))


def float_tensor(name, dims, elements):
    return tensor(name, FLOAT, dims, data(9, struct.pack(f"<{len(elements)}f", *elements)))


def int_tensor(name, dims, elements):
    return tensor(name, INT64, dims, data(9, struct.pack(f"<{len(elements)}q", *elements)))


def external_tensor(name, elem, dims, location, **rest):
    """`rest` is offset, length, checksum."""
    where = {"location": location, **{k: str(v) for k, v in rest.items()}}
    return tensor(name, elem, dims, entries(13, where), integer(14, 1))


def sparse_tensor(values, indices, dims):
    return Sparse(message(data(1, values), data(2, indices), [integer(3, d) for d in dims]))


# attributes and nodes

# Python type of a value: AttributeType, field and AttributeType, field of a list of them
KINDS = {
    float: (1, 2, 6, 7),
    int: (2, 3, 7, 8),
    str: (3, 4, 8, 9),
    bytes: (3, 4, 8, 9),
    Tensor: (4, 5, 9, 10),
    Graph: (5, 6, 10, 11),
    Sparse: (11, 22, 12, 23),
    Type: (13, 14, 14, 15),
}


def one(number, v):
    return (float32 if type(v) is float else integer if type(v) is int else data)(number, v)


def attribute(name, v, doc=None):
    """The Python type determines the kind; lists are unpacked, as ONNX declares them."""
    if isinstance(v, list):
        _, _, kind, number = KINDS[type(v[0])]
        fields = [one(number, e) for e in v]
    else:
        kind, number, _, _ = KINDS[type(v)]
        fields = one(number, v)
    return message(data(1, name), fields, data(13, doc), integer(20, kind))


def packed_ints(name, numbers):
    return message(data(1, name), packed(8, varints(numbers)), integer(20, 7))


def packed_floats(name, numbers):
    payload = struct.pack(f"<{len(numbers)}f", *numbers)
    return message(data(1, name), packed(7, payload), integer(20, 6))


def reference(name, outer, kind):
    """An attribute inside a function that refers to one of the function's."""
    return message(data(1, name), integer(20, kind), data(21, outer))


def node(op, inputs, outputs, name=None, domain=None, *, overload=None, doc=None, metadata=(),
         devices=(), raw=(), extra=(), **attributes):
    """Inputs and outputs are lists, or one string of names separated by spaces.

    `raw` are encoded attributes, `attributes` those that `attribute` can encode.
    """
    split = lambda names: names.split() if isinstance(names, str) else names
    return message(
        strings(1, split(inputs)),
        strings(2, split(outputs)),
        data(3, name),
        data(4, op),
        [data(5, attribute(k, v)) for k, v in attributes.items()],
        [data(5, a) for a in raw],
        data(6, doc),
        data(7, domain),
        data(8, overload),
        entries(9, metadata),
        [data(10, d) for d in devices],
        extra)


# graphs, functions, models

def graph(name, nodes, inputs=(), outputs=(), initializers=(), values=(), *, sparse=(), doc=None,
          annotations=(), metadata=(), extra=()):
    return Graph(message(
        [data(1, n) for n in nodes],
        data(2, name),
        [data(5, t) for t in initializers],
        data(10, doc),
        [data(11, v) for v in inputs],
        [data(12, v) for v in outputs],
        [data(13, v) for v in values],
        [data(14, a) for a in annotations],
        [data(15, s) for s in sparse],
        entries(16, metadata),
        extra))


def function(domain, name, inputs, outputs, nodes, opset, *, attributes=(), defaults=(), values=(),
             overload=None, doc=None, metadata=()):
    """`attributes` must be bound by the caller, `defaults` are AttributeProtos."""
    return message(
        data(1, name),
        strings(4, inputs.split()),
        strings(5, outputs.split()),
        strings(6, attributes),
        [data(7, n) for n in nodes],
        data(8, doc),
        opsets(9, opset),
        data(10, domain),
        [data(11, a) for a in defaults],
        [data(12, v) for v in values],
        data(13, overload),
        entries(14, metadata))


def model(graph, *, ir=8, opset=None, functions=(), training=(), configurations=(), metadata=(),
          doc=None, producer="axed", domain=None, version=None, extra=()):
    return message(
        integer(1, ir),
        data(2, producer),
        data(3, "tests"),
        data(4, domain),
        integer(5, version),
        data(6, doc),
        data(7, graph),
        opsets(8, {"": 17} if opset is None else opset),
        entries(14, metadata),
        [data(20, t) for t in training],
        [data(25, f) for f in functions],
        [data(26, c) for c in configurations],
        extra)
