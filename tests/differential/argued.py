"""Where onnxruntime deviates from the specification: such a run proves nothing and is skipped.

Each rule gets the operator's attributes, the shapes of its inputs and outputs ([] if absent) and the inputs' values
(None if absent), and returns whether the case applies.
"""


def empty_reduction(a, ins, outs, values):
    """For an empty tensor, onnxruntime keeps reduced axes or their sizes; the specification drops them or sets 1."""
    return 0 in ins[0]


def dilated_same(a, ins, outs, values):
    """SAME_UPPER and SAME_LOWER give ceil(in / stride); onnxruntime ignores dilations when it pads pools."""
    return a.get('auto_pad', b'').startswith(b'SAME') and any(d != 1 for d in a.get('dilations', ()))


def nonzero_scalar(a, ins, outs, values):
    """A scalar gives [0, n] (NonZero-13: "different from Numpy's behavior"); onnxruntime gives [1, n]."""
    return ins[0] == []


def prelu_both_ways(a, ins, outs, values):
    """The slope broadcasts to X only; onnxruntime broadcasts in both directions."""
    return outs[0] != ins[0]


def resize_policy_axes(a, ins, outs, values):
    """With keep_aspect_ratio_policy, onnxruntime mixes up axes that are negative or out of order."""
    axes = list(a.get('axes', ()))
    return a.get('keep_aspect_ratio_policy', b'stretch') != b'stretch' and (axes != sorted(axes) or any(x < 0
        for x in axes))


def empty_concat(a, ins, outs, values):
    """onnxruntime skips empty inputs, whatever their other dims."""
    axis = a.get('axis', 1)
    return any(0 in i for i in ins) and any(len(i) != len(ins[0]) or any(
        p != q for n, (p, q) in enumerate(zip(i, ins[0])) if n != axis % len(i)) for i in ins)


def empty_parts(a, ins, outs, values):
    """The same for QLinearConcat, whose tensors have a scale and a zero point each."""
    return empty_concat(a, ins[2::3], outs, values)


def empty_pieces(a, ins, outs, values):
    """The same for the elements of a sequence."""
    return any(0 in v.shape for v in values[0])


def split_keepdims(a, ins, outs, values):
    """keepdims is ignored when split is given; onnxruntime drops the axis of pieces of size 1."""
    return a.get('keepdims', 1) == 0 and len(values) > 1


def no_trips(a, ins, outs, values):
    """After zero iterations, onnxruntime gives scan outputs the shape [0], or 0 for each symbol in the body."""
    return any(o[:1] == [0] for o in outs[len(ins) - 2:])


def unlike_target(a, ins, outs, values):
    """The target's dims are those of the scores without the classes; onnxruntime does not check all of them."""
    return ins[1] != ins[0][:1] + ins[0][2:]


def unlike_batch(a, ins, outs, values):
    """Batch dims of the data and of the indices must be equal; onnxruntime does not check."""
    n = a.get('batch_dims', 0)
    return ins[0][:n] != ins[1][:n]


def empty_product(a, ins, outs, values):
    """For an empty sum, onnxruntime does not check whether the batch dims broadcast."""
    return 0 in ins[0] and any(p != q and 1 not in (p, q) for p, q in zip(ins[0][-3::-1], ins[1][-3::-1]))


def small_input(a, ins, outs, values):
    """A window that does not fit gives floor(negative) + 1 = 0 or less; onnxruntime rounds towards zero."""
    kernel = a.get('kernel_shape') or ins[1][2:]
    n = len(kernel)
    pads, dilations = a.get('pads') or [0] * 2 * n, a.get('dilations') or [1] * n
    return not a.get('auto_pad', b'').startswith(b'SAME') and any(
        size + pads[i] + pads[n + i] < dilations[i] * (kernel[i] - 1) + 1 for i, size in enumerate(ins[0][2:]))


def slice_sentinel(a, ins, outs, values):
    """With a negative step, INT_MAX as end is clamped to the last element; onnxruntime goes down to the first."""
    return len(values) > 4 and any(s < 0 and e in (2**31 - 1, 2**63 - 1) for s, e in zip(values[4], values[2]))


REDUCTIONS = ('ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp '
              'ReduceSumSquare ArgMax ArgMin').split()
RULES = {
    **{op: (empty_reduction,) for op in REDUCTIONS},
    'AveragePool': (dilated_same, small_input),
    'Concat': (empty_concat,),
    'ConcatFromSequence': (empty_pieces,),
    'Conv': (small_input,),
    'ConvInteger': (small_input,),
    'GatherND': (unlike_batch,),
    'Loop': (no_trips,),
    'LpPool': (dilated_same, small_input),
    'MatMul': (empty_product,),
    'MaxPool': (dilated_same, small_input),
    'NegativeLogLikelihoodLoss': (unlike_target,),
    'NonZero': (nonzero_scalar,),
    'PRelu': (prelu_both_ways,),
    'QLinearConcat': (empty_parts,),
    'Resize': (resize_policy_axes,),
    'Slice': (slice_sentinel,),
    'SoftmaxCrossEntropyLoss': (unlike_target,),
    'SplitToSequence': (split_keepdims,),
}


def argued(model, values, attribute_value):
    """The reason why a run proves nothing, or None; `values` has all its tensors."""
    for node in model.graph.node:
        for rule in RULES.get(node.op_type, ()) if not node.domain or node.op_type == 'QLinearConcat' else ():
            given = [values.get(n) for n in node.input]
            made = [values.get(n) for n in node.output]
            ins, outs = ([list(getattr(v, 'shape', ())) for v in vs] for vs in (given, made))
            if rule({a.name: attribute_value(a) for a in node.attribute}, ins, outs, given):
                return rule.__name__
    return None
