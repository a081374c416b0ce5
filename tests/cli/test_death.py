"""If a child of axed dies, one sentence names the process and the signal, and nothing is left behind."""

import os
import random
import signal
import subprocess
import sys
import time

import tap
from processes import PATIENCE, descendants, is_drawing, wait_for_work, wait_until_gone
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


class Export:
    """A running export: the process and its worker; with a time limit, a job is between them."""

    def __init__(self, folder, *words):
        self.folder = folder
        self.process = subprocess.Popen([AXED, 'export', *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pids = wait_for_work(self.process, 2 if '--timeout' in words else 1, lambda _: True)
        self.worker = self.pids[-1]

    def wait_for_graphviz(self, *before):
        """Waits until Graphviz works in a process that is not one of those before."""
        self.worker, = wait_for_work(self.process, 1, lambda p: p not in before and is_drawing(p))
        self.pids = [*self.pids, self.worker]
        equal(descendants(self.worker), [], 'Graphviz needs no other process')
        return self

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        wait_until_gone(self.pids)
        equal(out, b'', 'standard output')
        return self.process.returncode, err, sorted(os.listdir(self.folder))


def test_the_worker_of_an_export():
    for number in DEATHS:
        with place() as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.txt', '--whole')
            os.kill(e.worker, number)
            start = time.monotonic()
            equal(e.end(), (2, b'axed: the export process died (signal %d)\n' % number, ['a.onnx']), f'{number!r}')
            check(time.monotonic() - start < 8, f'it took {time.monotonic() - start} s to see it')


def test_graphviz():
    for number in DEATHS:
        with place() as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole').wait_for_graphviz()
            os.kill(e.worker, number)
            equal(e.end(), (2, b'axed: a.pdf: the Graphviz process died (signal %d)\n' % number, ['a.onnx']), f'{number!r}')


def test_graphviz_takes_too_long():
    with place() as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole').wait_for_graphviz()
        os.kill(e.worker, signal.SIGALRM)
        equal(e.end(), (2, b'axed: a.pdf: Graphviz found no layout in 600 seconds\n', ['a.onnx']), 'the time limit')


def test_graphviz_of_the_engine_dot():
    note = b'axed: the Graphviz process died (signal 11); drawn as on the screen instead\n'
    with place() as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.dot', '--engine', 'dot').wait_for_graphviz()
        os.kill(e.worker, signal.SIGSEGV)
        equal(e.end(), (0, note, ['a.dot', 'a.onnx']), 'it is drawn otherwise')
        subprocess.run([AXED, 'export', 'a.onnx', '-o', 'b.dot'], cwd=folder, check=True)
        equal(tap.read(folder + '/a.dot'), tap.read(folder + '/b.dot'), 'as without the engine')


def test_graphviz_dies_twice():
    with place() as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole', '--engine', 'dot').wait_for_graphviz()
        first = e.worker
        os.kill(first, signal.SIGSEGV)
        os.kill(e.wait_for_graphviz(first).worker, signal.SIGKILL)
        equal(e.end(), (2, b'axed: a.pdf: the Graphviz process died (signal 9)\n', ['a.onnx']), 'the last death is told')


def test_one_of_many():
    words = 'a.onnx', '-o', 'a.pdf', '--whole', '--timeout', '100'
    for who, text in (('job', b'axed: a.onnx: export crashed (signal 6)\n'),
                      ('worker', b'axed: a.onnx: a.pdf: the Graphviz process died (signal 6)\n')):
        with place() as folder:
            e = Export(folder, *words).wait_for_graphviz()
            os.kill(e.pids[0] if who == 'job' else e.worker, signal.SIGABRT)  # which sanitizers do not catch
            equal(e.end(), (2, text, ['a.onnx']), who)


def test_the_program_itself():
    """Its processes have its locks: another run would wait for them."""
    if not sys.platform.startswith('linux'):
        raise tap.Skip('only Linux ends a process with its parent')
    with place() as folder:
        for words in (('a.onnx', '-o', 'a.pdf', '--whole'), ('a.onnx', '-o', 'a.pdf', '--whole', '--timeout', '100')):
            e = Export(folder, *words).wait_for_graphviz()
            e.process.kill()
            equal(e.end(), (-9, b'', ['a.onnx']), 'nothing is left')


def test_on_the_screen():
    with place() as folder:
        p = Pty([AXED, 'a.onnx'], cwd=folder, env={'XDG_STATE_HOME': folder + '/.state', 'XDG_CONFIG_HOME': folder + '/.config'})
        check(p.wait('nodes', 60), p.screen.text())
        for target, works, text in (('big.txt', lambda _: True, 'the export process died (signal 11)'),
                                    ('big.pdf', is_drawing, 'big.pdf: the Graphviz process died (signal 11)')):
            p.send(f':export {target}\r')
            # Read the terminal meanwhile: a program blocks when nobody reads its output.
            found = p.until(lambda: [pid for pid in descendants(p.process.pid) if works(pid)], 60)
            check(found, 'no process was started: ' + p.screen.text())
            os.kill(descendants(p.process.pid)[0], signal.SIGSEGV)
            check(p.wait(text, 30), p.screen.text())
            check(not os.path.exists(os.path.join(folder, target)), 'a file is left')
            p.send('\x1b')
        p.send('q')
        equal(p.ended(20), 0, 'the exit code')
        check(p.is_sane(), 'the terminal is as it was')
        p.close()


tap.main(globals())
