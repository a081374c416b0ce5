"""An axis that a Reshape puts into another one: said by axes, by check and by set; and when it is not."""

import json
import os
import sys

import tap
from tap import asked, check, equal, run

tap.AXED = os.path.abspath(tap.AXED)
sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402


def reshaped(batch, target, out, name='s'):
    return b.model(b.graph('g', [b.node('Relu', 'x', 'a', 'A'), b.node('Reshape', f'a {name}', 'y', 'R')], [b.floats('x', batch, 6, 4, 4)],
                           [b.floats('y', *out)], initializers=[b.int_tensor(name, [len(target)], target)]))


def axes(content):
    code, out, err = asked(content, lambda path: run('axes', '--json', path))
    equal(code, 0, err)
    return {f'{a["input"]}:{a["axis"]}': a for a in json.loads(out)['axes']}


def levels(content):
    code, out, err = asked(content, lambda path: run('check', '--json', path))
    check(code in (0, 1), err)
    return code, [(f['level'], f['message']) for f in json.loads(out)['findings']]


SAID = 'batch goes into axis 2, 16*batch: the target of the Reshape has 1 in its place'


def test_axes_and_check_say_so():
    fixed = axes(reshaped(1, [1, 6, -1], [1, 6, 16]))['x:0']
    equal((fixed['verdict'], fixed['part_of'], fixed['by']), ('free', '16*`x:0`', {'op': 'Reshape', 'node': 'R', 'constant': 's'}), 'fixed')
    text = asked(reshaped(1, [1, 6, -1], [1, 6, 16]), lambda path: run('axes', path))[1].decode().splitlines()[0]
    equal(text.split('\t')[2], 'free, as part of 16*`x:0` by Reshape R with s', 'text')
    named = reshaped('batch', [1, 6, -1], [1, 6, '16*batch'])
    equal(levels(named), (0, [('joined', SAID)]), 'it runs: no problem, but worth knowing')


def test_what_keeps_the_axis_says_nothing():
    for target in ([0, 6, -1], [-1, 6, 16], [0, 0, -1]):
        content = reshaped('batch', target, ['batch', 6, 16])
        equal(levels(content), (0, []), target)
        equal(axes(content)['x:0']['part_of'], None, target)
    # Nothing stands in its place: the program flattens it.
    flat = reshaped('batch', [-1, 16], ['6*batch', 16])
    equal((levels(flat), axes(flat)['x:0']['part_of']), ((0, []), None), 'flattened')


def test_only_its_old_size_in_its_place_counts():
    cut = reshaped(4, [2, 12, -1], [2, 12, 16])
    equal(axes(cut)['x:0']['part_of'], None, 'an axis that is cut')
    equal(axes(reshaped(3, [3, 6, -1], [3, 6, 16]))['x:0']['part_of'], 'floor(16*`x:0`/3)', 'a batch of 3')
    equal(levels(reshaped('batch', [2, 12, -1], [2, 12, '4*batch'])), (0, []), 'two halves of a batch')


def test_an_output_that_lost_it_says_it_already():
    found = [level for level, _ in levels(reshaped('batch', [1, 6, -1], ['batch', 6, 16]))[1]]
    equal(found, ['stale', 'loss'], 'one cause, told once')


def told(content, *words, force=True):
    with tap.folder() as folder:
        path, out = os.path.join(folder, 'm.onnx'), os.path.join(folder, 'n.onnx')
        with open(path, 'wb') as file:
            file.write(content)
        code, _, err = run('set', path, *words, '-o', out, *(['--force'] if force else []))
        equal(code, 0, err)
        return err.decode().replace(path, 'MODEL'), tap.read(out)


def test_set_refuses_to_join_the_items_of_an_output():
    fixed = reshaped(1, [1, 6, -1], [1, 6, 16])
    for words, edit in ((['x:0=N'], 'x:0=N'), (['--batch', 'N'], '--batch=N')):
        with tap.folder() as folder:
            path, out = os.path.join(folder, 'm.onnx'), os.path.join(folder, 'n.onnx')
            with open(path, 'wb') as file:
                file.write(fixed)
            code, _, err = run('set', path, *words, '-o', out)
            equal((code, os.path.exists(out)), (2, False), words)
            equal(err.decode(), f"axed: N goes into axis 2, 16*N (Reshape R), where the file has 1: output 'y' would not keep its items apart; "
                                f'to keep them apart: axed repair {path} {edit} -o OUT; --force sets it anyway\n', words)
            code, _, err = run('repair', path, edit, '-o', out)
            equal((code, err), (0, b''), 'the repair that is offered')
            equal(levels(tap.read(out)), (0, []), 'and its result')
    # Of 4 the Reshape makes something else, and an axis that is apart again at the end is nobody's loss.
    back = b.model(b.graph('g', [b.node('Reshape', 'x s', 'a', 'R'), b.node('Reshape', 'a t', 'y', 'S')], [b.floats('x', 1, 6, 4, 4)],
                           [b.floats('y', 1, 6, 4, 4)], initializers=[b.int_tensor('s', [3], [1, 6, -1]), b.int_tensor('t', [4], [-1, 6, 4, 4])]))
    check('goes into axis 2' in told(back, 'x:0=N', force=False)[0], 'a note')


def test_set_names_the_repair():
    note = 'axed: note: N goes into axis 2, 16*N (Reshape R); if it was exported as 1, use instead: axed repair MODEL {} -o OUT\n'
    fixed = reshaped(1, [1, 6, -1], [1, 6, 16])
    said, after = told(fixed, 'x:0=N')
    equal(said, note.format('x:0=N'), 'an axis')
    equal(told(fixed, '--batch', 'N')[0], note.format('--batch=N'), 'the batch')
    equal(told(after, 'N=M')[0], '', 'a new name changes nothing')
    equal(told(fixed, 'x:2=H')[0], '', 'another axis')


def test_the_screen_names_it_too():
    script = 'resize 120 36\nset x:0=N --force\nsave-screen\nquit!\n'
    with tap.folder() as folder:
        with open(os.path.join(folder, 'm.onnx'), 'wb') as file:
            file.write(reshaped(1, [1, 6, -1], [1, 6, 16]))
        code, out, err = run('edit', 'm.onnx', '--script', '-', '--discard', stdin=script.encode(), cwd=folder, env={'XDG_STATE_HOME': folder})
        equal(code, 0, err)
        last = [line for line in out.decode().splitlines() if line.strip()][-2]
        check('N goes into axis 2, 16*N (Reshape R); if it was exported as 1, use instead: repair x:0=N' in last, last)


tap.main(globals())
