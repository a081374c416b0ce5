"""A program in an emulated terminal: keys go in as bytes, and every byte of output is parsed.

The screen is that of xterm, as far as curses uses it; unknown sequences are collected in `odd`.
"""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(rb'\x1b(?:\[([?>]?)([0-9;]*)([@-~])|\][^\x07\x1b]*\x07|[()][0-9A-B]|[=>78MDHc])|[\x00-\x1f\x7f]')
UNFINISHED = re.compile(rb'\x1b(?:\[[?>]?[0-9;]*|\][^\x07\x1b]*|[()])?$|[\xc2-\xf4][\x80-\xbf]{0,2}$')
KNOWN = (b'\x1b]11;?', b'\x1b(', b'\x1b)', b'\x1b=', b'\x1b>', b'\x1b7', b'\x1b8')


class Screen:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rest = b''
        self.odd = []
        self.modes = set()
        self.clear()

    def clear(self):
        self.rows = [[' '] * self.width for _ in range(self.height)]
        self.x = self.y = self.top = 0
        self.bottom = self.height - 1
        self.last = ' '

    def resize(self, width, height):
        self.width, self.height = width, height
        self.clear()

    def text(self):
        return '\n'.join(''.join(row).rstrip() for row in self.rows)

    def put(self, text):
        for c in text:
            if self.x >= self.width:
                self.x, self.y = 0, min(self.y + 1, self.height - 1)
            self.rows[self.y][self.x] = self.last = c
            self.x += 1

    def roll(self, count):
        for _ in range(abs(count)):
            gone, new = (self.top, self.bottom) if count > 0 else (self.bottom, self.top)
            del self.rows[gone]
            self.rows.insert(new, [' '] * self.width)

    def feed(self, data):
        data = self.rest + data
        cut = UNFINISHED.search(data)
        self.rest = data[cut.start():] if cut else b''
        data = data[:cut.start()] if cut else data
        at = 0
        for found in SEQUENCE.finditer(data):
            self.put(data[at:found.start()].decode(errors='replace'))
            at = found.end()
            if found[0][0] != 0x1b:
                self.control(found[0])
            elif found[3]:
                numbers = [int(n) if n else 0 for n in found[2].split(b';')]
                self.sequence(found[1], found[3].decode(), numbers, found[0])
            elif found[0] == b'\x1bM':
                self.y -= 1
                if self.y < self.top:
                    self.y = self.top
                    self.roll(-1)
            elif not found[0].startswith((*KNOWN, b'\x1b]52;c;')):
                self.odd.append(found[0])
        self.put(data[at:].decode(errors='replace'))

    def control(self, c):
        if c == b'\r':
            self.x = 0
        elif c == b'\b':
            self.x = max(min(self.x, self.width - 1) - 1, 0)
        elif c == b'\n':
            if self.y == self.bottom:
                self.roll(1)
            else:
                self.y = min(self.y + 1, self.height - 1)
        elif c == b'\t':
            self.x = min(self.x // 8 * 8 + 8, self.width - 1)
        elif c not in (b'\x0f', b'\x0e', b'\x07'):
            self.odd.append(c)

    def sequence(self, private, kind, numbers, whole):
        n = max(numbers[0], 1)
        if private:
            for mode in numbers:
                (self.modes.add if kind == 'h' else self.modes.discard)(mode)
            if kind not in 'hl':
                self.odd.append(whole)
            elif 1049 in numbers:
                self.clear()
            return
        if kind in 'Hf':
            self.y, self.x = n - 1, max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif kind in 'ABCDGd':
            self.y += {'A': -n, 'B': n}.get(kind, 0)
            self.x += {'C': n, 'D': -n}.get(kind, 0)
            self.x = n - 1 if kind == 'G' else self.x
            self.y = n - 1 if kind == 'd' else self.y
        elif kind == 'b':
            self.put(self.last * n)
        elif kind in 'JKX':
            self.erase(kind, numbers[0], n)
        elif kind in 'P@':
            row = self.rows[self.y]
            changed = row[:self.x] + (row[self.x + n:] if kind == 'P' else [' '] * n + row[self.x:])
            self.rows[self.y] = (changed + [' '] * self.width)[:self.width]
        elif kind in 'LMST':
            top, self.top = self.top, self.y if kind in 'LM' else self.top
            self.roll(n if kind in 'MS' else -n)
            self.top = top
        elif kind == 'r':
            self.top, self.bottom = n - 1, (numbers[1] if len(numbers) > 1 else self.height) - 1
            self.x = self.y = 0
        elif kind not in 'mhlt':
            self.odd.append(whole)
        self.x, self.y = max(0, self.x), max(0, min(self.y, self.height - 1))

    def erase(self, kind, how, n):
        row, x = self.rows[self.y], min(self.x, self.width - 1)
        if kind == 'X':
            row[x:x + n] = [' '] * min(n, self.width - x)
        elif how == 1:
            row[:x + 1] = [' '] * (x + 1)
        else:
            row[x:] = [' '] * (self.width - x)
        if kind == 'J':
            rows = range(self.y + 1, self.height) if how == 0 else range(self.height) if how == 2 else range(self.y)
            for y in rows:
                self.rows[y] = [' '] * self.width


class Pty:
    """Reads at most `rate` bytes per second, if set; `speed` is what the line says it is, such as termios.B9600."""

    def __init__(self, words, width=120, height=36, env=None, rate=None, cwd=None, stdin=None, speed=None):
        self.screen = Screen(width, height)
        self.rate, self.allowed, self.seen_at = rate, 0.0, time.monotonic()
        self.raw = b''
        self.ours, theirs = os.openpty()
        self.size(width, height, tell=False)
        if speed:
            modes = termios.tcgetattr(theirs)
            modes[4] = modes[5] = speed
            termios.tcsetattr(theirs, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'TERM': 'xterm-256color', **(env or {})}
        for name in ('NO_COLOR', 'COLORFGBG', 'LINES', 'COLUMNS'):
            if name not in (env or {}):
                environment.pop(name, None)
        self.process = subprocess.Popen(words, stdin=stdin or theirs, stdout=theirs, stderr=theirs, env=environment,
                                        cwd=cwd, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0))
        self.theirs = theirs

    def size(self, width, height, tell=True):
        if tell:
            self.screen.resize(width, height)  # first: the program may draw at once
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack('HHHH', height, width, 0, 0))

    def pump(self, seconds):
        """Reads the first chunk of output within this time."""
        now = time.monotonic()
        most = 65536
        if self.rate:
            self.allowed = min(self.allowed + (now - self.seen_at) * self.rate, self.rate / 10)
            self.seen_at = now
            most = int(self.allowed)
            if most < 1:
                time.sleep(min(seconds, 2 / self.rate))
                return b''
        if not select.select([self.ours], [], [], seconds)[0]:
            return b''
        try:
            data = os.read(self.ours, most)
        except OSError:
            return b''
        self.allowed -= len(data) if self.rate else 0
        self.raw += data
        self.screen.feed(data)
        return data

    def send(self, data, slowly=0):
        """Sends all of it, and reads output meanwhile."""
        data = data.encode() if isinstance(data, str) else data
        while data:
            if select.select([], [self.ours], [], 0)[1]:
                count = os.write(self.ours, data[:64])
                data = data[count:]
            self.pump(slowly)

    def until(self, condition, seconds=15):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            self.pump(0.02)
        return True

    def wait(self, wanted, seconds=15):
        return self.until(lambda: wanted in self.screen.text(), seconds)

    def gone(self, text, seconds=15):
        return self.until(lambda: text not in self.screen.text(), seconds)

    def ended(self, seconds=15):
        """The exit code, or None if it does not end."""
        self.until(lambda: self.process.poll() is not None, seconds)
        while self.process.poll() is not None and self.pump(0):
            continue
        return self.process.poll()

    def is_sane(self):
        """The terminal has its original modes, and none of ours is left on."""
        return termios.tcgetattr(self.theirs) == self.before and not self.screen.modes & {1000, 1002, 1006, 2004, 1049, 1}

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)
