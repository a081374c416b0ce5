"""axed repair on the zoo: the pinned axes of the result are free, and it computes the same.

The program is $AXED; $AXED_JUDGE is a Python with onnx, onnxruntime and numpy, if this one lacks them.
$ONLY selects models whose name contains it; $KEEP is a folder for the written models.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', folder) for folder in ('cli', 'edit', 'models')]
import build
import dims
import judges
import tap
from tap import check, equal, run

ZOO = os.path.join(HERE, 'zoo')
SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
with open(os.path.join(HERE, 'zoo.json'), encoding='utf-8') as zoo:
    CASES = {c['name']: c for c in json.load(zoo) if os.environ.get('ONLY', '') in c['name']}


class Repair:
    """One run of the program, in its own folder."""

    def __init__(self, case):
        self.folder = os.path.join(os.environ.get('KEEP') or SCRATCH.name, case['name'])
        os.makedirs(self.folder, exist_ok=True)
        self.model = os.path.join(self.folder, case['model'] + '.onnx')
        self.out = os.path.join(self.folder, 'out.onnx')
        for name in [case['model'] + '.onnx', *case.get('files', [])]:
            shutil.copy(os.path.join(ZOO, name), self.folder)
        if os.path.exists(self.out):
            os.remove(self.out)
        self.code, out, err = run('repair', self.model, *case['axes'], '-o', self.out)
        self.said = (out + err).decode(errors='replace')
        self.written = os.path.exists(self.out)


@functools.cache
def repair(name):
    return Repair(CASES[name])


def axes(path):
    code, out, err = run('axes', '--json', path)
    check(code == 0, f'axes: exit {code}: {err.decode(errors="replace")}')
    return {f'{a["input"]}:{a["axis"]}': a for a in json.loads(out)['axes']} if code == 0 else {}


def expect_repaired(case, done):
    if not equal(done.code, 0, f'exit; it said: {done.said}') or not check(done.written, 'nothing was written'):
        return
    if case['ends'] == 'nothing':
        check(tap.read(done.out) == tap.read(done.model), 'other bytes although nothing was pinned')
    code, out, err = run('check', '--json', done.out)
    check(code in (0, 1), f'check of the result: exit {code}: {err.decode(errors="replace")}')
    # An export declares inner tensors in ways that the program may be unable to prove.
    levels = ('error', 'pin') if case['pattern'] == 'exported by torch' else ('error', 'pin', 'stale', 'loss')
    bad = [f for f in json.loads(out)['findings'] if f['level'] in levels] if code in (0, 1) else []
    check(not bad, f'findings: {[(f["level"], f["node"], f["message"]) for f in bad]}')
    found = axes(done.out)
    asked = [word.partition('=')[0] for word in case['axes']]
    stopped = [name for name, a in axes(done.model).items()
               if a['verdict'] == 'free' and name not in asked and found[name]['verdict'] != 'free']
    check(not stopped, f'were free before: {stopped}')
    for axis in case['free']:
        verdict = found.get(axis, {})
        # Tied: it must equal an axis that is free too, such as the same symbol on another input.
        check(verdict.get('verdict') in ('free', 'tied'), f'{axis} is not free: {verdict}')
        check(isinstance(verdict.get('dim'), str), f'{axis} has no name: {verdict}')
    for word in case['axes']:
        axis, _, name = word.partition('=')
        check(not name or found.get(axis, {}).get('dim') == name, f'{word}: {found.get(axis)}')


def expect_refused(case, done):
    equal(done.code, 1, f'exit; it said: {done.said}')
    check(not done.written or case['ends'] == 'partial', 'something was written')
    check(case['node'] in done.said, f'it does not name {case["node"]!r}: {done.said}')


def told(case):
    done = repair(case['name'])
    if case['ends'] in ('cannot', 'partial') or case['ends'] == 'either' and done.code == 1:
        expect_refused(case, done)
    else:
        expect_repaired(case, done)


def dry(case):
    """--dry-run prints the repairs, and writes nothing."""
    done = repair(case['name'])
    out = done.out + '.dry'
    code, said, err = run('repair', done.model, *case['axes'], '-o', out, '--dry-run')
    equal(code, done.code, f'exit of a dry run: {err.decode(errors="replace")}')
    check(not os.path.exists(out), 'a dry run wrote')
    if case['ends'] == 'repaired':
        check(said.strip(), 'a dry run prints what it would change')


def again(case):
    """A repaired model needs no repair; a second run writes the same bytes."""
    done = repair(case['name'])
    if done.code or not done.written:
        raise tap.Skip('nothing was repaired')
    twice = done.out + '.twice'
    code, said, err = run('repair', done.out, '-o', twice)
    equal(code, 0, f'exit: {err.decode(errors="replace")}')
    if os.path.exists(twice):
        check(tap.read(twice) == tap.read(done.out), 'a second repair changed something')
    code, said, err = run('repair', done.model, *case['axes'], '-o', twice)
    check(tap.read(twice) == tap.read(done.out), 'the same repair gave other bytes')


@functools.cache
def verdicts():
    """The judge's verdict on every written model."""
    jobs = []
    for name, case in CASES.items():
        done = repair(name)
        if done.code in (0, case['ends'] == 'partial') and done.written and case['truth']:
            jobs.append({**case, 'original': done.model, 'result': done.out,
                         'truth': os.path.join(ZOO, case['truth'] + '.onnx')})
    said = subprocess.run([judges.python(), os.path.join(HERE, 'judge.py')], text=True, capture_output=True, timeout=600,
                          input=''.join(json.dumps(j) + '\n' for j in jobs))
    out = {j['name']: [f'the judge died: {said.stderr[-500:]}'] for j in jobs}
    out.update((line['name'], line['problems']) for line in map(json.loads, said.stdout.splitlines()))
    return out


def judged(case):
    if not judges.python():
        raise tap.Skip('no Python with numpy, onnx and onnxruntime: set AXED_JUDGE')
    done = repair(case['name'])
    if case['ends'] in ('either', 'partial') and done.code == 1 and not done.written:
        raise tap.Skip('the program says that it cannot')
    problems = verdicts().get(case['name'])
    if check(problems is not None, f'nothing to judge: exit {done.code}'):
        for problem in problems:
            check(False, problem)


def test_words():
    """Invalid arguments are rejected."""
    path = os.path.join(ZOO, 'reshape_zero.onnx')
    with tap.folder() as folder:
        out = os.path.join(folder, 'out.onnx')
        for words in (['nobody:0', '-o', out], ['x:9', '-o', out], ['x:0=a b', '-o', out], [],
                      ['-o', os.path.join(folder, 'no', 'folder.onnx')]):
            code, said, err = run('repair', path, *words)
            equal(code, 2, f'{words}: {said!r}')
            check(err.strip(), f'{words}: says why')
            equal(os.listdir(folder), [], f'{words}: files')


def test_json():
    with tap.folder() as folder:
        for name in ('reshape_zero', 'gemm_contraction'):
            case = CASES.get(name) or {'axes': []}
            code, said, err = run('repair', os.path.join(ZOO, name + '.onnx'), *case['axes'], '--json', '-o',
                                  os.path.join(folder, 'out.onnx'))
            equal(code, int(name != 'reshape_zero'), f'{name}: exit: {err!r}')
            check(isinstance(json.loads(said), dict), f'{name}: {said!r}')


def test_more_axes_than_can_be_proved_at_once():
    """The first 64 are freed; the others are not reported as free, and stay unchanged."""
    count = 66
    names = [f'x{i}' for i in range(count)]
    nodes = [build.node('Reshape', [x, x + '_shape'], [x + '_out'], x + '_reshape') for x in names]
    graph = build.graph('g', nodes, [build.floats(x, 2, 16) for x in names],
                        [build.floats(x + '_out', 2, 4, 4) for x in names],
                        [build.int_tensor(x + '_shape', [3], [2, 4, 4]) for x in names])
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'in.onnx'), os.path.join(folder, 'out.onnx')
        with open(path, 'wb') as file:
            file.write(build.model(graph, opset={'': 17}))
        code, said, err = run('repair', path, *(f'{x}:0' for x in names), '-o', out)
        equal(code, 1, 'exit')
        check(b'axed: x64:0 and x65:0 cannot be freed: more than 64 axes at once' in err, err)
        check(b'axed: hint: free fewer axes at once' in err, err)
        code, said, err = run('axes', out)
        lines = [line for line in said.decode().splitlines() if ':0\t' in line]
        equal(sum('\tfree' in line for line in lines), 64, 'free')
        equal(sum('\tpinned to 2' in line for line in lines), count - 64, 'pinned')


def test_a_refusal_says_once_what_would_free_it():
    """Axes of one reason are one sentence with one hint; JSON has both for each axis."""
    nodes = [build.node('Mul', 'x y', 'xy', 'mul'), build.node('NonZero', 'xy', 'r', 'nonzero')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 16), build.floats('y', 3, 16)], [build.ints('r', 2, 'n')])
    with tap.folder() as folder:
        path = os.path.join(folder, 'a model.onnx')
        with open(path, 'wb') as file:
            file.write(build.model(graph, opset={'': 17}))
        code, said, err = run('repair', path, '--batch', 'batch', '-n')
        hint = ('export it with batch dynamic (dynamic_shapes of torch.onnx.export), or once more with another size of batch, '
                f"and try: axed fit '{path}' SECOND.onnx -o OUT.onnx")
        equal(code, 1, 'exit')
        equal(err.decode().splitlines(), [
            'axed: x:0=batch and y:0=batch cannot be freed: NonZero nonzero: the size of its output depends on data',
            'axed: hint: ' + hint,
        ], 'text')
        code, said, err = run('repair', path, '--batch', 'batch', '-n', '--json')
        equal([a['hint'] for a in json.loads(said)['axes']], [hint] * 2, 'JSON')


def test_one_name_is_one_size():
    """--batch names axis 0 of every input; a count of layers there is no batch, and stays."""
    nodes = [build.node('Reshape', 'x shape', 'r', 'reshape'), build.node('Relu', 'h', 'k', 'relu')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 16), build.floats('h', 1, 5)], [build.floats('r', 3, 4, 4), build.floats('k', 1, 5)],
                        [build.int_tensor('shape', [3], [3, 4, 4])])
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'in.onnx'), os.path.join(folder, 'out.onnx')
        with open(path, 'wb') as file:
            file.write(build.model(graph, opset={'': 17}))
        code, said, err = run('repair', path, '--batch', 'batch', '-o', out)
        equal(code, 1, 'exit')
        check(b'h:0=batch cannot be freed: it is 1, and another axis of that name is 3' in err, err)
        dims = {a['input']: a['dim'] for a in json.loads(run('axes', '--json', out)[1])['axes'] if a['axis'] == 0}
        equal(dims, {'x': 'batch', 'h': 1}, 'axis 0 of the inputs')


def test_an_input_that_must_be_freed_too_is_named_with_its_axis():
    graph = build.graph('g', [build.node('Transpose', 'y', 'r', 'turn', perm=[1, 0]), build.node('Add', 'x r', 'z', 'add')],
                        [build.floats('x', 3, 16), build.floats('y', 16, 3)], [build.floats('z', 3, 16)])
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 1, 'exit')
    check(b'y:1 must be freed with it' in err, err)


def test_the_command_that_frees_them_together_is_offered():
    """One input after another, each on the axis that has the items; it is tried before it is offered."""
    nodes = [build.node('Transpose', 'h', 't', 'turn', perm=[1, 0]), build.node('Add', 'x t', 'y', 'add'),
             build.node('Add', ['y', 'my c'], 'z', 'more')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 5), build.floats('h', 5, 3), build.floats('my c', 3, 5)], [build.floats('z', 3, 5)])
    model = bytes(build.model(graph, opset={'': 17}))
    command = "axed repair - x:0=batch h:1=batch 'my c:0=batch' -n"
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=model)
    equal(code, 1, 'exit')
    check(f'axed: hint: try {command}\n'.encode() in err, err)
    code, said, err = run('repair', '-', 'x:0=batch', '-n', '--json', stdin=model)
    equal(json.loads(said)['try'], command, 'JSON')
    equal(run('repair', '-', 'x:0=batch', 'h:1=batch', 'my c:0=batch', '-n', stdin=model)[0], 0, 'what is offered')
    code, said, err = run('repair', '-', 'x:0=batch', 'h:1=batch', 'my c:0=batch', '-n', '--json', stdin=model)
    check('try' not in json.loads(said), said)


def test_a_norm_that_trains_mixes_its_items():
    """Its mean is that of the whole batch, so that no item stands for itself."""
    for words, opset, outputs, proof in (({}, 17, 'y', 'item by item'), ({'training_mode': 1}, 17, 'y m w', 'by shape'), ({}, 13, 'y', 'item by item'),
                                         ({}, 13, 'y m w', 'by shape'), ({'is_test': 1}, 6, 'y', 'item by item'), ({}, 6, 'y', 'by shape')):
        nodes = [build.node('BatchNormalization', 'x s b mean var', outputs, 'norm', **words)]
        parts = [build.float_tensor(name, [4], [1, 2, 3, 4]) for name in ('s', 'b', 'mean', 'var')]
        for batch in (3, 1):
            graph = build.graph('g', nodes, [build.floats('x', batch, 4, 5)], [build.floats('y', batch, 4, 5)], parts)
            code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': opset})))
            equal(code, int(batch == 1 and proof == 'by shape'), f'{words}, opset {opset}, batch {batch}: {err}')
            check(code or f'x:0=batch  {proof}'.encode() in said, f'{words}, opset {opset}: {said}')


def test_a_sequence_that_grows_in_a_loop():
    """Exporters keep the pieces of a tensor in a sequence: a Loop of known length is followed round by round."""
    for rounds in (1, 2):
        body = build.graph('body', [build.node('Gather', 'starts i', 'from', 'start', axis=0), build.node('Gather', 'ends i', 'to', 'end', axis=0),
                                    build.node('Slice', 'x from to one', 'piece', 'slice'), build.node('SequenceInsert', 's piece', 'more', 'insert'),
                                    build.node('Identity', 'true', 'on', 'same')],
                           [build.ints('i', 1), build.bools('go'), build.value('s', build.sequence_type(build.tensor_type()))],
                           [build.bools('on'), build.value('more', build.sequence_type(build.tensor_type()))])
        nodes = [build.node('SequenceEmpty', [], 'none', 'empty', dtype=1), build.node('Loop', 'trips true none', 'all', 'loop', body=body),
                 build.node('SequenceInsert', 'all x', 'whole', 'last'), build.node('SequenceAt', 'whole first', 'a', 'at'),
                 build.node('SequenceAt', 'whole last', 'b', 'at_last'), build.node('Concat', 'a b', 'c', 'join', axis=1),
                 build.node('Reshape', 'c flat', 'y', 'reshape')]
        graph = build.graph('g', nodes, [build.floats('x', 3, 4, 5)], [build.floats('y', 3, 25)],
                            [build.int_tensor('starts', [2], [0, 1]), build.int_tensor('ends', [2], [1, 2]), build.int_tensor('one', [1], [1]),
                             build.int_tensor('trips', [1], [rounds]), build.int_tensor('first', [], [0]), build.int_tensor('last', [], [-1]),
                             build.int_tensor('flat', [2], [3, 25]), build.tensor('true', build.BOOL, [], build.data(9, b'\1'))])
        code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
        equal(code, 0, err)
        check(b'x:0=batch  item by item' in said, said)


def test_sizes_of_an_operator_are_no_batch():
    """Col2Im has two lists of two sizes, which a batch of 2 does not make longer."""
    graph = build.graph('g', [build.node('Col2Im', 'x image block', 'y', 'fold')], [build.floats('x', 2, 4, 4)], [build.floats('y', 2, 1, 3, 3)],
                        [build.int_tensor('image', [2], [3, 3]), build.int_tensor('block', [2], [2, 2])])
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 18})))
    equal(code, 0, err)
    check(b'[batch, 1, 3, 3]' in said and b'item by item' in said, said)


def reshaped(dims, target, result):
    graph = build.graph('g', [build.node('Reshape', 'x target', 'y', 'reshape')], [build.floats('x', *dims)], [build.floats('y', *result)],
                        [build.int_tensor('target', [len(target)], target)])
    return bytes(build.model(graph, opset={'': 17}))


def test_a_number_of_whole_axes_has_what_was_one():
    """view(batch * heads, -1, size) was exported at batch 1; view(2, -1) cuts an axis, and lets the rest grow."""
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=reshaped([1, 4, 9, 8], [4, -1, 8], [4, 9, 8]))
    equal(code, 0, err)
    check(b'[4*batch, 9, 8]' in said and b'assumes  Reshape reshape: batch, which was 1, is part of axis 0' in said, said)
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=reshaped([1, 6, 8], [2, -1], [2, 24]))
    equal(code, 1, said)
    check(b'may be part of the entry -1 of its target' in err, err)


def test_what_a_constant_is_made_of_is_found_behind_merged_axes():
    """Queries that were copied for the batch, and went through attention of their own, have batch and heads on one axis."""
    nodes = [build.node('LayerNormalization', 'table scale', 'n', 'norm'), build.node('Reshape', 'n cut', 'c', 'cut_heads'),
             build.node('Transpose', 'c', 't', 'turn', perm=[0, 2, 1, 3]), build.node('Reshape', 't merged', 'm', 'merge'),
             build.node('Softmax', 'm', 's', 'softmax', axis=-1), build.node('Reshape', 's heads', 'h', 'part'),
             build.node('Add', 'x h', 'y', 'add')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 2, 6, 4)], [build.floats('y', 3, 2, 6, 4)],
                        [build.float_tensor('table', [3, 6, 8], [i % 5 for i in range(48)] * 3), build.float_tensor('scale', [8], [1] * 8),
                         build.int_tensor('cut', [4], [3, 6, 2, 4]), build.int_tensor('merged', [3], [6, 6, 4]),
                         build.int_tensor('heads', [4], [3, 2, 6, 4])])
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 0, err)
    check(b'x:0=batch  item by item' in said, said)


def test_many_layers_of_size_one():
    """Each layer leaves many ways open, which end in it: the time is that of all layers, not of their combinations."""
    nodes = []
    for i in range(40):
        n = lambda name: f'{name}{i}'
        nodes += [build.node('Transpose', [n('x')], [n('t')], perm=[1, 0, 2]), build.node('Reshape', [n('t'), 'heads'], [n('h')], n('cut')),
                  build.node('Transpose', [n('h')], [n('q')], perm=[1, 0, 2]), build.node('Transpose', [n('h')], [n('k')], perm=[1, 2, 0]),
                  build.node('MatMul', [n('q'), n('k')], [n('s')]), build.node('Softmax', [n('s')], [n('w')], axis=-1),
                  build.node('MatMul', [n('w'), n('q')], [n('v')]), build.node('Transpose', [n('v')], [n('o')], perm=[1, 0, 2]),
                  build.node('Reshape', [n('o'), 'rows'], [n('r')], n('join')), build.node('Gemm', [n('r'), 'weight'], [n('g')]),
                  build.node('Reshape', [n('g'), 'whole'], [n('b')], n('back')), build.node('Transpose', [n('b')], [n('u')], perm=[1, 0, 2]),
                  build.node('Add', [n('x'), n('u')], [f'x{i + 1}'])]
    graph = build.graph('g', nodes, [build.floats('x0', 1, 7, 8)], [build.floats('x40', 1, 7, 8)],
                        [build.int_tensor('heads', [3], [7, 4, 2]), build.int_tensor('rows', [2], [7, 8]), build.int_tensor('whole', [3], [7, 1, 8]),
                         build.float_tensor('weight', [8, 8], [0.5] * 64)])
    start = time.monotonic()
    code, said, err = run('repair', '-', 'x0:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 0, err)
    check(b'x0:0=batch  item by item' in said, said)
    check(time.monotonic() - start < 10, 'too slow')


def scaled(number, inner=5):
    """x / number, and then a softmax of x x'."""
    nodes = [build.node('Transpose', 'x', 't', 'turn', perm=[0, 2, 1]), build.node('MatMul', 'x t', 's', 'scores'),
             build.node('Div', 's n', 'd', 'div'), build.node('Softmax', 'd', 'y', 'softmax', axis=-1)]
    graph = build.graph('g', nodes, [build.floats('x', 7, 4, inner)], [build.floats('y', 7, 4, 4)], [build.float_tensor('n', [], [number])])
    return bytes(build.model(graph, opset={'': 17}))


def test_a_number_that_is_the_size_is_a_warning():
    """Item by item, only a number in the data can depend on the size."""
    told = 'Div div: the number 7 may be computed from batch, which was 7'
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=scaled(7))
    equal(code, 0, err)
    check(f'warning  {told}' in said.decode(), said)
    code, said, err = run('repair', '-', 'x:0=batch', '-n', '--json', stdin=scaled(7))
    equal(json.loads(said)['warnings'], [told], 'JSON')
    equal(json.loads(said)['axes'][0]['proof'], 'item by item', 'proof')


def test_a_number_that_the_graph_explains_is_none():
    """The scores of attention are divided by the root of what their product sums over."""
    for number, inner in ((7 ** 0.5, 7), (7, 49), (2, 7), (49, 7)):
        code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=scaled(number, inner))
        equal(code, 0, err)
        check(b'warning' not in said, f'{number}, {inner}: {said}')
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=scaled(7 ** 0.5, 5))
    check(b'the number 2.64575 may be computed from batch' in said, said)


def test_a_number_behind_a_weight_or_a_plain_sum_is_told():
    """Of 7 rows or columns, it may as well be the batch."""
    for op, words, parts in (('MatMul', 'x w', {}), ('ReduceL2', 'x', {'axes': [1], 'keepdims': 1})):
        nodes = [build.node(op, words, 's', 'first', **parts), build.node('Div', 's n', 'y', 'div')]
        graph = build.graph('g', nodes, [build.floats('x', 7, 49 if op == 'MatMul' else 7)], [build.floats('y', 7, 1)],
                            [build.float_tensor('n', [], [7]), build.float_tensor('w', [49, 1], [1] * 49)])
        code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
        equal(code, 0, err)
        check(b'warning  Div div: the number 7 may be computed from batch, which was 7' in said, f'{op}: {said}')


def test_a_mean_that_is_a_sum_and_a_number_is_refused():
    nodes = [build.node('ReduceSum', 'x axes', 's', 'sum', keepdims=1), build.node('Div', 's n', 'm', 'div'), build.node('Sub', 'x m', 'y', 'sub')]
    graph = build.graph('g', nodes, [build.floats('x', 7, 5)], [build.floats('y', 7, 5)],
                        [build.float_tensor('n', [], [7]), build.int_tensor('axes', [1], [0])])
    stdin = bytes(build.model(graph, opset={'': 17}))
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=stdin)
    equal(code, 1, said)
    check(b'Div div: the number 7 may be computed from batch, which was 7; --assume' in err, err)
    code, said, err = run('repair', '-', 'x:0=batch', '-n', '--assume', '--json', stdin=stdin)
    equal((code, len(json.loads(said)['assumes']), json.loads(said)['warnings']), (0, 1, []), 'with --assume')


def test_a_mean_over_rows_that_a_slice_left_is_refused():
    """Not the size, but the size less 1, is what was counted."""
    nodes = [build.node('Slice', 'x one end zero', 'r', 'slice'), build.node('ReduceSum', 'r zero', 's', 'sum', keepdims=0),
             build.node('Div', 's n', 'y', 'div')]
    graph = build.graph('g', nodes, [build.floats('x', 8, 5)], [build.floats('y', 5)],
                        [build.float_tensor('n', [], [7]), build.int_tensor('one', [1], [1]), build.int_tensor('zero', [1], [0]),
                         build.int_tensor('end', [1], [2 ** 62])])
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 1, said)
    check(b'Div div: the number 7 may be computed from batch' in err, err)


def looped(rounds, nodes, size=6):
    """A Loop that adds up what its nodes make of x and the number i of the round."""
    body = build.graph('body', [*nodes, build.node('Add', 'a r', 'b', 'add'), build.node('Identity', 'c', 'd')],
                       [build.value('i', build.tensor_type(build.INT64, [])), build.value('c', build.tensor_type(build.BOOL, [])),
                        build.floats('a', 4)], [build.value('d', build.tensor_type(build.BOOL, [])), build.floats('b', 4)])
    graph = build.graph('g', [build.node('Loop', ['n', '', 'start'], 'y', 'loop', body=body)], [build.floats('x', size, 4)], [build.floats('y', 4)],
                        [build.int_tensor('n', [], [rounds]), build.float_tensor('start', [4], [0] * 4), build.int_tensor('zero', [1], [0]),
                         build.float_tensor('six', [], [6])])
    return bytes(build.model(graph, opset={'': 17}))


def test_rounds_of_a_loop_are_no_data():
    """As many rounds as rows, and each takes its row; fewer rounds still take rows by their number."""
    take = [build.node('Gather', 'x i', 'r', 'take', axis=0)]
    for rounds, why in ((6, b'Loop loop: it runs 6 times, which may be batch'),
                        (5, b'Gather take: a Loop that runs a fixed number of times indexes batch')):
        code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=looped(rounds, take))
        equal(code, 1, said)
        check(why in err, err)


def test_what_a_body_captures_reaches_its_numbers():
    mean = [build.node('ReduceSum', 'x zero', 's', 'sum', keepdims=0), build.node('Div', 's six', 'r', 'div')]
    code, said, err = run('repair', '-', 'x:0=batch', '-n', stdin=looped(3, mean))
    equal(code, 1, said)
    check(b'the number 6 may be computed from batch' in err, err)


def test_positions_that_are_counted_are_bounded_by_their_table():
    """Ones that are summed up are positions, as in RoBERTa."""
    nodes = [build.node('CumSum', 'ones axis', 'c', 'count'), build.node('Sub', 'c one', 'p', 'sub'), build.node('Gather', 'table p', 'g', 'take', axis=0),
             build.node('Add', 'x g', 'y', 'add')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 5)], [build.floats('y', 3, 5)],
                        [build.int_tensor('ones', [5], [1] * 5), build.int_tensor('axis', [], [0]), build.int_tensor('one', [], [1]),
                         build.float_tensor('table', [24], [i * i for i in range(24)])])
    code, said, err = run('repair', '-', 'x:1=seq', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 0, err)
    check(b'needs    seq <= 24' in said, said)


def test_the_bound_of_a_table_is_about_the_axis_that_it_is_for():
    nodes = [build.node('ConvTranspose', 'x w', 'two', 'double', strides=[2]), build.node('CumSum', 'ones axis', 'c', 'count'), build.node('Sub', 'c one', 'p', 'sub'),
             build.node('Gather', 'table p', 'g', 'take', axis=0), build.node('Add', 'two g', 'y', 'add')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 1, 2)], [build.floats('y', 3, 1, 4)],
                        [build.float_tensor('w', [1, 1, 2], [1, 2]), build.int_tensor('ones', [4], [1] * 4), build.int_tensor('axis', [], [0]), build.int_tensor('one', [], [1]),
                         build.float_tensor('table', [24], [i * i for i in range(24)])])
    code, said, err = run('repair', '-', 'x:2=seq', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 0, err)
    check(b'needs    2*seq <= 24' in said, said)


def test_a_literal_one_in_a_target_may_be_a_size():
    """[batch * n, 5], exported where n was 1: Shape[0] * 1 does not say that n is elsewhere."""
    nodes = [build.node('Shape', 'x', 's', 'shape'), build.node('Gather', 's zero', 'b', 'batch', axis=0), build.node('Mul', 'b one', 'm', 'mul'),
             build.node('Concat', 'm five', 't', 'target', axis=0), build.node('Reshape', 'x t', 'y', 'reshape')]
    graph = build.graph('g', nodes, [build.floats('x', 3, 1, 5)], [build.floats('y', 3, 5)],
                        [build.int_tensor('zero', [1], [0]), build.int_tensor('one', [1], [1]), build.int_tensor('five', [1], [5])])
    code, said, err = run('repair', '-', 'x:0=batch', 'x:1=n', '-n', stdin=bytes(build.model(graph, opset={'': 17})))
    equal(code, 1, said)
    check(b'Reshape reshape: n was 1, and may be at 2 places' in err, err)


def test_fields_that_nobody_knows_survive():
    def varint(n):
        return bytes([n & 0x7F | 0x80]) + varint(n >> 7) if n > 0x7F else bytes([n])

    def message(content, down):
        """With a field added, here and in every message that `down` leads to."""
        out = b''
        for number, head, inside in dims.fields(content):
            if number in down and head[0] & 7 == 2:
                inside = message(inside, down[number])
                head = varint(number << 3 | 2) + varint(len(inside))
            out += head + inside
        return out + varint(999 << 3 | 2) + varint(8) + b'survivor'

    # Graph, and in it nodes, initializers, inputs.
    data = message(tap.read(os.path.join(ZOO, 'reshape_chain.onnx')), {7: {1: {}, 11: {}, 12: {}}})
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'in.onnx'), os.path.join(folder, 'out.onnx')
        with open(path, 'wb') as file:
            file.write(data)
        code, said, err = run('repair', path, '-o', out)
        if equal(code, 0, f'exit: {err!r}'):
            equal(tap.read(out).count(b'survivor'), data.count(b'survivor'), 'fields that were kept')


def test_sizes_beyond_small_numbers():
    """Large sizes work too: numbers from 2**62 are stored differently."""
    def cut(size):
        nodes = [build.node('Slice', 'z start end axes', 'h', name='cut'), build.node('Add', 'h x', 'y', name='add')]
        lists = [build.int_tensor(n, [1], [k]) for n, k in (('start', 0), ('end', size), ('axes', 0))]
        return build.model(build.graph('g', nodes, [build.floats('x', size), build.floats('z', size + 7)], [build.floats('y', size)], lists))

    for size in (5, 2**62 - 1, 2**62, 5 * 10**18, 2**63 - 9):
        code, said, err = run('repair', '-', 'x:0=N', '-n', stdin=bytes(cut(size)))
        equal((code, err), (0, b''), f'{size}: freed')
        check(f'x\tfloat32 [{size}] -> float32 [N]'.encode() in said and b'Slice(z, start, cut/Gather, axes)' in said, f'{size}: {said!r}')


tests = {n: f for n, f in globals().items() if n.startswith('test_')}
for name, case in CASES.items():
    tests[f'test_{name}'] = functools.partial(told, case)
    tests[f'test_{name}_dry'] = functools.partial(dry, case)
    if case['ends'] != 'cannot':
        tests[f'test_{name}_again'] = functools.partial(again, case)
        tests[f'test_{name}_judged'] = functools.partial(judged, case)
tap.main(tests)
