"""A person's session in a real terminal: tmux types, and reads what is on the screen."""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

TMUX = shutil.which('tmux')


class Terminal:
    def __init__(self, command, width=120, height=36, env=None):
        if not TMUX:
            raise tap.Skip('tmux is not installed')
        self.folder = tap.folder()
        self.socket = os.path.join(self.folder.name, 'socket')
        environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'XDG_STATE_HOME': self.folder.name,
                       'XDG_CONFIG_HOME': self.folder.name, 'TERM': 'xterm-256color', **(env or {})}
        environment.pop('TMUX', None)
        self.tmux('-f', '/dev/null', 'new-session', '-d', '-x', str(width), '-y', str(height), 'bash --norc', env=environment)
        self.tmux('set', '-g', 'escape-time', '0')
        self.tmux('set', '-g', 'default-terminal', 'tmux-256color')
        self.command(command)

    def tmux(self, *words, env=None):
        done = subprocess.run([TMUX, '-S', self.socket, *words], capture_output=True, env=env, timeout=20)
        return done.stdout.decode(errors='replace')

    def command(self, text):
        self.tmux('send-keys', '-l', text)
        self.tmux('send-keys', 'Enter')

    def keys(self, *keys):
        for key in keys:
            self.tmux('send-keys', key)

    def type(self, text):
        self.tmux('send-keys', '-l', text)

    def screen(self, styles=False):
        return self.tmux('capture-pane', '-p', *(['-e'] if styles else []))

    def wait(self, wanted, seconds=8):
        """Until the text is on the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if wanted in self.screen():
                return True
            time.sleep(0.03)
        return check(False, f'{wanted!r} never came; the screen:\n{self.screen()}')

    def gone(self, text, seconds=8):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text not in self.screen():
                return True
            time.sleep(0.03)
        return check(False, f'{text!r} stays; the screen:\n{self.screen()}')

    def close(self):
        self.tmux('kill-server')
        self.folder.cleanup()


class Session:
    """A copy of a model, open in a terminal."""

    def __init__(self, name, words='', path=None, **options):
        self.folder = tap.folder()
        self.path = os.path.join(self.folder.name, 'm.onnx')
        shutil.copy(path or model(name), self.path)
        axed = os.path.abspath(tap.AXED)
        self.terminal = Terminal(f'cd {self.folder.name}; clear; {axed} {words} m.onnx; echo left $?', **options)

    def __enter__(self):
        self.terminal.wait('nodes')
        return self.terminal, self.path

    def __exit__(self, *_):
        self.terminal.close()
        self.folder.cleanup()


def colours_of(screen, text):
    """The escape sequences that stand right before each occurrence of a text."""
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
        check('batch_size, T, 10' in t.screen(), f'every shape follows before Enter:\n{t.screen()}')
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
        t.wait('Softmax')
        first = t.screen()
        t.keys('n')
        t.wait('2 of')
        t.keys('Escape', 'z', 'M')
        t.keys('z', 'R')
        t.keys('f')
        t.wait('Softmax')
        t.keys('Escape')
        t.keys('o')
        t.keys('C-o')
        t.wait('Softmax')
        t.type(':try H=224 W=224 N=1')
        t.keys('Enter')
        t.wait('H=224')
        check(first != t.screen(), 'something happened')


def test_resizing():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.tmux('resize-window', '-x', '60', '-y', '15')
        t.wait('2 Graph')
        t.gone('1 Outline')
        t.tmux('resize-window', '-x', '1', '-y', '1')
        time.sleep(0.2)
        t.tmux('resize-window', '-x', '120', '-y', '36')
        t.wait('1 Outline')
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


def test_a_hangup_keeps_the_edits():
    for signal in ('HUP', 'TERM', 'KILL', 'SEGV'):
        with Session('dynamic_rnn.onnx') as (t, path):
            t.type(':set batch_size=B')
            t.keys('Enter')
            t.wait('modified')
            subprocess.run(['pkill', '-' + signal, '-f', f'{os.path.abspath(tap.AXED)} m.onnx'], check=False)
            t.wait('left')
            t.command('stty -a | grep -c " echo "; echo sane')
            t.wait('sane')
            t.command(f'clear; echo history | {os.path.abspath(tap.AXED)} edit m.onnx --script - --recover')
            t.wait('set batch_size=B')


def test_leaving_asks():
    with Session('dynamic_rnn.onnx') as (t, path):
        t.type(':set batch_size=B')
        t.keys('Enter')
        t.wait('modified')
        t.keys('q')
        t.wait('Not saved')
        t.keys('Escape')
        t.gone('Not saved')
        t.keys('q')
        t.wait('Not saved')
        t.keys('l')
        t.wait('left 0')
        equal(tap.read(path), tap.read(model('dynamic_rnn.onnx')), 'the file')


def test_few_colours_and_none():
    for env in ({'TERM': 'vt100'}, {'TERM': 'xterm'}, {'NO_COLOR': '1'}, {'LC_ALL': 'C'}):
        with Session('dynamic_rnn.onnx', env=env) as (t, path):
            t.wait('batch_size')
            t.keys('j', 'j', '3', '?')
            t.keys('Escape', 'q')
            t.wait('left 0')


def test_a_crooked_terminal_is_one_sentence():
    with tap.folder() as folder:
        done = subprocess.run(['script', '-qec', f'TERM=nonsense {os.path.abspath(tap.AXED)} {model("demo.onnx")}', '/dev/null'],
                              capture_output=True, cwd=folder, timeout=20)
        check(b'cannot show a screen' in done.stdout, done.stdout)


tap.main(globals())
