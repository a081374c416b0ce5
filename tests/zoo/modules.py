"""Small modules of the kinds that people paste into questions: sequences, masks, caches, graphs."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from spec import add


def case(inputs, **sizes):
    """Registers a module class under its name in lower case."""

    def take(cls):
        add(cls.__name__.lower(), 'modules', cls, inputs, **sizes)
        return cls

    return take


FEATURES = {'x': 'f batch seq 8'}


@case({'x': 'f batch 8'})
class Linear_Stack(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(8, 16), nn.ReLU(), nn.BatchNorm1d(16), nn.Linear(16, 4), nn.Softmax(-1))


@case({'x': 'f batch seq 8', 'h': 'f 2 batch 6'})
class RNN_State(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(8, 6, 2, batch_first=True)

    def forward(self, x, h):
        return self.rnn(x, h)


@case({'x': 'f batch seq 8', 'h': 'f 1 batch 6', 'c': 'f 1 batch 6'})
class LSTM_State(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 6, batch_first=True)

    def forward(self, x, h, c):
        y, (h, c) = self.lstm(x, (h, c))
        return y[:, -1], h, c


@case(FEATURES)
class LSTM_Zeros(nn.Module):
    """The state is made of zeros in forward."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        h = torch.zeros(4, x.size(0), 6)
        y, _ = self.lstm(x, (h, h))
        return self.head(y[:, -1, :])


@case({'x': 'f seq batch 8'})
class GRU_Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 6, bidirectional=True)

    def forward(self, x):
        y, h = self.gru(x)
        return torch.cat([h[0], h[1]], 1), y.mean(0)


@case({'x': 'f batch seq 8', 'h': 'f batch 6'})
class GRU_Cells(nn.Module):
    """A loop over time in Python: the trace unrolls it."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 6)

    def forward(self, x, h):
        out = []
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            out.append(h)
        return torch.stack(out, 1)


@case({'x': 'f batch seq 8', 'mask': 'b batch seq'})
class Attention_Padding(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x, mask):
        return self.attend(x, x, x, key_padding_mask=~mask, need_weights=True)


@case({'x': 'f batch seq 8'})
class Attention_Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        size = x.size(1)
        mask = torch.triu(torch.full((size, size), float('-inf')), 1)
        return self.attend(x, x, x, attn_mask=mask, need_weights=False)[0]


@case({'q': 'f batch target 8', 'k': 'f batch source 8', 'mask': 'fmask target source'}, target=(5, 7, 3, 4), source=(6, 4, 9, 8))
class Attention_Cross(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 4, batch_first=True)

    def forward(self, q, k, mask):
        return self.attend(q, k, k, attn_mask=(1 - mask) * -10000.0)


@case({'x': 'f batch seq 8', 'mask': 'b batch seq'})
class Encoder_Layer(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x, mask):
        return self.encoder(x, src_key_padding_mask=~mask)


@case({'src': 'f batch source 8', 'tgt': 'f batch target 8'}, source=(6, 9, 4, 8), target=(5, 4, 7, 3))
class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        return self.inner(src, tgt, tgt_mask=mask)


@case({'ids': 'i20 batch seq'})
class Embedding_Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(20, 8), nn.Embedding(32, 8)

    def forward(self, ids):
        return self.words(ids) + self.places(torch.arange(ids.size(1)))


@case(FEATURES)
class Sinus_Positions(nn.Module):
    """A table of positions, cut to the length."""

    def __init__(self):
        super().__init__()
        place = torch.arange(64).unsqueeze(1)
        rate = torch.exp(torch.arange(0, 8, 2) * (-math.log(10000.0) / 8))
        table = torch.zeros(64, 8)
        table[:, 0::2], table[:, 1::2] = torch.sin(place * rate), torch.cos(place * rate)
        self.register_buffer('table', table)

    def forward(self, x):
        return x + self.table[: x.size(1)]


@case(FEATURES)
class Heads_By_Size(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, 2, c // 2).permute(2, 0, 3, 1, 4)
        y = (q @ k.transpose(-2, -1) / math.sqrt(4)).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, c))


@case({'x': 'f batch 6 8'})
class View_Constant(nn.Module):
    """The batch is free, the length is baked in by the author."""

    def forward(self, x):
        return x.view(-1, 48).relu().view(-1, 2, 24).sum(1)


@case(FEATURES)
class View_Seq_Constant(nn.Module):
    """The author bakes in the sequence of 6: dynamic in name only."""

    def forward(self, x):
        return x.reshape(-1, 6, 4, 2).transpose(1, 2).sum(3)


@case({'x': 'f batch 6 8'})
class View_Batch_Constant(nn.Module):
    """The author bakes in the batch of 2."""

    def forward(self, x):
        return x.view(2, -1).relu()


@case(FEATURES)
class Flatten_Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        y = self.fc(x.flatten(0, 1))
        return y.view(x.shape[0], x.shape[1], 5).mean((1, 2))


@case({'x': 'f batch seq 8'}, seq=(12, 16, 20, 9))
class Tensor_Unfold(nn.Module):
    def forward(self, x):
        return x.unfold(1, 4, 2).mean(-1)


@case(
    {'x': 'f batch seq 8', 'k': 'f batch 2 past 4', 'v': 'f batch 2 past 4', 'mask': 'mask batch past+seq'},
    past=(5, 7, 3, 12),
    seq=(4, 2, 1, 3),
)
class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x, k, v, mask):
        b, n, _ = x.shape
        q, nk, nv = (t.view(b, n, 2, 4).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        k, v = torch.cat([k, nk], 2), torch.cat([v, nv], 2)
        total = k.size(2)
        causal = torch.ones(total, total, dtype=torch.bool).tril()[total - n :]
        allowed = causal[None, None] & mask[:, None, None].bool()
        y = (q @ k.transpose(2, 3)).masked_fill(~allowed, -1e9).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, 8)), k, v


@case(FEATURES)
class Rotary(nn.Module):
    def forward(self, x):
        rate = 1.0 / 10000 ** (torch.arange(0, 8, 2).float() / 8)
        angle = torch.outer(torch.arange(x.size(1)).float(), rate)
        angle = torch.cat([angle, angle], -1)
        a, b = x[..., :4], x[..., 4:]
        return x * angle.cos() + torch.cat([-b, a], -1) * angle.sin()


@case(FEATURES)
class Relative_Bias(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Embedding(31, 2)

    def forward(self, x):
        n = x.size(1)
        place = torch.arange(n)
        bias = self.bias((place[None] - place[:, None]).clamp(-15, 15) + 15).permute(2, 0, 1)
        return (x @ x.transpose(1, 2))[:, None] + bias


@case({'x': 'f batch seq 8', 'lengths': 'i4 batch'})
class Mask_From_Lengths(nn.Module):
    def forward(self, x, lengths):
        mask = torch.arange(x.size(1))[None] < (lengths[:, None] + 1)
        return (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


@case({'x': 'f batch seq 8', 'mask': 'b batch seq'})
class Masked_Fill(nn.Module):
    def forward(self, x, mask):
        scores = x.sum(-1).masked_fill(~mask, float('-inf'))
        return (scores.softmax(-1)[..., None] * x).sum(1)


@case({'x': 'f batch seq 8', 'mask': 'b batch seq'})
class Masked_Select(nn.Module):
    """The size depends on data."""

    def forward(self, x, mask):
        return x[mask] * 2


@case({'x': 'f batch seq'}, seq=(16, 20, 18, 24))
class Top_K(nn.Module):
    def forward(self, x):
        values, at = x.topk(5, dim=1)
        return values, torch.gather(x, 1, at), x.sort(dim=1)[0]


@case({'x': 'f batch seq 8'})
class Padded_Conv(nn.Module):
    """A causal convolution over time."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(8, 8, 3, dilation=2)

    def forward(self, x):
        return self.conv(F.pad(x.transpose(1, 2), (4, 0))).transpose(1, 2)


@case({'x': 'f batch samples'}, samples=(160, 200, 100, 333))
class Frames(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv1d(1, 8, 10, 5), nn.Conv1d(8, 8, 3, 2)
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x):
        return self.norm(self.b(F.gelu(self.a(x[:, None])))).transpose(1, 2)


@case({'x': 'f batch samples'}, samples=(160, 200, 128, 333))
class Spectrum(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('window', torch.hann_window(32))

    def forward(self, x):
        y = torch.stft(x, 32, 16, window=self.window, center=False, return_complex=False, onesided=True)
        return y.pow(2).sum(-1)


@case({'x': 'f batch seq 8', 'y': 'f batch other 8'}, other=(4, 7, 3, 6))
class Pairwise(nn.Module):
    def forward(self, x, y):
        pairs = torch.cat([x[:, :, None].expand(-1, -1, y.size(1), -1), y[:, None].expand(-1, x.size(1), -1, -1)], -1)
        return pairs.sum(-1), torch.cdist(x, y), torch.einsum('bnd,bmd->bnm', x, y)


@case({'x': 'f batch nodes 8', 'adjacency': 'u batch nodes nodes'}, nodes=(7, 9, 4, 6))
class Graph_Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 5)

    def forward(self, x, adjacency):
        adjacency = adjacency + torch.eye(x.size(1))
        degree = adjacency.sum(-1, keepdim=True).rsqrt()
        return F.relu((adjacency * degree * degree.transpose(1, 2)) @ self.fc(x))


@case({'x': 'f nodes 8', 'edges': 'i4 2 links'}, nodes=(7, 9, 4, 6), links=(10, 12, 8, 5))
class Message_Passing(nn.Module):
    def forward(self, x, edges):
        out = torch.zeros_like(x).index_add(0, edges[1], x[edges[0]])
        return out / torch.ones(x.size(0), 1)


@case({'x': 'f batch seq 8'})
class Chunks(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, -1)
        c, d, e = x.split([2, 5, 1], -1)
        return F.glu(x, -1), a * b, torch.cat([e, c, d], -1), x.repeat(1, 2, 3), x.repeat_interleave(2, 1)


@case({'x': 'f batch seq 8'}, seq=(6, 10, 8, 12))
class Shift_Slices(nn.Module):
    def forward(self, x):
        half = x.size(1) // 2
        shifted = torch.cat([x[:, half:], x[:, :half]], 1)
        return x[:, 1:] - x[:, :-1], shifted, x[:, ::2], x.flip(1), x[:, -3:]


@case({'x': 'f batch seq 8'})
class State_Space(nn.Module):
    """A cumulative sum in place of a recurrence."""

    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.rand(8))

    def forward(self, x):
        return torch.cumsum(x * self.rate.exp(), 1) / torch.arange(1, x.size(1) + 1)[None, :, None]


@case({'x': 'f batch steps 3 8 8'}, steps=(3, 4, 2, 5))
class Frames_In_Batch(nn.Module):
    """Merges batch and time for a convolution, and takes them apart again."""

    def __init__(self):
        super().__init__()
        self.conv, self.lstm = nn.Conv2d(3, 4, 3, 2, 1), nn.LSTM(64, 6, batch_first=True)

    def forward(self, x):
        b, t = x.shape[:2]
        y = self.conv(x.view(b * t, *x.shape[2:])).view(b, t, -1)
        return self.lstm(y)[0][:, -1]


@case({'x': 'f batch samples 8'}, samples=(32, 64, 48, 16))
class Sampled(nn.Module):
    """Blocks of 8 along the sequence; needs a multiple of 8."""

    def forward(self, x):
        b, n, c = x.shape
        y = x.view(b, n // 8, 8, c).mean(2)
        return torch.repeat_interleave(y, 8, 1) + x


@case({'x': 'f batch seq 8'})
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.up = nn.Parameter(torch.randn(4, 8, 16))
        self.down = nn.Parameter(torch.randn(4, 16, 8))

    def forward(self, x):
        weight, chosen = self.gate(x).softmax(-1).topk(2, -1)
        dense = torch.zeros_like(self.gate(x)).scatter(-1, chosen, weight)
        hidden = torch.einsum('bnd,edh->bneh', x, self.up).relu()
        return torch.einsum('bneh,ehd,bne->bnd', hidden, self.down, dense)
