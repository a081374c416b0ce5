#!/usr/bin/env python3
"""What other tools say of a model: a child that reads {"tool", "path", "sizes"}, one JSON object a line.

Run by a Python that has the tools.  Each job is a forked process with a limit of processor time.  `shapes:TOOL` is answered by
{"shapes": {tensor: dims}}, `check:TOOL` by {"said": its complaint or nothing, "names": does it name a node}; `sizes` are shapes of
the inputs, for tools that run the model.  A tool that fails: {"failed": why}.  `versions` as the first argument prints theirs.
"""

import json
import os
import resource
import signal
import sys
import tempfile
from importlib import metadata

SECONDS = 120
TOOLS = ('onnx', 'onnxruntime', 'polygraphy', 'onnxsim', 'onnx-modifier', 'netron')
TOOLS += ('torch', 'torchvision', 'transformers', 'onnxscript')


def dims_of(value):
    shape = value.type.tensor_type.shape
    return [
        d.dim_param if d.dim_param else d.dim_value if d.HasField('dim_value') and d.dim_value >= 0 else None for d in shape.dim
    ]


def told(model):
    """Shapes of the values of the main graph that a file states."""
    graph = model.graph
    return {v.name: dims_of(v) for v in [*graph.value_info, *graph.output] if v.type.tensor_type.HasField('shape')}


def stripped(path):
    """The model without what its exporter says about its inner tensors."""
    model = onnx.load(path)
    del model.graph.value_info[:]
    return model


# shapes


def shapes_of_file(path):
    return told(onnx.load(path, load_external_data=False))


def shapes_by_onnx(path):
    return told(onnx.shape_inference.infer_shapes(stripped(path), data_prop=True))


def shapes_by_runtime(path):
    """Names are merged only where it gives up otherwise."""
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    try:
        return told(SymbolicShapeInference.infer_shapes(stripped(path), 2**31 - 1, False, False, 0))
    except Exception:
        return told(SymbolicShapeInference.infer_shapes(stripped(path), 2**31 - 1, True, False, 0))


def shapes_by_polygraphy(path):
    from polygraphy.backend.onnx import infer_shapes

    return told(infer_shapes(stripped(path)))


def shapes_by_onnxsim(path):
    model, _ = onnxsim.simplify(stripped(path))
    return {**{name: None for node in model.graph.node for name in node.output if name}, **told(model)}


# complaints


def check_by_onnx(path, sizes):
    onnx.checker.check_model(path, full_check=True)
    return ''


def check_by_inference(path, sizes):
    onnx.shape_inference.infer_shapes(onnx.load(path), check_type=True, strict_mode=True, data_prop=True)
    return ''


def check_by_runtime(path, sizes):
    """Loading a model: errors, and warnings that speak of shapes."""
    with tempfile.TemporaryFile() as errors:
        os.dup2(errors.fileno(), 2)
        onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider'])
        errors.seek(0)
        lines = errors.read().decode(errors='replace').splitlines()
    return '\n'.join(line for line in lines if 'shape' in line.lower())


def lint(path, words):
    """`polygraphy check lint`, in this process: importing it again would take longer."""
    with tempfile.NamedTemporaryFile(suffix='.json') as report:
        sys.argv = ['polygraphy', 'check', 'lint', path, '-o', report.name, *words]
        try:
            code = polygraphy.tools.main()
        except SystemExit as end:
            code = end.code
        try:
            entries = json.load(report)['lint_entries']
        except ValueError:
            raise RuntimeError(f'exit {code}') from None
    errors = [f'{entry["message"]} {entry.get("nodes", "")}' for entry in entries if entry['level'] != 'warning']
    return '\n'.join(errors) if code else ''


def check_by_lint(path, sizes):
    return lint(path, [])


def check_by_lint_at(path, sizes):
    return lint(path, ['--input-shapes', *(f'{n}:[{",".join(map(str, s))}]' for n, s in sizes.items())])


def check_by_onnxsim(path, sizes):
    onnxsim.simplify(path)
    return ''


def check_by_onnxsim_at(path, sizes):
    _, right = onnxsim.simplify(path, check_n=1, test_input_shapes=sizes)
    return '' if right else 'the simplified model differs'


SHAPES = {
    'the file': shapes_of_file,
    'onnx': shapes_by_onnx,
    'onnxruntime': shapes_by_runtime,
    'polygraphy': shapes_by_polygraphy,
    'onnxsim': shapes_by_onnxsim,
}
CHECKS = {
    'onnx.checker': check_by_onnx,
    'onnx strict': check_by_inference,
    'onnxruntime': check_by_runtime,
    'polygraphy': check_by_lint,
    'polygraphy at': check_by_lint_at,
    'onnxsim': check_by_onnxsim,
    'onnxsim at': check_by_onnxsim_at,
}


def named(path, said):
    """Does a complaint name a node?"""
    names = {node.name for node in onnx.load(path, load_external_data=False).graph.node}
    return any(len(name) > 3 and name in said for name in names)


def work(job):
    path, kind, _, tool = job['path'], *job['tool'].partition(':')
    if kind == 'shapes':
        return {'shapes': SHAPES[tool](path)}
    try:
        said = CHECKS[tool](path, job['sizes'])
    except Exception as error:
        said = f'{type(error).__name__}: {error}'
    return {'said': said[:600], 'names': bool(said) and named(path, said)}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def forked(job):
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        limit()
        try:
            answer = work(job)
        except Exception as error:
            answer = {'failed': f'{type(error).__name__}: {error}'[:300]}
        with os.fdopen(theirs, 'w') as out:
            out.write(json.dumps(answer))
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as out:
        text = out.read()
    _, status = os.waitpid(pid, 0)
    if text:
        return json.loads(text)
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return {'failed': f'more than {SECONDS} seconds' if number in (signal.SIGXCPU, signal.SIGKILL) else f'crash {number}'}


def version(tool):
    try:
        return metadata.version(tool)
    except metadata.PackageNotFoundError:
        return None


def main():
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some of them print
    os.dup2(1, 2)
    for line in sys.stdin:
        print(json.dumps(forked(json.loads(line))), file=answers, flush=True)


if sys.argv[1:] == ['versions']:
    print(json.dumps({tool: version(tool) for tool in TOOLS}))
elif __name__ == '__main__':
    import onnx
    import onnx.shape_inference
    import onnxruntime
    import onnxsim
    import polygraphy.tools
    import polygraphy.backend.onnx.loader
    import polygraphy.backend.onnxrt.loader
    import polygraphy.comparator
    import polygraphy.tools.check.subtool.lint

    main()
