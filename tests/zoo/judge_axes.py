"""Compares the verdicts of `axed axes` with what runs, each axis on its own."""

from expr import Unknown, evaluate, holds, mentions

TRIED = 6


def judge_axes(subject, runtime, base):
    """BASE: shapes of the inputs that run."""
    out = {
        'axes': 0,
        'free': 0,
        'tied': 0,
        'unknown': 0,
        'false_free': [],
        'unknown_axes': [],
        'false_tied': [],
        'false_pinned': [],
        'unread': [],
        'untested': [],
        'by_data': [],
    }
    code, answer = subject.json('axes', subject.path)
    if 'broken' in answer:
        out['false_free'].append(answer['broken'])
        return out
    axes = [a for a in answer['axes'] if a['input'] in subject.declared]
    sizes = {f'{n}:{i}': d for n, dims in base.items() for i, d in enumerate(dims)}
    for axis in axes:
        name = f'{axis["input"]}:{axis["axis"]}'
        if name not in sizes:
            continue
        out['axes'] += 1
        if axis['verdict'] == 'free':
            out['free'] += 1
            judge_free(subject, runtime, axes, sizes, axis, name, out)
        elif axis['verdict'] in ('pinned', 'fixed', 'tied'):
            out['tied'] += axis['verdict'] == 'tied'
            judge_stuck(subject, runtime, axes, sizes, axis, name, out)
            if axis['verdict'] == 'tied':
                judge_tied(subject, runtime, axes, sizes, axis, name, out)
        else:
            out['unknown'] += 1
            out['unknown_axes'].append(f'{name}: {axis["verdict"]}')
    return out


def candidates(size):
    near = [size + 1, 1, size * 2, size - 1, size + 2, size // 2, size + 3, 2, 3, 2 * size + 1, 3 * size, size * 4, 5, 7, 11]
    near += [size + step for step in (4, 8, 16, 32, -2, -4, -8, -16)]
    return [n for n in dict.fromkeys(near) if n >= 1 and n != size]


def follow(axes, sizes, name):
    """Changes what is tied to the axis, or None where that does not settle."""
    for _ in range(4):
        before = dict(sizes)
        for other in axes:
            key = f'{other["input"]}:{other["axis"]}'
            if key == name or other['verdict'] != 'tied':
                continue
            for text in other.get('equal') or []:
                if reaches(axes, text, name, {key}):
                    sizes[key] = int(evaluate(text, sizes))
                    break
        if sizes == before:
            return sizes
    return None


def reaches(axes, text, name, seen):
    """Does the expression follow the axis, directly or through other ties?"""
    words = mentions(text) | {text}
    if name in words:
        return True
    for other in axes:
        key = f'{other["input"]}:{other["axis"]}'
        if key in words and key not in seen and any(reaches(axes, t, name, seen | {key}) for t in other.get('equal') or []):
            return True
    return False


def conditions_hold(axes, sizes, name):
    """All conditions that mention the axis or what follows it."""
    return all(holds(text, sizes) for axis in axes for text in axis.get('bounds') or [] if touched(axis, text, name))


def touched(axis, text, name):
    return f'{axis["input"]}:{axis["axis"]}' == name or name in mentions(text)


def shapes_of(subject, sizes):
    return {n: [sizes[f'{n}:{i}'] for i in range(len(subject.declared[n]))] for n in subject.declared}


def legal_sizes(axes, sizes, name):
    """(size, all sizes) for each that meets the stated conditions, what is tied to it changed along."""
    found = []
    for n in sorted(set(range(1, min(4 * sizes[name] + 2, 700))) | set(candidates(sizes[name]))):
        trial = follow(axes, {**sizes, name: n}, name) if n != sizes[name] else None
        if trial and conditions_hold(axes, trial, name) and all(v >= 1 for v in trial.values()):
            found.append((n, trial))
    return found


def pick(found, size):
    """The smallest two, the largest, and others near the recorded size."""
    if len(found) <= TRIED:
        return found
    trials = dict(found)
    picked = [found[0][0], found[1][0], found[-1][0]]
    picked += [n for n in candidates(size) + list(trials) if n in trials and n not in picked]
    return [(n, trials[n]) for n in picked[:TRIED]]


def runs_low(runtime, case):
    """Does it run with other values of the inputs?"""
    return any(runtime.run({**case, 'low': way})['ok'] for way in (True, 2, 3))


def judge_free(subject, runtime, axes, sizes, axis, name, out):
    try:
        found = legal_sizes(axes, sizes, name)
    except Unknown as error:
        out['unread'].append(f'{name}: {error}: {axis.get("bounds")}')
        return
    if not found:
        out['untested'].append(f'{name}: no size meets {axis.get("bounds")}')
    for n, trial in found if runtime.recorded else pick(found, sizes[name]):
        case = subject.case(shapes_of(subject, trial))
        answer = runtime.run(case)
        if answer['ok'] or answer.get('crash') or answer.get('unrecorded'):
            continue
        if runs_low(runtime, case):
            out['by_data'].append(f'{name}: {answer["error"]}')
            continue
        moved = {k: v for k, v in trial.items() if v != sizes[k]}
        out['false_free'].append(f'{name} (dim {axis["dim"]}, {axis.get("bounds")}) fails at {moved}: {answer["error"]}')
        return


def stated(axis, trial, name):
    """Is the size one of those that the verdict allows?"""
    n = trial[name]
    if axis['verdict'] in ('pinned', 'fixed'):
        low, high = axis.get('range') or (axis['value'], axis['value'])
        if low is None:
            raise Unknown('no value')
        if axis.get('bounds') and any(' or ' in b for b in axis['bounds']):
            return low <= n <= high or all(holds(b, trial) for b in axis['bounds'])
        return low <= n <= high
    bounds = axis.get('bounds') or []
    loose = [b for b in bounds if b.endswith(' or one is 1')]
    for text in axis.get('equal') or []:
        if evaluate(text, trial) != n and not any(text in b and holds(b, trial) for b in loose):
            return False
    return all(holds(text, trial) for text in bounds)


def judge_stuck(subject, runtime, axes, sizes, axis, name, out):
    tried = 0
    for n in range(1, 65) if runtime.recorded else candidates(sizes[name]):
        trial = {**sizes, name: n}
        try:
            if n == sizes[name] or stated(axis, trial, name):
                continue
        except Unknown as error:
            out['unread'].append(f'{name}: {error}: {axis.get("equal")} {axis.get("bounds")}')
            return
        tried += 1
        answer = runtime.run(subject.case(shapes_of(subject, trial)))
        if answer['ok']:
            out['false_pinned'].append(
                f'{name} (dim {axis["dim"]}) is called {axis["verdict"]} {axis.get("value")} {axis.get("equal")}'
                f' {axis.get("bounds")} by {axis["by"]["op"]} {axis["by"]["node"]}, but runs at {n} (recorded {sizes[name]})'
            )
            return
        if tried == TRIED and not runtime.recorded:
            return


def judge_tied(subject, runtime, axes, sizes, axis, name, out):
    """An axis that is tied to other axes runs with them."""
    others = [text for text in axis.get('equal') or [] if text in sizes]
    if not others or len(others) != len(axis['equal']):
        return
    tried = 0
    for n in candidates(sizes[name]):
        trial = {**sizes, name: n, **dict.fromkeys(others, n)}
        for key in [name, *others]:
            trial = trial and follow(axes, trial, key)
        try:
            keys = [k for k in sizes if trial and trial[k] != sizes[k]]
            if not trial or trial[name] != n or min(trial.values()) < 1 or not all(conditions_hold(axes, trial, k) for k in keys):
                continue
        except Unknown as error:
            out['unread'].append(f'{name}: {error}: {axis.get("bounds")}')
            return
        case = subject.case(shapes_of(subject, trial))
        answer = runtime.run(case)
        if (
            not answer['ok']
            and not answer.get('crash')
            and not answer.get('unrecorded')
            and not runs_low(runtime, case)
        ):
            moved = {k: trial[k] for k in keys}
            out['false_tied'].append(
                f'{name} (dim {axis["dim"]}) is tied to {others}, {axis.get("bounds")}, fails at {moved}: {answer["error"]}'
            )
            return
        tried += 1
        if tried == TRIED and not runtime.recorded:
            return


def sweep(subject, runtime, base):
    """Runs more sizes than any verdict asks for, so that a recording serves later verdicts too."""
    sizes = {f'{n}:{i}': d for n, dims in base.items() for i, d in enumerate(dims)}
    trials = []
    for name, size in sizes.items():
        trials += [shapes_of(subject, {**sizes, name: n}) for n in sorted({*range(1, 9), *candidates(size)})]
    exported = subject.about.get('exported', {})
    for symbol, size in exported.items():
        trials += [subject.shapes_at({**exported, symbol: n}) for n in sorted({*range(1, 9), *candidates(size)})]
    for shapes in trials:
        case = subject.case(shapes)
        if not runtime.run(case)['ok']:
            runs_low(runtime, case)
