"""The outline: like-named inputs and outputs have one row, which opens."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, run

tap.AXED = os.path.abspath(tap.AXED)
GPT = tap.shared('models', 'gpt12.onnx')


def rows(*lines, size='200 50'):
    """The rows of the outline, without the frame."""
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        script = '\n'.join([f'resize {size}', *lines, f'save-screen {out}', 'quit!', ''])
        code, _, err = run('edit', os.path.basename(GPT), '--script', '-', stdin=script.encode(), cwd=os.path.dirname(GPT),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        if not check(code == 0, f'exit {code}: {err.decode(errors="replace")}'):
            return []
        text = tap.read(out).decode()
    return [line[1:line.index('│', 1)].rstrip() for line in text.split('\n') if re.match('│[ ~!✗] *[▾▸› ≡]? *', line) and '│' in line[1:]]


def folded(row):
    return re.sub(r'  +.*', '', row.strip())


def test_like_named_inputs_have_one_row():
    shown = [folded(row) for row in rows()[:7]]
    equal(shown[0], '▾ Inputs', 'open, since there are few rows')
    check(any(row.startswith('▸ p0…11{k,v} ×24') for row in shown) and any(row.startswith('▸ o0…11{k,v} ×24') for row in shown), f'{shown}')
    said = run('show', GPT)[1].decode()
    for name in ('p0…11{k,v}', 'o0…11{k,v}'):
        check(re.search(re.escape(name) + r' .* ×24', said), f'{name}: not what show says')


def test_they_open_and_close():
    closed = rows('pane outline', 'first', 'keys j j j')
    for key in ('l', 'Enter'):
        opened = rows('pane outline', 'first', 'keys j j j', f'keys {key}')
        at = next(i for i, row in enumerate(opened) if '▾ p0…11{k,v}' in row)
        equal([row.split()[0] for row in opened[at + 1:at + 5]], ['p0k', 'p0v', 'p1k', 'p1v'], f'{key} opens it')
    equal(rows('pane outline', 'first', 'keys j j j', 'keys l', 'keys h'), closed, 'h closes it')


def test_what_is_selected_is_revealed():
    shown = rows('goto p3v', 'pane outline')
    check(any('› p3v' in row for row in shown) and any('▾ p0…11{k,v}' in row for row in shown), f'{shown}')
    equal(rows('goto p3v', 'goto ids', 'pane outline'), rows('goto ids', 'pane outline'), 'and hidden again')


def test_another_shape_is_another_row():
    shown = rows('set p5k:0=7 --force')
    names = [re.findall(r'[po]\d[^ ]*', row)[0] for row in shown if re.match(r'[~!✗]? *[▸ ] *p\d', row)]
    equal(names, ['p0…4k', 'p0…11v', 'p5k', 'p6…11k'], 'what is one row')
    check(any(re.match('~ +p5k +\\[7, ', row) for row in shown), f'hidden among others: {shown[:8]}')
    equal(rows('set p5k:0=7 --force', 'undo'), rows(), 'after undo')


def test_all_of_them_may_change():
    shown = rows("set 'p*:0=B'")
    check(any('~' in row and 'p0…11{k,v} ×24' in row for row in shown), f'no mark: {shown[:6]}')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
