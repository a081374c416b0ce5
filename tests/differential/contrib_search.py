"""Cases of the searches for texts, with a decoder of one layer whose scores depend on the last token only."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

HEADS, SIZE = 2, 4


def _decoder(vocabulary):
    """GPT-2's inputs and outputs: tokens, positions, mask and past; logits and present."""
    info = helper.make_tensor_value_info
    ints, real = TensorProto.INT32, TensorProto.FLOAT
    inputs = [info('input_ids', ints, ['batch', 'sequence']), info('position_ids', ints, ['batch', 'sequence']),
              info('attention_mask', ints, ['batch', 'total']),
              info('past_0', real, [2, 'batch', HEADS, 'past', SIZE])]
    outputs = [info('logits', real, ['batch', 'sequence', vocabulary]),
               info('present_0', real, [2, 'batch', HEADS, 'total', SIZE])]
    table = np.random.default_rng(1).uniform(-1, 1, (vocabulary, vocabulary)).astype('float32')
    constants = {'table': table, 'two': np.array([2]), 'shape': np.array([HEADS]), 'size': np.array([SIZE]),
                 'zero': np.zeros(1, 'float32')}
    node = helper.make_node
    nodes = [node('Gather', ['table', 'input_ids'], ['logits']),
             node('Shape', ['input_ids'], ['batch_'], start=0, end=1),
             node('Shape', ['input_ids'], ['sequence_'], start=1, end=2),
             node('Concat', ['two', 'batch_', 'shape', 'sequence_', 'size'], ['dims'], axis=0),
             node('Expand', ['zero', 'dims'], ['new']),
             node('Concat', ['past_0', 'new'], ['present_0'], axis=3)]
    return helper.make_graph(nodes, 'decoder', inputs, outputs,
                             [numpy_helper.from_array(v, k) for k, v in constants.items()])


def search(op):
    def make(c):
        b, s = c.sizes(2)
        v = 11
        number = lambda n: c.x([1], 'int32', values=[n])
        mask = lambda dims: c.x(dims, 'int32', values=[1])
        beams = op == 'BeamSearch'
        longest = c.x([1], 'int32', values=[s + 5], constant=c.chance())
        ins = [c.x([b, s], 'int32', 1, 9), longest, number(1) if beams or c.chance() else '']
        ins += [number(2), number(2), c.x([1], values=[1.0])] if beams else []
        ins += [c.maybe([1], values=[1.0]), mask([v]) if c.chance() else '', mask([b, v]) if c.chance() else '',
                mask([b, s]) if c.chance() else '']
        return c.node(op, ins, 2 if beams else 1, eos_token_id=0, pad_token_id=0, decoder=_decoder(v), model_type=0)
    return make


CASES = {op: search(op) for op in ('BeamSearch', 'GreedySearch', 'Sampling')}
