"""axed show: text, JSON, many models, standard input, and files that are not models."""

import json
import os
import stat
import subprocess

import tap
from tap import check, equal, model, run


def show(name):
    code, out, err = run('show', '--json', model(name))
    equal(code, 0, f'{name}: exit code ({err!r})')
    return json.loads(out) if code == 0 else None


def test_every_model_counts_as_onnx_counts():
    facts = json.load(open(model('facts.json')))
    check(len(facts) > 40, 'facts for all models')
    for name, want in facts.items():
        if want.get('refused'):
            continue
        got = show(name + '.onnx')
        if not got:
            continue
        graphs = [g for g in got['graphs'] if g['kind'] != 'function']
        equal(got['ir_version'], want['ir_version'], f'{name}: IR version')
        equal([[o['domain'], o['version']] for o in got['opsets']], want['opsets'], f'{name}: opsets')
        equal(len(graphs), want['graphs'], f'{name}: graphs')
        equal(got['nodes'], want['nodes'], f'{name}: nodes')
        equal(sum(o['count'] for o in got['operators']), want['nodes'], f'{name}: operators')
        equal(got['functions'], want['functions'], f'{name}: functions')
        equal({s['name']: s['uses'] for s in got['symbols']}, want['symbols'], f'{name}: symbols')
        for key in ('initializers', 'sparse_initializers'):
            equal(sum(g[key] for g in graphs), want[key], f'{name}: {key}')
        main = [g for g in graphs if g['kind'] == 'main']
        equal(bool(main), want['main'] is not None, f'{name}: main graph')
        for key in ('nodes', 'inputs', 'outputs', 'initializers') if main else ():
            equal(main[0][key], want['main'][key], f'{name}: main {key}')


def test_absent_and_empty_are_kept_apart():
    inputs = {i['name']: i for i in show('no_shape.onnx')['inputs']}
    shapes = [json.dumps(i['shape']) for i in inputs.values()]
    check('null' in shapes, 'an input without a shape')
    check('[]' in shapes, 'an input of rank 0')
    check(any(i['type'] is None for i in inputs.values()), 'an input without a type')
    flat = [d for i in inputs.values() for d in i['shape'] or []]
    for dim in (None, 0, -1, '2', '?'):
        check(any(d == dim and type(d) is type(dim) for d in flat), f'a dim {dim!r} in {flat}')


def test_types_are_named_as_the_contract_says():
    elems = {i['type']['elem'] for i in show('types.onnx')['inputs']
             if i['type'] and i['type']['kind'] == 'tensor'}
    wanted = ('float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool string '
              'complex64 complex128 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0 float4e2m1 '
              'uint4 int4 uint2 int2').split()
    for name in wanted:
        check(name in elems, f'an input of type {name}')
    kinds = {i['type']['kind'] for i in show('types.onnx')['inputs'] if i['type']}
    equal(kinds, {'tensor', 'sparse_tensor', 'sequence', 'map', 'optional', 'opaque'}, 'kinds')


def test_what_a_file_says_of_itself():
    got = show('metadata.onnx')
    equal((got['domain'], got['model_version'], got['doc']), ('test.metadata', 3, 'Short.'), 'domain, version, doc')
    equal([p['value'] for p in got['graph_metadata'] if p['key'] == 'level'], ['graph'], 'metadata of the graph')
    equal(show('nested.onnx')['subgraphs'], sum(g['kind'] == 'subgraph' for g in show('nested.onnx')['graphs']), 'subgraphs')
    lines = run('show', model('metadata.onnx'))[1].decode().splitlines()
    for label, text in (('domain', 'test.metadata'), ('version', '3'), ('doc', 'Short.')):
        check(f'{label:14}{text}' in lines, f'{label} in {lines}')
    lines = run('show', model('functions.onnx'))[1].decode().splitlines()
    check(f'{"functions":14}test.fn.scale       2 nodes' in lines, f'functions in columns: {lines}')


def test_flaws_are_findings_not_refusals():
    for name, kind in (('cycle', 'cycle'), ('duplicate_names', 'duplicate'), ('missing_name', 'missing')):
        flaws = show(name + '.onnx')['flaws']
        check(any(f['kind'] == kind for f in flaws), f'{name}: {flaws}')
        check(all(f['message'] for f in flaws), f'{name}: every flaw has a sentence')
    for name in ('unsorted', 'nested', 'if', 'loop', 'scan', 'functions', 'training', 'demo', 'empty_names', 'deep'):
        equal(show(name + '.onnx')['flaws'], [], f'{name}: flaws')


def test_graph_paths():
    paths = {g['graph'] for g in show('nested.onnx')['graphs']}
    check('' in paths, 'the main graph is called ""')
    check(any('::' in p for p in paths), f'functions are called domain::name::overload: {paths}')
    check(any(p.endswith('.then_branch') or p.endswith('.body') for p in paths), f'bodies have paths: {paths}')


def test_standard_input_and_pipes():
    data = tap.read(model('demo.onnx'))
    code, out, err = run('show', '--json', '-', stdin=data)
    equal(code, 0, f'exit code ({err!r})')
    got = json.loads(out)
    equal(got['model'], 'standard input', 'name')
    equal(got['nodes'], show('demo.onnx')['nodes'], 'nodes')
    done = subprocess.run(['bash', '-c', f'"{os.path.abspath(tap.AXED)}" show <(cat "{model("demo.onnx")}")'],
                          capture_output=True)
    equal(done.returncode, 0, f'process substitution ({done.stderr!r})')


def test_the_demo_is_built_in():
    code, out, err = run()
    equal(code, 0, 'exit code')
    check(b'batch' in out and b'seq' in out and b'MatMul' in out, 'what a newcomer sees')
    with tap.folder() as folder:
        target = os.path.join(folder, 'demo.onnx')
        equal(run('set', '--demo', '-o', target)[0], 0, 'the demo can be saved')
        check(tap.read(target) == tap.read(model('demo_pinned.onnx')), 'its bytes')


def test_many_models_in_one_call():
    code, out, err = run('show', '--json', model('if.onnx'), model('nothing.onnx'), model('loop.onnx'))
    equal(code, 2, 'one is missing')
    equal([os.path.basename(json.loads(line)['model']) for line in out.splitlines()], ['if.onnx', 'loop.onnx'],
          'the others are shown')
    check(b'nothing.onnx: cannot open: No such file' in err, err)


def one_sentence(words, part, stdin=b''):
    code, out, err = run(*words, stdin=stdin)
    equal(code, 2, f'{words}: exit code')
    equal(out, b'', f'{words}: nothing on standard output')
    equal(err.count(b'\n'), 1, f'{words}: one line: {err!r}')
    check(part.encode() in err, f'{words}: {part!r} in {err!r}')


def test_what_is_not_a_model_is_refused_in_one_sentence():
    with tap.folder() as folder:
        files = {
            'picture.png': b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89',
            'text.txt': b'Once upon a time there was a model.\n',
            'page.html': b'<!doctype html><html></html>',
            'zip.zip': b'PK\3\4\x14\0\0\0\x08\0',
            'zeros': bytes(1000),
            'empty': b'',
            'ir_only.onnx': b'\x08\x08',
        }
        for name, content in files.items():
            path = os.path.join(folder, name)
            with open(path, 'wb') as file:
                file.write(content)
            one_sentence(['show', path], f'{name}: is ')
            one_sentence(['set', path, '-o', path + '.out'], f'{name}: is ')
            check(not os.path.exists(path + '.out'), f'{name}: nothing was written')
        one_sentence(['show', folder], 'is a folder, not an ONNX model')
        one_sentence(['show', os.path.join(folder, 'nowhere')], 'No such file or directory')
        os.mkfifo(os.path.join(folder, 'pipe'))
    one_sentence(['show', '/dev/null'], '/dev/null: is a device')
    one_sentence(['show', '/dev/zero'], '/dev/zero: is a device')
    one_sentence(['show', '-'], 'standard input: is empty')
    one_sentence(['show', model('too_deep.onnx')], 'nest deeper than 100')


def test_a_file_without_permission_is_refused():
    with tap.folder() as folder:
        path = os.path.join(folder, 'secret.onnx')
        with open(path, 'wb') as file:
            file.write(tap.read(model('if.onnx')))
        os.chmod(path, 0)
        os.chmod(folder, 0o755)
        drop = {'user': 65534, 'group': 65534, 'extra_groups': []} if os.geteuid() == 0 else {}
        with tap.folder() as bare:
            # A user who may not read it must still be able to run the program.
            os.chmod(bare, 0o755)
            copy = os.path.join(bare, 'axed')
            with open(copy, 'wb') as file:
                file.write(tap.read(tap.AXED))
            os.chmod(copy, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
            done = subprocess.run([copy, 'show', path], capture_output=True, cwd='/', **drop)
        equal(done.returncode, 2, f'exit code ({done.stderr!r})')
        check(b'secret.onnx: cannot open: Permission denied' in done.stderr, done.stderr)


def test_hostile_names_cannot_reach_the_terminal():
    code, out, err = run('show', model('hostile_names.onnx'), '--color=never')
    equal(code, 0, 'exit code')
    check(b'\x1b' not in out and b'\r' not in out, 'no control characters')
    check('\u202e' not in out.decode(), 'no reversed text; and it is all UTF-8')
    code, out, err = run('show', '--json', model('hostile_names.onnx'))
    check(b'\x1b' not in out, 'nor in JSON')
    json.loads(out)


def test_colours_only_where_wanted():
    for words, env, wanted in ((['--color=always'], {}, True), (['--color=never'], {}, False), ([], {}, False)):
        out = run('show', *words, model('demo.onnx'), env=env)[1]
        equal(b'\x1b[' in out, wanted, f'colours with {words}')


def test_mistakes_are_explained():
    one_sentence(['shwo', 'x'], 'did you mean show?')
    one_sentence(['show'], 'show needs a MODEL')
    one_sentence(['show', '--colour', 'x'], 'unknown option --colour')
    one_sentence(['show', '--color=blue', 'x'], 'auto, always or never')
    one_sentence(['set', model('if.onnx')], 'no output file: use -o FILE or --in-place')
    one_sentence(['set', model('if.onnx'), '-o'], 'needs a value')
    one_sentence(['show', '-o', 'x', model('if.onnx')], 'show does not accept --output')
    one_sentence(['help', 'nothing'], "there is no command 'nothing'")


def test_help_names_every_command_and_option():
    code, out, err = run('help')
    equal(code, 0, 'exit code')
    for word in (b'show', b'set', b'help', b'--json', b'--force', b'--color'):
        check(word in out, word)
    equal(run('--help')[1], out, '--help is the same')
    for command in ('show', 'set', 'help'):
        equal(run('help', command)[1], run(command, '--help')[1], f'help {command}')
    check(run('--version')[1].startswith(b'axed '), 'version')


def test_a_full_output_is_an_error():
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([tap.AXED, 'show', model('demo.onnx')], stdout=full, stderr=subprocess.PIPE)
    equal(done.returncode, 2, 'exit code')
    check(b'cannot write to standard output: No space left' in done.stderr, done.stderr)


def test_shared_models_open():
    names = [n for n in os.listdir(tap.shared('models')) if n.endswith('.onnx')]
    for name in names:
        code, out, err = run('show', '--json', tap.shared('models', name))
        equal(code, 0, f'{name}: {err!r}')
        equal(json.loads(out)['flaws'], [], f'{name}: flaws')


tap.main(globals())
