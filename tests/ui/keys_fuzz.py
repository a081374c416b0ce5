"""Random keys in windows of random size, over every test model, without a terminal.

    python3 tests/ui/keys_fuzz.py [--seed N] [--seconds S] [--runs N] [--keep FOLDER]

A run is one model and one script of `resize`, `keys` and `save-screen` lines.  It fails unless it ends normally; the
script of a failed run is kept, and `axed edit MODEL --script FILE` reproduces it.  It finds most if AXED is a build with
sanitizers.
"""

import argparse
import glob
import os
import random
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap

MOVES = ['h', 'j', 'k', 'l', 'Up', 'Down', 'Left', 'Right', 'PgUp', 'PgDn', 'Ctrl-D', 'Ctrl-U', 'gg', 'G', 'Home', 'End',
         'Space', 'Tab', 'Shift-Tab', *'123456789', 'o', 'O', 'a', 'b', 'Ctrl-O', 'Alt-o', 'Enter', 'Enter', 'Esc', 'Backspace']
LOOKS = ['+', '-', '0', 'za', 'zo', 'zc', 'zM', 'zR', 'zi', 'f', 'F', 'ma', "'a", 'mb', "'b", 'x', '?', 'y', 'Ctrl-L', 'n', 'N',
         ']c', '[c', ']p', '[p', 'Ctrl-P', '/', ':', 'z', 'm', 'Del', 'Z', 'zz', 'g', ']']
EDITS = [',', '.', '.', 'e', 'r', '=', 'R', 'u', 'Ctrl-R', 'e', 'Ctrl-W', 'Ctrl-K', 'Ctrl-A', 'Ctrl-E', 'Ctrl-N', 'Ctrl-C', 'D', 'V', '8']
WORDS = ['batch', 'N', '4', '0', '-1', '99999999999999999999', '?', '=', ':0=', 'x', 'input:0=B', 'op:Conv', 'dim:N', 'is:problem',
         'is:changed', 'is:unknown', 'shape:*x3', '(', '[a', '.*', 'é', '中', '2*N+1', 'floor(N/2)', 'try', 'set', 'repair', 'fold',
         'zoom', 'boxes', 'lanes', 'map', 'details', 'focus', '3', 'option', 'ascii', 'alias', 'on', 'off', 'theme', 'mono', 'goto',
         'toggle', 'pane', 'w', 'undo', '5', 'redo', 'bind', 'history', 'name', 'S=', 'S=batch*2', 'enter', 'path', 'reload', 'diff', 'snippet',
         'torch', 'export', 'a.svg', 'recipe', 'apply', 'steps']
SIZES = [(1, 1), (2, 3), (20, 5), (40, 10), (60, 15), (80, 24), (99, 30), (100, 30), (120, 36), (160, 45), (300, 100), (2000, 3), (30, 1000)]

# Past failures.
FOUND = [
    # a `try` that failed at its second word left stale problems in the panes
    ('demo.onnx', "keys ']p'\nkeys = '4' Space 'alias' Space '3' Enter\nkeys '5'\nsave-screen /dev/null\n"),
    ('pinned_reshape.onnx', "resize 40 10\nkeys 'x'\nkeys = '3' Space 'off' Enter\nkeys 'Space' '4' 'Tab'\nsave-screen /dev/null\n"),
]


def quoted(word):
    return "'" + word + "'" if word.strip("'") == word else '"' + word + '"'


def make(rng):
    lines = []
    for _ in range(rng.randrange(5, 60)):
        kind = rng.random()
        if kind < 0.06:
            lines.append('resize %d %d' % (rng.choice(SIZES) if rng.random() < 0.5 else (rng.randint(1, 300), rng.randint(1, 80))))
        elif kind < 0.16:
            lines.append('save-screen /dev/null')
        elif kind < 0.34:
            typed = [quoted(rng.choice(WORDS)) for _ in range(rng.randrange(1, 4))]
            lines.append(f"keys {rng.choice(['/', ':', 'e', 'Ctrl-P', 'r', '='])} {' Space '.join(typed)} {rng.choice(['Enter', 'Enter', 'Esc', 'Tab', 'Up Down', 'Down 7 Enter'])}")
        else:
            keys = rng.choice([MOVES, MOVES + LOOKS, MOVES + LOOKS + EDITS])
            lines.append('keys ' + ' '.join(quoted(rng.choice(keys)) for _ in range(rng.randrange(1, 12))))
    return '\n'.join(lines) + '\nsave-screen /dev/null\n'


def attempt(axed, path, script, folder):
    """The failure, or nothing."""
    work = os.path.join(folder, 'work')
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    shutil.copy(path, os.path.join(work, 'm.onnx'))
    with open(os.path.join(folder, 'script'), 'w') as file:
        file.write(script)
    try:
        done = subprocess.run([axed, 'edit', 'm.onnx', '--script', '../script', '--discard'], capture_output=True, cwd=work, timeout=60,
                              env={**os.environ, 'XDG_STATE_HOME': work, 'XDG_CONFIG_HOME': work, 'LC_ALL': 'C.UTF-8'})
    except subprocess.TimeoutExpired:
        return 'does not end'
    told = done.stderr.decode(errors='replace')
    if done.returncode == 0 and 'runtime error' not in told and 'Sanitizer' not in told:
        return ''
    return f'ended with {done.returncode}: {told[-3000:]}'


def opens(axed, path, folder):
    return attempt(axed, path, '', folder) == ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--runs', type=int, default=10**9)
    parser.add_argument('--keep', default='.')
    options = parser.parse_args()
    axed = os.path.abspath(tap.AXED)
    bad = runs = 0
    with tap.folder() as folder:
        paths = [*glob.glob(tap.model('*.onnx')), *glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'networks', '*.onnx'))]
        models = [p for p in sorted(paths) if opens(axed, p, folder)]
        for name, script in FOUND:
            wrong = attempt(axed, tap.model(name), script, folder)
            if wrong:
                bad += 1
                print(f'# {name}: {wrong}'.replace('\n', '\n# '))
        end = time.monotonic() + options.seconds
        while runs < options.runs and time.monotonic() < end and bad < 20:
            rng = random.Random(f'{options.seed} {runs}')
            path = models[runs % len(models)]
            script = make(rng)
            wrong = attempt(axed, path, script, folder)
            if wrong:
                bad += 1
                kept = os.path.join(options.keep, f'keys-{options.seed}-{runs}.script')
                with open(kept, 'w') as file:
                    file.write(script)
                print(f'# {os.path.basename(path)}, {kept}: ' + wrong.replace('\n', '\n# '), flush=True)
            runs += 1
    print(f'1..1\n{"not ok" if bad else "ok"} 1 - {runs} runs over {len(models)} models')
    sys.exit(bad != 0)


main()
