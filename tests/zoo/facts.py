"""What the judge has to know about a file, read with the onnx package."""

import json
import os

import onnx

import bodies

DATA_DEPENDENT = {'NonZero', 'Compress', 'Unique', 'NonMaxSuppression', 'StringSplit', 'ImageDecoder'}


def behind(graph):
    """Tensors with a data-dependent operator among their ancestors."""
    out = set()
    for node in graph.node:
        if node.op_type in DATA_DEPENDENT or any(i in out for i in node.input):
            out.update(node.output)
    return sorted(out)


def dim_of(dim, anonymous):
    if dim.dim_param not in ('', '?'):
        return dim.dim_param
    return dim.dim_value if dim.HasField('dim_value') and dim.dim_value >= 0 else anonymous


def dims_of(value, alone=None):
    """Numbers and names; an anonymous dim is called by its place, or None."""
    return [dim_of(d, alone and f'{alone}:{i}') for i, d in enumerate(value.type.tensor_type.shape.dim)]


def kind_of(value):
    elem = value.type.tensor_type.elem_type
    if elem == 9:
        return 'b'
    if elem in (1, 10, 11, 16):
        return 'u'
    return 'mask' if 'mask' in value.name else 'i2'


def read(path):
    """{about, declared, kinds, makers, claims, behind, results, nodes, bodies}, all of which JSON can hold."""
    graph = onnx.load(path, load_external_data=False).graph
    beside = path[: -len('.onnx')] + '.json'
    about = json.load(open(beside)) if os.path.exists(beside) else {}
    constants = {t.name for t in graph.initializer} | {t.values.name for t in graph.sparse_initializer}
    inputs = [v for v in graph.input if v.name not in constants]
    declared = about.get('inputs', {})
    return {
        'about': about,
        'declared': {v.name: dims_of(v, v.name) for v in inputs},
        'kinds': {v.name: declared[v.name].split()[0] if v.name in declared else kind_of(v) for v in inputs},
        'makers': {name: [node.op_type, list(node.input)] for node in graph.node for name in node.output if name},
        'claims': {v.name: dims_of(v) for v in [*graph.value_info, *graph.output] if v.type.tensor_type.HasField('shape')},
        'behind': behind(graph),
        'results': [v.name for v in graph.output],
        'nodes': len(graph.node),
        'bodies': bodies.has_bodies(graph),
    }
