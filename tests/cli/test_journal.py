"""Edits survive a kill: acknowledged edits come back, and none comes back twice."""

import os
import random
import shutil
import signal
import subprocess

import tap
from tap import check, equal, model, run

LINES = ['set batch_size=B', 'set sequence_length=T', 'set B=8', 'undo', 'set T=t.1', 'undo', 'redo', 'set --force input:2=?',
         'undo', 'set input:0=x input:1=y', 'undo', 'undo', 'redo', 'set "output:0=some_name"']


class Run:
    """A run that takes a line at a time."""

    def __init__(self, path, state, *words):
        self.process = subprocess.Popen([tap.AXED, 'edit', path, '--script', '-', *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, 'XDG_STATE_HOME': state})

    def say(self, line):
        """Sends a line and waits until it is acknowledged: the history is printed after it."""
        self.process.stdin.write(line.encode() + b'\nhistory\nshapes input\n')
        self.process.stdin.flush()
        answer = []
        while True:
            got = self.process.stdout.readline()
            if not got:
                raise RuntimeError(self.process.stderr.read())
            if got.startswith(b'input ['):
                return answer + [got]
            if got.startswith((b'set', b'[set')):
                answer.append(got)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        error = self.process.stderr.read()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        return error


class Place:
    def __enter__(self):
        self.folder = tap.folder()
        self.path = os.path.join(self.folder.name, 'm.onnx')
        self.state = os.path.join(self.folder.name, 'state')
        shutil.copy(model('dynamic_rnn.onnx'), self.path)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, lines, *words):
        return run('edit', self.path, '--script', '-', *words, stdin=''.join(l + '\n' for l in lines).encode(),
                   env={'XDG_STATE_HOME': self.state})

    def journals(self):
        folder = os.path.join(self.state, 'axed')
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return sorted(name for name in names if not name.endswith('.lock'))

    def journal(self):
        return os.path.join(self.state, 'axed', self.journals()[0])


def test_a_kill_after_each_step_loses_nothing():
    for count in range(1, len(LINES) + 1):
        with Place() as place:
            first = Run(place.path, place.state)
            for line in LINES[:count]:
                before = first.say(line)
            first.kill()
            second = Run(place.path, place.state, '--recover')
            equal(second.say(''), before, f'after {count} steps')
            second.kill()
            # Recovered edits are journaled again: a second kill loses nothing either.
            third = Run(place.path, place.state, '--recover')
            equal(third.say(''), before, f'after {count} steps and two kills')
            third.kill()


def test_a_kill_at_any_moment_keeps_what_was_acknowledged():
    rng = random.Random(7)
    for _ in range(25):
        with Place() as place:
            first = Run(place.path, place.state)
            acknowledged = first.say(LINES[0])
            for line in LINES[1:rng.randrange(1, 6)]:
                acknowledged = first.say(line)
            # Lines without acknowledgement; the kill comes somewhere between them.
            first.process.stdin.write(b'set output:1=five\nset output:1=six\n' * rng.randrange(1, 30))
            first.process.stdin.flush()
            first.kill()
            second = Run(place.path, place.state, '--recover')
            after = second.say('')
            kept = [line for line in after if b'output:1' not in line]
            equal(kept[-1], acknowledged[-1], 'the shape')
            done = [line for line in acknowledged[:-1] if not line.startswith(b'[')]
            equal(after[:len(done)], done, 'the actions')
            second.kill()


def test_it_must_be_asked_for():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say(LINES[0])
        first.kill()
        code, out, err = place.run(['history'])
        equal(code, 2, 'neither --recover nor --discard')
        check(b'1 unsaved edit of an earlier run: use --recover or --discard' in err, err)
        code, out, err = place.run(['history'], '--discard')
        equal((code, out), (0, b''), 'given up')
        equal(place.journals(), [], 'journals')


def test_a_save_is_not_done_twice():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        first.say('write')
        first.say('set sequence_length=T')
        first.kill()
        second = Run(place.path, place.state, '--recover')
        equal(second.say(''), [b'set sequence_length=T\n', b'input [B, T, 10]\n'], 'only what the file has not')
        second.kill()
        # Undone past the save: the file cannot go back, and the message says so.
        shutil.rmtree(place.state)
        third = Run(place.path, place.state)
        third.say('set B=C')
        third.say('write')
        third.say('undo')
        third.kill()
        fourth = Run(place.path, place.state, '--recover')
        equal(fourth.say(''), [b'input [C, sequence_length, 10]\n'], 'the saved file')
        fourth.process.stdin.write(b'quit!\n')
        check(b'step 1 (undo): the edit to undo is already in the saved file' in fourth.close(), 'it is told')


def test_a_clean_end_leaves_no_journal():
    with Place() as place:
        code, out, err = place.run(['set batch_size=B', 'write', 'quit'])
        equal((code, place.journals()), (0, []), f'saved: {err!r}')
        code, out, err = place.run(['set B=C', 'quit'])
        equal(code, 2, 'quit with something unsaved')
        check(b'there are unsaved edits; quit! discards them' in err, err)
        code, out, err = place.run(['quit!'], '--recover')
        equal((code, place.journals()), (0, []), f'given up: {err!r}')
        code, out, err = place.run(['shapes input'])
        equal((code, out, place.journals()), (0, b'input [B, sequence_length, 10]\n', []), f'looking only: {err!r}')


def test_edits_of_another_version_are_kept_and_offered():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        first.say('set sequence_length=T')
        first.kill()
        left = tap.read(place.journal())
        shutil.copyfile(model('dynamic_linear.onnx'), place.path)
        code, out, err = place.run(['set batch_size=N'])
        equal(code, 2, err)
        check(b'2 unsaved edits of another version of this file: use --recover or --discard' in err, err)
        equal(tap.read(place.journal()), left, 'kept as it was')
        # On the new version, what can be done again is done, and the rest is told.
        second = Run(place.path, place.state, '--recover')
        second.process.stdin.write(b'history\n')
        second.process.stdin.flush()
        check(second.process.stdout.readline() == b'recovered 1 edit of 2\n', 'counted truly')
        equal(second.process.stdout.readline(), b'set batch_size=B\n', 'the history')
        second.process.send_signal(signal.SIGKILL)
        told = second.close()
        check(b"step 2 (do set sequence_length=T): no such symbol 'sequence_length'" in told, told)
        check(tap.read(place.journal()).startswith(left), 'the journal only grows')
        third = Run(place.path, place.state, '--recover')
        third.process.stdin.write(b'history\nquit!\n')
        third.process.stdin.flush()
        check(b'set batch_size=B\n' in third.process.stdout.read(), 'recovered again')
        third.close()


def test_undoing_what_failed_undoes_nothing_else():
    with Place() as place:
        first = Run(place.path, place.state)
        for text in ('set batch_size=B', 'set sequence_length=T', 'undo'):
            first.say(text)
        first.kill()
        shutil.copyfile(model('dynamic_linear.onnx'), place.path)
        code, out, err = place.run(['history', 'quit!'], '--recover')
        equal((code, out), (0, b'recovered 1 edit\nset batch_size=B\n'), err)


def test_a_torn_last_line_was_never_acknowledged():
    with Place() as place:
        first = Run(place.path, place.state)
        before = first.say('set batch_size=B')
        first.kill()
        for torn in (b'do set sequence_len', b'undo', b'\0\0\0\0\0et x\n'):
            with open(place.journal(), 'ab') as file:
                file.write(torn)
            second = Run(place.path, place.state, '--recover')
            equal(second.say(''), before, 'the whole lines')
            second.kill()
        name = place.journal()
        for empty in (b'', b'axed-jour', b'axed-journal 1\n', b'axed-journal 1\nmodel x\nbase 1 2 3\n'):
            with open(name, 'wb') as file:
                file.write(empty)
            code, out, err = place.run(['shapes input'])
            equal((code, out), (0, b'input [batch_size, sequence_length, 10]\n'), f'{empty!r}: {err!r}')


def test_a_damaged_journal_is_told_and_kept():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        before = first.say('set sequence_length=T')
        first.kill()
        whole = tap.read(place.journal())
        head, middle, tail = whole.partition(b'do set batch_size=B\n')
        for text, said in ((b'\xff' * 100, b'0 edits can be read, 1 line cannot'),
                           (b'junk\n' + whole, b'2 edits can be read, 2 lines cannot'),
                           (head + middle + b'what is this\n' + tail, b'2 edits can be read, 1 line cannot')):
            with open(place.journal(), 'wb') as file:
                file.write(text)
            code, out, err = place.run(['shapes input'])
            equal(code, 2, err)
            check(b'a damaged journal: ' + said in err, err)
            equal(tap.read(place.journal()), text, 'kept')
        second = Run(place.path, place.state, '--recover')
        equal(second.say(''), before, 'what can be read')
        second.kill()
        equal(tap.read(place.journal()), whole, 'and it is sound again')


def test_a_preview_is_no_step():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        before = first.say('undo')
        shown = first.say('edit set sequence_length=T')
        equal(shown, [b'[set batch_size=B]\n', b'input [batch_size, sequence_length, 10]\n'], 'other lines end a preview')
        first.say('edit set sequence_length=T')
        first.say('keys Esc')
        equal(first.say(''), before, 'no trace, and what was undone can be redone')
        after = first.say('redo')
        equal(after[0], b'set batch_size=B\n', 'redone')
        first.say('edit set B=N')
        applied = first.say('keys Enter')
        first.kill()
        second = Run(place.path, place.state, '--recover')
        equal(second.say(''), applied, 'applied, and in the journal')
        second.kill()


def test_lines_that_tell():
    with Place() as place:
        code, out, err = place.run(['set batch_size=B', 'diff', 'snippet torch', 'quit!'])
        equal(code, 0, err)
        check(b'symbols\n~ batch_size  name  batch_size -> B\n' in out, out)
        check(b'inferred' not in out, f'shapes follow the name: {out}')
        check(b'dynamic_axes = {' in out, out)
        code, out, err = place.run(['diff'])
        equal((code, out), (0, b'no differences from the file\n'), err)
        code, out, err = place.run(['snippet nothing'])
        equal(code, 2, 'no such tool')
        code, out, err = place.run(['diff /no/such/file'])
        equal(code, 2, 'no such file')


def test_two_at_once():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('')
        said = f'm.onnx is open in another axed, process {first.process.pid}'.encode()
        second = Run(place.path, place.state)
        second.say('')
        before = first.say('set batch_size=B')
        # It may look, but not edit; nor may anybody replace the file.
        code, out, err = place.run(['shapes input', 'set batch_size=N'])
        equal((code, out), (2, b'input [batch_size, sequence_length, 10]\n'), err)
        check(said + b'; this one only looks' in err and b'line 2: ' in err, err)
        for words in (('--recover',), ('--discard',)):
            code, out, err = place.run(['shapes input'], *words)
            equal((code, out, said in err), (2, b'', True), f'{words}: {err!r}')
        state = {'XDG_STATE_HOME': place.state}
        code, out, err = run('set', place.path, 'batch_size=N', '--in-place', env=state)
        equal((code, said + b'; --force writes it all the same' in err), (2, True), err)
        code, out, err = place.run(['write'])
        equal((code, said in err), (2, True), err)
        first.kill()
        # What the first left is not lost when the second leaves, or would edit.
        second.process.stdin.write(b'set batch_size=N\n')
        check(b'the other axed left 1 unsaved edit of an earlier run' in second.close(), 'told')
        third = Run(place.path, place.state, '--recover')
        equal(third.say(''), before, 'recovered')
        third.process.stdin.write(b'quit!\n')
        third.close()
        equal(os.listdir(os.path.join(place.state, 'axed')), [], 'nothing stays')


def test_the_second_takes_over():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('')
        second = Run(place.path, place.state)
        second.say('')
        first.process.stdin.write(b'quit\n')
        first.close()
        equal(second.say('set batch_size=B')[0], b'set batch_size=B\n', 'edited')
        second.kill()
        third = Run(place.path, place.state, '--recover')
        equal(third.say('')[0], b'set batch_size=B\n', 'and journaled')
        third.kill()


def test_a_file_saved_under_another_name_is_the_document():
    with Place() as place:
        other = os.path.join(place.folder.name, 'other.onnx')
        before = tap.read(place.path)
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        first.say(f'write {other}')
        first.say('set B=C')
        first.say('write')
        saved = tap.read(other)
        check(b'C' in saved and saved != before, 'saved there again')
        equal(tap.read(place.path), before, 'the first file')
        after = first.say('set C=D')
        code, out, err = place.run(['set batch_size=N', 'quit!'])
        equal(code, 0, f'the first file is free: {err!r}')
        first.kill()
        place.path = other
        second = Run(other, place.state, '--recover')
        equal(second.say('')[-1], after[-1], 'journaled there')
        second.kill()


def test_no_link_and_no_pipe_is_opened():
    with Place() as place:
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        first.process.stdin.write(b'quit!\n')
        first.close()
        name = os.path.join(place.state, 'axed', f'{digest(os.path.realpath(place.path).encode()):016x}.journal')
        victim = os.path.join(place.folder.name, 'victim')
        with open(victim, 'wb') as file:
            file.write(b'precious')
        for make in (lambda: os.symlink(victim, name), lambda: os.mkfifo(name), lambda: os.link(victim, name)):
            make()
            code, out, err = place.run(['set batch_size=B', 'quit!'])
            check(b'nothing is journaled' in err, err)
            equal((code, tap.read(victim)), (0, b'precious'), err)
            os.unlink(name)
        equal(oct(os.stat(os.path.dirname(name)).st_mode & 0o777), '0o700', 'the folder')
        first = Run(place.path, place.state)
        first.say('set batch_size=B')
        equal([oct(os.stat(os.path.join(os.path.dirname(name), n)).st_mode & 0o777) for n in os.listdir(os.path.dirname(name))],
              ['0o600', '0o600'], 'the files')
        first.kill()


def test_a_full_disk_is_told():
    import resource
    with Place() as place:
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        lines = ''.join(f'set output:1=name{i}\n' for i in range(20)) + 'history\n'
        done = subprocess.run([tap.AXED, 'edit', place.path, '--script', '-'], input=lines.encode(), capture_output=True,
                              env={**os.environ, 'XDG_STATE_HOME': place.state}, preexec_fn=little, timeout=60)
        equal(done.returncode, 0, done.stderr)
        equal(done.stderr.count(b'cannot write the journal'), 1, f'told once: {done.stderr}')
        check(b'the latest unsaved edits are lost' in done.stderr and b'brings them back' not in done.stderr, done.stderr)


def test_export_as_a_line():
    with Place() as place:
        out = os.path.join(place.folder.name, 'out.txt')
        code, said, err = place.run(['set batch_size=B', f'export {out}', 'quit!'])
        equal(code, 0, err)
        check(b'[B, sequence_length, 10]' in tap.read(out), 'the edited graph')
        code, said, err = place.run(['export /no/such/folder/x.txt'])
        equal(code, 2, err)
        check(err.count(b'/no/such/folder/x.txt') == 1, f'the target is named once: {err}')
        code, said, err = place.run(['export x.what'])
        equal(code, 2, err)


def test_an_alias_is_a_line():
    with Place() as place:
        code, out, err = place.run(['alias rename-batch set', 'alias now shapes input', 'rename-batch batch_size=B', 'now', 'history',
                                    'alias now alias now quit', 'alias again now', 'now', 'quit!'])
        equal((code, out[out.index(b'input ['):]), (0, b'input [B, sequence_length, 10]\nset batch_size=B\n'), err)
        for line, said in (('alias w shapes', b'w is a command already'), ('alias undo shapes', b'undo is a command already'),
                           ('alias "a b" shapes', b'an alias is one word'), ('alias xx', b'alias NAME LINE'),
                           ('alias xx xx\nxx', b"there is no command 'xx'")):
            code, out, err = place.run([line, 'quit!'])
            equal((code, said in err), (2, True), err)


def test_no_place_for_a_journal():
    with Place() as place:
        code, out, err = run('edit', place.path, '--script', '-', stdin=b'set batch_size=B\nwrite\n',
                             env={'XDG_STATE_HOME': '/dev/null/x'})
        equal(code, 0, err)
        check(b'nothing is journaled: /dev/null/x/axed: Not a directory' in err, err)


def digest(data, seed=0x61786564):
    """The name of a journal, as in src/base/digest.c; it must never change."""
    def fold(a, b):
        return (a * b ^ a * b >> 64) & 0xffffffffffffffff

    k0, k1 = 0x9e6c63d0876a9a47, 0xd1b54a32d192ed03
    h = seed ^ fold(len(data) ^ k1, k0)
    while len(data) > 8:
        h = fold(h ^ int.from_bytes(data[:8], 'little') ^ seed, k0)
        data = data[8:]
    return fold(fold(int.from_bytes(data, 'little') ^ h ^ seed, k0) ^ seed, k1)


STRUCTURE = 'bde1ac55ff04ff2d'  # of dynamic_rnn.onnx, as the first release wrote it


def test_names_and_bases_stay_what_they_were():
    with Place() as place:
        r = Run(place.path, place.state)
        r.say('set batch_size=B')
        r.kill()
        name = f'{digest(os.path.realpath(place.path).encode()):016x}.journal'
        equal(place.journals(), [name], 'the name')
        lines = tap.read(os.path.join(place.state, 'axed', name)).decode().splitlines()
        equal(lines[2].split()[-1], STRUCTURE, 'the hash of the structure')


EARLIER = (
    # A model, the hash of its structure as 0.1 wrote it, what 0.1 journaled, and what comes of it
    ('dynamic_rnn.onnx', STRUCTURE, ['set batch_size=B'], b'input [B, sequence_length, 10]\n'),
    ('dynamic_rnn.onnx', STRUCTURE, ['set batch_size=N', 'set sequence_length=T', 'set N=M'], b'input [M, T, 10]\n'),
    ('pinned_reshape.onnx', 'cbcc3944b7ecb4c9', ['repair input:0', 'set batch_size=N'], b'input [N, 10]\n'),
)


def test_a_journal_of_an_earlier_release_is_found():
    for name, structure, lines, shown in EARLIER:
        find_earlier(name, structure, lines, shown)


def find_earlier(name, structure, lines, shown):
    with Place() as place:
        shutil.copy(model(name), place.path)
        path = os.path.realpath(place.path)
        st = os.stat(path)
        os.makedirs(os.path.join(place.state, 'axed'))
        with open(os.path.join(place.state, 'axed', f'{digest(path.encode()):016x}.journal'), 'w', encoding='utf-8') as file:
            file.write(f'axed-journal 1\nmodel {path}\nbase {st.st_size} {st.st_mtime_ns} {structure}\n')
            file.write(''.join(f'do {line}\n' for line in lines))
        code, out, err = place.run(['shapes input', 'quit!'], '--recover')
        equal((code, out.endswith(shown)), (0, True), f'{lines}: {out!r} {err!r}')
        check(f'recovered {len(lines)} edit'.encode() in out, f'{out!r}')


tap.main(globals())
