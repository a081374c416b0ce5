"""A weight that is selected: all of its values, and what the status line, x and y are about."""

import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scripted

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

ROWS, COLUMNS = 500, 7
PACKED = b.model(b.graph('g', [b.node('Add', 'x w', 'y', name='add')], [b.ints('x', 'n', COLUMNS)], [b.ints('y', ROWS, COLUMNS)],
                         [b.int_tensor('w', [ROWS, COLUMNS], [i * 3 - 1000 for i in range(ROWS * COLUMNS)])]))


def write(path, content):
    with open(path, 'wb') as file:
        file.write(content)


def screen(path, *lines, size='120 36', files=()):
    with tap.folder() as folder:
        if isinstance(path, bytes):
            path, content = os.path.join(folder, 'm.onnx'), path
            write(path, content)
        for name, content in files:
            write(os.path.join(folder, name), content)
        return scripted.screen(path, *lines, size=size)


def listed(text):
    """{index of the first element of a row: its values}"""
    rows = re.findall(r'│(\[[\d, ]*\]) +((?:-?[\d.e+-]+ +)+)│', text)
    return {tuple(int(n) for n in index[1:-1].split(',') if n.strip()): [float(n) for n in values.split()] for index, values in rows}


def right(rows, of):
    """Every row is of its elements."""
    return rows and all(values == [of(row * COLUMNS + column + i) for i in range(len(values))] for (row, column), values in rows.items())


def test_all_values_can_be_seen():
    start = ['goto add', 'values', 'save-screen /dev/null']
    seen = set()
    for keys, first in ((['keys j'], (0, 0)), (['keys G'], None), (['keys G', 'keys PgUp PgUp'], None), (['keys G', 'keys g'], (0, 0))):
        rows = listed(screen(PACKED, *start, *keys))
        check(right(rows, lambda i: i * 3 - 1000), f'{keys}: {rows}')
        check(first is None or first in rows, f'{keys} does not start at {first}: {rows}')
        seen |= set(rows)
    check((ROWS - 1, 0) in seen, 'the last row')
    # from end to end, page by page
    pages = ['keys PgDn', 'save-screen /dev/null'] * 20
    check(right(listed(screen(PACKED, *start, *pages)), lambda i: i * 3 - 1000), 'in the middle')


def test_external_values_are_read_as_ever():
    raw = struct.pack('<3500f', *[i / 4 for i in range(3500)])
    made = lambda location: b.model(b.graph('g', [b.node('Add', 'x w', 'y', name='add')], [b.floats('x', 'n', COLUMNS)], [b.floats('y', ROWS, COLUMNS)],
                                            [b.external_tensor('w', b.FLOAT, [ROWS, COLUMNS], location)]))
    rows = listed(screen(made('w.bin'), 'goto add', 'values', 'save-screen /dev/null', 'keys G', files=[('w.bin', raw)]))
    check((ROWS - 1, 0) in rows and right(rows, lambda i: i / 4), rows)
    for location, why in (('gone.bin', 'gone.bin'), ('../../../etc/passwd', 'passwd')):
        text = screen(made(location), 'goto add', 'values', 'save-screen /dev/null', 'keys G')
        check(not listed(text) and why in text and 'external data' in text, f'{location}\n{text}')
    text = screen(made('w.bin'), 'goto add', 'values', 'save-screen /dev/null', 'keys G', files=[('w.bin', raw[:-4])])
    check(not listed(text), f'short data\n{text}')


def test_the_values_are_found():
    check('Values of w' not in screen(PACKED, 'goto add', 'values', 'keys Esc'), 'Esc closes them')
    text = screen(PACKED, 'goto add', 'values', 'keys Esc', 'pane inspector', 'keys Enter')
    check('Values of w' in text, f'Enter on a weight in the inspector\n{text}')
    for word in ('weights', 'values'):
        text = screen(PACKED, 'palette', 'keys ' + ' '.join(word))
        check(': values ' in text.split('> ', 1)[1].split('\n')[1], f'the palette has no {word}\n{text}')
    with tap.folder() as folder:
        _, _, err = run('edit', model('if.onnx'), '--script', '-', stdin=b'values\n', env={'XDG_STATE_HOME': folder})
    check(b'no weight is selected' in err, err)


def overlay(text, title):
    """What is inside the frame that is called so; panes around it have rows of their own."""
    lines = text.split('\n')
    top = next((i for i, line in enumerate(lines) if f'╭─ {title} ' in line), None)
    if not check(top is not None, f'no {title}\n{text}'):
        return ''
    left = lines[top].index(f'╭─ {title} ')
    right = lines[top].index('╮', left)
    bottom = next(i for i, line in enumerate(lines) if i > top and line[left] == '╰')
    return '\n'.join(line[left + 1:right] for line in lines[top + 1:bottom])


def test_status_and_why_are_about_the_weight():
    text = screen(PACKED, 'goto add', 'values', 'keys Esc')
    equal(text.rstrip('\n').split('\n')[-2].strip(), 'weight  w  [500, 7] i64', 'the status line')
    text = overlay(screen(PACKED, 'goto add', 'values', 'keys Esc', 'why'), 'Why')
    check('w[0] = 500  a constant of the file' in text and 'by Add' not in text, f'x\n{text}')
    check('by Add' in overlay(screen(PACKED, 'goto add', 'why'), 'Why'), 'x on the node')
    for key in 'er=':
        check('a weight is selected' in screen(PACKED, 'goto add', 'values', 'keys Esc', f'keys {key}'), f'{key} edits nothing else')
    check('copied w' in screen(PACKED, 'goto add', 'values', 'keys Esc', 'keys y'), 'y')
    text = screen(PACKED, 'goto add', 'values', 'keys Esc', 'goto add')
    check(text.rstrip('\n').split('\n')[-2].strip().startswith('weight'), 'the same node keeps it')
    text = screen(PACKED, 'goto add', 'values', 'keys Esc', 'goto x')
    check('weight  w' not in text, 'another selection ends it')


tap.main(globals())
