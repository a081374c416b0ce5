"""Declares torchvision's operators in Python where its compiled library does not load.

Import it before torchvision.  The results need not be right, only their shapes: an export traces them.
"""

import sys

import torch

SCHEMAS = (
    'nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor',
    'roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,'
    ' int sampling_ratio, bool aligned) -> Tensor',
    'roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)',
    'ps_roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,'
    ' int sampling_ratio) -> (Tensor, Tensor)',
    'ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)',
    'deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w,'
    ' SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups,'
    ' bool use_mask) -> Tensor',
)


def nms(boxes, scores, threshold):
    low, high = torch.maximum(boxes[:, None, :2], boxes[:, :2]), torch.minimum(boxes[:, None, 2:], boxes[:, 2:])
    inter, area = (high - low).clamp(min=0).prod(2), (boxes[:, 2:] - boxes[:, :2]).prod(1)
    near = (inter / (area[:, None] + area - inter) > threshold).numpy()
    keep = []
    for i in scores.argsort(descending=True).tolist():
        if not near[i, keep].any():
            keep.append(i)
    return torch.tensor(keep, dtype=torch.int64)


def roi_align(input, rois, scale, height, width, ratio, aligned):
    return input.mean() + input.new_zeros(rois.shape[0], input.shape[1], height, width)


def loaded() -> bool:
    return True


def declare():
    library = torch.library.Library('torchvision', 'DEF')
    for schema in SCHEMAS:
        library.define(schema)
    library.impl('nms', nms, 'CPU')
    library.impl('roi_align', roi_align, 'CPU')
    register = torch.library.register_fake
    torch.library.register_fake = lambda name, *rest, **words: tolerant(register, name, rest, words)
    import torchvision  # noqa: F401

    torch.library.register_fake = register
    for name in ('torchvision.extension', 'torchvision.ops.roi_align'):
        sys.modules[name]._has_ops = loaded
    return library


def tolerant(register, name, rest, words):
    """Skips the operators that nobody declared."""
    known = any(schema.startswith(name.split('::')[1] + '(') for schema in SCHEMAS)
    return register(name, *rest, **words) if known else lambda function: function


try:
    import torchvision  # noqa: F401
except RuntimeError:
    for name in [m for m in sys.modules if m.startswith('torchvision')]:
        del sys.modules[name]
    LIBRARY = declare()
