"""Edits that a killed run left, on the screen: beside another terminal, on a full disk, and after a new export.

    test_recovery.py [FAULTS.so]
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap
from tap import Skip, check, equal, model, run
from terminals import Terminal, line

LIBRARY = sys.argv.pop(1) if len(sys.argv) > 1 else ''


class Place:
    """A model, a folder of journals, and terminals that have the model open."""

    def __enter__(self):
        if not os.path.exists('/proc/self/task'):
            raise Skip('no /proc here')
        self.folder = tap.folder()
        self.path = os.path.join(self.folder.name, 'm.onnx')
        self.state = os.path.join(self.folder.name, 'state')
        self.terminals = []
        os.mkdir(self.state)
        self.export('dynamic_rnn.onnx')
        return self

    def __exit__(self, *_):
        for t in self.terminals:
            t.close()
        self.folder.cleanup()

    def export(self, name):
        shutil.copyfile(model(name), self.path)

    def open(self, wanted='nodes', **env):
        axed = os.path.abspath(tap.AXED)
        words = ' '.join(f'{name}={value}' for name, value in env.items())
        t = Terminal(f'cd {self.folder.name}; clear; {words} {axed} m.onnx; echo left $?', env={'XDG_STATE_HOME': self.state})
        self.terminals.append(t)
        t.wait(wanted)
        return t

    def edited_and_killed(self, *lines):
        t = self.open()
        for text, shown in lines:
            line(t, text)
            t.wait(shown)
        kill(t)

    def journal(self):
        folder = os.path.join(self.state, 'axed')
        return {name: tap.read(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith('.journal')}


def kill(t):
    os.kill(t.program(), signal.SIGKILL)
    t.wait('left 137')


EDITS = (('set batch_size=B', '[B, sequence_length, 10]'), ('set sequence_length=T', '[B, T, 10]'))


def test_the_holder_of_two_terminals_is_killed():
    with Place() as p:
        first = p.open()
        second = p.open(f'is open in another axed, process {first.program()}; this one only looks')
        line(first, 'set batch_size=B')
        first.wait('modified')
        kill(first)
        second.keys('Escape')
        line(second, 'set batch_size=N')
        second.wait('the other axed left 1 unsaved edit of an earlier run: open it again to recover them')
        second.keys('Escape')
        line(second, 'q')
        second.wait('left 0')
        third = p.open('1 unsaved edit of an earlier run. (r)ecover, (d)iscard, (l)eave:')
        third.keys('r')
        third.wait('recovered 1 edit')
        third.wait('[B, sequence_length, 10]')
        line(third, 'w')
        third.wait('saved')
        line(third, 'q')
        third.wait('left 0')
        equal(os.listdir(os.path.join(p.state, 'axed')), ['recent'], 'nothing stays, but which models were opened')
        check(b'[B, sequence_length, 10]' in run('shapes', p.path)[1], 'saved')


@contextlib.contextmanager
def full_disk(place):
    """The variables with which nothing can be written to the folder of journals."""
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', place.state], capture_output=True).returncode == 0:
        try:
            yield lambda: fill(place.state)
        finally:
            for t in place.terminals:
                t.close()
            place.terminals.clear()
            subprocess.run(['umount', '--lazy', place.state], check=True)
    elif os.path.exists(LIBRARY):
        yield lambda: {'LD_PRELOAD': LIBRARY, 'AXED_FAULT': 'full'}
    else:
        raise Skip('a small disk can neither be mounted nor feigned')


def fill(folder):
    with open(os.path.join(folder, 'filling'), 'wb', buffering=0) as file:
        try:
            while True:
                file.write(b'x')
        except OSError:
            pass
    return {}


def recover_on_a_full_disk(p, full, question, recovered):
    p.edited_and_killed(*EDITS)
    left = p.journal()
    if question != EARLIER:
        p.export('dynamic_linear.onnx')
    env = full()
    t = p.open(question, **env)
    if 'ASan runtime' in t.screen():
        raise Skip('faults cannot be preloaded into this build')
    t.keys('r')
    t.wait(recovered)
    if 'cannot write' not in t.screen():  # there was room for a line that says so
        line(t, 'set B=' + 'C' * 4000)
    t.wait('cannot write the journal: a crash would lose unsaved edits')
    kill(t)
    now = p.journal()
    equal(now.keys(), left.keys(), 'the journals')
    check(all(now[name].startswith(left[name]) for name in left), f'the old journal is whole: {now}')
    if not env:
        os.unlink(os.path.join(p.state, 'filling'))
    t = p.open('2 unsaved edits of ')
    t.keys('r')
    t.wait(recovered)
    t.wait('[B, ')


EARLIER = '2 unsaved edits of an earlier run.'
ANOTHER = '2 unsaved edits of another version of this file.'


def test_a_full_disk():
    with Place() as p, full_disk(p) as full:
        recover_on_a_full_disk(p, full, EARLIER, 'recovered 2 edits')


def test_a_full_disk_and_a_new_export():
    with Place() as p, full_disk(p) as full:
        recover_on_a_full_disk(p, full, ANOTHER, 'recovered 1 edit of 2')


def test_a_new_export():
    with Place() as p:
        p.edited_and_killed(*EDITS)
        left = p.journal()
        p.export('dynamic_linear.onnx')
        t = p.open(ANOTHER)
        t.keys('l')
        t.wait('left 0')
        equal(p.journal(), left, 'kept')
        t = p.open(ANOTHER)
        t.keys('r')
        t.wait('recovered 1 edit of 2; step 2 (do set sequence_length=T): no such symbol')
        t.wait('[B, 10]')
        line(t, 'w')
        t.wait('saved')
        line(t, 'q')
        t.wait('left 0')
        equal(p.journal(), {}, 'dealt with')
        check(b'[B, 10]' in run('shapes', p.path)[1], 'saved')


def test_discarding():
    with Place() as p:
        p.edited_and_killed(*EDITS)
        t = p.open(EARLIER)
        t.keys('d')
        t.wait('discarded 2 edits')
        equal(p.journal(), {}, 'gone')
        t.wait('[batch_size, sequence_length, 10]')


def test_edits_that_stand_are_counted():
    with Place() as p:
        t = p.open()
        line(t, 'set batch_size=B')
        t.wait('modified')
        for key, shown in (('u', 'batch_size'), ('C-r', '[B,'), ('u', 'batch_size'), ('C-r', '[B,')):
            t.keys(key)
            t.wait(shown)
        line(t, 'set sequence_length=T')
        t.wait('[B, T, 10]')
        t.keys('u')
        t.gone('[B, T, 10]')
        kill(t)
        t = p.open('1 unsaved edit of an earlier run')
        t.keys('r')
        t.wait('recovered 1 edit')
        check('recovered 1 edit ' in t.screen() or 'recovered 1 edit\n' in t.screen(), t.screen())
        t.keys('7')
        t.wait('History (1 of 2)')
        kill(t)


def test_what_was_undone_is_nothing_to_recover():
    with Place() as p:
        t = p.open()
        line(t, 'set batch_size=B')
        t.wait('modified')
        t.keys('u')
        t.gone('modified')
        kill(t)
        check('unsaved' not in p.open().screen(), 'asks about no edit')
    # what a saved file has is another matter
    with Place() as p:
        t = p.open()
        line(t, 'set batch_size=B')
        line(t, 'w')
        t.wait('saved')
        t.keys('u')
        t.wait('modified')
        kill(t)
        p.open('1 unsaved edit of an earlier run')


tap.main(globals())
