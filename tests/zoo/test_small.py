"""Shapes, check, axes and --bind of the small models agree with the recorded runs of ONNX Runtime.

    test_small.py [--update] [NAME...]

small/known.txt lists the disagreements that are known, as MODEL KIND WHAT; what is no longer there must be removed from it,
which --update does.
The program is $AXED.
"""

import base64
import glob
import json
import lzma
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, 'small')
from judge import judge
from subject import Subject

AXED = os.environ.get('AXED', 'build/axed')
KINDS = [('shapes', k) for k in ('wrong', 'not_full', 'bind_wrong', 'bind_exit', 'bind_set')] + [
    ('check', 'false'),
    ('check', 'missed'),
    ('axes', 'false_free'),
    ('axes', 'false_tied'),
    ('axes', 'false_pinned'),
    ('axes', 'unknown_axes'),
    ('axes', 'unread'),
    ('bodies', 'wrong'),
    ('bodies', 'failed'),
]


class Recorded:
    """Answers from recorded runs."""

    recorded = True

    def __init__(self, seen):
        self.seen = seen

    def run(self, case):
        return self.seen.get(json.dumps(case), {'ok': False, 'error': '', 'unrecorded': True})


def disagreements(name, folder):
    with lzma.open(os.path.join(SMALL, name + '.xz')) as file:
        runs = json.load(file)
    path = os.path.join(folder, name + '.onnx')
    with open(path, 'wb') as target:
        target.write(base64.b64decode(runs['model']))
    parts = {part: Recorded(runs.get(part, {})) for part in ('everything', 'freed', 'inner')}
    result = judge(Subject(path, AXED, runs['facts']), **parts)
    return [(key, text) for part, key in KINDS for text in result.get(part, {}).get(key, [])]


def word(key, text):
    """What it is about: the tensor, the axis or the level."""
    return 'differ' if key == 'bind_set' else text.split()[0].rstrip(':')


def known():
    path = os.path.join(SMALL, 'known.txt')
    lines = open(path).read().splitlines() if os.path.exists(path) else []
    return {tuple(line.split(' ', 2)) for line in lines if line and not line.startswith('#')}


def update(seen, names):
    """Rewrites the lines of these models."""
    lines = sorted({line for line in known() if line[0] not in names} | seen)
    with open(os.path.join(SMALL, 'known.txt'), 'w') as file:
        file.write('# Known disagreements with ONNX Runtime: model, kind, tensor or axis.  test_small.py --update writes this.\n')
        file.writelines(' '.join(line) + '\n' for line in lines)


def main():
    words = [w for w in sys.argv[1:] if w != '--update']
    names = words or sorted(os.path.basename(p)[: -len('.xz')] for p in glob.glob(f'{SMALL}/*.xz'))
    expected, seen = known(), set()
    print(f'1..{len(names) + 1}')
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            found = disagreements(name, folder)
            seen |= {(name, key, word(key, text)) for key, text in found}
            new = [f'{key} {text}' for key, text in found if (name, key, word(key, text)) not in expected]
            print('not ok' if new else 'ok', '-', name, flush=True)
            for line in new[:8]:
                print(f'# {line[:300]}')
    gone = sorted(e for e in expected - seen if e[0] in names)
    print('not ok' if gone else 'ok', '- known.txt is up to date')
    for line in gone:
        print('# gone:', *line)
    if '--update' in sys.argv:
        update(seen, set(names))


if __name__ == '__main__':
    main()
