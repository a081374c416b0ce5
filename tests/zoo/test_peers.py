"""The comparison with other tools: what is right, unknown and wrong, and that the page has the tables of the recorded data."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'cli')]
import peers
import peers_table
import tap
from tap import check, equal

FACTS = {
    'declared': {'x': ['batch', 8]},
    'makers': {'a': ['Relu', ['x']], 'one': ['Constant', []], 'b': ['NonZero', ['x']], 'out': ['Add', ['a']]},
    'behind': ['b'],
    'results': ['out'],
}
RUNS = [({'x': [n, 8]}, {'a': [n, 16], 'one': [1], 'b': [2, 2 * n], 'out': [n, 8]}) for n in (2, 3)]


def counts(shape):
    found = peers.judge_shapes(FACTS, RUNS, {} if shape == 'removed' else {'a': shape})
    return found['vary'], found['same']


def test_right():
    equal(counts(['batch', 16]), ([1, 0, 0], [1, 0, 0]), 'a name and a number')
    equal(counts(['Max(1, batch)', 16]), ([1, 0, 0], [1, 0, 0]), 'an expression of sympy')
    equal(counts(['ceiling(2*batch/2)', 'floor(33/2)']), ([1, 0, 0], [1, 0, 0]), 'rounding')


def test_unknown():
    equal(counts(['unk__3', 'batch_1']), ([0, 1, 0], [0, 1, 0]), 'fresh names are not wrong')
    equal(counts([None, None]), ([0, 1, 0], [0, 1, 0]), 'dims without a size')
    equal(counts(None), ([0, 1, 0], [0, 1, 0]), 'no shape')
    equal(counts('removed'), ([0, 0, 0], [0, 0, 0]), 'a tensor that is gone does not count')


def test_wrong():
    equal(counts([2, 16]), ([0, 0, 1], [1, 0, 0]), 'a number that is true at one size only')
    equal(counts(['batch', '8*batch']), ([1, 0, 0], [0, 0, 1]), 'an expression that is true at one size only')
    equal(counts(['batch/2', 16]), ([0, 0, 1], [1, 0, 0]), 'half an item')
    equal(counts(['batch', 4, 4]), ([0, 0, 1], [0, 0, 1]), 'another rank')


def test_complaints():
    pin = {'said': 'pin Reshape r: batch can only be 3 (batch)', 'names': True}
    equal(peers_table.check_code(pin, ['batch']), peers_table.NAMES, 'a pin is found')
    equal(peers_table.check_code(pin, ['batch', 'seq']), peers_table.SILENT, 'not all pins')
    equal(peers_table.check_code({'said': 'it fails', 'names': False}, ()), peers_table.COMPLAINS, 'a complaint')
    equal(peers_table.check_code({'failed': 'crash'}, ()), peers_table.FAILED, 'no answer')


def test_percent():
    equal(peers_table.percent(9999, 10000), '> 99.9 %', 'not all')
    equal(peers_table.percent(1, 10000), '< 0.1 %', 'not none')
    equal(peers_table.percent(10, 10), '100.0 %', 'all')


def test_page():
    data = peers_table.load()
    with open(peers_table.PAGE, encoding='utf-8') as file:
        text = file.read()
    check(peers_table.page(text, data) == text, 'the page has other tables: python3 tests/zoo/peers_table.py --update')
    wrong = [m['model'] for m in data['models'] if 'shapes' in m and m['shapes']['axed'][2] + m['shapes']['axed'][5]]
    equal(wrong, [], 'models of which axed gives a wrong shape')


tap.main(globals())
