"""Compares the findings of `axed check` with what runs."""

import re

from expr import Unknown, evaluate

ALARMS = ('error', 'pin', 'stale', 'loss')


def judge_check(subject, runs, failed, singles):
    """RUNS: (shapes, truth) that ran, FAILED: (shapes, error); SINGLES: symbol -> [(shapes, answer)] with it alone changed."""
    dead = dead_symbols(subject, singles, runs)
    runs = runs + [(shapes, answer['shapes']) for rows in singles.values() for shapes, answer in rows if answer['ok']]
    code, answer = subject.json('check', subject.path)
    out = {'exit': code, 'false': [], 'missed': [], 'alarms': 0, 'pinned_truly': []}
    if 'broken' in answer:
        out['false'].append(answer['broken'])
        return out
    alarms = [f for f in answer['findings'] if f['level'] in ALARMS]
    out['alarms'] = len(alarms)
    for finding in alarms:
        reason = refute(subject, finding, runs)
        if reason:
            out['false'].append(
                f'{finding["level"]} {finding["op"]} {finding["node"]} {finding["tensor"]}: {finding["message"]}: {reason}'
            )
    if failed and not runs and code == 0:
        out['missed'].append(f'runs at no size: {failed[0][1]}')
    out['pinned_truly'] = sorted(dead)
    for symbol, error in dead.items():
        told = ' '.join(f['message'] + ' ' + str(f.get('symbol')) for f in alarms)
        if code == 0 or not alarms:
            out['missed'].append(f'{symbol}: runs at the exported size only: {error}')
        elif symbol not in told:
            out['missed'].append(f'{symbol}: alarms, but none names it: {error}')
    return out


def dead_symbols(subject, singles, runs):
    """Symbols that the file declares and that run at the exported size only."""
    out = {}
    if not runs:
        return out
    for symbol, cases in singles.items():
        if not cases or any(answer['ok'] for _, answer in cases):
            continue
        declared = {d for shapes, _ in cases for d in (subject.symbols(shapes) or {})}
        exported = subject.about['exported'].get(symbol)
        # It may be tied to another symbol of the declaration: then a joint change runs.
        spec_runs = [n for n, shapes in enumerate(subject.bindings()) if any(shapes == s for s, _ in runs)]
        sizes = subject.about['sizes'][symbol]
        if any(sizes[min(n, len(sizes) - 1)] != exported for n in spec_runs):
            continue
        names = {
            subject.declared[n][i]
            for n in subject.declared
            for i, d in enumerate(subject.about['inputs'][n].split()[1:])
            if symbol in d.split('+') and isinstance(subject.declared[n][i], str)
        }
        if names & declared:
            out[min(names)] = cases[0][1]['error']
    return out


def declared_dim(subject, tensor, axis):
    claim = subject.facts['claims'].get(tensor, [])
    return claim[axis] if axis < len(claim) else None


def refute_pin(subject, finding, runs):
    symbol, value = finding.get('symbol'), finding.get('value')
    if not symbol and (match := re.match(r'`?(.+?)`? can only be ', finding['message'])):
        symbol = match[1]
    low, high = finding.get('range') or (value, value)
    for shapes, _ in runs:
        size = (subject.symbols(shapes) or {}).get(symbol)
        if size is not None and low is not None and not low <= size <= (size if high is None else high):
            return f'it runs with {symbol} = {size}'
    return None


def refute(subject, finding, runs):
    """Why the runs contradict an alarm, or None."""
    level = finding['level']
    if level == 'error':
        return 'it runs' if runs else None
    if level == 'pin':
        return refute_pin(subject, finding, runs)
    claim = declared_dim(subject, finding['tensor'], finding['axis'] or 0)
    if level in ('stale', 'loss') and claim is not None and finding['axis'] is not None:
        sizes = set()
        for shapes, truth in runs:
            true = truth.get(finding['tensor'])
            names = subject.symbols(shapes)
            if not isinstance(true, list) or names is None or finding['axis'] >= len(true):
                continue
            try:
                if evaluate(claim, names) != true[finding['axis']]:
                    return None
            except Unknown:
                return f'{claim} promises nothing'
            sizes.add(true[finding['axis']])
        return f'{claim} holds at {sorted(sizes)}' if len(sizes) > 1 else None
    return None
