"""The animation of README.md, made anew: its story still plays to the end, and what it shows is what the program shows."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, read

NAMES = ('axed-dark.svg', 'axed-light.svg')


def words(path):
    """Each word and where it stands; colours may differ from terminal to terminal."""
    return re.findall(r'<text x="([\d.]+)"[^>]*? y="([\d.]+)"[^>]*>([^<]*)<', read(path).decode())


def test_animation():
    if not shutil.which('tmux'):
        raise tap.Skip('no tmux')
    with tap.folder() as folder:
        made = subprocess.run([sys.executable, os.path.join(tap.TOP, 'tests', 'animation'), os.path.abspath(tap.AXED), '--folder', folder],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        equal(made.returncode, 0, made.stdout.decode(errors='replace'))
        for name in NAMES:
            fresh, kept = words(os.path.join(folder, name)), words(os.path.join(tap.TOP, 'screenshots', name))
            check(len(kept) > 100, f'{name}: {len(kept)} words')
            check(fresh == kept, f'screenshots/{name} is not what the program shows now: run tests/animation build/axed; '
                                 f'{sorted(set(fresh) ^ set(kept))[:6]}')


tap.main(globals())
