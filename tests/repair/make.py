"""Writes the zoo: small networks with one baked-in size, each with a dynamic twin.

    make.py [FOLDER]

Needs onnx and numpy; run by hand, the models are checked in.  One function builds both: with `g.dyn`, it reads its sizes
from the input.  It also writes zoo.json: for each model what to repair, the baked-in size, sizes to run, and the expected
result:

    axes    the arguments of `axed repair`; none: everything pinned
    free    the input axes that must be free afterwards
    old     the baked-in sizes;  sizes: others to run
    within  the tolerance
    ends    repaired; cannot: exit 1, naming `node`; nothing: nothing to repair; either: repaired or cannot;
            partial: exit 1, naming `node`, and the written model is correct
    below   the end of the range of an integer input, by default 2
"""

import json
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = {}
FAR = 2 ** 63 - 1


def model(**facts):
    def keep(function):
        MODELS[function.__name__] = (function, facts)
        return function
    return keep


class Graph:
    def __init__(self, name, dyn):
        self.name, self.dyn = name, dyn
        self.opset, self.ir = 17, 8
        self.nodes, self.inits, self.inputs, self.outputs, self.functions, self.infos = [], [], [], [], [], []
        self.domains = {}
        self.r = np.random.RandomState(sum(map(ord, name)))
        self.count = 0

    def fresh(self, stem):
        self.count += 1
        return f'{stem}_{self.count}'

    def take(self, name, *dims, kind=np.float32):
        self.inputs.append(self.value(name, dims, kind))
        return name

    @staticmethod
    def value(name, dims, kind=np.float32):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(kind)), dims)

    def give(self, tensor, pinned, dynamic=None, kind=np.float32):
        """An output, declared with the baked-in size, except in the twin."""
        node = next(n for n in self.nodes if tensor in n.output)
        name = f'y{len(self.outputs) or ""}'
        node.output[list(node.output).index(tensor)] = name
        for n in self.nodes:
            for i, x in enumerate(n.input):
                if x == tensor:
                    n.input[i] = name
        self.outputs.append(self.value(name, dynamic if self.dyn and dynamic else pinned, kind))

    def keep(self, array, name=None):
        """An initializer."""
        name = name or self.fresh('w')
        self.inits.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, *numbers, name=None):
        return self.keep(np.array(numbers, np.int64), name)

    def weight(self, *dims, name=None):
        return self.keep(self.r.uniform(-1, 1, dims).round(3).astype(np.float32), name)

    def rows(self, count, *dims):
        """Learned numbers, copied `count` times by the export."""
        return np.repeat(self.r.uniform(-1, 1, (1, *dims)).round(3).astype(np.float32), count, 0)

    def op(self, kind, *inputs, name=None, outs=1, **attributes):
        name = name or self.fresh(kind.lower())
        outputs = [f'{name}_out{i or ""}' for i in range(outs)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, name=name, **attributes))
        return outputs if outs > 1 else outputs[0]

    def size(self, x, axis):
        """The size of an axis, as a list of one."""
        return self.op('Gather', self.op('Shape', x), self.ints(axis))

    def vector(self, *parts):
        return self.op('Concat', *[p if isinstance(p, str) else self.ints(p) for p in parts], axis=0)

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.inits, value_info=self.infos)
        made = helper.make_model(graph, functions=self.functions, producer_name='axed tests', ir_version=self.ir,
                                 opset_imports=[helper.make_opsetid('', self.opset), *(
                                     helper.make_opsetid(d, v) for d, v in self.domains.items())])
        return made


# Reshape

@model(pattern='Reshape: the slot is in line with the axis (0)', free=['x:0'])
def reshape_zero(g):
    x = g.take('x', 'batch', 4, 6)
    t = g.op('Reshape', x, g.ints(0 if g.dyn else 3, 24, name='shape'), name='reshape')
    g.give(g.op('MatMul', t, g.weight(24, 5)), [3, 5], ['batch', 5])


@model(pattern='Reshape: the input says 3 too, and the user names the axis', free=['x:0'], axes=['x:0=batch'])
def reshape_fixed_input(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    t = g.op('Reshape', x, g.ints(0 if g.dyn else 3, 24), name='reshape')
    if not g.dyn:
        g.infos.append(g.value(t, [3, 24]))
    g.give(g.op('MatMul', t, g.weight(24, 5)), [3, 5], ['batch', 5])


@model(pattern='Reshape: what it copies and infers goes on to follow the other axes', free=['x:0'], old={'batch': 1}, axes=['x:0=batch'])
def reshape_followed(g):
    x = g.take('x', 'batch' if g.dyn else 1, 6, 4, 5)
    flat = g.op('Reshape', x, g.ints(0 if g.dyn else 1, 6, -1), name='flat')
    rows = g.op('Reshape', flat, g.ints(0 if g.dyn else 1, 0, -1), name='rows')
    g.give(g.op('Relu', flat), [1, 6, 20], ['batch', 6, 20])
    g.give(g.op('Relu', rows), [1, 6, 20], ['batch', 6, 20])


@model(pattern='Reshape: the slot is not in line, -1', free=['x:0'])
def reshape_minus(g):
    x = g.take('x', 'batch', 4, 6)
    t = g.op('Transpose', x, perm=[1, 0, 2])
    g.give(g.op('Reshape', t, g.ints(2, 2, -1 if g.dyn else 3, 6), name='reshape'), [2, 2, 3, 6], [2, 2, 'batch', 6])


@model(pattern='Reshape: its -1 is really a constant (swap)', free=['x:0'], axes=['x:0=batch'])
def reshape_swap(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    t = g.op('Transpose', x, perm=[1, 0, 2])
    shape = (2, 2, -1, 6) if g.dyn else (2, 2, 3, -1)
    g.give(g.op('Reshape', t, g.ints(*shape), name='reshape'), [2, 2, 3, 6], [2, 2, 'batch', 6])


@model(pattern='Reshape: batch 4 among other fours', free=['x:0'], old={'batch': 4})
def reshape_fours(g):
    x = g.take('x', 'batch', 16)
    t = g.op('Reshape', x, g.ints(-1 if g.dyn else 4, 4, 4), name='reshape')
    g.give(g.op('MatMul', t, g.weight(4, 4)), [4, 4, 4], ['batch', 4, 4])


@model(pattern='Reshape: batch 1 among other ones', free=['x:0'], old={'batch': 1}, axes=['x:0=batch'])
def reshape_ones(g):
    x = g.take('x', 'batch' if g.dyn else 1, 1, 16)
    t = g.op('Reshape', x, g.ints(-1 if g.dyn else 1, 4, 4, 1), name='reshape')
    t = g.op('Transpose', t, perm=[0, 3, 2, 1])
    g.give(g.op('Reshape', t, g.ints(-1 if g.dyn else 1, 1, 16), name='back'), [1, 1, 16], ['batch', 1, 16])


@model(pattern='Reshape: two symbols, both in line', free=['x:0', 'x:1'], old={'batch': 3, 'seq': 5},
       axes=['x:0', 'x:1'], sizes=[{'batch': 2, 'seq': 7}, {'batch': 1, 'seq': 3}])
def reshape_two(g):
    x = g.take('x', 'batch', 'seq', 12)
    t = g.op('Reshape', x, g.ints(*((0, 0) if g.dyn else (3, 5)), 2, 6), name='reshape')
    g.give(g.op('Transpose', t, perm=[0, 2, 1, 3]), [3, 2, 5, 6], ['batch', 2, 'seq', 6])


@model(pattern='Reshape: two symbols, neither in line: the shape must be computed', free=['x:1', 'x:2'],
       axes=['x:1=batch', 'x:2=seq'], old={'batch': 3, 'seq': 5}, sizes=[{'batch': 2, 'seq': 7}, {'batch': 5, 'seq': 3}])
def reshape_two_moved(g):
    x = g.take('x', 2, *(('batch', 'seq') if g.dyn else (3, 5)), 6)
    shape = g.vector(1, 2, g.size(x, 1), g.size(x, 2), 6) if g.dyn else g.ints(1, 2, 3, 5, 6)
    t = g.op('Reshape', x, shape, name='reshape')
    g.give(g.op('MatMul', t, g.weight(6, 2)), [1, 2, 3, 5, 2], [1, 2, 'batch', 'seq', 2])


@model(pattern='Reshape: two symbols of one size (3), neither in line', free=['x:1', 'x:2'],
       axes=['x:1=batch', 'x:2=seq'], old={'batch': 3, 'seq': 3}, sizes=[{'batch': 2, 'seq': 7}, {'batch': 5, 'seq': 4}])
def reshape_two_alike(g):
    x = g.take('x', 2, *(('batch', 'seq') if g.dyn else (3, 3)), 6)
    t = g.op('Transpose', x, perm=[2, 0, 1, 3])
    shape = g.vector(1, g.size(x, 2), 2, g.size(x, 1), 6) if g.dyn else g.ints(1, 3, 2, 3, 6)
    t = g.op('Reshape', t, shape, name='reshape')
    g.give(g.op('MatMul', t, g.weight(6, 2)), [1, 3, 2, 3, 2], [1, 'seq', 2, 'batch', 2])


@model(pattern='Reshape: batch and heads merged, and split again', free=['x:0'])
def reshape_merge_split(g):
    x = g.take('x', 'batch', 4, 6)
    t = g.op('Reshape', x, g.ints(-1 if g.dyn else 12, 6), name='merge')
    t = g.op('MatMul', t, g.weight(6, 5))
    g.give(g.op('Reshape', t, g.ints(-1 if g.dyn else 3, 4, 5), name='split'), [3, 4, 5], ['batch', 4, 5])


@model(pattern='Reshape: attention; both symbols, heads split off and merged', free=['x:0', 'x:1'],
       axes=['x:0', 'x:1'], old={'batch': 3, 'seq': 5}, sizes=[{'batch': 2, 'seq': 7}, {'batch': 1, 'seq': 2}], within=1e-5)
def reshape_attention(g):
    x = g.take('x', 'batch', 'seq', 12)
    batch, seq = (g.size(x, 0), g.size(x, 1)) if g.dyn else (3, 5)
    heads = g.vector(batch, seq, 2, 6) if g.dyn else g.ints(3, 5, 2, 6, name='heads')
    parts = []
    for which in 'qkv':
        t = g.op('Reshape', g.op('MatMul', x, g.weight(12, 12)), heads, name=which)
        t = g.op('Transpose', t, perm=[0, 2, 1, 3])
        merged = g.vector(-1, seq, 6) if g.dyn else g.ints(6, 5, 6)
        parts.append(g.op('Reshape', t, merged, name=which + '_merged'))
    q, k, v = parts
    t = g.op('Softmax', g.op('MatMul', q, g.op('Transpose', k, perm=[0, 2, 1])), axis=-1)
    t = g.op('MatMul', t, v)
    t = g.op('Reshape', t, g.vector(batch, 2, seq, 6) if g.dyn else g.ints(3, 2, 5, 6), name='split')
    t = g.op('Transpose', t, perm=[0, 2, 1, 3])
    t = g.op('Reshape', t, g.vector(batch, seq, 12) if g.dyn else g.ints(3, 5, 12), name='join')
    g.give(t, [3, 5, 12], ['batch', 'seq', 12])


@model(pattern='Reshape: allowzero=1, where 0 means none', free=['x:0'])
def reshape_allowzero(g):
    x = g.take('x', 'batch', 4, 6)
    t = g.op('Reshape', x, g.ints(-1 if g.dyn else 3, 24), name='reshape', allowzero=1)
    g.give(g.op('MatMul', t, g.weight(24, 5)), [3, 5], ['batch', 5])


@model(pattern='Reshape: allowzero=1, two symbols and a -1 that is constant (what dynamo writes)', free=['x:0', 'x:1'],
       old={'batch': 3, 'seq': 5}, sizes=[{'batch': 2, 'seq': 7}, {'batch': 1, 'seq': 3}], axes=['x:0=batch', 'x:1=seq'])
def reshape_allowzero_two(g):
    x = g.take('x', *(['batch', 'seq'] if g.dyn else [3, 5]), 12)
    t = g.op('Reshape', x, g.ints(*((0, 0, 2, 6) if g.dyn else (3, 5, -1, 6))), name='reshape', allowzero=int(not g.dyn))
    t = g.op('Transpose', t, perm=[0, 2, 1, 3])
    g.give(t, [3, 2, 5, 6], ['batch', 2, 'seq', 6])


@model(pattern='Reshape: five pinned ones in a chain', free=['x:0'])
def reshape_chain(g):
    x = g.take('x', 'batch', 4, 6)
    t = x
    for number, shape in enumerate(((3, 24), (3, 2, 12), (6, 12), (3, 3, 8), (3, 24))):
        if g.dyn:
            shape = (-1, *shape[1:])
        t = g.op('Relu', g.op('Reshape', t, g.ints(*shape), name=f'reshape{number}'))
    g.give(t, [3, 24], ['batch', 24])


@model(pattern='Flatten, Reshape, Gemm', free=['x:0'], within=1e-5)
def flatten_gemm(g):
    x = g.take('x', 'batch', 2, 3, 4)
    t = g.op('Reshape', g.op('Flatten', x), g.ints(-1 if g.dyn else 3, 24), name='reshape')
    t = g.op('Gemm', t, g.weight(5, 24), g.weight(5), transB=1)
    g.give(g.op('Reshape', t, g.ints(-1 if g.dyn else 3, 5, 1), name='last'), ['batch', 5, 1])


@model(pattern='Reshape: one symbol on two inputs', free=['ids:0', 'mask:0'], below={'ids': 10})
def two_inputs(g):
    ids, mask = g.take('ids', 'batch', 4, kind=np.int64), g.take('mask', 'batch', 4)
    b = -1 if g.dyn else 3
    t = g.op('Mul', g.op('Gather', g.weight(10, 6), ids),
             g.op('Reshape', mask, g.ints(b, 4, 1), name='mask_column'))
    g.give(g.op('Reshape', t, g.ints(b, 24), name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: two fixed inputs freed together', free=['ids:0', 'mask:0'], below={'ids': 10},
       axes=['ids:0=batch', 'mask:0=batch'])
def two_inputs_fixed(g):
    b = 'batch' if g.dyn else 3
    ids, mask = g.take('ids', b, 4, kind=np.int64), g.take('mask', b, 4)
    b = -1 if g.dyn else 3
    t = g.op('Mul', g.op('Gather', g.weight(10, 6), ids),
             g.op('Reshape', mask, g.ints(b, 4, 1), name='mask_column'))
    g.give(g.op('Reshape', t, g.ints(b, 24), name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: its constant is data elsewhere and must stay', free=['x:0'])
def reshape_shared_data(g):
    x = g.take('x', 'batch', 4, 6)
    shape = g.ints(3, 24, name='shape')
    t = g.op('Reshape', x, g.ints(-1, 24) if g.dyn else shape, name='reshape')
    total = g.op('ReduceSum', g.op('Cast', shape, to=TensorProto.FLOAT), keepdims=0)
    g.give(g.op('Add', t, total), [3, 24], ['batch', 24])


@model(pattern='Reshape: its constant also shapes a weight', free=['x:0'])
def reshape_shared_weight(g):
    x = g.take('x', 'batch', 3, 8)
    shape = g.ints(3, 24, name='shape')
    w = g.op('Reshape', g.weight(72), shape, name='weight')
    t = g.op('Reshape', x, g.ints(-1, 24) if g.dyn else shape, name='reshape')
    g.give(g.op('MatMul', t, g.op('Transpose', w)), ['batch', 3])


# The output would still be the old shape.
@model(pattern='cannot: the shape of a Reshape is also a graph output', ends='cannot', node='shape')
def reshape_shared_output(g):
    x = g.take('x', 'batch', 4, 6)
    shape = g.ints(3, 24, name='shape')
    g.give(g.op('Reshape', x, g.ints(-1, 24) if g.dyn else shape, name='reshape'), [3, 24], ['batch', 24])
    g.outputs.append(g.value(shape, [2], np.int64))


# Where the shape is stored

@model(pattern='Reshape: the shape in a Constant node, value', free=['x:0'])
def constant_value(g):
    x = g.take('x', 'batch', 4, 6)
    value = numpy_helper.from_array(np.array([-1 if g.dyn else 3, 24], np.int64))
    g.give(g.op('Reshape', x, g.op('Constant', value=value), name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: the shape in a Constant node, value_ints', free=['x:0'])
def constant_ints(g):
    x = g.take('x', 'batch', 4, 6)
    shape = g.op('Constant', value_ints=[-1 if g.dyn else 3, 24])
    g.give(g.op('Reshape', x, shape, name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: the shape concatenated from Constant nodes', free=['x:0'])
def constant_parts(g):
    x = g.take('x', 'batch', 4, 6)
    first = g.op('Constant', value_int=-1 if g.dyn else 3)
    shape = g.op('Concat', g.op('Unsqueeze', first, g.ints(0)), g.op('Constant', value_ints=[24]), axis=0)
    g.give(g.op('Reshape', x, shape, name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: the shape as int64_data', free=['x:0'])
def shape_int64_data(g):
    x = g.take('x', 'batch', 4, 6)
    g.inits.append(helper.make_tensor('shape', TensorProto.INT64, [2], [-1 if g.dyn else 3, 24]))
    g.give(g.op('Reshape', x, 'shape', name='reshape'), [3, 24], ['batch', 24])


@model(pattern='Reshape: the shape in external data', free=['x:0'], files=['shape_external.bin'])
def shape_external(g):
    x = g.take('x', 'batch', 4, 6)
    g.ints(-1 if g.dyn else 3, 24, name='shape')
    t = g.op('Reshape', x, 'shape', name='reshape')
    g.give(g.op('MatMul', t, g.weight(24, 5, name='w')), [3, 5], ['batch', 5])


# Subgraphs and functions

@model(pattern='Reshape in both branches of an If', free=['x:0'], below={'c': 2})
def reshape_if(g):
    x, c = g.take('x', 'batch', 4, 6), g.take('c', kind=np.bool_)
    branches = {}
    for which in ('then', 'else'):
        shape = numpy_helper.from_array(np.array([-1 if g.dyn else 3, 24], np.int64), f'{which}_shape')
        nodes = [helper.make_node('Reshape', [x, shape.name], [f'{which}_t'], name=f'{which}_reshape'),
                 helper.make_node('Relu' if which == 'then' else 'Neg', [f'{which}_t'], [f'{which}_y'])]
        out = g.value(f'{which}_y', ['batch' if g.dyn else 3, 24])
        branches[which + '_branch'] = helper.make_graph(nodes, which, [], [out], [shape])
    g.give(g.op('If', c, name='if', **branches), [3, 24], ['batch', 24])


@model(pattern='Reshape in the body of a Loop, of its state', free=['x:0'])
def reshape_loop(g):
    x = g.take('x', 'batch', 6)
    b = -1 if g.dyn else 3
    shapes = [numpy_helper.from_array(np.array(s, np.int64), f'body_shape{i}') for i, s in
              enumerate(([b, 2, 3], [b, 6]))]
    nodes = [helper.make_node('Identity', ['body_cond'], ['body_cond_out']),
             helper.make_node('Reshape', ['body_state', 'body_shape0'], ['body_t'], name='body_apart'),
             helper.make_node('Softmax', ['body_t'], ['body_u'], axis=1),
             helper.make_node('Reshape', ['body_u', 'body_shape1'], ['body_next'], name='body_together')]
    size = 'batch' if g.dyn else 3
    body = helper.make_graph(
        nodes, 'body', [g.value('body_i', [], np.int64), g.value('body_cond', [], np.bool_),
                        g.value('body_state', [size, 6])],
        [g.value('body_cond_out', [], np.bool_), g.value('body_next', [size, 6])], shapes)
    t = g.op('Loop', g.keep(np.array(2, np.int64)), g.keep(np.array(True)), x, name='loop', body=body)
    g.give(t, [3, 6], ['batch', 6])


@model(pattern='Reshape in a local function', free=['x:0'])
def reshape_function(g):
    x = g.take('x', 'batch', 4, 6)
    g.domains['local'] = 1
    nodes = [helper.make_node('Constant', [], ['shape'], value_ints=[-1 if g.dyn else 3, 24]),
             helper.make_node('Reshape', ['a', 'shape'], ['b'], name='inner_reshape')]
    g.functions.append(helper.make_function('local', 'Flat', ['a'], ['b'], nodes, [helper.make_opsetid('', 17)]))
    t = g.op('Flat', x, name='flat', domain='local')
    g.give(g.op('MatMul', t, g.weight(24, 5)), [3, 5], ['batch', 5])


@model(pattern='Reshape in a local function that a weight goes through too, and may not change', free=['x:0'])
def reshape_function_twice(g):
    x = g.take('x', 'batch', 4, 6)
    g.domains['local'] = 1
    nodes = [helper.make_node('Constant', [], ['shape'], value_ints=[-1 if g.dyn else 3, 24]),
             helper.make_node('Reshape', ['a', 'shape'], ['b'], name='inner_reshape')]
    g.functions.append(helper.make_function('local', 'Flat', ['a'], ['b'], nodes, [helper.make_opsetid('', 17)]))
    w = g.op('Flat', g.weight(3, 2, 12), name='flat_weight', domain='local')
    t = g.op('Flat', x, name='flat', domain='local')
    g.give(g.op('MatMul', t, g.op('Transpose', w)), ['batch', 3])


@model(pattern='Expand in both branches of an If and outside: names of new nodes may not clash', free=['x:0'],
       below={'c': 2})
def expand_if(g):
    x, c = g.take('x', 'batch', 4, 6), g.take('c', kind=np.bool_)
    branches = {}
    for which in ('then', 'else'):
        token = numpy_helper.from_array(g.rows(1, 1, 6), f'{which}_token')
        held, nodes = [token], []
        if g.dyn:
            held += [numpy_helper.from_array(np.array(v, np.int64), f'{which}_{n}') for n, v in
                     (('zero', [0]), ('rest', [1, 6]))]
            nodes = [helper.make_node('Shape', [x], [f'{which}_sizes']),
                     helper.make_node('Gather', [f'{which}_sizes', f'{which}_zero'], [f'{which}_batch']),
                     helper.make_node('Concat', [f'{which}_batch', f'{which}_rest'], [f'{which}_shape'], axis=0)]
        else:
            held.append(numpy_helper.from_array(np.array([3, 1, 6], np.int64), f'{which}_shape'))
        nodes += [helper.make_node('Expand', [token.name, f'{which}_shape'], [f'{which}_t'], name=f'{which}_expand'),
                  helper.make_node('Concat', [f'{which}_t', x], [f'{which}_y'], name=f'{which}_concat', axis=1)]
        out = g.value(f'{which}_y', ['batch' if g.dyn else 3, 5, 6])
        branches[which + '_branch'] = helper.make_graph(nodes, which, [], [out], held)
    t = g.op('If', c, name='if', **branches)
    token = g.op('Expand', g.weight(1, 1, 6), g.vector(g.size(x, 0), 1, 6) if g.dyn else g.ints(3, 1, 6), name='expand')
    g.give(g.op('Concat', t, token, axis=1, name='concat'), [3, 6, 6], ['batch', 6, 6])


@model(pattern='Expand in a local function', free=['x:0'])
def expand_function(g):
    x = g.take('x', 'batch', 4, 6)
    g.domains['local'] = 1
    token = helper.make_node('Constant', [], ['token'], value=numpy_helper.from_array(g.rows(1, 1, 6)))
    if g.dyn:
        nodes = [helper.make_node('Shape', ['a'], ['sizes']), helper.make_node('Constant', [], ['zero'], value_ints=[0]),
                 helper.make_node('Gather', ['sizes', 'zero'], ['size']),
                 helper.make_node('Constant', [], ['rest'], value_ints=[1, 6]),
                 helper.make_node('Concat', ['size', 'rest'], ['shape'], axis=0)]
    else:
        nodes = [helper.make_node('Constant', [], ['shape'], value_ints=[3, 1, 6])]
    nodes += [token, helper.make_node('Expand', ['token', 'shape'], ['t'], name='inner_expand'),
              helper.make_node('Concat', ['t', 'a'], ['b'], name='inner_concat', axis=1)]
    g.functions.append(helper.make_function('local', 'Begin', ['a'], ['b'], nodes, [helper.make_opsetid('', 17)]))
    g.give(g.op('Begin', x, name='begin', domain='local'), [3, 5, 6], ['batch', 5, 6])


@model(pattern='Reshape: an input called x:0, nodes without names, tensors called like new ones', free=['x:0:0'],
       axes=['x:0:0=batch'])
def odd_names(g):
    x = g.take('x:0', 'batch' if g.dyn else 3, 4, 6)
    shape = g.vector(g.size(x, 0), 2, 2, 6) if g.dyn else g.ints(3, 2, 2, 6, name='shape')
    t = g.op('Reshape', x, shape, name='x:0_shape')
    t = g.op('Transpose', t, perm=[1, 0, 3, 2], name='batch')
    t = g.op('Reshape', t, g.vector(2, g.size(x, 0), 12) if g.dyn else g.ints(2, 3, 12, name='x:0_shape_1'), name='Shape')
    g.give(t, [2, 3, 12], [2, 'batch', 12])
    for n in g.nodes:
        n.name = ''


@model(pattern='Reshape: the shape is an initializer that is an input too', free=['x:0'], ends='either', node='reshape')
def shape_overridable(g):
    g.ir = 3
    x = g.take('x', 'batch', 4, 6)
    shape = g.ints(-1 if g.dyn else 3, 24, name='shape')
    g.take('shape', 2, kind=np.int64)
    g.give(g.op('Reshape', x, shape, name='reshape'), [3, 24], ['batch', 24])


# Other operators with a size for an input

@model(pattern='Expand of a token to [3,1,D], then Concat', free=['x:0'])
def expand_token(g):
    x = g.take('x', 'batch', 4, 6)
    shape = g.vector(g.size(x, 0), 1, 6) if g.dyn else g.ints(3, 1, 6)
    t = g.op('Expand', g.weight(1, 1, 6), shape, name='expand')
    g.give(g.op('Concat', t, x, axis=1), [3, 5, 6], ['batch', 5, 6])


@model(pattern='Expand of the input itself: 1 in its place', free=['x:0'], axes=['x:0'])
def expand_input(g):
    x = g.take('x', 'batch', 1, 6)
    g.give(g.op('Expand', x, g.ints(1 if g.dyn else 3, 4, 6), name='expand'), [3, 4, 6], ['batch', 4, 6])


@model(pattern='Expand of a token to a shape that Where chooses (what tracing writes)', free=['x:0'], axes=['x:0=batch'])
def expand_where(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    token = g.weight(1, 1, 6)
    shape = g.vector(g.size(x, 0), -1, -1) if g.dyn else g.ints(3, -1, -1)
    ones = g.op('ConstantOfShape', g.ints(3), value=numpy_helper.from_array(np.array([1], np.int64)))
    least = g.op('Mul', ones, g.keep(np.array(-1, np.int64)))
    t = g.op('Expand', token, g.op('Where', g.op('Equal', shape, least), ones, shape, name='where'), name='expand')
    g.give(g.op('Concat', t, x, axis=1), [3, 5, 6], ['batch', 5, 6])


@model(pattern='Expand of opset 8', free=['x:0'])
def expand_old(g):
    g.opset, g.ir = 8, 4
    x = g.take('x', 'batch', 4, 6)
    shape = g.vector(g.size(x, 0), 1, 6) if g.dyn else g.ints(3, 1, 6)
    t = g.op('Expand', g.weight(1, 1, 6), shape, name='expand')
    g.give(g.op('Concat', t, x, axis=1), [3, 5, 6], ['batch', 5, 6])


@model(pattern='Tile with a constant count', free=['x:0'])
def tile(g):
    x = g.take('x', 'batch', 6)
    t = g.op('Tile', g.weight(1, 2), g.vector(g.size(x, 0), 1) if g.dyn else g.ints(3, 1), name='tile')
    g.give(g.op('Concat', x, t, axis=1), [3, 8], ['batch', 8])


@model(pattern='ConstantOfShape of a constant', free=['x:0'])
def constant_of_shape(g):
    x = g.take('x', 'batch', 6)
    half = numpy_helper.from_array(np.array([0.5], np.float32))
    t = g.op('ConstantOfShape', g.vector(g.size(x, 0), 2) if g.dyn else g.ints(3, 2), name='fill', value=half)
    g.give(g.op('Concat', x, t, axis=1), [3, 8], ['batch', 8])


@model(pattern='Range with a constant limit, into a longer position table', free=['x:1'], old={'batch': 3, 'seq': 5},
       axes=['x:1'], sizes=[{'batch': 2, 'seq': 9}, {'batch': 3, 'seq': 1}])
def range_limit(g):
    x = g.take('x', 'batch', 'seq', 6)
    limit = g.op('Squeeze', g.size(x, 1), g.ints(0)) if g.dyn else g.keep(np.array(5, np.int64), 'limit')
    ids = g.op('Range', g.keep(np.array(0, np.int64)), limit, g.keep(np.array(1, np.int64)), name='range')
    g.give(g.op('Add', x, g.op('Gather', g.weight(10, 6), ids)), ['batch', 5, 6], ['batch', 'seq', 6])


@model(pattern='Slice to the old size', free=['x:1'], old={'batch': 3, 'seq': 5}, axes=['x:1=seq'],
       sizes=[{'batch': 2, 'seq': 9}, {'batch': 3, 'seq': 2}])
def slice_end(g):
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    t = g.op('Slice', x, g.ints(0), g.ints(FAR if g.dyn else 5), g.ints(1), name='slice')
    g.give(g.op('Add', t, g.op('Relu', x)), ['batch', 5, 6], ['batch', 'seq', 6])


@model(pattern='Slice to the end of everything: nothing to repair', free=['x:1'], old={'batch': 3, 'seq': 5},
       sizes=[{'batch': 2, 'seq': 9}, {'batch': 3, 'seq': 2}], ends='nothing')
def slice_far(g):
    x = g.take('x', 'batch', 'seq', 6)
    t = g.op('Slice', x, g.ints(0), g.ints(FAR), g.ints(1), name='slice')
    g.give(g.op('Add', t, g.op('Relu', x)), ['batch', 'seq', 6])


@model(pattern='Slice of opset 9: attributes', free=['x:1'], old={'batch': 3, 'seq': 5}, axes=['x:1=seq'],
       sizes=[{'batch': 2, 'seq': 9}, {'batch': 3, 'seq': 2}])
def slice_old(g):
    g.opset, g.ir = 9, 4
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    t = g.op('Slice', x, name='slice', axes=[1], starts=[0], ends=[FAR if g.dyn else 5])
    g.give(g.op('Add', t, g.op('Relu', x)), ['batch', 5, 6], ['batch', 'seq', 6])


@model(pattern='Reshape of opset 1: attribute', free=['x:0'])
def reshape_old(g):
    g.opset, g.ir = 4, 3
    x = g.take('x', 'batch', 4, 6)
    g.give(g.op('Reshape', x, name='reshape', shape=[0 if g.dyn else 3, 24]), [3, 24], ['batch', 24])


@model(pattern='cannot: Split of opset 2: attribute, equal parts', ends='cannot', node='split', old={'batch': 4})
def split_old(g):
    g.opset, g.ir = 11, 6
    x = g.take('x', 'batch', 6)
    a, b = g.op('Split', x, name='split', outs=2, axis=0, **({} if g.dyn else {'split': [2, 2]}))
    g.give(g.op('Sub', a, b), [2, 6], ['half', 6])


# One file cannot tell whether both parts grow, or one.
@model(pattern='cannot: Split into equal parts', ends='cannot', node='split', old={'batch': 4})
def split_equal(g):
    g.opset = 18
    x = g.take('x', 'batch', 6)
    if g.dyn:
        half = g.op('Div', g.size(x, 0), g.ints(2))
        a, b = g.op('Split', x, g.op('Concat', half, half, axis=0), name='split', outs=2, axis=0)
    else:
        a, b = g.op('Split', x, g.ints(2, 2), name='split', outs=2, axis=0)
    g.give(g.op('Sub', a, b), [2, 6], ['half', 6])


@model(pattern='cannot: Split into one and the rest', ends='cannot', node='split', old={'batch': 3, 'seq': 5}, axes=['x:1=seq'])
def split_first(g):
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    sizes = g.vector(1, g.op('Sub', g.size(x, 1), g.ints(1))) if g.dyn else g.ints(1, 4)
    first, rest = g.op('Split', x, sizes, name='split', outs=2, axis=1)
    g.give(g.op('Squeeze', first, g.ints(1), name='squeeze'), ['batch', 6])
    g.give(g.op('ReduceMean', rest, axes=[1], keepdims=0), ['batch', 6])


@model(pattern='Resize: sizes with the batch in them, an exact ratio', free=['x:0'], axes=['x:0=batch'])
def resize_exact(g):
    x = g.take('x', 'batch' if g.dyn else 3, 2, 4, 6)
    sizes = g.vector(g.size(x, 0), 2, 8, 12) if g.dyn else g.ints(3, 2, 8, 12)
    t = g.op('Resize', x, '', '', sizes, name='resize', mode='nearest', nearest_mode='floor',
             coordinate_transformation_mode='asymmetric')
    g.give(t, [3, 2, 8, 12], ['batch', 2, 8, 12])


@model(pattern='Resize: sizes with the batch in them, no exact ratio', free=['x:0'], axes=['x:0=batch'], within=1e-6)
def resize_inexact(g):
    x = g.take('x', 'batch' if g.dyn else 3, 2, 3, 5)
    sizes = g.vector(g.size(x, 0), 2, 7, 8) if g.dyn else g.ints(3, 2, 7, 8)
    t = g.op('Resize', x, '', '', sizes, name='resize', mode='linear', coordinate_transformation_mode='half_pixel')
    g.give(t, [3, 2, 7, 8], ['batch', 2, 7, 8])


@model(pattern='Resize back to the size of a skip connection', free=['x:2', 'x:3'], old={'n': 1, 'h': 4, 'w': 6},
       axes=['x:2=h', 'x:3=w'], sizes=[{'n': 1, 'h': 8, 'w': 2}, {'n': 2, 'h': 6, 'w': 10}])
def resize_skip(g):
    x = g.take('x', 'n', 2, *(('h', 'w') if g.dyn else (4, 6)))
    t = g.op('MaxPool', x, kernel_shape=[2, 2], strides=[2, 2])
    sizes = g.op('Shape', x) if g.dyn else g.op('Concat', g.size(x, 0), g.ints(2, 4, 6), axis=0)
    t = g.op('Resize', t, '', '', sizes, name='resize', mode='nearest', nearest_mode='floor',
             coordinate_transformation_mode='asymmetric')
    g.give(g.op('Add', t, x, name='skip'), ['n', 2, 4, 6], ['n', 2, 'h', 'w'])


# Recurrent state

def recurrent(g, kind, gates, states):
    x = g.take('x', 'seq', 'batch', 5)
    w = [g.weight(1, 4 * gates, 5), g.weight(1, 4 * gates, 4)]
    t = g.op(kind, x, *w, *(['', ''] if states else []), *states, name='cell', hidden_size=4, outs=2)[1]
    g.give(t, [1, 3, 4], [1, 'batch', 4])


STATE = {'old': {'seq': 2, 'batch': 3}, 'sizes': [{'seq': 2, 'batch': 5}, {'seq': 4, 'batch': 1}], 'free': ['x:1'],
         'within': 1e-6}


@model(pattern='LSTM with states of zeros', **STATE)
def lstm_zero(g):
    zero = np.zeros((1, 3, 4), np.float32)
    recurrent(g, 'LSTM', 4, [] if g.dyn else [g.keep(zero, 'h0'), g.keep(zero, 'c0')])


@model(pattern='GRU with a state of zeros', **STATE)
def gru_zero(g):
    recurrent(g, 'GRU', 3, [] if g.dyn else [g.keep(np.zeros((1, 3, 4), np.float32), 'h0')])


@model(pattern='RNN with a state of zeros', **STATE)
def rnn_zero(g):
    recurrent(g, 'RNN', 1, [] if g.dyn else [g.keep(np.zeros((1, 3, 4), np.float32), 'h0')])


@model(pattern='LSTM of both directions with states of zeros', **STATE)
def lstm_bidirectional(g):
    x = g.take('x', 'seq', 'batch', 5)
    zero = np.zeros((2, 3, 4), np.float32)
    states = [] if g.dyn else ['', '', g.keep(zero, 'h0'), g.keep(zero, 'c0')]
    t = g.op('LSTM', x, g.weight(2, 16, 5), g.weight(2, 16, 4), *states, name='cell', hidden_size=4,
             direction='bidirectional', outs=2)[1]
    g.give(t, [2, 3, 4], [2, 'batch', 4])


@model(pattern='RNN with a state of equal rows', **STATE)
def rnn_equal(g):
    row = g.rows(3, 4)[None]
    if g.dyn:
        state = g.op('Expand', g.keep(row[:, :1]), g.vector(1, g.size('x', 1), 4))
    else:
        state = g.keep(row, 'h0')
    recurrent(g, 'RNN', 1, [state])


@model(pattern='LSTM with the zeros of one state and equal rows in the other', **STATE)
def lstm_mixed(g):
    row = g.rows(3, 4)[None]
    shape = g.vector(1, g.size('x', 1), 4) if g.dyn else None
    zero = np.zeros((1, 3, 4), np.float32)
    recurrent(g, 'LSTM', 4, ['', g.op('Expand', g.keep(row[:, :1]), shape)] if g.dyn else
              [g.keep(zero, 'h0'), g.keep(row, 'c0')])


# Tables

SEQ = {'old': {'batch': 3, 'seq': 5}, 'sizes': [{'batch': 2, 'seq': 4}, {'batch': 3, 'seq': 1}], 'free': ['x:1'],
       'bounded': True}


@model(pattern='Add of a position table [1,P,D]: sizes up to P', axes=['x:1=seq'], **SEQ)
def position_table(g):
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    table = g.weight(1, 5, 6, name='positions')
    if g.dyn:
        table = g.op('Slice', table, g.ints(0), g.size(x, 1), g.ints(1))
    t = g.op('Add', x, table, name='add')
    g.give(g.op('MatMul', t, g.weight(6, 2)), ['batch', 5, 2], ['batch', 'seq', 2])


@model(pattern='Add of a causal mask [1,1,S,S]: sizes up to S', axes=['x:1=seq'], within=1e-6, **SEQ)
def causal_mask(g):
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    mask = g.keep(np.triu(np.full((1, 1, 5, 5), -1e4, np.float32), 1), 'mask')
    if g.dyn:
        s = g.size(x, 1)
        mask = g.op('Slice', mask, g.ints(0, 0), g.op('Concat', s, s, axis=0), g.ints(2, 3))
    q = g.op('Unsqueeze', x, g.ints(1))
    t = g.op('Add', g.op('MatMul', q, g.op('Transpose', q, perm=[0, 1, 3, 2])), mask, name='add')
    t = g.op('Squeeze', g.op('MatMul', g.op('Softmax', t, axis=-1), q), g.ints(1))
    g.give(t, ['batch', 5, 6], ['batch', 'seq', 6])


@model(pattern='Gather of the positions 0..4 from a table of 10', axes=['x:1=seq'], **SEQ)
def gather_positions(g):
    x = g.take('x', 'batch', 'seq' if g.dyn else 5, 6)
    ids = g.keep(np.arange(5)[None], 'position_ids')
    if g.dyn:
        ids = g.op('Slice', ids, g.ints(0), g.size(x, 1), g.ints(1))
    t = g.op('Add', x, g.op('Gather', g.weight(10, 6), ids, name='gather'), name='add')
    g.give(t, ['batch', 5, 6], ['batch', 'seq', 6])


@model(pattern='Concat with a token that the export has copied', free=['x:0'], axes=['x:0=batch'])
def token_rows(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    rows = g.rows(3, 1, 6)
    if g.dyn:
        t = g.op('Expand', g.keep(rows[:1]), g.vector(g.size(x, 0), 1, 6))
    else:
        t = g.keep(rows, 'token')
    g.give(g.op('Concat', t, x, axis=1, name='concat'), [3, 5, 6], ['batch', 5, 6])


@model(pattern='Concat with a token, exported at batch 1', free=['x:0'], old={'batch': 1}, axes=['x:0=batch'],
       sizes=[{'batch': 2}, {'batch': 5}])
def token_one(g):
    x = g.take('x', 'batch' if g.dyn else 1, 4, 6)
    token = g.weight(1, 1, 6, name='token')
    if g.dyn:
        token = g.op('Expand', token, g.vector(g.size(x, 0), 1, 6))
    g.give(g.op('Concat', token, x, axis=1, name='concat'), [1, 5, 6], ['batch', 5, 6])


@model(pattern='Add of a row that the export has copied', free=['x:0'], axes=['x:0=batch'])
def bias_rows(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    rows = g.rows(3, 1, 6)
    g.give(g.op('Add', x, g.keep(rows[:1] if g.dyn else rows, 'bias'), name='add'), [3, 4, 6], ['batch', 4, 6])


@model(pattern='Add of a window mask that repeats with the batch (what dynamo writes for Swin)', free=['x:0'],
       axes=['x:0=batch'])
def bias_blocks(g):
    x = g.take('x', 'batch' if g.dyn else 3, 8, 6)
    block = g.r.uniform(-1, 1, (2, 4, 6)).round(3).astype(np.float32)
    t = g.op('Reshape', x, g.ints(-1 if g.dyn else 6, 4, 6), name='windows')
    if g.dyn:
        mask = g.op('Tile', g.keep(block), g.vector(g.size(x, 0), 1, 1))
    else:
        mask = g.keep(np.tile(block, (3, 1, 1)), 'mask')
    t = g.op('Relu', g.op('Add', t, mask, name='add'))
    g.give(g.op('Reshape', t, g.ints(-1 if g.dyn else 3, 8, 6), name='together'), [3, 8, 6], ['batch', 8, 6])


@model(pattern='Gather of 0..17 from all elements in a row (what dynamo writes for as_strided)', free=['x:0'],
       axes=['x:0=batch'], ends='either', node='gather')
def gather_identity(g):
    x = g.take('x', 'batch' if g.dyn else 3, 6)
    flat = g.op('Reshape', x, g.ints(-1))
    if g.dyn:
        t = g.op('Reshape', flat, g.ints(-1, 2, 3))
    else:
        t = g.op('Gather', flat, g.keep(np.arange(18).reshape(3, 2, 3), 'indices'), name='gather')
    g.give(g.op('Relu', t), [3, 2, 3], ['batch', 2, 3])


@model(pattern='GatherND with the batch counted 0, 1, 2 (what x[arange(3), i] becomes)', free=['x:0', 'i:0'],
       axes=['x:0=batch', 'i:0=batch'], below={'i': 4}, ends='either', node='concat')
def batch_ids(g):
    b = 'batch' if g.dyn else 3
    x, i = g.take('x', b, 4, 6), g.take('i', b, kind=np.int64)
    if g.dyn:
        size = g.op('Squeeze', g.size(x, 0), g.ints(0))
        rows = g.op('Range', g.keep(np.array(0, np.int64)), size, g.keep(np.array(1, np.int64)))
        rows = g.op('Unsqueeze', rows, g.ints(1))
    else:
        rows = g.keep(np.arange(3)[:, None], 'rows')
    both = g.op('Concat', rows, g.op('Unsqueeze', i, g.ints(1)), axis=1, name='concat')
    g.give(g.op('GatherND', x, both, name='gather'), [3, 6], ['batch', 6])


@model(pattern='two axes, of which a Gemm keeps one', free=['x:0'], axes=['x:0=batch', 'x:1=features'], ends='partial',
       node='gemm')
def partial(g):
    x = g.take('x', 'batch' if g.dyn else 3, 6)
    t = g.op('Gemm', x, g.weight(6, 4), g.weight(4), name='gemm')
    g.give(g.op('Reshape', t, g.ints(-1 if g.dyn else 3, 2, 2), name='reshape'), [3, 2, 2], ['batch', 2, 2])


# Sizes that no constant can free

@model(pattern='cannot: a branch was folded to a constant', ends='cannot', node='concat', axes=['x:0=batch'])
def folded_branch(g):
    x = g.take('x', 3, 6)
    g.give(g.op('Concat', x, g.weight(3, 2, name='folded'), axis=1, name='concat'), [3, 8])


@model(pattern='cannot: an output that promised to be dynamic is a constant', ends='cannot', node='folded_node',
       axes=['x:0'])
def folded_output(g):
    x = g.take('x', 'batch', 6)
    g.give(g.op('Relu', x), ['batch', 6])
    g.give(g.op('Add', g.op('ReduceSum', x, keepdims=0), g.weight(3, 2, name='folded'), name='folded_node'), ['batch', 2])


@model(pattern='cannot: a Gemm contracts the axis', ends='cannot', node='gemm', axes=['x:1=features'])
def gemm_contraction(g):
    x = g.take('x', 'batch', 6)
    g.give(g.op('Gemm', x, g.weight(6, 5), g.weight(5), name='gemm'), ['batch', 5])


@model(pattern='cannot: the channels of a Conv', ends='cannot', node='conv', axes=['x:1=channels'])
def conv_channels(g):
    x = g.take('x', 'batch', 3, 8, 8)
    g.give(g.op('Conv', x, g.weight(2, 3, 3, 3), name='conv'), ['batch', 2, 6, 6])


@model(pattern='learned rows, all different: up to as many as there are', axes=['x:0=batch'], free=['x:0'], bounded=True,
       sizes=[{'batch': 2}, {'batch': 1}])
def learned_rows(g):
    x = g.take('x', 'batch' if g.dyn else 3, 4, 6)
    rows = g.weight(3, 1, 6, name='rows')
    if g.dyn:
        rows = g.op('Slice', rows, g.ints(0), g.size(x, 0), g.ints(0))
    g.give(g.op('Add', x, rows, name='add'), [3, 4, 6], ['batch', 4, 6])


@model(pattern='cannot: a state with different rows', ends='cannot', node='cell', axes=['x:1'], old=STATE['old'])
def rnn_unequal(g):
    recurrent(g, 'RNN', 1, [g.weight(1, 3, 4, name='h0')])


@model(pattern='cannot: the slot is data', ends='cannot', node='reshape', axes=['x:0=batch'], below={'k': 2})
def reshape_data(g):
    x, k = g.take('x', 3, 4, 6), g.take('k', 1, kind=np.int64)
    first = g.op('Gather', g.ints(3, 6), k)
    t = g.op('Reshape', x, g.op('Concat', first, g.ints(24), axis=0), name='reshape')
    g.give(t, ['rows', 24])


@model(pattern='cannot: opset 4 has no way to compute the shape of a Reshape', ends='cannot', node='reshape',
       axes=['x:1=batch', 'x:2=seq'], old={'batch': 3, 'seq': 5})
def reshape_old_two(g):
    g.opset, g.ir = 4, 3
    x = g.take('x', 4, 3, 5, 6)
    g.give(g.op('Reshape', x, name='reshape', shape=[2, 2, 3, 5, 6]), [2, 2, 3, 5, 6])


@model(pattern='cannot: behind an operator that nobody knows', ends='cannot', node='custom', axes=['x:0=batch'])
def custom_between(g):
    x = g.take('x', 3, 24)
    g.domains['nobody.knows'] = 1
    t = g.op('Stir', x, name='custom', domain='nobody.knows')
    g.give(g.op('Reshape', t, g.ints(3, 4, 6), name='reshape'), [3, 4, 6])


# The exports that export.py makes: name, axes, old sizes, sizes, twin.


# Key/value caches: past and new positions are joined, and the mask has both

CACHE = {
    'axes': ['x:0=batch', 'x:1=seq', 'k:0=batch', 'k:1=past', 'mask:0=batch', 'mask:1=total'],
    'free': ['x:0', 'x:1', 'k:0', 'k:1'], 'old': {'batch': 3, 'seq': 4, 'past': 5, 'total': 9}, 'within': 1e-5,
    'sizes': [{'batch': 2, 'seq': 3, 'past': 7, 'total': 10}, {'batch': 4, 'seq': 6, 'past': 2, 'total': 8}],
}


def cache(g, x, k, mask):
    """Attention of the new positions to all; returns the scores and all keys."""
    keys = g.op('Concat', k, x, axis=1, name='join')
    scores = g.op('MatMul', x, g.op('Transpose', keys, perm=[0, 2, 1]))
    allowed = g.op('Unsqueeze', g.op('Cast', mask, to=TensorProto.BOOL), g.ints(1))
    return keys, scores, allowed


def attend(g, keys, scores, allowed):
    y = g.op('Softmax', g.op('Where', allowed, scores, g.keep(np.float32(-100))), axis=-1)
    g.give(g.op('MatMul', y, keys), [3, 4, 8], ['batch', 'seq', 8])


def cache_inputs(g):
    names = ('batch', 'seq', 'past', 'total') if g.dyn else (3, 4, 5, 9)
    return (g.take('x', names[0], names[1], 8), g.take('k', names[0], names[2], 8),
            g.take('mask', names[0], names[3], kind=np.int64))


def scalar(g, x, axis):
    return g.op('Squeeze', g.size(x, axis), g.ints(0))


def positions(g, x, k):
    """past, past + 1 and so on, one for each new position."""
    past, seq = scalar(g, k, 1), scalar(g, x, 1)
    return g.op('Range', past, g.op('Add', past, seq), g.keep(np.int64(1)))


@model(pattern='cache: the mask has a name of its own, which is a sum', **CACHE)
def cache_sum(g):
    x, k, mask = cache_inputs(g)
    attend(g, *cache(g, x, k, mask))


@model(pattern='cache: a causal mask whose diagonal is the past', **CACHE)
def cache_causal(g):
    x, k, mask = cache_inputs(g)
    keys, scores, allowed = cache(g, x, k, mask)
    if g.dyn:
        every = g.op('Range', g.keep(np.int64(0)), scalar(g, keys, 1), g.keep(np.int64(1)))
        causal = g.op('LessOrEqual', g.op('Unsqueeze', every, g.ints(0)), g.op('Unsqueeze', positions(g, x, k), g.ints(1)))
        causal = g.op('Unsqueeze', causal, g.ints(0))
    else:
        causal = g.keep(np.tril(np.ones((1, 4, 9), bool), 5))
    attend(g, keys, scores, g.op('And', causal, allowed, name='and'))


@model(pattern='cache: positions that begin at the past', **CACHE | {'bounded': True})
def cache_positions(g):
    x, k, mask = cache_inputs(g)
    at = positions(g, x, k) if g.dyn else g.ints(5, 6, 7, 8)
    x = g.op('Add', x, g.op('Gather', g.weight(12, 8), at, name='embed'))
    attend(g, *cache(g, x, k, mask))


@model(pattern='cache: angles that begin at the past', **CACHE)
def cache_rotary(g):
    x, k, mask = cache_inputs(g)
    rates = (1 / 10000 ** (np.arange(8) / 8)).astype(np.float32)
    if g.dyn:
        at = g.op('Cast', g.op('Unsqueeze', positions(g, x, k), g.ints(1)), to=TensorProto.FLOAT)
        angles = g.op('Unsqueeze', g.op('Mul', at, g.keep(rates)), g.ints(0))
    else:
        angles = g.keep((np.arange(5, 9, dtype=np.float32)[:, None] * rates)[None])
    x = g.op('Mul', x, g.op('Cos', angles))
    attend(g, *cache(g, x, k, mask))


@model(pattern='cache: the new part of a running count of the mask', **CACHE)
def cache_slice(g):
    x, k, mask = cache_inputs(g)
    every = g.op('CumSum', g.op('Cast', mask, to=TensorProto.FLOAT), g.keep(np.int64(1)))
    new = g.op('Slice', every, g.size(k, 1) if g.dyn else g.ints(5), g.ints(FAR), g.ints(1), name='new')
    x = g.op('Add', x, g.op('Unsqueeze', new, g.ints(2)))
    attend(g, *cache(g, x, k, mask))


@model(pattern='Slice: from a literal on', axes=['x:0=seq'], free=['x:0'], old={'seq': 7}, sizes=[{'seq': 3}, {'seq': 10}])
def slice_from(g):
    x = g.take('x', 'seq' if g.dyn else 7, 4)
    y = g.op('Slice', x, g.ints(2), g.ints(FAR), g.ints(0))
    g.give(g.op('ReduceSum', y, g.ints(0), keepdims=0), [4], [4])


@model(pattern='a table, and a sum of sizes that is met after it', axes=['x:0=batch', 'x:1=seq'], free=['x:0', 'x:1'], bounded=True,
       old={'batch': 3, 'seq': 5}, sizes=[{'batch': 2, 'seq': 4}, {'batch': 4, 'seq': 3}], within=1e-5)
def sum_after_table(g):
    x = g.take('x', *(('batch', 'seq') if g.dyn else (3, 5)), 4)
    table = g.weight(5, 4)
    if g.dyn:
        table = g.op('Slice', table, g.ints(0), g.size(x, 1), g.ints(0))
    x = g.op('Add', x, table, name='add')
    y = g.op('Concat', g.op('Reshape', x, g.ints(-1, 4) if g.dyn else g.ints(15, 4)),
             g.op('Gather', x, g.keep(np.int64(0)), axis=0), axis=0, name='join')
    g.give(g.op('ReduceSum', y, g.ints(0), keepdims=0), [4], [4])


@model(pattern='Slice: up to a literal', axes=['x:0=seq'], free=['x:0'], old={'seq': 7}, sizes=[{'seq': 3}, {'seq': 10}])
def slice_first(g):
    x = g.take('x', 'seq' if g.dyn else 7, 4)
    g.give(g.op('Slice', x, g.ints(1), g.ints(3), g.ints(0)), [2, 4], [2, 4])


@model(pattern='Slice: from a literal to a distance from the end', axes=['x:0=seq'], free=['x:0'], old={'seq': 9},
       sizes=[{'seq': 7}, {'seq': 12}])
def slice_inner(g):
    x = g.take('x', 'seq' if g.dyn else 9, 4)
    y = g.op('Slice', x, g.ints(2), g.ints(-4), g.ints(0))
    g.give(g.op('ReduceSum', y, g.ints(0), keepdims=0), [4], [4])


@model(pattern='distances from the last position', axes=['x:0=seq'], free=['x:0'], old={'seq': 7},
       sizes=[{'seq': 3}, {'seq': 10}])
def count_to_last(g):
    x = g.take('x', 'seq' if g.dyn else 7, 4)
    if g.dyn:
        size = scalar(g, x, 0)
        at = g.op('Range', g.op('Sub', g.keep(np.int64(1)), size), g.keep(np.int64(1)), g.keep(np.int64(1)))
    else:
        at = g.ints(-6, -5, -4, -3, -2, -1, 0)
    at = g.op('Cast', g.op('Unsqueeze', at, g.ints(1)), to=TensorProto.FLOAT)
    g.give(g.op('Add', x, at), [7, 4], ['seq', 4])


@model(pattern='a window that is nearly as wide as the old size', axes=['x:0=seq'], free=['x:0'], old={'seq': 6},
       sizes=[{'seq': 3}, {'seq': 10}])
def band_wide(g):
    x = g.take('x', 'seq' if g.dyn else 6, 4)
    scores = g.op('MatMul', x, g.op('Transpose', x, perm=[1, 0]))
    if g.dyn:
        at = g.op('Range', g.keep(np.int64(0)), scalar(g, x, 0), g.keep(np.int64(1)))
        far = g.op('Abs', g.op('Sub', g.op('Unsqueeze', at, g.ints(0)), g.op('Unsqueeze', at, g.ints(1))))
        near = g.op('Less', far, g.keep(np.int64(5)))
    else:
        near = g.keep(abs(np.arange(6)[:, None] - np.arange(6)) < 5)
    g.give(g.op('Where', near, scores, g.keep(np.float32(0)), name='where'), [6, 6], ['seq', 'seq'])


@model(pattern='cache: rows that the export looked up, from the past on', ends='cannot', node='embed', axes=CACHE['axes'])
def cache_rows(g):
    x, k, mask = cache_inputs(g)
    x = g.op('Add', x, g.weight(1, 4, 8), name='embed')
    attend(g, *cache(g, x, k, mask))


@model(pattern='a product with packed weights of 4 bits', axes=['x:0=batch', 'x:1=seq'], free=['x:0', 'x:1'],
       old={'batch': 3, 'seq': 5}, sizes=[{'batch': 2, 'seq': 7}, {'batch': 4, 'seq': 3}], within=1e-4)
def packed_product(g):
    g.domains['com.microsoft'] = 1
    x = g.take('x', *(('batch', 'seq') if g.dyn else (3, 5)), 32)
    packed = g.keep(g.r.randint(0, 256, (6, 1, 16)).astype(np.uint8))
    x = g.op('MatMulNBits', x, packed, g.weight(6), K=32, N=6, bits=4, block_size=32, domain='com.microsoft', name='product')
    g.give(g.op('Reshape', x, g.ints(0, 0, 2, 3) if g.dyn else g.ints(3, 5, 2, 3)), [3, 5, 2, 3], ['batch', 'seq', 2, 3])


def picture(name):
    return {'axes': ['x:2=H', 'x:3=W'], 'free': ['x:2', 'x:3'], 'old': {'H': 8, 'W': 12}, 'within': 1e-5,
            'sizes': [{'H': 16, 'W': 4}, {'H': 20, 'W': 24}], 'pattern': name}


@model(**picture('pads that differ, with strides: for multiples they are always the same'))
def pad_same(g):
    x = g.take('x', 1, 3, *(('H', 'W') if g.dyn else (8, 12)))
    x = g.op('Conv', x, g.weight(4, 3, 3, 3), strides=[2, 2], pads=[0, 0, 1, 1], name='conv')
    x = g.op('Pad', x, g.ints(0, 0, 0, 1, 0, 0, 1, 2), name='pad')
    x = g.op('Conv', x, g.weight(4, 4, 3, 5), strides=[2, 2], name='second')
    g.give(g.op('GlobalAveragePool', x), [1, 4, 1, 1])


@model(**picture('pads that differ, with strides, of an odd size: perhaps computed from it')
       | {'ends': 'cannot', 'node': 'conv'})
def pad_odd(g):
    x = g.take('x', 1, 3, 9, 12)
    x = g.op('Conv', x, g.weight(4, 3, 4, 3), strides=[2, 2], pads=[1, 0, 2, 1], name='conv')
    g.give(g.op('GlobalAveragePool', x), [1, 4, 1, 1])


@model(**picture('a grid that is normalised by the width: a number')
       | {'ends': 'cannot', 'node': 'sample', 'axes': ['x:3=W']})
def grid_normalised(g):
    x = g.take('x', 1, 3, 8, 12)
    at = g.take('at', 1, 5, 6, 2)
    grid = g.op('Div', at, g.keep(np.float32(11)), name='divide')
    g.give(g.op('GridSample', x, g.op('Sub', grid, g.keep(np.float32(1))), name='sample'), [1, 3, 5, 6])


@model(**picture('two windows cover height and width, which differ: computed from the sizes')
       | {'ends': 'cannot', 'node': 'pool'})
def pool_adaptive(g):
    x = g.take('x', 1, 3, 8, 12)
    g.give(g.op('AveragePool', x, kernel_shape=[4, 6], strides=[4, 6], name='pool'), [1, 3, 2, 2])


def roll(g, x, axis, by):
    """The first `by` positions go to the end, as torch exports it."""
    first = g.op('Slice', x, g.ints(0), g.ints(by), g.ints(axis))
    return g.op('Concat', g.op('Slice', x, g.ints(by), g.ints(FAR), g.ints(axis)), first, axis=axis)


@model(**picture('windows of 4 x 4, shifted by 2: twice as many columns as the shift, which is no number of windows')
       | {'axes': ['x:1=H', 'x:2=W'], 'free': ['x:1', 'x:2'], 'sizes': [{'H': 16, 'W': 8}, {'H': 12, 'W': 20}]})
def windows_shifted(g):
    x = g.take('x', 1, *(('H', 'W') if g.dyn else (8, 12)), 5)
    h, w = (g.op('Div', g.size(x, i), g.ints(4)) for i in (1, 2))
    y = roll(g, roll(g, x, 1, 2), 2, 2)
    y = g.op('Reshape', y, g.vector(1, h, 4, w, 4, 5), name='cut')
    y = g.op('Reshape', g.op('Transpose', y, perm=[0, 1, 3, 2, 4, 5]), g.ints(-1, 16, 5))
    y = g.op('Softmax', g.op('MatMul', y, g.op('Transpose', y, perm=[0, 2, 1])), axis=-1)
    y = g.op('MatMul', g.op('Add', y, g.weight(1, 16, 16)), g.weight(16, 5))
    y = g.op('Transpose', g.op('Reshape', y, g.vector(1, h, w, 4, 4, 5)), perm=[0, 1, 3, 2, 4, 5])
    y = g.op('Reshape', y, g.vector(1, g.size(x, 1), g.size(x, 2), 5), name='whole')
    g.give(g.op('Add', x, y, name='add'), [1, 8, 12, 5], [1, 'H', 'W', 5])


@model(**picture('height and width are cut into pieces of 4: literals, rolled by literals from the end')
       | {'axes': ['x:1=H', 'x:2=W'], 'free': ['x:1', 'x:2'], 'sizes': [{'H': 16, 'W': 8}, {'H': 12, 'W': 20}]})
def windows_literal(g):
    x = g.take('x', 1, *(('H', 'W') if g.dyn else (8, 12)), 5)
    split, end = (g.ints(-2), g.ints(FAR)) if g.dyn else (g.ints(10), g.ints(12))
    last = g.op('Slice', x, split, end, g.ints(2), name='last')
    y = g.op('Concat', last, g.op('Slice', x, g.ints(0), split, g.ints(2)), axis=2)
    h, w = ((g.op('Div', g.size(x, i), g.ints(4)) if g.dyn else n) for i, n in ((1, 2), (2, 3)))
    y = g.op('Reshape', y, g.vector(1, h, 4, w, 4, 5) if g.dyn else g.ints(1, 2, 4, 3, 4, 5), name='cut')
    y = g.op('ReduceMean', y, axes=[2, 4], keepdims=0)
    g.give(y, [1, 2, 3, 5], [1, 'h', 'w', 5])


@model(**picture('a square cut into a square of squares: which number stays is not said') | {'ends': 'cannot', 'node': 'cut',
       'axes': ['x:1=H', 'x:2=W']})
def windows_square(g):
    x = g.take('x', 1, 4, 4, 5)
    y = g.op('Reshape', x, g.ints(1, 2, 2, 2, 2, 5), name='cut')
    g.give(g.op('ReduceMean', y, axes=[2, 4], keepdims=0), [1, 2, 2, 5])


EXPORTS = [
    *[(f'{kind}_{how}_{batch}', [0], ['batch'], {'batch': batch}, [{'batch': 2}, {'batch': 5}], f'{kind}.truth')
      for kind in ('vit', 'swin') for how in ('legacy', 'dynamo') for batch in (1, 3)],
    *[(f'{kind}_{what}', axes, names, {'batch': 3, 'seq': 9}, sizes, f'{kind}.truth')
      for kind, hows in (('bert', ('legacy', 'dynamo')), ('gpt', ('dynamo',))) for how in hows
      for what, axes, names, sizes in (
          (how + '+batch', [0], ['batch'], [{'batch': 2, 'seq': 9}, {'batch': 5, 'seq': 9}]),
          (how + '+seq', [1], ['seq'], [{'batch': 3, 'seq': 4}, {'batch': 3, 'seq': 8}]),
          (how + '+both', [0, 1], ['batch', 'seq'], [{'batch': 2, 'seq': 8}, {'batch': 4, 'seq': 2}]))],
]


# Exports with a difficult constant: reporting it is a valid result too.
HARD = {
    'swin_legacy': {'ends': 'either', 'node': 'Reshape_'},
    'swin_dynamo': {'ends': 'either', 'node': 'node_'},
    'bert_legacy+seq': {'ends': 'either', 'node': '/inner/embeddings/'},
    'bert_legacy+both': {'ends': 'either', 'node': '/inner/embeddings/'},
}


def fact(name):
    facts = MODELS[name][1]
    out = {'name': name, 'model': name, 'truth': f'{name}.truth', 'ends': 'repaired', 'axes': [], 'free': [],
           'old': {'batch': 3}, 'sizes': [{'batch': 2}, {'batch': 5}], 'within': 0, **facts}
    if out['ends'] == 'cannot':
        out['truth'], out['sizes'] = None, []
    return out


def exported():
    for name, axes, names, old, sizes, truth in EXPORTS:
        yield {'name': name.replace('+', '_'), 'model': name.split('+')[0], 'truth': truth, 'ends': 'repaired',
               'pattern': 'exported by torch', 'axes': [f'x:{a}={n}' for a, n in zip(axes, names)],
               'free': [f'x:{a}' for a in axes], 'old': old,
               **HARD.get(name.removesuffix('_1').removesuffix('_3'), {}), 'sizes': sizes, 'within': 1e-5,
               **({'below': {'x': 20}} if 'seq' in old else {}), **({'bounded': True} if 1 in axes else {})}


def main(folder=os.path.join(HERE, 'zoo')):
    facts = []
    for name, (function, _) in MODELS.items():
        known = fact(name)
        for dyn in (False, True)[:1 + (known['ends'] != 'cannot')]:
            g = Graph(name, dyn)
            function(g)
            made = g.model()
            if name == 'shape_external' and not dyn:
                onnx.external_data_helper.convert_model_to_external_data(
                    made, location='shape_external.bin', size_threshold=0)
                path = os.path.join(folder, 'shape_external.bin')
                if os.path.exists(path):
                    os.remove(path)
            onnx.save(made, os.path.join(folder, name + ('.truth' if dyn else '') + '.onnx'))
        facts.append(known)
    facts += exported()
    with open(os.path.join(HERE, 'zoo.json'), 'w', encoding='utf-8') as file:
        file.write('[\n' + ',\n'.join(json.dumps(f) for f in facts) + '\n]\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
