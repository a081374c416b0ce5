"""Symbols, problems, history, search, help, palette and start: keys in, screen out."""

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios
import time

import tap
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
PINNED = 'pinned_reshape.onnx'


def screen(name, *lines, size='120 36'):
    """The last screen, row by row."""
    script = '\n'.join([f'resize {size}', *lines, 'save-screen', 'quit!'])
    with tap.folder() as state:
        code, out, err = run('edit', model(name), '--script', '-', stdin=script.encode(), env={'XDG_STATE_HOME': state})
    equal(code, 0, err)
    return out.decode().split('\n')[-int(size.split()[1]) - 1:]


def has(rows, text):
    return check(any(text in row for row in rows), f'{text!r} is not in\n' + '\n'.join(rows))


def lacks(rows, text):
    return check(not any(text in row for row in rows), f'{text!r} is in\n' + '\n'.join(rows))


def fails(name, line, why):
    with tap.folder() as state:
        code, out, err = run('edit', model(name), '--script', '-', stdin=line.encode(), env={'XDG_STATE_HOME': state})
    equal(code, 2, line)
    check(why.encode() in err, f'{line}: {err}')


def test_symbols():
    has(screen(PINNED), '■ batch_size 1 use   pinned to 3')
    has(screen('dynamic_rnn.onnx'), '■ sequence_length 5 uses')
    has(screen('dynamic_rnn.onnx', 'pane symbols', 'keys j Enter'), 'input  [batch_size, sequence_length, 10] f32')
    has(screen('no_shape.onnx', size='160 60'), '■ absent:0')


def test_a_symbol_is_tried_and_stepped():
    rows = screen('dynamic_rnn.onnx', 'pane symbols', 'keys = 7 Enter', 'keys Right Right Left')
    has(rows, '×9  try 8')
    has(screen('dynamic_rnn.onnx', 'pane symbols', 'keys Right'), 'try a size first (=)')


def test_a_symbol_is_edited_from_its_name_on():
    has(screen('dynamic_rnn.onnx', 'pane symbols', 'keys e'), ' batch_size = batch_size')
    rows = screen('dynamic_rnn.onnx', 'pane symbols', 'keys e N Enter')
    has(rows, '■ N ')
    lacks(rows, 'batch_size')


def test_a_renamed_symbol_stays_selected():
    has(screen('dynamic_rnn.onnx', 'pane symbols', 'keys r N Enter', 'keys e'), ' N = N')


def test_the_inspector_goes_on_and_back():
    there = ['goto /rnn/RNN', 'pane inspector', 'keys j j j j j']
    rows = screen('dynamic_rnn.onnx', *there)
    has(rows, ' RNN  /rnn/RNN  [')
    has(screen('dynamic_rnn.onnx', *there, 'open'), ' Transpose  /rnn/Transpose  [')
    back = screen('dynamic_rnn.onnx', *there, 'open', 'keys Esc')
    has(back, ' RNN  /rnn/RNN  [')
    has(back, 'in 1    onnx::RNN_40')
    weight = screen('dynamic_rnn.onnx', *there, 'keys j', 'open')
    has(weight, 'size    800 B, 200 elements')
    lacks(weight, 'in 1    onnx::RNN_40')
    has(screen('dynamic_rnn.onnx', *there, 'keys j', 'open', 'keys Esc'), 'in 1    onnx::RNN_40')


def test_weights_of_every_type_are_weighed():
    with open(model('weights.json')) as file:
        weights = json.load(file)
    for name in ('uint8', 'int8', 'uint16', 'int16', 'int32', 'uint32', 'bool'):
        elements = [int(e) for e in weights[name]['elements']]
        rows = screen('weights_typed.onnx', f'goto {name}', 'pane inspector', 'last', 'open', size='140 40')
        mean = sum(elements) / len(elements)
        spread = (sum((e - mean) ** 2 for e in elements) / len(elements)) ** 0.5
        for what, number in (('min    ', min(elements)), ('max    ', max(elements)), ('mean   ', mean), ('std dev', spread)):
            has(rows, f'│{what} {number:g} ')
    for name, text in (('string', 'first   "", "plain", "größe",'), ('complex64', 'first   1-2.5i, inf+nani,')):
        rows = screen('weights_typed.onnx', f'goto {name}', 'pane inspector', 'last', 'open', size='140 40')
        has(rows, text)
        lacks(rows, '│std dev')


def test_a_key_is_bound():
    has(screen('dynamic_rnn.onnx', "bind z set batch_size=R", 'keys z'), '[R, sequence_length, 10]')
    fails('dynamic_rnn.onnx', 'bind z', 'KEY LINE')


def test_problems():
    rows = screen(PINNED, 'pane problems', size='80 24')
    has(rows, '5 Problems (✗ 1  ! 1)')
    has(rows, '✗ Reshape: batch_size can only be 3')
    has(rows, '/Constant_output_0{0} = 3  a constant of')
    has(rows, 'R repair input:0')


def test_a_problem_is_gone_to_and_repaired():
    has(screen(PINNED, 'pane problems', 'keys j Enter'), ' Reshape  /Reshape_1')
    rows = screen(PINNED, 'pane problems', 'keys R')
    has(rows, 'none')
    lacks(rows, 'pinned to')


def test_history():
    edits = ['set batch_size=a', 'set a=b', 'set b=c', 'history']
    rows = screen('dynamic_rnn.onnx', *edits, 'keys k k Enter')
    has(rows, '● set batch_size=a')
    has(rows, '○ set a=b')
    has(rows, '● as opened  saved')
    has(screen('dynamic_rnn.onnx', *edits, 'keys gg Enter G Enter'), '● set b=c')


def test_help():
    has(screen(PINNED, 'keys ?'), 'move down')
    rows = screen(PINNED, 'keys ? / previous-prob')
    has(rows, '[p')
    lacks(rows, 'move down')
    lacks(screen(PINNED, 'keys ? q'), 'move down')
    has(screen(PINNED, 'keys ? z o o m'), 'zoom lanes')
    has(screen(PINNED, 'keys ? z o o m Enter'), '2 Graph ─ details')


def test_palette():
    rows = screen(PINNED, 'keys Ctrl-P r s h p 1')
    has(rows, '/Reshape_1')
    has(screen(PINNED, 'keys Ctrl-P /reshape_1 Enter'), ' Reshape  /Reshape_1')
    has(screen(PINNED, 'keys Ctrl-P toggle Enter'), ':toggle')
    has(screen(PINNED, 'keys Ctrl-P zzzz'), 'no match')
    has(screen(PINNED, 'keys Ctrl-P batch_size Enter', 'keys e'), ' batch_size = batch_size')


def test_search():
    has(screen(PINNED, 'search op:reshape'), '1 of 2 nodes')
    has(screen(PINNED, 'search op:reshape', 'next'), '2 of 2 nodes')
    has(screen(PINNED, 'search op:reshape', 'next', 'next'), '1 of 2 nodes')
    has(screen(PINNED, 'search op:reshape', 'previous'), '2 of 2 nodes')
    has(screen(PINNED, 'search ~^/Reshape_[0-9]$ shape:3*'), '1 of 1 node')
    has(screen(PINNED, 'search is:problem'), '1 of 2 nodes')
    has(screen('dynamic_rnn.onnx', 'search dim:sequence_length in:/'), '1 of 4 nodes')
    has(screen('dynamic_rnn.onnx', 'set batch_size=4', 'search is:changed'), '1 of 7 nodes')
    has(screen(PINNED, 'goto /Reshape_1'), ' Reshape  /Reshape_1')


def test_searches_that_make_no_sense():
    fails(PINNED, 'search RELU9', 'no match')
    fails(PINNED, 'search ~[', "'['")
    fails(PINNED, 'search ~((a{99}){99}){99}', 'pattern too large')
    fails(PINNED, r'search ~(a)\1', 'backreferences unsupported')
    fails(PINNED, 'search is:nice', 'is:unknown')
    fails(PINNED, 'search dim:nobody', "no such symbol 'nobody'")
    fails(PINNED, 'search ' + 'a' * 300, 'exceeds 200 bytes')
    fails(PINNED, 'goto /Reshap_1', 'did you mean /Reshape_1?')


def test_any_size():
    for size in ('1 1', '20 6', '21 7', '34 9', '99 5', '100 12', '300 80'):
        for lines in (['pane symbols'], ['pane problems'], ['history'], ['keys ?'], ['keys Ctrl-P a']):
            screen('hostile_names.onnx', *lines, size=size)
            screen('hostile_names.onnx', 'option ascii on', *lines, size=size)


def test_down_and_up_go_to_other_dims():
    has(screen('dynamic_rnn.onnx', 'keys e'), ' input:0 = batch_size')
    has(screen('dynamic_rnn.onnx', 'keys e Down'), ' input:1 = sequence_length')
    has(screen('dynamic_rnn.onnx', 'keys e Down Up'), ' input:0 = batch_size')


def test_tab_completes_what_the_line_takes():
    has(screen('dynamic_rnn.onnx', 'keys : z o o m Space l a Tab'), ':zoom lanes')
    rows = screen('dynamic_rnn.onnx', 'keys / z o o m Space l a Tab')
    has(rows, '/zoom la')
    lacks(rows, 'zoom lanes')


def typed(name, text, tabs):
    """What the `:` line holds after some Tabs."""
    keys = ' '.join('Space' if c == ' ' else c for c in text)
    rows = screen(name, f'keys : {keys}' + ' Tab' * tabs)
    return next(row for row in rows if row.startswith(':')).rstrip()


def test_tab_offers_what_the_line_can_use():
    equal([typed('dynamic_rnn.onnx', 'repair ', n) for n in (1, 2, 3, 4)],
          [':repair input:0', ':repair input:1', ':repair input:2', ':repair input:0'], 'inputs only')
    equal(typed('dynamic_rnn.onnx', 'set out', 1), ':set output:0=', 'outputs can be set')
    equal([typed('dynamic_rnn.onnx', 'set batch', n) for n in (1, 2, 3)],
          [':set batch_size=', ':set batch_size=batch_size', ':set batch_size=sequence_length'], 'the only one is completed further')
    equal(typed('dynamic_rnn.onnx', 'shapes input:', 2), ':shapes input:1', 'the axes of a tensor')
    equal(typed('dynamic_rnn.onnx', 'follow i', 1), ':follow in', 'a choice')
    equal(typed('dynamic_rnn.onnx', 'follow in i', 1), ':follow in i', 'and none after it')
    equal(typed('dynamic_rnn.onnx', 'set batch_size=N seq', 1), ':set batch_size=N sequence_length=', 'each edit')
    equal(typed('dynamic_rnn.onnx', 'undo ', 1), ':undo', 'nothing')
    check(typed('loop.onnx', 'set i', 1) != ':set i:0=', 'bodies have no axes to set')


def test_tab_offers_only_what_can_be_shown():
    seen = {typed('hostile_names.onnx', 'set ', n) for n in range(1, 60)}
    check(len(seen) > 15, seen)
    equal([line for line in seen if not line.isprintable() or '\\x1b' in line], [], 'no control characters')


def test_a_preview_needs_the_whole_name_of_an_edit():
    has(screen('dynamic_rnn.onnx', 'edit repair nobody'), "there is no tensor 'nobody'")
    rows = screen('dynamic_rnn.onnx', 'edit repairs nobody')
    has(rows, ' EDIT repairs nobody')
    lacks(rows, 'unknown edit')


# ---- in a terminal ----


class Terminal:
    """axed in its own folder, on a pseudo terminal."""

    def __init__(self, folder, *words):
        self.end, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack('HHHH', 36, 120, 0, 0))
        self.process = subprocess.Popen([os.path.abspath(tap.AXED), *words], stdin=far, stdout=far, stderr=far,
                                        cwd=folder, start_new_session=True,
                                        env={**os.environ, 'TERM': 'xterm', 'XDG_STATE_HOME': folder + '/state'})
        os.close(far)
        self.seen = b''

    def wait_for(self, text):
        until = time.monotonic() + 20
        while text not in self.seen and time.monotonic() < until:
            if select.select([self.end], [], [], 1)[0]:
                try:
                    self.seen += os.read(self.end, 65536)
                except OSError:
                    break
        check(text in self.seen, f'{text} never came: {self.seen[-2000:]}')
        self.seen = b''

    def type(self, keys):
        os.write(self.end, keys)

    def close(self):
        until = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < until:
            if select.select([self.end], [], [], 0.1)[0]:
                try:
                    os.read(self.end, 65536)
                except OSError:
                    pass
        if self.process.poll() is None:
            self.process.kill()
        os.close(self.end)
        return self.process.wait()


def test_start_opens_what_is_chosen():
    with tap.folder() as folder:
        shutil.copy(model(PINNED), folder)
        shutil.copy(model('if.onnx'), folder)
        t = Terminal(folder)
        t.wait_for(b'Open a model')
        t.type(b'pinned')
        t.type(b'\r')
        t.wait_for(b'opset 20')  # the demo that the list is drawn over has another
        t.type(b':w copy.onnx\r')
        t.wait_for(b'saved')
        t.type(b'q')
        equal(t.close(), 0, 'exit code')
        equal(tap.read(folder + '/copy.onnx'), tap.read(model(PINNED)), 'the copy')


def test_start_is_left():
    for keys in (b'q', b'\x1b'):
        with tap.folder() as folder:
            t = Terminal(folder)
            t.wait_for(b'Open a model')
            t.type(keys)
            equal(t.close(), 0, keys)


def session(folder, *lines):
    """Lines in a folder that has a model m.onnx."""
    shutil.copy(model('dynamic_rnn.onnx'), os.path.join(folder, 'm.onnx'))
    return run('edit', 'm.onnx', '--script', '-', '--discard', stdin='\n'.join([*lines, 'quit!', '']).encode(), cwd=folder,
               env={'XDG_STATE_HOME': folder})


def test_recipes_come_and_go_in_a_session():
    with tap.folder() as folder:
        code, _, err = session(folder, 'set batch_size=B', 'set sequence_length=T', 'recipe kept.txt')
        equal((code, err), (0, b''), 'the steps so far are kept')
        equal(tap.read(folder + '/kept.txt'), b'# axed recipe\nset batch_size=B\nset sequence_length=T\n', 'the recipe')
        code, _, err = session(folder, 'apply kept.txt', 'write out.onnx')
        equal((code, err), (0, b''), 'they are done again')
        check(b'float32 [B, T, 10]' in run('shapes', folder + '/out.onnx')[1], 'the new file')
        with open(folder + '/bad.txt', 'w') as file:
            file.write('set nobody=3\nset batch_size=Q\nset nobody=4\n')
        code, _, err = session(folder, 'apply bad.txt')
        equal(code, 2, 'lines that fail')
        check(b"2 of 3 lines failed; line 1: no such symbol 'nobody'; the model has batch_size and sequence_length\n" in err, err)
        for line in ('apply', 'recipe', 'recipe a b'):
            code, _, err = session(folder, line)
            equal(code, 2, line)
            check((b'one word too many' if ' b' in line else b'needs a file') in err, err)


def test_files_are_completed():
    with tap.folder() as folder:
        os.mkdir(folder + '/kept')
        for name in ('one.onnx', 'other.onnx', '.hidden'):
            open(f'{folder}/kept/{name}', 'w').close()
        tabs = [session(folder, 'resize 100 30', 'keys : w Space k e p t /', f'keys {"Tab " * count}', 'save-screen')[1].decode()
                for count in (1, 2, 3)]
        check('w kept/one.onnx' in tabs[0] and 'w kept/other.onnx' in tabs[1], 'one after the other:\n' + tabs[1])
        check('.hidden' not in tabs[2], 'what is hidden stays so:\n' + tabs[2])
        taken = session(folder, 'resize 100 30', 'keys : w Space k e p t / o n', 'keys Tab', 'save-screen')[1].decode()
        check('w kept/one.onnx' in taken, taken)
        os.mkdir(folder + '/kept/.inner')
        for text, whole in (('k', 'kept/'), ('k e p t / .', 'kept/.')):
            taken = session(folder, 'resize 100 30', f'keys : w Space {text}', 'keys Tab', 'save-screen')[1].decode()
            check(f'w {whole}' in taken, 'folders end with a slash, and hidden files come after a dot:\n' + taken)
        deeper = session(folder, 'resize 100 30', 'keys : w Space k', 'keys Tab Tab', 'save-screen')[1].decode()
        check('w kept/one.onnx' in deeper, 'into the folder:\n' + deeper)
        hidden = session(folder, 'resize 100 30', 'keys : w Space k e p t / . i', 'keys Tab', 'save-screen')[1].decode()
        check('w kept/.inner/' in hidden, 'hidden folders too:\n' + hidden)
        for name in ('x', 'diff'):
            other = session(folder, 'resize 100 30', f'keys : {name} Space k e p t / o n', 'keys Tab', 'save-screen')[1].decode()
            check(f'{name} kept/one.onnx' in other, other)
        lost = session(folder, 'resize 100 30', 'keys : w Space n o / w h e r e', 'keys Tab', 'save-screen')[1].decode()
        check('w no/where' in lost, lost)


def test_steps_of_an_earlier_run_are_asked_about():
    for key, text in ((b'r', b'set batch_size=kept'), (b'd', b'discarded 1 edit')):
        with tap.folder() as folder:
            shutil.copy(model('dynamic_rnn.onnx'), folder)
            t = Terminal(folder, 'dynamic_rnn.onnx')
            t.wait_for(b'batch_size')
            t.type(b':set batch_size=kept\r')
            t.wait_for(b'modified')
            t.process.send_signal(signal.SIGKILL)
            t.close()
            t = Terminal(folder, 'dynamic_rnn.onnx')
            t.wait_for(b'(r)ecover')
            t.type(key)
            if key == b'r':
                t.wait_for(b'recovered 1 edit')
                t.type(b'7')
            t.wait_for(text)
            t.type(b':q!\r')
            equal(t.close(), 0, key)


tap.main(globals())
