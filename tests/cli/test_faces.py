"""One answer per question: text, JSON, pane and page print the same records.

For every test model, each subject of src/report is asked for in every way that the program has to show it, and the answers
are compared cell by cell.  Explanations have a test of their own, test_why.py.

    AXED=build/axed python3 tests/cli/test_faces.py                  compare: TAP
    AXED=build/axed python3 tests/cli/test_faces.py --show MODEL     print them side by side
"""

import functools
import glob
import json
import os
import re
import sys

import tap
from tap import check, equal, model, read, run

# Names that are printed as they are, and fit a line of the screen.
PLAIN = re.compile(r'[!-~](?:[ -~]{0,58}[!-~])?')


def paths():
    return [p for p in sorted(glob.glob(model('*.onnx'))) if not p.endswith('too_deep.onnx')]


def text(*words):
    """The rows of a command's text, as lists of cells."""
    return [line.split('\t') for line in run(*words)[1].decode('utf-8', 'replace').splitlines()]


def data(*words):
    """The object of the command's JSON."""
    out = run(*words, '--json')[1]
    return json.loads(out) if out else {}


def command(path, line):
    """The line of an edit as a command for a shell."""
    words = re.findall(r"'([^']*)'|(\S+)", line)
    quoted = [w if re.fullmatch(r'[\w./:=,+@%-]+', w) else f"'{w}'" for w in (a or b for a, b in words)]
    return ' '.join(['axed', quoted[0], path, *quoted[1:], '-o OUT'])


def screen(path, *lines, size='400 200'):
    """What the screen shows after these lines."""
    script = '\n'.join([f'resize {size}', *lines, 'save-screen', '']).encode()
    with tap.folder() as place:
        code, out, _ = run('edit', path, '--script', '-', stdin=script, env={'XDG_STATE_HOME': place, 'XDG_CONFIG_HOME': place})
    return out.decode('utf-8', 'replace') if code == 0 else ''


def page(path):
    """The data of the HTML page: every node, unfolded."""
    with tap.folder() as place:
        target = os.path.join(place, 'page.html')
        code, _, _ = run('export', path, '--whole', '-o', target)
        found = re.search(rb'<script id="data"[^>]*>(.*?)</script>', read(target), re.S) if code == 0 else None
    return json.loads(found[1])['items'] if found else []


@functools.cache
def faces(path):
    """Everything that is asked about a model more than once."""
    return {'tensors': data('shapes', path).get('tensors', []), 'findings': data('check', path).get('findings', []),
            'page': page(path)}


def listed(seen):
    """The rows of the Problems pane, without mark and place; a cut one without its last character."""
    for line in seen.splitlines():
        found = re.search(r'[│ ](?:✗|!|i) (.*?)\s*│', line)
        if found:
            yield found[1].rstrip('…')


def is_listed(message, rows):
    """A row is `place: message`, or the message alone, as far as there is room."""
    return any(rest and message.startswith(rest) for row in rows for rest in (row, row.split(': ', 1)[-1]))


def short_types(words):
    """Types in panes: f32 for float32, i64 for int64, u8 for uint8."""
    return re.sub(r'\b(float|int|uint)(\d+)\b', lambda m: m[1][0] + m[2], words)


def is_plain(*words):
    return all(PLAIN.fullmatch(str(w)) for w in words if w not in ('', None))


# ---- tensors ----

def dims(shape):
    return '[' + ', '.join('?' if d is None else str(d) for d in shape) + ']'


def type_words(tensor):
    """float32 [batch, 3]; None for what is no tensor of a known type."""
    kind = tensor['type']
    if not kind or kind['kind'] != 'tensor' or not kind['elem']:
        return None
    return kind['elem'] + (' ' + dims(tensor['shape']) if tensor['shape'] is not None else '')


def test_tensors():
    compared = 0
    for path in paths():
        rows = text('shapes', path)
        tensors = faces(path)['tensors']
        equal(len(rows), len(tensors), f'{path}: tensors')
        for row, t in zip(rows, tensors):
            name = f'{t["graph"]}/{t["name"]}' if t['graph'] else t['name']
            if not is_plain(name) or not type_words(t) or not is_plain(*(t['shape'] or ())):
                continue
            compared += 1
            equal(row, [name, type_words(t), t['from']] if t['from'] else [name, type_words(t)], path)
    check(compared > 400, compared)


def test_tensors_on_the_page_and_in_the_inspector():
    """A node's ports have the types that `shapes` prints."""
    on_page = in_pane = 0
    for path in paths():
        names = [t['name'] for t in faces(path)['tensors']]
        types = {t['name']: type_words(t) for t in faces(path)['tensors']
                 if not t['graph'] and type_words(t) and names.count(t['name']) == 1 and is_plain(*(t['shape'] or ()))}
        for item in faces(path)['page']:
            for name, words, _ in item['in'] + item['out']:
                if is_plain(name) and name in types:
                    on_page += 1
                    equal(words.split(' = ')[0], types[name], f'{path}: page, {name}')
        names = [n for n in types if is_plain(n, types[n]) and len(n) < 30 and not re.search(r'["\\]', n)][:4]
        for name in names:
            seen = screen(path, 'fold none', f'goto "{name}"', 'pane inspector')
            shape = re.search(r'\[.*', types[name])
            if shape and len(shape[0]) < 40:
                in_pane += 1
                check(shape[0] in seen, f'{path}: inspector of {name} lacks {shape[0]}')
    check(on_page > 300 and in_pane > 60, f'{on_page} {in_pane}')


# ---- axes ----

def test_axes():
    compared = 0
    for path in paths():
        rows = text('axes', path, '--whole')
        axes = data('axes', path).get('axes', [])
        equal(len(rows), len(axes), f'{path}: axes')
        for row, a in zip(rows, axes):
            row = row + [''] * (5 - len(row))
            if not is_plain(a['input'], a['dim'], *a['by'].values()):
                continue
            compared += 1
            equal(row[0], f'{a["input"]}:{a["axis"]}', path)
            equal(row[1], '?' if a['dim'] is None else str(a['dim']), path)
            check(row[2].startswith(a['verdict']), f'{path}: {row} {a}')
            check(a['value'] is None or re.search(rf' {a["value"]}(?:, tied to .*)? by ', row[2]), f'{path}: {row} {a}')
            tied = re.search(r'tied to (.*?)(?: by |$)', row[2])
            check(not tied or a['equal'] and tied[1].startswith(a['equal'][0]), f'{path}: {row} {a}')
            for key in ('op', 'node', 'constant') if ' by ' in row[2] else ():
                check(a['by'][key] in row[2], f'{path}: {row} {a}')
            check(row[3] in (f'{a["dependents"]} axes', f'{a["dependents"]} axis'), f'{path}: {row} {a}')
            equal(row[4], 'needs ' + ', '.join(a['bounds']) if a['bounds'] else '', path)
    check(compared > 100, compared)


# ---- symbols ----

def test_symbols():
    compared = in_pane = 0
    for path in paths():
        rows = text('symbols', path, '--whole')
        symbols = data('symbols', path).get('symbols', [])
        equal(len(rows), len(symbols), f'{path}: symbols')
        seen = screen(path, 'pane symbols') if symbols else ''
        for row, s in zip(rows, symbols):
            row = row + [''] * (5 - len(row))
            if not is_plain(s['name'], s['node']):
                continue
            compared += 1
            equal(row[:2], [s['name'], s['kind']], path)
            equal(row[2], f'{s["uses"]} ax{"i" if s["uses"] == 1 else "e"}s', path)
            equal(row[3], '; '.join(s['notes']), path)
            if seen and is_plain(*s['notes'][:1]):
                in_pane += 1
                counted = any(f'{s["name"][:8]}' in line and re.search(rf'×{s["uses"]:,}|{s["uses"]:,} use', line)
                              for line in seen.splitlines())
                check(counted, f'{path}: pane lacks {s}')
                check(not s['notes'] or s['notes'][0][:20] in seen, f'{path}: pane lacks {s["notes"]}')
    check(compared > 60 and in_pane > 60, f'{compared} {in_pane}')


# ---- findings ----

def test_findings():
    compared = in_pane = on_page = 0
    for path in paths() + sorted(glob.glob(os.path.join(tap.TOP, 'tests', 'repair', 'zoo', '*.onnx')))[:40]:
        found = faces(path)['findings']
        printed = run('check', path)[1].decode('utf-8', 'replace').splitlines()
        lines = [line for line in printed if not line.startswith(' ' * 15)]  # below each: causes, a repair
        repairs = [line.strip()[4:] for line in printed if line.startswith(' ' * 15 + 'do: ')]
        equal(repairs, [command(path, r) for f in found for r in f['repairs']], f'{path}: repairs')
        equal(lines if not found else len(lines), ['no problems'] if not found else len(found), f'{path}: findings')
        # With short names off: the command line has none.
        rows = list(listed(screen(path, 'option names off', 'pane problems'))) if found else []
        items = [item['name'] for item in faces(path)['page']]
        by_name = {item['name']: item.get('findings', []) for item in faces(path)['page']
                   if item['kind'] == 'node' and item['name'] and items.count(item['name']) == 1}
        for line, f in zip(lines, found):
            if not f['op'] or not is_plain(f['op'], f['node'], f['tensor']) or not f['message'].isprintable():
                continue
            compared += 1
            level = f'  > {f["level"]}' if f['root'] is not None else f['level']
            node = re.escape(f'{f["op"]} {f["node"]}') if f['node'] else re.escape(f['op']) + r'( \S+)?'  # its output's name
            rest = re.escape((f'{f["tensor"]}: ' if f['tensor'] else '') + f['message'])
            check(re.fullmatch(f'{re.escape(f"{level:13}")}{node}: {rest}', line), f'{path}: {line!r}: {f}')
            in_pane += is_listed(f['message'], rows)
            check(is_listed(f['message'], rows) or len(found) > 60, f'{path}: pane lacks {f["message"]}: {rows}')
            if f['node'] in by_name and not f['graph']:
                on_page += 1
                check([f['level'], f['message'], f['why']] in by_name[f['node']], f'{path}: page lacks {f}')
    check(compared > 30 and in_pane > 30 and on_page > 25, f'{compared} {in_pane} {on_page}')


# ---- differences ----

def test_differences():
    """Text, JSON and `:diff` on the screen."""
    compared = 0
    pairs = [('pinned_reshape.onnx', 'dynamic_reshape.onnx'), ('weights_raw.onnx', 'weights_typed.onnx'), ('demo.onnx', 'dynamic_rnn.onnx')]
    for a, b in pairs:
        rows = [row for row in text('diff', model(a), model(b)) if row[0] in '-+~' and len(row) > 1]
        found = [d for d in data('diff', model(a), model(b))['differences']]
        equal(len(rows), len(found), f'{a} {b}')
        script = f'diff {model(a)}\n'.encode()
        with tap.folder() as place:
            told = run('edit', model(b), '--script', '-', stdin=script, env={'XDG_STATE_HOME': place})[1].decode()
        for row, d in zip(rows, found):
            row = row + [''] * (4 - len(row))
            name = f'{d["graph"]}/{d["name"]}' if d['graph'] else d['name']
            if not is_plain(name):
                continue
            compared += 1
            sides = [s for s in (d['before'], d['after']) if s is not None]
            equal(row[1:3], [name, d['what']], f'{a} {b}')
            check(all(s in row[3] for s in sides if s.isprintable()), f'{a} {b}: {row} {d}')
            check(f'{row[0]} {name}' in told, f'{a} {b}: the screen lacks {row[0]} {name}')
    check(compared > 40, compared)


# ---- the model and its nodes ----

def test_summary():
    """The lines of `show` that the Metadata pane has too are the same; their numbers are those of the JSON."""
    compared = in_pane = 0
    for path in paths():
        told = {}
        for line in run('show', path, '--whole')[1].decode('utf-8', 'replace').splitlines()[1:]:
            label, value = line[:14].strip(), line[14:].strip()
            told.setdefault(label, value)
        known = data('show', path)
        seen = screen(path, 'pane metadata', size='120 60')
        producer = f'{known["producer"]} {known["producer_version"]}'.strip()
        nodes = f'{known["nodes"]:,} node{"" if known["nodes"] == 1 else "s"}'
        if is_plain(producer) and producer:
            compared += 1
            equal(told['producer'], producer, path)
            in_pane += len(producer) < 20
            check(producer in seen or len(producer) >= 20, f'{path}: pane lacks {producer}')
        check(nodes in told['graph'], f'{path}: {told["graph"]} lacks {nodes}')
        check(known['ir_version'] is None or told['format'].startswith(f'IR {known["ir_version"]}'), f'{path}: {told["format"]}')
        for op in known['operators'] if len(known['operators']) == 1 else ():
            check(told['operators'].endswith(f'{op["op"]} {op["count"]}'), f'{path}: {told["operators"]} {op}')
    check(compared > 20 and in_pane > 20, f'{compared} {in_pane}')


def test_attributes():
    """The page and the inspector print an attribute alike, and the JSON export has the same numbers."""
    on_page = in_pane = 0
    for path in paths():
        with tap.folder() as place:
            target = os.path.join(place, 'm.json')
            nodes = json.loads(read(target))['nodes'] if run('export', path, '-o', target)[0] == 0 else []
        names = [n['name'] for n in nodes]
        exported = {n['name']: n['attributes'] for n in nodes if n['name'] and names.count(n['name']) == 1 and not n['graph']}
        for item in faces(path)['page']:
            short = [(n, v) for n, v in item.get('attributes', ()) if is_plain(n, v) and len(f'{n} = {v}') < 28]
            known = {a['name']: a for a in exported.get(item['name'], ())}
            for name, words in short:
                if known.get(name, {}).get('type') == 'int':
                    on_page += 1
                    check(words.split(' ')[0] == str(known[name]['value']), f'{path}: {item["name"]}: {name} {words} {known[name]}')
            if item['name'] in exported and short and in_pane < 60 and is_plain(item['name']) and not re.search(r'["\\]', item['name']):
                seen = screen(path, f'goto "{item["name"]}"', 'pane inspector', size='160 120')
                for name, words in short:
                    in_pane += 1
                    # A body is a link; a narrow pane has short names of types.
                    ways = f'{name} = {words}', f'{name} ▸ {words}', f'{name} = {short_types(words)}'
                    check(any(way in seen for way in ways), f'{path}: the inspector of {item["name"]} lacks {ways[0]}')
    check(on_page > 10 and in_pane > 20, f'{on_page} {in_pane}')


# ---- side by side ----

def show(path):
    """The same records in every way, for one model."""
    def part(title, *blocks):
        print(f'==== {title}')
        for name, content in blocks:
            print(f'-- {name}\n{content.rstrip()}')

    def said(*words):
        return run(*words)[1].decode('utf-8', 'replace')

    def pane(name):
        return '\n'.join(line.rstrip() for line in screen(path, f'pane {name}', size='100 40').splitlines() if line.strip(' │╭╮╰╯─'))

    first = faces(path)['tensors'][-1]
    whole = first['name']
    part('summary', ('text', said('show', path)), ('JSON', said('show', '--json', path)), ('pane', pane('metadata')))
    part('tensors', ('text', said('shapes', path)), ('JSON', said('shapes', '--json', path)), ('pane', pane('inspector')),
         ('page', json.dumps([i['in'] + i['out'] for i in faces(path)['page']])))
    part('axes', ('text', said('axes', path)), ('JSON', said('axes', '--json', path)))
    part('symbols', ('text', said('symbols', path)), ('JSON', said('symbols', '--json', path)), ('pane', pane('symbols')))
    part('findings', ('text', said('check', path)), ('JSON', said('check', '--json', path)), ('pane', pane('problems')),
         ('page', json.dumps([i['findings'] for i in faces(path)['page'] if i.get('findings')])))
    part('explanation', ('text', said('explain', path, whole)), ('JSON', said('explain', '--json', path, whole)),
         ('overlay', screen(path, f'goto "{whole}"', 'why', size='100 40')))


if sys.argv[1:2] == ['--show']:
    show(sys.argv[2])
else:
    tap.main(globals())
