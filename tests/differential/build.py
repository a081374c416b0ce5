"""A small random graph that grows node by node; each node is run at once and dropped if it fails.

A builder has every tensor's value at the first binding of the symbols.  The families (family_*.py) use these values to
choose valid attributes; the runner then binds the symbols to other sizes.
"""

import random

import numpy as np
import onnx
import onnxruntime
from onnx import helper

PRIMES = (2, 3, 5, 7)
MOST_ELEMENTS = 4000
KINDS = {'f': ('float32', 'float32', 'float32', 'float64'), 'i': ('int64', 'int64', 'int32'), 'b': ('bool',),
         'n': ('float32', 'float32', 'int64', 'int32', 'float64'), 'u': ('uint8', 'int8')}


class Reject(Exception):
    """This node cannot be added here."""


def options():
    o = onnxruntime.SessionOptions()
    o.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    o.intra_op_num_threads = o.inter_op_num_threads = 1
    o.log_severity_level = 4
    o.enable_mem_pattern = o.enable_cpu_mem_arena = False
    return o


def session(model):
    return onnxruntime.InferenceSession(model.SerializeToString(), options(), providers=['CPUExecutionProvider'])


def fill(spec, shape, seed):
    """Random contents of an input: its spec is [dtype, low, high], both included."""
    dtype, low, high = spec
    draw = np.random.default_rng(seed)
    if dtype == 'bool':
        return draw.integers(0, 2, shape).astype(bool)
    if dtype == 'object':
        return draw.choice(np.array(['a', 'b c', 'd,e', '', 'x y z'], dtype=object), size=shape).astype(object)
    if dtype.startswith('float'):
        return np.asarray(draw.uniform(low, high, shape), dtype)
    return np.asarray(draw.integers(low, high + 1, shape), dtype)


def size_of(dim, sizes):
    """A dim is an integer, a symbol or a sum of symbols."""
    return dim if isinstance(dim, int) else sum(sizes[s] for s in terms(dim))


def terms(dim):
    return [s.strip() for s in dim.split('+')] if isinstance(dim, str) else []


def element(array):
    return 8 if array.dtype == object else helper.np_dtype_to_tensor_dtype(array.dtype)


def ir_version(opset):
    return 8 if opset < 19 else 9 if opset < 21 else 10 if opset < 23 else 11


class Builder:
    def __init__(self, seed, opset):
        self.r = random.Random(seed)
        self.opset = opset
        self.symbols = {}  # name -> size at the first binding
        self.inputs = {}  # name -> (dims, fill)
        self.nodes, self.initializers = [], []
        self.value = {}  # every tensor's array, or list of arrays, at the first binding
        self.hidden = set()  # tensors that cannot be graph outputs
        self.domains = {'': opset}
        self.count = 0
        self.least = 0  # the minimum size of a symbol

    # choices

    def chance(self, share):
        return self.r.random() < share

    def one(self, *choices):
        return self.r.choice(choices)

    def need(self, condition):
        if not condition:
            raise Reject

    def since(self, opset):
        self.need(self.opset >= opset)

    def name(self, letter):
        self.count += 1
        return f'{letter}{self.count}'

    # tensors

    def size(self):
        return self.r.choice(PRIMES[:3] + (1, 4) if self.chance(0.3) else PRIMES)

    def dim(self, size=None, symbolic=0.65):
        """A symbol or an integer, of this size at the first binding."""
        if not self.chance(symbolic):
            return self.size() if size is None else size
        same = [s for s, n in self.symbols.items() if (size is None or n == size) and ':' not in s]
        if same and self.chance(0.5):
            return self.r.choice(same)
        name = f'S{len(self.symbols)}'
        self.symbols[name] = self.size() if size is None else size
        return name

    def dims(self, *sizes, symbolic=0.65):
        return [self.dim(s, symbolic) for s in sizes]

    def sizes(self, dims):
        return tuple(size_of(d, self.symbols) for d in dims)

    def input(self, dims, dtype='float32', low=-3, high=3):
        name = self.name('x')
        dims = [self.vary(name, axis, d) for axis, d in enumerate(dims)]
        self.need(np.prod(self.sizes(dims), dtype=float) <= MOST_ELEMENTS)
        self.inputs[name] = (list(dims), [dtype, low, high])
        self.value[name] = fill(self.inputs[name][1], self.sizes(dims), self.count)
        return name

    def vary(self, name, axis, dim):
        """Sometimes an unnamed dim, which is named by its position, or the sum of two symbols."""
        there = [s for s in self.symbols if ':' not in s]
        if isinstance(dim, int) and self.chance(0.06):
            self.symbols[f'{name}:{axis}'] = dim
            return f'{name}:{axis}'
        if isinstance(dim, int) and len(there) > 1 and self.chance(0.2):
            pair = self.r.sample(there, 2)
            if sum(self.symbols[s] for s in pair) == dim:
                return ' + '.join(pair)
        return dim

    def const(self, value, dtype=None):
        name, array = self.name('c'), np.array(value, dtype)
        if self.chance(0.7):
            self.initializers.append(self.tensor(array, name))
        elif array.ndim == 1 and array.dtype == np.int64 and self.opset >= 12 and array.size and self.chance(0.5):
            self.nodes.append(helper.make_node('Constant', [], [name], value_ints=array.tolist()))
        else:
            self.nodes.append(helper.make_node('Constant', [], [name], value=self.tensor(array, '')))
        self.value[name] = array
        return name

    def tensor(self, array, name=''):
        if array.dtype == object:
            return helper.make_tensor(name, 8, array.shape, [s.encode() for s in array.flatten()])
        return onnx.numpy_helper.from_array(array, name)

    def ints(self, values, dtype='int64'):
        """These integers as a tensor: mostly constant, sometimes an input with unknown contents."""
        array = np.array(values, dtype)
        if array.size and self.chance(0.07):
            name = self.input(list(array.shape), dtype)
            if len(set(array.flatten().tolist())) == 1:
                self.inputs[name] = (list(array.shape), [dtype, int(array.flat[0]), int(array.flat[0])])
                self.value[name] = array
                return name
            del self.inputs[name], self.value[name]
        return self.const(array)

    def pick(self, kind='f', least=0, most=4, fresh=0.35):
        """An existing tensor of this kind and rank, or a new input."""
        there = [n for n, v in self.value.items()
                 if isinstance(v, np.ndarray) and str(v.dtype) in KINDS[kind] and least <= v.ndim <= most and
                 v.size <= MOST_ELEMENTS // 4 and n[0] != 'c']
        if there and not self.chance(fresh):
            return self.r.choice(there[-4:])
        rank = self.r.randint(least, most)
        return self.input([self.dim() for _ in range(rank)], self.r.choice(KINDS[kind]))

    def shape(self, name):
        return self.value[name].shape

    def rank(self, name):
        return self.value[name].ndim

    def dtype(self, name):
        return str(self.value[name].dtype)

    def same_dims(self, name):
        """Dims for another input that agrees with this tensor: its own where it is an input."""
        if name in self.inputs:
            return [d if self.chance(0.8) and ':' not in str(d) else self.dim(s)
                    for d, s in zip(self.inputs[name][0], self.shape(name))]
        return [self.dim(s, 0.4) for s in self.shape(name)]

    def axis(self, rank, negative=11):
        self.need(rank > 0)
        axis = self.r.randrange(rank)
        return axis - rank if self.opset >= negative and self.chance(0.4) else axis

    # nodes

    def model(self, shown=None):
        shown = [n for node in self.nodes for n in node.output
                 if n and n not in self.hidden] if shown is None else shown
        return make_model(self.nodes, self.initializers, self.inputs, self.value, shown, self.domains)

    def node(self, op, ins, outs=1, domain='', hide=False, **attributes):
        """Adds a node and runs the whole graph; None for an omitted optional output."""
        if domain:
            self.domains[domain] = {'ai.onnx.ml': self.one(2, 3)}.get(domain, 1)
            self.domains[domain] = attributes.pop('domain_version', self.domains[domain])
        names = [self.name('t') if wanted else '' for wanted in ([True] * outs if isinstance(outs, int) else outs)]
        while names and not names[-1]:
            names.pop()
        ins = list(ins)
        while ins and not ins[-1]:
            ins.pop()
        attributes = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append(helper.make_node(op, ins, names, domain=domain, **attributes))
        real = [n for n in names if n]
        if hide:
            self.hidden.update(real)
            shown = [n for node in self.nodes for n in node.output if n and n not in self.hidden][:1]
        else:
            shown = real
        try:
            got = session(self.model(shown)).run(None, {n: self.value[n] for n in self.inputs}) if shown else []
        except Exception as e:
            self.nodes.pop()
            self.last_error = str(e)
            raise Reject from None
        if not hide:
            self.value.update(zip(real, got))
        return names[0] if len(names) == 1 else tuple(names)

    def prune(self):
        """Drops constants and inputs that no node uses."""
        changed = True
        while changed:
            used = {n for node in self.nodes for n in used_names(node)}
            unused = [n for n in self.nodes if n.op_type == 'Constant' and n.output[0] not in used]
            self.nodes = [n for n in self.nodes if n not in unused]
            changed = bool(unused)
        self.initializers = [i for i in self.initializers if i.name in used]
        self.inputs = {n: s for n, s in self.inputs.items() if n in used}
        there = {d for dims, _ in self.inputs.values() for d in dims if len(terms(d)) == 1}
        for name, (dims, spec) in self.inputs.items():
            sizes = self.sizes(dims)
            self.inputs[name] = ([d if set(terms(d)) <= there else n for d, n in zip(dims, sizes)], spec)
        self.symbols = {s: n for s, n in self.symbols.items() if s in there}


def used_names(node):
    names = [n for n in node.input if n]
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs:
            names += [n for inner in graph.node for n in used_names(inner)] + [o.name for o in graph.output]
    return names


def value_info(name, value):
    if isinstance(value, np.ndarray):
        return helper.make_tensor_value_info(name, element(value), None)
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return helper.make_tensor_sequence_value_info(name, element(value[0]), None)
    return onnx.ValueInfoProto(name=name)


def make_model(nodes, initializers, inputs, values, shown, domains):
    """Every visible tensor becomes an output without a shape, so that nothing is declared."""
    graph = helper.make_graph(
        nodes, 'g', [helper.make_tensor_value_info(n, 8 if f[0] == 'object' else
                                                   helper.np_dtype_to_tensor_dtype(np.dtype(f[0])),
                                                   [None if ':' in str(s) else s for s in d])
                     for n, (d, f) in inputs.items()],
        [value_info(n, values.get(n)) for n in shown], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(d, v) for d, v in domains.items()],
                             ir_version=ir_version(domains['']), producer_name='differential')
