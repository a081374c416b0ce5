"""Faults while several processes are at one model: one has it, others look, take over, or write the file.

    test_faults_two.py FAULTS.so

In every scene one process is hit: each of its calls that touch the disk fails, is cut short, or is its last one.  The holder
edits the first axis, everybody else the second; an axis is renamed A1, A2, A3 ... in turn.  In the end a run recovers what
was left, and each axis must be at least as far as it was ever acknowledged.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import tap
from tap import Skip, check, equal, model

LIBRARY = sys.argv.pop(1) if len(sys.argv) > 1 else ''
HOW = ('enospc', 'eio', 'short', 'before', 'after')
LOST = b'cannot write the journal'
NEVER = b'nothing is journaled'
NAMES = (['batch_size', 'A1', 'A2', 'A3', 'A4'], ['sequence_length', 'B1', 'B2', 'B3', 'B4'])

# Flushing to a real disk would take most of the time.
if os.access('/dev/shm', os.W_OK):
    tempfile.tempdir = '/dev/shm'


def state_of(line):
    """How far each axis is, from `input [A2, B1, 10]`."""
    dims = line[line.index(b'[') + 1:].split(b', ')
    return [NAMES[i].index(dims[i].decode()) for i in (0, 1)]


class Scene:
    """A model, the processes at it, and what has been acknowledged."""

    def __init__(self, hit=None, fault=None, log=None):
        self.folder = tap.folder()
        self.model = os.path.join(self.folder.name, 'm.onnx')
        self.hit, self.fault, self.log = hit, fault, log
        self.runs, self.sure, self.said = {}, [0, 0], []
        shutil.copyfile(model('dynamic_rnn.onnx'), self.model)

    def env(self, who):
        env = {**os.environ, 'XDG_STATE_HOME': os.path.join(self.folder.name, 'state')}
        if who == self.hit:
            env['LD_PRELOAD'] = LIBRARY
            if self.fault:
                env['AXED_FAULT'] = self.fault
            if self.log:
                env['AXED_FAULT_LOG'] = self.log
        return env

    def open(self, who, *words):
        process = subprocess.Popen([tap.AXED, 'edit', self.model, '--script', '-', *words], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.env(who))
        self.runs[who] = Run(process)
        return self.say(who, '')

    def say(self, who, line):
        """Runs a line; what it did is sure unless a note said that it is not."""
        run = self.runs[who]
        if line == 'undo':
            self.sure[1] -= 1  # from the moment that it is asked for
        answer = run.say(line)
        self.said.append((who, line, answer))
        if answer is None:
            return False
        run.sure |= line == 'write' and run.journaled  # until the next note
        if run.sure or line == 'write':
            self.sure = [max(*pair) for pair in zip(self.sure, state_of(answer))]
        return True

    def set(self, who, *words):
        """Writes the file beside the holder."""
        done = subprocess.run([tap.AXED, 'set', self.model, *words, '-i'], env=self.env(who), capture_output=True, timeout=60)
        self.said.append((who, words, done.returncode, done.stderr))
        if done.returncode == 0:
            self.sure = [max(*pair) for pair in zip(self.sure, [0, NAMES[1].index(words[0].split('=')[1])])]
        return done.returncode == 0

    def end(self, who, line=None):
        self.said.append((who, line or 'killed', self.runs[who].end(line)))

    def close(self):
        for run in self.runs.values():
            run.end(None)
        self.folder.cleanup()


class Run:
    def __init__(self, process):
        self.process, self.sure, self.journaled = process, True, True

    def say(self, line):
        """The shape that is printed after the line, None when the process ended."""
        try:
            self.process.stdin.write(line.encode() + b'\nshapes input\n')
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return None
        while True:
            got = self.process.stdout.readline()
            self.journaled &= NEVER not in got
            self.sure &= NEVER not in got and LOST not in got
            if not got or got.startswith(b'input ['):
                return got or None

    def end(self, line):
        if self.process.stdin.closed:
            return b''
        if line is None:
            self.process.send_signal(signal.SIGKILL)
        else:
            try:
                self.process.stdin.write(line.encode() + b'\n')
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        said = self.process.stdout.read()
        self.process.wait()
        self.process.stdout.close()
        return said


def judge(script, hit, fault):
    scene = Scene(hit, fault)
    script(scene)
    for who in scene.runs:
        scene.end(who)
    sure = scene.sure
    scene.hit = None
    opened = scene.open('judge', '--recover')
    told = f'{hit} {fault}: {scene.said}'
    if check(opened, f'the model cannot be opened: {told}'):
        found = state_of(scene.said[-1][2])
        check(found[0] >= sure[0] and found[1] >= sure[1], f'{found} after {sure} was acknowledged: {told}')
    scene.close()


def campaign(script, *hits):
    if not LIBRARY or not os.path.exists(LIBRARY):
        raise Skip('the library that makes faults was not built')
    faults = 0
    for hit in hits:
        with tap.folder() as folder:
            log = os.path.join(folder, 'log')
            scene = Scene(hit, log=log)
            try:
                script(scene)
            finally:
                said = scene.said
                scene.close()
            if not os.path.exists(log):
                raise Skip('faults cannot be preloaded into this build')
            with open(log, encoding='ascii') as file:
                calls = sum(1 for _ in file)
        check(calls > 1, f'{hit} makes {calls} calls: {said}')
        for at in range(1, calls + 1):
            for how in HOW:
                judge(script, hit, f'{at}:{how}')
        faults += calls * len(HOW)
    print(f'# {faults} faults')


def holder_killed(s):
    s.open('holder')
    s.say('holder', 'set batch_size=A1')
    s.open('second')
    s.say('holder', 'set A1=A2')
    s.open('third', '--recover')  # refused: somebody has it
    s.end('holder')
    s.say('second', 'set sequence_length=B1')  # refused: something was left
    s.end('second')
    s.open('fourth', '--recover')
    s.say('fourth', 'set sequence_length=B1')


def holder_saves(s):
    s.open('holder')
    s.open('second')
    s.say('holder', 'set batch_size=A1')
    s.say('holder', 'write')
    s.say('holder', 'set A1=A2')
    s.say('holder', 'write')
    s.end('holder', 'quit')
    s.say('second', 'set sequence_length=B1')  # refused: the file has changed
    s.end('second')
    s.open('third')
    s.say('third', 'set sequence_length=B1')
    s.say('third', 'write')
    s.say('third', 'set B1=B2')


def second_takes_over(s):
    s.open('holder')
    s.open('second')
    s.end('holder', 'quit')
    s.say('second', 'set sequence_length=B1')
    s.open('third')
    s.say('third', 'set batch_size=A1')  # refused
    s.say('second', 'set B1=B2')
    s.say('second', 'write')
    s.say('second', 'set B2=B3')
    s.say('second', 'undo')
    s.say('second', 'redo')


def file_written_beside(s):
    s.open('holder')
    s.say('holder', 'set batch_size=A1')
    s.set('polite', 'sequence_length=B1')  # refused
    s.set('rude', 'sequence_length=B1', '--force')
    s.say('holder', 'set A1=A2')
    s.say('holder', 'write')  # refused: the file was replaced
    s.end('holder')
    s.set('late', 'B1=B2')
    s.open('third', '--recover')
    s.say('third', 'write')
    s.say('third', 'set B2=B3')


def reopened(s):
    s.open('first')
    s.say('first', 'set batch_size=A1')
    s.end('first')
    s.open('second', '--recover')
    s.open('beside')
    s.say('second', 'set sequence_length=B1')
    s.end('second')
    s.say('beside', 'set sequence_length=B2')  # refused: something was left
    s.end('beside')
    s.open('third', '--recover')
    s.say('third', 'write')
    s.say('third', 'set A1=A2')
    s.end('third')
    s.open('fourth', '--recover')
    s.say('fourth', 'set B1=B2')


def test_the_scenes():
    """Without a fault, they go as they are meant to."""
    for script, wanted in ((holder_killed, [2, 1]), (holder_saves, [2, 2]), (second_takes_over, [0, 3]),
                           (file_written_beside, [2, 3]), (reopened, [2, 2])):
        scene = Scene()
        script(scene)
        equal(scene.sure, wanted, f'{script.__name__}: {scene.said}')
        scene.close()


def test_the_holder_is_killed():
    campaign(holder_killed, 'holder', 'second', 'third', 'fourth')


def test_the_holder_saves():
    campaign(holder_saves, 'holder', 'second', 'third')


def test_the_second_takes_over():
    campaign(second_takes_over, 'holder', 'second', 'third')


def test_the_file_is_written_beside_the_holder():
    campaign(file_written_beside, 'holder', 'polite', 'rude', 'late', 'third')


def test_it_is_opened_again_and_again():
    campaign(reopened, 'first', 'second', 'beside', 'third', 'fourth')


def test_two_at_the_same_moment():
    """Only one gets the model, and what it acknowledges stays, whenever both are killed."""
    rng = random.Random(3)
    taken = [0, 0]
    for _ in range(60):
        scene = Scene()
        for i in (0, 1):
            process = subprocess.Popen([tap.AXED, 'edit', scene.model, '--script', '-'], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=scene.env(i))
            process.stdin.write(''.join(f'set {a}={b}\nshapes input\n' for a, b in zip(NAMES[i], NAMES[i][1:])).encode())
            process.stdin.flush()
            scene.runs[i] = Run(process)
        time.sleep(rng.random() * 0.012)
        for run in scene.runs.values():
            run.process.send_signal(signal.SIGKILL)
        for i, run in scene.runs.items():
            lines = [state_of(l) for l in run.end(None).splitlines(True) if l.startswith(b'input [') and l.endswith(b'\n')]
            scene.sure[i] = max([line[i] for line in lines], default=0)
            taken[i] += scene.sure[i] > 0
        check(0 in scene.sure, f'both have edited: {scene.sure}')
        sure = scene.sure[:]
        if check(scene.open('judge', '--recover'), f'the model cannot be opened after {sure}'):
            found = state_of(scene.said[-1][2])
            check(found[0] >= sure[0] and found[1] >= sure[1], f'{found} after {sure}')
        scene.close()
    print(f'# {taken[0]} and {taken[1]} times, of 60')


tap.main(globals())
