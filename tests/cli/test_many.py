"""Many models in one call: order, exit codes, -j, --timeout, and bad files that do not affect others."""

import contextlib
import glob
import json
import os
import resource
import signal
import subprocess

import tap
from processes import PATIENCE, has_open, wait_for_work
from tap import check, equal, model, run

GOOD = ['demo.onnx', 'if.onnx', 'loop.onnx', 'nested.onnx', 'scan.onnx', 'split.onnx', 'types.onnx', 'quant.onnx']
JOBS = ([], ['-j1'], ['-j2'], ['-j8'], ['--jobs', '1000'])


def headings(out):
    return [line[3:].decode() for line in out.splitlines() if line.startswith(b'== ')]


def names(out):
    return [json.loads(line)['model'] for line in out.splitlines()]


@contextlib.contextmanager
def silent_pipe():
    """A named pipe that is open for writing but never gets data."""
    with tap.folder() as folder:
        path = os.path.join(folder, 'silent.onnx')
        os.mkfifo(path)
        held = os.open(path, os.O_RDWR)
        try:
            yield path
        finally:
            os.close(held)


def start(*words, **more):
    return subprocess.Popen([tap.AXED, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def gone(pids):
    return not any(os.path.exists(f'/proc/{pid}') for pid in pids)


def test_order_is_kept():
    paths = [model(name) for name in GOOD] * 30
    for command in ('show', 'shapes', 'axes', 'check'):
        first = run(command, '--json', *paths)
        equal(names(first[1]), paths, f'{command}: one line for each model, in order')
        for jobs in JOBS[1:]:
            equal(run(command, '--json', *jobs, *paths) == first, True, f'{command} {jobs}: the same')


def test_text_has_a_heading_for_each():
    paths = [model(name) for name in GOOD]
    for command in ('shapes', 'axes', 'check'):
        code, out, err = run(command, '-j2', *paths)
        equal(headings(out), paths, command)
        alone = b''.join(b'== %s\n%s' % (path.encode(), run(command, path)[1]) for path in paths)
        equal(out, alone, f'{command}: below it, what one model alone prints')
    alone = b'\n'.join(run('show', path)[1] for path in paths)
    equal(run('show', '-j2', *paths)[1], alone, 'show: a line between them')


def test_the_worst_exit_code_counts():
    fine, pinned, missing = model('if.onnx'), model('pinned_reshape.onnx'), model('nothing.onnx')
    for paths, worst in (([fine, fine], 0), ([fine, pinned, fine], 1), ([pinned, missing, fine], 2),
                         ([missing, pinned], 2)):
        for jobs in JOBS:
            equal(run('check', *jobs, *paths)[0], worst, f'{jobs} {paths}')


def test_options_hold_for_each():
    fine, pinned = model('dynamic_linear.onnx'), model('pinned_reshape.onnx')
    equal(run('check', '--fail-on', 'error', fine, pinned)[0], 0, '--fail-on')
    code, out, err = run('check', '--fail-on', 'nothing', fine, pinned)
    equal((code, out, err.count(b'\n')), (2, b'', 1), 'a level that is none is told once')
    code, out, err = run('check', '--expect', 'input:0=7', '-j2', fine, pinned)
    equal((code, err), (1, b''), '--expect')
    for path in (fine, pinned):
        check(f'== {path}\n'.encode() in out, f'{path} is named: {out!r}')
    equal(out.count(b'input: axis 0: expected 7, found batch_size\n'), 2, out)


def test_bad_files_harm_only_themselves():
    with tap.folder() as folder:
        whole = tap.read(model('pinned_reshape.onnx'))
        bad = []
        for at in range(0, len(whole), 60):
            bad.append(os.path.join(folder, f'{at}.onnx'))
            with open(bad[-1], 'wb') as file:
                file.write(whole[:at] + b'\xff\xff' + whole[at + 2:at + 90])
        paths = [p for path in bad for p in (model('if.onnx'), path)] + [model('nothing.onnx'), folder, model('loop.onnx')]
        for jobs in JOBS:
            code, out, err = run('check', '--json', *jobs, *paths)
            equal(code, 2, 'exit code')
            equal([n for n in names(out) if n not in bad], [model('if.onnx')] * len(bad) + [model('loop.onnx')],
                  f'{jobs}: the good ones are answered')
            check(b'crashed' not in err, err)
            told = [p for p in [*bad, model('nothing.onnx'), folder] if f'axed: {p}: '.encode() in err or p in names(out)]
            equal(len(told), len(bad) + 2, f'{jobs}: the bad ones too')


def test_a_child_that_dies():
    paths = [model('if.onnx'), model('attributes_big.onnx'), model('loop.onnx')]
    sizes = [len(run('shapes', '--json', path)[1]) for path in paths]
    # The kernel kills a process that writes more to a file; the parent writes to pipes only.
    large = max(paths, key=lambda path: sizes[paths.index(path)])
    limit = sorted(sizes)[-1] - 1
    for jobs in JOBS:
        process = start('shapes', '--json', *jobs, *paths,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        out, err = process.communicate(timeout=PATIENCE)
        equal(process.returncode, 2, 'exit code')
        equal(names(out), [path for path in paths if path != large], f'{jobs}: the others')
        equal(err, f'axed: {large}: shapes crashed (signal {int(signal.SIGXFSZ)})\n'.encode(), f'{jobs}: one sentence')


def test_a_child_that_is_killed():
    with silent_pipe() as pipe:
        process = start('check', '-j2', pipe, model('if.onnx'))
        os.kill(wait_for_work(process, 1, has_open(pipe))[0], signal.SIGABRT)
        out, err = process.communicate(timeout=PATIENCE)
        equal((process.returncode, headings(out)), (2, [model('if.onnx')]), 'the other is answered')
        equal(err, f'axed: {pipe}: check crashed (signal 6)\n'.encode(), 'one sentence')


def test_a_time_limit():
    with silent_pipe() as pipe:
        for jobs in JOBS:
            code, out, err = run('check', '--timeout', '1', *jobs, model('if.onnx'), pipe, model('loop.onnx'))
            equal((code, headings(out)), (2, [model('if.onnx'), model('loop.onnx')]), f'{jobs}: the others')
            equal(err, f'axed: {pipe}: took longer than 1 s and was stopped\n'.encode(), f'{jobs}')
        code, out, err = run('check', '--timeout', '0.2', pipe)
        equal((code, out), (2, b''), 'one alone')
    equal(run('check', '--timeout', '60', model('if.onnx')), run('check', model('if.onnx')), 'in time')
    equal(run('shapes', '--demo', '--timeout', '60'), run('shapes', '--demo'), 'the demo')


def test_a_signal_stops_all():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with silent_pipe() as pipe:
            process = start('check', '-j3', model('if.onnx'), pipe, pipe, pipe)
            pids = wait_for_work(process, 3, has_open(pipe))
            process.send_signal(number)
            process.communicate(timeout=PATIENCE)
            equal(process.returncode, -number, 'it ends by the signal')
            check(gone(pids), 'no child is left')


def test_a_reader_that_leaves():
    with silent_pipe() as pipe:
        process = start('check', '-j3', pipe, model('if.onnx'), pipe)
        pids = wait_for_work(process, 2, has_open(pipe))
        process.stdout.close()
        os.kill(pids[0], signal.SIGABRT)
        equal(process.wait(timeout=PATIENCE), -signal.SIGPIPE, 'it ends as a lone one would')
        check(gone(pids), 'no child is left')
        process.stderr.close()


def test_standard_input_is_one_of_them():
    path = model('if.onnx')
    code, out, err = run('check', '--json', path, '-', path, stdin=tap.read(path))
    equal((code, names(out)), (0, [path, 'standard input', path]), 'between files')
    code, out, err = run('axes', '-', '-')
    equal((code, out, err.count(b'\n')), (2, b'', 1), 'not twice')


def test_which_words_are_tensors():
    path, other = model('pinned_reshape.onnx'), model('dynamic_linear.onnx')
    equal(len(json.loads(run('shapes', '--json', path, 'input')[1])['tensors']), 1, 'a tensor')
    code, out, err = run('shapes', '--json', path, 'input', other)
    equal((code, names(out)), (0, [path, other]), 'models among tensors')
    equal([len(json.loads(line)['tensors']) for line in out.splitlines()], [1, 1], 'the tensor of each')
    with tap.folder() as folder:
        os.mkdir(os.path.join(folder, 'output'))
        with open(os.path.join(folder, 'input'), 'wb') as file:
            file.write(tap.read(path))
        axed = os.path.abspath(tap.AXED)
        ask = lambda *words: subprocess.run([axed, 'shapes', '--json', path, *words], capture_output=True, cwd=folder)
        both = ask('input')
        equal((both.returncode, both.stdout), (2, b''), 'a file that is called like a tensor')
        check(b"'input' may be a file or a tensor; use ./input for the file" in both.stderr, both.stderr)
        equal(names(ask('./input').stdout), [path, './input'], 'the file')
        equal(len(json.loads(ask('input:0').stdout)['tensors']), 1, 'the tensor')
        equal(len(json.loads(ask('output').stdout)['tensors']), 1, 'a folder is no file')


def test_mistakes_are_explained():
    path = model('if.onnx')
    for words, part in ((['-j0'], b'--jobs takes a positive number'), (['-jx'], b'--jobs takes'),
                        (['--timeout', '0'], b'--timeout takes seconds'), (['--timeout', 'nan'], b'--timeout takes'),
                        (['--timeout', '5s'], b'--timeout takes')):
        code, out, err = run('check', *words, path)
        equal((code, out, err.count(b'\n')), (2, b'', 1), words)
        check(part in err, err)
    for command in ('show', 'shapes', 'axes', 'check'):
        check(f'{command} needs a MODEL'.encode() in run(command)[2], command)


# ---- export: one file each


def test_export_writes_a_file_for_each():
    paths = [model(name) for name in GOOD]
    with tap.folder() as folder:
        for form, jobs in zip(('svg', 'json', 'txt', 'html', 'dot'), JOBS):
            code, out, err = run('export', '-q', *paths, '-o', folder + '/', '--format', form, *jobs)
            equal((code, out, err), (0, b'', b''), form)
            wanted = sorted(name.replace('.onnx', '.' + form) for name in GOOD)
            equal(sorted(n for n in os.listdir(folder) if n.endswith('.' + form)), wanted, form)
            for path in paths:
                alone = os.path.join(folder, 'alone.' + form)
                equal(run('export', '-q', path, '-o', alone), (0, b'', b''), path)
                equal(tap.read(os.path.join(folder, os.path.basename(path).replace('.onnx', '.' + form))), tap.read(alone), f'{path}: {form}')
                os.remove(alone)
        equal(run('export', '--demo', '-o', folder, '--format', 'svg')[0], 0, 'a folder without a slash, and one model')


def test_export_harms_only_the_bad():
    with tap.folder() as folder:
        bad = os.path.join(folder, 'bad.onnx')
        with open(bad, 'wb') as file:
            file.write(tap.read(model('demo.onnx'))[:-9])
        paths = [model('demo.onnx'), bad, model('if.onnx'), model('nothing.onnx'), model('loop.onnx')]
        for jobs in JOBS:
            code, out, err = run('export', '-q', *paths, '-o', folder, '--format', 'svg', *jobs)
            equal((code, out, err.count(b'\n')), (2, b'', 2), f'{err!r}')
            check(err.index(bad.encode()) < err.index(model('nothing.onnx').encode()), f'in order: {err!r}')
            for name in ('demo.svg', 'if.svg', 'loop.svg'):
                os.remove(os.path.join(folder, name))
            equal(os.listdir(folder), ['bad.onnx'], 'nothing else')


def test_export_to_standard_output():
    paths = [model('demo.onnx'), model('if.onnx'), model('loop.onnx')]
    for form in ('dot', 'svg', 'txt', 'html', 'json'):
        with tap.folder() as folder:
            target = os.path.join(folder, 'x.' + form)
            run('export', paths[0], '-o', target)
            equal(run('export', '-q', paths[0], '-o', '-', '--format', form), (0, tap.read(target), b''), form)
    code, out, err = run('export', *paths, '-o', '-', '--format', 'json', '-j2')
    equal((code, names(out), err), (0, paths, b''), 'JSON: one a line')


def test_export_is_refused_before_anything_is_written():
    path = model('demo.onnx')
    with tap.folder() as folder:
        copy, other = os.path.join(folder, 'demo.onnx'), os.path.join(folder, 'own.svg')
        for name in (copy, other):
            with open(name, 'wb') as file:
                file.write(tap.read(path))
        before = sorted(os.listdir(folder))
        for words, part in (((path, copy, '-o', folder, '--format', 'svg'), b'would both be written to'),
                            ((path, copy, '-o', folder + '/x.svg'), b'need a folder: -o DIR/ --format svg'),
                            ((path, copy, '-o', '-', '--format', 'svg'), b'as JSON; use -o DIR/'),
                            ((path, '-o', '-'), b'use --format'), ((path, '-o', folder), b'use --format'),
                            ((path, '-o', folder + '/none/', '--format', 'svg'), b'no folder'),
                            ((path, '-o', '-', '--format', 'gif'), b"not 'gif'"), ((other, '-o', other), b'is one of the input models'),
                            ((), b'needs -o FILE'), (('-o', 'x.svg'), b'export needs a MODEL')):
            code, out, err = run('export', *words)
            equal((code, out, err.count(b'\n')), (2, b'', 1), f'{words}: {err!r}')
            check(part in err, f'{words}: {err!r}')
        equal(sorted(os.listdir(folder)), before, 'nothing is written')


def test_everything_at_once():
    """All conformance models and a few corrupted files: a result for every file, in order, no crash."""
    paths = sorted(glob.glob(tap.shared('conformance') + '/**/*.onnx', recursive=True))
    with tap.folder() as folder:
        bad = []
        for number, path in enumerate(paths[::100]):
            bad.append(os.path.join(folder, f'{number}.onnx'))
            with open(bad[-1], 'wb') as file:
                file.write(tap.read(path)[:-7])
            paths.insert(number * 101, bad[-1])
        code, out, err = run('check', '-j2', '--json', *paths)
        answered = names(out)
        told = {p for p in bad if f'axed: {p}: '.encode() in err}
        equal(answered, [path for path in paths if path not in told], 'every file is answered, in order')
        check(told, 'the corrupted ones are refused')
        equal(code, 2, 'exit code')
        check(b'crashed' not in err, err)


tap.main(globals())
