"""README.md and the pages it leads to show real output: each `console` block is typed into a shell, in a terminal.

    test_readme.py [--update]    --update writes what the terminal shows now
"""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import xml.etree.ElementTree

import readme
import tap

WIDTH = 120
BLOCK = re.compile(r'^```console\n(.*?)^```\n', re.S | re.M)


def commands(block):
    return [line[2:] for line in block.splitlines() if line.startswith('$ ')]


def typed(command, folder):
    """The terminal's output after the command; the working directory is kept between commands."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 40, WIDTH, 0, 0))
    environment = {'PATH': f'{folder}/.bin:/usr/bin:/bin', 'HOME': folder, 'TERM': 'dumb', 'NO_COLOR': '1',
                   'LC_ALL': 'C.UTF-8', 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '')}
    shell = subprocess.Popen(['sh', '-c', command], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                             cwd=folder, env=environment)
    os.close(theirs)
    shown = b''
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            more = b''
        if not more:
            break
        shown += more
    shell.wait(timeout=60)
    os.close(ours)
    return shown.decode().replace('\r\n', '\n')


def played(text):
    """The text with the current output of each command."""
    with tap.folder() as folder:
        os.mkdir(f'{folder}/.bin')
        os.symlink(os.path.abspath(tap.AXED), f'{folder}/.bin/axed')
        os.symlink(f'{tap.TOP}/tests', f'{folder}/tests')
        for name in os.listdir(tap.MODELS):
            if name.endswith('.onnx') and os.path.isfile(tap.model(name)):
                shutil.copy(tap.model(name), folder)

        def block(match):
            return '```console\n' + ''.join(f'$ {c}\n{typed(c, folder)}' for c in commands(match[1])) + '```\n'

        return BLOCK.sub(block, text)


def test_pages_show_what_happens():
    blocks = 0
    for page in readme.PAGES:
        have = readme.text_of(page)
        blocks += len(BLOCK.findall(have))
        new = played(have)
        for old_line, new_line in zip(have.splitlines(), new.splitlines()):
            if not tap.check(old_line == new_line, f'{page} says {old_line!r}, axed says {new_line!r}'):
                break
        tap.equal(len(new), len(have), f'characters in {page}')
    tap.check(blocks >= 3, 'there are console blocks')


def test_readme_is_short():
    """About 900 words, without what is typed and printed."""
    words = len(BLOCK.sub('', readme.text_of('README.md')).split())
    tap.check(700 <= words <= 1000, f'README.md has {words} words')


def test_recipes_do_what_they_say():
    """Each command of the table is typed, in order, in a repository with a static export and one whose batch is s0."""
    table = re.search(r'^## Recipes\n(.*?)^## ', readme.text_of('README.md'), re.M | re.S)[1]
    commands_of = [re.findall(r'`((?:axed|git|echo|python3) .*?)`', row.split('|')[-2]) for row in table.splitlines() if row.startswith('| ')]
    typed_there = [command for row in commands_of for command in row]
    tap.check(len(typed_there) >= 8, f'{len(typed_there)} commands in the table')
    with tap.folder() as folder:
        def shell(command, code=0):
            done = subprocess.run(['sh', '-c', command], cwd=folder, capture_output=True, text=True, timeout=60, env={
                **os.environ, 'HOME': folder, 'AXED': os.path.abspath(tap.AXED), 'PYTHONPATH': f'{tap.TOP}/src/python',
                'PATH': f'{folder}/.bin:{os.environ["PATH"]}', 'PYTHONDONTWRITEBYTECODE': '1'})
            tap.equal((done.returncode, done.stderr), (code, ''), command)
            return done.stdout

        os.mkdir(f'{folder}/.bin')
        os.symlink(os.path.abspath(tap.AXED), f'{folder}/.bin/axed')
        export = tap.model('dynamic_linear.onnx')
        shell(f'axed set {export} batch_size=3 -o static.onnx && axed set {export} batch_size=s0 -o model.onnx')
        git = bool(shutil.which('git'))
        if git:
            shell('git init -q . && git add *.onnx && git -c user.name=a -c user.email=a@b commit -qm models')
        said = {command: shell(command) for command in typed_there if git or not command.startswith('git')}
        by_start = lambda start: next(out for command, out in said.items() if command.startswith(start))
        tap.check('freed    input:0=N' in by_start('axed repair'), 'the static export is freed')
        tap.check('--maxShapes=input:32x10' in by_start('axed snippet'), 'TensorRT gets the range')
        tap.equal(by_start('python3'), 'True\n', 'Python says that it is fine')
        tap.check('[N, 10]' in shell('axed shapes dynamic.onnx input'), 'a batch of any size')
        tap.check('[batch, 10]' in shell('axed shapes model.onnx input'), 'a better name')
        tap.check('[8, 10]' in shell('axed shapes fixed.onnx input'), 'a fixed batch')
        shell('axed check fixed.onnx --expect input:0=batch >expected', 1)
        if git:
            difference = shell('git diff model.onnx')
            for line in ('-input\tfloat32 [s0, 10]', '+input\tfloat32 [batch, 10]'):
                tap.check(line in difference, f'git diff has {line!r}: {difference}')
            shell('head -c 100 model.onnx >half && mv half model.onnx && echo text >static.onnx')
            difference = shell('git diff')
            tap.check('+axed: is not an ONNX model, or truncated' in difference and '\n+axed: ' in difference[difference.index('b/static.onnx'):],
                      f'models that cannot be read: {difference}')


def test_figures_say_of_what_they_are():
    """The version and commit that was measured; if it is not this version, that too."""
    now = tap.run('--version')[1].decode().split()[1]
    for page in ('tests/bench/COMPARISON.md', 'tests/bench/README.md'):
        found = re.search(r'^.*commit [0-9a-f]{7,}.*\n(?:.*\n)?axed ([\d.]+), (?:.*\n)+?\n', readme.text_of(page), re.M)
        if tap.check(found, f'{page} names a version and a commit'):
            older = f'are from before {now}.' in found[0]
            tap.equal(older, found[1] != now, f'{page} has figures of axed {found[1]}, this is {now}: {found[0]}')


def test_pictures_and_files_are_there():
    for page in readme.PAGES:
        text, folder = readme.text_of(page), os.path.join(tap.TOP, os.path.dirname(page))
        for name in re.findall(r'\]\(([^)#:]+)\)', text) + re.findall(r'(?:src|srcset)="([^"]+)"', text):
            tap.check(os.path.exists(os.path.join(folder, name)), f'{page} names {name}, which is not there')
        for name in re.findall(r'`((?:tests|src|proto|themes)/[\w./-]+)`', text):
            tap.check(os.path.exists(os.path.join(tap.TOP, name)), f'{page} names {name}, which is not there')


def test_no_picture_is_replaced_without_a_program():
    folder = os.path.join(tap.TOP, 'screenshots')
    before = {name: tap.read(os.path.join(folder, name)) for name in os.listdir(folder)}
    for word in ('--help', '/bin/true', '/nowhere/axed'):
        done = subprocess.run([f'{tap.TOP}/tests/screenshots', word], capture_output=True, text=True, timeout=60)
        tap.check(done.returncode == 2 and 'tests/screenshots [AXED' in done.stderr, f'{word}: {done.returncode} {done.stderr}')
    tap.check(before == {name: tap.read(os.path.join(folder, name)) for name in os.listdir(folder)}, 'the pictures are as they were')


def test_animations_are_only_pictures():
    """No script, nothing that is loaded, small, and its screens last as long as somebody watches."""
    names = sorted(name for name in os.listdir(os.path.join(tap.TOP, 'screenshots')) if name.endswith('.svg'))
    tap.equal(names, ['axed-dark.svg', 'axed-light.svg'], 'the animations')
    for name in names:
        text = readme.text_of(f'screenshots/{name}')
        kinds = {element.tag.partition('}')[2] for element in xml.etree.ElementTree.fromstring(text).iter()}
        tap.equal(kinds, {'svg', 'title', 'style', 'g', 'rect', 'path', 'text'}, f'{name}: its elements')
        tap.check(not re.search(r'href|url\(|@import|@font-face', text), f'{name} loads nothing')
        tap.check(len(text.encode()) < 500_000, f'{name}: {len(text.encode())} bytes')
        seconds = {float(n) for n in re.findall(r'animation:k\d+ ([\d.]+)s step-end infinite', text)}
        tap.check(len(seconds) == 1 and 8 <= min(seconds) <= 12, f'{name}: {seconds} seconds')
        for word in ('batch_size', 'freed', 'saved model.onnx'):
            tap.check(word in text, f'{name} shows {word!r}')


if '--update' in sys.argv:
    for name in readme.PAGES:
        readme.write(name, played(readme.text_of(name)))
else:
    tap.main(globals())
