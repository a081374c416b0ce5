"""Every path that axed writes: what may replace what, who may read it, and what goes along with it."""

import os
import shutil
import stat

import tap
from tap import Skip, check, equal, model, run

WORDS = ['batch_size=N']


class Place:
    """A folder with a model that is edited."""

    def __enter__(self):
        self.folder = tap.folder()
        self.copy('pinned_reshape.onnx', 'm.onnx')
        self.bytes = self.read('m.onnx')
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def copy(self, name, to):
        shutil.copyfile(model(name), self.path(to))

    def read(self, name):
        return tap.read(self.path(name))

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def run(self, *words, lines=None):
        stdin = ''.join(l + '\n' for l in lines or []).encode()
        return run(*words, stdin=stdin, cwd=self.folder.name, env={'XDG_STATE_HOME': self.path('state')})

    def script(self, *lines):
        return self.run('edit', 'm.onnx', '--script', '-', '--discard', lines=[*lines, 'quit!'])

    def refused(self, done, sentence):
        code, _, err = done
        equal(code, 2, err)
        check(sentence.encode() in err, f'{err!r} lacks {sentence!r}')
        equal(self.read('m.onnx'), self.bytes, 'the model')


def test_only_a_model_replaces_a_model():
    with Place() as p:
        p.copy('dynamic_rnn.onnx', 'other.onnx')
        other = p.read('other.onnx')
        shutil.copyfile(p.path('other.onnx'), p.path('unnamed'))
        for line in ('recipe {}', 'save-screen {}', 'save-cells {}'):
            for name in ('m.onnx', 'other.onnx', 'unnamed'):
                p.refused(p.script('set batch_size=N', line.format(name)), f'{name}: is a model, and only a model may replace it')
        for name in ('other.onnx', 'm.onnx'):
            p.refused(p.run('export', 'm.onnx', '-o', name, '--format', 'svg'), name)
        p.refused(p.run('export', 'm.onnx', '-o', 'unnamed', '--format', 'svg'), 'unnamed: is a model')
        p.refused(p.run('set', 'm.onnx', *WORDS, '-o', 'new.onnx', '--save-recipe', 'm.onnx'), 'is a model')
        check(not os.path.exists(p.path('new.onnx')), 'nothing is written when the recipe has no place')
        equal((p.read('other.onnx'), p.read('unnamed')), (other, other), 'the others')
        # A damaged model is still somebody's model.
        with open(p.path('torn.onnx'), 'wb') as file:
            file.write(b'\xff' * 10)
        p.refused(p.script('recipe torn.onnx'), 'is a model')


def test_two_results_are_two_files():
    with Place() as p:
        os.symlink('new.onnx', p.path('link'))
        for recipe in ('new.onnx', './new.onnx', 'link'):
            p.refused(p.run('set', 'm.onnx', *WORDS, '-o', 'new.onnx', '--save-recipe', recipe), 'cannot be one file')
        check(not os.path.exists(p.path('new.onnx')), 'nothing is written')
        code, _, err = p.run('set', 'm.onnx', *WORDS, '-o', 'new.onnx', '--save-recipe', 'recipe')
        equal(code, 0, err)
        recipe = p.read('recipe')
        p.refused(p.run('apply', 'm.onnx', 'recipe', '-o', 'recipe'), 'cannot be one file')
        equal(p.read('recipe'), recipe, 'the recipe')
        code, out, err = p.run('apply', 'm.onnx', '-', '-o', '-', lines=['set batch_size=N'])
        equal((code, out), (0, p.read('new.onnx')), f'streams are no files: {err!r}')


def test_another_file_wants_force():
    with Place() as p:
        p.copy('dynamic_rnn.onnx', 'other.onnx')
        other = p.read('other.onnx')
        p.refused(p.script('set batch_size=N', 'write other.onnx'), 'other.onnx: exists; add ! to replace it')
        equal(p.read('other.onnx'), other, 'the other')
        code, _, err = p.script('set batch_size=N', 'write! other.onnx')
        equal(code, 0, err)
        check(p.read('other.onnx') not in (other, p.bytes), 'replaced on purpose')
        code, _, err = p.script('export a.txt')
        equal(code, 0, err)
        p.refused(p.script('export a.txt'), 'a.txt: exists; add ! to replace it')
        code, _, err = p.script('export! a.txt')
        equal(code, 0, err)
        code, _, err = p.script('set batch_size=N', 'write')
        equal(code, 0, f'its own file: {err!r}')


def test_notes_want_force():
    with Place() as p:
        for name, notes in (('notes.txt', b'what I found\n'), ('bytes', bytes(range(1, 100)))):
            with open(p.path(name), 'wb') as file:
                file.write(notes)
            os.symlink(name, p.path(f'link-{name}'))
            with open(p.path('recipe'), 'w', encoding='utf-8') as file:
                file.write('set batch_size=N\n')
            for words in (['set', 'm.onnx', *WORDS], ['repair', 'm.onnx'], ['apply', 'm.onnx', 'recipe']):
                for target in (name, f'link-{name}'):
                    p.refused(p.run(*words, '-o', target), f'{target}: is not a model, so only --force or :w! replaces it')
            equal(p.read(name), notes, name)
            p.refused(p.script('set batch_size=N', f'write {name}'), 'replace')
            code, _, err = p.run('set', 'm.onnx', *WORDS, '-o', name, '--force')
            equal((code, p.read(name)[:1]), (0, p.bytes[:1]), err)
            code, _, err = p.run('repair', 'm.onnx', '-o', name)
            equal(code, 0, f'a model without a suffix is one: {err!r}')
        open(p.path('empty'), 'wb').close()
        code, _, err = p.run('set', 'm.onnx', *WORDS, '-o', 'empty')
        equal((code, p.read('empty')[:1]), (0, p.bytes[:1]), f'as mktemp makes: {err!r}')


def test_permissions_are_never_wider():
    with Place() as p:
        os.chmod(p.path('m.onnx'), 0o600)
        code, _, err = p.run('set', 'm.onnx', *WORDS, '-o', 'new.onnx', '--save-recipe', 'recipe')
        equal(code, 0, err)
        code, _, err = p.run('export', 'm.onnx', '-o', 'g.txt')
        equal(code, 0, err)
        code, _, err = p.script('save-screen screen')
        equal(code, 0, err)
        for name in ('new.onnx', 'recipe', 'g.txt', 'screen'):
            equal(p.mode(name), 0o600, name)
        code, _, err = p.run('set', 'm.onnx', *WORDS, '--in-place')
        equal((code, p.mode('m.onnx')), (0, 0o600), err)


def test_every_temporary_is_private_from_the_first_byte():
    if not shutil.which('strace'):
        raise Skip('strace is not installed')
    import subprocess
    with Place() as p:
        os.chmod(p.path('m.onnx'), 0o600)
        done = subprocess.run(['strace', '-f', '-e', 'trace=open,openat,creat,chmod,fchmod,fchmodat', tap.AXED, 'set', 'm.onnx',
                               *WORDS, '--in-place'], cwd=p.folder.name, capture_output=True, text=True,
                              env={**os.environ, 'XDG_STATE_HOME': p.path('state')}, timeout=60)
        if done.returncode != 0 and 'ptrace' in done.stderr:
            raise Skip('strace may not trace here')
        equal(done.returncode, 0, done.stderr)
        made = [line for line in done.stderr.splitlines() if 'O_CREAT' in line or 'chmod(' in line]
        check(made, 'the save is seen')
        for line in made:
            check(', 0600)' in line, line)


def test_read_only_wants_force():
    with Place() as p:
        os.chmod(p.path('m.onnx'), 0o444)
        p.refused(p.run('set', 'm.onnx', *WORDS, '--in-place'), 'm.onnx: is read-only, so only --force or :w! replaces it')
        code, _, err = p.run('set', 'm.onnx', *WORDS, '--in-place', '--force')
        equal((code, p.mode('m.onnx')), (0, 0o444), err)
        check(p.read('m.onnx') != p.bytes, 'it is written')
        with open(p.path('text'), 'w', encoding='ascii') as file:
            file.write('precious')
        os.chmod(p.path('text'), 0o444)
        os.chmod(p.path('m.onnx'), 0o644)
        for line in ('recipe text', 'export! text.txt', 'save-screen text'):
            os.rename(p.path('text'), p.path(line.split()[-1]))
            code, _, err = p.script('set N=M', line)
            equal((code, b'is read-only, so it is not replaced' in err), (2, True), err)
            os.rename(p.path(line.split()[-1]), p.path('text'))
        equal(p.read('text'), b'precious', 'the text')
        os.chmod(p.path('m.onnx'), 0o444)
        code, _, err = p.script('set N=M', 'write!')
        equal((code, p.mode('m.onnx')), (0, 0o444), err)


def test_extended_attributes_are_kept():
    with Place() as p:
        try:
            os.setxattr(p.path('m.onnx'), 'user.origin', b'export 7')
        except OSError as why:
            raise Skip(f'no extended attributes here: {why}') from why
        code, _, err = p.run('set', 'm.onnx', *WORDS, '--in-place')
        equal(code, 0, err)
        equal(os.getxattr(p.path('m.onnx'), 'user.origin'), b'export 7', 'the attribute')


def test_only_our_own_temporaries_are_removed():
    with Place() as p:
        ours, others = '.m.onnx.axed-0123abcd', ['.m.onnx.axed-notes', '.m.onnx.axed-0123abcd.bak', '.m.onnx.axed-0123ABCD']
        for name in (ours, *others):
            with open(p.path(name), 'wb'):
                pass
        code, _, err = p.run('set', 'm.onnx', *WORDS, '--in-place')
        equal(code, 0, err)
        check(not os.path.exists(p.path(ours)), 'left by a killed save')
        for name in others:
            check(os.path.exists(p.path(name)), f'{name} is not ours')


def attack(p, name):
    source = os.path.join(tap.SHARED, 'cases', 'attack', name)
    if not os.path.isdir(source):
        raise Skip('the cases are not here')
    for entry in os.listdir(source):
        shutil.copyfile(os.path.join(source, entry), p.path(entry))


def test_a_dangling_link_is_followed_once():
    with Place() as p:
        attack(p, 'ext-dangling')
        os.mkdir(p.path('out'))
        os.mkdir(p.path('out2'))
        os.symlink('../out2/real.onnx', p.path('out', 'l.onnx'))
        code, _, err = p.run('set', 't1.onnx', 'N=Q', '-o', 'out/l.onnx')
        equal(code, 0, err)
        equal(sorted(os.listdir(p.path('out2'))), ['real.onnx', 'w.bin'], 'the model and its data')
        equal(os.listdir(p.path('out')), ['l.onnx'], 'only the link')


def test_data_called_like_the_model():
    with Place() as p:
        attack(p, 'ext-name-clash')
        os.mkdir(p.path('out'))
        data = p.read('o.onnx')
        code, _, err = p.run('set', 'loc.onnx', 'N=Q', '-o', 'out/o.onnx')
        equal(code, 2, err)
        check(b'has the name of external data that goes with it' in err, err)
        equal(os.listdir(p.path('out')), [], 'nothing is written')
        code, _, err = p.run('set', 'loc.onnx', 'N=Q', '-o', 'o.onnx')
        equal((code, p.read('o.onnx')), (2, data), err)
        # The data is not replaced by a text either.
        os.rename(p.path('loc.onnx'), p.path('m.onnx'))
        code, _, err = p.script('recipe o.onnx')
        equal((code, p.read('o.onnx')), (2, data), err)


tap.main(globals())
