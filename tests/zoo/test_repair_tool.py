"""What repair tools print is read as it is meant: conditions, assumptions, reasons; and which sizes are then judged."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'cli')]
import repair_tool
import repairs
import tap
from tap import check, equal

ABOUT = {
    'inputs': {'ids': 'i50 batch seq', 'mask': 'mask batch past+seq', 'key': 'f batch 4 past 8'},
    'exported': {'batch': 3, 'past': 5, 'seq': 6},
    'sizes': {'batch': [2, 3, 1, 5], 'past': [5, 7, 3, 12], 'seq': [6, 9, 4, 11]},
}


def test_prototype():
    text = (
        'edit: Reshape a: [3, 6] -> [-1, 6]\nbatch item by item\nseq by shape: table (Add b)\nbound: (seq+1) <= 65 Add_3\n'
        'bound: seq >=2 Slice_4\nassumes: seq is a multiple of 4\nassumes: Resize_1: size 8 is seq\n'
    )
    said = repair_tool.read(text, '', ['batch', 'seq'])
    equal(said.conditions, ['(seq+1) <= 65', 'seq >= 2', 'seq is a multiple of 4'], 'conditions')
    equal(said.assumes, ['Resize_1: size 8 is seq'], 'assumptions')
    equal(said.proofs['batch'], 'item by item', 'proof')
    equal(said.upper(), ['(seq+1) <= 65'], 'upper bounds')
    equal([n for n in range(1, 80) if said.allows({'batch': 1, 'seq': n})], list(range(4, 65, 4)), 'sizes')


def test_axed():
    row = {
        'axes': [
            {'input': 'x', 'axis': 0, 'name': 'batch', 'freed': True, 'proof': 'item by item', 'assumes': [], 'bound': None},
            {'input': 'x', 'axis': 1, 'name': 'seq', 'freed': True, 'proof': 'by shape', 'assumes': ['seq >= 2', 'x'], 'bound': 9},
        ]
    }
    said = repair_tool.read(json.dumps(row) + '\n', '', ['batch', 'seq'])
    equal(said.conditions, ['seq <= 9', 'seq >= 2'], 'conditions')
    equal(said.assumes, ['x'], 'assumptions')
    equal(said.proofs, {'batch': 'item by item', 'seq': 'by shape'}, 'proofs')
    said = repair_tool.read('assumes: seq % 4 = 0\nassumes: seq = 8\n', '', ['seq'])
    equal(said.upper(), ['seq = 8'], 'a multiple is no upper bound')


def test_refusal():
    row = {'axes': [{'axis': 'x:0=batch', 'freed': False, 'reason': 'Reshape r: no'}]}
    equal(repair_tool.read(json.dumps(row), 'axed: x:0 cannot be freed', ['batch']).reason, 'x:0=batch: Reshape r: no', 'JSON')
    equal(repair_tool.read('', 'axed: x:0 cannot be freed', ['batch']).reason, 'axed: x:0 cannot be freed', 'text')
    equal(repair_tool.read('ambiguous: a\nambiguous: b\n', '', ['b']).reason, 'ambiguous: a; ambiguous: b', 'prototype')


def test_old_size_only():
    for text, wanted in (('seq <= 6', True), ('seq <= 7', False), ('seq = 6', True), ('floor(seq/2) <= 3', False)):
        said = repair_tool.read(f'assumes: {text}\n', '', ['seq'])
        equal(said.only_to({'seq': 6}), wanted, text)


def test_command():
    words = repair_tool.Tool('python "my tool" {model} {axes} -o {out}').command('m', ['a:0=b', 'a:1=c'], 'o')
    equal(words, ['python', 'my tool', 'm', 'a:0=b', 'a:1=c', '-o', 'o'], 'template')
    equal(repair_tool.Tool('/bin/axed').command('m', ['a:0=b'], 'o'), '/bin/axed repair m a:0=b -o o --json'.split(), 'axed')


def test_exit_codes():
    with tap.folder() as folder:
        out = os.path.join(folder, 'out')
        for text, code in (('exit 1', 1), ('exit 3', 3), ('touch {out}', 0)):
            tool = repair_tool.Tool(f"sh -c '{text}' {{model}} {{axes}}")
            equal(tool.run('m', ['a:0=b'], out)[0], code, text)
        check(os.path.exists(out), 'it has written')
        equal(repair_tool.Tool("sh -c 'sleep 9' {model}", 0.2).run('m', [], out)[0], None, 'too slow')
        check(not os.path.exists(out), 'what an earlier run has written is gone')


def test_asks():
    equal(repairs.asks(ABOUT), {'batch': ['batch'], 'batch+seq': ['batch', 'past', 'seq']}, 'kinds')
    asked = repairs.axes(ABOUT, ['batch', 'past', 'seq'], {'ids', 'mask'})
    equal([word for word, _ in asked], ['ids:0=batch', 'ids:1=seq', 'mask:0=batch', 'mask:1=past_plus_seq'], 'axes')
    equal(repairs.named(asked, ABOUT['exported']), {'batch': 3, 'seq': 6, 'past_plus_seq': 11}, 'names')


def test_bindings():
    symbols = ['batch', 'past', 'seq']
    found = repairs.bindings(ABOUT, symbols, lambda bind: True)
    equal(found[0], {'batch': 5, 'past': 7, 'seq': 9}, 'first')
    check(ABOUT['exported'] not in found, 'the old sizes are not among the others')
    found = repairs.bindings(ABOUT, symbols, lambda bind: bind['seq'] <= 6 and bind['past'] == 5)
    equal(found[0]['past'], 5, 'a symbol that may not change stays')
    check(found[0]['seq'] < 6 and found[0]['batch'] != 3, 'the others change')


tap.main(globals())
