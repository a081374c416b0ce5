"""Makes the shapes of tensors in branches and bodies outputs of the main graph.

A tensor of a branch or body leaves it as a vector of WIDTH: its sizes, then -1.  A branch that does not run gives -2 instead;
a body gives a row for each iteration.  What cannot be carried out is left out: sequences and optionals, a loop in a loop's
body, bodies of local functions.
"""

import onnx
from onnx import TensorProto, helper

WIDTH = 12
FILL, NONE, ROWS, START, END = (f'zoo.{w}' for w in ('fill', 'none', 'rows', 'start', 'end'))
NO_TENSOR = {'SequenceConstruct', 'SequenceEmpty', 'SequenceInsert', 'SequenceErase', 'SplitToSequence', 'SequenceMap', 'Optional'}


class Exposed:
    """PLACES: output of the main graph -> (graph as axed names it, tensor)."""

    def __init__(self, model):
        self.version = max((o.version for o in model.opset_import if o.domain in ('', 'ai.onnx')), default=1)
        self.places, self.used = {}, 0
        graph = model.graph
        for name, dims, values in (
            (FILL, [WIDTH], [-1] * WIDTH),
            (NONE, [WIDTH], [-2] * WIDTH),
            (ROWS, [0, WIDTH], []),
            (START, [1], [0]),
            (END, [1], [WIDTH]),
        ):
            graph.initializer.append(helper.make_tensor(name, TensorProto.INT64, dims, values))
        for name, _, place in self.nodes(graph, '', False):
            self.places[name] = place
            graph.output.append(int64(name))

    def name(self):
        self.used += 1
        return f'zoo.{self.used}'

    def nodes(self, graph, path, looped):
        """Exposes what the graph's nodes hold; [(name in this graph, has rows, place)]."""
        out = []
        for index, node in enumerate(list(graph.node)):
            prefix = f'{path}/' if path else ''
            if node.op_type == 'If':
                out += self.branches(node, f'{prefix}{index}', looped)
            elif node.op_type == 'Loop' and not looped:
                out += self.body(node, f'{prefix}{index}')
            elif node.op_type == 'Scan' and not looped and self.version >= 9:
                out += self.body(node, f'{prefix}{index}')
        return out

    def tensors(self, graph, path, looped):
        """The same with the graph's own tensors, which get nodes that make vectors of their shapes."""
        out = self.nodes(graph, path, looped)
        names = [v.name for v in graph.input if v.type.HasField('tensor_type')]
        no_tensor = {v.name for v in graph.input} - set(names)
        for node in graph.node:
            kept = [n for n in node.output if n and not n.startswith('zoo.')]
            if node.op_type in NO_TENSOR or no_tensor & set(node.input):
                no_tensor.update(kept if node.op_type not in ('SequenceAt', 'SequenceLength', 'ConcatFromSequence') else [])
            if node.op_type in ('If', 'Loop'):
                no_tensor.update(kept)  # they may be sequences
            names += [n for n in kept if n not in no_tensor]
        for name in dict.fromkeys(names):
            out.append((self.vector(graph, name), False, (path, name)))
        return out

    def vector(self, graph, name):
        shape, long, out = self.name(), self.name(), self.name()
        graph.node.append(helper.make_node('Shape', [name], [shape]))
        graph.node.append(helper.make_node('Concat', [shape, FILL], [long], axis=0))
        if self.version >= 10:
            graph.node.append(helper.make_node('Slice', [long, START, END], [out]))
        else:
            graph.node.append(helper.make_node('Slice', [long], [out], starts=[0], ends=[WIDTH]))
        return out

    def branches(self, node, path, looped):
        graphs = {a.name: a.g for a in node.attribute if a.HasField('g')}
        found = {key: self.tensors(graph, f'{path}.{key}', looped) for key, graph in graphs.items()}
        out = []
        for key, rows in found.items():
            for name, has_rows, place in rows:
                for other, graph in graphs.items():
                    inside = self.name()
                    source = name if other == key else ROWS if has_rows else NONE
                    graph.node.append(helper.make_node('Identity', [source], [inside]))
                    graph.output.append(int64(inside))
                out.append((self.name(), has_rows, place))
                node.output.append(out[-1][0])
        return out

    def body(self, node, path):
        graph = next(a.g for a in node.attribute if a.name == 'body')
        given = len(graph.output) - (node.op_type == 'Loop')
        for value in graph.input[2 if node.op_type == 'Loop' else 0 :]:
            if value.type.HasField('tensor_type'):
                value.type.tensor_type.ClearField('shape')  # what is said of it may be wrong
        found = self.tensors(graph, f'{path}.body', True)
        node.output.extend([''] * (given - len(node.output)))
        out = []
        for name, _, place in found:
            inside = self.name()
            graph.node.append(helper.make_node('Identity', [name], [inside]))
            graph.output.append(int64(inside))
            out.append((self.name(), True, place))
            node.output.append(out[-1][0])
        for attribute in node.attribute:
            if attribute.name in ('scan_output_axes', 'scan_output_directions'):
                attribute.ints.extend([0] * len(found))
        return out


def int64(name):
    return onnx.ValueInfoProto(name=name, type=helper.make_tensor_type_proto(TensorProto.INT64, None))


def has_bodies(graph):
    return any(a.HasField('g') for node in graph.node for a in node.attribute)


def decode(places, values):
    """{graph: {tensor: its different shapes}} of those that ran."""
    out = {}
    for name, value in values.items():
        graph, tensor = places[name]
        rows = {tuple(int(d) for d in row) for row in value.reshape(-1, WIDTH)}
        shapes = [list(row[: row.index(-1)]) for row in sorted(rows) if -1 in row]
        if shapes:
            out.setdefault(graph, {})[tensor] = shapes
    return out
