"""What is typed: line keys that are the same in every field, keys that are looked for, and what a field says."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scripted import keys, screen
from terminals import Session

RNN, PINNED = 'dynamic_rnn.onnx', 'pinned_reshape.onnx'


def helped(text):
    """The line that is told in full below the help's list."""
    found = re.search(r'│:([^│]*?)  [^│]*│', text)
    return found[1].split(' [')[0] if found else ''


def test_help_finds_keys_as_people_write_them():
    for typed, line in (('za', 'fold toggle'), ('C-r', 'redo'), ('ctrl+r', 'redo'), ('ctrl-r', 'redo'), ('^R', 'redo'), ('<c-r>', 'redo'),
                        ('R', 'repair'), ('r', 'rename'), ('pageup', 'page-up'), ('PgUp', 'page-up'), ('esc', 'leave'),
                        ('alt+o', 'forward'), ('M-O', 'forward'), ('C-m', 'open'), ('F1', 'help'), ('shift+tab', 'previous-pane')):
        equal(helped(screen(RNN, 'help', keys(typed))), line, typed)
    every = screen(RNN, 'help', keys('Ctrl'))
    for line in ('half-up', 'redo', 'suspend', 'palette'):
        check(re.search(rf'│  [^│]*Ctrl-[^│]* {line} ', every), f'Ctrl: no {line}\n{every}')
    check('no match' in screen(RNN, 'help', keys('C-q')), 'a key that is bound to nothing')


def test_the_same_keys_edit_every_field():
    for opened in ('help', 'palette', 'keys :'):
        text = screen(RNN, opened, keys('zoom'), 'keys Ctrl-U', keys('undo'))
        check('undo' in text and 'zoomundo' not in text and 'undozoom' not in text, f'Ctrl-U in {opened}\n{text}')
        text = screen(RNN, opened, keys('zoom'), 'keys Ctrl-A Ctrl-K', keys('undo'))
        check('undo' in text and 'undozoom' not in text, f'Ctrl-A and Ctrl-K in {opened}\n{text}')
        text = screen(RNN, opened, keys('zoom'), 'keys Esc')
        equal(text, screen(RNN), f'Esc leaves {opened}')


def test_a_cursor_within_the_text_is_seen():
    text = screen(RNN, 'palette', keys('zoom'), 'keys Ctrl-A', keys('x'), what='cells')
    check('> xzoom' in text and re.search(r'bright/pointed', text), text)


def test_keys_of_the_keyboard_say_what_they_are():
    with Session(RNN) as (t, _):
        t.type('é')
        t.wait('é is not bound')
        t.keys('F5')
        t.wait('this key is not bound')
        t.keys('F1')
        t.wait('Help: what each key does')


def bottom(text):
    """The prompt, and what is said below it."""
    return text.rstrip('\n').split('\n')[-2:]


def field(text):
    """The prompt, and the rows below it."""
    lines = text.rstrip('\n').split('\n')
    at = max(i for i, line in enumerate(lines) if re.match('[╰╭│┴├]', line)) + 1
    return lines[at], lines[at + 1:]


def edits(name, *lines):
    """The lines that the document was edited by."""
    with tap.folder() as folder:
        code, out, err = run('edit', model(name), '--script', '-', stdin='\n'.join([*lines, 'keys Esc Esc', 'history', 'quit!', '']).encode(),
                             env={'XDG_STATE_HOME': folder})
        check(code == 0, err)
        return out.decode().split('\n')[:-1]


def test_enter_again_does_what_was_refused():
    typed = ['goto input', 'keys e', keys('4'), 'keys Enter']
    for lines in (typed, ['edit set input:0=', keys('4'), 'keys Enter']):
        prompt, rows = field(screen(PINNED, *lines, size='80 24'))
        why = ' '.join(' '.join(rows).split())
        check('4' in prompt and why.startswith('✗ ') and why.endswith('Enter again sets it anyway'), (prompt, why))
        check('--force' not in prompt + why, why)
        equal(edits(PINNED, *lines), [], 'the first Enter')
        equal(edits(PINNED, *lines, 'keys Enter')[-1:], ['set input:0=4 --force'], 'Enter again')
        equal(edits(PINNED, *lines, 'keys Backspace', keys('5'), 'keys Enter'), [], 'another value is asked again')
    equal(edits(PINNED, *typed[:-1], 'keys Enter', 'keys Esc', *typed), [], 'what was left is asked again')


def test_what_is_said_can_be_done():
    check("a size is a whole number, not 'foo'" in screen(RNN, 'keys = f o o Enter'), 'a size')
    text = ' '.join(screen('demo_pinned.onnx', 'keys 5 R').split())
    check('freed ids:0 and 1 more, item by item' in text and 'V runs it' in text, 'both axes are counted')
    with tap.folder() as folder:
        code, out, err = run('edit', '--demo', '--script', '-', stdin=b'resize 120 36\nkeys 5 R\nsave-screen /dev/stdout\nquit!\n',
                             env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
    check(code == 0 and b'freed ids:0' in out and b'V runs it' not in out, f'the demo has no file to compare with: {err}')


def test_long_messages_are_read_in_full():
    text = screen(PINNED, 'pane problems', 'keys R', size='80 24')
    *said, hints = text.rstrip('\n').split('\n')[-3:]
    said = ' '.join(' '.join(said).split())
    check('[3, 10] → [0, 10], and ' in said and said.endswith('V runs it in ONNX Runtime'), said)
    check('R repair' in hints, f'the keys: {hints}')
    check('V runs it' not in screen(PINNED, 'pane problems', 'keys R', 'keys j', size='80 24'), 'the next key takes it away')
    prompt, *why = screen(RNN, 'goto input', 'keys e', keys('2x'), size='60 24').rstrip('\n').split('\n')[-3:]
    check(prompt.startswith(' input:0 = 2x') and 'expression of declared names' in ' '.join(' '.join(why).split()), (prompt, why))


def test_pages_show_long_lines():
    """In a terminal: a script prints pages."""
    with Session(RNN, width=80, height=24) as (t, _):
        t.type(':set batch_size=a_rather_long_name_of_a_batch')
        t.keys('Enter')
        t.wait('modified')
        t.keys('D')
        t.wait('Differences')
        start = t.screen()
        check('sequence_length, 10]  ' not in start.split('Differences')[1] or '…' in start, start)
        t.keys(*'lllllll')
        t.until(lambda text: text != start)
        moved = t.screen()
        check(re.search(r'│[^│]*_batch, (sequence_length, 10\]|5\])', moved), moved)
        t.keys(*'hhhhhhhhh')
        check(t.until(lambda text: text == start), 'h comes back')


def test_enter_again_merges():
    lines = ['pane symbols', 'keys r', keys('sequence_length'), 'keys Enter']
    prompt, why = bottom(screen(RNN, *lines, size='80 24'))
    check("symbol 'sequence_length' exists" in why and why.rstrip().endswith('Enter again merges them') and '--merge' not in why, why)
    equal(edits(RNN, *lines), [], 'the first Enter')
    equal(edits(RNN, *lines, 'keys Enter')[-1:], ['set batch_size=sequence_length --merge'], 'Enter again')


def test_a_refused_field_takes_the_letters_that_follow():
    for lines, why in ((['goto /rnn/RNN', 'pane inspector', 'keys e'], 'no size is selected here'),
                       (['goto input', 'keys , r'], '10 is a number; e gives it a name')):
        refused = screen(RNN, *lines)
        check(f'✗ {why}' in refused, refused)
        equal(screen(RNN, *lines, keys('8 Rfq')), refused, 'letters are commands')
        closed = screen(RNN, *lines, 'keys Esc')
        check(why not in closed, closed)
        check(bottom(screen(RNN, *lines, 'keys Esc', 'keys : z'))[0].startswith(':z'), 'keys work again')


def test_the_hints_say_what_esc_does():
    for size in ('80 24', '120 36'):
        for pane in ('outline', 'inspector', 'symbols', 'problems', 'history'):
            check('Esc back' in bottom(screen(RNN, f'pane {pane}', size=size))[1], f'{pane} at {size}')
        check('Esc ends the trial' in bottom(screen(RNN, 'goto input', 'keys =', keys('4'), 'keys Enter', size=size))[1], f'a trial at {size}')
        check('Esc' not in bottom(screen(RNN, size=size))[1], 'nothing to leave')


def answer(name, *lines):
    """What a script says when its last line fails."""
    with tap.folder() as folder:
        _, _, err = run('edit', model(name), '--script', '-', stdin='\n'.join([*lines, '']).encode(), env={'XDG_STATE_HOME': folder})
        return err.decode().strip().split(': ', 3)[-1]


LINES = [(name, usage, flags) for name, usage, flags in
         re.findall(r'^LINE\(\w+, [^"]*"([^"]+)", (?:NULL|"[^"]*"), "([^"]*)", \w+, ([A-Z_ |]+),', tap.read(os.path.join(tap.TOP, 'src/app/lines.def')).decode(), re.M)]


def test_no_line_drops_a_word():
    check(len(LINES) > 60, f'{len(LINES)} rows')
    for name, usage, flags in LINES:
        if '...' in usage or 'LINE_REST' in flags:
            continue
        words = ['1'] * len(usage.split())
        said = answer(RNN, ' '.join([name, *words, 'surplus']))
        check(said == (f"{name} {usage}: 'surplus' is one word too many" if words else f'{name} takes no arguments'), f'{name}: {said}')


def test_rename_takes_the_names():
    equal(edits(RNN, 'rename batch_size B')[-1:], ['set batch_size=B'], 'both names')
    equal(edits(RNN, 'keys :', keys('rename batch_size B'), 'keys Enter')[-1:], ['set batch_size=B'], 'typed')
    equal(answer(RNN, 'rename batch_size'), 'rename [OLD NEW]', 'one name')
    equal(answer(RNN, 'rename batch_size 8'), '8 is a size: set fixes a symbol to one', 'a size')


def test_advice_fits_the_search():
    for typed, advised in (('s.*t', True), ('shape:*x768', False), ('op:Zem*', False), ('shape:*x768 a.*b', True), ('~qq.*', False)):
        said = bottom(screen(RNN, 'keys /', keys(typed)))[0]
        check('no match' in said and ('regular expression' in said) == advised, f'{typed}: {said}')


tap.main(globals())
