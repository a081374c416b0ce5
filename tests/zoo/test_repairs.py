"""Repairs of small exports compute what their modules compute, by recorded answers of torch.

    test_repairs.py [--update] [NAME...]

Each of small_repairs/*.xz (see repairs_small.py) is repaired, and run at the old sizes and at those recorded ones that the
printed conditions allow.  A wrong result fails, and so does one worse than that of small_repairs/expected.txt, which
--update writes.
The program is $AXED; $AXED_JUDGE is a Python with numpy and onnxruntime, if this one lacks them.
"""

import base64
import glob
import json
import lzma
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import judges

FOLDER = os.path.join(HERE, 'small_repairs')
EXPECTED = os.path.join(FOLDER, 'expected.txt')
AXED = os.environ.get('AXED', 'build/axed')
RANK = {'right': 3, 'bounded': 2, 'refused': 1}


def arrays(rows):
    import numpy as np

    return [np.frombuffer(base64.b64decode(data), kind).reshape(shape) for kind, shape, data in rows]


def compared(target, kept, binds):
    """Class and detail of a written model."""
    from compare import compare, feeds, session

    try:
        runtime = session(target)
        for bind in binds:
            got = runtime.run(None, feeds(runtime, kept['about']['inputs'], json.loads(bind)))
            found, detail, _ = compare(got, arrays(kept['answers'][bind]), kept['within'])
            if found != 'right':
                return found, f'at {bind}: {detail}'
    except Exception as error:
        return 'fails', str(error).replace('\n', ' ')[-250:]
    return 'right', ''


def judged(tool, path, kept, kind):
    from repairs import named

    asked, exported = kept['kinds'][kind]['axes'], kept['about']['exported']
    target = path + '.repaired'
    code, said, _ = tool.run(path, [word for word, _ in asked], target)
    if code == 1:
        return 'refused', said.reason
    if code != 0 or not os.path.exists(target):
        return 'broken', f'exit {code}: {said.reason}'
    binds = [b for b in kept['kinds'][kind]['cases'] if said.allows(named(asked, json.loads(b)))]
    found, detail = compared(target, kept, [json.dumps(exported), *binds])
    return ('bounded' if found == 'right' and said.upper() else found), detail


def expected():
    lines = open(EXPECTED).read().splitlines() if os.path.exists(EXPECTED) else []
    return dict(line.split(' ', 1) for line in lines if line and not line.startswith('#'))


def update(seen):
    lines = {**expected(), **seen}
    with open(EXPECTED, 'w') as file:
        file.write('# What repairs of these exports end in.  test_repairs.py --update writes this.\n')
        file.writelines(f'{key} {found}\n' for key, found in sorted(lines.items()))


def main():
    judges.need('numpy', 'onnxruntime')
    from repair_tool import Tool

    words = [w for w in sys.argv[1:] if w != '--update']
    names = words or sorted(os.path.basename(p)[: -len('.xz')] for p in glob.glob(f'{FOLDER}/*.xz'))
    tool, wanted, seen, count = Tool(AXED), expected(), {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            with lzma.open(os.path.join(FOLDER, name + '.xz')) as file:
                kept = json.load(file)
            path = os.path.join(folder, name + '.onnx')
            with open(path, 'wb') as target:
                target.write(base64.b64decode(kept['model']))
            for kind in kept['kinds']:
                key, count = f'{name}:{kind}', count + 1
                found, detail = judged(tool, path, kept, kind)
                good = found in RANK and RANK[found] >= RANK.get(wanted.get(key), 0)
                if found in RANK:
                    seen[key] = found
                print('ok' if good else 'not ok', f'- {key} {found}', flush=True)
                if not good:
                    print(f'# {detail[:400]}; expected: {wanted.get(key, "anything right, or a refusal")}')
    print(f'1..{count}')
    if '--update' in sys.argv:
        update(seen)


if __name__ == '__main__':
    main()
