"""One function for each command of axed that answers in JSON."""

import functools
import os
import pathlib
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from .notebook import Drawing
from .program import Error, Model, Refused, edited, operand, run, word
from .records import (Axes, Changes, Differences, Explanation, Findings, Fit, Repair, Shapes, Summary, Symbols,
                      Verification, read)

Path = Union[str, 'os.PathLike[str]']
# 'batch=8', or {'batch': 8}; None is ?, an anonymous size.
Edit = Union[str, Mapping[str, object]]
Edits = Union[Edit, Sequence[Edit]]
Bind = Union[Edits, None]


def _lines(edits: object, what: str = 'an edit') -> List[str]:
    """Lines for axed, of a text, a mapping, or a sequence of both."""
    if isinstance(edits, str):
        return [edits]
    if isinstance(edits, Mapping):
        return [f'{target}={"?" if dim is None else dim}' for target, dim in edits.items()]
    if isinstance(edits, Iterable) and not isinstance(edits, (bytes, bytearray)):
        some = list(edits)
        if all(isinstance(edit, (str, Mapping)) for edit in some):
            return [line for edit in some for line in _lines(edit)]
    raise TypeError(f"{what} is a text, a mapping, or a sequence of them, "
                    f"as 'batch=8', {{'batch': 8}} or ['batch=8', 'seq=N'], not {edits!r}")


def _edits(edits: Sequence[Edits]) -> List[str]:
    return [line for edit in edits for line in _lines(edit)]


def _bound(bind: Bind) -> List[str]:
    return [f'--bind={line}' for line in _lines({} if bind is None else bind, 'bind')]


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


def check(model: Model, fail_on: Union[str, Sequence[str], None] = None,
          expect: Optional[Edits] = None) -> Findings:
    """All problems of a model; `ok` is False where `axed check` exits with 1.

    `expect` is what axes must be: "input:0=batch", a mapping, or a sequence of both.

    >>> import axed
    >>> axed.check("dynamic_linear.onnx", expect={"input:0": "batch_size"}).ok
    True
    >>> axed.check("pinned_reshape.onnx")[0].value
    3
    """
    levels = fail_on if isinstance(fail_on, str) or fail_on is None else ','.join(fail_on)
    options = [] if levels is None else [f'--fail-on={levels}']
    options += [f'--expect={line}' for line in _lines({} if expect is None else expect, 'expect')]
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


def _target(output: Optional[Path], in_place: bool) -> List[str]:
    if in_place and output is not None:
        raise Error('either output or in_place, not both', 2)
    return ['--in-place'] if in_place else ['--dry-run'] if output is None else ['--output=' + word(output)]


Edited = TypeVar('Edited', Changes, Repair, Fit)


def _edit(kind: Type[Edited], words: Sequence[str], stdin: Optional[bytes], target: Sequence[str]) -> Edited:
    """Runs a command that edits.  Without a target the report makes the model when it is asked for."""
    done = run([words[0], '--json', *target, *words[1:]], stdin, (0, 1))
    said = done.json()
    report = read(kind, said)
    if '--dry-run' in target:
        again = [words[0], *(word for word in words[1:] if word != '--verify')]
        object.__setattr__(report, '_make', functools.partial(edited, again, stdin, said))
    if done.code:
        raise Refused(done.sentence(), done.code, report)
    return report


def set(model: Model, *edits: Edits, output: Optional[Path] = None, in_place: bool = False, force: bool = False,
        merge: bool = False, batch: Optional[str] = None, shapes: Optional[str] = None) -> Changes:
    """Edits dynamic axes: "batch=8", {"batch": 8}, or a list of such.

    Without `output` or `in_place` nothing is written: the result says what changes, and its `model` is the
    edited model, as bytes.

    >>> import axed
    >>> for change in axed.set("dynamic_linear.onnx", ["batch_size=N"]):
    ...     print(change.name, change.before, '->', change.after)
    input float32 [batch_size, 10] -> float32 [N, 10]
    output float32 [batch_size, 5] -> float32 [N, 5]
    >>> axed.shapes(axed.set("dynamic_linear.onnx", {"batch_size": 8}).model)["output"]
    Tensor(output: float32 [8, 5])
    """
    name, stdin = operand(model)
    options = ['--merge'] * merge + ['--force'] * force
    options += [f'--batch={batch}'] * (batch is not None) + [f'--shapes={shapes}'] * (shapes is not None)
    return _edit(Changes, ['set', *options, '--', name, *_edits(edits)], stdin, _target(output, in_place))


def repair(model: Model, *axes: Edits, output: Optional[Path] = None, in_place: bool = False, force: bool = False,
           assume: bool = False, verify: bool = False, batch: Optional[str] = None) -> Repair:
    """Frees axes that constants pin to one size: those named, or all that are declared dynamic and are not.

    An axis is "input:0", "input:0=N" or {"input:0": "N"}, and a list of such is taken, too.  Without `output`
    or `in_place` nothing is written: the result says what changes, and its `model` is the repaired model, as
    bytes.  Refused is raised when an axis could not be freed; its `report` has the reasons.

    >>> import axed
    >>> repaired = axed.repair("pinned_reshape.onnx")
    >>> print(repaired)
    constant /Constant_output_0    [3, 10] -> [0, 10]
    constant /Constant_1_output_0  [3, 5, 2] -> [0, 5, 2]
    freed    input:0  item by item
    >>> axed.check(repaired.model).ok
    True
    """
    name, stdin = operand(model)
    options = ['--assume'] * assume + ['--verify'] * verify + ['--force'] * force
    options += [f'--batch={batch}'] * (batch is not None)
    return _edit(Repair, ['repair', *options, '--', name, *_edits(axes)], stdin, _target(output, in_place))


def apply(model: Model, recipe: Path, output: Optional[Path] = None, in_place: bool = False, force: bool = False,
          partial: bool = False) -> Changes:
    """Applies a recipe, a file of edits; `partial` writes even if some of its lines fail, and raises Refused.

    Without `output` or `in_place` nothing is written: the result's `model` is the edited model, as bytes.
    """
    name, stdin = operand(model)
    options = ['--partial'] * partial + ['--force'] * force
    return _edit(Changes, ['apply', *options, '--', name, word(recipe)], stdin, _target(output, in_place))


def fit(*models: Path, output: Optional[Path] = None, names: Optional[Edits] = None,
        force: bool = False, verify: bool = False) -> Fit:
    """One dynamic model from exports of one program at different sizes; Refused when they do not fit.

    `names` are of axes, as {"input:0": "batch"}.  The exports are files.  Without `output` nothing is written:
    the result's `model` is the dynamic model, as bytes.

    >>> import axed
    >>> axed.fit("dynamic_linear.onnx", "dynamic_rnn.onnx").reasons
    Traceback (most recent call last):
    axed.program.Refused: ...
    """
    options = ['--verify'] * verify + ['--force'] * force
    options += [f'--name={line}' for line in _lines({} if names is None else names, 'names')]
    return _edit(Fit, ['fit', *options, '--', *map(word, models)], None, _target(output, False))


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
