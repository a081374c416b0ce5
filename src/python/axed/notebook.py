"""How results look in a notebook: tables that take their colours from the page, and pictures.

Names come from model files: each text is escaped, and a drawing is an image, in which nothing runs.
"""

import base64
import dataclasses
from html import escape
from typing import Any, Iterable, Optional, Sequence

CELL = ' style="text-align:left;vertical-align:top;white-space:pre-wrap;padding:0.1em 0.8em"'


def dims(shape: Optional[Sequence[object]]) -> str:
    """A shape as axed prints it; nothing when the rank is unknown.

    >>> dims(('batch', 10, None))
    '[batch, 10, ?]'
    """
    if shape is None:
        return ''
    return '[' + ', '.join('?' if dim is None else str(dim) for dim in shape) + ']'


def shown(text: str) -> str:
    """A text that a terminal cannot take for commands.

    >>> shown('a\\x1b[2Jb')
    'a\\\\x1b[2Jb'
    """
    return text if text.isprintable() else ''.join(
        c if c.isprintable() else f'\\u{ord(c):04x}' if '\x80' <= c <= '\xff' else
        c.encode('unicode_escape').decode() for c in text)


def paragraph(text: str) -> str:
    return f'<p>{escape(text)}</p>'


def lines(text: str) -> str:
    return f'<pre>{escape(text)}</pre>'


def _row(kind: str, cells: Iterable[object]) -> str:
    return '<tr>' + ''.join(f'<{kind}{CELL}>{escape(str(cell))}</{kind}>' for cell in cells) + '</tr>'


def table(heads: Sequence[str], cells: Iterable[Iterable[object]]) -> str:
    """
    >>> 'a &lt; b' in table(['name'], [['a < b']])
    True
    """
    return ('<table><thead>' + _row('th', heads) + '</thead><tbody>' + ''.join(_row('td', row) for row in cells) +
            '</tbody></table>')


def rows(pairs: Iterable[Sequence[object]]) -> str:
    """A table without heads."""
    return '<table><tbody>' + ''.join(_row('td', pair) for pair in pairs) + '</tbody></table>'


def cell(value: object) -> str:
    """A value of a record, as text."""
    if value is None:
        return ''
    if isinstance(value, tuple):
        return '\n'.join(cell(item) for item in value)
    return str(value)


def records(some: Sequence[Any]) -> str:
    """One row for each record, one column for each field."""
    if not some:
        return paragraph('nothing')
    names = [field.name for field in dataclasses.fields(some[0])]
    return table([name.rstrip('_') for name in names],
                 ([dims(getattr(record, name)) if name == 'shape' else cell(getattr(record, name))
                   for name in names] for record in some))


class Drawing:
    """A graph as SVG: `svg` is its text, `save` writes it, a notebook shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str) -> None:
        """Writes the picture into a new file."""
        with open(path, 'x', encoding='utf-8') as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f'<Drawing: {len(self.svg)} bytes of SVG>'

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg.encode()).decode()
        return ('<div style="overflow:auto;max-height:50em">'
                f'<img style="max-width:none" alt="the graph" src="data:image/svg+xml;base64,{data}"></div>')
