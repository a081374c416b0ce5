"""Compares the shapes that axed infers with those of runs."""

import re

from expr import Unknown, evaluate, mentions

UGLY = re.compile(r'broadcast|where|float|\bint\(')  # right, but hard to read


def judge_shapes(subject, runs):
    """RUNS: (input shapes, {tensor: true shape}) of the bindings that ran."""
    out = {
        'tensors': 0,
        'full': 0,
        'behind': 0,
        'behind_full': 0,
        'not_full': [],
        'wrong': [],
        'claims': 0,
        'claims_wrong': [],
        'unknown': 0,
        'ugly': 0,
        'dims': 0,
        'bind_unknown': 0,
        'bind_wrong': [],
        'bind_exit': [],
        'bind_set': [],
    }
    code, answer = subject.json('shapes', subject.path)
    if 'broken' in answer:
        out['wrong'].append(answer['broken'])
        return out
    tensors = {t['name']: t for t in answer['tensors'] if t['graph'] == ''}
    full = {}
    for number, (shapes, truth) in enumerate(runs):
        names = subject.symbols(shapes)
        if names is None:
            continue
        solved = solve(tensors, truth, names)
        bound = bound_shapes(subject, names, out, number)
        for name, true in truth.items():
            if not isinstance(true, list) or name not in tensors:
                continue
            judge_tensor(tensors[name], true, names, solved, out, full)
            judge_bound(bound.get(name), true, name in subject.behind, out)
    count(subject, tensors, full, out)
    return out


def solve(tensors, truth, names):
    """The sizes of generated symbols, from the first tensor that has one alone."""
    out = dict(names)
    for name, true in truth.items():
        got = tensors.get(name, {}).get('shape')
        if not isinstance(true, list) or got is None or len(got) != len(true):
            continue
        for dim, size in zip(got, true):
            if isinstance(dim, str) and dim not in out and mentions(dim) <= {dim}:
                out[dim] = size
    return out


def judge_tensor(tensor, true, names, solved, out, full):
    name, got, claim = tensor['name'], tensor['shape'], tensor['from'] == 'claim'
    state = full.setdefault(name, {'full': True, 'why': None, 'claim': claim})

    def fail(why):
        state['full'] = False
        state['why'] = state['why'] or why

    def wrong(text):
        fail('wrong')
        out['claims_wrong' if claim else 'wrong'].append(f'{name}: {text} at {names}')

    if got is None:
        return fail('no shape')
    if len(got) != len(true):
        return wrong(f'{got}, truly {true}')
    for dim, size in zip(got, true):
        if dim is None:
            fail('unknown dim')
            continue
        try:
            value = evaluate(dim, names)
        except Unknown:
            fail(f'data-dependent {dim}')
            try:
                value = evaluate(dim, solved)
            except Unknown:
                continue
        if value != size:
            wrong(f'{got}, truly {true}')


def count(subject, tensors, full, out):
    for state in full.values():
        if state['claim']:
            state.update(full=False, why='a claim')
    for name, state in full.items():
        behind = name in subject.behind
        out['tensors'] += 1
        out['behind'] += behind
        out['claims'] += state['claim']
        out['full'] += state['full'] and not behind
        out['behind_full'] += state['full'] and behind
        out['ugly'] += any(UGLY.search(str(d)) for d in tensors[name]['shape'] or [])
        if not state['full'] and not behind:
            out['unknown'] += 1
            operator, inputs = subject.makers.get(name, ('?', []))
            if any(i in full and not full[i]['full'] for i in inputs):
                continue  # it follows from another one
            out['not_full'].append(f'{operator} {name}: {tensors[name]["shape"]}: {state["why"]}')


def bind_words(names):
    return [w for name, size in names.items() for w in ('--bind', f'{name}={size}')]


def bound_shapes(subject, names, out, number):
    code, answer = subject.json('shapes', subject.path, *bind_words(names))
    if 'broken' in answer:
        out['bind_wrong'].append(f'{names}: {answer["broken"]}')
        return {}
    if code != 0:
        out['bind_exit'].append(f'{names}: exit {code}, but it runs')
    tensors = {t['name']: t for t in answer['tensors'] if t['graph'] == ''}
    if number in (1, 2):
        compare_set(subject, names, {(t['graph'], t['name']): t for t in answer['tensors']}, out)
    return tensors


def judge_bound(tensor, true, behind, out):
    if tensor is None:
        return
    got = tensor['shape']
    out['dims'] += len(true)
    if got is None:
        out['bind_unknown'] += len(true) * (not behind)
        return
    if len(got) != len(true):
        out['bind_wrong'].append(f'{tensor["name"]}: {got}, truly {true}')
        return
    for dim, size in zip(got, true):
        if not isinstance(dim, int):
            out['bind_unknown'] += not behind
        elif dim != size:
            out['bind_wrong'].append(f'{tensor["name"]}: {got}, truly {true} ({tensor["from"]})')
            return


def plain(shape):
    """Generated symbols are numbered anew in each run."""
    return shape and [re.sub(r'\?\d+', '?', d) if isinstance(d, str) else d for d in shape]


def compare_set(subject, names, bound, out):
    """`--bind` must equal `set` to the same sizes."""
    import os

    target = f'{subject.path}.set.{os.getpid()}.tmp'
    edits = [f'{n}={s}' for n, s in names.items()]
    try:
        code, said, err = subject.axed('set', subject.path, *edits, '--force', '-o', target)
        if 'force' in err and code == 2:
            code, said, err = subject.axed('set', subject.path, *edits, '-o', target)
        if not os.path.exists(target):
            out['bind_set'].append(f'set {edits}: exit {code}: {err.strip()[:150]}')
            return
        _, answer = subject.json('shapes', target)
        for t in answer.get('tensors', []):
            mine = bound.get((t['graph'], t['name']))
            if mine is not None and plain(mine['shape']) != plain(t['shape']):
                out['bind_set'].append(f'{t["graph"]}/{t["name"]}: bind {mine["shape"]}, set {t["shape"]}')
    finally:
        if os.path.exists(target):
            os.remove(target)
