"""Why is this dim so?  `axed explain`, `x` on the screen and the findings of `axed check` must give the same steps.

The three are compared line by line, for every tensor of every test model.  To get an answer of `check` for every axis, the
test adds a wrong declaration to the model.  The lines are judged too: depths grow by one, each computed size names its
node, a chain ends at an input, a constant, or a node whose result depends on no size.
"""

import concurrent.futures
import functools
import glob
import json
import os
import re
import shutil
import sys
import tempfile
import unicodedata

import tap
from tap import check, model, read, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402
from wire import data, message  # noqa: E402

WRONG = 9973  # no model has it
ELEMENTS = {'float32': b.FLOAT, 'uint8': b.UINT8, 'int8': b.INT8, 'uint16': b.UINT16, 'int16': b.INT16, 'int32': b.INT32,
            'int64': b.INT64, 'string': b.STRING, 'bool': b.BOOL, 'float16': b.FLOAT16, 'float64': b.DOUBLE,
            'uint32': b.UINT32, 'uint64': b.UINT64, 'bfloat16': b.BFLOAT16}
PLAIN = re.compile(r'[!-~](?:[ -~]{0,98}[!-~])?')


def diamond():
    """Two inputs join, split and join again: a walk along the first path only sees half of it."""
    nodes = [b.node('Add', 'a b', 'sum'), b.node('Relu', 'sum', 'r'), b.node('Relu', 'r', 'rr'), b.node('Mul', 'rr sum', 'm'),
             b.node('Neg', 'm', 'o')]
    return b.model(b.graph('g', nodes, [b.floats('a', 'N', 4), b.floats('b', 'N', 4)], [b.floats('o', 'N', 4)]))


def arithmetic():
    """Sizes computed from sizes: a sum, a product, a flattened one, a maximum of two."""
    nodes = [b.node('Concat', 'a b', 'both', axis=0), b.node('Shape', 'both', 's'), b.node('Mul', 's two', 's2'),
             b.node('ConstantOfShape', 's2', 'wide'),
             b.node('Flatten', 'wide', 'flat', axis=0), b.node('Add', 'both row', 'shifted'), b.node('MatMul', 'shifted w', 'o')]
    weights = [b.int_tensor('two', [1], [2]), b.float_tensor('row', [1, 4], [0.0] * 4), b.float_tensor('w', [4, 3], [0.0] * 12)]
    return b.model(b.graph('g', nodes, [b.floats('a', 'N', 4), b.floats('b', 'M', 4)],
                           [b.floats('o', None, 3), b.floats('flat', None, None)], weights))


def every_model():
    for path in sorted(glob.glob(model('*.onnx'))):
        if not path.endswith('too_deep.onnx'):
            yield os.path.basename(path), read(path), path
    yield '(diamond)', bytes(diamond()), None
    yield '(arithmetic)', bytes(arithmetic()), None


# ---- the three answers: lines by axis ----

def by_axis(lines, tensor):
    """{axis: lines}: an axis is a line without indentation and what is indented below it."""
    found, place = {}, None
    for line in lines:
        if not line.startswith(' '):
            start = next((a for a in range(len(tensor['shape'])) if line.startswith(f'{tensor["name"]}[{a}] = ')), None)
            place = found.setdefault(start, []) if start is not None else None
        if place is not None:
            place.append(line)
    return found


def asked_explain(source, tensor):
    """Text and JSON must be the same steps."""
    code, out, _ = run('explain', source, tensor['place'])
    if code:
        return {}
    lines = out.decode().splitlines()
    steps = json.loads(run('explain', '--json', source, tensor['place'])[1])['steps']
    check(len(lines) == len(steps) and all(told_by(l, s) for l, s in zip(lines, steps)), f'{source} {tensor["place"]}: {lines} {steps}')
    return by_axis(lines, tensor)


def told_by(line, step):
    index = '[%s]' % step['axis'] if 'axis' in step else '{%s}' % step['element']
    dim = '?' if step['dim'] is None else str(step['dim'])
    passed = f', unchanged through {step["passed"]} node' if step['passed'] else ''
    names = [step['tensor'], dim] + ([step['op'], step['node']] if '  by ' in line else [])
    if not all(PLAIN.fullmatch(name) for name in names if name):
        return True  # not printed as they are
    by_node = '  by ' not in line or (step['op'] in line and step['node'] in line)
    return line.startswith(f'{"  " * step["depth"]}{step["tensor"]}{index} = {dim}') and passed in line and by_node


def columns(line):
    """A line of the screen, split into columns."""
    return ''.join(c + '\0' * (unicodedata.east_asian_width(c) in 'WF') for c in line if not unicodedata.combining(c))


def overlay(screen):
    """The text inside the frame called Why."""
    lines = [columns(line) for line in screen.splitlines()]
    top = next((i for i, line in enumerate(lines) if '\u256d\u2500 Why ' in line), None)
    if top is None:
        return
    left = lines[top].index('\u256d\u2500 Why ')
    right = lines[top].index('\u256e', left)
    for line in lines[top + 1:]:
        if line[left] != '\u2502':
            return
        yield line[left + 1:right].rstrip()


def unwrapped(rows):
    """The screen continues a long step in rows of its own, which start no step and are no remark."""
    steps = []
    for row in rows:
        if steps and not re.match(r' *\S.*?[\[{]\d+[\]}] = |.*: (unknown shape|a scalar has no axes)$', row):
            steps[-1] += ' ' + row.strip(' ')
        else:
            steps.append(row)
    return steps


def asked_screen(path, tensor, place):
    quoted = '"' + re.sub(r'(["\\])', r'\\\1', tensor['place']) + '"'
    script = f'resize 400 400\noption names off\ngoto {quoted}\nwhy\nsave-screen\n'
    code, out, _ = run('edit', path, '--script', '-', stdin=script.encode(), env={'XDG_STATE_HOME': place, 'XDG_CONFIG_HOME': place})
    if code:
        return {}
    lines = []
    for line in overlay(out.decode()):
        if not line:
            break  # what follows is findings
        lines.append(line)
    return by_axis(unwrapped(lines), tensor)


def claim(content, tensor):
    """The model with a value_info that contradicts the tensor's shape."""
    info = b.value(tensor['name'], b.tensor_type(ELEMENTS[tensor['type']['elem']], [WRONG] * len(tensor['shape'])))
    return content + message(data(7, message([data(13, info)])))


def asked_check(content, tensor, place):
    if tensor['graph'] or tensor['from'] != 'inferred' or tensor['type'].get('elem') not in ELEMENTS:
        return {}
    with tempfile.NamedTemporaryFile(dir=os.path.join(place, 'models'), suffix='.onnx') as file:
        file.write(claim(content, tensor))
        file.flush()
        _, out, _ = run('check', '--json', file.name)
    return {f['axis']: f['why'] for f in (json.loads(out)['findings'] if out else ())
            if f['tensor'] == tensor['name'] and f['axis'] is not None and f'says {WRONG}' in f['message']}


# ---- who agrees with whom ----

def try_tensor(name, content, path, tensor, place):
    """For each axis, what each of the three says."""
    told = {'explain': asked_explain(path, tensor), 'screen': asked_screen(path, tensor, place),
            'check': asked_check(content, tensor, place)}
    for axis in range(len(tensor['shape'])):
        yield (name, tensor['place'], axis), {who: axes[axis] for who, axes in told.items() if axis in axes}


@functools.cache
def everything():
    jobs = []
    with tap.folder() as place, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # The changed model needs its external data next to it.
        shutil.copytree(tap.MODELS, os.path.join(place, 'models'), ignore=shutil.ignore_patterns('*.onnx', '*.py', 'link.bin', 'outside'))
        for name, content, path in every_model():
            if not path:
                path = os.path.join(place, name.strip('()') + '.onnx')
                with open(path, 'wb') as file:
                    file.write(content)
            tensors = json.loads(run('shapes', '--json', path)[1])['tensors']
            for tensor in tensors:
                tensor['place'] = f'{tensor["graph"]}/{tensor["name"]}' if tensor['graph'] else tensor['name']
            places = [t['place'] for t in tensors]
            for tensor in tensors:
                # Skip duplicate names, and names that are not printed as they are.
                if tensor['shape'] and PLAIN.fullmatch(tensor['place']) and '\\' not in tensor['place'] and places.count(tensor['place']) == 1:
                    jobs.append(pool.submit(lambda *a: list(try_tensor(*a)), name, content, path, tensor, place))
        return [axis for job in jobs for axis in job.result()]


def alone(lines):
    """An answer about several axes explains a place once and then refers to it; an answer about one axis cannot."""
    return not any('  (see above)' in line for line in lines)


def shows(seen, line):
    """The screen wraps a line that is too long, at a space or within a name, and cuts it after some rows."""
    seen, line = ((len(text) - len(text.lstrip(' ')), text.replace(' ', '')) for text in (seen, columns(line)))
    return seen[0] == line[0] and (seen[1] == line[1] or (seen[1].endswith('\u2026') and line[1].startswith(seen[1][:-1])))


def test_the_answers_are_the_same():
    compared = 0
    for key, told in everything():
        whole = told.get('explain')
        seen = told.get('screen')
        check(not whole or not seen or (len(seen) == len(whole) and all(map(shows, seen, whole))), f'{key}: {told}')
        if whole and 'check' in told and alone(whole) and len(whole) < 40:
            compared += 1
            check(told['check'] == whole, f'{key}: {told}')
    check(compared > 300, f'{compared} axes compared with check')


def test_a_computed_size_is_explained_once():
    """Both factors of the product are the sum a + b; the second time it refers back, and an input never does."""
    nodes = [b.node('Concat', 'a b', 'both', axis=0), b.node('Transpose', 'both', 'turned'), b.node('MatMul', 'both turned', 'square'),
             b.node('Flatten', 'square', 'flat', axis=0)]
    content = b.model(b.graph('g', nodes, [b.floats('a', 'N', 4), b.floats('b', 'M', 4)], [b.floats('flat', 1, None)]))
    out = run('explain', '-', 'flat:1', stdin=bytes(content))[1].decode()
    check(out.count('both[0] = M + N') == 2 and out.count('(see above)') == 1 and out.count('an input') == 2, out)


def test_equal_numbers_keep_their_origin():
    """A product of heads: both operands have 4 of them, from a list of constants; pads of 0 add nothing."""
    nodes = [b.node('Concat', 'n h k', 'split', axis=0), b.node('Reshape', 'x split', 'q'),
             b.node('Transpose', 'q', 't', perm=[0, 1, 3, 2]), b.node('MatMul', 'q t', 'm'), b.node('Pad', 'm zeros', 'y')]
    weights = [b.int_tensor('n', [2], [0, 4]), b.int_tensor('h', [1], [-1]), b.int_tensor('k', [1], [8]),
               b.int_tensor('zeros', [8], [0] * 8)]
    content = b.model(b.graph('g', nodes, [b.floats('x', 'N', 4, 'S', 8)], [b.floats('y', None, None, None, None)], weights))
    out = run('explain', '-', 'y', stdin=bytes(content))[1].decode().splitlines()
    check(out[1] == '  x[0] = N  an input, unchanged through 2 nodes', out)
    check(out[2].startswith('y[1] = 4') and re.match(r'  n\{1\} = 4  a constant of the file, unchanged through \d nodes', out[3]), out)


def test_steps_lead_to_an_origin():
    for key, told in everything():
        depths = [(len(line) - len(line.lstrip(' '))) // 2 for line in told.get('explain', ())]
        check(all(b <= a + 1 for a, b in zip(depths, depths[1:])), f'{key}: {told}')
        for line in told.get('explain', ()):
            check(re.search(r' (by \S|an input|a constant of the file|\(see above\)|\(as the file claims\))', line), f'{key}: {line}')


def test_enough_is_asked():
    counts = {}
    for _, answer in everything():
        for who in answer:
            counts[who] = counts.get(who, 0) + 1
    check(all(counts.get(who, 0) > 300 for who in ('explain', 'screen', 'check')), f'{counts}')


tap.main(globals())
