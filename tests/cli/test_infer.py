"""axed shapes, check, axes, symbols, explain: what they say and how they exit."""

import json
import os

import tap
from tap import check, equal, model, run


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
    equal(code, 1, 'not met')
    check(b'found batch_size' in err, err)
    equal(run('check', model('pinned_reshape.onnx'), '--fail-on', 'error')[0], 0, 'a pin is no error')
    code, out, err = run('check', path, '--fail-on', 'everything')
    equal(code, 2, 'no such level')
    code, out, err = run('check', path, '--expect', 'outptu:0=8')
    check(code == 2 and b'did you mean output?' in err, err)


def test_bindings_are_checked():
    for words, part in ((['--bind', 'nothing=3'], b"no symbol 'nothing'"), (['--bind', 'batch_size=-1'], b'from 0'),
                        (['--bind', 'batch_size'], b'NAME=N')):
        code, out, err = run('shapes', model('dynamic_rnn.onnx'), *words)
        check(code == 2 and part in err, f'{words}: {code} {err!r}')


def test_named_tensors_only_and_they_must_be_there():
    got = shapes(model('dynamic_rnn.onnx'), 'output')
    equal(list(got), ['output'], 'one tensor')
    code, out, err = run('shapes', model('dynamic_rnn.onnx'), 'outptu')
    check(code == 2 and out == b'' and b'did you mean output?' in err, err)


def test_claims_fill_and_are_compared():
    code, found = findings(model('initializer_input.onnx'))
    equal(code, 1, 'an input that disagrees with its initializer')
    check(any(f['level'] == 'error' for f in found), found)
    code, found = findings(model('custom_op.onnx'))
    check(sum(f['level'] == 'unsupported' for f in found) >= 1, f'operators nobody knows: {found}')


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


tap.main(globals())
