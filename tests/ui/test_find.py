"""Searches: what a word finds, in which order, and how one comes back from there."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scripted import keys, screens

DEMO, SWIN = model('demo.onnx'), tap.shared('models', 'swin_t.onnx')


def typed(path, text):
    """What is said beside a search while it is typed."""
    line = next(line for line in screens(path, keys('/' + text))[0].split('\n') if line.startswith('/'))
    return line[1 + len(text):].strip()


def said(shown):
    """The notice, which is at the end of the selection's row, and the place in the title."""
    lines = shown.rstrip('\n').split('\n')
    return lines[-2].split('  ')[-1].strip(), re.search(r'2 Graph ─ \w+ ─ (.*?) ─', lines[1])[1]


def test_a_word_finds_what_is_called_so():
    equal(typed(DEMO, 'attention').split(';')[0], '2 blocks', 'blocks, not what is in them')
    equal(typed(DEMO, 'layer.1/attention'), '1 block', 'a path')
    equal(typed(DEMO, 'layer.1/'), '1 block', 'a path that goes on')
    equal(typed(DEMO, 'softmax'), '2 nodes', 'an operator')
    equal(typed(DEMO, 'attention softmax'), '2 nodes', 'in a block')
    equal(typed(DEMO, 'ids'), '1 input', 'an input')
    equal(typed(DEMO, 'nosuch'), 'no match', 'nothing')
    equal(typed(SWIN, 'attn').split(';')[0], '12 blocks', 'before weights')
    check(re.match(r'\d+ weights, \d+ constants$', typed(SWIN, 'qkv')), f"weights: {typed(SWIN, 'qkv')}")


def test_a_kind_may_be_asked_for():
    every = int(typed(DEMO, 'attention is:node').split()[0])
    check(every > 20, f'{every} nodes in the blocks')
    check(re.match(r'\d+ weights?$', typed(DEMO, 'weight is:weight')), typed(DEMO, 'weight is:weight'))
    equal(typed(DEMO, 'softmax is:weight'), 'no match', 'no weight')
    shown = screens(DEMO, keys('/is:wait') + ' Enter')[0]
    check('a kind such as is:weight' in shown, shown)


def test_n_walks_as_the_graph_runs():
    shown = [said(s) for s in screens(SWIN, 'search attn', *['keys n'] * 12, 'keys N')]
    equal([m for m, _ in shown], [f'{i} of 12 blocks' for i in [*range(1, 13), 1, 12]], 'all, and around')
    places = [[int(n) for n in re.findall(r'\d+', where.split('›', 1)[1])] for _, where in shown[:12]]
    equal(places, sorted(places), 'from the input to the output')


def test_n_goes_on_from_where_one_stands():
    shown = screens(DEMO, 'search softmax', 'goto /encoder/layer.1/mlp/up/Add', 'keys N', 'last', 'keys n', 'keys N')
    equal([said(shown[i])[0] for i in (0, 2, 4, 5)], ['1 of 2 nodes', '2 of 2 nodes', '1 of 2 nodes', '2 of 2 nodes'], 'the next one')


def test_weights_of_one_node_are_walked_too():
    names = [re.search(r' of \d+ weights: (\S+)$', said(s)[0]) for s in screens(DEMO, 'search norm is:weight', *['keys n'] * 4)]
    equal(len({name[1] for name in names if name}), 5, f'{names}')


def test_esc_while_typing_leaves_no_trace():
    for path in (DEMO, SWIN):
        first, _, after = screens(path, 'keys j j', keys('/attn'), 'keys Esc', what='cells')
        check(first and first == after, 'another picture')


def test_esc_comes_out_of_what_a_search_went_into():
    first, hit, *out = screens(SWIN, 'fold all', 'search features.5.3/attn', *['keys Esc'] * 5)
    places = [said(s)[1] for s in (hit, *out)]
    equal(places[0], 'swin_t › features › 5 › 3', 'where the hit is')
    for inner, outer in zip(places, places[1:]):
        check(inner.startswith(outer), f'{places}: elsewhere')
    check(places[1] != places[0] and places[2] != places[1], f'{places}: one level a key')
    check(places[-1] == 'swin_t' and any('nothing to leave' in s for s in out), f'{places}: the end')
    folds = lambda text: re.findall(r'▸ \S+', text)
    check(folds(first) and folds(first) == folds(out[-1]), f'{folds(first)} {folds(out[-1])}')


def test_a_visible_hit_moves_only_the_selection():
    _, there = screens(DEMO, 'fold none', 'goto /encoder/layer.0/mlp/up/Add')
    _, found = screens(DEMO, 'fold none', 'search encoder/layer.0/mlp/up/Add')
    equal(found.split('\n')[1:-3], there.split('\n')[1:-3], 'no fold is entered')


def test_n_goes_from_one_fold_into_another():
    first, second = [said(s)[1] for s in screens(SWIN, 'fold all', 'search norm1', 'keys n')[1:]]
    equal((first, second), ('swin_t › features › 1 › 0', 'swin_t › features › 1 › 1'), 'not inside the first')


def offered(path, text):
    shown = screens(path, 'palette', keys(text))[-1]
    return re.findall(r'│([:■▸◆→]) (.*?)  +[^│]*│', shown)


def test_the_palette_offers_blocks_before_what_is_in_them():
    marks = [mark for mark, _ in offered(SWIN, 'attn')]
    equal(''.join(marks[:13]), '▸' * 12 + '◆', 'blocks, then nodes')
    equal(offered(DEMO, 'softmax')[0][0], '◆', 'a node, where no block is called so')
    equal(offered(DEMO, 'query.weight')[0][0], '→', 'a weight')
    *_, there = screens(SWIN, 'palette', keys('features.5.3/attn'), 'keys Enter')
    check(said(there)[1] == 'swin_t › features › 5 › 3' and '┏━ ▸ attn ' in there, there)


def test_goto_enters_folds_too():
    *_, there, out = screens(SWIN, 'fold all', 'goto /features/features.5/features.5.3/attn/Softmax', 'keys Esc')
    equal((said(there)[1], said(out)[1]), ('swin_t › features › 5 › 3 › attn', 'swin_t › features › 5 › 3'), 'one level')


def test_the_way_to_a_mark_leaves_the_fold():
    *_, way = screens(DEMO, 'fold all', 'goto /embeddings/Add', 'mark a', 'goto /encoder/layer.0/attention/Add', 'path')
    check('path' in said(way)[1] or ' path ' in way, way)
    check(way.count('Reshape') > 0, 'what is between is not shown')


def test_closing_the_fold_that_is_shown_alone_leaves_it():
    *_, out = screens(SWIN, 'fold all', 'goto /features/features.5/features.5.3/attn/Softmax', 'keys zc')
    equal((said(out)[1], '┏━ ▸ attn ' in out), ('swin_t › features › 5 › 3', True), 'still inside')
    equal(said(screens(SWIN, 'fold all', 'goto /features/features.5/features.5.3/attn/Softmax', 'keys zc', 'keys Esc')[-1])[1],
          'swin_t › features › 5', 'the next one out')


tap.main({n: f for n, f in globals().items() if n.startswith('test_')})
