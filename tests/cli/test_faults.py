"""The journal under faults: each call that touches the disk fails, is cut short, or is the last one before a kill.

    test_faults.py FAULTS.so

Whatever happens, every acknowledged edit is in the model or is brought back; the model can always be opened.  An edit is
acknowledged by the shape that is printed after it, unless a note said that the journal cannot be written.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import Skip, check, equal, model

LIBRARY = sys.argv.pop(1) if len(sys.argv) > 1 else ''
HOW = ('enospc', 'eio', 'short', 'before', 'after')
NOTE = b'cannot write the journal'
UNJOURNALED = b'nothing is journaled'
WORDS = (b'axed-journal', b'model', b'base', b'saved', b'onto', b'do', b'undo', b'redo')
JUNK = b'what is this'

# Flushing to a real disk would take most of the time.
if os.access('/dev/shm', os.W_OK):
    tempfile.tempdir = '/dev/shm'

EDITS = ['set batch_size=A', 'set A=B', 'undo', 'set sequence_length=T', 'undo', 'redo', 'set A=C']
SAVES = ['set batch_size=A', 'write', 'set A=B', 'set B=C', 'write', 'set C=D']
RELOADS = ['set batch_size=A', 'set sequence_length=T', 'set A=B', 'reload', 'set B=C', 'undo', 'reload', 'set B=D', 'reload', 'write',
           'reload', 'set D=E']
AGAIN = ['set T=S', 'undo', 'set T=R', 'set R=Q']


class Place:
    clock = None

    def __init__(self):
        self.folder = tap.folder()
        self.model = os.path.join(self.folder.name, 'm.onnx')
        self.log = os.path.join(self.folder.name, 'log')
        shutil.copyfile(model('dynamic_rnn.onnx'), self.model)

    def run(self, lines, *words, fault=None, log=False):
        """What was printed after each line that was acknowledged, and how many came before the first note."""
        env = {**os.environ, 'XDG_STATE_HOME': os.path.join(self.folder.name, 'state')}
        if self.clock:
            env['AXED_FAULT_CLOCK'] = self.clock
        if fault or log or self.clock:
            env['LD_PRELOAD'] = LIBRARY
        if fault:
            env['AXED_FAULT'] = fault
        if log:
            env['AXED_FAULT_LOG'] = self.log
        script = ''.join(f'{line}\nshapes input\n' for line in lines)
        done = subprocess.run([tap.AXED, 'edit', self.model, '--script', '-', *words], input=script.encode(), env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        shapes, sure = [], None
        for line in done.stdout.splitlines():
            if NOTE in line or UNJOURNALED in line:
                sure = len(shapes) if sure is None else sure
            elif line.startswith(b'input ['):
                shapes.append(line)
        return done, shapes, len(shapes) if sure is None else sure

    def calls(self):
        with open(self.log, encoding='ascii') as file:
            return sum(1 for _ in file)

    def journal(self):
        folder = os.path.join(self.folder.name, 'state', 'axed')
        names = [name for name in os.listdir(folder) if name.endswith('.journal')] if os.path.isdir(folder) else []
        return os.path.join(folder, names[0]) if names else None

    def odd_lines(self):
        """Lines of the journal that nobody writes; the last one may be torn."""
        name = self.journal()
        return [line for line in (tap.read(name) if name else b'').split(b'\n')[:-1] if line.split(b' ')[0] not in WORDS]

    def close(self):
        self.folder.cleanup()


def prepared(before, change):
    """A place where an earlier run was killed after its edits, and perhaps the model or the journal has changed since."""
    place = Place()
    if before:
        place.run([*before, 'recipe /dev/null/x'])  # the last line fails: the run ends and leaves its journal
    if change == 'journal':
        lines = tap.read(place.journal()).splitlines(True)
        with open(place.journal(), 'wb') as file:
            file.writelines([*lines[:4], JUNK + b'\n', *lines[4:]])
    if change == 'model':
        st = os.stat(place.model)
        os.utime(place.model, ns=(st.st_atime_ns, st.st_mtime_ns + 10**9))
    return place


def judge(lines, expected, before, change, words, fault):
    """One run with a fault, and one that recovers what it left."""
    place = prepared(before, change)
    done, shapes, sure = place.run(lines, *words, fault=fault)
    what = f'{lines} {words} {fault}: {done.stdout!r}'
    check(set(place.odd_lines()) <= {JUNK}, f'{what}: {place.odd_lines()}')
    kept = shapes[-1:] if b'--recover brings them back' in done.stdout else None
    # Without a single answer, what the earlier run left must still be there.
    sure = sure - 1 if sure else -1
    again, found, _ = place.run([''], '--recover')
    check(again.returncode == 0, f'{what}: then {again.stdout!r}')
    place.close()
    check(kept is None or kept == found, f'{what}: {found}, and not what was said to be kept')
    if not found:
        return
    allowed = expected[max(sure, 0):]
    if sure < 0 and not before:
        allowed = allowed + [b'input [batch_size, sequence_length, 10]']
    check(found[0] in allowed, f'{what}: {found[0]!r} is none of {allowed!r}')


def campaign(lines, before=None, change=None, words=()):
    if not LIBRARY or not os.path.exists(LIBRARY):
        raise Skip('the library that makes faults was not built')
    place = prepared(before, change)
    done, expected, _ = place.run(['', *lines], *words, log=True)
    if b'ASan runtime' in done.stdout:
        place.close()
        raise Skip('faults cannot be preloaded into this build')
    calls = place.calls()
    place.close()
    equal(len(expected), len(lines) + 1, f'without a fault: {done.stdout!r}')
    check(calls > 15, f'{calls} calls are seen')
    for at in range(1, calls + 1):
        for how in HOW:
            judge(['', *lines], expected, before, change, words, f'{at}:{how}')
    print(f'# {calls * len(HOW)} faults')


def steps_of(lines):
    """{the name of a call: when it is made}"""
    place = Place()
    done, _, _ = place.run(lines, log=True)
    if not os.path.exists(place.log):
        place.close()
        raise Skip('faults cannot be preloaded into this build')
    with open(place.log, encoding='ascii') as file:
        words = [line.split() for line in file]
    place.close()
    return {name: [int(number) for number, other, _ in words if other == name] for _, name, _ in words}


def test_edits():
    campaign(EDITS)


def test_saves():
    campaign(SAVES)


def test_recovering():
    campaign(AGAIN, before=EDITS, words=('--recover',))


def test_recovering_onto_another_version():
    campaign(AGAIN, before=EDITS, change='model', words=('--recover',))


def test_recovering_what_is_damaged():
    campaign(AGAIN, before=EDITS, change='journal', words=('--recover',))


def test_reloading():
    campaign(RELOADS)


def test_a_journal_heals():
    """What could not be written once is written with the next edit."""
    lines = ['set batch_size=A', 'set sequence_length=T', 'set A=B', 'set B=C', 'undo', 'undo', 'reload', 'set A=D']
    at, = steps_of(lines)['renameat']
    for how in ('enospc', 'eio'):
        place = Place()
        done, shapes, _ = place.run(lines, fault=f'{at}:{how}')
        check(NOTE in done.stdout and b'--recover brings them back' in done.stdout, done.stdout)
        again, found, _ = place.run([''], '--recover')
        equal(found, shapes[-1:], f'{how}: {again.stdout!r}')
        place.close()


def test_saving_what_was_recovered():
    campaign(['write', *AGAIN, 'write'], before=EDITS, words=('--recover',))


def test_saving_within_a_tick():
    """Two versions of a size are told apart where the times of files are even seconds."""
    Place.clock = 'coarse'
    try:
        campaign(SAVES)
    finally:
        Place.clock = None


def test_a_private_file_is_private_from_its_first_byte():
    """No file is created, or opened up later, for anybody but its owner."""
    if not LIBRARY or not os.path.exists(LIBRARY):
        raise Skip('the library that makes faults was not built')
    place = Place()
    os.chmod(place.model, 0o600)
    other, recipe = (os.path.join(place.folder.name, name) for name in ('other.onnx', 'recipe'))
    done, _, _ = place.run(['set batch_size=A', 'write', 'set A=B', f'recipe {recipe}', f'export {recipe}.svg', f'write {other}'], log=True)
    if b'ASan runtime' in done.stdout:
        place.close()
        raise Skip('faults cannot be preloaded into this build')
    equal(done.returncode, 0, done.stdout)
    with open(place.log, encoding='ascii') as file:
        calls = [line.split()[1:] for line in file]
    modes = [(name, int(mode, 8)) for name, mode in calls if int(mode, 8)]
    check(len(modes) > 6 and any(name == 'fchmod' for name, _ in modes), f'they are seen: {calls}')
    for name, mode in modes:
        check(not mode & 0o077 or name == 'mkdir', f'{name} {mode:o}')
    for path in (place.model, other, recipe, recipe + '.svg'):
        equal(oct(os.stat(path).st_mode & 0o777), '0o600', path)
    place.close()


tap.main(globals())
