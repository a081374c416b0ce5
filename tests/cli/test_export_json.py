"""axed export to JSON: one document that agrees with the model and with show, shapes, symbols and check."""

import glob
import json
import os
import sys

import tap
from tap import check, equal, model, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

CHAIN = b.model(b.graph('g', [b.node('Relu', 'x', 'a', name='/enc/one/Relu'), b.node('Abs', 'a', 'h', name='/enc/two/Abs'),
                              b.node('Neg', 'h', 'c', name='/dec/Neg'), b.node('Add', 'c w', 'y', name='/dec/Add')],
                        [b.floats('x', 'N', 4)], [b.floats('y', 'N', 4)],
                        [b.int_tensor('w', [4], [1, 2, 3, 4]), b.int_tensor('v', [2], [7, 8])]))


def models():
    found = [p for p in sorted(glob.glob(model('*.onnx'))) if not p.endswith('too_deep.onnx')]
    return found + sorted(glob.glob(os.path.join(tap.SHARED, 'models', '*.onnx')))


def document(path, *words, stdin=b''):
    code, out, err = run('export', path, '-o', '-', '--format', 'json', *words, stdin=stdin)
    equal((code, err), (0, b''), f'{path} {words}')
    check(not any(c < 32 and c != 10 for c in out), f'{path}: raw control characters')
    return json.loads(out)


def told(command, path, *words):
    return json.loads(run(command, '--json', path, *words)[1])


def test_it_agrees_with_the_other_commands():
    for path in models():
        d, shown = document(path), told('show', path)
        for key in ('model', 'bytes', 'ir_version', 'opsets', 'producer', 'producer_version', 'domain', 'model_version', 'inputs',
                    'outputs', 'metadata', 'flaws', 'flaw_count'):
            equal(d[key], shown[key], f'{path}: {key}')
        equal(len(d['nodes']), shown['nodes'], f'{path}: nodes')
        equal([(g['graph'], g['kind'], g['name'], len(g['inputs']), len(g['outputs'])) for g in d['graphs']],
              [(g['graph'], g['kind'], g['name'], g['inputs'], g['outputs']) for g in shown['graphs']], f'{path}: graphs')
        equal(len(d['functions']), shown['functions'], f'{path}: functions')
        equal(len(d['constants']), shown['initializers']['inline'] + shown['initializers']['external'], f'{path}: constants')
        equal(sum(c['bytes'] for c in d['constants']), shown['initializers']['inline_bytes'] + shown['initializers']['external_bytes'],
              f'{path}: bytes')
        equal(d['tensors'], told('shapes', path)['tensors'], f'{path}: tensors')
        equal(d['symbols'], told('symbols', path)['symbols'], f'{path}: symbols')
        found = told('check', path)
        equal((d['findings'], d['finding_count']), (found['findings'], found['count']), f'{path}: findings')


def test_nodes_are_whole():
    for path in models():
        d = document(path)
        known = {(t['graph'], t['name']) for t in d['tensors']}
        graphs = {g['graph'] for g in d['graphs']}
        for node in d['nodes']:
            check(node['graph'] in graphs, f'{path}: {node["name"]} is in {node["graph"]}')
            check(node.get('version', 1) >= 1, f'{path}: {node["name"]} is of version {node.get("version")}')
            for name in node['outputs']:
                check(not name or (node['graph'], name) in known, f'{path}: {name!r} is no tensor')
            for a in node['attributes']:
                if a['type'] == 'graph' and 'ref' not in a:
                    check(a['value'] in graphs, f'{path}: body {a["value"]}')
        for graph in graphs:
            indices = [n['index'] for n in d['nodes'] if n['graph'] == graph]
            equal(indices, list(range(len(indices))), f'{path}: {graph}: order')


def test_values():
    d = document('-', stdin=CHAIN)
    equal([(n['name'], n['op'], n['scope'], n['inputs'], n['outputs']) for n in d['nodes']],
          [('/enc/one/Relu', 'Relu', '/enc/one', ['x'], ['a']), ('/enc/two/Abs', 'Abs', '/enc/two', ['a'], ['h']),
           ('/dec/Neg', 'Neg', '/dec', ['h'], ['c']), ('/dec/Add', 'Add', '/dec', ['c', 'w'], ['y'])], 'nodes')
    equal([(c['name'], c['elem'], c['dims'], c['values'], c['stored'], c['bytes'] > 0) for c in d['constants']],
          [('w', 'int64', [4], [1, 2, 3, 4], 'model', True), ('v', 'int64', [2], [7, 8], 'model', True)], 'constants')
    equal((d['format'], d['version'], d['part'], d['bindings']), ('axed', 2, False, []), 'the head')
    outside = document(model('external.onnx'))['constants']
    check(any(c['stored'] == 'external' and c['location'] and c['values'] is None for c in outside), outside)


def test_attributes():
    d = document(model('attributes.onnx'))
    attributes = {a['name']: a for n in d['nodes'] for a in n['attributes']}
    kinds = {a['type'] for a in attributes.values()}
    check({'int', 'float', 'string', 'ints', 'floats', 'strings', 'tensor'} <= kinds, kinds)
    big = [a for n in document(model('attributes_big.onnx'))['nodes'] for a in n['attributes']]
    check(any('count' in a or 'bytes' in a for a in big), 'large ones are cut, and say so')
    check(all(len(json.dumps(a)) < 300000 for a in big), 'and are not large any more')


def test_bind():
    path = model('demo.onnx')
    d = document(path, '--bind', 'batch=3', '-b', 'seq=7')
    equal(d['bindings'], [{'name': 'batch', 'size': 3}, {'name': 'seq', 'size': 7}], 'what was bound')
    equal(d['tensors'], told('shapes', path, '--bind', 'batch=3', '--bind', 'seq=7')['tensors'], 'shapes')
    check(all(isinstance(n, int) for t in d['tensors'] if t['shape'] for n in t['shape']), 'numbers')


def names(*words):
    d = document('-', *words, stdin=CHAIN)
    return [n['op'] for n in d['nodes']], [t['name'] for t in d['tensors']], [c['name'] for c in d['constants']], d['part']


def test_parts():
    equal(names('--focus', '/enc/two/Abs', '--hops', '1'), (['Relu', 'Abs', 'Neg'], ['x', 'a', 'h', 'c'], [], True), 'near')
    equal(names('--focus', '/enc/one/Relu', '--path', '/dec/Neg')[0], ['Relu', 'Abs', 'Neg'], 'between')
    ops, tensors, constants, part = names('--scope', '/dec')
    check({'Neg', 'Add'} <= set(ops) and 'Relu' not in ops and part, ops)
    equal(constants, ['w'], 'the constant that it reads')
    path = model('pinned_reshape.onnx')
    whole, some = document(path), document(path, '--focus', '/Reshape', '--hops', '1')
    check(0 < len(some['nodes']) < len(whole['nodes']), 'fewer nodes')
    equal(some['findings'], [f for f in whole['findings'] if f['node'] in {n['name'] for n in some['nodes']}], 'their findings')
    check('Constant' in {n['op'] for n in some['nodes']}, 'constants are there with their readers')
    inside = document(model('nested.onnx'), '--focus', 'walk', '--hops', '1')
    equal({n['graph'] for n in inside['nodes']}, {n['graph'] for n in document(model('nested.onnx'))['nodes']}, 'bodies and functions come along')
    equal({g['graph'] for g in document(model('nested.onnx'), '--focus', 'clip', '--path', 'clip')['graphs']}, {''}, 'others do not')


def test_hostile_names():
    wild = [b'"', b'\\', b'\x1b[2J', b'\xff\xfe', b'</script>', '\u202e'.encode(), b'a\nb']
    data = b.model(b.graph('g', [b.node('Relu', [n], [b'o' + n], name=n) for n in wild],
                           [b.value(n, b.tensor_type(b.FLOAT, [b.dim(n)])) for n in wild],
                           [b.value(b'o' + n, b.tensor_type(b.FLOAT, [])) for n in wild]))
    d = document('-', stdin=data)
    equal([n['name'] for n in d['nodes']], ['"', '\\', '\x1b[2J', '\\xff\\xfe', '</script>', '\u202e', 'a\nb'], 'names')


def test_refusals():
    for words, part in ((('--engine', 'dot'), b'json does not support --engine dot'), (('--scope', '/none'), b"no scope '/none'"),
                        (('--focus', 'none'), b"no node 'none'")):
        code, out, err = run('export', '--demo', '-o', '-', '--format', 'json', *words)
        equal((code, out, err.count(b'\n')), (2, b'', 1), words)
        check(part in err, err)


tap.main(globals())
