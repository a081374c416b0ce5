"""One model of each hostile family, through every kind of command: answered within bounded time and memory."""

import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import commands
import tap
from families import FAMILIES, LARGEST
from tap import check

TOOL = os.path.abspath(tap.AXED)
# Under a sanitizer everything takes many times as long: smaller models, fewer commands, and memory is not to be compared.
SANITIZED = 'ASAN_OPTIONS' in os.environ
# The promise is 1 s; a loaded machine gets twice that.
SECONDS = 20 if SANITIZED else 2
MEGABYTES = None if SANITIZED else 300
WHICH = ('check', 'axes', 'explain --flow', 'fit', 'repair --batch', 'edit look', 'edit change', 'export json', 'export svg')
if not SANITIZED:
    WHICH += ('show', 'shapes', 'symbols', 'explain', 'diff', 'set', 'repair', 'export txt')


def judge(family, size, command, model, other):
    with tap.folder() as folder:
        commands.prepare(folder)
        words = commands.words(command, model, other, family.tensor, folder)
        r = commands.run(TOOL, words, folder, 2 * SECONDS, None if SANITIZED else 4000)
    what = f'{family.name} {size}: {command}'
    check(r.code in (0, 1, 2), f'{what}: exit {r.code}, {r.err[-300:]!r}')
    # A sanitizer exits with 1, too.
    check(b'Sanitizer' not in r.err and b'runtime error' not in r.err, f'{what}: {r.err[-2000:].decode(errors="replace")}')
    check(r.code != 2 or r.err, f'{what}: refused without a sentence')
    check(r.seconds < SECONDS, f'{what}: {r.seconds:.2f} s')
    check(not MEGABYTES or r.megabytes < MEGABYTES, f'{what}: {r.megabytes:.0f} MB')


def test_of(family, pool):
    size = family.sanitized if SANITIZED else family.ci

    def test():
        with tap.folder() as folder:
            paths = []
            for name, make in (('model', family.make), ('other', family.other)):
                path = os.path.join(folder, name + '.onnx')
                if make:
                    content = make(size)
                    check(len(content) < LARGEST, f'{len(content)} bytes')
                    with open(path, 'wb') as file:
                        file.write(content)
                paths.append(path if make else paths[0])
            for done in [pool.submit(judge, family, size, command, *paths) for command in WHICH]:
                done.result()
    return test


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    tap.main({f'test_{name}': test_of(family, pool) for name, family in FAMILIES.items()})
