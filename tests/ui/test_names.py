"""A fold has one name: in boxes, lanes, outline, inspector and status line, and in pictures of the screen."""

import html
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run, shared

tap.AXED = os.path.abspath(tap.AXED)
NETWORKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'networks')
PLACES = [shared('models', name) for name in ('frcnn.onnx', 'gpt12.onnx', 'swin_t.onnx', 'vit_b_16.onnx', 'resnet50.onnx')]
PLACES += [os.path.join(NETWORKS, name) for name in ('cache.onnx', 'inception.onnx')] + [model('demo.onnx'), model('fan.onnx')]


def session(path, *lines, size='resize 500 900'):
    """What the lines write, by the name of the file: {} in a line stands for the folder."""
    with tap.folder() as folder:
        script = '\n'.join([size, *(line.replace('{}', folder) for line in lines), 'quit!', ''])
        code, _, err = run('edit', os.path.basename(path), '--script', '-', stdin=script.encode(),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'}, cwd=os.path.dirname(path))
        check(code == 0, f'{path}: exit {code}: {err.decode(errors="replace")}')
        return {name: tap.read(os.path.join(folder, name)).decode() for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name))}


def boxes(svg):
    """The title of each box and what is below it."""
    for node in re.findall(r'<g class="node".*?</g>\n', svg, re.S):
        texts = [html.unescape(re.sub('<.*?>', '', text)).replace('\u00a0', ' ') for text in re.findall(r'<text.*?</text>', node, re.S)]
        yield texts[0], texts[1] if len(texts) > 1 else ''


def test_a_picture_shows_what_the_screen_shows():
    for path in PLACES:
        for lines in (['fold all'], ['pane graph']):
            got = session(path, *lines, 'pane graph', 'zoom boxes', 'save-screen {}/screen', 'export {}/picture.svg')
            name = f'{os.path.basename(path)} {lines[0]}'
            found = 0
            for title, shape in boxes(got['picture.svg']):
                wanted = [f'\u2500 {title} \u2500', f'\u2501 {title} \u2501', f'\u25cf {title} ']
                check(any(text in got['screen'] for text in wanted), f'{name}: the picture has "{title}"')
                # a long one takes two lines there
                check(len(shape) > 48 or shape in got['screen'], f'{name}: the picture has {title} {shape}')
                found += 1
            check(found > 1, f'{name}: {found} boxes')


def test_every_view_names_a_fold_alike():
    for path in PLACES:
        name = os.path.basename(path)
        got = session(path, 'fold all', 'pane graph', 'zoom boxes', 'export {}/picture.svg', 'zoom lanes', 'save-screen {}/lanes', 'last', 'pane outline',
                      'first', 'save-screen {}/outline')
        for title, _ in boxes(got['picture.svg']):
            if title[0] in '\u25b8\u2261':
                check(title in got['lanes'], f'{name}: lanes do not have "{title}"')


def test_the_inspector_and_the_outline_name_a_fold_as_the_box_does():
    got = session(shared('models', 'gpt12.onnx'), 'keys j j j j', 'save-screen {}/graph', 'pane outline', 'save-screen {}/outline', size='resize 200 50')
    lines = got['graph'].split('\n')
    check('\u2261 b.1\u202611 \u00d711, like .0 \u2501' in got['graph'], 'the box')
    check('\u2502b.1\u202611 ' in got['graph'], 'the inspector')
    check(lines[-3].startswith(' b.1\u202611  '), f'the status line: {lines[-3]}')
    check(re.search('[\u25b8\u25be\u2261] b.1\u202611 \u00d711, like .0', got['outline']), 'the outline')
    got = session(shared('models', 'gpt12.onnx'), 'goto p0k', 'keys o b', 'save-screen {}/graph', size='resize 120 36')
    check(got['graph'].split('\n')[-3].startswith(' past  '), got['graph'].split('\n')[-3])
    check('\u2502past ' in got['graph'], 'the inspector does not name the value')


def test_a_legend_is_whole():
    got = session(shared('models', 'frcnn.onnx'), 'export {}/picture.svg')
    legend = [html.unescape(re.sub('<.*?>', '', text)).replace('\u00a0', ' ') for text in re.findall(r'<text class="legend".*?</text>', got['picture.svg'], re.S)]
    check(legend and all('\u2026' not in line for line in legend), f'cut: {legend}')
    text = ''.join(legend)
    equal(text.count('('), text.count(')'), 'brackets')
    check(max(map(len, legend)) <= 72, 'a line is long')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
