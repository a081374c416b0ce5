"""Reports what a lint finds as TAP."""

import collections
import sys

Finding = collections.namedtuple('Finding', 'path line detail todo')


def finish(title, found):
    """Prints the result of a check and exits."""
    found = sorted(set(found))
    for f in found:
        print(f'# {f.path}:{f.line}: {f.detail}: {f.todo}')
    print('1..1')
    print('not ok' if found else 'ok', f'1 - {title}')
    sys.exit(bool(found))
