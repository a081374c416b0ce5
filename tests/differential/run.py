"""Shape inference against onnxruntime, on small random graphs of every operator family; TAP out.

    run.py [--count N] [--seed S] [--family F,F] [--only INDEX] [--out FOLDER] [--list]
    run.py --cases

Each graph runs at several sizes of its symbols, and every dim that the program infers must be correct.  A graph with a
wrong dim is minimized and kept in FOLDER, with the true shapes next to it.  --cases replays the recorded ones in cases/
and needs no onnxruntime.  --only repeats a single graph and keeps it unchanged if it is correct; --list prints unknown
dims and differences from onnx's own inference.
The program is $AXED; $AXED_JUDGE is a Python with onnx and onnxruntime, if this one lacks them.
"""

import argparse
import collections
import glob
import json
import os
import select
import signal
import sys
import tempfile
import time

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import judges  # noqa: E402

PATIENCE = 60  # seconds without output before a worker counts as hung
MOST_NODES = 6


def words():
    p = argparse.ArgumentParser()
    p.add_argument('--count', type=int, default=1000)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--family')
    p.add_argument('--only', type=int)
    p.add_argument('--out')
    p.add_argument('--cases', action='store_true')
    p.add_argument('--list', action='store_true')
    return p.parse_args()


def families():
    import family_domain
    import family_flow
    import family_layout
    import family_math
    import family_neural
    return {name: steps for module in (family_math, family_layout, family_neural, family_flow, family_domain)
            for name, steps in module.FAMILIES.items()}


def generate(seed, index, table, names):
    """A builder with at least one node, or None."""
    from build import Builder, Reject
    b = Builder(f'{seed}:{index}', 7)
    b.opset = b.domains[''] = b.r.choice(list(range(7, 25)) + [11, 13, 14, 15, 17, 18, 19, 21, 25, 26])
    main, goal, tries = names[index % len(names)], b.r.randint(1, MOST_NODES), 0
    while len(b.nodes) < goal and tries < 12:
        tries += 1
        family = main if not b.nodes or b.chance(0.5) else b.r.choice(names)
        try:
            b.r.choice(table[family])(b)
        except (Reject, IndexError, ValueError, TypeError):
            if not b.nodes and tries > 3:
                b.opset = b.domains[''] = b.r.randint(18, 25)
    b.prune()
    return b if b.nodes else None


def work(seed, indices, args, out, scratch):
    """Judges graphs and writes one JSON line each; runs in a child, because the runtime may crash."""
    import judge
    import shrink
    table = families()
    names = args.family.split(',') if args.family else sorted(table)
    seen = collections.Counter()
    for index in indices:
        print(json.dumps({'start': index}), file=out, flush=True)
        with judge.quiet():
            b = generate(seed, index, table, names)
        if b is None:
            continue
        model = b.model()
        fills = {n: f for n, (_, f) in b.inputs.items()}
        path = os.path.join(scratch, 'model.onnx')
        j = judge.judge(model, fills, judge.bindings(b.symbols, f'{seed}:{index}', b.least), path)
        line = {'index': index, 'runs': len(j.runs), 'tried': j.tried, 'dims': j.dims, 'missed': j.missed,
                'other': j.other[:1], 'ops': sorted({n.op_type for n in model.graph.node}), 'missed_ops': j.missed_ops,
                'trouble': j.trouble(), 'agreed': j.agreed_error,
                'error': j.error and j.error['message']}
        if line['trouble']:
            seen[str(line['trouble'])] += 1
            bind = j.wrong[3] if j.wrong else j.runs[0][0]
            line['what'] = j.broken or (f'{j.wrong[0]}: {j.wrong[2]} at {j.wrong[3]}' if j.wrong
                                        else j.error['message'])
            if args.out and seen[str(line['trouble'])] <= 2:
                model, fills, bind = shrink.shrink(model, fills, bind, path)
                line['kept'] = keep(args.out, f'{seed}-{index}', model, judge.judge(model, fills, [bind], path))
        elif args.only is not None and args.out:
            keep(args.out, f'{seed}-{index}', model, j)
        print(json.dumps(line), file=out, flush=True)


def keep(folder, name, model, j):
    """Writes a model and its true shapes."""
    import onnx
    os.makedirs(folder, exist_ok=True)
    kind, op = j.trouble() or ('right', model.graph.node[-1].op_type)
    name = f'{op.replace("::", "-")}-{kind}-{name}'.lower()
    onnx.save(model, os.path.join(folder, name + '.onnx'))
    what = j.broken or (f'{j.wrong[0]}: {j.wrong[2]}' if j.wrong else j.error['message'] if j.error else 'right')
    with open(os.path.join(folder, name + '.json'), 'w') as file:
        json.dump({'what': what, 'runs': [{'bind': bind, 'tensors': true} for bind, true in j.runs]}, file)
        file.write('\n')
    return f'{name}: {what} at {j.runs[0][0] if j.runs else ""}'


def lines(seed, indices, args, scratch):
    """The lines of the workers; a crash loses only its graph."""
    indices = list(indices)
    while indices:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            try:
                import resource
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
                work(seed, indices[:100], args, os.fdopen(write, 'w'), scratch)
            except BaseException:
                import traceback
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        os.close(write)
        current, hung = None, False
        with os.fdopen(read) as pipe:
            while True:
                if not select.select([pipe], [], [], PATIENCE)[0]:
                    os.kill(pid, signal.SIGKILL)
                    hung = True
                text = pipe.readline()
                if not text.endswith('\n'):
                    break
                line = json.loads(text)
                if 'start' in line:
                    current = line['start']
                else:
                    yield line
        status = os.waitpid(pid, 0)[1]
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            sys.exit('Bail out! the test itself failed')
        if status and current is not None:
            yield {'index': current, 'crash': 'hung' if hung else f'status {status}'}
            indices = indices[indices.index(current) + 1:]
        else:
            indices = indices[100:]


def replay():
    """Recorded counter-examples stay correct."""
    names = sorted(glob.glob(HERE + '/cases/*.json'))
    print(f'1..{len(names)}' if names else '1..0 # SKIP there are no cases')
    bad = 0
    for number, name in enumerate(names, 1):
        problems = []
        path = name[:-5] + '.onnx'
        with open(name) as file:
            case = json.load(file)
        try:
            for run in case['runs']:
                if wrong := compare.first_wrong(compare.shapes(path, run['bind']), run['tensors']):
                    problems.append(f'{wrong[0]}: {wrong[1]} at {run["bind"]}')
            problems += [f'false error: {e["message"]}' for e in compare.errors(path)]
        except compare.Broken as e:
            problems.append(str(e))
        for problem in problems:
            print('#', problem)
        bad += bool(problems)
        print('not ok' if problems else 'ok', number, '-', os.path.basename(name)[:-5])
    return bad != 0


def random_graphs(args):
    start = time.time()
    total = collections.Counter()
    ops, missed, troubles = collections.Counter(), collections.Counter(), []
    indices = [args.only] if args.only is not None else range(args.count)
    with tempfile.TemporaryDirectory(prefix='axed-test-') as scratch:
        for line in lines(args.seed, indices, args, scratch):
            if 'crash' in line:
                total['crashes'] += 1
                print(f'# graph {line["index"]}: the judge crashed ({line["crash"]})', flush=True)
                continue
            total['generated'] += 1
            if not line['runs']:
                continue
            total['graphs'] += 1
            total['runs'] += line['runs']
            total['dims'] += line['dims']
            total['missed'] += line['missed']
            total['other'] += len(line['other'])
            total['agreed'] += line['agreed']
            ops.update(line['ops'])
            missed.update(line['missed_ops'].keys())
            if args.list:
                for other in line['other'] + [f'unknown: {op}: {text}' for op, text in line['missed_ops'].items()]:
                    print(f'# graph {line["index"]}: {other}', flush=True)
            if line['agreed'] and args.list:
                print(f'# graph {line["index"]}: error that onnx reports too: {line["error"]}', flush=True)
            if line['trouble']:
                troubles.append(line)
                print(f'# graph {line["index"]}: {" ".join(line["trouble"])}: {line.get("kept") or line["what"]}',
                      flush=True)
    print(f'# seed {args.seed}: {total["graphs"]} graphs of {len(ops)} operators in {total["runs"]} runs, '
          f'{total["dims"]} dims compared, {total["missed"]} unknown; {total["crashes"]} crashes of the judge, '
          f'{total["other"]} graphs where onnx differs, {total["agreed"]} errors that onnx reports too; '
          f'{time.time() - start:.0f} s')
    if args.list:
        print('# unknown: ' + ', '.join(f'{op} {n}' for op, n in missed.most_common()))
        print('# operators: ' + ' '.join(f'{op}:{n}' for op, n in sorted(ops.items())))
    enough = total['graphs'] >= 0.6 * len(indices)
    bad = not enough
    print('1..4')
    for number, (kind, name) in enumerate((('wrong', 'no dim is wrong'), ('error',
        'no error is reported for a model that runs'),
                                           ('broken', 'every model is answered')), 1):
        count = sum(t['trouble'][0] == kind for t in troubles)
        bad += count > 0
        print('not ok' if count else 'ok', number, '-', name, f'({count} of {total["graphs"]} graphs)' if count
              else '')
    print('ok' if enough else 'not ok', 4, '-', 'most graphs run')
    return bad != 0


def main():
    args = words()
    if not os.access(compare.AXED, os.X_OK):
        sys.exit(f'Bail out! no program at {compare.AXED}: set AXED')
    if args.cases:
        sys.exit(replay())
    judges.need('onnx', 'onnxruntime')
    sys.exit(random_graphs(args))


if __name__ == '__main__':
    main()
