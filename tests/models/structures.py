"""One small model for each structure that a file can have.  README.md describes each."""

import struct

import wire
from build import *
from wire import data, fixed32, fixed64, group as wire_group, integer, message, packed, varints

MODELS = {}


def written(make):
    """The file is named after the function, without the underscore that avoids a Python keyword."""
    MODELS[make.__name__.strip("_")] = make
    return make


# declarations of tensors

@written
def value_info():
    weight = float_tensor("weight", [4, 4], [float(i % 5) for i in range(16)])
    return model(graph(
        "value_info",
        [
            node("Concat", "past x", "joined", "join", axis=1),
            node("MatMul", "joined weight", "mixed", "mix"),
            node("Transpose", "mixed", "turned", "turn", perm=[0, 2, 1]),
            node("MatMul", "x turned", "scores", "score"),
            node("Softmax", "scores", "parts", "normalise", axis=-1),
            node("MatMul", "parts joined", "y", "gather"),
        ],
        [floats("past", "batch", "past", 4), floats("x", "batch", "seq", 4)],
        [floats("y", "batch", "seq", 4)],
        [weight],
        [
            floats("joined", "batch", "past + seq", 4),
            floats("mixed", "batch", "past + seq", 4),
            floats("turned", "batch", 4, "past + seq"),
            floats("scores", "batch", "seq", "past + seq"),
            floats("parts", "batch", "seq", "past + seq"),
            floats("weight", 4, 4),
        ]))


@written
def no_shape():
    named = lambda name, *dims: value(name, tensor_type(FLOAT, dims))
    inputs = [
        value("no_type"),
        value("empty_type", Type(b"")),
        value("no_elem", tensor_type(None, ["batch"])),
        value("undefined_elem", tensor_type(UNDEFINED, ["batch"])),
        value("unknown_elem", tensor_type(99, ["batch"])),
        value("no_shape", tensor_type(FLOAT)),
        named("rank_0"),
        named("absent", None, 3),
        named("empty_param", "", 3),
        named("zero", 0, 3),
        named("negative", -1, 3),
        named("digits", "2", 3),
        named("question", "?", 3),
        named("huge", 2**63 - 1, 3),
        value("type_denotation", tensor_type(FLOAT, ["N", 3, "H", "W"], "IMAGE")),
        named("dim_denotation", dim("N", "DATA_BATCH"), dim(3, "DATA_CHANNEL"), dim(None, "DATA_FEATURE")),
        named("spaces", "batch size", 3),
        named("dots", "batch.size", 3),
        named("minus", "batch-size", 3),
        named("a name with spaces", "batch"),
        named("a.name.with.dots", "batch"),
        named("a-name-with-minus", "batch"),
        named("a:0", "batch"),
    ]
    return model(graph(
        "no_shape",
        [
            node("Identity", ["absent"], ["y"], "same"),
            node("Add", ["a name with spaces", "a-name-with-minus"], ["a sum"], "add"),
            node("Add", ["a sum", "a.name.with.dots"], ["z"], "add again"),
        ],
        inputs, [value("y"), floats("z", "batch")]))


@written
def types():
    """Every kind of type; tensors of the 26 element types are named by their number."""
    tensors = [value(f"elem_{e}", tensor_type(e, ["N", 2])) for e in range(FLOAT, INT2 + 1)]
    floating, text = tensor_type(FLOAT, ["N", "M"]), tensor_type(STRING, ["N"])
    others = [
        value("sparse", sparse_type(FLOAT, ["N", 100])),
        value("sparse_no_shape", sparse_type(DOUBLE)),
        value("sequence", sequence_type(floating)),
        value("map", map_type(INT64, floating)),
        value("optional", optional_type(floating)),
        value("opaque", opaque_type("test.opaque", "Handle")),
        value("opaque_bare", opaque_type(None, None)),
        value("sequence_of_map", sequence_type(map_type(STRING, text))),
        value("sequence_of_sequence", sequence_type(sequence_type(tensor_type(INT8, [])))),
        value("optional_sequence", optional_type(sequence_type(floating))),
        value("optional_of_sparse", optional_type(sparse_type(FLOAT, [3, "M"]))),
        value("map_of_sequence", map_type(INT32, sequence_type(tensor_type(FLOAT)))),
        value("map_of_map", map_type(STRING, map_type(UINT8, floating))),
        value("sequence_of_nothing", Type(message(data(4, b"")))),
    ]
    return model(graph(
        "types",
        [node("Identity", "sequence", "y", "same"), node("OptionalGetElement", "optional", "z", "get")],
        tensors + others,
        [value("y", sequence_type(floating)), value("z", floating)]),
        ir=13, opset={"": 25})


# subgraphs

@written
def if_():
    """Both branches read x and bias from the outer graph; only they declare the tensors in between."""
    then = graph(
        "then_graph",
        [node("Add", "x bias", "shifted", "shift"), node("Relu", "shifted", "then_out", "clip")],
        [], [floats("then_out", "batch", 4)], [], [floats("shifted", "batch", 4)])
    other = graph(
        "else_graph",
        [node("Mul", "x scale", "scaled", "scale"), node("Neg", "scaled", "else_out", "negate")],
        [], [floats("else_out", "batch", 4)],
        [float_tensor("scale", [4], [1.0, 2.0, 3.0, 4.0])], [floats("scaled", "batch", 4)])
    return model(graph(
        "if",
        [node("If", "flag", "y", "choose", then_branch=then, else_branch=other)],
        [floats("x", "batch", 4), bools("flag")],
        [floats("y", "batch", 4)],
        [float_tensor("bias", [4], [0.5] * 4)]))


@written
def loop():
    """One carried value, one scan output that grows by one step per iteration."""
    body = graph(
        "body",
        [
            node("Add", "state x", "sum", "add"),
            node("Identity", "sum", "state_out", "carry"),
            node("ReduceMean", "sum", "step", "mean", axes=[1], keepdims=0),
            node("Identity", "go", "go_out", "go on"),
        ],
        [ints("turn"), bools("go"), floats("state", "batch", 4)],
        [bools("go_out"), floats("state_out", "batch", 4), floats("step", "batch")],
        [], [floats("sum", "batch", 4)])
    return model(graph(
        "loop",
        [node("Loop", ["turns", "", "start"], ["last", "steps"], "repeat", body=body)],
        [ints("turns"), floats("start", "batch", 4), floats("x", "batch", 4)],
        [floats("last", "batch", 4), floats("steps", "turns", "batch")]))


@written
def scan():
    body = graph(
        "cell",
        [
            node("MatMul", "step weight", "seen", "look"),
            node("Add", "state seen", "sum", "add"),
            node("Tanh", "sum", "state_out", "squash"),
            node("Identity", "state_out", "step_out", "emit"),
        ],
        [floats("state", "batch", 3), floats("step", "batch", 2)],
        [floats("state_out", "batch", 3), floats("step_out", "batch", 3)],
        [], [floats("seen", "batch", 3), floats("sum", "batch", 3)])
    return model(graph(
        "scan",
        [node("Scan", "start steps", "last all", "recur", body=body, num_scan_inputs=1)],
        [floats("start", "batch", 3), floats("steps", "seq", "batch", 2)],
        [floats("last", "batch", 3), floats("all", "seq", "batch", 3)],
        [float_tensor("weight", [2, 3], [1.0, 0.0, 0.5, 0.0, 1.0, 0.5])]))


@written
def sequence_map():
    body = graph(
        "each",
        [node("Mul", "item factor", "scaled", "scale"), node("Relu", "scaled", "item_out", "clip")],
        [floats("item", "rows", 4)], [floats("item_out", "rows", 4)],
        [], [floats("scaled", "rows", 4)])
    some = sequence_type(tensor_type(FLOAT, ["rows", 4]))
    return model(graph(
        "sequence_map",
        [node("SequenceMap", "items", "mapped", "map", body=body)],
        [value("items", some), floats("factor", 1)],
        [value("mapped", some)]))


@written
def nested():
    """An If in a Loop in a function, each with its own value_info and symbols."""
    then = graph(
        "up", [node("Relu", "state", "raised", "raise"), node("Identity", "raised", "up_out", "out")],
        [], [floats("up_out", "batch", "seq")], [], [floats("raised", "batch", "inner_up")])
    other = graph(
        "down", [node("Neg", "state", "lowered", "lower"), node("Add", "lowered x", "down_out", "out")],
        [], [floats("down_out", "batch", "seq")], [], [floats("lowered", "batch", "inner_down")])
    body = graph(
        "turn_body",
        [
            node("If", "up", "chosen", "choose", then_branch=then, else_branch=other),
            node("Identity", "chosen", "state_out", "carry"),
            node("Identity", "go", "go_out", "go on"),
        ],
        [ints("turn"), bools("go"), floats("state", "batch", "seq")],
        [bools("go_out"), floats("state_out", "batch", "seq")],
        [], [floats("chosen", "batch", "loop_seq")])
    walk = function(
        "test.nested", "walk", "x turns up", "y",
        [
            node("Identity", "x", "start", "begin"),
            node("Loop", ["turns", "", "start"], ["walked"], "repeat", body=body),
            node("Identity", "walked", "y", "end"),
        ],
        {"": 17},
        values=[floats("start", "batch", "function_seq"), floats("walked", "batch", "seq")])
    return model(
        graph(
            "nested",
            [
                node("walk", "x turns up", "walked", "walk", "test.nested"),
                node("Relu", "walked", "y", "clip"),
            ],
            [floats("x", "batch", "seq"), ints("turns"), bools("up")],
            [floats("y", "batch", "seq")],
            [], [floats("walked", "batch", "seq")]),
        ir=10, opset={"": 17, "test.nested": 1}, functions=[walk])


def tower(floors, top, **other):
    """If in If in If; `top` is the graph of the innermost branch, `other` what all of them share."""
    inner = top
    for i in range(floors - 1, 0, -1):
        again = node("If", "c", f"y{i}", then_branch=inner, **other)
        inner = graph(f"f{i}", [again], [], [floats(f"y{i}", "batch")] if other else [])
    return model(graph(
        "tower", [node("If", "c", "y", "ground", then_branch=inner, **other)],
        [bools("c"), floats("x", "batch")], [floats("y", "batch")]))


@written
def deep():
    """30 nested graphs: 97 messages, just within protobuf's limit of 100."""
    top = graph("top", [node("Relu", "x", "z", "clip")], [], [floats("z", "batch")])
    return tower(30, top, else_branch=graph("e", [node("Neg", "x", "n")], [], [floats("n", "batch")]))


@written
def too_deep():
    return tower(200, graph("top", [node("Relu", "x", "z")]))


@written
def shadow():
    """In the branch, `t` and `weight` shadow outer tensors."""
    then = graph(
        "inner",
        [node("MatMul", "x weight", "t", "inner product"), node("Relu", "t", "then_out", "clip")],
        [], [floats("then_out", "batch", 5)],
        [float_tensor("weight", [4, 5], [1.0] * 20)], [floats("t", "batch", 5)])
    other = graph(
        "outer", [node("MatMul", "t wide", "else_out", "widen")],
        [], [floats("else_out", "batch", 5)], [float_tensor("wide", [3, 5], [0.5] * 15)])
    return model(graph(
        "shadow",
        [
            node("MatMul", "x weight", "t", "outer product"),
            node("If", "flag", "y", "choose", then_branch=then, else_branch=other),
            node("Relu", "t", "z", "after"),
        ],
        [floats("x", "batch", 4), bools("flag")],
        [floats("y", "batch", 5), floats("z", "batch", 3)],
        [float_tensor("weight", [4, 3], [2.0] * 12)], [floats("t", "batch", 3)]))


# functions and training

SCALE = function(
    "test.fn", "scale", "x", "y",
    [
        node("Constant", "", "k", "factor", raw=[reference("value_float", "factor", 1)]),
        node("Mul", "x k", "y", "multiply"),
    ],
    {"": 17}, attributes=["factor"], values=[floats("k")], doc="x times factor, which the caller must give")

SCALE_BIAS = function(
    "test.fn", "scale", "x bias", "y",
    [
        node("Constant", "", "k", "factor", raw=[reference("value_float", "factor", 1)]),
        node("Mul", "x k", "scaled", "multiply"),
        node("Add", "scaled bias", "y", "add"),
    ],
    {"": 17}, overload="bias", defaults=[attribute("factor", 0.5, "half unless told")],
    values=[floats("scaled", "batch", 4)])

# Passes its own attribute to both overloads of another function.
TWICE = function(
    "test.fn", "twice", "x bias", "y",
    [
        node("scale", "x", "once", "first", "test.fn", raw=[reference("factor", "amount", 1)]),
        node("scale", "once bias", "y", "second", "test.fn", overload="bias",
             raw=[reference("factor", "amount", 1)]),
    ],
    {"": 17, "test.fn": 1}, attributes=["amount"], values=[floats("once", "batch", "features")],
    metadata={"origin": "tests"})


@written
def functions():
    return model(
        graph(
            "functions",
            [
                node("scale", "x", "a", "plain", "test.fn", factor=2.0),
                node("scale", "a bias", "b", "with bias", "test.fn", overload="bias"),
                node("scale", "b bias", "c", "with both", "test.fn", overload="bias", factor=4.0),
                node("twice", "c bias", "y", "two calls", "test.fn", amount=3.0),
            ],
            [floats("x", "batch", 4)], [floats("y", "batch", 4)],
            [float_tensor("bias", [4], [1.0, 2.0, 3.0, 4.0])]),
        ir=10, opset={"": 17, "test.fn": 1}, functions=[SCALE, SCALE_BIAS, TWICE])


@written
def function_only():
    return model(None, ir=10, opset={"": 17, "test.fn": 1}, functions=[SCALE, SCALE_BIAS, TWICE])


@written
def training():
    start = graph(
        "start", [node("RandomNormal", "", "weight_start", "draw", shape=[4, 2], seed=1.0)],
        [], [floats("weight_start", 4, 2)])
    step = graph(
        "step",
        [
            node("Sub", "y target", "error", "compare"),
            node("Transpose", "x", "x_turned", "turn", perm=[1, 0]),
            node("MatMul", "x_turned error", "slope", "differentiate"),
            node("Mul", "slope rate", "change", "slow down"),
            node("Sub", "weight change", "weight_new", "step"),
        ],
        [floats("target", "batch", 2)], [floats("weight_new", 4, 2)],
        [float_tensor("rate", [], [0.01])], [floats("x_turned", 4, "batch")])
    info = message(
        data(1, start), data(2, step),
        entries(3, {"weight": "weight_start"}), entries(4, {"weight": "weight_new"}))
    return model(
        graph(
            "training", [node("MatMul", "x weight", "y", "predict")],
            [floats("x", "batch", 4)], [floats("y", "batch", 2)],
            [float_tensor("weight", [4, 2], [0.0] * 8)]),
        training=[info])


# weights that are not in the file, or not dense

def external_data():
    return struct.pack("<16f", *range(16)) + struct.pack("<2q", 2, -1) + struct.pack("<3i", 7, 8, 9) + b"\x05"


@written
def external():
    held = external_tensor("", INT32, [3], "external.bin", offset=80, length=12)
    return model(graph(
        "external",
        [
            node("MatMul", "x weight", "t", "mix"),
            node("Reshape", "t target", "y", "reshape"),
            node("Constant", "", "three", "constant", value=held),
            node("Identity", "head", "z", "same"),
            node("Identity", "rest", "u", "same again"),
        ],
        [floats("x", "batch", 4)],
        [
            floats("y", 2, "2*batch"),
            value("three", tensor_type(INT32, [3])),
            floats("z", 2),
            floats("u", 2, 3),
        ],
        [
            external_tensor("weight", FLOAT, [4, 4], "external.bin", offset=0, length=64),
            external_tensor("target", INT64, [2], "external.bin", offset=64, length=16),
            external_tensor("flag", UINT8, [1], "external.bin", offset=92, length=1, checksum="0" * 40),
            external_tensor("head", FLOAT, [2], "external.bin", length=8),  # from the start
            external_tensor("rest", FLOAT, [2, 3], "whole.bin"),  # the file is the tensor
        ]))


@written
def external_sub():
    return model(graph(
        "external_sub",
        [node("Mul", "x weight", "t", "scale"), node("Reshape", "t target", "y", "reshape")],
        [floats("x", "batch", 4)], [floats("y", 2, "2*batch")],
        [
            external_tensor("weight", FLOAT, [4], "sub/data.bin", offset=0, length=16),
            external_tensor("target", INT64, [2], "sub/data.bin", offset=16, length=16),
        ]))


@written
def external_missing():
    return model(graph(
        "external_missing",
        [
            node("Reshape", "x target", "t", "reshape"),
            node("MatMul", "t weight", "u", "mix"),
            node("Reshape", "u beyond", "y", "again"),
        ],
        [floats("x", "batch", 4)], [floats("y", None, None)],
        [
            external_tensor("weight", FLOAT, [4, 4], "nowhere.bin", offset=0, length=64),
            external_tensor("target", INT64, [2], "nowhere.bin", offset=64, length=16),
            # the file exists but ends before it
            external_tensor("beyond", INT64, [2], "external.bin", offset=1 << 40, length=16),
        ]))


@written
def external_escape():
    """Small integers, which a reader would load to compute shapes."""
    places = {
        "parent": "../x",
        "absolute": "/etc/passwd",
        "through": "sub/../../x",
        "linked_file": "link.bin",
        "linked_folder": "outside/meson.build",
        "folder": "sub",
        "here": ".",
        "nameless": "",
        "nul": "external.bin\0.txt",
        "numbers": "external.bin",
        "negative": "external.bin",
    }
    where = {"numbers": {"offset": "0x10", "length": "many"}, "negative": {"offset": -8, "length": 8}}
    made = [
        external_tensor(name, INT64, [1], place, **where.get(name, {"offset": 0, "length": 8}))
        for name, place in places.items()]
    return model(graph(
        "external_escape",
        [node("Reshape", ["x", name], [f"y_{name}"], name) for name in places],
        [floats("x", "batch")], [floats(f"y_{name}", None) for name in places], made))


@written
def sparse():
    linear = sparse_tensor(
        float_tensor("weight", [3], [1.0, 2.0, 3.0]), int_tensor(None, [3], [0, 5, 11]), [3, 4])
    pairs = sparse_tensor(
        float_tensor("mask", [2], [1.0, 1.0]), int_tensor(None, [2, 2], [0, 1, 2, 3]), [3, 4])
    held = sparse_tensor(float_tensor(None, [1], [9.0]), int_tensor(None, [1], [2]), [4])
    return model(graph(
        "sparse",
        [
            node("Mul", "weight mask", "both", "meet"),
            node("Constant", "", "row", "constant", sparse_value=held),
            node("Add", "both row", "rows", "add"),
            node("MatMul", "x rows", "y", "mix"),
        ],
        [floats("x", "batch", 3)], [floats("y", "batch", 4)],
        sparse=[linear, pairs]))


@written
def initializer_input():
    """IR 3 requires every initializer to be an input too: these are defaults, not axes to edit."""
    return model(
        graph(
            "initializer_input",
            [node("Gemm", "x weight bias", "y", "mix"), node("Add", "y wrong", "z", "add")],
            [floats("x", "batch", 4), floats("weight", 4, 3), floats("bias", 3), floats("wrong", 4)],
            [floats("z", "batch", 3)],
            [
                float_tensor("weight", [4, 3], [1.0] * 12),
                float_tensor("bias", [3], [0.0] * 3),
                float_tensor("wrong", [3], [0.0] * 3),  # the input declares 4
            ]),
        ir=3, opset={"": 8})


@written
def quant():
    note = message(
        data(1, "x_quant"), entries(2, {"SCALE_TENSOR": "scale", "ZERO_POINT_TENSOR": "zero"}))
    other = message(data(1, "weight"), entries(2, {"SCALE_TENSOR": "scale"}))
    return model(graph(
        "quant",
        [
            node("QuantizeLinear", "x scale zero", "x_quant", "quantise"),
            node("DequantizeLinear", "x_quant scale zero", "x_again", "dequantise"),
            node("MatMul", "x_again weight", "y", "mix"),
        ],
        [floats("x", "batch", 4)], [floats("y", "batch", 2)],
        [
            float_tensor("scale", [], [0.1]),
            tensor("zero", UINT8, [], data(9, b"\x80")),
            float_tensor("weight", [4, 2], [0.5] * 8),
        ],
        annotations=[note, other]))


# metadata and attributes

def prose(length):
    line = "A long text that no summary should print whole. "
    return (line * (length // len(line) + 1))[:length]


@written
def metadata():
    note = lambda level: {"level": level, "empty": "", "language": "größe 大きさ"}
    helper = function(
        "test.meta", "same", "a", "b", [node("Identity", "a", "b", "same")], {"": 17},
        metadata=note("function"))
    weight = tensor(
        "weight", FLOAT, [4], data(9, struct.pack("<4f", 1, 2, 3, 4)), doc="four numbers",
        metadata=note("tensor"))
    return model(
        graph(
            "metadata",
            [
                node("Mul", "x weight", "t", "scale", doc=prose(4200), metadata=note("node")),
                node("same", "t", "y", "same", "test.meta"),
            ],
            [value("x", tensor_type(FLOAT, ["batch", 4]), "the input", note("input"))],
            [value("y", tensor_type(FLOAT, ["batch", 4]), "the output", note("output"))],
            [weight],
            [value("t", tensor_type(FLOAT, ["batch", 4]), "in between", note("value_info"))],
            doc=prose(4100), metadata=note("graph")),
        ir=10, opset={"": 17, "test.meta": 1}, functions=[helper], metadata=note("model"),
        doc="Short.", domain="test.metadata", version=3)


@written
def devices():
    """Symbols also occur in sharding specs."""
    def sharded(axis, d, shards):
        simple = message(integer(1, d) if isinstance(d, int) else data(2, d), integer(3, shards))
        return message(integer(1, axis), data(2, simple))

    rows = message(
        data(1, "x"), [integer(2, d) for d in (0, 1)], data(4, sharded(0, "batch", 2)),
        data(4, sharded(1, 4, 1)))
    groups = message(
        data(1, "y"), [integer(2, d) for d in (0, -1)],
        data(3, message(integer(1, -1), [integer(2, d) for d in (1, 2, 3)])),
        data(4, sharded(0, "batch", 2)), data(4, sharded(1, "features", 1)))
    placed = message(
        data(1, "two by two"), data(2, rows), data(2, groups), integer(3, 1))
    elsewhere = message(data(1, "one"), integer(3, 0))
    config = lambda name, *names: message(data(1, name), integer(2, len(names)), strings(3, names))
    return model(
        graph(
            "devices",
            [
                node("MatMul", "x weight", "t", "mix", devices=[placed, elsewhere]),
                node("Relu", "t", "y", "clip", devices=[elsewhere]),
            ],
            [floats("x", "batch", 4)], [floats("y", "batch", "features")],
            [float_tensor("weight", [4, 4], [1.0] * 16)]),
        ir=11, opset={"": 23},
        configurations=[config("two by two", "gpu:0", "gpu:1", "gpu:2", "gpu:3"), config("one", "cpu")])


@written
def attributes():
    weights = float_tensor("w", [2], [1.0, 2.0])
    picture = graph("held", [node("Relu", "x", "held_out", "clip")], [], [floats("held_out", "batch")])
    thin = sparse_tensor(float_tensor(None, [1], [1.0]), int_tensor(None, [1], [1]), [3])
    kind = tensor_type(FLOAT, ["batch", "held"])
    every = dict(
        f=1.5, i=-7, s="text", t=weights, g=picture, sparse=thin, tp=kind,
        floats=[1.5, -0.0, float("inf"), float("nan")], ints=[1, -1, 2**63 - 1, -2**63],
        strings=["", "one", "two words"], tensors=[weights, int_tensor("v", [], [3])],
        graphs=[picture, graph("other", [], [], [])], sparses=[thin, thin],
        tps=[kind, sequence_type(kind)])
    odd = [
        message(data(1, "none"), integer(20, 7)),
        message(data(1, "bytes"), data(4, b"\0\xff"), integer(20, 3)),
        message(data(1, "untyped"), integer(3, 5)),  # IR 1 had no type
    ]
    # in the order of AttributeType
    order = "f i s t g floats ints strings tensors graphs sparse sparses tp tps"
    kinds = {name: kind for kind, name in enumerate(order.split(), 1)}
    names = sorted(kinds)
    every_ref = function(
        "test.attr", "refer", "x", "y",
        [node("Every", "x", "y", "refer", "test.other",
              raw=[reference(name, f"{name}_given", kinds[name]) for name in names])],
        {"": 17, "test.other": 1}, attributes=[f"{name}_given" for name in names])
    return model(
        graph(
            "attributes",
            [
                node("Every", "x", "t", "every", "test.other", raw=odd, **every),
                node("refer", "t", "y", "refer", "test.attr", **{f"{k}_given": v for k, v in every.items()}),
            ],
            [floats("x", "batch")], [floats("y", "batch")]),
        ir=10, opset={"": 17, "test.other": 1, "test.attr": 1}, functions=[every_ref])


@written
def attributes_big():
    """Each of these fields is above 4 KiB, in every encoding."""
    some_ints, some_floats = [i % 100 for i in range(2100)], [i / 4 for i in range(1030)]
    return model(
        graph(
            "attributes_big",
            [
                node("Big", "x", "a", "packed ints", "test.other", raw=[packed_ints("big", some_ints * 2)]),
                node("Big", "a", "b", "unpacked ints", "test.other", big=some_ints),
                node("Big", "b", "c", "packed floats", "test.other", raw=[packed_floats("big", some_floats)]),
                node("Big", "c", "d", "unpacked floats", "test.other", big=some_floats[:830]),
                node("Big", "d", "e", "many strings", "test.other", big=[f"word {i:03}" for i in range(420)]),
                node("Big", "e", "y", "one string", "test.other", big=prose(4200)),
            ],
            [floats("x", "batch")], [floats("y", "batch")]),
        opset={"": 17, "test.other": 1})


# other encodings of the same content

def plain():
    """A little of everything, for unusual encodings."""
    then = graph(
        "then_graph", [node("Add", "t bias", "then_out", "add")], [], [floats("then_out", "batch", "seq", 4)],
        [], [floats("then_out", "batch", "seq", 4)])
    other = graph(
        "else_graph", [node("Neg", "t", "else_out", "negate")], [], [floats("else_out", "batch", "seq", 4)])
    helper = function(
        "test.plain", "clip", "a", "b", [node("Relu", "a", "b", "relu")], {"": 17},
        values=[floats("b", "batch", "seq", 4)], metadata={"kind": "helper"})
    return model(
        graph(
            "plain",
            [
                node("clip", "x", "t", "first", "test.plain", doc="A call.", metadata={"scope": "top"}),
                node("Transpose", "t", "turned", "turn", perm=[0, 2, 1]),
                node("If", "flag", "y", "choose", then_branch=then, else_branch=other),
            ],
            [value("x", tensor_type(FLOAT, [dim("batch", "DATA_BATCH"), "seq", 4]), "Input."), bools("flag")],
            [floats("y", "batch", "seq", 4), floats("turned", "batch", 4, "seq")],
            [float_tensor("bias", [4], [1.0, 2.0, 3.0, 4.0]), int_tensor("sizes", [3], [-1, 300, 70000])],
            [floats("t", "batch", "seq", 4)], doc="Plain."),
        ir=10, opset={"": 17, "test.plain": 1}, functions=[helper], metadata={"origin": "tests"})


@written
def unknown_fields():
    """Each message ends in unknown fields; some forge the reader's internal notes."""
    # an AxedPayload: "the contents of field 9 are the first terabyte of the file"
    forged = message(integer(1, 9), integer(2, 0), integer(3, 1 << 40), integer(4, 1))
    junk = [
        integer(1000, 2**64 - 1),
        fixed64(1001, b"unknown!"),
        data(1002, "unknown"),
        wire_group(1003, integer(1, 7), wire_group(2, data(3, "deep")), fixed32(4, b"four")),
        fixed32(1004, b"\1\2\3\4"),
        integer(50001, 1), data(50001, forged), integer(50002, 1), data(50002, forged),
        integer((1 << 29) - 1, 0),
    ]
    with wire.style(extra=junk):
        return plain()


@written
def padded_varints():
    """A length of 2, 3 and 5 bytes where 1 would do, in one file and at every level."""
    def chain(**how):
        with wire.style(**how):
            suffix = f"_{how['length']}"
            return (
                node("Transpose", f"x{suffix}", f"y{suffix}", f"turn{suffix}", perm=[1, 0]),
                floats(f"x{suffix}", "batch", 4), floats(f"y{suffix}", 4, "batch"),
                int_tensor(f"w{suffix}", [2], [1, -1]))

    parts = [
        chain(tag=1, length=2, value=2),
        chain(tag=2, length=3, value=10),
        chain(tag=5, length=5, value=5),
    ]
    nodes, inputs, outputs, tensors = map(list, zip(*parts))
    with wire.style(length=5, tag=3, value=4):
        return model(graph("padded", nodes, inputs, outputs, tensors))


@written
def any_order():
    """Everything in reverse order; one function shuffled."""
    with wire.style(order=wire.reverse):
        first = plain()
    with wire.style(order=wire.shuffle(7)):
        second = function(
            "test.order", "mix", "a b", "c",
            [node("Concat", "a b", "ab", "join", axis=0, doc="Joined."), node("Relu", "ab", "c", "clip")],
            {"": 17}, values=[floats("ab", "rows", 4), floats("c", "rows", 4)], metadata={"k": "v", "l": "w"})
    return data(25, second).data + first  # concatenated messages are one message


@written
def split():
    """Messages in pieces, which protobuf merges: fields override, lists append, messages merge."""
    two_types = lambda name, first, second: message(data(1, name), data(2, first), data(2, second))
    tensor_piece = lambda *fields: message(data(1, message(*fields)))
    batch, four = data(1, dim("batch")), data(1, dim(4))

    halves = two_types(  # element type in one, shape in the other
        "x", tensor_piece(integer(1, FLOAT)), tensor_piece(data(2, message(batch, four))))
    shapes = two_types(  # one dim in each: the shape has two
        "y", tensor_piece(integer(1, FLOAT), data(2, message(batch))), tensor_piece(data(2, message(four))))
    inside = value("u", Type(message(  # the pieces side by side in one TypeProto
        data(1, message(integer(1, INT8), data(2, message(batch)))),
        data(1, message(integer(1, FLOAT), data(2, message(four)))))))
    # A Dimension is an element of a list and so never merged with another, but its fields may come twice.
    dims = value("z", tensor_type(FLOAT, [
        message(data(2, "old"), data(3, "OLD"), data(2, "batch"), data(3, "DATA_BATCH")),
        message(data(2, "lost"), integer(1, 4)),  # the name is overwritten by a size
        message(integer(1, 9), data(2, "seq")),  # and the other way round
        message(data(2, "lost"), integer(1, 9), data(2, "back")),  # overwritten and back
        message(integer(1, 2), data(2, "lost"), integer(1, 2)),
    ]))
    # a tensor, then a sequence, then a tensor unrelated to the first
    back = value("v", Type(message(
        data(1, message(integer(1, INT64), data(2, message(four, four, four)))),
        data(4, message(data(1, tensor_type(FLOAT, ["lost"])))),
        data(1, message(integer(1, FLOAT), data(2, message(batch, four)))))))
    held = message(
        data(1, "value"), integer(20, 4),
        data(5, message(integer(1, 2), integer(2, INT64), packed(7, varints([1, 2, 3])), data(8, "first"))),
        data(5, message(integer(1, 3), packed(7, varints([4, 5, 6])), data(8, "whole"))))
    constant = node("Constant", "", "six", "constant", raw=[held])

    first = graph("first", [node("Relu", "x", "y", "clip")], [halves, inside, dims], [shapes])
    second = graph("whole", [constant, node("Identity", "u", "v", "same")], [], [back, ints("six", 2, 3)])
    return data(7, first).data + model(None) + data(7, second).data


@written
def wrong_wire_type():
    """Known field numbers with the wrong wire type: unknown fields, by protobuf's rules."""
    axis = message(
        data(2, "batch"), integer(2, 5), data(1, "7"), fixed64(1, bytes(8)), wire_group(2, integer(1, 1)))
    x = message(
        data(1, "x"), integer(1, 3), fixed32(2, bytes(4)),
        data(2, message(
            data(1, message(integer(1, FLOAT), data(1, "INT64"), data(2, shape([axis, 4])), integer(2, 1))),
            integer(4, 1), fixed64(6, bytes(8)))))
    weight = message(
        integer(1, 4), fixed32(1, b"\2\0\0\0"),  # dims may be packed, but are never fixed
        integer(2, FLOAT), data(2, "six"), data(9, struct.pack("<4f", 1, 2, 3, 4)), integer(9, 1),
        data(8, "weight"), integer(8, 1), integer(4, 1), wire_group(5, integer(1, 1)))
    mul = message(
        strings(1, ["x", "weight"]), integer(1, 9), data(2, "y"), fixed32(2, bytes(4)), data(4, "Mul"),
        integer(4, 1), data(3, "scale"), fixed64(3, bytes(8)), integer(5, 2), wire_group(5, data(1, "axis")))
    whole = graph(
        "wrong", [mul], [x], [floats("y", "batch", 4)], [weight],
        extra=[
            integer(1, 1), fixed32(2, bytes(4)), integer(5, 1), wire_group(11, data(1, "ghost")),
            fixed64(12, bytes(8)),
        ])
    return model(whole, extra=[
        data(1, "not a version"), integer(2, 1), integer(7, 1), wire_group(7, data(2, "ghost")),
        fixed64(8, bytes(8)),
    ])


@written
def packed_variants():
    """Lists in one packed field, in single fields, and in a mixture; all are the same list."""
    def tensor_with(name, dims, content):
        return message(dims, integer(2, INT64), content, data(8, name))

    apart = lambda number, items: [integer(number, i) for i in items]
    together = lambda number, items: packed(number, varints(items))
    six = [1, -1, 300, 0, 7, 2**40]
    pack_floats = lambda number, items: packed(number, struct.pack(f"<{len(items)}f", *items))
    tensors = [
        tensor_with("packed", together(1, [2, 3]), together(7, six)),
        tensor_with("apart", apart(1, [2, 3]), apart(7, six)),
        tensor_with("mixed", [apart(1, [2]), together(1, [3])],
                    [together(7, six[:2]), apart(7, six[2:4]), together(7, six[4:])]),
        tensor_with("empty_piece", [data(1, b""), together(1, [2, 3])], [data(7, b""), together(7, six)]),
        message(together(1, [2]), integer(2, FLOAT),
                [pack_floats(4, [1.0]), wire.float32(4, 2.0)], data(8, "floats")),
        message(apart(1, [2]), integer(2, INT32), [apart(5, [-5]), together(5, [5])], data(8, "ints")),
        message(apart(1, [2]), integer(2, DOUBLE),
                [fixed64(10, struct.pack("<d", 0.5)), packed(10, struct.pack("<d", 1.5))],
                data(8, "doubles")),
        message(apart(1, [2]), integer(2, UINT64),
                [apart(11, [2**64 - 1]), together(11, [1])], data(8, "longs")),
    ]
    thin = message(
        data(1, float_tensor("thin", [1], [1.0])), data(2, int_tensor(None, [1], [5])),
        apart(3, [2]), together(3, [3]))
    mixed_perm = message(data(1, "perm"), apart(8, [1]), together(8, [0]), integer(20, 7))
    mixed_scales = message(
        data(1, "scales"), wire.float32(7, 1.0), pack_floats(7, [2.0, 3.0]), wire.float32(7, 4.0),
        integer(20, 6))
    spec = message(
        data(1, "x"), together(2, [0, 1]), integer(2, 2),
        data(3, message(integer(1, 2), together(2, [0, 1]))))
    placed = message(data(1, "pair"), data(2, spec))
    return model(
        graph(
            "packed_variants",
            [
                node("Transpose", "x", "a", "mixed perm", raw=[mixed_perm], devices=[placed]),
                node("Transpose", "a", "y", "packed perm", raw=[packed_ints("perm", [1, 0])]),
                node("Scale", "y", "z", "mixed scales", "test.other", raw=[mixed_scales]),
            ],
            [floats("x", "batch", 4)], [floats("y", "batch", 4)], tensors, sparse=[thin]),
        ir=11, opset={"": 17, "test.other": 1},
        configurations=[message(data(1, "pair"), integer(2, 2))])


# graphs that are odd or wrong

@written
def cycle():
    return model(graph(
        "cycle",
        [
            node("Add", "x c", "a", "first"),
            node("Relu", "a", "b", "second"),
            node("Neg", "b", "c", "third"),
            node("Add", "self x", "self", "alone"),
            node("Abs", "x", "y", "innocent"),
        ],
        [floats("x", "batch")], [floats("c", "batch"), floats("y", "batch")]))


@written
def duplicate_names():
    return model(graph(
        "duplicate_names",
        [
            node("Relu", "x", "t", "same"),
            node("Neg", "x", "t", "same"),  # writes t again
            node("Abs", "t", "x", "same"),  # and this an input
            node("Add", "t weight", "y", "same"),
            node("Split", "x", "twice twice", "split"),
        ],
        [floats("x", "batch"), floats("x", "batch", 2)], [floats("y", "batch"), floats("y", "batch")],
        [float_tensor("weight", [1], [1.0]), float_tensor("weight", [2], [1.0, 2.0])],
        [floats("t", "batch"), floats("t", "other")]))


@written
def missing_name():
    return model(graph(
        None,
        [
            node("Add", "x nobody", "t"),
            node(None, "t", "u"),  # not even an operator
            node("Relu", "u", [""]),
            node("Relu", "u", []),
            message(),
        ],
        [floats("x", "batch"), floats(None, "batch"), floats("", "batch")],
        [floats("u", "batch"), floats("never_written", "batch"), floats(None, "batch")],
        [float_tensor(None, [1], [1.0])]))


@written
def unsorted():
    return model(graph(
        "unsorted",
        [
            node("Relu", "c", "y", "fourth"),
            node("Neg", "b", "c", "third"),
            node("Add", "x x", "a", "first"),
            node("Abs", "a", "b", "second"),
        ],
        [floats("x", "batch")], [floats("y", "batch")]))


@written
def empty_names():
    """Optional inputs and outputs omitted, in the middle and at the end."""
    return model(graph(
        "empty_names",
        [
            node("Clip", ["x", "", "high"], ["a"], "middle"),
            node("Clip", ["a", "", ""], ["b"], "trailing"),
            node("LSTM", ["b", "w", "r", "", "", ""], ["", "last", ""], "outputs", hidden_size=2),
            node("Resize", ["last", "", "scales"], ["y"], "two", mode="nearest"),
        ],
        [floats("x", "seq", "batch", 3)], [floats("y", 1, "batch", 4)],
        [
            float_tensor("high", [], [1.0]),
            float_tensor("w", [1, 8, 3], [0.5] * 24),
            float_tensor("r", [1, 8, 2], [0.5] * 16),
            float_tensor("scales", [3], [1.0, 1.0, 2.0]),
        ]))


HOSTILE = [
    b"\x1b[2J\x1b[1;1Hclear",  # moves the cursor
    b"\x1b]0;title\x07",  # sets the terminal's title
    b"\xc2\x9b31mC1",  # the same with one character
    b"two\nlines\r\tand tab",
    "abc\u202edef\u202c".encode(),  # shown right to left
    "zero\u200bwidth\ufeff".encode(),
    b"nul\0inside",
    b"\xff\xfe not UTF-8",
    b"over\xc0\x80long",
    b"surrogate \xed\xa0\x80",
    b"cut \xe2\x82",
    b"\"quotes\" and 'more'",
    b"back\\slash \\n \\x41 \\",
    b"</text></svg><script>alert(1)</script>&amp;",
    b"\"]; a -> b [label=\"",
    b"$(id) `id` ; rm %s %n",
    b"\x7f\x08\x08delete",
    "e\u0301 \U0001f469\u200d\U0001f4bb \u5927".encode(),  # marks, joined and wide characters
    b"long " * 600,
]


@written
def hostile_names():
    """A chain through tensors with such names; everything else is named like that too."""
    names = [b"x", *HOSTILE]
    nodes = [
        node("Identity", [a], [b], b"node " + b[:100], doc=b[:100], metadata=[(b[:100], b[:100])])
        for a, b in zip(names, names[1:])]
    bad = HOSTILE[0]
    nodes.append(node(bad, [names[-1]], [b"y"], b"custom", bad, raw=[attribute(bad, bad)]))
    return model(
        graph(
            bad, nodes,
            [value("x", tensor_type(FLOAT, [dim(h[:100]) for h in HOSTILE]), bad)], [value("y", tensor_type(FLOAT, [None]), bad)],
            [], [value(h, tensor_type(FLOAT)) for h in HOSTILE[:6]], doc=bad),
        opset=[("", 17), (bad, 1)], producer=bad, doc=bad, domain=bad, metadata=[(bad, bad)])


@written
def fan():
    readers = [node("Relu", "t", f"y{i}", f"n{i}") for i in range(200)]
    return model(graph(
        "fan", [node("Neg", "x", "t", "source"), *readers], [floats("x", "batch")],
        [floats("y0", "batch"), floats("y199", "batch")]))


@written
def empty_graph():
    return model(Graph(b""))


@written
def opsets_():
    """Several domains, the default one under both its names, and one that is not imported."""
    return model(
        graph(
            "opsets",
            [
                node("Relu", "x", "a", "default"),
                node("Neg", "a", "b", "default by name", "ai.onnx"),
                node("Normalizer", "b", "c", "ml", "ai.onnx.ml", norm="L2"),
                node("FusedGelu", "c", "d", "vendor", "com.microsoft"),
                node("Strange", "d", "y", "missing", "test.missing"),
            ],
            [floats("x", "batch", 4)], [floats("y", "batch", 4)]),
        opset=[("", 17), ("ai.onnx.ml", 3), ("com.microsoft", 1), ("ai.onnx.training", 1), ("ai.onnx", 17)])


@written
def custom_op():
    return model(
        graph(
            "custom_op",
            [
                node("Conv1", "x", "a", "before", "com.example", strides=[1, 2], mode="same"),
                node("Relu", "a", "b", "after"),
                node("Relu6Plus", "b", "c", "new in the default domain"),
                node("Pair", "c x", "d e", "two outputs", "com.example", alpha=0.5),
                node("Add", "x claimed", "y", "known again"),
                node("Magic", "d e", "claimed", "claimed", "com.example"),
            ],
            [floats("x", "batch", 4)], [floats("y", "batch", 4)],
            [], [floats("claimed", "batch", 4)]),
        opset={"": 17, "com.example": 1})
