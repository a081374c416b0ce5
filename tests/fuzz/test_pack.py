"""Packs of fuzz inputs: test_pack.py REPLAY, where REPLAY is any replay-* program.

Both the script and replay.c read what the script writes, and report a damaged pack in one sentence.
"""

import glob
import importlib.machinery
import importlib.util
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'cli'))
import tap  # noqa: E402
from tap import check, equal  # noqa: E402

REPLAY = sys.argv[1]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader('pack', os.path.join(HERE, 'pack'))
SCRIPT = importlib.util.module_from_spec(importlib.util.spec_from_loader('pack', loader))
loader.exec_module(SCRIPT)


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def pack(*words):
    return call(sys.executable, os.path.join(HERE, 'pack'), *words)


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def small(folder):
    """Three inputs, one of them empty."""
    path = os.path.join(folder, 'small.pack')
    for name, data in (('crash-b', b'xyz'), ('crash-a', b''), ('crash-c', b'\0\n"')):
        equal(pack('add', path, write(folder, 'input', data), name), (0, '', ''), name)
    return path


def test_the_same_inputs_give_the_same_bytes():
    packs = sorted(glob.glob(os.path.join(HERE, 'corpus', '*.pack')))
    check(len(packs) >= 15, 'all packs are there')
    with tap.folder() as folder:
        for path in packs:
            inside, again = (os.path.join(folder, os.path.basename(path) + end) for end in ('.d', '.pack'))
            equal(pack('unpack', path, inside), (0, '', ''), 'unpack')
            equal(pack('replace', again, inside), (0, '', ''), 'replace')
            check(tap.read(again) == tap.read(path), f'{path}: packed again, the bytes differ')


def test_replay_runs_every_input():
    path = os.path.join(HERE, 'corpus', 'quote.pack')
    code, listed, err = pack('list', path)
    names = [line.split()[1] for line in listed.splitlines()]
    code, out, err = call(REPLAY, path)
    equal((code, err), (0, ''), 'replay')
    equal([line.split()[-1] for line in out.splitlines() if line.startswith('ok ')], names, 'its inputs')
    check(f'# {len(names)} inputs' in out, out)
    code, out, err = call(REPLAY, '--only', names[0], path)
    equal([line for line in out.splitlines() if line.startswith('ok ')], [f'ok 1 - {names[0]}'], '--only')


def test_add_remove_replace():
    with tap.folder() as folder:
        path = small(folder)
        whole = tap.read(path)
        equal(pack('list', path)[1].split(), ['0', 'crash-a', '3', 'crash-b', '3', 'crash-c'], 'sorted')
        pack('add', path, write(folder, 'input', b'xyz'), 'crash-b')
        check(tap.read(path) == whole, 'added twice, it is there once')
        code, out, err = pack('add', path, write(folder, 'input', b'other'), 'crash-b')
        equal((code, err), (1, 'pack: there is another input called crash-b\n'), 'other bytes')
        code, out, err = pack('add', path, os.path.join(folder, 'input'), '../x')
        check(code == 1 and 'is not a name' in err, err)
        equal(pack('remove', path, 'crash-x')[0], 1, 'what is not there')
        check(tap.read(path) == whole, 'whatever fails changes nothing')
        pack('add', path, os.path.join(folder, 'input'))
        found = 'd0941e68da8f38151ff86a61fc59f7c5cf9fcaa2'  # sha1 of "other"
        check(found in pack('list', path)[1], 'without a name, its hash')
        new = os.path.join(folder, 'new')
        os.mkdir(new)
        write(new, '11f6ad8ec52a2984abaafd7c3b516503785c2072', b'x')
        equal(pack('replace', path, new)[0], 0, 'replace')
        equal(pack('list', path)[1].split()[1::2], ['11f6ad8ec52a2984abaafd7c3b516503785c2072', 'crash-a', 'crash-b', 'crash-c'],
              'named inputs stay')


def test_a_broken_pack_is_one_sentence():
    with tap.folder() as folder:
        whole = tap.read(small(folder))
        broken = {f'the first {at} bytes': whole[:at] for at in range(8, len(whole))}
        broken['a byte more'] = whole + b'\0'
        broken['another version'] = whole[:11] + b'\2' + whole[12:]
        for at in range(12, 28):
            broken[f'byte {at} is 255'] = whole[:at] + b'\xff' + whole[at + 1:]
        broken['out of order'] = whole.replace(b'crash-a', b'crash-z')
        broken['a name twice'] = whole.replace(b'crash-a', b'crash-b')
        broken['a path'] = whole.replace(b'crash-a', b'cra/h-a')
        for what, data in broken.items():
            path = write(folder, 'broken.pack', data)
            code, out, err = call(REPLAY, path)
            check((code, out, err.count('\n')) == (99, '', 1) and err.startswith(path), f'{what}: {code} {out!r} {err!r}')
            try:
                check(False, f'{what}: {SCRIPT.load(path)}')
            except SCRIPT.Bad as bad:
                check(path in str(bad), f'{what}: {bad}')
        code, out, err = pack('list', path)
        equal((code, out, err.count('\n')), (1, '', 1), 'the script tells it too')


tap.main(globals())
