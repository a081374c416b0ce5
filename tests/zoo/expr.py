"""Reads and evaluates the expressions and conditions that axed prints.  Needs only the standard library."""

import math
import operator
import re
from fractions import Fraction

TOKEN = re.compile(r'\s*(?:(\d+(?:\.\d+)?)|`((?:[^`]|``)*)`|([A-Za-z_?][\w.:?]*)|(\*\*|//|[<>=!]=|[-+*/%(),<>=]))')
FUNCTIONS = {
    'floor',
    'ceil',
    'trunc',
    'max',
    'min',
    'broadcast',
    'mod',
    'abs',
    'round',
    'where',
    'int',
    'float32',
    'float64',
    'float16',
    'sqrt',
    'pow',
}

COMPARE = {
    ' <= ': operator.le,
    ' >= ': operator.ge,
    ' != ': operator.ne,
    ' = ': operator.eq,
    ' < ': operator.lt,
    ' > ': operator.gt,
}


class Unknown(Exception):
    """A name without a size; a form that is not understood."""


class Parser:
    def __init__(self, text, names):
        self.text, self.names, self.at = text, names, 0
        self.tokens = []
        while self.at < len(text.rstrip()):
            match = TOKEN.match(text, self.at)
            if not match:
                raise Unknown(f'cannot read {text!r}')
            self.tokens.append(match)
            self.at = match.end()
        self.i = 0

    def peek(self):
        return self.tokens[self.i][4] if self.i < len(self.tokens) else None

    def take(self, *wanted):
        if self.i < len(self.tokens) and self.tokens[self.i][4] in wanted and self.tokens[self.i][4]:
            self.i += 1
            return self.tokens[self.i - 1][4]
        return None

    def sum(self):
        value = self.product()
        while op := self.take('+', '-'):
            other = self.product()
            value = value + other if op == '+' else value - other
        return value

    def product(self):
        """Fractions stay exact: floor(a/b) and ceil(a/b) round them."""
        value = self.power()
        while op := self.take('*', '/', '//', '%'):
            other = self.power()
            if op == '*':
                value = value * other
            elif not other:
                raise Unknown('division by zero')
            elif op == '//':
                value = value // other
            elif op == '%':
                value = value % other
            else:
                value = Fraction(value) / other
        return value

    def power(self):
        value = self.factor()
        return value ** self.factor() if self.take('**') else value

    def factor(self):
        if self.take('-'):
            return -self.factor()
        if self.take('('):
            value = self.sum()
            if not self.take(')'):
                raise Unknown(f'cannot read {self.text!r}')
            return value
        if self.i >= len(self.tokens):
            raise Unknown(f'cannot read {self.text!r}')
        number, quoted, word, _ = self.tokens[self.i].groups()
        self.i += 1
        if number:
            return Fraction(number) if '.' in number else int(number)
        if word in FUNCTIONS and self.peek() == '(':
            return self.call(word)
        name = quoted if quoted is not None else word
        if name is None or name not in self.names:
            raise Unknown(name or f'cannot read {self.text!r}')
        return self.names[name]

    def compare(self):
        a, sign, b = self.sum(), self.take('>=', '<=', '==', '!=', '>', '<', '='), self.sum()
        return {'>=': a >= b, '<=': a <= b, '==': a == b, '=': a == b, '!=': a != b, '>': a > b, '<': a < b}[sign]

    def call(self, word):
        self.take('(')
        if word == 'where':
            return self.where()
        values = [self.sum()]
        while self.take(','):
            values.append(self.sum())
        if not self.take(')'):
            raise Unknown(f'cannot read {self.text!r}')
        return apply(word, values)

    def where(self):
        start = self.i
        try:
            chosen = self.compare()
        except KeyError:
            self.i = start
            chosen = self.sum() != 0
        values = []
        while self.take(','):
            values.append(self.sum())
        if not self.take(')') or len(values) != 2:
            raise Unknown(f'cannot read {self.text!r}')
        return values[0] if chosen else values[1]


def apply(word, values):
    if word == 'floor':
        return math.floor(values[0])
    if word == 'ceil':
        return math.ceil(values[0])
    if word in ('float32', 'float64', 'float16'):
        return Fraction(values[0])  # exact: rounding hardly ever matters
    if word in ('trunc', 'int'):
        return math.trunc(values[0])
    if word in ('max', 'min'):
        return max(values) if word == 'max' else min(values)
    if word == 'broadcast':
        return next((v for v in values if v != 1), 1)
    raise Unknown(word)


def evaluate(text, names):
    """The value of an expression; a name alone may hold any character."""
    if isinstance(text, int):
        return text
    if text in names:
        return names[text]
    parser = Parser(text, names)
    value = parser.sum()
    if parser.i != len(parser.tokens):
        raise Unknown(f'cannot read {text!r}')
    return value


def mentions(text):
    """The names in an expression or condition, quoted or bare."""
    quoted = re.findall(r'`([^`]*)`', text)
    bare = re.findall(r'[A-Za-z_?][\w.:?]*', re.sub(r'`[^`]*`', ' ', text))
    return set(quoted) | {b for b in bare if b not in FUNCTIONS}


def split(text, sign):
    """Both sides of the first sign outside of parentheses and quotes, or None."""
    depth, quoted = 0, False
    for i, c in enumerate(text):
        quoted ^= c == '`'
        depth += (c == '(') - (c == ')')
        if depth == 0 and not quoted and text.startswith(sign, i):
            return text[:i], text[i + len(sign) :]
    return None


def sides(text, sign, names):
    pair = split(text, sign)
    return pair and tuple(evaluate(side, names) for side in pair)


def holds(text, names):
    """Does a condition hold?  Raises Unknown for what cannot be read."""
    if text.endswith(' or one is 1'):
        a, b = sides(text[: -len(' or one is 1')], ' = ', names)
        return a == b or 1 in (a, b)
    if pair := split(text, ' = 1 or '):
        return evaluate(pair[0], names) in (1, evaluate(pair[1], names))
    if pair := split(text, ' a multiple of '):
        whole, part = evaluate(pair[0].removesuffix(' is'), names), evaluate(pair[1], names)
        return part != 0 and whole % part == 0
    if (pair := split(text, ' in {')) and '…' not in pair[1]:
        return evaluate(pair[0], names) in {int(n) for n in pair[1].rstrip('}').split(',')}
    if pair := split(text, ' = ') or split(text, ' in '):
        if span := split(pair[1], ' … ') or split(pair[1], ' to '):
            return evaluate(span[0], names) <= evaluate(pair[0], names) <= evaluate(span[1], names)
    for sign, test in COMPARE.items():
        if pair := sides(text, sign, names):
            return test(*pair)
    raise Unknown(f'cannot read {text!r}')
