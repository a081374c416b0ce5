#!/usr/bin/env python3
"""The measured part of tests/bench/COMPARISON.md, from peers.json:  peers_table.py [--update | --wrong]

peers.py writes peers.json; --wrong lists what each tool gets wrong.  Needs only the standard library.
"""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, 'peers.json')
PAGE = os.path.join(os.path.dirname(HERE), 'bench', 'COMPARISON.md')
MEASURED = re.compile(r'(<!-- measured: [^>]*-->\n).*?(<!-- end of measured -->\n)', re.S)
SILENT, COMPLAINS, NAMES, FAILED = range(4)

SHAPES = {
    'axed': '`axed shapes`',
    'onnx': '`onnx.shape_inference`, `data_prop`',
    'onnxruntime': '`onnxruntime.tools.symbolic_shape_infer`',
    'polygraphy': '`polygraphy.backend.onnx.infer_shapes`',
    'onnxsim': '`onnxsim`, the tensors that it keeps',
    'the file': 'the file itself, which Netron shows',
}
CHECKS = {
    'axed': '`axed check`',
    'polygraphy at': '`polygraphy check lint`, told another size',
    'polygraphy': '`polygraphy check lint`',
    'onnxsim at': '`onnxsim` with `check_n`, told another size',
    'onnxsim': '`onnxsim`',
    'onnx.checker': '`onnx.checker`, `full_check`',
    'onnx strict': '`onnx.shape_inference`, `strict_mode`, `data_prop`',
    'onnxruntime': 'ONNX Runtime, loading',
}
REPAIRS = {
    'axed': '`axed repair`',
    'onnx': '`onnx.tools.update_model_dims`',
    'polygraphy': '`polygraphy surgeon sanitize`',
    'onnx-modifier': 'onnx-modifier, batch only',
}
KINDS = {'batch': 'the batch', 'batch+seq': 'batch and sequence', 'H+W': 'height and width'}
CLASSES = {
    'right': ('right',),
    'bounded': ('bounded',),
    'old sizes only': ('bounded to old',),
    'refused': ('refused',),
    'wrong numbers': ('wrong numbers',),
    'wrong shape': ('wrong shape',),
    'does not run': ('fails', 'broken'),
}


def check_code(answer, dead):
    """What a tool said; axed has found a pin only if it names each symbol."""
    if 'failed' in answer:
        return FAILED
    if not answer['said'] or not all(f'({symbol})' in answer['said'] for symbol in dead):
        return SILENT
    return NAMES if answer['names'] else COMPLAINS


def compact(row):
    out = {k: row[k] for k in ('model', 'exporter', 'form', 'nodes', 'runs', 'clean')}
    out['dead'] = sorted(row['dead'])
    if 'shapes' in row:
        out['shapes'] = {t: [*s['vary'], *s['same'], int('failed' in s)] for t, s in row['shapes'].items()}
        wrong = {t: s['wrong'] for t, s in row['shapes'].items() if s['wrong']}
        if wrong:
            out['wrong'] = {t: texts[0] for t, texts in wrong.items()}
    if 'checks' in row:
        out['checks'] = {t: check_code(c, row['dead'] if t == 'axed' else ()) for t, c in row['checks'].items()}
    return out


def percent(part, whole):
    """Not 100.0 while something is missing."""
    if not whole:
        return '-'
    text = f'{100 * part / whole:.1f} %'
    return '> 99.9 %' if text == '100.0 %' and part < whole else '< 0.1 %' if text == '0.0 %' and part else text


def markdown(head, rows):
    lines = [head, ['---'] * len(head), *rows]
    return '\n'.join('| ' + ' | '.join(map(str, line)) + ' |' for line in lines) + '\n'


def shape_rows(models):
    for tool, name in SHAPES.items():
        rows = [m['shapes'][tool] for m in models]
        vary, same = ([sum(r[at + i] for r in rows) for i in range(3)] for at in (0, 3))
        yield [
            name,
            percent(vary[0], sum(vary)),
            percent(vary[1], sum(vary)),
            vary[2],
            percent(same[0], sum(same)),
            percent(same[1], sum(same)),
            same[2],
            sum(r[1] + r[2] + r[4] + r[5] + r[6] == 0 for r in rows),
            sum(r[2] + r[5] > 0 for r in rows),
            sum(r[6] for r in rows),
        ]


def shapes_table(models):
    models = [m for m in models if 'shapes' in m]
    head = ['', 'varying: right', 'unknown', 'wrong', 'constant: right', 'unknown', 'wrong']
    head += ['models all right', 'with a wrong one', 'gave up']
    return markdown(head, shape_rows(models)), models


def checks_table(models):
    pinned = [m for m in models if m['dead'] and 'checks' in m]
    clean = [m for m in models if m['clean'] and not m['dead'] and 'checks' in m]
    head = ['', f'pins found, of {len(pinned)}', 'and the node named', f'false alarms, of {len(clean)}', 'gave up']
    rows = []
    for tool, name in CHECKS.items():
        codes, quiet = [m['checks'][tool] for m in pinned], [m['checks'][tool] for m in clean]
        rows.append(
            [
                name,
                sum(c in (COMPLAINS, NAMES) for c in codes),
                codes.count(NAMES),
                sum(c in (COMPLAINS, NAMES) for c in quiet),
                codes.count(FAILED) + quiet.count(FAILED),
            ]
        )
    return markdown(head, rows), pinned, clean


def known(key, answers):
    """Has every tool been asked for the repair, and can torch judge what each answered?"""
    tools = set(REPAIRS) - ({'onnx-modifier'} if not key.endswith(':batch') else set())
    return tools <= answers.keys() and 'no answer' not in answers.values()


def repairs_table(repairs):
    head, rows = ['', 'asked for', 'repairs', *CLASSES], []
    for kind, words in KINDS.items():
        asked = [a for key, a in repairs.items() if key.rpartition(':')[2] == kind and known(key, a)]
        for tool, name in REPAIRS.items():
            got = [answers[tool] for answers in asked if tool in answers]
            if got:
                rows.append([name, words, len(got), *(sum(c in classes for c in got) for classes in CLASSES.values())])
    return markdown(head, rows)


def version():
    """The one that meson.build names."""
    with open(os.path.join(os.path.dirname(os.path.dirname(HERE)), 'meson.build'), encoding='utf-8') as file:
        return re.search(r"\n\tversion: '([^']+)'", file.read())[1]


def tables(data):
    models = data['models']
    shapes, dynamic = shapes_table(models)
    checks, pinned, clean = checks_table(models)
    forms = {f: sum(m['form'] == f for m in models) for f in ('dynamic', 'renamed')}
    exports = data['fixed'] + [m['model'] for m in models if m['form'] == 'dynamic']
    modules = len({name.split('.')[0] for name in exports})
    exporters = {e: sum(f'.{e}.' in name for name in exports) for e in ('dynamo', 'script')}
    judged = sum(known(key, answers) for key, answers in data['repairs'].items())
    dims = [sum(m['shapes']['axed'][at] for m in dynamic for at in ats) for ats in ((0, 1, 2), (3, 4, 5))]
    listed = ', '.join(f'{name} {version}' for name, version in data['versions'].items())
    dead = {f: sum(m['form'] == f for m in pinned) for f in forms}
    older = '' if data['versions']['axed'] == version() else f'\nThe figures of axed are from before {version()}.'
    return f"""Measured on {data['date']} at commit {data['commit']}:
{listed}.{older}

{modules} modules, {len(exports)} exports: {exporters['dynamo']} by torch's `dynamo` exporter, {exporters['script']} by `script`;
{forms['dynamic']} with named axes, {len(data['fixed'])} with all sizes fixed; and {forms['renamed']} of these again with the batch
named in the header alone, as people do by hand.

**Shapes**, {len(dynamic)} exports with named axes, {dims[0]:,} dims that vary between the runs and {dims[1]:,} that do not:

{shapes}
**Pins and false alarms.** {len(pinned)} models declare an axis that runs at one size only ({dead['dynamic']} as they were
exported, {dead['renamed']} renamed); {len(clean)} run at every size that was tried:

{checks}
**Repairs** of fixed exports, {judged} that torch can judge:

{repairs_table(data['repairs'])}"""


def page(text, data):
    new, count = MEASURED.subn(lambda m: f'{m[1]}\n{tables(data)}\n{m[2]}', text)
    if count != 1:
        raise ValueError(f'{PAGE} has {count} places for tables')
    return new


def load():
    with open(DATA, encoding='utf-8') as file:
        return json.load(file)


def write(data):
    lines = {k: ('[\n' + ',\n'.join(map(json.dumps, v)) + '\n]') if k == 'models' else json.dumps(v) for k, v in data.items()}
    lines['repairs'] = '{\n' + ',\n'.join(f'{json.dumps(k)}: {json.dumps(v)}' for k, v in data['repairs'].items()) + '\n}'
    with open(DATA, 'w', encoding='utf-8') as file:
        file.write('{\n' + ',\n'.join(f'{json.dumps(k)}: {v}' for k, v in lines.items()) + '\n}\n')
    with open(PAGE, encoding='utf-8') as file:
        text = file.read()
    with open(PAGE, 'w', encoding='utf-8') as file:
        file.write(page(text, data))


def print_wrong(data):
    for model in data['models']:
        for tool, text in model.get('wrong', {}).items():
            print(f'{model["model"]}: {tool}: {text}')
        for tool, code in model.get('checks', {}).items():
            if code in (COMPLAINS, NAMES) and model['clean']:
                print(f'{model["model"]}: {tool}: false alarm')
            if code in (SILENT, FAILED) and model['dead'] and tool == 'axed':
                print(f'{model["model"]}: {tool}: misses {model["dead"]}')
    for key, answers in data['repairs'].items():
        bad = {t: c for t, c in answers.items() if c in ('wrong numbers', 'wrong shape', 'fails', 'broken')}
        if bad:
            print(f'{key}: {bad}')


if __name__ == '__main__':
    if sys.argv[1:] == ['--update']:
        write(load())
    elif sys.argv[1:] == ['--wrong']:
        print_wrong(load())
    else:
        print(tables(load()))
