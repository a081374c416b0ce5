"""Rules and their expected results as text: each paragraph of FILE is one small graph and its shapes; TAP out.

    rules.py FILE... [--judge]

    Conv keeps the batch
    	opset 17, com.microsoft 1             17 and 1 by default
    	x float32[N, 3, H]                    an input; float32 has no rank, [] is a scalar, ? an unknown size
    	w float32[8, 3, 5]
    	n int64[2] = 1, 2                     a constant
    	y = Conv(x, w) strides=[2]            a node; com.microsoft::Gelu(x) is one of another domain
    	step(i int64[], a float32) -> b       a graph for an attribute: body=@step; its nodes are indented once more
    	> y float32[N, 8, (H - 5) // 2 + 1]   the expected shape, as the program prints it
    	> error: must be given                the expected error of `check`; unexpected errors fail
    	> fails H=4                           with this size `check` has an error, and `axes` says that the axis is limited
    	> runs H=5                            with this size there is no error

--judge runs each graph without an error in onnxruntime, at several sizes, and compares every known size.  Use it when
you add a paragraph; it needs a Python with onnxruntime.
"""

import ast
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'models'))
import build

AXED = os.environ.get('AXED', 'build/axed')
ELEMS = ('undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64 complex64 '
         'complex128 bfloat16').split()
PACKED = {'float32': 'f', 'uint8': 'B', 'int8': 'b', 'int32': 'i', 'int64': 'q', 'bool': '?', 'float64': 'd',
          'uint16': 'H', 'int16': 'h', 'uint32': 'I', 'uint64': 'Q'}


# ---- reading ----

def split(text, by=','):
    """Splits at commas outside brackets."""
    parts, depth = [''], 0
    for c in text:
        depth += (c in '([') - (c in ')]')
        if c == by and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    return [p.strip() for p in parts] if text.strip() else []


def read_dim(text):
    return None if text == '?' else int(text) if re.fullmatch(r'-?\d+', text) else text


def read_type(text):
    if inner := re.fullmatch(r'(seq|optional|map)\((.*)\)', text):
        parts = split(inner[2])
        if inner[1] == 'map':
            return build.map_type(ELEMS.index(parts[0]), read_type(parts[1]))
        return (build.sequence_type if inner[1] == 'seq' else build.optional_type)(read_type(parts[0]))
    elem, dims = re.fullmatch(r'(\w+)(?:\[(.*)\])?', text).groups()
    return build.tensor_type(ELEMS.index(elem), None if dims is None else [read_dim(d) for d in split(dims)])


def read_tensor(name, text, numbers):
    elem, dims = re.fullmatch(r'(\w+)\[(.*)\]', text).groups()
    values = [ast.literal_eval(n) for n in split(numbers)]
    dims = [int(d) for d in split(dims)]
    if elem == 'string':
        return build.tensor(name, build.STRING, dims, [build.data(6, v) for v in values])
    return build.tensor(name, ELEMS.index(elem), dims, build.data(9, struct.pack(f'<{len(values)}{PACKED[elem]}', *values)))


def read_attr(text, graphs):
    if text.startswith('@'):
        return graphs[text[1:]]
    if text in ELEMS:
        return ELEMS.index(text)
    if tensor := re.fullmatch(r'(\w+\[[^]]*\])\{(.*)\}', text):
        return read_tensor('', tensor[1], tensor[2])
    if text.startswith('type:'):
        return read_type(text[5:])
    return ast.literal_eval(text)


def read_node(line, graphs):
    outputs, domain, op, rest = re.fullmatch(r'([\w, ]*) = (?:([\w.]+)::)?(\w+)(\(.*)', line).groups()
    depth = 0
    for at, c in enumerate(rest):
        depth += (c == '(') - (c == ')')
        if depth == 0:
            break
    attrs = dict(re.findall(r'(\w+)=((?:\[[^]]*\]|"[^"]*"|\{[^}]*\}|\S)+)', rest[at + 1:]))
    # A name inside a map would be split, so attributes are passed as written.
    raw = [build.attribute(k, read_attr(v, graphs)) for k, v in attrs.items()]
    inputs = [p.strip() for p in rest[1:at].split(',')] if rest[1:at].strip() else []
    return build.node(op, inputs, split(outputs), domain=domain, raw=raw)


class Case:
    def __init__(self, name, lines):
        self.name, self.lines, self.wanted, self.error, self.sizes = name, lines, [], None, []
        self.opset = {'': 17, 'com.microsoft': 1, 'ai.onnx.ml': 3, 'ai.onnx.preview.training': 1}
        self.inputs, self.constants, self.nodes, self.graphs, self.types = [], [], [], {}, {}
        at = 0
        while at < len(lines):
            end = at + 1
            while end < len(lines) and lines[end].startswith('\t'):
                end += 1
            self.read(lines[at], [l[1:] for l in lines[at + 1:end]])
            at = end

    def read(self, line, inner):
        if line.startswith('> error:'):
            self.error = line[8:].strip()
        elif size := re.fullmatch(r'> (fails|runs) (\w+)=(\d+)', line):
            self.sizes.append((size[1] == 'fails', size[2], size[3]))
        elif line.startswith('> '):
            self.wanted.append(tuple(line[2:].split(' ', 1)))
        elif line.startswith('opset '):
            for part in split(line[6:]):
                domain, _, version = part.rpartition(' ')
                self.opset[domain] = int(version)
        elif body := re.fullmatch(r'(\w+)\((.*)\) -> (.*)', line):
            inputs = [build.value(*self.value(p)) for p in split(body[2])]
            self.graphs[body[1]] = build.graph(body[1], [read_node(l, self.graphs) for l in inner], inputs,
                                               [build.value(n) for n in split(body[3])])
        elif re.match(r'[\w, ]* = (\w|\.|:)+\(', line):
            self.nodes.append(read_node(line, self.graphs))
        elif constant := re.fullmatch(r'(\w+) (\S.*\]) =(.*)', line):
            self.constants.append(read_tensor(*[p.strip() for p in constant.groups()]))
        else:
            name, kind = line.split(' ', 1)
            self.types[name] = kind
            self.inputs.append(build.value(name, read_type(kind)))

    @staticmethod
    def value(text):
        name, _, kind = text.partition(' ')
        return name, read_type(kind) if kind else None

    def bound(self, symbol, size):
        """The case with a number for a symbol of its inputs, and without expectations."""
        return Case(self.name, [re.sub(rf'(?<=[\[ ]){symbol}(?=[\],])', size, line) for line in self.lines
                                if not line.startswith('> ')])

    def model(self):
        outputs = [build.value(n) for n, _ in self.wanted]
        return build.model(build.graph('g', self.nodes, self.inputs, outputs, self.constants), opset=self.opset)


def read_cases(path, kind=Case):
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'^#.*\n', '', file.read(), flags=re.M)
    for paragraph in re.split(r'\n\s*\n', text.strip()):
        name, *lines = paragraph.split('\n')
        if not lines or not all(l.startswith('\t') for l in lines):
            sys.exit(f'{path}: {name}: a name, then lines with a tab')
        yield kind(name, [l[1:].rstrip() for l in lines])


# ---- asking ----

def ask(*words):
    done = subprocess.run([AXED, *words], capture_output=True, timeout=60)
    if done.returncode not in (0, 1) or done.stderr:
        raise RuntimeError(f'{words[0]}: exit {done.returncode}: {done.stderr.decode(errors="replace")}')
    return json.loads(done.stdout)


def show_shape(shape):
    return '' if shape is None else '[' + ', '.join('?' if d is None else str(d) for d in shape) + ']'


def show_type(type, shape=None):
    if type is None:
        return 'nothing'
    if type['kind'] in ('tensor', 'sparse_tensor'):
        return (type['elem'] or 'undefined') + show_shape(type.get('shape', shape))
    if type['kind'] == 'map':
        return f'map({type["key"]}, {show_type(type["elem"])})'
    return f'{"seq" if type["kind"] == "sequence" else type["kind"]}({show_type(type["elem"])})'


def problems_of(case, path):
    tensors = {t['name']: t for t in ask('shapes', '--json', path)['tensors'] if t['graph'] == ''}
    for name, wanted in case.wanted:
        got = show_type(tensors[name]['type'], tensors[name]['shape']) if name in tensors else 'not there'
        if got != wanted:
            yield f'{name}: {got}, expected {wanted}'
    errors = [f['message'] for f in ask('check', '--json', path)['findings'] if f['level'] == 'error']
    if case.error is None and errors:
        yield f'error: {errors[0]}'
    elif case.error is not None and not any(case.error in e for e in errors):
        yield f'errors: {errors}, expected "{case.error}"'


def problems_of_sizes(case, path):
    axes = ask('axes', '--json', path)['axes'] if case.sizes else []
    for fails, symbol, size in case.sizes:
        if fails and not any(a['dim'] == symbol and (a['verdict'] != 'free' or a.get('bounds')) for a in axes):
            yield f'no axis {symbol} is limited'
        with open(path, 'wb') as out:
            out.write(case.bound(symbol, size).model())
        errors = [f['message'] for f in ask('check', '--json', path)['findings'] if f['level'] == 'error']
        if fails != bool(errors):
            yield f'{symbol}={size}: {errors or "no error"}'


# ---- judging ----

def judge(case, path):
    """The disagreement of onnxruntime; '' if it agrees at every size at which it runs."""
    import numpy as np
    import onnxruntime as ort
    if not all(re.fullmatch(r'\w+\[.*\]', kind) for kind in case.types.values()):
        return 'not judged: an input has no shape'
    symbols = sorted({d for t in case.types.values() for d in re.findall(r'[A-Za-z_]\w*', ''.join(re.findall(r'\[.*\]', t)))})
    options = ort.SessionOptions()
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(path, options, providers=['CPUExecutionProvider'])
    except Exception as e:
        return f'not judged: {str(e)[:150]}'
    ran, why = 0, ''
    for sizes in ((2, 3, 4, 5), (3, 5, 2, 7), (4, 4, 4, 4), (1, 1, 1, 1), (6, 2, 3, 1)):
        bind = {s: sizes[i % 4] for i, s in enumerate(symbols)}
        feeds = {}
        for name, kind in case.types.items():
            elem, dims = re.fullmatch(r'(\w+)\[(.*)\]', kind).groups()
            dims = [eval(d.replace('?', '3'), {}, dict(bind)) for d in split(dims)]
            dtype = {'string': object}.get(elem, elem)
            feeds[name] = (np.full(dims, 'a', dtype=object) if elem == 'string'
                           else np.ones(dims, dtype) if elem.startswith('float') else np.zeros(dims, dtype))
        try:
            values = dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))
        except Exception as e:
            why = str(e)[:150]
            continue
        ran += 1
        words = [w for s, n in bind.items() for w in ('--bind', f'{s}={n}')]
        for t in ask('shapes', '--json', path, *words)['tensors']:
            value = values.get(t['name']) if t['graph'] == '' else None
            if not isinstance(value, np.ndarray) or t['shape'] is None:
                continue
            if len(t['shape']) != value.ndim or any(isinstance(d, int) and d != n for d, n in zip(t['shape'], value.shape)):
                return f'WRONG {t["name"]}: {t["shape"]}, truly {list(value.shape)} at {bind}'
            if t['type']['elem'] not in (str(value.dtype), 'string', 'undefined'):
                return f'WRONG {t["name"]}: {t["type"]["elem"]}, truly {value.dtype}'
    return '' if ran else f'not judged: {why}'


def main():
    files = [w for w in sys.argv[1:] if not w.startswith('--')]
    cases = [(os.path.basename(f).rsplit('.', 1)[0], c) for f in files for c in read_cases(f)]
    failed = not cases
    print(f'1..{len(cases)}')
    with tempfile.TemporaryDirectory(prefix='axed-test-') as folder:
        path = os.path.join(folder, 'case.onnx')
        for number, (file, case) in enumerate(cases, 1):
            with open(path, 'wb') as out:
                out.write(case.model())
            problems = list(problems_of(case, path))
            if '--judge' in sys.argv and case.error is None and (said := judge(case, path)):
                print('# judge:', said)
                problems += [said] if said.startswith('WRONG') else []
            problems += problems_of_sizes(case, path)
            for problem in problems:
                print('#', problem)
            failed = failed or bool(problems)
            print('not ok' if problems else 'ok', number, '-', f'{file}: {case.name}', flush=True)
    sys.exit(failed)


if __name__ == '__main__':
    main()
