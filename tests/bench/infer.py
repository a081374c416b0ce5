"""Measures inference, and compares it with onnx and onnxruntime if they are installed.

    python3 tests/bench/infer.py [--build build] [--python PYTHON] [--quick]

Generates a GPT with 48 blocks; Swin-T comes from next to the repository, if present.  Times exclude opening the file.
Exits 1 when a limit is exceeded.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from common import SHARED, TESTS, Failed, Peer, instructions
from generate import generate

sys.path.insert(0, str(TESTS / "models"))
from build import FLOAT, external_tensor, floats, graph, int_tensor, ints, model, node

HIDDEN, HEADS = 768, 12
MOST_PER_NODE = 0.5  # microseconds
LEAST = {"onnx": 10, "onnxruntime": 100}  # times as fast
PEER_LIMIT = 120  # s


class Writer:
    """Nodes and constants in the order of an exporter."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def op(self, op, *inputs, outputs=1, **attributes):
        name = f"{op}_{len(self.nodes)}"
        names = [f"{name}_{i}" for i in range(outputs)]
        self.nodes.append(node(op, list(inputs), names, name, **attributes))
        return names[0] if outputs == 1 else names

    def ints(self, *numbers, scalar=False):
        name = f"c{len(self.nodes)}"
        self.nodes.append(node("Constant", [], [name], f"Constant_{len(self.nodes)}",
                               value=int_tensor("", [] if scalar else [len(numbers)], numbers)))
        return name

    def weight(self, *dims):
        name = f"w{len(self.weights)}"
        self.weights.append(external_tensor(name, FLOAT, dims, "weights.bin"))
        return name


def layer_norm(w, x):
    centred = w.op("Sub", x, w.op("ReduceMean", x, axes=[-1]))
    spread = w.op("ReduceMean", w.op("Pow", centred, w.weight()), axes=[-1])
    normal = w.op("Div", centred, w.op("Sqrt", w.op("Add", spread, w.weight())))
    return w.op("Add", w.op("Mul", normal, w.weight(HIDDEN)), w.weight(HIDDEN))


def axis_of(w, x, axis):
    picked = w.op("Gather", w.op("Shape", x), w.ints(axis, scalar=True), axis=0)
    return w.op("Unsqueeze", picked, w.ints(0))


def heads(w, x, perm):
    target = w.op("Concat", axis_of(w, x, 0), axis_of(w, x, 1), w.ints(HEADS), w.ints(HIDDEN // HEADS), axis=0)
    return w.op("Transpose", w.op("Reshape", x, target), perm=perm)


def attention(w, x, past_key, past_value, mask):
    qkv = w.op("Add", w.op("MatMul", x, w.weight(HIDDEN, 3 * HIDDEN)), w.weight(3 * HIDDEN))
    q, k, v = w.op("Split", qkv, w.ints(HIDDEN, HIDDEN, HIDDEN), outputs=3, axis=2)
    q, k, v = heads(w, q, [0, 2, 1, 3]), heads(w, k, [0, 2, 1, 3]), heads(w, v, [0, 2, 1, 3])
    k, v = w.op("Concat", past_key, k, axis=2), w.op("Concat", past_value, v, axis=2)
    scores = w.op("Div", w.op("MatMul", q, w.op("Transpose", k, perm=[0, 1, 3, 2])), w.weight())
    context = w.op("MatMul", w.op("Softmax", w.op("Add", scores, mask), axis=-1), v)
    merged = w.op("Transpose", context, perm=[0, 2, 1, 3])
    target = w.op("Concat", axis_of(w, merged, 0), axis_of(w, merged, 1), w.ints(HIDDEN), axis=0)
    flat = w.op("Reshape", merged, target)
    return w.op("Add", w.op("MatMul", flat, w.weight(HIDDEN, HIDDEN)), w.weight(HIDDEN))


def feed_forward(w, x):
    wide = w.op("Add", w.op("MatMul", x, w.weight(HIDDEN, 4 * HIDDEN)), w.weight(4 * HIDDEN))
    bent = w.op("Tanh", w.op("Mul", w.op("Add", wide, w.op("Pow", wide, w.weight())), w.weight()))
    gated = w.op("Mul", wide, w.op("Add", bent, w.weight()))
    return w.op("Add", w.op("MatMul", gated, w.weight(4 * HIDDEN, HIDDEN)), w.weight(HIDDEN))


def gpt(path, blocks):
    w = Writer()
    inputs = [ints("ids", "batch", "seq"), floats("mask", "batch", 1, "seq", "past + seq")]
    x = w.op("Gather", w.weight(50257, HIDDEN), "ids")
    for i in range(blocks):
        inputs += [floats(f"{kind}{i}", "batch", HEADS, "past", HIDDEN // HEADS) for kind in ("key", "value")]
        x = w.op("Add", x, attention(w, layer_norm(w, x), f"key{i}", f"value{i}", "mask"))
        x = w.op("Add", x, feed_forward(w, layer_norm(w, x)))
    w.nodes.append(node("MatMul", [layer_norm(w, x), w.weight(HIDDEN, 50257)], ["logits"], "head"))
    content = model(graph("gpt", w.nodes, inputs, [floats("logits", "batch", "seq", 50257)], w.weights))
    Path(path).write_bytes(bytes(content))


def hold_against(peer, path, warm, ours):
    """Whether another tool is closer than its limit."""
    if not peer.version:
        print(f"    {peer.name}: SKIPPED, not installed")
        return False
    times = []
    try:
        # slow ones run once
        while len(times) < 5 and sum(times) < 5:
            times.append(peer.work("infer", path, warm, os.devnull, PEER_LIMIT)["infer"].processor)
    except Failed as why:
        print(f"    {peer.name}: SKIPPED, {why}")
        return False
    theirs = statistics.median(times) * 1e6
    print(f"    {peer.name}: {theirs / 1000:.1f} ms, {theirs / ours:.0f} times ours (limit {LEAST[peer.name]})")
    return theirs / ours < LEAST[peer.name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    program = os.path.join(options.build, "tests", "bench-infer")
    broken = False
    with tempfile.TemporaryDirectory() as folder:
        paths = {"gpt48": os.path.join(folder, "gpt48.onnx")}
        gpt(paths["gpt48"], 48)
        if (SHARED / "swin_t.onnx").exists():
            paths["swin_t"] = shutil.copy(SHARED / "swin_t.onnx", folder)
        # Never read, but the peers check that it exists: a hole of 2 GB.
        with open(os.path.join(folder, "weights.bin"), "wb") as weights:
            weights.truncate(2 << 30)
        warm = os.path.join(folder, "warm.onnx")
        generate(warm, 25)
        peers = [] if options.quick else [Peer(options.python, name) for name in LEAST]
        for name, path in paths.items():
            nodes, ours, bind, rename = subprocess.run([program, path], capture_output=True, text=True,
                                                       check=True).stdout.split()
            each = float(ours) / int(nodes)
            broken |= each > MOST_PER_NODE
            print(f"{name}: {nodes} nodes, {float(ours) / 1000:.2f} ms, {each:.3f} us a node (limit {MOST_PER_NODE})")
            # An edit of an input axis is a full pass; it may take 5 ms on these.
            broken |= float(bind) > 1000 or float(rename) > 1000 or float(ours) > 5000
            print(f"    bind {bind} us, rename {rename} us (limit 1000); an axis edit is a full pass (limit 5000)")
            for peer in peers:
                broken |= hold_against(peer, path, warm, float(ours))
        for peer in peers:
            peer.close()
        if not options.quick:
            counts = []
            for blocks in (7, 71, 709):
                gpt(os.path.join(folder, "n.onnx"), blocks)
                counts.append(instructions(program, os.path.join(folder, "n.onnx"), "1"))
            for small, large in zip(counts, counts[1:]):
                broken |= large / small > 12
                print(f"ten times the blocks: {large / small:.1f} times the instructions, opening included (limit 12)")
    sys.exit(broken)


if __name__ == "__main__":
    main()
