"""src/README.md is true: its files and functions exist, and each step of a path leads to the next.

    `take_keys`, `take_key` (app/x.c)        both are defined in that file
    1. `a`, `b` (app/x.c): ...               a step of a path: the body of each function names the next one
    2. `c` (app/y.c), back in `a`: ...       here the body of `a`, an earlier step, names `c`
    3. `d` (app/z.c), through `rows`: ...    the body of `c` calls a pointer; `rows`, a table or a function, names `d`

A table of rooms has what rooms.py allows.  In a table of subjects, each file of a row names a function of its row.
"""

import ast
import collections
import functools
import glob
import os
import re

import report
import source

PAGE = 'src/README.md'
NAMED = re.compile(r'((?:`\w+`, )*`\w+`) \(([\w./]+)\)')
FILE = re.compile(r'(?<![\w./*-])(?:[a-z.][\w.-]*/)+[\w.*-]*')
STEP = re.compile(r'\d+\. ')
# A step of a path.  `functions` are in one file; `back` and `through` are names, or ''.
Step = collections.namedtuple('Step', 'number functions file back through line')

found = []


def complain(line, detail, todo='correct the page'):
    found.append(report.Finding(PAGE, line, detail, todo))


class Code:
    """What functions and tables contain: the names and marks of their definitions."""

    def __init__(self, tree):
        self.tree = tree

    @functools.cache
    def definitions(self, path):
        """{name: its tokens}, of functions and objects, with the rows of tables."""
        file, out = self.tree.files[path], {}
        for chunk in source.chunks(file.expanded(file.tokens)):
            for d in source.declarations(chunk):
                if d.kind in ('function', 'object'):
                    out[d.name] = [t.text for t in chunk]
        return out

    @functools.cache
    def anywhere(self, name):
        """The definitions of that name in all files."""
        return [self.definitions(f.path)[name] for f in self.tree.sources
                if re.search(rf'\b{name}\b', f.text) and name in self.definitions(f.path)]


def calls_pointer(tokens):
    """Whether there is a call such as kind->run(c) or rows[i].run(c), or of a parameter: visit(c)."""
    body = tokens.index('{')
    parameters = tokens[tokens.index('('):body]
    return any(c == '(' and (a in ('->', '.') or b in parameters)
               for a, b, c in zip(tokens[body:], tokens[body + 1:], tokens[body + 2:]))


def sections(lines):
    """{heading: [(number of the line, its text)]}"""
    out = collections.defaultdict(list)
    heading = ''
    for number, line in enumerate(lines, 1):
        if line.startswith('## '):
            heading = line[3:]
        out[heading].append((number, line))
    return out


def rows_of(section):
    """The rows of its table without the heading, cell by cell."""
    rows = [(n, [c.strip() for c in line.strip('|').split('|')]) for n, line in section if line.startswith('|')]
    return rows[2:]


def steps_of(section):
    """Its paths: lists of steps.  A step 1 starts another one."""
    paths, items = [], []
    for number, line in section:
        if STEP.match(line):
            items.append((number, line))
        elif line.startswith('   ') and items:
            items[-1] = (items[-1][0], items[-1][1] + ' ' + line.strip())
    for number, text in items:
        head = re.match(r'(\d+)\. ' + NAMED.pattern + r'((?:, (?:back in|through) `\w+`)*): ', text)
        if not head:
            complain(number, f'not a step: {text[:40]}', 'see tests/lint/paths.py')
            continue
        ways = dict(re.findall(r'(back in|through) `(\w+)`', head[4]))
        step = Step(int(head[1]), re.findall(r'\w+', head[2]), head[3], ways.get('back in', ''),
                    ways.get('through', ''), number)
        if step.number == 1 or not paths:
            paths.append([])
        paths[-1].append(step)
    return paths


def check_call(code, line, where, function, wanted, through):
    body = code.definitions(where).get(function)
    if not body:
        return  # complained about already
    if not through:
        if wanted not in body:
            complain(line, f'{function} (src/{where}) does not name {wanted}')
    elif not calls_pointer(body):
        complain(line, f'{function} (src/{where}) calls no pointer')
    elif not any(wanted in tokens for tokens in code.anywhere(through)):
        complain(line, f'{through} does not name {wanted}')


def check_path(code, path):
    places, before = {}, None
    for count, step in enumerate(path, 1):
        if step.file not in code.tree.files:
            continue  # complained about already
        if step.number != count:
            complain(step.line, f'step {step.number} should be {count}')
        if step.back and step.back not in places:
            complain(step.line, f'no earlier step has {step.back}')
        for i, function in enumerate(step.functions):
            last = before if i or not step.back else step.back
            if last in places:
                way = step.through if i == 0 else ''
                check_call(code, step.line, places[last], last, function, way)
            places[function] = step.file
            before = function
    if len(path) < 3:
        complain(path[0].line, 'a path has at least three steps')


def check_names(code, lines):
    for number, line in enumerate(lines, 1):
        for names, path in NAMED.findall(line):
            if path not in code.tree.files:
                complain(number, f'src/{path} is no source')
                continue
            for name in re.findall(r'\w+', names):
                if name not in code.definitions(path):
                    complain(number, f'{name} is not defined in src/{path}')
        for path in FILE.findall(line):
            path = path.rstrip('.')
            if not any(glob.glob(os.path.join(source.TOP, folder, path)) for folder in ('src', '')):
                complain(number, f'there is no {path}')


def check_rooms(section):
    with open(os.path.join(os.path.dirname(__file__), 'rooms.py'), encoding='utf-8') as file:
        law = next(ast.literal_eval(s.value) for s in ast.parse(file.read()).body
                   if isinstance(s, ast.Assign) and s.targets[0].id == 'MAY_INCLUDE')
    rows = {cells[0]: (number, cells[-1]) for number, cells in rows_of(section)}
    for room, allowed in law.items():
        number, told = rows.pop(room, (1, ''))
        told = told.replace('nothing', '').replace('every room', ' '.join(r for r in law if r != room))
        if set(told.split()) != set(allowed.split()):
            complain(number, f'{room} may include {allowed or "nothing"}')
    for room, (number, _) in rows.items():
        complain(number, f'{room} is no room')


def check_subjects(code, section):
    """A row's files use what the row says is the builder; every file of the room is named."""
    for number, cells in rows_of(section):
        builders = [name for names, _ in NAMED.findall(cells[1]) for name in re.findall(r'\w+', names)]
        for path in FILE.findall(' '.join(cells[2:])):
            file = code.tree.files.get(path)
            if file and not any(re.search(rf'\b{name}\(', file.text) for name in builders):
                complain(number, f'src/{path} does not use {" or ".join(builders)}')
    text = '\n'.join(line for _, line in section)
    for file in code.tree.sources:
        if file.room == 'report' and file.path not in text:
            complain(section[0][0], f'src/{file.path} is not named', 'add its subject to the table')


def check_tests(section):
    told = {cells[0].split('/')[-1] for _, cells in rows_of(section)}
    for name in sorted(os.listdir(source.TOP + '/tests')):
        if os.path.isdir(f'{source.TOP}/tests/{name}') and not name.startswith(('.', '_')) and name not in told:
            complain(section[0][0], f'tests/{name} is not named', 'add it to the table')


def main():
    code = Code(source.Tree())
    with open(os.path.join(source.TOP, PAGE), encoding='utf-8') as file:
        lines = file.read().splitlines()
    page = sections(lines)
    check_names(code, lines)
    check_rooms(page['The rooms'])
    check_subjects(code, page['One answer per question'])
    check_tests(page['How it is tested'])
    paths = [p for heading, section in page.items() if heading.startswith('The path of') for p in steps_of(section)]
    for path in paths:
        check_path(code, path)
    if len(paths) < 2:
        complain(1, 'the paths are gone')
    report.finish(f'{sum(len(s.functions) for p in paths for s in p)} functions on {len(paths)} paths call each other', found)


if __name__ == '__main__':
    main()
