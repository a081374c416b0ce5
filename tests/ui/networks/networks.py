"""Four networks whose structure a screen should show: export them with PyTorch.

    python networks.py OUTDIR

Few channels, since only the structure matters.  Written with torch 2.13.0; the files are checked in.
"""

import sys
import warnings
from pathlib import Path

import onnxruntime
import torch
from torch import nn
from torch.nn import functional as F


def convs(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.ReLU(), nn.Conv2d(o, o, 3, padding=1), nn.ReLU())


class Unet(nn.Module):
    """Three levels down and up, joined at each level."""

    def __init__(self, c=4):
        super().__init__()
        self.down1, self.down2, self.down3 = convs(3, c), convs(c, 2 * c), convs(2 * c, 4 * c)
        self.middle = convs(4 * c, 8 * c)
        self.lift3, self.up3 = nn.ConvTranspose2d(8 * c, 4 * c, 2, stride=2), convs(8 * c, 4 * c)
        self.lift2, self.up2 = nn.ConvTranspose2d(4 * c, 2 * c, 2, stride=2), convs(4 * c, 2 * c)
        self.lift1, self.up1 = nn.ConvTranspose2d(2 * c, c, 2, stride=2), convs(2 * c, c)
        self.pool, self.head = nn.MaxPool2d(2), nn.Conv2d(c, 2, 1)

    def forward(self, image):
        a = self.down1(image)
        b = self.down2(self.pool(a))
        c = self.down3(self.pool(b))
        x = self.middle(self.pool(c))
        x = self.up3(torch.cat([self.lift3(x), c], 1))
        x = self.up2(torch.cat([self.lift2(x), b], 1))
        x = self.up1(torch.cat([self.lift1(x), a], 1))
        return self.head(x)


class Unit(nn.Module):
    def __init__(self, i, o, size, pad=0):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(i, o, size, padding=pad, bias=False), nn.BatchNorm2d(o)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Mixed(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.branch1x1 = Unit(i, o, 1)
        self.branch5x5 = nn.Sequential(Unit(i, o, 1), Unit(o, o, 5, 2))
        self.branch3x3 = nn.Sequential(Unit(i, o, 1), Unit(o, o, 3, 1), Unit(o, o, 3, 1))
        self.branch_pool = Unit(i, o, 1)

    def forward(self, x):
        pool = F.avg_pool2d(x, 3, stride=1, padding=1)
        return torch.cat([self.branch1x1(x), self.branch5x5(x), self.branch3x3(x), self.branch_pool(pool)], 1)


class Inception(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.stem = Unit(3, c, 3, 1)
        self.mixed_a, self.mixed_b = Mixed(c, c), Mixed(4 * c, c)
        self.fc = nn.Linear(4 * c, 10)

    def forward(self, image):
        x = self.mixed_b(self.mixed_a(F.max_pool2d(self.stem(image), 2)))
        return self.fc(x.mean((2, 3)))


class Dense(nn.Module):
    def __init__(self, i, growth):
        super().__init__()
        self.norm1, self.conv1 = nn.BatchNorm2d(i), nn.Conv2d(i, 2 * growth, 1, bias=False)
        self.norm2, self.conv2 = nn.BatchNorm2d(2 * growth), nn.Conv2d(2 * growth, growth, 3, padding=1, bias=False)

    def forward(self, *features):
        x = self.conv1(F.relu(self.norm1(torch.cat(features, 1))))
        return self.conv2(F.relu(self.norm2(x)))


class Densenet(nn.Module):
    def __init__(self, c=8, growth=4, layers=6):
        super().__init__()
        self.stem = nn.Conv2d(3, c, 3, padding=1)
        self.denselayer = nn.ModuleList(Dense(c + k * growth, growth) for k in range(layers))
        self.norm = nn.BatchNorm2d(c + layers * growth)
        self.classifier = nn.Linear(c + layers * growth, 10)

    def forward(self, image):
        features = [self.stem(image)]
        for layer in self.denselayer:
            features.append(layer(*features))
        x = F.relu(self.norm(torch.cat(features, 1)))
        return self.classifier(x.mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x, past_key, past_value):
        key = torch.cat([past_key, self.split(self.key(x))], 2)
        value = torch.cat([past_value, self.split(self.value(x))], 2)
        query = self.split(self.query(x))
        scores = torch.matmul(query, key.transpose(2, 3)) / (query.shape[-1] ** 0.5)
        x = torch.matmul(scores.softmax(-1), value).transpose(1, 2)
        return self.out(x.reshape(x.shape[0], x.shape[1], -1)), key, value


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(width), Attention(width, heads)
        self.norm2, self.mlp = nn.LayerNorm(width), nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, past_key, past_value):
        y, key, value = self.attn(self.norm1(x), past_key, past_value)
        x = x + y
        return x + self.mlp(self.norm2(x)), key, value


class Cache(nn.Module):
    """Two layers of attention that append to their keys and values."""

    def __init__(self, width=8, heads=2, layers=2):
        super().__init__()
        self.embed = nn.Embedding(16, width)
        self.layers = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 16, bias=False)

    def forward(self, ids, past):
        x, present = self.embed(ids), []
        for layer, (key, value) in zip(self.layers, past):
            x, key, value = layer(x, key, value)
            present += [key, value]
        return self.head(self.norm(x)), *present


IMAGE = {0: "batch", 2: "height", 3: "width"}


def export_image(module, path, output, axes):
    """By tracing: node names have the path of the module."""
    torch.onnx.export(module.eval(), (torch.randn(2, 3, 32, 32),), str(path), dynamo=False, input_names=["image"],
                      output_names=[output], dynamic_axes={"image": IMAGE, output: axes})


def export_cache(path, layers=2, heads=2, width=8):
    """By dynamo: the path of the module is in the nodes' metadata."""
    def half():
        return torch.randn(2, heads, 5, width // heads)

    batch, seq, past = (torch.export.Dim(name) for name in ("batch", "seq", "past"))
    names = [f"{i}.{part}" for i in range(layers) for part in ("key", "value")]
    cache = {0: batch, 2: past}
    program = torch.onnx.export(
        Cache(width, heads, layers).eval(), (torch.zeros(2, 3, dtype=torch.int64), [(half(), half()) for _ in range(layers)]),
        dynamo=True, dynamic_shapes=({0: batch, 1: seq}, [(cache, cache)] * layers),
        input_names=["ids", *(f"past_key_values.{n}" for n in names)],
        output_names=["logits", *(f"present.{n}" for n in names)], verbose=False)
    # The stack trace names files of the exporting machine; all other metadata stays.
    for node in program.model.graph:
        node.metadata_props.pop("pkg.torch.onnx.stack_trace", None)
    program.save(str(path), external_data=False)


def main(folder):
    torch.manual_seed(0)
    export_image(Unet(2), folder / "unet.onnx", "mask", IMAGE)
    export_image(Inception(), folder / "inception.onnx", "logits", {0: "batch"})
    export_image(Densenet(), folder / "densenet.onnx", "logits", {0: "batch"})
    export_cache(folder / "cache.onnx")
    for name in ("unet", "inception", "densenet", "cache"):
        path = folder / f"{name}.onnx"
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # tracing is deprecated, but needed here
    main(Path(sys.argv[1]))
