"""Every path that the program writes is in the table of src/README.md, with the guard that it passes.

A function that opens for writing, creates, renames, removes, or changes the mode or owner of a file is named there, and every
function that is named there as a writer does so.
"""

import os
import re

import paths
import report
import source

HEADING = 'What is written'
ALWAYS = set('creat mkstemp mkostemp mkdtemp tmpfile rename renameat renameat2 unlink unlinkat remove rmdir mkdir mkdirat mknod mkfifo link '
             'linkat symlink symlinkat chmod fchmod fchmodat chown fchown fchownat lchown truncate'.split())
BY_FLAGS = {'open', 'openat', 'fopen', 'freopen', 'fdopen'}
READS = re.compile(r'\bO_RDONLY\b|"r[be]*"')
# Programs that run while axed is built.
TOOLS = {'app/embed.c', 'app/manual.c'}


def writes(tokens):
    """The first call in a definition that may write."""
    for i, text in enumerate(tokens[:-1]):
        if tokens[i + 1] != '(' or (i and tokens[i - 1] in ('.', '->')):
            continue
        if text in ALWAYS:
            return text
        if text in BY_FLAGS:
            end = next((k for k in range(i, len(tokens)) if tokens[i + 1:k].count('(') == tokens[i + 1:k].count(')') > 0), len(tokens))
            if not READS.search(' '.join(tokens[i:end])):
                return text
    return None


def main():
    code = paths.Code(source.Tree())
    with open(os.path.join(source.TOP, paths.PAGE), encoding='utf-8') as file:
        section = paths.sections(file.read().splitlines())[HEADING]
    told = {}
    for number, cells in paths.rows_of(section):
        for names, path in paths.NAMED.findall(cells[1]):
            told.update({(path, name): number for name in re.findall(r'\w+', names)})
        if not paths.NAMED.search(cells[1]) or not cells[2]:
            paths.complain(number, 'a row has a path, its writers and a guard')
    found = set()
    for file in code.tree.sources:
        for name, tokens in code.definitions(file.path).items() if file.ending == '.c' and file.path not in TOOLS else ():
            call = writes(tokens)
            if call:
                found.add((file.path, name))
            if call and (file.path, name) not in told:
                paths.found.append(report.Finding('src/' + file.path, 1, f'{name} calls {call}, and is not in "{HEADING}" of {paths.PAGE}',
                                                  'write through wire/atomic.h, or add a row'))
    for (path, name), number in told.items():
        if (path, name) not in found:
            paths.complain(number, f'{name} (src/{path}) writes nothing')
    report.finish(f'{len(found)} functions that write files are in the table', paths.found)


if __name__ == '__main__':
    main()
