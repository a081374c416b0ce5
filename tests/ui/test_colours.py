"""Colours that mean something: those of symbols stay, and following one shows its flow."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

THREE = b.model(b.graph('g', [b.node('Add', 'x y', 'z', name='add'), b.node('Relu', 'w', 'v', name='relu')],
                        [b.floats('x', 'a', 4), b.floats('y', 'a', 4), b.floats('w', 'b', 'c')],
                        [b.floats('z', 'a', 4), b.floats('v', 'b', 'c')]))


def cells(data, lines):
    """The rows of the screen after the lines: (text, {column: style})."""
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'm.onnx'), os.path.join(folder, 'out')
        with open(path, 'wb') as file:
            file.write(data)
        script = '\n'.join(['resize 120 36', *lines, f'save-cells {out}', 'quit!', ''])
        code, _, err = run('edit', path, '--script', '-', stdin=script.encode(),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        check(code == 0, f'{lines}: {err.decode()}')
        rows = []
        for line in tap.read(out).decode().split('\n'):
            runs = re.fullmatch(r'    \| (.*)', line)
            if not runs:
                rows.append((line, {}))
                continue
            for first, last, style in re.findall(r'(\d+)-(\d+):([\w-]+)', runs[1]):
                rows[-1][1].update(dict.fromkeys(range(int(first), int(last) + 1), style))
        return rows


def colours(data, lines):
    """The styles of the names in the pane of symbols."""
    found = {}
    for text, styles in cells(data, lines):
        for row in re.finditer('\u25a0 (\\S+)', text):
            found[row[1]] = styles.get(row.start(1), '')
    return found


def test_a_symbol_keeps_its_colour():
    first = colours(THREE, [])
    equal(first, {'a': 'symbol-1', 'b': 'symbol-2', 'c': 'symbol-3'}, 'as it opens')
    equal(colours(THREE, ['set a=8']), {'b': 'symbol-2', 'c': 'symbol-3'}, 'another one is fixed')
    equal(colours(THREE, ['set a=new']), {'new': 'symbol-1', 'b': 'symbol-2', 'c': 'symbol-3'}, 'renamed')
    equal(colours(THREE, ['set b=new', 'set a=8']), {'new': 'symbol-2', 'c': 'symbol-3'}, 'renamed, another fixed')
    equal(colours(THREE, ['set a=8', 'set b=other', 'undo 2']), first, 'undone')
    equal(colours(THREE, ['set --merge a=b']), {'b': 'symbol-2', 'c': 'symbol-3'}, 'merged')
    equal(colours(THREE, ['set y:0=own'])['own'], 'symbol-4', 'a part of the axes is named')
    equal(len(set(colours(THREE, ['set w:0=d', 'set w:1=b']).values())), 3, 'a name that is back shares no colour')


def test_preview_does_not_move_colours():
    equal(colours(THREE, ['keys : s e t Space a = 8', 'keys Esc']), colours(THREE, []), 'after a cancelled preview')


def test_what_is_selected_has_one_style():
    data = b.model(b.graph('g', [b.node('Concat', 'x y', 'z', name='join', axis=0)],
                           [b.floats('x', 'a', 4), b.floats('y', 'b', 4)], [b.floats('z', 'c', 4)]))
    text, styles = next(row for row in cells(data, ['goto join']) if re.search(r'\[a \+ b, 4\]', row[0]))
    at = text.index('a + b')
    equal({styles.get(at + i) for i in (0, 4)}, {'text'}, f'the symbols in the selected size: {text}')


def test_following_fades_the_rest():
    rows = cells(THREE, ['pane symbols', 'keys j', 'keys Enter'])
    line = next(((text, styles) for text, styles in rows if re.search('\u2500 Add ', text)), None)
    check(line and line[1].get(line[0].index('Add')) == 'faded', f'what does not carry b is faded: {line}')
    line = next(((text, styles) for text, styles in rows if re.search('\u2500 Relu ', text)), None)
    check(line and line[1].get(line[0].index('Relu')) == 'kind-activation', f'what carries it is not: {line}')
    text, styles = rows[next(i for i, (text, _) in enumerate(rows) if re.search('\u2500 Relu ', text)) + 1]
    shape = re.search(r'\[(b), (c)\]', text)
    equal([styles.get(shape.start(n)) for n in (1, 2)], ['symbol-2', 'faded'], 'nor is the dim, but others beside it are')
    check(any('uses of b ' in text for text, _ in rows), 'the list of uses')
    check('symbol-2' in [s for _, styles in rows[5:] for s in styles.values()], 'lines have its colour')


def test_uses_are_walked_and_left():
    walk = ['pane symbols', 'keys Enter']
    at = {}
    for keys in ('', 'n', 'n n', 'n n n', 'N'):
        rows = cells(THREE, walk + ([f'keys {keys}'] if keys else []))
        at[keys] = rows[34][0].split()[0]
    equal(at, {'': 'x', 'n': 'y', 'n n': 'Add', 'n n n': 'z', 'N': 'z'}, 'where the uses are')
    left = cells(THREE, walk + ['keys Esc'])
    check(not any('faded' in styles.values() for _, styles in left), 'Esc ends it')
    check(any('Symbols (3)' in text for text, _ in left), 'and the symbols are back')


def test_following_survives_a_rename():
    rows = cells(THREE, ['pane symbols', 'keys Enter', 'set a=new'])
    check(any('uses of new ' in text for text, _ in rows), 'the renamed symbol is followed')
    rows = cells(THREE, ['pane symbols', 'keys Enter', 'set a=8'])
    check(not any('faded' in styles.values() for _, styles in rows), 'a fixed one fades nothing')
    rows = cells(THREE, ['pane symbols', 'keys Enter', 'set a=8', 'undo'])
    check(any('uses of a ' in text for text, _ in rows), 'until it is back')


def long_names(first='H', other='W', extra=()):
    """Four convolutions of stride 2, so that floor((H + 1)/2) is in more than three dims."""
    nodes = [b.node('Conv', 'x w', 'a', name='conv', strides=[3, 3])]
    nodes += [b.node('Relu', 'abcd'[i], 'bcde'[i], name=f'relu{i}') for i in range(4)]
    return b.model(b.graph('g', nodes + list(extra), [b.floats('x', 1, 3, first, other), b.floats('w', 3, 3, 2, 2)],
                           [b.floats('e', 1, 3, None, None)]))


def screen_text(data, lines):
    return '\n'.join(text for text, _ in cells(data, lines))


def test_a_long_expression_has_a_short_name():
    text = screen_text(long_names(), [])
    check('[1, 3, H\u2081, W\u2081]' in text, f'in boxes: {text}')
    check('H\u2081 = floor((H + 1)/3)' in text, f'and told below the symbols: {text}')
    check('floor((H + 1)/3), ' not in text, 'nowhere else')
    off = screen_text(long_names(), ['option names off'])
    check('\u2081' not in off and '[1, 3, floor((H + 1)/3), floor((W + 1)/3)]' in off, f'off: {off}')
    check('[1, 3, H.1, W.1]' in screen_text(long_names(), ['option ascii on']), 'in ASCII')
    sequence = screen_text(long_names('sequence_length'), [])
    check('sl\u2081 = floor((sequence_length' in sequence, f'a long symbol has initials: {sequence}')


def test_short_names_are_stable_and_unique():
    same = 'W\u2081 = floor((W + 1)/3)'
    check(same in screen_text(long_names(), ['set x:2=8']), 'when another symbol is fixed')
    check('H\u2081 = ' in screen_text(long_names(), ['set x:2=8', 'undo']), 'after undo')
    renamed = screen_text(long_names(), ['set H=R'])
    check('R\u2081 = floor((R + 1)/3)' in renamed and same in renamed, f'after a rename: {renamed}')
    taken = screen_text(long_names(other='H.1'), [])
    check('H\u2082 = floor((H + 1)/3)' in taken, f'no name of the model is used: {taken}')
    both = screen_text(long_names('height', 'hue'), [])
    check('h\u2081 = ' in both and 'hue\u2081 = ' in both, f'two symbols: {both}')


def test_the_user_may_name_an_expression():
    named = screen_text(long_names(), ['name rows=floor((H + 1)/3)'])
    check('[1, 3, rows, W\u2081]' in named and 'rows = floor((H + 1)/3)' in named, f'{named}')
    check('[1, 3, rows, W\u2081]' in screen_text(long_names(), ['name rows=H\u2081']), 'by its short name')
    check('[1, 3, H\u2081, W\u2081]' in screen_text(long_names(), ['name rows=H.1', 'name rows=']), 'taken back')
    check('[1, 3, rows, W\u2081]' in screen_text(long_names(), ['name rows=H.1', 'set x:2=8', 'undo']), 'after undo')


def test_names_are_for_the_eye_only():
    with tap.folder() as folder:
        path = os.path.join(folder, 'm.onnx')
        with open(path, 'wb') as file:
            file.write(long_names())
        for words in (['shapes', path], ['shapes', path, '--json'], ['explain', path, 'e:2'], ['symbols', path]):
            code, out, _ = run(*words)
            check(code == 0 and '\u2081'.encode() not in out and b'.1' not in out.replace(b'm.onnx', b''), f'{words}: {out}')


tap.main(globals())
