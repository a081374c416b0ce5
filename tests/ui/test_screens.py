"""Golden screens: lines in, the screen as text (or text and styles) out.

UPDATE=1 rewrites the files in golden/; review them before you commit them.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import cases_graph
import cases_panes
import tap
from tap import check, equal, model, run

tap.AXED = os.path.abspath(tap.AXED)
HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, 'golden')
LINES = tap.rows('app/lines.def', r'^LINE\(\w+, [^"]*"([^"]+)"')
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


def without_totals(text):
    """Replaces the palette's command total by "ALL" of the same width, so that a new command needs no new goldens."""
    def mask(found):
        typed, room, count, total, end = found.groups()
        shown = f'{"ALL" if count == total else count} of ALL'
        return typed + shown.rjust(len(room + count + ' of ' + total)) + end
    return re.sub(r'(│> [^│]*_)( +)(\d+) of (\d+)(│)', mask, text)


def compare(name, path, lines, what):
    got = screen(path, lines, what)
    if got is None:
        return
    got = without_totals(got)
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


def test_going_to_a_weight_says_where_it_is_used():
    path = tap.shared('models', 'gpt12.onnx')
    last = screen(path, ['resize 120 36', 'goto b.3.l2.weight'], 'screen')
    check('b.3.l2.weight is used by Mul /b.3/l2/Mul' in last, last)
    check('┏━ Mul × (64)' in last, 'its reader is not selected')
    check('b.0.l1.weight is used by Mul /b.0/l1/Mul, and 23 more' in screen(path, ['goto b.0.l1.weight'], 'screen'), 'others')


def test_ascii_boxes_are_as_wide_as_their_shapes():
    """`H.17` is one column wider than `H₁₇`; what was laid out before the option was set has to widen."""
    for name in ('swin_t', 'resnet50'):
        path = tap.shared('models', name + '.onnx')
        def shapes(*lines):
            text = screen(path, ['resize 160 60', *lines], 'screen')
            return [line.translate(str.maketrans('│┃', '||')) for line in re.findall(r'[│┃|#] (\[[^]|│\n]*\]) *[│┃|#]', text)]
        plain = [re.sub('[₀-₉]+', lambda m: '.' + ''.join(chr(ord(c) - 0x2050) for c in m[0]), s) for s in shapes()]
        check(len(plain) > 5, f'{name}: {plain}')
        equal(shapes('save-screen /dev/null', 'option ascii on'), plain, f'{name}: in ASCII')
        equal(shapes('option ascii on', 'save-screen /dev/null', 'option ascii off'), shapes(), f'{name}: and back')


def test_an_explanation_follows_an_edit():
    before = ['resize 80 24', 'set ids:1=4 mask:1=4', 'goto /embeddings/position/Gather', 'why', 'save-screen /dev/null']
    undone = screen(model('demo.onnx'), [*before, 'keys u'], 'screen')
    again = screen(model('demo.onnx'), [*before, 'keys u', 'keys Esc', 'why'], 'screen')
    # One of the last rows says what was undone.
    check(' = seq ' in again and undone.splitlines()[:-2] == again.splitlines()[:-2], 'undo leaves the old explanation')


def test_the_palette_counts_what_it_offers():
    def counts(lines):
        text = screen(model('demo.onnx'), ['resize 80 24', *lines], 'screen')
        return [int(n) for n in re.search(r'> [^│]*_ +(\d+) of (\d+)│', text).groups()]

    shown = lambda *words: json.loads(run(*words, '--json', model('demo.onnx'))[1])
    names = len(shown('symbols')['symbols']) + shown('show')['nodes'] + len(shown('shapes')['tensors'])
    count, everything = counts(['palette'])
    tap.equal(count, everything, 'without letters all')
    check(everything - names >= len(LINES), f'{everything} of {names} names and {len(LINES)} lines')
    check(counts(['bind Q goto x', 'palette'])[1] == everything + 1, 'a line with a word of its own is one more')
    tap.equal(counts(['palette', 'keys s o f'])[1], everything, 'the same while somebody types')


def test_commands_are_found_by_what_people_call_them():
    for typed, wanted in (('save', 'write'), ('svg', 'export'), ('quit', 'quit'), ('exit', 'quit'), ('undo', 'undo'), ('dark', 'theme dark'),
                          ('collapse', 'fold'), ('repair', 'repair'), ('python', 'snippet'), ('compare', 'diff'), ('zoom map', 'zoom map')):
        text = screen(model('demo.onnx'), ['resize 80 24', 'palette', 'keys ' + ' '.join('Space' if c == ' ' else c for c in typed)], 'screen')
        rows = re.findall(r'│: ([^│]*?)   *[^│]*│', text)
        check(wanted in rows[:2], f'{typed}: {rows[:4]}')


def hits(path, text):
    """How many blocks or nodes a search says that it has, while it is typed."""
    lines = ['resize 120 24', 'keys /', *('keys Space' if c == ' ' else f'keys "{c}"' for c in text)]
    shown = screen(path, lines, 'screen')
    found = re.search(r'^/.* (\d+) (?:block|node)s?\b', shown, re.M)
    return int(found[1]) if found else 0 if 'no match' in shown else None


def test_a_plain_word_is_plain_text():
    path = model('demo.onnx')
    check(hits(path, 'layer.0') > 0, 'a dot is a dot')
    tap.equal(hits(path, 'layerx0'), 0, 'and no other letter is')
    tap.equal(hits(path, 'layer.*Soft'), 0, 'no regular expression')
    check(hits(path, '~layer.*Soft') > 0, 'with a mark it is one')
    tap.equal(hits(path, '/layer.*Soft/'), hits(path, '~layer.*Soft'), 'the other mark')
    check(0 < hits(path, '~layer.*Soft op:Softmax') <= hits(path, 'op:Softmax'), 'with a filter')


def test_nothing_is_silent():
    """A key that does nothing here says why; any other changes the screen."""
    for name in ('dynamic_rnn.onnx', 'pinned_reshape.onnx'):
        plain = screen(model(name), ['resize 120 24'], 'screen')
        for keys in ('Esc', 'Backspace', '- - - -', '+ + + +', 'n', 'N', ']c', '[c', 'u', 'Ctrl-R', 'za', 'zc', 'zo', 'F', 'Ctrl-O', 'Alt-o', 'O',
                     'Delete', 'Q', 'zq', 'j Enter', 'e', 'r', 'f', 'x', 'y', '7 Enter'):
            check(screen(model(name), ['resize 120 24', f'keys {keys}'], 'screen') != plain, f'{name} {keys}: nothing happens')


def test_other_words_are_for_lines_that_there_are():
    found = re.findall(r'^SYNONYMS\("[^"]+", "([^"]+)"\)', tap.read(os.path.join(tap.TOP, 'src', 'app', 'synonyms.def')).decode(), re.M)
    check(len(found) > 30, f'{len(found)} rows')
    tap.equal(sorted(set(found) - set(LINES)), [], 'lines that are not there')
    tap.equal(len(set(found)), len(found), 'rows')


def test_the_way_on_and_out_is_always_shown():
    panes = ['outline', 'graph', 'inspector', 'symbols', 'problems', 'map', 'history', 'ops', 'metadata']
    for width in (40, 60, 80, 120, 200):
        for pane in panes:
            last = screen(model('dynamic_rnn.onnx'), [f'resize {width} 24', f'pane {pane}'], 'screen').rstrip('\n').split('\n')[-1]
            check(last.endswith('^P find  : command  ? help  q quit'), f'{width} {pane}: {last}')
            check('\u2026' not in last, f'{width} {pane}: cut: {last}')
        for keys in ('?', ':', '/', 'Ctrl-P', 'x'):
            last = screen(model('dynamic_rnn.onnx'), [f'resize {width} 24', f'keys {keys}'], 'screen').rstrip('\n').split('\n')[-1]
            check(re.search('Esc (cancel|close)$', last), f'{width} {keys}: {last}')


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
    again = screen(path, ['resize 120 36', 'goto input', 'edit set sequence_length=', 'keys T Esc'], 'cells')
    check(first is not None and first == again, 'a trace')


def same(path, one, other, what='cells'):
    """Two scripts end with the same screen."""
    first, again = screen(path, one, what), screen(path, other, what)
    check(first is not None and first == again, f'another picture after {other}')


def test_the_same_script_gives_the_same_picture():
    for name in ('demo.onnx', 'nested.onnx', 'cycle.onnx', 'hostile_names.onnx', 'fan.onnx'):
        lines = ['resize 120 36', 'keys j j l', 'zoom in', 'fold all', 'zoom out', 'zoom out', 'half-down']
        same(model(name), lines, lines)


def test_zoom_and_back_gives_the_same_picture():
    start = ['resize 120 36', 'goto /encoder/layer.0/attention/Softmax', 'zoom boxes']
    for there, back in (('in', 'out'), ('out', 'in'), ('map', 'boxes'), ('lanes', 'boxes'), ('details', 'boxes')):
        same(model('demo.onnx'), start, [*start, f'zoom {there}', f'zoom {back}'])


def test_bodies_are_left_for_the_same_picture():
    for name, at, enter in (('if.onnx', 'choose', 'enter t'), ('if.onnx', 'choose', 'enter e'), ('functions.onnx', 'plain', 'open')):
        start = ['resize 80 24', f'goto {at}']
        same(model(name), start, [*start, enter, 'keys j j', 'leave'])


def test_folds_are_left_for_the_same_picture():
    for size, fold in (('120 36', 'fold close'), ('80 24', 'fold all')):
        start = [f'resize {size}', 'goto /encoder/layer.0/attention/Softmax', fold]
        same(model('demo.onnx'), start, [*start, 'open', 'keys j', 'leave'])
        same(model('demo.onnx'), start, [*start, 'open', 'keys j Enter', 'keys Esc Esc'], 'screen')


def test_a_fold_is_itself():
    folded = ['resize 200 50', 'goto /encoder/layer.0/attention/Softmax', 'fold all']
    text = screen(model('demo.onnx'), folded, 'screen')
    check('\u2502encoder' in text and '90 nodes' in text and 'operators' in text, text)
    inside = screen(model('demo.onnx'), [*folded, 'open'], 'screen')
    check('demo \u203a encoder' in inside and '\u25b2 ' in inside and '\u25b8 embeddings 1' not in inside, inside)


def test_a_fold_whose_cost_is_not_known_has_none():
    def told(name):
        return screen(tap.shared('models', 'frcnn.onnx'), ['resize 200 50', f'search {name}'], 'screen')
    check('143 nodes' in told('roi_heads/box_roi_pool') and 'FLOP' not in told('roi_heads/box_roi_pool'), '0 is not known')
    check('FLOP' in told('roi_heads/box_head'), 'what is known is told')


def rows_at_opening(path, width, height):
    """The rows of the picture that is shown first, and of the pane."""
    text = screen(path, [f'resize {width} {height}'], 'screen')
    more = re.search(r'\u25bc ([\d,]+) rows? ', text.split('\n')[-4])
    return height - 5 + (int(more[1].replace(',', '')) if more else 0), height - 5


def opens_on_its_architecture(path, screens=1.5):
    rows, pane = rows_at_opening(path, 120, 36)
    check(rows <= screens * pane, f'{os.path.basename(path)} opens on {rows} rows, {rows / pane:.2f} screens')


# In more than one and a half screens: what has nothing to fold, and what opens whole in three.
LARGER = {'attributes_big.onnx', 'dynamic_rnn.onnx', 'fan.onnx', 'hostile_names.onnx'}


def test_models_open_on_their_architecture():
    for name in sorted(os.listdir(os.path.dirname(model('demo.onnx')))):
        if name.endswith('.onnx') and run('show', model(name))[0] == 0:
            opens_on_its_architecture(model(name), 3 if name in LARGER else 1.5)


def test_networks_open_on_their_architecture():
    for name, screens in (('unet', 3), ('inception', 3), ('densenet', 3), ('cache', 1.5)):
        opens_on_its_architecture(os.path.join(HERE, 'networks', name + '.onnx'), screens)


def test_real_models_open_on_their_architecture():
    for name in ('frcnn', 'gpt12', 'resnet50', 'swin_t', 'vit_b_16'):
        path = tap.shared('models', name + '.onnx')
        if path and os.path.exists(path):
            opens_on_its_architecture(path)


def test_focus_and_path_are_left_for_the_same_picture():
    start = ['resize 80 24', 'goto /encoder/layer.0/attention/Softmax', 'mark a', 'keys Esc']
    same(model('demo.onnx'), start, [*start, 'focus 2', 'focus 0'])
    same(model('demo.onnx'), start, [*start, 'path', 'leave'])


def test_a_window_that_shrinks_and_grows_shows_the_selection():
    for small in ('1 1', '19 5', '40 12', '80 24', '200 50'):
        text = screen(model('demo.onnx'), ['resize 120 36', 'search op:Softmax', f'resize {small}', 'resize 120 36'],
                      'screen')
        check(text is not None and '\u250f\u2501 Softmax' in text, f'not in sight after {small}')


def rows_of(text, title):
    """The rows of a pane at the right, without its frame."""
    lines = [line[84:] for line in text.split('\n')]
    start = next(i for i, line in enumerate(lines) if title in line)
    return next(i for i, line in enumerate(lines[start:]) if line.startswith('\u2570')) - 1


def test_panes_are_elastic():
    text = screen(model('dynamic_rnn.onnx'), ['resize 120 36'], 'screen')
    tap.equal([rows_of(text, t) for t in ('3 Inspector', '4 Symbols (2)', '5 Problems: none')], [25, 2, 0], 'rows')
    text = screen(model('dynamic_rnn.onnx'), ['resize 120 36', 'pane symbols'], 'screen')
    tap.equal(rows_of(text, '4 Symbols (2)'), 6, 'what has the keys tells more')


def test_the_header_tells_how_many_weights():
    def header(width, *lines, name='shared:swin_t.onnx'):
        path = tap.shared('models', name[7:]) if name.startswith('shared:') else model(name)
        return screen(path, [f'resize {width} 36', *lines], 'screen').split('\n')[0]

    tensors = json.loads(run('show', tap.shared('models', 'swin_t.onnx'), '--json')[1])
    check(header(120).endswith('  28.5 M weights'), header(120))
    check(28.4 * 4 < tensors['initializers']['external_bytes'] / 1e6 < 28.6 * 4, 'as many as its floats')
    check(header(60) == header(60).split(' weights')[0] and ' 1 output' in header(60), f'room for the rest: {header(60)}')
    check(header(120, 'goto x', 'edit set x:0=', 'keys 8').count('weights') == header(120, 'goto x', 'edit set x:0=', 'keys 8').count('preview: '), 'in a preview')
    check('weights' not in header(120, name='cycle.onnx'), header(120, name='cycle.onnx'))
    check(re.search(r' weights  try N=2$', header(120, 'try N=2')), header(120, 'try N=2'))


def test_hidden_panes_have_names_in_a_frame():
    """In full, or shortened before any is left out: then the last."""
    def named(width, *lines, name='demo.onnx'):
        text = screen(model(name), [f'resize {width} 36', *lines], 'screen')
        frame = next(line for line in reversed(text.split('\n')) if line.startswith('\u2570'))
        return dict(re.findall(r'(?<=[ \u2500])(\d)(?: ([a-z]+))?(?= )', frame))

    for width in (80, 100, 120, 140, 141, 170, 200):
        for lines in ([], ['keys Z']):
            panes = named(width, *lines)
            check({'7', '8', '9'} <= set(panes) and all(panes.values()), f'{width} {lines}: {panes}')
    tap.equal(named(120)['7'], 'history', 'in full where there is room')
    tap.equal(named(80)['7'], 'hist', 'shortened')
    panes = named(40)
    tap.equal(sorted(panes), list('13456789'), 'no key is left out')
    check(panes['1'] and not panes['9'], f'the last names go first: {panes}')
    check(named(120, 'pane outline')['9'], 'beside a list that covers the frame')


def test_the_graph_alone():
    for width in (80, 120, 170):
        start = [f'resize {width} 36']
        text = screen(model('demo.onnx'), [*start, 'keys Z'], 'screen')
        check('3 Inspector' not in text and text.split('\n')[1].endswith('\u256e') and re.search(r'1 outl\w*  3 insp', text),
              f'not alone at {width}')
        if width >= 100:
            same(model('demo.onnx'), start, [*start, 'keys Z Z'])
            text = screen(model('demo.onnx'), [*start, 'keys Z 4'], 'screen')
            check('4 Symbols' in text and '3 Inspector' not in text, 'a pane over the graph')
            same(model('demo.onnx'), [*start, 'keys Z'], [*start, 'keys Z 4 Esc'])


def test_the_outline_is_over_the_graph_up_to_140_columns():
    for width, shown in ((100, False), (140, False), (141, True)):
        start = [f'resize {width} 36']
        text = screen(model('demo.onnx'), start, 'screen')
        check(('1 Outline' in text) == shown, f'at {width}')
        same(model('demo.onnx'), start, [*start, 'keys 1 Esc'])
    text = screen(model('demo.onnx'), ['resize 120 36', 'keys 1 G k k', 'open'], 'screen')
    check('1 Outline' in text, 'opening a list is not a choice')
    text = screen(model('demo.onnx'), ['resize 120 36', 'keys 1 g g j j', 'open'], 'screen')
    check('1 Outline' not in text and '\u250f\u2501 ' in text, 'a choice closes it')


def test_the_map_says_something():
    """Names, the visible part, and a letter for what was found, changed or is wrong."""
    path = model('demo.onnx')
    text = screen(path, ['resize 120 50', 'fold none', 'search op:Softmax', 'pane map'], 'screen')
    rows = [line[85:119] for line in text.split('\n') if line[84:85] == '\u2502']
    check(any('embeddings' in row for row in rows) and any('classifier' in row for row in rows), f'names\n{text}')
    check(sum('/' in row for row in rows[-30:]) == 2, f'two matches\n{text}')
    check(sum('\u2503' in row for row in rows) > 2 and sum('\u25c2' in row for row in rows) == 1, f'what is seen\n{text}')
    changed = screen(path, ['resize 120 50', 'set batch=B', 'zoom map'], 'screen')
    check(changed.count('~') > 10, f'changes\n{changed}')
    wrong = screen(model('pinned_reshape.onnx'), ['resize 80 24', 'zoom map'], 'screen')
    check('\u2717' in wrong and '!' in wrong, f'problems\n{wrong}')
    graph = screen(path, ['resize 120 50', 'pane map', 'last', 'open'], 'screen')
    check('6 Map' not in graph and '\u250f\u2501 ' in graph, f'Enter goes to the graph\n{graph}')


def test_the_selection_is_in_sight():
    moves = (['search op:Softmax'], ['goto /classifier/Tanh'], ['last'], ['search op:Softmax', 'fold close'],
             ['search op:Softmax', 'zoom details'], ['search op:Softmax', 'focus 1'], ['page-down', 'page-down'],
             ['fold all'], ['fold none', 'last', 'zoom lanes', 'zoom boxes'], ['page-down', 'left', 'left'])
    for lines in moves:
        for size in ('80 24', '120 36', '40 12'):
            text = screen(model('demo.onnx'), [f'resize {size}', *lines], 'screen')
            check(text is not None and '\u250f\u2501' in text and '\u2517\u2501' in text, f'{lines} at {size}')


def test_unfolding_comes_back_to_the_selection():
    for lines in (['fold all', 'fold none', 'zoom boxes'], ['fold close', 'fold close', 'fold none', 'zoom boxes']):
        text = screen(model('demo.onnx'), ['resize 80 24', 'goto /encoder/layer.1/attention/Softmax', *lines], 'screen')
        check(text is not None and '\u250f\u2501 Softmax' in text and 'layer.1/attention/Softmax' in text, f'{lines}')


def test_every_size_is_drawn():
    for width in (1, 2, 3, 19, 20, 21, 25, 33, 99, 100, 101, 159, 160):
        for height in (1, 2, 5, 6, 7, 9):
            for zoom in ('map', 'lanes', 'boxes'):
                text = screen(model('demo.onnx'), [f'resize {width} {height}', f'zoom {zoom}', 'keys j j l'], 'screen')
                lines = (text or '').split('\n')
                check(text is not None and len(lines) <= height + 1 and max(map(len, lines)) <= width,
                      f'{width}x{height} {zoom}')


tests.update({n: f for n, f in globals().items() if n.startswith('test_')})
tap.main(tests)
