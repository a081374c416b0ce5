"""axed set and axed apply: every form of an edit, its effects in the file, and rejected edits."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, '..', 'edit'), os.path.join(HERE, '..', 'models')]
import build
import dims
import judges
import tap
from build import FLOAT, INT64, float_tensor, floats, graph, int_tensor, ints, node, value
from tap import check, equal, run

SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
VALID = """
import sys, onnx
onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)
"""


def scratch(name):
    return os.path.join(SCRATCH.name, name)


def written(name, data):
    path = scratch(name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


# models

def mixed():
    """Two inputs share a batch; names in every place that a file can have them."""
    body = graph('then', [node('Relu', 'joined', 'kept', 'clip')], [], [floats('kept', 'batch', 'past + seq', 4)],
                 [], [floats('kept_too', 'batch', 'past + seq')])
    other = graph('else', [node('Neg', 'joined', 'turned', 'turn')], [], [floats('turned', 'batch', 'past + seq', 4)])
    double = build.function('test', 'double', 'a', 'b', [node('Add', 'a a', 'b', 'add')], {'': 17},
                            values=[floats('a', 'batch', 'seq+past', 4)])
    return build.model(
        graph('mixed',
              [
                  node('Concat', 'past x', 'joined', 'join', axis=1),
                  node('If', 'flag', 'chosen', 'choose', then_branch=body, else_branch=other),
                  node('double', 'chosen', 'twice', 'doubled', 'test'),
                  node('MatMul', 'twice weight', 'y', 'mix'),
              ],
              [floats('past', 'batch', 'past', 4), floats('x', 'batch', 'seq', 4), build.bools('flag')],
              [floats('y', 'batch', 'past + seq', 2)],
              [float_tensor('weight', [4, 2], [1.0] * 8)],
              [floats('joined', 'batch', 'past + seq', 4), floats('chosen', 'batch', 'batch_total', 4),
               floats('twice', 'batch', '2*seq - seq + past', 4)]),
        ir=10, opset={'': 17, 'test': 1}, functions=[double])


def added(*inputs, out=('batch', 'seq')):
    """z = a + b, then Relu."""
    return build.model(graph('added', [node('Add', 'a b', 't', 'add'), node('Relu', 't', 'z', 'clip')],
                             [floats('a', *inputs[0]), floats('b', *inputs[1])], [floats('z', *out)],
                             values=[floats('t', *out)]))


def linear(out='Gemm495_dim_0', batch='batch'):
    return build.model(graph('linear', [node('Gemm', 'x weight', 't', 'gemm'), node('Relu', 't', 'y', 'clip')],
                             [floats('x', batch, 4)], [floats('y', out, 2)],
                             [float_tensor('weight', [4, 2], [1.0] * 8)], [floats('t', out, 2)]))


MIXED = written('mixed.onnx', mixed())
LINEAR = written('linear.onnx', linear())


# helpers

def edit(path, *words, out='out.onnx'):
    """The bytes after the edit."""
    target = scratch(out)
    code, said, err = run('set', path, *words, '-o', target)
    check(code == 0 and err == b'', f'{words}: {code} {err!r}')
    return tap.read(target)


def changes(path, *words):
    """(place, before, after) of every dim that the edit changed, where nothing else may change."""
    return dims.changes(tap.read(path), edit(path, *words))


def said(data):
    return dict(dims.said(data))


def refused(path, *words, says=b'', command='set'):
    """One sentence, exit 2, nothing written."""
    target = scratch('refused.onnx')
    if os.path.exists(target):
        os.unlink(target)
    before = tap.read(path)
    code, out, err = run(command, path, *words, '-o', target)
    equal((code, out), (2, b''), f'{words}: {err!r}')
    check(err.startswith(b'axed: ') and err.count(b'\n') == 1 and err.endswith(b'\n'), f'{words}: one sentence: {err!r}')
    check(says in err, f'{words}: {err!r} lacks {says!r}')
    check(not os.path.exists(target), f'{words}: a file was written')
    run(command, '-i', path, *words)
    check(tap.read(path) == before, f'{words}: the file was changed')


def judged(path):
    """Checks it with the onnx package, if installed."""
    python = judges.python('onnx')
    if not python:
        return True, ''
    done = subprocess.run([python, '-c', VALID, path], capture_output=True)
    return done.returncode == 0, done.stderr.decode()[-400:]


# an axis

def test_an_axis_gets_a_name_and_what_follows_says_it():
    equal(changes(LINEAR, 'x:0=rows'),
          [('input x:0', 'batch', 'rows'), ('output y:0', 'Gemm495_dim_0', 'rows'),
           ('value_info t:0', 'Gemm495_dim_0', 'rows')], 'the alias is another dim now')
    equal(changes(LINEAR, 'x:0=batch'), [], 'the name it has')


def test_an_axis_is_fixed():
    equal(changes(LINEAR, 'x:0=8'),
          [('input x:0', 'batch', 8), ('output y:0', 'Gemm495_dim_0', 8), ('value_info t:0', 'Gemm495_dim_0', 8)], 'x:0=8')
    got = said(edit(MIXED, 'past:1=2'))
    equal((got['value_info joined:1'], got['output y:1'], got['input x:1']), ('seq + 2', 'seq + 2', 'seq'), 'past:1=2')


def test_an_axis_becomes_anonymous():
    equal(changes(LINEAR, 'x:0=?'), [('input x:0', 'batch', None)], 'only a generated symbol: the old text stays')


def test_a_negative_axis_counts_from_the_end():
    equal(changes(LINEAR, 'x:-2=8')[0], ('input x:0', 'batch', 8), 'x:-2')
    refused(LINEAR, 'x:-3=8', says=b"'x' has 2 axes; axis -3 is out of range")


def test_an_expression_of_declared_names():
    path = written('mask.onnx', build.model(graph(
        'mask', [node('Concat', 'past x', 'all', 'join', axis=1), node('Add', 'all mask', 'y', 'hide')],
        [floats('past', 'batch', 'past'), floats('x', 'batch', 'seq'), floats('mask', 'batch', 'total')],
        [floats('y', 'batch', 'out')])))
    got = said(edit(path, 'mask:1=past+seq'))
    equal((got['input mask:1'], got['output y:1']), ('past + seq', 'out'), 'mask; y was past + seq before')
    equal(said(edit(path, 'mask:1=2*3'))['input mask:1'], 6, 'a number in the end')
    refused(path, 'mask:1=past+nothing', says=b'neither a name')
    refused(path, 'mask:1=past-', says=b'neither a name')
    refused(path, 'mask:1=past+?0', says=b'depends on data')
    refused(path, 'past:1=8', 'mask:1=past+seq')


def test_an_output_axis_that_was_set_stays_as_it_was_set():
    got = said(edit(LINEAR, 'x:0=rows', 'y:0=mine'))
    equal((got['output y:0'], got['value_info t:0']), ('mine', 'rows'), 'exempt')
    equal(changes(LINEAR, 't:1=two'), [('value_info t:1', 2, 'two')], 'value_info alone')


def test_one_input_is_split_off():
    path = written('two.onnx', added(('batch', 3), ('batch', 3), out=('batch', 3)))
    equal(changes(path, 'b:0=batch2')[0], ('input b:0', 'batch', 'batch2'), 'the other keeps its name')
    equal(said(edit(path, 'b:0=batch2'))['input a:0'], 'batch', 'a')


# a symbol

def test_a_rename_changes_that_name_everywhere_and_nothing_else():
    before = tap.read(MIXED)
    after = edit(MIXED, 'batch=rows_')
    got = dims.changes(before, after)
    check(all((was, now) == ('batch', 'rows_') for _, was, now in got), f'{got}')
    places = {place for place, _, _ in got}
    for place in ('input past:0', 'input x:0', 'output y:0', 'value_info joined:0', 'value_info twice:0',
                  '/function0/value_info a:0'):
        check(place in places, f'{place} in {places}')
    check(sum('graph' in place for place in places) == 3, f'in bodies: {places}')
    check(b'batch_total' in after, 'a name that only begins so stays')
    check(edit(scratch('out.onnx'), 'rows_=batch', out='back.onnx') == before, 'there and back')


def test_a_rename_goes_into_expressions_token_by_token():
    got = {(was, now) for _, was, now in changes(MIXED, 'seq=steps')}
    equal(got, {('seq', 'steps'), ('past + seq', 'past + steps'), ('seq+past', 'steps+past'),
                ('2*seq - seq + past', '2*steps - steps + past')}, 'spaces stay as they were')


def test_a_rename_reaches_sharding():
    before = tap.read(tap.model('devices.onnx'))
    after = edit(tap.model('devices.onnx'), 'batch=BATCH')
    check(before.count(b'batch') == 4 and after == before.replace(b'batch', b'BATCH'), 'only these bytes')
    after = edit(tap.model('devices.onnx'), 'batch=4')
    check(b'batch' not in after, 'fixed everywhere')


def test_two_symbols_become_one_only_when_asked():
    refused(MIXED, 'past=seq', says=b'--merge')
    got = said(edit(MIXED, 'past=seq', '--merge'))
    equal((got['input past:1'], got['input x:1'], got['output y:1']), ('seq', 'seq', 'seq + seq'), 'a rename is a rename')


def test_a_symbol_is_fixed_everywhere():
    after = edit(MIXED, 'batch=8')
    check(not any(d == 'batch' for d in said(after).values()) and b'batch_total' in after, said(after))
    equal(said(edit(MIXED, 'seq=3'))['value_info joined:1'], 'past + 3', 'inside expressions')
    equal(said(edit(MIXED, 'seq=3', 'past=2'))['output y:1'], 5, 'both')


def test_a_symbol_is_substituted():
    path = written('total.onnx', build.model(graph(
        'total', [node('Concat', 'past x', 'all', 'join', axis=1), node('Add', 'all mask', 'y', 'hide')],
        [floats('past', 'batch', 'past'), floats('x', 'batch', 'seq'), floats('mask', 'batch', 'total')],
        [floats('y', 'batch', 'total')], values=[floats('all', 'batch', '2*total')])))
    got = said(edit(path, 'total=past+seq', '--shapes=keep'))
    equal((got['input mask:1'], got['output y:1'], got['value_info all:1']),
          ('past + seq', 'past + seq', '2*past + 2*seq'), 'everywhere')
    refused(path, 'total=total+1', says=b'itself')


def test_a_symbol_becomes_anonymous():
    got = said(edit(MIXED, 'seq=?'))
    equal((got['input x:1'], got['input past:1']), (None, 'past'), 'seq')


def test_a_size_below_zero_is_refused():
    path = written('less.onnx', added(('batch', 'n'), ('batch', 'n'), out=('batch', 'n - 3')))
    refused(path, 'n=2', '--shapes=keep', says=b'-1')
    refused(path, 'n=2', '--shapes=keep', '--force', says=b'-1')
    equal(said(edit(path, 'n=5', '--shapes=keep', '--force'))['output z:1'], 2, 'n - 3')
    equal(said(edit(path, 'n=2'))['output z:1'], 2, 'what the graph gives is no such size')


# names

def test_tensors_with_colons_equals_signs_and_slashes():
    path = written('names.onnx', build.model(graph(
        'names', [node('Add', ['x:0', 'a=b'], ['p/q'], 'add')],
        [floats('x:0', 'batch', 3), floats('a=b', 'batch', 3)], [floats('p/q', 'batch', 3)])))
    equal(changes(path, 'x:0:0=rows')[0], ('input x:0:0', 'batch', 'rows'), 'x:0')
    equal(changes(path, 'a=b:0=rows')[0], ('input a=b:0', 'batch', 'rows'), 'a=b')
    equal(changes(path, 'p/q:0=rows'), [('output p/q:0', 'batch', 'rows')], 'p/q')
    refused(path, 'x:0=rows', says=b'give an axis')


def test_tensors_of_bodies():
    got = changes(MIXED, '1.then_branch/kept:1=all_of_it')
    equal([(was, now) for _, was, now in got], [('past + seq', 'all_of_it')], 'only there')
    refused(MIXED, 'kept:0=rows', says=b'no tensor')


def test_names_that_are_no_identifiers():
    path = written('odd.onnx', added(('my batch', 'n'), ('my batch', 'n'), out=('my batch', 'n')))
    check(all(now == 'batch' for _, _, now in changes(path, 'my batch=batch')), 'renamed')
    got = said(edit(path, 'a:1=my batch', 'b:1=my batch'))
    equal((got['input a:1'], got['output z:1']), ('my batch', 'my batch'), 'an existing name may be used')
    refused(path, 'my batch=your batch', says=b'neither a name')


# refusals

def test_what_makes_no_sense_is_refused_with_one_sentence():
    for words, says in (
            (['wieght:0=8'], b'did you mean weight?'),
            (['bacth=8'], b'did you mean batch?'),
            (['x:3=8'], b"'x' has 2 axes; axis 3 is out of range"),
            (['x:0=8batch'], b'neither a name'),
            (['x:0=a-b!'], b'neither a name'),
            (['x:0=-1'], b'0 or more'),
            (['x:0='], b'missing dim'),
            (['batch='], b'missing dim'),
            (['x:0'], b'not an edit'),
            (['batch'], b'not an edit'),
            (['=8'], b'not an edit'),
            (['x=8'], b'give an axis'),
            (['weight:0=8'], b'no shape'),
            (['x:0=99999999999999999999'], b''),
            (['x:0=9223372036854775807+1'], b'too large'),
            (['x:0=batch*9223372036854775807*2'], b'too large'),
            (['x:0=batch/2'], b'neither a name'),
            (['x:0=batch-batch-1'], b'0 or more'),
            (['--shapes=some', 'x:0=8'], b'--shapes'),
            (['x:0=8', 'x:7=8'], b'axis 7 is out of range')):
        refused(LINEAR, *words, says=says)


def test_a_size_that_a_weight_contradicts():
    refused(LINEAR, 'x:1=5', says=b'--force')
    edit(LINEAR, 'x:1=5', '--force', out='forced.onnx')
    code, out, err = run('check', '--json', scratch('forced.onnx'))
    equal(code, 1, 'check finds it')
    check(any(f['level'] == 'error' for f in json.loads(out)['findings']), out)


def test_a_contradiction_elsewhere():
    path = written('clash.onnx', added(('n', 3), ('n', 3), out=('n', 3)))
    refused(path, 'a:0=2', 'b:0=5', says=b'contradicts')
    edit(path, 'a:0=2', 'b:0=5', '--force')


def test_a_stale_claim_that_is_refreshed_contradicts_nothing():
    path = written('stale.onnx', linear(out=3))
    got = said(edit(path, 'x:0=8'))
    equal((got['output y:0'], got['value_info t:0']), (8, 8), 'what was 3')
    refused(path, 'x:0=8', '--shapes=keep', says=b'contradicts')
    refused(path, 'x:0=8', 'y:0=3', says=b'contradicts')


# which shapes follow

def test_shapes_keep():
    equal(changes(LINEAR, 'x:0=8', '--shapes=keep'), [('input x:0', 'batch', 8)], 'nothing follows')


def test_shapes_refresh_is_the_usual_way():
    check(edit(MIXED, 'past:1=2') == edit(MIXED, 'past:1=2', '--shapes=refresh'), 'the same bytes')


def test_shapes_all_writes_every_shape():
    for path in (MIXED, LINEAR, tap.model('nested.onnx'), tap.model('loop.onnx'), tap.model('scan.onnx'),
                 tap.model('sequence_map.onnx'), tap.model('dynamic_rnn.onnx')):
        edit(path, '--shapes=all', out='all.onnx')
        code, out, _ = run('shapes', '--json', path)
        known = {t['name'] for t in json.loads(out)['tensors']
                 if t['graph'] == '' and t['from'] == 'inferred' and t['shape'] is not None}
        rows = {dims.title(list(dims.fields(v)), 0) for n, _, g in dims.fields(tap.read(scratch('all.onnx'))) if n == 7
                for kind, _, v in dims.fields(g) if kind in (11, 12, 13)}
        check(known <= rows, f'{path}: {known - rows} are not written')
        ok, why = judged(scratch('all.onnx'))
        check(ok or not judged(path)[0], f'{path}: {why}')
        check(edit(scratch('all.onnx'), '--shapes=all', out='again.onnx') == tap.read(scratch('all.onnx')), f'{path}: again')


def test_shapes_all_writes_sequences():
    path = written('sequence.onnx', build.model(graph(
        'sequence', [node('SequenceConstruct', 'x x', 's', 'make'), node('ConcatFromSequence', 's', 'y', 'join', axis=0)],
        [floats('x', 'batch', 3)], [floats('y', None, 3)])))
    after = edit(path, '--shapes=all')
    rows = [v for n, _, g in dims.fields(after) if n == 7 for kind, _, v in dims.fields(g) if kind == 13]
    equal(rows, [value('s', build.sequence_type(build.tensor_type(FLOAT, ['batch', 3])))], 's')


def test_shapes_strip_leaves_no_value_info():
    for path in (MIXED, LINEAR, tap.model('value_info.onnx')):
        after = edit(path, '--shapes=strip')
        left = [v for n, _, g in dims.fields(after) if n == 7 for kind, _, v in dims.fields(g) if kind == 13]
        equal(left, [], path)
    check(b'kept_too' not in edit(MIXED, '--shapes=strip'), 'bodies too')


# where it goes

def test_dry_run_tells_and_writes_nothing():
    code, out, err = run('set', LINEAR, 'x:0=8', '--dry-run')
    equal((code, err), (0, b''), 'exit')
    check(b'[batch, 4] -> ' in out and b'[8, 4]' in out, out)
    check(tap.read(LINEAR) == linear(), 'the file')
    code, out, err = run('set', LINEAR, 'x:0=8')
    equal(code, 2, 'where to?')


def test_json_tells_each_change():
    code, out, err = run('set', LINEAR, 'x:0=8', '--dry-run', '--json')
    told = {c['name']: (c['before'], c['after']) for c in json.loads(out)['changes']}
    equal(told['x'], ('float32 [batch, 4]', 'float32 [8, 4]'), 'x')
    equal(set(told), {'x', 't', 'y'}, 'all that changed')
    code, out, err = run('set', MIXED, 'batch=rows', '--dry-run', '--json')
    check({'past', 'x', 'y', '1.then_branch/kept'} <= {c['name'] for c in json.loads(out)['changes']}, out)
    code, out, err = run('set', LINEAR, 'x:0=8', 'x:0=batch', '--shapes=keep', '--dry-run', '--json')
    equal(json.loads(out)['changes'], [], 'there and back')


def test_json_of_sequences_says_before_and_after():
    path = written('listed.onnx', build.model(graph(
        'listed', [node('SequenceAt', 's i', 'y', 'take')],
        [value('s', build.sequence_type(build.tensor_type(FLOAT, ['batch', 3]))), ints('i')], [floats('y', 'batch', 3)])))
    code, out, err = run('set', path, 'batch=rows', '--dry-run', '--json')
    told = {c['name']: (c['before'], c['after']) for c in json.loads(out)['changes']}
    equal(told['s'], ('sequence of float32 [batch, 3]', 'sequence of float32 [rows, 3]'), 's')


def test_in_place_and_standard_output():
    path = written('place.onnx', linear())
    code, out, err = run('set', '-i', path, 'x:0=8')
    equal((code, err), (0, b''), 'in place')
    after = tap.read(path)
    equal(said(after)['input x:0'], 8, 'x:0')
    code, out, err = run('set', LINEAR, 'x:0=8', '-o', '-')
    equal(code, 0, 'standard output')
    check(out == after and b'[8, 4]' in err, 'the model here, what changed there')
    code, out, err = run('set', '-', 'x:0=8', '-o', '-', '-q', stdin=linear())
    check((code, out, err) == (0, after, b''), err)
    equal(run('set', '-i', path, '-o', path, 'x:0=8')[0], 2, 'both')


# recipes

def recipe(text, path=None, *words):
    """Exit code, standard error and the bytes written, or None."""
    target = scratch('applied.onnx')
    if os.path.exists(target):
        os.unlink(target)
    code, out, err = run('apply', path or LINEAR, written('recipe', text.encode()), '-o', target, *words)
    return code, err, tap.read(target) if os.path.exists(target) else None


def test_a_recipe_is_saved_and_applied_to_the_next_export():
    saved = scratch('saved.recipe')
    edit(LINEAR, 'x:0=rows', '--save-recipe', saved)
    equal(tap.read(saved), b'# axed recipe\nset x:0=rows\n', 'the text')
    again = written('next.onnx', linear(out='Gemm501_dim_0', batch=None))
    code, out, err = run('apply', again, saved, '-o', scratch('applied.onnx'))
    equal((code, err), (0, b''), 'applied')
    equal(said(tap.read(scratch('applied.onnx')))['output y:0'], 'rows', 'y')
    edit(MIXED, 'past=seq', '--merge', '--shapes=keep', '--save-recipe', saved)
    equal(tap.read(saved).split(b'\n')[1], b'set past=seq --merge --shapes=keep', 'options')
    code, out, err = run('apply', MIXED, saved, '-o', scratch('applied.onnx'))
    check(tap.read(scratch('applied.onnx')) == tap.read(scratch('out.onnx')), 'the same file')


def test_comments_empty_lines_and_quotes():
    code, err, data = recipe('# first\n\n   \nset x:0=rows # why\r\n\tset "y:0=mine" \'t:1=two\'\n# end')
    equal((code, err), (0, b''), 'applied')
    got = said(data)
    equal((got['input x:0'], got['output y:0'], got['value_info t:1']), ('rows', 'mine', 'two'), 'all of it')
    path = written('quoted.onnx', added(('my batch', 3), ('my batch', 3), out=('my batch', 3)))
    code, err, data = recipe("set 'my batch=batch'\n", path)
    check(code == 0 and said(data)['output z:0'] == 'batch', err)
    edit(path, 'my batch=batch', '--save-recipe', scratch('quoted.recipe'))
    code, err, again = recipe(tap.read(scratch('quoted.recipe')).decode(), path)
    check(code == 0 and again == data, 'what is saved is read back')


def test_lines_that_fail_are_listed_and_nothing_is_written():
    text = '# a recipe\nset x:0=rows\nset nothing:0=8\n\nfly away\nset y:9=8\n'
    code, err, data = recipe(text)
    equal((code, data), (2, None), 'nothing written')
    lines = err.decode().split('\n')
    for number in (3, 5, 6):
        check(any(f'recipe: line {number}: ' in line for line in lines), f'{number}: {lines}')
    check('3 of 4 lines failed' in err.decode(), f'comments are no lines: {err}')
    code, err, data = recipe(text, None, '--partial')
    equal((code, said(data)['input x:0']), (1, 'rows'), 'the rest')
    equal(recipe('set x:0=rows\n', None, '--partial')[0], 0, 'none failed')
    equal(recipe("set 'x:0=rows\n")[0], 2, 'a quote without an end')


def test_a_recipe_that_is_not_there():
    code, out, err = run('apply', LINEAR, scratch('no.recipe'), '-o', scratch('x.onnx'))
    equal((code, err.count(b'\n')), (2, 1), err)
    equal(run('apply', LINEAR, '-o', scratch('x.onnx'))[0], 2, 'no recipe given')



def test_an_expression_of_another_input_keeps_its_names():
    path = written('masked.onnx', build.model(
        graph('g', [node('Concat', 'past x', 'joined', 'join', axis=1), node('Mul', 'joined mask', 'y', 'mul')],
              [floats('past', 'batch', 'past'), floats('x', 'batch', 'seq'), floats('mask', 'batch', 'past + seq')],
              [floats('y', 'batch', 'past + seq')]), opset={'': 17}))
    for edit in ('past:1=8', 'past:1=?', 'past:1=other'):
        code, out, err = run('set', path, edit, '-o', scratch('x.onnx'))
        equal(code, 2, edit)
        check(b"the input dim 'past + seq' would use an undeclared name" in err, err)
    code, out, err = run('set', path, 'past=8', '-o', scratch('x.onnx'))
    equal(code, 0, err)
    equal(run('shapes', scratch('x.onnx'), 'mask')[1].split(b'\t')[1], b'float32 [batch, seq + 8]', 'everywhere')


def test_an_output_that_is_a_constant_cannot_be_freed():
    path = written('constant_output.onnx', build.model(
        graph('g', [node('Relu', 'x', 'y', 'relu')], [floats('x', 'batch')], [floats('y', 'batch'), floats('w', 'batch')],
              [float_tensor('w', [3], [1.0, 2.0, 3.0])]), opset={'': 17}))
    code, out, err = run('repair', path, 'x:0=batch', '-n')
    equal(code, 1, err)
    check(b'output w' in err, err)


def test_repair_says_what_it_rewrites():
    path = tap.model('pinned_reshape.onnx')
    notes = [f'Reshape /{name}: its target follows batch_size' for name in ('Reshape', 'Reshape_1')]
    code, out, err = run('repair', path, '-n')
    check(code == 0 and b'its target' not in out, 'not unless it is asked')
    code, out, err = run('repair', path, '-n', '-v')
    equal([line for line in out.decode().splitlines() if line.startswith('at ')], [f'at       {note}' for note in notes], '-v')
    code, out, err = run('repair', path, '-n', '--json')
    equal(json.loads(out)['notes'], notes, 'JSON')


def test_what_only_follows_is_one_line():
    def chain(length):
        nodes = [node('Relu', 'x' if i == 0 else f'h{i - 1}', f'h{i}') for i in range(length)]
        return written('chain.onnx', build.model(graph(
            'g', [*nodes, node('Reshape', f'h{length - 1} to', 'r'), node('Reshape', 'r back', 'y')], [floats('x', 3, 4)],
            [floats('y', 3, 4)], [int_tensor('to', [2], [3, 4]), int_tensor('back', [2], [3, 4])],
            [floats(f'h{i}', 3, 4) for i in range(length)])))

    first = ['x\tfloat32 [3, 4] -> float32 [n, 4]', 'y\tfloat32 [3, 4] -> float32 [n, 4]',
             "constant to\t[3, 4] -> [0, 4] (0 copies the input's size)", 'constant back\t[3, 4] -> [0, 4]']
    freed = 'freed    x:0=n  item by item'
    inside = [f'h{i}\tfloat32 [3, 4] -> float32 [n, 4]' for i in range(9)]
    for length, words, wanted in ((8, [], inside[:8]), (9, [], ['value_info\t9 shapes follow; -v lists them']), (9, ['-v'], inside)):
        code, out, err = run('repair', chain(length), 'x:0=n', '-n', *words)
        equal((code, err), (0, b''), words)
        equal([line for line in out.decode().splitlines() if not line.startswith('at ')], [*first, *wanted, freed], f'{length} {words}')
    equal(len(json.loads(run('repair', chain(9), 'x:0=n', '-n', '--json')[1])['changes']), 13, 'JSON has all')
    path = chain(9)
    equal(run('repair', path, 'x:0=n', '-i', '-q')[0], 0, 'repaired')
    for words, wanted in (([], ['value_info\t9 shapes follow; -v lists them']), (['-v'], [line.replace('n, 4', 'm, 4').replace('3, 4', 'n, 4') for line in inside])):
        equal(run('set', path, 'n=m', '-n', *words)[1].decode().splitlines()[2:], wanted, f'set {words}')


tap.main(globals())
