"""How axes go through operators, as text: each paragraph of FILE is a small graph with fixed sizes; TAP out.

    test_rules.py FILE [--show]

    Reshape joins two axes                graphs are written as for tests/ops/rules.py
    	x float32[3, 4, 5]
    	t int64[2] = 12, 5
    	y = Reshape(x, t)
    	> y x:0*x:1 | x:2                 the axes of y, as `axed explain --flow` says: see show_factor
    	> x:0 item by item                `axed repair x:0=n`: how it is proved, and where items meet
    	> x:1 by shape: it is reduced
    	> x:2 refused: a weight           or why it is refused: a part of the reason
    	> x:0 z:0 item by item            both are freed together

Every kind of src/flow/rules.def must have a paragraph whose last node is of that kind.  --show prints the file with what
axed says now, to be read before it is kept.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, '..', '..')
sys.path[:0] = [os.path.join(HERE, '..', 'ops'), os.path.join(HERE, '..', 'models')]
import build
import rules

GOALS = re.compile(r'((?:\w+:\d+ ?)+)(.*)')


class Flow(rules.Case):
    """A graph whose expectations are about axes."""

    def __init__(self, name, lines):
        self.goals, self.tensors = [], []
        super().__init__(name, lines)

    def read(self, line, inner):
        goals = GOALS.fullmatch(line[2:]) if line.startswith('> ') else None
        if goals:
            self.goals.append((goals[1].split(), goals[2].strip()))
        elif line.startswith('> '):
            name, _, axes = line[2:].partition(' ')
            self.tensors.append((name, axes))
        else:
            super().read(line, inner)

    def model(self):
        outputs = [build.value(n) for n, _ in self.tensors]
        return build.model(build.graph('g', self.nodes, self.inputs, outputs, self.constants), opset=self.opset)

    def last_op(self):
        return [re.match(r'[\w, ]* = (?:[\w.]+::)?(\w+)\(', line)[1] for line in self.lines
                if re.match(r'[\w, ]* = (?:[\w.]+::)?\w+\(', line)][-1]


# ---- what axed says ----

def show_factor(factor):
    """A number, x:0 (the whole axis), part(x:0) (a digit of it), of(x:0, x:1) (made of them), or ?."""
    sources = ', '.join(f'{s["input"]}:{s["axis"]}' for s in factor['from'])
    return {'fixed': str(factor['size']), 'whole': sources, 'part': f'part({sources})', 'computed': f'of({sources})',
            'unknown': '?'}[factor['how']]


def show_axes(path, tensor):
    axes = rules.ask('explain', '--flow', '--json', path, tensor)['axes']
    return ' | '.join('?' if a['factors'] is None else '*'.join(map(show_factor, a['factors'])) or '1' for a in axes)


def show_repair(path, goals):
    words = [rules.AXED, 'repair', path, '-n', '--json', *(f'{goal}=n' for goal in goals)]
    done = subprocess.run(words, capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        raise RuntimeError(f'repair: exit {done.returncode}: {done.stderr.decode(errors="replace")}')
    axis = json.loads(done.stdout)['axes'][0]
    if not axis['freed']:
        return 'refused: ' + axis['reason'].split(': ', 1)[-1]
    return axis['proof'] + (f': {axis["mixes"].split(": ", 1)[-1]}' if axis['mixes'] else '')


def fits(got, wanted):
    return wanted in got if wanted.startswith('refused: ') else got == wanted


def answers(case, path):
    """The expectations, and what axed says instead."""
    for name, wanted in case.tensors:
        yield f'> {name}', wanted, show_axes(path, name)
    for goals, wanted in case.goals:
        yield f'> {" ".join(goals)}', wanted, show_repair(path, goals)


# ---- which kinds ----

def kinds_of_operators():
    kinds = {}
    for name in os.listdir(os.path.join(TOP, 'src', 'ops')):
        if not name.endswith('.def'):
            continue
        with open(os.path.join(TOP, 'src', 'ops', name), encoding='utf-8') as file:
            for op, kind in re.findall(r'^\w+\(\w+, (\w+),.*\bFLOW\((\w+)\)', file.read(), re.M):
                kinds.setdefault(op, set()).add(kind)
    return kinds


def kinds_without(cases):
    with open(os.path.join(TOP, 'src', 'flow', 'rules.def'), encoding='utf-8') as file:
        wanted = re.findall(r'^FLOW_RULE\((\w+),', file.read(), re.M)
    known = kinds_of_operators()
    have = set().union(*(known.get(case.last_op(), set()) for case in cases))
    return [kind for kind in wanted if kind not in have]


def show(cases, path):
    for case in cases:
        print(case.name)
        for line in case.lines:
            if not line.startswith('> '):
                print('\t' + line)
        with open(path, 'wb') as out:
            out.write(case.model())
        for what, wanted, got in answers(case, path):
            print('\t' + what, wanted if wanted and fits(got, wanted) else got)
        print()


def main():
    cases = list(rules.read_cases(sys.argv[1], Flow))
    missing = kinds_without(cases)
    with tempfile.TemporaryDirectory(prefix='axed-test-') as folder:
        path = os.path.join(folder, 'case.onnx')
        if '--show' in sys.argv:
            show(cases, path)
            return
        print(f'1..{len(cases) + 1}')
        failed = bool(missing)
        for kind in missing:
            print('# no paragraph ends with an operator of the kind', kind)
        print('not ok' if missing else 'ok', 1, '- every kind has a paragraph')
        for number, case in enumerate(cases, 2):
            with open(path, 'wb') as out:
                out.write(case.model())
            problems = [f'{what} {got}, expected {wanted}' for what, wanted, got in answers(case, path)
                        if not fits(got, wanted)]
            for problem in problems:
                print('#', problem)
            failed = failed or bool(problems)
            print('not ok' if problems else 'ok', number, '-', case.name, flush=True)
    sys.exit(failed)


if __name__ == '__main__':
    main()
