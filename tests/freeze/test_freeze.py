"""Everything axed prints, draws and writes, as one hash per case: a commit that only changes structure changes none.

Every command as text and as JSON over every model of the tests, every export format and part of a graph, every pane
and overlay at three sizes.  hashes.txt has one line per case: hash, model, words.

    AXED=build/axed python3 tests/freeze/test_freeze.py             compare: TAP, one test per model
    AXED=build/axed python3 tests/freeze/test_freeze.py --update    rewrite hashes.txt; git diff shows the changes
    AXED=build/axed python3 tests/freeze/test_freeze.py --show demo.onnx 'shapes --json'    what is hashed

A commit that changes behaviour says in its body which lines moved and why.
"""

import glob
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import tap  # noqa: E402
from tap import check, run  # noqa: E402

tap.AXED = os.path.abspath(tap.AXED)
HASHES = os.path.join(HERE, 'hashes.txt')
ZOO = os.path.join(tap.TOP, 'tests', 'repair', 'zoo')
VERSION = run('--version')[1].split()[-1]
# PNG and PDF depend on the fonts and libraries of the machine; they are made from the same drawing as SVG.
FORMATS = [name for name in tap.formats() if name not in ('png', 'pdf')]
PANES = tap.panes()
OVERLAYS = {'why': ['why'], 'palette': ['palette'], 'command': ['command set '], 'lanes': ['zoom lanes'],
            'details': ['zoom details'], 'folded': ['fold all']}
SIZES = ('80 24', '120 36', '200 50')
TOOLS = ('torch', 'onnxruntime', 'tensorrt', 'triton', 'openvino')
REPORTS = ('show', 'shapes', 'check', 'axes', 'symbols')


class Model:
    """A model and its working folder; a case is its words and the resulting bytes."""

    def __init__(self, path, folder):
        self.path, self.folder, self.cases = path, folder, {}

    def run(self, *words, stdin=b''):
        return run(*words, stdin=stdin, cwd=os.path.dirname(self.path),
                   env={'XDG_STATE_HOME': self.folder, 'LC_ALL': 'C.UTF-8', 'HOME': self.folder, 'COLUMNS': '120'})

    def keep(self, words, *parts):
        joined = b'\0'.join(part if isinstance(part, bytes) else str(part).encode() for part in parts)
        self.cases[words] = joined.replace(VERSION, b'VERSION').replace(self.folder.encode(), b'FOLDER')

    def command(self, name, *words):
        self.keep(' '.join([name, *words]), *self.run(name, os.path.basename(self.path), *words))

    def writes(self, name, *words):
        """A command that writes a model: its output and the bytes."""
        out = os.path.join(self.folder, 'out.onnx')
        said = self.run(name, os.path.basename(self.path), *words, '-o', out)
        self.keep(' '.join([name, *words]), *said, tap.read(out) if os.path.exists(out) else b'')
        if os.path.exists(out):
            os.remove(out)


def facts(m):
    """The names that the cases of a model use, from the JSON export."""
    code, out, _ = m.run('export', os.path.basename(m.path), '--format', 'json', '-o', '-')
    return json.loads(out) if code == 0 else None


def word(name):
    """Whether it can be a word of the hash file and of a script."""
    return re.fullmatch(r'[\w./:-]+', name) is not None


def reports(m, known):
    for name in REPORTS:
        m.command(name)
        m.command(name, '--json')
    if not known:
        return
    m.keep('check --color=always', *m.run('check', os.path.basename(m.path), '--color=always'))
    symbols = [s['name'] for s in known['symbols'] if s['kind'] == 'declared' and word(s['name'])]
    if symbols:
        m.command('shapes', *(f'--bind={name}={3 + at}' for at, name in enumerate(symbols)))
    for output in [o['name'] for o in known['outputs'] if word(o['name'])][:3]:
        m.command('explain', output)
        m.command('explain', output, '--json')
    for tool in TOOLS:
        m.command('snippet', f'--for={tool}')


def edits(m, known):
    symbols = [s['name'] for s in known['symbols'] if s['kind'] == 'declared' and word(s['name'])]
    axes = [i['name'] for i in known['inputs'] if word(i['name']) and i.get('shape')]
    for name in symbols[:2]:
        m.writes('set', f'{name}=renamed')
        m.writes('set', f'{name}=7', '--json')
    for name in axes[:2]:
        m.writes('set', f'{name}:0=freed')
        m.writes('repair', f'{name}:0=freed')
        m.writes('repair', f'{name}:0=freed', '--json')
    m.writes('repair')
    other = os.path.join(m.folder, 'other.onnx')
    if symbols and m.run('set', os.path.basename(m.path), f'{symbols[0]}=7', '-o', other, '-q')[0] == 0:
        for form in ((), ('--json',)):
            m.keep(' '.join(['diff', *form]), *m.run('diff', os.path.basename(m.path), other, *form))


def parts(known):
    """The arguments that select a part, from the names of the model."""
    yield ()
    yield ('--whole',)
    bodies = [g['graph'] for g in known['graphs'] if g['graph'] and word(g['graph'])]
    for name in bodies[:12]:
        yield ('--graph', name)
    nodes = [n['name'] for n in known['nodes'] if not n['graph'] and word(n['name']) and n['name']]
    scopes = sorted({n['scope'] for n in known['nodes'] if not n['graph'] and word(n['scope'])})
    if scopes:
        yield ('--scope', scopes[len(scopes) // 2])
    if nodes:
        yield ('--focus', nodes[len(nodes) // 2], '--hops', '1')
        yield ('--focus', nodes[0], '--path', nodes[-1])


def pictures(m, known):
    for part in parts(known):
        for form in FORMATS:
            m.command('export', '--format', form, '-o', '-', *part)


def shots():
    """Every screen: its name, the lines that lead there, and what is saved."""
    for what in PANES:
        yield f'pane {what}', [f'pane {what}'], ('screen', 'cells')
    for what, steps in OVERLAYS.items():
        yield what, ['pane graph', *steps], ('screen',)


def screens(m, apart):
    """All screens of a size in one process, each saved to its own files."""
    for size in SIZES:
        lines, files = [f'resize {size}'], {}
        for name, steps, kinds in shots():
            files[name] = [f'{m.folder}/{kind} {name}'.replace(' ', '-') for kind in kinds]
            lines += [*steps, *(f'save-{kind} {path}' for kind, path in zip(kinds, files[name]))]
            lines += [] if name.startswith('pane') else ['keys Esc']
        # A failing line ends the run: keep the screens before it, and its message.
        said = m.run('edit', os.path.basename(m.path), '--script', '-', '--discard', stdin='\n'.join([*lines, 'quit!', '']).encode())
        saved = {name: [tap.read(path) if os.path.exists(path) else b'no screen' for path in paths] for name, paths in files.items()}
        for path in glob.glob(f'{m.folder}/*-*'):
            os.remove(path)
        if not apart:
            m.keep(f'edit {size}', *said, *sum(saved.values(), []))
            continue
        m.keep(f'edit {size}', *said)
        for name, texts in saved.items():
            m.keep(f'{name} {size}', *texts)


def cases(path):
    with tap.folder() as folder:
        m = Model(path, folder)
        known = facts(m)
        reports(m, known)
        if known:
            edits(m, known)
        # The zoo's graphs are small and alike: the panes cover their drawing, and their screens share a line.
        apart = not path.startswith(ZOO)
        if known and apart:
            pictures(m, known)
        screens(m, apart)
        return m.cases


def helps():
    """Output that needs no model."""
    with tap.folder() as folder:
        m = Model(os.path.join(tap.MODELS, 'no model'), folder)
        m.keep('help', *m.run('help'))
        for name in re.findall(r'^  ([a-z]+)  ', m.run('help')[1].decode(), re.M):
            m.keep(f'help {name}', *m.run('help', name))
        for words in (['nonsense'], ['show'], ['show', 'missing.onnx'], ['set', 'missing.onnx'], ['export', 'demo.onnx', '--format', 'gif']):
            m.keep(' '.join(words), *m.run(*words))
        return m.cases


def models():
    """The name in the hash file, and the path."""
    found = {}
    for folder in (tap.MODELS, ZOO, os.path.join(tap.SHARED, 'models')):
        for path in sorted(glob.glob(os.path.join(folder, '*.onnx'))):
            found[os.path.join(os.path.basename(folder), os.path.basename(path)) if folder != tap.MODELS else os.path.basename(path)] = path
    return {name.replace('models/', 'shared/'): path for name, path in found.items()}


def hashed(job):
    name, path = job
    return name, {words: hashlib.sha256(data).hexdigest()[:12] for words, data in (cases(path) if path else helps()).items()}


def frozen():
    """Hashes by model and words."""
    kept = {}
    for line in open(HASHES, encoding='utf-8'):
        if not line.startswith('#'):
            value, name, words = line.rstrip('\n').split(' ', 2)
            kept.setdefault(name, {})[words] = value
    return kept


def all_of(jobs):
    with multiprocessing.Pool(os.cpu_count()) as pool:
        return dict(pool.imap(hashed, jobs))


def update():
    found = all_of([('-', None), *models().items()])
    with open(HASHES, 'w', encoding='utf-8') as file:
        file.write('# Made by test_freeze.py --update: hash, model (- is none), words.\n')
        for name in sorted(found):
            for words in sorted(found[name]):
                file.write(f'{found[name][words]} {name} {words}\n')


def show(name, words):
    made = helps() if name == '-' else cases(models()[name])
    sys.stdout.buffer.write(made[words].replace(b'\0', b'\n----\n'))


def comparison(name, found, kept):
    def test():
        if name not in found:
            raise tap.Skip('no shared models beside the repository')
        for words in sorted({*found[name], *kept}):
            before, now = kept.get(words), found[name].get(words)
            check(before == now, f'{words}: {before or "new"} became {now or "nothing"}')
    return test


def main():
    if sys.argv[1:] == ['--update']:
        return update()
    if sys.argv[1:2] == ['--show']:
        return show(*sys.argv[2:])
    kept = frozen()
    found = all_of([('-', None), *models().items()])
    names = sorted(set(kept) | set(found))
    return tap.main({'test_' + name: comparison(name, found, kept.get(name, {})) for name in names})


if __name__ == '__main__':
    main()
