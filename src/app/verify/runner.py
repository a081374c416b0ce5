# axed verify runs this in the user's Python: python3 -B -c SCRIPT FIRST MODEL..., with a plan (JSON, see
# script.c) on standard input, of which it makes the runs from FIRST on.  Results are lines of words on standard output; results.c reads them.
import sys

sys.path[:] = [place for place in sys.path if place]  # nothing is imported from the current folder

import json  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import time  # noqa: E402

answers = os.dup(1)
os.dup2(2, 1)  # libraries may print


def quote(word):
    text = ''
    for byte in str(word).encode('utf-8', 'backslashreplace')[:4000]:
        plain = 32 <= byte < 127 and chr(byte) not in '"\\'
        text += chr(byte) if plain else '\\x%02x' % byte
    return '"' + text + '"'


def tell(*words):
    line = (' '.join(quote(word) for word in words) + '\n').encode()
    while line:
        line = line[os.write(answers, line):]


def leave(*words):
    tell(*words)
    os._exit(0)


if sys.version_info < (3, 7):
    leave('old', '%d.%d' % sys.version_info[:2])
try:
    import numpy as np
except ImportError as failure:
    leave('missing', 'numpy', str(failure) if 'No module' not in str(failure) else '')
try:
    import onnxruntime as ort
except ImportError as failure:
    leave('missing', 'onnxruntime', str(failure) if 'No module' not in str(failure) else '')

TOLERANCES = {'float64': 1e-6, 'float32': 1e-3, 'float16': 2e-2, 'bfloat16': 1e-1, 'complex64': 1e-3,
              'complex128': 1e-6}
SMALLEST = 1e-4  # what counts as zero beside ordinary numbers
BATCH_BYTES = 256 << 20  # of tensors that one run may return


class Failure(Exception):
    def __init__(self, text, verdict='failed'):
        super().__init__(text)
        self.verdict = verdict


# ---- messages of ONNX Runtime ----

SOURCE = r'(?:Exception during initialization: )?\S*\.(?:cc|h|hpp|cpp|cu|cuh):\d+ '
SIGNATURE = r'(?:[^()]*?\((?:[^()]|\([^()]*\))*\)(?: const)? )?'


def one_line(failure):
    """Its sentence with the node that it is about, without places in its source."""
    text = ' '.join(str(failure).split())
    text = re.sub(r'\[ONNXRuntimeError\] : \d+ : \w+ : ', '', text)
    text = re.sub(r'^Load model from .*? failed: ?', '', text)
    node = ''
    found = re.search(r"[Rr]unning (\S+) node\. Name:'([^']*)' (?:Status Message: )?", text)
    if found:
        node = (found.group(1) + ' ' + found.group(2)).strip() + ': '
        text = text[found.end():]
    text = re.sub('^' + SOURCE + SIGNATURE, '', text)
    text = re.sub(r'^.{0,120}? was false\. ', '', text)
    return (node + text)[:300] or type(failure).__name__


# ---- sessions ----

def varint(number):
    out = b''
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def read_bytes(path, descriptor):
    with os.fdopen(os.dup(descriptor), 'rb') if descriptor is not None else open(path, 'rb') as file:
        file.seek(0)
        return file.read()


def more_outputs(names):
    """To append to a model: a message that is written in two parts is one message."""
    return field(7, b''.join(field(12, field(1, name.encode())) for name in names)) if names else b''


def open_session(path, descriptor, more):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    given = path
    if more or descriptor is not None:
        given = read_bytes(path, descriptor) + more_outputs(more)
        options.add_session_config_entry('session.model_external_initializers_file_folder_path',
                                         os.path.dirname(os.path.abspath(path)))
    return ort.InferenceSession(given, options, providers=['CPUExecutionProvider'])


# ---- inputs ----

def truths(random, shape):
    """0 and 1, different in each row; a row starts with a 1, so that no row has none."""
    values = random.integers(0, 2, shape)
    if values.ndim:
        values[..., :1] = 1
    else:
        values = np.array(1)
    return values


def make(tensor, shape, most, random):
    kind, dtype = tensor['kind'], tensor['type']
    if kind == 'text':
        words = random.integers(0, 1000, shape)
        return np.array(['w%d' % w for w in words.reshape(-1)], dtype=object).reshape(shape)
    if kind == 'normal':
        values = random.standard_normal(shape)
        if dtype.startswith('complex'):
            values = values + 1j * random.standard_normal(shape)
        return np.asarray(values).astype(dtype)
    if kind == 'truth' or (kind == 'number' and most is None):
        return truths(random, shape).astype(dtype)
    if kind == 'byte' and most is None:
        limits = np.iinfo(dtype)
        return np.asarray(random.integers(limits.min, limits.max + 1, shape)).astype(dtype)
    if kind == 'position':
        last = shape[-1] if shape else 1
        rising = np.broadcast_to(np.arange(last), shape) if shape else np.array(0)
        return (rising % (most + 1) if most is not None else rising).astype(dtype)
    return np.asarray(random.integers(0, most + 1, shape)).astype(dtype)


# ---- comparing ----

class Comparison:
    """Of all outputs of a run: the element with the largest difference, in units of what is allowed."""

    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.worst = -1.0
        self.difference = 0.0
        self.place = ''
        self.values = ('', '')
        self.unequal = 0
        self.total = 0

    def add(self, name, a, b):
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            if len(a) != len(b):
                raise Failure('%s has %d elements, not %d' % (name, len(b), len(a)), 'unequal')
            for i, pair in enumerate(zip(a, b)):
                self.add('%s{%d}' % (name, i), *pair)
        elif isinstance(a, dict) and isinstance(b, dict):
            if sorted(a) != sorted(b):
                raise Failure('%s has other keys' % name, 'unequal')
            for key in a:
                self.add('%s{%s}' % (name, key), a[key], b[key])
        elif a is None or b is None:
            if (a is None) != (b is None):
                raise Failure('%s is present in one only' % name, 'unequal')
        else:
            self.add_arrays(name, np.asarray(a), np.asarray(b))

    def add_arrays(self, name, a, b):
        if a.dtype != b.dtype:
            raise Failure('%s is %s, not %s' % (name, b.dtype, a.dtype), 'unequal')
        if a.shape != b.shape:
            raise Failure('%s is %s, not %s' % (name, list(b.shape), list(a.shape)), 'unequal')
        self.total += a.size
        if not a.size:
            return
        excess, difference = self.excess(a, b)
        self.unequal += int(np.count_nonzero(excess > 1))
        at = int(np.argmax(excess))
        if float(excess[at]) > self.worst:
            index = np.unravel_index(at, a.shape)
            self.worst = float(excess[at])
            self.difference = float(difference[at])
            self.place = name + ('[%s]' % ', '.join(str(int(i)) for i in index) if index else '')
            self.values = ('%.7g' % a[index], '%.7g' % b[index]) if a.dtype.kind == 'f' else (a[index], b[index])

    def excess(self, a, b):
        a, b = a.reshape(-1), b.reshape(-1)
        kind = a.dtype.name
        if kind not in TOLERANCES:
            unequal = a != b
            if a.dtype.kind in 'iu':
                difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
            else:
                difference = unequal.astype(np.float64)
            return np.where(unequal, np.maximum(difference, 1) * 2, 0.0), difference
        wide = np.complex128 if a.dtype.kind == 'c' else np.float64
        a, b = a.astype(wide), b.astype(wide)
        with np.errstate(all='ignore'):
            finite = np.abs(a[np.isfinite(a)])
            size = np.sqrt(np.mean(finite ** 2)) if finite.size else 0.0
            allowed = (self.tolerance or TOLERANCES[kind]) * (np.abs(a) + max(size, SMALLEST))
            difference = np.abs(a - b)
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            excess = np.where(same, 0.0, difference / allowed)
        excess[~same & ~np.isfinite(excess)] = np.inf
        return excess, np.where(same, 0.0, difference)


# ---- runs ----

def check_shape(name, value, wanted):
    if wanted is None or value is None or isinstance(value, (list, tuple, dict)):
        return
    shape = list(np.shape(value))
    if len(shape) != len(wanted) or any(w is not None and w != s for s, w in zip(shape, wanted)):
        told = ', '.join('?' if w is None else str(w) for w in wanted)
        raise Failure('%s is %s, but axed predicts [%s]' % (name, shape, told), 'shape')


class Runner:
    def __init__(self, plan):
        self.plan = plan
        self.sessions = []

    def open(self):
        models = sys.argv[2:]
        for i, path in enumerate(models):
            last = i + 1 == len(models)
            try:
                self.sessions.append(open_session(path, self.plan['bytes'] if last else None,
                                                  self.plan['more'] if last else []))
            except Exception as failure:
                leave('unloadable', i, one_line(failure))

    def inputs(self, number, run):
        feeds = {}
        for i, tensor in enumerate(self.plan['inputs']):
            random = np.random.default_rng([self.plan['seed'], number, i])
            feeds[tensor['name']] = make(tensor, run['shapes'][i], run['most'][i], random)
        return feeds

    def call(self, which, feeds, names):
        try:
            return self.sessions[which].run(names, feeds)
        except Exception as failure:
            raise Failure(('AB'[which] + ': ' if len(self.sessions) > 1 else '') + one_line(failure))

    def outputs(self, side):
        return [output[side] for output in self.plan['outputs']]

    def more(self, feeds, run):
        """Every other tensor has the shape that is predicted; a few of them at a time."""
        batch, room = [], 0
        for i, name in enumerate(self.plan['more']):
            shape = run['more'][i]
            size = 8
            for dim in shape or []:
                size *= dim or 1
            if batch and room + size > BATCH_BYTES:
                self.check(batch, feeds)
                batch, room = [], 0
            batch.append((name, shape))
            room += size
        self.check(batch, feeds)

    def check(self, batch, feeds):
        if batch:
            values = self.call(len(self.sessions) - 1, feeds, [name for name, _ in batch])
            for (name, shape), value in zip(batch, values):
                check_shape(name, value, shape)

    def by_items(self, run, feeds, compare, got):
        """The original on groups of items, put together along the axis that has them."""
        parts = []
        group, count = run['group'], run['count']
        for start in range(0, count, group):
            chosen = [min(start + i, count - 1) for i in range(group)]
            some = {}
            for tensor, axis in zip(self.plan['inputs'], run['input_axes']):
                value = feeds[tensor['name']]
                some[tensor['name']] = value if axis is None else np.take(value, chosen, axis)
            values = self.call(0, some, self.outputs('a'))
            kept = range(min(group, count - start))
            parts.append([None if axis is None else np.take(value, kept, axis)
                          for value, axis in zip(values, run['output_axes'])])
        for i, axis in enumerate(run['output_axes']):
            if axis is not None:
                whole = np.concatenate([part[i] for part in parts], axis)
                compare.add(self.plan['outputs'][i]['name'], whole, got[i])

    def run(self, number, run):
        feeds = self.inputs(number, run)
        compare = Comparison(self.plan['tolerance'])
        before = self.call(0, feeds, self.outputs('a')) if run['kind'] == 'same' else None
        got = self.call(len(self.sessions) - 1, feeds, self.outputs('b'))
        for output, value, wanted in zip(self.plan['outputs'], got, run['expected']):
            check_shape(output['name'], value, wanted)
        self.more(feeds, run)
        if before is not None:
            for i, output in enumerate(self.plan['outputs']):
                compare.add(output['name'], before[i], got[i])
        if run['kind'] == 'items':
            self.by_items(run, feeds, compare, got)
        return compare

    def run_all(self):
        first = int(sys.argv[1])
        for number, run in enumerate(self.plan['runs'][first:], first):
            tell('begin', number)
            start = time.monotonic()
            try:
                c = self.run(number, run)
            except Failure as failure:
                tell(failure.verdict, number, failure)
                continue
            except MemoryError:
                tell('failed', number, 'out of memory')
                continue
            words = ['%.3g' % c.difference, c.place, c.values[0], c.values[1], c.unequal, c.total]
            tell('differs' if c.worst > 1 else 'done', number, '%.3f' % (time.monotonic() - start), *words)


tell('hello', '%d.%d.%d' % sys.version_info[:3], ort.__version__, np.__version__)
runner = Runner(json.loads(sys.stdin.buffer.read().decode('utf-8')))
runner.open()
tell('open')
runner.run_all()
leave('end')
