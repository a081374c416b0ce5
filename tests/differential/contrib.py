#!/usr/bin/env python3
"""ONNX Runtime's own operators: what axed accepts must run, and what it refuses must not.

Each case is one operator with sizes at which it runs.  Then one size or one rank is changed at a time: axed's verdict
on the model with these fixed sizes, and on each axis of the same model with symbols, must be that of onnxruntime.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import judges  # noqa: E402


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--count', type=int, default=8, help='cases per operator')
    p.add_argument('--changes', type=int, default=40, help='changes per case')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--op', help='only these operators')
    p.add_argument('--show', type=int, default=3, help='print this many disagreements per operator')
    p.add_argument('--bind', action='store_true', help='also bind the sizes of the model with symbols')
    p.add_argument('--table', action='store_true', help='print a table of figures')
    return p.parse_args()


AXED = os.environ.get('AXED', 'build/axed')


def ask(command, paths):
    done = subprocess.run([AXED, command, '--json', *paths], capture_output=True, text=True, timeout=600)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(paths):
        raise RuntimeError(f'axed {command}: {len(answers)} answers about {len(paths)} models: {done.stderr[:300]}')
    return answers


class Figures:
    def __init__(self):
        self.count = collections.Counter()
        self.disagreements = []

    def disagree(self, kind, text, argued):
        self.count['argued' if argued else kind] += 1
        if not argued:
            self.disagreements.append(f'{kind}: {text}')


def tell(case, shapes):
    from onnx import helper
    node = case.nodes[0]
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != a.GRAPH}
    return f'{[shapes.get(n, n) for n in node.input]} {attributes}'


def write_models(case, jobs, folder):
    paths = []
    for number, shapes in enumerate(jobs):
        paths.append(os.path.join(folder, f'{number}.onnx'))
        with open(paths[-1], 'wb') as f:
            f.write(case.model(shapes).SerializeToString())
    return paths


def judge_case(case, op, runtime, folder, options, figures, argued):
    """Runs one case and its changes; false if it does not run as it is."""
    base = case.base()
    state, said, _ = runtime.run(case.model(base), case.feeds(base), case.alias)
    if state != 'ok':
        figures.count['unusable'] += 1
        figures.disagreements.append(f'unusable: {tell(case, base)}: {said[:200]}')
        return
    changes = case.changes()
    random.Random(options.seed).shuffle(changes)
    jobs = [(None, None, base)] + [(name, axis, {**base, name: dims}) for name, axis, dims in
                                   changes[:options.changes]]
    paths = write_models(case, [shapes for _, _, shapes in jobs], folder)
    symbolic = os.path.join(folder, 'symbolic.onnx')
    with open(symbolic, 'wb') as f:
        f.write(case.model(case.symbolic()).SerializeToString())
    axes = {(a['input'], a['axis']): a for a in ask('axes', [symbolic])[0]['axes']}
    found, inferred = ask('check', paths), ask('shapes', paths)
    for (name, axis, shapes), answer, tensors in zip(jobs, found, inferred):
        if any(f['level'] == 'unsupported' for f in answer['findings']):
            figures.count['unsupported'] += 1
            continue
        errors = [f['message'] for f in answer['findings'] if f['level'] == 'error']
        state, said, _ = runtime.run(case.model(shapes), case.feeds(shapes), case.alias)
        text = f'{name}:{axis} {tell(case, shapes)}'
        why = argued(op, case, name, axis, shapes, state, said)
        figures.count['runs' if state == 'ok' else 'refused'] += 1
        if state == 'ok' and errors:
            figures.disagree('false error', f'{text}: {errors[0]}', why)
        elif state == 'ok':
            figures.count['accepted'] += 1
        elif errors:
            figures.count['agreed'] += 1
        else:
            figures.disagree('missed', f'{text}: {state}: {said[:250]}', why)
        if state == 'ok' and not errors:
            compare(figures, said, tensors['tensors'], text, why)
        if options.bind and axis is not None and not case.constant(name):
            judge_bind(figures, symbolic, case, shapes, state, text, why)
        verdict = axes.get((name, axis))
        if verdict:
            # A size of 1 is broadcast, here or at what it is tied to.
            pairs = [base[name][axis], shapes[name][axis]] + [size_at(base, e) for e in verdict['equal']]
            judge_axis(figures, verdict, 1 in pairs, state, text, why)


def judge_load(case, op, runtime, folder, options, figures, load):
    """The same for an operator without a CPU kernel: its shape inference at load."""
    base = case.base()
    changes = case.changes()
    random.Random(options.seed).shuffle(changes)
    jobs = [base] + [{**base, name: dims} for name, _, dims in changes[:options.changes]]
    paths = write_models(case, jobs, folder)
    for number, (shapes, found, tensors) in enumerate(zip(jobs, ask('check', paths), ask('shapes', paths))):
        errors = [f['message'] for f in found['findings'] if f['level'] in ('error', 'unsupported')]
        said = load(case, shapes, runtime)
        text = tell(case, shapes)
        figures.count['runs' if isinstance(said, dict) else 'refused'] += 1
        if isinstance(said, str):
            if number == 0:
                figures.disagree('unusable', f'{text}: {said[:250]}', None)
            elif errors:
                figures.count['agreed'] += 1
            else:
                figures.disagree('missed', f'{text}: {said[:250]}', None)
            continue
        if number == 0 and errors:
            figures.disagree('false error', f'{text}: {errors[0]}', None)
        if errors:
            figures.count['left to the kernel'] += 1
            continue
        figures.count['accepted'] += 1
        for tensor in tensors['tensors']:
            mine, theirs = tensor['shape'], said.get(tensor['name'])
            if theirs is None or mine is None:
                continue
            if len(mine) != len(theirs) or any(isinstance(a, int) and b is not None and a != b
                                               for a, b in zip(mine, theirs)):
                figures.disagree('wrong', f'{text}: {tensor["name"]} {mine}, at load {theirs}', None)
            else:
                figures.count['shapes'] += 1


def compare(figures, true, tensors, text, why):
    for tensor in tensors:
        shape = tensor['shape']
        if tensor['name'] not in true:
            continue
        real = true[tensor['name']]
        if shape is None or None in shape:
            figures.count['unknown shapes'] += 1
        if shape is not None and (len(shape) != len(real) or any(isinstance(g, int) and g != t
                                                                 for g, t in zip(shape, real))):
            figures.disagree('wrong', f'{text}: {tensor["name"]} {shape}, truly {real}', why)
        else:
            figures.count['shapes'] += 1


def judge_bind(figures, path, case, shapes, state, text, why):
    """`--bind` exits with 1 for sizes that the runtime refuses, and with 0 for others."""
    names = case.symbolic()
    words = [w for i in case.inputs if not i.constant for n, size in zip(names[i.name], shapes[i.name])
             for w in ('--bind', f'{n}={size}')]
    code = subprocess.run([AXED, 'shapes', path, *words], capture_output=True, timeout=60).returncode
    if code == (state != 'ok'):
        figures.count['bound'] += 1
    else:
        figures.disagree('bind', f'{text}: exit {code}, but {state}', why)


def size_at(shapes, axis):
    name, _, number = axis.rpartition(':')
    return shapes[name][int(number)] if name in shapes else None


def judge_axis(figures, verdict, broadcast, state, text, why):
    if verdict['verdict'] == 'free' and not verdict['bounds'] and not verdict['equal']:
        if state == 'ok':
            figures.count['free'] += 1
        else:
            figures.disagree('false free', text, why)
    elif verdict['verdict'] in ('pinned', 'fixed', 'tied') and not verdict['bounds']:
        if state == 'ok' and broadcast:
            figures.count['broadcast'] += 1
        elif state == 'ok':
            figures.disagree('false ' + verdict['verdict'], text, why)
        else:
            figures.count['held'] += 1


def main():
    options = parse()
    judges.need('onnx', 'onnxruntime')
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import contrib_argued
    import contrib_attention
    import contrib_load
    import contrib_ml
    import contrib_products
    import contrib_rest
    import contrib_search
    from contrib_case import Case
    from contrib_run import Runtime
    cases = {**contrib_attention.CASES, **contrib_products.CASES, **contrib_rest.CASES, **contrib_ml.CASES,
             **contrib_search.CASES}
    loaded = contrib_load.CASES
    wanted = options.op.split(',') if options.op else sorted(cases) + sorted(loaded)
    runtime, failed = Runtime(), 0
    print(f'1..{len(wanted)}')
    rows = []
    for number, op in enumerate(wanted, 1):
        figures = Figures()
        with tempfile.TemporaryDirectory() as folder:
            for k in range(options.count):
                case = Case(f'{options.seed} {op} {k}')
                if op in loaded:
                    loaded[op](case)
                    judge_load(case, op, runtime, folder, options, figures, contrib_load.load)
                    continue
                cases[op](case)
                judge_case(case, op, runtime, folder, options, figures, contrib_argued.argued)
        n = figures.count
        bad = bool(figures.disagreements) or n['accepted'] == 0
        failed += bad
        print(f'{"not ok" if bad else "ok"} {number} - {op}: {json.dumps(n)}', flush=True)
        for line in figures.disagreements[:options.show]:
            print('# ' + line)
        rows.append((op, n))
    runtime.stop()
    if options.table:
        for op, n in rows:
            print(f'| {op} | {n["runs"] + n["refused"]} | {n["accepted"]} | {n["agreed"]} | {n["argued"]} |')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
