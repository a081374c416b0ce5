"""Models of transformers that hear, and those of time series."""

from functools import partial

from hub import LAYERS, TINY, hub

hear = partial(hub, family='audio')
WAVE = {'input_values': 'f batch samples'}
MASKED = {**WAVE, 'attention_mask': 'mask batch samples'}
SAMPLES = {'samples': (1600, 2000, 1200, 3333)}
CONV = {
    **TINY,
    'conv_dim': [8, 8, 8],
    'conv_kernel': [10, 3, 2],
    'conv_stride': [5, 2, 2],
    'num_feat_extract_layers': 3,
    'num_conv_pos_embeddings': 8,
    'num_conv_pos_embedding_groups': 2,
    'vocab_size': 30,
    'mask_time_prob': 0.0,
    'mask_feature_prob': 0.0,
}

hear('wav2vec2', cls='Wav2Vec2ForCTC', words=CONV, inputs=WAVE, **SAMPLES)
hear(
    'wav2vec2_mask',
    cls='Wav2Vec2Model',
    words={**CONV, 'feat_extract_norm': 'layer', 'do_stable_layer_norm': True},
    inputs=MASKED,
    **SAMPLES,
)
hear('hubert', cls='HubertModel', words=CONV, inputs=WAVE, **SAMPLES)
hear('hubert_mask', cls='HubertModel', words=CONV, inputs=MASKED, **SAMPLES)
hear('wavlm', cls='WavLMModel', words=CONV, inputs=WAVE, **SAMPLES)
hear('unispeech', cls='UniSpeechModel', words=CONV, inputs=WAVE, **SAMPLES)
hear('sew', cls='SEWModel', words={**CONV, 'squeeze_factor': 2}, inputs=WAVE, **SAMPLES)
hear('data2vec_audio', cls='Data2VecAudioModel', words=CONV, inputs=WAVE, **SAMPLES)
hear(
    'ast',
    cls='ASTModel',
    words={**TINY, 'max_length': 32, 'num_mel_bins': 32, 'patch_size': 8, 'time_stride': 6, 'frequency_stride': 6},
    inputs={'input_values': 'f batch 32 32'},
)

WHISPER = {
    **LAYERS,
    'vocab_size': 60,
    'num_mel_bins': 16,
    'max_source_positions': 20,
    'max_target_positions': 32,
    'pad_token_id': 0,
    'bos_token_id': 1,
    'eos_token_id': 2,
    'decoder_start_token_id': 1,
    'suppress_tokens': None,
    'begin_suppress_tokens': None,
}
hear(
    'whisper',
    cls='WhisperForConditionalGeneration',
    words=WHISPER,
    inputs={'input_features': 'f batch 16 40', 'decoder_input_ids': 'i50 batch seq'},
    always={'use_cache': False},
)
hear(
    'whisper_encoder',
    cls='WhisperModel',
    words=WHISPER,
    inputs={'input_features': 'f batch 16 40'},
    run=lambda inner, input_features: inner.encoder(input_features),
)
hear(
    'speech_to_text',
    cls='Speech2TextForConditionalGeneration',
    words={
        **LAYERS,
        'vocab_size': 60,
        'input_feat_per_channel': 16,
        'conv_channels': 24,
        'max_source_positions': 64,
        'max_target_positions': 32,
    },
    inputs={'input_features': 'f batch frames 16', 'attention_mask': 'mask batch frames', 'decoder_input_ids': 'i50 batch seq'},
    always={'use_cache': False},
    frames=(32, 40, 24, 36),
)
ENCODEC = {
    'num_filters': 4,
    'upsampling_ratios': [4, 2],
    'hidden_size': 16,
    'codebook_size': 16,
    'codebook_dim': 16,
    'num_lstm_layers': 1,
    'sampling_rate': 8000,
    'target_bandwidths': [4.0],
    'normalize': False,
}
hear(
    'encodec_encode',
    cls='EncodecModel',
    words=ENCODEC,
    inputs={'input_values': 'f batch 1 samples'},
    run=lambda inner, input_values: inner.encode(input_values, bandwidth=4.0).audio_codes,
    outputs=lambda out: out,
    samples=(160, 200, 120, 333),
)
hear(
    'encodec',
    cls='EncodecModel',
    words=ENCODEC,
    inputs={'input_values': 'f batch 1 samples'},
    run=lambda inner, input_values: inner(input_values, bandwidth=4.0).audio_values,
    outputs=lambda out: out,
    samples=(160, 200, 120, 333),
)
hear(
    'encodec_decoder',
    cls='EncodecModel',
    words=ENCODEC,
    inputs={'codes': 'f batch 16 frames'},
    run=lambda inner, codes: inner.decoder(codes),
    outputs=lambda out: out,
    frames=(12, 20, 9, 15),
)
hear(
    'speecht5',
    cls='SpeechT5HifiGan',
    config='SpeechT5HifiGanConfig',
    words={
        'model_in_dim': 8,
        'upsample_initial_channel': 16,
        'upsample_rates': [4, 2],
        'upsample_kernel_sizes': [8, 4],
        'resblock_kernel_sizes': [3],
        'resblock_dilation_sizes': [[1, 3]],
    },
    inputs={'spectrogram': 'f batch frames 8'},
    outputs=lambda out: out,
    frames=(12, 20, 9, 15),
)
hear(
    'clap_audio',
    cls='ClapAudioModel',
    words={
        'spec_size': 64,
        'num_mel_bins': 16,
        'window_size': 4,
        'patch_size': 4,
        'patch_stride': [4, 4],
        'depths': [1, 1],
        'num_attention_heads': [2, 2],
        'patch_embeds_hidden_size': 16,
        'hidden_size': 32,
        'enable_fusion': False,
    },
    inputs={'input_features': 'f batch 1 256 16'},
)

series = partial(hub, family='series')
PATCH = {
    'num_input_channels': 3,
    'context_length': 32,
    'patch_length': 4,
    'patch_stride': 4,
    'd_model': 16,
    'num_attention_heads': 2,
    'num_hidden_layers': 2,
    'ffn_dim': 24,
    'prediction_length': 8,
}
series(
    'patchtst',
    cls='PatchTSTForPrediction',
    words=PATCH,
    inputs={'past_values': 'f batch 32 3'},
    outputs=lambda out: out['prediction_outputs'] if 'prediction_outputs' in out else out[0],
)
series(
    'patchtst_model',
    cls='PatchTSTModel',
    words=PATCH,
    inputs={'past_values': 'f batch 32 3'},
    outputs=lambda out: out['last_hidden_state'],
)
series(
    'patchtsmixer',
    cls='PatchTSMixerForPrediction',
    words={
        'context_length': 32,
        'patch_length': 4,
        'patch_stride': 4,
        'num_input_channels': 3,
        'd_model': 16,
        'num_layers': 2,
        'prediction_length': 8,
    },
    inputs={'past_values': 'f batch 32 3'},
    outputs=lambda out: out['prediction_outputs'] if 'prediction_outputs' in out else out[0],
)
series(
    'time_series',
    cls='TimeSeriesTransformerModel',
    words={
        **LAYERS,
        'prediction_length': 6,
        'context_length': 12,
        'lags_sequence': [1, 2],
        'num_time_features': 2,
        'input_size': 1,
    },
    inputs={
        'past_values': 'f batch 14',
        'past_time_features': 'f batch 14 2',
        'past_observed_mask': 'fmask batch 14',
        'future_values': 'f batch 6',
        'future_time_features': 'f batch 6 2',
    },
    outputs=lambda out: out['last_hidden_state'],
    always={'use_cache': False},
)
