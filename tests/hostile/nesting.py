"""Bodies in bodies, functions in functions: what runs a body once more for every level is exponential."""

from net import (BOOL, FLOAT, LOCAL, Net, bools, call, data, family, floats, function, graph, int_tensor, ints, model, node, reference,
                 sequence_type, tensor, tensor_type, value)

DEPTHS = (5, 10, 20, 30)
CALLS = (10, 100, 1000, 4000)


def nested(depth, level, top=None):
    """`level(i, inner)` makes the nodes of level i, given those of the level within; returns the outermost's."""
    inner = top or [node('Relu', 'x', f'v{depth}', 'leaf')]
    for i in range(depth - 1, -1, -1):
        inner = level(i, inner)
    return inner


def whole(nodes, *inputs, out='v0', constants=(), **more):
    inputs = inputs or (floats('x', 'N', 'M'),)
    return model(graph('g', [*nodes, node('Identity', out, 'y', 'last')], [*inputs, ints('n'), bools('c')], [value('y')],
                       constants), **more)


def loop(i, inner, carried, more=()):
    """A Loop v_i whose body carries `carried` and runs `inner`, which makes v_{i+1}."""
    body = graph(f'b{i}', [*inner, node('Identity', f'k{i}', f'k{i}_', f'keep{i}'), *more],
                 [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}_'), value(f'v{i + 1}')])
    return [node('Loop', ['n', 'c', carried], [f'v{i}'], f'Loop{i}', body=body)]


@family(*DEPTHS, ci=-1)
def loops_nested(n):
    """Loops in Loops; each carries the value of the one around it."""
    top = [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]
    return whole(nested(n, lambda i, inner: loop(i, inner, f'a{i - 1}' if i else 'x'), top))


@family(*DEPTHS, ci=-1)
def loops_capturing(n):
    """The innermost body uses the values of every level."""
    top = [node('Sum', ['x', *(f'a{i}' for i in range(n))], [f'v{n}'], 'leaf')]
    return whole(nested(n, lambda i, inner: loop(i, inner, f'a{i - 1}' if i else 'x'), top))


@family(*DEPTHS, ci=-1)
def loops_growing(n):
    """Each level doubles what it carries."""
    def level(i, inner):
        body = graph(f'b{i}', [node('Concat', [f'a{i}', f'a{i}'], [f'd{i}'], f'Double{i}', axis=0), *inner,
                               node('Concat', [f'v{i + 1}', f'd{i}'], [f'e{i}'], f'Join{i}', axis=0)],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['n', 'c', f'd{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    return whole(nested(n, level, [node('Relu', f'd{n - 1}', f'v{n}', 'leaf')]))


@family(*DEPTHS, ci=-1)
def loops_of_known_count(n):
    """Each Loop turns 1,000 times: unrolled, that is 1000^n."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('Concat', [f'a{i}', f'v{i + 1}'], [f'e{i}'], f'Join{i}', axis=0)],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['turns', 'yes', f'a{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    top = [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]
    return whole(nested(n, level, top), constants=[int_tensor('turns', [], [1000]),
                                                   _true('yes')])


def _true(name):
    return tensor(name, BOOL, [], data(9, b'\1'))


@family(*DEPTHS, ci=-1)
def loops_of_two_turns(n):
    """Each Loop turns twice, known: unrolled, that is 2^n."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('Concat', [f'a{i}', f'v{i + 1}'], [f'e{i}'], f'Join{i}', axis=0)],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['turns', 'yes', f'a{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    top = [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]
    return whole(nested(n, level, top), constants=[int_tensor('turns', [], [2]), _true('yes')])


@family(*DEPTHS, ci=-1)
def loops_with_scan_outputs(n):
    """Each level adds an axis."""
    def level(i, inner):
        body = graph(f'b{i}', inner, [ints(f't{i}'), bools(f'k{i}')], [value(f'k{i}'), value(f'v{i + 1}')])
        return [node('Loop', ['n', 'c'], [f'v{i}'], f'Loop{i}', body=body)]
    return whole(nested(n, level))


@family(*DEPTHS, ci=-1)
def loops_of_counters(n):
    """The carried value is a size: each level multiplies it."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('Mul', [f'v{i + 1}', f'a{i}'], [f'e{i}'], f'Mul{i}')],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['n', 'c', f'a{i - 1}' if i else 's'], [f'v{i}'], f'Loop{i}', body=body)]
    inner = nested(n, level, [node('Add', [f'a{n - 1}', 's'], [f'v{n}'], 'leaf')])
    return whole([node('Shape', 'x', 's', 'Shape'), *inner, node('ConstantOfShape', 'v0', 'z', 'Fill')], out='z')


@family(*DEPTHS, ci=-1)
def loops_of_sequences(n):
    """Each level inserts into the sequence it carries."""
    tensors = sequence_type(tensor_type(FLOAT, ['N', 'M']))
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('SequenceInsert', [f'v{i + 1}', 'x'], [f'e{i}'], f'Insert{i}')],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}', tensors)], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['n', 'c', f'a{i - 1}' if i else 's'], [f'v{i}'], f'Loop{i}', body=body)]
    inner = nested(n, level, [node('SequenceInsert', [f'a{n - 1}', 'x'], [f'v{n}'], 'leaf')])
    return whole([node('SequenceConstruct', 'x', 's', 'Start'), *inner, node('ConcatFromSequence', 'v0', 'z', 'Join', axis=0)],
                 out='z')


@family(*DEPTHS, ci=-1)
def loops_with_errors(n):
    """Every level contradicts itself."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('MatMul', ['x', 'x'], [f'f{i}'], f'Bad{i}')],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'v{i + 1}')])
        return [node('Loop', ['n', 'c', f'a{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    top = [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]
    return whole(nested(n, level, top), floats('x', 3, 5))


@family(*DEPTHS, ci=-1)
def loops_two_in_each(n):
    """Each body's end feeds a second, flat Loop; the values of both are joined."""
    def level(i, inner):
        flat = graph(f'f{i}', [node('Concat', [f'fa{i}', f'v{i + 1}'], [f'fe{i}'], f'FlatJoin{i}', axis=0)],
                     [ints(f'ft{i}'), bools(f'fk{i}'), value(f'fa{i}')], [value(f'fk{i}'), value(f'fe{i}')])
        body = graph(f'b{i}', [*inner, node('Loop', ['n', 'c', f'a{i}'], [f'w{i}'], f'Flat{i}', body=flat),
                               node('Concat', [f'w{i}', f'v{i + 1}'], [f'e{i}'], f'Join{i}', axis=1)],
                     [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'e{i}')])
        return [node('Loop', ['n', 'c', f'a{i - 1}' if i else 'x'], [f'v{i}'], f'Loop{i}', body=body)]
    return whole(nested(n, level, [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]))


@family(*DEPTHS, ci=-1)
def scans_nested(n):
    """Scans in Scans over their own slice."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('Identity', f's{i}', f's{i}_', f'State{i}')],
                     [value(f's{i}'), value(f'a{i}')], [value(f's{i}_'), value(f'v{i + 1}')])
        return [node('Scan', ['x', f'a{i - 1}' if i else 'x'], [f'f{i}', f'v{i}'], f'Scan{i}', body=body, num_scan_inputs=1)]
    dims = [f'd{i}' for i in range(n + 2)]
    return whole(nested(n, level, [node('Relu', f'a{n - 1}', f'v{n}', 'leaf')]), floats('x', *dims))


@family(*DEPTHS, ci=-1)
def scans_growing(n):
    """The state of each Scan grows by each turn."""
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('Concat', [f's{i}', f'v{i + 1}'], [f'e{i}'], f'Grow{i}', axis=0)],
                     [value(f's{i}'), value(f'r{i}')], [value(f'e{i}'), value(f'r{i}')])
        return [node('Scan', [f's{i - 1}' if i else 'x', 'x'], [f'v{i}', f'u{i}'], f'Scan{i}', body=body, num_scan_inputs=1)]
    return whole(nested(n, level, [node('Relu', f's{n - 1}', f'v{n}', 'leaf')]))


@family(*DEPTHS, ci=-1)
def ifs_nested(n):
    """If in If; the other branch is flat."""
    def level(i, inner):
        then = graph(f'b{i}', inner, [], [value(f'v{i + 1}')])
        other = graph(f'o{i}', [node('Concat', ['x', 'x'], [f'o{i}'], f'Other{i}', axis=i % 2)], [], [value(f'o{i}')])
        return [node('If', 'c', f'v{i}', f'If{i}', then_branch=then, else_branch=other)]
    return whole(nested(n, level))


@family(4, 7, 10, 12)
def ifs_tree(n):
    """Both branches hold Ifs: 2^n leaves, each of its own shape."""
    def tree(path):
        if len(path) == n:
            return graph('l' + path, [node('Concat', ['x'] * (1 + path.count('1')), ['o' + path], None, axis=0)], [],
                         [value('o' + path)])
        return graph('g' + path, [node('If', 'c', 'o' + path, None, then_branch=tree(path + '0'), else_branch=tree(path + '1'))],
                     [], [value('o' + path)])
    return whole([node('If', 'c', 'v0', 'If', then_branch=tree('0'), else_branch=tree('1'))])


@family(*DEPTHS, ci=-1)
def ifs_of_shapes(n):
    """The conditions compare sizes."""
    def level(i, inner):
        then = graph(f'b{i}', [node('Concat', ['x', f'u{i - 1}' if i else 'x'], [f'u{i}'], f'Grow{i}', axis=0), *inner], [],
                     [value(f'v{i + 1}')])
        other = graph(f'o{i}', [node('Identity', 'x', f'o{i}', f'Other{i}')], [], [value(f'o{i}')])
        u = f'u{i - 1}' if i else 'x'
        return [node('Shape', [u], [f's{i}'], f'Shape{i}'), node('Gather', [f's{i}', 'zero'], [f'g{i}'], f'Size{i}'),
                node('Greater', [f'g{i}', 'five'], [f'c{i}'], f'Greater{i}'),
                node('If', f'c{i}', f'v{i}', f'If{i}', then_branch=then, else_branch=other)]
    return whole(nested(n, level, [node('Relu', f'u{n - 1}', f'v{n}', 'leaf')]),
                 constants=[int_tensor('zero', [], [0]), int_tensor('five', [], [5])])


@family(100, 500, 1500, 3000)
def ifs_in_a_row(n):
    """Each If may double the tensor: 2^n shapes."""
    nodes, last = [], 'x'
    for i in range(n):
        then = graph('t', [node('Concat', [last, last], [f'a{i}'], axis=0)], [], [value(f'a{i}')])
        other = graph('e', [node('Relu', [last], [f'b{i}'])], [], [value(f'b{i}')])
        nodes.append(node('If', 'c', f'v{i + 1}', f'If{i}', then_branch=then, else_branch=other))
        last = f'v{i + 1}'
    return whole(nodes, out=last)


@family(100, 500, 1000, 2000)
def ifs_with_errors(n):
    """A contradiction in one branch of each: n conditional findings."""
    nodes = []
    for i in range(n):
        then = graph('t', [node('MatMul', ['x', 'x'], [f'a{i}'], f'Bad{i}')], [], [value(f'a{i}')])
        other = graph('e', [node('Reshape', ['x', 's'], [f'b{i}'], f'Pin{i}')], [], [value(f'b{i}')])
        nodes.append(node('If', 'c', f'v{i}', f'If{i}', then_branch=then, else_branch=other))
    return whole(nodes, floats('x', 'N', 3), constants=[int_tensor('s', [2], [5, 3])])


@family(3, 10, 30, 95)
def ifs_of_many_outputs(n):
    """n Ifs, each with n outputs of differing shapes."""
    nodes = []
    for i in range(n):
        def branch(tag, axis):
            names = [f'{tag}{i}_{k}' for k in range(n)]
            made = [node('Concat', ['x'] * (k % 3 + 1), [name], None, axis=axis) for k, name in enumerate(names)]
            return graph(tag, made, [], [value(name) for name in names])
        nodes.append(node('If', 'c', [f'v{i}_{k}' for k in range(n)], f'If{i}', then_branch=branch('t', 0), else_branch=branch('e', 1)))
    return whole(nodes, out='v0_0')


@family(*DEPTHS, ci=-1)
def sequence_maps_nested(n):
    """SequenceMap in SequenceMap."""
    tensors = sequence_type(tensor_type(FLOAT, ['N', 'M']))
    def level(i, inner):
        body = graph(f'b{i}', [*inner, node('SequenceAt', [f'v{i + 1}', 'zero'], [f'e{i}'], f'At{i}')], [value(f'a{i}')],
                     [value(f'e{i}')])
        return [node('SequenceMap', ['q'], [f'v{i}'], f'Map{i}', body=body)]
    return whole(nested(n, level, [node('SequenceConstruct', ['x', f'a{n - 1}'], [f'v{n}'], 'leaf')]), floats('x', 'N', 'M'),
                 value('q', tensors), constants=[int_tensor('zero', [], [0])])


@family(*DEPTHS, ci=-1)
def mixed_nest(n):
    """Loop, Scan, If and SequenceMap by turns, each using the values around it."""
    def level(i, inner):
        outer = f'u{i - 1}' if i else 'x'
        inner = [node('Concat', [outer, outer], [f'u{i}'], f'Grow{i}', axis=i % 2), *inner]
        if i % 4 == 0:
            body = graph(f'b{i}', inner, [ints(f't{i}'), bools(f'k{i}'), value(f'a{i}')], [value(f'k{i}'), value(f'v{i + 1}')])
            return [node('Loop', ['n', 'c', outer], [f'v{i}'], f'Loop{i}', body=body)]
        if i % 4 == 1:
            body = graph(f'b{i}', inner, [value(f'a{i}')], [value(f'v{i + 1}')])
            return [node('Scan', [outer], [f'v{i}'], f'Scan{i}', body=body, num_scan_inputs=1)]
        if i % 4 == 2:
            other = graph(f'o{i}', [node('Relu', [outer], [f'o{i}'])], [], [value(f'o{i}')])
            return [node('If', 'c', f'v{i}', f'If{i}', then_branch=graph(f'b{i}', inner, [], [value(f'v{i + 1}')]), else_branch=other)]
        body = graph(f'b{i}', inner, [value(f'a{i}')], [value(f'v{i + 1}')])
        return [node('SequenceConstruct', [outer, outer], [f'q{i}'], f'Pair{i}'),
                node('SequenceMap', [f'q{i}'], [f'm{i}'], f'Map{i}', body=body),
                node('ConcatFromSequence', [f'm{i}'], [f'v{i}'], f'Join{i}', axis=0)]
    return whole(nested(n, level, [node('Relu', [f'u{n - 1}'], [f'v{n}'], 'leaf')]))


def nest_of(i, depth, width=1):
    """A nest of Loops that makes r_i; all its names are its own.  Each level has `width` nodes."""
    inner = []
    for d in range(depth - 1, -1, -1):
        name = lambda what, d=d: f'{what}{i}_{d}'
        last = f'v{i}_{d + 1}' if inner else name('a')
        for k in range(width):
            inner.append(node('Relu', [last], [f'w{i}_{d}_{k}']))
            last = f'w{i}_{d}_{k}'
        body = graph('b', [*inner, node('Concat', [last, name('a')], [name('e')], axis=0)],
                     [ints(name('t')), bools(name('k')), value(name('a'))], [value(name('k')), value(name('e'))])
        inner = [node('Loop', ['n', 'c', f'a{i}_{d - 1}' if d else 'x'], [name('v')], f'Loop{i}_{d}', body=body)]
    return inner


@family(1, 10, 50, 170)
def nests_in_a_row(n):
    """n nests of 28 Loops."""
    return whole([made for i in range(n) for made in nest_of(i, 28)], out='v0_0')


@family(1, 10, 100, 700)
def nest_of_wide_levels(n):
    """28 Loops in each other; each level has n nodes of its own."""
    return whole(nest_of(0, 28, n), out='v0_0')


@family(1, 10, 50, 180)
def scan_nests_in_a_row(n):
    """n nests of 28 Scans, each over its own slice."""
    nodes = []
    for i in range(n):
        inner = [node('Relu', [f'a{i}_27'], [f'v{i}_28'])]
        for d in range(27, -1, -1):
            body = graph('b', inner, [value(f's{i}_{d}'), value(f'a{i}_{d}')], [value(f's{i}_{d}'), value(f'v{i}_{d + 1}')])
            inner = [node('Scan', ['x', f'a{i}_{d - 1}' if d else 'x'], [f'f{i}_{d}', f'v{i}_{d}'], f'Scan{i}_{d}', body=body,
                          num_scan_inputs=1)]
        nodes += inner
    return whole(nodes, floats('x', *(f'd{i}' for i in range(30))), out='v0_0')


@family(10, 100, 1000, 2500)
def loops_in_a_row(n):
    """Each Loop carries what the one before made."""
    net = Net(floats('x', 'N', 'M'), ints('n'), bools('c'))
    last = 'x'
    for i in range(n):
        inner = Net(ints(f't{i}'), bools(f'k{i}'), value(f'a{i}'), prefix=f'b{i}_')
        last = net('Loop', 'n', 'c', last, body=inner.body(f'k{i}', inner('Concat', f'a{i}', f'a{i}', axis=0)))
    return net.model(last)


@family(10, 100, 1000, 4000)
def loop_of_many_states(n):
    """One Loop that carries n values; each takes the place of its neighbour, so a change needs n turns."""
    names = [f'a{i}' for i in range(n)]
    inner = Net(ints('t'), bools('k'), *(value(a) for a in names), prefix='b_')
    grown = inner('Concat', 'a0', 'a0', axis=0)
    body = inner.body('k', grown, *(inner('Relu', names[i - 1]) for i in range(1, n)))
    net = Net(floats('x', 'N', 'M'), ints('n'), bools('c'))
    outs = [f'v{i}' for i in range(n)]
    net('Loop', 'n', 'c', *['x'] * n, out=outs, body=body)
    return net.model(outs[-1])


@family(10, 100, 1000, 3000)
def loop_that_rotates(n):
    """One Loop that carries n values of different shapes in a ring."""
    names = [f'a{i}' for i in range(n)]
    inner = Net(ints('t'), bools('k'), *(value(a) for a in names), prefix='b_')
    body = inner.body('k', *(inner('Identity', names[i - 1]) for i in range(n)))
    net = Net(ints('n'), bools('c'))
    xs = [net.input(f'x{i}', f's{i}', i + 1) for i in range(n)]
    outs = [f'v{i}' for i in range(n)]
    net('Loop', 'n', 'c', *xs, out=outs, body=body)
    return net.model(outs[-1])


@family(5, 10, 20, 28, ci=-1)
def loops_that_rotate(n):
    """Nested Loops that carry ten values in a ring."""
    width = 10
    inner = [node('Identity', f'x{k}', f'v{n}_{k}') for k in range(width)]
    for i in range(n - 1, -1, -1):
        sources = [f'a{i - 1}_{k}' if i else f'x{k}' for k in range(width)]
        body = graph(f'b{i}', inner + [node('Concat', [f'v{i + 1}_{k}', f'a{i}_{(k + 1) % width}'], [f'e{i}_{k}'], None, axis=0)
                                       for k in range(width)],
                     [ints(f't{i}'), bools(f'k{i}'), *(value(f'a{i}_{k}') for k in range(width))],
                     [value(f'k{i}'), *(value(f'e{i}_{k}') for k in range(width))])
        inner = [node('Loop', ['n', 'c', *sources], [f'v{i}_{k}' for k in range(width)], f'Loop{i}', body=body)]
    return whole(inner, *(floats(f'x{k}', f's{k}', k + 1) for k in range(width)), out='v0_0')


@family(10, 100, 1000, 8000)
def loop_of_endless_count(n):
    """2^62 turns of a body with n nodes that joins its scan output."""
    inner = Net(ints('t'), bools('k'), value('a'), prefix='b_')
    last = 'a'
    for _ in range(n):
        last = inner('Relu', last)
    body = inner.body('k', inner('Concat', last, 'a', axis=0), last)
    net = Net(floats('x', 'N', 3), bools('c'))
    net('Loop', net.scalar(2**62), 'c', 'x', out=['v', 'w'], body=body)
    return net.model('v', 'w')


@family(10, 100, 1000, 4000)
def loop_of_growing_states(n):
    """n carried values that each grow by the others."""
    names = [f'a{i}' for i in range(n)]
    inner = Net(ints('t'), bools('k'), *(value(a) for a in names), prefix='b_')
    body = inner.body('k', *(inner('Concat', a, names[i - 1], axis=i % 2) for i, a in enumerate(names)))
    net = Net(floats('x', 'N', 'M'), ints('n'), bools('c'))
    outs = [f'v{i}' for i in range(n)]
    net('Loop', 'n', 'c', *['x'] * n, out=outs, body=body)
    return net.model(outs[-1])


@family(10, 100, 1000, 4000)
def scan_of_many(n):
    """One Scan over n inputs."""
    net = Net()
    xs = [net.input(f'x{i}', f'len{i}', f's{i}') for i in range(n)]
    inner = Net(*(value(f'a{i}') for i in range(n)), prefix='b_')
    body = inner.body(*(inner('Relu', f'a{i}') for i in range(n)))
    outs = [f'v{i}' for i in range(n)]
    net('Scan', *xs, out=outs, body=body, num_scan_inputs=n)
    return net.model(outs[-1])


@family(5, 20, 50, 90)
def bodies_capturing_widely(n):
    """n bodies that each use n outer tensors."""
    net = Net(floats('x', 'N', 'M'), ints('n'), bools('c'))
    outer = [net('Concat', *['x'] * (i + 1), axis=0) for i in range(n)]
    for i in range(n):
        inner = Net(ints(f't{i}'), bools(f'k{i}'), value(f'a{i}'), prefix=f'b{i}_')
        last = net('Loop', 'n', 'c', 'x', body=inner.body(f'k{i}', inner('Concat', f'a{i}', *outer, axis=0)))
    return net.model(last)


@family(*DEPTHS, ci=-1)
def shadowing(n):
    """Every level gives the same name another shape."""
    inner = [node('Relu', 't', 'u')]
    for i in range(n):
        then = graph('b', [node('Concat', ['x'] * (i + 2), ['t'], f'Join{i}', axis=0), *inner], [], [value('u')])
        other = graph('o', [node('Relu', 't', 'u')], [], [value('u')])
        inner = [node('If', 'c', 'u', f'If{i}', then_branch=then, else_branch=other)]
    return whole([node('Relu', 'x', 't'), *inner], out='u')


def functions(n, nodes, leaf=None, inputs='a', outputs='z'):
    """F0 ... Fn; `nodes(i)` are those of Fi, the last one has `leaf`."""
    made = [function('local', f'F{i}', inputs, outputs, nodes(i), LOCAL) for i in range(n)]
    made.append(function('local', f'F{n}', inputs, outputs, leaf or [node('Relu', inputs.split()[0], 'z', 'leaf')], LOCAL))
    return made


def called(n, nodes, leaf=None):
    return whole([call('F0', ['x'], ['v0'])], opset=LOCAL, functions=functions(n, nodes, leaf))


@family(*CALLS)
def functions_deep(n):
    """A chain of n calls."""
    return called(n, lambda i: [call(f'F{i + 1}', ['a'], ['z'])])


@family(*CALLS)
def functions_doubling(n):
    """Each function calls the next twice: 2^n calls of one shape."""
    return called(n, lambda i: [call(f'F{i + 1}', ['a'], ['b'], 'first'), call(f'F{i + 1}', ['b'], ['z'], 'second')])


@family(*CALLS)
def functions_growing(n):
    """Each function calls the next twice, with two shapes: n at level n."""
    return called(n, lambda i: [call(f'F{i + 1}', ['a'], ['b'], 'first'), node('Concat', ['a', 'b'], ['d'], 'Join', axis=0),
                                call(f'F{i + 1}', ['d'], ['z'], 'second')])


@family(10, 30, 100, 1000)
def functions_of_two_axes(n):
    """The second call grows the one axis, the third the other."""
    return called(n, lambda i: [call(f'F{i + 1}', ['a'], ['b'], 'first'), node('Concat', ['a', 'a'], ['d'], 'Rows', axis=0),
                                call(f'F{i + 1}', ['d'], ['e'], 'second'), node('Concat', ['a', 'a'], ['f'], 'Columns', axis=1),
                                call(f'F{i + 1}', ['f'], ['g'], 'third'), node('Identity', 'g', 'z', 'Last')])


@family(3, 6, 12, 24, ci=-1)
def functions_permuting(n):
    """Eight inputs of different shapes; each function calls the next with two orders of them: 8! meanings."""
    width = 8
    a = [f'a{k}' for k in range(width)]
    turned, swapped = a[1:] + a[:1], [a[1], a[0], *a[2:]]
    made = functions(n, lambda i: [call(f'F{i + 1}', turned, ['b'], 'turned'), call(f'F{i + 1}', swapped, ['d'], 'swapped'),
                                   node('Concat', ['b', 'd'], ['z'], 'Join', axis=0)],
                     [node('Concat', a, ['z'], 'leaf', axis=0)], inputs=' '.join(a))
    return whole([call('F0', [f'x{k}' for k in range(width)], ['v0'])], *(floats(f'x{k}', f's{k}', k + 1) for k in range(width)),
                 opset=LOCAL, functions=made)


@family(*CALLS)
def functions_with_loops(n):
    """Each function has a Loop that calls the next: Loops n deep in a flat file."""
    def nodes(i):
        inner = Net(ints('t'), bools('k'), value('c'), prefix='b_')
        body = inner.body('k', inner(f'F{i + 1}', 'c', domain='local'))
        return [node('Constant', [], ['n'], value_int=10), node('Constant', [], ['y'], value=_true('v')),
                node('Loop', ['n', 'y', 'a'], ['z'], 'Loop', body=body)]
    return called(min(n, 2500), nodes)


@family(*CALLS)
def functions_with_growing_loops(n):
    """Each function has a Loop that calls the next and doubles the result."""
    def nodes(i):
        inner = Net(ints('t'), bools('k'), value('c'), prefix='b_')
        called = inner(f'F{i + 1}', 'c', domain='local')
        return [node('Cast', 'a', 'q', to=7), node('ReduceMax', 'q', 'n', keepdims=0), node('Cast', 'n', 'y', to=9),
                node('Loop', ['n', 'y', 'a'], ['z'], 'Loop', body=inner.body('k', inner('Concat', called, 'c', axis=0)))]
    return called(min(n, 2500), nodes)


@family(*CALLS)
def functions_with_ifs(n):
    """Each function has an If whose branches both call the next, with two shapes."""
    def nodes(i):
        then, other = Net(prefix='t'), Net(prefix='e')
        return [node('ReduceMax', 'a', 'm', keepdims=0), node('Cast', 'm', 'c', to=9),
                node('If', 'c', 'z', 'If', then_branch=then.body(then(f'F{i + 1}', 'a', domain='local')),
                     else_branch=other.body(other(f'F{i + 1}', other('Concat', 'a', 'a', axis=0), domain='local')))]
    return called(min(n, 2500), nodes)


@family(*CALLS)
def functions_with_scans(n):
    """Each function has a Scan that calls the next."""
    def nodes(i):
        inner = Net(value('s'), value('e'), prefix='b_')
        state = inner(f'F{i + 1}', 's', domain='local')
        return [node('Scan', ['a', 'a'], ['z', 'u'], 'Scan', body=inner.body(state, 'e'), num_scan_inputs=1)]
    return called(n, nodes)


@family(100, 1000, 10000, 20000)
def calls_of_one_shape(n):
    """One function called n times."""
    made = [function('local', 'F', 'a', 'z', [node('Relu', 'a', 'b'), node('Concat', 'b b', 'd', axis=0), node('Relu', 'd', 'z')], LOCAL)]
    nodes = [call('F', ['x'], [f'v{i}'], f'F{i}') for i in range(n)]
    return whole(nodes, opset=LOCAL, functions=made)


@family(30, 100, 300, 1000)
def calls_of_many_shapes(n):
    """A function of n nodes called n times, each time with another shape."""
    inner = Net()
    last = 'a'
    for _ in range(n):
        last = inner('Relu', last)
    made = [function('local', 'F', 'a', 'z', [*inner.nodes, node('Relu', [last], ['z'])], LOCAL)]
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('Concat', last, 'x', axis=0)
        net('F', last, domain='local', out=f'v{i}')
    return net.model(last, opset=LOCAL, functions=made)


@family(10, 100, 1000, 3000)
def calls_with_attributes(n):
    """Each function hands its attribute on twice; the leaf uses it as an axis."""
    def nodes(i):
        again = lambda a, z: node(f'F{i + 1}', a, z, None, 'local', raw=[reference('axis', 'axis', 2)])
        return [again('a', 'b'), again('b', 'z')]
    made = [function('local', f'F{i}', 'a', 'z', nodes(i), LOCAL, attributes=['axis']) for i in range(n)]
    made.append(function('local', f'F{n}', 'a', 'z', [node('Concat', 'a a', 'z', raw=[reference('axis', 'axis', 2)])], LOCAL,
                         attributes=['axis']))
    return whole([node('F0', 'x', 'v0', 'call', 'local', axis=1)], opset=LOCAL, functions=made)


@family(100, 1000, 5000, 9000)
def functions_never_called(n):
    """n functions, each with a contradiction."""
    return model(graph('g', [node('Relu', 'x', 'y')], [floats('x', 'N')], [value('y')]), opset=LOCAL,
                 functions=[function('local', f'F{i}', 'a', 'z', [node('Relu', 'a', 'b'), node('Relu', 'b', 'z')], LOCAL) for i in range(n)])


@family(10, 100, 1000, 5000)
def functions_in_a_ring(n):
    """n functions that call each other in a ring."""
    made = [function('local', f'F{i}', 'a', 'z', [call(f'F{(i + 1) % n}', ['a'], ['z'])], LOCAL) for i in range(n)]
    return whole([call('F0', ['x'], ['v0'])], opset=LOCAL, functions=made)


@family(100, 1000, 3000, 6000)
def findings_in_a_function(n):
    """A function with n contradictions, called 10 times."""
    made = [function('local', 'F', 'a', 'z', [*(node('MatMul', 'a a', f't{i}', f'Bad{i}') for i in range(n)), node('Relu', 'a', 'z')], LOCAL)]
    return whole([call('F', ['x'], [f'v{i}'], f'F{i}') for i in range(10)], floats('x', 3, 5), opset=LOCAL, functions=made)
