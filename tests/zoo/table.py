#!/usr/bin/env python3
"""Print what the judge found:  table.py RESULTS.jsonl [--list] [--causes] [--form dynamic]

--list adds every disagreement, --causes groups them.  Needs only the standard library.
"""

import argparse
import json
import re

COLUMNS = (
    'models',
    'ran',
    'tensors',
    'full %',
    'wrong',
    'unknown',
    'behind',
    'claims',
    'ugly',
    'bind?',
    'bind!',
    'bind/set',
    'false',
    'missed',
    'axes',
    'axes?',
    'falsefree',
    'falsetie',
    'falsepin',
    'unread',
    'inner',
    'inner %',
    'inner!',
)

PARTS = (
    [('shapes', k) for k in ('wrong', 'not_full', 'claims_wrong', 'bind_wrong', 'bind_exit', 'bind_set')]
    + [('check', 'false'), ('check', 'missed')]
    + [('axes', k) for k in ('false_free', 'false_tied', 'false_pinned', 'unread', 'untested', 'by_data')]
    + [('bodies', k) for k in ('wrong', 'claims_wrong', 'failed')]
)


def row(results):
    shapes = [r['shapes'] for r in results]
    axes = [r['axes'] for r in results if 'axes' in r]
    checks = [r['check'] for r in results]
    inner = [r['bodies'] for r in results if 'bodies' in r]
    ran = sum(b['ran'] for b in inner)
    front = sum(s['tensors'] - s['behind'] for s in shapes)
    return (
        len(results),
        sum(r['ran'] > 0 for r in results),
        sum(s['tensors'] for s in shapes),
        f'{100 * sum(s["full"] for s in shapes) / front:.2f}' if front else '-',
        sum(len(s['wrong']) for s in shapes),
        sum(s['unknown'] for s in shapes),
        sum(s['behind'] for s in shapes),
        sum(s['claims'] for s in shapes),
        sum(s.get('ugly', s.get('broadcast', 0)) for s in shapes),
        sum(s['bind_unknown'] for s in shapes),
        sum(len(s['bind_wrong']) + len(s['bind_exit']) for s in shapes),
        sum(bool(s['bind_set']) for s in shapes),
        sum(bool(c['false']) for c in checks),
        sum(bool(c['missed']) for c in checks),
        sum(a['axes'] for a in axes),
        sum(a['unknown'] for a in axes),
        sum(len(a['false_free']) for a in axes),
        sum(len(a.get('false_tied', [])) for a in axes),
        sum(len(a['false_pinned']) for a in axes),
        sum(len(a['unread']) for a in axes),
        ran,
        f'{100 * sum(b["full"] for b in inner) / ran:.2f}' if ran else '-',
        sum(len(b['wrong']) for b in inner),
    )


def print_table(results):
    groups = {}
    for r in results:
        groups.setdefault((r['family'], r['exporter']), []).append(r)
    rows = [('family', *COLUMNS)] + [(' '.join(k), *row(v)) for k, v in sorted(groups.items())] + [('all', *row(results))]
    widths = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print('  '.join(str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(r, widths))))


def print_list(results):
    for r in results:
        lines = [('failed in ORT', e) for e in r['failed'][:1]]
        for part, key in PARTS:
            found = r.get(part, {}).get(key, [])
            lines += [(key, text) for text in found[:4]] + ([(key, f'... {len(found)} in all')] if len(found) > 4 else [])
        if lines:
            print(f'\n{r["model"]}')
            for key, text in lines:
                print(f'  {key:<13} {text[:330]}'.replace('\n', ' '))


def cause(key, text):
    """What disagreements have in common: the operators and the words, without names and numbers."""
    if key in ('false_free', 'false_tied'):
        node = re.search(r'running (\w+) node', text)
        said = text.split('Status Message: ')[-1] if node else text[-90:]
        return f'{node[1] if node else "load"}: {re.sub(r"[0-9]+", "N", re.sub(r"^.*/", "", said))[:70]}'
    if key == 'false_pinned':
        verdict = re.search(r'is called (\w+)', text)[1]
        op = re.search(r' by (\w*) ', text)
        at = re.search(r'runs at (\d+)', text)[1]
        return f'{verdict} by {op and op[1]}, runs at {"1" if at == "1" else "another size"}'
    if key == 'not_full':
        return f'{text.split()[0]}: {re.sub("data-dependent .*", "generated symbol", text.rsplit(": ", 1)[-1])[:60]}'
    if key in ('false', 'missed'):
        return re.sub(r'[0-9]+', 'N', ' '.join(text.split()[:2]) + ' ... ' + text.rsplit(': ', 1)[-1][:60])
    if key == 'bind_set':
        return 'bind knows less' if 'None' in text.split('set')[0] else 'other'
    return re.sub(r'[0-9]+', 'N', text)[:50]


def print_causes(results):
    """Disagreements grouped by cause, most frequent first, each with its smallest model."""
    groups = {}
    for r in results:
        for part, key in PARTS:
            for text in r.get(part, {}).get(key, []):
                groups.setdefault((key, cause(key, text)), []).append((r['nodes'], r['model'], text))
    for (key, why), found in sorted(groups.items(), key=lambda g: (g[0][0], -len({m for _, m, _ in g[1]}))):
        models = {m for _, m, _ in found}
        nodes, name, text = min(found)
        print(f'{key:<13} {len(models):>4} models {len(found):>5} times  {why}')
        print(f'{"":<15}smallest {name} ({nodes} nodes): {text[:260]}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('results')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--causes', action='store_true')
    parser.add_argument('--form')
    args = parser.parse_args()
    results = [json.loads(line) for line in open(args.results)]
    broken = [r for r in results if 'broken' in r]
    results = [r for r in results if 'broken' not in r and args.form in (None, r['form'])]
    print_table(results)
    for r in broken:
        print('BROKEN', r['model'], r['broken'].split('\n')[-1][:200])
    if args.causes:
        print_causes(results)
    if args.list:
        print_list(results)


if __name__ == '__main__':
    main()
