"""A real terminal for tests: tmux types, and reads the screen."""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, model

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
        if not self.tmux('list-sessions').strip():
            raise tap.Skip('tmux cannot start a session here')
        # tmux 3.2, of Ubuntu 22.04, takes 80 by 24 whatever new-session says.
        self.tmux('resize-window', '-x', str(width), '-y', str(height))
        self.tmux('set', '-g', 'escape-time', '0')
        self.tmux('set', '-g', 'set-clipboard', 'on')
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

    def bottom(self):
        """The status line, which names the selection."""
        return self.screen().rstrip('\n').split('\n')[-2].strip()

    def wait(self, wanted, seconds=20):
        """Waits until the text is on the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if wanted in self.screen():
                return True
            time.sleep(0.03)
        return check(False, f'{wanted!r} never came; the screen:\n{self.screen()}')

    def gone(self, text, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text not in self.screen():
                return True
            time.sleep(0.03)
        return check(False, f'{text!r} stays; the screen:\n{self.screen()}')

    def until(self, wanted, seconds=20):
        """Waits until the predicate holds for the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if wanted(self.screen()):
                return True
            time.sleep(0.03)
        return False

    def program(self):
        """The process that runs in the shell."""
        shell = self.tmux('list-panes', '-F', '#{pane_pid}').strip()
        with open(f'/proc/{shell}/task/{shell}/children', encoding='ascii') as file:
            return int(file.read().split()[0])

    def close(self):
        self.tmux('kill-server')
        self.folder.cleanup()


def line(terminal, text):
    terminal.type(':' + text)
    terminal.keys('Enter')


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
