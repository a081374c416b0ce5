"""Models of transformers that look: pictures, detection, segmentation, pictures with text."""

from functools import partial

from hub import TEXT, TINY, hub, several

look = partial(hub, family='vision')
IMAGE, SQUARE = {'pixel_values': 'f batch 3 H W'}, {'pixel_values': 'f batch 3 64 64'}
VIT = {**TINY, 'image_size': 64, 'patch_size': 16}
FOUR = {'hidden_sizes': [8, 16, 24, 32], 'depths': [1] * 4}
PVT = {**FOUR, 'image_size': 64, 'num_attention_heads': [1, 2, 2, 4], 'mlp_ratios': [2] * 4}
STAGES = {'depths': [1, 1], 'hidden_sizes': [16, 32]}

look('hf_vit', cls='ViTModel', words=VIT, inputs=SQUARE)
look('hf_vit_resized', cls='ViTModel', words=VIT, inputs=IMAGE, always={'interpolate_pos_encoding': True})
look('deit', cls='DeiTModel', words=VIT, inputs=SQUARE)
look(
    'beit',
    cls='BeitModel',
    words={**VIT, 'use_relative_position_bias': True, 'use_shared_relative_position_bias': False},
    inputs=SQUARE,
)
look('beit_classify', cls='BeitForImageClassification', words={**VIT, 'use_relative_position_bias': True}, inputs=SQUARE)
look('dinov2', cls='Dinov2Model', words={**VIT, 'patch_size': 8, 'mlp_ratio': 2}, inputs=IMAGE)
look('dinov2_registers', cls='Dinov2WithRegistersModel', words={**VIT, 'patch_size': 8, 'mlp_ratio': 2}, inputs=IMAGE)
look('dinov3', cls='DINOv3ViTModel', words=VIT, inputs=IMAGE)
look(
    'dpt',
    cls='DPTForDepthEstimation',
    words={
        **VIT,
        'num_hidden_layers': 4,
        'backbone_out_indices': [0, 1, 2, 3],
        'neck_hidden_sizes': [8, 8, 16, 16],
        'fusion_hidden_size': 16,
        'is_hybrid': False,
    },
    inputs=SQUARE,
)
look(
    'segformer',
    cls='SegformerForSemanticSegmentation',
    words={
        'num_encoder_blocks': 2,
        'depths': [1, 1],
        'sr_ratios': [4, 2],
        'hidden_sizes': [16, 32],
        'patch_sizes': [7, 3],
        'strides': [4, 2],
        'num_attention_heads': [1, 2],
        'mlp_ratios': [2, 2],
        'decoder_hidden_size': 16,
    },
    inputs=IMAGE,
)
look(
    'glpn',
    cls='GLPNForDepthEstimation',
    words={
        'num_encoder_blocks': 4,
        'depths': [1] * 4,
        'sr_ratios': [8, 4, 2, 1],
        'hidden_sizes': [8, 16, 16, 32],
        'num_attention_heads': [1, 1, 2, 2],
        'mlp_ratios': [2] * 4,
        'decoder_hidden_size': 16,
    },
    inputs=IMAGE,
    H=(64, 96, 128, 96),
    W=(64, 64, 96, 128),
)
look(
    'mobilevit',
    cls='MobileViTModel',
    words={
        'hidden_sizes': [16, 24, 32],
        'neck_hidden_sizes': [8, 8, 16, 16, 24, 32, 48],
        'num_attention_heads': 2,
        'image_size': 64,
    },
    inputs=IMAGE,
    H=(64, 128, 192, 128),
    W=(64, 192, 128, 64),
)
look(
    'mobilevit_v2',
    cls='MobileViTV2Model',
    words={'width_multiplier': 0.25, 'image_size': 64, 'base_attn_unit_dims': [32, 48, 64], 'n_attn_blocks': [1, 1, 1]},
    inputs=IMAGE,
)
look(
    'hf_swin',
    cls='SwinModel',
    words={'image_size': 64, 'embed_dim': 16, 'depths': [2, 2], 'num_heads': [2, 4], 'window_size': 4},
    inputs=IMAGE,
)
look(
    'hf_swin_v2',
    cls='Swinv2Model',
    words={'image_size': 64, 'embed_dim': 16, 'depths': [2, 2], 'num_heads': [2, 4], 'window_size': 4},
    inputs=IMAGE,
)
look(
    'swin2sr',
    cls='Swin2SRForImageSuperResolution',
    words={'image_size': 32, 'embed_dim': 16, 'depths': [2, 1], 'num_heads': [2, 2], 'window_size': 4, 'upscale': 2},
    inputs=IMAGE,
    H=(32, 48, 40, 36),
    W=(32, 36, 48, 44),
)
look('hf_convnext', cls='ConvNextModel', words=FOUR, inputs=IMAGE)
look('convnext_v2', cls='ConvNextV2Model', words=FOUR, inputs=IMAGE)
look(
    'hf_resnet',
    cls='ResNetModel',
    words={'embedding_size': 8, 'hidden_sizes': [8, 16], 'depths': [1, 1], 'layer_type': 'basic'},
    inputs=IMAGE,
)
look(
    'hf_regnet',
    cls='RegNetModel',
    words={'embedding_size': 8, 'hidden_sizes': [8, 16], 'depths': [1, 1], 'groups_width': 8},
    inputs=IMAGE,
)
look('poolformer', cls='PoolFormerModel', words=FOUR, inputs=IMAGE)
look('pvt', cls='PvtModel', words=PVT, inputs=SQUARE)
look('pvt_v2', cls='PvtV2Model', words=PVT, inputs=IMAGE)
look(
    'levit',
    cls='LevitModel',
    words={
        'image_size': 64,
        'hidden_sizes': [16, 24, 32],
        'num_attention_heads': [2, 3, 4],
        'depths': [1, 1, 1],
        'key_dim': [8, 8, 8],
    },
    inputs=SQUARE,
)
look(
    'cvt',
    cls='CvtModel',
    words={'embed_dim': [8, 16, 32], 'num_heads': [1, 2, 4], 'depth': [1, 2, 3], 'mlp_ratio': [2.0, 2.0, 2.0]},
    inputs=IMAGE,
)
look('mobilenet_v1', cls='MobileNetV1Model', words={'depth_multiplier': 0.25}, inputs=IMAGE)
look('hf_mobilenet_v2', cls='MobileNetV2Model', words={'depth_multiplier': 0.25}, inputs=IMAGE)
look(
    'hf_efficientnet',
    cls='EfficientNetModel',
    words={'width_coefficient': 0.25, 'depth_coefficient': 0.25, 'hidden_dim': 320},
    inputs=IMAGE,
)
look(
    'focalnet',
    cls='FocalNetModel',
    words={
        'image_size': 64,
        'embed_dim': 8,
        'hidden_sizes': [8, 16],
        'depths': [1, 1],
        'focal_levels': [2, 2],
        'focal_windows': [3, 3],
    },
    inputs=IMAGE,
)
look('bit', cls='BitModel', words={'embedding_size': 8, 'hidden_sizes': [8, 16], 'depths': [1, 1], 'num_groups': 1}, inputs=IMAGE)
look(
    'vit_mae',
    cls='ViTMAEForPreTraining',
    words={
        **VIT,
        'decoder_hidden_size': 16,
        'decoder_num_hidden_layers': 1,
        'decoder_num_attention_heads': 2,
        'decoder_intermediate_size': 24,
    },
    inputs={**SQUARE, 'noise': 'u batch 16'},
    outputs=lambda out: out['logits'],
)
look(
    'superpoint',
    cls='SuperPointForKeypointDetection',
    words={'encoder_hidden_sizes': [8, 8, 16, 16], 'decoder_hidden_size': 16, 'descriptor_decoder_dim': 16},
    inputs={'pixel_values': 'f 1 3 H W'},
)
look('clip_vision', cls='CLIPVisionModel', words=VIT, inputs=SQUARE)
look(
    'clip',
    cls='CLIPModel',
    words={'text_config': {**TEXT, 'eos_token_id': 2, 'projection_dim': 16}, 'vision_config': VIT, 'projection_dim': 16},
    inputs={'input_ids': 'i50 texts seq', 'pixel_values': 'f images 3 64 64', 'attention_mask': 'mask texts seq'},
    texts=(2, 3, 1, 5),
    images=(3, 2, 4, 1),
    outputs=several('logits_per_image', 'logits_per_text', 'text_embeds'),
)
look('siglip_vision', cls='SiglipVisionModel', words=VIT, inputs=SQUARE)
look('siglip_resized', cls='SiglipVisionModel', words=VIT, inputs=IMAGE, always={'interpolate_pos_encoding': True})
look(
    'videomae',
    cls='VideoMAEModel',
    words={**VIT, 'image_size': 32, 'num_frames': 4, 'tubelet_size': 2},
    inputs={'pixel_values': 'f batch 4 3 32 32'},
)
look(
    'timesformer',
    cls='TimesformerModel',
    words={**VIT, 'image_size': 32, 'num_frames': 4},
    inputs={'pixel_values': 'f batch 4 3 32 32'},
)
look(
    'vivit',
    cls='VivitModel',
    words={**TINY, 'image_size': 32, 'num_frames': 4, 'tubelet_size': [2, 16, 16]},
    inputs={'pixel_values': 'f batch 4 3 32 32'},
)
look(
    'yolos',
    cls='YolosForObjectDetection',
    words={**VIT, 'image_size': [64, 64], 'num_detection_tokens': 5, 'use_mid_position_embeddings': False},
    inputs=IMAGE,
    outputs=several('logits', 'pred_boxes'),
)

BACKBONE = {
    'model_type': 'resnet',
    'embedding_size': 8,
    'hidden_sizes': [8, 16, 24, 32],
    'depths': [1] * 4,
    'layer_type': 'basic',
    'out_features': ['stage4'],
}
LAYERS = {
    'd_model': 32,
    'encoder_layers': 1,
    'decoder_layers': 1,
    'encoder_attention_heads': 4,
    'decoder_attention_heads': 4,
    'encoder_ffn_dim': 48,
    'decoder_ffn_dim': 48,
}


def detr(name, cls, pixel_mask=True, **more):
    """A detection transformer on a small residual network."""
    inputs = {**IMAGE, 'pixel_mask': 'mask batch H W'} if pixel_mask else IMAGE
    words = {
        **LAYERS,
        'num_queries': 6,
        'use_timm_backbone': False,
        'use_pretrained_backbone': False,
        'backbone': None,
        'backbone_config': BACKBONE,
        **more,
    }
    hub(name, 'vision', cls, words, inputs, outputs=several('logits', 'pred_boxes'))


detr('detr', 'DetrForObjectDetection')
detr('detr_whole', 'DetrForObjectDetection', pixel_mask=False)
detr('conditional_detr', 'ConditionalDetrForObjectDetection')
detr('table_transformer', 'TableTransformerForObjectDetection')
