"""Sessions in a real terminal: tmux types, and reads the screen.

What tmux cannot send or would hide (the mouse, a slow line, raw bytes, signals) is tested in a pseudo terminal.
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptys import Pty
from terminals import TMUX, Session, Terminal


def colours_of(screen, text):
    """The escape sequences right before each occurrence of a text."""
    found = set()
    for line in screen.split('\n'):
        at = line.find(text)
        while at >= 0:
            start = line.rfind('\x1b[', 0, at)
            if start >= 0:
                found.add(line[start:line.index('m', start) + 1])
            at = line.find(text, at + 1)
    return found


def test_rename_watch_undo_redo_save_reopen():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.wait('batch_size')
        t.wait('sequence_length')
        styled = t.screen(styles=True)
        a, b = colours_of(styled, 'batch_size'), colours_of(styled, 'sequence_length')
        check(a and b and a - b, f'two colours: {a} {b}')
        t.type(':edit set sequence_length=T')
        t.keys('Enter')
        t.wait('Enter apply')
        t.wait('batch_size, T, 10')  # every shape follows before Enter
        equal(run('shapes', path, 'input')[1].split(b'\t')[1], b'float32 [batch_size, sequence_length, 10]', 'the file')
        t.keys('Enter')
        t.wait('modified')
        t.keys('u')
        t.gone('modified')
        t.wait('sequence_length')
        t.keys('C-r')
        t.wait('modified')
        t.type(':w')
        t.keys('Enter')
        t.wait('saved')
        t.keys('Escape')
        t.keys('q')
        t.wait('left 0')
        equal(run('shapes', path, 'input')[1].split(b'\t')[1], b'float32 [batch_size, T, 10]', 'the file')
        t.command(f'clear; {os.path.abspath(tap.AXED)} m.onnx')
        t.wait('[batch_size, T')


def test_a_problem_is_seen_and_repaired():
    with Session('pinned_reshape.onnx') as (t, path):
        equal(run('check', path)[0], 1, 'before')
        t.keys('5')
        t.wait('can only be 3')
        t.keys('Enter')
        t.wait('/Reshape')
        t.keys('5', 'R')
        t.wait('modified')
        t.gone('can only be 3')
        t.type(':wq')
        t.keys('Enter')
        t.wait('left 0')
        equal(run('check', path)[0], 0, 'after')


def test_a_large_model_is_walked():
    with Session(None, path=tap.shared('models', 'swin_t.onnx'), width=160, height=45) as (t, path):
        t.type('/op:Softmax')
        t.keys('Enter')
        t.wait(' Softmax  /')
        first = t.bottom()
        t.keys('n')
        t.wait('2 of')
        there = re.sub(r'\s+2 of \d+ nodes$', '', t.bottom().rstrip())
        check(first != there, 'another one')
        t.keys('z', 'M')
        t.wait('features 6,186')
        t.keys('z', 'R')
        t.gone('features 6,186')
        t.wait(there)
        t.keys('f')
        t.wait('focus')
        t.wait('━ Softmax ━')
        t.keys('Escape')
        t.gone('focus ─')
        t.wait(there)
        t.keys('o')
        t.wait(' Dropout  /')
        t.keys('C-o')
        t.wait(there)
        t.keys('M-o')
        t.wait(' Dropout  /')
        t.type(':try H=224 W=224 N=1')
        t.keys('Enter')
        t.wait('H=224')


def test_resizing():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.tmux('resize-window', '-x', '60', '-y', '15')
        t.wait('2 Graph')
        t.gone('3 Inspector')
        t.tmux('resize-window', '-x', '1', '-y', '1')
        t.tmux('resize-window', '-x', '120', '-y', '36')
        t.wait('3 Inspector')
        t.wait('batch_size')


def test_suspend_and_come_back():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.type(':set batch_size=B')
        t.keys('Enter')
        t.wait('modified')
        t.keys('C-z')
        t.wait('Stopped')
        t.command('echo shell works')
        t.wait('shell works')
        t.command('fg')
        t.wait('2 Graph')
        t.wait('modified')
        t.keys('C-z')
        t.wait('Stopped')
        t.command('clear; echo still; fg')
        t.wait('2 Graph')
        t.keys('u')
        t.gone('modified')


def test_leaving_asks():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.type(':set batch_size=B')
        t.keys('Enter')
        t.wait('modified')
        t.keys('q')
        t.wait('Unsaved edits')
        t.keys('Escape')
        t.gone('Unsaved edits')
        t.keys('q')
        t.wait('Unsaved edits')
        t.keys('l')
        t.wait('left 0')
        equal(tap.read(path), tap.read(model('dynamic_rnn.onnx')), 'the file')


class Raw:
    """A copy of a model, open in a pseudo terminal."""

    def __init__(self, name, *words, path=None, env=None, opened='nodes', **options):
        self.folder = tap.folder()
        self.path = os.path.join(self.folder.name, 'm.onnx')
        self.opened = opened
        shutil.copy(path or model(name), self.path)
        self.env = {'XDG_STATE_HOME': self.folder.name, 'XDG_CONFIG_HOME': self.folder.name, **(env or {})}
        self.pty = Pty([os.path.abspath(tap.AXED), *(words or ['m.onnx'])], cwd=self.folder.name, env=self.env, **options)

    def __enter__(self):
        if self.opened:
            wait(self.pty, self.opened)
        return self.pty, self.path

    def __exit__(self, *_):
        self.pty.close()
        self.folder.cleanup()


def wait(p, text, seconds=20):
    return check(p.wait(text, seconds), f'{text!r} never came; the screen:\n{p.screen.text()}')


def gone(p, text):
    return check(p.gone(text, 20), f'{text!r} stays; the screen:\n{p.screen.text()}')


def leave(p):
    p.send('q')
    equal(p.ended(20), 0, 'the exit code')
    check(p.is_sane(), f'the terminal is as it was: {p.screen.modes}')
    equal(p.screen.odd, [], 'sequences that no terminal knows')


def place_of(p, text):
    for y, row in enumerate(p.screen.text().split('\n')):
        if text in row:
            return row.index(text) + 1, y + 1
    check(False, f'{text!r} is not there:\n{p.screen.text()}')
    return 1, 1


def bottom_is(p, text):
    return check(p.until(lambda: p.screen.text().split('\n')[-2].strip().startswith(text)),
                 f'{text!r} is not selected:\n{p.screen.text()}')


def test_the_mouse():
    with Raw('dynamic_rnn.onnx', height=30) as (p, path):
        wait(p, '─ Squeeze')
        x, y = place_of(p, '─ Squeeze')
        p.send(f'\x1b[<0;{x + 3};{y}M\x1b[<0;{x + 3};{y}m')
        bottom_is(p, 'Squeeze')
        p.send('\x1b[<65;50;15M' * 30)
        gone(p, '● input')
        p.send('\x1b[<64;50;15M' * 30)
        wait(p, '● input')
        wait(p, '▸ [1, batch_size')
        check(any(opens(p, '▸ [1, batch_size', '› [1, batch_size') for _ in range(20)), 'a second click opens it')
        leave(p)


def opens(p, fold, wanted):
    """Whether a click opens a fold: two are a pair if they are not too far apart, nor read at once."""
    x, y = place_of(p, fold)
    p.send(f'\x1b[<0;{x + 3};{y}M\x1b[<0;{x + 3};{y}m')
    end = time.monotonic() + 0.2
    while time.monotonic() < end and wanted not in p.screen.text():
        p.pump(0.02)
    return wanted in p.screen.text()


def test_an_edit_from_the_keyboard():
    with Raw('dynamic_rnn.onnx') as (p, path):
        p.send('gg')
        bottom_is(p, 'input')
        p.send('e')
        wait(p, 'input:0 = batch_size')
        p.send('B')
        wait(p, 'Enter apply')
        wait(p, '[batch_size→B, 5]')
        equal(run('shapes', path, 'input')[1].split(b'\t')[1], b'float32 [batch_size, sequence_length, 10]', 'the file')
        p.send('\r')
        wait(p, 'modified')
        p.send(':w\r')
        wait(p, 'saved')
        equal(run('shapes', path, 'input')[1].split(b'\t')[1], b'float32 [B, sequence_length, 10]', 'the file')
        leave(p)


def test_a_burst_and_a_paste():
    typed = ''.join(chr(ord('a') + i % 26) for i in range(200))
    with Raw('dynamic_rnn.onnx', width=250) as (p, path):
        p.send(':' + typed)
        wait(p, ':' + typed)
        p.send('\x1b')
        gone(p, typed)
        p.send('\x1b[200~q\rq\x1b[201~')
        wait(p, 'to paste, open a line')
        p.send(':\x1b[200~set batch_size=B\n\x1b[201~')
        wait(p, ':set batch_size=B')
        check('modified' not in p.screen.text(), 'a line end that is pasted runs nothing')
        p.send('\r')
        wait(p, 'modified')
        p.send('u')
        gone(p, 'modified')
        p.send('\x1b' + 'q')
        equal(p.ended(20), 0, 'Esc and q at once are two keys')


def usage(p):
    """Seconds of processor time, and the most memory in MB."""
    with open(f'/proc/{p.process.pid}/stat', encoding='ascii') as file:
        words = file.read().rsplit(')', 1)[1].split()
    with open(f'/proc/{p.process.pid}/status', encoding='ascii') as file:
        most = re.search(r'VmHWM:\s*(\d+)', file.read())
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK'), int(most[1]) / 1024


def test_a_megabyte_is_pasted():
    if not os.path.exists('/proc/self/stat'):
        raise tap.Skip('no /proc here')
    with Raw('dynamic_rnn.onnx') as (p, path):
        before, _ = usage(p)
        p.send(b'\x1b[200~' + b'q:w\r\x1b[20' * 100000 + b'\x1b[201~:set batch_size=B\r')
        wait(p, 'modified')
        took, most = usage(p)
        check(took - before < 1, f'{took - before} s of processor time')
        check(most < (1000 if 'ASAN_OPTIONS' in os.environ else 100), f'{most} MB')
        # Keys that follow at once are keys, and a paste is text wherever it is cut.
        for cut in (0, 7, 10, 14, 18, 22):
            whole = ':\x1b[200~set B=\u00e9x\x1b[201~\x1bOD\x7fy\x1bOH\x1b[3~'.encode()
            p.send(whole[:cut])
            p.pump(0.05)
            p.send(whole[cut:])
            wait(p, ':et B=yx')
            p.send('\x1b')
            gone(p, ':et B=yx')
        p.send('u')
        gone(p, 'modified')
        leave(p)


def test_a_huge_window():
    if not os.path.exists('/proc/self/stat'):
        raise tap.Skip('no /proc here')
    for size, env in ((None, {'COLUMNS': '32767', 'LINES': '32767'}), ((32767, 36), {}), ((32767, 32767), {})):
        with Raw('dynamic_rnn.onnx', env=env) as (p, path):
            if size:
                p.size(*size, tell=False)
                p.until(lambda: False, 1)
            took, most = usage(p)
            check(most < (1000 if 'ASAN_OPTIONS' in os.environ else 400), f'{size}: {most} MB')
            p.size(120, 36)
            wait(p, 'batch_size')
            leave(p)


def test_colours():
    for env, wanted, not_wanted in (({'TERM': 'xterm-256color'}, rb'\x1b\[[0-9;]*38;5;', None),
                                    ({'TERM': 'xterm'}, rb'\x1b\[[0-9;]*3[1-7]m', rb'38;5;'),
                                    ({'TERM': 'vt100'}, rb'batch_size', rb'\x1b\[(?:[0-9]+;)*[34][0-9](?:;[0-9]+)*m'),
                                    ({'NO_COLOR': '1'}, rb'batch_size', rb'\x1b\[(?:[0-9]+;)*[34][0-9](?:;[0-9]+)*m')):
        with Raw('dynamic_rnn.onnx', env=env) as (p, path):
            wait(p, 'batch_size')
            p.send('jj3?')
            wait(p, 'moving')
            p.send('\x1b')
            gone(p, 'moving')
            check(re.search(wanted, p.raw), f'{env}: no {wanted}')
            check(not not_wanted or not re.search(not_wanted, p.raw), f'{env}: has {not_wanted}')
            leave(p)


def test_bold_black_is_no_text():
    """With eight colours it is drawn in grey."""
    with Raw('dynamic_rnn.onnx', opened='q quit', env={'TERM': 'xterm', 'COLORFGBG': '0;15'}) as (p, _):
        header = p.raw[:p.raw.index(b'm.onnx')]
        check(header.endswith(b'\x1b[30m\x1b[47m ') and not re.search(rb'\x1b\[(0;)?1m[^ ]*$', header), f'{header[-60:]}')
        leave(p)


def test_ascii():
    for name in ('dynamic_rnn.onnx', 'hostile_names.onnx'):
        for words, env in ((['m.onnx'], {'LC_ALL': 'C'}), (['--ascii', 'm.onnx'], {'LC_ALL': 'C.UTF-8'})):
            with Raw(name, *words, env=env) as (p, path):
                p.send('jjjj3')
                p.send('4?')
                wait(p, 'moving')
                check(max(p.raw) < 0x80, f'{name} {env}: bytes {set(c for c in p.raw if c > 0x7f)}')
                p.send('\x1b')
                gone(p, 'moving')
                leave(p)


def test_hostile_names_stay_inside():
    with Raw('hostile_names.onnx', width=160, height=45) as (p, path):
        for keys in ('jjjjjj', '1jjjjjjjjj', '3', '4', '5', '9', '2', 'zR', 'y', ':goto ', '\t\t\t', '\x1b', '\x10', 'e', '\x1b'):
            p.send(keys)
            p.until(lambda: False, 0.1)
        copied = re.sub(rb'\x1b\](52;c;[A-Za-z0-9+/=]*|11;\?)\x07', b'', p.raw)
        check(b'\x1b]' not in copied, 'no title, no clipboard of its own')
        check(b'\x07' not in copied, 'no bell')
        text = p.raw.decode(errors='replace')
        check(not re.search('[\x80-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]', text), 'no other controls')
        equal(p.screen.odd, [], 'nothing else')
        p.send('\x1b')
        p.send('\x1b')
        p.send(':q!\r')
        equal(p.ended(20), 0, 'the exit code')


def test_storms_of_sizes():
    with Raw('dynamic_rnn.onnx') as (p, path):
        for width, height in [(1, 1), (200, 60), (3, 40), (80, 2), (40, 10), (1, 1)] * 8:
            p.size(width, height)
            p.send('j')
        p.size(120, 36)
        wait(p, '3 Inspector')
        wait(p, 'batch_size')
        leave(p)


def pending(path, env):
    return run('edit', path, '--script', '-', '--recover', stdin=b'history\n', env=env)[1]


def test_signals_keep_the_edits():
    for name in ('HUP', 'TERM', 'INT', 'SEGV', 'ABRT', 'BUS', 'FPE', 'QUIT', 'USR1', 'ALRM', 'KILL'):
        raw = Raw('dynamic_rnn.onnx')
        with raw as (p, path):
            p.send(':set batch_size=B\r')
            wait(p, 'modified')
            p.process.send_signal(getattr(signal, 'SIG' + name))
            code = p.ended(20)
            check(code is not None, f'{name}: it does not end')
            check(name == 'KILL' or p.is_sane(), f'{name}: the terminal is not as it was: {p.screen.modes}')
            equal(code, 2 if name in ('HUP', 'TERM', 'INT') else -getattr(signal, 'SIG' + name), name)
            check(b'set batch_size=B' in pending(path, raw.env), f'{name}: the edit is lost')


def test_a_closed_terminal_ends_it():
    raw = Raw('dynamic_rnn.onnx')
    with raw as (p, path):
        p.send(':set batch_size=B\r')
        wait(p, 'modified')
        os.close(p.theirs)
        os.close(p.ours)
        try:
            p.process.wait(20)
        except subprocess.TimeoutExpired:
            check(False, 'it goes on without a terminal')
        check(b'set batch_size=B' in pending(path, raw.env), 'the edit is lost')
        p.ours, p.theirs = os.openpty()


def test_a_model_through_a_pipe():
    with tap.folder() as folder, open(model('dynamic_rnn.onnx'), 'rb') as file:
        cat = subprocess.Popen(['cat'], stdin=file, stdout=subprocess.PIPE)
        p = Pty([os.path.abspath(tap.AXED), '-'], stdin=cat.stdout, cwd=folder, env={'XDG_STATE_HOME': folder, 'XDG_CONFIG_HOME': folder})
        wait(p, 'batch_size')
        p.send(':set batch_size=B\r')
        wait(p, 'modified')
        p.send(':w\r')
        p.until(lambda: False, 0.2)
        check('saved' not in p.screen.text(), 'there is no file to save to')
        p.send(':w new.onnx\r')
        wait(p, 'saved new.onnx')
        leave(p)
        p.close()
        cat.wait()
        cat.stdout.close()
        equal(run('shapes', os.path.join(folder, 'new.onnx'), 'input')[1].split(b'\t')[1], b'float32 [B, sequence_length, 10]', 'saved')
        equal(sorted(os.path.basename(f) for f in glob.glob(os.path.join(folder, '*.onnx'))), ['new.onnx'], 'files')


def test_a_slow_line():
    with Raw('dynamic_rnn.onnx', rate=9600) as (p, path):
        p.rate = 960
        p.send('\x1b')
        sent = len(p.raw)
        p.send('jk' * 400)
        p.send(':set batch_size=' + 'B' * 40 + '\r')
        p.send('hl' * 400 + ':w\r')
        # One frame per key would take minutes; the limit allows for a busy machine.
        check(p.until(lambda: b'B' * 40 in tap.read(path), 60), 'the last of the keys is done while the screen is behind')
        p.rate = None
        wait(p, 'saved')
        leave(p)
        check(len(p.raw) - sent < 60000, f'{len(p.raw) - sent} bytes for 1,600 keys: no frames were skipped')


def test_a_line_says_how_slow_it_is():
    """What a line of 19,200 baud cannot take yet is not sent, although it would be buffered: no key waits behind old frames."""
    with Raw('dynamic_rnn.onnx', opened='q quit', speed=termios.B19200) as (p, path):
        whole, start = len(p.raw), time.monotonic()
        for i in range(300):
            p.send('jk'[i % 2], slowly=0.01)
        before = len(p.raw)
        p.send('e')
        check(p.wait('a name, a size', 60), 'the last key has no effect')
        seconds = time.monotonic() - start
        sent, last = len(p.raw) - whole, len(p.raw) - before
        # a frame is about a tenth of the whole screen; without pacing there are 300
        check(sent < 1920 * seconds * 1.5 + whole, f'{sent} bytes in {seconds:.1f} s')
        check(last < whole / 2, f'{last} bytes until the last of 300 keys is seen; all of the screen is {whole}')
        p.send('\x1b')
        leave(p)


def test_a_text_to_read():
    """A diff and a snippet in an overlay: scroll, copy, close."""
    with Session('dynamic_rnn.onnx', height=20) as (t, path):
        t.type(':set sequence_length=T')
        t.keys('Enter')
        t.wait('modified')
        t.type(':diff')
        t.keys('Enter')
        t.wait('Differences from m.onnx')
        t.wait('j/k scroll  h/l sideways  PgUp/PgDn page')
        check('~ ' in t.screen() and 'sequence_length -> T' in t.screen(), f'what differs:\n{t.screen()}')
        t.keys('Escape')
        t.gone('Differences from')
        t.type(':snippet torch')
        t.keys('Enter')
        t.wait('Settings for torch')
        t.wait('import torch')
        t.keys('G')
        t.gone('import torch')
        last = t.screen()
        t.keys('k')
        check(t.until(lambda screen: screen != last), 'up scrolls')
        t.keys('j')
        check(t.until(lambda screen: screen == last), 'down is where up came from')
        t.keys('g')
        t.wait('import torch')
        t.keys('PageDown')
        t.gone('import torch')
        t.keys('PageUp')
        t.wait('import torch')
        t.keys('y')
        t.keys('Escape')
        t.gone('Settings for torch')
        copied = t.tmux('show-buffer')
        check('import torch' in copied and 'dynamic_shapes' in copied, f'what was copied: {copied!r}')


def test_what_prints_is_for_scripts():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.wait('2 Graph')
        before = t.screen().split('\n')[:-3]
        for line, said in ((':shapes', 'shapes is for scripts'), (':resize 40 10', 'resize is for scripts'),
                           (':save-screen', 'save-screen needs a FILE')):
            t.type(line)
            t.keys('Enter')
            t.wait(said)
            check(t.screen().split('\n')[:-3] == before, f'{line} runs over the screen:\n{t.screen()}')


tap.main(globals())
