"""axed export: every format of every part of every model.

The parts are the main graph, every body and every function; each as a whole, a scope, the neighbourhood of a node, and the
paths between two nodes.  All formats accept the same parts and draw the same boxes, and a page describes the drawn graph.
"""

import concurrent.futures
import glob
import json
import os
import re
import sys

import tap
from tap import check, equal, model, read, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

FORMATS = ('dot', 'svg', 'txt', 'html', 'json', 'png', 'pdf')
STARTS = {'dot': b'digraph', 'svg': b'<?xml', 'html': b'<!DOCTYPE html>', 'json': b'{', 'png': b'\x89PNG', 'pdf': b'%PDF-'}
MANY_GRAPHS = 8  # above this, images only of the main graph


def branch(name, *names, bad=False):
    """A body with scopes and, if `bad`, with sizes that cannot be added."""
    nodes = [b.node('Relu', 'x', name + '_a', name=f'/{name}/enc/Relu'), b.node('Neg', name + '_a', name + '_b', name=f'/{name}/dec/Neg')]
    nodes += [b.node('Add', 'x odd', name + '_c', name=f'/{name}/dec/Add')] if bad else []
    nodes += [b.node('Abs', name + '_b', n, name=f'/{name}/dec/{n}') for n in names]
    return b.graph(name, nodes, [], [b.floats(n, 'N', 4) for n in names])


def uneven():
    """Main graphs and bodies with very different numbers of inputs, outputs and nodes."""
    choice = b.node('If', 'c', 'y', name='choice', then_branch=branch('then', 't'), else_branch=branch('else', 'e', bad=True))
    given = [b.floats('x', 'N', 4), b.floats('odd', 3, 3), b.value('c', b.tensor_type(b.BOOL, []))]
    yield 'many outputs outside', b.model(b.graph(
        'g', [choice] + [b.node('Relu', 'x', f'y{i}', name=f'/out/{i}') for i in range(100)], given,
        [b.floats('y', 'N', 4)] + [b.floats(f'y{i}', 'N', 4) for i in range(100)]))
    outputs = [f'o{i}' for i in range(100)]
    more = b.node('If', ['c'], outputs, name='choice', then_branch=branch('then', *[f't{i}' for i in range(100)]),
                  else_branch=branch('else', *[f'e{i}' for i in range(100)], bad=True))
    yield 'many outputs inside', b.model(b.graph('g', [more], given, [b.floats('o0', 'N', 4)]))


def every_model():
    for path in sorted(glob.glob(model('*.onnx'))):
        if not path.endswith('too_deep.onnx'):
            yield os.path.basename(path), read(path), path
    for name, data in uneven():
        yield name, data, None


def parts_of(told, graph):
    """The arguments that select each part of one graph."""
    where = ('--graph', graph) if graph else ()
    nodes = [n for n in told['nodes'] if n['graph'] == graph]
    names = [n['name'] or next(iter(n['outputs']), '') for n in nodes if n['op'] != 'Constant']
    names = [n for n in names if n]
    scopes = [n['scope'] for n in nodes if n['scope']]
    yield where
    yield (*where, '--whole')
    for scope in sorted({scopes[0], scopes[-1]} if scopes else ()):
        yield (*where, '--scope', scope)
    for name in sorted({names[0], names[-1]} if names else ()):
        yield (*where, '--focus', name)
    if len(names) > 1:
        yield (*where, '--focus', names[0], '--path', names[-1])


def page_data(page):
    text = re.search(rb'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1]
    return json.loads(text)


def boxes(kind, made):
    if kind == 'html':
        return len(page_data(made)['items'])
    return len(re.findall(rb'^\s*item\d+\t', made, re.M) if kind == 'dot' else re.findall(rb'<g class="node"', made))


def judge_page(label, told, graph, words, data):
    """A page has the node count, the inputs and the outputs of the graph that it draws."""
    equal(data['nodes'], sum(n['graph'] == graph for n in told['nodes']), f'{label}: nodes')
    ends = {v[0] for item in data['items'] if item['kind'] == 'output' and 'graph' not in item for v in item['in']}
    outputs = next({n for n in g['outputs'] if n} for g in told['graphs'] if g['graph'] == graph)
    if all(n.isascii() and n.isprintable() for n in outputs):
        narrowed = any(w in words for w in ('--scope', '--focus'))
        check(ends <= outputs if narrowed else ends == outputs, f'{label}: outputs {sorted(ends)[:9]} of {sorted(outputs)[:9]}')
    for item in data['items']:
        check(item['kind'] != 'output' or item['in'] or not item['name'], f'{label}: {item["name"]} stands for nothing')


def judge(label, told, graph, words, made):
    """Every format of one part: either all accept it, or all reject it for the same reason."""
    codes = {k: code for k, (code, _, _) in made.items()}
    check(len(set(codes.values())) == 1, f'{label}: {codes} {[e for _, _, e in made.values() if e]}')
    errors = {err.split(b': ')[-1] for _, _, err in made.values()}
    check(len(errors) == 1, f'{label}: {errors}')
    if set(codes.values()) != {0}:
        return equal(set(codes.values()), {2}, f'{label}: {errors}')
    for kind, (_, out, _) in made.items():
        check(out.startswith(STARTS.get(kind, b'')) and (out or kind == 'txt'), f'{label}: {kind} is {out[:20]}')
    counts = {k: boxes(k, made[k][1]) for k in ('dot', 'svg', 'html')}
    check(len(set(counts.values())) == 1, f'{label}: boxes {counts}')
    judge_page(label, told, graph, words, page_data(made['html'][1]))


def try_part(source, data, told, graph, words, formats):
    made = {}
    for kind in formats:
        folded = ['--folded'] if kind == 'dot' and '--whole' not in words else []
        made[kind] = run('export', source, '-o', '-', '--format', kind, '--quiet', *folded, *words, stdin=data)
    return graph, words, made


def test_every_format_of_every_part():
    tried = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, data, path in every_model():
            source, data = (path, b'') if path else ('-', data)
            told = json.loads(run('export', source, '-o', '-', '--format', 'json', stdin=data)[1])
            jobs = []
            for graph in [g['graph'] for g in told['graphs']]:
                images = not graph or len(told['graphs']) <= MANY_GRAPHS
                formats = [f for f in FORMATS if (f != 'json' or not graph) and (f not in ('png', 'pdf') or images)]
                jobs += [pool.submit(try_part, source, data, told, graph, words, formats) for words in parts_of(told, graph)]
            for job in jobs:
                graph, words, made = job.result()
                judge(f'{name} {" ".join(words)}', told, graph, words, made)
                tried += len(made)
    check(tried > 1000, f'only {tried} were tried')


def test_json_has_no_graph():
    code, out, err = run('export', model('if.onnx'), '-o', '-', '--format', 'json', '--graph', '0.then_branch')
    equal((code, out, err.count(b'\n')), (2, b'', 1), f'{err!r}')


def test_findings_are_on_the_page_of_their_graph():
    """A finding in a body is on the body's page, and with the body's boxes on that of the model."""
    for _, data in uneven():
        told = {}
        for words in ((), ('--graph', 'choice.then_branch'), ('--graph', 'choice.else_branch')):
            code, out, err = run('export', '-', '-o', '-', '--format', 'html', '--whole', *words, stdin=data)
            equal((code, err), (0, b''), f'{words}')
            items = page_data(out)['items'] if code == 0 else []
            told[words] = sorted((i['name'], i.get('graph')) for i in items if 'findings' in i)
        equal([[name for name, _ in rows] for rows in told.values()], [['/else/dec/Add'], [], ['/else/dec/Add']], f'{told}')
        check(told[()][0][1].endswith('.else_branch') and not told['--graph', 'choice.else_branch'][0][1], f'{told}')


tap.main(globals())
