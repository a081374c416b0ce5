"""No sentence says "1 nodes": a count goes before %s and PLURAL(count, "node", "nodes").

Looks at every format of src/ for a number that is followed by a noun in the plural.
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Verbs, and words that do not count.
VERBS = set('is its has was does counts stays less indexes numbers as occurs needs exceeds comes takes declares differs '
            'meets goes depends runs exists changes returns pass always axis'.split())
# Those that are never 1: a constant of the program, or checked before.
MANY = """
app/cli_export.c dots
app/cli_fit.c exports
app/tui_lines_view.c columns
app/verify/plan.c sizes
app/verify/python.c bytes
app/verify/script.c outputs
base/bug.c bytes
edit/fit/fit.c exports
edit/fit/pairs.c attributes
edit/repair/goals.c axes
edit/rewrite.c bytes
export/render/render.c dots
export/render/render.c pixels
export/render/render.c seconds
export/sheet/sheet.c cells
export/writers.c boxes
export/writers.c lines
flow/align.c places
flow/bodies.c times
flow/rules_window.c windows
ir/tensor.c bytes
ops/attention.c heads
ops/cast.c bits
ops/concat.c outputs
ops/constant.c entries
ops/elementwise.c ranks
ops/if.c types
ops/linearattention.c heads
ops/normalize.c groups
ops/signal.c parts
ops/training.c groups
report/declared.c bytes
report/origin.c nodes
sym/parse.c bytes
ui/search/query.c bytes
wire/patch_model.c bytes
"""
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.|"\s*PRI\w+\s*"|"\s*\n\s*")*"')
COUNTED = re.compile(r'%(?:zu|d|u|lu|l+d|" PRI\w+ ") (?:\w+ ){0,2}?([a-z]+s)\b')


def found():
    for path in sorted(glob.glob(f'{TOP}/src/**/*.c', recursive=True)):
        name = os.path.relpath(path, f'{TOP}/src')
        text = open(path, encoding='utf-8').read()
        for literal in LITERAL.finditer(text):
            for counted in COUNTED.finditer(re.sub(r'"\s*\n\s*"', '', literal[0])):
                if counted[1] not in VERBS:
                    yield name, text.count('\n', 0, literal.start()) + 1, counted[1]


allowed = {tuple(line.split()) for line in MANY.split('\n') if line}
seen = list(found())
bad = [f'src/{name}:{line}: "1 {noun}"? use PLURAL' for name, line, noun in seen if (name, noun) not in allowed]
bad += [f'tests/lint/plurals.py: {" ".join(row)} is not there' for row in sorted(allowed - {(n, noun) for n, _, noun in seen})]
print('1..1')
for line in bad:
    print('#', line)
print(('not ok' if bad else 'ok') + ' 1 - counts agree with their nouns')
sys.exit(bool(bad))
