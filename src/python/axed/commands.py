"""One function for each command of axed that answers in JSON."""

import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .notebook import Drawing
from .program import Error, Model, Refused, operand, run, word
from .records import (Axes, Changes, Differences, Explanation, Findings, Fit, Repair, Shapes, Summary, Symbols,
                      Verification, read)

Path = Union[str, 'os.PathLike[str]']
Bind = Optional[Mapping[str, int]]
# 'batch=8', or {'batch': 8}; None is ?, an anonymous size.
Edit = Union[str, Mapping[str, object]]


def _bound(bind: Bind) -> List[str]:
    return [f'--bind={name}={size}' for name, size in (bind or {}).items()]


def _edits(edits: Sequence[Edit]) -> List[str]:
    lines: List[str] = []
    for edit in edits:
        if isinstance(edit, Mapping):
            lines += [f'{target}={"?" if dim is None else dim}' for target, dim in edit.items()]
        elif isinstance(edit, str):
            lines.append(edit)
        else:
            raise Error(f"an edit is a text or a mapping, as 'batch=8' or {{'batch': 8}}, not {edit!r}", 2)
    return lines


def _ask(command: str, model: Model, words: Sequence[str] = (), options: Sequence[str] = (),
         allow: Sequence[int] = (0,)) -> Tuple[int, Dict[str, Any], str]:
    """Exit code, JSON and sentence of a command about one model."""
    name, stdin = operand(model)
    done = run([command, '--json', *options, '--', name, *words], stdin, allow)
    return done.code, done.json(), done.sentence()


def show(model: Model) -> Summary:
    """What the file says about itself.

    >>> import axed
    >>> axed.show("dynamic_rnn.onnx").inputs
    (Input(input: float32 [batch_size, sequence_length, 10]),)
    """
    _, said, _ = _ask('show', model)
    return read(Summary, said)


def shapes(model: Model, *tensors: str, bind: Bind = None) -> Shapes:
    """Type and shape of every tensor, or of those named; `bind` evaluates them at sizes of symbols.

    >>> import axed
    >>> axed.shapes("dynamic_rnn.onnx", "output", bind={"batch_size": 8})["output"].shape
    (8, 5)
    >>> axed.shapes("pinned_reshape.onnx", bind={"batch_size": 8})
    Traceback (most recent call last):
    axed.program.Refused: pinned_reshape.onnx: with batch_size=8: Reshape /Reshape: 80 elements in, 30 out
    """
    code, said, sentence = _ask('shapes', model, tensors, _bound(bind), (0, 1))
    report = read(Shapes, said)
    if code:
        raise Refused(sentence, code, report)
    return report


def check(model: Model, fail_on: Optional[Sequence[str]] = None, expect: Optional[Mapping[str, object]] = None) -> Findings:
    """All problems of a model; `ok` is False where `axed check` exits with 1.

    >>> import axed
    >>> axed.check("dynamic_linear.onnx", expect={"input:0": "batch_size"}).ok
    True
    >>> axed.check("pinned_reshape.onnx")[0].value
    3
    """
    options = [] if fail_on is None else ['--fail-on=' + ','.join(fail_on)]
    options += [f'--expect={axis}={dim}' for axis, dim in (expect or {}).items()]
    code, said, _ = _ask('check', model, (), options, (0, 1))
    return read(Findings, {**said, 'ok': code == 0})


def axes(model: Model) -> Axes:
    """Whether each axis of the inputs can be dynamic, and what stops it.

    >>> import axed
    >>> [(axis.dim, axis.verdict) for axis in axed.axes("pinned_reshape.onnx")]
    [('batch_size', 'pinned'), (10, 'tied')]
    """
    _, said, _ = _ask('axes', model)
    return read(Axes, said)


def symbols(model: Model) -> Symbols:
    """Every symbol.

    >>> import axed
    >>> [symbol.name for symbol in axed.symbols("dynamic_rnn.onnx")]
    ['batch_size', 'sequence_length']
    """
    _, said, _ = _ask('symbols', model)
    return read(Symbols, said)


def explain(model: Model, place: str) -> Explanation:
    """Why TENSOR, or its axis TENSOR:AXIS, is what it is.

    >>> import axed
    >>> print(axed.explain("pinned_reshape.onnx", "output:0"))
    output[0] = 3  by Reshape /Reshape_1
      /Constant_1_output_0{0} = 3  by Constant /Constant_1
    """
    _, said, _ = _ask('explain', model, [place])
    return read(Explanation, said)


def diff(a: Model, b: Model) -> Differences:
    """Where two models differ; one of them may be bytes.

    >>> import axed
    >>> len(axed.diff("dynamic_rnn.onnx", "dynamic_rnn.onnx"))
    0
    """
    (first, stdin), (second, other) = operand(a), operand(b)
    if stdin is not None and other is not None:
        raise Error('only one of the two models may be bytes', 2)
    done = run(['diff', '--json', '--', first, second], other if stdin is None else stdin, (0, 1))
    return read(Differences, done.json())


def _target(output: Optional[Path], in_place: bool, force: bool) -> List[str]:
    if in_place and output is not None:
        raise Error('either output or in_place, not both', 2)
    where = ['--in-place'] if in_place else ['--dry-run'] if output is None else ['--output=' + word(output)]
    return where + ['--force'] * force


def set(model: Model, *edits: Edit, output: Optional[Path] = None, in_place: bool = False, force: bool = False,
        merge: bool = False, batch: Optional[str] = None, shapes: Optional[str] = None) -> Changes:
    """Edits dynamic axes; without `output` or `in_place` it only says what would change.

    >>> import axed
    >>> for change in axed.set("dynamic_linear.onnx", "batch_size=N"):
    ...     print(change.name, change.before, '->', change.after)
    input float32 [batch_size, 10] -> float32 [N, 10]
    output float32 [batch_size, 5] -> float32 [N, 5]
    >>> axed.set("dynamic_linear.onnx", {"batch_size": 8})[0].after
    'float32 [8, 10]'
    """
    options = _target(output, in_place, force) + ['--merge'] * merge
    options += [f'--batch={batch}'] * (batch is not None) + [f'--shapes={shapes}'] * (shapes is not None)
    _, said, _ = _ask('set', model, _edits(edits), options)
    return read(Changes, said)


def repair(model: Model, *axes: Edit, output: Optional[Path] = None, in_place: bool = False, force: bool = False,
           assume: bool = False, verify: bool = False, batch: Optional[str] = None) -> Repair:
    """Frees axes that constants pin to one size: those named, or all that are declared dynamic and are not.

    Without `output` or `in_place` it only says what would change.  Refused is raised when an axis could
    not be freed; its `report` has the reasons.

    >>> import axed
    >>> repaired = axed.repair("pinned_reshape.onnx")
    >>> [(axis.axis, axis.proof) for axis in repaired.axes]
    [('input:0', 'item by item')]
    >>> repaired[0]
    Change(name='constant /Constant_output_0', before='[3, 10]', after='[0, 10]')
    """
    options = _target(output, in_place, force) + ['--assume'] * assume + ['--verify'] * verify
    options += [f'--batch={batch}'] * (batch is not None)
    code, said, sentence = _ask('repair', model, _edits(axes), options, (0, 1))
    report = read(Repair, said)
    if code:
        raise Refused(sentence, code, report)
    return report


def fit(*models: Path, output: Optional[Path] = None, names: Optional[Mapping[str, str]] = None,
        force: bool = False, verify: bool = False) -> Fit:
    """One dynamic model from exports of one program at different sizes; Refused when they do not fit.

    >>> import axed
    >>> axed.fit("dynamic_linear.onnx", "dynamic_rnn.onnx").reasons
    Traceback (most recent call last):
    axed.program.Refused: ...
    """
    options = _target(output, False, force) + ['--verify'] * verify
    options += [f'--name={axis}={name}' for axis, name in (names or {}).items()]
    done = run(['fit', '--json', *options, '--', *map(word, models)], None, (0, 1))
    report = read(Fit, done.json())
    if done.code:
        raise Refused(done.sentence(), done.code, report)
    return report


def verify(model: Path, changed: Optional[Path] = None, sizes: Optional[Mapping[str, Sequence[int]]] = None,
           items: Optional[str] = None, tolerance: Optional[float] = None, seed: int = 1,
           python: Optional[Path] = None) -> Verification:
    """Runs a model in ONNX Runtime, or a changed one beside its original; `ok` says whether all agreed.

    The Python that runs it is `python`, $AXED_PYTHON or python3, and needs onnxruntime and numpy.
    """
    options = [f'--size={name}={",".join(map(str, some))}' for name, some in (sizes or {}).items()]
    options += [f'--items={items}'] * (items is not None) + [f'--tolerance={tolerance}'] * (tolerance is not None)
    options += [f'--seed={seed}'] + ([] if python is None else ['--python=' + os.fspath(python)])
    models = [word(model)] + ([] if changed is None else [word(changed)])
    return read(Verification, run(['verify', '--json', *options, '--', *models], None, (0, 1)).json())


def snippet(model: Model, tool: str, ranges: Optional[Mapping[str, Sequence[int]]] = None) -> str:
    """The code or flags for the dynamic axes that torch, onnxruntime, tensorrt, triton or openvino needs.

    `ranges` has the least, the usual and the largest size of a symbol; a missing one is a placeholder.

    >>> import axed
    >>> "--maxShapes=input:32x10" in axed.snippet("dynamic_linear.onnx", "tensorrt", {"batch_size": (1, 8, 32)})
    True
    """
    name, stdin = operand(model)
    options = [f'--range={symbol}={",".join(map(str, some))}' for symbol, some in (ranges or {}).items()]
    return run(['snippet', f'--for={tool}', *options, '--', name], stdin).stdout.decode()


def _part(bind: Bind, whole: bool, graph: Optional[str], scope: Optional[str], focus: Optional[str],
          hops: Optional[int], path: Optional[str]) -> List[str]:
    options = _bound(bind) + ['--whole'] * whole
    for name, value in (('graph', graph), ('scope', scope), ('focus', focus), ('hops', hops), ('path', path)):
        options += [] if value is None else [f'--{name}={value}']
    return options


def draw(model: Model, bind: Bind = None, whole: bool = False, graph: Optional[str] = None,
         scope: Optional[str] = None, focus: Optional[str] = None, hops: Optional[int] = None,
         path: Optional[str] = None) -> Drawing:
    """The graph as SVG, folded as on the screen unless it is to be `whole`; a notebook shows it.

    >>> import axed
    >>> axed.draw("dynamic_linear.onnx").svg.rstrip().endswith('</svg>')
    True
    """
    name, stdin = operand(model)
    options = _part(bind, whole, graph, scope, focus, hops, path)
    done = run(['export', '--quiet', '--format=svg', '--output=-', *options, '--', name], stdin)
    return Drawing(done.stdout.decode())


def export(model: Model, output: Path, format: Optional[str] = None, bind: Bind = None, whole: bool = False,
           graph: Optional[str] = None, scope: Optional[str] = None, focus: Optional[str] = None,
           hops: Optional[int] = None, path: Optional[str] = None) -> pathlib.Path:
    """Writes the graph to a new file: .dot, .svg, .png, .pdf, .html, .txt or .json by its ending or `format`.

    >>> import axed, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     "Gemm" in axed.export("dynamic_linear.onnx", folder + "/linear.txt").read_text()
    True
    """
    name, stdin = operand(model)
    options = _part(bind, whole, graph, scope, focus, hops, path) + ([] if format is None else [f'--format={format}'])
    run(['export', '--quiet', f'--output={word(output)}', *options, '--', name], stdin)
    return pathlib.Path(output)
