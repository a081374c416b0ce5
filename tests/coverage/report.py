"""Line coverage of src/, by room and in total: report.py BUILD [--least PERCENT] [--missed FILE...]

BUILD is a build with --coverage whose tests have run; gcov reads the counts.  A line counts once, however many programs
contain it.  src/ui/curses.c, which only a real terminal runs, is printed but not counted.  --missed lists the lines of
FILE (src/ui/rows.c; default: all) that did not run.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Runs in test_terminal only, which needs tmux.
APART = 'src/ui/curses.c'
# Build tools: they run at build time, and the tests check their output.
NOT_THE_PRODUCT = ('src/app/embed.c', 'src/app/manual.c')


def notes(build):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(build)
                  for name in names if name.endswith('.gcno'))


def read_notes(build, path):
    """[(file, line, count)]; an object that never ran has its lines too, with no count."""
    counted = subprocess.run(['gcov', '--stdout', '--json-format', os.path.relpath(path, build)],
                             cwd=build, capture_output=True, text=True)
    found = []
    for line in counted.stdout.splitlines():
        for file in json.loads(line)['files'] if line.startswith('{') else []:
            name = os.path.relpath(os.path.normpath(os.path.join(build, file['file'])), TOP)
            if name.startswith('src/') and name not in NOT_THE_PRODUCT:
                found += [(name, at['line_number'], at['count']) for at in file['lines']]
    return found


def count_lines(build):
    lines = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda path: read_notes(build, path), notes(build)):
            for name, line, count in found:
                of = lines.setdefault(name, {})
                of[line] = of.get(line, False) or count != 0
    return lines


def spans(numbers):
    """3, 4, 5, 9 as 3-5 9"""
    found = []
    for n in sorted(numbers):
        if found and found[-1][1] == n - 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return ' '.join(str(a) if a == b else f'{a}-{b}' for a, b in found)


def percent(ran, total):
    """Rounded down: 90.0 % means at least that."""
    return ran * 1000 // total / 10 if total else 100.0


def print_table(lines):
    rooms = {}
    for name, of in lines.items():
        room = name if name == APART else name.split('/')[1]
        files, ran, total = rooms.get(room, (0, 0, 0))
        rooms[room] = files + 1, ran + sum(of.values()), total + len(of)
    apart = rooms.pop(APART, None)
    rows = sorted(rooms.items()) + [('total', tuple(map(sum, zip(*rooms.values()))))]
    if apart:
        rows.append((f'apart: {APART}', apart))
    print(f'{"room":24} {"files":>6} {"lines":>7} {"ran":>7} {"%":>6}')
    for room, (files, ran, total) in rows:
        print(f'{room:24} {files:6} {total:7} {ran:7} {percent(ran, total):6.1f}')
    return percent(*dict(rows)['total'][1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('build')
    parser.add_argument('--least', type=float, default=0)
    parser.add_argument('--missed', nargs='*')
    given = parser.parse_args()
    lines = count_lines(os.path.abspath(given.build))
    if not any(any(of.values()) for of in lines.values()):
        sys.exit(f'{given.build}: nothing was counted there')
    if given.missed is not None:
        for name in sorted(lines, key=lambda n: -list(lines[n].values()).count(False)):
            missed = [n for n, ran in lines[name].items() if not ran]
            if missed and (not given.missed or name in given.missed):
                print(f'{len(missed):5} of {len(lines[name]):5}  {name}: {spans(missed)}')
        return
    total = print_table(lines)
    if total < given.least:
        sys.exit(f'{total} % of the lines are run, and {given.least} % are wanted')


main()
