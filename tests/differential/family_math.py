"""Elementwise operators, broadcasting, reductions, contractions."""

import numpy as np

UNARY = {7: 'Abs Acos Asin Atan Ceil Cos Elu Exp Floor HardSigmoid Identity LeakyRelu Log Neg Reciprocal Relu Selu '
            'Sigmoid Sin Softplus Softsign Sqrt Tan Tanh Dropout RandomNormalLike RandomUniformLike',
         9: 'Acosh Asinh Atanh Cosh Erf IsNaN Shrink Sign Sinh', 10: 'IsInf ThresholdedRelu', 11: 'Round',
         12: 'Celu', 14: 'HardSwish', 15: 'Bernoulli', 18: 'Mish', 20: 'Gelu', 24: 'Swish'}
BINARY = {7: 'Add Sub Mul Div Pow', 10: 'Mod'}
COMPARE = {7: 'Greater Less Equal', 12: 'GreaterOrEqual LessOrEqual'}
EQUATIONS = ('ij,jk->ik ij,jk bij,bjk->bik ii->i ii-> i,j->ij ij->ji ...i->... ...ij,...jk->...ik bhqd,bhkd->bhqk '
             'i,i ab,cb->ac ab...,b->a... i...->...i ij,j ...,... abc->cb').split(' ')


def known(b, table):
    return [name for since, names in table.items() if since <= b.opset for name in names.split()]


def unary(b):
    op = b.one(*known(b, UNARY))
    x = b.pick('n' if op in ('Abs', 'Neg', 'Identity', 'Sign') else 'f')
    return b.node(op, [x], (True, b.chance(0.5)) if op == 'Dropout' and b.opset >= 10 else 1)


def clip(b):
    x = b.pick('f')
    if b.opset < 11:
        return b.node('Clip', [x], min=-1.0, max=b.one(1.0, None))
    low, high = (b.const(v, b.dtype(x)) if b.chance(0.6) else '' for v in (-1, 1))
    return b.node('Clip', [x, low, high])


def softmax(b):
    x = b.pick('f', 1)
    return b.node(b.one('Softmax', 'LogSoftmax', 'Hardmax'), [x], axis=b.one(None, b.axis(b.rank(x))))


def cast(b):
    x = b.pick('n')
    if b.opset >= 15 and b.chance(0.2):
        return b.node('CastLike', [x, b.pick('n')])
    return b.node('Cast', [x], to=b.one(1, 6, 7, 9, 10, 11, 8 if b.opset >= 9 else 1))


def other(b, x):
    """An operand that broadcasts with x: axes kept, set to 1, omitted or prepended."""
    dims = [1 if b.chance(0.25) else d for d in b.same_dims(x)]
    if b.chance(0.3):
        dims = dims[b.r.randint(0, len(dims)):]
    if b.chance(0.15) and len(dims) < 4:
        dims = [b.dim()] + dims
    if b.chance(0.15):
        return b.const(np.ones(b.sizes(dims), b.dtype(x)))
    return b.input(dims, b.dtype(x), 1, 3)


def pair(b, kind='n'):
    x = b.pick(kind)
    y = other(b, x)
    return (x, y) if b.chance(0.6) else (y, x)


def binary(b):
    op = b.one(*known(b, BINARY))
    x, y = pair(b, 'i' if op == 'Mod' else 'n')
    return b.node(op, [x, y])


def compare(b):
    op = b.one(*known(b, COMPARE))
    return b.node(op, pair(b, 'n' if b.opset >= 11 else 'i' if op == 'Equal' else 'f'))


def logic(b):
    if b.chance(0.2):
        return b.node('Not', [b.pick('b')])
    return b.node(b.one('And', 'Or', 'Xor'), pair(b, 'b'))


def bits(b):
    if b.opset >= 18 and b.chance(0.6):
        return b.node('BitwiseNot', [b.pick('i')]) if b.chance(0.2) else \
            b.node(b.one('BitwiseAnd', 'BitwiseOr', 'BitwiseXor'), pair(b, 'i'))
    b.since(11)
    x = b.input(b.dims(b.size(), b.size()), b.one('uint8', 'uint32', 'uint64'), 0, 3)
    return b.node('BitShift', [x, other(b, x)], direction=b.one('LEFT', 'RIGHT'))


def prelu(b):
    x = b.pick('f', 1)
    dims = [1 if b.chance(0.3) else d for d in b.same_dims(x)]
    return b.node('PRelu', [x, b.input(dims[b.r.randint(0, len(dims)):], b.dtype(x))])


def many(b):
    op = b.one('Max', 'Min', 'Sum', 'Mean')
    x = b.pick('f')
    if b.opset < 8:
        return b.node(op, [x] + [b.input(b.same_dims(x), b.dtype(x)) for _ in range(b.r.randint(0, 2))])
    return b.node(op, [x] + [other(b, x) for _ in range(b.r.randint(0, 3))])


def where(b):
    b.since(9)
    x = b.pick('n')
    dims = [1 if b.chance(0.3) else d for d in b.same_dims(x)]
    c = b.input(dims[b.r.randint(0, len(dims)):] if b.chance(0.4) else dims, 'bool')
    return b.node('Where', [c, x, other(b, x)] if b.chance(0.5) else [c, other(b, x), x])


def reduce(b):
    op = b.one('ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceL1', 'ReduceL2',
               'ReduceLogSum', 'ReduceLogSumExp', 'ReduceSumSquare')
    x = b.pick('f', 0)
    rank = b.rank(x)
    axes = b.r.sample(range(rank), b.r.randint(0, rank))
    axes = [a - rank if b.opset >= 11 and b.chance(0.4) else a for a in axes]
    keep = b.one(None, 0, 1)
    if b.opset >= (13 if op == 'ReduceSum' else 18):
        noop = b.one(None, 0, 1)
        if b.chance(0.2):
            return b.node(op, [x], keepdims=keep, noop_with_empty_axes=noop)
        return b.node(op, [x, b.ints(axes)], keepdims=keep, noop_with_empty_axes=noop)
    return b.node(op, [x], axes=axes or None, keepdims=keep)


def arg(b):
    x = b.pick('f', 1)
    return b.node(b.one('ArgMax', 'ArgMin'), [x], axis=b.one(None, b.axis(b.rank(x))), keepdims=b.one(None, 0, 1),
                  select_last_index=b.one(None, 1) if b.opset >= 12 else None)


def matmul(b):
    x = b.pick('f', 1)
    dims = b.same_dims(x)
    if b.chance(0.2):
        y = [dims[-1]]
    else:
        y = [1 if b.chance(0.3) else d for d in dims[:-2]] + [dims[-1], b.dim()]
        y = y[b.r.randint(0, len(y) - 2):]
    return b.node('MatMul', [x, b.input(y, b.dtype(x))])


def gemm(b):
    x = b.pick('f', 2, 2)
    m, k = b.same_dims(x)
    ta, tb = b.one(0, 1), b.one(0, 1)
    if ta:
        m, k = k, m
    n = b.dim()
    y = b.input([n, k] if tb else [k, n], b.dtype(x))
    c = [b.input(b.one([m, n], [n], [1, n], [m, 1], [1], []), b.dtype(x))] if b.opset < 11 or b.chance(0.5) else []
    return b.node('Gemm', [x, y] + c, transA=ta or None, transB=tb or None, alpha=b.one(None, 0.5))


def einsum(b):
    b.since(12)
    equation = b.one(*EQUATIONS)
    sizes, ins = {}, []
    dots = [b.dim() for _ in range(b.r.randint(0, 2))]
    for term in equation.split('->')[0].split(','):
        dims = []
        for c in term.replace('...', '.'):
            if c == '.':
                dims += dots
            else:
                dims.append(sizes.setdefault(c, b.dim()))
        ins.append(b.input(dims))
    spaced = equation.replace(',', b.one(',', ' , ')).replace('->', b.one('->', ' -> '))
    return b.node('Einsum', ins, equation=spaced)


def det(b):
    b.since(11)
    n = b.dim()
    return b.node('Det', [b.input([b.dim() for _ in range(b.r.randint(0, 2))] + [n, n])])


FAMILIES = {'elementwise': (unary, unary, clip, softmax, cast, bits), 'broadcast': (binary, binary, compare, logic,
            prelu, many, where), 'reduce': (reduce, reduce, arg), 'matmul': (matmul, gemm, einsum, det)}
