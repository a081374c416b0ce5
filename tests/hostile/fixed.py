"""Exports with a fixed batch: what repair, axes, flow and fit have to search through."""

from net import LOCAL, Net, bools, family, floats, function, graph, ints, node, value


def pair(make, batch=3):
    """What fit compares the family with: the same program at another batch."""
    return lambda size: make(size, batch)


def fit_family(*sizes, **more):
    """A family whose function also takes the batch."""
    def register(make):
        return family(*sizes, other=pair(make), **more)(make)
    return register


@fit_family(10, 100, 1000, 4000)
def reshapes_with_batch(n, batch=2):
    """Heads split and merged: each target has the batch."""
    net = Net(floats('x', batch, 7, 12))
    last = 'x'
    for i in range(n):
        last = net('Reshape', last, net.ints(batch, 7, 3, 4) if i % 2 == 0 else net.ints(batch, 7, 12))
    return net.model(last)


@fit_family(10, 100, 1000, 2500)
def heads(n, batch=2):
    """Reshape, Transpose, MatMul, Softmax, back: attention with fixed sizes."""
    net = Net(floats('x', batch, 5, 12))
    last = 'x'
    split, merged = net.ints(batch, 5, 3, 4), net.ints(batch, 5, 12)
    for _ in range(n // 5):
        h = net('Transpose', net('Reshape', last, split), perm=[0, 2, 1, 3])
        score = net('Softmax', net('MatMul', h, net('Transpose', h, perm=[0, 1, 3, 2])))
        last = net('Add', last, net('Reshape', net('Transpose', net('MatMul', score, h), perm=[0, 2, 1, 3]), merged))
    return net.model(last)


@fit_family(10, 100, 1000, 4000)
def ambiguous_targets(n, batch=2):
    """The batch coincides with other sizes of the target."""
    net = Net(floats('x', batch, 2, 2, 2))
    last = 'x'
    for i in range(n):
        last = net('Reshape', last, net.ints(*([2, 2, 2, batch], [4, 2 * batch], [batch, 8], [2 * batch, 2, 2])[i % 4]))
    return net.model(last)


@family(10, 100, 1000, 4000)
def axes_of_one(n):
    """Batch 1 among other ones."""
    net = Net(floats('x', 1, 1, 8, 1))
    last = 'x'
    for i in range(n):
        last = net('Reshape', last, net.ints(*([1, 8, 1, 1], [1, 1, 1, 8], [8, 1], [1, 1, 8, 1])[i % 4]))
    return net.model(last)


@family(10, 100, 1000, 4000)
def axes_of_one_unsqueezed(n):
    """Squeeze and Unsqueeze among ones."""
    net = Net(floats('x', 1, 1, 8, 1))
    last = 'x'
    zero, two = net.ints(0), net.ints(2)
    for i in range(n):
        last = net('Unsqueeze', net('Squeeze', last, zero), zero if i % 2 else two)
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def factors(n, batch=2):
    """720,720 elements in every order of factors: each Reshape cuts across the axes of the one before."""
    shapes = [(720720,), (2, 360360), (360360, 2), (1001, 720), (720, 1001), (16, 9, 5, 7, 11, 13), (13, 11, 7, 5, 9, 16),
              (3, 240240), (77, 9360), (2, 2, 2, 2, 3, 3, 5, 7, 11, 13), (4, 4, 9, 5, 1001)]
    net = Net(floats('x', batch, 720720))
    last = 'x'
    for i in range(n):
        last = net('Reshape', last, net.ints(batch, *shapes[i * 5 % len(shapes)]))
        if i % 2:
            count = len(shapes[i * 5 % len(shapes)]) + 1
            last = net('Transpose', last, perm=[0, *range(count - 1, 0, -1)])
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def factors_with_batch(n, batch=2):
    """As above, the batch merged with its neighbours."""
    net = Net(floats('x', batch, 60))
    last = 'x'
    shapes = [(batch * 60,), (batch * 2, 30), (30, batch * 2), (batch * 4, 15), (batch, 3, 4, 5), (batch * 12, 5), (5, batch * 12)]
    for i in range(n):
        last = net('Reshape', last, net.ints(*shapes[i * 3 % len(shapes)]))
        if i % 5 == 4:
            last = net('Transpose', last)
    return net.model(last)


@family(4, 8, 16, 32)
def reshapes_of_rank(n):
    """Rank n, all of size 2, reshaped to every split of the exponent."""
    net = Net(floats('x', *[2] * n))
    last = 'x'
    for i in range(n * 4):
        cut = i % n
        last = net('Reshape', last, net.ints(2**cut, 2**(n - cut)))
        last = net('Transpose', last)
        last = net('Reshape', last, net.ints(*[2] * n))
    return net.model(last)


@fit_family(10, 100, 1000, 3000)
def expands_with_batch(n, batch=2):
    net = Net(floats('x', batch, 4))
    last = 'x'
    for i in range(n):
        last = net('Add', last, net('Expand', net.floats([1, 4]) if i < 9 else 'w0', net.ints(batch, 4)))
    return net.model(last)


@fit_family(10, 100, 1000, 2500)
def slices_with_batch(n, batch=2):
    net = Net(floats('x', batch, 4))
    last, zero, one = 'x', net.ints(0), net.ints(1)
    for i in range(n):
        last = net('Concat', net('Slice', last, zero, net.ints(batch), zero, one), net('Slice', last, zero, net.ints(0), zero, one), axis=0)
    return net.model(last)


@fit_family(10, 100, 1000, 4000)
def unrolled_batch(n, batch=2):
    """The batch taken apart by Gather, item by item, and joined by Concat."""
    net = Net(floats('x', batch * (n // 2), 4))
    axis = net.ints(0)
    parts = [net('Unsqueeze', net('Relu', net('Gather', 'x', net.scalar(i), axis=0)), axis) for i in range(batch * (n // 2))]
    return net.model(net('Concat', *parts, axis=0))


@family(10, 100, 1000, 3000)
def unrolled_by_split(n):
    """Split into n items, each by itself, joined."""
    net = Net(floats('x', n, 4))
    w = net.floats([4, 4])
    parts = net('Split', 'x', out=[net.new() for _ in range(n)], axis=0)
    return net.model(net('Concat', *(net('Softmax', net('MatMul', p, w)) for p in parts), axis=0))


@family(10, 100, 500, 1500)
def unrolled_by_slices(n):
    """n slices of one row, each by itself, joined, n / 100 times over."""
    net = Net(floats('x', n, 4))
    ends, axis = [net.ints(i) for i in range(n + 1)], net.ints(0)
    last = 'x'
    for _ in range(max(1, min(3, n // 100))):
        last = net('Concat', *(net('Relu', net('Slice', last, ends[i], ends[i + 1], axis)) for i in range(n)), axis=0)
    return net.model(last)


@family(10, 100, 1000, 3000)
def many_inputs_of_batch(n):
    """n inputs of batch 2, each with a Reshape of its own."""
    net = Net()
    parts = [net('Reshape', net.input(f'x{i}', 2, 3, 4), net.ints(2, 12)) for i in range(n)]
    return net.model(net('Concat', *parts, axis=1))


@family(10, 100, 400, 1200)
def many_inputs_that_meet(n):
    """n inputs of batch 2, added in pairs, so that each axis follows from the others."""
    net = Net()
    last = net.input('x', 2, 3, 4)
    for i in range(n):
        last = net('Reshape', net('Add', last, net.input(f'x{i}', 2, 3, 4)), net.ints(2, 3, 4))
    return net.model(last)


@family(10, 50, 100, 250)
def many_axes(n):
    """Inputs of rank 8 that are all fixed: 8 n axes to judge over n nodes each."""
    net = Net()
    last = net.input('x', 2, 3, 4, 5, 6, 7, 8, 9)
    for i in range(n):
        last = net('Reshape', net('Add', last, net.input(f'x{i}', 2, 3, 4, 5, 6, 7, 8, 9)), net.ints(2, 3, 4, 5, 6, 7, 8, 9))
    return net.model(last)


@family(10, 100, 500, 1500)
def many_dynamic_axes(n):
    """As many symbols as inputs, each pinned somewhere behind a long common path."""
    net = Net()
    parts = [net.input(f'x{i}', f's{i}', 4) for i in range(n)]
    last = net('Concat', *parts, axis=0)
    for part in parts:
        last = net('Relu', last)
        net('Reshape', part, net.ints(6, 2, 2))
    return net.model(last)


@family(10, 50, 150, 400)
def axes_through_everything(n):
    """n inputs, each with two axes, go through one chain of n nodes."""
    net = Net()
    last = net.input('x', 2, 3)
    for i in range(n):
        last = net('Concat', last, net.input(f'x{i}', 2, 3), axis=i % 2)
        last = net('Pad', last, net.ints(0, 0, *((0, 3) if i % 2 == 0 else (2, 0)))) if i + 1 < n else last
    for i in range(n):
        last = net('Relu', last)
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def windows(n, batch=2):
    """Windows of 4 x 4, cut and put together."""
    net = Net(floats('x', batch, 8, 8, 3))
    last = 'x'
    cut, flat = net.ints(batch, 2, 4, 2, 4, 3), net.ints(batch * 4, 16, 3)
    back, end = net.ints(batch, 2, 2, 4, 4, 3), net.ints(batch, 8, 8, 3)
    for _ in range(n):
        w = net('Reshape', net('Transpose', net('Reshape', last, cut), perm=[0, 1, 3, 2, 4, 5]), flat)
        last = net('Reshape', net('Transpose', net('Reshape', net('Softmax', w), back), perm=[0, 1, 3, 2, 4, 5]), end)
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def states(n, batch=2):
    """GRUs with initial states of the batch."""
    net = Net(floats('x', 5, batch, 4))
    w, r = net.floats([1, 12, 4]), net.floats([1, 12, 4])
    last = 'x'
    for i in range(n):
        outs = net('GRU', last, w, r, '', '', net.floats([1, batch, 4]), out=[net.new(), net.new()], hidden_size=4)
        last = net('Squeeze', outs[0], net.ints(1))
    return net.model(last)


@fit_family(10, 100, 1000, 3000)
def masks(n, batch=2):
    """ConstantOfShape, Range and Where with the batch."""
    net = Net(floats('x', batch, 4))
    last = 'x'
    for i in range(n):
        mask = net('Cast', net('ConstantOfShape', net.ints(batch, 4)), to=9)
        last = net('Where', mask, last, 'x')
    return net.model(last)


@fit_family(10, 100, 1000, 2500)
def tables(n, batch=2):
    """Constant tensors whose first axis is the batch."""
    net = Net(floats('x', batch, 4))
    last = 'x'
    for i in range(n):
        last = net('Mul', last, net.floats([batch, 4], *range(4 * batch)))
    return net.model(last)


@fit_family(100, 1000, 10000, 40000)
def long_tables(n, batch=2):
    """One table with n rows for each item."""
    net = Net(floats('x', batch * n, 1))
    return net.model(net('Add', 'x', net.floats([batch * n, 1])))


@fit_family(100, 1000, 10000, 50000)
def long_indices(n, batch=2):
    """Gather of n indices that repeat with the batch."""
    net = Net(floats('x', batch * 8, 4))
    return net.model(net('Gather', 'x', net.ints(*(i % (batch * 8) for i in range(n * batch))), axis=0))


@fit_family(10, 100, 1000, 3000)
def gathers_by_item(n, batch=2):
    """Gather with indices that are a permutation, over and over."""
    net = Net(floats('x', batch * 12, 4))
    order = net.ints(*((i * 5) % (batch * 12) for i in range(batch * 12)))
    last = 'x'
    for _ in range(n):
        last = net('Gather', last, order, axis=0)
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def sizes_by_numbers(n, batch=2):
    """Resize to fixed sizes, Tile, TopK, OneHot by fixed numbers."""
    net = Net(floats('x', batch, 3, 8, 8))
    last = 'x'
    for _ in range(n):
        last = net('Resize', last, '', '', net.ints(batch, 3, 16, 16))
        last = net('Slice', net('Tile', last, net.ints(1, 1, 1, 1)), net.ints(0, 0, 0, 0), net.ints(batch, 3, 8, 8))
    return net.model(last)


@fit_family(5, 10, 20, 28, ci=-1)
def pins_in_bodies(n, batch=2):
    """A Reshape with the batch at every level of nested Loops."""
    inner = [node('Reshape', [f'a{n - 1}', 's'], [f'v{n}'])]
    for i in range(n - 1, -1, -1):
        body = graph(f'b{i}', [*inner, node('Reshape', [f'v{i + 1}', 's'], [f'e{i}'])],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        inner = [node('Loop', ['n', 'c', f'a{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    net = Net(floats('x', batch, 12), ints('n'), bools('c'))
    net('Identity', net.ints(batch, 12), out='s')
    net.nodes += inner
    return net.model('v0')


@fit_family(10, 100, 1000, 3000)
def pins_in_functions(n, batch=2):
    """One function with a pinned Reshape, called n times."""
    made = [function('local', 'F', 'a', 'z', [node('Constant', [], ['s'], value_ints=[batch, 3, 4]), node('Reshape', 'a s', 'b'),
                                            node('Constant', [], ['r'], value_ints=[batch, 12]), node('Reshape', 'b r', 'z')], LOCAL)]
    net = Net(floats('x', batch, 12))
    last = 'x'
    for _ in range(n):
        last = net('F', last, domain='local')
    return net.model(last, opset=LOCAL, functions=made)


@fit_family(10, 100, 1000, 4000)
def sums_over_batch(n, batch=2):
    """The batch is mixed and spread again."""
    net = Net(floats('x', batch, 4))
    last, zero = 'x', net.ints(0)
    for _ in range(n):
        last = net('Add', last, net('ReduceSum', last, zero))
    return net.model(last)


@fit_family(10, 100, 1000, 3000)
def transposed_batch(n, batch=2):
    """The batch moves from axis to axis; sizes coincide."""
    net = Net(floats('x', batch, batch, batch))
    last = 'x'
    for i in range(n):
        last = net('Reshape', net('Transpose', last, perm=[1, 2, 0]), net.ints(batch, batch, batch))
    return net.model(last)


@fit_family(10, 100, 1000, 2000)
def literals_that_differ(n, batch=2):
    """Every number depends on the batch in another way."""
    net = Net(floats('x', batch, 4))
    last, axis = 'x', net.ints(0)
    for i in range(n):
        last = net('Pad', last, net.ints(0, 0, batch * (i % 5) + i, 0))
        last = net('Slice', last, net.ints(0), net.ints(batch), axis)
    return net.model(last)


@fit_family(10, 100, 1000, 3000)
def scalars_that_differ(n, batch=2):
    """Float scalars that depend on the batch."""
    net = Net(floats('x', batch, 4))
    last = 'x'
    for i in range(n):
        last = net('Mul', last, net.floats([], 1.0 / (batch * (i + 1))))
    return net.model(last)


@fit_family(10, 100, 1000, 3000)
def shape_programs(n, batch=2):
    """Targets computed from the shape, with a literal batch in each."""
    net = Net(floats('x', batch, 5, 12))
    last, one = 'x', net.ints(1)
    rest, b = net.ints(12), net.ints(batch)
    for i in range(n // 2):
        last = net('Reshape', last, net('Concat', b, net('Gather', net('Shape', last), one), rest, axis=0))
    return net.model(last)


@fit_family(10, 100, 500, 1500)
def products_of_batch(n, batch=2):
    """Einsum and MatMul over batch axes that were merged."""
    net = Net(floats('x', batch, 3, 4, 4))
    last = 'x'
    flat, back = net.ints(batch * 3, 4, 4), net.ints(batch, 3, 4, 4)
    for i in range(n):
        f = net('Reshape', last, flat)
        last = net('Reshape', net('Einsum', f, f, equation='bij,bjk->bik'), back)
    return net.model(last)
