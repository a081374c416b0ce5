"""axed export: Graphviz takes what is written for it, everything that is seen is in it, and names stay names."""

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


def export(source, name, *words, stdin=b''):
    """The bytes of the file that is written, and what was said."""
    with tap.folder() as place:
        target = os.path.join(place, name)
        code, out, err = run('export', source, '-o', target, *words, stdin=stdin)
        equal((code, out), (0, b''), f'{source} to {name} {words}: {err!r}')
        equal(os.listdir(place), [name] if code == 0 else [], f'{source}: what is left')
        return read(target) if code == 0 else b'', err


def drawn(dot, *words):
    """What the program dot makes of it."""
    if not shutil.which('dot'):
        raise tap.Skip('no dot')
    done = subprocess.run(['dot', *words], input=dot, capture_output=True, timeout=100)
    equal((done.returncode, done.stderr), (0, b''), f'dot {words}')
    return done.stdout


def classes(svg):
    """How many nodes, edges and clusters are in an SVG."""
    kinds = [g.get('class') for g in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}g')]
    return {k: kinds.count(k) for k in ('node', 'edge', 'cluster')}


def counts(dot):
    """The same of DOT, by our own names."""
    text = dot.decode()
    return {'node': len(re.findall(r'^\s*item\d+\t', text, re.M)), 'edge': text.count(' -> item'),
            'cluster': text.count('subgraph cluster_')}


def visible(svg):
    return ' '.join(''.join(t.itertext()) for t in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}text'))


def titles(svg):
    return {a.get('{http://www.w3.org/1999/xlink}title') for a in tree.fromstring(svg).iter('{http://www.w3.org/2000/svg}a')}


# ---- every model ----

def test_dot_takes_every_model():
    for path in models():
        for words in ((), ('--whole',)):
            dot, err = export(path, 'x.dot', *words)
            equal(err, b'', path)
            check(not re.search(rb'[\x00-\x08\x0b-\x1f\x7f]', dot), f'{path}: raw bytes')
            dot.decode()
            equal(classes(drawn(dot, '-Knop2', '-Tsvg')), counts(dot), path)


def test_our_own_svg_has_the_same():
    for path in models():
        svg, err = export(path, 'x.svg')
        equal(err, b'', path)
        equal(classes(svg), counts(export(path, 'x.dot')[0]), path)


def test_whole_draws_every_node():
    for path in models():
        shown = json.loads(run('show', '--json', path)[1])
        main = [g for g in shown['graphs'] if g['kind'] == 'main']
        dot = export(path, 'x.dot', '--whole')[0].decode()
        if not main:
            continue
        # Constants are drawn nowhere, nor are copies of initializers (Identity).
        count = {o['op']: o['count'] for o in shown['operators']}
        most = main[0]['nodes']
        least = most - count.get('Constant', 0) - count.get('Identity', 0)
        check(least <= dot.count('shape=box') <= most, f'{path}: {dot.count("shape=box")} of {least} to {most}')
        equal(dot.count('shape=folder'), 0, f'{path}: something is folded')


def test_every_edge_is_there():
    far = b.model(b.graph('g', [b.node('Relu', f't{i}', f't{i + 1}') for i in range(200)] + [b.node('Add', 't200 t0', 'y')],
                          [b.floats('t0', 'N')], [b.floats('y', 'N')]))
    fan = b.model(b.graph('g', [b.node('Concat', [f't{i}' for i in range(40)], ['y'], axis=0)] +
                          [b.node('Relu', 'x', f't{i}') for i in range(40)], [b.floats('x', 'N')], [b.floats('y', None)]))
    cycle = b.model(b.graph('g', [b.node('Add', 'x b', 'a'), b.node('Relu', 'a', 'b')], [b.floats('x', 'N')], [b.floats('b', 'N')]))
    for data, nodes, edges in ((CHAIN, 6, 6), (far, 203, 203), (fan, 43, 81), (cycle, 4, 4)):
        svg = export('-', 'x.svg', '--whole', stdin=data)[0]
        equal({k: classes(svg)[k] for k in ('node', 'edge')}, {'node': nodes, 'edge': edges}, f'{nodes} items')
        equal(classes(export('-', 'x.svg', '--whole', '--engine', 'dot', stdin=data)[0]), classes(svg), f'{nodes} items, by dot')


def test_text_has_the_operators():
    text = export(model('demo.onnx'), 'x.txt')[0].decode()
    check(all(w in text for w in ('LayerNormalization', 'Softmax', '[batch, seq, 16]', '╭', '│')), text[:400])
    text = export(model('demo.onnx'), 'x.txt', '--ascii')[0]
    check(b'Softmax' in text and max(text) < 128, 'ASCII')
    for path in models():
        export(path, 'x.txt')


# ---- formats ----

def test_png_and_pdf_are_what_they_say():
    equal(export(model('demo.onnx'), 'x.png')[0][:8], b'\x89PNG\r\n\x1a\n', 'PNG')
    equal(export(model('demo.onnx'), 'x.pdf')[0][:5], b'%PDF-', 'PDF')


def test_a_page_is_the_svg():
    page = export(model('hostile_names.onnx'), 'x.html')[0].decode()
    svg = export(model('hostile_names.onnx'), 'x.svg')[0].decode()
    check(svg[svg.index('<svg'):] in page and page.startswith('<!DOCTYPE html>'), page[:300])
    check("default-src 'none'" in page, 'no policy')  # what runs: see test_page.py


def test_places_are_ours():
    dot = export(model('demo.onnx'), 'x.dot')[0]
    bound = [float(n) for n in re.search(rb'graph \[bb="([^"]+)"', dot)[1].split(b',')]
    for x, y in re.findall(rb'\tpos="([-\d]+),([-\d]+)"', dot):
        check(bound[0] < int(x) < bound[2] and bound[1] < int(y) < bound[3], f'{x},{y} is outside {bound}')
    for pos in re.findall(rb'pos="(e,[^"]+)"', dot.replace(b'\\\n', b'')):
        check(len(pos.split()) % 3 == 2, f'{pos}: no chain of curves')


def test_an_image_too_large_is_refused():
    nodes = [b.node('Relu', f't{i}', f't{i + 1}') for i in range(900)]
    data = b.model(b.graph('g', nodes, [b.floats('t0', 'N')], [b.floats('t900', 'N')]))
    with tap.folder() as place:
        target = os.path.join(place, 'x.png')
        code, out, err = run('export', '-', '-o', target, '--whole', stdin=data)
        equal((code, out, err.count(b'\n'), os.listdir(place)), (2, b'', 1, []), f'{err!r}')
        check(b'32767 pixels' in err and b'fold' in err and b'SVG' in err, err)
    equal(classes(export('-', 'x.svg', '--whole', stdin=data)[0])['node'], 902, 'as SVG')


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
            # Graphviz 2.43 reads tooltips twice, so its own escapes do not come through.
            check('\\N' in part or any(part in (t or '') for t in titles(svg)), f'{part!r} is no title')
        export('-', 'x.png', *words, stdin=data)


# ---- parts ----

def ops(*words):
    return sorted(re.findall(r'<B>(\w+)', export('-', 'x.dot', '--whole', *words, stdin=CHAIN)[0].decode()))


def test_parts():
    equal(ops(), ['Abs', 'Add', 'Neg', 'Relu', 'x', 'y'], 'all')
    equal(ops('--focus', '/enc/two/Abs', '--hops', '1'), ['Abs', 'Neg', 'Relu'], 'near a node')
    equal(ops('--focus', 'h', '--hops', '1'), ['Abs', 'Neg', 'Relu'], 'near a tensor')
    equal(ops('--focus', '/enc/one/Relu', '--path', '/dec/Neg'), ['Abs', 'Neg', 'Relu'], 'between two')
    equal(ops('--scope', '/enc'), ['Abs', 'Neg', 'Relu', 'x'], 'a scope and what it touches')


def test_bind():
    check(b'7' in export('-', 'x.txt', '--bind', 'N=7', stdin=CHAIN)[0], 'a number')
    check(b'[7, 4]' in export('-', 'x.txt', '--bind', 'N=7', stdin=CHAIN)[0], 'in the shape')


# ---- what cannot be done ----

def test_refusals():
    with tap.folder() as place:
        for words, part in ((('-o', 'x.bmp'), b'ending'), (('-o', '.png.onnx'), b'ending'), (('-o', '-'), b'ending'), ((), b'-o FILE'),
                            (('-o', 'x.dot', '--engine', 'fdp'), b"not 'fdp'"), (('-o', 'x.txt', '--engine', 'dot'), b'--engine'),
                            (('-o', 'x.dot', '--hops', '3'), b'--focus'), (('-o', 'x.dot', '--focus', 'nobody'), b"no node 'nobody'"),
                            (('-o', 'x.dot', '--scope', '/nobody'), b"no scope '/nobody'"),
                            (('-o', 'x.dot', '--bind', 'nobody=3'), b"no symbol 'nobody'"),
                            (('-o', 'x.dot', '--focus', 'ids', '--hops', '0'), b'from 1'),
                            (('-o', 'no/such/folder/x.dot'), b'no/such/folder/x.dot'), (('-o', 'no/such/folder/x.svg'), b'no/such')):
            code, out, err = run('export', '--demo', *words, cwd=place, env={'AXED': os.path.abspath(tap.AXED)})
            equal((code, out, err.count(b'\n')), (2, b'', 1), f'{words}: {err!r}')
            check(part in err, f'{words}: {err!r}')
        equal(os.listdir(place), [], 'nothing is written')
    equal(run('export', '/no/such.onnx', '-o', '/tmp/never.dot')[0], 2, 'no model')


tap.main(globals())
