"""What axed prints as JSON, as records.  A field has the name of its key; `from_` stands for `from`.

`Rows` are results that are lists: iterate them, index them, ask their length.  Every result keeps the
JSON as it came in `json`, with keys that this module does not know.
"""

import dataclasses
import functools
import typing
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union, overload

from . import notebook
from .notebook import dims, shown
from .program import Error

Dim = Union[int, str, None]
"""A size, an expression of symbols, or unknown."""

Range = Tuple[Optional[int], Optional[int]]
"""The least and the largest size; None where there is no limit."""

Record = TypeVar('Record')
Row = TypeVar('Row')


def _value(hint: Any, value: Any) -> Any:
    """A value of the JSON as the annotation says."""
    origin = getattr(hint, '__origin__', None)
    inner: Tuple[Any, ...] = getattr(hint, '__args__', ())
    if value is None:
        return None
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return _record(hint, value)
    if origin is tuple:
        return tuple(_value(inner[0], item) for item in value)
    if origin is Union:
        for kind in inner:
            if (dataclasses.is_dataclass(kind) and isinstance(value, dict)) or (
                    getattr(kind, '__origin__', None) is tuple and isinstance(value, list)):
                return _value(kind, value)
        # NaN and infinities are texts in JSON.
        return float(value) if float in inner else value
    return float(value) if hint is float else value


@functools.lru_cache(maxsize=None)
def _hints(kind: Any) -> List[Tuple[str, str, Any]]:
    hints = typing.get_type_hints(kind)
    return [(f.name, f.name.rstrip('_'), hints[f.name]) for f in dataclasses.fields(kind) if f.init]


def _record(kind: Any, said: Dict[str, Any]) -> Any:
    return kind(**{name: _value(hint, said[key]) for name, key, hint in _hints(kind) if key in said})


def read(kind: typing.Type[Record], said: Dict[str, Any]) -> Record:
    """The record of a whole result."""
    made: Record = _record(kind, said)
    object.__setattr__(made, 'json', said)
    return made


# A longer name pushes its own line only.
WIDEST = 60


def _aligned(rows: Iterable[Sequence[object]]) -> str:
    """Lines whose columns begin below each other.

    >>> _aligned([('input:0', 'N', 'free'), ('mask', 16, '')])
    'input:0  N   free\\nmask     16'
    """
    cells = [[shown(str(cell)) for cell in row] for row in rows]
    widths = [min(max(map(len, column)), WIDEST) for column in zip(*cells)]
    return '\n'.join('  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)


def _counted(count: int, word: str) -> str:
    plural = word[:-2] + 'es' if word.endswith('is') else word + 's'
    return f'{count} {word if count == 1 else plural}'


def _edit_line(name: str, before: str, after: str) -> Tuple[str, str]:
    """As axed prints a change: what is only there afterwards has a plus."""
    sign = '' if before and after else '+ ' if after else '- '
    return sign + name, before + (' -> ' if before and after else '') + after


class Rows(Sequence[Row], Generic[Row]):
    """A result that is a list; its text has a line for each row."""

    json: Dict[str, Any]

    def _rows(self) -> Tuple[Row, ...]:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Row:
        ...

    @overload
    def __getitem__(self, index: slice) -> Tuple[Row, ...]:
        ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Row, Tuple[Row, ...]]:
        return self._rows()[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())

    def __repr__(self) -> str:
        rows = self._rows()
        word = type(rows[0]).__name__ if rows else ''
        return f'<{type(self).__name__}: {_counted(len(rows), word.lower()) if rows else "none"}>'

    def __str__(self) -> str:
        """The fields of each row, without those that are empty in all."""
        rows = [[notebook.cell(getattr(row, f.name)).replace('\n', ', ') for f in dataclasses.fields(row)]  # type: ignore[arg-type]
                for row in self._rows()]
        used = [any(column) for column in zip(*rows)]
        return _aligned([cell for cell, some in zip(row, used) if some] for row in rows) if rows else 'nothing'

    def _repr_html_(self) -> str:
        return notebook.records(self._rows())


class Edited:
    """What an edit says, and the model that it makes."""

    _make: Optional[Callable[[], bytes]]

    @property
    def model(self) -> bytes:
        """The edited model, when it was not written: for onnx.load_from_string, onnxruntime, or axed again.

        It is made when it is asked for.  Weights in other files stay there, under the names that the model has for
        them: `onnx.external_data_helper.load_external_data_for_model(proto, folder)` reads them.  protobuf, and so
        onnx, takes no bytes above 2 GB: write such a model with `output`.
        """
        if self._make is None:
            raise Error('the model was written to its file', 2)
        return self._make()


@dataclass(frozen=True)
class Type:
    """A type of ONNX: kind is tensor, sparse_tensor, sequence, optional, map or opaque."""

    kind: str
    elem: Union[str, 'Type', None] = None
    shape: Optional[Tuple[Dim, ...]] = None  # of an element
    key: Optional[str] = None
    domain: Optional[str] = None
    name: Optional[str] = None

    def __str__(self) -> str:
        elem = '?' if self.elem is None else str(self.elem)
        if self.kind == 'tensor':
            return f'{elem} {dims(self.shape)}'.rstrip()
        return f'{self.kind}({self.key}, {elem})' if self.kind == 'map' else f'{self.kind}({elem})'


@dataclass(frozen=True, repr=False)
class Tensor:
    """A tensor: `graph` is empty for the main graph; `from_` is input, initializer, inferred or claim."""

    name: str
    graph: str
    type: Optional[Type]
    shape: Optional[Tuple[Dim, ...]]
    from_: str

    def __str__(self) -> str:
        return ' '.join(word for word in ('?' if self.type is None else str(self.type), dims(self.shape)) if word)

    def __repr__(self) -> str:
        return f'Tensor({self.name}: {self})'


@dataclass(frozen=True, repr=False)
class Shapes(Rows[Tensor]):
    """All tensors, or those that were asked for; shapes['name'] is the one of that name."""

    tensors: Tuple[Tensor, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return _aligned((f'{t.graph}/{t.name}' if t.graph else t.name, t, t.from_) for t in self.tensors) or 'nothing'

    def _rows(self) -> Tuple[Tensor, ...]:
        return self.tensors

    @overload
    def __getitem__(self, index: Union[int, str]) -> Tensor:
        ...

    @overload
    def __getitem__(self, index: slice) -> Tuple[Tensor, ...]:
        ...

    def __getitem__(self, index: Union[int, slice, str]) -> Union[Tensor, Tuple[Tensor, ...]]:
        if not isinstance(index, str):
            return self.tensors[index]
        for tensor in self.tensors:
            if tensor.name == index:
                return tensor
        raise KeyError(index)


@dataclass(frozen=True, repr=False)
class Input:
    """An input or output as the file declares it; `default`: the caller may leave it out."""

    name: str
    type: Optional[Type]
    shape: Optional[Tuple[Dim, ...]]
    default: bool = False

    def __str__(self) -> str:
        return ' '.join(word for word in ('?' if self.type is None else str(self.type), dims(self.shape)) if word)

    def __repr__(self) -> str:
        return f'Input({self.name}: {self})'


@dataclass(frozen=True)
class Opset:
    domain: str
    version: int


@dataclass(frozen=True)
class Operator:
    """How many nodes have this operator."""

    domain: str
    op: str
    count: int


@dataclass(frozen=True)
class Use:
    """A symbol that the file declares, and how often."""

    name: str
    uses: int


@dataclass(frozen=True, repr=False)
class Summary:
    """What a file says about itself; `json` has more."""

    model: str
    bytes: int
    ir_version: int
    producer: str
    producer_version: str
    nodes: int
    opsets: Tuple[Opset, ...]
    inputs: Tuple[Input, ...]
    outputs: Tuple[Input, ...]
    symbols: Tuple[Use, ...]
    operators: Tuple[Operator, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f'<Summary: {self.model}, {_counted(self.nodes, "node")}>'

    def __str__(self) -> str:
        opsets = ', '.join(f'{opset.domain} {opset.version}'.strip() for opset in self.opsets)
        rows = [(self.model, f'{self.bytes} bytes, {_counted(self.nodes, "node")}, opset {opsets}')]
        rows += [('input', f'{i.name}  {i}') for i in self.inputs] + [('output', f'{o.name}  {o}') for o in self.outputs]
        rows += [('symbols', '  '.join(use.name for use in self.symbols))] * bool(self.symbols)
        return _aligned(rows)

    def _repr_html_(self) -> str:
        opsets = ', '.join(f'{opset.domain or "ai.onnx"} {opset.version}' for opset in self.opsets)
        head = notebook.rows([('model', self.model), ('bytes', self.bytes), ('opsets', opsets),
                              ('producer', f'{self.producer} {self.producer_version}'), ('nodes', self.nodes)])
        return head + notebook.table(['', 'name', 'type'], [
            (what, declared.name, str(declared))
            for what, some in (('input', self.inputs), ('output', self.outputs)) for declared in some])


@dataclass(frozen=True)
class Finding:
    """Something wrong or worth knowing; `repairs` are lines for `set` and `repair`."""

    level: str
    graph: str
    op: str
    node: str
    tensor: str
    axis: Optional[int]
    symbol: Optional[str]
    value: Optional[int]
    range: Optional[Range]
    branch: Optional[str]
    message: str
    root: Optional[int]
    why: Tuple[str, ...]
    repairs: Tuple[str, ...]

    def __str__(self) -> str:
        place = [' '.join(word for word in (self.op, self.node) if word), self.tensor, self.message]
        head = ('  > ' if self.root is not None else '') + self.level
        lines = [f'{head:<12} ' + ': '.join(word for word in place if word)]
        lines += [' ' * 15 + step for step in self.why] + [f'{" " * 15}do: {repair}' for repair in self.repairs]
        return '\n'.join(map(shown, lines))


@dataclass(frozen=True, repr=False)
class Findings(Rows[Finding]):
    """What `check` finds, the most severe first; `ok` when it would exit 0."""

    findings: Tuple[Finding, ...]
    ok: bool = True
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        levels = list(dict.fromkeys(f.level for f in self.findings))
        return '<Findings: ' + (', '.join(f'{sum(f.level == level for f in self.findings)} {level}' for level in levels)
                                or 'no problems') + '>'

    def __str__(self) -> str:
        return '\n'.join(map(str, self.findings)) or 'no problems'

    def _rows(self) -> Tuple[Finding, ...]:
        return self.findings

    def _repr_html_(self) -> str:
        if not self.findings:
            return notebook.paragraph('no problems')
        return notebook.table(['level', 'where', 'message', 'repair'], [
            (f.level, ' '.join(w for w in (f.op, f.node, f.tensor) if w), '\n'.join((f.message, *f.why)),
             '\n'.join(f.repairs)) for f in self.findings])


@dataclass(frozen=True)
class By:
    """What decides about an axis."""

    op: str
    node: str
    constant: str


@dataclass(frozen=True)
class Axis:
    """An axis of an input; verdict is free, pinned, fixed, tied, data-dependent or unknown."""

    input: str
    axis: int
    dim: Dim
    verdict: str
    value: Optional[int]
    range: Optional[Range]
    equal: Tuple[str, ...]
    by: By
    dependents: int
    bounds: Tuple[str, ...]
    branch: Optional[str] = None
    part_of: Optional[str] = None

    def said(self) -> str:
        """The verdict, and what decides it.

        >>> import axed
        >>> axed.axes("pinned_reshape.onnx")[0].said()
        'pinned to 3 by Reshape /Reshape with /Constant_output_0'
        """
        size = self.value if self.range is None else f'{self.range[0]} \u2026 {self.range[1]}'
        equal = ' and '.join(self.equal)
        words = {'pinned': f'pinned to {size}', 'fixed': f'fixed at {size}', 'tied': f'tied to {equal}' if equal else 'tied',
                 'data-dependent': f'data-dependent: must equal {equal}',
                 'unknown': 'unknown: shapes are unknown'}.get(self.verdict, self.verdict)
        words += f', tied to {equal}' if equal and self.verdict in ('pinned', 'fixed', 'free') else ''
        words += f', as part of {self.part_of}' if self.part_of else ''
        if self.by.op and (self.verdict != 'free' or self.part_of):
            words += (' behind ' if self.verdict == 'unknown' else ' by ') + ' '.join(word for word in (self.by.op, self.by.node) if word)
            words += f' with {self.by.constant}' if self.by.constant else ''
        return words


@dataclass(frozen=True, repr=False)
class Axes(Rows[Axis]):
    """Whether each axis of the inputs can be dynamic, and what stops it."""

    axes: Tuple[Axis, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return _aligned((f'{a.input}:{a.axis}', '?' if a.dim is None else a.dim, a.said(),
                         _counted(a.dependents, 'axis'),
                         'needs ' + ', '.join(a.bounds) if a.bounds else '') for a in self.axes) or 'nothing'

    def _rows(self) -> Tuple[Axis, ...]:
        return self.axes

    def _repr_html_(self) -> str:
        return notebook.table(['axis', 'dim', 'verdict', 'value', 'by', 'bounds'], [
            (f'{a.input}:{a.axis}', a.dim, a.verdict, '' if a.value is None else a.value,
             ' '.join(w for w in (a.by.op, a.by.node, a.by.constant) if w), '\n'.join(a.bounds))
            for a in self.axes])


@dataclass(frozen=True)
class Symbol:
    name: str
    kind: str
    uses: int
    equal: str
    notes: Tuple[str, ...]
    node: str
    do: Optional[str] = None


@dataclass(frozen=True, repr=False)
class Symbols(Rows[Symbol]):
    """Every symbol: its origin, its uses, what it must equal, and the line that makes it so."""

    symbols: Tuple[Symbol, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def _rows(self) -> Tuple[Symbol, ...]:
        return self.symbols


@dataclass(frozen=True)
class Step:
    """A dim, and the node that gives it that size: of a tensor's axis, or of an element of its contents."""

    tensor: str
    dim: Dim
    op: str
    node: str
    from_: str
    passed: int
    depth: int
    axis: Optional[int] = None
    element: Union[int, str, None] = None


@dataclass(frozen=True, repr=False)
class Explanation(Rows[Step]):
    """Why a dim is what it is: each step comes from those below it that are deeper."""

    steps: Tuple[Step, ...]
    truncated: bool
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def _rows(self) -> Tuple[Step, ...]:
        return self.steps

    def __str__(self) -> str:
        return '\n'.join(f'{"  " * s.depth}{s.tensor}' + (f'[{s.axis}]' if s.axis is not None else f'{{{s.element}}}') +
                         f' = {"?" if s.dim is None else s.dim}  {f"by {s.op} {s.node}".rstrip() if s.op else s.from_}'
                         for s in self.steps)

    def _repr_html_(self) -> str:
        return notebook.lines(str(self))


@dataclass(frozen=True)
class Change:
    name: str
    before: str
    after: str


@dataclass(frozen=True, repr=False)
class Changes(Rows[Change], Edited):
    """What an edit changed."""

    changes: Tuple[Change, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _make: Optional[Callable[[], bytes]] = field(default=None, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return _aligned(_edit_line(c.name, c.before, c.after) for c in self.changes) or 'nothing changes'

    def _rows(self) -> Tuple[Change, ...]:
        return self.changes


@dataclass(frozen=True)
class Freed:
    """An axis that was asked for: whether it is free, how that is proved, or the reason why it is not."""

    axis: str
    freed: bool
    reason: str
    hint: Optional[str] = None
    proof: Optional[str] = None
    mixes: Optional[str] = None


@dataclass(frozen=True, repr=False)
class Repair(Changes):
    """What a repair changed, proved and assumed."""

    axes: Tuple[Freed, ...] = ()
    bounds: Tuple[str, ...] = ()
    assumes: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()
    warnings: Tuple[str, ...] = ()

    def __repr__(self) -> str:
        freed = sum(axis.freed for axis in self.axes)
        return f'<Repair: {freed} of {_counted(len(self.axes), "axis")} freed, {_counted(len(self.changes), "change")}>'

    def __str__(self) -> str:
        lines: List[str] = []
        for a in self.axes:
            proof = f'{a.proof}: {a.mixes}' if a.mixes else str(a.proof)
            lines.append(f'freed    {a.axis}  {proof}' if a.freed else f'refused  {a.axis}  {a.reason}')
        for word, some in (('needs', self.bounds), ('assumes', self.assumes), ('warning', self.warnings)):
            lines += [f'{word:<8} {text}' for text in some]
        return '\n'.join([super().__str__()] * bool(self.changes) + [*map(shown, lines)]) or 'nothing to repair'

    def _repr_html_(self) -> str:
        return notebook.records(self.axes) + notebook.records(self.changes)


@dataclass(frozen=True)
class FitAxis:
    """An axis whose size differs between the exports."""

    axis: str
    name: str
    sizes: Tuple[int, ...]


@dataclass(frozen=True)
class Solved:
    """A number that became an expression of the sizes."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, repr=False)
class Fit(Edited):
    """One model made of several exports."""

    fitted: bool
    axes: Tuple[FitAxis, ...]
    solved: Tuple[Solved, ...]
    bounds: Tuple[str, ...]
    assumes: Tuple[str, ...]
    reasons: Tuple[str, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _make: Optional[Callable[[], bytes]] = field(default=None, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        if not self.fitted:
            return f'<Fit: refused, {_counted(len(self.reasons), "reason")}>'
        return f'<Fit: {_counted(len(self.axes), "axis")}, {_counted(len(self.solved), "number")} solved>'

    def __str__(self) -> str:
        rows = [('axis', a.axis, ', '.join(map(str, a.sizes)) + f' -> {a.name}') for a in self.axes]
        rows += [('solved', n.place, f'{n.before} -> {n.after}') for n in self.solved]
        rows += [(word, text, '') for word, some in (
            ('needs', self.bounds), ('assumes', self.assumes), ('cannot fit', self.reasons)) for text in some]
        return _aligned(rows) or 'nothing'

    def _repr_html_(self) -> str:
        return notebook.records(self.axes) + notebook.records(self.solved)


@dataclass(frozen=True)
class Difference:
    kind: str
    graph: str
    name: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, repr=False)
class Differences(Rows[Difference]):
    """Where two models differ; empty when they are the same."""

    differences: Tuple[Difference, ...]
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def _rows(self) -> Tuple[Difference, ...]:
        return self.differences


@dataclass(frozen=True)
class Run:
    """One run in ONNX Runtime; verdict is equal, runs, differs, shape, failed or undone."""

    kind: str
    sizes: Dict[str, int]
    verdict: str
    difference: Optional[float]
    place: Optional[str]
    before: Optional[str]
    after: Optional[str]
    unequal: int
    compared: int
    seconds: float
    message: Optional[str]


@dataclass(frozen=True, repr=False)
class Verification(Rows[Run]):
    """Whether a model runs, with the shapes that are predicted and the numbers of the original."""

    model: str
    original: Optional[str]
    python: Optional[str]
    onnxruntime: Optional[str]
    seed: int
    tolerance: Optional[float]
    runs: Tuple[Run, ...]
    notes: Tuple[str, ...]
    missing: Optional[str]
    ok: bool
    json: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def _rows(self) -> Tuple[Run, ...]:
        return self.runs
