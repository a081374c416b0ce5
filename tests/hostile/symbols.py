"""Expressions that grow, chains of shapes, many symbols, and each kind of operator in a chain."""

from net import BOOL, DOUBLE, FLOAT, INT32, INT64, STRING, UINT8, Net, bools, family, floats, graph, ints, model, node, tensor_type, value

CHAIN = (10, 100, 1000, 5000)
SHORT = (10, 100, 500, 2000)


def sizes(net, *dims):
    """A vector with the sizes of a new input of these dims."""
    return net('Shape', net.input(net.new('x'), *dims))


def filled(net, vector, **more):
    return net.model(net('ConstantOfShape', vector), **more)


def tower(n, step, start=('a', 'b', 'c')):
    """A vector of sizes that `step(net, last, i)` changes n times, then a tensor of that shape."""
    net = Net()
    last = sizes(net, *start)
    for i in range(n):
        last = step(net, last, i)
    return filled(net, last)


# arithmetic

@family(*CHAIN)
def squares(n):
    """s = s * s"""
    return tower(n, lambda net, s, i: net('Mul', s, s))


@family(*CHAIN)
def squares_of_sums(n):
    """s = (s + t) * (s + t)"""
    def step(net, s, i):
        t = net('Add', s, 't')
        return net('Mul', t, t)
    net = Net()
    last = net('Identity', sizes(net, 'a', 'b'), out='s')
    net('Identity', sizes(net, 'c', 'd'), out='t')
    for i in range(n):
        last = step(net, last, i)
    return filled(net, last)


@family(*CHAIN)
def powers_of_a_sum(n):
    """(a + b + c + d + e)^n"""
    net = Net()
    base = sizes(net, 'a')
    for name in 'bcde':
        base = net('Add', base, sizes(net, name))
    last = base
    for i in range(n):
        last = net('Mul', last, base)
    return filled(net, last)


@family(10, 100, 1000, 3000)
def product_of_sums(n):
    """(s0 + 1)(s1 + 1)...: 2^n terms when multiplied out."""
    net = Net()
    one, last = net.ints(1), net.ints(1)
    for i in range(n):
        last = net('Mul', last, net('Add', sizes(net, f's{i}'), one))
    return filled(net, last)


@family(10, 100, 1000, 3000)
def sums_of_products(n):
    """s0*s1 + s1*s2 + ..."""
    net = Net()
    vectors = [sizes(net, f's{i}') for i in range(n)]
    last = net.ints(1)
    for a, b in zip(vectors, vectors[1:]):
        last = net('Add', last, net('Mul', a, b))
    return filled(net, last)


@family(10, 100, 1000, 3000)
def partial_sums(n):
    """s0, s0 + s1, s0 + s1 + s2, ... are all tensors of their own."""
    net = Net()
    last = net.input('x', 's')
    for i in range(n):
        last = net('Concat', last, net.input(f'x{i}', f's{i}'), axis=0)
        net('Relu', last)
    return net.model(last)


@family(*CHAIN)
def mins_and_sums(n):
    """s = min(s + 1, t)"""
    one = lambda net: net.ints(1, 1, 1)
    return tower(n, lambda net, s, i: net('Min', net('Add', s, one(net)), net('Mul', s, s)))


@family(10, 100, 1000, 4000)
def max_of_many(n):
    """max(s0, s1, ...)"""
    net = Net()
    last = sizes(net, 's')
    for i in range(n):
        last = net('Max', last, sizes(net, f's{i}'))
    return filled(net, last)


@family(10, 100, 1000, 3000)
def min_and_max_by_turns(n):
    """max(min(max(... s0), s1), s2)"""
    net = Net()
    last = sizes(net, 's')
    for i in range(n):
        last = net(('Min', 'Max')[i % 2], net('Add', last, net.ints(i)), sizes(net, f's{i}'))
    return filled(net, last)


@family(*CHAIN)
def divisions(n):
    """s = (s + 1) / 2"""
    return tower(n, lambda net, s, i: net('Div', net('Add', s, net.ints(1, 1, 1)), net.ints(2, 3, 5)))


@family(*CHAIN)
def divisions_by_primes(n):
    """s / 2 * 3 / 5 * 7: fractions that do not cancel."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
    return tower(n, lambda net, s, i: net('Mul' if i % 2 else 'Div', s, net.ints(*[primes[i % 12]] * 3)))


@family(*CHAIN)
def divisions_by_sizes(n):
    """s = s * t / (t + i)"""
    net = Net()
    last, t = sizes(net, 'a', 'b'), sizes(net, 'c', 'd')
    for i in range(n):
        last = net('Div', net('Mul', last, t), net('Add', t, net.ints(i, 1)))
    return filled(net, last)


@family(*CHAIN)
def remainders(n):
    """s = (s * s) mod (t + i)"""
    net = Net()
    last, t = sizes(net, 'a', 'b'), sizes(net, 'c', 'd')
    for i in range(n):
        last = net('Mod', net('Mul', last, last), net('Add', t, net.ints(i, 1)))
    return filled(net, last)


@family(*CHAIN)
def remainders_of_constants(n):
    """s = (s + i) mod (2i + 3) + s / i"""
    def step(net, s, i):
        c = net.ints(*[2 * i + 3] * 3)
        return net('Add', net('Mod', s, c), net('Div', s, c))
    return tower(n, step)


@family(*CHAIN)
def float_arithmetic(n):
    """s = int(floor(float(s) * 1.5))"""
    def step(net, s, i):
        return net('Cast', net(('Floor', 'Ceil', 'Round')[i % 3], net('Mul', net('Cast', s, to=FLOAT), net.floats([1], 1.5 + i / 7))), to=INT64)
    return tower(min(n, 3500), step)


@family(*CHAIN)
def roots_and_powers(n):
    """s = int(sqrt(s ^ 2 + 1))"""
    def step(net, s, i):
        f = net('Cast', net('Add', net('Pow', s, net.ints(2)), net.ints(1)), to=FLOAT)
        return net('Cast', net('Sqrt', f), to=INT64)
    return tower(min(n, 2500), step)


@family(*CHAIN)
def comparisons(n):
    """s = where(s > t, s, s + t)"""
    net = Net()
    last, t = sizes(net, 'a', 'b'), sizes(net, 'c', 'd')
    for i in range(n):
        last = net('Where', net(('Greater', 'Less', 'Equal', 'LessOrEqual')[i % 4], last, t), last, net('Add', last, t))
    return filled(net, last)


@family(*CHAIN)
def reductions_of_sizes(n):
    """s = [prod(s), sum(s), max(s)]"""
    def step(net, s, i):
        return net('Concat', net('ReduceProd', s), net('ReduceSum', s), net('ReduceMax', s), axis=0)
    return tower(min(n, 3500), step)


@family(*CHAIN)
def cumulative_sizes(n):
    """s = cumsum(s)"""
    def step(net, s, i):
        return net('CumSum', s, 'axis')
    net = Net()
    net('Identity', net.scalar(0), out='axis')
    last = sizes(net, *'abcdefghij')
    for i in range(n):
        last = step(net, last, i)
    return filled(net, last)


@family(*CHAIN)
def vectors_that_double(n):
    """s = concat(s, s): 2^n elements"""
    return tower(n, lambda net, s, i: net('Concat', s, s, axis=0))


@family(10, 100, 1000, 4000)
def vectors_shuffled(n):
    """Gather, Slice, Tile and Concat of a vector of 64 sizes."""
    net = Net()
    last = net('Concat', *(sizes(net, f's{i}') for i in range(64)), axis=0)
    order = net.ints(*(63 - i for i in range(64)))
    zero, half, all_ = net.ints(0), net.ints(32), net.ints(64)
    for i in range(n):
        last = net('Gather', last, order)
        last = net('Concat', net('Slice', last, half, all_), net('Slice', last, zero, half), axis=0)
    return net.model(net('Reshape', net.input('x', 'big'), last))


@family(10, 100, 1000, 8000)
def elements_of_a_vector(n):
    """A vector of n sums, of which each element is taken apart again."""
    net = Net()
    base = sizes(net, 'a')
    parts = [net('Add', base, net.ints(i)) for i in range(n // 2)]
    joined = net('Concat', *parts, axis=0)
    for i in range(n // 4):
        last = net('Gather', joined, net.ints(i))
    return filled(net, last)


# shapes

@family(10, 30, 60, 200)
def flatten_of_symbols(n):
    """The product of n symbols, as one axis, and back."""
    net = Net()
    x = net.input('x', *(f's{i}' for i in range(n)))
    flat = net('Reshape', x, net.ints(-1))
    return net.model(net('Reshape', flat, net('Shape', x)))


@family(10, 30, 60, 90)
def reshapes_of_factors(n):
    """Each pair of neighbouring axes, merged; the rest by -1."""
    net = Net()
    x = net.input('x', *(f's{i}' for i in range(n)))
    whole = net('Shape', x)
    for i in range(n):
        for j in range(0, n, 3):
            one = net('Gather', whole, net.ints((i + j) % n))
            last = net('Reshape', x, net('Concat', one, net.ints(-1), axis=0))
    return net.model(last)


@family(*SHORT)
def reshapes_in_a_chain(n):
    """-1 moves from axis to axis."""
    net = Net(floats('x', 'a', 'b', 'c', 12))
    last = 'x'
    for i in range(n):
        dims = [3, 4, 6, 2]
        dims[i % 4] = -1
        last = net('Reshape', last, net.ints(*dims[:2 + i % 3]) if -1 in dims[:2 + i % 3] else net.ints(-1))
    return net.model(last)


@family(*SHORT)
def slices(n):
    """Slices whose ends are sizes."""
    net = Net(floats('x', 'a', 'b'))
    last, end = 'x', sizes(net, 'e')
    axis = net.ints(0)
    for i in range(n):
        last = net('Slice', last, net.ints(i % 5), net('Add', end, net.ints(i)), axis, net.ints(1 + i % 3))
    return net.model(last)


@family(*SHORT)
def slices_backwards(n):
    """Negative starts, steps and unknown ends."""
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        last = net('Slice', last, net.ints(-1 - i, i), net.ints(-(2**62), 2**62), net.ints(0, 1), net.ints(-1 - i % 2, 1 + i % 2))
    return net.model(last)


@family(10, 100, 500, 2000)
def convolutions(n):
    """Stride 2 with pads: nested floors."""
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    w, last = net.floats([3, 3, 3, 3]), 'x'
    for i in range(n):
        last = net('Conv', last, w, strides=[2, 1 + i % 3], pads=[1, 0, i % 2, 1], dilations=[1, 1 + i % 2])
    return net.model(last)


@family(10, 100, 500, 2000)
def pools(n):
    """Ceilings and SAME pads."""
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    last = 'x'
    for i in range(n):
        last = net('MaxPool', last, kernel_shape=[3, 2], strides=[2, 1 + i % 3], ceil_mode=1, **({'auto_pad': 'SAME_UPPER'} if i % 2 else {}))
    return net.model(last)


@family(10, 100, 500, 2000)
def transposed_convolutions(n):
    """Sizes that double, until they overflow."""
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    w, last = net.floats([3, 3, 3, 3]), 'x'
    for i in range(n):
        last = net('ConvTranspose', last, w, strides=[2, 1 + i % 3], output_padding=[1, 0])
    return net.model(last)


@family(10, 100, 500, 2500)
def resizes(n):
    """Scales that are no whole numbers."""
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    last = 'x'
    for i in range(n):
        last = net('Resize', last, '', net.floats([4], 1, 1, 1.5 + i % 3, 0.7))
    return net.model(last)


@family(10, 100, 500, 2500)
def upsamples(n):
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    last = 'x'
    for i in range(n):
        last = net('Upsample', last, net.floats([4], 1, 1, 2, 1.25))
    return net.model(last, opset={'': 9})


@family(10, 100, 500, 2500)
def resizes_to_sizes(n):
    """To the size of the other, times a number."""
    net = Net(floats('x', 'N', 3, 'H', 'W'), floats('z', 'N', 3, 'P', 'Q'))
    last, other = 'x', 'z'
    for i in range(n):
        last, other = other, net('Resize', last, '', '', net('Mul', net('Shape', other), net.ints(1, 1, 2, 3)))
    return net.model(last)


@family(*SHORT)
def pads(n):
    """Pads that are sizes of the tensor itself."""
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        s = net('Shape', last)
        last = net('Pad', last, net('Concat', s, net.ints(-i, i), axis=0))
    return net.model(last)


@family(*SHORT)
def tiles(n):
    """Tiled by its own shape: the square."""
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        last = net('Tile', last, net('Shape', last))
    return net.model(last)


@family(*SHORT)
def tiles_by_numbers(n):
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        last = net('Tile', last, net.ints(2**20, i + 1))
    return net.model(last)


@family(*SHORT)
def expands(n):
    """Expanded to a product of shapes."""
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        s = net('Shape', last)
        last = net('Expand', last, net('Max', s, net('Mul', s, net.ints(2, 1))))
    return net.model(last)


@family(*SHORT)
def ranges(n):
    """Range(0, size, i), n times over."""
    net = Net(floats('x', 'a'))
    last = 'x'
    for i in range(n):
        size = net('Squeeze', net('Shape', last))
        last = net('Range', net.scalar(-i), size, net.scalar(1 + i % 5))
    return net.model(last)


@family(*CHAIN)
def concats_doubling(n):
    """The size doubles at each node, until it overflows."""
    net = Net(floats('x', 'a', 'b'))
    last = 'x'
    for i in range(n):
        last = net('Concat', last, last, axis=i % 2)
    return net.model(last)


@family(*CHAIN)
def concats_of_fibonacci(n):
    """Each joins the two before."""
    net = Net(floats('x', 'a', 3), floats('z', 'b', 3))
    a, b = 'x', 'z'
    for i in range(n):
        a, b = b, net('Concat', a, b, axis=0)
    return net.model(b)


@family(*SHORT)
def shapes_of_shapes(n):
    """ConstantOfShape of a function of the shape of the one before."""
    net = Net(floats('x', 'a', 'b', 'c'))
    last = 'x'
    for i in range(n):
        s = net('Shape', last)
        last = net('ConstantOfShape', net('Add', net('Mul', s, s), s))
    return net.model(last)


@family(10, 30, 60, 120)
def ranks_that_grow(n):
    """Unsqueeze, Expand by a new size, n times."""
    net = Net(floats('x', 'a'))
    last = 'x'
    for i in range(n):
        last = net('Unsqueeze', last, net.ints(0))
        last = net('Expand', last, net('Concat', sizes(net, f's{i}'), net.ints(*[1] * (i + 1)), axis=0))
    return net.model(last)


@family(10, 100, 1000, 3500)
def transposes_of_high_rank(n):
    """Rank 60, turned n times."""
    net = Net(floats('x', *(f's{i}' for i in range(60))))
    last = 'x'
    for i in range(n):
        last = net('Transpose', last, perm=[(k * 7 + i) % 60 for k in range(60)])
    return net.model(last)


@family(*CHAIN)
def matmuls(n):
    """A chain of matrix products, each with a symbol of its own."""
    net = Net(floats('x', 'N', 's0'))
    last = 'x'
    for i in range(n):
        last = net('MatMul', last, net.input(f'w{i}', f's{i}', f's{i + 1}'))
    return net.model(last)


@family(*CHAIN)
def matmuls_to_agree(n):
    """Each product needs two symbols to be equal."""
    net = Net(floats('x', 'N', 'r'))
    last = 'x'
    for i in range(n):
        last = net('MatMul', last, net.input(f'w{i}', f's{i}', f'r{i}'))
    return net.model(last)


# sizes that depend on data

@family(*CHAIN)
def data_dependent(n):
    """NonZero, Unique, Compress: each makes a new symbol."""
    net = Net(floats('x', 'N'))
    last = 'x'
    for i in range(n):
        if i % 3 == 0:
            last = net('Squeeze', net('NonZero', last), net.ints(0))
        elif i % 3 == 1:
            last = net('Unique', last)
        else:
            last = net('Compress', last, net('Cast', last, to=BOOL))
    return net.model(last)


@family(10, 100, 1000, 4000)
def data_dependent_sums(n):
    """Concat of all sizes that depend on data."""
    net = Net(floats('x', 'N', 'M'))
    parts = [net('NonZero', net('Relu', 'x', name='r'), name='n') for _ in range(n)]
    return net.model(net('Concat', *parts, axis=1))


@family(*SHORT)
def top_k(n):
    """K is half the size."""
    net = Net(floats('x', 'N'))
    last = 'x'
    for i in range(n):
        k = net('Div', net('Add', net('Shape', last), net.ints(i)), net.ints(2))
        last = net('TopK', last, k, out=[net.new(), net.new()])[0]
    return net.model(last)


@family(*SHORT)
def one_hots(n):
    """The depth is a size; the rank grows."""
    net = Net(ints('x', 'N'))
    last = 'x'
    for i in range(n):
        last = net('OneHot', last, net('Shape', 'x'), net.ints(0, 1))
    return net.model(last)


@family(*SHORT)
def gathers_of_high_rank(n):
    """Gather with indices of rank 2: the rank grows by one at each node."""
    net = Net(floats('x', 'a', 'b'), ints('k', 'c', 'd'))
    last = 'x'
    for i in range(n):
        last = net('Gather', last, 'k', axis=i % 2)
    return net.model(last)


@family(*SHORT)
def gather_nd(n):
    net = Net(floats('x', *(f's{i}' for i in range(12))), ints('k', 'a', 'b', 3))
    last = 'x'
    for i in range(n):
        last = net('GatherND', last, 'k', batch_dims=0)
    return net.model(last)


@family(*SHORT)
def scatters(n):
    net = Net(floats('x', 'a', 'b', 'c'), ints('k', 'd', 2), floats('u', 'd', 'c'), ints('e', 'a', 'b', 'c'))
    last = 'x'
    for i in range(n):
        last = net('ScatterND', last, 'k', 'u')
        last = net('ScatterElements', last, 'e', 'x', axis=i % 3)
    return net.model(last)


# operators of rich shapes

@family(*SHORT)
def spectra(n):
    """DFT, one-sided by turns."""
    net = Net(floats('x', 'N', 'L', 2))
    last = 'x'
    for i in range(n):
        last = net('DFT', last, net('Gather', net('Shape', last), net.scalar(1)), axis=1, onesided=i % 2)
    return net.model(last)


@family(*SHORT)
def short_spectra(n):
    """STFT with frame sizes that are sizes."""
    net = Net(floats('x', 'N', 'L', 1))
    for i in range(n):
        step = net('Gather', net('Shape', 'x'), net.scalar(0))
        last = net('STFT', 'x', step, '', net.scalar(i + 1), onesided=i % 2)
    return net.model(last)


@family(10, 100, 500, 2000)
def attentions(n):
    """Each adds to the cache of the one before."""
    net = Net(floats('x', 'B', 8, 'L', 64), floats('pk', 'B', 8, 'P', 64), floats('pv', 'B', 8, 'P', 64))
    q, k, v = 'x', 'pk', 'pv'
    for i in range(n):
        q, k, v = net('Attention', q, 'x', 'x', '', k, v, out=[net.new(), net.new(), net.new()])
    return net.model(q, k, opset={'': 23})


@family(10, 100, 500, 2000)
def attentions_of_microsoft(n):
    net = Net(floats('x', 'B', 'L', 64), floats('past', 'B', 'P', 64))
    last = 'x'
    for i in range(n):
        last = net('MultiHeadAttention', last, 'past', 'past', num_heads=4 + i % 3, domain='com.microsoft')
        last = net('SkipLayerNormalization', last, 'x', net.floats([64]) if i < 20 else 'w0', domain='com.microsoft')
    return net.model(last, opset={'': 17, 'com.microsoft': 1})


@family(10, 100, 500, 2000)
def recurrences(n):
    """LSTMs with initial states of fixed batch."""
    net = Net(floats('x', 'L', 'B', 8))
    w, r = net.floats([1, 32, 8]), net.floats([1, 32, 8])
    h = net.floats([1, 2, 8])
    last = 'x'
    for i in range(n):
        outs = net('LSTM', last, w, r, '', '', h, h, out=[net.new(), net.new(), net.new()], hidden_size=8)
        last = net('Squeeze', outs[0], net.ints(1))
    return net.model(last)


@family(*SHORT)
def quantized(n):
    """Each node is followed by its quantization."""
    net = Net(floats('x', 'N', 3, 'H', 'W'))
    scale, w, last = net.floats([], 0.5), net.floats([3, 3, 1, 1]), 'x'
    for i in range(n):
        last = net('DequantizeLinear', net('QuantizeLinear', last, scale), scale)
        last = net('Conv', last, w)
    return net.model(last)


@family(*SHORT)
def pictures(n):
    """GridSample, AffineGrid, RoiAlign, DepthToSpace."""
    net = Net(floats('x', 'N', 16, 'H', 'W'), floats('g', 'N', 'P', 'Q', 2), floats('r', 'R', 4), ints('k', 'R'))
    last = 'x'
    for i in range(n):
        last = net('GridSample', net('SpaceToDepth', net('DepthToSpace', last, blocksize=2), blocksize=2), 'g')
        net('RoiAlign', last, 'r', 'k', output_height=3, output_width=5)
    return net.model(last, opset={'': 20})


@family(*SHORT)
def texts(n):
    """Strings: split, joined, counted."""
    net = Net()
    last = net.input('x', 'N', make=lambda name, *dims: value(name, tensor_type(STRING, dims)))
    for i in range(n):
        last = net('StringConcat', last, net('StringNormalizer', last, case_change_action='LOWER'))
    return net.model(net('StringSplit', last, out=['t', 'lengths'])[0], opset={'': 20})


@family(*SHORT)
def optionals(n):
    """Wrapped and unwrapped."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('OptionalGetElement', net('Optional', last))
        net('OptionalHasElement', last)
    return net.model(last)


@family(*SHORT)
def norms(n):
    net = Net(floats('x', 'N', 8, 'L'))
    w, last = net.floats([8]), 'x'
    for i in range(n):
        last = net('BatchNormalization', net('InstanceNormalization', last, w, w), w, w, w, w)
        last = net('LayerNormalization', last, net.input(f'w{i}', f's{i}'))
    return net.model(last)


# constants

@family(*SHORT)
def large_constants(n):
    """ConstantOfShape of a million elements, changed n times: folding must stop somewhere."""
    net = Net(floats('x', 'N'))
    last = net('ConstantOfShape', net.ints(1000, 1000))
    for i in range(n):
        last = net(('Relu', 'Neg', 'Transpose')[i % 3], last)
    return net.model(net('Reshape', 'x', net('Cast', net('Slice', net('Reshape', last, net.ints(-1)), net.ints(0), net.ints(2)), to=INT64)))


@family(*SHORT)
def large_products_of_constants(n):
    """MatMuls of constants of 300 x 300."""
    net = Net(floats('x', 'N'))
    base = last = net('ConstantOfShape', net.ints(300, 300))
    for i in range(n):
        last = net('MatMul', last, base)
    return net.model(net('Reshape', 'x', net('Cast', net('Slice', net('Reshape', last, net.ints(-1)), net.ints(0), net.ints(2)), to=INT64)))


@family(*SHORT)
def large_ranges(n):
    """Range to 60,000, gathered from and reduced."""
    net = Net(floats('x', 'N'))
    last = net('Range', net.scalar(0), net.scalar(60000), net.scalar(1))
    for i in range(n):
        last = net('Gather', net('Add', last, net.scalar(1)), last)
    return net.model(net('Reshape', 'x', net('Slice', last, net.ints(0), net.ints(2))))


@family(1000, 10000, 50000, 100000)
def large_targets(n):
    """A Reshape target with n numbers."""
    net = Net(floats('x', 'N'))
    return net.model(net('Reshape', 'x', net.ints(*[1] * n)))


@family(1000, 10000, 50000, 100000)
def large_indices(n):
    """Gather, Slice and Unsqueeze with n numbers."""
    net = Net(floats('x', 'N', 'M'))
    k = net.ints(*range(n))
    net('Slice', 'x', k, k, k, k)
    net('Unsqueeze', 'x', k)
    net('ReduceSum', 'x', k)
    net('Tile', 'x', k)
    net('Pad', 'x', k)
    net('Expand', 'x', k)
    net('ConstantOfShape', k)
    net('Split', 'x', k, out=['p', 'q'])
    return net.model(net('Gather', net('Shape', 'x'), k))


@family(100, 1000, 4000, 10000)
def constants_as_nodes(n):
    """A Constant for every number, joined."""
    net = Net(floats('x', 'N'))
    return net.model(net('Reshape', 'x', net('Concat', *(net('Constant', value_ints=[1]) for _ in range(n)), axis=0)))


# symbols

@family(100, 1000, 10000, 24000)
def many_symbols(n):
    """n symbols that nothing connects."""
    net = Net()
    for i in range(n // 8):
        last = net.input(f'x{i}', *(f'sym{8 * i + k}' for k in range(8)))
        net('Relu', last)
    return net.model(last)


@family(100, 1000, 5000, 9000)
def symbols_by_expression(n):
    """Dims that are expressions of others."""
    net = Net()
    for i in range(n):
        last = net('Relu', net.input(f'x{i}', f's{i}', f's{i}+s{i // 2}', f'2*s{i}'))
    return net.model(last)


@family(100, 1000, 10000, 400000)
def dim_of_parentheses(n):
    """((((...s...)))) as a dim."""
    net = Net(floats('x', '(' * n + 's' + ')' * n))
    return net.model('x')


@family(100, 1000, 10000, 100000)
def dim_of_a_sum(n):
    """s0+s1+... as a dim."""
    net = Net(floats('x', '+'.join(f's{i}' for i in range(n))))
    return net.model(net('Relu', 'x'))


@family(100, 1000, 10000, 80000)
def dim_of_a_product(n):
    """(s0+1)*(s1+1)*... as a dim."""
    net = Net(floats('x', '*'.join(f'(s{i}+1)' for i in range(n))))
    return net.model(net('Relu', 'x'))


@family(100, 1000, 10000, 60000)
def dim_of_calls(n):
    """max(s, min(s + 1, max(...))) as a dim."""
    net = Net(floats('x', ''.join(f'{("max", "min")[i % 2]}(s+{i},' for i in range(n)) + 's' + ')' * n))
    return net.model(net('Relu', 'x'))


@family(100, 1000, 10000, 60000)
def dim_of_divisions(n):
    """((s+1)//2+1)//2... as a dim."""
    net = Net(floats('x', '(' * n + 's' + '+1)//2' * n))
    return net.model(net('Relu', 'x'))


@family(10, 100, 1000, 3000)
def dims_that_must_agree(n):
    """Products of symbols that broadcasting makes equal."""
    net = Net()
    last = net.input('x', 'a*b*c', 'd')
    for i in range(n):
        last = net('Add', last, net.input(f'x{i}', f'a{i}*b{i}', f'd{i}+{i}'))
    return net.model(last)
