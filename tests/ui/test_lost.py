"""Nobody gets lost: what the hints name, what a key that waits lists, what Esc ends."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scripted import screen

RNN, IF = 'dynamic_rnn.onnx', 'if.onnx'


def hints(*lines, **how):
    return screen(RNN, *lines, **how).rstrip('\n').split('\n')[-1]


def listed(text, title):
    """The rows of the list of keys that may follow."""
    lines = text.split('\n')
    top = next((i for i, line in enumerate(lines) if line[:1] in '╭├┬┼' and line[1:].startswith(f'─ {title}')), None)
    if not check(top is not None, f'no list {title!r}:\n{text}'):
        return []
    rest = lines[top + 1:]
    return [line[1:line.index('│', 1)].strip() for line in rest[:next(i for i, line in enumerate(rest) if line[:1] in '╰├┴┼')]]


def test_the_graph_names_the_keys_that_edit():
    for words in (', . size', 'e edit', 'r rename', 'x why', 'u undo'):
        check(words in hints(), f'{words} at 120 columns: {hints()}')
    narrow = hints(size='80 24')
    for words in (', . size', 'e edit', '^P find', ': command', '? help', 'q quit'):
        check(words in narrow, f'{words} at 80 columns: {narrow}')


def test_a_notice_leaves_the_keys_and_the_selection():
    for keys in ('y', 'm a', 'Ctrl-O', '~ n', 'z q'):
        last = screen(RNN, 'goto /rnn/RNN', f'keys {keys}').rstrip('\n').split('\n')[-2:]
        check(last[1].endswith('^P find  : command  ? help  q quit'), f'{keys}: the keys: {last}')
        check('RNN  /rnn/RNN' in last[0] or 'input' in last[0], f'{keys}: the selection: {last}')


def test_popups_join_the_frames_below_them():
    for size in ('80 24', '120 36', '200 50'):
        for keys in (': s', ': w', ': s e t Space', 'o', 'm', 'z'):
            lines = screen(RNN, 'keys j', f'keys {keys}', size=size).rstrip('\n').split('\n')
            check(not re.search('\u2500[\u2570\u256d]|[\u256f\u256e]\u2500', lines[-3]), f'{size} {keys}: {lines[-3]}')
            check(re.search('[\u2534\u2570\u251c]', lines[-3]), f'{size} {keys}: {lines[-3]}')


def test_popups_are_as_large_as_what_they_say():
    for size, height in (('80 24', 24), ('120 36', 36), ('200 50', 50)):
        lines = screen(RNN, 'keys x', size=size).split('\n')
        top = next(i for i, line in enumerate(lines) if '\u2500 Why ' in line)
        left = lines[top].index('\u2500 Why ') - 1
        rows = [line[left:] for line in lines[top + 1:]]
        end = next(i for i, row in enumerate(rows) if row[0] != '\u2502')
        check(end == 5, f'{size}: {end} rows for 3 sizes and a legend')
    for pane in 'metadata', 'ops', 'history':
        lines = screen(RNN, f'pane {pane}', size='80 24').split('\n')
        column = [line[-1:] for line in lines]
        check('\u2524' in column, f'{pane} is as tall as the screen')


def test_no_pane_is_cut_while_another_has_empty_lines():
    for name in ('gpt12.onnx', 'frcnn.onnx', 'swin_t.onnx', 'resnet50.onnx', 'vit_b_16.onnx'):
        for size in ('120 36', '120 30', '150 50', '200 50'):
            for keys in ('j', 'j j j', 'G', '5', '4'):
                lines = screen(tap.shared('models', name), f'keys {keys}', size=size).split('\n')
                top = next(i for i, line in enumerate(lines) if ' 3 Inspector ' in line)
                left = lines[top].index(' 3 Inspector ') - 2
                column = [line[left:] for line in lines]
                end = next(i for i in range(top + 1, len(lines)) if column[i][0] == '\u2570')
                empty = sum(not line.strip('\u2502 ') for line in column[end - 1:end])
                problems = next((i for i, line in enumerate(column) if ' 5 Problems' in line), None)
                if check(problems, f'{name} {size} {keys}: no pane of problems'):
                    below = next(i for i in range(problems, len(lines)) if column[i][0] == '\u2570')
                    check(not empty or '\u25bc' not in column[below], f'{name} {size} {keys}: problems are cut, the inspector has {empty} empty lines')
                    check(below > problems + 1, f'{name} {size} {keys}: a frame with nothing in it')


def test_a_line_that_waits_for_a_letter_lists_them():
    equal(listed(screen(IF, 'goto choose', 'keys Enter'), 'enter'), ['t  then_branch', 'e  else_branch'], 'the bodies')
    equal(listed(screen(RNN, 'keys o'), 'follow out'), ['a  Transpose  /rnn/Transpose', 'b  ▸ [1, batch_size, 20]'], 'the readers')
    equal(listed(screen(RNN, 'keys m a', 'goto /rnn/RNN', "keys m b \"'\""), 'jump'), ['a  input', 'b  /rnn/RNN'], 'the marks')
    check('no mark is set; m and a letter set one' in screen(RNN, "keys \"'\""), 'no mark')
    equal(listed(screen(RNN, 'keys m'), 'mark'), ['a letter  mark'], 'any letter')
    text = screen(RNN, 'keys o Esc m')
    equal(listed(text, 'mark'), ['a letter  mark'], 'the readers of before')


def refused(line):
    with tap.folder() as folder:
        code, _, err = run('edit', model(RNN), '--script', '-', stdin=f'{line}\n'.encode(), env={'XDG_STATE_HOME': folder})
        equal(code, 2, f'{line}: {err}')
        return err.decode().strip().split(': ', 3)[-1]


def test_words_of_other_programs_lead_to_the_line():
    for line, said in (('save new.onnx', "there is no command 'save'; try write or write!"), ('svg', "there is no command 'svg'; try export"),
                       ('exit', "there is no command 'exit'; try wq, quit or quit!")):
        equal(refused(line), said, line)
    check(refused('exp').endswith('export or export!'), refused('exp'))
    check(refused('zoon').endswith('did you mean zoom?'), refused('zoon'))
    offered = [line for line in screen(RNN, 'keys : s a v e').split('\n') if line.startswith('│ ')]
    at = {word: next((i for i, line in enumerate(offered) if line.startswith(f'│ {word} ')), -1) for word in ('write', 'save-screen')}
    check(0 <= at['write'] < at['save-screen'], f'write is not offered for save: {at}')
    check(':write' in screen(RNN, 'keys : s a v e Tab'), 'Tab takes it')
    check('│ find ' in screen(RNN, 'keys : f i n d') and ':find' in screen(RNN, 'keys : f i n d Tab'), 'a name comes first')


def matches(*lines):
    return screen(RNN, *lines, what='cells').count(':match')


def test_esc_puts_out_the_matches():
    check(matches('search Transpose') > 0, 'nothing is lit')
    equal(matches('search Transpose', 'keys Esc'), 0, 'after Esc')
    check(matches('search Transpose', 'keys Esc n') > 0, 'n looks again')
    check('2 of 2 nodes' in screen(RNN, 'search Transpose', 'keys Esc n'), 'from where it was')
    check('nothing to leave' in screen(RNN, 'search Transpose', 'keys Esc', 'keys Esc'), 'the second Esc')


def test_what_a_size_must_fit_is_told_in_full():
    text = screen(tap.shared('models', 'gpt12.onnx'))
    for row in ('past + seq is at most 512', 'by /p/Gather', 'total must equal past + seq,', 'or one of them 1  /Add_2'):
        check(re.search(rf'│ {{4,6}}{re.escape(row)} *│', text), f'{row!r} is cut: {text}')


def test_what_many_nodes_demand_is_told_once():
    text = screen('../ui/networks/inception.onnx', 'pane inspector')
    equal(text.count('h₁ is at least 1'), 1, text)


def test_why_begins_with_the_size_that_was_pointed_at():
    text = screen(tap.shared('models', 'swin_t.onnx'), 'goto 7208', 'keys k k k k . . . x', size='120 30')
    rows = text.split('\n')
    top = next(i for i, row in enumerate(rows) if '╭─ Why ─' in row)
    check(re.search(r'│\S+\[3\] = W₁₇  by ', rows[top + 1]), f'not at the top\n{text}')
    short = screen(RNN, 'goto output', 'keys . x')
    check(re.search(r'╭─ Why ─.*\n.*│output\[0\] = batch_size', short), f'what fits is not scrolled\n{short}')


def test_the_palette_lists_symbols_that_are_there():
    check('■ batch_size' in screen(RNN, 'palette'), 'before')
    text = screen(RNN, 'set batch_size=8', 'palette')
    check('■ batch_size' not in text and '■ sequence_length' in text, f'a name that was fixed\n{text}')


def test_numbers_are_written_alike():
    text = screen(tap.shared('models', 'swin_t.onnx'), 'keys . . e 2 2 4')
    check('preview: 1,614 shapes change' in text and '1,614 dims change' in text, text.split('\n')[0])


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
