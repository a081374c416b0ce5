"""Writes large models: a chain of transformer layers, with weights of any size.

The output is streamed, so neither the graph nor the weights are ever in memory.  Weights are
holes in the file unless random bytes are requested: 1.9 GB take no time and no disk space.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "models"))

from build import (FLOAT, INT64, entries, external_tensor, floats, graph, int_tensor, model, node,
                   opsets, tensor_type, value)
from wire import BYTES, data, integer, join, tag, varint

NODES_PER_LAYER = 25
WEIGHTS_PER_LAYER = 6
HEADS = 8
CHUNK = 1 << 20
LENGTH_WIDTH = 5  # bytes of a length that is patched later; enough for 32 GiB


class Node(NamedTuple):
    op: str
    inputs: list
    output: str
    elem: int
    dims: list
    attributes: dict


class Weight(NamedTuple):
    name: str
    dims: list

    @property
    def size(self):
        return 4 * self.dims[0] * self.dims[1]


class Layer:
    """One transformer layer, as an exporter names and writes it."""

    def __init__(self, index, hidden):
        self.path = f"layers.{index}"
        self.hidden = hidden
        self.nodes = []
        self.weights = []
        x = "embedded" if index == 0 else f"/model/layers.{index - 1}/Add_1_output_0"
        self.feed_forward(self.attention(x))

    def add(self, scope, op, inputs, dims, elem=FLOAT, **attributes):
        output = f"/model/{self.path}/{scope}{op}_output_0"
        self.nodes.append(Node(op, inputs, output, elem, dims, attributes))
        return output

    def project(self, scope, x, rows, columns):
        weight = f"model.{self.path}.{scope.replace('/', '.')}weight"
        self.weights.append(Weight(weight, [rows, columns]))
        return self.add(scope, "MatMul", [x, weight], ["batch", "seq", columns])

    def reshape(self, scope, x, to, dims):
        content = int_tensor("", [len(to)], to)
        target = self.add(scope, "Constant", [], [len(to)], INT64, value=content)
        return self.add(scope, "Reshape", [x, target], dims)

    def head(self, scope, x, perm):
        h, width = self.hidden, self.hidden // HEADS
        split = ["batch", "seq", HEADS, width]
        x = self.project(scope, x, h, h)
        x = self.reshape(scope, x, [0, 0, HEADS, width], split)
        return self.add(scope, "Transpose", [x], [split[i] for i in perm], perm=perm)

    def attention(self, x):
        h, scope = self.hidden, "self_attn/"
        q = self.head(scope + "q_proj/", x, [0, 2, 1, 3])
        k = self.head(scope + "k_proj/", x, [0, 2, 3, 1])
        v = self.head(scope + "v_proj/", x, [0, 2, 1, 3])
        square = ["batch", HEADS, "seq", "seq"]
        scores = self.add(scope, "MatMul", [q, k], square)
        scores = self.add(scope, "Add", [scores, "mask"], square)
        scores = self.add(scope, "Softmax", [scores], square, axis=-1)
        y = self.add(scope + "mix/", "MatMul", [scores, v], ["batch", HEADS, "seq", h // HEADS])
        y = self.add(scope, "Transpose", [y], ["batch", "seq", HEADS, h // HEADS], perm=[0, 2, 1, 3])
        y = self.reshape(scope, y, [0, 0, h], ["batch", "seq", h])
        y = self.project(scope + "o_proj/", y, h, h)
        return self.add("", "Add", [x, y], ["batch", "seq", h])

    def feed_forward(self, x):
        h = self.hidden
        y = self.project("mlp/up_proj/", x, h, 4 * h)
        y = self.add("mlp/", "Relu", [y], ["batch", "seq", 4 * h])
        y = self.project("mlp/down_proj/", y, 4 * h, h)
        # exporters number duplicate names
        self.nodes.append(Node("Add", [x, y], f"/model/{self.path}/Add_1_output_0", FLOAT,
                               ["batch", "seq", h], {}))


def weight_bytes(layers, hidden):
    """Four matrices of hidden x hidden and two of four times that, float32."""
    return layers * 12 * hidden * hidden * 4


def hidden_for(size, layers):
    """The width, a multiple of HEADS, that is nearest to `size` bytes of weights."""
    width = (size / weight_bytes(layers, 1)) ** 0.5
    return max(HEADS, round(width / HEADS) * HEADS)


class Writer:
    def __init__(self, out, layers, hidden, weights):
        self.out = out
        self.layers = layers
        self.hidden = hidden
        self.weights = weights
        self.offset = 0  # in the data file

    def each_layer(self):
        return (Layer(i, self.hidden) for i in range(self.layers))

    def put(self, *fields):
        self.out.write(join(fields))

    def put_payload(self, size):
        if self.weights == "holes":
            self.out.seek(size, os.SEEK_CUR)
            return
        for at in range(0, size, CHUNK):
            self.out.write(os.urandom(min(CHUNK, size - at)))

    def put_weight(self, w):
        if self.weights == "external":
            place = {"location": self.data_file.name, "offset": self.offset, "length": w.size}
            self.offset += w.size
            self.put(data(5, external_tensor(w.name, FLOAT, w.dims, **place)))
            return
        head = join([*(integer(1, d) for d in w.dims), integer(2, FLOAT), data(8, w.name)])
        if self.weights == "none":
            self.put(data(5, head))
            return
        # by hand, because the payload is never a bytes object
        head += tag(9, BYTES) + varint(w.size)
        self.out.write(tag(5, BYTES) + varint(len(head) + w.size) + head)
        self.put_payload(w.size)

    def put_graph(self):
        for layer in self.each_layer():
            for n in layer.nodes:
                name = n.output.removesuffix("_output_0")
                self.put(data(1, node(n.op, n.inputs, [n.output], name, **n.attributes)))
        self.put(data(2, "main_graph"))
        for layer in self.each_layer():
            for w in layer.weights:
                self.put_weight(w)
        h = self.hidden
        self.put(
            data(11, floats("embedded", "batch", "seq", h)),
            data(11, floats("mask", "batch", 1, 1, "seq")),
            data(12, floats(f"/model/layers.{self.layers - 1}/Add_1_output_0", "batch", "seq", h)))
        for i, layer in enumerate(self.each_layer()):
            for j, n in enumerate(layer.nodes):
                if (i * NODES_PER_LAYER + j) % 10 == 0:
                    self.put(data(13, value(n.output, tensor_type(n.elem, n.dims))))

    def put_model(self):
        self.put(integer(1, 8), data(2, "axed"), data(3, "tests"))
        self.out.write(tag(7, BYTES))
        start = self.out.tell()
        self.out.write(varint(0, LENGTH_WIDTH))
        self.put_graph()
        end = self.out.tell()
        self.out.seek(start)
        self.out.write(varint(end - start - LENGTH_WIDTH, LENGTH_WIDTH))
        self.out.seek(end)
        self.put(opsets(8, {"": 17}), entries(14, {"framework": "none"}))

    @property
    def data_file(self):
        return Path(self.out.name + ".data")


def generate(path, nodes, size=0, weights="none"):
    """Writes a model of about `nodes` nodes with `size` bytes of weights; returns that size.

    weights: "none" (named, with their dims, but without data), "holes", "random", "external".
    """
    layers = max(1, nodes // NODES_PER_LAYER)
    hidden = hidden_for(size, layers)
    with open(path, "wb") as out:
        writer = Writer(out, layers, hidden, weights)
        writer.put_model()
        if weights == "external":
            with open(writer.data_file, "wb") as hole:
                hole.truncate(writer.offset)
    return weight_bytes(layers, hidden)


def generate_pinned(path, reshapes):
    """Writes a model whose first axis is baked in as 2, in the targets of that many Reshapes."""
    nodes, shapes, x = [], [], "x"
    for i in range(reshapes):
        split = i % 2 == 0
        shape, out = f"shape_{i}", f"/layers.{i}/Reshape_output_0"
        shapes.append(int_tensor(shape, [3 if split else 2], [2, 4, 4] if split else [2, 16]))
        nodes.append(node("Reshape", [x, shape], [out], f"/layers.{i}/Reshape"))
        x = f"/layers.{i}/Relu_output_0"
        nodes.append(node("Relu", [out], [x], f"/layers.{i}/Relu"))
    dims = [2, 16] if reshapes % 2 == 0 else [2, 4, 4]
    made = model(graph("main_graph", nodes, [floats("x", 2, 16)], [floats(x, *dims)], shapes),
                 opset={"": 17})
    path.write_bytes(made)


def main():
    args = argparse.ArgumentParser(description="Makes one large model.")
    args.add_argument("output")
    args.add_argument("--nodes", type=int, default=1000)
    args.add_argument("--bytes", type=float, default=0, help="of all weights together, as 1.9e9")
    args.add_argument("--weights", choices=["none", "holes", "random", "external"], default="none")
    a = args.parse_args()
    generate(a.output, a.nodes, a.bytes, a.weights)


if __name__ == "__main__":
    main()
