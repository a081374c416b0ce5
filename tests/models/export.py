"""Export the four models of the story with PyTorch.

    python export.py OUTDIR          write them and run each with ONNX Runtime
    python export.py --check DIR     only run the existing ones

Written with torch 2.13.0 and onnx 1.23; another release may name things differently, so the
files are checked in and this script is not part of the test run.
"""

import sys
import warnings
from pathlib import Path

import onnx
import onnxruntime
import torch
from onnxruntime.capi.onnxruntime_pybind11_state import Fail


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(10, 5)

    def forward(self, input):
        return self.linear(input)


class Rnn(torch.nn.Module):
    """Reads a sequence and keeps its last step: the output has only the batch."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.RNN(10, 20, batch_first=True)
        self.linear = torch.nn.Linear(20, 5)

    def forward(self, input):
        steps, _ = self.rnn(input)
        return self.linear(steps[:, -1, :])


class Reshape(torch.nn.Module):
    """The target shape is read from the input, so tracing keeps it computed."""

    def forward(self, input):
        return input.reshape(input.shape[0], input.shape[1])


class Pinned(torch.nn.Module):
    """The author wrote 3 where the batch belongs; no export option can free it."""

    def forward(self, input):
        return torch.relu(input.reshape(3, 10)).reshape(3, 5, 2)


BATCH, SEQUENCE = "batch_size", "sequence_length"

# name: module, size of the example, names of its dynamic axes
MODELS = {
    "dynamic_linear": (Linear, (3, 10), {0: BATCH}),
    "dynamic_rnn": (Rnn, (3, 7, 10), {0: BATCH, 1: SEQUENCE}),
    "dynamic_reshape": (Reshape, (3, 10), {0: BATCH}),
    "pinned_reshape": (Pinned, (3, 10), {0: BATCH}),
}


def by_dynamo(module, example, axes, path):
    dims = {axis: torch.export.Dim(name) for axis, name in axes.items()}
    program = torch.onnx.export(
        module, (example,), dynamo=True, dynamic_shapes={"input": dims},
        input_names=["input"], output_names=["output"], verbose=False)
    # The stack trace names files of the exporting machine; all other metadata stays.
    for node in program.model.graph:
        node.metadata_props.pop("pkg.torch.onnx.stack_trace", None)
    program.save(str(path), external_data=False)


def by_tracing(module, example, axes, path):
    torch.onnx.export(
        module, (example,), str(path), dynamo=False, external_data=False,
        input_names=["input"], output_names=["output"],
        dynamic_axes={"input": axes, "output": {0: BATCH}})


# torch.export would unroll the RNN (and so pin the sequence), fold the computed reshape into an
# Identity, and declare the pinned batch as 3 in the input.  Tracing keeps all three.
EXPORTERS = {"dynamic_linear": by_dynamo}


def export(name, path):
    kind, size, axes = MODELS[name]
    torch.manual_seed(0)
    module = kind().eval()
    EXPORTERS.get(name, by_tracing)(module, torch.randn(size), axes, path)


def runs(session, size):
    """Whether the model accepts an input of this size, and the size of its output."""
    try:
        out, = session.run(None, {"input": torch.zeros(size).numpy()})
    except Fail:
        return None
    return out.shape


def verify(name, path):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    declared = [d.dim_param or d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    _, size, axes = MODELS[name]
    assert declared == [axes.get(i, n) for i, n in enumerate(size)], (name, declared)

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # the pinned model is meant to fail
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    for batch in (1, 2, 3, 8):
        for steps in (1, 4, 7):
            shape = [{BATCH: batch, SEQUENCE: steps}.get(d, d) for d in declared]
            expected = {
                "dynamic_linear": (batch, 5),
                "dynamic_rnn": (batch, 5),
                "dynamic_reshape": (batch, 10),
                "pinned_reshape": (3, 5, 2) if batch == 3 else None,
            }[name]
            assert runs(session, shape) == expected, (name, shape)


def main(args):
    check = args[:1] == ["--check"]
    if len(args) != 1 + check:
        sys.exit(__doc__)
    folder = Path(args[-1])
    for name in MODELS:
        path = folder / f"{name}.onnx"
        if not check:
            export(name, path)
        verify(name, path)
        print(f"{path}: {path.stat().st_size} bytes, runs as it should")


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # tracing is deprecated, but needed here
    main(sys.argv[1:])
