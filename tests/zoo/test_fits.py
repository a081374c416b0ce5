"""Fits of small exports compute what their modules compute, by recorded answers of torch.

    test_fits.py [--update] [NAME...]

Each of small_fits/*.xz (see fit_small.py) is fitted, and run at the sizes of its exports and at those recorded ones that the
printed conditions allow.  A wrong result fails, and so does a refusal that small_fits/expected.txt, which --update writes, does
not have.  The program is $AXED; $AXED_JUDGE is a Python with numpy and onnxruntime, if this one lacks them.
"""

import glob
import json
import lzma
import os
import subprocess
import sys
import tempfile

from test_repairs import AXED, HERE, compared, judges

FOLDER = os.path.join(HERE, 'small_fits')
EXPECTED = os.path.join(FOLDER, 'expected.txt')


def judged(folder, kept):
    """Class and detail."""
    from fit import Fitted

    paths, target = [], os.path.join(folder, 'fitted.onnx')
    for i, data in enumerate(kept['models']):
        paths.append(os.path.join(folder, f'{i}.onnx'))
        with open(paths[-1], 'wb') as file:
            file.write(data.encode('latin-1'))
    if os.path.exists(target):
        os.remove(target)
    done = subprocess.run([AXED, 'fit', *paths, '-o', target, '--json'], capture_output=True)
    if done.returncode not in (0, 1) or os.path.exists(target) != (done.returncode == 0):
        return 'broken', f'exit {done.returncode}: {done.stderr.decode()[-200:]}'
    said = Fitted(json.loads(done.stdout))
    if done.returncode == 1:
        return 'refused', str(said.reasons)
    binds = [b for b in kept['cases'] if said.allows(kept['about'], json.loads(b))]
    found, detail = compared(target, kept, [json.dumps(b) for b in kept['exported']] + binds)
    return found, detail


def main():
    judges.need('numpy', 'onnxruntime')
    words = [w for w in sys.argv[1:] if w != '--update']
    names = words or sorted(os.path.basename(p)[: -len('.xz')] for p in glob.glob(f'{FOLDER}/*.xz'))
    lines = open(EXPECTED).read().splitlines() if os.path.exists(EXPECTED) else []
    wanted, seen = dict(line.rsplit(' ', 1) for line in lines if not line.startswith('#')), {}
    print(f'1..{len(names)}')
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            with lzma.open(os.path.join(FOLDER, name + '.xz')) as file:
                found, detail = judged(folder, json.load(file))
            seen[name] = found
            good = found == 'right' or (found == 'refused' and wanted.get(name) != 'right')
            print('ok' if good else 'not ok', f'- {name} {found}', flush=True)
            if not good:
                print(f'# {detail[:400]}; expected: {wanted.get(name, "anything right, or a refusal")}')
    if '--update' in sys.argv:
        with open(EXPECTED, 'w') as file:
            file.write('# What fits of these exports end in.  test_fits.py --update writes this.\n')
            file.writelines(f'{name} {found}\n' for name, found in sorted({**wanted, **seen}.items()))


if __name__ == '__main__':
    main()
