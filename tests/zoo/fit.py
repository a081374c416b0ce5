#!/usr/bin/env python3
"""Judge `axed fit` by torch:  fit.py AXED RESULTS.jsonl ANSWERS EXPORT.onnx... [--pair batch2,sizes3] [-j 1] [--seconds 60]

Exports MODEL.EXPORTER.FORM.onnx of export.py that differ only in FORM are fitted in pairs (or in threes: --pair
batch2,batch3,sizes3).  What is written for exit 0 must compute what the module computes at the sizes of each export, and at two
others that respect what axed printed: axes of one name are equal, bounds hold.  A pair whose graphs differ is `structure`.  One
JSON line each is appended to RESULTS; what is there already is skipped.  The table of all RESULTS is printed at the end.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import queue
import re
import subprocess
import tempfile
import time

import expr
import repair_tool
import repairs
import spec

STRUCTURE = re.compile(
    r'has no such node|comes from|^only export| it is \S+ \S+ in export|attribute |has another type|output \d+ |differ in bodies'
)


class Fitted:
    """What `axed fit --json` says."""

    def __init__(self, row):
        self.reasons, self.bounds = row.get('reasons', []), row.get('bounds', []) + row.get('assumes', [])
        self.axes = [(a['axis'].rpartition(':'), a['name']) for a in row.get('axes', [])]

    def sizes(self, about, bind):
        """The sizes of the names, or None where two axes of one name would differ."""
        out, sums = {}, []
        for (name, _, axis), symbol in self.axes:
            size = spec.size_of(spec.dims_of(about['inputs'][name])[int(axis)], bind)
            if '+' in symbol:
                sums.append((symbol, size))
            elif out.setdefault(symbol, size) != size:
                return None
        return out if all(expr.evaluate(text, out) == size for text, size in sums) else None

    def allows(self, about, bind):
        sizes = self.sizes(about, bind)
        return sizes is not None and all(holds(text, sizes) for text in self.bounds)

    def symbols(self, about):
        """The symbols of the declaration that are free now."""
        out = []
        for (name, _, axis), _ in self.axes:
            out += [s for s in spec.dims_of(about['inputs'][name])[int(axis)].split('+') if s not in out and not s.isdigit()]
        return out


def holds(text, sizes):
    try:
        return expr.holds(text, sizes)
    except (expr.Unknown, ValueError, TypeError, IndexError, AttributeError):
        return True


class Judge(repairs.Judge):
    def fit(self, paths, target, seconds):
        start = time.time()
        if os.path.exists(target):
            os.remove(target)
        try:
            done = subprocess.run(
                [self.tool, 'fit', *paths, '-o', target, '--json'],
                capture_output=True,
                timeout=seconds,
                preexec_fn=repair_tool.limit,
            )
        except subprocess.TimeoutExpired:
            return None, Fitted({}), time.time() - start
        row = json.loads(done.stdout) if done.stdout.strip() else {'reasons': [done.stderr.decode(errors='replace')[-300:]]}
        return done.returncode, Fitted(row), time.time() - start

    def judge(self, paths, seconds):
        abouts = []
        for path in paths:
            with open(path[: -len('onnx')] + 'json') as file:
                abouts.append(json.load(file))
        stem, forms = key_of(paths)
        result = {'key': f'{stem}:{forms}', 'model': stem.rsplit('.', 1)[0], 'exporter': abouts[0]['exporter']}
        result.update(family=abouts[0]['family'], forms=forms, kind=kind_of(abouts))
        if all(about['exported'] == abouts[0]['exported'] for about in abouts):
            return {**result, 'class': 'same sizes'}
        target = os.path.join(self.folder, 'fitted.onnx')
        code, said, taken = self.fit(paths, target, seconds)
        result.update(exit=code, seconds=round(taken, 2), bounds=said.bounds)
        return {**result, **self.verdict_of(paths, abouts, code, said, target, result['model'])}

    def verdict_of(self, paths, abouts, code, said, target, model):
        if code == 1:
            kind = 'structure' if any(STRUCTURE.search(r) for r in said.reasons) else 'refused'
            return {'class': kind, 'detail': said.reasons[0] if said.reasons else ''}
        if code != 0:
            return {'class': 'broken', 'detail': 'too slow' if code is None else f'exit {code}: {said.reasons}'}
        cases, worst = [], 0
        for path, about in zip(paths, abouts):
            first, why = self.original(path, model, about)
            if not first:
                return {'class': 'no answer', 'detail': why}
            cases.append((about['exported'], first[0]))
            worst = max(worst, first[1])
        found, why = self.third(model, abouts, said)
        within = max(repairs.LEAST_WITHIN, 20 * worst)
        verdict = self.runtime.ask(
            {'path': target, 'inputs': abouts[0]['inputs'], 'cases': [*cases, *found], 'within': within}
        )
        if 'class' not in verdict:
            verdict = {'class': 'fails', 'detail': verdict['error']}
        verdict['judged'] = [bind for bind, _ in found]
        if why:
            verdict['torch fails'] = why
        if verdict['class'] == 'right' and not found:
            verdict = {**verdict, 'class': 'no third size', 'detail': str(why)}
        return verdict

    def third(self, model, abouts, said):
        """Two bindings that are none of the exports', the second one larger than these, if possible, and torch's answers."""
        about, exported = abouts[0], [a['exported'] for a in abouts]
        symbols, found, why = said.symbols(about), [], {}
        choices = [b for b in other_sizes(about, exported, symbols) if b not in exported and said.allows(about, b)]
        larger = [b for b in choices if all(b[s] > e[s] for e in exported for s in symbols)]
        for some, wanted in ((choices, 1), (larger, 2), (choices, 2)):
            for bind in some:
                if len(found) == wanted or len(why) == repairs.TRIES:
                    break
                path, error = self.answer(model, bind) if bind not in [b for b, _ in found] else (None, '')
                if path:
                    found.append((bind, path))
                elif error:
                    why[json.dumps(bind)] = error
        return found, why


def other_sizes(about, exported, symbols):
    """Other bindings: the declaration's own first, then those around the exports."""
    declared = []
    for i in range(max(len(about['sizes'][s]) for s in symbols) if symbols else 0):
        declared.append({**exported[0], **{s: about['sizes'][s][min(i, len(about['sizes'][s]) - 1)] for s in symbols}})
    rows = []
    for s in symbols:
        old = sorted({e[s] for e in exported})
        middle = list(range(old[0] + 1, old[-1]))[:3]
        around = [old[-1] + 1, 2 * old[-1], old[-1] + old[0], *middle, old[0] - 1, *old]
        rows.append([n for n in dict.fromkeys([old[-1] + 2, *repairs.BATCHES] if s == 'batch' else around) if n > 0])
    mixed = [{**exported[0], **dict(zip(symbols, row))} for row in itertools.islice(itertools.product(*rows), 4000)]
    return declared + sorted(mixed, key=lambda b: -len({b[s] for s in symbols}))


def key_of(paths):
    names = [os.path.basename(p)[: -len('.onnx')].rpartition('.') for p in paths]
    return names[0][0], ','.join(n[2] for n in names)


def kind_of(abouts):
    """What differs: batch, or batch and the rest."""
    differs = {s for about in abouts for s, n in about['exported'].items() if n != abouts[0]['exported'][s]}
    if differs <= {'batch'}:
        return 'batch'
    return 'H+W' if differs & set(repairs.PICTURE) else 'batch+seq'


def jobs_of(paths, pairs, done):
    known = {}
    for path in paths:
        stem, form = key_of([path])
        known[stem, form] = path
    for stem in sorted({stem for stem, _ in known}):
        for pair in pairs:
            chosen = [known.get((stem, form)) for form in pair]
            if all(chosen) and f'{stem}:{",".join(pair)}' not in done:
                yield chosen


def work(jobs, axed, answers, seconds, results):
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(axed, answers, folder)
        try:
            while True:
                results.put(judge.judge(jobs.get_nowait(), seconds))
        except queue.Empty:
            pass
        finally:
            judge.stop()


def table(rows):
    for by in ('kind', 'exporter', 'family', 'forms'):
        print(f'\n{by:16} same structure  right  refused  wrong  fails  no answer')
        groups = collections.defaultdict(collections.Counter)
        for row in rows:
            groups[row[by]][row['class']] += 1
        for name, c in sorted(groups.items()):
            wrong = sum(c[k] for k in repairs.WRONG)
            none = c['no answer'] + c['no third size']
            same = c['right'] + c['refused'] + wrong + c['fails'] + c['broken']
            share = 100 * c['right'] / max(same, 1)
            print(f'{name:16} {same:14}  {c["right"]:5} ({share:.0f} %)  {c["refused"]:5}  {wrong:5}  '
                  f'{c["fails"] + c["broken"]:5}  {none:9}   structure {c["structure"]}')  # fmt: skip
    for row in rows:
        if row['class'] in (*repairs.WRONG, 'fails', 'broken'):
            print(row['key'], row['class'], str(row.get('detail'))[:200], row.get('at', ''))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('axed')
    parser.add_argument('results')
    parser.add_argument('answers')
    parser.add_argument('exports', nargs='*')
    parser.add_argument('--pair', action='append', help='forms: batch2,batch3')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('-j', type=int, default=1)
    args = parser.parse_args()
    os.makedirs(args.answers, exist_ok=True)
    pairs = [p.split(',') for p in args.pair or ['batch2,batch3', 'batch2,sizes3']]
    done = {json.loads(line)['key'] for line in open(args.results)} if os.path.exists(args.results) else set()
    jobs, results = queue.Queue(), queue.Queue()
    for job in jobs_of([os.path.abspath(p) for p in args.exports], pairs, done):
        jobs.put(job)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool, open(args.results, 'a') as file:
        workers = [pool.submit(work, jobs, args.axed, args.answers, args.seconds, results) for _ in range(args.j)]
        repairs.collect(workers, results, file)
    table([json.loads(line) for line in open(args.results)])


if __name__ == '__main__':
    main()
