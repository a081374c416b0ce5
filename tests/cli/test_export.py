"""axed export: Graphviz accepts the output, every visible item is in it, and names are only text."""

import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

import tap
from tap import check, equal, model, read, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

WILD = [b'"quotes" and \'more\'', b'back\\slash\\', b'\\N \\E \\G', b'two\nlines\r\t', b'\xff\xfe no text', b'</B><!--',
        b'&lt; &amp; &#0; &', b'\x1b[2J', 'é 大\u202e\u200b'.encode(), '\ufffe\uffff'.encode(), b']]>', b'<<>>', b'']
CHAIN = b.model(b.graph('g', [b.node('Relu', 'x', 'a', name='/enc/one/Relu'), b.node('Abs', 'a', 'h', name='/enc/two/Abs'),
                              b.node('Neg', 'h', 'c', name='/dec/Neg'), b.node('Add', 'c x', 'y', name='/dec/Add')],
                        [b.floats('x', 'N', 4)], [b.floats('y', 'N', 4)]))


def models():
    found = [p for p in sorted(glob.glob(model('*.onnx'))) if not p.endswith('too_deep.onnx')]
    return found + sorted(glob.glob(os.path.join(tap.SHARED, 'models', '*.onnx')))


def but_folds(err):
    """The messages without the one that says what is folded."""
    err = re.sub(rb'(?m)(^axed: \S+: |; )[\d,]+ nodes? folded into [\d,]+ box(es)?; --whole draws all(; )?\n?',
                 lambda m: m[1] if m[3] else b'', err)
    return re.sub(rb'(?m)(^axed: \S+: |; )?[\d,]+ bod(y|ies) left folded; --graph draws (it|one)(; )?\n?',
                  lambda m: (m[1] or b'') if m[4] else b'', err)


def export(source, name, *words, stdin=b''):
    """The bytes of the written file, folded also as DOT, and the messages but for what is folded."""
    with tap.folder() as place:
        target = os.path.join(place, name)
        if name.endswith('.dot') and '--whole' not in words:
            words = (*words, '--folded')
        code, out, err = run('export', source, '-o', target, *words, stdin=stdin)
        equal((code, out), (0, b''), f'{source} to {name} {words}: {err!r}')
        equal(os.listdir(place), [name] if code == 0 else [], f'{source}: what is left')
        return read(target) if code == 0 else b'', but_folds(err)


def test_folding_is_said():
    """A small DOT is whole: other programs have no folds to open."""
    for ending in ('svg', 'txt', 'html'):
        with tap.folder() as place:
            target = os.path.join(place, 'x.' + ending)
            equal(run('export', model('demo.onnx'), '-o', target)[2],
                  f'axed: {target}: 14 nodes folded into 5 boxes; --whole draws all\n'.encode(), ending)
            equal(run('export', model('demo.onnx'), '-o', target, '--whole')[2], b'', f'{ending} --whole')
            equal(run('export', model('demo.onnx'), '-o', target, '--quiet')[2], b'', f'{ending} --quiet')
    dots = {words: run('export', model('demo.onnx'), '-o', '-', '--format', 'dot', *words)
            for words in ((), ('--whole',), ('--folded',))}
    equal([dots[()][2], dots[('--folded',)][2]],
          [b'', b'axed: -: 14 nodes folded into 5 boxes; --whole draws all\n'], 'dot')
    check(dots[()] == dots[('--whole',)], 'a small DOT is whole')
    check(len(dots[('--folded',)][1]) < len(dots[()][1]), '--folded folds it')
    equal(run('export', model('demo.onnx'), '-o', '-', '--format', 'dot', '--whole', '--folded')[0], 2, 'both')
    large = b.model(b.graph('g', [b.node('Shape', 'x', 's', name='/a/Shape'), *(
        b.node('Relu', 'x' if i == 0 else f'r{i - 1}', f'r{i}', name=f'/layer.{i // 100}/Relu_{i}') for i in range(500))],
        [b.floats('x', 'N')], [b.floats('r499', 'N')]))
    check(b'folded into' in run('export', '-', '-o', '-', '--format', 'dot', stdin=large)[2], 'a large DOT is folded')


def seen(path, *lines):
    """The text of an SVG that the screen exports after these lines, and its number of boxes."""
    with tap.folder() as place:
        target = os.path.join(place, 'x.svg')
        script = '\n'.join(['resize 120 36', *lines, f'export {target}', 'quit!', ''])
        code, out, err = run('edit', path, '--script', '-', stdin=script.encode(), env={'XDG_STATE_HOME': place})
        equal((code, err), (0, b''), f'{lines}')
        svg = read(target)
        return ' '.join(tree.fromstring(svg).itertext()).replace('\u00a0', ' '), classes(svg)['node']


def test_the_screen_exports_what_it_shows():
    path = model('demo.onnx')
    whole, folded = seen(path, 'fold none'), seen(path, 'fold all')
    check(folded[1] < seen(path)[1] < whole[1], 'folds')
    equal(whole[1], classes(export(path, 'x.svg', '--whole')[0])['node'], 'nothing folded')
    near = seen(path, 'fold none', 'goto /encoder/layer.0/attention/Softmax', 'focus 1')
    check('Softmax' in near[0] and 2 < near[1] < 6, f'the focus: {near}')
    check('[3, 7, 16]' in seen(path, 'try batch=3 seq=7')[0] and '[3, 7, 16]' not in whole[0], 'tried sizes')
    named = seen(os.path.join(tap.TOP, 'tests', 'ui', 'networks', 'inception.onnx'), 'name half=floor(height/2)')
    check('half' in named[0], 'names that the user gave')
    inside = seen(model('loop.onnx'), 'search op:Loop', 'open')
    equal(inside[1], classes(export(model('loop.onnx'), 'x.svg', '--graph', '0.body')[0])['node'], 'the graph entered')


@functools.cache
def has_engine(word):
    return subprocess.run(['dot', word, '-Tcanon'], input=b'graph {}', capture_output=True).returncode == 0


def needs_dot(*words):
    """Skips a test without dot, or without the engine of -KENGINE: nop2 is a package of its own since Debian 14."""
    if not shutil.which('dot'):
        raise tap.Skip('no dot')
    for word in words:
        if word.startswith('-K') and not has_engine(word):
            raise tap.Skip(f'this dot has no engine {word[2:]}')


def needs_pictures():
    """Skips a test where nothing draws PNG and PDF."""
    if not shutil.which('rsvg-convert'):
        needs_dot('-Knop2')


def drawn(dot, *words):
    """The output of the program dot."""
    needs_dot(*words)
    done = subprocess.run(['dot', *words], input=dot, capture_output=True, timeout=100)
    equal((done.returncode, done.stderr), (0, b''), f'dot {words}')
    return done.stdout


def classes(svg):
    """The number of nodes, edges and clusters in an SVG."""
    kinds = [g.get('class') for g in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}g')]
    return {k: kinds.count(k) for k in ('node', 'edge', 'cluster')}


def counts(dot):
    """The same for DOT, by our own names."""
    text = dot.decode()
    return {'node': len(re.findall(r'^\s*item\d+\t', text, re.M)), 'edge': text.count(' -> item'),
            'cluster': text.count('subgraph cluster_')}


def without_values(dot):
    """DOT with every string and HTML label replaced by a number, and these by number."""
    text, values, done, at = dot.decode().replace('\\\n', ''), [], [], 0
    for m in re.finditer(r'"(?:[^"\\]|\\.)*"|=<', text, re.S):
        if m.start() < at:
            continue
        end, depth = m.end(), 1
        while m[0] == '=<' and depth:
            depth += {'<': 1, '>': -1}.get(text[end], 0)
            end += 1
        values.append(text[m.start() + 2:end - 1] if m[0] == '=<' else m[0][1:-1])
        done += [text[at:m.start()], '=' if m[0] == '=<' else '', f'"{len(values) - 1}"']
        at = end
    return ''.join(done) + text[at:], values


class Drawing:
    """A parsed DOT: attributes of nodes, edges, and the rectangle and contents of clusters."""

    def __init__(self, dot):
        self.nodes, self.edges, self.clusters = {}, [], {}
        text, values = without_values(dot)
        inside, first = [], True
        for m in re.finditer(r'subgraph (cluster_\w+) {|^\s*(\w+)(?: -> (\w+))?\s*(?:\[([^]]*)\])?;|^\s*}', text, re.M):
            body = {k: v if v[0] != '"' else values[int(v[1:-1])] for k, v in re.findall(r'(\w+)=("\d+"|[^",\s]+)', m[4] or '')}
            if m[1]:
                inside.append(m[1])
                self.clusters[m[1]] = [None, set()]
            elif m[3]:
                self.edges.append((m[2], m[3], body))
            elif m[2] == 'graph' and inside:
                self.clusters[inside[-1]][0] = [float(n) for n in body['bb'].split(',')]
            elif m[2] == 'node' and first:
                self.usual, first = body, False
            elif m[2] and m[2].startswith('item'):
                self.nodes.setdefault(m[2], {**self.usual, **body})
                for cluster in inside:
                    self.clusters[cluster][1].add(m[2])
            elif not m[2] and inside:
                inside.pop()

    def rectangle(self, name):
        x, y = (float(n) for n in self.nodes[name]['pos'].split(','))
        w, h = (float(self.nodes[name][k]) * 36 for k in ('width', 'height'))
        return x - w, y - h, x + w, y + h

    def inside(self):
        """The nodes in bodies, which are drawn inside the box of their node."""
        return {n for c, (_, members) in self.clusters.items() if c.startswith('cluster_item') for n in members if c != 'cluster_' + n}

    def boxes(self):
        return [n for n in sorted(self.nodes, key=lambda n: int(n[4:])) if self.nodes[n]['shape'] == 'box']


def apart(a, b):
    return a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


def holds(a, b):
    return a[0] <= b[0] and a[1] <= b[1] and a[2] >= b[2] and a[3] >= b[3]


# ---- the file, read independently ----

def fields(data):
    """The fields of a message: (number, integer or bytes)."""
    at = 0

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 in (1, 5):
            at += 8 if key & 7 == 1 else 4
        elif key & 7 == 2:
            length = varint()
            yield key >> 3, data[at:at + length]
            at += length


def several(data, number):
    return [v for n, v in fields(data) if n == number and isinstance(v, bytes)]


def merged(data, number):
    """For a message that may come in pieces."""
    return b''.join(several(data, number))


def outer_reads(graph):
    """Names that a body captures."""
    own = {merged(v, 1) for v in several(graph, 11)} | {merged(v, 8) for v in several(graph, 5)}
    reads = {merged(v, 1) for v in several(graph, 12)}
    for n in several(graph, 1):
        own |= set(several(n, 2))
        reads |= node_reads(n)
    return reads - own


def node_reads(node):
    reads = set(several(node, 1))
    for a in several(node, 5):
        for body in several(a, 6) + several(a, 11):
            reads |= outer_reads(body)
    return reads - {b''}


class File:
    """The main graph and the bodies in it, down to the third level: nodes without constants, and edges in each graph."""

    def __init__(self, data):
        self.drawn, self.edges = [], set()
        self.take(merged(data, 7), set(), 0)

    def take(self, graph, known, deep):
        nodes = several(graph, 1)
        outputs = {merged(v, 1) for v in several(graph, 12)}
        known = known | {merged(v, 8) for v in several(graph, 5)}
        drawn, first = [], len(self.drawn)
        # A constant, or a copy of one or of an initializer, has no box: it is shown in its readers.
        for n in nodes:
            out, op, standard = several(n, 2), merged(n, 4), merged(n, 7) in (b'', b'ai.onnx')
            copies = op == b'Identity' and len(several(n, 1)) == 1 and several(n, 1)[0] in known
            made = op == b'Constant' and not several(n, 1)
            if standard and len(out) == 1 and out[0] not in outputs and (copies or made):
                known.add(out[0])
            else:
                drawn.append(n)
        self.drawn += drawn
        makers = {name: i for i, n in enumerate(drawn, first) for name in several(n, 2) if name and name not in known}
        self.edges |= {(makers[name], i) for i, n in enumerate(drawn, first) for name in node_reads(n)
                       if name in makers and makers[name] != i}
        for body in [v for n in drawn if deep < 3 for a in several(n, 5) for v in several(a, 6) + several(a, 11)]:
            self.take(body, known, deep + 1)


def test_kinds_have_the_same_colours_in_all_pictures():
    """Of a box: the operator, its tint and the colour of its title."""
    shapes = [('Conv', 'x w', 'a', {}), ('Relu', 'a', 'b', {}), ('BatchNormalization', 'b s s s s', 'c', {}), ('MaxPool', 'c', 'd', {'kernel_shape': [1, 1]}),
              ('Flatten', 'd', 'e', {}), ('Concat', 'e e', 'f', {'axis': 1}), ('Add', 'f f', 'y', {})]
    data = b.model(b.graph('g', [b.node(op, reads, makes, **attrs) for op, reads, makes, attrs in shapes],
                           [b.floats('x', 'N', 3, 8, 8), b.floats('w', 3, 3, 1, 1), b.floats('s', 3)], [b.floats('y', 'N', 384)]))
    svg = export('-', 'x.svg', '--whole', stdin=data)[0].decode()
    ours = {op: (tint, title) for tint, title, op in
            re.findall(r'fill="(#\w{6})"><rect [^>]* rx=.*?bold" [^>]*>(?:<tspan fill="(#\w{6})">)?(\w+)<', svg)}
    equal(sorted(ours), sorted(op for op, *_ in shapes), 'boxes')
    equal(ours['Add'], ('#ffffff', ''), 'arithmetic')
    equal(len(set(ours.values())), len(shapes), f'a colour for each kind: {ours}')
    dot = export('-', 'x.dot', '--whole', stdin=data)[0].decode()
    theirs = {op: (tint or '#ffffff', title) for tint, title, op in
              re.findall(r'item\d+\t\[(?:fillcolor="(#\w{6})",)?[^\]]*?<B>(?:<FONT COLOR="(#\w{6})">)?(\w+)<', dot)}
    equal({op: theirs[op] for op in ours}, ours, 'in DOT')


def test_short_names_have_a_legend():
    """In what is drawn; never in texts, and nowhere with --expressions."""
    nodes = [b.node('Conv', 'x w', 'a', strides=[3, 3])] + [b.node('Relu', 'abcd'[i], 'bcde'[i]) for i in range(4)]
    data = b.model(b.graph('g', nodes, [b.floats('x', 1, 3, 'H', 'W'), b.floats('w', 3, 3, 2, 2)],
                           [b.floats('e', 1, 3, None, None)]))
    plain = 'floor((H + 1)/3)'
    svg = visible(export('-', 'x.svg', '--whole', stdin=data)[0]).replace('\u00a0', ' ')
    check('[1, 3, H\u2081, W\u2081]' in svg, svg)
    equal(svg.count(f'H\u2081 = {plain}'), 1, 'the legend')
    equal(svg.count(plain), 1, 'nowhere else')
    dot = export('-', 'x.dot', '--whole', stdin=data)[0].decode()
    text = re.sub('<[^>]*>', '', dot).replace('&#160;', ' ').replace('&#93;', ']')
    equal((text.count('[1, 3, H\u2081, W\u2081]'), text.count(f'H\u2081 = {plain}')), (6, 1), 'DOT')
    check(b'H\xe2\x82\x81' in export('-', 'x.html', '--whole', stdin=data)[0], 'the page')
    for words in (['x.svg', '--expressions'], ['x.dot', '--expressions'], ['x.txt'], ['x.json']):
        out = export('-', *words, stdin=data)[0].decode()
        check('\u2081' not in out and 'floor((' in out.replace('\u00a0', ' '), f'{words}')


def test_a_very_long_expression_has_a_name_at_its_first_use():
    for name, named in (('a_symbol_of_very_many_letters', True), ('height', False)):
        data = b.model(b.graph('g', [b.node('Conv', 'x w', 'y', strides=[3, 3])],
                               [b.floats('x', 1, 3, name, 9), b.floats('w', 3, 3, 2, 2)], [b.floats('y', 1, 3, None, None)]))
        svg = visible(export('-', 'x.svg', stdin=data)[0]).replace('\u00a0', ' ')
        equal((svg.count('\u2081') > 0, svg.count(f'floor(({name} + 1)/3)')), (named, 1 if named else 2), name)


def test_titles_are_apart_from_what_follows():
    """librsvg drops blanks at the ends of a piece of text, unless it is told to keep them."""
    if not shutil.which('rsvg-convert'):
        raise tap.Skip('no rsvg-convert')
    svg = export(model('loop.onnx'), 'x.svg')[0]
    blank = re.compile(rb'(<tspan[^>]*>)(?:\xc2\xa0| )')
    check(blank.search(svg), 'no title has anything after it')
    pictures = [subprocess.run(['rsvg-convert'], input=data, capture_output=True, check=True).stdout
                for data in (svg, blank.sub(rb'\1', svg))]
    check(pictures[0] != pictures[1], 'the blank before it is not drawn')


def visible(svg):
    return ' '.join(''.join(t.itertext()) for t in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}text'))


def titles(svg):
    return {t.text for t in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}title')}


# ---- every model ----

def every():
    """Every model as DOT, as on the screen and whole."""
    for path in models():
        for words in ((), ('--whole',)):
            if (path, words) not in every.known:
                every.known[path, words] = export(path, 'x.dot', *words)
            yield path, words, *every.known[path, words]


every.known = {}


def test_dot_takes_every_model():
    for path, _, dot, err in every():
        equal(err, b'', path)
        check(not re.search(rb'[\x00-\x08\x0b-\x1f\x7f]', dot), f'{path}: raw bytes')
        dot.decode()
        equal(classes(drawn(dot, '-Knop2', '-Tsvg')), counts(dot), path)


def test_dot_is_the_same_every_time():
    """The length of a name moves everything in memory, and nothing in the file."""
    for path in models():
        files = {export(path, 'n' * length + '.dot')[0] for length in (1, 60, 120, 200)}
        equal(len(files), 1, f'{path}: different files')


def test_dot_finds_places_of_its_own():
    for path, words, dot, _ in every():
        if counts(dot)['node'] < 500:
            got = classes(drawn(dot, '-Tsvg'))
            equal({k: got[k] for k in ('node', 'edge')}, {k: counts(dot)[k] for k in ('node', 'edge')}, f'{path} {words}')


def uncut(path, *words):
    """The drawing of a page, which is never cut into columns."""
    page, err = export(path, 'x.html', *words)
    equal(err, b'', path)
    return page[page.index(b'<svg width'):page.index(b'</svg>\n') + 7]


def test_our_own_svg_has_the_same():
    cut = 0
    for path, words, dot, _ in every():
        svg, err = export(path, 'x.svg', *words)
        cut += b'too tall for one column' in err
        equal(classes(uncut(path, *words)), counts(dot), path)
        for kind in ('node', 'edge'):
            equal(classes(svg).get(kind), counts(dot).get(kind), f'{path}: {kind}')
    check(cut < 10, f'{cut} are cut')


def numbers(text):
    found = [float(n) for n in re.findall(r'-?[\d.]+', text)]
    return list(zip(found[::2], found[1::2]))


def corners(group):
    """The rectangle around the shapes of a box or a frame."""
    points = []
    for shape in group.iter():
        kind = shape.tag.split('}')[1]
        if kind == 'rect':
            x, y, width, height = (float(shape.get(k)) for k in ('x', 'y', 'width', 'height'))
            points += [(x, y), (x + width, y + height)]
        elif kind in ('polygon', 'polyline', 'path'):
            points += numbers(shape.get('points') or shape.get('d'))
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def curves(group):
    """Where the curves of a line begin and end; a straight one is a curve too."""
    out = []
    for path in group.iter('{http://www.w3.org/2000/svg}path'):
        if path.get('fill', 'none') == 'none':
            for letter, text in re.findall(r'([MLC])([^MLC]*)', path.get('d')):
                out += [(*numbers(text)[0],)] if letter == 'M' else numbers(text)[2::3] if letter == 'C' else numbers(text)
    return [x for point in out for x in point]


def geometry(svg, ids):
    """Boxes by item, lines by their ends, frames: all in one order, without names."""
    rows = []
    for group in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}g'):
        kind = group.get('class')
        if kind in ('node', 'edge'):
            rows.append((kind, ids(group), curves(group) if kind == 'edge' else corners(group)))
        elif kind == 'cluster':
            rows.append((kind, (), corners(group)))
    left, top = next(row[2][:2] for row in sorted(rows, key=lambda r: r[:2]) if row[0] == 'node')
    return sorted((kind, which, [round(n - (left, top)[i % 2]) for i, n in enumerate(place)]) for kind, which, place in rows)


def our_ids(group):
    return tuple(int(n) for n in (group.get('data-item') or group.get('data-ends')).split())


def their_ids(group):
    return tuple(int(n) for n in re.findall(r'\d+', group.find('{http://www.w3.org/2000/svg}title').text))


def test_our_svg_has_graphviz_s_boxes_and_lines():
    for path, words, dot, _ in every():
        if counts(dot)['node'] == 0:
            continue
        ours = geometry(uncut(path, *words), our_ids)
        theirs = geometry(drawn(dot, '-Knop2', '-Tsvg'), their_ids)
        equal([row[:2] for row in ours], [row[:2] for row in theirs], f'{path} {words}: boxes and lines')
        far = [(a, b) for a, b in zip(ours, theirs) if len(a[2]) != len(b[2]) or any(abs(x - y) > 1 for x, y in zip(a[2], b[2]))]
        equal(far[:3], [], f'{path} {words}: {len(far)} of {len(ours)} are elsewhere')


def test_whole_is_what_the_file_says():
    # A duplicate name, a name that a node may not read, no protobuf: then there is no expected drawing.
    odd = ('duplicate_names.onnx', 'shadow.onnx', 'missing_name.onnx', 'wrong_wire_type.onnx')
    for path, words, dot, _ in every():
        if not words or path.endswith(odd):
            continue
        d, f = Drawing(dot), File(read(path))
        place = {name: i for i, name in enumerate(d.boxes())}
        equal(len(place), len(f.drawn), f'{path}: boxes')
        equal({(place[a], place[b]) for a, b, _ in d.edges if a in place and b in place}, f.edges, f'{path}: edges')
        check(all(n['shape'] != 'folder' for n in d.nodes.values()), f'{path}: something is folded')
        ops = [re.match(r'<B>(?:<FONT[^>]*>)?(.*?)</', d.nodes[n]['label'])[1] for n in place]
        wanted = [merged(n, 4).decode() for n in f.drawn]
        equal([a for a, b in zip(ops, wanted) if a != b and b.isalnum()], [], f'{path}: operators')


def test_a_cluster_holds_its_own_and_nothing_else():
    split = 0
    for path, words, dot, _ in every():
        d = Drawing(dot)
        split += any(re.fullmatch(r'cluster_\d+_\d+', name) for name in d.clusters)
        places = [(name, d.rectangle(name)) for name in d.nodes]
        for cluster, (bound, members) in d.clusters.items():
            check(members, f'{path}: {cluster} is empty')
            for name, place in places:
                right = holds(bound, place) if name in members else apart(bound, place)
                check(right, f'{path} {words}: {cluster} {bound} and {name} {place}')
        clusters = list(d.clusters.values())
        for i, (a, inside) in enumerate(clusters):
            check(all(apart(a, c) or (holds(a, c) and more <= inside) for c, more in clusters[i + 1:]), f'{path}: clusters meet')
    # Only a real model has a scope that needs several.
    check(split or not os.path.isdir(tap.SHARED), 'no scope needs more than one cluster, so nothing was tested')


def test_bodies_are_inside_their_nodes():
    """An If has a frame with two in it; a Loop and a Scan have one.  Folded or whole, as DOT and as SVG."""
    for path, node, bodies in (('if.onnx', 'If', {'then_branch': 'Add Relu', 'else_branch': 'Mul Neg'}),
                               ('loop.onnx', 'Loop', {'body': 'Add Identity ReduceMean'}), ('scan.onnx', 'Scan', {'body': 'Add Identity MatMul Tanh'})):
        for words in ((), ('--whole',)):
            d = Drawing(export(model(path), 'x.dot', *words)[0])
            ops = {n: re.search(r'<B>(?:<FONT[^>]*>)?(\w+)', at['label'])[1] for n, at in d.nodes.items()}
            item = next(n for n, op in ops.items() if op == node)
            bound, members = d.clusters['cluster_' + item]
            check(holds(bound, d.rectangle(item)) and item in members, f'{path}: the title is in the frame')
            inner = [c for c in d.clusters if c.startswith('cluster_body')] or ['cluster_' + item]
            found = {' '.join(sorted({ops[n] for n in d.clusters[c][1] if n in d.boxes() and n != item})) for c in inner}
            equal(found, set(bodies.values()), f'{path} {words}')
            shown = visible(export(model(path), 'x.svg', *words)[0])
            check(all(role in shown for role in bodies), f'{path}: {shown}')
            # Lines lead to the title, and leave from the frame; none crosses a body's border.
            inside = members - {item}
            equal([e for e in d.edges if (e[0] in inside) != (e[1] in inside)], [], f'{path}: lines')


def test_states_are_told():
    """Which operand an input of a body begins with, and which output of the node an output becomes."""
    texts = {path: visible(export(model(path), 'x.svg')[0]).replace('\u00a0', ' ') for path in ('if.onnx', 'loop.onnx', 'scan.onnx')}
    for path, part in (('loop.onnx', 'state state 1 \u21ba \u25c2 start'), ('loop.onnx', 'state_out state 1 \u21ba \u25b8 last'),
                       ('loop.onnx', 'step collected \u25b8 steps'), ('loop.onnx', 'go go on?'), ('loop.onnx', 'turn turn'),
                       ('scan.onnx', 'state state 1 \u21ba \u25c2 start'), ('scan.onnx', 'step slice \u25c2 steps'),
                       ('scan.onnx', 'state_out state 1 \u21ba \u25b8 last'), ('scan.onnx', 'step_out collected \u25b8 all'),
                       ('if.onnx', 'then_out \u25b8 y'), ('if.onnx', 'else_out \u25b8 y')):
        check(part in texts[path], f'{path}: {part!r} in {texts[path]}')
    alone = visible(export(model('loop.onnx'), 'x.svg', '--graph', '0.body')[0]).replace('\u00a0', ' ')
    check('state state 1 \u21ba \u25c2 start' in alone, f'a body alone: {alone}')


def nested(deep, wide=1):
    """Ifs inside one another, and so many beside one another."""
    def branch(level, name, x):
        nodes = [b.node('Relu', x, name)]
        if level:
            nodes = [b.node('If', 'c', name, then_branch=branch(level - 1, f'{name}t', x), else_branch=branch(0, f'{name}e', x))]
        return b.graph(name, nodes, [], [b.floats(name, 'N')])
    nodes = [b.node('If', 'c', f'y{i}', then_branch=branch(deep - 1, f't{i}', f'x{i}'), else_branch=branch(0, f'e{i}', f'x{i}'))
             for i in range(wide)]
    return b.model(b.graph('g', nodes, [*(b.floats(f'x{i}', 'N') for i in range(wide)), b.value('c', b.tensor_type(b.BOOL, []))],
                           [b.floats(f'y{i}', 'N') for i in range(wide)]))


def test_deep_and_many_bodies_are_left_folded():
    """Three deep; in pictures that fold, as many boxes as the screen opens with."""
    for deep, wide, words, frames, err in (
            (3, 1, (), 9, b''), (4, 1, (), 9, b'2 bodies left folded; --graph draws one'), (9, 1, ('--whole',), 9, b'2 bodies left folded; --graph draws one'),
            (1, 50, (), 150, b''), (1, 60, (), 150, b'20 bodies left folded; --graph draws one'), (1, 200, ('--whole',), 600, b'')):
        with tap.folder() as place:
            target = os.path.join(place, 'x.svg')
            code, _, said = run('export', '-', '-o', target, *words, stdin=nested(deep, wide))
            svg = read(target)
        equal((code, classes(svg)['cluster']), (0, frames), f'{deep} deep, {wide} wide {words}')
        equal(said.split(b': ')[-1].rstrip(), err, f'{deep} deep, {wide} wide {words}: what is said')
    for ending in ('txt', 'json'):
        check(b'left folded' not in run('export', '-', '-o', '-', '--format', ending, stdin=nested(5))[2], ending)


def test_a_legend_is_not_the_caption_of_a_frame():
    """cgraph's attributes pass from a drawing to the clusters in it."""
    body = b.graph('t', [b.node('Relu', 'a', 't')], [], [b.floats('t', None, None, None, None)])
    other = b.graph('e', [b.node('Neg', 'a', 'e')], [], [b.floats('e', None, None, None, None)])
    nodes = [b.node('Conv', 'x w', 'a', strides=[3, 3]), b.node('If', 'c', 'r0', then_branch=body, else_branch=other)]
    nodes += [b.node('Relu', f'r{i}', f'r{i + 1}') for i in range(4)]
    data = b.model(b.graph('g', nodes, [b.floats('x', 1, 3, 'H', 'W'), b.floats('w', 3, 3, 2, 2), b.value('c', b.tensor_type(b.BOOL, []))],
                           [b.floats('r4', 1, 3, None, None)]))
    dot = export('-', 'x.dot', '--whole', stdin=data)[0]
    svg = export('-', 'x.svg', '--whole', stdin=data)[0]
    theirs = visible(drawn(dot, '-Knop2', '-Tsvg'))
    for text in (visible(svg), theirs):
        text = text.replace('\u00a0', ' ')
        text = re.sub(r'\s+', ' ', text)
        equal((text.count('H\u2081 = '), text.count('H\u2081') > 6), (1, True), text)


def test_every_edge_is_there():
    far = b.model(b.graph('g', [b.node('Relu', f't{i}', f't{i + 1}') for i in range(200)] + [b.node('Add', 't200 t0', 'y')],
                          [b.floats('t0', 'N')], [b.floats('y', 'N')]))
    fan = b.model(b.graph('g', [b.node('Concat', [f't{i}' for i in range(40)], ['y'], axis=0)] +
                          [b.node('Relu', 'x', f't{i}') for i in range(40)], [b.floats('x', 'N')], [b.floats('y', None)]))
    cycle = b.model(b.graph('g', [b.node('Add', 'x b', 'a'), b.node('Relu', 'a', 'b')], [b.floats('x', 'N')], [b.floats('b', 'N')]))
    for data, nodes, edges in ((CHAIN, 6, 6), (far, 203, 203), (fan, 43, 81), (cycle, 4, 4)):
        svg = export('-', 'x.svg', '--whole', stdin=data)[0]
        equal({k: classes(svg)[k] for k in ('node', 'edge')}, {'node': nodes, 'edge': edges}, f'{nodes} items')
        theirs = classes(export('-', 'x.svg', '--whole', '--engine', 'dot', stdin=data)[0])
        equal({k: theirs[k] for k in ('node', 'edge')}, {'node': nodes, 'edge': edges}, f'{nodes} items, by dot')


def test_text_has_the_operators():
    text = export(model('demo.onnx'), 'x.txt')[0].decode()
    check(all(w in text for w in ('LayerNormalization', 'Softmax', '[batch, seq, 16]', '╭', '│')), text[:400])
    text = export(model('demo.onnx'), 'x.txt', '--ascii')[0]
    check(b'Softmax' in text and max(text) < 128, 'ASCII')
    for path in models():
        export(path, 'x.txt')


# ---- formats ----

def test_png_and_pdf_are_what_they_say():
    needs_pictures()
    equal(export(model('demo.onnx'), 'x.png')[0][:8], b'\x89PNG\r\n\x1a\n', 'PNG')
    equal(export(model('demo.onnx'), 'x.pdf')[0][:5], b'%PDF-', 'PDF')


def test_a_page_is_the_svg():
    page = export(model('hostile_names.onnx'), 'x.html')[0].decode()
    svg = export(model('hostile_names.onnx'), 'x.svg')[0].decode()
    check(svg[svg.index('<svg'):] in page and page.startswith('<!DOCTYPE html>'), page[:300])
    check("default-src 'none'" in page, 'no policy')  # scripts: see test_page.py


def test_places_are_ours():
    dot = export(model('demo.onnx'), 'x.dot')[0]
    bound = [float(n) for n in re.search(rb'graph \[bb="([^"]+)"', dot)[1].split(b',')]
    for x, y in re.findall(rb'\tpos="([-\d]+),([-\d]+)"', dot):
        check(bound[0] < int(x) < bound[2] and bound[1] < int(y) < bound[3], f'{x},{y} is outside {bound}')
    for pos in re.findall(rb'pos="(e,[^"]+)"', dot.replace(b'\\\n', b'')):
        check(len(pos.split()) % 3 == 2, f'{pos}: no chain of curves')


def size(png):
    return tuple(int.from_bytes(png[at:at + 4], 'big') for at in (16, 20))


def chain(length):
    nodes = [b.node('Relu', f't{i}', f't{i + 1}') for i in range(length)]
    return b.model(b.graph('g', nodes, [b.floats('t0', 'N')], [b.floats(f't{length}', 'N')]))


def test_what_is_too_tall_is_drawn_in_columns():
    needs_pictures()
    data = chain(900)
    png, err = export('-', 'x.png', '--whole', stdin=data)
    check(b'x.png: too tall for one column, split into ' in err and err.count(b'\n') == 1, err)
    check(max(size(png)) < 8000 and size(png)[1] < 2 * size(png)[0] < 4 * size(png)[1], f'{size(png)}')
    equal(export('-', 'x.png', '--whole', '--quiet', stdin=data)[1], b'', 'with --quiet')
    equal(export('-', 'x.png', '--whole', stdin=chain(60))[1], b'', 'what fits is not cut')


def test_what_is_long_and_narrow_is_drawn_in_columns():
    """In every format that is looked at whole; a page is dragged, and stays as it is."""
    def shape(svg):
        return [int(n) for n in re.search(rb'<svg width="(\d+)pt" height="(\d+)pt"', svg).groups()]

    data = chain(900)
    for name in ('x.svg', 'x.pdf', 'x.png'):
        drawn, err = export('-', name, '--whole', stdin=data)
        check(b': too tall for one column, split into ' in err, f'{name}: {err}')
        if name == 'x.svg':
            width, height = shape(drawn)
            check(width / 2 < height < 2 * width, f'{width} x {height}')
            equal(classes(drawn)['node'], 902, 'every node is there')
    page, err = export('-', 'x.html', '--whole', stdin=data)
    width, height = shape(page)
    check(height > 40 * width and err == b'', f'the page: {width} x {height}, {err}')
    for count in (1, 20, 60):
        svg, err = export('-', 'x.svg', '--whole', stdin=chain(count))
        width, height = shape(svg)
        check(height > width and err == b'', f'{count} nodes: {width} x {height}, {err}')
    many = [[f'{side}.{i}' for i in range(101)] for side in range(40)]
    broad = b.model(b.graph('g', [b.node('Relu', [c[i]], [c[i + 1]]) for c in many for i in range(100)],
                            [b.floats(c[0], 'N') for c in many], [b.floats(c[-1], 'N') for c in many]))
    equal(export('-', 'x.svg', '--whole', stdin=broad)[1], b'', 'what is tall and broad is not cut')


def wide(sides):
    chains = [[f'{side}.{i}' for i in range(31)] for side in range(sides)]
    return b.model(b.graph('g', [b.node('Relu', [c[i]], [c[i + 1]]) for c in chains for i in range(30)],
                           [b.floats(c[0], 'N') for c in chains], [b.floats(c[-1], 'N') for c in chains]))


def test_a_large_image_has_fewer_dots():
    needs_pictures()
    told = re.compile(rb'axed: .*x\.png: large, drawn at (\d+) dots per inch(, too few to read)?; SVG has no such limit(.*)\n')
    for sides, readable in ((50, True), (100, False)):
        png, err = export('-', 'x.png', '--whole', stdin=wide(sides))
        said = told.fullmatch(err)
        if check(said and 24 <= int(said[1]) < 96, err):
            equal((int(said[1]) >= 60, not said[2]), (readable, readable), f'{sides}: {err}')
            equal(said[3], b'' if readable else b', and without --whole it is folded', 'what helps')
        check(9 << 20 < size(png)[0] * size(png)[1] <= 10 << 20, f'{size(png)}')


def test_frames_that_graphviz_cannot_write_are_left_out():
    def scopes(count):
        # Two nodes each, else a scope is none; neighbours differ, else they are folded as repeats.
        nodes = [b.node('Tanh' if (i + k) % 2 else 'Relu', [f't{2 * i + k}'], [f't{2 * i + k + 1}'], name=f'/scope{i}/op{k}')
                 for i in range(count) for k in range(2)]
        return b.model(b.graph('g', nodes, [b.floats('t0', 'N')], [b.floats(f't{2 * count}', 'N')]))

    few, err = export('-', 'x.dot', '--whole', stdin=scopes(1400))
    equal((few.count(b'subgraph cluster'), err), (1400, b''), 'few')
    ifs, err = export('-', 'x.dot', '--whole', stdin=nested(1, 100))
    equal((ifs.count(b'subgraph cluster'), err), (300, b''), 'few bodies')
    ifs, err = export('-', 'x.dot', '--whole', stdin=nested(1, 1500))
    equal(ifs.count(b'subgraph cluster'), 0, 'many bodies')
    check(err.endswith(b': 4500 frames are left out: too many for Graphviz\n'), err)
    many, err = export('-', 'x.dot', '--whole', stdin=scopes(3000))
    equal(many.count(b'subgraph cluster'), 0, 'many')
    check(err.endswith(b': 3000 frames are left out: too many for Graphviz\n'), err)


def test_a_scope_that_has_everything_is_open():
    ops = ('Relu', 'Tanh', 'Exp', 'Abs', 'Neg', 'Erf', 'Floor')
    nodes = [b.node(ops[i * i % 7], [f't{i}'], [f't{i + 1}'], name=f'/model/inner/op_{i}') for i in range(500)]
    data = b.model(b.graph('g', nodes, [b.floats('t0', 'N')], [b.floats('t500', 'N')]))
    text = export('-', 'x.txt', stdin=data)[0]
    boxes = text.decode().count('╭─ ') - 2
    check(100 < boxes < 300 and 'inner' not in text.decode(), f'{boxes} boxes')
    equal({n['scope'] for n in json.loads(export('-', 'x.json', stdin=data)[0])['nodes']}, {'/model/inner'}, 'in JSON')
    for path in ('inner', '/model/inner', 'model'):
        check(export('-', 'x.txt', '--scope', path, stdin=data)[0], path)


def test_other_programs_draw_and_none():
    """Without dot rsvg-convert draws; without both, the packages are named."""
    with tap.folder() as place:
        none = os.path.join(place, 'bin')
        os.mkdir(none)
        env = {**os.environ, 'PATH': none}
        target = os.path.join(place, 'x.png')
        done = subprocess.run([tap.AXED, 'export', model('demo.onnx'), '-o', target], env=env, capture_output=True)
        equal((done.returncode, done.stderr.split(b': ', 2)[2]),
              (2, b'PNG needs the program dot (package graphviz) or rsvg-convert (package librsvg2-bin)\n'), 'nothing draws')
        done = subprocess.run([tap.AXED, 'export', model('demo.onnx'), '-o', os.path.join(place, 'x.svg'), '--quiet'], env=env, capture_output=True)
        equal((done.returncode, done.stderr), (0, b''), 'SVG needs no program')
        if not shutil.which('rsvg-convert'):
            raise tap.Skip('no rsvg-convert')
        os.symlink(shutil.which('rsvg-convert'), os.path.join(none, 'rsvg-convert'))
        for kind, start in (('png', b'\x89PNG'), ('pdf', b'%PDF-')):
            target = os.path.join(place, 'x.' + kind)
            done = subprocess.run([tap.AXED, 'export', model('demo.onnx'), '-o', target, '--quiet'], env=env, capture_output=True)
            equal((done.returncode, done.stderr, read(target)[:len(start)]), (0, b'', start), kind)


def test_dot_without_the_engine_for_given_places():
    """Debian 14 has nop2 in a package of its own: rsvg-convert draws, or the sentence says what is missing."""
    needs_dot()
    with tap.folder() as place:
        folder = os.path.join(place, 'bin')
        os.mkdir(folder)
        with open(os.path.join(folder, 'dot'), 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\n[ "$1" != -Knop2 ] || exit 1\nexec %s "$@"\n' % shutil.which('dot'))
        os.chmod(os.path.join(folder, 'dot'), 0o755)

        def draw(kind, *words):
            target = os.path.join(place, 'x.' + kind)
            done = subprocess.run([tap.AXED, 'export', model('demo.onnx'), '-o', target, '--quiet', *words],
                                  env={**os.environ, 'PATH': folder}, capture_output=True)
            return done.returncode, done.stderr.split(b': ', 2)[-1], read(target)[:5] if os.path.exists(target) else None

        equal(draw('pdf'), (2, b'PDF needs rsvg-convert (package librsvg2-bin), because this dot has no engine nop2 '
                            b'(package libgvplugin-neato-layout8)\n', None), 'neither')
        equal(draw('pdf', '--engine', 'dot'), (0, b'', b'%PDF-'), 'its own places')
        if shutil.which('rsvg-convert'):
            os.symlink(shutil.which('rsvg-convert'), os.path.join(folder, 'rsvg-convert'))
            os.unlink(os.path.join(place, 'x.pdf'))
            equal(draw('pdf'), (0, b'', b'%PDF-'), 'rsvg-convert')


def test_an_image_too_large_is_refused():
    names = [f'a tensor with a long name, number {i}' for i in range(400)]
    data = b.model(b.graph('g', [b.node('Relu', [n], [n + '.']) for n in names], [b.floats(n, 'N') for n in names],
                           [b.floats(n + '.', 'N') for n in names]))
    with tap.folder() as place:
        target = os.path.join(place, 'x.png')
        code, out, err = run('export', '-', '-o', target, '--whole', stdin=data)
        equal((code, out, err.count(b'\n'), os.listdir(place)), (2, b'', 1, []), f'{err!r}')
        check(b'32767 pixels' in err and b'fold' in err and b'SVG' in err, err)
    equal(classes(export('-', 'x.svg', '--whole', stdin=data)[0])['node'], 1200, 'as SVG')


def test_a_long_line_is_two_stubs():
    nodes = [b.node('Relu', f't{i}', f't{i + 1}') for i in range(200)] + [b.node('Add', 't200 t0', 'y')]
    data = b.model(b.graph('g', nodes, [b.floats('t0', 'N')], [b.floats('y', 'N')]))
    edges = [body for _, _, body in Drawing(export('-', 'x.dot', '--whole', stdin=data)[0]).edges if ';' in body['pos']]
    equal([(e['headlabel'], e['taillabel']) for e in edges], [('\u25c2 t0', '\u25b8 t0')], 'both ends are named')
    check(all(len(piece.replace('e,', '').split()) % 3 == k for k, piece in enumerate(edges[0]['pos'].split(';'), 1)), edges)


def test_engine_dot():
    for name in ('x.svg', 'x.png', 'x.pdf', 'x.dot'):
        check(export(model('demo.onnx'), name, '--engine', 'dot')[0], name)
    ours, theirs = (classes(export(model('demo.onnx'), 'x.svg', *w)[0]) for w in ((), ('--engine', 'dot')))
    equal(ours, theirs, 'the same graph')


# ---- names ----

def test_names_stay_names():
    inputs = [b.value(n, b.tensor_type(b.FLOAT, [b.dim(n), 3])) for n in WILD if n]
    nodes = [b.node('Relu', [n], [b'out ' + n], name=b'/' + n + b'/' + n) for n in WILD if n]
    data = b.model(b.graph('g', nodes, inputs, [b.value(b'out ' + n, b.tensor_type(b.FLOAT, [])) for n in WILD if n]))
    for words in ((), ('--whole',)):
        dot, _ = export('-', 'x.dot', *words, stdin=data)
        svg, _ = export('-', 'x.svg', *words, stdin=data)
        equal(classes(drawn(dot, '-Knop2', '-Tsvg')), counts(dot), 'dot takes it')
        equal(classes(svg), counts(dot), 'so do we')
        shown = visible(svg).replace('\xa0', ' ')
        for part in ('"quotes" and \'more\'', 'back\\slash\\', '\\N \\E \\G', 'two\\nlines', '\\xff\\xfe no text', '</B><!--',
                     '&lt; &amp; &#0; &', '\\x1b[2J', '\\u202e', ']]>', '<<>>'):
            check(part in shown, f'{part!r} is not seen')
            check(any(part in (t or '') for t in titles(svg)), f'{part!r} is no title')
        export('-', 'x.png', *words, stdin=data)


# ---- parts ----

def ops(*words):
    return sorted(re.findall(r'<B>(?:<FONT[^>]*>)?(\w+)', export('-', 'x.dot', '--whole', *words, stdin=CHAIN)[0].decode()))


def test_parts():
    equal(ops(), ['Abs', 'Add', 'Neg', 'Relu', 'x', 'y'], 'all')
    equal(ops('--focus', '/enc/two/Abs', '--hops', '1'), ['Abs', 'Neg', 'Relu'], 'near a node')
    equal(ops('--focus', 'h', '--hops', '1'), ['Abs', 'Neg', 'Relu'], 'near a tensor')
    equal(ops('--focus', '/enc/one/Relu', '--path', '/dec/Neg'), ['Abs', 'Neg', 'Relu'], 'between two')
    equal(ops('--scope', '/enc'), ['Abs', 'Neg', 'Relu', 'x'], 'a scope and what it touches')


def test_constants_are_in_their_readers():
    nodes = [b.node('MatMul', 'x w', 'a'), b.node('Mul', 'a s', 'h'), b.node('Gather', 'h i', 'y', axis=1)]
    weights = [b.float_tensor('w', [4, 6], [0] * 24), b.float_tensor('s', [], [0.125]), b.int_tensor('i', [1], [1])]
    data = b.model(b.graph('g', nodes, [b.floats('x', 'N', 4)], [b.floats('y', 'N', None)], weights))
    text = export('-', 'x.txt', stdin=data)[0].decode()
    check(all(part in text for part in ('MatMul (4\xd76) ', 'Mul \xd7 0.125 ', 'Gather [1] ')), text)
    shown = visible(export('-', 'x.svg', stdin=data)[0]).replace('\xa0', ' ')
    check(all(part in shown for part in ('(4\xd76)', '\xd7 0.125', '[1]')), shown)


def inner(name, *words, source='nested.onnx'):
    """The titles in a graph inside a model, in three formats."""
    dot = export(model(source), 'x.dot', '--graph', name, *words)[0]
    text = export(model(source), 'x.txt', '--graph', name, *words)[0].decode()
    drawing = Drawing(dot)
    own = [n for n in drawing.nodes if n not in drawing.inside()]
    found = [re.search(r'<B>(?:<FONT[^>]*>)?(\w+)', drawing.nodes[n]['label'])[1] for n in own]
    check(all(f'─ {f} ' in text for f in found), f'{name}: {found} in {text}')
    equal(classes(export(model(source), 'x.svg', '--graph', name, *words)[0]), counts(dot), name)
    return sorted(found)


def test_graphs_inside():
    walk = ['Identity', 'Identity', 'Loop', 'turns', 'up', 'x', 'y']
    for name in ('walk', 'test.nested.walk', 'test.nested::walk::'):
        equal(inner(name), walk, name)
    equal(inner('walk', '--focus', 'y', '--hops', '1'), ['Identity', 'Loop', 'y'], 'a part of it')
    check('If' in inner('test.nested::walk::/1.body'), 'a body')
    for name, path in (('0.then_branch', 'if.onnx'), ('0.else_branch', 'if.onnx'), ('0.body', 'loop.onnx'), ('0.body', 'scan.onnx')):
        check(len(inner(name, source=path)) > 1, f'{path}: {name}')
    body = b.graph('then', [b.node('Relu', 'x', 'r')], [], [b.floats('r', 'N')])
    other = b.graph('else', [b.node('Neg', 'x', 'n')], [], [b.floats('n', 'N')])
    data = b.model(b.graph('g', [b.node('If', 'c', 'y', name='/choose', then_branch=body, else_branch=other)],
                           [b.floats('x', 'N'), b.value('c', b.tensor_type(b.BOOL, []))], [b.floats('y', 'N')]))
    check(b'Relu' in export('-', 'x.dot', '--graph', '/choose.then_branch', stdin=data)[0], 'by the name of the node')
    check(b'Neg' in export('-', 'x.dot', '--graph', '/choose.else_branch', stdin=data)[0], 'the other one')
    for name, part in (('/choose', b'more than one graph'), ('nobody', b"no graph 'nobody'; it has 0.then_branch, 0.else_branch")):
        code, out, err = run('export', '-', '-o', '-', '--format', 'dot', '--graph', name, stdin=data)
        equal((code, out, part in err), (2, b'', True), f'{err!r}')


def test_bind():
    check(b'7' in export('-', 'x.txt', '--bind', 'N=7', stdin=CHAIN)[0], 'a number')
    check(b'[7, 4]' in export('-', 'x.txt', '--bind', 'N=7', stdin=CHAIN)[0], 'in the shape')


# ---- errors ----

def test_refusals():
    with tap.folder() as place:
        for words, part in ((('-o', 'x.bmp'), b'ending'), (('-o', '.png.onnx'), b'ending'), (('-o', '-'), b'ending'), ((), b'-o FILE'),
                            (('-o', 'x.dot', '--engine', 'fdp'), b"not 'fdp'"), (('-o', 'x.txt', '--engine', 'dot'), b'--engine'),
                            (('-o', 'x.dot', '--hops', '3'), b'--focus'), (('-o', 'x.dot', '--focus', 'nobody'), b"no node 'nobody'"),
                            (('-o', 'x.dot', '--scope', '/nobody'), b"no scope '/nobody'"),
                            (('-o', 'x.dot', '--bind', 'nobody=3'), b"no such symbol 'nobody'"),
                            (('-o', 'x.dot', '--focus', 'ids', '--hops', '0'), b'from 1'),
                            (('-o', 'no/such/folder/x.dot'), b'no/such/folder/x.dot'), (('-o', 'no/such/folder/x.svg'), b'no/such')):
            code, out, err = run('export', '--demo', *words, cwd=place, env={'AXED': os.path.abspath(tap.AXED)})
            equal((code, out, err.count(b'\n')), (2, b'', 1), f'{words}: {err!r}')
            check(part in err, f'{words}: {err!r}')
        equal(os.listdir(place), [], 'nothing is written')
    equal(run('export', '/no/such.onnx', '-o', '/tmp/never.dot')[0], 2, 'no model')


tap.main(globals())
