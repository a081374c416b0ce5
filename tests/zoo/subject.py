"""One model to be judged: its file, its inputs' declared dims, the sizes it was exported at.  Standard library only."""

import json
import os
import re
import subprocess

import spec


class Subject:
    """FACTS are those of facts.py."""

    def __init__(self, path, axed, facts):
        self.path, self.program, self.facts = path, axed, facts
        self.name = os.path.basename(path)[: -len('.onnx')]
        self.about, self.declared, self.makers = facts['about'], facts['declared'], facts['makers']
        self.behind = set(facts['behind'])
        self.stated = None

    def axed(self, *words):
        """Exit code, output, errors."""
        done = subprocess.run([self.program, *words], capture_output=True, timeout=120)
        return done.returncode, done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace')

    def json(self, *words):
        code, out, err = self.axed(*words, '--json')
        try:
            return code, json.loads(out)
        except ValueError:
            return code, {'broken': f'axed {words[0]}: exit {code}: {err.strip()[:200]}'}

    def shapes_at(self, bind):
        """The shapes of all inputs at a binding of the declaration's symbols."""
        return {n: [spec.size_of(d, bind) for d in spec.dims_of(self.about['inputs'][n])] for n in self.declared}

    def exported(self):
        return self.shapes_at(self.about['exported']) if 'inputs' in self.about else self.guess(0)

    def limits(self):
        """The least size and the multiple that `axes` states for each axis of the inputs; whether sizes fit is judged elsewhere."""
        if self.stated is None:
            self.stated = {}
            for axis in self.json('axes', self.path)[1].get('axes', []):
                text = ', '.join(axis['bounds'])
                least = [int(n) for n in re.findall(r'^`?[^ ]*`? >= (\d+)', text)] + [int(n) for n in re.findall(r', `[^ ]*` >= (\d+)', text)]
                part = [int(n) for n in re.findall(r'a multiple of (\d+)', text)]
                pinned = axis['value'] or (axis['range'] or [None])[0]
                self.stated[axis['input'], axis['axis']] = (max(least, default=1), max(part, default=1), pinned)
        return self.stated

    def guess(self, number):
        """Sizes for a file without a declaration: symbols get different small sizes, pictures larger ones."""
        sizes, symbols = {}, {}
        for name, dims in self.declared.items():
            wide = len(dims) >= 4 and self.facts['kinds'][name] == 'u'
            sizes[name] = [
                self.guess_dim(dim, wide and axis >= 2, number, symbols, self.limits().get((name, axis), (1, 1, None)))
                for axis, dim in enumerate(dims)
            ]
        return sizes

    @staticmethod
    def guess_dim(dim, wide, number, symbols, limits):
        if isinstance(dim, int):
            return max(dim, 1)
        least, part, pinned = limits
        if dim not in symbols:
            order = len(symbols)
            choice = (64, 96, 128, 160) if wide else (2, 3, 1, 5, 4, 7)
            size = choice[(number + order * (number > 0)) % len(choice)]
            size = size if size >= least else least + size
            symbols[dim] = pinned or (size + part - 1) // part * part
        return symbols[dim]

    def bindings(self):
        """Shapes of the inputs to run: the exported ones first."""
        if 'inputs' not in self.about:
            return [self.guess(i) for i in range(4)]
        if self.about['form'] != 'dynamic':
            return [self.exported()]
        sizes = self.about['sizes']
        count = max((len(s) for s in sizes.values()), default=1)
        return [self.shapes_at({k: v[min(i, len(v) - 1)] for k, v in sizes.items()}) for i in range(count)]

    def singles(self):
        """Shapes with one symbol of the declaration changed at a time, by symbol."""
        if self.about.get('form') != 'dynamic':
            return {}
        exported = self.about['exported']
        return {
            symbol: [self.shapes_at({**exported, symbol: n}) for n in options if n != exported[symbol]]
            for symbol, options in self.about['sizes'].items()
        }

    def symbols(self, shapes):
        """The sizes of the file's symbols when the inputs have these shapes, or None where they contradict."""
        out = {}
        for name, dims in self.declared.items():
            for dim, size in zip(dims, shapes[name]):
                if isinstance(dim, int):
                    if dim > 0 and dim != size:
                        return None
                elif out.setdefault(dim, size) != size:
                    return None
        return out

    def case(self, shapes):
        return {'inputs': {n: [self.facts['kinds'][n], shapes[n]] for n in self.declared}}
