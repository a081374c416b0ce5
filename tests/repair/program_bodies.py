"""Steps of random programs: branches, loops, scans, functions, sequences.  See programs.py."""

import random

import numpy as np
from onnx import TensorProto, helper

from programs import FLOAT, OPSETS, fit, free, number, plain, pure, replaced, step, whole, without

# Steps that a body may hold; in a function only those that look at nothing but the current value.
INNER = ('unary', 'scalar', 'constant', 'mask', 'threshold', 'softmax', 'centre', 'layer_norm', 'weight', 'token', 'spread')
INNER += ('merge', 'cut', 'one', 'drop_one', 'flatten', 'transpose', 'reduce', 'reduce_sum', 'tile_constant', 'gather_number')
DEEPEST = 2


def info(p, r, name, axes, kind=FLOAT, ways=3):
    """What a body says about a value: its sizes, or only its rank, or nothing."""
    how = r.randrange(ways)
    shape = p.shape(axes) if how == 0 else [None] * len(axes) if how == 1 else None
    return helper.make_tensor_value_info(name, kind, shape)


def inner_steps(r):
    return [(r.choice(INNER), r.randrange(1 << 32)) for _ in range(r.choice((1, 2, 3)))]


def run(p, name, axes, steps):
    """The steps on a value; the result stays inside."""
    p.put(name, axes)
    for word, seed in steps:
        if p.axes or word in ('unary', 'scalar'):
            p.try_step(word, seed)
    return p.values[-1]


class Body:
    """Collects the nodes of a body: with Body(p) as body: ..., then body.nodes."""

    def __init__(self, p, inline=False):
        self.p, self.inline = p, inline

    def __enter__(self):
        p = self.p
        fit(p.inside < DEEPEST)
        self.marks, self.was = (len(p.nodes), len(p.values)), (p.inline, p.inside)
        p.inline, p.inside = p.inline or self.inline, p.inside + 1
        return self

    def __exit__(self, *error):
        p = self.p
        self.nodes = p.nodes[self.marks[0] :]
        del p.nodes[self.marks[0] :], p.values[self.marks[1] :]
        p.inline, p.inside = self.was


def condition(p, r):
    """A bool: a constant, one that an input says, or one that all of the data say."""
    how = r.choice(('constant', 'input', 'data'))
    if how == 'constant' or how == 'input' and (p.inline or len(p.inputs) > 2):
        return p.const(np.array(r.random() < 0.5))
    if how == 'input':
        name = f'y{len(p.inputs)}'
        p.input(name, [], 'f')
        return p.op('Greater', name, p.const(np.float32(0)))
    return p.op('Greater', p.op('ReduceMax', p.x, keepdims=0), p.const(np.float32(0.5)))


@step(5)
def branch(p, r):
    """Two branches of the same axes."""
    fit(not p.inline)
    chosen, source, steps = condition(p, r), p.values[-1], inner_steps(r)
    graphs, axes = [], None
    for word in ('then', 'else'):
        with Body(p) as body:
            result = run(p, source.name, source.axes, steps)
            name = p.op('Tanh' if word == 'then' else 'Neg', result.name)
            axes = result.axes
        graphs.append(helper.make_graph(body.nodes, word, [], [info(p, r, name, axes)]))
    p.put(p.op('If', chosen, then_branch=graphs[0], else_branch=graphs[1]), axes)


def trips(p, r, axis):
    """How often a loop over an axis runs: a number, or computed."""
    sized = None if r.random() < 0.5 else p.size_of(axis)
    return p.op('Squeeze', sized, p.ints(0)) if sized else p.const(np.int64(p.n(axis)))


@step(3)
def loop_state(p, r):
    """A state that goes around a few times."""
    fit(not p.inline)
    source, steps = p.values[-1], inner_steps(r)
    with Body(p) as body:
        state, go, out = p.fresh('v'), p.fresh('v'), None
        result = run(p, state, source.axes, steps)
        fit(result.axes == source.axes)
        out = p.op('Tanh', result.name)
        more = p.op('Identity', go)
    turn = p.fresh('v')
    ins = [info(p, random.Random(0), turn, [], TensorProto.INT64), info(p, random.Random(0), go, [], TensorProto.BOOL)]
    outs = [helper.make_tensor_value_info(more, TensorProto.BOOL, []), info(p, r, out, source.axes)]
    graph = helper.make_graph(body.nodes, 'body', [*ins, info(p, r, state, source.axes)], outs)
    count = p.const(np.int64(r.choice((1, 2, 3, *p.old.values()))))
    p.put(p.op('Loop', count, '', source.name, body=graph), source.axes)


@step(3)
def loop_rows(p, r):
    """One row after the other: the loop runs as often as the axis is long."""
    fit(not p.inline and p.axes)
    k = r.randrange(len(p.axes))
    axis, source = p.axes[k], p.values[-1]
    fit(not free(axis) or pure(axis))
    rest = without(p.axes, k)
    with Body(p) as body:
        turn, go = p.fresh('v'), p.fresh('v')
        row = run(p, p.op('Gather', source.name, turn, axis=k), rest, inner_steps(r))
        out, axes = p.op('Tanh', row.name), row.axes
        more = p.op('Identity', go)
    ins = [helper.make_tensor_value_info(turn, TensorProto.INT64, []), helper.make_tensor_value_info(go, TensorProto.BOOL, [])]
    outs = [helper.make_tensor_value_info(more, TensorProto.BOOL, []), info(p, r, out, axes)]
    graph = helper.make_graph(body.nodes, 'body', ins, outs)
    p.put(p.op('Loop', trips(p, r, axis), p.const(np.array(True)), body=graph), [axis, *axes])


@step(4)
def scan(p, r):
    """A state and one row after the other."""
    fit(not p.inline and p.axes)
    k = r.randrange(len(p.axes)) if r.random() < 0.3 else 0
    axis, source, rest = p.axes[k], p.values[-1], without(p.axes, k)
    if r.random() < 0.5:
        start = p.const(p.equal(r, rest, True))
    else:
        start = p.op('Expand', p.const(p.equal(r, rest, False)), p.target(r, rest))
    with Body(p) as body:
        state, row = p.fresh('v'), p.fresh('v')
        result = run(p, row, rest, inner_steps(r))
        out, axes = p.op('Tanh', result.name), result.axes
        after = p.op('Tanh', p.op('Add', state, row))
        out = p.op('Add', out, after) if axes == rest else out
    ins = [info(p, r, state, rest), info(p, r, row, rest)]
    outs = [info(p, r, after, rest, ways=2), info(p, r, out, axes, ways=2)]
    graph = helper.make_graph(body.nodes, 'body', ins, outs)
    place = r.randrange(len(axes) + 1)
    words = {'scan_input_axes': [k], 'scan_output_axes': [place]}
    if k == 0 and r.random() < 0.8:
        words, place = {}, 0
    elif r.random() < 0.3:
        words['scan_input_directions'] = [r.randrange(2)]
    last, rows = p.op('Scan', start, source.name, outputs=2, body=graph, num_scan_inputs=1, **words)
    p.put(*((rows, axes[:place] + [axis] + axes[place:]) if r.random() < 0.7 or not rest else (last, rest)))


@step(4)
def function(p, r):
    """A local function; perhaps it is called a second time, with other sizes."""
    fit(not p.inline and not p.inside)
    source, name, argument = p.values[-1], p.fresh('F'), p.fresh('v')
    with Body(p, inline=True) as body:
        result = run(p, argument, source.axes, inner_steps(r))
        out, axes = p.op('Tanh', result.name), result.axes
    made = {argument, '', *[o for n in body.nodes for o in n.output]}
    fit(all(i in made for n in body.nodes for i in n.input))
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    p.functions.append(helper.make_function('local', name, [argument], [out], body.nodes, opsets))
    p.put(p.op(name, source.name, domain='local'), axes)
    if r.random() < 0.3:
        p.apply('Mul', p.op(name, p.op('Neg', source.name), domain='local'))


# Sequences.


@step(1)
def sequence(p, r):
    """Two values in a sequence: one of them, or both put together along a plain axis."""
    fit(p.axes)
    both = p.op('SequenceConstruct', p.x, p.op('Neg', p.x))
    if r.random() < 0.5:
        return p.put(p.op('SequenceAt', both, p.const(np.int64(r.choice((0, 1, -1))))), p.axes)
    if r.random() < 0.5:
        k = r.randrange(len(p.axes) + 1)
        return p.put(p.op('ConcatFromSequence', both, axis=k, new_axis=1), p.axes[:k] + [(2,)] + p.axes[k:])
    k = r.randrange(len(p.axes))
    axis = (2, *p.axes[k]) if free(p.axes[k]) else plain(2 * number(p.axes[k]))
    return p.put(p.op('ConcatFromSequence', both, axis=k), replaced(p.axes, k, axis))


@step(1)
def rows(p, r):
    """The rows of a plain axis as a sequence, and one of them."""
    k = p.pick(r, whole)
    parts = p.op('SplitToSequence', p.x, axis=k, keepdims=0)
    p.put(p.op('SequenceAt', parts, p.const(np.int64(r.randrange(number(p.axes[k]))))), without(p.axes, k))
