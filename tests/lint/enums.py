"""An array that is indexed by an enum has a row for each of its enumerators, so that a forgotten one fails by name.

This covers arrays with rows [THING_ONE] = ... or with the size THING_COUNT, unless the rows come from a .def.  In an
array that is sparse on purpose, a comment inside the braces says so; it begins with "the rest".
"""

import collections
import re

import report
import source

Array = collections.namedtuple('Array', 'at end name size body fixed')


def find_enum(tree, file, wanted):
    """The enumerators of the enum that has all of these: the file's own, or one of a header that it includes."""
    for path in (file.path, *sorted(tree.reached(file))):
        for _, names in tree.files[path].enums if path in tree.files else ():
            if wanted and wanted <= set(names):
                return [n for n in names if not n.endswith('_COUNT')]
    return None


def arrays(file):
    """Arrays with an initialiser in braces; with two dimensions, each row is an array."""
    tokens = file.tokens
    for i in range(3, len(tokens) - 1):
        if tokens[i].text != '=' or tokens[i + 1].text != '{' or tokens[i - 1].text not in (']', ')'):
            continue
        start = i
        while start and tokens[start - 1].text not in (';', '{', '}') and tokens[start - 1].kind != 'directive':
            start -= 1
        head = [t.text for t in tokens[start:i]]
        k = head.index('[') if '[' in head else 0
        if not k or tokens[start + k - 1].kind != 'name':
            continue
        name, last = tokens[start + k - 1], len(head) - head[::-1].index('[')
        end = source.group_end(tokens, i + 1)
        bodies = [tokens[i + 2:end - 1]]
        if head.count('[') == 2 and last > k + 1 and tokens[i + 2].text == '{':
            starts = [i + 2 + n for n in source.outermost(bodies[0])]
            bodies = [tokens[a + 1:source.group_end(tokens, a) - 1] for a in starts if tokens[a].text == '{']
        fixed = 'const' in head or tokens[start - 1].text == '}'
        for body in bodies:
            yield Array(name.at, tokens[end - 1].at, name.text, head[last] if head[last] != ']' else '', body, fixed)


def rows(tokens):
    """The designators of the rows, and how many rows have none."""
    named, plain, fresh = [], 0, True
    for i in source.outermost(tokens):
        if fresh and tokens[i].text == '[':
            named.append(tokens[i + 1].text)
        elif fresh:
            plain += 1
        fresh = tokens[i].text == ','
    return named, plain


def missing_rows(tree, file, array):
    """The enumerators without a row, or None when the array is not one by an enum."""
    if any(t.kind == 'directive' for t in array.body) or [t.text for t in array.body] in ([], ['0']):
        return None
    named, plain = rows(file.expanded(array.body))
    sized = {array.size} if array.size.endswith('_COUNT') else set()
    names = find_enum(tree, file, sized | set(named))
    if names is None or (plain and not array.fixed):  # the count is a capacity, not an index
        return None
    return names[plain:] if plain else [n for n in names if n not in named]


def main():
    tree = source.Tree()
    count, found = 0, []
    for file in tree.code:
        for array in arrays(file):
            missing = missing_rows(tree, file, array)
            count += missing is not None
            if missing and not re.search(r'/\* the rest\b', file.text[array.at:array.end]):
                found.append(report.Finding('src/' + file.path, file.line(array.at),
                                           f'{array.name} has no row for {" ".join(missing)}',
                                           'add it, or say what the rest is'))
    report.finish(f'{count} arrays have a row for each enumerator', found)


if __name__ == '__main__':
    main()
