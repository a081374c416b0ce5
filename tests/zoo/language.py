"""Text models of transformers."""

from functools import partial

from hub import IDS, LAYERS, PAST, TEXT, TINY, cached, hub, with_cache

encoder = partial(hub, family='text')
decoder = partial(hub, family='llm')
SMALL = {'dim': 32, 'n_layers': 2, 'n_heads': 4, 'hidden_dim': 48, 'vocab_size': 60, 'max_position_embeddings': 64}

encoder('bert', cls='BertModel', words=TEXT, inputs={**IDS, 'token_type_ids': 'i2 batch seq'})
encoder('bert_eager', cls='BertModel', words={**TEXT, 'attn_implementation': 'eager'}, inputs=IDS)
encoder('bert_classify', cls='BertForSequenceClassification', words=TEXT, inputs=IDS)
encoder('roberta', cls='RobertaModel', words={**TEXT, 'pad_token_id': 1}, inputs=IDS)
encoder('distilbert', cls='DistilBertModel', words=SMALL, inputs=IDS)
encoder('albert', cls='AlbertModel', words={**TEXT, 'embedding_size': 16}, inputs=IDS)
encoder('electra', cls='ElectraModel', words={**TEXT, 'embedding_size': 16}, inputs=IDS)
encoder(
    'deberta',
    cls='DebertaModel',
    words={**TEXT, 'relative_attention': True, 'pos_att_type': ['c2p', 'p2c'], 'type_vocab_size': 0},
    inputs=IDS,
)
encoder(
    'deberta_v2',
    cls='DebertaV2Model',
    words={
        **TEXT,
        'relative_attention': True,
        'pos_att_type': ['c2p', 'p2c'],
        'position_buckets': 8,
        'norm_rel_ebd': 'layer_norm',
        'share_att_key': True,
    },
    inputs=IDS,
)
encoder('mpnet', cls='MPNetModel', words=TEXT, inputs=IDS)
encoder(
    'longformer',
    cls='LongformerModel',
    words={**TEXT, 'attention_window': 4, 'max_position_embeddings': 130},
    inputs=IDS,
    seq=(16, 24, 12, 20),
)
encoder('bigbird', cls='BigBirdModel', words={**TEXT, 'attention_type': 'original_full'}, inputs=IDS)
encoder(
    'xlnet',
    cls='XLNetModel',
    words={'vocab_size': 60, 'd_model': 32, 'n_layer': 2, 'n_head': 4, 'd_inner': 48},
    inputs={'input_ids': 'i50 batch seq', 'attention_mask': 'fmask batch seq'},
)
encoder(
    'mobilebert',
    cls='MobileBertModel',
    words={**TEXT, 'embedding_size': 16, 'intra_bottleneck_size': 16, 'true_hidden_size': 16},
    inputs=IDS,
)
encoder('fnet', cls='FNetModel', words={**TEXT, 'use_tpu_fourier_optimizations': False}, inputs={'input_ids': 'i50 batch seq'})
encoder('convbert', cls='ConvBertModel', words={**TEXT, 'embedding_size': 16, 'head_ratio': 2, 'conv_kernel_size': 3}, inputs=IDS)
encoder(
    'modernbert',
    cls='ModernBertModel',
    words={
        **TEXT,
        'local_attention': 8,
        'global_attn_every_n_layers': 2,
        'pad_token_id': 55,
        'bos_token_id': 1,
        'eos_token_id': 2,
        'cls_token_id': 1,
        'sep_token_id': 2,
    },
    inputs=IDS,
)
encoder('nystromformer', cls='NystromformerModel', words={**TEXT, 'num_landmarks': 16, 'segment_means_seq_len': 16}, inputs=IDS)
encoder(
    'layoutlm', cls='LayoutLMModel', words={**TEXT, 'max_2d_position_embeddings': 100}, inputs={**IDS, 'bbox': 'i1 batch seq 4'}
)
encoder(
    'visual_bert',
    cls='VisualBertModel',
    words={**TEXT, 'visual_embedding_dim': 12},
    inputs={**IDS, 'visual_embeds': 'f batch regions 12'},
    regions=(3, 5, 2, 4),
)
encoder('roformer', cls='RoFormerModel', words={**TEXT, 'embedding_size': 16}, inputs=IDS)
encoder(
    'squeezebert',
    cls='SqueezeBertModel',
    words={
        **TEXT,
        'embedding_size': 32,
        'q_groups': 2,
        'k_groups': 2,
        'v_groups': 2,
        'post_attention_groups': 1,
        'intermediate_groups': 2,
        'output_groups': 2,
    },
    inputs=IDS,
)
encoder(
    'funnel',
    cls='FunnelModel',
    words={
        'vocab_size': 60,
        'block_sizes': [1, 1],
        'd_model': 32,
        'n_head': 4,
        'd_head': 8,
        'd_inner': 48,
        'num_decoder_layers': 1,
    },
    inputs=IDS,
    seq=(8, 16, 12, 10),
)

LLAMA = {**TEXT, 'num_key_value_heads': 2}
GPT2 = {'vocab_size': 60, 'n_embd': 32, 'n_layer': 2, 'n_head': 4, 'n_positions': 64}
WIDE = {'head_dim': 8, **LLAMA}
for name, cls, words, heads in (
    ('gpt2', 'GPT2LMHeadModel', GPT2, 4),
    ('gpt_neox', 'GPTNeoXForCausalLM', TEXT, 4),
    ('llama', 'LlamaForCausalLM', LLAMA, 2),
    ('mistral', 'MistralForCausalLM', {**LLAMA, 'sliding_window': None}, 2),
    ('qwen2', 'Qwen2ForCausalLM', LLAMA, 2),
    ('qwen3', 'Qwen3ForCausalLM', WIDE, 2),
    ('gemma', 'GemmaForCausalLM', WIDE, 2),
    ('phi', 'PhiForCausalLM', {**TEXT, 'partial_rotary_factor': 0.5}, 4),
    (
        'opt',
        'OPTForCausalLM',
        {
            **TINY,
            'vocab_size': 60,
            'max_position_embeddings': 64,
            'ffn_dim': 48,
            'word_embed_proj_dim': 32,
            'do_layer_norm_before': True,
        },
        4,
    ),
    ('bloom', 'BloomForCausalLM', {'vocab_size': 60, 'hidden_size': 32, 'n_layer': 2, 'n_head': 4}, 4),
    ('gptj', 'GPTJForCausalLM', {**GPT2, 'rotary_dim': 4}, 4),
    ('stablelm', 'StableLmForCausalLM', LLAMA, 2),
    ('cohere', 'CohereForCausalLM', LLAMA, 2),
    ('gemma2', 'Gemma2ForCausalLM', {**WIDE, 'sliding_window': 128, 'query_pre_attn_scalar': 8}, 2),
    ('smollm3', 'SmolLM3ForCausalLM', {**LLAMA, 'pad_token_id': 0}, 2),
    ('olmo2', 'Olmo2ForCausalLM', LLAMA, 2),
    ('granite', 'GraniteForCausalLM', LLAMA, 2),
):
    decoder(name, cls=cls, words=words, inputs=IDS, always={'use_cache': False})
    decoder(name + '_cache', cls=cls, words=words, inputs=cached(heads=heads), run=with_cache, outputs=tuple, **PAST)
decoder(
    'gpt_neo',
    cls='GPTNeoForCausalLM',
    words={
        'vocab_size': 60,
        'hidden_size': 32,
        'num_layers': 2,
        'num_heads': 4,
        'attention_types': [[['global', 'local'], 1]],
        'window_size': 8,
        'max_position_embeddings': 64,
    },
    inputs=IDS,
    always={'use_cache': False},
)
decoder(
    'falcon',
    cls='FalconForCausalLM',
    words={'vocab_size': 60, 'hidden_size': 32, 'num_hidden_layers': 2, 'num_attention_heads': 4},
    inputs=IDS,
    always={'use_cache': False},
)
decoder('mixtral', cls='MixtralForCausalLM', words={**LLAMA, 'num_local_experts': 4}, inputs=IDS, always={'use_cache': False})
decoder(
    'mamba',
    cls='MambaForCausalLM',
    words={'vocab_size': 60, 'hidden_size': 32, 'num_hidden_layers': 2, 'state_size': 4},
    inputs={'input_ids': 'i50 batch seq'},
    always={'use_cache': False},
)
decoder(
    'llama_embeds',
    cls='LlamaModel',
    words=LLAMA,
    inputs={'inputs_embeds': 'f batch seq 32', 'position_ids': 'pos batch seq'},
    always={'use_cache': False},
)
decoder(
    'llama_eager_cache',
    cls='LlamaForCausalLM',
    words={**LLAMA, 'attn_implementation': 'eager'},
    inputs=cached(heads=2),
    run=with_cache,
    outputs=tuple,
    **PAST,
)

T5 = {'vocab_size': 60, 'd_model': 32, 'd_kv': 8, 'd_ff': 48, 'num_layers': 2, 'num_heads': 4}
BART = {**LAYERS, 'vocab_size': 60, 'max_position_embeddings': 64}
BOTH = {**IDS, 'decoder_input_ids': 'i50 batch target'}
TARGET = {'target': (5, 4, 8, 3)}
pair = partial(hub, family='seq2seq', always={'use_cache': False})
hub('t5_encoder', 'seq2seq', 'T5EncoderModel', T5, IDS)
pair('t5', cls='T5ForConditionalGeneration', words={**T5, 'decoder_start_token_id': 0}, inputs=BOTH, **TARGET)
pair('mt5_gated', cls='MT5ForConditionalGeneration', words={**T5, 'decoder_start_token_id': 0}, inputs=BOTH, **TARGET)
pair('bart', cls='BartForConditionalGeneration', words=BART, inputs=BOTH, **TARGET)
pair('marian', cls='MarianMTModel', words={**BART, 'pad_token_id': 55, 'decoder_start_token_id': 55}, inputs=BOTH, **TARGET)
pair('pegasus', cls='PegasusForConditionalGeneration', words=BART, inputs=BOTH, **TARGET)
pair('m2m', cls='M2M100ForConditionalGeneration', words=BART, inputs=BOTH, **TARGET)


def t5_decode(inner, input_ids, encoder_hidden, encoder_mask, **past):
    """One step of T5's decoder with its own cache and the encoder's."""
    from transformers import DynamicCache, EncoderDecoderCache

    own, cross = DynamicCache(), DynamicCache()
    for i in range(2):
        own.update(past[f'key{i}'], past[f'value{i}'], i)
    out = inner.decoder(
        input_ids=input_ids,
        encoder_hidden_states=encoder_hidden,
        encoder_attention_mask=encoder_mask,
        past_key_values=EncoderDecoderCache(own, cross),
        use_cache=True,
    )
    layers = out.past_key_values.self_attention_cache.layers
    return (inner.lm_head(out[0]), *(t for layer in layers for t in (layer.keys, layer.values)))


STEP = {
    'input_ids': 'i50 batch 1',
    'encoder_hidden': 'f batch seq 32',
    'encoder_mask': 'mask batch seq',
    **{k: v for k, v in cached(heads=4).items() if k[:3] in ('key', 'val')},
}
hub('t5_decoder_cache', 'seq2seq', 'T5ForConditionalGeneration', T5, STEP, run=t5_decode, outputs=tuple, past=(5, 7, 3, 12))
