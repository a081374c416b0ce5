"""If a child of axed dies, one sentence names the process and the signal, and nothing is left behind."""

import os
import random
import signal
import subprocess
import sys
import time

import tap
from processes import PATIENCE, descendants, is_drawing, slow_dot, wait_for_work, wait_until_gone
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


LARGE, SMALL = tangle(10000), tangle(20)


def place(content=LARGE):
    folder = tap.folder()
    with open(os.path.join(folder.name, 'a.onnx'), 'wb') as file:
        file.write(content)
    return folder


PROGRAMS, PATH = slow_dot()
SLOW = {**os.environ, 'PATH': PATH}


class Export:
    """A running export: the process and its worker; with a time limit, a job is between them."""

    def __init__(self, folder, *words, env=None):
        self.folder = folder
        self.process = subprocess.Popen([AXED, 'export', *words], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pids = wait_for_work(self.process, 2 if '--timeout' in words else 1, lambda _: True)
        self.worker = self.pids[-1]

    def wait_for_graphviz(self, *before):
        """Waits until dot works in a process that is not one of those before."""
        self.dot, = wait_for_work(self.process, 1, lambda p: p not in before and is_drawing(p))
        self.pids = [*self.pids, self.dot]
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
        with place(SMALL) as folder:
            e = Export(folder, 'a.onnx', '-o', 'a.pdf', env=SLOW).wait_for_graphviz()
            os.kill(e.dot, number)
            equal(e.end(), (2, b'axed: a.pdf: dot died (signal %d)\n' % number, ['a.onnx']), f'{number!r}')


def test_graphviz_of_the_engine_dot():
    note = b'axed: dot died (signal 11); drawn as on the screen instead\n'
    with place(SMALL) as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.dot', '--engine', 'dot', env=SLOW).wait_for_graphviz()
        os.kill(e.dot, signal.SIGSEGV)
        equal(e.end(), (0, note, ['a.dot', 'a.onnx']), 'it is drawn otherwise')
        subprocess.run([AXED, 'export', 'a.onnx', '-o', 'b.dot'], cwd=folder, check=True)
        equal(tap.read(folder + '/a.dot'), tap.read(folder + '/b.dot'), 'as without the engine')


def test_graphviz_dies_twice():
    with place(SMALL) as folder:
        e = Export(folder, 'a.onnx', '-o', 'a.pdf', '--whole', '--engine', 'dot', env=SLOW).wait_for_graphviz()
        first = e.dot
        os.kill(first, signal.SIGSEGV)
        os.kill(e.wait_for_graphviz(first).dot, signal.SIGKILL)
        equal(e.end(), (2, b'axed: a.pdf: dot died (signal 9)\n', ['a.onnx']), 'the last death is told')


def test_one_of_many():
    words = 'a.onnx', '-o', 'a.pdf', '--timeout', '100'
    for who, text in (('job', b'axed: a.onnx: export crashed (signal 6)\n'),
                      ('worker', b'axed: a.onnx: a.pdf: the export process died (signal 6)\n'),
                      ('dot', b'axed: a.onnx: a.pdf: dot died (signal 6)\n')):
        with place(SMALL) as folder:
            e = Export(folder, *words, env=SLOW).wait_for_graphviz()
            os.kill({'job': e.pids[0], 'worker': e.pids[1], 'dot': e.dot}[who], signal.SIGABRT)  # which sanitizers do not catch
            equal(e.end(), (2, text, ['a.onnx']), who)


def test_the_program_itself():
    """Its processes have its locks: another run would wait for them."""
    if not sys.platform.startswith('linux'):
        raise tap.Skip('only Linux ends a process with its parent')
    with place(SMALL) as folder:
        for words in (('a.onnx', '-o', 'a.pdf'), ('a.onnx', '-o', 'a.pdf', '--timeout', '100')):
            e = Export(folder, *words, env=SLOW).wait_for_graphviz()
            e.process.kill()
            equal(e.end(), (-9, b'', ['a.onnx']), 'nothing is left')


def test_on_the_screen():
    for content, target, works, text in ((LARGE, 'big.txt', lambda _: True, 'the export process died (signal 11)'),
                                         (SMALL, 'a.png', is_drawing, 'a.png: dot died (signal 11)')):
        with place(content) as folder:
            p = Pty([AXED, 'a.onnx'], cwd=folder,
                    env={'PATH': PATH, 'XDG_STATE_HOME': folder + '/.state', 'XDG_CONFIG_HOME': folder + '/.config'})
            check(p.wait('nodes', 60), p.screen.text())
            # Folded it is drawn before anybody can look: what is shown is what is exported.
            p.send(':fold none\r')
            check(p.until(lambda: '\u25b8' not in p.screen.text(), 60), p.screen.text())
            working = lambda: [pid for pid in descendants(p.process.pid) if works(pid)]
            p.send(f':export {target}\r')
            # Read the terminal meanwhile: a program blocks when nobody reads its output.
            check(p.until(working, 60), 'no process was started: ' + p.screen.text())
            os.kill(working()[-1], signal.SIGSEGV)
            check(p.wait(text, 30), p.screen.text())
            check(not os.path.exists(os.path.join(folder, target)), 'a file is left')
            p.send(':q!\r')
            equal(p.ended(30), 0, 'it goes on, and ends as it is told')
            check(p.is_sane(), 'the terminal is as it was')
            p.close()


tap.main(globals())
