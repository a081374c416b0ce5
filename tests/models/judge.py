"""Compare the models with what the onnx package reads; needs onnx, onnxruntime, ml_dtypes.

    python judge.py DIR           check everything, including facts.json
    python judge.py --write DIR   write facts.json first

The tests need facts.json only; README.md defines its counts.
"""

import json
import math
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

import structures

UNREADABLE = {"too_deep"}  # protobuf's own limit is 100 messages

# The first error of onnx.checker.
REFUSED = {
    "attributes": "'type' of 'attr' is required",
    "custom_op": "No Op registered for Relu6Plus",
    "cycle": "topologically sorted",
    "duplicate_names": "used as graph input names multiple times",
    "empty_graph": "'name' of 'graph'",
    "external_escape": "points outside the directory",
    "external_missing": "not regular file",
    "function_only": "'name' of 'graph'",
    "missing_name": "'name' of 'graph'",
    "no_shape": "'type' of 'value_info'",
    "opsets": "No Op registered for Neg",  # it does not know that ai.onnx is the default domain
    "shadow": "'t' has been used as output names multiple times",
    "types": "'shape' of 'type'",
    "unsorted": "topologically sorted",
}
# Valid, but shape inference rejects them.
UNINFERABLE = {
    "initializer_input": "Inferred shape and existing shape differ",
    "sparse": "unsupported type: sparse_tensor(float)",
}


def bytes_model():
    """ModelProto with bytes in place of strings, so that names that are not UTF-8 can be read."""
    file = descriptor_pb2.FileDescriptorProto()
    onnx.ModelProto.DESCRIPTOR.file.CopyToProto(file)

    def change(message):
        for field in message.field:
            if field.type == field.TYPE_STRING:
                field.type = field.TYPE_BYTES
        for inner in message.nested_type:
            change(inner)

    for message in file.message_type:
        change(message)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("onnx.ModelProto"))


BytesModel = bytes_model()


def text(name):
    """Bytes that are not UTF-8 as \\xNN."""
    return "".join(
        f"\\x{ord(c) - 0xDC00:02x}" if 0xDC80 <= ord(c) <= 0xDCFF else c
        for c in name.decode(errors="surrogateescape"))


def walk(message):
    """The message and all messages in it."""
    yield message
    for field, content in message.ListFields():
        if field.message_type:
            for inner in [content] if isinstance(content, Message) else content:
                yield from walk(inner)


def facts(content):
    try:
        model = BytesModel.FromString(content)
    except DecodeError:
        return {"refused": True}
    every = list(walk(model))
    kinds = Counter(m.DESCRIPTOR.name for m in every)
    graphs = [m for m in every if m.DESCRIPTOR.name == "GraphProto"]
    symbols = Counter(
        text(m.dim_param) for m in every
        if m.DESCRIPTOR.name in ("Dimension", "SimpleShardedDimProto") and m.dim_param)
    main = model.graph
    return {
        "ir_version": model.ir_version,
        "opsets": [[text(o.domain), o.version] for o in model.opset_import],
        "main": {
            "nodes": len(main.node),
            "inputs": len(main.input),
            "outputs": len(main.output),
            "initializers": len(main.initializer),
            "sparse_initializers": len(main.sparse_initializer),
            "value_info": len(main.value_info),
        } if model.HasField("graph") else None,
        "graphs": len(graphs),
        "nodes": kinds["NodeProto"],
        "initializers": sum(len(g.initializer) for g in graphs),
        "sparse_initializers": sum(len(g.sparse_initializer) for g in graphs),
        "functions": len(model.functions),
        "symbols": dict(sorted(symbols.items())),
    }


def complaint(model, full):
    try:
        onnx.checker.check_model(model, full_check=full)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as e:
        return str(e)
    return ""


def check_reading(path):
    name, content = path.stem, path.read_bytes()
    try:
        model = onnx.load_from_string(content)
    except DecodeError:
        assert name in UNREADABLE, name
        return
    assert name not in UNREADABLE, name
    if name.startswith("external") and name not in REFUSED:
        model = onnx.load(path)  # with its data, which the inference of Reshape needs
    for full, expected in (False, REFUSED), (True, REFUSED | UNINFERABLE):
        found = complaint(model, full)
        assert expected[name] in found if name in expected else not found, (name, full, found)


def check_same(folder):
    """Every encoding has the content of the plain one."""
    read = lambda content: onnx.load_from_string(content)
    plain = read(structures.plain())
    unknown = read((folder / "unknown_fields.onnx").read_bytes())
    assert len(unknown.SerializeToString()) > 2 * len(plain.SerializeToString())  # kept by protobuf too
    unknown.DiscardUnknownFields()
    assert unknown == plain
    order = read((folder / "any_order.onnx").read_bytes())
    del order.functions[0]
    assert order == plain
    padded = read((folder / "padded_varints.onnx").read_bytes())
    assert len(padded.SerializeToString()) < (folder / "padded_varints.onnx").stat().st_size / 1.5
    lists = {t.name: t for t in read((folder / "packed_variants.onnx").read_bytes()).graph.initializer}
    for name in ("apart", "mixed", "empty_piece"):
        assert lists[name].dims == lists["packed"].dims
        assert lists[name].int64_data == lists["packed"].int64_data

    split = read((folder / "split.onnx").read_bytes())
    shapes = {
        v.name: [(d.dim_param or d.dim_value) for d in v.type.tensor_type.shape.dim]
        for v in [*split.graph.input, *split.graph.output]}
    assert split.graph.name == "whole" and len(split.graph.node) == 3
    assert shapes == {
        "x": ["batch", 4], "y": ["batch", 4], "u": ["batch", 4], "v": ["batch", 4], "six": [2, 3],
        "z": ["batch", 4, "seq", "back", 2]}, shapes
    six = onnx.numpy_helper.to_array(split.graph.node[1].attribute[0].t)
    assert six.tolist() == [[1, 2, 3], [4, 5, 6]]

    wrong = read((folder / "wrong_wire_type.onnx").read_bytes())
    wrong.DiscardUnknownFields()
    assert [n.op_type for n in wrong.graph.node] == ["Mul"] and len(wrong.graph.input) == 1
    assert list(wrong.graph.initializer[0].dims) == [4]


def check_weights(folder):
    """Compares weights.json with numpy's own decoding of each type."""
    expected = json.loads((folder / "weights.json").read_text())
    for name in ("weights_raw", "weights_typed"):
        tensors = {t.name: t for t in onnx.load(folder / f"{name}.onnx").graph.initializer}
        assert list(tensors) == list(expected)
        for key, t in tensors.items():
            want = expected[key]
            assert (t.data_type, list(t.dims)) == (want["data_type"], want["dims"])
            if t.data_type == onnx.TensorProto.STRING:
                assert [text(s) for s in t.string_data] == want["elements"]
                continue
            array = onnx.numpy_helper.to_array(t).reshape(-1)
            assert len(array) == len(want["elements"]), key
            for got, element in zip(array, want["elements"]):
                assert matches(got, element), (name, key, got, element)


def matches(got, element):
    if isinstance(element, list):
        return matches(got.real, element[0]) and matches(got.imag, element[1])
    if isinstance(element, str):
        x = float(got)
        return (x.hex() if math.isfinite(x) else str(x)) == element
    return int(got) == element


def check_external(folder):
    model = onnx.load(folder / "external.onnx")
    got = {t.name: onnx.numpy_helper.to_array(t).reshape(-1).tolist() for t in model.graph.initializer}
    assert got == {
        "weight": list(range(16)), "target": [2, -1], "flag": [5], "head": [0, 1], "rest": list(range(6))}
    assert onnx.numpy_helper.to_array(model.graph.node[2].attribute[0].t).tolist() == [7, 8, 9]
    for name in ("external_escape", "external_missing"):
        for t in onnx.load(folder / f"{name}.onnx", load_external_data=False).graph.initializer:
            try:
                onnx.external_data_helper.load_external_data_for_tensor(t, str(folder))
            except (onnx.checker.ValidationError, ValueError, OSError):
                continue
            assert t.name == "nul", t.name  # onnx truncates the name there; we must not


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def check_running(folder):
    """Runs the models that compute something, at several sizes."""
    random = np.random.default_rng(0)
    real = lambda *size: random.standard_normal(size).astype(np.float32)

    def run(name, feed, *sizes):
        model = onnx.load(folder / f"{name}.onnx")  # loads external data
        out = session(model.SerializeToString()).run(None, feed)
        assert [o.shape for o in out] == list(sizes), (name, [o.shape for o in out])
        return out

    flag = lambda x: np.array(x)
    for batch in (1, 2, 5):
        for seq in (1, 3, 16):
            ids = random.integers(0, 32, (batch, seq))
            run("demo", {"ids": ids, "mask": np.ones_like(ids)}, (batch, 2))
            if seq < 16:
                run("demo_pinned", {"ids": ids[:1].repeat(3, 0), "mask": np.ones((3, seq), np.int64)}, (3, 2))
            run("value_info", {"past": real(batch, 3, 4), "x": real(batch, seq, 4)}, (batch, seq, 4))
            run("scan", {"start": real(batch, 3), "steps": real(seq, batch, 2)}, (batch, 3), (seq, batch, 3))
            run("loop", {"turns": flag(seq), "start": real(batch, 4), "x": real(batch, 4)},
                (batch, 4), (seq, batch))
            run("empty_names", {"x": real(seq, batch, 3)}, (1, batch, 4))
            for up in (True, False):
                run("nested", {"x": real(batch, seq), "turns": flag(2), "up": flag(up)}, (batch, seq))
                for name in ("unknown_fields", "any_order"):
                    run(name, {"x": real(batch, seq, 4), "flag": flag(up)}, (batch, seq, 4), (batch, 4, seq))
        for up in (True, False):
            run("if", {"x": real(batch, 4), "flag": flag(up)}, (batch, 4))
            run("deep", {"x": real(batch), "c": flag(up)}, (batch,))
        run("unsorted", {"x": real(batch)}, (batch,))
        run("quant", {"x": real(batch, 4)}, (batch, 2))
        run("training", {"x": real(batch, 4)}, (batch, 2))
        run("metadata", {"x": real(batch, 4)}, (batch, 4))
        run("devices", {"x": real(batch, 4)}, (batch, 4))
        run("sparse", {"x": real(batch, 3)}, (batch, 4))
        run("wrong_wire_type", {"x": real(batch, 4)}, (batch, 4))
        run("external", {"x": real(batch, 4)}, (2, 2 * batch), (3,), (2,), (2, 3))
        run("external_sub", {"x": real(batch, 4)}, (2, 2 * batch))
    # masked tokens change nothing, so the mask is really used
    ids = random.integers(0, 32, (2, 6))
    mask = np.array([[1, 1, 1, 0, 0, 0]] * 2)
    whole, = run("demo", {"ids": ids, "mask": mask}, (2, 2))
    short, = run("demo", {"ids": ids[:, :3], "mask": mask[:, :3]}, (2, 2))
    assert np.allclose(whole, short, atol=1e-5)


def check_functions(folder):
    """ONNX Runtime ignores overloads, so they become part of the name first."""
    model = onnx.load(folder / "functions.onnx")
    bodies = [f.node for f in model.functions]
    for n in [*model.graph.node, *(n for body in bodies for n in body)]:
        if n.domain:
            n.op_type, n.overload = n.op_type + n.overload, ""
    for f in model.functions:
        f.name, f.overload = f.name + f.overload, ""
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    bias = np.array([1, 2, 3, 4], np.float32)
    y, = session(model.SerializeToString()).run(None, {"x": x})
    c = (x * 2 * 0.5 + bias) * 4 + bias
    assert np.allclose(y, c * 3 * 3 + bias), y


def main(args):
    write = args[:1] == ["--write"]
    if len(args) != 1 + write:
        sys.exit(__doc__)
    folder = Path(args[-1])
    paths = sorted(folder.glob("*.onnx"))
    rows = (f"{json.dumps(p.stem)}: {json.dumps(facts(p.read_bytes()))}" for p in paths)
    counted = "{\n" + ",\n".join(rows) + "\n}\n"
    if write:
        (folder / "facts.json").write_text(counted)
    assert (folder / "facts.json").read_text() == counted, "facts.json is not what onnx counts"
    for path in paths:
        check_reading(path)
    check_same(folder)
    check_weights(folder)
    check_external(folder)
    check_running(folder)
    check_functions(folder)
    print(f"{len(paths)} models are what they should be")


if __name__ == "__main__":
    main(sys.argv[1:])
