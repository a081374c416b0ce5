"""The models for newcomers: a small transformer encoder that classifies text, and one that is pinned.

They have the form in which PyTorch's tracing exporter writes a BERT: scoped names, constants as nodes,
heads split by a Reshape whose target is computed from the input's own shape.
"""

import math
import random

from build import FLOAT, float_tensor, floats, graph, int_tensor, ints, model, node

VOCABULARY, POSITIONS, HIDDEN, HEADS, INNER, BLOCKS, CLASSES = 32, 16, 16, 2, 24, 2, 2


class Encoder:
    """Nodes and weights in order; every method returns the name of its result."""

    def __init__(self):
        self.nodes, self.weights = [], []
        self.taken = {}
        self.dice = random.Random(17)

    def op(self, kind, scope, *inputs, output=None, **attributes):
        path = f"{scope}/{kind}"
        count = self.taken[path] = self.taken.get(path, -1) + 1
        name = f"{path}_{count}" if count else path
        output = output or f"{name}_output_0"
        self.nodes.append(node(kind, list(inputs), [output], name, **attributes))
        return output

    def weight(self, name, *dims, around=0.0):
        """Uniform noise of the usual magnitude; small for biases and norms."""
        spread = 1 / math.sqrt(dims[0]) if len(dims) > 1 else 0.02
        noise = [around + (2 * self.dice.random() - 1) * spread for _ in range(math.prod(dims))]
        self.weights.append(float_tensor(name, dims, noise))
        return name

    def number(self, scope, x):
        return self.op("Constant", scope, value=float_tensor(None, [], [x]))

    def list(self, scope, *elements):
        return self.op("Constant", scope, value=int_tensor(None, [len(elements)], elements))

    def index(self, scope, i):
        return self.op("Constant", scope, value=int_tensor(None, [], [i]))

    def linear(self, scope, x, columns, rows):
        path = scope.strip("/").replace("/", ".")
        product = self.op("MatMul", scope, x, self.weight(f"{path}.weight", columns, rows))
        return self.op("Add", scope, product, self.weight(f"{path}.bias", rows))

    def norm(self, scope, x):
        path = scope.strip("/").replace("/", ".")
        return self.op(
            "LayerNormalization", scope, x, self.weight(f"{path}.weight", HIDDEN, around=1.0),
            self.weight(f"{path}.bias", HIDDEN), axis=-1, epsilon=1e-5)

    def size(self, scope, x, axis):
        shape = self.op("Shape", scope, x)
        return self.op("Gather", scope, shape, self.index(scope, axis), axis=0)

    def sizes(self, scope, x):
        """Batch and sequence, each a list of one element that Concat can take."""
        return [
            self.op("Unsqueeze", scope, self.size(scope, x, axis), self.list(scope, 0)) for axis in (0, 1)]

    def embed(self, scope, ids):
        table = self.weight("embeddings.word.weight", VOCABULARY, HIDDEN)
        words = self.op("Gather", f"{scope}/word", table, ids)
        table = self.weight("embeddings.position.weight", POSITIONS, HIDDEN)
        steps = self.op(
            "Range", scope, self.index(scope, 0), self.size(scope, ids, 1), self.index(scope, 1))
        places = self.op("Gather", f"{scope}/position", table, steps)
        return self.norm(f"{scope}/norm", self.op("Add", scope, words, places))

    def prefix(self, scope, ids, mask):
        """A token in front of each text, and a mask that shows it: seq + 1 positions."""
        batch = self.op("Unsqueeze", scope, self.size(scope, ids, 0), self.list(scope, 0))
        first = self.op("Concat", scope, batch, self.list(scope, 1), axis=0)
        token = self.op("ConstantOfShape", scope, first, value=int_tensor(None, [1], [VOCABULARY - 1]))
        there = self.op("ConstantOfShape", scope, first, value=int_tensor(None, [1], [1]))
        return (self.op("Concat", scope, token, ids, axis=1), self.op("Concat", scope, there, mask, axis=1))

    def spread_mask(self, mask):
        """Maps 1 (a token) to 0, and 0 to a large negative number."""
        wide = self.op("Unsqueeze", "", mask, self.list("", 1, 2))
        there = self.op("Cast", "", wide, to=FLOAT)
        absent = self.op("Sub", "", self.number("", 1.0), there)
        return self.op("Mul", "", absent, self.number("", -10000.0))

    def attend(self, scope, x, mask):
        batch, seq = self.sizes(scope, x)
        split = self.op(
            "Concat", scope, batch, seq, self.list(scope, HEADS, HIDDEN // HEADS), axis=0)

        def heads(part, perm):
            y = self.linear(f"{scope}/{part}", x, HIDDEN, HIDDEN)
            return self.op("Transpose", scope, self.op("Reshape", scope, y, split), perm=perm)

        query, key = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])
        content = heads("value", [0, 2, 1, 3])
        scores = self.op(
            "Div", scope, self.op("MatMul", scope, query, key),
            self.number(scope, math.sqrt(HIDDEN / HEADS)))
        weights = self.op("Softmax", scope, self.op("Add", scope, scores, mask), axis=-1)
        context = self.op("MatMul", scope, weights, content)
        context = self.op("Transpose", scope, context, perm=[0, 2, 1, 3])
        merged = self.op("Concat", scope, batch, seq, self.list(scope, HIDDEN), axis=0)
        context = self.op("Reshape", scope, context, merged)
        return self.linear(f"{scope}/output", context, HIDDEN, HIDDEN)

    def block(self, scope, x, mask):
        attended = self.attend(f"{scope}/attention", x, mask)
        x = self.norm(f"{scope}/norm1", self.op("Add", scope, attended, x))
        inner = self.op("Relu", f"{scope}/mlp", self.linear(f"{scope}/mlp/up", x, HIDDEN, INNER))
        inner = self.linear(f"{scope}/mlp/down", inner, INNER, HIDDEN)
        return self.norm(f"{scope}/norm2", self.op("Add", scope, inner, x))

    def classify(self, scope, x, *pinned):
        """The class of the first token; with the size of the batch in a Reshape, if one is given."""
        first = self.op("Gather", scope, x, self.index(scope, 0), axis=1)
        if pinned:
            first = self.op("Reshape", scope, first, self.list(scope, *pinned, HIDDEN))
        pooled = self.op("Tanh", scope, self.linear(f"{scope}/pool", first, HIDDEN, HIDDEN))
        weight = self.weight("classifier.out.weight", CLASSES, HIDDEN)
        bias = self.weight("classifier.out.bias", CLASSES)
        self.op("Gemm", f"{scope}/out", pooled, weight, bias, output="logits", transB=1)


def encoder(mask, x, e):
    spread = e.spread_mask(mask)
    for i in range(BLOCKS):
        x = e.block(f"/encoder/layer.{i}", x, spread)
    return x


def whole(e):
    return model(graph(
        "main_graph", e.nodes,
        [ints("ids", "batch", "seq"), ints("mask", "batch", "seq")],
        [floats("logits", "batch", CLASSES)],
        e.weights))


def demo():
    e = Encoder()
    e.classify("/classifier", encoder("mask", e.embed("/embeddings", "ids"), e))
    return whole(e)


def pinned():
    """The built-in demo: a token in front of the text, and an author who wrote the batch of the export, 3."""
    e = Encoder()
    ids, mask = e.prefix("/prefix", "ids", "mask")
    e.classify("/classifier", encoder(mask, e.embed("/embeddings", ids), e), 3)
    return whole(e)
