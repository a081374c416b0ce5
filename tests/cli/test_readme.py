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


def test_pictures_and_files_are_there():
    for page in readme.PAGES:
        text, folder = readme.text_of(page), os.path.join(tap.TOP, os.path.dirname(page))
        for name in re.findall(r'\]\(([^)#:]+)\)', text) + re.findall(r'(?:src|srcset)="([^"]+)"', text):
            tap.check(os.path.exists(os.path.join(folder, name)), f'{page} names {name}, which is not there')
        for name in re.findall(r'`((?:tests|src|proto|themes)/[\w./-]+)`', text):
            tap.check(os.path.exists(os.path.join(tap.TOP, name)), f'{page} names {name}, which is not there')


if '--update' in sys.argv:
    for name in readme.PAGES:
        readme.write(name, played(readme.text_of(name)))
else:
    tap.main(globals())
