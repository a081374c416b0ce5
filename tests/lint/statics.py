"""A static name says where it belongs: no other file of the room has it, and it is more than one word.

This holds for functions and for objects outside functions.
"""

import collections

import report
import source

# One word that is enough, and why: at most 25 of them.
ARGUED = {}


def statics(tree, kinds=('function', 'object')):
    """[(file, declaration)], the first of each name in a file."""
    for file in tree.sources:
        seen = set()
        for d in file.declared:
            if d.static and d.kind in kinds and d.name not in seen:
                seen.add(d.name)
                yield file, d


def main():
    tree = source.Tree()
    all_of_them = list(statics(tree))
    places = collections.defaultdict(list)
    for file, d in all_of_them:
        places[file.room, d.name].append(file)
    found = []
    for file, d in all_of_them:
        others = [f.path for f in places[file.room, d.name] if f is not file]
        if others:
            found.append(report.Finding('src/' + file.path, file.line(d.at), f'{d.name} is static in another file too',
                                       f'name its subject, see src/{others[0]}'))
        if '_' not in d.name and d.name not in ARGUED:
            found.append(report.Finding('src/' + file.path, file.line(d.at), f'{d.name} is one word',
                                       f'name its subject, as in {file.unit.split("/")[-1]}_{d.name}'))
    idle = set(ARGUED) - {d.name for _, d in all_of_them}
    found += [report.Finding('tests/lint/statics.py', 1, f'{name} is not a static name', 'delete its row')
              for name in idle]
    if len(ARGUED) > 25:
        found.append(report.Finding('tests/lint/statics.py', 1, f'{len(ARGUED)} exceptions', 'at most 25'))
    report.finish(f'{len(all_of_them)} static names say where they belong', found)


if __name__ == '__main__':
    main()
