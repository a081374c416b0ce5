"""Black-box tests of the program: functions called test_..., TAP out.

    import tap
    def test_it_works(): tap.check(1 + 1 == 2, 'arithmetic')
    tap.main(globals())
"""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import traceback

AXED = os.environ.get('AXED', 'build/axed')
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
MODELS = os.path.join(TOP, 'tests', 'models')
# Cases and real models next to the repository; suites that need them report it when they are missing.
SHARED = os.environ.get('AXED_SHARED', os.path.join(os.path.dirname(TOP), 'shared'))


class Skip(Exception):
    pass


failures = []

# A process inherits ignored signals.  The tests send signals, so it must not inherit those that nohup or
# a shell's & ignores.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def check(condition, message):
    if not condition:
        failures.append(message)
    return condition


def equal(got, wanted, what):
    return check(got == wanted, f'{what}: {got!r}, expected {wanted!r}')


def run(*words, stdin=b'', env=None, cwd=None):
    """Exit code, standard output and standard error, as bytes."""
    done = subprocess.run([AXED, *words], input=stdin, capture_output=True, cwd=cwd,
                          env={**os.environ, **(env or {})}, timeout=120)
    return done.returncode, done.stdout, done.stderr


def model(name):
    return os.path.join(MODELS, name)


def rows(table, row):
    """What a pattern finds in the rows of a table of src/: names, in their order."""
    with open(os.path.join(TOP, 'src', table), encoding='utf-8') as file:
        return re.findall(rf'^\s*{row}', file.read(), re.M)


def formats():
    return rows('export/formats.def', r'FORMAT\(\w+, \w+, "(\w+)"')


def panes():
    return rows('ui/panes.def', r'PANE\(\w+, (\w+)')


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def folder():
    return tempfile.TemporaryDirectory(prefix='axed-test-')


def shared(*parts):
    path = os.path.join(SHARED, *parts)
    if not os.path.exists(path):
        raise Skip(f'no {"/".join(parts)} beside the repository')
    return path


def asked(content, ask):
    """The result of `ask` for the model as a file."""
    with folder() as place:
        path = os.path.join(place, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(content)
        return ask(path)


def on_terminal(columns, *words, env=None):
    """The output lines on a terminal of that width; without colours, unless they are asked for."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    env = {**os.environ, 'TERM': 'xterm-256color', **({'NO_COLOR': '1'} if env is None else env)}
    with subprocess.Popen([AXED, *words], stdout=its, stderr=its, env=env) as process:
        os.close(its)
        out = b''
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
        process.wait()
    os.close(ours)
    return out.decode().replace('\r\n', '\n').splitlines()


def main(names):
    tests = [(n, f) for n, f in names.items() if n.startswith('test_')]
    bad = 0
    print(f'1..{len(tests)}')
    for number, (name, function) in enumerate(tests, 1):
        failures.clear()
        note = ''
        try:
            function()
        except Skip as skip:
            note = f' # SKIP {skip}'
        except Exception:
            failures.append(traceback.format_exc())
        for failure in failures[:20]:
            print('# ' + str(failure).replace('\n', '\n# '))
        bad += bool(failures)
        print(f'{"not ok" if failures else "ok"} {number} - {name[5:]}{note}', flush=True)
    sys.exit(bad != 0)
