"""The screen after lines of a script, as text or as cells, without a terminal."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, model, run

tap.AXED = os.path.abspath(tap.AXED)


def screens(path, *steps, what='screen', size='120 36', drawn=True):
    """The screen after each of the steps; empty ones if the program fails.  `drawn`: once before the first of them."""
    path = model(path)
    with tap.folder() as folder:
        saves = [os.path.join(folder, f'out{i}') for i in range(len(steps))]
        script = [f'resize {size}', *(['save-screen /dev/null'] if drawn else []),
                  *(part for step, save in zip(steps, saves) for part in (step, f'save-{what} {save}')), 'quit!', '']
        code, _, err = run('edit', os.path.basename(path), '--script', '-', stdin='\n'.join(script).encode(), cwd=os.path.dirname(path),
                           env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        good = check(code == 0, f'exit {code}: {err.decode(errors="replace")}')
        return [tap.read(save).decode() if good else '' for save in saves]


def screen(path, *lines, **how):
    """The screen after all of the lines."""
    return screens(path, '\n'.join(lines) or 'save-screen /dev/null', **how)[0]


def keys(text):
    """The line that presses these keys, one after the other."""
    return 'keys ' + ' '.join('Space' if c == ' ' else f'"{c}"' for c in text)
