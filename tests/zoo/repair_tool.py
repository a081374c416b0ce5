"""A repair tool as a command line, and what it says about its repair.  Standard library only.

A template has {model}, {axes} (input:0=batch ...) and {out}; a program alone is called as axed is.  Exit 0 means that the
tool vouches for the written model under the conditions that it prints, 1 that it refuses.
"""

import json
import os
import re
import resource
import shlex
import subprocess
import time

import expr

AXED = '{program} repair {model} {axes} -o {out} --json'
GIGABYTES = 8
UPPER = re.compile(r' (<=|<|=|in) ')
MULTIPLE = re.compile(r'% \d+ = \d+$')


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))


class Said:
    """CONDITIONS can be evaluated (see expr.holds), ASSUMES cannot; REASON is why it refuses; PROOFS by axis name; WARNINGS
    excuse nothing."""

    def __init__(self):
        self.conditions, self.assumes, self.reason, self.proofs, self.warnings = [], [], '', {}, []

    def condition(self, text, names):
        """A condition about these names, or else an assumption."""
        text = text.strip()
        try:
            expr.holds(text, dict.fromkeys(names, 12))
        except (expr.Unknown, ValueError, TypeError, IndexError, AttributeError):
            if text not in self.assumes:
                self.assumes.append(text)
        else:
            if text not in self.conditions:
                self.conditions.append(text)

    def allows(self, sizes):
        return all(expr.holds(text, sizes) for text in self.conditions)

    def upper(self):
        """The conditions that large sizes break; a multiple (H % 32 = 0) is none."""
        return [text for text in self.conditions if UPPER.search(text) and not MULTIPLE.search(text)]

    def only_to(self, old):
        """Is some name held at its old size or below?"""
        bound = {name for text in self.upper() for name in expr.mentions(text)} & set(old)
        return any(not any(self.allows({**old, n: size}) for size in range(old[n] + 1, 2 * old[n] + 1)) for n in bound)

    def plain(self):
        out = {'conditions': self.conditions, 'assumes': self.assumes, 'reason': self.reason, 'proofs': self.proofs}
        out['warnings'] = self.warnings
        return {k: v for k, v in out.items() if v}


def listed(value):
    return value if isinstance(value, list) else [] if value in (None, '') else [value]


def read_json(row, names, said):
    """One object of `axed repair --json`."""
    reasons = []
    for axis in row.get('axes', []):
        name = axis.get('name') or str(axis.get('axis', '')).partition('=')[2]
        if axis.get('proof'):
            said.proofs[name] = axis['proof']
        for bound in listed(axis.get('bound')) + listed(axis.get('bounds')):
            said.condition(f'{name} <= {bound}' if isinstance(bound, int) else bound, names)
        for text in listed(axis.get('assumes')):
            said.condition(text, names)
        if axis.get('reason') and not axis.get('freed'):
            reasons.append(f'{axis.get("input", "")}:{axis.get("axis")}: {axis["reason"]}'.lstrip(':'))
    for text in listed(row.get('assumes')) + listed(row.get('bounds')):
        said.condition(text, names)
    said.warnings += listed(row.get('warnings'))
    return reasons


def read_text(line, names, said):
    """One line of the prototype, or of axed without --json."""
    if match := re.match(r'bound: (\S+) (<=|>=) ?(\S+)', line):
        said.condition(' '.join(match.groups()), names)
    elif line.startswith('assumes: '):
        said.condition(line[len('assumes: ') :], names)
    elif match := re.match(r'(\S+) (item by item|by shape.*)', line):
        said.proofs[match[1]] = match[2][:80]
    elif line.startswith(('cannot: ', 'ambiguous: ', 'axed: ')):
        return [line]
    return []


def read(out, err, names):
    """What a run printed; NAMES are those that were asked for."""
    said, reasons, loose = Said(), [], []
    for line in out.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        reasons += read_json(row, names, said) if isinstance(row, dict) else read_text(line, names, said)
    for line in err.splitlines():
        loose += read_text(line, names, said)
    said.reason = '; '.join(dict.fromkeys(reasons or loose))[:1500]
    return said


class Tool:
    def __init__(self, text, seconds=60):
        text = text if '{' in text else AXED.replace('{program}', shlex.quote(os.path.abspath(text)))
        self.words, self.seconds = shlex.split(text), seconds

    def command(self, model, axes, out):
        words = []
        for word in self.words:
            words += axes if word == '{axes}' else [word.replace('{model}', model).replace('{out}', out)]
        return words

    def run(self, model, axes, out):
        """Exit code (None: too slow), what it says, seconds."""
        start, names = time.time(), [a.partition('=')[2] for a in axes]
        if os.path.exists(out):
            os.remove(out)
        try:
            done = subprocess.run(
                self.command(model, axes, out),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.seconds,
                preexec_fn=limit,
                env={**os.environ, 'OMP_NUM_THREADS': '1'},
            )
        except subprocess.TimeoutExpired:
            return None, Said(), time.time() - start
        out, err = (text.decode(errors='replace') for text in (done.stdout, done.stderr))
        said = read(out, err, names)
        if done.returncode != 0 and not said.reason:
            said.reason = (err.strip() or out.strip())[-400:]
        return done.returncode, said, time.time() - start
