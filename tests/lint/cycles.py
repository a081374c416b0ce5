"""Units of a room form no cycle.

A unit is a pair thing.c and thing.h, or one of them alone; it depends on a unit of its room whose header it includes.
An internal.h is not a unit: the files that include it include what it includes.

The rooms of LAYERED have no cycle by symbols either, where a shared internal.h hides nothing: a unit depends on those whose
functions it calls.
"""

import report
import source

LAYERED = {'base', 'cmd', 'edit', 'ir', 'report', 'wire'}


def units_by_include(tree):
    """{unit: {unit of the same room that it depends on: (file, offset of the include)}}"""
    graph = {f.unit: {} for f in tree.code if not is_internal(f)}
    for f in tree.code:
        for other, at in [] if is_internal(f) else headers_of(tree, f):
            if other.room == f.room and other.unit != f.unit:
                graph[f.unit].setdefault(other.unit, (f, at))
    return graph


def is_internal(file):
    return file.path.endswith('/internal.h')


def headers_of(tree, file):
    """Our headers that a file includes, and where."""
    for include in file.includes:
        header = tree.files.get(include.name)
        if header and is_internal(header):
            yield from ((h, include.at) for h, _ in headers_of(tree, header))
        elif header and header.ending == '.h':
            yield header, include.at


def units_by_symbol(tree):
    """The same, where a unit depends on those that define the functions and objects it uses."""
    home = {(f.room, d.name): f.unit for f in tree.sources for d in f.declared
            if d.kind in ('function', 'object') and not d.static}
    graph = {f.unit: {} for f in tree.code}
    for f in tree.sources:
        own = {d.name for d in f.declared if d.kind not in ('prototype', 'forward', 'tag')}
        for before, t in zip(f.tokens, f.tokens[1:]):
            if t.kind != 'name' or t.text in own or before.text in ('.', '->', 'struct', 'union', 'enum'):
                continue
            other = home.get((f.room, t.text))
            if other and other != f.unit:
                graph[f.unit].setdefault(other, (f, t.at))
    return graph


def cycles(graph):
    """Strongly connected components of two or more, by Tarjan's algorithm without recursion."""
    number, low, stack, found = {}, {}, [], []
    for root in sorted(graph):
        work = [] if root in number else [(root, iter(sorted(graph[root])))]
        if work:
            number[root] = low[root] = len(number)
            stack.append(root)
        while work:
            unit, rest = work[-1]
            other = next(rest, None)
            if other is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == number[unit]:
                    component = stack[stack.index(unit):]
                    del stack[stack.index(unit):]
                    low.update(dict.fromkeys(component, len(graph)))
                    if len(component) > 1:
                        found.append(sorted(component))
            elif other not in number:
                number[other] = low[other] = len(number)
                stack.append(other)
                work.append((other, iter(sorted(graph[other]))))
            else:
                low[unit] = min(low[unit], number[other] if other in stack else len(graph))
    return sorted(found)


def findings(graph):
    """One for each include that lies on a cycle."""
    for component in cycles(graph):
        for unit in component:
            for other, (file, at) in sorted(graph[unit].items()):
                if other in component:
                    yield report.Finding('src/' + file.path, file.line(at), f'depends on {other}, which depends on it',
                                        f'break the cycle of these {len(component)} units')


def main():
    tree = source.Tree()
    graph = units_by_include(tree)
    layered = {unit: others for unit, others in units_by_symbol(tree).items() if unit.split('/')[0] in LAYERED}
    report.finish(f'no cycle among {len(graph)} units', [*findings(graph), *findings(layered)])


if __name__ == '__main__':
    main()
