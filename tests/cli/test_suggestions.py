"""Did you mean ...? Files, options, commands, tensors, symbols, lines and themes that are nearly right."""

import os
import shutil
import sys
import time

import tap
from tap import check, equal, model, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402


def said(*words, **options):
    code, _, err = run(*words, **options)
    check(code == 2, f'{words}: exit {code}')
    return err.decode()


def suggests(wanted, *words, **options):
    text = said(*words, **options)
    check(text.rstrip().endswith(f'did you mean {wanted}?') if wanted else 'did you mean' not in text, f'{words}: {text}, expected {wanted}')
    check(text.count('\n') == 1, f'{words}: {text}')


def test_files():
    tap.AXED = os.path.abspath(tap.AXED)
    with tap.folder() as folder:
        os.mkdir(os.path.join(folder, 'sub'))
        for name in ('resnet50.onnx', 'cycle.onnx', 'sub/encoder.onnx'):
            shutil.copy(model('dynamic_rnn.onnx'), os.path.join(folder, name))
        for wanted, word in (('resnet50.onnx', 'resnet5.onnx'), ('resnet50.onnx', 'resnet50.onx'), ('resnet50.onnx', 'resnet50'),
                             ('resnet50.onnx', './restnet50.onnx'[2:]), ('sub/encoder.onnx', 'sub/encodr.onnx'), (None, 'other.onnx'), (None, 'nofile.onnx'),
                             ('cycle.onnx', 'cylce.onnx'), ('cycle.onnx', 'cycle.onx'), ('cycle.onnx', 'cycl'),
                             (None, 'sub/resnet50.onnx'), (None, 'nowhere/encoder.onnx')):
            suggests(wanted, 'show', word, cwd=folder)
        suggests('resnet50.onnx', 'resnet5', cwd=folder)
        suggests('resnet50.onnx', 'set', 'resnet5.onnx', 'batch_size=N', '-n', cwd=folder)
        suggests('resnet50.onnx', 'edit', 'resnet5.onnx', '--script', os.devnull, cwd=folder)
        suggests('resnet50.onnx', 'diff', 'resnet50.onnx', 'resnet5.onnx', cwd=folder)


def test_commands_and_options():
    suggests('show', 'shwo')
    suggests('repair', 'repiar', 'x.onnx')
    suggests(None, 'zzzzzz')
    suggests('--json', 'show', '--jsn', model('dynamic_rnn.onnx'))
    suggests('--dry-run', 'set', '--dryrun', model('dynamic_rnn.onnx'))
    suggests(None, 'show', '--dry-rn', model('dynamic_rnn.onnx'))  # not an option of this command
    suggests(None, 'show', '--x', model('dynamic_rnn.onnx'))
    suggests('--version', '--verison')
    suggests('--help', '--hlep')
    suggests('check', 'help', 'chek')
    suggests('tensorrt', 'snippet', model('dynamic_rnn.onnx'), '--for', 'trt')
    suggests('onnxruntime', 'snippet', model('dynamic_rnn.onnx'), '--for', 'onnxrutime')
    suggests(None, 'snippet', model('dynamic_rnn.onnx'), '--for', 'q')
    equal(said('-x'), 'axed: unknown option -x; axed help show lists the options\n', 'a letter')
    levels = said('check', '--fail-on', 'eror', model('dynamic_rnn.onnx'))
    check("there is no level 'eror'; the levels are error, pin, expect, stale" in levels, levels)
    forgotten = said('repair', 'input:0', '-o', 'out.onnx')
    equal(forgotten, "axed: the model is missing before 'input:0': axed repair MODEL [AXIS...] -o OUT\n", 'an axis is no model')
    check("before 'batch=N': axed set MODEL" in said('set', 'batch=N', '-n'), 'an edit is no model')


def test_names_of_the_model():
    path = model('dynamic_rnn.onnx')
    suggests('input', 'set', path, 'inptu:0=N', '-n')
    suggests('batch_size', 'set', path, 'batchsize=N', '-n')
    suggests('input', 'explain', path, 'imput:0')
    suggests(None, 'explain', path, 'q')


def test_symbols_are_listed():
    path = model('dynamic_rnn.onnx')
    for words in (['set', path, 's0=N', '-n'], ['shapes', path, '--bind', 's0=3'], ['snippet', path, '--for', 'tensorrt', '--range', 's0=1,2,3']):
        text = said(*words)
        check(text.endswith("no such symbol 's0'; the model has batch_size and sequence_length\n"), text)
    with tap.folder() as folder:
        def saved(*names):
            path = os.path.join(folder, 'm.onnx')
            with open(path, 'wb') as file:
                file.write(b.model(b.graph('g', [b.node('Relu', 'x', 'y')], [b.floats('x', *names)], [b.floats('y', *names)])))
            return path

        check("'s0'; the model has none\n" in said('set', saved(3, 4), 's0=N', '-n'), 'no symbols')
        names = [f'axis_{i}' for i in range(7)]
        check("'s0'; the model has 7, which axed symbols lists\n" in said('set', saved(*names), 's0=N', '-n'), 'many')
        check("axis_4 and axis_5\n" in said('set', saved(*names[:6]), 's0=N', '-n'), 'six')
        suggests('axis_3', 'set', saved(*names), 'axes_3=N', '-n')


def test_scopes():
    with tap.folder() as folder:
        def export(*scopes):
            path, values = os.path.join(folder, 'm.onnx'), ['x', *(f'v{i}' for i in range(len(scopes)))]
            nodes = [b.node('Relu', values[i], values[i + 1], name=f'{scope}/Relu') for i, scope in enumerate(scopes)]
            with open(path, 'wb') as file:
                file.write(b.model(b.graph('g', nodes, [b.floats('x', 2)], [b.floats(values[-1], 2)])))
            return ['export', path, '-o', '-', '--format', 'txt', '--scope']

        one = export('/model/model.21', '/model/model.22', '/model/model.22', '/head')
        drawn = run(*one, '/model/model.22')
        equal((drawn[0], drawn[2]), (0, b''), 'the path')
        for name in ('model.22', 'model/model.22'):
            equal(run(*one, name), drawn, name)
        suggests('/head', *one, '/haed')
        suggests('/head', *one, 'haed')
        suggests('/model/model.22', *one, 'odel.22')
        suggests(None, *one, 'zzzzzzzz')
        two = export('/a/conv', '/a/conv', '/b/conv', '/b/conv')
        check("'conv' may be the scope /a/conv or /b/conv" in said(*two, 'conv'), 'two scopes')
        equal(run(*two, 'a/conv')[0], 0, 'one of them')


def test_lines_and_themes():
    def line(text):
        return said('edit', model('dynamic_rnn.onnx'), '--script', '-', stdin=text.encode())

    for text, wanted in (('tehme dark', 'theme'), ('undoo', 'undo'), ('theme drak', 'dark'), ('alias nearby focus 2\nneraby', 'nearby'),
                         ('goto inptu', 'input'), ('search dim:batchsize', None), ('xyzzyq', None)):
        told = line(text)
        check(f'did you mean {wanted}?' in told if wanted else 'did you mean' not in told, f'{text}: {told}')


def test_many_names_cost_little():
    """Nearly equal names, as long as they are compared, to one that none is near."""
    with tap.folder() as folder:
        for i in range(3000):
            with open(os.path.join(folder, 'a' * 180 + f'{i:04}.onnx'), 'wb'):
                pass
        start = time.process_time()
        suggests(None, 'show', 'b' * 184 + '.onnx', cwd=folder)
        check(time.process_time() - start < 5, 'it takes long')


tap.main(globals())
