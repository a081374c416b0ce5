"""Only ops and cmd compare the names of operators and commands: what others need to know is in their rows.

A comparison is a literal with the name of an operator or a command that is passed to a comparing function, or a
table of operator names.  Printing a name or running a line of text is not one.
"""

import os
import re

import report
import source

# sym parses the function names of SymPy, such as Max and Where.
FREE = ('ops', 'cmd', 'sym')
COMPARES = re.compile(r'cmp$|_(is|eq|equals|starts|ends|compare|has)$')
OPERATOR = re.compile(r'\bOP\(\s*\w+\s*,\s*(\w+)')
COMMAND = re.compile(r'\b(?:COMMAND|LINE)\(\s*\w+\s*,\s*"([^"]+)"')


def read_names(tree):
    operators, commands = set(), set()
    for file in tree.files.values():
        if file.ending == '.def' and file.room == 'ops':
            operators |= set(OPERATOR.findall(file.text))
        elif os.path.basename(file.path) in ('commands.def', 'lines.def'):
            commands |= set(COMMAND.findall(file.text))
    return operators, commands


def literals(tokens):
    """For each string: its token, the function that it is passed to, and the offset of the table that it is in."""
    around = []  # of each open bracket: its token and the token before it
    for i, t in enumerate(tokens):
        if t.kind == 'mark' and t.text in '([{':
            around.append((t, tokens[i - 1]))
        elif t.kind == 'mark' and t.text in ')]}':
            around = around[:-1]
        elif t.kind == 'string':
            inner = [a for a in around if a[1].text not in ('SV', 'sv_of')]
            while len(inner) > 1 and inner[-1][0].text == inner[-2][0].text == '{' and inner[-1][1].text != '=':
                inner.pop()  # a row of a table
            bracket, before = inner[-1] if inner else (t, t)
            member = tokens[i - 1].text == '=' and tokens[i - 3].text == '.'
            yield t, before.text, bracket.at if bracket.text == '{' and before.text == '=' and not member else None


def findings(file, operators, commands):
    tables = {}
    for t, called, table in literals(file.tokens):
        name = t.text[1:-1]
        if name not in operators and name not in commands:
            continue
        if COMPARES.search(called):
            yield report.Finding('src/' + file.path, file.line(t.at), f'{called} with "{name}"',
                                'use a property from its row')
        elif table is not None and name in operators:
            tables.setdefault(table, []).append(name)
    for at, names in tables.items():
        yield report.Finding('src/' + file.path, file.line(at), f'a table with "{names[0]}"',
                            f'{len(names)} operators; what they have in common belongs in their rows')


def main():
    tree = source.Tree()
    operators, commands = read_names(tree)
    found = [f for file in tree.code if file.room not in FREE for f in findings(file, operators, commands)]
    title = f'no comparison with the names of {len(operators)} operators and {len(commands)} commands'
    report.finish(title, found)


if __name__ == '__main__':
    main()
