"""Models of transformers: tiny configurations, random weights, nothing from the hub."""

from spec import add

TINY = {'hidden_size': 32, 'num_hidden_layers': 2, 'num_attention_heads': 4, 'intermediate_size': 48}
TEXT = {**TINY, 'vocab_size': 60, 'max_position_embeddings': 64}
LAYERS = {
    'd_model': 32,
    'encoder_layers': 2,
    'decoder_layers': 2,
    'encoder_attention_heads': 4,
    'decoder_attention_heads': 4,
    'encoder_ffn_dim': 48,
    'decoder_ffn_dim': 48,
}
IDS = {'input_ids': 'i50 batch seq', 'attention_mask': 'mask batch seq'}


def hub(name, family, cls, words, inputs, run=None, outputs=None, config=None, dynamo=True, script=True, always=None, **sizes):
    """CLS of transformers with the configuration WORDS; RUN calls it with the inputs, by name unless told otherwise."""
    names = list(inputs)

    def build():
        import operators  # noqa: F401, transformers imports torchvision
        import torch
        import transformers

        kind = getattr(transformers, cls)
        given = {k: transformers.AutoConfig.for_model(**v) if k == 'backbone_config' else v for k, v in words.items()}
        made = (getattr(transformers, config) if config else kind.config_class)(**given)
        inner = kind._from_config(made) if hasattr(kind, '_from_config') else kind(made)

        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = inner

            def forward(self, *values):
                given = dict(zip(names, values))
                return run(self.inner, **given) if run else self.inner(**given, **(always or {}))

        return Module()

    add(name, family, build, inputs, outputs or first, dynamo, script, **sizes)


def first(out):
    """The first result of a model: the last hidden state, logits."""
    return out[0] if isinstance(out, (tuple, list)) else next(iter(out.values()))


def several(*names):
    return lambda out: tuple(out[n] for n in names)


def with_cache(inner, heads=False, **given):
    """Calls a decoder with a flat list of past keys and values."""
    from transformers import DynamicCache

    cache, past = DynamicCache(), []
    layers = sum(1 for k in given if k.startswith('key'))
    for i in range(layers):
        past.append((given.pop(f'key{i}'), given.pop(f'value{i}')))
        cache.update(*past[-1], i)
    out = inner(**given, past_key_values=cache, use_cache=True)
    layers = [(layer.keys, layer.values) for layer in out.past_key_values.layers]
    return (out[0], *(t for pair in layers for t in pair))


def cached(ids='i50 batch seq', heads=4, width=8, layers=2, total='mask batch past+seq'):
    out = {'input_ids': ids, 'attention_mask': total}
    for i in range(layers):
        out[f'key{i}'] = out[f'value{i}'] = f'f batch {heads} past {width}'
    return out


PAST = {'past': (5, 7, 3, 12), 'seq': (4, 2, 6, 3)}
