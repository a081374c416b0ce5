"""axed export to HTML, in a real browser: panning, search, details; and no name in a model ever runs as a script.

Without Chromium, only the file itself is tested.
"""

import atexit
import base64
import hashlib
import html.parser
import json
import os
import re
import sys

import chrome
import tap
from tap import check, equal, model, read, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

WIDTH, HEIGHT = 1200, 800
EVIL = [b'</script><script>alert(1)</script>', b'<img src=http://example.invalid/x onerror=alert(1)>', b'"><svg onload=alert(1)>',
        b'javascript:alert(1)', b"' onclick='alert(1)", b'<!--<script>', b'</style><style>*{display:none}</style>', b'</title><b>x',
        b'\\u003cscript>', b'&lt;script&gt;', b']]><script>alert(1)</script>', b'</text></svg><iframe src=http://example.invalid>',
        b'\x1b]0;x\x07', b'\xff\xfe', '\u202e\u2028\u2029'.encode(), b'__proto__', b'${alert(1)}']
browsers = []


def page(source, *words, stdin=b''):
    """A page in its own folder."""
    place = tap.folder()
    path = os.path.join(place.name, 'm.html')
    code, out, err = run('export', source, '-o', path, '--quiet', *words, stdin=stdin)
    equal((code, out, err), (0, b'', b''), f'{source} {words}')
    return place, path


def evil_model():
    nodes = [b.node(b'Relu', [n], [b'out ' + n], name=b'/' + n + b'/' + n) for n in EVIL]
    nodes += [b.node(n, [b'out ' + n], [b'more ' + n], name=b'', domain=n, text=n) for n in EVIL]
    return b.model(b.graph('g', nodes, [b.value(n, b.tensor_type(b.FLOAT, [b.dim(n), 3])) for n in EVIL],
                           [b.value(b'more ' + n, b.tensor_type(b.FLOAT, [])) for n in EVIL]), opset={'': 17, **{n: 1 for n in EVIL}})


class Tags(html.parser.HTMLParser):
    """The elements and attributes of a page, as a browser parses it."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def browser():
    if not chrome.find():
        raise tap.Skip('no Chromium is installed')
    if not browsers:
        browsers.append(chrome.Chrome(WIDTH, HEIGHT))
        atexit.register(browsers[0].close)
    return browsers[0]


class Opened:
    """A page in the browser; at the end there must be no request and no complaint."""

    def __init__(self, source, *words, stdin=b''):
        self.place, self.path = page(source, *words, stdin=stdin)
        self.chrome = browser()

    def __enter__(self):
        self.chrome.open(self.path)
        return self.chrome

    def __exit__(self, *_):
        self.chrome.rested()
        equal(self.chrome.requests, ['file://' + self.path], 'what the page asks for')
        equal(self.chrome.complaints, [], 'what the browser says')
        self.place.cleanup()


def view(c):
    """x, y and scale of the drawing."""
    text = c.run('document.querySelector("svg").style.transform')
    return [float(n) for n in re.findall(r'-?[\d.]+(?:e-?\d+)?', text)]


def frame(c, what='#stage'):
    return c.run(f'(r => [r.x, r.y, r.width, r.height])(document.querySelector({json.dumps(what)}).getBoundingClientRect())')


def node(c, name):
    """The screen rectangle of the box with a name: left, top, width, height."""
    return c.run(f'''(name => {{
        for (const g of document.querySelectorAll("g.node"))
            if ((g.querySelector("title") || {{}}).textContent === name) {{
                const r = g.querySelector("rect, path").getBoundingClientRect();
                return [r.x, r.y, r.width, r.height];
            }}
    }})({json.dumps(name)})''')


def middle(box):
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def near(got, wanted, by=2.0):
    return all(abs(g - w) <= by for g, w in zip(got, wanted))


def text(c, what):
    return c.run(f'document.querySelector({json.dumps(what)}).textContent')


# ---- the file ----

def data_of(path):
    return json.loads(re.search(rb'<script id="data" type="application/json">(.*?)</script>', read(path), re.S)[1])


def test_bodies_have_boxes_of_their_own():
    """Each box of the drawing has its item, and each tensor in a body an item there that gives it."""
    for name, body, ops in (('if.onnx', '0.else_branch', ['Mul', 'Neg']), ('loop.onnx', '0.body', ['Add', 'Identity', 'Identity', 'ReduceMean'])):
        place, path = page(model(name))
        items = data_of(path)['items']
        equal(sorted(int(n) for n in re.findall(rb'data-item="(\d+)"', read(path))), list(range(len(items))), f'{name}: boxes')
        inside = [i for i in items if i.get('graph') == body]
        equal(sorted(i['title'] for i in inside if i['kind'] == 'node'), ops, f'{name}: nodes')
        given = {items[v[2]].get('graph') for i in inside if i['kind'] == 'node' for v in i['in'] if v[2] >= 0}
        equal(given, {body}, f'{name}: who gives what a node of the body reads')
        place.cleanup()



def test_the_policy_names_the_script_and_the_style():
    place, path = page(model('demo.onnx'))
    text = read(path)
    policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1].decode()
    found = {}
    for tag, key in (('script', 'script-src'), ('style', 'style-src')):
        bodies = re.findall(rf'<{tag}>(.*?)</{tag}>'.encode(), text, re.S)
        equal(len(bodies), 1, f'{tag}: only ours')
        found[key] = f"'sha256-{base64.b64encode(hashlib.sha256(bodies[0]).digest()).decode()}'"
    rules = dict(rule.strip().split(' ', 1) for rule in policy.split(';'))
    equal(rules, {'default-src': "'none'", **found, 'base-uri': "'none'", 'form-action': "'none'"}, 'policy')
    check(text.index(b'Content-Security-Policy') < text.index(b'<style'), 'it comes before all that it is about')
    check(b' style=' not in text.split(b'<svg')[1].split(b'</svg>')[0], 'no style that the policy would forbid')
    check(not re.search(rb'(?:href|src)\s*=', text.split(b'<script>')[0]), 'no reference to anything')
    check(place.name.encode() not in text and tap.MODELS.encode() not in text, 'where the model was is told to nobody')
    place.cleanup()


def test_names_stay_text():
    place, path = page('-', '--whole', stdin=evil_model())
    text = read(path)
    equal(text.count(b'<script'), 2, 'the data and the script')
    equal(text.count(b'</script'), 2, 'and their ends')
    data = re.search(rb'<script id="data" type="application/json">(.*?)</script>', text, re.S)[1]
    check(b'<' not in data, 'the data has nothing that could end it')
    items = json.loads(data)['items']
    for part in ('</script><script>alert(1)</script>', "' onclick='alert(1)", '\\xff\\xfe', '__proto__'):
        check(any(part in i['name'] for i in items), f'{part} is there as text')
    tags = Tags(text.decode())
    equal({name for name in tags.attributes if name.startswith('on') or name in ('style', 'src', 'href', 'xlink:href')}, set(), 'attributes')
    equal(tags.names - set('html head meta title style body header h1 p div input output button aside main script'.split()) -
          set('svg g title rect path text tspan'.split()), set(), 'elements')
    place.cleanup()


def test_tensors_and_attributes_are_told_as_in_the_inspector():
    place, path = page(model('attributes.onnx'), '--whole')
    data = re.search(rb'<script id="data" type="application/json">(.*?)</script>', read(path), re.S)[1]
    told = {name: value for item in json.loads(data)['items'] for name, value in item.get('attributes', [])}
    for name, value in {'i': '-7', 's': '"text"', 't': 'float32 [2] 1, 2', 'g': '1 node', 'floats': '[1.5, -0, inf, nan]'}.items():
        equal(told[name], value, name)
    place.cleanup()
    place, path = page(model('demo.onnx'), '--whole')
    data = re.search(rb'<script id="data" type="application/json">(.*?)</script>', read(path), re.S)[1]
    types = {v[0]: v[1] for item in json.loads(data)['items'] for v in item['in'] + item['out']}
    equal(types['embeddings.word.weight'], 'float32 [32, 16]', 'a weight')
    equal(types['/embeddings/Constant_1_output_0'], 'int64 [] = 1', 'a small constant')
    place.cleanup()


# ---- in the browser ----


def test_nothing_runs_and_nothing_is_loaded():
    for words in (('--whole',), ()):
        with Opened('-', *words, stdin=evil_model()) as c:
            check(c.run('document.querySelectorAll("script").length') == 2 and not c.run('document.querySelector("img, iframe, b, object")'),
                  'elements that nobody asked for')
            for name in ('<img', 'script', '__proto__', '\\xff'):
                c.key('/')
                c.type(name)
                check(re.match(r'\d+ found', text(c, '#count')), f'{name}: {text(c, "#count")}')
                c.key('Enter')
                check(not c.run('document.querySelector("aside").hidden'), 'details')
                c.key('Escape')
                c.key('Escape')
    with Opened(model('hostile_names.onnx')):
        pass


def test_searching():
    with Opened(model('demo.onnx'), '--whole') as c:
        c.key('/')
        equal(c.run('document.activeElement.id'), 'query', '/ goes to the search')
        c.type('SOFTMAX')
        wanted = re.match(r'(\d+) found', text(c, '#count'))
        check(wanted and int(wanted[1]) > 1, f'found: {text(c, "#count")}')
        c.key('Enter')
        equal(text(c, '#count'), f'1 of {wanted[1]}', 'the first')
        first = text(c, 'aside .name')
        stage, box = frame(c), node(c, first)
        check(near(middle(box), middle(stage)), f'in the middle: {box} of {stage}')
        mark = frame(c, 'path.current')
        check(near(middle(mark), middle(box)) and mark[2] >= box[2], f'marked: {mark} around {box}')
        check(c.run('[...document.querySelectorAll("path.found")].map(p => p.getAttribute("d")).join("").split("z").length - 1') >= 1, 'all are marked')
        c.key('Enter')
        equal(text(c, '#count'), f'2 of {wanted[1]}', 'the second')
        check(text(c, 'aside .name') != first, 'another one')
        c.key('Enter', shift=True)
        equal((text(c, '#count'), text(c, 'aside .name')), (f'1 of {wanted[1]}', first), 'back')
        c.key('Enter', shift=True)
        equal(text(c, '#count'), f'{wanted[1]} of {wanted[1]}', 'and around')
        c.key('Escape')
        equal((text(c, '#count'), c.run('document.querySelector("#query").value')), ('', ''), 'Esc empties it')
        for part, what in (('[batch, seq, 16]', 'a shape'), ('ids', 'a tensor'), ('layernormalization', 'an operator')):
            c.type(part)
            check('found' in text(c, '#count'), f'{what}: {text(c, "#count")}')
            c.key('Escape')
        c.type('there is no such thing')
        equal((text(c, '#count'), c.run('document.querySelector("#next").disabled')), ('no match', True), 'nothing')


def test_what_is_folded_is_found():
    with Opened(tap.shared('models', 'gpt12.onnx')) as c:
        c.key('/')
        c.type('/b.7/Softmax')
        equal(text(c, '#count'), '1 found', 'inside a fold')
        c.key('Enter')
        check('/b.7/Softmax' in text(c, 'aside li.hit'), 'and named there')


def test_moving():
    with Opened(model('demo.onnx'), '--whole') as c:
        start, (left, top, width, height) = view(c), frame(c)
        x, y = left + 100, top + 300
        c.wheel(x, y, -200)
        near_view = view(c)
        check(near_view[2] > start[2] * 1.1, f'the wheel zooms: {start} {near_view}')
        for axis, at in ((0, x - left), (1, y - top)):
            before, after = (at - start[axis]) / start[2], (at - near_view[axis]) / near_view[2]
            check(abs(before - after) < 1, f'what is below the pointer stays: {before} {after}')
        c.wheel(x, y, 200)
        check(near(view(c), start, 0.5), 'and back')
        c.drag(left + 50, top + 400, 120, -70)
        check(near(view(c), [start[0] + 120, start[1] - 70, start[2]], 1), f'dragged: {start} {view(c)}')
        check(c.run('document.querySelector("aside").hidden'), 'a drag is no click')
        c.key('0')
        check(near(view(c), start, 0.1), '0 is the beginning')
        for key, axis, sign in (('ArrowRight', 0, -1), ('ArrowLeft', 0, 1), ('ArrowDown', 1, -1), ('ArrowUp', 1, 1)):
            before = view(c)
            c.key(key)
            check((view(c)[axis] - before[axis]) * sign > 10, key)
        c.key('+')
        check(view(c)[2] > start[2] * 1.2, '+')
        c.key('-')
        check(near(view(c)[2:], start[2:], 0.01), '-')
        c.key('f')
        equal(view(c)[2] < start[2], True, 'f shows all of it')
        box = frame(c, 'svg')
        check(box[1] >= top - 1 and box[1] + box[3] <= top + height + 1, f'all: {box}')
        for button, bigger in (('#nearer', True), ('#farther', False)):
            before = view(c)[2]
            c.click(*middle(frame(c, button)))
            equal(view(c)[2] > before, bigger, button)
        c.click(*middle(frame(c, '#scale')))
        check(near(view(c), start, 0.1), 'the scale is a button too')
        for _ in range(60):
            c.key('ArrowLeft')
        box = frame(c, 'svg')
        check(box[0] < left + width and box[0] + box[2] > left, 'it never leaves the window')


def test_fingers():
    with Opened(model('demo.onnx'), '--whole') as c:
        start, (left, top, *_) = view(c), frame(c)
        c.touch('Start', (left + 300, top + 300), (left + 400, top + 300))
        for wide in (120, 160, 200):
            c.touch('Move', (left + 350 - wide / 2, top + 300), (left + 350 + wide / 2, top + 300))
        c.touch('End')
        c.rested()
        check(abs(view(c)[2] / start[2] - 2) < 0.1, f'a pinch: {start} {view(c)}')


def test_details():
    with Opened(model('pinned_reshape.onnx')) as c:
        c.click(*middle(node(c, '/Reshape')))
        shown = text(c, 'aside')
        for part in ('Reshape', '/Reshape', 'batch_size', 'float32 [3, 10]', 'int64 [2] = [3, 10]', 'pin', 'can only be 3', 'Read by'):
            check(part in shown, f'{part!r} in {shown!r}')
        check(frame(c, 'path.chosen')[2] > 0 and frame(c, 'path.wire')[3] > 0, 'the box and its lines are marked')
        c.run('[...document.querySelectorAll("aside .go")].find(b => b.textContent === "input").click()')
        c.rested()
        equal(text(c, 'aside h2'), 'input', 'a tensor leads to who gives it')
        check(near(middle(node(c, 'input')), middle(frame(c))), 'and there')
        c.key('Escape')
        check(c.run('document.querySelector("aside").hidden'), 'Esc closes it')
        c.click(frame(c)[0] + 5, frame(c)[1] + 5)
        check(c.run('document.querySelector("aside").hidden'), 'beside the boxes there is nothing')
    with Opened(model('demo.onnx')) as c:
        c.key('/')
        c.type('Softmax')
        c.key('Enter')
        check('axis' in text(c, 'aside') or 'Inside' in text(c, 'aside'), 'attributes, or what is inside')


def test_every_model_opens():
    for name in ('empty_graph', 'function_only', 'types', 'if', 'cycle', 'duplicate_names', 'empty_names', 'sequence_map', 'training'):
        with Opened(model(name + '.onnx')):
            pass


def chain(count):
    nodes = [b.node('Relu' if i % 7 else 'Softmax', f't{i}', f't{i + 1}', name=f'/block.{i // 50}/op.{i}') for i in range(count)]
    return b.model(b.graph('g', nodes, [b.floats('t0', 'N', 4)], [b.floats(f't{count}', 'N', 4)]))


def test_twenty_thousand_nodes():
    with Opened('-', '--whole', stdin=chain(20000)) as c:
        took = c.run('''(() => {
            const query = document.querySelector("#query"), times = [];
            for (const text of ["softmax", "relu", "op.19", "[n, 4]"]) {
                query.value = text;
                const start = performance.now();
                query.dispatchEvent(new Event("input"));
                times.push(performance.now() - start);
            }
            return Math.min(...times);
        })()''')
        check(took < 100, f'a search takes {took:.0f} ms')
        c.key('/')
        c.run('document.querySelector("#query").select()')
        c.type('/op.17500')
        c.key('Enter')
        check(near(middle(node(c, '/block.350/op.17500')), middle(frame(c))), 'far down')
        there = c.run('document.querySelectorAll("g.node").length')
        check(there < 500, f'{there} boxes are in the document while {HEIGHT} pixels are seen')
        c.key('Escape')
        c.key('Escape')
        c.key('f')
        check(c.run('document.querySelectorAll("path.boxes").length') > 0, 'from afar a plan')
        equal(c.run('document.querySelectorAll("g.node").length'), 0, 'and no boxes')


def test_paper_has_everything():
    with Opened('-', '--whole', stdin=chain(400)) as c:
        c.key('f')
        equal(c.run('document.querySelectorAll("g.node").length'), 0, 'from afar')
        c.run('dispatchEvent(new Event("beforeprint"))')
        equal(c.run('[document.querySelectorAll("g.node").length, document.querySelectorAll("path.boxes").length]'), [402, 0], 'on paper')
        c.run('dispatchEvent(new Event("afterprint"))')
        c.rested()
        equal(c.run('document.querySelectorAll("g.node").length'), 0, 'and again')


def test_paper_and_darkness():
    with Opened(model('demo.onnx')) as c:
        light = c.picture()
        c.ask('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
        c.rested()
        check(c.picture() != light, 'dark is another picture')
        back = c.run('getComputedStyle(document.body).backgroundColor')
        check(max(int(n) for n in re.findall(r'\d+', back)[:3]) < 60, back)
        c.ask('Emulation.setEmulatedMedia', media='print', features=[])
        c.rested()
        equal(c.run('[getComputedStyle(document.querySelector("#find")).display, getComputedStyle(document.querySelector("svg")).transform]'),
              ['none', 'none'], 'on paper: no search, and the drawing where it belongs')
        c.ask('Emulation.setEmulatedMedia', media='', features=[])
        check(base64.b64decode(c.ask('Page.printToPDF')['data']).startswith(b'%PDF'), 'it can be printed')


tap.main(globals())
