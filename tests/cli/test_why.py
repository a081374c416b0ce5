"""Why is this dim so?  `axed explain`, the screen and the findings of `axed check` must name the same origins.

Each of them walks back from an axis to its origins: axes of inputs, constants, nodes that produce the size.  These are its
answer.  To get an answer of `check` for every axis, the test adds a wrong declaration to the model.

why_known.txt lists the axes where the answers differ, one per line: model, tensor, axis, and who agrees with whom.  A new
difference fails, and so does a line that no longer holds: the list may only shrink.  `test_why.py --shrink` removes the
lines where all agree.
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

KNOWN = os.path.join(tap.HERE, 'why_known.txt')
WRONG = 9973  # no model has it
ELEMENTS = {'float32': b.FLOAT, 'uint8': b.UINT8, 'int8': b.INT8, 'uint16': b.UINT16, 'int16': b.INT16, 'int32': b.INT32,
            'int64': b.INT64, 'string': b.STRING, 'bool': b.BOOL, 'float16': b.FLOAT16, 'float64': b.DOUBLE,
            'uint32': b.UINT32, 'uint64': b.UINT64, 'bfloat16': b.BFLOAT16}
INDEX = r'\[\d+\]|\{\d+\}|\{largest\}'
LARGEST = 1 << 29  # how explain --json spells {largest}
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


def ends(children, root):
    """The leaves that are reachable from a place."""
    found, seen, todo = set(), {root}, [root]
    while todo:
        place = todo.pop()
        below = children.get(place)
        if not below:
            found.add(place)
        todo += (below or set()) - seen
        seen |= below or set()
    return frozenset(found)


def tree(steps):
    """Children by place, from places in order with their depths.  Repeated places are not expanded again."""
    children, above = {}, []
    for depth, place in steps:
        del above[depth:]
        if above:
            children.setdefault(above[-1], set()).add(place)
        above.append(place)
    return children


# ---- the three answers: origins by axis, if any ----

def asked_explain(source, stdin, tensor):
    code, out, _ = run('explain', '--json', source, tensor['place'], stdin=stdin)
    if code:
        return {}
    steps = []
    for s in json.loads(out)['steps']:
        index = f'[{s["axis"]}]' if 'axis' in s else '{largest}' if s['element'] == LARGEST else '{%d}' % s['element']
        steps.append((s['depth'], (s['tensor'], index)))
    return answers(tree(steps), tensor, {p for d, p in steps if d == 0})


def answers(children, tensor, roots):
    places = {axis: (tensor['name'], f'[{axis}]') for axis in range(len(tensor['shape']))}
    return {axis: ends(children, place) for axis, place in places.items() if place in roots}


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


def asked_screen(path, tensor, place):
    quoted = '"' + re.sub(r'(["\\])', r'\\\1', tensor['place']) + '"'
    script = f'resize 160 400\ngoto {quoted}\nwhy\nsave-screen\n'
    code, out, _ = run('edit', path, '--script', '-', stdin=script.encode(), env={'XDG_STATE_HOME': place, 'XDG_CONFIG_HOME': place})
    if code:
        return {}
    steps = []
    for line in overlay(out.decode()):
        found = re.match(rf'( *)(\S.*?)({INDEX}) = ', line)
        if not found:
            break  # what follows is findings
        steps.append((len(found[1]) // 2, (found[2], found[3])))
    return answers(tree(steps), tensor, {p for d, p in steps if d == 0})


def claim(content, tensor):
    """The model with a value_info that contradicts the tensor's shape."""
    info = b.value(tensor['name'], b.tensor_type(ELEMENTS[tensor['type']['elem']], [WRONG] * len(tensor['shape'])))
    return content + message(data(7, message([data(13, info)])))


def chain(lines, names):
    """Children by place, from the lines of a finding's why; the place of the first line."""
    children, first = {}, None
    for line in lines:
        head = re.search(rf'(?:^|: )({names})({INDEX}) = ', line)
        if not head:
            return None, {}
        place = (head[1], head[2])
        first = first or place
        rest = line[head.end():]
        for index, name in re.findall(rf'(?:, | from )({INDEX}) of ({names})(?=,| and \d+ more| through \d+ nodes|$)', rest):
            children.setdefault(place, set()).add((name, index))
        if re.search(r' and \d+ more', rest):
            children.setdefault(place, set()).add(('more', ''))
    return first, children


def asked_check(content, tensor, names, place):
    if tensor['graph'] or tensor['from'] != 'inferred' or tensor['type'].get('elem') not in ELEMENTS:
        return {}
    with tempfile.NamedTemporaryFile(dir=os.path.join(place, 'models'), suffix='.onnx') as file:
        file.write(claim(content, tensor))
        file.flush()
        _, out, _ = run('check', '--json', file.name)
    found = {}
    for f in json.loads(out)['findings'] if out else ():
        if f['tensor'] != tensor['name'] or f['axis'] is None or f'says {WRONG}' not in f['message']:
            continue
        first, children = chain(f['why'], names)
        if first == (tensor['name'], f'[{f["axis"]}]'):
            found[f['axis']] = ends(children, first)
    return found


# ---- who agrees with whom ----

def grouped(told):
    """explain / screen = check: those that agree are joined."""
    groups = {}
    for who, answer in told.items():
        groups.setdefault(answer, []).append(who)
    return ' / '.join(' = '.join(g) for g in groups.values())


def try_tensor(name, content, path, tensor, names, place):
    """For each axis: who agrees with whom, and the answers."""
    told = {'explain': asked_explain(path, b'', tensor), 'screen': asked_screen(path, tensor, place),
            'check': asked_check(content, tensor, names, place)}
    for axis in range(len(tensor['shape'])):
        answer = {who: axes[axis] for who, axes in told.items() if axis in axes}
        yield (name, tensor['place'], str(axis)), grouped(answer), answer


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
            known = sorted({t['name'] for t in tensors if t['name']}, key=len, reverse=True)
            names = '|'.join(re.escape(n) for n in known)
            for tensor in tensors:
                tensor['place'] = f'{tensor["graph"]}/{tensor["name"]}' if tensor['graph'] else tensor['name']
            places = [t['place'] for t in tensors]
            for tensor in tensors:
                # Skip duplicate names, and names that are not printed as they are.
                if tensor['shape'] and PLAIN.fullmatch(tensor['place']) and '\\' not in tensor['place'] and places.count(tensor['place']) == 1:
                    jobs.append(pool.submit(lambda *a: list(try_tensor(*a)), name, content, path, tensor, names, place))
        return [axis for job in jobs for axis in job.result()]


def known():
    with open(KNOWN, encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    return {tuple(row[:3]): row[3] for row in rows}


def test_the_answers_are_the_same():
    listed = known()
    for key, groups, answer in everything():
        if '/' in groups and listed.get(key) != groups:
            what = {who: sorted(f'{n}{i}' for n, i in places)[:6] for who, places in answer.items()}
            check(False, f'{" ".join(key)}: {groups}, not in why_known.txt so: {what}')


def test_what_is_listed_still_differs():
    found = {key: groups for key, groups, _ in everything()}
    for key, groups in known().items():
        check('/' in found.get(key, ''), f'{" ".join(key)}: agrees now, so take it out of why_known.txt')


def test_enough_is_asked():
    counts = {}
    for _, _, answer in everything():
        for who in answer:
            counts[who] = counts.get(who, 0) + 1
    check(all(counts.get(who, 0) > 300 for who in ('explain', 'screen', 'check')), f'{counts}')


def shrink():
    found = {key: groups for key, groups, _ in everything()}
    with open(KNOWN, encoding='utf-8') as file:
        lines = file.readlines()
    with open(KNOWN, 'w', encoding='utf-8') as file:
        file.writelines(l for l in lines if l.startswith('#') or '/' in found.get(tuple(l.rstrip('\n').split('\t')[:3]), ''))


if sys.argv[1:] == ['--shrink']:
    shrink()
else:
    tap.main(globals())
