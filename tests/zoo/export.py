#!/usr/bin/env python3
"""Export the zoo:  export.py FOLDER [MODEL...] [--form dynamic|fixed] [--batch 1,3] [--sizes 3] [--exporter dynamo|script]

Fixed exports have the first size of every symbol and the given batches, or, as form sizesN, the sizes at index N.
Writes FOLDER/MODEL.EXPORTER.FORM.onnx, and beside it .json with its inputs and sizes, or .failed with the reason.
What exists is skipped.  Each export runs in a child with a time and a memory limit.
"""

import argparse
import concurrent.futures
import json
import os
import queue
import resource
import select
import subprocess
import sys

EXPORTERS, FORMS = ('dynamo', 'script'), ('dynamic', 'fixed')
GIGABYTES, SECONDS, EXPORTS = 8, 300, 15


def flatten(out):
    import torch

    if isinstance(out, torch.Tensor):
        return [out]
    if isinstance(out, dict):
        out = list(out.values())
    if isinstance(out, (list, tuple)):
        return [t for o in out for t in flatten(o)]
    return []


def wrapped(model):
    """The module with one named argument per input and a flat tuple of results."""
    import torch

    inner = model.build().eval()
    choose = model.outputs or (lambda out: out)

    class Flat(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

    names = ', '.join(model.inputs)
    scope = {'choose': choose, 'flatten': flatten}
    exec(f'def forward(self, {names}):\n    return tuple(flatten(choose(self.inner({names}))))', scope)
    Flat.forward = scope['forward']
    return Flat().eval()


def axes_of(model, kind):
    """Axis names for one exporter; a sum is named by its parts, which only the script exporter accepts."""
    from spec import dims_of

    out = {}
    for name, text in model.inputs.items():
        out[name] = {i: d.replace('+', '_plus_') for i, d in enumerate(dims_of(text)) if not d.isdigit()}
    return out


def export_dynamo(module, model, args, dynamic, path):
    import torch

    words = {'dynamo': True, 'input_names': list(model.inputs), 'external_data': False, 'verbose': False}
    if not dynamic:
        torch.onnx.export(module, args, path, **words)
        return None
    axes = axes_of(model, 'dynamo')
    try:
        torch.onnx.export(module, args, path, dynamic_shapes=axes, **words)
    except Exception as first:
        free = {k: {i: torch.export.Dim.AUTO for i in v} for k, v in axes.items()}
        try:
            torch.onnx.export(module, args, path, dynamic_shapes=free, **words)
        except Exception:
            raise first
        return 'auto'
    return None


def output_axes(module, model, names):
    """The axes of the outputs that are a symbol's size at every binding that runs."""
    import torch

    import spec

    out = None
    for bind in model.bindings():
        args = [torch.from_numpy(v) for v in spec.feeds(model.inputs, bind).values()]
        try:
            with torch.no_grad():
                results = module(*args)
        except RuntimeError:
            continue
        found = {(n, i, s) for n, t in zip(names, results) for i, d in enumerate(t.shape) for s in bind if bind[s] == d}
        out = found if out is None else out & found
    axes = {}
    for name, axis, symbol in sorted(out):
        axes.setdefault(name, {})[axis] = symbol
    return axes


def export_script(module, model, args, dynamic, path):
    import torch

    axes = axes_of(model, 'script') if dynamic else None
    outputs = None
    if dynamic:
        with torch.no_grad():
            outputs = [f'out{i}' for i in range(len(module(*args)))]
        axes.update(output_axes(module, model, outputs))
    torch.onnx.export(
        module,
        args,
        path,
        dynamo=False,
        input_names=list(model.inputs),
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=17,
    )


def export(model, exporter, form, stem):
    import torch

    import spec

    torch.manual_seed(0)
    bind = dict(model.bindings()[0])
    if form.startswith('sizes'):
        first, bind = bind, dict(model.bindings()[min(int(form[5:]), len(model.bindings()) - 1)])
        if bind == first:
            raise ValueError('no other sizes')
    elif form != 'dynamic':
        if 'batch' not in bind:
            raise ValueError('no batch axis')
        bind['batch'] = int(form[5:])
    args = tuple(torch.from_numpy(v) for v in spec.feeds(model.inputs, bind).values())
    run = export_dynamo if exporter == 'dynamo' else export_script
    with torch.no_grad():
        how = run(wrapped(model), model, args, form == 'dynamic', stem + '.tmp')
    about = {
        'family': model.family,
        'exporter': exporter,
        'form': form,
        'how': how or 'as asked',
        'inputs': model.inputs,
        'exported': bind,
        'sizes': model.sizes,
    }
    text = json.dumps(about)  # what cannot be written must not leave half a file
    os.rename(stem + '.tmp', stem + '.onnx')
    with open(stem + '.json', 'w') as file:
        file.write(text)


def child():
    """Exports what comes in, a line each: MODEL EXPORTER FORM STEM.  Importing torch takes longer than most exports."""
    import torch

    import models

    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)  # its operators have no export
    known = models.load()
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # the exporters print
    for line in sys.stdin:
        name, exporter, form, stem = line.split()
        try:
            export(known[name], exporter, form, stem)
        except Exception as error:
            fail(stem, f'{type(error).__name__}: {error}')
        torch._dynamo.reset()
        print('done', file=answers, flush=True)


def fail(stem, reason):
    if os.path.exists(stem + '.tmp'):
        os.remove(stem + '.tmp')
    with open(stem + '.failed', 'w') as file:
        file.write(reason.strip()[:4000] + '\n')


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    os.nice(max(0, 10 - os.nice(0)))


class Worker:
    """A child that exports; it is started anew after a crash, a hang, and every few exports."""

    def __init__(self):
        self.child, self.left = None, 0

    def stop(self):
        if self.child:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def export(self, name, exporter, form, stem):
        if self.child is None or self.left == 0:
            self.stop()
            self.child = subprocess.Popen(
                [sys.executable, os.path.abspath(__file__), '--child'],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                preexec_fn=limit,
                env={**os.environ, 'OMP_NUM_THREADS': '1', 'TRANSFORMERS_OFFLINE': '1'},
            )
            self.left = EXPORTS
        self.left -= 1
        self.child.stdin.write(f'{name} {exporter} {form} {stem}\n'.encode())
        self.child.stdin.flush()
        ready, _, _ = select.select([self.child.stdout], [], [], SECONDS)
        if not ready or not self.child.stdout.readline():
            self.stop()
            fail(stem, f'crash, or more than {GIGABYTES} GB' if ready else f'more than {SECONDS} seconds')


def missing(stem):
    return not os.path.exists(stem + '.json') and not os.path.exists(stem + '.failed')


def work(jobs, folder):
    """Takes jobs from the queue until it is empty."""
    worker = Worker()
    while True:
        try:
            name, exporter, form = jobs.get_nowait()
        except queue.Empty:
            return worker.stop()
        stem = os.path.join(folder, f'{name}.{exporter}.{form}')
        if missing(stem):
            worker.export(name, exporter, form, stem)
            text = (
                'exported' if os.path.exists(stem + '.json') else 'failed: ' + open(stem + '.failed').read().split('\n')[0][:150]
            )
            print(f'{name}.{exporter}.{form}: {text}', flush=True)


def sizes(text):
    out = [int(part) for part in text.split(',')]
    if min(out) < 1:
        raise ValueError(text)
    return out


def main():
    if sys.argv[1:2] == ['--child']:
        return child()
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('models', nargs='*')
    parser.add_argument('--form', choices=FORMS, action='append')
    parser.add_argument('--batch', type=sizes, default=[1, 3], help='the batches of fixed exports: 1,2,4')
    parser.add_argument('--sizes', type=int, action='append', help='fixed exports at the sizes of this index, instead of --batch')
    parser.add_argument('--exporter', choices=EXPORTERS, action='append')
    parser.add_argument('--files', default='')
    parser.add_argument('-j', type=int, default=2)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    import models

    known = models.load(args.files.split(',')) if args.files else models.load()
    jobs = queue.Queue()
    wanted = args.form or FORMS
    fixed = [f'sizes{n}' for n in args.sizes] if args.sizes else [f'batch{n}' for n in args.batch]
    for form in ['dynamic'] * ('dynamic' in wanted) + fixed * ('fixed' in wanted):
        for exporter in args.exporter or EXPORTERS:
            for name in args.models or known:
                jobs.put((name, exporter, form))
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for done in [pool.submit(work, jobs, args.folder) for _ in range(args.j)]:
            done.result()


if __name__ == '__main__':
    main()
