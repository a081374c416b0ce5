#!/usr/bin/env python3
"""Print what repairs.py found:  repairs_table.py RESULTS.jsonl [--list] [--refusals N --seed S] [--against OTHER.jsonl]

--list adds every repair that is wrong, fails, or broke the tool; --refusals draws N refusals at random, for reading;
--against lists where two tools differ, the other tool's verdict last.  Columns: `bounded` is right within a printed bound,
`to old` those that hold up to the old size only; `assumed` counts right ones that name an assumption, `assumed wrong` wrong
ones, `check fails` right ones of which `axed check` complains; `right %` is right and bounded of all that can be judged.
Needs only the standard library.
"""

import argparse
import json
import random

GROUPS = {
    'modules': 'hand-written',
    **dict.fromkeys(('torchvision', 'segmentation', 'detection', 'video', 'flow'), 'torchvision'),
    **dict.fromkeys(('text', 'llm', 'seq2seq', 'vision', 'audio', 'series'), 'transformers'),
}
WRONG = ('wrong numbers', 'wrong shape', 'fails')
COLUMNS = (
    'repairs',
    'right',
    'bounded',
    'to old',
    'refused',
    'wrong numbers',
    'wrong shape',
    'fails',
    'broken',
    'no answer',
    'assumed',
    'assumed wrong',
    'check fails',
    'right %',
)


def load(path):
    """By key; the last line of a key counts."""
    return {r['key']: r for r in map(json.loads, open(path))}


def assumes(result):
    return bool(result.get('said', {}).get('assumes'))


def row(results):
    count = {c: sum(r['class'] == c for r in results) for c in COLUMNS}
    good = [r for r in results if r['class'] in ('right', 'bounded')]
    known = len(results) - count['no answer']
    count['repairs'] = len(results)
    count['bounded'] = sum(r['class'] == 'bounded' and not r.get('old') for r in results)
    count['to old'] = sum(r['class'] == 'bounded' and bool(r.get('old')) for r in results)
    count['assumed'] = sum(map(assumes, good))
    count['assumed wrong'] = sum(assumes(r) for r in results if r['class'] in WRONG)
    count['check fails'] = sum(r.get('check', 0) != 0 for r in good)
    count['right %'] = f'{100 * len(good) / known:.1f}' if known else '-'
    return [count[c] for c in COLUMNS]


def table(results):
    def group(r):
        return GROUPS.get(r['family'], r['family'])

    keys = (
        ('family', group, lambda r: r['family']),
        ('exporter', lambda r: r['kind'], lambda r: r['exporter']),
        ('batch', lambda r: r['kind'], lambda r: f'batch {r["batch"]}'),
        ('axis kind', group, lambda r: r['kind']),
        ('all', group, lambda r: f'{r["exporter"]:7}{r["batch"]:2}  {r["kind"]}'),
    )
    widths = [max(len(c), 5) for c in COLUMNS]
    for title, outer, inner in keys:
        print(f'\n{title:34}' + ' '.join(f'{c:>{w}}' for c, w in zip(COLUMNS, widths)))
        parts = {}
        for r in results:
            parts.setdefault((outer(r), inner(r)), []).append(r)
        for key in sorted(parts, key=str):
            print(f'{key[0]:13} {key[1]:20}' + ' '.join(f'{v:>{w}}' for v, w in zip(row(parts[key]), widths)))
    print(f'\n{"sum":34}' + ' '.join(f'{v:>{w}}' for v, w in zip(row(results), widths)))


def about(result):
    """What was printed along with it."""
    said = result.get('said', {})
    parts = [f'conditions: {", ".join(said["conditions"])}'] if said.get('conditions') else []
    parts += [f'assumes: {"; ".join(said["assumes"])}'] if said.get('assumes') else []
    return ''.join(f'\n    {p}' for p in parts)


def tell(result):
    where = f' at {result["at"]}' if result.get('at') else ''
    print(f'{result["key"]}: {result["class"]}{where}: {result.get("detail", "")}{about(result)}')


def differences(ours, theirs):
    """Worst first: wrong here and right there, then refused here and right there, then the reverse."""
    rank = {c: 0 for c in WRONG} | {'broken': 1, 'refused': 2, 'no answer': 3, 'bounded': 4, 'right': 5}
    rows = [(ours[k], theirs[k]) for k in ours if k in theirs and ours[k]['class'] != theirs[k]['class']]
    rows.sort(key=lambda pair: (rank[pair[0]['class']], -rank[pair[1]['class']], pair[0]['key']))
    count = {}
    for a, b in rows:
        count[a['class'], b['class']] = count.get((a['class'], b['class']), 0) + 1
        print(f'{a["key"]}: {a["class"]}: {a.get("detail") or ""}{about(a)}')
        print(f'  against {b["class"]}: {b.get("detail") or ""}{about(b)}')
    print(f'\n{len(rows)} of {sum(k in theirs for k in ours)} differ')
    for (a, b), n in sorted(count.items(), key=lambda item: -item[1]):
        print(f'{n:5}  {a} against {b}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('results')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--refusals', type=int, default=0)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--against')
    args = parser.parse_args()
    results = load(args.results)
    if args.against:
        return differences(results, load(args.against))
    if not args.refusals:
        table(list(results.values()))
    if args.list:
        print()
        for r in sorted(results.values(), key=lambda r: (r['class'], r['key'])):
            if r['class'] in (*WRONG, 'broken'):
                tell(r)
    if args.refusals:
        refused = sorted((r for r in results.values() if r['class'] == 'refused'), key=lambda r: r['key'])
        for r in random.Random(args.seed).sample(refused, min(args.refusals, len(refused))):
            print(f'{r["key"]}  {" ".join(r["axes"])}\n    {r["detail"]}')
    return None


if __name__ == '__main__':
    main()
