"""Compares the shapes that axed infers in branches and bodies with those of runs."""

from expr import Unknown, evaluate


def judge_bodies(subject, runtime, bindings):
    """BINDINGS: shapes of the inputs that run."""
    out = {'tensors': 0, 'ran': 0, 'full': 0, 'wrong': [], 'claims_wrong': [], 'not_full': [], 'failed': []}
    answer = subject.json('shapes', subject.path)[1]
    tensors = {(t['graph'], t['name']): t for t in answer.get('tensors', []) if t['graph'] != ''}
    out['tensors'] = len(tensors)
    full = {}
    for shapes in bindings:
        names, case = subject.symbols(shapes), runtime.run(subject.case(shapes))
        if names is None or not case['ok']:
            out['failed'] += [] if names is None or case.get('unrecorded') else [case['error']]
            continue
        for graph, found in case['shapes'].items():
            for name, true in found.items():
                if (graph, name) in tensors:
                    state = judge_inner(tensors[graph, name], true, names, out)
                    full[graph, name] = full.get((graph, name)) or state
    out['ran'], out['full'] = len(full), sum(not state for state in full.values())
    out['not_full'] = [f'{g}/{n}: {tensors[g, n]["shape"]}: {state}' for (g, n), state in full.items() if state]
    return out


def judge_inner(tensor, truths, names, out):
    """Why it is not full, or None."""
    got, why = tensor['shape'], None
    if got is None:
        return 'no shape'
    for true in truths:
        sizes = []
        for dim in got:
            try:
                sizes.append(None if dim is None else evaluate(dim, names))
            except Unknown:
                sizes.append(None)
        if len(got) != len(true) or any(s is not None and s != t for s, t in zip(sizes, true)):
            key = 'claims_wrong' if tensor['from'] == 'claim' else 'wrong'
            out[key].append(f'{tensor["graph"]}/{tensor["name"]}: {got}, truly {true} at {names}')
            return 'wrong'
        why = why or ('a claim' if tensor['from'] == 'claim' else 'unknown dim' if None in sizes else None)
    return why
