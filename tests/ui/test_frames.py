"""Frames around scopes: each encloses its own boxes, and joins no other line."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, model, shared

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scripted

NETWORKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'networks')
PLACES = [os.path.join(NETWORKS, name) for name in ('inception.onnx', 'unet.onnx', 'densenet.onnx', 'cache.onnx')]
PLACES += [model('demo.onnx'), model('nested.onnx'), model('dynamic_rnn.onnx')]
PLACES += [shared('models', name) for name in ('swin_t.onnx', 'resnet50.onnx', 'vit_b_16.onnx', 'gpt12.onnx')]
# The end of an edge, a rail or another corner, beside an edge.
JOINED = re.compile('[\u256e\u256f\u250a]\u2504|\u2504[\u256d\u2570\u250a]')


def screens(path, size, *steps):
    return [text.split('\n') for text in scripted.screens(path, *steps, size=size, drawn=False)]


def test_frames_join_no_other_line():
    seen = 0
    for path in PLACES:
        for size in ('120 36', '200 50'):
            steps = ['pane graph', 'keys Ctrl-F', 'keys Ctrl-F', 'keys j j j zo', 'keys j Enter', 'keys j', 'keys Esc', 'fold none', 'zoom boxes', 'first']
            for step, lines in zip(steps, screens(path, size, *steps)):
                seen += any('\u2504' in line for line in lines)
                for line in lines:
                    check(not JOINED.search(line), f'{os.path.basename(path)} {size} {step}: {line}')
    check(seen > 20, f'{seen} screens with frames')


def test_branches_are_framed_with_their_names():
    for size in ('120 56', '200 50'):
        text = '\n'.join(screens(os.path.join(NETWORKS, 'inception.onnx'), size, 'pane graph')[0])
        for name in ('branch1x1', 'branch5x5', 'branch3x3'):
            check(re.search(f'\u256d\u2504? ?{name} \u2502\u2504+\u256e', text), f'{size}: {name} has no upper edge of its own')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
