"""The exports of the zoo: tiny transformers of the usual kinds, traced at one fixed size, and their dynamic twins.

    export.py [FOLDER] [NAME...]

Needs torch and transformers; run by hand, the models are checked in.  make.py writes the others.
"""

import io
import os
import sys
import warnings

import onnx
import torch
import transformers

HERE = os.path.dirname(os.path.abspath(__file__))


class Only(torch.nn.Module):
    """A network with one tensor in, one tensor out."""

    def __init__(self, inner, word):
        super().__init__()
        self.inner = inner
        self.word = word

    def forward(self, x):
        words = {'use_cache': False} if hasattr(self.inner.config, 'n_positions') else {}
        return self.inner(**{self.word: x}, return_dict=False, **words)[0]


def ready(network, word):
    torch.manual_seed(7)
    # Large enough that every input affects every output.
    for name, p in network.named_parameters():
        norm = p.ndim == 1 and name.endswith('weight')
        torch.nn.init.normal_(p, mean=float(norm), std=0.1 if norm else 0.4)
    return Only(network, word).eval()


def vit():
    config = transformers.ViTConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                                    image_size=16, patch_size=4, num_labels=5, attn_implementation='eager')
    return ready(transformers.ViTForImageClassification(config), 'pixel_values'), (3, 16, 16)


def swin():
    config = transformers.SwinConfig(image_size=32, patch_size=4, embed_dim=8, depths=[2, 1], num_heads=[2, 2],
                                     window_size=4, mlp_ratio=2.0, num_labels=5, attn_implementation='eager')
    return ready(transformers.SwinForImageClassification(config), 'pixel_values'), (3, 32, 32)


def bert():
    config = transformers.BertConfig(vocab_size=20, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                                     intermediate_size=32, max_position_embeddings=24, attn_implementation='eager')
    return ready(transformers.BertModel(config, add_pooling_layer=False), 'input_ids'), (9,)


def gpt():
    config = transformers.GPT2Config(vocab_size=20, n_positions=24, n_embd=16, n_layer=1, n_head=2,
                                     attn_implementation='eager')
    return ready(transformers.GPT2LMHeadModel(config), 'input_ids'), (9,)


def tidy(model):
    """Removes the stack traces, which name folders of the machine and are larger than the weights."""
    def walk(graph):
        del graph.metadata_props[:]
        for kind in (graph.input, graph.output, graph.value_info, graph.initializer):
            for v in kind:
                v.doc_string = ''
                del v.metadata_props[:]
        for node in graph.node:
            node.doc_string = ''
            del node.metadata_props[:]
            for a in node.attribute:
                a.doc_string = ''
                for g in [a.g] if a.HasField('g') else a.graphs:
                    walk(g)
    walk(model.graph)
    for f in model.functions:
        f.doc_string = ''
        del f.metadata_props[:]
        for node in f.node:
            node.doc_string = ''
            del node.metadata_props[:]
    del model.metadata_props[:]
    return model


def export(network, sizes, axes, dynamo):
    if len(sizes) > 2:
        example = torch.rand(sizes)
    else:
        example = torch.arange(sizes[0] * sizes[1]).reshape(sizes) % 19 + 1
    out = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter('ignore')
        if dynamo:
            shapes = {'x': {a: torch.export.Dim(n, min=1, max=24) for a, n in axes.items()}} if axes else None
            program = torch.onnx.export(network, (example,), dynamo=True, input_names=['x'], output_names=['y'],
                                        dynamic_shapes=shapes, verbose=False)
            return tidy(program.model_proto)
        torch.onnx.export(network, (example,), out, dynamo=False, input_names=['x'], output_names=['y'],
                          opset_version=17, dynamic_axes={'x': axes, 'y': {0: 'batch'}} if axes else None)
    return tidy(onnx.load_from_string(out.getvalue()))


# Name: the network, the fixed size of axis 0, the exporter, and the axes that are dynamic.
PLAN = {
    'vit_legacy_1': (vit, 1, False, {}),
    'vit_legacy_3': (vit, 3, False, {}),
    'vit_dynamo_1': (vit, 1, True, {}),
    'vit_dynamo_3': (vit, 3, True, {}),
    'vit.truth': (vit, 3, False, {0: 'batch'}),
    'swin_legacy_1': (swin, 1, False, {}),
    'swin_legacy_3': (swin, 3, False, {}),
    'swin_dynamo_1': (swin, 1, True, {}),
    'swin_dynamo_3': (swin, 3, True, {}),
    'swin.truth': (swin, 3, True, {0: 'batch'}),
    'bert_legacy': (bert, 3, False, {}),
    'bert_dynamo': (bert, 3, True, {}),
    'bert.truth': (bert, 3, True, {0: 'batch', 1: 'seq'}),
    'gpt_dynamo': (gpt, 3, True, {}),
    'gpt.truth': (gpt, 3, True, {0: 'batch', 1: 'seq'}),
}


def main(folder=os.path.join(HERE, 'zoo'), *names):
    for name in names or PLAN:
        build, batch, dynamo, axes = PLAN[name]
        network, rest = build()
        try:
            model = export(network, (batch, *rest), axes, dynamo)
        except Exception as error:
            print(f'{name}: {type(error).__name__}: {str(error)[:300]}')
            continue
        path = os.path.join(folder, name + '.onnx')
        onnx.save(model, path)
        print(f'{name}: {os.path.getsize(path)} bytes, {len(model.graph.node)} nodes', flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
