"""A long export reports its progress, and stopping it leaves nothing behind: no file, no process."""

import os
import random
import signal
import subprocess
import sys

import tap
from processes import PATIENCE, descendants, is_drawing, slow_dot, wait_for_work, wait_until_gone
from tap import check, equal, model, run

sys.path[:0] = [tap.MODELS, os.path.join(tap.TOP, 'tests', 'ui')]
import build as b  # noqa: E402
from ptys import Pty  # noqa: E402

AXED = os.path.abspath(tap.AXED)


def tangle(count):
    """So irregular that Graphviz takes long for the whole of it."""
    r = random.Random(count)
    back = lambda i: f't{max(0, i - r.randrange(30))}'
    nodes = [b.node(r.choice(['Add', 'Mul', 'Sub']), f'{back(i)} {back(i)}', f't{i + 1}') if r.random() < 0.5 else
             b.node(r.choice(['Relu', 'Abs', 'Neg', 'Exp', 'Sqrt', 'Floor', 'Erf', 'Tanh']), back(i), f't{i + 1}') for i in range(count)]
    return b.model(b.graph('g', nodes, [b.floats('t0', 'N', 4)], [b.floats(f't{count}', 'N', 4)]))


class Place:
    """A folder with models that take long; at the end it must have nothing else."""

    def __init__(self, count, copies=1):
        self.folder = tap.folder()
        self.names = [f'{chr(97 + i)}.onnx' for i in range(copies)]
        for name in self.names:
            with open(os.path.join(self.folder.name, name), 'wb') as file:
                file.write(tangle(count))
        self.env = {'XDG_STATE_HOME': self.folder.name + '/.state', 'XDG_CONFIG_HOME': self.folder.name + '/.config'}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        equal(sorted(n for n in os.listdir(self.folder.name) if not n.startswith('.state')), self.names, 'what is left')
        self.folder.cleanup()


def test_signals_leave_nothing():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Place(10000) as place:
            process = subprocess.Popen([AXED, 'export', 'a.onnx', '-o', 'a.svg', '--engine', 'dot', '--whole'], cwd=place.folder.name,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            pids = wait_for_work(process, 1, is_drawing)
            check(len(pids) == 1 and set(pids) < set(descendants(process.pid)), 'a worker and the program that draws')
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
            equal((process.returncode, out, err), (-number, b'', b''), 'it ends by the signal')
            wait_until_gone(pids)


def test_many_are_stopped_too():
    with Place(10000, copies=3) as place:
        process = subprocess.Popen([AXED, 'export', *place.names, '-o', '.', '--format', 'svg', '--engine', 'dot', '--whole', '-j3'],
                                   cwd=place.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_work(process, 3, is_drawing)
        pids = descendants(process.pid)
        equal(len(pids), 9, 'a job, its worker and a program for each')
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        equal(process.returncode, -signal.SIGINT, 'it ends by the signal')
        wait_until_gone(pids)
    with Place(10000, copies=2) as place:
        code, out, err = run('export', *(os.path.join(place.folder.name, n) for n in place.names), '-o', place.folder.name,
                             '--format', 'svg', '--engine', 'dot', '--whole', '-j2', '--timeout', '0.7')
        equal((code, out, err.count(b's and was stopped')), (2, b'', 2), f'{err!r}')


def test_what_was_there_stays():
    with Place(10000) as place:
        target = os.path.join(place.folder.name, 'b.svg')
        with open(target, 'w', encoding='ascii') as file:
            file.write('old')
        process = subprocess.Popen([AXED, 'export', 'a.onnx', '-o', 'b.svg', '--engine', 'dot', '--whole'], cwd=place.folder.name,
                                   stderr=subprocess.PIPE)
        pids = wait_for_work(process, 1, is_drawing)
        process.terminate()
        process.communicate(timeout=PATIENCE)
        wait_until_gone(pids)
        equal(tap.read(target), b'old', 'the file that was there')
        os.remove(target)


def test_progress_in_a_terminal():
    with Place(10000) as place:
        p = Pty([AXED, 'export', 'a.onnx', '-o', 'a.svg', '--engine', 'dot', '--whole'], cwd=place.folder.name)
        check(p.wait('drawing (seconds)', 20), f'progress: {p.raw!r}')
        pids = descendants(p.process.pid)
        p.send('\x03')
        equal(p.ended(20), -signal.SIGINT, 'Ctrl-C ends it')
        wait_until_gone(pids)
        check(p.raw.endswith(b'\r\x1b[K') or b'\r\x1b[K' in p.raw[-20:], f'the line is taken away: {p.raw[-40:]!r}')
        p.close()
        p = Pty([AXED, 'export', 'a.onnx', '-o', 'a.txt', '-q', '--focus', 't50'], cwd=place.folder.name)
        equal((p.ended(60), p.raw), (0, b''), '--quiet is quiet')
        p.close()
        os.remove(os.path.join(place.folder.name, 'a.txt'))
        p = Pty([AXED, 'export', model('demo.onnx'), '-o', '-', '--format', 'png'], cwd=place.folder.name)
        equal(p.ended(20), 2, 'no pictures into a terminal')
        check(b'is a terminal' in p.raw, p.raw)
        p.close()


def test_the_note_about_the_engine():
    with tap.folder() as folder:
        path = os.path.join(folder, 'a.onnx')
        with open(path, 'wb') as file:
            file.write(tangle(20000))
        code, out, err = run('export', path, '-o', path + '.svg', '--whole', '--engine', 'dot')
        equal((code, out, err.count(b'\n')), (0, b'', 1), f'{err!r}')
        check(b'Graphviz found no layout in 10 seconds; drawn as on the screen instead; too tall for one column' in err, err)


def test_the_screen_does_not_freeze():
    programs, path = slow_dot()
    with programs, Place(20) as place:
        p = Pty([AXED, 'a.onnx'], cwd=place.folder.name, env={**place.env, 'PATH': path})
        check(p.wait('nodes', 60), p.screen.text())
        for stop in ('\x1b', '\x03'):
            p.send(':export big.pdf\r')
            check(p.wait('Esc stops', 60), f'it tells what it does:\n{p.screen.text()}')
            pids = descendants(p.process.pid)
            check(pids, 'somebody works')
            p.send(stop)
            check(p.wait('stopped; nothing was written', 20), f'it can be stopped:\n{p.screen.text()}')
            wait_until_gone(pids)
            p.send('\x1b')
        p.send(':export small.json\r')
        check(p.wait('exported small.json', 120), f'the next one works:\n{p.screen.text()}')
        os.remove(os.path.join(place.folder.name, 'small.json'))
        p.send('\x1b')
        p.send('q')
        equal(p.ended(20), 0, 'the exit code')
        check(p.is_sane(), 'the terminal is as it was')
        p.close()


tap.main(globals())
