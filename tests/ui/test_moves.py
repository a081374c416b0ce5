"""The cursor in the graph: along the main line, back the same way, to the outputs, into folds and out."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, run, shared

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scripted

SIZE = '120 36'


def screens(path, *steps, size=SIZE):
    """The screen after each of the steps, as lines."""
    return [text.rstrip('\n').split('\n') for text in scripted.screens(path, *steps, size=size, drawn=False)]


def selected(lines):
    """The first word of the status line: what is selected."""
    return lines[-2].split()[0]


def walk(path, *keys):
    return [selected(s) for s in screens(path, *(f'keys {key}' for key in keys))]


def test_j_goes_along_the_main_line():
    equal(walk(shared('models', 'frcnn.onnx'), 'j', 'j', 'j', 'j'), ['transform', 'backbone', 'rpn', 'roi_heads'], 'from the image')


def test_k_goes_back_the_way_that_j_came():
    for name in ('frcnn.onnx', 'gpt12.onnx', 'swin_t.onnx', 'resnet50.onnx'):
        path = shared('models', name)
        down = walk(path, *'jjjjjj')
        there = walk(path, *'jjjjjj', *'kkkkk')
        equal(there[6:], down[:5][::-1], name)


def test_the_main_line_is_offered_first():
    text = '\n'.join(screens(shared('models', 'frcnn.onnx'), 'keys o')[0])
    equal(re.findall(r'│ [ab]  ▸ (\w+)', text), ['transform', 'Concat'], 'readers of the image')


def test_G_goes_to_an_output():
    for name in ('frcnn.onnx', 'gpt12.onnx', 'swin_t.onnx', 'resnet50.onnx', 'vit_b_16.onnx'):
        path = shared('models', name)
        outputs = [output['name'] for output in json.loads(run('show', '--json', path)[1])['outputs']]
        last = walk(path, 'G')[0]
        check(last in outputs, f'{name}: {last} is none of {outputs}')


def test_za_twice_changes_nothing():
    for name in ('frcnn.onnx', 'gpt12.onnx', 'swin_t.onnx', 'resnet50.onnx'):
        for size in ('80 24', SIZE):
            for keys in ('j', 'jj', 'jjjj', 'jjjjj', 'G'):
                before, once, twice = screens(shared('models', name), 'keys ' + ' '.join(keys), 'keys za', 'keys za', size=size)
                # the graph; a pane of problems may have moved to another row
                check([line[:80] for line in before[:-2]] == [line[:80] for line in twice[:-2]], f'{name} {size} {keys}: za twice is not as before')
                check(before != once, f'{name} {size} {keys}: za does nothing')


def test_what_fits_is_shown_whole():
    """As many columns are hidden as are missing."""
    for name in ('gpt12.onnx', 'frcnn.onnx', 'swin_t.onnx', 'vit_b_16.onnx'):
        hidden = {}
        for width in range(190, 210):
            lines = screens(shared('models', name), 'fold all', size=f'{width} 50')[0]
            below = next(line for line in lines[::-1] if line.startswith('\u2570'))
            hidden[width] = sum(int(n) for n in re.findall('[\u25c2\u25b8] (\\d+)', below))
        for width, count in hidden.items():
            check(hidden.get(width + count, 0) == 0, f'{name}: {count} columns are hidden at {width}, {hidden.get(width + count)} at {width + count}')


def test_za_is_taken_back_only_at_once():
    first, opened, again = screens(shared('models', 'gpt12.onnx'), 'keys j j j j za', 'keys j k', 'keys za')
    equal(selected(first), 'b.1', 'unfolded')
    equal(selected(opened), 'b.1', 'there again')
    check('b.1 \u203a' in again[1] or not any('\u25b8 b.1 ' in line for line in again), 'b.1 is not unfolded')


def test_enter_shows_the_first_node_of_the_main_line():
    for size, width in (('80 24', 78), (SIZE, 82)):
        entered = screens(shared('models', 'gpt12.onnx'), 'keys j j j j Enter', size=size)[0]
        equal(selected(entered), 'b.1', f'{size}: selected')
        top = next(line for line in entered if '\u250f' in line)
        left, right = top.index('\u250f'), top.index('\u2513')
        check(abs((left + right) / 2 - width / 2) <= 2, f'{size}: columns {left} to {right} are not in the middle')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
