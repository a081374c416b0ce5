"""Small modules of the kinds that people paste into questions: pictures."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from modules import case

IMAGE = {'x': 'f batch 3 H W'}
SMALL = {'H': (16, 24, 32, 20), 'W': (24, 16, 28, 36)}
ODD = {'H': (16, 21, 33, 18), 'W': (24, 17, 26, 37)}


@case(IMAGE, **SMALL)
class Unfold_Patches(nn.Module):
    def forward(self, x):
        return F.unfold(x, 4, stride=4).transpose(1, 2)


@case(IMAGE, **ODD)
class Unfold_Overlap(nn.Module):
    def forward(self, x):
        return F.unfold(x, 3, padding=1, stride=2)


@case({'x': 'f batch 12 64'})
class Fold_Back(nn.Module):
    def forward(self, x):
        return F.fold(x, (16, 16), 2, stride=2)


@case(IMAGE, **ODD)
class Interpolate_Scale(nn.Module):
    def forward(self, x):
        y = F.interpolate(x, scale_factor=0.5, mode='nearest')
        return F.interpolate(y, scale_factor=2.0, mode='bilinear', align_corners=False)


@case({'x': 'f batch 3 H W', 'y': 'f batch 3 h w'}, **SMALL, h=(4, 5, 8, 7), w=(6, 7, 9, 5))
class Interpolate_Size(nn.Module):
    def forward(self, x, y):
        return x + F.interpolate(y, size=x.shape[-2:], mode='bilinear', align_corners=True)


@case(IMAGE, **ODD)
class Interpolate_Fixed(nn.Module):
    def forward(self, x):
        return F.interpolate(x, size=(20, 20), mode='bicubic').flatten(1)


@case(IMAGE, **SMALL)
class Windows_Roll(nn.Module):
    """Shifted windows of 4 x 4."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 3)

    def forward(self, x):
        b, c, h, w = x.shape
        y = torch.roll(x, (-2, -2), (2, 3))
        y = y.view(b, c, h // 4, 4, w // 4, 4).permute(0, 2, 4, 3, 5, 1).reshape(-1, 16, c)
        y = self.mix(y).view(b, h // 4, w // 4, 4, 4, c).permute(0, 5, 1, 3, 2, 4).reshape(b, c, h, w)
        return torch.roll(y, (2, 2), (2, 3))


@case({'x': 'f batch H W 3'}, **ODD)
class Windows_Padded(nn.Module):
    """Windows of 4 x 4 of a picture that is padded to a multiple."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 3)

    def forward(self, x):
        b, h, w, c = x.shape
        down, right = (4 - h % 4) % 4, (4 - w % 4) % 4
        y = F.pad(x, (0, 0, 0, right, 0, down))
        _, hp, wp, _ = y.shape
        y = torch.roll(y, (-2, -2), (1, 2))
        y = y.view(b, hp // 4, 4, wp // 4, 4, c).transpose(2, 3).reshape(-1, 16, c)
        y = self.mix(y).view(b, hp // 4, wp // 4, 4, 4, c).transpose(2, 3).reshape(b, hp, wp, c)
        return torch.roll(y, (2, 2), (1, 2))[:, :h, :w].contiguous()


def double(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(), nn.Conv2d(b, b, 3, padding=1), nn.ReLU())


@case(IMAGE, **SMALL)
class UNet(nn.Module):
    """Needs sizes that are multiples of 4."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = double(3, 4), double(4, 8), double(8, 16)
        self.up2, self.up1 = nn.ConvTranspose2d(16, 8, 2, 2), nn.ConvTranspose2d(8, 4, 2, 2)
        self.d, self.e = double(16, 8), double(8, 4)

    def forward(self, x):
        a = self.a(x)
        b = self.b(F.max_pool2d(a, 2))
        c = self.c(F.max_pool2d(b, 2))
        d = self.d(torch.cat([b, self.up2(c)], 1))
        return self.e(torch.cat([a, self.up1(d)], 1))


@case(IMAGE, **ODD)
class UNet_Padded(nn.Module):
    """Pads what was pooled away."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = double(3, 4), double(4, 8), double(12, 4)

    def forward(self, x):
        a = self.a(x)
        b = F.interpolate(self.b(F.max_pool2d(a, 2)), scale_factor=2.0, mode='nearest')
        dy, dx = a.size(2) - b.size(2), a.size(3) - b.size(3)
        return self.c(torch.cat([a, F.pad(b, (dx // 2, dx - dx // 2, dy // 2, dy - dy // 2))], 1))


@case(IMAGE, **SMALL)
class Autoencoder(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv2d(3, 8, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(8, 4, 3, 2, 1),
            nn.ReLU(),
            nn.ConvTranspose2d(4, 8, 3, 2, 1, output_padding=1),
            nn.ReLU(),
            nn.ConvTranspose2d(8, 3, 4, 2, 1),
            nn.Sigmoid(),
        )


@case({'x': 'f batch 1 28 28'})
class LeNet(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv2d(1, 4, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 8, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(128, 10),
        )


@case({'x': 'f batch 1 H W'}, H=(28, 29, 28, 30), W=(28, 28, 31, 29))
class LeNet_Sizes(LeNet):
    """Any size is declared, but the linear layer takes 28 to 31 only."""


@case(IMAGE, **ODD)
class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj, self.cls = nn.Conv2d(3, 8, 4, 4), nn.Parameter(torch.zeros(1, 1, 8))

    def forward(self, x):
        y = self.proj(x).flatten(2).transpose(1, 2)
        return torch.cat([self.cls.expand(x.shape[0], -1, -1), y], 1)


@case(IMAGE, **SMALL)
class Positions_Resized(nn.Module):
    """A table of positions, resized to the picture's grid."""

    def __init__(self):
        super().__init__()
        self.proj, self.table = nn.Conv2d(3, 8, 4, 4), nn.Parameter(torch.randn(1, 16, 8))

    def forward(self, x):
        y = self.proj(x)
        grid = self.table.reshape(1, 4, 4, 8).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=y.shape[-2:], mode='bicubic', align_corners=False)
        return (y + grid).flatten(2).transpose(1, 2)


@case({'x': 'f batch 1 8', 'k': 'f batch 16 8', 'at': 'i16 1'})
class Cache_Static(nn.Module):
    """A cache of fixed length, written in place."""

    def forward(self, x, k, at):
        k = k.index_copy(1, at, x)
        return (x @ k.transpose(1, 2)).softmax(-1) @ k, k


@case(IMAGE, **ODD)
class Squeeze_Excite(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.a, self.b = nn.Conv2d(3, 8, 3, padding=1), nn.Linear(8, 2), nn.Linear(2, 8)

    def forward(self, x):
        y = self.conv(x)
        scale = torch.sigmoid(self.b(F.relu(self.a(y.mean((2, 3))))))
        return y * scale[:, :, None, None]


@case(IMAGE, H=(16, 16, 32, 48), W=(24, 24, 48, 16))
class Pixel_Shuffle(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 12, 3, padding=1)

    def forward(self, x):
        return F.pixel_unshuffle(F.pixel_shuffle(self.conv(x), 2), 4)


@case(IMAGE, **ODD)
class Pyramid(nn.Module):
    """Feature pyramid: each level is resized to the one above."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 2, 1)

    def forward(self, x):
        a = self.a(x)
        b = self.b(a)
        c = self.c(b)
        b = b + F.interpolate(c, size=b.shape[-2:], mode='nearest')
        return a + F.interpolate(b, size=a.shape[-2:], mode='nearest'), b, c


@case(IMAGE, **ODD)
class Pool_Pyramid(nn.Module):
    """Spatial pyramid pooling."""

    def forward(self, x):
        sizes = x.shape[-2:]
        y = [x, F.max_pool2d(x, 5, 1, 2), F.max_pool2d(x, 9, 1, 4), x.mean((2, 3), keepdim=True).expand(-1, -1, *sizes)]
        return torch.cat(y, 1)


@case(IMAGE, **SMALL)
class Ceil_Pool(nn.Module):
    def forward(self, x):
        return F.avg_pool2d(F.max_pool2d(x, 3, 2, ceil_mode=True), 3, 2, 1, count_include_pad=False)


@case({'x': 'f batch 3 H W', 'grid': 'u batch h w 2'}, **SMALL, h=(5, 6, 7, 8), w=(6, 5, 9, 7))
class Grid_Sample(nn.Module):
    def forward(self, x, grid):
        return F.grid_sample(x, grid * 2 - 1, align_corners=False)


@case(IMAGE, **SMALL)
class Anchors(nn.Module):
    """A grid of anchors, as detectors make it."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 12, 3, 4, 1)

    def forward(self, x):
        y = self.conv(x)
        b, _, h, w = y.shape
        rows, columns = torch.meshgrid(torch.arange(h), torch.arange(w), indexing='ij')
        grid = torch.stack([columns, rows], -1).reshape(1, 1, h, w, 2).float()
        y = y.view(b, 3, 4, h, w).permute(0, 1, 3, 4, 2)
        return torch.cat([(y[..., :2].sigmoid() + grid) * 4, y[..., 2:].exp()], -1).view(b, -1, 4)


@case({'x': 'f batch 3 H W'}, **SMALL)
class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.InstanceNorm2d(3), nn.GroupNorm(1, 3), nn.LayerNorm(3)

    def forward(self, x):
        return self.b(self.a(x)), self.c(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), F.normalize(x, dim=1)
