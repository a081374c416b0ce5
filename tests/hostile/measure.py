"""Time and memory against size: every command, family and size; not a test, see README.md.

    python3 measure.py AXED [-j N] [--families A,B] [--commands C,D] [--largest | --ci] [--keep FOLDER] [--table FILE]

Prints one line per family: at each size the file, the slowest command's processor time and the largest one's memory; then
what is over the limit.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import sys
import tempfile
import threading

import commands
from families import FAMILIES, LARGEST

SECONDS, MEGABYTES = 1.0, 300
# A run that takes more is killed.
MOST_MEGABYTES = 6000


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(content)
    return path


def measure(axed, family, size, which, keep, most):
    """Results by command, of one model."""
    results = {}
    with tempfile.TemporaryDirectory(prefix='axed-hostile-') as folder:
        content = family.make(size)
        assert len(content) < LARGEST, f'{family.name} {size}: {len(content)} bytes'
        model = write(keep or folder, f'{family.name}-{size}.onnx', content)
        other = write(folder, 'other.onnx', family.other(size) if family.other else content)
        commands.prepare(folder)
        for command in which:
            result = commands.run(axed, commands.words(command, model, other, family.tensor, folder), folder, most, MOST_MEGABYTES)
            # A child's peak counts what this process holds when it starts it: keep no output.
            result.out = result.err = b''
            results[command] = result
    return len(content), results


def over(command, result):
    """The limits are for one file; some commands read two."""
    files = commands.files(command)
    return result.killed or result.seconds > SECONDS * files or result.megabytes > MEGABYTES * files


def row(family, models):
    """One line of the table; `models` is a list of (bytes, results), smallest first."""
    def most(results, what):
        return max(results, key=lambda c: getattr(results[c], what))

    def numbers(what, form):
        return ' / '.join(form.format(getattr(r[most(r, what)], what)) for _, r in models)

    last = models[-1][1]
    return (f'| {family.name} | ' + ' / '.join(f'{length / 1000:.0f}' for length, _ in models) +
            f' | {numbers("seconds", "{:.2f}")} | {most(last, "seconds")} | {numbers("megabytes", "{:.0f}")} | {most(last, "megabytes")} |')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('axed')
    parser.add_argument('-j', type=int, default=1)
    parser.add_argument('--families', default='*')
    parser.add_argument('--commands', default='*')
    parser.add_argument('--largest', action='store_true', help='only the largest size of each family')
    parser.add_argument('--ci', action='store_true', help='only the size that the tests use')
    parser.add_argument('--most', type=int, default=10, help='kill a run after so many seconds')
    parser.add_argument('--except', dest='without', default='', help='leave out these commands')
    parser.add_argument('--keep', help='keep the models in this folder')
    parser.add_argument('--table', help='write the table to this file too')
    args = parser.parse_args()
    match = lambda names, patterns: [n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns.split(','))]
    which = [c for c in match(commands.COMMANDS, args.commands) if c not in match(commands.COMMANDS, args.without)]
    todo = [FAMILIES[f] for f in match(FAMILIES, args.families)]
    found, count, lock = [], {'models': 0, 'runs': 0, 'seconds': 0}, threading.Lock()

    def one(family):
        models = []
        for size in [family.ci] if args.ci else family.sizes[-1:] if args.largest else family.sizes:
            length, results = measure(os.path.abspath(args.axed), family, size, which, args.keep, args.most)
            models.append((length, results))
            with lock:
                count['models'] += 1
                count['runs'] += len(results)
                count['seconds'] += sum(r.seconds for r in results.values())
                for command, r in results.items():
                    if over(command, r) or r.code not in (0, 1, 2):
                        found.append(f'{family.name} {size} ({length} bytes): {command}: {r.seconds:.2f} s, {r.megabytes:.0f} MB, exit {r.code}')
                        print(found[-1], file=sys.stderr, flush=True)
        return row(family, models)

    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        lines = list(pool.map(one, todo))
    table = ['| family | KB | s | slowest command | MB | largest command |', '|---|---|---|---|---|---|', *lines]
    print('\n'.join(table))
    if args.table:
        with open(args.table, 'w') as file:
            file.write('\n'.join(table) + '\n')
    print(f'\n{len(todo)} families, {count["models"]} models, {count["runs"]} runs, {count["seconds"]:.0f} s; {len(found)} over {SECONDS:g} s or {MEGABYTES} MB a file')
    print('\n'.join('- ' + line for line in sorted(found)))
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
