"""axed snippet: the target language parses the output, and it agrees with the model."""

import ast
import glob
import os
import re
import shutil
import subprocess
import sys
import types

import tap
from tap import check, equal, model, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

PYTHON = ('torch', 'onnxruntime', 'openvino')
TARGETS = (*PYTHON, 'tensorrt', 'triton')
WILD = [b'plain', b'"quotes" and \'more\'', b'back\\slash\\', b'two\nlines\r\t', b'\xff\xfe no text', b'$(id) `id` %s',
        b'\x1b[2J', 'é 大\u202e\u200b'.encode(), b'a:0', b'with space', b'comma,', b'#', b'{', b"it's", b'-x', b'class']


def snippet(path, target, *words, **rest):
    code, out, err = run('snippet', path, '--for', target, *words, **rest)
    equal((code, err), (0, b''), f'{path} for {target}')
    return out.decode()


def of(data, target, *words):
    return snippet('-', target, *words, stdin=data)


def bytes_of(text):
    """Python's text for bytes that may not be UTF-8."""
    return text.encode('utf-8', 'surrogateescape')


def one(inputs, outputs=None, nodes=(), weights=()):
    return b.model(b.graph('g', nodes, inputs, outputs or [], weights))


CACHE = one([b.floats('x', 'batch', 'past'), b.floats('y', 'batch', '2*past + 1'), b.floats('z', 'batch', 'seq'),
             b.floats('w', 'batch', 'past + seq'), b.ints('n', 'batch', 7)],
            [b.floats('c', 'batch', None)], [b.node('Concat', 'x y', 'c', axis=1)])


# ---- runtimes, as far as a snippet needs them ----

class Dim:
    DYNAMIC = 'DYNAMIC'

    def __init__(self, name, min=None, max=None):
        assert name.isidentifier(), name
        self.text = name if min is None and max is None else f'{name}[{min}..{max}]'

    def made(self, text):
        new = object.__new__(Dim)
        new.text = text
        return new

    def __add__(self, n):
        assert type(n) is int
        return self.made(f'{self.text} + {n}')

    def __sub__(self, n):
        return self.made(f'{self.text} - {n}')

    def __rmul__(self, n):
        assert type(n) is int and n > 0
        return self.made(f'{n}*{self.text}')

    def __repr__(self):
        return self.text


class Options:
    def __init__(self):
        self.sizes = {}

    def add_free_dimension_override_by_name(self, name, size):
        self.sizes[name] = size


def execute(source):
    """The variables that a snippet sets, with these as its imports."""
    shapes = {}
    modules = {
        'torch': types.SimpleNamespace(export=types.SimpleNamespace(Dim=Dim)),
        'onnxruntime': types.SimpleNamespace(SessionOptions=Options, InferenceSession=lambda path, options: path),
        'openvino': types.SimpleNamespace(
            Dimension=lambda *sizes: sizes, PartialShape=list,
            Core=lambda: types.SimpleNamespace(read_model=lambda path: types.SimpleNamespace(reshape=shapes.update))),
    }
    before = {name: sys.modules.get(name) for name in modules}
    left = {}
    try:
        sys.modules.update(modules)
        exec(compile(source, 'snippet', 'exec'), left)
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return left, shapes


def arguments(command):
    """The arguments that a shell passes to trtexec."""
    if not shutil.which('bash'):
        raise tap.Skip('no bash')
    done = subprocess.run(['bash', '-c', 'trtexec() { printf "%s\\0" "$@"; }\n' + command], capture_output=True)
    equal((done.returncode, done.stderr), (0, b''), command)
    return done.stdout.split(b'\0')[:-1]


def trt_shapes(argument):
    """--minShapes=x:1x2,'y:0':3 as {b'x': b'1x2', b'y:0': b'3'}"""
    flag, _, rest = argument.partition(b'=')
    found = {}
    while rest:
        match = re.match(rb"(?:'([^']+)'|([^:,']+)):([^,:]+)(?:,|$)", rest, re.S)
        if not check(match, f'{rest!r} is no list of shapes'):
            break
        found[match[1] or match[2]] = match[3]
        rest = rest[match.end():]
    return flag.decode(), found


TOKEN = re.compile(r'\s+|#[^\n]*|"((?:[^"\\\n]|\\.)*)"|([A-Za-z_]\w*)|(-?\d+)|([\[\]{}:,])')


def unescape(text):
    out = bytearray()
    for m in re.finditer(r'\\([0-7]{1,3})|\\(.)|([^\\]+)', text):
        out += bytes([int(m[1], 8)]) if m[1] else {'n': '\n'}.get(m[2], m[2]).encode() if m[2] else m[3].encode()
    return bytes(out)


def pbtxt(text):
    """Parses protobuf's text format: {field: [values]}; a message is a dict."""
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not check(match, f'not pbtxt: {text[at:at + 40]!r}'):
            return {}
        at = match.end()
        if match[1] is not None:
            tokens.append(('text', unescape(match[1])))
        elif match[2] or match[3] or match[4]:
            tokens.append(('word', match[2]) if match[2] else ('number', int(match[3])) if match[3] else (match[4], None))
    tokens.reverse()

    def scalar():
        if tokens[-1][0] != '{':
            return tokens.pop()[1]
        tokens.pop()
        return fields('}')

    def fields(end):
        found = {}
        while tokens and tokens[-1][0] != end:
            kind, name = tokens.pop()
            equal(kind, 'word', f'a field before {tokens[-3:]}')
            if tokens[-1][0] == ':':
                tokens.pop()
            values = found.setdefault(name, [])
            if tokens[-1][0] != '[':
                values.append(scalar())
                continue
            tokens.pop()
            while tokens[-1][0] != ']':
                values.append(scalar())
                if tokens[-1][0] == ',':
                    tokens.pop()
            tokens.pop()
        if end:
            tokens.pop()
        return found

    return fields(None)


# ---- tests ----

def test_usage():
    for words, part in (((), b'torch, onnxruntime, tensorrt, triton or openvino'),
                        (('--for', 'tflite'), b"not 'tflite'"),
                        (('--for', 'torch', '--range', 'batch=3'), b'MIN,OPT,MAX'),
                        (('--for', 'torch', '--range', 'batch=3,2,1'), b'MIN <= OPT <= MAX'),
                        (('--for', 'torch', '--range', 'batch=-1,2,3'), b'MIN <= OPT <= MAX'),
                        (('--for', 'torch', '--range', 'batch=1,2,3,4'), b'MIN,OPT,MAX'),
                        (('--for', 'torch', '--range', 'nobody=1,2,3'), b"no such symbol 'nobody'")):
        code, out, err = run('snippet', '--demo', *words)
        equal((code, out, err.count(b'\n')), (2, b'', 1), f'{words}: {err!r}')
        check(part in err, err)
    equal(run('snippet', '/no/such.onnx', '--for', 'torch')[0], 2, 'no file')


def test_every_model_for_every_tool():
    for path in sorted(glob.glob(model('*.onnx'))):
        if path.endswith('too_deep.onnx'):
            continue
        for target in TARGETS:
            text = snippet(path, target)
            check(not re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]', text), f'{path}: raw')
            if target in PYTHON:
                ast.parse(text)
                execute(text)
            elif target == 'triton':
                equal(pbtxt(text)['platform'], [b'onnxruntime_onnx'], path)
            else:
                given = arguments(text)
                equal(given[0], b'--onnx=' + path.encode(), path)
                equal(len({frozenset(trt_shapes(a)[1]) for a in given[1:]}), 1 if given[1:] else 0, path)


def test_names_come_through_whatever_is_in_them():
    data = one([b.value(name, b.tensor_type(b.FLOAT, [b.dim(name), 3])) for name in WILD])
    left, _ = execute(of(data, 'torch'))
    equal([bytes_of(n) for n in left['input_names']], WILD, 'torch: inputs')
    equal([bytes_of(n) for n in left['dynamic_shapes']], WILD, 'torch: dynamic_shapes')
    equal({bytes_of(k): bytes_of(v[0]) for k, v in left['dynamic_axes'].items()}, {n: n for n in WILD}, 'dynamic_axes')
    equal(len({str(v[0]) for v in left['dynamic_shapes'].values()}), len(WILD), 'a Dim of its own each')
    left, _ = execute(of(data, 'onnxruntime'))
    equal([bytes_of(n) for n in left['sess_options'].sizes], WILD, 'onnxruntime')
    _, shapes = execute(of(data, 'openvino'))
    equal([bytes_of(n) for n in shapes], WILD, 'openvino')
    equal([i['name'][0] for i in pbtxt(of(data, 'triton'))['input']], WILD, 'triton')
    text = of(data, 'tensorrt')
    flag, shapes = trt_shapes(arguments(text)[1])
    # trtexec cannot escape a quote in a name, and the snippet says so.
    equal(sorted(shapes), sorted(n for n in WILD if b"'" not in n), 'tensorrt')
    equal(text.count('trtexec does not accept the name'), 2, text)


def test_torch_has_dims_arithmetic_and_output_axes():
    left, _ = execute(of(CACHE, 'torch', '--range', 'batch=1,4,64', '--range', 'seq=5,5,5'))
    equal({k: {a: str(d) for a, d in v.items()} for k, v in left['dynamic_shapes'].items()},
          {'x': {0: 'batch[1..64]', 1: 'past'}, 'y': {0: 'batch[1..64]', 1: '2*past + 1'},
           'z': {0: 'batch[1..64]', 1: '5'}, 'w': {0: 'batch[1..64]', 1: 'DYNAMIC'}, 'n': {0: 'batch[1..64]'}}, 'dynamic_shapes')
    equal(left['dynamic_axes']['c'], {0: 'batch', 1: '3*past + 1'}, 'the output')
    equal(execute(of(CACHE, 'torch'))[0]['output_names'], ['c'], 'output names')


def test_names_that_python_needs_itself():
    left, _ = execute(of(one([b.floats('x', 'class', 'torch', 'a-b', 'a b', '1st', '')]), 'torch'))
    equal([str(d) for d in left['dynamic_shapes']['x'].values()],
          ['class_', 'torch_', 'a_b', 'a_b_2', 'dim_1st', 'x_5'], 'identifiers')
    equal(list(left['dynamic_axes']['x'].values()), ['class', 'torch', 'a-b', 'a b', '1st', 'x_5'], 'names')


def test_onnxruntime_overrides():
    ranges = ('--range', 'batch=1,4,64', '--range', 'past=0,3,9')
    text = of(CACHE, 'onnxruntime', *ranges, '--range', 'seq=1,2,3')
    left, _ = execute(text)
    equal(left['sess_options'].sizes, {'batch': 4, 'past': 3, '2*past + 1': 7, 'seq': 2, 'past + seq': 5}, 'sizes')
    check("# " in text and "onnxruntime_perf_test -f 'past + seq:5'" in text, text)
    placeholder = of(one([b.floats('x', 'batch', None)]), 'onnxruntime')
    check('batch = ...  # the size of batch' in placeholder and 'x:1 has no name' in placeholder, placeholder)


def test_tensorrt_shapes():
    text = of(CACHE, 'tensorrt', '--range', 'batch=1,4,64', '--range', 'past=0,3,9', '--range', 'seq=1,2,3')
    given = arguments(text)
    equal([trt_shapes(a) for a in given[1:]], [
        ('--minShapes', {b'x': b'1x0', b'y': b'1x1', b'z': b'1x1', b'w': b'1x1', b'n': b'1x7'}),
        ('--optShapes', {b'x': b'4x3', b'y': b'4x7', b'z': b'4x2', b'w': b'4x5', b'n': b'4x7'}),
        ('--maxShapes', {b'x': b'64x9', b'y': b'64x19', b'z': b'64x3', b'w': b'64x12', b'n': b'64x7'})], 'shapes')
    check('#' not in text, text)
    text = of(CACHE, 'tensorrt', '--range', 'batch=1,4,64')
    check('# needs --range past=MIN,OPT,MAX\n# needs --range seq=MIN,OPT,MAX\n' in text, text)
    equal(trt_shapes(arguments(text)[1])[1][b'z'], b'1x@MIN_seq@', 'a placeholder')


def test_triton_configuration():
    data = one([b.floats('x', 'batch', 3, None), b.ints('n', 'batch')], [b.floats('y', 'batch', 3, 't')],
               [b.node('Relu', 'x', 'y')])
    got = pbtxt(of(data, 'triton', '--range', 'batch=1,8,32'))
    equal(got, {'name': [b'model'], 'platform': [b'onnxruntime_onnx'], 'max_batch_size': [32],
                'input': [{'name': [b'x'], 'data_type': ['TYPE_FP32'], 'dims': [3, -1]},
                          {'name': [b'n'], 'data_type': ['TYPE_INT64'], 'dims': [1], 'reshape': [{'shape': []}]}],
                'output': [{'name': [b'y'], 'data_type': ['TYPE_FP32'], 'dims': [3, -1]}]}, 'batched')
    check('placeholder' in of(data, 'triton'), 'a batch without a range is told')
    unlike = one([b.floats('x', 'batch', 3), b.floats('k', 4)], [b.floats('y', 'batch', 3)], [b.node('Relu', 'x', 'y')])
    got = pbtxt(of(unlike, 'triton'))
    equal((got['max_batch_size'], got['input'][0]['dims'], got['input'][1]['dims']), ([0], [-1, 3], [4]), 'not batched')
    equal(pbtxt(snippet(model('dynamic_rnn.onnx'), 'triton'))['name'], [b'dynamic_rnn'], 'the name')


def test_openvino_ranges():
    _, shapes = execute(of(CACHE, 'openvino', '--range', 'batch=1,4,64', '--range', 'past=0,3,9'))
    equal(shapes, {'x': [(1, 64), (0, 9)], 'y': [(1, 64), (1, 19)], 'z': [(1, 64), ()], 'w': [(1, 64), ()],
                   'n': [(1, 64), 7]}, 'shapes')


def test_what_nobody_feeds_is_left_out():
    data = one([b.floats('x', 'N', 2), b.floats('w', 'M')], [b.floats('y', 'N', 2)], [b.node('Mul', 'x w', 'y')],
               [b.float_tensor('w', [2], [1, 2])])
    for target in TARGETS:
        check("w" not in re.sub(r'#.*|show|with|[A-Za-z_.]{2,}', '', of(data, target)), f'{target}: {of(data, target)}')
    items = b.value('items', b.sequence_type(b.tensor_type(b.FLOAT, ['N'])))
    for target in TARGETS:
        text = of(one([items, b.floats('x', 'N')]), target)
        check('# input items is left out: its type is sequence' in text, f'{target}: {text}')


tap.main(globals())
