#!/usr/bin/env python3
"""What other tools offer to make a fixed axis dynamic, as a command for repairs.py:

    peer_repair.py onnx|polygraphy|onnx-modifier MODEL OUT INPUT:AXIS=NAME...

Run by a Python that has the tool.  Exit 1: the tool refuses.
"""

import sys

import onnx


def asked(words):
    """{input: {axis: name}}"""
    out = {}
    for word in words:
        place, _, name = word.partition('=')
        tensor, _, axis = place.rpartition(':')
        out.setdefault(tensor, {})[int(axis)] = name
    return out


def shapes(model, axes):
    weights = {t.name for t in model.graph.initializer}
    out = {}
    for value in model.graph.input:
        if value.name not in weights:
            dims = [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]
            out[value.name] = [axes.get(value.name, {}).get(i, d) for i, d in enumerate(dims)]
    return out


def by_onnx(path, out, axes):
    """All sizes of the outputs are left open."""
    from onnx.tools import update_model_dims

    model = onnx.load(path)
    results = {v.name: [-1] * len(v.type.tensor_type.shape.dim) for v in model.graph.output}
    onnx.save(update_model_dims.update_inputs_outputs_dims(model, shapes(model, axes), results), out)


def by_polygraphy(path, out, axes):
    """Its program, in this process."""
    from polygraphy import tools

    words = [f'{name}:[{",".join(map(str, dims))}]' for name, dims in shapes(onnx.load(path), axes).items() if name in axes]
    sys.argv = ['polygraphy', 'surgeon', 'sanitize', path, '--override-input-shapes', *words, '-o', out]
    sys.exit(tools.main())


def by_modifier(path, out, axes):
    """Its page sends this for a dynamic batch; it has no other axes."""
    from onnx_modifier.onnx_modifier import onnxModifier

    name = next(iter(next(iter(axes.values())).values()))
    fields = ('added_node_info', 'node_states', 'changed_initializer', 'node_renamed_io', 'added_inputs', 'added_outputs')
    wanted = {**{field: {} for field in fields}, 'node_changed_attr': {}, 'postprocess_args': {}}
    modifier = onnxModifier.from_model_path(path)
    modifier.modify({**wanted, 'rebatch_info': {'type': 'dynamic', 'value': name}})
    onnx.save(modifier.model_proto, out)


def main():
    tool, path, out, *words = sys.argv[1:]
    {'onnx': by_onnx, 'polygraphy': by_polygraphy, 'onnx-modifier': by_modifier}[tool](path, out, asked(words))


if __name__ == '__main__':
    main()
