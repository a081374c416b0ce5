"""Where ONNX Runtime's answer says nothing about sizes, each with its reason."""

# The runtime refuses because of an element, not of a size: other elements run.
VALUES = ('out of range', 'cumulative_sequence_length', 'key_total_sequence_lengths value',
          'values are not monotonically', 'has an axis outside', 'must be equal to total_sequence_length',
          "'key_padding_mask' shape is not expected", 'total_sequence_length must',
          'should be same as total_sequence_length', 'search_parameters.cc')


def skip_batch(case, name, shapes):
    """The skip's batch is the data's or 1; the kernel reads it modulo its size, so rows of other items are added."""
    return name in ('i0', 'i1')


def five_axes(case, name, shapes):
    """The kernel takes the first four axes, and the result has no fifth."""
    return len(shapes['i0']) > 4


def transposed(case, name, shapes):
    """Early models have transposed weights; with symbols, axed takes the layout of today's."""
    return True


def two_axes(case, name, shapes):
    """The kernel reads two axes of tables and positions, however many they have."""
    return any(len(shapes[i.name]) == 3 and i.dims == shapes[i.name][:2] for i in case.inputs)


def layouts(case, name, shapes):
    """A mask has B, 2*B or 3*B + 2 elements; with symbols, axed takes the first."""
    return any(i.dtype == 'int32' and len(shapes[i.name]) == 1 for i in case.inputs)


def scale_layouts(case, name, shapes):
    """As above, for a scale of H or N*H elements."""
    return len(case.inputs) > 1 and len(shapes['i1']) == 1


def value_heads(case, name, shapes):
    """The kernel compares the past value's heads with the key's, not with the value's, and reads past its end."""
    return name == 'i2' or layouts(case, name, shapes)


LENIENT = {'Attention': layouts, 'QAttention': layouts, 'BranchwiseRMSNorm': scale_layouts,
           'MultiHeadAttention': value_heads,
           'SkipLayerNormalization': skip_batch, 'SkipSimplifiedLayerNormalization': skip_batch,
           'ImageScaler': five_axes, 'MoE': transposed, 'SparseAttention': two_axes,
           'EmbedLayerNormalization': two_axes, 'GroupQueryAttention': two_axes}


def argued(op, case, name, axis, shapes, state, said):
    """The reason why the runtime's answer to this change says nothing, or None."""
    if name is None:
        return None
    if state == 'crash':
        return 'the kernel crashes where it should refuse' if op == 'QLinearAveragePool' else None
    if state == 'ok':
        rule = LENIENT.get(op)
        return (rule.__doc__ or rule.__name__) if rule and rule(case, name, shapes) else None
    if op == 'BranchwiseRMSNorm' and scale_layouts(case, name, shapes):
        return scale_layouts.__doc__
    return next((text for text in VALUES if text in said), None)
