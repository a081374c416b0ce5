#!/usr/bin/env python3
"""Keep small pairs of exports and torch's answers for tests without torch:  fit_small.py ANSWERS A.onnx,B.onnx...

Writes small_fits/STEM.xz for each pair: JSON with both models, without their metadata, and with what the module computes at the
sizes of both and at others.  ANSWERS is the folder that fit.py fills.
"""

import json
import lzma
import os
import sys

import fit
import repairs
from repairs_small import outputs, stripped

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'small_fits')
LARGEST, CASES = 100 << 10, 3


def keep(judge, paths):
    stem, forms = fit.key_of(paths)
    model = stem.rsplit('.', 1)[0]
    abouts = [json.load(open(path[: -len('onnx')] + 'json')) for path in paths]
    firsts = [judge.original(path, model, about) for path, about in zip(paths, abouts)]
    if not all(first for first, _ in firsts):
        return str([why for _, why in firsts])
    answers = {json.dumps(about['exported']): outputs(first[0]) for about, (first, _) in zip(abouts, firsts)}
    cases = []
    exported = [about['exported'] for about in abouts]
    differ = [s for s in abouts[0]['sizes'] if any(e[s] != exported[0][s] for e in exported)]
    for bind in fit.other_sizes(abouts[0], exported, differ):
        if len(cases) == CASES or bind in exported or json.dumps(bind) in answers:
            continue
        path, _ = judge.answer(model, bind)
        if path:
            cases.append(json.dumps(bind))
            answers[json.dumps(bind)] = outputs(path)
    text = {
        'about': {k: abouts[0][k] for k in ('family', 'exporter', 'inputs')},
        'exported': exported,
        'within': max(repairs.LEAST_WITHIN, *(20 * first[1] for first, _ in firsts)),
        'cases': cases,
        'answers': answers,
        'models': [stripped(path).decode('latin-1') for path in paths],  # equal bytes stay equal, and pack well
    }
    packed = lzma.compress(json.dumps(text, ensure_ascii=False).encode(), preset=9)
    if len(packed) > LARGEST or len(cases) < 2:
        return f'{len(packed)} bytes, {len(cases)} other sizes'
    with open(os.path.join(FOLDER, f'{stem}.{forms}.xz'), 'wb') as file:
        file.write(packed)
    return None


def main():
    os.makedirs(FOLDER, exist_ok=True)
    judge = fit.Judge(None, sys.argv[1], None)
    try:
        for pair in sys.argv[2:]:
            print(pair, keep(judge, [os.path.abspath(p) for p in pair.split(',')]) or 'kept', flush=True)
    finally:
        judge.stop()


if __name__ == '__main__':
    main()
