"""Reports what a lint finds as TAP, and compares it with known.txt.

known.txt lists the violations that existed before the check did, one line `check file detail` each.  It may only
shrink: a violation that is not listed fails, and so does a line whose violation is gone.  When it is empty, delete it.
`python3 tests/lint/CHECK.py --known` prints the lines of one check, `python3 tests/lint/known.py` those of all.
"""

import collections
import os
import subprocess
import sys

CHECKS = ('comparisons', 'cycles', 'enums', 'includes', 'statics')
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'known.txt')
# The detail has no line number, so that it stays the same while other lines of the file change.
Finding = collections.namedtuple('Finding', 'path line detail todo')


def read_known(check):
    if not os.path.exists(LIST):
        return collections.Counter()
    with open(LIST, encoding='utf-8') as file:
        rows = [line.rstrip('\n').split(' ', 2) for line in file]
    return collections.Counter((path, detail) for name, path, detail in rows if name == check)


def finish(check, title, found):
    """Prints the result of a check and exits."""
    found = sorted(set(found))
    if sys.argv[1:] == ['--known']:
        for f in sorted(found, key=lambda f: (f.path, f.detail)):
            print(check, f.path, f.detail)
        sys.exit()
    known, present = read_known(check), collections.Counter((f.path, f.detail) for f in found)
    new, gone = present - known, known - present
    for f in found:
        if (f.path, f.detail) in new:
            print(f'# {f.path}:{f.line}: {f.detail}: {f.todo}')
    for path, detail in sorted(gone):
        print(f'# tests/lint/known.txt: delete "{check} {path} {detail}": it is fixed')
    print('1..1')
    print('not ok' if new or gone else 'ok', f'1 - {title}' + (f' ({sum(known.values())} known)' if known else ''))
    sys.exit(bool(new or gone))


def main():
    """Regenerates the list: python3 tests/lint/known.py >tests/lint/known.txt"""
    for check in CHECKS:
        subprocess.run([sys.executable, os.path.join(os.path.dirname(LIST), check + '.py'), '--known'], check=True)


if __name__ == '__main__':
    main()
