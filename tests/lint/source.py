"""The C sources of a tree as the lints read them: tokens, includes, and what each file declares.

This is not a compiler: it relies on how this tree is formatted, and reads both branches of an #if.
"""

import bisect
import collections
import functools
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')', re.S)
TOKEN = re.compile(r'''(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*) | (?P<string>"(?:[^"\\\n]|\\.)*") |
                       (?P<char>'(?:[^'\\\n]|\\.)*') | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*) |
                       (?P<name>[A-Za-z_]\w*) | (?P<mark>\.\.\.|->|\#\#|\S)''', re.X | re.M | re.S)
DEFINE = re.compile(r'\s*#\s*define\s+(\w+)(\(([^)]*)\))?(.*)', re.S)
INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)')

Token = collections.namedtuple('Token', 'kind text at')
# kind: function (a definition), prototype, object, type, tag (of a struct, union or enum, with its body),
# forward (a tag without), enumerator or macro.
Declared = collections.namedtuple('Declared', 'kind name static at')
Include = collections.namedtuple('Include', 'name system at')


def tokens_of(text):
    return [Token(m.lastgroup, m[0], m.start()) for m in TOKEN.finditer(text)]


def group_end(tokens, i):
    """The index after the bracket that closes the one at i."""
    depth = 0
    for k in range(i, len(tokens)):
        if tokens[k].kind == 'mark':
            depth += (tokens[k].text in '([{') - (tokens[k].text in ')]}')
            if depth == 0:
                return k + 1
    return len(tokens)


class Source:
    """A file; `path` is as in an #include, "sym/sym.h"."""

    def __init__(self, tree, path):
        self.tree, self.path = tree, path
        self.room = path.split('/')[0]
        self.unit, self.ending = os.path.splitext(path)
        with open(os.path.join(tree.top, 'src', path), encoding='utf-8') as file:
            self.text = file.read()
        # Comments become blanks, so that offsets stay valid.
        code = NOISE.sub(lambda m: m[1] or re.sub(r'[^\n]', ' ', m[0]), self.text)
        self.tokens = tokens_of(code)
        self.directives = [t for t in self.tokens if t.kind == 'directive']
        self.includes = [Include(m[2], m[1] == '<', t.at) for t in self.directives if (m := INCLUDE.match(t.text))]
        self.macros = {m[1]: m for t in self.directives if (m := DEFINE.match(t.text))}

    @functools.cached_property
    def starts(self):
        return [m.start() for m in re.finditer(r'^', self.text, re.M)]

    def line(self, at):
        return bisect.bisect_right(self.starts, at)

    @functools.cached_property
    def declared(self):
        undone = {t.text.split()[1] for t in self.directives if t.text.startswith('#undef')}
        macros = [Declared('macro', m[1], False, t.at) for t in self.directives
                  if (m := DEFINE.match(t.text)) and m[1] not in undone]
        found = []
        made = self.ending == '.h' and any(i.name.endswith('.def') for i in self.includes)
        tokens = self.expanded(self.tokens) if made else self.tokens  # with the prototypes that rows expand to
        for chunk in chunks([t for t in tokens if t.kind != 'directive']):
            found += declarations(chunk)
        return macros + found + [Declared('enumerator', name, False, at)
                                 for at, names in self.enums for name in names]

    @functools.cached_property
    def enums(self):
        """[(offset, [enumerator])], including those that the rows of a .def or of a list macro expand to."""
        found = []
        for i, token in enumerate(self.tokens):
            if token.text == 'enum':
                k = i + 1 + (self.tokens[i + 1].kind == 'name')
                if self.tokens[k].text == '{':
                    body = self.expanded(self.tokens[k + 1:group_end(self.tokens, k) - 1])
                    found.append((token.at, enumerators(body)))
        return found

    def expanded(self, tokens):
        """The tokens after preprocessing, as far as tables of rows need it."""
        macros, out, i = {**self.tree.macros, **self.macros}, [], 0
        tokens = list(tokens)
        while i < len(tokens):
            t = tokens[i]
            i += 1
            if t.kind == 'directive':
                if m := DEFINE.match(t.text):
                    macros[m[1]] = m
                elif (m := INCLUDE.match(t.text)) and m[2].endswith('.def'):
                    tokens[i:i] = self.tree.files[m[2]].tokens
            elif i < len(tokens) and tokens[i].text == '(' and t.text in macros and takes_words(macros[t.text]):
                end = group_end(tokens, i)
                tokens[i:end] = tokens_of(call_macro(macros[t.text], arguments(tokens[i + 1:end - 1])))
            else:
                out.append(t)
        return out


def arguments(tokens):
    words, depth = [''], 0
    for t in tokens:
        depth += (t.text in ('(', '[', '{')) - (t.text in (')', ']', '}'))
        if t.text == ',' and depth == 0:
            words.append('')
        else:
            words[-1] += t.text + ' '
    return [w.strip() for w in words]


def takes_words(macro):
    """Whether it has parameters.  One that names itself would expand forever."""
    return macro[2] and not re.search(rf'\b{macro[1]}\b', macro[4])


def call_macro(macro, words):
    names = [p.strip() for p in macro[3].split(',')]
    given = dict(zip(names, words))
    body = macro[4].replace('\\\n', ' ')
    body = re.sub(r'\b[A-Za-z_]\w*\b', lambda m: given.get(m[0], m[0]), body)
    return re.sub(r'\s*##\s*', '', body)


def enumerators(body):
    """The first name after each comma."""
    names, fresh, i = [], True, 0
    while i < len(body):
        if fresh and body[i].kind == 'name':
            names.append(body[i].text)
            fresh = False
        fresh = fresh or body[i].text == ','
        i = group_end(body, i) if body[i].text in ('(', '[', '{') else i + 1
    return names


def chunks(tokens):
    """Splits a file at the semicolons outside brackets; a function ends with its body."""
    start = i = 0
    while i < len(tokens):
        text = tokens[i].text
        if text in ('(', '[', '{') and tokens[i].kind == 'mark':
            end = group_end(tokens, i)
            if text == '{' and is_function(tokens[start:i]):
                yield tokens[start:end]
                start = end
            i = end
            continue
        i += 1
        if text == ';':
            yield tokens[start:i]
            start = i


def is_function(head):
    """Whether a brace after these tokens opens a body: they end with parameters, or with attributes after them."""
    while head and head[-1].kind == 'name' and head[-1].text.isupper():
        head = head[:-1]
    return bool(head) and head[-1].text == ')' and not any(t.text == '=' for t in head)


def outermost(chunk):
    """Indices of the tokens outside brackets, and of the opening brackets."""
    i = 0
    while i < len(chunk):
        yield i
        i = group_end(chunk, i) if chunk[i].kind == 'mark' and chunk[i].text in '([{' else i + 1


def declarations(chunk):
    words = [chunk[i] for i in outermost(chunk)]
    texts = [w.text for w in words]
    if texts[0] in ('static_assert', '_Static_assert'):
        return []
    static = 'static' in texts
    found = []
    for i, text in enumerate(texts[:-2]):
        if text in ('struct', 'union', 'enum') and words[i + 1].kind == 'name' and texts[i + 2] in ('{', ';'):
            kind = 'tag' if texts[i + 2] == '{' else 'forward'
            found.append(Declared(kind, texts[i + 1], False, words[i + 1].at))
    if name := declared_name(chunk, words):
        kind = 'type' if texts[0] == 'typedef' else 'object'
        if kind == 'object' and '=' not in texts and is_call(words, name):
            kind = 'function' if texts[-1] == '{' else 'prototype'
        found.append(Declared(kind, name.text, static, name.at))
        found += [Declared(kind, b.text, static, b.at) for a, b in zip(words, words[1:])
                  if a.text == ',' and b.kind == 'name']
    return found


def is_call(words, name):
    return any(a is name and b.text == '(' for a, b in zip(words, words[1:]))


def declared_name(chunk, words):
    """The name that is declared: the last before the parameters, the bounds, the value or the end."""
    if len(words) > 2 and words[0].text in ('struct', 'union', 'enum') and words[2].text == ';':
        return None
    last = None
    for i, w in enumerate(words):
        after = words[i + 1].text if i + 1 < len(words) else ''
        if w.text in ('=', '[', ';', ','):
            return last
        if w.text == '(' and last and not last.text.isupper() and last is words[i - 1]:
            inner = chunk[chunk.index(w) + 1:group_end(chunk, chunk.index(w)) - 1]
            if inner and inner[0].text == '*':  # a pointer to a function: (*name)(...)
                return next(t for t in inner if t.kind == 'name' and t.text != 'const')
            return last
        if w.text == '{' and i and words[i - 1].kind == 'name':
            last = None  # the object, if any, comes after the tag and its body
        elif w.kind == 'name' and not (i and words[i - 1].text in ('struct', 'union', 'enum') and after != '('):
            last = w if w.text not in ('struct', 'union', 'enum', 'static', 'const') else last
    return last


class Tree:
    """The sources below src/ of a tree; `files` by their paths."""

    def __init__(self, top=TOP):
        self.top = top
        self.files = {}
        for folder, _, names in os.walk(os.path.join(top, 'src')):
            for name in names:
                if name.endswith(('.c', '.h', '.def')):
                    path = os.path.relpath(os.path.join(folder, name), os.path.join(top, 'src'))
                    self.files[path] = Source(self, path)
        self.files = dict(sorted(self.files.items()))
        self.headers = [f for f in self.files.values() if f.ending == '.h']
        self.sources = [f for f in self.files.values() if f.ending == '.c']
        self.code = [f for f in self.files.values() if f.ending != '.def']

    @functools.cached_property
    def macros(self):
        """Of all headers."""
        return {name: m for header in self.headers for name, m in header.macros.items()}

    def reached(self, file):
        """Every header that the file includes, directly or not."""
        reached, todo = set(), [file]
        for f in todo:
            new = {i.name for i in f.includes} - reached
            reached |= new
            todo += [self.files[name] for name in new if name in self.files]
        return reached
