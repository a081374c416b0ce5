"""What the file says about things: names, types, ranks, attributes, metadata, tensors; and the smallest messages."""

from net import (FLOAT, INT64, STRING, Net, attribute, bools, data, external_tensor, family, float_tensor, floats, graph, int_tensor,
                 integer, map_type, message, model, node, optional_type, packed_ints, sequence_type, sparse_tensor, sparse_type, strings,
                 tensor, tensor_type, value)

MANY = (100, 1000, 10000, 30000)


def plain(*, nodes=(), inputs=(), outputs=(), initializers=(), values=(), functions=(), opset=None, metadata=(), training=(), extra=(),
          **more):
    """y = Relu(x), and what is to be said beside it."""
    return model(graph('g', [node('Relu', 'x', 'y', 'relu'), *nodes], [floats('x', 'N', 'M'), *inputs], [value('y'), *outputs],
                       initializers, values, **more), functions=functions, opset=opset, metadata=metadata, training=training, extra=extra)


# names

@family(1000, 10000, 100000, 450000)
def huge_tensor_name(n):
    """A tensor with a name of n bytes, used twice."""
    name = 't' * n
    return plain(nodes=[node('Relu', 'x', name, 'a'), node('Relu', name, 'z', 'b')])


@family(1000, 10000, 100000, 450000)
def huge_node_name(n):
    return plain(nodes=[node('MatMul', 'x x', 'z', '/'.join(['scope'] * (n // 6)))])


@family(1000, 10000, 100000, 450000)
def huge_symbol(n):
    """A symbol with a name of n bytes."""
    return plain(inputs=[floats('z', 's' * n, 3)], nodes=[node('Concat', ['z', 'z', 'z'], ['w'], 'c', axis=0)])


@family(1000, 10000, 100000, 450000)
def huge_operator(n):
    return plain(nodes=[node('O' * n, 'x', 'z', 'a', 'd' * n)])


@family(100, 1000, 5000, 9000)
def symbols_with_huge_names(n):
    """Sums and products of symbols with names of 2,000 bytes."""
    net = Net()
    names = [net.input(f'x{i}', chr(97 + i % 26) * 2000 + str(i)) for i in range(min(n // 30, 250))]
    last = names[0]
    for name in names * 5:
        last = net('Concat', last, name, axis=0)
    return net.model(last)


@family(10, 100, 300, 900)
def findings_with_huge_names(n):
    """Contradictions at nodes with names of 1,000 bytes."""
    net = Net(floats('x', 3, 5), floats('z', 4, 5))
    for i in range(n):
        last = net('Add', 'x', 'z', name='/layer' * 160 + str(i))
    return net.model(last)


@family(100, 1000, 5000, 9000)
def names_of_one_prefix(n):
    """Names that differ only at the end."""
    return plain(nodes=[node('Relu', ['x'], ['p' * 70 + str(i)]) for i in range(n)])


@family(100, 1000, 5000, 20000)
def names_of_controls(n):
    """Names of control characters, which are shown escaped."""
    return plain(nodes=[node('Relu', ['x'], ['\x1b[31m\n\u202e' + '\x01' * (i % 20) + str(i)]) for i in range(n)])


@family(1000, 10000, 100000, 280000)
def name_of_controls(n):
    """One name of n characters that each need an escape."""
    return plain(nodes=[node('Relu', ['x'], ['\u202e\x01\u0600' * (n // 3)], '\x1b' * n)])


# scopes

@family(10, 100, 1000, 10000)
def scopes_deep(n):
    """/a/a/a/...: n scopes, one within the other, at 10 nodes."""
    return plain(nodes=[node('Relu', ['x'], [f'v{i}'], '/a' * n + f'/r{i}') for i in range(10)])


@family(10, 100, 300, 600)
def scopes_deeper_each(n):
    """Node i lies i scopes deep."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('Relu', last, name='/s' * i + '/r')
    return net.model(last)


@family(*MANY)
def scopes_wide(n):
    """A scope for every node."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(min(n, 20000)):
        last = net('Relu', last, name=f'/s{i}/r')
    return net.model(last)


@family(100, 1000, 5000, 10000)
def scopes_interleaved(n):
    """Two nodes in each scope, far from each other."""
    net = Net(floats('x', 'N', 'M'))
    last = 'x'
    for i in range(n):
        last = net('Relu', last, name=f'/s{i % (n // 2)}/t{i % 7}/r{i}')
    return net.model(last)


@family(2, 4, 8, 13)
def scopes_as_a_tree(n):
    """A binary tree of scopes, a node in each leaf, connected across."""
    net = Net(floats('x', 'N', 'M'))
    made = ['x']
    for i in range(2**n):
        path = '/'.join(f'{i >> (n - k):x}' for k in range(1, n, 2))
        made.append(net('Add', made[-1], made[i // 2], name=f'/{path}/n{i}'))
    return net.model(made[-1])


# types

@family(1000, 10000, 100000, 300000)
def rank(n):
    """An input of rank n."""
    return plain(inputs=[floats('z', *[1] * (n // 2))], nodes=[node('Relu', 'z', 'w'), node('Add', 'z w', 'v')])


@family(1000, 10000, 50000, 90000)
def rank_of_symbols(n):
    return plain(inputs=[floats('z', *(f's{i}' for i in range(n)))], nodes=[node('Relu', 'z', 'w'), node('Transpose', 'w', 'v')])


@family(1000, 10000, 100000, 450000)
def rank_of_a_tensor(n):
    """An initializer with n dims."""
    return plain(initializers=[tensor('w', FLOAT, [1] * n, data(9, b'\0\0\0\0'))], nodes=[node('Add', 'x w', 'v')])


@family(5, 10, 20, 40)
def types_nested(n):
    """A sequence of optionals of sequences of ..."""
    kind = tensor_type(FLOAT, ['N'])
    for i in range(n):
        kind = sequence_type(kind) if i % 2 else optional_type(kind)
    return plain(inputs=[value(f'z{i}', kind) for i in range(100)], nodes=[node('SequenceAt', [f'z{i}', 'k'], [f'v{i}']) for i in range(100)],
                 initializers=[int_tensor('k', [], [0])])


@family(100, 1000, 5000, 12000)
def types_of_all_kinds(n):
    """Maps, sparse tensors, sequences and optionals as inputs."""
    kinds = [map_type(STRING, tensor_type(FLOAT, ['N'])), sparse_type(FLOAT, ['N', 3]), sequence_type(tensor_type(FLOAT, ['N'])),
             optional_type(sequence_type(tensor_type(INT64, ['M'])))]
    return plain(inputs=[value(f'z{i}', kinds[i % 4]) for i in range(n)], nodes=[node('Identity', f'z{i}', f'v{i}') for i in range(n)])


# attributes

@family(1000, 10000, 100000, 280000)
def long_attribute(n):
    """perm, axes, pads and kernel_shape of n numbers."""
    n //= 4
    return plain(nodes=[node('Transpose', 'x', 'v', raw=[packed_ints('perm', range(n))]), node('ReduceSum', 'x', 'w', raw=[packed_ints('axes', range(n))]),
                        node('MaxPool', 'x', 'u', raw=[packed_ints('kernel_shape', [3] * n), packed_ints('strides', [1] * n)])])


@family(1000, 10000, 100000, 400000)
def long_attribute_unpacked(n):
    n //= 4
    return plain(nodes=[node('Transpose', 'x', 'v', perm=list(range(n))), node('Squeeze', 'x', 'w', axes=[0] * n)])


@family(100, 1000, 10000, 50000)
def many_attributes(n):
    """One node with n attributes."""
    return plain(nodes=[node('Conv', 'x x', 'v', raw=[attribute(f'a{i}', i) for i in range(n)])])


@family(100, 1000, 10000, 60000)
def one_attribute_often(n):
    """One attribute n times over."""
    return plain(nodes=[node('Concat', 'x x', 'v', raw=[attribute('axis', i) for i in range(n)])])


@family(10, 100, 1000, 5000)
def attributes_of_graphs(n):
    """A node with n bodies."""
    body = graph('b', [node('Relu', 'x', 'z')], [], [value('z')])
    return plain(nodes=[node('If', 'c', 'v', raw=[attribute('then_branch', [body] * n)]),
                        node('Many', 'x', 'w', 'm', 'who', raw=[attribute(f'g{i}', body) for i in range(n)])], inputs=[bools('c')],
                 opset={'': 17, 'who': 1})


@family(100, 1000, 10000, 100000)
def inputs_of_one_node(n):
    """A node with n empty inputs and n outputs."""
    return plain(nodes=[node('Conv', [''] * n + ['x'], [f'v{i}' for i in range(n // 4)]), node('Who', [''] * n, [''] * n)])


# tensors

@family(*MANY)
def many_initializers(n):
    return plain(initializers=[float_tensor(f'w{i}', [1], [1.0]) for i in range(n)])


@family(*MANY)
def empty_initializers(n):
    """Tensors that claim 2^62 elements and have none."""
    return plain(initializers=[tensor(f'w{i}', FLOAT, [2**31, 2**31], None) for i in range(n)],
                 nodes=[node('Add', ['x', f'w{i}'], [f'v{i}']) for i in range(min(n, 5000))])


@family(100, 1000, 5000, 10000)
def external_initializers(n):
    """Tensors in a file that is not there."""
    return plain(initializers=[external_tensor(f'w{i}', FLOAT, [4], 'no.bin', offset=i, length=16) for i in range(n)],
                 nodes=[node('Add', ['x', f'w{i}'], [f'v{i}']) for i in range(min(n, 2000))])


@family(10, 100, 1000, 6000)
def external_files(n):
    """A file for every tensor, some of them outside."""
    return plain(initializers=[external_tensor(f'w{i}', INT64, [4], ('../' * (i % 9)) + f'no{i}.bin') for i in range(n)],
                 nodes=[node('Reshape', ['x', f'w{i}'], [f'v{i}']) for i in range(n)])


@family(100, 1000, 5000, 9000)
def sparse_initializers(n):
    return plain(sparse=[sparse_tensor(float_tensor(f'w{i}', [1], [1.0]), int_tensor('', [1], [0]), [2**40]) for i in range(n)])


@family(100, 1000, 10000, 90000)
def string_tensor(n):
    """n strings in one tensor."""
    return plain(initializers=[tensor('w', STRING, [n], strings(6, (f's{i}' for i in range(n))))], nodes=[node('StringNormalizer', 'w', 'v')])


@family(1000, 10000, 100000, 110000)
def numbers_unpacked(n):
    """n numbers, each a field of its own."""
    return plain(initializers=[tensor('w', INT64, [n], [integer(7, i) for i in range(n)])], nodes=[node('Reshape', 'x w', 'v')])


# beside the graph

@family(100, 1000, 10000, 28000)
def many_opsets(n):
    return plain(opset={'': 17, **{f'domain.{i}': i + 1 for i in range(n)}})


@family(100, 1000, 10000, 24000)
def many_domains(n):
    """Each node from a domain of its own that is not imported."""
    return plain(nodes=[node(f'Op{i}', 'x', f'v{i}', None, f'd{i}') for i in range(n)])


@family(*MANY)
def much_metadata(n):
    return plain(metadata=[(f'key{i}', f'value{i}') for i in range(n)])


@family(100, 1000, 5000, 9000)
def metadata_of_nodes(n):
    """torch's metadata: a scope at each node."""
    return plain(nodes=[node('Relu', 'x', f'v{i}', None, metadata=[('pkg.torch.onnx.name_scopes', f"['', 'layer{i}', 'relu']")]) for i in range(n)])


@family(100, 1000, 5000, 10000)
def annotations(n):
    """Quantization annotations."""
    made = [message(data(1, f't{i}'), data(2, message(data(1, 'SCALE_TENSOR'), data(2, f's{i}')))) for i in range(n)]
    return plain(annotations=made)


@family(100, 1000, 10000, 20000)
def claims_of_one_tensor(n):
    """value_info for the same tensor, n times over, each time another."""
    return plain(values=[floats('y', f's{i}', i + 1) for i in range(n)])


@family(100, 1000, 10000, 25000)
def claims_of_nothing(n):
    """value_info for tensors that do not exist."""
    return plain(values=[floats(f'no{i}', f's{i}') for i in range(n)])


@family(10, 100, 1000, 3000)
def training_infos(n):
    body = graph('t', [node('Relu', 'x', 'z')], [], [value('z')])
    return plain(training=[message(data(1, body), data(2, body)) for _ in range(n)])


@family(1000, 10000, 50000, 90000)
def unknown_fields(n):
    """Fields that no schema has."""
    return plain(extra=[data(1000 + i % 999, 'what') for i in range(n)])


@family(1000, 10000, 100000, 450000)
def long_documentation(n):
    return model(graph('g', [node('Relu', 'x', 'y', 'r', doc='lorem\n' * (n // 12))], [floats('x', 'N')], [value('y')], doc='ipsum ' * (n // 12)),
                 doc='dolor\x1b' * (n // 12))


# the smallest messages: 2 bytes each

SMALL = (1000, 10000, 100000, 480000)


def empties(number, n):
    """n empty messages in the graph."""
    return model(graph('g', [node('Relu', 'x', 'y')], [floats('x', 'N')], [value('y')], extra=[data(number, b'')] * n))


@family(*SMALL)
def nodes_without_anything(n):
    return empties(1, n)


@family(*SMALL)
def initializers_without_anything(n):
    return empties(5, n)


@family(*SMALL)
def inputs_without_anything(n):
    return empties(11, n)


@family(*SMALL)
def outputs_without_anything(n):
    return empties(12, n)


@family(*SMALL)
def claims_without_anything(n):
    return empties(13, n)


@family(*SMALL)
def annotations_without_anything(n):
    return empties(14, n)


@family(*SMALL)
def sparse_tensors_without_anything(n):
    return empties(15, n)


@family(1000, 10000, 100000, 330000)
def metadata_without_anything(n):
    return empties(16, n)


@family(*SMALL)
def dims_without_anything(n):
    """An input of rank n; no dim says anything."""
    dims = message([data(1, b'')] * n)
    kind = message(data(1, message(integer(1, FLOAT), data(2, dims))))
    return plain(inputs=[value('z', kind)], nodes=[node('Relu', 'z', 'w')])


@family(*SMALL)
def attributes_without_anything(n):
    return plain(nodes=[node('Conv', 'x x', 'v', extra=[data(5, b'')] * n)])


@family(*SMALL)
def names_without_anything(n):
    """A node with n nameless inputs."""
    return plain(nodes=[node('Sum', [''] * n, ['v'])])


@family(*SMALL)
def functions_without_anything(n):
    return plain(extra=[data(25, b'')] * (n // 2))


@family(*SMALL)
def opsets_without_anything(n):
    return plain(extra=[data(8, b'')] * n)


@family(*SMALL)
def graphs_without_anything(n):
    """A node with n empty bodies."""
    return plain(nodes=[node('If', 'c', 'v', raw=[message(data(1, 'then_branch'), [data(11, b'')] * n, integer(20, 10))])], inputs=[bools('c')])


@family(*SMALL)
def model_in_pieces(n):
    """The graph in n pieces, which protobuf merges."""
    return plain(extra=[data(7, b'')] * n)


@family(1000, 10000, 100000, 230000)
def nodes_of_four_bytes(n):
    """Nodes with one nameless input."""
    return model(graph('g', [node('Relu', 'x', 'y'), *[message(data(1, ''))] * n], [floats('x', 'N')], [value('y')]))


@family(1000, 10000, 50000, 100000)
def nodes_of_nine_bytes(n):
    """Each makes one tensor from nothing."""
    return model(graph('g', [node('Relu', 'x', 'y'), *(message(data(2, f'{i:x}')) for i in range(n))], [floats('x', 'N')], [value('y')]))
