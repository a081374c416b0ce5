"""Tasks of a first user, from a cold start: how many keys each takes.

Only keys that a hint or the help names are used: each is looked up there.
"""

import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
RNN, PINNED = 'dynamic_rnn.onnx', 'pinned_reshape.onnx'
# what `?` calls the keys that are used
HELP = {'.': 'next-dim', 'r': 'rename', 'e': 'edit', '=': 'size', 'x': 'why', 'G': 'last', 'R': 'repair', 'u': 'undo', '5': 'pane problems',
        'Esc': 'leave', 'q': 'quit', ':': 'command', '4': 'pane symbols', 'Enter': 'open', '/': 'find'}


def session(path, *lines):
    folder = os.path.dirname(path)
    script = '\n'.join(['resize 120 36', 'save-screen', *lines, 'save-screen', 'quit!', ''])
    code, out, err = run('edit', os.path.basename(path), '--script', '-', '--discard', stdin=script.encode(), cwd=folder,
                         env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
    check(code == 0, f'exit {code}: {err.decode(errors="replace")}')
    return out.decode()


def task(name, keys, most):
    """Runs on a copy; text that the user chooses is a tuple, and is not counted."""
    count = sum(not isinstance(key, tuple) for key in keys)
    check(count <= most, f'{count} keys, at most {most}')
    for key in keys:
        if not isinstance(key, tuple) and key in HELP:
            shown = session(model(name), 'help', 'keys / ' + ' '.join(HELP[key].split()[0]))
            check(re.search(rf'(^|\s){re.escape(key)}(\s|$)', shown, re.M), f'? does not name {key}')
    typed = [c if c != ' ' else 'Space' for key in keys for c in (key[0] if isinstance(key, tuple) else [key])]
    with tap.folder() as folder:
        path = os.path.join(folder, name)
        shutil.copy(model(name), path)
        text = session(path, 'keys ' + ' '.join(f"'{key}'" for key in typed))
        return text, {file: tap.read(os.path.join(folder, file)) for file in os.listdir(folder) if os.path.isfile(os.path.join(folder, file))}


def last_screen(text):
    return text[text.rindex(' opset ') - 100:]


def test_rename_a_symbol():
    text, _ = task(RNN, ['.', 'r', ('steps',), 'Enter'], 4)
    check('[batch_size, steps, 10]' in last_screen(text) and 'undo 1' in text, 'not renamed')


def test_fix_the_batch():
    text, _ = task(RNN, ['e', '8', 'Enter'], 4)
    check('[8, sequence_length, 10]' in last_screen(text) and 'undo 1' in text, 'not fixed')


def test_free_a_fixed_axis():
    with tap.folder() as folder:
        fixed = os.path.join(folder, 'fixed.onnx')
        equal(run('set', model(RNN), 'batch_size=3', '-o', fixed)[0], 0, 'the model of this test')
        text = session(fixed, "keys ',' e b a t c h Enter")
        check('[batch, sequence_length, 10]' in last_screen(text) and 'undo 1' in text, 'not freed')


def test_why_is_this_output_so():
    text, _ = task(PINNED, ['G', 'x'], 2)
    check('Why' in text and re.search(r'output\[0\] = 3', last_screen(text)), 'not explained')


def test_repair():
    text, _ = task(PINNED, ['5', 'R'], 2)
    check('freed input:0 item by item' in text and '[batch_size, 5, 2]' in last_screen(text), 'not repaired')


def test_undo():
    text, _ = task(RNN, ['e', '8', 'Enter', 'u'], 4)
    check('[batch_size, sequence_length, 10]' in last_screen(text) and '●modified' not in last_screen(text), 'not undone')


def test_leave_a_tried_size():
    text, _ = task(RNN, ['=', '8', 'Enter', 'Esc'], 4)
    check('try batch_size=8' not in last_screen(text) and '[batch_size, sequence_length, 10]' in last_screen(text), 'not left')


def test_save_as():
    _, files = task(RNN, ['e', '8', 'Enter', ':', ('w new.onnx',), 'Enter'], 5)
    check('new.onnx' in files and files['new.onnx'] != files[RNN], 'not saved')


def test_export_svg():
    _, files = task(RNN, [':', ('export graph.svg',), 'Enter'], 2)
    check(b'<svg' in files.get('graph.svg', b''), 'not exported')


def test_all_uses_of_a_symbol():
    text, _ = task(RNN, ['4', 'Enter'], 2)
    shown = last_screen(text)
    check('uses of batch' in shown and 'makes batch' in shown, shown)


def test_quit():
    folder = os.path.dirname(model(RNN))
    with tap.folder() as state:
        code, out, _ = run('edit', RNN, '--script', '-', stdin=b"keys q\nsave-screen\n", cwd=folder, env={'XDG_STATE_HOME': state})
        check(code == 0 and out == b'', 'q does not quit')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
