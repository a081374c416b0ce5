"""Dims on the screen: what is marked, what is pointed at, how it is edited."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
RNN, PINNED, LINEAR = 'dynamic_rnn.onnx', 'pinned_reshape.onnx', 'dynamic_linear.onnx'


def screen(name, *lines, what='screen', size='120 36'):
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        script = '\n'.join([f'resize {size}', *lines, f'save-{what} {out}', 'quit!', ''])
        code, _, err = run('edit', name, '--script', '-', stdin=script.encode(), cwd=os.path.dirname(model(name)),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        return tap.read(out).decode() if check(code == 0, f'exit {code}: {err.decode(errors="replace")}') else ''


def same(name, one, other):
    first, again = screen(name, *one, what='cells'), screen(name, *other, what='cells')
    check(first and first == again, f'{other} leaves a trace')


def marks(text):
    """The boxes, rows and panes that are marked as changed."""
    return len(re.findall('[┏╭]~|│~', text))


def test_marks_say_what_differs_from_the_file():
    check(marks(screen(RNN, 'set sequence_length=T')) > 3, 'an edit marks nothing')
    check(marks(screen(RNN, 'try sequence_length=7')) > 3, 'a tried size marks nothing')
    for lines in ([], ['set batch_size=B', 'undo'], ['try batch_size=4', 'try'], ['edit set batch_size=', 'keys 4 Esc'],
                  ['set batch_size=B', 'set B=batch_size']):
        equal(marks(screen(RNN, *lines)), 0, f'{lines}')
    both = screen(RNN, 'set sequence_length=T', 'set batch_size=4')
    equal(marks(screen(RNN, 'set batch_size=4', 'set sequence_length=T')), marks(both), 'the order matters')
    check('│~' in screen(RNN, 'set batch_size=4', 'set sequence_length=T', 'pane outline'), 'the second edit hides the first')


def test_marks_are_gone_after_saving():
    with tap.folder() as folder:
        def saved(*lines):
            return marks(screen(RNN, *lines))
        new = os.path.join(folder, 'new.onnx')
        equal(saved('set batch_size=B', f'write {new}'), 0, 'marks of what is in the file')
        check(saved('set batch_size=B', f'write! {new}', 'undo') > 3, 'what was undone differs from the file')


def test_a_cancelled_preview_leaves_the_problems_alone():
    for down in ('', 'j'):
        start = ['pane problems', *([f'keys {down}'] if down else [])]
        same(PINNED, start, [*start, 'edit set batch_size=', 'keys 4 Esc'])
        same(PINNED, start, [*start, 'edit set batch_size=', 'keys 3 Esc'])


def test_a_cleared_filter_takes_letters_again():
    text = screen(RNN, 'help', 'keys / z o o', 'keys Esc', 'keys / u n d o')
    check('> undo_' in text and '\\x00' not in text, 'the filter is damaged')


def test_one_is_singular():
    texts = [screen(LINEAR, *lines) for lines in ([], ['edit set input:1=', 'keys N'], ['edit set batch_size=', 'keys B'])]
    texts += [run(command, model(LINEAR))[1].decode() for command in ('show', 'shapes', 'axes', 'symbols', 'check')]
    for text in texts:
        equal(re.findall(r'(?<![\d.,])1 (?:nodes|shapes|dims|problems|inputs|outputs|uses|rows|columns|tensors|edits)\b', text), [], text)


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
