#!/usr/bin/env python3
"""Judge repairs of fixed exports by torch:  repairs.py TOOL RESULTS.jsonl ANSWERS EXPORT.onnx... [-j 1] [--seconds 60]

TOOL is a program that is called as `axed repair` is, or a command with {model}, {axes} and {out} (see repair_tool.py).  Each
export MODEL.EXPORTER.batchN.onnx of export.py is repaired for its batch, for batch and sequence, and for height and width, as
far as the module's declaration has them.  What is written for exit 0 must compute what the module computes, at the old sizes
and at two others that respect the conditions that the tool printed.  One JSON line each is appended to RESULTS, and repairs
that are there already are skipped.  ANSWERS is a folder for what torch computes: judging another tool then needs no torch.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

import spec
from repair_tool import Tool
from runtime import HERE, Runtime

PICTURE = ('H', 'W', 'h', 'w')
BATCHES = (5, 2, 7, 6, 4, 3, 1)
EXPORT_WITHIN, LEAST_WITHIN = 1e-3, 2e-5
TRIES, EDGE = 8, 140
WRONG = ('wrong numbers', 'wrong shape')
# What no file can tell.  By module and size: another module exports to the same bytes there.
TWINS = {('view_batch_constant', 'batch', 2): 'x.view(len(x), -1) exports to the same bytes'}
# By module: the assumption that it breaks, as the tool prints it.
BREAKS = {'gpt_neo': ('a band of', 'it looks 8 places back: an export of 6 places cannot show it')}


def put(path, text):
    """Writes a file that another worker may look for."""
    own = f'{path}.{threading.get_ident()}.tmp'
    with open(own, 'w') as file:
        file.write(text)
    os.rename(own, path)


class Child(Runtime):
    """A script that answers lines."""

    def __init__(self, script):
        super().__init__(script, '')
        self.words = [sys.executable, os.path.join(HERE, script)]

    def ask(self, case):
        return super().ask(json.dumps(case))


def asks(about):
    """What a repair is asked for: kind -> the declaration's symbols."""
    symbols = list(about['sizes'])
    other = [s for s in symbols if s != 'batch' and s not in PICTURE]
    picture = [s for s in symbols if s in PICTURE]
    out = {}
    if 'batch' in symbols:
        out['batch'] = ['batch']
    if 'batch' in symbols and other:
        out['batch+seq'] = ['batch', *other]
    if picture:
        out['H+W'] = picture
    return out


def axes(about, symbols, present):
    """[(input:axis=name, dim)] of all axes that these symbols make up; a sum gets a name of its own, as in the exports."""
    out = []
    for name, text in about['inputs'].items():
        for i, dim in enumerate(spec.dims_of(text)):
            if name in present and not dim.isdigit() and set(dim.split('+')) & set(symbols):
                out.append((f'{name}:{i}={dim.replace("+", "_plus_")}', dim))
    return out


def named(asked, bind):
    """The sizes of the names that were asked for."""
    return {word.partition('=')[2]: spec.size_of(dim, bind) for word, dim in asked}


def candidates(about, symbol):
    """Other sizes of a symbol: the declaration's first, those that bounds may leave after them, the old one at last."""
    old = about['exported'][symbol]
    if symbol == 'batch':
        likely = list(BATCHES)
    else:
        likely = list(about['sizes'][symbol]) + [old // 2, 2 * old, old - 1, old + 1, 3 * old // 4, 3 * old // 2, 2, 1]
    out = [n for n in dict.fromkeys(likely) if 0 < n != old]
    return list(enumerate(out)) + [(40, old)]


def bindings(about, symbols, allowed):
    """Bindings that are allowed, those with every symbol changed first."""
    rows = []
    for choice in itertools.product(*(candidates(about, s)[:9] + candidates(about, s)[-1:] for s in symbols)):
        bind = {**about['exported'], **{s: n for s, (_, n) in zip(symbols, choice)}}
        if bind != about['exported'] and allowed(bind):
            # Equal places first: sizes that are declared together are known to run together.
            places = [place for place, _ in choice]
            rows.append((max(places), sum(places), tuple(n for _, n in choice), bind))
    rows.sort(key=lambda row: row[:3])
    return [row[3] for row in rows]


def undecidable(model, about, said):
    """Why the export cannot show what the module does, or ''."""
    for (name, symbol, size), why in TWINS.items():
        if name == model and about['exported'][symbol] == size:
            return why
    words, why = BREAKS.get(model, ('', ''))
    return f'it assumes "{words} ...", but {why}' if words and any(words in text for text in said.assumes) else ''


class Judge:
    """One worker's children."""

    def __init__(self, tool, answers, folder, check=None):
        self.tool, self.answers, self.folder, self.check = tool, answers, folder, check
        self.torch, self.runtime = Child('answers.py'), Child('compare.py')

    def stop(self):
        self.torch.stop()
        self.runtime.stop()

    def answer(self, model, bind):
        """The file with what torch computes, or None and the reason."""
        key = ','.join(f'{k}={v}' for k, v in sorted(bind.items()))
        path = os.path.join(self.answers, f'{model}.{key}.npz')
        none = path[: -len('npz')] + 'none'
        if os.path.exists(path):
            return path, ''
        if not os.path.exists(none):
            said = self.torch.ask({'model': model, 'bind': bind, 'to': path})
            if said['ok']:
                return path, ''
            put(none, said['error'])
        return None, open(none).read()

    def original(self, path, model, about):
        """How far the export is from the module at its own sizes, and torch's answer; or None and the reason."""
        kept = os.path.join(self.answers, os.path.basename(path)[: -len('onnx')] + 'export')
        want, why = self.answer(model, about['exported'])
        if not want:
            return None, f'torch: {why}'
        if not os.path.exists(kept):
            case = {'path': path, 'inputs': about['inputs'], 'cases': [[about['exported'], want]], 'within': EXPORT_WITHIN}
            put(kept, json.dumps(self.runtime.ask(case)))
        with open(kept) as file:
            said = json.load(file)
        if said.get('class') != 'right':
            return None, f'the export differs from the module: {said.get("class")} {said.get("detail", said.get("error"))}'
        return (want, said['error']), ''

    def others(self, model, about, symbols, allowed):
        """Two bindings that torch can run, and its answers; why it cannot run others."""
        found, why = [], {}
        choices = bindings(about, symbols, allowed)
        for _ in range(TRIES):
            # The second one differs in every symbol, if it can.
            fresh = [b for b in choices if all(b[s] != f[s] for f, _ in found for s in symbols)] or choices
            if not fresh or len(found) == 2:
                break
            choices.remove(fresh[0])
            path, said = self.answer(model, fresh[0])
            if path:
                found.append((fresh[0], path))
            else:
                why[json.dumps(fresh[0])] = said
        return found, why

    def edge(self, model, about, symbols, asked, said):
        """The largest size that a printed bound allows one symbol, if it is not too large to run."""
        for symbol in symbols if said.upper() else []:
            sizes = [n for n in range(1, EDGE + 2) if said.allows(named(asked, {**about['exported'], symbol: n}))]
            if sizes and about['exported'][symbol] < sizes[-1] <= EDGE:
                bind = {**about['exported'], symbol: sizes[-1]}
                path, _ = self.answer(model, bind)
                return [(bind, path)] if path else []
        return []

    def exporter_errs(self, path, model, about, bind):
        """Does the exporter's own dynamic model, if there is one beside, disagree with the module too?"""
        other = os.path.join(os.path.dirname(path), f'{model}.{about["exporter"]}.dynamic.onnx')
        want, _ = self.answer(model, bind)
        if not want or not os.path.exists(other):
            return False
        case = {'path': other, 'inputs': about['inputs'], 'cases': [[bind, want]], 'within': EXPORT_WITHIN}
        return self.runtime.ask(case).get('class') in WRONG

    def judge(self, path, kind):
        with open(path[: -len('onnx')] + 'json') as file:
            about = json.load(file)
        stem = os.path.basename(path)[: -len('.onnx')]
        model = stem.rsplit('.', 2)[0]
        result = {
            'key': f'{stem}:{kind}',
            'model': model,
            'family': about['family'],
            'exporter': about['exporter'],
            'batch': about['exported']['batch'],
            'kind': kind,
            'path': path,
        }
        symbols = asks(about)[kind]
        asked = axes(about, symbols, present(path))
        result['axes'] = [word for word, _ in asked]
        if not asked:
            return {**result, 'class': 'no answer', 'detail': 'the export has none of these axes'}
        target = os.path.join(self.folder, f'{stem}.{kind}.onnx')
        code, said, seconds = self.tool.run(path, result['axes'], target)
        result.update(exit=code, seconds=round(seconds, 2), said=said.plain())
        if self.check and code == 0 and os.path.exists(target):
            result['check'] = subprocess.run([self.check, 'check', target], capture_output=True, timeout=120).returncode
        try:
            result.update(self.verdict(path, model, about, symbols, asked, code, said, target))
        finally:
            if os.path.exists(target):
                os.remove(target)
        return result

    def verdict(self, path, model, about, symbols, asked, code, said, target):
        if code not in (0, 1):
            return {'class': 'broken', 'detail': 'too slow' if code is None else f'exit {code}: {said.reason}'}
        first, why = self.original(path, model, about)
        if not first:
            return {'class': 'no answer', 'detail': why}
        if code == 1:
            return {'class': 'refused', 'detail': said.reason, **({'written': True} if os.path.exists(target) else {})}
        if not os.path.exists(target):
            return {'class': 'fails', 'detail': 'exit 0, but nothing was written'}
        return self.compared(path, model, about, symbols, asked, said, target, first)

    def compared(self, path, model, about, symbols, asked, said, target, first):
        """The class of a written model."""
        found, why = self.others(model, about, symbols, lambda bind: said.allows(named(asked, bind)))
        found += self.edge(model, about, symbols, asked, said)
        cases = [(about['exported'], first[0]), *found]
        within = max(LEAST_WITHIN, 20 * first[1])
        verdict = self.runtime.ask({'path': target, 'inputs': about['inputs'], 'cases': cases, 'within': within})
        if 'class' not in verdict:
            verdict = {'class': 'fails', 'detail': verdict['error']}
        verdict['judged'] = [bind for bind, _ in found]
        if why:
            verdict['torch fails'] = why
        if verdict['class'] == 'right' and len(found) < 2 and not said.upper():
            return {**verdict, 'class': 'no answer', 'detail': f'torch runs at {len(found)} other sizes: {why}'}
        if why and verdict['class'] != 'right' and verdict.get('at') not in (None, about['exported']):
            # The module itself is bound to its size; that it runs at some others means nothing.
            return {**verdict, 'class': 'no answer', 'detail': f'{verdict["class"]}, but torch fails at {", ".join(why)}'}
        if verdict['class'] in WRONG and verdict.get('at') and self.exporter_errs(path, model, about, verdict['at']):
            verdict['detail'] += '; so does the dynamic export'
        if verdict['class'] in WRONG and (why := undecidable(model, about, said)):
            return {**verdict, 'class': 'no answer', 'detail': f'{verdict["class"]}: {why}'}
        if verdict['class'] == 'right' and said.upper():
            verdict['class'] = 'bounded'
            verdict['old'] = said.only_to(named(asked, about['exported']))
        return verdict


def present(path):
    """The inputs that the export has kept."""
    import onnx

    graph = onnx.load(path, load_external_data=False).graph
    return {i.name for i in graph.input} - {i.name for i in graph.initializer}


def work(jobs, tool, answers, check, results):
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(tool, answers, folder, check)
        try:
            while True:
                path, kind = jobs.get_nowait()
                results.put(judge.judge(path, kind))
        except queue.Empty:
            pass
        finally:
            judge.stop()


def jobs_of(paths, kinds, done):
    for path in paths:
        if not os.path.exists(path[: -len('onnx')] + 'json'):
            print(f'{path}: no declaration beside it', file=sys.stderr)
            continue
        with open(path[: -len('onnx')] + 'json') as file:
            about = json.load(file)
        stem = os.path.basename(path)[: -len('.onnx')]
        for kind in asks(about) if about['form'] != 'dynamic' else []:
            if f'{stem}:{kind}' not in done and (not kinds or kind in kinds):
                yield path, kind


def collect(workers, results, file):
    """Writes results as they come; a worker's exception ends it all."""
    while True:
        try:
            file.write(json.dumps(results.get(timeout=0.2)) + '\n')
            file.flush()
        except queue.Empty:
            if all(w.done() for w in workers) and results.empty():
                break
    for worker in workers:
        worker.result()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('results')
    parser.add_argument('answers')
    parser.add_argument('exports', nargs='+')
    parser.add_argument('--kind', action='append', choices=('batch', 'batch+seq', 'H+W'))
    parser.add_argument('--seconds', type=float, default=60, help="the tool's time limit")
    parser.add_argument('--check', metavar='AXED', help='keep the exit code of `check` of the repaired models, too')
    parser.add_argument('-j', type=int, default=1)
    args = parser.parse_args()
    os.makedirs(args.answers, exist_ok=True)
    done = set()
    if os.path.exists(args.results):
        done = {json.loads(line)['key'] for line in open(args.results)}
    jobs, results = queue.Queue(), queue.Queue()
    for job in jobs_of([os.path.abspath(p) for p in args.exports], args.kind, done):
        jobs.put(job)
    tool = Tool(args.tool, args.seconds)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool, open(args.results, 'a') as file:
        workers = [pool.submit(work, jobs, tool, args.answers, args.check, results) for _ in range(args.j)]
        collect(workers, results, file)


if __name__ == '__main__':
    main()
