"""The start screen: models and folders, paths, and the models that were opened last."""

import os
import shutil
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptys import Pty


class Place:
    """A folder of models, and a state folder."""

    def __init__(self):
        self.owned = tap.folder()
        self.top = os.path.realpath(self.owned.name)
        self.models = os.path.join(self.top, 'models')
        self.state = os.path.join(self.top, 'state', 'axed', 'recent')
        os.makedirs(os.path.join(self.models, 'sub', 'deep'))
        shutil.copy(model('dynamic_rnn.onnx'), os.path.join(self.models, 'first.onnx'))
        shutil.copy(model('demo.onnx'), os.path.join(self.models, 'second.onnx'))
        shutil.copy(model('pinned_reshape.onnx'), os.path.join(self.models, 'sub', 'third.onnx'))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.owned.cleanup()

    def run(self, *words, folder=None):
        return Run(Pty([os.path.abspath(tap.AXED), *words], cwd=folder or self.models,
                       env={'XDG_STATE_HOME': os.path.join(self.top, 'state'), 'XDG_CONFIG_HOME': self.top, 'HOME': self.top}))

    def recent(self):
        return [os.path.relpath(p, self.top) for p in tap.read(self.state).decode().split('\n')[:-1]] if os.path.exists(self.state) else []

    def open(self, path):
        with self.run(path) as p:
            wait(p, 'nodes')
            leave(p)


class Run:
    def __init__(self, pty):
        self.pty = pty

    def __enter__(self):
        return self.pty

    def __exit__(self, *_):
        self.pty.close()


def wait(p, text):
    return check(p.wait(text), f'{text!r} never came:\n{p.screen.text()}')


def leave(p):
    p.send(':q\r')
    equal(p.ended(15), 0, 'the exit code')
    check(p.is_sane(), 'the terminal is as it was')


def rows(p):
    """The names in the list."""
    text = p.screen.text().split('\n')
    top = next((i for i, line in enumerate(text) if 'Open a model' in line), None)
    if top is None:
        return []
    left = text[top].index('╭─ Open a model')
    right = text[top].index('╮', left)
    found = []
    for line in text[top + 2:]:
        if len(line) <= left or line[left] != '│':
            break
        words = line[left + 1:right].split()
        if words:
            found.append(words[0])
    return found


def shows(p, wanted):
    return check(p.until(lambda: rows(p) == wanted), f'{rows(p)}, expected {wanted}:\n{p.screen.text()}')


def test_models_folders_and_the_demo():
    with Place() as place, place.run() as p:
        shows(p, ['first.onnx', 'second.onnx', 'demo', '../', 'sub/'])
        p.send('sec')
        shows(p, ['second.onnx'])
        p.send('\r')
        wait(p, 'second.onnx  opset')
        leave(p)


def test_enter_goes_into_a_folder_and_up():
    with Place() as place, place.run() as p:
        shows(p, ['first.onnx', 'second.onnx', 'demo', '../', 'sub/'])
        p.send('\x1bOB' * 4 + '\r')
        shows(p, ['third.onnx', '../', 'deep/'])
        wait(p, '> sub/_')
        p.send('\x1bOB\r')
        shows(p, ['first.onnx', 'second.onnx', 'demo', '../', 'sub/'])
        p.send('\x1bOB' * 3 + '\r')
        shows(p, ['../', 'models/'])
        wait(p, '> ../_')
        p.send('models/sub/\r')
        wait(p, 'third.onnx  opset')
        leave(p)


def test_without_models_enter_opens_the_demo():
    """It is pinned, so that a repair can be tried; and :w says what to type."""
    with Place() as place:
        os.makedirs(os.path.join(place.top, 'empty', 'folder'))
        with place.run(folder=os.path.join(place.top, 'empty')) as p:
            shows(p, ['demo', '../', 'folder/'])
            p.send('\r')
            wait(p, 'demo  opset')
            wait(p, 'batch can only be 3')
            p.send('R')
            wait(p, 'freed ids:')
            p.send(':w\r')
            wait(p, 'the model has no file name; use :w FILE')
            p.send(':w free.onnx\r')
            check(p.until(lambda: os.path.exists(os.path.join(place.top, 'empty', 'free.onnx'))), p.screen.text())
            leave(p)
        code, out, _ = tap.run('axes', os.path.join(place.top, 'empty', 'free.onnx'))
        check(b'pinned' not in out and b'seq' in out, f'{code} {out!r}')


def test_tab_completes_a_path():
    with Place() as place, place.run() as p:
        p.send('su\t')
        wait(p, '> sub/_')
        p.send('t\t')
        wait(p, '> sub/third.onnx_')
        p.send('\r')
        wait(p, 'sub/third.onnx  opset')
        leave(p)
    with Place() as place, place.run() as p:
        p.send('~/mod\t')
        wait(p, '> ~/models/_')
        p.send('f\t\r')
        wait(p, 'first.onnx  opset')
        leave(p)


def test_any_file_by_its_path_and_none():
    with Place() as place:
        shutil.copy(model('demo.onnx'), os.path.join(place.models, 'sub', 'odd.bin'))
        with place.run() as p:
            shows(p, ['first.onnx', 'second.onnx', 'demo', '../', 'sub/'])
            p.send('nothing\r')
            wait(p, 'there is no file ./nothing')
            p.send('\x7f' * 7 + 'sub/odd.bin\r')
            wait(p, 'odd.bin  opset')
            leave(p)


def test_recent_models_come_first():
    with Place() as place:
        place.open('first.onnx')
        place.open('sub/third.onnx')
        place.open('first.onnx')
        equal(place.recent(), ['models/first.onnx', 'models/sub/third.onnx'], 'newest first, each once')
        equal(stat.S_IMODE(os.stat(place.state).st_mode), 0o600, 'who may read it')
        with place.run() as p:  # the first is in this folder: listed there
            shows(p, ['third.onnx', 'first.onnx', 'second.onnx', 'demo', '../', 'sub/'])
            p.send('\r')
            wait(p, 'third.onnx  opset')
            leave(p)
        equal(place.recent(), ['models/sub/third.onnx', 'models/first.onnx'], 'what is chosen is recent')
        os.remove(os.path.join(place.models, 'sub', 'third.onnx'))
        with place.run(folder=place.top) as p:
            shows(p, ['first.onnx', 'demo', '../', 'models/', 'state/'])
            p.send('q')
            equal(p.ended(15), 0, 'the exit code')


def test_what_is_not_remembered():
    """The demo, pipes, names that would break the list, and everything after `option recent off`."""
    with Place() as place:
        odd = os.path.join(place.models, 'two\nlines.onnx')
        shutil.copy(model('dynamic_rnn.onnx'), odd)
        place.open(odd)
        place.open('--demo')
        equal(place.recent(), [], 'nothing')
        place.open('first.onnx')
        with place.run('second.onnx') as p:
            wait(p, 'nodes')
            equal(len(place.recent()), 2, 'remembered when it is opened')
            p.send(':option recent off\r')
            check(p.until(lambda: not os.path.exists(place.state)), 'the list is gone')
            leave(p)
        os.makedirs(os.path.join(place.top, 'axed'), exist_ok=True)
        with open(os.path.join(place.top, 'axed', 'config'), 'w', encoding='ascii') as file:
            file.write('option recent off\n')
        place.open('first.onnx')
        equal(place.recent(), [], 'the configuration says so')


def test_the_list_is_bounded():
    with Place() as place:
        os.makedirs(os.path.dirname(place.state))
        paths = [os.path.join(place.models, f'm{i}.onnx') for i in range(40)]
        for path in paths:
            shutil.copy(model('dynamic_rnn.onnx'), path)
        with open(place.state, 'w', encoding='ascii') as file:
            file.write('relative.onnx\n/dev/null\n' + os.path.join(place.models, 'sub') + '\n\n' + '\n'.join(paths) + '\n')
        os.chmod(place.state, 0o600)
        place.open('first.onnx')
        equal(place.recent(), ['models/first.onnx', *(f'models/m{i}.onnx' for i in range(29))], 'thirty models, and only files')


tap.main(globals())
