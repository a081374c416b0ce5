"""axed shapes, check, axes, symbols, explain: output and exit codes."""

import json
import os
import re
import struct
import sys

import tap
from tap import asked, check, equal, model, on_terminal, run

sys.path.insert(0, tap.MODELS)
import build
from build import float_tensor, floats, function, graph, int_tensor, ints, node, tensor, value


def shapes(path, *words):
    code, out, err = run('shapes', '--json', path, *words)
    equal(code, 0, f'{path}: {err!r}')
    return {t['name']: t for t in json.loads(out)['tensors'] if t['graph'] == ''}


def findings(path):
    code, out, err = run('check', '--json', path)
    return code, json.loads(out)['findings']


def axes(path):
    code, out, err = run('axes', '--json', path)
    equal(code, 0, f'{path}: {err!r}')
    return {f'{a["input"]}:{a["axis"]}': a for a in json.loads(out)['axes']}


def made(nodes, inputs, outputs, initializers=(), **rest):
    """The bytes of a model with these."""
    return bytes(build.model(graph('g', nodes, inputs, outputs, initializers), **rest))


def test_a_word_never_stands_alone_on_a_line():
    """At 80 columns the column of types is as wide as the line allows, not as its widest cell."""
    for name in ('dynamic_rnn', 'demo'):
        lines, wide = (on_terminal(n, 'shapes', model(name + '.onnx')) for n in (80, 300))
        equal([line for line in lines if line.startswith(' ') and len(line.split()) == 1], [], name)
        equal(' '.join(lines).split(), ' '.join(wide).split(), f'{name}: the words')
    lines = on_terminal(80, 'shapes', model('dynamic_rnn.onnx'))
    equal(len(lines), 24, 'one line for each tensor')
    check(all(len(line) <= 80 for line in lines), str(lines))


def test_a_long_row_goes_on_below_its_name():
    """At 80 columns: what fits a line is not broken, and a word is alone on none."""
    scope = '/features/features.1/features.1.0/attn/'
    steps = [node('MaxPool', 'x', scope + 'MaxPool_output_0', 'pool', kernel_shape=[7, 7], strides=[28, 28]),
             node('Relu', scope + 'MaxPool_output_0', 'y', scope + 'relu')]
    steps += [node('Concat', 'x x', 'a_tensor_with_a_name_of_no_great_length', scope + 'a_long_name_of_a_node', axis=1)]
    content = made(steps, [floats('x', 'batch_size', 3, 'image_height', 'image_width')], [floats('y', 'n', 3, 'h', 'w')])
    for command in ('shapes', 'symbols', 'axes', 'check'):
        lines, wide = asked(content, lambda path: [on_terminal(n, command, path) for n in (80, 300)])
        equal(' '.join(lines).split(), ' '.join(wide).split(), f'{command}: the words')
        equal([line for line in lines if len(line) > 80], [], f'{command}: too wide')
        equal([line for line in lines if line[:1] == ' ' and len(line.split()) == 1], [], f'{command}: a word alone')
    lines = asked(content, lambda path: on_terminal(80, 'shapes', path))
    at = next(i for i, line in enumerate(lines) if line == scope + 'MaxPool_output_0')
    equal(lines[at + 1], '    float32 [batch_size, 3, floor((image_height + 21)/28), floor((image_width +', 'the type')
    equal(lines[at + 2], '    21)/28)]  inferred', 'and the end of it')


def test_the_three_exports_are_clean_and_free():
    for name, free in (('dynamic_linear', 1), ('dynamic_rnn', 2), ('dynamic_reshape', 1)):
        code, found = findings(model(name + '.onnx'))
        equal(code, 0, f'{name}: {found}')
        dynamic = [a for a in axes(model(name + '.onnx')).values() if isinstance(a['dim'], str)]
        check(len(dynamic) >= free, f'{name}: {dynamic}')
        for axis in dynamic:
            equal(axis['verdict'], 'free', f'{name}: {axis}')


def test_the_rnn_keeps_the_batch_only():
    got = shapes(model('dynamic_rnn.onnx'))
    equal(got['output']['shape'], ['batch_size', 5], 'output')
    equal(got['output']['from'], 'inferred', 'from')
    equal(shapes(model('dynamic_rnn.onnx'), '--bind', 'batch_size=7')['output']['shape'], [7, 5], 'bound')


def test_the_pinned_one_is_found():
    code, found = findings(model('pinned_reshape.onnx'))
    equal(code, 1, 'exit code')
    pins = [f for f in found if f['level'] == 'pin']
    equal(len(pins), 1, f'one root cause is one finding: {found}')
    equal((pins[0]['op'], pins[0]['value']), ('Reshape', 3), 'what and how much')
    check('constant' in pins[0]['message'], pins[0]['message'])
    pinned = axes(model('pinned_reshape.onnx'))['input:0']
    equal((pinned['verdict'], pinned['value'], pinned['by']['op']), ('pinned', 3, 'Reshape'), 'axes')
    check(pinned['by']['constant'], 'the constant is named')


def test_axes_fixed_by_weights():
    fixed = axes(model('dynamic_linear.onnx'))
    wide = [a for a in fixed.values() if a['verdict'] == 'fixed']
    check(wide and wide[0]['value'] == 10, f'{fixed}')


def test_check_can_expect_and_choose_levels():
    path = model('dynamic_rnn.onnx')
    equal(run('check', path, '--expect', 'output:0=batch_size')[0], 0, 'met')
    code, out, err = run('check', path, '--expect', 'output:0=8')
    equal((code, err), (1, b''), 'not met')
    check(out.startswith(b'expect       output: axis 0: expected 8, found batch_size\n'), out)
    equal(run('check', path, '--expect', 'output:0=8', '--fail-on', 'error')[0], 1, 'whatever --fail-on says')
    code, out, err = run('check', path, '--expect', 'output:0=N', '--expect', 'output:1=2*N + 1')
    equal((code, err), (1, b''), 'a name that the model does not have is not met either')
    for line in (b'output: axis 0: expected N, found batch_size', b'output: axis 1: expected 2*N + 1, found 5'):
        check(line in out, f'{line}: {out}')
    for text in ('2*', 'batch size', '?7', ''):
        code, out, err = run('check', path, '--expect', f'output:0={text}')
        check(code == 2 and err.startswith(b'axed: '), f'{text!r} is not a dim: {code} {err}')
    for axis in (7, -7, 10 ** 15):
        code, out, err = run('check', path, '--expect', f'output:{axis}=8')
        check(code == 1 and f'axis {axis}: expected 8, but the rank is 2'.encode() in out, f'{axis}: {code} {out} {err}')
    found = json.loads(run('check', path, '--expect', 'output:0=8', '--json')[1])['findings']
    equal([(f['level'], f['tensor'], f['axis']) for f in found if f['level'] == 'expect'], [('expect', 'output', 0)], 'JSON')
    equal(run('check', model('pinned_reshape.onnx'), '--fail-on', 'error')[0], 0, 'a pin is no error')
    code, out, err = run('check', path, '--fail-on', 'everything')
    equal(code, 2, 'no such level')
    code, out, err = run('check', path, '--expect', 'outptu:0=8')
    check(code == 2 and b'did you mean output?' in err, err)
    equal(out, b'', 'whether there are problems is not known')
    code, out, err = run('check', model('pinned_reshape.onnx'), '--expect', 'outptu:0=8')
    check(code == 2 and out.startswith(b'pin '), 'what is known is told')


def test_bindings_are_checked():
    for words, part in ((['--bind', 'nothing=3'], b"no such symbol 'nothing'"), (['--bind', 'batch_size=-1'], b'N >= 0'),
                        (['--bind', 'batch_size'], b'NAME=N')):
        code, out, err = run('shapes', model('dynamic_rnn.onnx'), *words)
        check(code == 2 and part in err, f'{words}: {code} {err!r}')


def test_named_tensors_only_and_they_must_be_there():
    got = shapes(model('dynamic_rnn.onnx'), 'output')
    equal(list(got), ['output'], 'one tensor')
    code, out, err = run('shapes', model('dynamic_rnn.onnx'), 'outptu')
    check(code == 2 and out == b'' and b'did you mean output?' in err, err)
    code, out, err = run('explain', model('if.onnx'), 'then_out')
    check(code == 2 and b'did you mean 0.then_branch/then_out?' in err, err)


def test_claims_fill_and_are_compared():
    code, found = findings(model('initializer_input.onnx'))
    equal(code, 1, 'an input that disagrees with its initializer')
    check(any(f['level'] == 'error' for f in found), found)
    code, found = findings(model('custom_op.onnx'))
    check(sum(f['level'] == 'unsupported' for f in found) >= 1, f'operators nobody knows: {found}')


def test_a_claimed_rank_that_differs_is_stale():
    """ONNX Runtime warns of it, and runs the file."""
    nodes = [node('Relu', 'x', 'r', 'First'), node('Relu', 'r', 'y', 'Second')]
    for values, outputs in (([floats('r', 6)], [Y]), ([], [floats('y', 6)])):
        content = bytes(build.model(graph('g', nodes, [X], outputs, values=values)))
        code, found = asked(content, findings)
        equal((code, [f['level'] for f in found]), (1, ['stale']), 'levels')
        check('rank 1, the graph gives rank 3' in found[0]['message'], found)


def claimed_body():
    """A body whose second output has a shape that only the file says: nobody knows its operator."""
    own = [value('i', build.tensor_type(build.INT64, [])), build.bools('c_in'), floats('s', 2), floats('t', 3)]
    outputs = [build.bools('c_out'), floats('s_out', 2), floats('t_out', 3)]
    return graph('body', [node('Identity', 'c_in', 'c_out'), node('Strange', 's', 's_out', 'Odd', 'own.domain'),
                          node('Relu', 't', 't_out')], own, outputs)


def test_what_a_body_only_claims_is_a_claim():
    body = claimed_body()
    content = made([node('Loop', 'm c a b', 'p q', 'Loop', body=body), node('Relu', 'p', 'y', 'End')],
                   [value('m', build.tensor_type(build.INT64, [])), build.bools('c'), floats('a', 2), floats('b', 3)],
                   [value('y'), value('q')])
    got = asked(content, shapes)
    equal([got[n]['shape'] for n in 'pyq'], [None, None, [3]], 'a state that the body may give any shape')
    equal(got['q']['from'], 'inferred', 'the other state')


def test_the_condition_of_a_body_may_change_its_shape():
    """ONNX Runtime gives the body a scalar at first, then what the body gave."""
    body = graph('body', [node('Identity', 'c_in', 'seen'), node('Reshape', 'c_in one', 'c_out')],
                 [value('i', build.tensor_type(build.INT64, [])), build.bools('c_in')], [build.bools('c_out')])
    for trips in ([], [int_tensor('m', [], [3])]):
        content = made([node('Loop', 'm c', '', 'Loop', body=body)],
                       [build.bools('c')] + ([] if trips else [value('m', build.tensor_type(build.INT64, []))]), [],
                       [int_tensor('one', [1], [1]), *trips])
        _, out, _ = asked(content, lambda path: run('shapes', '--json', path))
        seen = next(t for t in json.loads(out)['tensors'] if t['name'] == 'seen')
        check(seen['shape'] is None or seen['from'] == 'claim', seen)


def test_a_sequence_grows_by_elements_that_are_only_claimed():
    grown = build.sequence_type(build.tensor_type(build.FLOAT))
    body = graph('body', [node('Identity', 'c_in', 'c_out'), node('Strange', 'x', 'e', 'Odd', 'own.domain'),
                          node('SequenceInsert', 's e', 's_out')],
                 [value('i', build.tensor_type(build.INT64, [])), build.bools('c_in'), value('s', grown)],
                 [build.bools('c_out'), value('s_out', grown)], values=[floats('e', 2)])
    content = made([node('SequenceEmpty', '', 'none', 'Empty'), node('Loop', 'm c none', 'l', 'Loop', body=body),
                    node('SequenceAt', 'l one', 'y', 'At')],
                   [build.bools('c'), floats('x', 2)], [value('y')],
                   [int_tensor('m', [], [2]), int_tensor('one', [], [1])])
    equal([f['level'] for f in asked(content, findings)[1]], ['unsupported'], 'it has two elements')
    got = asked(content, shapes)['y']
    check(got['shape'] is None or got['from'] == 'claim', got)


def test_what_a_branch_only_claims_is_a_claim():
    odd = graph('odd', [node('Strange', 'x', 'a1', 'Odd', 'own.domain'), node('Relu', 'x', 'a2')], [],
                [floats('a1', 2), floats('a2', 2)])
    even = graph('even', [node('Relu', 'x', 'b1'), node('Relu', 'x', 'b2')], [], [floats('b1', 2), floats('b2', 2)])
    content = made([node('If', 'c', 'p q', 'If', then_branch=odd, else_branch=even), node('Relu', 'p', 'y', 'End')],
                   [build.bools('c'), floats('x', 2)], [value('y'), value('q')])
    got = asked(content, shapes)
    equal([got[n]['from'] for n in 'pyq'], ['claim', 'claim', 'inferred'], 'from')


def test_what_a_scan_or_a_map_only_claims_is_a_claim():
    body = graph('body', [node('Strange', 's', 'o', 'Odd', 'own.domain'), node('Relu', 's', 'e')], [floats('s', 3)],
                 [floats('o', 4), floats('e', 3)])
    content = made([node('Scan', 'x', 'p q', 'Scan', body=body, num_scan_inputs=1)], [floats('x', 2, 3)],
                   [value('p'), value('q')])
    got = asked(content, shapes)
    equal([(got[n]['shape'], got[n]['from']) for n in 'pq'], [([2, 4], 'claim'), ([2, 3], 'inferred')], 'Scan')
    content = made([node('SequenceConstruct', 'x', 'l', 'Make'), node('SequenceMap', 'l', 'm n', 'Map', body=body),
                    node('SequenceAt', 'm zero', 'p', 'At'), node('SequenceAt', 'n zero', 'q', 'At2')],
                   [floats('x', 3)], [value('p'), value('q')], [int_tensor('zero', [], [0])], opset={'': 17})
    got = asked(content, shapes)
    equal([(got[n]['shape'], got[n]['from']) for n in 'pq'], [([4], 'claim'), ([3], 'inferred')], 'SequenceMap')


def test_elements_of_a_sequence_that_are_only_claimed_are_claims():
    claim = value('l', build.sequence_type(build.tensor_type(build.FLOAT, [2])))
    content = bytes(build.model(graph('g', [node('SplitToSequence', 'x', 'l', 'Split'), node('SequenceAt', 'l zero', 'y', 'At')],
                                      [value('x', build.tensor_type(build.FLOAT))], [value('y')],
                                      [int_tensor('zero', [], [0])], values=[claim])))
    got = asked(content, shapes)
    equal((got['y']['shape'], got['y']['from']), ([2], 'claim'), 'an element')


def test_functions_and_bodies_are_inferred():
    for name in ('functions', 'nested', 'if', 'loop', 'scan', 'sequence_map'):
        got = shapes(model(name + '.onnx'))
        code, out, err = run('show', '--json', model(name + '.onnx'))
        for output in json.loads(out)['outputs']:
            check(got[output['name']]['type'] is not None, f'{name}: {output["name"]} has a type')


def test_explain_goes_back_to_the_input():
    code, out, err = run('explain', model('dynamic_rnn.onnx'), 'output:0')
    equal(code, 0, err)
    lines = out.decode().splitlines()
    check(lines[0].startswith('output[0] = batch_size') and 'an input' in lines[-1], lines)
    code, out, err = run('explain', model('dynamic_rnn.onnx'), 'nothing:0')
    equal(code, 2, 'no such tensor')


def flow(name, *words):
    code, out, err = run('explain', '--flow', model(name + '.onnx'), *words)
    equal(code, 0, err)
    return out.decode().splitlines()


def test_flow_names_the_input_axes():
    equal(flow('dynamic_rnn', '/rnn/Transpose_output_0'),
          ['/rnn/Transpose_output_0:0 = sequence_length: sequence_length is input:1',
           '  sequence_length through Transpose /rnn/Transpose',
           '/rnn/Transpose_output_0:1 = batch_size: batch_size is input:0',
           '  batch_size through Transpose /rnn/Transpose',
           '/rnn/Transpose_output_0:2 = 10: 10 is input:2',
           '  10 through Transpose /rnn/Transpose'], 'moved axes')
    equal(flow('dynamic_rnn', 'output:-1'), ['output:1 = 5: 5 is fixed'], 'a weight says it')
    equal(flow('dynamic_rnn', 'input:1'), ['input:1 = sequence_length: sequence_length is input:1'], 'an input')
    equal(flow('dynamic_rnn', '/rnn/Constant_output_0'), ['/rnn/Constant_output_0: a scalar has no axes'], 'a scalar')
    equal(flow('pinned_reshape', 'output:0')[0], 'output:0 = 3: batch_size is input:0', 'what a literal pins is followed')
    code, out, err = run('explain', '--flow', model('dynamic_rnn.onnx'), 'output:7')
    equal((code, b'only 2 axes' in err), (2, True), 'no such axis')


def test_flow_as_json():
    code, out, err = run('explain', '--flow', '--json', model('dynamic_rnn.onnx'), 'output')
    equal(json.loads(out)['axes'], [
        {'tensor': 'output', 'axis': 0, 'dim': 'batch_size', 'factors': [
            {'size': 'batch_size', 'how': 'whole', 'from': [{'input': 'input', 'axis': 0, 'path': [
                '/linear/Gemm', '/Gather', '/rnn/Transpose_1', '/rnn/Squeeze', '/rnn/RNN', '/rnn/Transpose']}]}]},
        {'tensor': 'output', 'axis': 1, 'dim': 5, 'factors': [{'size': 5, 'how': 'fixed', 'from': []}]}], 'factors')


def test_symbols_are_listed():
    code, out, err = run('symbols', '--json', model('dynamic_rnn.onnx'))
    names = {s['name'] for s in json.loads(out)['symbols']}
    equal(names, {'batch_size', 'sequence_length'}, 'names')


def test_all_models_are_judged_without_harm():
    for name in sorted(os.listdir(tap.MODELS)):
        if name.endswith('.onnx') and name != 'too_deep.onnx':
            for command in ('shapes', 'check', 'axes', 'symbols'):
                code, out, err = run(command, '--json', model(name))
                check(code in (0, 1), f'{command} {name}: {code} {err!r}')
                json.loads(out)


def test_real_models_are_full_in_declared_symbols():
    for name in ('gpt12', 'resnet50', 'vit_b_16', 'swin_t', 'dynamic_linear', 'dynamic_rnn', 'dynamic_reshape'):
        for tensor in shapes(tap.shared('models', name + '.onnx')).values():
            check(tensor['shape'] is not None and all(d is not None and '?' not in str(d) for d in tensor['shape']),
                  f'{name}: {tensor}')
    resnet = {str(d) for t in shapes(tap.shared('models', 'resnet50.onnx')).values() for d in t['shape']}
    check('ceil(H/32)' in resnet, 'resnet50 reads ceil(H/32)')
    code, found = findings(tap.shared('models', 'pinned_reshape.onnx'))
    equal(code, 1, 'pinned_reshape')


SIZES = [int_tensor('zero', [1], [0]), int_tensor('one', [1], [1])]
LENGTH = [node('Shape', 'x', 's', 'Shape'), node('Gather', 's one', 'n', 'Length')]
X, Y = floats('x', 'batch', 'seq', 8), floats('y', 'batch', 'seq', 8)


def table(name, *dims):
    size = 1
    for d in dims:
        size *= d
    return float_tensor(name, dims, [0.0] * size)


def sliced_table():
    """A table of positions, sliced to the length of the input."""
    return made([*LENGTH, node('Slice', 'table zero n one', 'rows', 'Cut'), node('Add', 'x rows', 'y', 'Add')],
                [X], [Y], [table('table', 1, 512, 8), *SIZES])


def ranged_table():
    """Range(0, seq) looked up in a table."""
    return made([*LENGTH, node('Squeeze', 'n zero', 'limit', 'Squeeze'), node('Range', 'start limit step', 'p', 'Range'),
                 node('Unsqueeze', 'p zero', 'q', 'Unsqueeze'), node('Cast', 'q', 'c', 'Cast', to=6),
                 node('Gather', 'table c', 'rows', 'Rows'), node('Add', 'x rows', 'y', 'Add')],
                [X], [Y], [table('table', 512, 8), *SIZES, int_tensor('start', [], [0]), int_tensor('step', [], [1])])


def constant_positions():
    """A slice of 0..511, looked up."""
    return made([*LENGTH, node('Slice', 'ids zero n one', 'p', 'Cut'), node('Gather', 'table p', 'rows', 'Rows'),
                 node('Add', 'x rows', 'y', 'Add')],
                [X], [Y], [table('table', 512, 8), *SIZES, int_tensor('ids', [1, 512], list(range(512)))])


def test_position_tables_are_bounds():
    for name, content in (('slice', sliced_table()), ('range', ranged_table()), ('ids', constant_positions())):
        found = asked(content, findings)
        equal([f['level'] for f in found[1]], ['bound'], f'{name}: {found}')
        equal(found[0], 0, f'{name}: a bound is no failure')
        check(found[1][0]['message'].startswith('seq <= 512: '), f'{name}: {found}')
        got = asked(content, axes)
        equal((got['x:1']['verdict'], got['x:1']['bounds']), ('free', ['`x:1` <= 512']), name)
        equal(got['x:0']['bounds'], [], name)
        equal(asked(content, lambda path: shapes(path, 'y'))['y']['shape'], ['batch', 'seq', 8], name)
    equal(asked(sliced_table(), lambda path: run('check', path, '--fail-on', 'bound'))[0], 1, '--fail-on bound')


def test_a_bound_is_kept_when_symbols_are_bound():
    def bound(size):
        return asked(made([*LENGTH, node('Slice', 'table zero n one', 'rows', 'Cut'),
                           node('Add', 'x rows', 'y', 'Add'), node('Relu', 'y', 'z', 'Relu')],
                          [X], [value('z')], [table('table', 1, 512, 8), *SIZES]),
                     lambda path: run('shapes', '--json', path, 'z', '--bind', f'seq={size}'))
    code, out, err = bound(512)
    equal((code, json.loads(out)['tensors'][0]['shape'], err), (0, ['batch', 512, 8], b''), 'within')
    code, out, err = bound(600)
    equal((code, json.loads(out)['tensors'][0]['shape'][1]), (1, None), 'beyond: the Add has no result')
    check(b'with seq=600: Add Add: the sizes cannot be broadcast: 600 and 512' in err, err)


def test_a_lookup_beyond_the_table_is_an_error():
    limit = [int_tensor('start', [], [0]), int_tensor('limit', [], [600]), int_tensor('step', [], [1])]
    code, found = asked(made([node('Range', 'start limit step', 'p', 'Range'), node('Gather', 'table p', 'y', 'Rows')],
                             [], [floats('y', 600, 8)], [table('table', 512, 8), *limit]), findings)
    check(code == 1 and '600 exceeds 512' in found[0]['message'], found)


def test_windows_give_bounds():
    content = made([node('Conv', 'x w', 'y', 'Conv')], [floats('x', 'N', 1, 'L')], [value('y')], [table('w', 1, 1, 5)])
    equal(asked(content, axes)['x:2']['bounds'], ['`x:2` >= 5'], 'axes')
    equal([f['message'][:6] for f in asked(content, findings)[1]], ['L >= 5'], 'check')


def test_sizes_that_only_together_are_a_number():
    content = made([node('Reshape', 'x target', 'y', 'Flat')], [floats('x', 'batch', 'seq', 12)], [value('y')],
                   [int_tensor('target', [2], [15, 12])])
    got = asked(content, axes)
    for axis in ('x:0', 'x:1'):
        equal((got[axis]['verdict'], got[axis]['by'], got[axis]['bounds']),
              ('tied', {'node': 'Flat', 'op': 'Reshape', 'constant': 'target'}, ['`x:0`*`x:1` = 15']), axis)
    code, found = asked(content, findings)
    equal((code, [(f['level'], f['node'], f['message'][:23]) for f in found]),
          (1, [('pin', 'Flat', 'batch*seq must equal 15')]), 'check')


def test_a_weight_ties_height_and_width():
    content = made([node('Flatten', 'x', 'f', 'Flatten'), node('MatMul', 'f w', 'y', 'Head')],
                   [floats('x', 'N', 3, 'H', 'W')], [value('y')], [table('w', 147, 10)])
    got = asked(content, axes)
    equal([got[f'x:{i}']['verdict'] for i in range(4)], ['free', 'tied', 'tied', 'tied'], 'verdicts')
    code, found = asked(content, findings)
    equal((code, [(f['level'], f['message'][:20]) for f in found]), (0, [('bound', 'H*W must equal 49: i')]), 'check')


def test_a_multiple_is_free_with_a_condition():
    content = made([node('Shape', 'x', 's', 'Shape'), node('Gather', 's zero', 'n', 'Gather'), node('Div', 'n two', 'h', 'Half'),
                    node('Concat', 'h h', 'both', 'Both', axis=0), node('Split', 'x both', 'a b', 'Split', axis=0),
                    node('Sub', 'a b', 'y', 'Sub')], [floats('x', 'batch', 6)], [value('y')],
                   [int_tensor('zero', [1], [0]), int_tensor('two', [1], [2])])
    got = asked(content, axes)['x:0']
    equal((got['verdict'], got['bounds']), ('free', ['`x:0` a multiple of 2']), 'axes')


def test_what_is_broadcast_is_tied():
    content = made([node('Add', 'x mask', 'm', 'Mask'), node('Add', 'm table', 'y', 'Places')],
                   [floats('x', 'batch', 'seq', 8), floats('mask', 'batch', 'total', 1)], [value('y')],
                   [table('table', 1, 16, 8)])
    got = asked(content, axes)
    equal([(got[a]['verdict'], got[a]['equal'], got[a]['by']['node']) for a in ('x:0', 'x:1', 'mask:1')],
          [('tied', ['mask:0'], 'Mask'), ('tied', ['mask:1'], 'Mask'), ('tied', ['x:1'], 'Mask')], 'the mask')
    equal((got['x:2']['verdict'], got['x:2']['bounds']), ('tied', ['x:2 = 1 or 8']), 'the table')
    code, found = asked(content, findings)
    check(code == 0 and any('seq and total must be equal, or one of them 1' in f['message'] for f in found), found)


def test_an_axis_that_must_equal_a_size_of_data():
    content = made([node('NonZero', 'm', 'i', 'NonZero'), node('Transpose', 'i', 't', 'T'),
                    node('Cast', 't', 'f', 'Cast', to=1), node('Concat', 'x f', 'y', 'Join', axis=1)],
                   [floats('x', 'n', 3), floats('m', 'a', 'b')], [value('y')])
    got = asked(content, axes)
    equal((got['x:0']['verdict'], got['x:0']['by']['node'], len(got['x:0']['equal'])), ('data-dependent', 'Join', 1),
          'the joined axis')
    equal(got['m:0']['verdict'], 'free', 'the mask')


def test_a_reshape_that_runs_for_no_elements_is_no_error():
    def levels(dim):
        return [f['level'] for f in asked(made([node('Reshape', 'x s', 'y', 'R')], [floats('x', dim)], [value('y')],
                                               [int_tensor('s', [3], [0, 3, 3])]), findings)[1]]
    equal(levels('N'), ['error'], 'impossible for every size of at least 1')
    equal(levels(2), ['error'], 'never possible')
    equal(levels(0), [], 'no elements')


def reasons(content):
    return {f['level']: f['why'] for f in asked(content, findings)[1]}


def test_findings_say_why():
    pinned = made([node('Transpose', 'x', 't', 'T', perm=[0, 2, 1]), node('Relu', 't', 'r', 'R'),
                   node('Add', 'r r', 'a', 'A'), node('Reshape', 'a s', 'y', 'Flat')],
                  [floats('x', 'batch', 4, 5)], [floats('y', 'batch', 20)], [int_tensor('s', [2], [3, 20])])
    equal(reasons(pinned), {'loss': ['y[0] = 3  by Reshape Flat', '  s{0} = 3  a constant of the file'],
                            'pin': ['a[0] = batch  by Add A', '  x[0] = batch  an input, unchanged through 2 nodes',
                                    's{0} = 3  a constant of the file']}, 'a pin and what is lost by it')
    joined = made([node('Relu', 'x', 'r', 'R'), node('Concat', 'r z', 'y', 'C', axis=1)],
                  [floats('x', 'a', 3), floats('z', 'b', 3)], [value('y')])
    equal(reasons(joined), {'merge': ['r[0] = a  by Relu R', '  x[0] = a  an input', 'z[0] = b  an input']}, 'both sides')
    added = made([node('Relu', 'x', 'r', 'R'), node('Add', 'r w', 'y', 'A')],
                 [floats('x', 'batch', 3)], [value('y')], [table('w', 3, 3)])
    equal(reasons(added), {'soft': ['r[0] = batch  by Relu R', '  x[0] = batch  an input',
                                    'w[0] = 3  a constant of the file']}, 'broadcast')
    split = made([node('Reshape', 'x s', 'y', 'R')], [floats('x', 'a')], [value('y')], [int_tensor('s', [2], [-1, 7])])
    equal(reasons(split), {'divisible': ['x[0] = a  an input', 's{1} = 7  a constant of the file']}, 'parts')
    wrong = made([node('Relu', 'x', 'r', 'R'), node('MatMul', 'r w', 'y', 'M')],
                 [floats('x', 'a', 3)], [value('y')], [table('w', 4, 6)])
    equal(reasons(wrong), {'error': ['r[1] = 3  by Relu R', '  x[1] = 3  an input',
                                     'w[0] = 4  a constant of the file']}, 'an error')
    lines = reasons(ranged_table())['bound']
    check(any('{largest} = seq - 1' in line for line in lines), lines)
    check(any('x[1] = seq  an input' in line for line in lines) and lines[-1] == 'table[0] = 512  a constant of the file', lines)


def test_consequences_follow_their_root():
    """Each wrong MatMul has a wrong Gemm behind it; the roots are indices in the list as it is printed."""
    nodes = []
    for i in range(60):
        nodes += [node('MatMul', ['x', f'w{i}'], [f'm{i}'], f'M{i}'), node('Gemm', [f'm{i}', f'b{i}'], [f'a{i}'], f'A{i}')]
    weights = [table(f'w{i}', 4, 6) for i in range(60)] + [table(f'b{i}', 7, 2) for i in range(60)]
    content = made(nodes, [floats('x', 'a', 3)], [value('a0')], weights)
    found = asked(content, lambda path: json.loads(run('check', '--json', path)[1]))['findings']
    equal((len(found), sum(f['root'] is None for f in found)), (120, 60), 'errors and their consequences')
    for i, f in enumerate(found):
        check(f['root'] is None or (0 <= f['root'] < i and found[f['root']]['root'] is None), f'{i}: {f}')


def test_reasons_are_short():
    nodes, last = [], 'x'
    for i in range(40):
        nodes += [node('Concat', [last, last], [f'c{i}'], f'C{i}', axis=0)]
        last = f'c{i}'
    content = made([*nodes, node('Add', [last, 'w'], ['y'], 'A')], [floats('x', 'a')], [floats('y', 3)], [table('w', 2)])
    for level, why in reasons(content).items():
        check(0 < len(why) <= 40, f'{level}: {why}')


def test_explain_needs_no_inputs_that_are_missing():
    content = made([node('Conv', [], ['y'], 'N')], [], [floats('y', 1, 2, 3)])
    code, out, err = asked(content, lambda path: run('explain', path, 'y:0'))
    check(code == 0 and out.startswith(b'y[0] = 1'), (code, out, err))


def test_lines_are_broken_between_words_on_a_terminal_only():
    def lines(path):
        return on_terminal(60, 'check', path), run('check', path)[1].decode().splitlines()
    content = made([node('Reshape', 'x s', 'y', 'a_rather_long_name_of_a_node')], [floats('x', 'batch', 20)],
                   [floats('y', 3, 20)], [int_tensor('s', [2], [3, 20])])
    seen, piped = asked(content, lines)
    equal(len(piped), 4, f'the finding, two causes, a repair: {piped}')
    do = [line for line in seen if line.strip().startswith('do: ')]
    check(len(seen) > 4 and all(len(line) <= 60 for line in seen if line not in do), seen)
    equal(do, piped[-1:], 'a command to paste is whole, whatever the width')
    equal(' '.join(' '.join(seen).split()), ' '.join(' '.join(piped).split()), 'the same words')
    equal([line.strip() for line in seen[-3:-1]], ['x[0] = batch  an input', 's{0} = 3  a constant of the file'], 'why')
    check(re.fullmatch(r' {15}do: axed repair \S+ x:0 -o OUT', do[0]), do)
    check(all(line.startswith(' ' * 13) for line in seen[1:]), f'hanging: {seen}')
    rows = asked(content, lambda path: on_terminal(50, 'axes', path))
    check(all(len(line) <= 50 for line in rows) and len(rows) > 2 and rows[1].startswith(' ' * 6), rows)


def test_a_claim_that_may_hold_is_not_stale():
    """A length that the graph computes twice, in ways that no prover sees to be the same: 4*L/L' is 4."""
    nodes = [node('MaxPool', 'x', 'a', 'Tens', kernel_shape=[10], strides=[10]),
             node('MaxPool', 'a', 'b', 'Halves', kernel_shape=[3], strides=[2]),
             node('Shape', 'x', 'n', 'Samples', start=2, end=3), node('Div', 'n ten', 'tens', 'Div_1'),
             node('Sub', 'tens three', 'less', 'Sub'), node('Div', 'less two', 'halves', 'Div_2'),
             node('Add', 'halves one', 'length', 'Length'), node('Concat', 'zero length rest', 's', 'Shape', axis=0),
             node('Reshape', 'b s', 'v', 'View'), node('Relu', 'v', 'y', 'Relu')]
    numbers = {'ten': 10, 'three': 3, 'two': 2, 'one': 1, 'zero': 0, 'rest': -1}
    inputs, outputs = [floats('x', 'batch', 4, 'samples')], [value('y')]
    initializers = [int_tensor(name, [1], [n]) for name, n in numbers.items()]

    def levels(claim):
        content = bytes(build.model(graph('g', nodes, inputs, outputs, initializers, [floats('v', 'batch', None, claim)])))
        return [(f['level'], f['node']) for f in asked(content, findings)[1]]
    equal(levels(4), [('divisible', 'View'), ('bound', 'Tens')], 'true at every size')
    equal(levels(5)[0], ('stale', 'View'), 'another number')
    equal(levels('batch')[0][0], 'merge', 'a name')


def test_what_can_be_done_is_offered_when_it_works():
    def repairs(*words):
        return [(f['level'], f['repairs']) for f in json.loads(run('check', '--json', *words)[1])['findings']]
    equal(repairs(model('pinned_reshape.onnx')), [('pin', ['repair input:0']), ('loss', ['repair input:0'])], 'a pin, the most severe first')
    stale = made([node('Relu', 'x', 'y', 'relu')], [floats('x', 'batch', 4)], [floats('y', 3, 4)])
    equal(asked(stale, repairs), [('stale', ['set y:0=batch'])], 'a stale claim')
    first, second = 'n' * 100 + '1', 'n' * 100 + '2'
    both = made([node('Reshape', 'x s', 'y', 'A'), node('Reshape', 'z t', 'w', 'B')],
                [floats('x', first, 4), floats('z', second, 4)], [value('y'), value('w')],
                [int_tensor('s', [2], [3, 4]), int_tensor('t', [2], [5, 4])])
    equal(asked(both, repairs), [('pin', ['repair x:0']), ('pin', ['repair z:0'])], 'names that begin alike')
    zoo = os.path.join(tap.TOP, 'tests', 'repair', 'zoo', 'rnn_unequal.onnx')
    equal([r for level, r in repairs(zoo) if level == 'pin'], [[]], 'what cannot be freed is not offered')


def test_a_repair_of_many_places_is_tried_but_not_any_number_of_repairs():
    def printed(content, what):
        code, out, err = asked(content, lambda path: run('check', path))
        equal(code, 1, f'{what}: {err!r}')
        return [re.sub(r'axed repair \S+', 'axed repair MODEL', line.strip()) for line in out.decode().splitlines()]

    def places(count):
        nodes = [node('Reshape', 'x s', f'y{i}', f'R{i}') for i in range(count)]
        return made(nodes, [floats('x', 'batch', 4)], [value(f'y{i}') for i in range(count)], [int_tensor('s', [2], [3, 4])])

    def pins(count):
        nodes = [node('Reshape', f'x{i} s', f'y{i}', f'R{i}') for i in range(count)]
        return made(nodes, [floats(f'x{i}', f'n{i}', 4) for i in range(count)], [value(f'y{i}') for i in range(count)],
                    [int_tensor('s', [2], [3, 4])])

    equal(printed(places(320), 'many places')[-1:], ['do: axed repair MODEL x:0 -o OUT'], 'many places')
    lines = printed(pins(400), 'many pins')
    check('try: axed repair MODEL x399:0 -o OUT' in lines, lines[-3:])
    equal(lines[-1], 'lines after "try:" need many changes, and were not tried', 'the rest')


def test_values_in_functions_are_what_all_calls_agree_on():
    def inside(*inputs):
        calls = [node('f', [f'x{i}'], [f'y{i}'], f'call{i}', 'local') for i in range(len(inputs))]
        f = function('local', 'f', 'a', 'c', [node('Relu', 'a', 'b'), node('Transpose', 'b', 'c')], {'': 17})
        content = made(calls, [floats(f'x{i}', *dims) for i, dims in enumerate(inputs)],
                       [value(f'y{i}') for i in range(len(inputs))], functions=[f], opset={'': 17, 'local': 1})
        code, out, err = asked(content, lambda path: run('shapes', '--json', path))
        return {t['name']: t['shape'] for t in json.loads(out)['tensors'] if t['graph'] == 'local::f::'}
    equal(inside(('n', 3), ('n', 3)), {'a': ['n', 3], 'b': ['n', 3], 'c': [3, 'n']}, 'all alike')
    equal(inside(('n', 3), ('n', 4)), {'a': ['n', None], 'b': ['n', None], 'c': [None, 'n']}, 'one axis differs')
    equal(inside(('n', 3), ('n', 3, 1)), {'a': None, 'b': None, 'c': None}, 'ranks differ')
    equal(inside(), {'a': None, 'b': None, 'c': None}, 'never called')


def test_symbols_must_equal_only_what_they_must():
    content = made([node('Add', 'x w', 'y', 'A')], [floats('x', 'batch')], [value('y')], [table('w', 3)])
    code, out, err = asked(content, lambda path: run('symbols', path))
    check(b'must equal' not in out, out)


def constants(*initializers, level='error', **files):
    """The errors of a model with these constants, and with these files beside it."""
    content = made([node('Relu', 'x', 'y', 'R')], [floats('x', 'n')], [floats('y', 'n')], initializers)
    with tap.folder() as folder:
        for name, text in {'model.onnx': content, **files}.items():
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(text)
        return [f['message'] for f in findings(os.path.join(folder, 'model.onnx'))[1] if f['level'] == level]


def test_a_constant_without_data_is_an_error_once():
    equal(constants(tensor('w', build.FLOAT, [2, 3]), tensor('v', build.INT64, [2])), ['the initializer has no data'], 'two')
    equal(constants(tensor('w', build.FLOAT, [0])), [], 'no elements')
    equal(constants(tensor('w', build.FLOAT, [3], build.data(4, struct.pack('<2f', 1, 2)))),
          ['the initializer has 8 bytes, its shape needs 12'], 'two floats of three')


def test_external_data_is_measured_and_missed():
    def outside(location, level='error', **rest):
        tensors = [build.external_tensor(name, build.FLOAT, [3], location, **rest) for name in 'vw']
        return constants(*tensors, level=level, weights=bytes(12))
    equal(outside('weights'), [], 'as long as it must be')
    equal(outside('elsewhere'), [], 'a model without its weights')
    equal(outside('elsewhere', 'missing'), ["external data 'elsewhere' cannot be opened: No such file or directory"], 'told once')
    equal(outside('a/../weights'), [], 'dots that lead back')
    equal(outside('weights', offset=4, length=12),
          ['its external data ends past the end of the file: 16 bytes, but it has 12'], 'the end')
    equal(outside('weights', length=8), ['the initializer has 8 bytes, its shape needs 12'] * 2, 'the length')
    equal(outside('weights', offset='x'), ['the offset or length of its external data is not a number'] * 2, 'the offset')
    equal(outside('../weights'), ["external data '../weights' leads out of the model's folder"], 'out')


def test_external_data_of_attributes_is_looked_at_too():
    def outside(location, level='error', inside=False, **rest):
        """The findings of a Constant, or of one in a branch."""
        data = build.external_tensor('', build.FLOAT, [3], location, **rest)
        constant = node('Constant', '', 'c', 'C', value=data)
        nodes = [constant, node('Add', 'x c', 'y', 'A')]
        if inside:
            branch = graph('b', [constant], [], [floats('c', 3)])
            nodes = [node('If', 'p', 'c2', 'I', then_branch=branch, else_branch=branch), node('Add', 'x c2', 'y', 'A')]
        more = [value('p', build.tensor_type(build.BOOL, []))] if inside else []
        content = made(nodes, [floats('x', 'n', 3), *more], [floats('y', 'n', 3)])
        with tap.folder() as folder:
            path = os.path.join(folder, 'model.onnx')
            for name, text in ((path, content), (os.path.join(folder, 'weights'), bytes(12))):
                with open(name, 'wb') as file:
                    file.write(text)
            return [(f['op'], f['node'], f['message']) for f in findings(path)[1] if f['level'] == level]
    equal(outside('weights'), [], 'as long as it must be')
    equal(outside('elsewhere'), [], 'a model without its weights')
    gone = "external data 'elsewhere' cannot be opened: No such file or directory"
    equal(outside('elsewhere', 'missing'), [('Constant', 'C', gone)], 'missing')
    equal(outside('elsewhere', 'missing', inside=True), [('Constant', 'C', gone)], 'in a branch, told once')
    equal(outside('weights', offset=4, length=12),
          [('Constant', 'C', 'its external data ends past the end of the file: 16 bytes, but it has 12')], 'the end')
    equal(outside('weights', length=8), [('Constant', 'C', 'its external data has 8 bytes, its shape needs 12')], 'the length')
    equal(outside('weights', offset='x'),
          [('Constant', 'C', 'the offset or length of its external data is not a number')], 'the offset')
    equal(outside('../weights'), [('Constant', 'C', "external data '../weights' leads out of the model's folder")], 'out')


def test_constants_defined_twice_have_shapes_and_one_finding():
    twice = [float_tensor(n, [2], [1, 2]) for n in 'ababab']
    equal(constants(*twice), ["'a' is defined twice, and so are 3 others"], 'check')
    content = made([node('Relu', 'x', 'y', 'R')], [floats('x', 'n')], [floats('y', 'n')], twice)
    check(b'?' not in asked(content, lambda path: run('shapes', path))[1], 'shapes')


tap.main(globals())
