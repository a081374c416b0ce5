"""axed set without edits: the same bytes, wherever they go."""

import glob
import os
import subprocess

import tap
from tap import check, equal, model, run


def saved_alike(paths):
    with tap.folder() as folder:
        for path in paths:
            out = os.path.join(folder, 'out.onnx')
            code, said, err = run('set', path, '-o', out)
            equal(code, 0, f'{path}: {err!r}')
            check(code or tap.read(out) == tap.read(path), f'{path}: other bytes')


def test_every_test_model_is_saved_alike():
    paths = [p for p in sorted(glob.glob(model('*.onnx'))) if not p.endswith('too_deep.onnx')]
    check(len(paths) > 40, 'all models')
    saved_alike(paths)


def test_shared_models_are_saved_alike_with_a_note_about_missing_weights():
    saved_alike(sorted(glob.glob(tap.shared('models') + '/*.onnx')))
    with tap.folder() as folder:
        code, out, err = run('set', tap.shared('models', 'resnet50.onnx'), '-o', folder + '/r.onnx')
    equal(code, 0, 'missing weights are no failure')
    check(b"note: external data 'weights.bin' cannot be opened: No such file" in err, err)


def test_shared_conformance_is_saved_alike():
    saved_alike(sorted(glob.glob(tap.shared('conformance') + '/*/*.onnx')))


def test_to_standard_output_and_from_standard_input():
    data = tap.read(model('split.onnx'))
    code, out, err = run('set', '-', '-o', '-', stdin=data)
    equal(code, 0, err)
    check(out == data, 'the bytes')
    done = subprocess.run(f'"{tap.AXED}" set "{model("demo.onnx")}" -o - | head -c 10', shell=True, capture_output=True)
    equal(len(done.stdout), 10, 'a reader that leaves early')


def test_in_place():
    with tap.folder() as folder:
        path = os.path.join(folder, 'm.onnx')
        with open(path, 'wb') as file:
            file.write(tap.read(model('if.onnx')))
        before = os.stat(path).st_ino
        code, out, err = run('set', '-i', path)
        equal(code, 0, err)
        check(os.stat(path).st_ino != before, 'a new file took its place')
        check(tap.read(path) == tap.read(model('if.onnx')), 'the bytes')
        equal(os.listdir(folder), ['m.onnx'], 'nothing else')


def test_what_cannot_be_written_is_told():
    for target, part in (('/no/such/folder/m.onnx', b'No such file or directory'), ('/', b'is a'),
                         ('/dev/null', b'not a regular file')):
        code, out, err = run('set', model('if.onnx'), '-o', target)
        equal(code, 2, target)
        check(part in err and err.count(b'\n') == 1, f'{target}: {err!r}')


tap.main(globals())
