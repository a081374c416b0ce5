"""Wide nodes, wide graphs, many paths, broadcast lattices, many findings."""

from net import Net, bools, family, floats, graph, model, node, value


# many inputs of one node

@family(100, 1000, 10000, 100000)
def sum_of_one(n):
    """Sum of n times the same tensor."""
    net = Net(floats('x', 'N', 'M'))
    return net.model(net('Sum', *['x'] * n))


@family(100, 1000, 5000, 20000)
def sum_of_symbols(n):
    """Sum of n inputs, each with its own symbol: every pair must agree."""
    net = Net()
    return net.model(net('Sum', *(net.input(f'x{i}', f's{i}') for i in range(n))))


@family(100, 1000, 5000, 14000)
def max_of_expressions(n):
    """Max of inputs that are 1, a symbol or an expression of it."""
    net = Net()
    dims = ('s', 1, 's+1', '2*s', 'r')
    return net.model(net('Max', *(net.input(f'x{i}', dims[i % 5], f's{i}', 1) for i in range(n))))


@family(100, 1000, 5000, 20000)
def concat_of_symbols(n):
    """A Concat as long as n symbols together."""
    net = Net()
    return net.model(net('Concat', *(net.input(f'x{i}', f's{i}') for i in range(n)), axis=0))


@family(100, 1000, 4000, 11000)
def concat_across_symbols(n):
    """A Concat whose other axis has n symbols that must agree."""
    net = Net()
    return net.model(net('Concat', *(net.input(f'x{i}', f's{i}', f'r{i}') for i in range(n)), axis=0))


@family(100, 1000, 10000, 100000)
def concat_of_one(n):
    """n times the same tensor."""
    net = Net(floats('x', 'N', 'M'))
    return net.model(net('Concat', *['x'] * n, axis=0))


@family(10, 100, 300, 600)
def concats_of_prefixes(n):
    """Concat number i joins all before it: n^2 / 2 inputs."""
    net = Net(floats('x', 'N', 'M'))
    made = ['x']
    for i in range(n):
        made.append(net('Concat', *made[-300:], axis=0))
    return net.model(made[-1])


@family(10, 100, 1000, 12000)
def einsum_of_operands(n):
    """One Einsum of n operands."""
    net = Net()
    names = [net.input(f'x{i}', f's{i}') for i in range(n)]
    return net.model(net('Einsum', *names, equation=','.join('abcdefghij'[i % 10] for i in range(n)) + '->abcdefghij'[:n + 2]))


@family(100, 1000, 10000, 400000)
def einsum_of_letters(n):
    """An equation of n letters, most of them repeated."""
    letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    net = Net(floats('x', *(f's{i}' for i in range(52))))
    text = ''.join(letters[i % 52] for i in range(n))
    return net.model(net('Einsum', 'x', 'x', equation=text[:52] + ',' + text + '->' + text))


@family(10, 100, 500, 3000)
def einsums_with_ellipses(n):
    """A chain of Einsums that each merge broadcast axes."""
    net = Net(floats('x', *(f's{i}' for i in range(20))), floats('w', *(f'r{i}' for i in range(20))))
    last = 'x'
    for _ in range(n):
        last = net('Einsum', last, 'w', equation='...ab,...bc->...ac')
    return net.model(last)


@family(100, 1000, 10000, 90000)
def split_outputs(n):
    """One Split with n outputs."""
    outs = [f'v{i}' for i in range(n)]
    net = Net(floats('x', 'N', 'M'))
    net('Split', 'x', out=outs, axis=0)
    return net.model(outs[-1])


@family(10, 100, 1000, 5000)
def splits_and_concats(n):
    """Splits in two, joined again: the length is a sum of ceilings."""
    net = Net(floats('x', 'N', 3))
    last = 'x'
    for _ in range(n):
        a, b = net('Split', last, out=[net.new(), net.new()], axis=0)
        last = net('Concat', b, a, b, axis=0)
    return net.model(last)


@family(10, 100, 1000, 10000)
def variadic_sequences(n):
    """A sequence of n tensors with n shapes."""
    net = Net()
    names = [net.input(f'x{i}', f's{i}', i + 1) for i in range(n)]
    return net.model(net('ConcatFromSequence', net('SequenceConstruct', *names), axis=0))


@family(10, 100, 1000, 5000)
def sequence_inserts(n):
    """A sequence that n nodes insert into."""
    net = Net(floats('x', 'N', 'M'))
    last = net('SequenceEmpty')
    for i in range(n):
        last = net('SequenceInsert', last, net('Concat', *['x'] * (i % 7 + 1), axis=0))
    return net.model(net('ConcatFromSequence', last, axis=0))


# many users, many paths

@family(100, 1000, 10000, 30000)
def fan_out(n):
    """One tensor that n nodes use."""
    net = Net(floats('x', 'N', 'M'))
    for i in range(n):
        last = net('Relu', 'x', name=f'{i}')
    return net.model(last)


@family(100, 1000, 10000, 20000)
def tree_of_adds(n):
    """A binary tree with n leaves, each with its own symbol."""
    net = Net()
    level = [net.input(f'x{i}', f's{i}') for i in range(min(n, 8000))]
    while len(level) > 1:
        level = [net('Add', *level[i:i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    return net.model(level[0])


@family(5, 20, 50, 120)
def dense_layers(n):
    """n layers of 30 nodes; each node sums all of the layer before: 30^n paths."""
    net = Net(floats('x', 'N', 'M'))
    layer = ['x']
    for _ in range(n):
        layer = [net('Sum', *layer, name='s') for _ in range(30)]
    return net.model(layer[0])


@family(10, 100, 1000, 10000)
def diamonds(n):
    """Two paths from each node to the next: 2^n paths."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for _ in range(n):
        last = net('Add', net('Relu', last, name='a'), net('Neg', last, name='b'), name='c')
    return net.model(last)


@family(10, 100, 1000, 5000)
def diamonds_of_concats(n):
    """Two paths from each node to the next, joined: 2^n elements."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('Concat', net('Relu', last), net('Transpose', net('Transpose', last)), axis=i % 2)
    return net.model(last)


@family(10, 100, 1000, 6000)
def diamonds_of_sizes(n):
    """Shape arithmetic with two paths from each node to the next."""
    net = Net(floats('x', 'N', 'M'))
    last = net('Shape', 'x')
    one = net.ints(1, 1)
    for _ in range(n):
        last = net('Max', net('Add', last, one), net('Mul', last, one))
    return net.model(net('ConstantOfShape', last))


@family(100, 1000, 10000, 30000)
def long_chain(n):
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for _ in range(n):
        last = net('Relu', last, name='r')
    return net.model(last)


@family(100, 1000, 10000, 30000)
def chain_in_reverse(n):
    """The nodes are in the wrong order."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for _ in range(n):
        last = net('Relu', last, name='r')
    net.nodes.reverse()
    return net.model(last)


@family(100, 1000, 10000, 30000)
def cycle(n):
    """A ring of n nodes."""
    nodes = [node('Relu', f'v{(i + 1) % n}', f'v{i}') for i in range(n)]
    return model(graph('g', [*nodes, node('Relu', 'v0', 'y')], [floats('x', 'N')], [value('y')]))


@family(100, 1000, 8000, 16000)
def cycles_linked(n):
    """n rings of two, each feeding the next."""
    nodes = []
    for i in range(n):
        nodes += [node('Add', [f'b{i}', f'a{i - 1}' if i else 'x'], [f'a{i}']), node('Relu', f'a{i}', f'b{i}')]
    return model(graph('g', [*nodes, node('Relu', f'a{n - 1}', 'y')], [floats('x', 'N')], [value('y')]))


@family(100, 1000, 10000, 30000)
def one_name_for_all(n):
    """n nodes make the same tensor."""
    nodes = [node('Relu', 'x', 'y', 'same') for _ in range(n)]
    return model(graph('g', nodes, [floats('x', 'N')], [value('y')]))


@family(100, 1000, 10000, 30000)
def missing_tensors(n):
    """n nodes use what nobody makes."""
    nodes = [node('Relu', f'm{i}', f'v{i}') for i in range(n)]
    return model(graph('g', [*nodes, node('Relu', 'x', 'y')], [floats('x', 'N')], [value('y')]))


@family(3, 10, 40, 110)
def dense_graph(n):
    """Each of n nodes uses all before it: crossing lines for the drawing."""
    net = Net(floats('x', 'N', 'M'))
    made = ['x']
    for i in range(n):
        made.append(net('Sum', *made, name=f'n{i}'))
    return net.model(made[-1])


@family(10, 100, 1000, 3000)
def crossing_lines(n):
    """Two rows of n nodes, connected in reverse and shifted order."""
    net = Net(floats('x', 'N', 'M'))
    top = [net('Relu', 'x') for _ in range(n)]
    rows = [top]
    for row in range(3):
        rows.append([net('Add', rows[-1][n - 1 - i], rows[-1][(i * 7 + 3) % n]) for i in range(n)])
    return net.model(net('Sum', *rows[-1]))


@family(10, 100, 1000, 6000)
def long_skips(n):
    """Every node also uses the first ones: lines as long as the graph."""
    net = Net(floats('x', 'N', 'M'))
    last, first = 'x', []
    for i in range(n):
        last = net('Sum', last, *first[:8])
        first.append(last)
    return net.model(last)


# inputs and outputs

@family(100, 1000, 10000, 35000)
def many_inputs(n):
    """n inputs with a symbol for each of two axes; none is used."""
    return model(graph('g', [node('Relu', 'x', 'y')], [floats('x', 'N'), *(floats(f'x{i}', f'a{i % 999}') for i in range(n))], [value('y')]))


@family(100, 1000, 10000, 20000)
def many_outputs(n):
    """Every tensor is an output."""
    net = Net(floats('x', 'N', 'M'))
    return net.model(*(net('Relu', 'x', name='r') for _ in range(n)))


@family(10, 100, 1000, 4000)
def many_fixed_inputs(n):
    """n inputs with a fixed batch, joined pairwise."""
    net = Net()
    names = [net.input(f'x{i}', 2, 3, 8) for i in range(n)]
    for i in range(n - 1):
        last = net('Concat', names[i], names[i + 1], axis=1)
    return net.model(last)


@family(10, 100, 1000, 3000)
def many_named_inputs(n):
    """n inputs whose first axis has one name but is pinned in different ways."""
    net = Net()
    for i in range(n):
        last = net('Reshape', net.input(f'x{i}', 'batch', 3, 8), net.ints(2 + i % 3, 24))
    return net.model(last)


# broadcasting

def lattice(inputs, rank, dim, op='Add'):
    net = Net()
    names = [net.input(f'x{i}', *(dim(i, a) for a in range(rank))) for i in range(inputs)]
    last = names[0]
    for name in names[1:]:
        last = net(op, last, name)
    return net.model(last)


@family(10, 20, 40, 60, ci=2)
def lattice_of_symbols(n):
    """n inputs of rank n, each dim its own symbol."""
    return lattice(n, n, lambda i, a: f's{i}_{a}')


@family(10, 20, 40, 60, ci=2)
def lattice_of_one_symbol_each(n):
    """Input i has 1 everywhere except at axis i."""
    return lattice(n, n, lambda i, a: f's{i}' if i == a else 1)


@family(10, 20, 40, 60, ci=2)
def lattice_of_shared_symbols(n):
    """Input i, axis a has symbol i + a."""
    return lattice(n, n, lambda i, a: f's{i + a}')


@family(10, 20, 40, 60, ci=2)
def lattice_of_sizes(n):
    """Fixed sizes, a few of them 1."""
    return lattice(n, n, lambda i, a: 1 if (i + a) % 3 else 2)


@family(10, 20, 40, 60, ci=2)
def lattice_by_sum(n):
    """As above, in one Sum."""
    net = Net()
    return net.model(net('Sum', *(net.input(f'x{i}', *(f's{i}_{a}' for a in range(n))) for i in range(n))))


@family(10, 20, 40, 60, ci=2)
def lattice_of_pairs(n):
    """All pairs of n tensors, added."""
    net = Net()
    names = [net.input(f'x{i}', f's{i}', f'r{i}', 1) for i in range(n)]
    for a in names:
        for b in names:
            last = net('Add', a, b)
    return net.model(last)


@family(10, 20, 40, 60, ci=2)
def lattice_by_where(n):
    """Where of three lattices."""
    net = Net()
    c = [net.input(f'c{i}', *(f's{i}_{a}' for a in range(n)), make=bools) for i in range(n)]
    last = net.input('x', *(f'x{a}' for a in range(n)))
    for name in c:
        last = net('Where', name, last, 'x')
    return net.model(last)


@family(10, 20, 40, 60, ci=2)
def lattice_by_expand(n):
    """Expand to the shape of the other, by turns."""
    net = Net()
    names = [net.input(f'x{i}', *(f's{i}_{a}' for a in range(n))) for i in range(n)]
    last = names[0]
    for name in names[1:]:
        last = net('Expand', last, net('Shape', name))
    return net.model(last)


@family(10, 20, 40, 60, ci=2)
def lattice_by_matmul(n):
    """The batch axes of MatMul, of rank n."""
    net = Net()
    names = [net.input(f'x{i}', *(f's{i}_{a}' for a in range(n)), 4, 4) for i in range(n)]
    last = names[0]
    for name in names[1:]:
        last = net('MatMul', last, name)
    return net.model(last)


@family(100, 1000, 5000, 8000)
def merges_in_a_chain(n):
    """x0 + x1, x1 + x2, ...: n symbols that must be one."""
    net = Net()
    names = [net.input(f'x{i}', f's{i}') for i in range(n)]
    for a, b in zip(names, names[1:]):
        last = net('Add', a, b, name='a')
    return net.model(last)


@family(100, 1000, 5000, 8000)
def merges_in_a_star(n):
    """x0 + xi for each i."""
    net = Net()
    names = [net.input(f'x{i}', f's{i}') for i in range(n)]
    for a in names:
        last = net('Add', names[-1], a, name='a')
    return net.model(last)


# findings

@family(100, 1000, 5000, 15000)
def many_errors(n):
    """n contradictions."""
    net = Net(floats('x', 3, 5), floats('z', 4, 5))
    for i in range(n):
        last = net('Add', 'x', 'z', name=f'A{i}')
    return net.model(last)


@family(100, 1000, 5000, 8000)
def many_errors_of_symbols(n):
    """n contradictions behind a long chain."""
    net = Net(floats('x', 'N', 5), floats('z', 4, 6))
    last = 'x'
    for i in range(n):
        last = net('Relu', last, name='r')
    for i in range(n):
        net('Add', last, 'z', name='a')
    return net.model(last)


@family(100, 1000, 5000, 8000)
def many_losses(n):
    """n nodes that nobody knows, each of which loses an axis."""
    net = Net(floats('x', 'N', 'M'))
    for i in range(n):
        last = net('Relu', net('Unknown', 'x', domain='who'))
    return net.model(last, opset={'': 17, 'who': 1})


@family(100, 1000, 5000, 9000)
def many_stale_claims(n):
    """value_info that contradicts the graph, for every tensor."""
    net = Net(floats('x', 'N', 4))
    for i in range(n):
        last = net('Relu', 'x', name='r')
        net.values.append(floats(last, 'N', 5 + i % 3))
    return net.model(last)


@family(100, 1000, 4000, 7000)
def many_claimed_symbols(n):
    """value_info that names each axis anew."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('Relu', last, name='r')
        net.values.append(floats(last, f'unk_{2 * i}', f'unk_{2 * i + 1}'))
    return net.model(last)


@family(100, 1000, 4000, 6000)
def many_divisors(n):
    """Each node needs the size to be a multiple of another number."""
    net = Net(floats('x', 'N', 'M'))
    for i in range(n):
        last = net('Reshape', 'x', net.ints(-1, i + 2))
    return net.model(last)


@family(100, 1000, 3000, 4000)
def many_bounds(n):
    """Each node needs the size to be at least another number."""
    net = Net(floats('x', 'N', 3))
    axis, step = net.ints(0), net.ints(1)
    for i in range(n):
        first = net('Slice', 'x', net.ints(i), net.ints(i + 1), axis, step)
        last = net('Add', first, net.floats([2, 3]))
    return net.model(last)


@family(100, 1000, 5000, 9000)
def many_pins(n):
    """Reshape targets with a literal batch."""
    net = Net(floats('x', 'N', 12))
    for i in range(n):
        last = net('Reshape', 'x', net.ints(5, 3, 4))
    return net.model(last)


@family(100, 1000, 4000, 8000)
def many_pins_behind(n):
    """Each pin lies behind the one before."""
    net = Net(floats('x', 'N', 12))
    last = 'x'
    for i in range(n):
        last = net('Reshape', last, net.ints(5, 3, 4) if i % 2 else net.ints(5, 12))
    return net.model(last)


@family(100, 1000, 2500, 4000)
def many_pins_of_symbols(n):
    """Every input has a symbol and a pin of its own."""
    net = Net()
    for i in range(n):
        last = net('Reshape', net.input(f'x{i}', f's{i}', 12), net.ints(5 + i, 3, 4))
    return net.model(last)
