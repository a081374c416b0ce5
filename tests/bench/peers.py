"""Does the same work as axed with another tool, and reports the times: the worker of common.Peer.

    PYTHON peers.py TOOL

The tool is imported once.  Each line on standard input requests one job, which a forked process does: first on a small
model, so that lazy loading does not count, then on the requested one.  The answer has the parts with their times, and
the peak memory of the process, including the tool itself.
"""

import importlib
import json
import logging
import os
import resource
import signal
import sys
import time
import warnings
from importlib import metadata

OLD, NEW, SIZE = "batch", "items", 4
INPUTS = {"batch": SIZE, "seq": 16}  # for tools that need numbers


def dims(info):
    return info.type.tensor_type.shape.dim


# onnx

def onnx_open(path, out, lap):
    onnx.load(path)
    lap("open")


def onnx_infer(path, out, lap):
    model = onnx.load(path, load_external_data=False)
    lap("open")
    onnx.shape_inference.infer_shapes(model, data_prop=True)
    lap("infer")


def onnx_rename(path, out, lap):
    """As done by hand: in every place that has the name."""
    model = onnx.load(path)
    lap("open")
    graph = model.graph
    for info in (*graph.input, *graph.output, *graph.value_info):
        for dim in dims(info):
            if dim.dim_param == OLD:
                dim.dim_param = NEW
    lap("edit")
    onnx.save(model, out)
    lap("save")


# onnxruntime

def runtime_open(path, out, lap):
    """More than opening: it also chooses kernels and copies weights."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    lap("open")


def runtime_infer(path, out, lap):
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference
    model = onnx.load(path, load_external_data=False)
    lap("open")
    SymbolicShapeInference.infer_shapes(model, 2**31 - 1, True, False, 0)
    lap("infer")


def runtime_fix(path, out, lap):
    """What onnxruntime.tools.make_dynamic_shape_fixed does."""
    from onnxruntime.tools.onnx_model_utils import fix_output_shapes, make_dim_param_fixed
    model = onnx.load(path)
    make_dim_param_fixed(model.graph, OLD, SIZE)
    fix_output_shapes(model)
    onnx.save(model, out)
    lap("fix")


# polygraphy

def polygraphy_open(path, out, lap):
    """What polygraphy inspect model does."""
    from polygraphy.backend.onnx import onnx_from_path, util
    util.str_from_onnx(onnx_from_path(path))
    lap("open")


def polygraphy_infer(path, out, lap):
    from polygraphy.backend.onnx import infer_shapes
    infer_shapes(path)
    lap("infer")


# onnx-graphsurgeon

def surgeon_rename(path, out, lap):
    graph = onnx_graphsurgeon.import_onnx(onnx.load(path))
    for tensor in graph.tensors().values():
        if isinstance(tensor, onnx_graphsurgeon.Variable) and tensor.shape:
            tensor.shape = [NEW if dim == OLD else dim for dim in tensor.shape]
    onnx.save(onnx_graphsurgeon.export_onnx(graph), out)
    lap("rename")


# onnxsim and onnx-tool, which need a number for every axis

def input_sizes(path):
    inputs = onnx.load(path, load_external_data=False).graph.input
    return {i.name: [INPUTS.get(d.dim_param, d.dim_value) for d in dims(i)] for i in inputs}


def onnxsim_fix(path, out, lap):
    sizes = input_sizes(path)
    lap(None)
    model, _ = onnxsim.simplify(path, perform_optimization=False, skip_constant_folding=True,
                                overwrite_input_shapes=sizes)
    onnx.save(model, out)
    lap("fix")


def onnx_tool_open(path, out, lap):
    onnx_tool.Model(path, {"verbose": False})
    lap("open")


def onnx_tool_infer(path, out, lap):
    import numpy
    inputs = {name: numpy.zeros(sizes, "float32") for name, sizes in input_sizes(path).items()}
    lap(None)
    model = onnx_tool.Model(path, {"verbose": False})
    lap("open")
    model.graph.shape_infer(inputs)
    lap("infer")


#   tool: the modules it needs, and what it does
TOOLS = {
    "onnx": (["onnx"], {"open": onnx_open, "infer": onnx_infer, "rename": onnx_rename}),
    "onnxruntime": (["onnx", "onnxruntime"], {"open": runtime_open, "infer": runtime_infer, "fix": runtime_fix}),
    "polygraphy": (["onnx", "polygraphy"], {"open": polygraphy_open, "infer": polygraphy_infer}),
    "onnx-graphsurgeon": (["onnx", "onnx_graphsurgeon"], {"rename": surgeon_rename}),
    "onnxsim": (["onnx", "onnxsim"], {"fix": onnxsim_fix}),
    "onnx-tool": (["onnx", "onnx_tool"], {"open": onnx_tool_open, "infer": onnx_tool_infer}),
}


# the worker

class Laps:
    """Wall-clock and processor time of consecutive parts."""

    def __init__(self):
        self.parts = {}
        self(None)

    @staticmethod
    def now():
        # not process_time(): once there is a limit, the kernel only updates it at each tick
        used = resource.getrusage(resource.RUSAGE_SELF)
        return time.perf_counter(), used.ru_utime + used.ru_stime

    def __call__(self, part):
        now = self.now()
        if part:
            self.parts[part] = [now[0] - self.last[0], now[1] - self.last[1]]
        self.last = self.now()


def set_limits(seconds):
    """Processor time; and memory, so that a tool cannot starve other processes."""
    seconds += int(time.process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with open("/proc/meminfo", encoding="ascii") as told:
        free = {name: int(size.split()[0]) for name, size in (line.split(":") for line in told)}["MemAvailable"]
    resource.setrlimit(resource.RLIMIT_DATA, (free * 900, free * 900))


def work(wanted, function, answer):
    try:
        os.chdir(os.path.dirname(wanted["path"]))  # some look for external data in the working directory
        function(wanted["warm"], wanted["out"], Laps())
        set_limits(wanted["limit"])
        laps = Laps()
        function(wanted["path"], wanted["out"], laps)
        told = {"parts": laps.parts}
    except Exception as problem:
        first = (str(problem).strip() or "no reason given").splitlines()[0]
        told = {"failed": f"fails: {type(problem).__name__}: {first}"}
    os.write(answer, json.dumps(told).encode())
    os._exit(0)  # without the tool's exit handlers


def fork_work(wanted, function):
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        work(wanted, function, theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        told = answer.read()
    _, status, usage = os.wait4(pid, 0)
    if told:
        return {**json.loads(told), "memory": usage.ru_maxrss * 1024}
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if number in (signal.SIGXCPU, signal.SIGKILL):
        return {"failed": f"more than {wanted['limit']} s"}
    return {"failed": f"fails: signal {number}" if number else "fails: it ends without a word"}


def main():
    modules, tasks = TOOLS[sys.argv[1]]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some of them print
    os.dup2(1, 2)
    warnings.simplefilter("ignore")
    logging.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for module in modules:
        globals()[module] = importlib.import_module(module)
    print(json.dumps([metadata.version(sys.argv[1]), list(tasks)]), file=answers, flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        print(json.dumps(fork_work(wanted, tasks[wanted["task"]])), file=answers, flush=True)


if __name__ == "__main__":
    main()
