#!/usr/bin/env python3
"""Judge axed by ONNX Runtime:  judge.py AXED RESULTS.jsonl MODEL.onnx... [-j 2] [--record FOLDER [--more]]

Each model is judged in its own process; one JSON line each is appended to RESULTS, and models that are there already are
skipped.  A file MODEL.json beside a model declares its inputs (see export.py); without one, sizes and values are guessed.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

SECONDS = 900  # for a model, unless --seconds says otherwise


def judge(subject, everything, freed, inner=None):
    """They answer cases: with all tensors as outputs, with all declared sizes forgotten, and about branches and bodies."""
    from judge_axes import judge_axes
    from judge_bodies import judge_bodies
    from judge_check import judge_check
    from judge_shapes import judge_shapes

    result = {
        'model': subject.name,
        'path': subject.path,
        'family': subject.about.get('family', 'published'),
        'exporter': subject.about.get('exporter', ''),
        'form': subject.about.get('form', ''),
        'nodes': subject.facts['nodes'],
    }
    runs, failed = [], []
    for shapes in subject.bindings():
        if subject.symbols(shapes) is not None:
            answer = everything.run(subject.case(shapes))
            (runs if answer['ok'] else failed).append((shapes, answer.get('shapes') or answer.get('error')))
    singles = {symbol: try_symbol(subject, everything, symbol, rows) for symbol, rows in subject.singles().items()}
    result['ran'], result['failed'] = len(runs), [e for _, e in failed]
    result['shapes'] = judge_shapes(subject, runs)
    result['check'] = judge_check(subject, runs, failed, singles)
    if runs and inner and subject.facts.get('bodies'):
        result['bodies'] = judge_bodies(subject, inner, [shapes for shapes, _ in runs])
    if runs:
        base = subject.exported() if any(s == subject.exported() for s, _ in runs) else runs[0][0]
        result['axes'] = judge_axes(subject, freed, base)
    return result


def try_symbol(subject, runtime, symbol, rows):
    """[(shapes, answer)] with one symbol changed; more sizes are tried before it is said to run at one only."""
    out = [(shapes, runtime.run(subject.case(shapes))) for shapes in rows if subject.symbols(shapes) is not None]
    if any(answer['ok'] for _, answer in out):
        return out
    exported = subject.about['exported']
    size = exported[symbol]
    for n in (2 * size, 3 * size, 4 * size, size // 2, size + 1, size - 1, 1):
        shapes = subject.shapes_at({**exported, symbol: n})
        if n >= 1 and n != size and subject.symbols(shapes) is not None:
            out.append((shapes, runtime.run(subject.case(shapes))))
    return out


def judge_file(axed, path, record=None, more=None):
    """RECORD: a file that has the runs of earlier judgements, and gets those of this one."""
    from facts import read
    from judge_axes import sweep
    from runtime import Runtime
    from subject import Subject

    parts = {'everything': Runtime(path, 'all'), 'freed': Runtime(path, 'free'), 'inner': Runtime(path, 'inner')}
    if record and os.path.exists(record):
        with open(record) as file:
            kept = json.load(file)
        for name, runtime in parts.items():
            runtime.seen = kept.get(name, {})
    before = sum(len(runtime.seen) for runtime in parts.values())
    try:
        subject = Subject(path, axed, read(path))
        result = judge(subject, **parts)
        if more and result['ran']:
            sweep(subject, parts['freed'], subject.exported())
    finally:
        for runtime in parts.values():
            runtime.stop()
    if record and sum(len(runtime.seen) for runtime in parts.values()) > before:
        with open(record + '.tmp', 'w') as file:
            json.dump({'facts': subject.facts, **{name: runtime.seen for name, runtime in parts.items()}}, file)
        os.rename(record + '.tmp', record)
    return result


def one(axed, path, record=None, more=False, seconds=SECONDS):
    words = [sys.executable, os.path.abspath(__file__), '--child', axed, path]
    if record:
        words.append(os.path.join(record, os.path.basename(path)[: -len('.onnx')] + '.runs.json'))
        words += ['more'] if more else []
    start = time.time()
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds)
        result = json.loads(done.stdout) if done.returncode == 0 else {'path': path, 'broken': done.stderr.strip()[-600:]}
    except subprocess.TimeoutExpired:
        result = {'path': path, 'broken': f'more than {seconds} seconds'}
    result.setdefault('model', os.path.basename(path)[: -len('.onnx')])
    result['seconds'] = round(time.time() - start, 1)
    return result


def main():
    if sys.argv[1:2] == ['--child']:
        print(json.dumps(judge_file(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument('axed')
    parser.add_argument('results')
    parser.add_argument('models', nargs='+')
    parser.add_argument('-j', type=int, default=2)
    parser.add_argument('--record', help='keep all runs in this folder, and do not repeat those that are there')
    parser.add_argument('--more', action='store_true', help='record more sizes than the verdicts of today ask for')
    parser.add_argument('--seconds', type=float, default=SECONDS, help='the limit for each model')
    args = parser.parse_args()
    done = set()
    if os.path.exists(args.results):
        done = {json.loads(line)['path'] for line in open(args.results)}
    paths = [os.path.abspath(p) for p in args.models]
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool, open(args.results, 'a') as file:
        axed = os.path.abspath(args.axed)
        jobs = [pool.submit(one, axed, p, args.record, args.more, args.seconds) for p in paths if p not in done]
        for job in concurrent.futures.as_completed(jobs):
            file.write(json.dumps(job.result()) + '\n')
            file.flush()


if __name__ == '__main__':
    main()
