#!/usr/bin/env python3
"""Repairs of random programs with known answers:  random_programs.py --tool TOOL [--count N] [--seed S] [-j 1] [--keep FOLDER]

TOOL is a program that is called as `axed repair` is, or a command with {model}, {axes} and {out} (see tests/zoo/repair_tool.py).
Each program (see programs.py) is built at its old sizes, repaired for all its symbols, and run in ONNX Runtime at the old sizes
and two others, beside the same program built there.  Prints counts by the smallest old size.  Programs whose accepted repair is
wrong are shrunk, printed, and written to FOLDER with their twins, those of old size 1 only if nothing was assumed.  The exit code
is 1 if one is wrong without an assumption.
Without onnxruntime the exit code is 77, which means skipped.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'zoo')]
CHUNK, SHRUNK, WITHIN, SECONDS = 200, 10, 1e-4, 1800
CLASSES = (
    'right',
    'bounded',
    'assumed right',
    'refused',
    'wrong numbers',
    'wrong shape',
    'fails',
    'no bound',
    'assumed wrong',
    'warned wrong',
    'crash',
    'broken',
    'untested',
    'invalid',
)
BAD = ('wrong numbers', 'wrong shape', 'fails', 'no bound', 'crash', 'broken')


def session(model):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(model, options, providers=['CPUExecutionProvider'])


def run(model, feeds):
    """The outputs, or why there are none."""
    try:
        return session(model).run(None, feeds)
    except Exception as error:
        return str(error).replace('\n', ' ')[-250:]


def sizes_of(program, built, said):
    """Two bindings that the conditions allow and where the program is the same program."""
    choices = [(5, 7), (7, 4), (4, 5), (3, 6), (6, 3), (2, 2), (9, 8), (8, 9), (1, 3), (3, 1), (1, 1)]
    choices += itertools.product(range(1, 7), repeat=2)
    found = []
    for b, s in choices:
        bind = {k: {'b': b, 's': s}[k] for k in program.old}
        changed = all(bind[k] != program.old[k] for k in bind)
        fits = all(bind[k] >= built.least.get(k, 1) and bind[k] % built.parts.get(k, 1) == 0 for k in bind)
        if changed and fits and bind not in found and said.allows(bind):
            found.append(bind)
    return found[:2]


class Judged:
    def __init__(self, kind, detail='', said=None, sizes=None):
        self.kind, self.detail, self.said, self.sizes = kind, detail, said, sizes

    def plain(self):
        said = self.said.plain() if self.said else {}
        return {'class': self.kind, 'detail': self.detail, 'said': said, 'sizes': self.sizes}


def judge(program, tool, folder):
    from programs import Build

    built = Build(program, program.old)
    if not built.nodes or built.x == 'x':
        return Judged('invalid', 'empty')
    path, target = os.path.join(folder, 'program.onnx'), os.path.join(folder, 'repaired.onnx')
    model = built.model().SerializeToString()
    with open(path, 'wb') as file:
        file.write(model)
    code, said, _ = tool.run(path, built.asked(), target)
    if code == 1:
        # Only what is a program at all may count as refused.
        original = run(model, built.feeds(0))
        return Judged('refused', said.reason, said) if isinstance(original, list) else Judged('invalid', original)
    if code != 0 or not os.path.exists(target):
        return Judged('broken', f'exit {code}: {said.reason}', said)
    found, bind = compare(program, built, target, said)
    if found.kind == 'wrong numbers' and any(re.search(rf'from {s},', w) for s in built.used for w in said.warnings):
        found.kind = 'warned wrong'
    elif said.assumes and found.kind in ('right', 'bounded'):
        found.kind = 'assumed right'
    elif said.assumes and found.kind in BAD:
        found.kind = 'assumed wrong'
    return found


def compare(program, built, target, said):
    """The class of an accepted repair, and where it is wrong."""
    from compare import compare as differ
    from programs import Build

    others = sizes_of(program, built, said)
    for bind in [program.old, *others]:
        truth = Build(program, bind)
        feeds = truth.feeds(1)
        want = run(truth.model().SerializeToString(), feeds)
        if not isinstance(want, list):
            return Judged('invalid', f'at {bind}: {want}', said, bind), bind
        got = run(target, feeds)
        if not isinstance(got, list):
            return Judged('fails', f'at {bind}: {got}', said, bind), bind
        kind, detail, _ = differ(got, want, WITHIN)
        if kind != 'right':
            return Judged(kind, f'at {bind}: {detail}', said, bind), bind
    for symbol, most in built.most.items():
        bind = {**program.old, symbol: most + 1}
        if (most + 1) % built.parts.get(symbol, 1) == 0 and said.allows(bind) and not isinstance(got := run(target, built.feeds(1, bind)), list):
            return Judged('no bound', f'at {bind}: {got}', said, bind), bind
    kind = 'bounded' if said.upper() else 'right' if len(others) == 2 else 'untested'
    return Judged(kind, '', said), None


def shrink(program, tool, folder, wanted):
    """Drops steps while the verdict stays."""
    index = len(program.steps) - 1
    while index >= 0:
        shorter = program.drop(index)
        if judge(shorter, tool, folder).kind == wanted:
            program = shorter
            index = len(program.steps)
        index -= 1
    return program


def listing(program):
    """One line for each node, with sizes."""
    from onnx import numpy_helper

    from programs import Build

    built = Build(program, program.old)
    axes = {v.name: v.axes for v in [*built.values, *built.inputs]}
    constants = {c.name: numpy_helper.to_array(c) for c in built.constants}
    for node in built.nodes:
        if node.op_type == 'Constant':
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)

    def show(name):
        if name in constants:
            data = constants[name]
            return str(data.tolist()) if data.dtype.kind == 'i' and data.size < 9 else f'{data.dtype}{list(data.shape)}'
        return name or '-'

    def dims(name):
        return ' [' + ', '.join('*'.join(map(str, a)) or '1' for a in axes[name]) + ']' if name in axes else ''

    lines = [f'{i.name}{dims(i.name)}   {" ".join(f"{k}={v}" for k, v in program.old.items())}' for i in built.inputs]
    for node in built.nodes:
        if node.op_type != 'Constant':
            words = ' '.join(f'{a.name}={list(a.ints) or a.i}' for a in node.attribute if a.type in (2, 7))
            call = f'{node.op_type}({", ".join(map(show, node.input))})'
            lines.append(f'{", ".join(node.output)} = {call} {words}{dims(node.output[0])}')
    return lines


def report(seed, program, tool, folder, keep):
    """What is printed about a failing program, and its files."""
    from programs import Build

    wanted = judge(program, tool, folder)
    small = shrink(program, tool, folder, wanted.kind)
    last = judge(small, tool, folder)
    text = [f'seed {seed}: {last.kind} {last.detail}', *('    ' + line for line in listing(small))]
    if last.said and last.said.plain():
        text.append(f'    said: {json.dumps(last.said.plain())[:300]}')
    if keep:
        os.makedirs(keep, exist_ok=True)
        for name, sizes in (('', small.old), ('.twin', last.sizes or small.old)):
            with open(os.path.join(keep, f'{seed}{name}.onnx'), 'wb') as file:
                file.write(Build(small, sizes).model().SerializeToString())
        with open(os.path.join(keep, f'{seed}.txt'), 'w') as file:
            file.write('\n'.join(text) + '\n')
    return '\n'.join(text)


def child(args):
    """Judges the seeds from --seed on; a line of JSON each."""
    from programs import generate
    from repair_tool import Tool

    tool, reports = Tool(args.tool, args.seconds), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            program = generate(seed)
            print(json.dumps({'seed': seed}), flush=True)  # so that a crash is known to be this one's
            found = judge(program, tool, folder).plain()
            found.update(seed=seed, old=min(program.old.values()), symbols=len(program.old))
            if found['class'] in BAD or found['class'] == 'assumed wrong' and found['old'] > 1:
                reports += 1
                found['report'] = f'seed {seed}: {found["class"]} {found["detail"]}'
                if reports <= SHRUNK:
                    found['report'] = report(seed, program, tool, folder, args.keep)
            print(json.dumps(found), flush=True)


def chunk(args, first, count):
    """All results of one chunk; the child goes on behind a program that kills it."""
    out, end = [], first + count
    while first < end:
        words = [sys.executable, os.path.abspath(__file__), '--child', '--tool', args.tool, '--seed', str(first)]
        words += ['--count', str(end - first), '--seconds', str(args.seconds)] + (['--keep', args.keep] if args.keep else [])
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS).stdout
        except subprocess.TimeoutExpired as error:
            done = (error.stdout or b'').decode()
        rows = [json.loads(line) for line in done.splitlines() if line.endswith('}')]
        full = [row for row in rows if 'class' in row]
        out += full
        first = full[-1]['seed'] + 1 if full else first
        if first < end:
            out.append({'seed': first, 'class': 'crash', 'old': 0, 'symbols': 0, 'report': f'seed {first}: the judge died'})
            first += 1
    return out


def table(results):
    used = [c for c in CLASSES if any(r['class'] == c for r in results)]
    print(f'{"old size":>10}' + ''.join(f'{c:>15}' for c in used) + f'{"all":>9}')
    for old in [*sorted({r['old'] for r in results}), None]:
        rows = [r for r in results if old in (None, r['old'])]
        count = collections.Counter(r['class'] for r in rows)
        print(f'{"sum" if old is None else old:>10}' + ''.join(f'{count[c]:>15}' for c in used) + f'{len(rows):>9}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tool', default=os.environ.get('AXED', 'build/axed'))
    parser.add_argument('--count', type=int, default=500)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--seconds', type=float, default=20, help="the tool's time limit")
    parser.add_argument('--keep', help='a folder for programs that fail')
    parser.add_argument('--results', help='a file for one JSON line each')
    parser.add_argument('-j', type=int, default=1)
    parser.add_argument('--child', action='store_true', help=argparse.SUPPRESS)
    args = parser.parse_args()
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        print(f'skipped: {error}')
        return 77
    if args.child:
        return child(args)
    results = []
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        starts = range(args.seed, args.seed + args.count, CHUNK)
        jobs = [pool.submit(chunk, args, first, min(CHUNK, args.seed + args.count - first)) for first in starts]
        for job in concurrent.futures.as_completed(jobs):
            results += job.result()
            for row in job.result():
                if 'report' in row:
                    print(row['report'], flush=True)
    if args.results:
        with open(args.results, 'w') as file:
            file.writelines(json.dumps(r) + '\n' for r in sorted(results, key=lambda r: r['seed']))
    table(results)
    return int(any(r['class'] in BAD for r in results))


if __name__ == '__main__':
    sys.exit(main())
