"""Cases of the attention operators of com.microsoft."""


def _heads(c):
    n, h = c.one(2, 3), c.one(4, 8)
    return n, h, n * h


def attention(c, op='Attention'):
    quantized = op == 'QAttention'
    b, s, d, p = c.sizes(4)
    n, h, width = _heads(c)
    v = width
    past = c.chance(0.4)
    total = s + (p if past else 0)
    sizes = None
    if not quantized and not past and c.chance(0.3):
        v = n * c.one(2, 5)
        sizes = [width, width, v]
    merged = 2 * width + v
    kind = c.one('none', 'raw', 'index', 'both', '3d')
    unidirectional = c.one(None, 1)
    mask = {'none': '', 'raw': ([b, total], None), 'index': ([b], None), 'both': ([2 * b], None),
            '3d': ([b, s, total], None)}[kind]
    values = {'index': [1], 'both': [1]}.get(kind)
    mask = c.x(mask[0], 'int32', 1, 1, values=values) if mask else ''
    if quantized:
        ins = [c.x([b, s, d], 'uint8', 0, 9), c.x([d, merged], 'uint8', 0, 9), c.x([merged]), c.x([]),
               c.x(c.one([], [merged])), mask, c.x([], 'uint8', 0, 3), c.x([], 'uint8', 0, 3),
               c.x([2, b, n, p, h]) if past else '']
        return c.node(op, ins, (True, past), num_heads=n, unidirectional=unidirectional)
    bias = c.x([c.one(b, 1), c.one(n, 1), s, total]) if not past and c.chance(0.4) else ''
    ins = [c.x([b, s, d]), c.x([d, merged]), c.x([merged]), mask, c.x([2, b, n, p, h]) if past else '', bias]
    return c.node(op, ins, (True, past or c.chance(0.3)), num_heads=n, unidirectional=unidirectional,
                  qkv_hidden_sizes=sizes)


def qattention(c):
    return attention(c, 'QAttention')


def multi_head(c):
    b, s, t, p = c.sizes(4)
    n, h, width = _heads(c)
    form = c.one('separate', 'separate', 'separate', 'past', 'past', 'cross')
    vwidth = n * c.one(h, 3) if form in ('separate',) else width
    if form == 'packed':
        bias = ''
        ins = [c.x([b, s, n, 3, h]), '', '', bias]
        length = total = s
        vh = h
    elif form == 'kv':
        ins = [c.x([b, s, width]), c.x([b, t, n, 2, h]), '', '']
        length = total = t
        vh = h
    elif form == 'cross':
        ins = [c.x([b, s, width]), c.x([b, n, t, h]), c.x([b, n, t, h]), '']
        length = total = t
        vh = h
    else:
        ins = [c.x([b, s, width]), c.x([b, t, width]), c.x([b, t, vwidth]), c.maybe([2 * width + vwidth])]
        length, total, vh = t, t + (p if form == 'past' else 0), vwidth // n
    mask = c.one('none', 'none', 'raw', '3d', 'index')
    ins.append({'none': lambda: '', 'raw': lambda: c.x([b, total], 'int32', 1, 1),
                '3d': lambda: c.x([b, s, total], 'int32', 1, 1),
                'index': lambda: c.x([b], 'int32', 1, 1)}[mask]())
    ins.append(c.x([c.one(b, 1), c.one(n, 1), s, total]) if c.chance(0.4) else '')
    if form == 'past':
        ins += [c.x([b, n, p, h]), c.x([b, n, p, vh])]
    present = form == 'past' or form == 'separate' and c.chance(0.3)
    return c.node('MultiHeadAttention', ins, (True, present, present), num_heads=n, unidirectional=c.one(None, 1))


def grouped(c, op='GroupQueryAttention'):
    b, s, p = c.sizes(3)
    kv = c.one(1, 2)
    n, h = kv * c.one(1, 2, 3), 16
    packed = c.chance(0.3)
    past = c.chance(0.6)
    prompt = not past or c.chance(0.5)
    if not prompt:
        s = 1
    room = p + s + c.one(0, 2) if past else 0
    total = s if prompt else p + 1
    rotary = c.chance(0.4)
    if packed:
        ins = [c.x([b, s, (n + 2 * kv) * h]), '', '']
    else:
        ins = [c.x([b, s, n * h]), c.x([b, s, kv * h]), c.x([b, s, kv * h])]
    ins += [c.x([b, kv, room, h]), c.x([b, kv, room, h])] if past else ['', '']
    ins += [c.x([b], 'int32', values=[total - 1]), c.x(c.one([1], []), 'int32', values=[total])]
    most = max(total, room)
    ins += [c.x([most + 3, h // 2]), c.x([most + 3, h // 2])] if rotary else ['', '']
    ins += [c.x([b, s], 'int64', 0, 1) if c.chance(0.3) else '']
    ins += [c.x([c.one(b, 1), c.one(n, 1), s, total]) if c.chance(0.4) else '']
    ins += [c.x([n]) if c.chance(0.3) else '']
    return c.node(op, ins, 3, num_heads=n, kv_num_heads=kv, do_rotary=1 if rotary else None)


def sparse(c):
    b, s = c.sizes(2)
    kv = c.one(1, 2)
    n, h, block = kv * 2, 16, 16
    packed = c.chance(0.3)
    most = 32
    rotary = c.chance(0.3)
    layouts = c.one(1, 2)
    if packed:
        ins = [c.x([b, s, (n + 2 * kv) * h]), '', '']
    else:
        ins = [c.x([b, s, n * h]), c.x([b, s, kv * h]), c.x([b, s, kv * h])]
    ins += [c.x([b, kv, most, h]), c.x([b, kv, most, h])]
    ins += [c.x([layouts, 3], 'int32', values=[0, 1, 3]), c.x([layouts, 3], 'int32', values=[0, 0, 1])]
    ins += [c.x([1], 'int32', values=[s]), c.x([b], 'int32', values=[s])]
    ins += [c.x([most, h // 2]), c.x([most, h // 2])] if rotary else []
    c.alias = {'o0_1': ins[3], 'o0_2': ins[4]}
    return c.node('SparseAttention', ins, 3, num_heads=n, kv_num_heads=kv, sparse_block_size=block,
                  do_rotary=1 if rotary else None)


def decoder(c):
    b, p = c.sizes(2)
    n, h, width = _heads(c)
    form = c.one('self', 'self', 'cross')
    if form == 'cross':
        t = c.size()
        ins = [c.x([b, 1, width]), c.x([b, n, t, h]), c.x([b, n, t, h]), c.x([b, t], 'int32', 1, 1) if c.chance(0.4)
               else '', '', '', '', '', '', '', c.maybe([3 * width])]
        return c.node('DecoderMaskedMultiHeadAttention', ins, (True, False, False), num_heads=n)
    ins = [c.x([b, 1, width]), c.x([b, 1, width]), c.x([b, 1, width])]
    ins += [c.x([b, p + 1], 'int32', 1, 1) if c.chance(0.4) else '']
    ins += [c.x([c.one(1, b), c.one(1, n), 1, p + 1]) if c.chance(0.4) else '']
    share = True
    room = p + 2 if share else p
    ins += [c.x([b, n, room, h]), c.x([b, n, room, h]), c.x([1], 'int32', values=[p]) if share else '', '', '',
            c.maybe([3 * width])]
    return c.node('DecoderMaskedMultiHeadAttention', ins, 3, num_heads=n,
                  past_present_share_buffer=1 if share else None)


def rotary(c):
    b, s = c.sizes(2)
    n, h, width = _heads(c)
    most = s + c.one(0, 5)
    part = c.chance(0.3)
    half = 2 if part else h // 2
    four = c.chance(0.4)
    x = c.x([b, n, s, h] if four else [b, s, width])
    heads = n if part or c.chance(0.6) else None
    if heads is None and not four:
        half = h // 2
    at = c.x([1], 'int64', 0, 0) if c.chance(0.4) else c.x([b, s], 'int64', 0, 1)
    return c.node('RotaryEmbedding', [x, at, c.x([most, half]), c.x([most, half])], num_heads=heads,
                  rotary_embedding_dim=2 * half if part else None)


def mrotary(c):
    b, s = c.sizes(2)
    n, h = c.one(2, 3), 8
    most = s + c.one(0, 5)
    x = c.x([b, n, s, h] if c.chance(0.4) else [b, s, n * h])
    return c.node('MRotaryEmbedding', [x, c.x([3, b, s], 'int64', 0, 1), c.x([most, h // 2]), c.x([most, h // 2])],
                  num_heads=n, mrope_section=c.one([2, 1, 1], [1, 1, 2]))


def linear(c):
    b, t = c.sizes(2)
    kv = c.one(1, 2)
    n, dk, dv = kv * c.one(1, 2), 4, 3
    rule = c.one('linear', 'gated', 'delta', 'gated_delta')
    ins = [c.x([b, t, n * dk]), c.x([b, t, kv * dk]), c.x([b, t, kv * dv]), c.maybe([b, kv, dk, dv]),
           c.x([b, t, c.one(kv, kv * dk)]) if 'gated' in rule else '',
           c.x([b, t, c.one(kv, 1)]) if 'delta' in rule else '']
    return c.node('LinearAttention', ins, 2, q_num_heads=n, kv_num_heads=kv, update_rule=rule)


def linear_gate(c):
    b, t, h = c.sizes(3)
    both = c.chance()
    return c.node('LinearAttentionGate', [c.x([b, t, h]), c.x([h]), c.x([h]), c.x([b, t, h]) if both else ''],
                  (True, both))


CASES = {'Attention': attention, 'QAttention': qattention, 'MultiHeadAttention': multi_head,
         'GroupQueryAttention': grouped, 'SparseAttention': sparse, 'DecoderMaskedMultiHeadAttention': decoder,
         'RotaryEmbedding': rotary, 'MRotaryEmbedding': mrotary, 'LinearAttention': linear,
         'LinearAttentionGate': linear_gate}
