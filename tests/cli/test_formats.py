"""axed check --format: text as on a terminal, JSON, annotations of GitHub, SARIF."""

import glob
import json
import os
import re
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
import build
import tap
from build import floats, graph, int_tensor, node
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
PINNED, LINEAR, DEMO = (model(name + '.onnx') for name in ('pinned_reshape', 'dynamic_linear', 'demo'))
SCRATCH = tempfile.TemporaryDirectory(prefix='axed-test-')
LEVELS = tap.rows('infer/findings.def', r'LEVEL\((?:\w+), "(\w+)"')
GRAVITIES = dict(tap.rows('infer/findings.def', r'LEVEL\((?:\w+), "(\w+)", (\w+)'))
GITHUB = {'PROBLEM': 'error', 'WARNING': 'warning', 'NOTE': 'notice'}
SARIF = {'PROBLEM': 'error', 'WARNING': 'warning', 'NOTE': 'note'}


def written(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def hostile():
    """Names that could end an annotation, or start another one."""
    name = 'a,b::c%0A\n::error::x\r'
    return written('x,y:%z.onnx', build.model(graph(
        'hostile', [build.node('Reshape', 'x shape', 'y', name)], [floats('x', 'batch', 4)], [floats('y', 3, 2, 2)],
        [int_tensor('shape', [3], [3, 2, 2])])))


def broken():
    """An error with consequences: what reads its output."""
    return written('broken.onnx', build.model(graph(
        'broken', [node('Concat', 'a b', 't', 'join', axis=0), node('Concat', 't a', 'y', 'again', axis=0)],
        [floats('a', 2, 3), floats('b', 2, 4)], [floats('y', None, None)])))


def findings(path):
    return json.loads(run('check', path, '--json')[1])['findings']


def unescaped(text):
    return text.replace('%3A', ':').replace('%2C', ',').replace('%0D', '\r').replace('%0A', '\n').replace('%25', '%')


def sarif(*paths, code=None):
    done, out, err = run('check', *paths, '--format', 'sarif')
    check(code is None or done == code, f'{paths}: {done} {err}')
    return json.loads(out)


def test_formats_are_named():
    equal(run('check', PINNED, '--format', 'text'), run('check', PINNED), 'text')
    equal(run('check', PINNED, '--format=json'), run('check', PINNED, '--json'), 'json')
    equal(run('check', PINNED, '--format=json', '--json'), run('check', PINNED, '--json'), 'both')
    equal(run('check', PINNED, '--format', 'xml'),
          (2, b'', b"axed: --format must be text, json, github or sarif, not 'xml'\n"), 'an unknown one')
    equal(run('check', PINNED, LINEAR, '--format', 'svg')[0::2],
          (2, b"axed: --format must be text, json, github or sarif, not 'svg'\n"), 'one of export, told once')
    equal(run('check', PINNED, '--format', 'sarif', '--json')[0], 2, 'two formats')
    equal(run('export', PINNED, '-o', '-', '--format', 'sarif')[0], 2, 'export has its own')
    equal(run('check', LINEAR)[:2], (0, b'no problems\n'), 'no problems')
    for form in ('text', 'json', 'github', 'sarif'):
        equal(run('check', PINNED, '--format', form)[0], 1, f'{form}: the exit code')
        equal(run('check', PINNED, '--format', form, '--fail-on', 'error')[0], 0, f'{form}: --fail-on')


def test_annotations_of_github():
    code, out, err = run('check', PINNED, '--format', 'github')
    equal((code, err), (1, b''), 'the exit code')
    lines = out.decode().splitlines()
    equal([line.split('::', 2)[1] for line in lines],
          [f'{GITHUB[GRAVITIES[f["level"]]]} file={PINNED},title=axed%3A {f["level"]}' for f in findings(PINNED)], 'heads')
    equal(lines[0].split('::', 2)[2],
          'Reshape /Reshape: batch_size can only be 3: 10*batch_size elements in, 30 out; the constant is '
          '/Constant_output_0%0A  input[0] = batch_size  an input%0A  /Constant_output_0{0} = 3  a constant of the file'
          '%0Ado: repair input:0', 'the message')
    equal(run('check', LINEAR, '--format', 'github'), (0, b'', b''), 'no problems')
    code, out, err = run('check', PINNED, LINEAR, DEMO, '--format', 'github')
    check(all(line.startswith('::') for line in out.decode().splitlines()), 'no headings between models')
    equal(out.count(b'\n'), len(findings(PINNED) + findings(DEMO)), 'all models')


def test_annotations_cannot_be_broken():
    path = hostile()
    code, out, err = run('check', path, '--format', 'github')
    lines = out.decode().splitlines()
    equal(len(lines), len(findings(path)), 'a line for each')
    for line in lines:
        found = re.fullmatch(r'::(error|warning|notice) file=([^:,]*),title=([^:,]*)::(.*)', line)
        if check(found, line):
            equal(unescaped(found[2]), path, 'the file')
            check(not re.search('[\r\n]', found[4]), line)
    check('a,b::c%250A\\n::error::x\\r' in lines[0], lines[0])


def test_consequences_are_lines_of_their_cause():
    path = broken()
    found = findings(path)
    roots = [f for f in found if f['root'] is None]
    check(len(roots) < len(found) or len(found) == 1, found)
    lines = run('check', path, '--format', 'github')[1].decode().splitlines()
    equal(len(lines), len(roots), 'one annotation for one cause')
    results = sarif(path)['runs'][0]['results']
    equal(len(results), len(roots), 'one result for one cause')
    for f in found:
        check(any(f['message'] in unescaped(line) for line in lines), f'{f["message"]} is not in {lines}')
        check(any(f['message'] in r['message']['text'] for r in results), f'{f["message"]} is not in {results}')


def place_of(result):
    return result['locations'][0]['physicalLocation']['artifactLocation']['uri']


def check_sarif(document, what):
    """The structure that the standard requires, and what GitHub's code scanning reads."""
    equal(sorted(document), ['$schema', 'runs', 'version'], f'{what}: keys')
    equal(document['version'], '2.1.0', f'{what}: version')
    check(document['$schema'].endswith('/sarif-schema-2.1.0.json'), f'{what}: schema')
    equal(len(document['runs']), 1, f'{what}: one run')
    driver = document['runs'][0]['tool']['driver']
    equal((driver['name'], driver['version']), ('axed', run('--version')[1].decode().split()[1]), f'{what}: the tool')
    equal([rule['id'] for rule in driver['rules']], LEVELS, f'{what}: a rule for each level')
    for rule in driver['rules']:
        equal(rule['defaultConfiguration'], {'level': SARIF[GRAVITIES[rule['id']]]}, f'{what}: {rule["id"]}')
        check(rule['shortDescription']['text'] and rule['fullDescription']['text'], f'{what}: {rule}')
    prints = [(place_of(r), r['ruleId'], r['partialFingerprints']['primaryLocationLineHash']) for r in document['runs'][0]['results']]
    equal(len(set(prints)), len(prints), f'{what}: results that GitHub would take for one')
    check(all(re.fullmatch('[0-9a-f]{16}:[0-9]+', p[2]) for p in prints), f'{what}: {prints}')
    for result in document['runs'][0]['results']:
        equal(driver['rules'][result['ruleIndex']]['id'], result['ruleId'], f'{what}: the rule')
        check(result['level'] in ('error', 'warning', 'note') and result['message']['text'], f'{what}: {result}')
        equal(len(result['locations']), 1, f'{what}: locations')
        place = result['locations'][0]
        uri = place['physicalLocation']['artifactLocation']['uri']
        check(re.fullmatch(r'[A-Za-z0-9._~/%-]+|file:///[A-Za-z0-9._~/%-]+', uri), f'{what}: {uri}')
        equal(place['physicalLocation']['region'], {'startLine': 1}, f'{what}: region')
        for logical in place.get('logicalLocations', []):
            check(logical['name'] and logical['fullyQualifiedName'].endswith(logical['name']), f'{what}: {logical}')
    return document['runs'][0]['results']


def test_sarif():
    results = check_sarif(sarif(PINNED, code=1), 'pinned')
    for result, f in zip(results, findings(PINNED)):
        equal((result['ruleId'], result['level']), (f['level'], SARIF[GRAVITIES[f['level']]]), 'levels')
        check(f['message'] in result['message']['text'] and all(w in result['message']['text'] for w in f['why']), result)
        check(all('\ndo: ' + r in result['message']['text'] for r in f['repairs']), result)
        equal(result['locations'][0]['logicalLocations'][0]['name'], f['node'], 'the node')
        equal(result['properties'], {k: v for k, v in f.items() if k not in ('root', 'why', 'repairs')}, 'properties')
        equal(urllib.parse.unquote(result['locations'][0]['physicalLocation']['artifactLocation']['uri']),
              'file://' + PINNED, 'an absolute path')
    equal(check_sarif(sarif(LINEAR, code=0), 'no problems'), [], 'no problems')
    code, out, err = run('check', 'pinned_reshape.onnx', '--format', 'sarif', cwd=tap.MODELS)
    equal(check_sarif(json.loads(out), 'relative')[0]['locations'][0]['physicalLocation']['artifactLocation']['uri'],
          'pinned_reshape.onnx', 'a relative path')
    moved = written('moved.onnx', tap.read(PINNED))
    equal([r['partialFingerprints'] for r in check_sarif(sarif(moved), 'moved')], [r['partialFingerprints'] for r in results],
          'the same in another file, and in every run')
    path = hostile()
    uri = check_sarif(sarif(path), 'hostile')[0]['locations'][0]['physicalLocation']['artifactLocation']['uri']
    equal(urllib.parse.unquote(uri), 'file://' + path, 'a name with special characters')


def test_sarif_of_many_models_is_one_document():
    alone = [r for path in (PINNED, LINEAR, DEMO) for r in sarif(path)['runs'][0]['results']]
    for options in ([], ['-j', '3']):
        document = sarif(PINNED, LINEAR, DEMO, *options, code=1)
        equal(check_sarif(document, 'many'), alone, f'{options}: the results of each, in order')
    document = sarif(LINEAR, PINNED, '/no/such.onnx', DEMO, code=2)
    equal(check_sarif(document, 'one cannot be read'), alone, 'the others')
    equal(check_sarif(sarif('/no/such.onnx', code=2), 'none'), [], 'none')
    paths = [p for p in sorted(glob.glob(model('*.onnx'))) if not p.endswith('too_deep.onnx')]
    check(len(check_sarif(sarif(*paths), 'all')) > 10, 'all models of the tests')


def test_expectations_are_findings():
    wanted = ['--expect', 'input:0=7', '--expect', 'input:0=batch_size', '--expect', 'output:0=2']
    code, out, err = run('check', LINEAR, *wanted, '--format', 'github')
    equal((code, err), (1, b''), 'github')
    lines = out.decode().splitlines()
    equal([line.split('%0A')[0] for line in lines],
          [f'::error file={LINEAR},title=axed%3A expect::{name}: axis 0: expected {size}, found batch_size'
           for name, size in (('input', 7), ('output', 2))], 'annotations')
    code, out, err = run('check', LINEAR, *wanted, '--format', 'sarif')
    equal((code, err), (1, b''), 'sarif')
    results = check_sarif(json.loads(out), 'expectations')
    equal([(r['ruleId'], r['level'], r['locations'][0]['logicalLocations'][0]['name']) for r in results],
          [('expect', 'error', 'input'), ('expect', 'error', 'output')], 'results')
    twice = json.loads(run('check', LINEAR, *wanted, *wanted, '--format', 'sarif')[1])
    equal(len(check_sarif(twice, 'twice')), 4, 'each with its own fingerprint')
    code, out, err = run('check', LINEAR, PINNED, '--expect', 'inptu:0=7', '--format', 'sarif')
    equal((code, len(check_sarif(json.loads(out), 'no such tensor'))), (2, len(findings(PINNED))), 'findings are told all the same')
    for axis in (2, 5, -3):
        code, out, err = run('check', LINEAR, '--expect', f'input:{axis}=batch', '--json')
        [found] = json.loads(out)['findings']
        equal((code, err, found['level'], found['message']), (1, b'', 'expect', f'axis {axis}: expected batch, but the rank is 2'), 'out of range')


def test_every_object_has_a_version():
    with tap.folder() as folder:
        recipe = os.path.join(folder, 'recipe')
        with open(recipe, 'w', encoding='utf-8') as file:
            file.write('set batch=N\n')
        for words in (['show', DEMO], ['shapes', DEMO], ['check', DEMO], ['axes', DEMO], ['symbols', DEMO],
                      ['explain', DEMO, 'logits'], ['diff', DEMO, LINEAR], ['set', DEMO, 'batch=N', '-n'],
                      ['repair', PINNED, '-n'], ['apply', DEMO, recipe, '-n'], ['show', DEMO, LINEAR]):
            code, out, err = run(*words, '--json')
            for line in out.decode().splitlines():
                equal(json.loads(line).get('version'), 2, f'{words} {err}')
            check(out, f'{words}: {err}')


tap.main(globals())
