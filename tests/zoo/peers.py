#!/usr/bin/env python3
"""Compare axed with other tools on real exports:  peers.py AXED FOLDER [--tools PYTHON] [--modifier PYTHON] [--update] [-j 2]

Exports SAMPLE to FOLDER/exports, runs every dynamic export in ONNX Runtime, asks each tool for shapes and complaints, has the fixed
exports repaired, and prints the tables of peers_table.py; --update writes its data (peers.json) and the tables of COMPARISON.md.
What is in FOLDER already is not done again.  PYTHON has the other tools (see peer_worker.py); onnx-modifier wants one of its own,
since it needs onnx 1.13; both are the running Python unless they are named.  --no-export judges what FOLDER/exports has.
"""

import argparse
import concurrent.futures
import datetime
import glob
import json
import os
import queue
import subprocess
import sys
import tempfile

import peers_table
from expr import Unknown, evaluate
from runtime import HERE, Runtime

# One module of each architecture of the zoo, picked by name before anything was judged; whoever has no time takes the first ones.
SAMPLE = (
    'resnet18 bert gpt2_cache hf_vit whisper t5 mobilenet_v2 squeezenet1_0 llama_cache distilbert wav2vec2 swin vit '
    'segformer bart qwen2_cache mpnet efficientnet_b0 clip mvit_v2 lraspp_mobilenet_v3_large longformer albert '
    'shufflenet_v2_x0_5 deberta_v2 falcon hf_swin detr hubert densenet convnext mamba xlnet patchtst regnet_y_400mf '
    'phi gemma_cache bloom mixtral marian dinov2 levit mobilevit ast mnasnet0_5 maxvit funnel t5_decoder_cache '
    'opt_cache vgg11_sizes raft mobilenet_v3_small swin_v2 googlenet convbert fnet pvt yolos encodec_encode '
    'videomae'
).split()
BATCH = 3
SHAPES = ('axed', 'the file', 'onnx', 'onnxruntime', 'polygraphy', 'onnxsim')
CHECKS = ('axed', 'onnx.checker', 'onnx strict', 'onnxruntime', 'polygraphy', 'polygraphy at', 'onnxsim', 'onnxsim at')
REPAIRS = ('axed', 'onnx', 'polygraphy', 'onnx-modifier')
ALARMS = ('error', 'pin', 'stale', 'loss')


# models


def renamed(path, folder):
    """The export with its batch named by hand in the header, as update_model_dims does, and nothing else said of its batch."""
    import onnx

    import spec

    stem = os.path.basename(path)[: -len('.batch3.onnx')] + '.renamed'
    target = os.path.join(folder, stem + '.onnx')
    with open(path[: -len('onnx')] + 'json') as file:
        about = json.load(file)
    if os.path.exists(target):
        return target
    model = onnx.load(path)
    axes = {n: [i for i, d in enumerate(spec.dims_of(text)) if d == 'batch'] for n, text in about['inputs'].items()}
    for value in model.graph.input:
        for axis in axes.get(value.name, []):
            value.type.tensor_type.shape.dim[axis].dim_param = 'batch'
    del model.graph.value_info[:]
    for value in model.graph.output:
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()
    bind, inputs = about['exported'], {}
    for name, text in about['inputs'].items():
        kind, *dims = text.split()
        inputs[name] = ' '.join([kind, *(d if d == 'batch' else str(spec.size_of(d, bind)) for d in dims)])
    about.update(form='dynamic', how='renamed', inputs=inputs, exported={'batch': BATCH}, sizes={'batch': [BATCH, 2, 1, 5]})
    with open(target[: -len('onnx')] + 'json', 'w') as file:
        json.dump(about, file)
    onnx.save(model, target + '.tmp')
    os.rename(target + '.tmp', target)
    return target


# truth


def truth(path):
    """{about, facts, runs: [(shapes, {tensor: true shape})], sizes: another binding, clean, dead: {symbol: error}}"""
    from facts import read
    from judge import try_symbol
    from judge_check import dead_symbols
    from subject import Subject

    facts = read(path)
    subject, runtime = Subject(path, '', facts), Runtime(path, 'all')
    try:
        runs, failed = [], 0
        for shapes in subject.bindings():
            if subject.symbols(shapes) is not None:
                answer = runtime.run(subject.case(shapes))
                failed += not answer['ok']
                if answer['ok']:
                    runs.append((shapes, answer['shapes']))
        singles = {symbol: try_symbol(subject, runtime, symbol, rows) for symbol, rows in subject.singles().items()}
    finally:
        runtime.stop()
    dead = dead_symbols(subject, singles, runs)
    alone = [(shapes, answer) for rows in singles.values() for shapes, answer in rows]
    failed += sum(not answer['ok'] for _, answer in alone)
    seen = [shapes for shapes, _ in runs]
    runs += [(shapes, answer['shapes']) for shapes, answer in alone if answer['ok'] and shapes not in seen]
    bindings = [s for s in subject.bindings() if subject.symbols(s) is not None]
    return {
        'facts': facts,
        'runs': runs,
        'sizes': bindings[min(1, len(bindings) - 1)] if bindings else subject.exported(),
        'clean': bool(runs) and not failed,
        'dead': dead,
    }


# judging


def symbols_of(declared, shapes):
    return {d: size for name, dims in declared.items() for d, size in zip(dims, shapes[name]) if isinstance(d, str)}


SYMPY = {'ceiling(': 'ceil(', 'Max(': 'max(', 'Min(': 'min('}


def value_of(dim, names):
    """The size that a dim states, or None: a name that no input has is not a wrong one."""
    if isinstance(dim, str):
        for theirs, ours in SYMPY.items():
            dim = dim.replace(theirs, ours)
    if dim is None:
        return None
    try:
        return evaluate(dim, names)
    except (Unknown, ValueError, TypeError, ZeroDivisionError, OverflowError):
        return None


def judged(facts):
    """Inner tensors whose sizes can be known: no constants, no results (the file declares them), nothing behind a NonZero."""
    behind = set(facts['behind'])
    results = set(facts['results'])
    return {n for n, (operator, _) in facts['makers'].items() if operator != 'Constant' and n not in behind and n not in results}


def judge_shapes(facts, runs, got):
    """{dims that vary, dims that do not: [right, unknown, wrong]}, and the first wrong ones.  A tensor that GOT does not name does
    not count: the tool has removed it."""
    count, wrong = {'vary': [0, 0, 0], 'same': [0, 0, 0]}, []
    tensors = judged(facts)
    for name in sorted(tensors & {n for _, shapes in runs for n in shapes}):
        ran = [(inputs, shapes[name]) for inputs, shapes in runs if isinstance(shapes.get(name), list)]
        true = [(symbols_of(facts['declared'], inputs), shape) for inputs, shape in ran]
        if not true or len({len(shape) for _, shape in true}) > 1:
            continue
        if name not in got:
            continue
        shape = got[name]
        for axis in range(len(true[0][1])):
            sizes = [shape_true[axis] for _, shape_true in true]
            kind = 'vary' if len(set(sizes)) > 1 else 'same'
            if shape is None:
                count[kind][1] += 1
            elif len(shape) != len(true[0][1]):
                count[kind][2] += 1
                wrong.append(f'{name}: {shape}, truly {true[0][1]}')
            else:
                said = [value_of(shape[axis], names) for names, _ in true]
                state = 1 if None in said else 0 if said == sizes else 2
                count[kind][state] += 1
                if state == 2:
                    wrong.append(f'{name}: axis {axis}: {shape[axis]} = {[str(s) for s in said]}, truly {sizes}')
    return {**count, 'wrong': wrong[:5]}


class Worker:
    """The other tools' child."""

    def __init__(self, python):
        self.python, self.child, self.folder = python, None, tempfile.TemporaryDirectory()

    def ask(self, job):
        if self.child is None:
            self.child = subprocess.Popen(
                [self.python, os.path.join(HERE, 'peer_worker.py')],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, 'OMP_NUM_THREADS': '1'},
                cwd=self.folder.name,  # onnxsim leaves files
            )
        self.child.stdin.write(json.dumps(job) + '\n')
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def stop(self):
        if self.child:
            self.child.stdin.close()
            self.child.wait()
        self.folder.cleanup()


def axed_json(program, *words):
    done = subprocess.run([program, *words, '--json'], capture_output=True, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout or b'{}'), done.stderr.decode(errors='replace')


def shapes_by_axed(program, path, folder):
    """Of the same stripped model as the others have."""
    import onnx

    model = onnx.load(path, load_external_data=False)
    del model.graph.value_info[:]
    target = os.path.join(folder, f'stripped.{os.getpid()}.{os.path.basename(path)}')
    try:
        onnx.save(model, target)
        code, answer, said = axed_json(program, 'shapes', target)
    finally:
        os.remove(target)
    if 'tensors' not in answer:
        return {'failed': f'exit {code}: {said[:200]}'}
    return {'shapes': {t['name']: t['shape'] for t in answer['tensors'] if t['graph'] == '' and t['from'] != 'claim'}}


def check_by_axed(program, path):
    code, answer, said = axed_json(program, 'check', path)
    found = [f for f in answer.get('findings', []) if f['level'] in ALARMS]
    text = '\n'.join(f'{f["level"]} {f["op"]} {f["node"]}: {f["message"]} ({f["symbol"]})' for f in found) or said
    return {'said': text if code else '', 'names': any(f['node'] for f in found)}


def judge(path, axed, worker, folder):
    """One model: what each tool knows of its shapes, and who complains."""
    told = truth(path)
    facts, runs = told['facts'], told['runs']
    about = facts['about']
    form = 'renamed' if about.get('how') == 'renamed' else 'dynamic'
    row = {
        'model': os.path.basename(path)[: -len('.onnx')],
        'family': about['family'],
        'exporter': about['exporter'],
        'form': form,
        'nodes': facts['nodes'],
        'runs': len(runs),
        'clean': told['clean'],
        'dead': told['dead'],
    }
    if not runs:
        return row
    if form == 'dynamic':
        row['shapes'] = {}
        for tool in SHAPES:
            job = {'tool': f'shapes:{tool}', 'path': path, 'sizes': {}}
            answer = shapes_by_axed(axed, path, folder) if tool == 'axed' else worker.ask(job)
            got = answer.get('shapes', {})
            if tool != 'onnxsim':
                got = {**dict.fromkeys(facts['makers']), **got}
            row['shapes'][tool] = {**judge_shapes(facts, runs, got), **({'failed': answer['failed']} if 'failed' in answer else {})}
            if tool == 'onnxsim' and 'failed' in answer:
                row['shapes'][tool].update(judge_shapes(facts, runs, dict.fromkeys(facts['makers'])))
    if told['clean'] or told['dead']:
        row['checks'] = {}
        for tool in CHECKS:
            job = {'tool': f'check:{tool}', 'path': path, 'sizes': told['sizes']}
            row['checks'][tool] = check_by_axed(axed, path) if tool == 'axed' else worker.ask(job)
    return row


def work(jobs, args, folder, file):
    worker = Worker(args.tools)
    try:
        while True:
            path = jobs.get_nowait()
            try:
                row = judge(path, args.axed, worker, folder)
            except Exception as error:
                print(f'{path}: {type(error).__name__}: {error}', file=sys.stderr)
                continue
            file.write(json.dumps(row) + '\n')
            file.flush()
    except queue.Empty:
        pass
    finally:
        worker.stop()


def judge_all(args, paths, folder):
    results = os.path.join(args.folder, 'peers.jsonl')
    done = {json.loads(line)['model'] for line in open(results)} if os.path.exists(results) else set()
    jobs = queue.Queue()
    for path in paths:
        if os.path.basename(path)[: -len('.onnx')] not in done:
            jobs.put(path)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool, open(results, 'a') as file:
        for worker in [pool.submit(work, jobs, args, folder, file) for _ in range(args.j)]:
            worker.result()


# repairs


def repair_command(tool, args):
    if tool == 'axed':
        return args.axed
    python = args.modifier if tool == 'onnx-modifier' else args.tools
    return f'{python} {os.path.join(HERE, "peer_repair.py")} {tool} {{model}} {{out}} {{axes}}'


def repair_all(args, fixed):
    for tool in REPAIRS:
        words = [sys.executable, os.path.join(HERE, 'repairs.py'), repair_command(tool, args)]
        words += [os.path.join(args.folder, f'repairs.{tool}.jsonl'), os.path.join(args.folder, 'answers'), *fixed]
        words += ['-j', str(args.j), '--seconds', '600']  # some start slowly
        if tool == 'onnx-modifier':
            words += ['--kind', 'batch']
        subprocess.run(words, check=True)


# data of the tables


def commit():
    def git(*words):
        return subprocess.run(['git', *words], capture_output=True, text=True, cwd=HERE, check=False).stdout.strip()

    changed = git('status', '--porcelain', '--', ':/src', ':/proto', ':/meson.build')
    return git('rev-parse', '--short', 'HEAD') + (' with changes' if changed else '')


def versions(args):
    out = {}
    for python in (args.tools, args.modifier):
        words = [python, os.path.join(HERE, 'peer_worker.py'), 'versions']
        said = subprocess.run(words, capture_output=True, text=True, check=True)
        for name, version in json.loads(said.stdout).items():
            out[name] = out.get(name) or version
    axed = subprocess.run([args.axed, '--version'], capture_output=True, text=True, check=True).stdout.split()[1]
    return {'axed': axed, **{name: version for name, version in out.items() if version}}


def gather(args, fixed):
    """What peers_table.py prints, one row per model."""
    with open(os.path.join(args.folder, 'peers.jsonl')) as file:
        rows = sorted(map(json.loads, file), key=lambda row: row['model'])
    repairs = {}
    for tool in REPAIRS:
        with open(os.path.join(args.folder, f'repairs.{tool}.jsonl')) as file:
            for result in map(json.loads, file):
                old = ' to old' if result['class'] == 'bounded' and result.get('old') else ''
                repairs.setdefault(result['key'], {})[tool] = result['class'] + old
    return {
        'date': datetime.date.today().isoformat(),
        'commit': commit(),
        'versions': versions(args),
        'fixed': [os.path.basename(p)[: -len('.onnx')] for p in fixed],
        'models': [peers_table.compact(row) for row in rows],
        'repairs': dict(sorted(repairs.items())),
    }


def export(args):
    words = [sys.executable, os.path.join(HERE, 'export.py'), os.path.join(args.folder, 'exports'), *SAMPLE]
    subprocess.run([*words, '--batch', str(BATCH), '-j', str(args.j)], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('axed', type=os.path.abspath)
    parser.add_argument('folder', type=os.path.abspath)
    parser.add_argument('--tools', default=sys.executable, metavar='PYTHON')
    parser.add_argument('--modifier', default=sys.executable, metavar='PYTHON')
    parser.add_argument('--no-export', action='store_true')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('-j', type=int, default=2)
    args = parser.parse_args()
    others = os.path.join(args.folder, 'renamed')
    os.makedirs(others, exist_ok=True)
    if not args.no_export:
        export(args)
    paths = sorted(glob.glob(os.path.join(args.folder, 'exports', '*.onnx')))
    paths = [p for p in paths if os.path.exists(p[: -len('onnx')] + 'json')]
    fixed = [p for p in paths if p.endswith(f'.batch{BATCH}.onnx')]
    judge_all(args, [p for p in paths if p.endswith('.dynamic.onnx')] + [renamed(p, others) for p in fixed], others)
    repair_all(args, fixed)
    data = gather(args, fixed)
    if args.update:
        peers_table.write(data)
    else:
        print(peers_table.tables(data))


if __name__ == '__main__':
    main()
