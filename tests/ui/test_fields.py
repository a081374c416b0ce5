"""What is typed: line keys that are the same in every field, keys that are looked for, and what a field says."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminals import Session

tap.AXED = os.path.abspath(tap.AXED)
RNN, LINEAR = 'dynamic_rnn.onnx', 'dynamic_linear.onnx'


def screen(name, *lines, what='screen', size='120 36'):
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        script = '\n'.join([f'resize {size}', 'save-screen /dev/null', *lines, f'save-{what} {out}', 'quit!', ''])
        code, _, err = run('edit', os.path.basename(name), '--script', '-', stdin=script.encode(), cwd=os.path.dirname(model(name)),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        return tap.read(out).decode() if check(code == 0, f'exit {code}: {err.decode(errors="replace")}') else ''


def pressed(text):
    """The line that presses these keys, one after the other."""
    return 'keys ' + ' '.join('Space' if c == ' ' else f'"{c}"' for c in text)


def helped(text):
    """The line that is told in full below the help's list."""
    found = re.search(r'│:([^│]*?)  [^│]*│', text)
    return found[1].split(' [')[0] if found else ''


def test_help_finds_keys_as_people_write_them():
    for typed, line in (('za', 'fold toggle'), ('C-r', 'redo'), ('ctrl+r', 'redo'), ('ctrl-r', 'redo'), ('^R', 'redo'), ('<c-r>', 'redo'),
                        ('R', 'repair'), ('r', 'rename'), ('pageup', 'page-up'), ('PgUp', 'page-up'), ('esc', 'leave'),
                        ('alt+o', 'forward'), ('M-O', 'forward'), ('C-m', 'open'), ('F1', 'help'), ('shift+tab', 'previous-pane')):
        equal(helped(screen(RNN, 'help', pressed(typed))), line, typed)
    every = screen(RNN, 'help', pressed('Ctrl'))
    for line in ('half-up', 'redo', 'suspend', 'palette'):
        check(re.search(rf'│  [^│]*Ctrl-[^│]* {line} ', every), f'Ctrl: no {line}\n{every}')
    check('no match' in screen(RNN, 'help', pressed('C-q')), 'a key that is bound to nothing')


def test_the_same_keys_edit_every_field():
    for opened in ('help', 'palette', 'keys :'):
        text = screen(RNN, opened, pressed('zoom'), 'keys Ctrl-U', pressed('undo'))
        check('undo' in text and 'zoomundo' not in text and 'undozoom' not in text, f'Ctrl-U in {opened}\n{text}')
        text = screen(RNN, opened, pressed('zoom'), 'keys Ctrl-A Ctrl-K', pressed('undo'))
        check('undo' in text and 'undozoom' not in text, f'Ctrl-A and Ctrl-K in {opened}\n{text}')
        text = screen(RNN, opened, pressed('zoom'), 'keys Esc')
        equal(text, screen(RNN), f'Esc leaves {opened}')


def test_a_cursor_within_the_text_is_seen():
    text = screen(RNN, 'palette', pressed('zoom'), 'keys Ctrl-A', pressed('x'), what='cells')
    check('> xzoom' in text and re.search(r'bright/pointed', text), text)


def test_keys_of_the_keyboard_say_what_they_are():
    with Session(RNN) as (t, _):
        t.type('é')
        t.wait('é is not bound')
        t.keys('F5')
        t.wait('this key is not bound')
        t.keys('F1')
        t.wait('Help: what each key does')


tap.main(globals())
