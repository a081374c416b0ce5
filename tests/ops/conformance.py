"""Compares shapes with known answers: ONNX's own inference cases, recorded runs of operators, whole models.

    conformance.py [shapes|runtime|models ...] [--only OP,OP] [--list]

The cases are next to the repository; without them everything is skipped.  --only selects the cases whose graph has one
of the operators; --list prints every miss.
"""

import collections
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap

ELEMS = ('undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64 complex64 '
         'complex128 bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 '
         'float8e8m0 uint2 int2').split()
# Cases where another answer is right; each with the reason from the specification.
ARGUED = {
    # STFT's attribute onesided is 1 when it is absent, so 5 samples give 5 // 2 + 1 = 3 bins; the reference's inference
    # takes an absent attribute for 0.
    'test_stft_reals_0', 'test_stft_reals_1',
    # One coefficient for five features: a shape is inferred, but no runtime can run the model.
    'test_linearclassifier_1D_input_0',
}


def axed(*words):
    done = subprocess.run([tap.AXED, *words], capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        raise RuntimeError(f'{words}: exit {done.returncode}: {done.stderr.decode(errors="replace")}')
    return json.loads(done.stdout)


def shapes(path, bind=()):
    words = [w for name, size in dict(bind).items() for w in ('--bind', f'{name}={size}')]
    return {t['name']: t for t in axed('shapes', '--json', path, *words)['tensors'] if t['graph'] == ''}


def operators(path):
    return {o['op'] for o in axed('show', '--json', path)['operators']}


def type_differs(got, want):
    """None, or how the inferred type differs from the expected one."""
    kind = {'map': 'map', 'seq': 'sequence', 'sequence': 'sequence', 'optional': 'optional', 'sparse': 'sparse_tensor',
            'sparse_tensor': 'sparse_tensor', 'tensor': 'tensor'}.get(want.get('k'))
    if kind is None:
        return None
    if got is None:
        return f'no type, expected {kind}'
    if got['kind'] != kind:
        return f'{got["kind"]}, expected {kind}'
    if kind in ('tensor', 'sparse_tensor'):
        elem = ELEMS[want['elem']] if want.get('elem') else None
        if elem and got['elem'] != elem:
            return f'element type {got["elem"]}, expected {elem}'
        return shape_differs(got.get('shape'), want.get('shape')) if 'shape' in got else None
    return type_differs(got['elem'], want['elem']) if isinstance(want.get('elem'), dict) else None


def shape_differs(got, want):
    if want is None:
        return None
    if got is None:
        return f'no rank, expected {want}'
    if len(got) != len(want):
        return f'{got}, expected {want}'
    for have, must in zip(got, want):
        if must is not None and have != must:
            return f'{got}, expected {want}'
    return None


class Tally:
    def __init__(self, name):
        self.name, self.good, self.bad = name, 0, []

    def add(self, case, problem, ops=()):
        if problem is None or case in ARGUED:
            self.good += 1
        else:
            self.bad.append((case, problem, ops))


def as_ir_3(path, scratch):
    """The cases take the default of an input for a constant, as IR 3 does."""
    content = tap.read(path)
    if content[0] != 8 or content[1] > 127:
        raise RuntimeError(f'{path} does not begin with its IR version')
    target = os.path.join(scratch, os.path.basename(path))
    with open(target, 'wb') as file:
        file.write(bytes([8, min(content[1], 3)]) + content[2:])
    return target


def run_shapes(only):
    with tap.folder() as scratch:
        return judge_shapes(only, scratch)


def judge_shapes(only, scratch):
    folder = tap.shared('conformance', 'shapes')
    cases = json.load(open(folder + '/expected.json'))
    agree, errors, clean = Tally('agree'), Tally('report an error'), Tally('no false error')
    for case, want in cases.items():
        path = as_ir_3(f'{folder}/{case}.onnx', scratch)
        ops = operators(path)
        if only and not ops & only:
            continue
        findings = axed('check', '--json', path)['findings']
        told = [f['message'] for f in findings if f['level'] == 'error']
        if want['must'] != 'agree':
            errors.add(case, None if told else 'nothing was reported', ops)
            continue
        clean.add(case, told[0] if told else None, ops)
        got = shapes(path)
        problem = None
        for name, wanted in want['tensors'].items():
            tensor = got.get(name)
            if tensor is None:
                problem = problem or f'{name}: not there'
                continue
            differs = type_differs(tensor['type'], wanted)
            if differs is None and wanted.get('k') in ('tensor', 'sparse', 'sparse_tensor'):
                differs = shape_differs(tensor['shape'], wanted.get('shape'))
            if differs:
                problem = problem or f'{name}: {differs}'
        agree.add(case, problem, ops)
    return [agree, errors, clean]


def compare_run(got, wanted, wrong, missed, case, ops=()):
    """Every known dim must be correct."""
    full = 0
    for name, true in wanted.items():
        shape = got[name]['shape'] if name in got else None
        if shape is None:
            missed.append((case, f'{name}: no rank, truly {true}', ops))
        elif len(shape) != len(true):
            wrong.add(case, f'{name}: {shape}, truly {true}', ops)
        elif any(isinstance(d, int) and d != t for d, t in zip(shape, true)):
            wrong.add(case, f'{name}: {shape}, truly {true}', ops)
        elif all(isinstance(d, int) for d in shape):
            full += 1
        else:
            missed.append((case, f'{name}: {shape}, truly {true}', ops))
    return full


def run_runtime(only):
    with tap.folder() as scratch:
        return judge_runtime(only, scratch)


def judge_runtime(only, scratch):
    folder = tap.shared('conformance', 'runtime')
    wrong, found = Tally('no wrong dim'), Tally('fully found')
    missed = []
    for case, want in json.load(open(folder + '/expected.json')).items():
        path = as_ir_3(f'{folder}/{case}.onnx', scratch)
        ops = operators(path)
        if only and not ops & only:
            continue
        before = len(wrong.bad)
        found.good += compare_run(shapes(path, want['bind']), want['outputs'], wrong, missed, case, ops)
        wrong.good += len(wrong.bad) == before
    found.bad = missed
    return [wrong, found]


def run_models(only):
    folder = tap.shared('models')
    tallies = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.truth.json'):
            continue
        path = f'{folder}/{name[:-11]}.onnx'
        wrong, found = Tally(f'{name[:-11]}: no wrong dim'), Tally(f'{name[:-11]}: fully found')
        missed = []
        for run in json.load(open(f'{folder}/{name}')):
            before = len(wrong.bad)
            found.good += compare_run(shapes(path, run['bind']), run['tensors'], wrong, missed, str(run['bind']))
            wrong.good += len(wrong.bad) == before
        found.bad = missed
        tallies += [wrong, found]
    return tallies


# Operators whose sizes depend on the data, so that no inference can find them.
DATA_DEPENDENT = set('NonZero Compress Unique NonMaxSuppression StringSplit ImageDecoder StringNormalizer'.split())
# Its boxes depend on the image.
MAY_MISS = {'frcnn'}


def judge(suite, tally):
    """The problems, or None if the tally passes."""
    total = tally.good + len(tally.bad)
    if suite == 'models' and tally.name.split(':')[0] in MAY_MISS and tally.name.endswith('found'):
        return None
    if suite == 'runtime' and tally.name == 'fully found':
        odd = [b for b in tally.bad if not set(b[2]) & DATA_DEPENDENT]
        if tally.good < 0.95 * total:
            return f'only {tally.good} of {total}'
        return f'{len(odd)} missed at operators that do not depend on data' if len(odd) > MOST_ODD else None
    return f'{len(tally.bad)} of {total} are not' if tally.bad else None


# OneHot whose depth is an input of the graph.
MOST_ODD = 1


def main():
    words = [w for w in sys.argv[1:] if not w.startswith('--')]
    only, number, failed = set(), 0, False
    if '--only' in sys.argv:
        only = set(sys.argv[sys.argv.index('--only') + 1].split(','))
        words.remove(sys.argv[sys.argv.index('--only') + 1])
    for suite in words or ['shapes', 'runtime', 'models']:
        try:
            tallies = {'shapes': run_shapes, 'runtime': run_runtime, 'models': run_models}[suite](only)
        except tap.Skip as skip:
            number += 1
            print(f'ok {number} - {suite} # SKIP {skip}')
            continue
        for tally in tallies:
            problem = judge(suite, tally)
            number, failed = number + 1, failed or problem is not None
            for case, what, ops in tally.bad if '--list' in sys.argv else tally.bad[:15]:
                print(f'# {case}: {what}  {"/".join(sorted(ops)[:4])}')
            print(f'{"not ok" if problem else "ok"} {number} - {suite}: {tally.name}: '
                  f'{tally.good} of {tally.good + len(tally.bad)}{": " + problem if problem else ""}')
    print(f'1..{number}')
    sys.exit(failed)


main()
