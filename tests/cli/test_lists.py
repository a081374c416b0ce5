"""Like-named inputs, outputs, axes and symbols are one row, which says no less than all of them."""

import json
import random
import re
import sys

import tap
from tap import asked, check, equal, on_terminal, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402


def cache(layers, **rest):
    """A model with a cache of keys and values in each layer."""
    names = [f'past_key_values.{i}.{word}' for i in range(layers) for word in ('key', 'value')]
    nodes = [b.node('Relu', name, name.replace('past_key_values', 'present'), name=f'/layers.{name.split(".")[1]}/Relu')
             for name in names]
    half = [b.value(name, b.tensor_type(b.FLOAT16, ['batch', 8, 'past', 128])) for name in names]
    out = [b.value(name.replace('past_key_values', 'present'), b.tensor_type(b.FLOAT16, ['batch', 8, 'past', 128]))
           for name in names]
    ids = b.value('ids', b.tensor_type(b.INT64, ['batch', 'seq']))
    return b.model(b.graph('g', nodes, [ids, *half], out), **rest)


def inputs(*named, node='Identity'):
    """A model with these inputs: (name, dims)."""
    nodes = [b.node(node, name, f'out {name}', name=f'/n/{name}/Node') for name, _ in named]
    return b.model(b.graph('g', nodes, [b.floats(name, *dims) for name, dims in named],
                           [b.floats(f'out {name}', *dims) for name, dims in named]))


def lines(content, *words):
    code, out, err = asked(content, lambda path: run(words[0], path, *words[1:]))
    equal(code, 0, f'{words}: {err}')
    return out.decode().splitlines()


def section(content, label, *words):
    """The rows of `show` below a label, without it."""
    found, inside = [], False
    for line in lines(content, 'show', *words):
        inside = line[:14].strip() == label or (inside and not line[:14].strip())
        if inside:
            found.append(' '.join(line[14:].split()))
    return found


def test_a_cache_is_one_row():
    equal(section(cache(32), 'inputs'),
          ['ids int64 [batch, seq]', 'past_key_values.0…31.{key,value} float16 [batch, 8, past, 128] ×64'], 'inputs')
    equal(section(cache(32), 'outputs'), ['present.0…31.{key,value} float16 [batch, 8, past, 128] ×64'], 'outputs')
    equal(len(section(cache(32), 'inputs', '--whole')), 65, 'all of them')
    equal([line for line in lines(cache(32), 'show') if '…31' in line][0],
          '              past_key_values.0…31.{key,value}  float16 [batch, 8, past, 128]  ×64', 'in columns')


def test_axes_count_along_with_their_nodes():
    rows = [row.split('\t') for row in lines(inputs(*((f'p.{i}.k', ['batch', 4]) for i in range(12))), 'axes')]
    equal([row[0] for row in rows], ['p.0…11.k:0 ×12', 'p.0…11.k:1 ×12'], 'axes')
    equal([row[:3] for row in rows][0], ['p.0…11.k:0 ×12', 'batch', 'free'], 'what they share')
    # Other nodes tie them: which, only --whole and JSON say.
    rows = lines(b.model(b.graph('g', [b.node('Add', f'x.{i} w', f'y.{i}', name=f'/l.{i}/Add_{i % 2}') for i in range(6)],
                                 [b.floats(f'x.{i}', 'n', 4) for i in range(6)], [b.floats(f'y.{i}', 'n', 4) for i in range(6)],
                                 [b.float_tensor('w', [4], [0] * 4)])), 'axes')
    equal([row.split('\t')[:3] for row in rows if '\t4\t' in row], [['x.0…5:1 ×6', '4', 'tied by Add /l.0/Add_0… with w']], rows)
    rows = lines(b.model(b.graph('g', [b.node('Add', f'x.{i} w', f'y.{i}', name=f'/l.{i}/Add_1') for i in range(6)],
                                 [b.floats(f'x.{i}', 'n', 4) for i in range(6)], [b.floats(f'y.{i}', 'n', 4) for i in range(6)],
                                 [b.float_tensor('w', [4], [0] * 4)])), 'axes')
    tied = [row for row in rows if '\t4\t' in row]
    equal(len(tied), 1, rows)
    check('x.0…5:1 ×6' in tied[0] and 'by Add /l.0…5/Add_1 with w' in tied[0] and 'needs x.0…5:1 = 1 or 4' in tied[0], tied)
    # A size that counts along is another size.
    rows = lines(b.model(b.graph('g', [b.node('Add', f'x.{i} w.{i}', f'y.{i}', name=f'/l.{i}/Add_1') for i in range(2, 8)],
                                 [b.floats(f'x.{i}', 'n', i) for i in range(2, 8)],
                                 [b.floats(f'y.{i}', 'n', i) for i in range(2, 8)],
                                 [b.float_tensor(f'w.{i}', [i], [0] * i) for i in range(2, 8)])), 'axes')
    equal(len([row for row in rows if 'tied by Add' in row]), 6, rows)


def attention(layers, dynamo):
    """Keys and values of a cache, which are joined to new ones and meet a mask."""
    nodes, names = [], []
    for i in range(layers):
        names += [f'past.{i}.key', f'past.{i}.value']
        called = [f'node_cat_{2 * i}', f'node_cat_{2 * i + 1}'] if dynamo else [f'/b.{i}/Concat_3', f'/b.{i}/Concat_4']
        nodes += [b.node('Concat', f'past.{i}.key new', f'k{i}', called[0], axis=1),
                  b.node('Concat', f'past.{i}.value new', f'v{i}', called[1], axis=1),
                  b.node('Add', f'v{i} sum{i - 1}' if i else 'v0 k0', f'sum{i}', f'/b.{i}/Add')]
    return b.model(b.graph('g', nodes, [b.floats(name, 'batch', 'past', 16) for name in names] + [b.floats('new', 'batch', 'seq', 16)],
                           [b.floats(f'sum{layers - 1}', 'batch', None, 16)]))


def test_axes_of_keys_and_values_are_one_row():
    for dynamo, node in ((False, '/b.0…7/Concat_{3,4}'), (True, 'node_cat_0…')):
        rows = {row.split('\t')[0]: row.split('\t') for row in lines(attention(8, dynamo), 'axes')}
        equal(rows.get('past.0…7.{key,value}:2 ×16', [''] * 3)[1:3], ['16', f'pinned to 16 by Concat {node}'], rows.keys())
        check(len(rows) < 20, f'{len(rows)} rows: {list(rows)}')
    equal(len(lines(attention(8, False), 'axes', '--whole')), 51, 'all of them')


def test_long_broadcasts_are_cut_and_amounts_may_differ():
    content = tap.read(tap.shared('models', 'gpt12.onnx'))
    rows = lines(content, 'axes')
    check(len(rows) < 16 and max(map(len, rows)) < 260, f'{len(rows)} rows of up to {max(map(len, rows))}')
    key = next(row.split('\t') for row in rows if row.startswith('p1…11k:0 ×11\t'))
    equal(key[2:4], ['tied to broadcast(`am:0`, `ids:0`, …) by Concat /b.1…11/Concat_3', '34…534 axes'], 'a row')
    whole = lines(content, 'axes', '--whole')
    check(len(whole) == 100 and not any('…' in row for row in whole), 'nothing is cut in the whole list')
    axes = json.loads(asked(content, lambda path: run('axes', path, '--json'))[1])['axes']
    check(not any('…' in equal_to for axis in axes for equal_to in axis['equal'] + axis['bounds']), 'nor in JSON')
    named = [axis['dependents'] for axis in axes if re.fullmatch(r'p([1-9]|1[01])k', axis['input']) and axis['axis'] == 0]
    equal((min(named), max(named)), (34, 534), 'the amounts')


def test_symbols():
    content = inputs(*((f'x_{i}', [f'n_{i}', 4]) for i in range(8)), ('y', ['m', 'n_0']))
    rows = [row.split('\t') for row in lines(content, 'symbols')]
    equal([row[0] for row in rows], ['n_0', 'n_1…7 ×7', 'm'], 'n_0 has more uses')
    equal(rows[1][1:], ['declared', '3 axes', '', 'declared by x_1…7:0'], 'what they share')
    equal(len(lines(content, 'symbols', '--whole')), 9, 'all of them')


def test_what_differs_in_anything_shown_is_listed():
    four = ['batch', 4]
    for what, named in (
            ('three', [(f'x{i}', four) for i in range(3)]),
            ('a gap', [(f'x{i}', four) for i in (0, 1, 2, 4, 5, 6)]),
            ('downwards', [(f'x{i}', four) for i in range(5, 0, -1)]),
            ('another size', [(f'x{i}', ['batch', 4 if i % 2 else 5]) for i in range(3)] + [('x3', ['batch', 5])]),
            ('sizes that count along', [(f'x{i}', ['batch', i]) for i in range(1, 7)]),
            ('other symbols', [(f'x{i}', [f'batch_{i}', 4]) for i in range(6)]),
            ('zeros in front', [(f'x0{i}', four) for i in range(6)]),
            ('two words', [(f'x.{i}.{a}.{a}', four) for i in range(2) for a in ('k', 'v')]),
            ('two numbers', [(f'x.{i}.{i + 1}', four) for i in range(5)]),
            ('other numbers between', [(f'x{i}', four) for i in (0, 1)] + [('y', four)] + [(f'x{i}', four) for i in (2, 3)])):
        equal(section(inputs(*named), 'inputs'), section(inputs(*named), 'inputs', '--whole'), what)
    equal(section(inputs(*((f'x{i}', four) for i in range(4))), 'inputs'), ['x0…3 float32 [batch, 4] ×4'], 'four')
    equal(section(inputs(*((f'x{i}', [4, 'batch']) for i in range(3, 9))), 'inputs'), ['x3…8 float32 [4, batch] ×6'], '4 stays')
    equal(section(inputs(*((f'x.{i}.1', [1]) for i in range(4))), 'inputs'), ['x.0…3.1 float32 [1] ×4'], '1 stays')
    equal(section(inputs(*((f'x.{i}.{i}', [1]) for i in range(4))), 'inputs'), ['x.0…3.0…3 float32 [1] ×4'], 'both count')
    equal(section(inputs(*((f'{a}{i}', [1]) for i in range(4) for a in 'qkv')), 'inputs'), ['{q,k,v}0…3 float32 [1] ×12'], 'words')


def expanded(row):
    """The rows that a folded row says, in their order."""
    count = re.search(r' ×(\d+)$', row)
    if not count:
        return [row]
    row = row[:count.start()]
    ranges = re.findall(r'(\d+)…(\d+)', row)
    check(ranges and len(set(ranges)) == 1, f'one number counts: {row}')
    words = re.search(r'\{([^}]*)\}', row)
    found = []
    for number in range(int(ranges[0][0]), int(ranges[0][1]) + 1):
        for word in words[1].split(',') if words else ['']:
            one = re.sub(r'\d+…\d+', str(number), row)
            found.append(re.sub(r'\{[^}]*\}', word, one))
    equal(len(found), int(count[1]), row)
    check(len(found) >= 4, row)
    return found


def random_inputs(r):
    """Names that are alike, and some that are not."""
    named = []
    for _ in range(r.randrange(1, 4)):
        form = r.choice(['p{i}{w}', 'past.{i}.{w}', '{w}_{i}', 'x.{i}.{j}.{w}', '{w}{i}_{i}', 'in{i}'])
        words = r.sample(['k', 'v', 'key', 'value', 'a'], r.randrange(1, 4))
        dims = r.choice([['n', 4], [1], ['n', 'm', 2]])
        start = r.randrange(3)
        for i in range(start, start + r.randrange(1, 8)):
            for j in range(r.randrange(1, 3)):
                for w in words:
                    if r.random() < 0.97:
                        named.append((form.format(i=i, j=j, w=w), dims if r.random() < 0.97 else ['n', 5]))
    return list(dict(named).items())


def test_a_folded_list_says_what_the_whole_one_does():
    r = random.Random(7)
    folded = 0
    for trial in range(150):
        named = random_inputs(r)
        content = inputs(*named)
        short, whole = section(content, 'inputs'), section(content, 'inputs', '--whole')
        equal(sorted(sum((expanded(row) for row in short), [])), sorted(whole), f'{trial}: {named}')
        places = [whole.index(expanded(row)[0]) for row in short]
        equal(places, sorted(places), f'{trial}: each where its first one is: {named}')
        folded += len(short) < len(whole)
    check(folded > 60, folded)


def test_json_is_whole_and_a_terminal_shows_the_same():
    for command in ('show', 'axes', 'symbols'):
        whole, short = (asked(cache(8), lambda path: run(command, path, '--json', *more))[1] for more in (['--whole'], []))
        keep = (lambda out: {k: v for k, v in json.loads(out).items() if k != 'model'})
        equal(keep(short), keep(whole), command)
        seen = asked(cache(8), lambda path: on_terminal(200, command, path))
        piped = lines(cache(8), command)
        equal(' '.join(' '.join(seen[1:]).split()), ' '.join(' '.join(piped[1:]).split()), command)
    equal(len(json.loads(asked(cache(8), lambda path: run('axes', path, '--json'))[1])['axes']), 66, 'axes')


tap.main(globals())
