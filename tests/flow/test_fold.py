"""Constants that are folded are those that ONNX Runtime computes: random nodes of every operator.

    test_fold.py FOLDS [--count N] [--seed S] [--op OP,OP] [--show N] [--record MODEL]
    test_fold.py FOLDS --hostile N
    test_fold.py FOLDS --recorded MODEL

FOLDS is the program of folds.c.  The first form needs onnx and onnxruntime, in this Python or in $AXED_JUDGE, and is
skipped without them.  The second runs nodes with one number changed to nonsense: FOLDS must not crash.  The third compares
with MODEL.txt, which --record writes: nodes whose bits must agree.
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import judges  # noqa: E402

OPSETS = (9, 10, 11, 12, 13, 14, 16, 18, 20, 21, 22)
NODES = 40  # of one model
# Largest relative and absolute error of what is not exact.
ERRORS = {'float16': 4e-3, 'bfloat16': 2e-2, 'float32': 3e-5, 'float64': 1e-9}


def fold(program, path):
    """{name: (element type, dims, bytes), or None when it has no elements}"""
    run = subprocess.run([program, path], capture_output=True, text=True, timeout=120)
    if run.returncode:
        sys.exit(f'{path}: exit {run.returncode}: {run.stderr[:2000]}')
    out = {}
    for line in run.stdout.splitlines():
        name, *rest = line.split('\t')
        out[name] = None if rest == ['-'] else (int(rest[0]), [int(d) for d in rest[1].split()], bytes.fromhex(rest[2]))
    return out


def recorded(program, path):
    made = fold(program, path)
    want = [line.split('\t') for line in open(path + '.txt', encoding='utf-8').read().splitlines()]
    wrong = [name for name, *rest in want
             if not made.get(name) or [str(made[name][0]), ' '.join(map(str, made[name][1])), made[name][2].hex()] != rest]
    for name in wrong:
        print('#', name, made.get(name))
    print('1..1')
    print('not ok' if wrong or len(want) < 100 else 'ok', f'1 - {len(want)} recorded constants')
    return bool(wrong)


class Suite:
    """Random nodes, in models of one opset version each."""

    def __init__(self, args):
        self.args = args
        judges.need()
        import numpy
        import onnx
        import onnxruntime

        self.np, self.onnx, self.runtime = numpy, onnx, onnxruntime
        import cases
        import cases_move  # noqa: F401
        self.cases = cases
        self.compared = collections.Counter()
        self.refused = collections.Counter()
        self.failed = collections.Counter()
        self.wrong = []
        self.recordings = []

    def proto(self, value, name):
        x, kind = value if isinstance(value, tuple) else (value, None)
        if kind:
            return self.onnx.helper.make_tensor(name, self.onnx.TensorProto.BFLOAT16, x.shape, x.flatten())
        return self.onnx.numpy_helper.from_array(self.np.ascontiguousarray(x).reshape(self.np.shape(x)), name)

    def attribute(self, key, value):
        if key in ('to', 'dtype'):
            return getattr(self.onnx.TensorProto, {'float32': 'FLOAT', 'float64': 'DOUBLE'}.get(value, value.upper()))
        return self.proto(value, key) if isinstance(value, self.np.ndarray) else value

    def add(self, graph, r, op, number):
        node = self.cases.CASES[op][0](r, op)
        names = []
        for i, x in enumerate(node.inputs):
            names.append('' if x is None else f'{op}{number}_in{i}')
            if x is not None:
                graph.initializer.append(self.proto(x, names[-1]))
        outputs = [f'{op}{number}_out{i}' for i in range(node.outputs)]
        attrs = {k: self.attribute(k, v) for k, v in node.attrs.items()}
        graph.node.append(self.onnx.helper.make_node(op, names, outputs, **attrs))
        for name in outputs:
            graph.output.add().name = name
        return outputs, node.exact

    def model(self, graph, opset):
        return self.onnx.helper.make_model(graph, opset_imports=[self.onnx.helper.make_opsetid('', opset)], ir_version=8)

    def run(self, model):
        options = self.runtime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        options.graph_optimization_level = self.runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        s = self.runtime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
        names = [o.name for o in model.graph.output]
        return dict(zip(names, s.run(names, {})))

    def truth(self, model):
        """All results; of single nodes when the runtime refuses one of them."""
        try:
            return self.run(model)
        except Exception:
            pass
        out = {}
        held = {t.name: t for t in model.graph.initializer}
        for node in model.graph.node:
            g = self.onnx.helper.make_graph([node], 'one', [], [], [held[n] for n in node.input if n])
            for name in node.output:
                g.output.add().name = name
            try:
                out.update(self.run(self.model(g, model.opset_import[0].version)))
            except Exception as e:
                self.failed[node.op_type] += 1
                if self.args.show > 1:
                    print('# runtime:', node.op_type, str(e)[:300])
        return out

    def differs(self, got, want, exact):
        np = self.np
        elem, dims, data = got
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(want.dtype)
        if elem != kind or list(want.shape) != dims:
            return f'{elem} {dims} instead of {kind} {list(want.shape)}'
        x = np.frombuffer(data, want.dtype).reshape(want.shape)
        if exact and want.tobytes() == data:
            return None
        if want.dtype.kind not in 'fV' and 'float' not in want.dtype.name:
            return None if (x == want).all() else f'{x.tolist()} instead of {want.tolist()}'
        error = 0 if exact else ERRORS[want.dtype.name]
        with np.errstate(all='ignore'):
            close = np.isclose(x.astype(np.float64), want.astype(np.float64), error, error, equal_nan=True)
        return None if close.all() else f'{x.tolist()} instead of {want.tolist()}'

    def one(self, number):
        np = self.np
        rng = np.random.default_rng([self.args.seed, number])
        opset = OPSETS[number % len(OPSETS)]
        r = self.cases.Random(rng, opset)
        ops = [op for op, (_, since) in sorted(self.cases.CASES.items()) if since <= opset and (not self.args.op or op in self.args.op)]
        graph = self.onnx.helper.make_graph([], 'fold', [], [])
        exact = {}
        for i in range(240 if self.args.record else NODES):
            outputs, is_exact = self.add(graph, r, ops[(number // len(OPSETS) * NODES + i) % len(ops)], i)
            exact.update(dict.fromkeys(outputs, is_exact))
        model = self.model(graph, opset)
        path = os.path.join(self.folder, 'fold.onnx')
        self.onnx.save(model, path)
        self.judge(model, fold(self.args.program, path), self.truth(model), exact)
        if self.args.record and number == len(OPSETS) - 3:
            self.record(path, exact)

    def judge(self, model, made, truth, exact):
        op_of = {o: n for n in model.graph.node for o in n.output}
        for name, want in truth.items():
            node, got = op_of[name], made.get(name)
            problem = 'not constant' if name not in made else None
            if got:
                self.compared[node.op_type] += 1
                problem = self.differs(got, want, exact[name])
            elif not problem:
                self.refused[node.op_type] += 1
            if problem:
                attrs = {a.name: self.onnx.helper.get_attribute_value(a) for a in node.attribute if a.name != 'value'}
                self.wrong.append((node.op_type, f'opset {model.opset_import[0].version} {attrs}: {problem[:400]}'))

    def spoil(self, model, rng):
        """Changes a number of most nodes: an attribute, an element of an input, a dim."""
        numbers = [0, 1, -1, 2, -5, 7, 63, 64, 1 << 20, 1 << 31, (1 << 62) - 1, (1 << 63) - 1, -1 << 63]
        pick = lambda: numbers[int(rng.integers(len(numbers)))]
        for node in model.graph.node:
            for a in node.attribute:
                if a.type == a.INT and not rng.integers(4):
                    a.i = pick()
                if a.ints and not rng.integers(3):
                    a.ints[int(rng.integers(len(a.ints)))] = pick()
            if not rng.integers(20) and node.input:
                node.input[int(rng.integers(len(node.input)))] = node.input[0]
        for t in model.graph.initializer:
            x = self.np.array(self.onnx.numpy_helper.to_array(t)) if t.data_type != t.BFLOAT16 else None
            if x is None or rng.integers(3):
                continue
            flat = x.reshape(-1)
            if x.dtype.kind in 'iu' and x.size:
                info = self.np.iinfo(x.dtype)
                flat[int(rng.integers(x.size))] = min(max(pick(), info.min), info.max)
            elif x.dtype.kind == 'f' and x.size:
                flat[int(rng.integers(x.size))] = rng.choice([0, -0.0, 1e30, -1e30, self.np.inf, -self.np.inf, self.np.nan])
            if not rng.integers(6):
                x = x.reshape(-1) if rng.integers(2) else x.reshape([*x.shape, 1])
            t.CopyFrom(self.onnx.numpy_helper.from_array(x, t.name))

    def hostile(self):
        np = self.np
        ops, made = sorted(self.cases.CASES), 0
        with tempfile.TemporaryDirectory() as folder, np.errstate(all='ignore'):
            path = os.path.join(folder, 'hostile.onnx')
            for number in range(self.args.hostile):
                rng = np.random.default_rng([self.args.seed, number, 1])
                r = self.cases.Random(rng, 22 if number % 2 else 12)
                graph = self.onnx.helper.make_graph([], 'hostile', [], [])
                for i in range(NODES):
                    op = r.pick(ops)
                    if self.cases.CASES[op][1] <= r.opset:
                        self.add(graph, r, op, i)
                model = self.model(graph, r.opset)
                self.spoil(model, rng)
                self.onnx.save(model, path)
                made += sum(v is not None for v in fold(self.args.program, path).values())
        print('1..1')
        print('ok' if made else 'not ok', f'1 - {self.args.hostile} models with nonsense, {made} values computed')
        return not made

    def record(self, path, exact):
        made = fold(self.args.program, path)
        os.replace(path, self.args.record)
        with open(self.args.record + '.txt', 'w', encoding='utf-8') as f:
            for name, got in made.items():
                if got and exact.get(name):
                    f.write(f'{name}\t{got[0]}\t{" ".join(map(str, got[1]))}\t{got[2].hex()}\n')

    def all(self):
        with tempfile.TemporaryDirectory() as self.folder:
            number = 0
            while sum(self.compared.values()) < self.args.count:
                self.one(number)
                number += 1
        seen = collections.Counter()
        for op, problem in self.wrong:
            seen[op] += 1
            if seen[op] <= self.args.show:
                print('#', op, problem)
        print('# refused here:', dict(self.refused), '; refused by the runtime:', dict(self.failed))
        print('1..2')
        total = sum(self.compared.values())
        print('not ok' if self.wrong else 'ok', f'1 - {total} results of {len(self.compared)} operators, {len(self.wrong)} wrong')
        many = 100 * sum(self.refused.values()) > total
        print('not ok' if many else 'ok', f'2 - {sum(self.refused.values())} not computed')
        return bool(self.wrong or many)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('program')
    p.add_argument('--count', type=int, default=2000)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--op', type=lambda text: text.split(','))
    p.add_argument('--show', type=int, default=1)
    p.add_argument('--hostile', type=int)
    p.add_argument('--record')
    p.add_argument('--recorded')
    args = p.parse_args()
    if args.recorded:
        return recorded(args.program, args.recorded)
    return Suite(args).hostile() if args.hostile else Suite(args).all()


if __name__ == '__main__':
    sys.exit(main())
