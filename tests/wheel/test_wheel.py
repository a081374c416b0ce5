"""The wheel: what is in it, that the same sources give the same bytes, that pip installs it.

Its script is tried on files made here; the real one, if ./setup wheel has made the static program.
"""

import base64
import csv
import hashlib
import io
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import time
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'tests', 'cli'))
sys.dont_write_bytecode = True

import make
import tap

MOST = 2_000_000
STATIC = os.path.join(TOP, 'build-wheel', platform.machine())
PT_INTERP = 3


def program(machine, kind=1):
    """An ELF program of one header, without code."""
    return (b'\x7fELF\x02\x01\x01'.ljust(16, b'\0') +
            struct.pack('<HHIQQQIHHHHHH', 3, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0) +
            struct.pack('<IIQQQQQQ', kind, 4, 0, 0, 0, 0, 0, 0))


def built(folder, content):
    """What tests/wheel/static leaves, as far as the wheel needs it."""
    for name in ['axed', *make.LICENCES.values(), *(f'build/src/{page}' for page in make.SHARED)]:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(content if name == 'axed' else name.encode())
    return folder


def check_wheel(path):
    """Names of the files in a wheel whose RECORD is true."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        info = next(name for name in names if name.endswith('/RECORD'))
        tap.equal(wheel.testzip(), None, 'the archive')
        rows = list(csv.reader(io.StringIO(wheel.read(info).decode())))
        tap.equal([row[0] for row in rows], names, 'RECORD lists every file')
        for name, digest, size in rows:
            content = wheel.read(name)
            wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
            if name != info:
                tap.equal((digest, size), (f'sha256={wanted}', str(len(content))), f'RECORD of {name}')
        tap.equal([n for n in names if wheel.getinfo(n).external_attr >> 16 & 0o111],
                  [n for n in names if '/scripts/' in n], 'what can be run')
        said = wheel.read(info.replace('RECORD', 'WHEEL')).decode()
    tags = {f'py3-none-{tag}' for tag in os.path.basename(path)[:-4].split('-')[-1].split('.')}
    tap.equal(set(re.findall(r'^Tag: (.*)$', said, re.M)), tags, 'the tags are those of the name')
    return names


def test_the_script_makes_a_wheel():
    with tap.folder() as folder:
        path = make.write('aarch64', folder, built(f'{folder}/built', program(183)))
        names = check_wheel(path)
        package = os.listdir(os.path.join(TOP, 'src', 'python', 'axed'))
        tap.equal({n for n in names if n.startswith('axed/')},
                  {f'axed/{n}' for n in package if n != '__pycache__'}, 'the module')
        for end in ('/scripts/axed', '/share/man/man1/axed.1', '/bash-completion/completions/axed', '/LICENSE',
                    '/LICENSE.graphviz', '/LICENSE.musl', '/METADATA'):
            tap.equal(sum(n.endswith(end) for n in names), 1, f'files that end in {end}')
        with zipfile.ZipFile(path) as wheel:
            said = wheel.read(next(n for n in names if n.endswith('/METADATA'))).decode()
        for line in ('Author: The axed authors', 'Name: axed', 'License-Expression: MIT AND '):
            tap.check(f'\n{line}' in said, f'{line}: {said}')
        # There is no page of its own yet, and a made-up one would be worse.
        tap.check('Home-page' not in said and 'Project-URL' not in said, said)


def test_the_same_bytes():
    with tap.folder() as folder:
        made = []
        for round in range(2):
            source = built(f'{folder}/built{round}', program(62))
            for name in ('axed', 'musl/COPYRIGHT'):
                os.utime(f'{source}/{name}', (round * 1e8, round * 1e8))
            made.append(tap.read(make.write('x86_64', f'{folder}/{round}', source)))
        tap.check(made[0] == made[1], 'the same files at other times give other bytes')
        os.environ['SOURCE_DATE_EPOCH'] = str(1 << 30)
        try:
            path = make.write('x86_64', f'{folder}/2', f'{folder}/built0')
        finally:
            del os.environ['SOURCE_DATE_EPOCH']
        with zipfile.ZipFile(path) as wheel:
            tap.equal({entry.date_time for entry in wheel.infolist()}, {time.gmtime(1 << 30)[:6]}, 'dates')


def test_wrong_programs_are_refused():
    wrong = {'another machine': program(62), 'a dynamic program': program(183, PT_INTERP), 'no program': b'#!/bin/sh\n'}
    for what, content in wrong.items():
        with tap.folder() as folder:
            try:
                make.write('aarch64', folder, built(f'{folder}/built', content))
                tap.check(False, f'{what} became a wheel')
            except SystemExit as end:
                tap.check('make.py: ' in str(end), f'{what}: {end}')
            tap.equal(os.listdir(folder), ['built'], f'{what}: files that were written')


def test_libraries_are_its_own():
    """The caller's PKG_CONFIG_PATH, which meson asks first, does not reach the build."""
    script = tap.read(os.path.join(TOP, 'tests', 'wheel', 'static')).decode()
    function = re.search(r'^build_axed\(\) {\n.*?^}\n', script, re.M | re.S)[0]
    with tap.folder() as folder:
        done = subprocess.run(['bash', '-ec', f'{function}\nquietly() {{ echo "${{2##*/}} ${{PKG_CONFIG_PATH-none}}"; }}\n'
                               'cp() { :; }\nstrip() { :; }\nar=ar gcc=gcc arch=x86_64 out=. root=root\nbuild_axed'],
                              capture_output=True, text=True, cwd=folder, env={**os.environ, 'PKG_CONFIG_PATH': '/elsewhere'})
    tap.equal((done.stdout, done.stderr), ('meson none\nninja none\n', ''), 'PKG_CONFIG_PATH of meson and ninja')


def run_with(folder, programs, *words):
    """Runs a script of this project with only these programs in PATH: text of a shell script, or None for the real one."""
    for name, text in programs.items():
        if text is None:
            os.symlink(shutil.which(name), f'{folder}/{name}')
        else:
            with open(f'{folder}/{name}', 'w', encoding='utf-8') as file:
                file.write('#!/bin/sh\n' + text)
            os.chmod(f'{folder}/{name}', 0o755)
    return subprocess.run(words, capture_output=True, text=True, cwd=TOP, env={'PATH': folder})


def test_a_cross_compiler_is_asked_for():
    tools = dict.fromkeys(('bash', 'dirname', 'sed', 'sort', 'uname'))
    other, name = ('x86_64', 'x86-64') if platform.machine() == 'aarch64' else ('aarch64', 'aarch64')
    with tap.folder() as folder:
        done = run_with(folder, tools, './setup', 'needs', 'wheel', other)
        tap.check(f'gcc-{name}-linux-gnu libc6-dev-' in done.stdout, f'missing: {done}')
        done = run_with(folder, {}, './setup', 'needs', 'wheel')
        tap.check('linux-gnu' not in done.stdout and done.returncode == 0, f'for this machine: {done}')
    with tap.folder() as folder:
        compiler = {f'{other}-linux-gnu-gcc': 'exit 1', 'tic': '', 'infocmp': '', 'curl': ''}
        done = run_with(folder, {**tools, 'head': None, **compiler}, 'tests/wheel/static', other)
        tap.check(done.returncode == 2 and 'has no headers of Linux (Debian: libc6-dev-' in done.stderr, f'no headers: {done}')


def real(folder):
    if not os.path.exists(f'{STATIC}/axed'):
        raise tap.Skip('no static program: ./setup wheel makes it')
    return make.write(platform.machine(), folder, STATIC)


def test_the_real_one():
    with tap.folder() as folder:
        path = real(folder)
        check_wheel(path)
        size = os.path.getsize(path)
        tap.check(size <= MOST, f'{size} bytes, more than {MOST}')


def test_nothing_of_this_machine():
    real_program = f'{STATIC}/axed'
    if not os.path.exists(real_program):
        raise tap.Skip('no static program: ./setup wheel makes it')
    tap.check(TOP.encode() not in tap.read(real_program), 'the program names the folder it was built in')


def test_pip_installs_it():
    with tap.folder() as folder:
        path = real(folder)
        if subprocess.run([sys.executable, '-m', 'venv', f'{folder}/venv'], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode:
            raise tap.Skip('no venv with pip')
        there = f'{folder}/venv/bin'
        clean = {'PATH': '/usr/bin:/bin', 'HOME': folder, 'AXED': '/nowhere'}

        def run(*words):
            done = subprocess.run(words, capture_output=True, text=True, env=clean, cwd=folder)
            return done.returncode, done.stdout, done.stderr

        pip = run(f'{there}/pip', '--disable-pip-version-check', 'install', '--no-index', path)
        tap.equal(pip[0], 0, f'pip install: {pip[2]}')
        tap.equal(run(f'{there}/axed', '--version'), (0, f'axed {make.version()}\n', ''), 'axed --version')
        tap.equal(run(f'{there}/axed', 'check', tap.model('pinned_reshape.onnx'))[0], 1, 'axed check')
        shape = run(f'{there}/python', '-c', 'import axed; print(axed.find(), axed.shapes("%s")["output"].shape)' %
                    tap.model('pinned_reshape.onnx'))
        tap.equal(shape, (0, f'{there}/axed (3, 5, 2)\n', ''), 'import axed, with the program of the wheel')
        tap.check(os.path.exists(f'{folder}/venv/share/man/man1/axed.1'), 'the manual')
        target = f'{folder}/target'
        run(f'{there}/pip', '--disable-pip-version-check', 'install', '--no-index', '--target', target, path)
        found = subprocess.run([sys.executable, '-B', '-c', 'import axed; print(axed.find())'], capture_output=True,
                               text=True, env={**clean, 'PYTHONPATH': target}).stdout
        tap.equal(found, f'{target}/bin/axed\n', 'installed into a folder')


tap.main(globals())
