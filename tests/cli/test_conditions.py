"""Conditions on sizes: how they are normalised, bound, and said; `--bind` equals `set`."""

import glob
import json
import os
import sys

import tap
from tap import check, equal, run

sys.path.insert(0, tap.MODELS)
import build
from build import float_tensor, floats, graph, int_tensor, node, value

ZOO = os.path.join(tap.TOP, 'tests', 'repair', 'zoo')


def asked(nodes, inputs, initializers, *words):
    """The exit code and the JSON of a command for a model with these."""
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(build.model(graph('g', nodes, inputs, [value('y')], initializers))))
        code, out, err = run(words[0], '--json', path, *words[1:])
    return code, json.loads(out), err


def weight(name, *dims):
    count = 1
    for dim in dims:
        count *= dim
    return float_tensor(name, list(dims), [0.5] * count)


def findings(*model):
    code, out, _ = asked(*model, 'check')
    return code, [(f['level'], f['message'].split(':')[0], f['range']) for f in out['findings']]


def axes(*model):
    _, out, _ = asked(*model, 'axes')
    return {f'{a["input"]}:{a["axis"]}': a for a in out['axes']}


def pooled(kernel, columns):
    """A MatMul over a pooled axis: its weight has as many rows as the pool must give columns."""
    return ([node('MaxPool', 'x', 'p', 'Pool', kernel_shape=[1, kernel], strides=[1, kernel]),
             node('MatMul', 'p w', 'y', 'Head')],
            [floats('x', 'N', 1, 'H', 'W')], [weight('w', columns, 2)])


def test_a_number_behind_strides_is_a_pin_to_an_interval():
    code, found = findings(*pooled(4, 16))
    equal((code, found[0]), (1, ('pin', 'W can only be 64 … 67', [64, 67])), 'check')
    got = axes(*pooled(4, 16))['x:3']
    equal((got['verdict'], got['value'], got['range'], got['by']['constant']), ('pinned', None, [64, 67], 'w'), 'axes')
    for size, code in ((63, 1), (64, 0), (67, 0), (68, 1)):
        equal(asked(*pooled(4, 16), 'shapes', '--bind', f'W={size}')[0], code, f'--bind W={size}')


def test_limits_of_an_axis_agree_with_its_range():
    nodes, inputs, weights = pooled(4, 16)
    nodes.insert(0, node('Conv', 'x k', 'c', 'Wide', pads=[0, 0, 0, 0]))
    nodes[1] = node('MaxPool', 'c', 'p', 'Pool', kernel_shape=[1, 4], strides=[1, 4])
    model = (nodes, inputs, weights + [weight('k', 1, 1, 1, 3)])
    equal((axes(*model)['x:3']['range'], axes(*model)['x:3']['bounds']), ([66, 69], []), 'the range says the limit')
    equal(findings(*model), (1, [('pin', 'W can only be 66 … 69', [66, 69])]), 'and so does the pin')


def text(model, *words):
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(build.model(graph('g', *model[:2], [value('y')], model[2]))))
        return run(words[0], path, *words[1:])[1].decode()


def test_a_range_is_no_pin_in_words():
    check('\tlimited to 64 … 67 by MatMul Head with w\t' in text(pooled(4, 16), 'axes'), text(pooled(4, 16), 'axes'))
    check('limited to 64 … 67' in text(pooled(4, 16), 'symbols'), text(pooled(4, 16), 'symbols'))


def test_limits_of_element_types_are_not_told():
    model = ([node('Shape', 'x', 's', 'S'), node('Cast', 's', 'n', 'C', to=6), node('Mul', 'n two', 'm', 'M'),
              node('Cast', 'm', 'l', 'L', to=7), node('ConstantOfShape', 'l', 'f', 'F'), node('Conv', 'x k', 'y', 'Y')],
             [floats('x', 'N', 1, 'T')], [build.tensor('two', 6, [1], build.data(9, (2).to_bytes(4, 'little'))), weight('k', 1, 1, 5)])
    got = axes(*model)
    equal((got['x:0']['bounds'], got['x:2']['bounds']), ([], ['`x:2` >= 5']), 'of an int32, nothing')


def test_windows_of_pools_are_told_alike():
    nodes = [node('Conv', 'x k', 'c', 'C', pads=[1, 1])]
    for i in range(3):
        nodes += [node('MaxPool', f'c{i or ""}', f'p{i}', f'P{i}', kernel_shape=[2], strides=[2]),
                  node('Conv', f'p{i} k', f'c{i + 1}', f'C{i}', pads=[1, 1])]
    nodes.append(node('ReduceMax', 'c3', 'y', 'R', axes=[2]))
    model = (nodes, [floats('x', 'N', 1, 'T')], [weight('k', 1, 1, 3)])
    equal(findings(*model), (0, [('bound', 'T >= 8', None)]), 'check')
    equal(axes(*model)['x:2']['bounds'], ['`x:2` >= 8'], 'axes')
    nodes[-2:-1] = [node('Relu', 'p2', 'c3', 'A')]
    equal((findings(*model)[1][0][1], axes(*model)['x:2']['bounds']), ('T >= 8', ['`x:2` >= 8']), 'nothing but the pool needs it')


def filled(nodes, *dims):
    """A MatMul of a weight of 7 rows with as many ones as the nodes make of the shape of x."""
    return ([node('Shape', 'x', 's', 'S'), *nodes, node('ConstantOfShape', 'k', 'f', 'F'), node('MatMul', 'f w', 'y', 'Head')],
            [floats('x', *dims)], [weight('w', 7, 3)] + [int_tensor(f'c{n}', [1], [n]) for n in (1, 2, 3, 100, 5000)])


def grown(times):
    """5000 divided by the size, after that number of times half of thrice the size, and 1."""
    nodes, last = [], 's'
    for i in range(times):
        nodes += [node('Mul', f'{last} c3', f'm{i}', 'M'), node('Add', f'm{i} c1', f'a{i}', 'A'),
                  node('Div', f'a{i} c2', f'd{i}', 'D')]
        last = f'd{i}'
    return filled(nodes + [node('Div', f'c5000 {last}', 'k', 'Q')], 'n')


def test_a_number_divided_by_a_size_is_a_pin():
    model = filled([node('Div', 'c100 s', 'k', 'Q')], 'n')
    equal(findings(*model), (1, [('pin', 'n can only be 13 … 14', [13, 14])]), 'floor(100/n) = 7')
    equal(axes(*model)['x:0']['range'], [13, 14], 'axes')
    equal(findings(*grown(9))[1][0], ('pin', 'n can only be 17 … 18', [17, 18]), 'behind steps')


def test_what_did_not_fit_may_fall():
    for times in (12, 14):
        check(all(level != 'error' for level, _, _ in findings(*grown(times))[1]), f'{times}: runs at some sizes')


def test_what_fails_at_nearly_all_sizes_is_not_free():
    cut = ([node('Concat', 'a b', 'c', 'C', axis=0), node('Slice', 'c from to', 's', 'S'), node('MatMul', 's w', 'y', 'Head')],
           [floats('a', 'n'), floats('b', 'm')],
           [weight('w', 7, 3), int_tensor('from', [1], [0]), int_tensor('to', [1], [64])])
    shared = filled([node('ReduceProd', 's', 'p', 'P', keepdims=1), node('Div', 'c100 p', 'k', 'Q')], 'n', 'm')
    for name, model in (('min(64, m + n) = 7', cut), ('floor(100/(m*n)) = 7', shared)):
        for axis, got in axes(*model).items():
            equal((got['verdict'], len(got['bounds'])), ('tied', 1), f'{name}: {axis}')
    equal(axes(*grown(14))['x:0']['verdict'], 'tied', 'what did not fit')
    equal((findings(*grown(12))[0], findings(*grown(12))[1][0][0]), (1, 'pin'), 'one size without a set')


def test_no_condition_is_left_out():
    others = range(9)
    model = ([n for i in others for n in (node('Concat', f'x z{i}', f'c{i}', 'C', axis=0), node('Gather', f'c{i} g{i}', f'y{i}', 'G'))],
             [floats('x', 'n')] + [floats(f'z{i}', f'm{i}') for i in others], [int_tensor(f'g{i}', [], [100 + i]) for i in others])
    got = axes(*model)['x:0']
    equal((got['verdict'], len(got['bounds'])), ('free', 9), 'JSON')
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(build.model(graph('g', model[0], model[1], [value('y0')], model[2]))))
        _, out, _ = run('axes', path)
    line = out.decode().splitlines()[0]
    check(line.endswith('and 3 more (-v)') and line.count('>=') == 6, line)


def test_conditions_of_a_tied_axis():
    tied = [node('Concat', 'x z', 'c', 'C', axis=1)]
    soft = (tied + [node('Add', 'x k', 'y', 'A')], [floats('x', 'n', 2), floats('z', 'm', 2)], [weight('k', 12, 2)])
    got = axes(*soft)['x:0']
    equal((got['equal'], got['bounds']), (['z:0'], ['x:0 = 1 or 12']), 'a broadcast after a tie')
    pair = (tied + [node('Concat', 'u v', 'd', 'D', axis=1), node('Add', 'x u', 'y', 'A')],
            [floats('x', 'n', 2), floats('z', 'm', 2), floats('u', 'k', 2), floats('v', 'l', 2)], [])
    got = axes(*pair)
    equal((got['x:0']['bounds'], got['u:0']['bounds']), (['x:0 = u:0 or one is 1'], ['u:0 = x:0 or one is 1']), 'two ties')
    pairs = ([node('Add', 'x z', 'a', 'A'), node('Add', 'z u', 'b', 'B'), node('Add', 'x u', 'y', 'C')],
             [floats('x', 'n'), floats('z', 'm'), floats('u', 'k')], [])
    for axis, got in axes(*pairs).items():
        equal(len(got['bounds']), 2, f'three broadcasts: {axis}')
    strict = ([node('Add', 'x z', 'a', 'A'), node('Concat', 'a x', 'y', 'C', axis=1)],
              [floats('x', 'n', 2), floats('z', 'm', 2)], [])
    equal(len(axes(*strict)['x:0']['bounds']), 2, 'equal after a broadcast')


def test_a_pin_names_what_it_is_tied_to():
    model = build.model(graph('g', [node('Concat', 'x z', 'c', 'C', axis=1), node('Reshape', 'c s', 'y', 'R')],
                              [floats('x', 'n', 2), floats('z', 'm', 2)], [value('y')], [int_tensor('s', [2], [3, 4])]))
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(model))
        line = run('axes', path)[1].decode().splitlines()[0]
    check('\tpinned to 3, tied to z:0 by Reshape R with s\t' in line, line)


def test_common_factors_go():
    model = ([node('Reshape', 'x s', 'y', 'R')], [floats('x', 'batch', 'seq', 4)], [int_tensor('s', [2], [0, 28])])
    equal(findings(*model), (1, [('pin', 'seq can only be 7', None)]), 'check')
    got = axes(*model)
    equal((got['x:0']['verdict'], got['x:1']['verdict']), ('free', 'pinned'), 'axes')


def test_elements_can_be_counted():
    def said(inputs, target):
        _, out, _ = asked([node('Reshape', 'x s', 'y', 'R')], [floats('x', *inputs)], [int_tensor('s', [len(target)], target)], 'check')
        return out['findings'][0]['message']

    check('batch can only be 3: 40*batch elements in, 120 out; the constant is s' in said(['batch', 4, 10], [6, 20]), 'a factor')
    check('seq can only be 7: 4*batch*seq elements in, 28*batch out; the constant' in said(['batch', 'seq', 4], [0, 28]), 'a copied size')
    check('n can only be 5: elements of input and output: ' in said(['n', 'n + 1', 'n + 2'], [5, 6, 7]), 'what is long')
    equal(said([3, 4], [5, 2]), '12 elements in, 10 out', 'a contradiction')


def test_a_factor_that_may_be_zero_is_said():
    model = ([node('Slice', 'x one end zero two', 'h', 'Rows'), node('Slice', 'h zero one one', 'c', 'Column'),
              node('Concat', ' '.join(['c'] * 7), 's', 'Seven', axis=1), node('Reshape', 'h flat', 'a', 'A'),
              node('Reshape', 's flat', 'b', 'B'), node('Concat', 'a b', 'y', 'C', axis=0)], [floats('x', 'n', 'm')],
             [int_tensor(name, dims, numbers) for name, dims, numbers in (
                 ('zero', [1], [0]), ('one', [1], [1]), ('two', [1], [2]), ('end', [1], [2**62]), ('flat', [2], [1, -1]))])
    equal(findings(*model), (1, [('pin', 'm can only be 7 unless floor(n/2) is 0', None)]), 'check')
    equal(axes(*model)['x:1']['bounds'], ['floor(`x:0`/2) >= 1'], 'axes')
    for sizes, code in (((1, 3), 0), ((2, 3), 1), ((2, 7), 0)):
        equal(asked(*model, 'shapes', '--bind', f'n={sizes[0]}', '--bind', f'm={sizes[1]}')[0], code, f'--bind {sizes}')


def test_a_mask_in_one_of_several_forms():
    model = ([node('Attention', 'x w b k', 'y', 'A', 'com.microsoft', num_heads=2)],
             [floats('x', 'batch', 'seq', 8), value('k', build.tensor_type(6, ['masks']))],
             [weight('w', 8, 24), weight('b', 24)])
    equal([level for level, _, _ in findings(*model)[1]], ['merge'], 'check')
    got = axes(*model)['k:0']
    check(got['verdict'] == 'tied' and got['equal'] == [] and len(got['bounds']) == 1, got)
    for masks, code in ((2, 0), (4, 0), (8, 0), (3, 1)):
        equal(asked(*model, 'shapes', '--bind', 'batch=2', '--bind', f'masks={masks}')[0], code, f'--bind masks={masks}')


def test_several_pins_meet():
    def model(columns):
        return ([node('MaxPool', 'x', 'p', 'P', kernel_shape=[1, 4], strides=[1, 4]), node('MatMul', 'p w', 'a', 'A'),
                 node('MaxPool', 'x', 'q', 'Q', kernel_shape=[1, 5], strides=[1, 5]), node('MatMul', 'q v', 'y', 'B')],
                [floats('x', 1, 1, 2, 'W')], [weight('w', 16, 3), weight('v', columns, 3)])
    equal(axes(*model(13))['x:3']['range'], [65, 67], 'floor(W/4) = 16 and floor(W/5) = 13')
    equal([level for level, _, _ in findings(*model(13))[1] if level in ('error', 'pin')], ['pin', 'pin'], 'both')
    equal([level for level, _, _ in findings(*model(20))[1] if level in ('error', 'pin')], ['error', 'pin'], 'never')


def test_a_size_that_leaves_others_a_choice_is_set():
    nodes = [node('Concat', 'a b', 'c', 'C', axis=0), node('Slice', 'c from to', 's', 'S'), node('MatMul', 's w', 'y', 'Head')]
    with tap.folder() as folder:
        path = os.path.join(folder, 'model.onnx')
        with open(path, 'wb') as file:
            file.write(bytes(build.model(graph('g', nodes, [floats('a', 'n'), floats('b', 'm')], [value('y')],
                                               [weight('w', 7, 3), int_tensor('from', [1], [0]), int_tensor('to', [1], [64])]))))
        equal(run('set', path, 'a:0=5', '-o', os.path.join(folder, 'out.onnx'))[0], 0, 'm was restricted before')


def test_long_names_are_cut_between_characters():
    name = 'a' + 'é' * 120
    model = ([node('MatMul', f'x {name}', 'y', 'M')], [floats('x', name)], [weight(name, 7, 3)])
    _, out, _ = asked(*model, 'check')
    message = out['findings'][0]['message']
    check(message.startswith('a' + 'é' * 49 + '… can only be 7') and '\\x' not in message, message)


def test_all_sizes_of_a_pin_are_tried():
    nodes, inputs, weights = pooled(4, 16)
    nodes += [node('Shape', 'x', 's', 'S', start=3), node('Add', 's one', 'next', 'Next'), node('Mod', 'next four', 'rest', 'Rest')]
    for of, other, name in (('z', 'v', 'l'), ('v', 'z', 'r')):
        nodes += [node('Shape', other, f'{name}s', 'T'), node('Mul', f'rest {name}s', f'{name}k', 'K'),
                  node('ConstantOfShape', f'{name}k', f'{name}f', 'F'), node('Concat', f'{of} {name}f', f'{name}c', 'C', axis=0),
                  node('Unsqueeze', f'{name}c zero', f'{name}u', 'U')]
    nodes += [node('Concat', 'lu ru', 'o', 'Both', axis=0)]
    got = axes(nodes, inputs + [floats('z', 'n'), floats('v', 'm')],
               weights + [int_tensor(f, [1], [i]) for f, i in (('zero', 0), ('one', 1), ('four', 4))])
    equal((got['x:3']['range'], got['z:0']['verdict']), ([64, 67], 'tied'), 'n + r*m = m + r*n, where r is 1 at W = 64')


def test_an_axis_that_no_size_satisfies_is_not_free():
    parts = node('Split', 'x parts', 'y z', 'S')
    empty = [parts], [floats('x', 'N')], [int_tensor('parts', [2], [0, 0])]
    # 2*N + 1 is never 4.
    odd = ([node('Concat', 'n n one', 'x', 'C', axis=0), parts], [floats('n', 'N')], [weight('one', 1), int_tensor('parts', [2], [2, 2])])
    for name, model in (('x', empty), ('n', odd)):
        equal(findings(*model)[1][0][0], 'error', name)
        got = axes(*model)[name + ':0']
        equal((got['verdict'], got['by']['node']), ('unknown', 'S'), name)
    even = [odd[0][0], parts], odd[1], [weight('one', 1), int_tensor('parts', [2], [2, 3])]
    equal(axes(*even)['n:0']['verdict'], 'pinned', '2*N + 1 is 5 at 2')


def test_a_repair_says_what_nodes_require():
    """The bounds that check finds in the result are those that repair prints."""
    model = ([node('Reshape', 'x target', 'r', 'R'), node('Pad', 'r sides', 'p', 'P', mode='reflect'),
              node('MaxPool', 'p', 'y', 'Half', kernel_shape=[2], strides=[2])],
             [floats('x', 64)], [int_tensor('target', [3], [1, 1, 64]), int_tensor('sides', [6], [0, 0, 8, 0, 0, 8])])
    code, out, err = asked(*model, 'repair', 'x:0=T', '-n')
    equal((code, out['axes'][0]['freed'], out['bounds']), (0, True, ['T >= 9']), err)
    sides = [int_tensor('target', [3], [1, 1, 64]), int_tensor('sides', [6], [0, 0, 0, 0, 0, 0])]
    equal(asked(*model[:2], sides, 'repair', 'x:0=T', '-n')[1]['bounds'], ['T >= 2'], 'a window of 2')


def test_common_addends_go():
    model = ([node('Concat', 'a n', 'k', 'K', axis=1), node('Concat', 'b n', 'v', 'V', axis=1), node('Add', 'k v', 'y', 'A')],
             [floats('a', 2, 'p1'), floats('b', 2, 'p2'), floats('n', 2, 's')], [])
    got = axes(*model)
    equal(got['n:1']['verdict'], 'free', 's')
    check(got['a:1']['verdict'] == 'tied' and got['a:1']['equal'] == ['b:1'], got['a:1'])


def test_conditions_of_one_size_are_one_fact():
    halves = [node('MaxPool', 'x', 'd', 'Down', kernel_shape=[2, 2], strides=[2, 2]),
              node('MaxPool', 'd', 'e', 'Downer', kernel_shape=[2, 2], strides=[2, 2]),
              node('ConvTranspose', 'e w', 'u', 'Up', strides=[2, 2]),
              node('Concat', 'd u', 'c', 'Skip', axis=1),
              node('ConvTranspose', 'c w2', 'v', 'Upper', strides=[2, 2]), node('Concat', 'x v', 'y', 'Skipper', axis=1)]
    model = (halves, [floats('x', 'N', 1, 'H', 'W')], [weight('w', 1, 1, 2, 2), weight('w2', 2, 1, 2, 2)])
    code, found = findings(*model)
    equal((code, [f for f in found if f[0] == 'divisible']), (0, [('divisible', 'H and W multiples of 4', None)]), 'check')
    got = axes(*model)['x:2']
    equal((got['verdict'], got['bounds']), ('free', ['`x:2` a multiple of 4']), 'axes')
    told = {symbol['name']: symbol['notes'][0] for symbol in asked(*model, 'symbols')[1]['symbols'] if symbol['name'] in 'HW'}
    equal(told, dict.fromkeys('HW', 'H and W multiples of 4'), 'of both symbols the same is said')
    for size, code in ((12, 0), (14, 1), (15, 1)):
        equal(asked(*model, 'shapes', '--bind', f'H={size}')[0], code, f'--bind H={size}')


def branches(then, otherwise):
    """An If by an input; each branch reshapes x to what it is told."""
    def branch(name, target):
        return graph(name, [node('Reshape', f'x {name}_s', f'{name}_y', 'R')], [], [value(f'{name}_y')],
                     [int_tensor(f'{name}_s', [len(target)], target)])
    return ([node('If', 'c', 'y', 'Choice', then_branch=branch('a', then), else_branch=branch('b', otherwise))],
            [floats('x', 'n', 2), build.bools('c')], [])


def test_what_one_branch_needs_is_a_condition_of_that_branch():
    model = branches([5, 2], [-1, 1])
    code, out, _ = asked(*model, 'check')
    equal((code, [(f['level'], f['branch']) for f in out['findings']]), (0, [('bound', '0.then_branch')]), 'check')
    check(out['findings'][0]['message'].startswith('n = 5 if the then branch of Choice runs: '), out['findings'][0])
    got = axes(*model)['x:0']
    equal((got['verdict'], got['bounds']), ('free', ['`x:0` = 5 if the then branch of Choice runs']), 'axes')
    equal(findings(*branches([5, 2], [5, 2]))[0], 1, 'both branches')
    equal(axes(*branches([5, 2], [5, 2]))['x:0']['verdict'], 'pinned', 'both branches')


def test_needs_of_a_branch_are_one_fact():
    """A chain of windows in a branch: what the longest needs, solved for the size."""
    def chain(name, times):
        nodes = [node('Conv', f'{name}{i or ""} k' if i else 'x k', f'{name}{i + 1}', f'{name}C{i}', strides=[2]) for i in range(times)]
        return graph(name, nodes, [], [value(f'{name}{times}')])
    model = ([node('If', 'c', 'y', 'Choice', then_branch=chain('a', 3), else_branch=chain('b', 1))],
             [floats('x', 'N', 1, 'T'), build.bools('c')], [weight('k', 1, 1, 3)])
    code, out, _ = asked(*model, 'check')
    equal((code, [(f['message'].split(':')[0], f['node'], f['branch']) for f in out['findings']]),
          (0, [('T >= 3', 'aC0', None), ('T >= 15 if the then branch of Choice runs', 'aC2', '0.then_branch')]), 'check')
    equal(axes(*model)['x:2']['bounds'], ['`x:2` >= 3', '`x:2` >= 15 if the then branch of Choice runs'], 'axes')


def test_nested_branches_that_all_need_it():
    def reshape(name):
        return graph(name, [node('Reshape', f'x {name}_s', f'{name}_y', 'R')], [], [value(f'{name}_y')],
                     [int_tensor(f'{name}_s', [2], [5, 2])])
    inner = graph('inner', [node('If', 'd', 'inner_y', 'Inner', then_branch=reshape('a'), else_branch=reshape('b'))],
                  [], [value('inner_y')])
    model = ([node('If', 'c', 'y', 'Outer', then_branch=inner, else_branch=reshape('e'))],
             [floats('x', 'n', 2), build.bools('c'), build.bools('d')], [])
    equal(axes(*model)['x:0']['verdict'], 'pinned', 'three branches')


def test_an_axis_behind_an_unknown_shape_is_unknown():
    def branch(name, op, *inputs):
        return graph(name, [node(op, ' '.join(['x', *inputs]), f'{name}_y', 'B')], [], [value(f'{name}_y')],
                     [int_tensor(i, [1], [0]) for i in inputs])
    model = ([node('If', 'c', 't', 'Choice', then_branch=branch('a', 'Relu'), else_branch=branch('b', 'Unsqueeze', 'zero')),
              node('Relu', 't', 'y', 'After')], [floats('x', 'n', 2), build.bools('c')], [])
    got = axes(*model)['x:0']
    equal((got['verdict'], got['by']['node']), ('unknown', 'Choice'), 'captured by a body')


def all_shapes(path, *words):
    code, out, err = run('shapes', '--json', path, *words)
    return {(t['graph'], t['name']): (t['type'], t['shape']) for t in json.loads(out)['tensors']} if code != 2 else err


def test_bind_equals_set():
    compared = 0
    for path in sorted(glob.glob(os.path.join(tap.MODELS, '*.onnx')) + glob.glob(os.path.join(ZOO, '*.onnx'))):
        code, out, _ = run('axes', '--json', path)
        names = sorted({a['dim'] for a in json.loads(out)['axes'] if isinstance(a['dim'], str)}) if code == 0 else []
        for size in (2, 5):
            sizes = [f'{name}={size}' for name in names if name.isidentifier()]
            with tap.folder() as folder:
                target = os.path.join(folder, 'set.onnx')
                if not sizes or run('set', path, '--force', *sizes, '-o', target)[0] != 0:
                    continue
                bound = all_shapes(path, *[word for s in sizes for word in ('--bind', s)])
                fixed = all_shapes(target)
            compared += 1
            for key in fixed:
                equal(bound.get(key), fixed[key], f'{path} with {sizes}: {key}')
    check(compared > 100, f'{compared} compared')


def test_cases_beside_the_repository():
    folder = tap.shared('cases', 'verdict')
    with open(os.path.join(folder, 'cases.json'), encoding='utf-8') as file:
        cases = json.load(file)
    for name, case in sorted(cases.items()):
        path = os.path.join(folder, name + '.onnx')
        code, out, err = run('check', '--json', path)
        if 'check' in case:
            equal(code, case['check'], f'{name}: {out!r}')
        got = {f'{a["input"]}:{a["axis"]}': a for a in json.loads(run('axes', '--json', path)[1])['axes']}
        for axis, verdict in case.get('axes', {}).items():
            equal(got[axis]['verdict'], verdict, f'{name}: {axis}')
        for symbol, (fails, runs) in case.get('bounds', {}).items():
            check(all(a['verdict'] == 'free' and a['bounds'] for a in got.values() if a['dim'] == symbol), f'{name}: {got}')
            equal([run('shapes', path, '--bind', f'{symbol}={size}')[0] for size in (fails, runs)], [1, 0], name)
        for axis in case.get('not_pinned', []):
            check(got[axis]['verdict'] != 'pinned', f'{name}: {axis}')
        shapes = {t['name']: t['shape'] for t in json.loads(run('shapes', '--json', path)[1])['tensors']}
        for tensor, shape in case.get('shapes', {}).items():
            equal(shapes[tensor], shape, f'{name}: {tensor}')
        for tensor, shape in case.get('not_shapes', {}).items():
            check(shapes[tensor] != shape, f'{name}: {tensor}')


def test_conditions_that_are_long_are_counted():
    path = tap.shared('models', 'frcnn.onnx')
    rows = json.loads(run('axes', '--json', path)[1])['axes']
    short, long = (run('axes', *words, path)[1].decode().splitlines() for words in ((), ('-v',)))
    equal((len(short), len(long)), (len(rows), len(rows)), 'a line for each')
    for row, line, whole in zip(rows, short, long):
        bounds = row['bounds']
        check(len(line) < 260, f'{len(line)} characters: {line}')
        equal([b for b in bounds if b not in whole], [], 'with -v, all of them')
        check(not bounds or bounds[0] in line, f'the first: {line}')
        left = len([b for b in bounds if b not in line])
        equal(line.endswith(f' and {left} more (-v)'), left > 0, line)
    check(max(len(row['bounds']) for row in rows) > 6, 'some are left out')


def test_a_state_that_is_an_input_is_no_constant():
    sizes = (('w', 1, 6, 4), ('r', 1, 6, 2))
    model = ([node('GRU', ['x', 'w', 'r', '', '', 'h'], ['y'], 'Cell', hidden_size=2)],
             [floats('x', 5, 'batch', 4), floats('h', 1, 3, 2)], [weight(*w) for w in sizes])
    _, out, _ = asked(*model, 'check')
    message = out['findings'][0]['message']
    equal(message, 'batch can only be 3: batch and initial state: batch and 3', 'the state is no weight')
    baked = (model[0], model[1][:1], model[2] + [weight('h', 1, 3, 2)])
    _, out, _ = asked(*baked, 'check')
    equal(out['findings'][0]['message'], message + '; the constant is h', 'a state in the file is one')


tap.main(globals())
