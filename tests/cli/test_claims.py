"""Outputs that are declared with another rank: what an edit leaves, what it rewrites, and what repair promises."""

import json
import os
import sys

import tap
from tap import equal, run

sys.path.insert(0, tap.MODELS)
import build
from build import floats, graph, int_tensor, node


def unsqueezed(*declared):
    """y is [x:0, 3, 1], and declared as said."""
    return build.model(graph('g', [node('Unsqueeze', 'x a', 'y', 'Grow')], [floats('x', 2, 3)],
                             [floats('y', *declared)], [int_tensor('a', [1], [2])]))


def edited(model, *words):
    """The exit code, the errors, and what `shapes` and `check` say of the result."""
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'm.onnx'), os.path.join(folder, 'out.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(model))
        code, _, err = run(words[0], path, *words[1:], '-o', out)
        declared = tap.read(out)
        check, found, _ = run('check', '--json', out)
        return code, err, declared, check, [f['level'] for f in json.loads(found)['findings']]


def test_an_edit_that_changes_the_shape_writes_it_anew():
    for words in (('set', 'x:0=n'), ('repair', 'x:0=n')):
        code, _, data, check, found = edited(unsqueezed(2, 3), *words)
        equal((code, check, found), (0, 0, []), words)
        with tap.folder() as folder:
            path = os.path.join(folder, 'm.onnx')
            with open(path, 'wb') as file:
                file.write(data)
            equal(run('shapes', path, 'y')[1], b'y\tfloat32 [n, 3, 1]\tinferred\n', words)


def test_an_edit_elsewhere_leaves_it_and_repair_says_so():
    two = build.model(graph('g', [node('Unsqueeze', 'x a', 'y', 'Grow'), node('Relu', 'u', 'v')],
                            [floats('x', 2, 3), floats('u', 2)], [floats('y', 2, 3), floats('v', 2)],
                            [int_tensor('a', [1], [2])]))
    code, err, _, check, found = edited(two, 'set', 'u:0=n')
    equal((code, err, check, found), (0, b'', 1, ['stale']), 'set')
    code, err, _, check, found = edited(two, 'repair', 'u:0=n')
    equal((code, check, found), (1, 1, ['stale']), 'repair')
    equal(err, b'axed: check still fails: Unsqueeze Grow: y: the file says rank 2, the graph gives rank 3\n', 'repair')


def test_what_the_user_declares_stays():
    code, _, _, check, found = edited(unsqueezed(2, 3), 'set', 'x:0=n', 'y:0=n')
    equal((code, check, found), (0, 1, ['stale']), 'y:0 was named by hand')


tap.main(globals())
