"""Golden screens: lines in, the screen as text (or text and styles) out.

UPDATE=1 writes the files in golden/ anew; look at them before they are kept.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import cases_graph
import cases_panes
import tap
from tap import check, model, run

tap.AXED = os.path.abspath(tap.AXED)
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'golden')
SIZES = {'80': (80, 24), '120': (120, 36), '200': (200, 50)}

def screen(path, lines, what):
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        script = '\n'.join([*lines, f'save-{what} {out}', 'quit!', ''])
        code, said, err = run('edit', os.path.basename(path), '--script', '-', stdin=script.encode(),
                              env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'}, cwd=os.path.dirname(path))
        if not check(code == 0, f'exit {code}: {err.decode(errors="replace")}'):
            return None
        return tap.read(out).decode()


def compare(name, path, lines, what):
    got = screen(path, lines, what)
    if got is None:
        return
    golden = os.path.join(GOLDEN, name + '.txt')
    if os.environ.get('UPDATE'):
        os.makedirs(GOLDEN, exist_ok=True)
        with open(golden, 'w', encoding='utf-8') as file:
            file.write(got)
    wanted = tap.read(golden).decode() if os.path.exists(golden) else ''
    if got == wanted:
        return
    for number, (a, b) in enumerate(zip(got.split('\n'), wanted.split('\n'))):
        if a != b:
            check(False, f'line {number + 1}:\n  got      {a}\n  expected {b}')
            break
    else:
        check(False, 'another number of lines')


def case(name, sizes, what, place, lines):
    def run_case():
        path = tap.shared('models', place[7:]) if place.startswith('shared:') else model(place)
        for size in sizes.split() or ['']:
            first = ['resize %d %d' % SIZES[size]] if size else []
            compare(f'{name}_{size}' if size else name, path, first + lines, what)
    return run_case


tests = {}
for name, (place, sizes, what, lines) in {**cases_graph.CASES, **cases_panes.CASES}.items():
    tests['test_' + name] = case(name, sizes, what, place, lines)


def test_folding_and_unfolding_gives_the_same_picture():
    path = model('demo.onnx')
    first = screen(path, ['resize 120 36', 'first'], 'cells')
    again = screen(path, ['resize 120 36', 'fold all', 'fold none', 'fold start', 'first'], 'cells')
    check(first is not None and first == again, 'another picture')


def test_undo_gives_the_same_picture():
    path = model('dynamic_rnn.onnx')
    first = screen(path, ['resize 120 36', 'set batch_size=B', 'undo', 'set batch_size=B', 'undo'], 'screen')
    again = screen(path, ['resize 120 36', 'set batch_size=B', 'undo'], 'screen')
    check(first is not None and first == again, 'another picture')


def test_a_cancelled_preview_leaves_no_trace():
    path = model('dynamic_rnn.onnx')
    first = screen(path, ['resize 120 36', 'goto input'], 'cells')
    again = screen(path, ['resize 120 36', 'goto input', 'edit set sequence_length=T', 'keys Esc'], 'cells')
    check(first is not None and first == again, 'a trace')


tests.update({n: f for n, f in globals().items() if n.startswith('test_')})
tap.main(tests)
