"""Golden screens: lines in, the screen as text (or text and styles) out.

UPDATE=1 writes the files in golden/ anew; look at them before they are kept.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, model, run

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'golden')
SIZES = {'80': (80, 24), '120': (120, 36), '200': (200, 50)}

# name: model, sizes, what is saved (screen or cells), lines
CASES = {
    'rnn': ('dynamic_rnn.onnx', '80 120 200', 'screen', []),
    'rnn_cells': ('dynamic_rnn.onnx', '80 120', 'cells', []),
    'linear': ('dynamic_linear.onnx', '80', 'screen', []),
    'pinned': ('pinned_reshape.onnx', '80 120', 'cells', ['pane problems']),
    'pinned_repaired': ('pinned_reshape.onnx', '120', 'cells', ['pane problems', 'keys R']),
    'outline': ('demo.onnx', '80 120', 'screen', ['pane outline']),
    'inspector': ('dynamic_rnn.onnx', '80 120', 'screen', ['goto /rnn/RNN', 'pane inspector']),
    'inspector_input': ('dynamic_rnn.onnx', '120', 'cells', ['goto input', 'pane inspector']),
    'symbols': ('demo.onnx', '80 120', 'cells', ['pane symbols']),
    'problems': ('pinned_reshape.onnx', '80', 'screen', ['pane problems']),
    'map': ('demo.onnx', '120 200', 'screen', ['pane map']),
    'history': ('dynamic_rnn.onnx', '80 120', 'screen',
                ['set batch_size=B', 'set sequence_length=T', 'undo', 'pane history']),
    'ops': ('demo.onnx', '80 120', 'screen', ['pane ops']),
    'metadata': ('demo.onnx', '80', 'screen', ['pane metadata']),
    'zoom_map': ('demo.onnx', '80 120', 'screen', ['zoom map']),
    'zoom_lanes': ('demo.onnx', '80 120', 'screen', ['fold none', 'zoom lanes']),
    'zoom_lanes_cells': ('demo.onnx', '80', 'cells', ['fold none', 'zoom lanes']),
    'zoom_details': ('dynamic_rnn.onnx', '120', 'screen', ['zoom details']),
    'folded': ('demo.onnx', '80 120', 'screen', ['fold all']),
    'unfolded': ('demo.onnx', '120', 'screen', ['fold none']),
    'moved': ('dynamic_rnn.onnx', '80', 'cells', ['keys j j j']),
    'focus': ('demo.onnx', '120', 'screen', ['search op:Softmax', 'focus 2']),
    'search': ('demo.onnx', '80 120', 'screen', ['search op:Softmax', 'next']),
    'subgraph': ('if.onnx', '80 120', 'screen', ['search op:If', 'open']),
    'loop_body': ('loop.onnx', '80', 'screen', ['search op:Loop', 'open']),
    'function': ('functions.onnx', '80', 'screen', ['keys j', 'open']),
    'edit_prompt': ('dynamic_rnn.onnx', '80 120', 'cells', ['goto input', 'keys e']),
    'edit_preview': ('dynamic_rnn.onnx', '80 120', 'cells',
                     ['goto input', 'edit set sequence_length=T']),
    'edit_bad': ('dynamic_linear.onnx', '80', 'cells', ['edit set input:1=7']),
    'edited': ('dynamic_rnn.onnx', '120', 'cells', ['set sequence_length=T']),
    'command_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys set', 'keys Space']),
    'completion': ('dynamic_rnn.onnx', '80', 'screen', ['keys :', 'keys th', 'keys Tab']),
    'search_prompt': ('dynamic_rnn.onnx', '80', 'screen', ['keys /', 'keys op:']),
    'try': ('dynamic_rnn.onnx', '80 120', 'cells', ['try sequence_length=7 batch_size=2']),
    'help': ('dynamic_rnn.onnx', '80 120', 'screen', ['help']),
    'palette': ('demo.onnx', '80 120', 'screen', ['palette', 'keys s', 'keys o', 'keys f']),
    'why': ('dynamic_rnn.onnx', '80 120', 'screen', ['goto output', 'why']),
    'ascii': ('dynamic_rnn.onnx', '80 120', 'screen', ['option ascii on']),
    'hostile': ('hostile_names.onnx', '80 120', 'screen', []),
    'cycle': ('cycle.onnx', '80', 'screen', []),
    'empty': ('empty_graph.onnx', '80', 'screen', []),
    'error_notice': ('dynamic_rnn.onnx', '80', 'cells', ['keys Z']),
    'tiny': ('dynamic_rnn.onnx', '', 'screen', ['resize 60 15']),
    'too_small': ('dynamic_rnn.onnx', '', 'screen', ['resize 19 5']),
    'one_cell': ('dynamic_rnn.onnx', '', 'screen', ['resize 1 1']),
    'gpt12': ('shared:gpt12.onnx', '80 120 200', 'screen', []),
    'resnet50': ('shared:resnet50.onnx', '120', 'cells', []),
    'swin': ('shared:swin_t.onnx', '80 120 200', 'screen', []),
    'swin_search': ('shared:swin_t.onnx', '120', 'screen', ['search op:Softmax']),
    'frcnn': ('shared:frcnn.onnx', '120', 'screen', ['search op:NonZero']),
}


def screen(path, lines, what):
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        script = '\n'.join([*lines, f'save-{what} {out}', 'quit!', ''])
        code, said, err = run('edit', path, '--script', '-', stdin=script.encode(),
                              env={'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'}, cwd=os.path.dirname(path))
        if not check(code == 0, f'exit {code}: {err.decode(errors="replace")}'):
            return None
        return tap.read(out).decode()


def compare(name, path, lines, what):
    got = screen(os.path.basename(path) if False else path, lines, what)
    if got is None:
        return
    got = got.replace(path, os.path.basename(path))
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
for name, (place, sizes, what, lines) in CASES.items():
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
