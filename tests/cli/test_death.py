"""If a child of axed dies, one sentence names the process and the signal, and nothing is left behind."""

import os
import random
import signal
import subprocess
import sys
import time

import tap
from tap import check, equal

sys.path[:0] = [tap.MODELS, os.path.join(tap.TOP, 'tests', 'ui')]
import build as b  # noqa: E402
from ptys import Pty  # noqa: E402

AXED = os.path.abspath(tap.AXED)
DEATHS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGTERM)


def tangle(count):
    """So irregular that nothing can be folded, and Graphviz takes long."""
    r = random.Random(count)
    back = lambda i: f't{max(0, i - r.randrange(30))}'
    nodes = [b.node(r.choice(['Add', 'Mul', 'Sub']), f'{back(i)} {back(i)}', f't{i + 1}') for i in range(count)]
    return b.model(b.graph('g', nodes, [b.floats('t0', 'N', 4)], [b.floats(f't{count}', 'N', 4)]))


LARGE = tangle(10000)


def place():
    folder = tap.folder()
    with open(os.path.join(folder.name, 'a.onnx'), 'wb') as file:
        file.write(LARGE)
    return folder


def children(pid):
    try:
        return [int(c) for c in tap.read(f'/proc/{pid}/task/{pid}/children').split()]
    except FileNotFoundError:
        return []


def wait_for_child(pid):
    """Waits for its only child."""
    if not os.path.exists(f'/proc/{os.getpid()}/task/{os.getpid()}/children'):
        raise tap.Skip('/proc does not tell children here')
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = children(pid)
        if found:
            return found[0]
        time.sleep(0.005)
    raise AssertionError(f'{pid} starts no process')


def is_running(pid):
    try:
        return tap.read(f'/proc/{pid}/stat').rsplit(b')', 1)[1].split()[0] != b'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


def all_gone(*pids):
    end = time.monotonic() + 20
    while any(is_running(p) for p in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(is_running(p) for p in pids)


class Export:
    """A running export: the process, its worker, and the worker's Graphviz."""

    def __init__(self, folder, *words):
        self.folder = folder
        self.process = subprocess.Popen([AXED, 'export', *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.worker = wait_for_child(self.process.pid)
        self.graphviz = wait_for_child(self.worker)

    def end(self):
        out, err = self.process.communicate(timeout=200)
        check(all_gone(self.worker, self.graphviz), 'a process is left')
        equal(out, b'', 'standard output')
        return self.process.returncode, err, sorted(os.listdir(self.folder))


def test_the_worker_of_an_export():
    for number in DEATHS:
        with place() as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.svg', '--engine', 'dot')
            os.kill(e.worker, number)
            start = time.monotonic()
            equal(e.end(), (2, b'axed: the export process died (signal %d)\n' % number, ['a.onnx']), f'{number!r}')
            # It does not wait for Graphviz, which holds the worker's end of the pipe.
            check(time.monotonic() - start < 8, f'it took {time.monotonic() - start} s to see it')


def test_graphviz():
    for number in (signal.SIGSEGV, signal.SIGKILL):
        with place() as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole')
            os.kill(e.graphviz, number)
            equal(e.end(), (2, b'axed: a.pdf: the Graphviz process died (signal %d)\n' % number, ['a.onnx']), f'{number!r}')


def test_graphviz_of_the_engine_dot():
    with place() as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.dot', '--engine', 'dot')
        os.kill(e.graphviz, signal.SIGSEGV)
        equal(e.end(), (0, b'axed: the Graphviz process died (signal 11); drawn as on the screen instead\n', ['a.dot', 'a.onnx']),
              'it is drawn otherwise')


def test_one_of_many():
    for who, text in (('worker', b'axed: a.onnx: export crashed (signal 6)\n'),
                      ('graphviz', b'axed: a.onnx: a.pdf: the Graphviz process died (signal 6)\n')):
        with place() as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole', '--timeout', '100')
            os.kill(getattr(e, who), signal.SIGABRT)  # which sanitizers do not catch
            equal(e.end(), (2, text, ['a.onnx']), who)


def test_on_the_screen():
    with place() as folder:
        p = Pty([AXED, 'a.onnx'], cwd=folder, env={'XDG_STATE_HOME': folder + '/.state', 'XDG_CONFIG_HOME': folder + '/.config'})
        check(p.wait('nodes', 60), p.screen.text())
        p.send(':export big.pdf\r')
        # Read the terminal meanwhile: a program blocks when nobody reads its output.
        check(p.until(lambda: children(p.process.pid), 60), 'no process was started: ' + p.screen.text())
        os.kill(children(p.process.pid)[0], signal.SIGSEGV)
        check(p.wait('the export process died (signal 11)', 30), p.screen.text())
        check(not os.path.exists(os.path.join(folder, 'big.pdf')), 'a file is left')
        p.send('\x1b')
        p.send('q')
        equal(p.ended(20), 0, 'the exit code')
        check(p.is_sane(), 'the terminal is as it was')
        p.close()


tap.main(globals())
