"""Shape arithmetic, control flow, sequences and optionals, sizes that depend on data."""

import numpy as np
from onnx import helper

INT64 = 7


def scalar(b, x=None):
    """One dim of a tensor, in one of the forms that exporters write; a scalar or one element."""
    x = x or b.pick('f', 1)
    axis, rank = b.r.randrange(b.rank(x)), b.rank(x)
    if b.opset >= 15 and b.chance(0.2):
        return b.node('Shape', [x], start=axis, end=axis + 1 if axis + 1 < rank or b.chance(0.5) else None)
    s = b.node('Shape', [x])
    way = b.r.random()
    if way < 0.4:
        return b.node('Gather', [s, b.const(b.one(axis, axis - rank) if b.opset >= 11 else axis, b.one('int64',
            'int32'))],
                      axis=b.one(None, 0))
    if way < 0.6:
        return b.node('Gather', [s, b.const([axis])])
    if way < 0.9:
        if b.opset < 10:
            return b.node('Slice', [s], starts=[axis], ends=[axis + 1], axes=b.one(None, [0]))
        return b.node('Slice', [s, b.const([axis]), b.const([axis + 1]), b.const([0])])
    return b.node('Size', [x])


def arith(b, t):
    """A step of arithmetic, sometimes through float."""
    way = b.r.random()
    rank = b.rank(t)
    number = lambda v: b.const(v if b.chance(0.6) or rank == 0 else [v])
    if way < 0.5:
        op = b.one('Add', 'Sub', 'Mul', 'Div', 'Div', 'Mod' if b.opset >= 10 else 'Mul',
                   'Max' if b.opset >= 12 else 'Add', 'Min' if b.opset >= 12 else 'Sub')
        v = number(b.r.randint(1, 4))
        return b.node(op, [t, v] if b.chance(0.85) or op in ('Div', 'Mod') else [v, t])
    if way < 0.65:
        return b.node(b.one('Add', 'Mul', 'Sub', 'Div'), [t, scalar(b)])
    if way < 0.9:
        kind = b.one(1, 1, 11)
        f = b.node('Cast', [t], to=kind)
        dtype = 'float32' if kind == 1 else 'float64'
        f = b.node(b.one('Mul', 'Div', 'Mul', 'Add', 'Sub'), [f, b.const(b.one(0.5, 2.0, 0.7, 1.3, 3.0, 0.1), dtype)])
        if b.chance(0.6):
            f = b.node(b.one('Floor', 'Ceil', 'Round' if b.opset >= 11 else 'Floor', 'Sqrt'), [f])
        return b.node('Cast', [f], to=INT64)
    if way < 0.94:
        return b.node(b.one('Neg', 'Abs', 'Identity'), [t])
    b.since(9)
    c = b.node('Equal' if b.chance(0.5) else b.one('Less', 'Greater'), [t, number(b.one(1, 2, -1))])
    return b.node('Where', [c, t, number(b.r.randint(1, 4))])


def vector(b, t):
    return t if b.rank(t) else (b.node('Unsqueeze', [t, b.const([0])]) if b.opset >= 13
                                else b.node('Unsqueeze', [t], axes=[0])) if b.chance(0.6) else \
        b.node('Reshape', [t, b.const([b.one(1, -1)])])


def plain(b, t):
    return t if not b.rank(t) else b.node('Squeeze', [t]) if b.chance(0.5) else b.node('Reshape', [t, b.const([],
        'int64')])


def number(b, low=0, high=12, steps=2):
    """A computed integer in this range at the first binding."""
    for _ in range(4):
        t = scalar(b)
        for _ in range(b.r.randint(0, steps)):
            t = arith(b, t)
        if low <= int(b.value[t].flat[0]) <= high:
            return t
    b.need(False)


def several(b, count, low=0, high=9):
    parts = [vector(b, number(b, low, high)) if b.chance(0.6) else b.const([b.r.randint(low, min(high, 4))])
             for _ in range(count)]
    return parts[0] if len(parts) == 1 and b.chance(0.7) else b.node('Concat', parts, axis=0)


def chain_reshape(b):
    x = b.pick('f', 2)
    s = b.node('Shape', [x])
    shape = list(b.shape(x))
    parts, i = [], 0
    part = lambda a: b.node('Gather', [s, b.const([a])])
    while i < len(shape):
        if i + 1 < len(shape) and b.chance(0.4):
            parts.append(b.node('Mul', [part(i), part(i + 1)]))
            i += 2
        elif b.chance(0.2):
            parts += [b.node('Div', [part(i), b.const([max(1, shape[i])])]), b.const([max(1, shape[i])])]
            i += 1
        else:
            parts.append(part(i) if b.chance(0.6) else b.const([shape[i]]))
            i += 1
    if b.chance(0.5):
        parts[b.r.randrange(len(parts))] = b.const([-1])
    return b.node('Reshape', [x, b.node('Concat', parts, axis=0)])


def chain_expand(b):
    b.since(8)
    x = b.input([1 if b.chance(0.6) else b.dim() for _ in range(b.r.randint(1, 3))])
    y = b.pick('f', b.rank(x), 4)
    s = b.node('Shape', [y])
    if b.chance(0.5) and b.opset >= 9:
        minus = b.node('Mul', [b.node('ConstantOfShape', [b.const([b.rank(y)])], value=b.tensor(np.array([1]))),
                               b.const(-1)])
        goal = b.const([b.one(-1, 1, n) for n in b.shape(y)])
        s = b.node('Where', [b.node('Equal', [goal, minus]), s if b.chance(0.5) else b.node('ConstantOfShape',
            [b.const([b.rank(y)])],
                   value=b.tensor(np.array([1]))), goal])
    return b.node('Expand', [x, s])


def chain_make(b):
    way = b.one('ConstantOfShape', 'Range', 'Tile', 'Expand', 'OneHot', 'TopK', 'Trilu', 'Pad', 'RandomUniformLike')
    if way == 'ConstantOfShape':
        b.since(9)
        return b.node(way, [several(b, b.r.randint(1, 3))], value=b.tensor(np.array([1])) if b.chance(0.5) else None)
    if way == 'Range':
        b.since(11)
        ends = [plain(b, number(b, -9, 20)) if b.chance(0.6) else b.const(b.r.randint(0, 3)) for _ in range(2)]
        return b.node(way, ends + [b.const(b.one(1, 2, -1, 3))])
    if way == 'Tile':
        x = b.pick('f', 1, 3)
        return b.node(way, [x, several(b, b.rank(x), 0, 4)])
    if way == 'Expand':
        b.since(8)
        return b.node(way, [b.input([1] * b.r.randint(0, 2)), several(b, b.r.randint(1, 3), 1)])
    if way == 'OneHot':
        b.since(9)
        return b.node(way, [b.input([b.dim()], 'int64', 0, 2), number(b, 1, 9), b.const([0, 1], 'float32')])
    if way == 'TopK':
        b.since(10)
        x = b.pick('f', 1)
        return b.node(way, [x, vector(b, number(b, 0, b.shape(x)[-1]))], 2)
    if way == 'Pad':
        b.since(11)
        x = b.pick('f', 1, 3)
        return b.node(way, [x, several(b, 2 * b.rank(x), -1, 4)], mode=b.one(None, 'constant', 'edge'))
    return chain_range_float(b)


def chain_range_float(b):
    b.since(11)
    dtype = b.one(1, 11)
    end = b.node('Cast', [plain(b, number(b, 0, 15))], to=dtype)
    name = 'float32' if dtype == 1 else 'float64'
    return b.node('Range', [b.const(b.one(0.0, 1.0, 0.5), name), end, b.const(b.one(1.0, 0.5, 0.3, 2.0), name)])


def chain_slice(b):
    b.since(10)
    x = b.pick('f', 1)
    n = vector(b, number(b, -3, 9))
    start, end = (n, b.const([(1 << 63) - 1])) if b.chance(0.4) else (b.const([b.r.randint(-2, 2)]), n)
    return b.node('Slice', [x, start, end, b.const([b.axis(b.rank(x), 10)]), b.const([b.one(1, 1, 2, -1)])])


def chain_resize(b):
    b.since(11)
    x = b.input([b.dim() for _ in range(4)])
    empty = b.const([], 'float32')
    if b.chance(0.6):
        lead = b.node('Slice', [b.node('Shape', [x]), b.const([0]), b.const([2]), b.const([0])])
        sizes = b.node('Concat', [lead, several(b, 2, 1, 12)], axis=0)
        return b.node('Resize', [x, empty, empty if b.opset < 13 else '', sizes])
    f = b.node('Cast', [several(b, 2, 1, 4)], to=1)
    if b.chance(0.5):
        f = b.node('Div', [f, b.const([2.0, 3.0], 'float32')])
    return b.node('Resize', [x, empty, b.node('Concat', [b.const([1.0, 1.0], 'float32'), f], axis=0)])


def chain_vector(b):
    """A shape that is sliced, padded, reversed and concatenated, as torch writes F.pad."""
    b.since(11)
    x = b.pick('f', 1, 3)
    rank = b.rank(x)
    pads = b.node('Concat', [several(b, b.r.randint(1, 2 * rank), 0, 3)], axis=0)
    more = 2 * rank - b.shape(pads)[0]
    if more:
        pads = b.node('Concat', [pads, b.node('ConstantOfShape', [b.const([more])], value=b.tensor(np.array([0])))],
                      axis=0)
    square = b.node('Reshape', [pads, b.const([-1, 2])])
    flip = b.node('Slice', [square, b.const([-1]), b.const([-(1 << 63) + 1]), b.const([0]), b.const([-1])])
    line = b.node('Reshape', [b.node('Transpose', [flip], perm=[1, 0]), b.const([-1])])
    return b.node('Pad', [x, b.node('Cast', [line], to=INT64)])


def chain_reduce(b):
    """ReduceProd, ReduceSum, CumSum, Split, Squeeze, ScatterND, GatherElements, NonZero of a shape."""
    b.since(9)
    x = b.pick('f', 2)
    s = b.node('Shape', [x])
    way = b.one('ReduceProd', 'ReduceSum', 'ReduceMax', 'ReduceMin', 'CumSum', 'Split', 'ScatterND', 'GatherElements',
                'NonZero')
    if way.startswith('Reduce'):
        t = b.node(way, [s], keepdims=b.one(0, 1))
    elif way == 'CumSum':
        b.since(11)
        t = b.node(way, [s, b.const(0)], exclusive=b.one(None, 1), reverse=b.one(None, 1))
    elif way == 'Split':
        t = b.r.choice(b.node(way, [s], b.rank(x), axis=0, num_outputs=b.rank(x) if b.opset >= 18 else None))
    elif way == 'ScatterND':
        b.since(11)
        t = b.node(way, [s, b.const([[b.r.randrange(b.rank(x))]]), b.const([b.r.randint(1, 3)])])
    elif way == 'GatherElements':
        b.since(11)
        t = b.node(way, [s, b.const([b.r.randrange(b.rank(x)) for _ in range(2)])])
    else:
        t = b.node('NonZero', [b.node('ConstantOfShape', [vector(b, scalar(b, x))], value=b.tensor(np.array([1])))])
        return b.node('Squeeze', [t, b.const([0])]) if b.opset >= 13 else b.node('Squeeze', [t], axes=[0])
    b.need(b.value[t].size and 0 <= b.value[t].min() and float(np.prod(b.value[t], dtype=float)) < 2000)
    return b.node('ConstantOfShape', [vector(b, t)])


def graph(nodes, name, ins, outs):
    info = lambda v: helper.make_tensor_value_info(v[0], v[1], *(v[2:] or [None]))
    return helper.make_graph(nodes, name, [info(i) for i in ins], [info(o) for o in outs])


def branch(b, x, name):
    """A branch that captures x: one node, or two."""
    t = 1 if b.dtype(x) == 'float32' else 11
    op = b.one('Identity', 'Neg', 'Concat', 'Transpose', 'Flatten', 'Unsqueeze', 'ReduceSum')
    n, out = b.name('n'), b.name('o')
    if op == 'Concat':
        nodes = [helper.make_node(op, [x, x], [out], axis=b.axis(b.rank(x)))]
    elif op == 'Unsqueeze':
        nodes = [helper.make_node('Constant', [], [n], value=b.tensor(np.array([0]))),
                 helper.make_node(op, [x, n], [out])] if b.opset >= 13 else [helper.make_node(op, [x], [out],
                     axes=[0])]
    elif op == 'ReduceSum':
        nodes = [helper.make_node(op, [x], [out], keepdims=b.one(0, 1))]
    else:
        nodes = [helper.make_node(op, [x], [out])]
    return graph(nodes, name, [], [(out, t)])


def if_(b):
    x = b.pick('f', 1, 3)
    if b.chance(0.3):
        c = b.const(b.chance(0.5))
    elif b.chance(0.6):
        c = b.input([], 'bool')
    else:
        b.since(9)
        c = b.node(b.one('Less', 'Greater', 'Equal'), [plain(b, number(b, 0, 99)), b.const(b.r.randint(1, 5))])
    return b.node('If', [c], then_branch=branch(b, x, 'then'), else_branch=branch(b, x, 'else'))


def loop(b):
    x = b.pick('f', 1, 3)
    t = 1 if b.dtype(x) == 'float32' else 11
    trip = b.one(b.const(b.r.randint(0, 3)), plain(b, number(b, 0, 5)) if b.chance(0.5) else b.const(2), '')
    i, c, s, c2, s2, out = (b.name(k) for k in 'icsdeo')
    nodes = []
    if trip == '' or b.chance(0.2):
        limit = b.name('l')
        nodes += [helper.make_node('Constant', [], [limit], value=b.tensor(np.array(b.r.randint(0, 3)))),
                  helper.make_node('Less', [i, limit], [c2])]
        b.since(9)
    else:
        nodes.append(helper.make_node('Identity', [c], [c2]))
    way = b.one('same', 'grow', 'double', 'broadcast', 'flip')
    if way == 'same':
        nodes.append(helper.make_node('Neg', [s], [s2]))
    elif way == 'grow':
        nodes.append(helper.make_node('Concat', [s, x], [s2], axis=b.axis(b.rank(x))))
    elif way == 'double':
        nodes.append(helper.make_node('Concat', [s, s], [s2], axis=0))
    elif way == 'broadcast':
        nodes.append(helper.make_node('Add', [s, b.input([1] * b.r.randint(0, 1) + b.same_dims(x), b.dtype(x))], [s2]))
    else:
        nodes.append(helper.make_node('Transpose', [s], [s2]))
    scan = b.chance(0.6)
    outs = [(c2, 9), (s2, t)]
    if scan:
        nodes.append(helper.make_node('ReduceSum', [s], [out], keepdims=b.one(0, 1)) if b.chance(0.5)
                     else helper.make_node('Identity', [x], [out]))
        outs.append((out, t))
    body = graph(nodes, 'body', [(i, INT64, []), (c, 9, []), (s, t)], outs)
    return b.node('Loop', [trip, b.const(True) if b.chance(0.6) or trip == '' else '', x], 1 + scan, body=body)


def scan(b):
    b.since(9)
    state, x = b.input([b.dim()]), b.input([b.dim() for _ in range(b.r.randint(1, 3))])
    axis = b.axis(b.rank(x))
    s, e, s2, o = (b.name(k) for k in 'seto')
    rank = b.rank(x) - 1
    nodes = [helper.make_node('Neg', [s], [s2]), b.one(helper.make_node('Identity', [e], [o]),
             helper.make_node('Identity', [s], [o]), helper.make_node('Neg', [e], [o]))]
    out_rank = 1 if nodes[1].input[0] == s else rank
    out_axis = b.axis(out_rank + 1)
    body = graph(nodes, 'body', [(s, 1), (e, 1)], [(s2, 1), (o, 1)])
    return b.node('Scan', [state, x], 2, body=body, num_scan_inputs=1, scan_input_axes=b.one([axis], [axis], None),
                  scan_output_axes=b.one(None, [out_axis]), scan_input_directions=b.one(None, [1]),
                  scan_output_directions=b.one(None, [1]))


def sequence(b):
    b.since(11)
    x = b.pick('f', 1, 3)
    b.need(b.dtype(x) == 'float32')
    way = b.one('construct', 'split', 'split', 'empty', 'insert')
    if way == 'split':
        axis = b.axis(b.rank(x))
        n = b.shape(x)[axis]
        cut = b.r.randint(0, max(0, n))
        parts = b.one('', b.ints(b.r.randint(1, max(1, n))), b.ints([cut, n - cut]))
        s = b.node('SplitToSequence', [x, parts], axis=b.one(None, axis), keepdims=b.one(None, 0, 1))
    elif way == 'empty':
        s = b.node('SequenceInsert', [b.node('SequenceEmpty', [], hide=True), x])
    else:
        dims = b.same_dims(x)
        if b.chance(0.5):
            dims[0] = b.dim()
        s = b.node('SequenceConstruct', [x, b.input(dims)] + ([x] if b.chance(0.3) else []))
        if way == 'insert':
            s = b.node('SequenceInsert', [s, b.pick('f', 1, 3)] + ([b.const(b.r.randint(-1, 1))] if b.chance(0.5)
                                                                   else []))
    b.need(isinstance(b.value[s], list) and b.value[s])
    for _ in range(b.r.randint(0, 2)):
        step = b.one('SequenceAt', 'SequenceLength', 'SequenceErase', 'ConcatFromSequence', 'Identity')
        if step == 'SequenceAt':
            b.node(step, [s, b.const(b.r.randrange(-len(b.value[s]), len(b.value[s])))])
        elif step == 'SequenceLength':
            b.node(step, [s])
        elif step == 'SequenceErase' and len(b.value[s]) > 1:
            s = b.node(step, [s] + ([b.const(b.r.randrange(len(b.value[s])))] if b.chance(0.6) else []))
        elif step == 'Identity' and b.opset >= 14:
            s = b.node(step, [s])
        elif step == 'ConcatFromSequence':
            new = b.one(0, 1)
            rank = b.value[s][0].ndim + new
            b.node(step, [s], axis=b.r.randrange(-rank, rank), new_axis=new or None)
    return s


def optional(b):
    b.since(15)
    x = b.pick('f', 0, 3)
    o = b.node('Optional', [x], hide=True)
    if b.chance(0.4):
        b.node('OptionalHasElement', [o])
    return b.node('OptionalGetElement', [o])


def sequence_map(b):
    b.since(17)
    x = b.input([b.dim(), b.dim()])
    s = b.node('SplitToSequence', [x], axis=0, keepdims=b.one(None, 0))
    e, o = b.name('e'), b.name('o')
    body = graph([helper.make_node(b.one('Neg', 'Transpose', 'Shape'), [e], [o])], 'body', [(e, 1)], [])
    body.output.append(helper.make_tensor_value_info(o, 7 if body.node[0].op_type == 'Shape' else 1, None))
    return b.node('SequenceMap', [s], body=body)


def found(b):
    b.since(9)
    op = b.one('NonZero', 'Compress', 'Unique', 'NonMaxSuppression')
    if op == 'NonZero':
        return b.node(op, [b.pick('n', 0)])
    if op == 'Compress':
        x = b.pick('n', 1)
        axis = b.one(None, b.axis(b.rank(x)))
        c = b.const([b.chance(0.5) for _ in range(b.r.randint(1, 3))]) if b.chance(0.4) else b.input([b.dim(2)],
            'bool')
        return b.node(op, [x, c], axis=axis)
    if op == 'Unique':
        b.since(11)
        x = b.pick('n', 1)
        return b.node(op, [x], (True, b.chance(0.5), b.chance(0.5), b.chance(0.5)), axis=b.one(None,
            b.axis(b.rank(x))),
                      sorted=b.one(None, 0))
    b.since(10)
    n, k = b.dim(), b.dim()
    ins = [b.input([n, k, 4], 'float32', 0, 9), b.input([n, b.dim(), k], 'float32', 0, 1)]
    ins += [b.const(b.one(0, 2, [3])), b.const(0.5, 'float32'), b.const([0.3], 'float32')][:b.r.randint(0, 3)]
    return b.node(op, ins)


CHAIN = (chain_reshape, chain_expand, chain_make, chain_make, chain_slice, chain_resize, chain_vector, chain_reduce)
FAMILIES = {'chain': CHAIN, 'arithmetic': CHAIN, 'flow': (if_, loop, loop, scan), 'sequence': (sequence, sequence,
    optional,
            sequence_map), 'found': (found,)}
