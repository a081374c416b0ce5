"""Models of torchvision, narrow and shallow where their constructors allow it."""

from functools import partial

from spec import add

IMAGE = {'x': 'f batch 3 H W'}
SQUARE = {'x': 'f batch 3 64 64'}
KEEP = {'weights': None, 'num_classes': 7}


def load():
    """torchvision, with its compiled operators in Python where they do not load beside this torch."""
    import operators  # noqa: F401

    import torchvision

    return torchvision


def classify(name, inputs=None, sizes=None, **words):
    add(name, 'torchvision', lambda: getattr(load().models, name)(**KEEP, **words), inputs or IMAGE, **(sizes or {}))


for name in (
    'squeezenet1_0',
    'mnasnet0_5',
    'shufflenet_v2_x0_5',
    'mobilenet_v2',
    'mobilenet_v3_small',
    'mobilenet_v3_large',
    'efficientnet_b0',
    'regnet_y_400mf',
    'regnet_x_400mf',
    'resnet18',
):
    classify(name)


def narrow(name, width, wide):
    """Classifiers with two wide hidden layers, which would be half a gigabyte."""
    import torch

    module = getattr(load().models, name)(**KEEP)
    module.classifier = torch.nn.Sequential(torch.nn.Linear(wide, width), torch.nn.ReLU(), torch.nn.Linear(width, 7))
    return module


add('alexnet', 'torchvision', partial(narrow, 'alexnet', 16, 256 * 36), SQUARE)
add('vgg11', 'torchvision', partial(narrow, 'vgg11', 16, 512 * 49), SQUARE)
add('vgg11_sizes', 'torchvision', partial(narrow, 'vgg11', 16, 512 * 49), IMAGE)
classify('googlenet', init_weights=False, aux_logits=False)
classify('inception_v3', sizes={'H': (96, 128, 112, 80), 'W': (96, 80, 112, 128)}, init_weights=False, aux_logits=False)


def resnext():
    resnet = load().models.resnet
    return resnet.ResNet(resnet.Bottleneck, [1, 1, 1, 1], num_classes=7, groups=4, width_per_group=8)


def densenet():
    return load().models.DenseNet(growth_rate=8, block_config=(2, 2, 2, 2), num_init_features=16, num_classes=7)


def convnext():
    module = load().models.convnext
    rows = [module.CNBlockConfig(16, 32, 1), module.CNBlockConfig(32, 64, 1), module.CNBlockConfig(64, None, 1)]
    return module.ConvNeXt(rows, num_classes=7)


def vit():
    return load().models.VisionTransformer(64, 16, 2, 4, 32, 64, num_classes=7)


def swin(version):
    module = load().models.swin_transformer
    words = {'block': module.SwinTransformerBlockV2, 'downsample_layer': module.PatchMergingV2} if version == 2 else {}
    return module.SwinTransformer([4, 4], 16, [2, 2], [2, 4], [4, 4], num_classes=7, **words)


def maxvit():
    return load().models.MaxVit((64, 64), 16, 2, [16, 32], [1, 1], 8, stochastic_depth_prob=0.0, num_classes=7)


def mvit(version):
    module = load().models.video.mvit
    rows = [
        module.MSBlockConfig(
            num_heads=h, input_channels=i, output_channels=o, kernel_q=[3, 3, 3], kernel_kv=[3, 3, 3], stride_q=q, stride_kv=k
        )
        for h, i, o, q, k in (
            (1, 16, 16, [1, 1, 1], [1, 4, 4]),
            (2, 16, 32, [1, 2, 2], [1, 2, 2]),
            (2, 32, 32, [1, 1, 1], [1, 2, 2]),
        )
    ]
    more = dict(
        residual_pool=version == 2, residual_with_cls_embed=version == 1, rel_pos_embed=version == 2, proj_after_attn=version == 2
    )
    return module.MViT((32, 32), 4, rows, **more, num_classes=7)


for name, build in (('resnext', resnext), ('densenet', densenet), ('convnext', convnext)):
    add(name, 'torchvision', build, IMAGE)
add('vit', 'torchvision', vit, SQUARE)
add('swin', 'torchvision', partial(swin, 1), IMAGE)
add('swin_v2', 'torchvision', partial(swin, 2), IMAGE)
add('swin_odd', 'torchvision', partial(swin, 1), IMAGE, H=(60, 72, 52, 99), W=(56, 90, 61, 84))
add('maxvit', 'torchvision', maxvit, SQUARE)
CLIP = {'x': 'f batch 3 4 32 32'}
add('mvit_v1', 'video', partial(mvit, 1), CLIP)
add('mvit_v2', 'video', partial(mvit, 2), CLIP)

VIDEO = {'x': 'f batch 3 frames H W'}
SMALL = {'frames': (4, 6, 8, 5), 'H': (32, 48, 40, 36), 'W': (32, 40, 32, 48)}


def video(name, inputs=VIDEO, **sizes):
    add(name, 'video', lambda: getattr(load().models.video, name)(weights=None, num_classes=7), inputs, **(sizes or SMALL))


for name in ('r3d_18', 'mc3_18', 'r2plus1d_18'):
    video(name)


def swin3d():
    return load().models.video.SwinTransformer3d([2, 4, 4], 16, [2, 2], [2, 4], [2, 4, 4], num_classes=7)


add('swin3d', 'video', swin3d, VIDEO, **SMALL)


def last(out):
    return out['out']


def segment(name, **words):
    add(
        name,
        'segmentation',
        lambda: getattr(load().models.segmentation, name)(weights=None, weights_backbone=None, num_classes=7, **words),
        IMAGE,
        outputs=last,
    )


segment('fcn_resnet50')
segment('deeplabv3_resnet50')
segment('deeplabv3_mobilenet_v3_large')
segment('lraspp_mobilenet_v3_large')


def boxes(out):
    return tuple(t for item in out for t in item.values())


def detect(name, sizes=None, **words):
    add(
        name,
        'detection',
        lambda: Listed(getattr(load().models.detection, name)(weights=None, weights_backbone=None, num_classes=5, **words)),
        {'x': 'u 3 H W'},
        outputs=boxes,
        **(sizes or {'H': (96, 128, 80, 100), 'W': (128, 96, 144, 120)}),
    )


def Listed(inner):
    """A detector takes a list of images."""
    import torch

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner([x])

    return Module()


SHORT = {'min_size': 64, 'max_size': 128}
detect('fasterrcnn_mobilenet_v3_large_320_fpn', **SHORT)
detect('fasterrcnn_resnet50_fpn', **SHORT)
detect('maskrcnn_resnet50_fpn', **SHORT)
detect('keypointrcnn_resnet50_fpn', num_keypoints=4, **SHORT)
detect('retinanet_resnet50_fpn', **SHORT)
detect('fcos_resnet50_fpn', **SHORT)
detect('ssd300_vgg16')
detect('ssdlite320_mobilenet_v3_large')


def raft():
    return Flow(load().models.optical_flow.raft_small(weights=None))


def Flow(inner):
    import torch

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, a, b):
            return self.inner(a, b, num_flow_updates=2)[-1]

    return Module()


add('raft', 'flow', raft, {'a': 'u batch 3 H W', 'b': 'u batch 3 H W'}, H=(128, 136, 144, 160), W=(136, 152, 128, 144))
