"""Work is bounded by the file's size: what is left out is said, and what is said is right.

Processor time, not time: a loaded machine must not fail.  Sanitizers get ten times as much.
"""

import json
import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import tap
from tap import check, equal

sys.path.insert(0, tap.MODELS)
from build import floats, function, graph, model, node, value

MOST_SECONDS = 3.0


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(content, *words):
    """Runs a command on the model; {} is its path, and {out} a folder."""
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(content))
        before = spent()
        code, out, err = tap.run(*[w.format(path, out=folder) for w in words])
        check(spent() - before < MOST_SECONDS, f'{words}: {spent() - before:.2f} s')
        return code, out.decode(errors='replace'), err.decode(errors='replace')


def verdicts(content):
    code, out, err = run(content, 'axes', '--json', '{}')
    equal(code, 0, err)
    return [a['verdict'] for a in json.loads(out)['axes']]


def findings(content):
    code, out, err = run(content, 'check', '--json', '{}')
    check(code in (0, 1), err)
    return json.loads(out)['findings']


def summed(sizes, inputs):
    """A Sum of so many inputs, which repeat inputs of so many different sizes."""
    return model(graph('g', [node('Sum', [f'x{i % sizes}' for i in range(inputs)], ['y'], 'n')],
                       [floats(f'x{i}', f's{i}', f't{i}') for i in range(sizes)], [value('y')]))


def test_a_wide_sum_says_what_a_narrow_one_says():
    wide, narrow = summed(12, 16000), summed(12, 12)
    equal(verdicts(wide), verdicts(narrow), 'verdicts')
    equal([f['message'] for f in findings(wide)], [f['message'] for f in findings(narrow)], 'findings')
    equal(run(wide, 'repair', '{}', '--batch', 'b', '-n')[0], run(narrow, 'repair', '{}', '--batch', 'b', '-n')[0],
          'repair')


def test_axes_that_are_not_judged_are_not_free():
    found = verdicts(summed(6000, 6000))
    equal(len(found), 12000, 'axes')
    check('unknown' in found, 'nothing was left out')
    check('free' not in found, 'one is free')
    code, out, err = run(summed(6000, 6000), 'axes', '{}')
    check('too complex to work out' in out, out[:300])


def test_numbers_that_are_not_judged_are_not_free():
    inputs = [floats(f'x{i}', 4) for i in range(4000)]
    content = model(graph('g', [node('Concat', [f'x{i}' for i in range(4000)], ['y'], 'n', axis=0)], inputs,
                          [value('y')]))
    found = verdicts(content)
    equal(len(found), 4000, 'axes')
    equal(set(found), {'free', 'unknown'}, 'verdicts')


def test_many_calls_of_a_function_are_no_error():
    f = function('d', 'F', 'a', 'b', [node('NonZero', ['a'], ['b'], 'n')], {'': 17})
    nodes = [node('F', ['x'], [f'y{i}'], f'c{i}', 'd') for i in range(25000)]
    content = model(graph('g', nodes, [floats('x', 'n')], [value('y0')]), opset={'': 17, 'd': 1}, functions=[f])
    check(not any(f['level'] == 'error' for f in findings(content)), 'an error')


def test_expressions_are_bounded_together():
    nodes, last = [], 'x0'
    for i in range(1, 3000):
        nodes.append(node('Concat', [last, f'x{i % 300}', last], [f'c{i}'], f'n{i}', axis=0))
        last = f'c{i}'
    content = model(graph('g', nodes, [floats(f'x{i}', f's{i}') for i in range(300)], [value(last)]))
    check(any(f['level'] == 'complex' for f in findings(content)), 'nothing is said')
    for words in (['symbols', '{}'], ['shapes', '{}'], ['explain', '{}', last + ':0'],
                  ['explain', '--flow', '{}', last + ':0']):
        check(run(content, *words)[0] in (0, 1), f'{words}')


def row(count):
    """Nodes that nothing connects: one layer, as wide as they are many."""
    return model(graph('g', [node('Relu', ['x'], [f'y{i}'], f'n{i}') for i in range(count)], [floats('x', 'n')],
                       [value(f'y{i}') for i in range(count)]))


def test_pictures_that_are_too_large_are_refused():
    many = row(9000)
    for words, said in ((['export', '{}', '--whole', '-o', '{out}/x.png'], 'lines; fold more'),
                        (['export', '{}', '--whole', '-o', '{out}/x.pdf'], 'lines; fold more')):
        code, out, err = run(many, *words)
        equal(code, 2, err)
        check(said in err, err)


def test_an_image_with_fewer_dots_says_so():
    chain = [node('Relu', [f'y{i}' if i else 'x'], [f'y{i + 1}'], f'n{i}') for i in range(700)]
    content = model(graph('g', chain, [floats('x', *(f'a_long_name_{i}' for i in range(12)))], [value('y700')]))
    code, out, err = run(content, 'export', '{}', '--whole', '-o', '{out}/x.png')
    equal(code, 0, err)
    check('dots per inch' in err, err)


tap.main(globals())
