#!/usr/bin/env python3
"""Fits of random programs with known answers:  random_fits.py AXED [--count N] [--seed S] [--exports 2] [--keep FOLDER]

Each program (see programs.py) is built at its old sizes and at others, fitted with its symbols as names, and the result is run in
ONNX Runtime at the sizes of the exports and at three others that the printed conditions allow, beside the same program built
there.  Prints counts; the programs whose result is wrong are written to FOLDER, and the exit code is then 1.  Without onnxruntime
the exit code is 77, which means skipped.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'zoo')]
SIZES, WITHIN, SECONDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11), 1e-4, 30


def holds(text, sizes):
    import expr

    try:
        return expr.holds(text, sizes)
    except (expr.Unknown, ValueError, TypeError, IndexError, AttributeError):
        return True


def write(folder, name, program, sizes):
    from programs import Build

    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(Build(program, sizes).model().SerializeToString())
    return path


def fit(axed, paths, built, target):
    if os.path.exists(target):
        os.remove(target)
    names = [word for axis in built.asked() for word in ('--name', axis)]
    done = subprocess.run([axed, 'fit', *paths, '-o', target, '--json', *names], capture_output=True, timeout=SECONDS)
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {'reasons': [done.stderr.decode()]}


def others(r, program, least, said, taken):
    """Sizes that the conditions allow, and where the program is the same program."""
    found = []
    for _ in range(60):
        bind = {k: r.choice(SIZES) for k in program.old}
        allowed = all(holds(text, bind) for text in said['bounds'] + said['assumes'])
        if bind not in taken + found and all(bind[k] >= least.get(k, 1) for k in bind) and allowed:
            found.append(bind)
    return found[:3]


def judge(axed, seed, exports, folder):
    """Class and detail."""
    from compare import compare as differ
    from programs import Build, generate
    from random_programs import run

    program, r = generate(seed), random.Random(seed + 1)
    built = Build(program, program.old)
    if not built.nodes or built.x == 'x':
        return 'invalid', ''
    taken = [program.old]
    for _ in range(100):
        bind = {k: r.choice(SIZES) for k in program.old}
        if all(bind[k] >= built.least.get(k, 1) and all(bind[k] != t[k] for t in taken) for k in bind):
            taken.append(bind)
        if len(taken) == exports:
            break
    if len(taken) < exports:
        return 'invalid', 'no other sizes'
    paths = [write(folder, f'{i}.onnx', program, bind) for i, bind in enumerate(taken)]
    target = os.path.join(folder, 'fitted.onnx')
    code, said = fit(axed, paths, built, target)
    if code != 0:
        return ('refused' if code == 1 else 'broken'), said['reasons'][0] if said['reasons'] else ''
    tried = others(r, program, built.least, said, taken)
    for bind in taken + tried:
        truth = Build(program, bind)
        want = run(truth.model().SerializeToString(), truth.feeds(1))
        if not isinstance(want, list):
            return 'invalid', want
        got = run(target, truth.feeds(1))
        if not isinstance(got, list):
            return 'fails', f'{taken} at {bind}: {got}'
        kind, detail, _ = differ(got, want, WITHIN)
        if kind != 'right':
            return kind, f'{taken} at {bind}: {detail}'
    return ('right' if tried else 'untested'), ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('axed')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--exports', type=int, default=2)
    parser.add_argument('--keep')
    args = parser.parse_args()
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        sys.exit(77)
    counts, reasons, bad = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            kind, detail = judge(args.axed, seed, args.exports, folder)
            counts[kind] += 1
            if kind == 'refused':
                reasons[''.join('N' if c.isdigit() else c for c in detail.partition(': ')[2])[:60]] += 1
            if kind in ('wrong numbers', 'wrong shape', 'fails', 'broken'):
                bad.append((seed, kind, detail))
                print(f'{seed}: {kind}: {detail[:300]}', flush=True)
                for name in os.listdir(folder) if args.keep else ():
                    os.makedirs(os.path.join(args.keep, str(seed)), exist_ok=True)
                    with open(os.path.join(folder, name), 'rb') as a, open(os.path.join(args.keep, str(seed), name), 'wb') as b:
                        b.write(a.read())
    print(dict(counts))
    for text, count in reasons.most_common(12):
        print(f'{count:6} {text}')
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
