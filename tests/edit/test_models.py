"""axed set on exported models: only the dimensions change, the file is valid, and it computes the same.

The real models are next to the repository; missing ones are skipped.  The program is $AXED; $AXED_JUDGE is a Python
with onnx, onnxruntime and numpy, if this one lacks them.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import dims
import judges
import tap
from tap import check, equal, run

SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
JUDGE = os.path.join(HERE, '..', 'repair', 'judge.py')


class Edit:
    """Arguments of `axed set`, one list per step; the expected dims of inputs; sizes at which to run."""

    def __init__(self, name, *steps, dims, sizes=None, renamed=None, exactly=False):
        self.name, self.steps, self.dims, self.sizes = name, steps, dims, sizes
        self.renamed = renamed  # (old name, new name): all of these and nothing else changed
        self.exactly = exactly  # `dims` are all that changed


def story(symbol, axis):
    """The edits of a model with one dynamic batch."""
    return [
        Edit('rename', [f'{symbol}=rows'], dims={axis: 'rows'}, renamed=(symbol, 'rows')),
        Edit('fix', [f'{symbol}=2'], dims={axis: 2}, sizes=[{symbol: 2}]),
        Edit('anonymous', [f'{axis}=?'], dims={axis: None}),
        Edit('anonymous_keep', [f'{axis}=?', '--shapes=keep'], dims={axis: None}, exactly=True),
        Edit('fix_and_name', [f'{axis}=2'], [f'{axis}=rows'], dims={axis: 'rows'}),
    ]


# Model: where it is, the sizes to run (the first is the old one), and the edits; each symbol that an edit's sizes
# leave out keeps its old size.
MODELS = {
    'dynamic_linear': ([{'batch_size': 3}, {'batch_size': 1}, {'batch_size': 7}], story('batch_size', 'input:0')),
    'dynamic_reshape': ([{'batch_size': 3}, {'batch_size': 1}, {'batch_size': 7}], story('batch_size', 'input:0')),
    'dynamic_rnn': ([{'batch_size': 3, 'sequence_length': 4}, {'batch_size': 2, 'sequence_length': 1}], [
        *story('batch_size', 'input:0'),
        Edit('rename_both', ['batch_size=B', 'sequence_length=T'], dims={'input:0': 'B', 'input:1': 'T'}),
        Edit('fix_steps', ['sequence_length=5'], dims={'input:1': 5, 'input:0': 'batch_size'},
             sizes=[{'sequence_length': 5}]),
    ]),
    'gpt12': ([{'batch': 2, 'seq': 3, 'past': 2, 'total': 5}, {'batch': 1, 'seq': 4, 'past': 0, 'total': 4}], [
        Edit('rename', ['batch=rows'], dims={'ids:0': 'rows', 'p11v:0': 'rows'}, renamed=('batch', 'rows')),
        Edit('fix', ['batch=2'], dims={'ids:0': 2, 'am:0': 2, 'p0k:0': 2, 'p11v:0': 2}, sizes=[{'batch': 2}]),
        Edit('anonymous', ['ids:1=?'], dims={'ids:1': None, 'am:1': 'total'}),
        Edit('anonymous_keep', ['ids:1=?', '--shapes=keep'], dims={'ids:1': None}, exactly=True),
        Edit('fix_and_name', ['seq=3'], ['ids:1=steps'], dims={'ids:1': 'steps'}),
        Edit('sum', ['total=past+seq'], dims={'am:1': 'past + seq'}),
    ]),
    'resnet50': ([{'N': 2, 'H': 33, 'W': 40}, {'N': 1, 'H': 64, 'W': 32}], [
        *story('N', 'x:0'),
        Edit('fix_image', ['H=64', 'W=32'], dims={'x:2': 64, 'x:3': 32}, sizes=[{'H': 64, 'W': 32}]),
    ]),
    'vit_b_16': ([{'N': 2}, {'N': 1}], story('N', 'x:0')),
    'swin_t': ([{'N': 2, 'H': 32, 'W': 40}, {'N': 1, 'H': 45, 'W': 32}], story('N', 'x:0')),
}
# Only for these the judge loads large models.
LARGE = ('resnet50', 'vit_b_16', 'swin_t')
JUDGED_WHEN_LARGE = ('rename', 'fix', 'fix_and_name')


@functools.cache
def source(name):
    """A copy in its own folder, next to which weights can be put."""
    path = tap.model(name + '.onnx') if name.startswith('dynamic_') else tap.shared('models', name + '.onnx')
    folder = os.path.join(SCRATCH.name, name)
    os.makedirs(folder, exist_ok=True)
    out = os.path.join(folder, 'before.onnx')
    shutil.copyfile(path, out)
    return out


@functools.cache
def edited(name, edit):
    """The file after all steps, or None; only the first failure is reported."""
    now = source(name)
    for number, words in enumerate(edit.steps):
        out = os.path.join(os.path.dirname(now), f'{edit.name}{number}.onnx')
        code, said, err = run('set', now, *words, '-o', out)
        if not equal(code, 0, f'set {" ".join(words)}: {err.decode(errors="replace")}'):
            return None
        check(said.strip(), f'set {" ".join(words)} prints what changed')
        now = out
    return now


def place(axis):
    return f'input {axis}'


def only_dims(name, edit):
    before = tap.read(source(name))
    after = edited(name, edit)
    if after is None:
        return
    after = tap.read(after)
    try:
        changed = dims.changes(before, after)
    except dims.Differs as e:
        check(False, f'more than dimensions changed: {e}')
        return
    now = dict(dims.said(after))
    for axis, wanted in edit.dims.items():
        got = now.get(place(axis))
        same = got == wanted or isinstance(wanted, str) and isinstance(got, str) and \
            got.replace(' ', '') == wanted.replace(' ', '')
        check(same, f'{axis} is {got!r}, expected {wanted!r}')
    asked = {place(a) for a in edit.dims}
    if edit.exactly:
        equal({p for p, _, _ in changed}, asked, 'what changed')
    if edit.renamed:
        old, new = edit.renamed
        equal([(p, n) for p, _, n in changed], [(p, new) for p, d in dims.said(before) if d == old], 'what changed')
    inputs = {p for p, was, now in changed if p.startswith('input ')}
    symbols = {was for p, was, now in changed if p in asked}
    extra = [p for p in inputs - asked if dict(dims.said(before))[p] not in symbols]
    check(not extra, f'inputs that nobody asked for: {extra}')


def back_again(name, edit):
    """A rename and its inverse change nothing."""
    path = edited(name, edit)
    if path is None:
        return
    old, new = edit.renamed
    out = path + '.back'
    code, said, err = run('set', path, f'{new}={old}', '-o', out)
    if equal(code, 0, err.decode(errors='replace')):
        check(tap.read(out) == tap.read(source(name)), 'other bytes')


@functools.cache
def verdicts(name):
    """The judge's verdict on every edited file of a model."""
    runs, edits = MODELS[name]
    filled = subprocess.run([judges.python(), os.path.join(HERE, 'fill.py'), source(name)], capture_output=True, text=True)
    if not equal(filled.returncode, 0, filled.stderr):
        return {}
    jobs = []
    for edit in edits:
        path = edited(name, edit)
        if path is None or name in LARGE and edit.name not in JUDGED_WHEN_LARGE:
            continue
        binds = [{**runs[0], **s} for s in edit.sizes] if edit.sizes else runs
        said = dict(dims.said(tap.read(path)))
        jobs.append({'name': edit.name, 'original': source(name), 'truth': source(name), 'result': path, 'old': binds[0],
                     'sizes': binds[1:], 'dims': {a: said[place(a)] for a in edit.dims}, 'below': {'ids': 100}})
    told = subprocess.run([judges.python(), JUDGE], text=True, capture_output=True, timeout=600,
                          input=''.join(json.dumps(j) + '\n' for j in jobs))
    out = {j['name']: [f'the judge died: {told.stderr[-500:]}'] for j in jobs}
    out.update((line['name'], line['problems']) for line in map(json.loads, told.stdout.splitlines()))
    return out


def judged(name, edit):
    source(name)
    if not judges.python():
        raise tap.Skip('no Python with numpy, onnx and onnxruntime: set AXED_JUDGE')
    problems = verdicts(name).get(edit.name)
    if check(problems is not None, 'nothing to judge'):
        for problem in problems:
            check(False, problem)


def test_the_walker_sees_what_else_changed():
    data = tap.read(tap.model('dynamic_rnn.onnx'))
    equal(dims.changes(data, data), [], 'the same file')
    equal(dict(dims.said(data))['input input:1'], 'sequence_length', 'a dimension')
    # Same lengths: a dimension's name; a node's operator; a weight; an added field.
    other = data.replace(b'sequence_length', b'sequence_breadt')
    equal(dims.changes(data, other), [('input input:1', 'sequence_length', 'sequence_breadt')], 'another name')
    for changed in (data.replace(b'Squeeze', b'Squeezf', 1), data[:-1] + bytes([data[-1] ^ 1]), data + b'\x28\x01'):
        check(changed != data, 'a change')
        try:
            check(False, f'not seen: {dims.changes(data, changed)}')
        except (dims.Differs, IndexError):
            pass


tests = {'test_the_walker_sees_what_else_changed': test_the_walker_sees_what_else_changed}
for name, (_, edits) in MODELS.items():
    for edit in edits:
        tests[f'test_{name}_{edit.name}'] = functools.partial(only_dims, name, edit)
        if edit.renamed:
            tests[f'test_{name}_{edit.name}_back'] = functools.partial(back_again, name, edit)
    for edit in edits:
        if name not in LARGE or edit.name in JUDGED_WHEN_LARGE:
            tests[f'test_{name}_{edit.name}_judged'] = functools.partial(judged, name, edit)
tap.main(tests)
