"""A model that is exported anew while it is open, and two terminals on one model."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap
from tap import check, equal, model, run
from terminals import Session, Terminal, line

OTHER = 'dynamic_linear.onnx'


def export(path, name, in_place=False):
    """As an exporter does: a new file of that name, or the old one written over."""
    if in_place:
        shutil.copyfile(model(name), path)
    else:
        shutil.copyfile(model(name), path + '.new')
        os.rename(path + '.new', path)


def test_a_new_export_is_told_and_taken_up():
    with Session('dynamic_rnn.onnx') as (t, path):
        line(t, 'set batch_size=B')
        t.wait('modified')
        line(t, 'set sequence_length=T')
        t.wait('[B, T, 10]')
        export(path, OTHER)
        t.wait('m.onnx changed on disk: :reload takes it up, :w! overwrites it')
        line(t, 'w')
        t.wait('was replaced on disk since it was opened')
        line(t, 'reload')
        t.wait('1 of 2 edits failed')
        t.wait("no such symbol 'sequence_length'")
        t.keys('Escape')
        line(t, 'w')
        t.wait('saved')
        check(b'[B, ' in run('shapes', path)[1], 'the edit is in the new file')


def test_what_was_opened_can_be_saved_elsewhere():
    for in_place in (False, True):
        with Session('dynamic_rnn.onnx') as (t, path):
            line(t, 'set batch_size=B')
            t.wait('modified')
            export(path, OTHER, in_place)
            t.wait('changed on disk')
            line(t, 'w other.onnx')
            t.wait('saved other.onnx')
            other = os.path.join(os.path.dirname(path), 'other.onnx')
            equal(run('shapes', other, 'input')[1].split(b'\t')[1], b'float32 [B, sequence_length, 10]', f'in place: {in_place}')
            equal(tap.read(path), tap.read(model(OTHER)), 'the new export')


def is_held(t, path):
    """Has the program a copy of the file, and not the file, open?"""
    folder = f'/proc/{t.program()}/fd'
    links = [os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder)]
    return os.path.realpath(path) not in links and any(l.endswith('(deleted)') for l in links)


def test_a_large_file_is_held_bit_by_bit():
    if not os.path.exists('/proc/self/task'):
        raise tap.Skip('no /proc here')
    with tap.folder() as folder:
        path, size = os.path.join(folder, 'large.onnx'), 120 << 20
        with open(path, 'wb') as file:
            # A field that nobody knows, and nothing on the disk.
            file.write(tap.read(model('dynamic_rnn.onnx')) + b'\xc2\x3e' + bytes([size >> i & 127 | 128 for i in (0, 7, 14)] + [size >> 21]))
            file.truncate(file.tell() + size)
        with Session(None, path=path) as (t, path):
            check(not is_held(t, path), 'the file itself is open')
            line(t, 'set batch_size=B')
            t.wait('modified')
            check(t.until(lambda _: is_held(t, path)), 'held after a while')
            export(path, OTHER, in_place=True)
            t.wait('changed on disk')
            line(t, 'w other.onnx')
            t.wait('saved other.onnx')
            other = os.path.join(os.path.dirname(path), 'other.onnx')
            equal(run('shapes', other, 'input')[1].split(b'\t')[1], b'float32 [B, sequence_length, 10]', 'the edited model')
            check(os.path.getsize(other) > size, 'all of it')


def test_watch_takes_it_up_by_itself():
    with Session('dynamic_rnn.onnx', 'edit --watch') as (t, path):
        t.wait('sequence_length')
        line(t, 'set batch_size=B')
        t.wait('modified')
        export(path, OTHER)
        t.wait('reloaded m.onnx, with 1 edit')
        t.gone('sequence_length')
        # Half a file is waited for.
        data = tap.read(model('dynamic_rnn.onnx'))
        with open(path, 'wb') as file:
            file.write(data[:300])
            file.flush()
            t.wait('waiting for the rest')
            file.write(data[300:])
        t.wait('sequence_length')


def test_check_watches():
    with tap.folder() as folder:
        path = os.path.join(folder, 'm.onnx')
        shutil.copyfile(model('pinned_reshape.onnx'), path)
        process = subprocess.Popen([tap.AXED, 'check', '--watch', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        first = process.stdout.readline()
        check(b'pin' in first, first)
        export(path, 'dynamic_rnn.onnx')
        said = b''
        while b'no problems' not in said and b'0 ' not in said:
            said = process.stdout.readline()
            if not said:
                break
        check(said, 'it is checked anew')
        process.kill()
        process.stdout.close()
        process.wait()
        code, _, err = run('check', '--watch', path, path)
        equal(code, 2, err)


def test_two_terminals():
    with Session('dynamic_rnn.onnx') as (t, path):
        second = Terminal(f'cd {os.path.dirname(path)}; clear; {os.path.abspath(tap.AXED)} m.onnx; echo left $?',
                          env={'XDG_STATE_HOME': t.folder.name})
        try:
            second.wait('is open in another axed, process')
            line(t, 'set batch_size=B')
            t.wait('modified')
            second.keys('Escape')
            line(second, 'set batch_size=N')
            second.wait('is open in another axed, process')
            check('modified' not in second.screen(), 'nothing is edited there')
            line(t, 'quit!')
            t.wait('left 0')
            # The holder is gone: the second takes over.
            line(second, 'set batch_size=N')
            second.wait('modified')
        finally:
            second.close()


def test_a_configuration_edits_nothing():
    with tap.folder() as config:
        os.mkdir(os.path.join(config, 'axed'))
        with open(os.path.join(config, 'axed', 'config'), 'w', encoding='utf-8') as file:
            file.write('theme light\nset batch_size=Z\n')
        with Session('dynamic_rnn.onnx', env={'XDG_CONFIG_HOME': config}) as (t, _):
            t.wait('line 2: set: a configuration may only have theme, option, bind and alias')
            check('modified' not in t.screen(), 'nothing is edited')


def test_a_configuration_names_lines():
    with tap.folder() as config:
        os.mkdir(os.path.join(config, 'axed'))
        with open(os.path.join(config, 'axed', 'config'), 'w', encoding='utf-8') as file:
            file.write('alias batch set batch_size=\nalias B set batch_size=B\nbind X B\nB\n')
        with Session('dynamic_rnn.onnx', env={'XDG_CONFIG_HOME': config}) as (t, _):
            t.wait('line 4: set: a configuration may only have')
            check('modified' not in t.screen(), 'an alias is no way around')
            t.keys('X')
            t.wait('[B, sequence_length, 10]')
            t.keys('u')
            t.wait('[batch_size, sequence_length, 10]')
            t.type(':bat')
            t.keys('Tab')
            t.wait(':batch')


tap.main(globals())
