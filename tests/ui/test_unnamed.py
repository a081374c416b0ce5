"""Models without scopes open as what they are made of: stages and repeated blocks, named by their operators."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run
from unnamed import unnamed

tap.AXED = os.path.abspath(tap.AXED)
SIZES = [(80, 24), (120, 36), (200, 50)]
NETWORKS = ['../ui/networks/densenet.onnx', '../ui/networks/cache.onnx', '../ui/networks/unet.onnx',
            '../ui/networks/inception.onnx', 'shared:resnet50.onnx', 'shared:gpt12.onnx', 'shared:swin_t.onnx', 'shared:vit_b_16.onnx', 'shared:frcnn.onnx']
TITLE = re.compile(r'[─━~] [▸≡] ([A-Z].*?) [─━]*[╮┓]')
BOX = re.compile(r'─ ([▸≡] [A-Z].*?) ─*[╮┓].*\n.*?│ (\[.*?\]) *│')


def unnamed_model(place, folder):
    source = tap.shared('models', place[7:]) if place.startswith('shared:') else model(place)
    path = os.path.join(folder, os.path.basename(source))
    with open(path, 'wb') as file:
        file.write(unnamed(tap.read(source)))
    return path


def script(path, folder, *lines):
    """What the lines save to OUT."""
    out = os.path.join(folder, 'out')
    text = '\n'.join([*lines, 'quit!', '']).replace('OUT', out)
    code, _, err = run('edit', path, '--script', '-', stdin=text.encode(),
                       env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
    check(code == 0, f'{path}: exit {code}: {err.decode(errors="replace")}')
    return tap.read(out).decode()


def screen(path, folder, *lines, columns=120, rows=36):
    return script(path, folder, f'resize {columns} {rows}', *lines, 'save-screen OUT')


def test_the_opening_view_is_one_screen_and_a_half():
    for place in NETWORKS:
        with tap.folder() as folder:
            path = unnamed_model(place, folder)
            for columns, rows in SIZES:
                text = screen(path, folder, columns=columns, rows=rows)
                below = re.search(r'▼ (\d+) row', text)
                # A small model opens whole, on at most three screens.  What Faster R-CNN has beside its main path
                # cannot be folded further.
                most = 3 if 'networks' in place else 3 if 'frcnn' in place else 1.5
                pane = rows - 5
                check(not below or pane + int(below[1]) <= most * pane,
                      f'{place} at {columns}x{rows}: {below and below[1]} more rows')
                check(len(TITLE.findall(text)) >= 2 or 'shared' not in place, f'{place} at {columns}x{rows}: no folds\n{text}')


def test_the_stages_of_a_resnet():
    with tap.folder() as folder:
        path = unnamed_model('shared:resnet50.onnx', folder)
        text = screen(path, folder)
        equal(TITLE.findall(text), ['Conv·Relu', 'Conv ×10, Relu ×9, Add ×3, … 23', 'Conv ×13, Relu ×12, Add ×4',
                                    'Conv ×19, Relu ×18, Add ×6', 'Conv ×10, Relu ×9, Add ×3',
                                    'Gemm, GlobalAveragePool, … 3'], 'stages')
        inside = screen(path, folder, 'keys j j j', 'open')
        check(TITLE.findall(inside)[0] == 'Conv ×4, Relu ×3, Add', inside)


def test_equal_layers_are_one_fold():
    with tap.folder() as folder:
        text = screen(unnamed_model('shared:gpt12.onnx', folder), folder)
        check('≡ MatMul ×8, Softmax, Erf, … ×11 more' in text, text)


def test_an_edit_of_a_dim_changes_no_fold():
    with tap.folder() as folder:
        path = unnamed_model('shared:resnet50.onnx', folder)
        before, after = screen(path, folder), screen(path, folder, 'set x:0=8')
        equal(TITLE.findall(after), TITLE.findall(before), 'folds after the edit')
        check('[8, 64,' in after, after)


def test_pictures_have_the_same_folds():
    for place in ('shared:resnet50.onnx', 'shared:gpt12.onnx', 'shared:vit_b_16.onnx'):
        with tap.folder() as folder:
            path = unnamed_model(place, folder)
            boxes = BOX.findall(screen(path, folder, f'export {folder}/picture.svg'))
            check(len(boxes) >= 3, f'{place}: boxes {boxes}')
            svg = tap.read(os.path.join(folder, 'picture.svg')).decode().replace('\xa0', ' ')
            texts = re.findall(r'<text[^>]*>([^<]+)</text>', re.sub('</?tspan[^>]*>', '', svg))
            drawn = list(zip(texts, texts[1:]))
            for title, shape in boxes:
                check((title, shape) in drawn, f'{place}: {title!r} {shape} is not in the picture: {texts}')


def test_names_of_the_file_come_first():
    with tap.folder() as folder:
        for place in NETWORKS:
            source = tap.shared('models', place[7:]) if place.startswith('shared:') else model(place)
            text = screen(source, folder)
            check(not re.search(r'[▸≡] [A-Z]\w* ×', text), f'{place}:\n{text}')


tap.main(globals())
