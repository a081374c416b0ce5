"""Dims on the screen: what is marked, what is pointed at, how it is edited."""

import functools
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scripted

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

RNN, PINNED, LINEAR = 'dynamic_rnn.onnx', 'pinned_reshape.onnx', 'dynamic_linear.onnx'
# Places are those of the first drawing.
screen = functools.partial(scripted.screen, drawn=False)


def same(name, one, other):
    first, again = screen(name, *one, what='cells'), screen(name, *other, what='cells')
    check(first and first == again, f'{other} leaves a trace')


def marks(text):
    """The boxes, rows and panes that are marked as changed."""
    return len(re.findall('[┏╭]~|│~', text))


def test_marks_say_what_differs_from_the_file():
    check(marks(screen(RNN, 'set sequence_length=T')) > 3, 'an edit marks nothing')
    check(marks(screen(RNN, 'try sequence_length=7')) > 3, 'a tried size marks nothing')
    for lines in ([], ['set batch_size=B', 'undo'], ['try batch_size=4', 'try'], ['edit set batch_size=', 'keys 4 Esc'],
                  ['set batch_size=B', 'set B=batch_size']):
        equal(marks(screen(RNN, *lines)), 0, f'{lines}')
    both = screen(RNN, 'set sequence_length=T', 'set batch_size=4')
    equal(marks(screen(RNN, 'set batch_size=4', 'set sequence_length=T')), marks(both), 'the order matters')
    check('│~' in screen(RNN, 'set batch_size=4', 'set sequence_length=T', 'pane outline'), 'the second edit hides the first')


def test_marks_are_gone_after_saving():
    with tap.folder() as folder:
        def saved(*lines):
            return marks(screen(RNN, *lines))
        new = os.path.join(folder, 'new.onnx')
        equal(saved('set batch_size=B', f'write {new}'), 0, 'marks of what is in the file')
        check(saved('set batch_size=B', f'write! {new}', 'undo') > 3, 'what was undone differs from the file')


def test_a_cancelled_preview_leaves_the_problems_alone():
    for down in ('', 'j'):
        start = ['pane problems', *([f'keys {down}'] if down else [])]
        same(PINNED, start, [*start, 'edit set batch_size=', 'keys 4 Esc'])
        same(PINNED, start, [*start, 'edit set batch_size=', 'keys 3 Esc'])


def test_a_cleared_filter_takes_letters_again():
    text = screen(RNN, 'help', 'keys / z o o', 'keys Ctrl-U', 'keys / u n d o')
    check('> undo_' in text and '\\x00' not in text, 'the filter is damaged')


def test_one_is_singular():
    texts = [screen(LINEAR, *lines) for lines in ([], ['edit set input:1=', 'keys N'], ['edit set batch_size=', 'keys B'])]
    texts += [run(command, model(LINEAR))[1].decode() for command in ('show', 'shapes', 'axes', 'symbols', 'check')]
    for text in texts:
        equal(re.findall(r'(?<![\d.,])1 (?:nodes|shapes|dims|problems|inputs|outputs|uses|rows|columns|tensors|edits)\b', text), [], text)


def pointed(text):
    """What is drawn in reverse video."""
    found = []
    lines = text.split('\n')
    for line, styles in zip(lines, lines[1:]):
        for start, end in re.findall(r'(\d+)-(\d+):[\w-]+/pointed', styles) if styles.startswith('    | ') else []:
            found.append(line[4:][int(start):int(end) + 1] if line.startswith('    ') else line[int(start):int(end) + 1])
    return found


def cursor(name, *lines, **how):
    return re.findall(r'[\w-]+/pointed', screen(name, *lines, what='cells', **how))


def box(text, title):
    """The shape in a box."""
    lines = text.split('\n')
    at = next((i for i, line in enumerate(lines) if re.search(rf'[┏╭]. (?:● )?{title}', line)), None)
    return re.search(r'[┃│] (\[[^│┃]*?) *[┃│]', lines[at + 1][lines[at].index(title) - 5:])[1] if at is not None else None


def test_the_cursor_walks_the_dims():
    for keys, style in (('', 'symbol-1'), ('.', 'symbol-2'), ('. .', 'number'), ('. . .', 'symbol-1'), (',', 'number'), (', ,', 'symbol-2')):
        equal(cursor(RNN, *([f'keys {keys}'] if keys else [])), [f'{style}/pointed'], f'after {keys!r}')
    equal(len(cursor(RNN, 'zoom lanes', 'keys .')), 1, 'in lanes')
    equal(cursor(RNN, 'pane inspector', 'save-screen /dev/null', 'goto input'), [], 'the inspector has a cursor of its own')
    equal(cursor(RNN, 'pane symbols'), [], 'keys act on the symbols')


def test_keys_act_on_the_dim_under_the_cursor():
    for moves, target, value in (('', 'input:0', 'batch_size'), ('.', 'input:1', 'sequence_length'), (',', 'input:2', '10')):
        check(f' {target} = {value}' in screen(RNN, *([f'keys {moves}'] if moves else []), 'keys e'), f'e after {moves!r}')
    check(' rename sequence_length =' in screen(RNN, 'keys . r'), 'r')
    check(' try sequence_length =' in screen(RNN, 'keys . ='), '=')
    check('10 is a number; e gives it a name' in screen(RNN, 'keys , r'), 'r on a number')
    # what another pane shows grey is not what keys act on
    check(' rename batch_size = ' in screen(RNN, 'pane symbols', 'keys j', 'pane graph', 'keys r'), 'r acts on another pane')


def test_sizes_have_their_short_names_everywhere():
    swin, frcnn = (tap.shared('models', name + '.onnx') for name in ('swin_t', 'frcnn'))
    check('H₁₇→1' in screen(swin, 'keys . . e 8', size='80 24'), 'what a size was in a preview')
    for op, words in (('Softmax', 'memory  28.1 KiB·N*H₂*W₂'), ('MatMul', 'cost    2.71 MFLOP·N*H₂*W₂')):
        text = screen(swin, f'search op:{op}', 'pane inspector', size='120 50')
        check(f'│{words} ' in text, f'{words}: {text}')
    check('✗ Id₁ is not a size of an input' in screen(frcnn, 'goto labels', 'keys e'), 'why it cannot be edited')
    text = screen(frcnn, 'pane problems', size='200 60')
    check('15*hw₂*wh₂ >= hw₄' in text and 'float32' not in text[text.index('5 Problems'):], f'problems {text}')
    # what is run or saved has expressions
    check('float32' in run('check', frcnn)[1].decode(), 'the command line')
    check('₁' not in run('edit', frcnn, '--script', '-', stdin=b'pane problems\nsave-screen /dev/null\nshapes\nquit!\n')[1].decode(), 'a script')


def test_why_says_what_its_names_stand_for():
    text = screen(tap.shared('models', 'frcnn.onnx'), 'goto boxes', 'keys x', size='160 60')
    told = dict(re.findall(r'│([A-Za-z]+[₀-₉]+) = ([^│]*)', text))
    check('boxes[0] = Id₁' in text and told.get('Id₁', '').startswith('min('), f'{told}\n{text}')
    for name in re.findall(r'\b[A-Za-z]+[₀-₉]+', ' '.join(told.values())):
        check(name in told, f'{name} is in another name, and not told')
    off = screen(tap.shared('models', 'frcnn.onnx'), 'option names off', 'goto boxes', 'keys x', size='160 60')
    check(not re.search(r'│[A-Za-z]+[₀-₉]+ = ', off), 'no names, no legend')


def test_the_new_size_is_never_cut():
    lines = ['option names off', 'zoom lanes', 'keys . . e 8', 'keys Down Backspace 9']
    text = screen(tap.shared('models', 'swin_t.onnx'), *lines, size='50 20')
    for name, shape in (('features', r'\[N, floor\(\(H \+ 28\)\S* ?\S*→1, (?:\S+→)?1, 768'), ('norm', r'→1, f…→1, 768'), ('Transpose', r'\[N, 768, .*→1, (?:\S+→)?1')):
        row = next((row for row in text.split('\n') if f' {name} ' in row), '')
        check(re.search(shape, row), f'{name}: {row}')


def test_problems_are_the_same_number_everywhere():
    # a preview counts consequences too, as the pane does, whose cursor is on the first error
    for lines in (['goto input', 'keys e', 'keys Down Down', 'keys 7'], ['goto input', 'keys e', 'keys Down Down', 'keys 7 Enter Enter']):
        text = screen(RNN, 'pane problems', 'pane graph', *lines)
        wrong = int(re.search(r'5 Problems \(✗ (\d+)\)', text)[1])
        said = re.search(r'(\d+) problems?\n', text)
        check(not said or int(said[1]) == wrong, f'{said} beside {wrong}')
    text = screen('demo.onnx', 'pane problems', 'keys G', 'set --force ids:0=2 mask:0=3', 'pane problems', size='200 50')
    errors = re.search(r'5 Problems \(✗ (\d+)', text)
    check(errors and 'error: it cannot run' in text, f'the cursor is elsewhere\n{text}')


def test_hidden_problems_are_told_in_the_header():
    for size in ('80 24', '60 20', '40 12'):
        text = screen(PINNED, size=size)
        check(re.search(r'✗1\s+!1\s*$', text.split('\n')[0]), text.split('\n')[0])
        check('✗1' not in screen(PINNED, 'pane problems', size=size).split('\n')[0], 'the pane tells it')
    styles = screen(PINNED, size='80 24', what='cells').split('\n')[1]
    check('conflict/header' in styles and 'warning/header' in styles, styles)
    check('✗' not in screen(RNN, size='80 24').split('\n')[0], 'no problem')


def test_nodes_are_counted_alike():
    path = tap.shared('models', 'frcnn.onnx')
    nodes = json.loads(run('show', '--json', path)[1])['nodes']
    equal(nodes, 1469, 'those of bodies too')
    check(f' {nodes:,} nodes ' in screen(path).split('\n')[0] and f'{nodes:,} nodes' in screen(path, 'pane metadata', 'fold all', size='200 50').split('\n', 1)[1], 'header and metadata')
    count = len(json.loads(run('check', '--json', path)[1])['findings'])
    text = screen(path, 'keys / i s : p r o b l e m')
    check(re.search(rf'^/is:problem .* {count} nodes$', text, re.M), f'not {count} nodes in a search: {text}')


def listed_uses(text):
    """The uses in the title of the list, and those of its rows."""
    lines = text.split('\n')
    top = next(i for i, line in enumerate(lines) if ' uses of ' in line or ' use of ' in line)
    total = int(re.search(r'Symbols \u2500 ([\d,]+) uses? of', lines[top])[1].replace(',', ''))
    rows = lines[top + 1:next(i for i, line in enumerate(lines) if i > top and line.endswith('\u256f'))]
    counts = [re.search(r'\u00d7([\d,]+)\u2502$', row) for row in rows]
    return total, sum(int(count[1].replace(',', '')) for count in counts if count)


def test_uses_are_the_same_number_everywhere():
    cache = os.path.abspath(os.path.join(os.path.dirname(__file__), 'networks', 'cache.onnx'))
    paths = [model(RNN), model('demo.onnx'), model('if.onnx'), model('loop.onnx'), cache, tap.shared('models', 'gpt12.onnx')]
    for path in (path for path in paths if path and os.path.exists(path)):
        for at, symbol in enumerate(json.loads(run('symbols', '--json', path)[1])['symbols']):
            # the selected row, unfolded or not
            follow = ['pane symbols', *(['keys ' + 'j ' * at] if at else []), 'keys Enter']
            for more in ([], ['keys G k Enter']):
                text = screen(path, 'pane symbols', 'save-screen /dev/null', *follow[1:], *more, size='200 400')
                equal(listed_uses(text), (symbol['uses'],) * 2, f'{path} {symbol["name"]} {more}\n')


def test_a_folded_row_of_uses_opens():
    folded = screen(RNN, 'pane symbols', 'keys Enter')
    check('6 that pass it on' in folded and re.search(r'│ +6 that pass it on +×7│', folded), folded)
    opened = screen(RNN, 'pane symbols', 'keys Enter', 'keys j j Enter')
    check('that pass it on' not in opened and len(re.findall(r'│  \w+ .*×\d│', opened)) == 6, opened)
    check('5 Problems' in opened and 'place 2 of 3' in screen(RNN, 'pane symbols', 'keys Enter n'), 'n skips what is folded')
    check('place 4 of 9' in screen(RNN, 'pane symbols', 'keys Enter', 'keys j j Enter', 'keys n'), 'n walks what is not')


def test_a_long_name_leaves_the_count_in_the_title():
    text = screen(RNN, 'pane symbols', 'keys Enter', size='100 36')
    check(re.search(r'4 Symbols ─ 9 uses of batch_s\S* ─', text), text)


def test_enter_follows_the_dim_that_was_walked_to():
    text = screen(RNN, 'keys . Enter')
    check('5 uses of seq' in text and 'following sequence_length: 5 uses' in text, text)
    check('n N walk its uses' in screen(RNN, 'keys . Enter', 'keys j'), 'the keys that go on are not named')
    check('place 2 of 2' in screen(RNN, 'keys . Enter n'), 'n does not go on')
    check('uses of' not in screen(RNN, 'keys . Enter Esc'), 'Esc does not end it')
    # a dim of several symbols: one after the other, then the box opens
    shown = [screen('../ui/networks/cache.onnx', 'goto node_softmax', 'keys , ' + ' Enter' * presses) for presses in (1, 2, 3)]
    equal([re.findall('uses of (\\w+)', text) for text in shown], [['past'], ['seq'], ['seq']], 'one after the other')
    check('h/l axis' in shown[2] and 'h/l axis' not in shown[1], 'the third opens nothing')
    # where nobody walked, and where the dim is a number, it is about the box
    for keys in ('Enter', ', Enter'):
        text = screen(RNN, f'keys {keys}')
        check('uses of' not in text and '─ axis ' in text, f'{keys}: {text}')
    check('uses of' not in screen(RNN, 'keys . j k Enter'), 'the walk does not end with the selection')


def test_enter_follows_the_dim_of_a_shape_in_the_inspector():
    check('5 uses of seq' in screen(RNN, 'pane inspector', 'keys l Enter'), 'not followed')


def test_a_weight_is_shown_where_it_is_read():
    for name, node, drawn in (('encoder.layer.1.mlp.up.weight', 'MatMul /encoder/layer.1/mlp/up/MatMul', 'MatMul (16×24)'),
                              ('embeddings.norm.bias', 'LayerNormalization /embeddings', 'LayerNormalization (16)')):
        text = screen('demo.onnx', 'fold all', f'goto {name}')
        check(f'┏━ {drawn} ━' in text and f' {name} is used by {node}' in text, f'{name}: {text}')
    swin = tap.shared('models', 'swin_t.onnx')
    # one that others share by copies, and a copy
    for name, node in (('features.1.0.attn.qkv.bias', '1.0/attn/Add'), ('features.1.0.norm1.weight', '1.0/norm1/Mul')):
        text = screen(swin, f'goto {name}')
        op = node.split('/')[-1]
        check(re.search(rf' {name} is used by {op} /features/features.1/features.{node}[, \n]', text) and f'┏━ {op} ' in text, f'{name}: {text}')


def test_a_field_is_edited_in_place():
    shape = lambda *keys: box(screen(RNN, 'keys . ' + ' '.join(keys)), 'input')
    equal(shape('e'), '[batch_size, sequence_length, 10] f32', 'before anything is typed')
    equal(shape('e', 'T'), '[batch_size, sequence_length→T, 10] f32', 'the first letter replaces it')
    equal(shape('e', 'T', 'u'), '[batch_size, sequence_length→Tu, 10] f32', 'the next one does not')
    equal(shape('e', 'Left', 'T'), '[batch_size, sequence_length→sequence_lengtTh,', 'a cursor key keeps it')
    equal(shape('e', '2', 'x'), '[batch_size, sequence_length→2x, 10] f32', 'what means nothing is shown too')
    for key in ('Ctrl-U', 'Backspace'):
        text = screen(RNN, f'keys . e {key}')
        check(' input:1 =' in text and 'Enter apply' in text, f'{key} takes the label away')
    text = screen(RNN, 'keys . . e 7 Enter')
    check(' input:2 = 7' in text and '✗ the graph contradicts it' in text, 'an error does not keep the text')
    check(box(screen(RNN, 'keys . e Enter'), 'input') == '[batch_size, sequence_length, 10] f32', 'Enter without a change')


def test_up_and_down_keep_what_was_typed():
    start = ['keys e 8 Down T']
    equal(box(screen(RNN, *start), 'input'), '[batch_size→8, sequence_length→T, 10] f32', 'the preview')
    check(' input:0=8  input:1 = T' in screen(RNN, *start), 'the label')
    check(' input:1=T  input:0 = 8' in screen(RNN, *start, 'keys Up'), 'back')
    done = screen(RNN, *start, 'keys Enter')
    equal(box(done, 'input'), '[8, T, 10] f32', 'applied')
    check('undo 1' in done, 'two steps')
    left = screen(RNN, *start, 'keys Esc')
    equal((box(left, 'input'), marks(left)), ('[batch_size, sequence_length, 10] f32', 0), 'a cancelled one leaves a trace')


def test_a_derived_dim_is_edited_where_it_is_declared():
    check('this is input:0; editing it there' in screen(RNN, 'goto output', 'keys e'), 'an output')
    check(' input:2 = 10' in screen(RNN, 'goto /rnn/Transpose', 'keys . . e'), 'a number that an input declares')
    check("20 is not a size of an input: x explains it" in screen(RNN, 'goto /Gather', 'keys . e'), 'a number of a weight')
    equal(box(screen(RNN, 'goto output', 'keys e 4'), 'output'), '[batch_size→4, 5] f32', 'the preview')


def test_folded_shape_arithmetic_shows_what_it_computes():
    edit = ['edit set batch_size=', 'keys 8']
    text = screen(RNN, *edit)
    check('╭~ ▸ [1, batch_size→8, 20] ' in text, text)
    check('╭─ ▸ [1, batch_size, 20] ' in screen(RNN, *edit, 'keys Esc'), 'a cancelled preview leaves a mark')
    check('╭~ ▸ [1, 8, 20] ' in screen(RNN, 'set batch_size=8'), 'after the edit')
    lanes = screen(RNN, 'zoom lanes', *edit)
    check(re.search(r'~ ▸ \[1, batch_size→8, 20\] 4 .* \[1, batch_size→8, 20\]', lanes), lanes)


def test_a_fold_is_marked_where_only_its_inside_changes():
    with tap.folder() as folder:
        path = os.path.join(folder, 'inside.onnx')
        nodes = [b.node('Relu', 'x', 'a', name='/in/Relu'), b.node('Relu', 'a', 'c', name='/in/Relu_1'),
                 b.node('ReduceSum', 'c', 'y', name='/in/ReduceSum', keepdims=0)]
        with open(path, 'wb') as file:
            file.write(b.model(b.graph('g', nodes, [b.floats('x', 'n', 4)], [b.floats('y')]), opset={'': 17}))
        text = screen(path, 'fold all', 'edit set x:0=', 'keys 8')
        check(re.search(r'╭~ ▸ in 3 ', text), text)


def test_a_tried_size_is_a_preview_and_is_left_by_one_key():
    typed = screen(RNN, 'keys . = 7')
    equal(box(typed, 'input'), '[batch_size, sequence_length→7, 10] f32', 'while typing')
    same(RNN, ['keys .'], ['keys .', 'keys = 7 Esc'])
    kept = ['keys . = 7 Enter']
    check('try sequence_length=7' in screen(RNN, *kept), 'Enter keeps it')
    for leave in ('Esc', 'u', '= Enter'):
        text = screen(RNN, *kept, f'keys {leave}')
        check('try sequence' not in text.split('\n')[0] and marks(text) == 0, f'{leave} does not leave it')
    check('[7, sequence_length, 10]' in screen(RNN, 'set batch_size=7', 'keys = 5 Enter u'), 'u undoes an edit too')
    check('a size is a whole number' in screen(RNN, 'keys = x'), 'a name is no size')


def test_changes_out_of_sight_are_counted():
    text = screen(RNN, 'keys e 8', size='80 14')
    found = re.search(r'▼ (\d+) changed', text)
    check(found and int(found[1]) > 1, 'below')
    check(re.search(r'▲ \d+ changed', screen(RNN, 'goto output', 'keys e 8', size='80 14')), 'above')
    check(re.search(r'v \d+ changed', screen(RNN, 'option ascii on', 'keys e 8', size='80 14')), 'in ASCII')
    check(' changed' not in screen(RNN, 'set batch_size=8', size='80 14'), 'an edit that was made')


def test_a_contradiction_comes_into_sight():
    for size in ('80 14', '80 18', '120 36'):
        text = screen(RNN, 'fold none', 'first', 'keys , e 7', size=size)
        check('╭✗ RNN' in text and 'input size and W: 7 and 10' in text.split('\n')[-2], f'at {size}')
        same(RNN, ['fold none', 'first', 'keys ,'], ['fold none', 'first', 'keys ,', 'keys e 7 Esc'])
    beside = screen(PINNED, 'keys e 4')
    check(re.search(r'✗ Reshape .*╮ ✗ 40 elements in, 30 out', beside), 'nothing is said beside the box')
    check('N can only be 10' in screen(RNN, 'keys , e N').split('\n')[-2], 'a pin is no problem')
    check('1 problem' in screen(RNN, 'set input:2=N --force', 'keys , = 7'), 'a tried size that cannot be')


def test_the_selected_box_stays_in_its_place():
    def place(*keys):
        lines = screen(RNN, 'goto /Gather', 'save-screen /dev/null', *keys, size='80 24').split('\n')
        found = [(y, line.index('┏'), line.index('┓')) for y, line in enumerate(lines) if '┏' in line]
        return (found[0][0], (found[0][1] + found[0][2]) // 2) if found else None
    first = place()
    for keys in ('e B', 'e L o n g e r N a m e', 'e 8', '= 7', 'e 8 Enter'):
        there = place(f'keys {keys}')
        check(first and there and there[0] == first[0] and abs(there[1] - first[1]) <= 1, f'{keys}: {there}, was {first}')


def test_bodies_and_folds_carry_the_marks():
    check('╭~ ▸ rnn' in screen(RNN, 'fold all', 'set batch_size=B', size='80 24'), 'a fold')


def test_repairs_say_what_they_are():
    text = screen(PINNED, 'keys 5 R', size='160 36')
    for part in ('freed input:0 item by item', '[3, 10] → [0, 10]', 'V runs it'):
        check(part in text.split('\n')[-3], f'{part!r} is not said')
    check('now  freed input:0' in screen(PINNED, 'keys 5 R 7', size='200 36'), 'the history has no proof')
    check('nothing to repair' in screen(RNN, 'keys R'), 'R is silent')
    with tap.folder() as folder:
        path = os.path.join(folder, 'steps')
        check(f'saved 1 edit to {path}' in screen(RNN, 'set batch_size=B', f'recipe {path}', size='200 36'), 'where is the recipe?')


def test_a_repair_is_proved_before_it_is_made():
    plain = screen(PINNED, 'pane problems', size='160 50')
    check(re.search(r'R repair input:0 .*\n.*tried: freed input:0 item by item', plain), plain)
    check('undo' not in plain.split('\n')[-3] and '●modified' not in plain and marks(plain) == 0, 'it is left behind')
    check('tried' not in screen(PINNED, size='160 50'), 'it is tried while nobody looks')
    done = screen(PINNED, 'keys 5 R', 'pane problems', size='160 50')
    check('tried' not in done and 'Problems: none' in done, done)
    with tap.folder() as folder:
        path = os.path.join(folder, 'split.onnx')
        nodes = [b.node('Split', 'x parts', 'a b c', axis=0), b.node('Sum', 'a b c', 'y')]
        with open(path, 'wb') as file:
            file.write(b.model(b.graph('g', nodes, [b.floats('x', 'batch', 4)], [b.floats('y', 1, 4)],
                                       [b.int_tensor('parts', [3], [1, 1, 1])]), opset={'': 17}))
        refused = screen(path, 'pane problems', size='200 50')
    check(re.search(r'R repair x:0 .*\n.*x:0 cannot be freed: Split a:', refused), refused)


def test_plain_boxes_are_as_wide_as_drawn_ones():
    name = 'e\u0301te\u0301\u4e2d\u4e2d'
    with tap.folder() as folder:
        path = os.path.join(folder, 'names.onnx')
        with open(path, 'wb') as file:
            file.write(b.model(b.graph('g', [b.node('Relu', 'x', 'y')], [b.floats('x', name, 4)], [b.floats('y', name, 4)]), opset={'': 17}))
        equal(box(screen(path), 'x'), '[ete\u4e2d\u4e2d, 4] f32', 'drawn')
        for lines in (['option ascii on'], ['save-screen /dev/null', 'option ascii on']):
            check('# [ete????, 4] f32  #' in screen(path, *lines), f'plain: {lines}')


def test_a_symbol_that_a_preview_fixes_stays_selected():
    for keys in (['keys 4 e Ctrl-U 8 Esc r'], ['keys 4 e Ctrl-U 8 Enter', 'keys u r'], ['keys 4 e Ctrl-U 8 Esc', 'keys = Esc r']):
        check('rename batch_size = batch_size' in screen(RNN, *keys), f'{keys}')
    check('rename sequence_length = ' in screen(RNN, 'keys 4 e Ctrl-U 8 Esc j r'), 'another one is chosen')


def test_nothing_is_silent():
    for line, said in (('try', 'no size is tried'), ('name S=batch_size*3', 'S stands for batch_size*3 in every shape'), ('name S=', 'S is no short name any more')):
        check(said in screen(RNN, line), line)
    check('left the sizes that were tried' in screen(RNN, 'try batch_size=3', 'try'), 'try')
    # The last thing that was done is undone first: the edit, then the sizes tried before it.
    both = 'try sequence_length=3', 'set batch_size=n', 'undo'
    check('undid set batch_size=n' in screen(RNN, *both) and 'left the sizes' in screen(RNN, *both, 'undo'), 'undo')
    check('undid 2 edits' in screen(RNN, 'set batch_size=n', 'set n=m', 'undo 2'), 'undo 2')
    check('redid set batch_size=n' in screen(RNN, 'set batch_size=n', 'undo', 'redo'), 'redo')
    for name, word in (('S', '2'), ('S', 'batch_size')):
        with tap.folder() as folder:
            code, _, err = run('edit', model(RNN), '--script', '-', stdin=f'name {name}={word}\n'.encode(), env={'XDG_STATE_HOME': folder})
            check(code == 2 and f"'{word}' is short already" in err.decode(), err.decode())


def test_no_frame_is_empty():
    frcnn = screen(tap.shared('models', 'frcnn.onnx'), size='200 50')
    check('6 Map' not in frcnn and '6 map' in frcnn, 'a map without a row')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
