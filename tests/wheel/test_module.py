"""The Python module against the program."""

import dataclasses
import doctest
import html.parser
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import typing

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = os.path.join(TOP, 'src', 'python')
sys.path[:0] = [MODULE, os.path.join(TOP, 'tests', 'cli')]
sys.dont_write_bytecode = True

import readme
import tap
import axed
from axed import program, records

# Documented elsewhere, as texts: a summary has more than the fields of Summary.
UNTYPED = {'version', 'model', 'count'}


def raised(kind, function, *words, **named):
    try:
        function(*words, **named)
    except kind as error:
        return error
    tap.check(False, f'{function.__name__} did not raise {kind.__name__}')
    return None


def names():
    return sorted(name for name in os.listdir(tap.MODELS) if name.endswith('.onnx'))


def test_examples():
    os.chdir(tap.MODELS)
    count = 0
    for name in ('axed', 'axed.commands', 'axed.notebook', 'axed.program', 'axed.records'):
        done = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
        tap.equal(done.failed, 0, f'failed examples of {name}')
        count += done.attempted
    tap.check(count >= 25, f'only {count} examples')


def test_pages():
    examples = [(page, text) for page in readme.PAGES for text in re.findall(r'^```python\n(.*?)^```\n', readme.text_of(page), re.S | re.M)]
    with tap.folder() as folder:
        for name in names():
            if os.path.isfile(tap.model(name)):
                shutil.copy(tap.model(name), folder)
        os.chdir(folder)
        for page, text in examples:
            test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
            runner = doctest.DocTestRunner()
            runner.run(test)
            tap.equal(runner.failures, 0, f'failed examples of {page}')
            tap.check(runner.tries > 3, f'examples in {page}')
        os.chdir(TOP)
    tap.check(examples, 'a page shows the module')


def test_types():
    mypy = shutil.which('mypy')
    if not mypy:
        raise tap.Skip('no mypy')
    with tap.folder() as folder:
        use = os.path.join(folder, 'use.py')
        with open(use, 'w', encoding='utf-8') as file:
            file.write('import axed\nshape: tuple[axed.Dim, ...] | None = axed.shapes(b"x")["a"].shape\n'
                       'text: str = axed.check("m")[0].message\n'
                       'wrong: int = axed.repair("m").axes[0].reason\n')
        done = subprocess.run([mypy, '--strict', '--cache-dir', folder, '-p', 'axed'], cwd=MODULE,
                              capture_output=True, text=True)
        tap.equal(done.returncode, 0, f'mypy --strict: {done.stdout}{done.stderr}')
        done = subprocess.run([mypy, '--strict', '--cache-dir', folder, use], capture_output=True, text=True,
                              cwd=folder, env={**os.environ, 'MYPYPATH': MODULE})
        tap.check('use.py:4: error: Incompatible types' in done.stdout and 'Found 1 error' in done.stdout,
                  f'a program that uses the types: {done.stdout}')


def untyped(hint, value, place):
    """Keys of the JSON that no field of the records holds."""
    if isinstance(value, list):
        inner = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        if typing.get_origin(hint) is typing.Union:
            inner = [kind for part in inner for kind in typing.get_args(part)]
        for item in value:
            yield from untyped(inner[0], item, place)
    elif isinstance(value, dict):
        if typing.get_origin(hint) is typing.Union:
            hint = next(kind for kind in typing.get_args(hint) if dataclasses.is_dataclass(kind))
        if not dataclasses.is_dataclass(hint):
            return
        hints = typing.get_type_hints(hint)
        known = {field.name.rstrip('_'): hints[field.name] for field in dataclasses.fields(hint) if field.init}
        for key, item in value.items():
            if key not in known:
                yield f'{place}.{key}'
            else:
                yield from untyped(known[key], item, f'{place}.{key}')


def test_every_key_has_a_field():
    asked = [('shapes', axed.Shapes), ('check', axed.Findings), ('axes', axed.Axes), ('symbols', axed.Symbols)]
    reports = 0
    for name in names():
        for command, kind in asked:
            try:
                report = getattr(axed, command)(tap.model(name))
            except axed.Error as error:
                tap.check(error.code == 2 and error.sentence, f'{command} {name}: {error!r}')
                continue
            reports += 1
            missing = {key for key in untyped(kind, report.json, command)
                       if key.split('.')[-1] not in UNTYPED}
            tap.equal(missing, set(), f'{command} {name}: keys without a field')
            list_ = next(value for value in report.json.values() if isinstance(value, list))
            tap.equal(len(report), len(list_), f'{command} {name}: rows')
    tap.check(reports > 100, f'only {reports} reports')


def test_models_in_memory():
    path = tap.model('pinned_reshape.onnx')

    class Proto:
        def SerializeToString(self):
            return tap.read(path)

    shapes = axed.shapes(path)
    tap.equal(axed.shapes(tap.read(path)), shapes, 'bytes')
    tap.equal(axed.shapes(Proto()), shapes, 'an object with SerializeToString')
    tap.equal(len(axed.diff(Proto(), path)), 0, 'bytes beside a file')
    tap.equal(raised(axed.Error, axed.diff, b'', b'').code, 2, 'two models in memory')


def test_edits_are_written():
    with tap.folder() as folder:
        freed, named = os.path.join(folder, 'freed.onnx'), os.path.join(folder, '-named.onnx')
        report = axed.repair(tap.model('pinned_reshape.onnx'), output=freed)
        tap.equal([(a.axis, a.freed) for a in report.axes], [('input:0', True)], 'the repair')
        tap.check(axed.check(freed).ok, 'the repaired model has no problems')
        axed.set(freed, 'batch_size=N', output=named)
        tap.equal(axed.shapes(named)['output'].shape, ('N', 5, 2), 'the renamed axis')
        tap.equal({d.kind for d in axed.diff(freed, named)} > set(), True, 'they differ')
        axed.set(named, {'N': 4}, in_place=True)
        tap.equal(axed.show(named).inputs[0].shape, (4, 10), 'edited in place')
        before = tap.read(named)
        axed.set(named, 'input:0=M')
        tap.equal(tap.read(named), before, 'without a target nothing is written')
        here = os.getcwd()
        os.chdir(folder)
        tap.equal(axed.show('-named.onnx').inputs[0].shape, (4, 10), 'a name that begins like an option')
        os.chdir(here)
        raised(axed.Error, axed.set, named, 'N=4', in_place=True, output=freed)


def test_failures_are_exceptions():
    missing = raised(axed.Error, axed.shapes, '/nowhere.onnx')
    tap.equal((missing.code, str(missing)), (2, '/nowhere.onnx: cannot open: No such file or directory'), 'no file')
    bound = raised(axed.Refused, axed.shapes, tap.model('pinned_reshape.onnx'), bind={'batch_size': 4})
    tap.equal(bound.code, 1, 'a size that the graph contradicts')
    tap.equal(bound.report['output'].shape, (3, 5, 2), 'and what was found all the same')
    tap.check('batch_size=4' in str(bound), f'the sentence: {bound}')
    unknown = raised(axed.Error, axed.shapes, tap.model('pinned_reshape.onnx'), bind={'zz': 4})
    tap.equal((unknown.code, str(unknown)), (2, "no such symbol 'zz'; the model has batch_size"), 'an unknown symbol')
    for wrong in (8, [8], ['batch_size=8', 8], None, b'batch_size=8'):
        told = raised(TypeError, axed.set, tap.model('dynamic_linear.onnx'), wrong)
        tap.check("{'batch': 8}" in str(told) and repr(wrong) in str(told), f'the sentence: {told}')
    for wrong in (8, [None], b'input:0=N'):
        told = raised(TypeError, axed.check, tap.model('dynamic_linear.onnx'), expect=wrong)
        tap.check(str(told).startswith('expect is a text') and repr(wrong) in str(told), f'the sentence: {told}')
    tap.check('not 8' in str(raised(TypeError, axed.show, 8)), 'a number is no model')
    anonymous = axed.set(tap.model('dynamic_linear.onnx'), {'input:0': None, 'output:0': None})
    tap.equal([change.after for change in anonymous], ['float32 [?, 10]', 'float32 [?, 5]'], 'None is ?')
    stuck = raised(axed.Refused, axed.fit, tap.model('dynamic_linear.onnx'), tap.model('pinned_reshape.onnx'))
    tap.check(stuck.report.reasons and not stuck.report.fitted, 'a fit that fails has its reasons')


def test_edits_have_three_forms():
    model = tap.model('dynamic_rnn.onnx')
    pinned = tap.model('pinned_reshape.onnx')
    forms = {
        axed.set: [['batch_size=N', 'sequence_length=8'], {'batch_size': 'N', 'sequence_length': 8},
                   ('batch_size=N', {'sequence_length': 8})],
        axed.repair: [['input:0=N'], {'input:0': 'N'}, [{'input:0': 'N'}], 'input:0=N'],
    }
    for function, some in forms.items():
        results = [function(pinned if function is axed.repair else model, form) for form in some]
        tap.check(all(len(result) and result == results[0] for result in results), f'{function.__name__}: {results}')
    tap.equal(axed.set(model, *forms[axed.set][0]), axed.set(model, forms[axed.set][0]), 'several edits, or a list')
    for expect in ('input:0=M', ['input:0=M'], {'input:0': 'M'}, [{'input:0': 'M'}], iter(['input:0=M'])):
        found = axed.check(model, expect=expect)
        tap.equal([f.level for f in found if f.level == 'expect'], ['expect'], f'expect={expect!r}')
        tap.equal(found.ok, False, 'an expectation that is not met')
    tap.equal(axed.check(pinned, fail_on='error').ok, axed.check(pinned, fail_on=['error']).ok, 'one level, or a list')
    tap.equal(axed.shapes(model, 'output', bind='batch_size=8')['output'].shape, (8, 5), 'bind, as a text')


def test_the_edited_model_in_memory():
    path = tap.model('pinned_reshape.onnx')

    class Proto:
        def SerializeToString(self):
            return tap.read(path)

    with tap.folder() as folder:
        there, recipe = os.path.join(folder, 'there.onnx'), os.path.join(folder, 'recipe')
        for model in (path, tap.read(path), Proto()):
            repaired = axed.repair(model, output=there, force=True)
            tap.check('written' in str(raised(axed.Error, lambda: repaired.model)), 'a model that was written')
            tap.equal(axed.repair(model).model, tap.read(there), f'repaired: {type(model).__name__}')
            tap.equal(axed.set(model, 'input:0=3').model, axed.set(tap.read(path), 'input:0=3').model, 'edited')
        renamed = axed.set(axed.repair(Proto()).model, {'batch_size': 'N'}).model
        tap.equal(axed.shapes(renamed)['output'].shape, ('N', 5, 2), 'edited twice in memory')
        with open(recipe, 'w', encoding='utf-8') as file:
            file.write('repair input:0\nset batch_size=N\n')
        tap.equal(axed.apply(Proto(), recipe).model, renamed, 'a recipe')
        with open(recipe, 'a', encoding='utf-8') as file:
            file.write('set nothing=N\n')
        tap.equal(raised(axed.Error, axed.apply, path, recipe).code, 2, 'a line that fails')
        partial = raised(axed.Refused, axed.apply, path, recipe, partial=True)
        tap.equal(partial.report.model, renamed, 'what a recipe did all the same')
        shutil.copy(path, there)
        report = axed.repair(there)
        shutil.copy(tap.model('dynamic_linear.onnx'), there)
        tap.check(isinstance(raised(axed.Error, lambda: report.model), axed.Error), 'the file is another by now')
    refused = raised(axed.Refused, axed.repair, path, 'input:1').report
    tap.check('nothing was freed' in str(raised(axed.Error, lambda: refused.model)), 'no model of a refusal')

    class TooLarge:
        def SerializeToString(self):
            raise ValueError('exceeds maximum protobuf size of 2GB')

    told = str(raised(axed.Error, axed.show, TooLarge()))
    tap.check('limit of 2 GB' in told and 'give its path' in told, f'a model above 2 GB: {told}')


def test_results_as_text():
    def lines(text):
        return [' '.join(line.split()) for line in text.splitlines()]

    def in_python(line):
        """A command to type, as the edit for a function: without the model and the file to write."""
        head, command, typed = line.partition(': axed ')
        if not command:
            return line
        name, _, *edits = shlex.split(typed)
        return ' '.join([f'{head}: {name}', *edits[:edits.index('-o')]])

    same = 0
    # What only the command line does: it folds like-named axes, and cuts long explanations short.
    other = {'types.onnx', 'demo.onnx', 'demo_pinned.onnx', 'missing_name.onnx', 'packed_variants.onnx', 'sequence_map.onnx', 'sparse.onnx'}
    for name in names():
        for command in ('shapes', 'check', 'axes'):
            try:
                report = getattr(axed, command)(tap.model(name))
            except axed.Error:
                continue
            tap.check(len(repr(report)) < 100 and repr(report).startswith('<'), f'{command} {name}: {report!r}')
            tap.check(all(line.isprintable() for line in str(report).splitlines()), f'{command} {name}: no escape sequence')
            if name in other or not len(report):
                continue
            printed = subprocess.run([os.environ['AXED'], command, tap.model(name)], stdout=subprocess.PIPE,
                                     text=True).stdout
            tap.equal(lines(str(report)), list(map(in_python, lines(printed))), f'{command} {name}')
            same += 1
    tap.check(same > 60, f'only {same} texts')
    pinned = tap.model('pinned_reshape.onnx')
    tap.equal((repr(axed.check(pinned)), repr(axed.repair(pinned)), repr(axed.axes(pinned))),
              ('<Findings: 1 pin, 1 loss>', '<Repair: 1 of 1 axis freed, 2 changes>', '<Axes: 2 axes>'), 'in short')
    printed = subprocess.run([os.environ['AXED'], 'repair', pinned, '-n'], stdout=subprocess.PIPE, text=True).stdout
    tap.equal(lines(str(axed.repair(pinned))), lines(printed.replace(" (0 copies the input's size)", '')), 'a repair')
    tap.check('float32 [batch_size, 10]' in str(axed.show(pinned)), 'a summary has the inputs')
    everything = [axed.show(pinned), axed.symbols(pinned), axed.diff(pinned, tap.model('dynamic_linear.onnx')),
                  axed.set(pinned, 'input:0=3'),
                  raised(axed.Refused, axed.fit, pinned, tap.model('dynamic_linear.onnx')).report]
    for result in everything:
        tap.check(len(repr(result)) < 100 and len(str(result).splitlines()) > 0, f'{result!r}')


def fake(folder, text):
    path = os.path.join(folder, 'axed')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\n' + text)
    os.chmod(path, 0o755)
    return path


def test_other_programs_are_told_apart():
    real = os.environ['AXED']
    try:
        with tap.folder() as folder:
            os.environ['AXED'] = fake(folder, 'echo \'{"version": 3, "tensors": []}\'\n')
            tap.check('version 2' in str(raised(axed.Error, axed.shapes, 'm')), 'a later version of the JSON')
            os.environ['AXED'] = fake(folder, 'kill -9 $$\n')
            tap.equal(str(raised(axed.Error, axed.shapes, 'm')), 'axed died (signal 9)', 'a death')
            os.environ['AXED'] = fake(folder, 'echo hello\n')
            tap.check('hello' in str(raised(axed.Error, axed.shapes, 'm')), 'no JSON')
            os.environ['AXED'] = os.path.join(folder, 'none')
            tap.equal(raised(axed.Error, axed.shapes, 'm').code, 2, 'a program that is not there')
    finally:
        os.environ['AXED'] = real


def test_the_own_program_comes_first():
    with tap.folder() as folder:
        site = os.path.join(folder, 'lib', 'python3', 'site-packages')
        shutil.copytree(os.path.join(MODULE, 'axed'), os.path.join(site, 'axed'),
                        ignore=shutil.ignore_patterns('__pycache__'))
        os.mkdir(os.path.join(site, 'axed-1.dist-info'))
        os.mkdir(os.path.join(folder, 'bin'))
        own = fake(os.path.join(folder, 'bin'), 'echo axed 1\n')
        with open(os.path.join(site, 'axed-1.dist-info', 'RECORD'), 'w', encoding='utf-8') as file:
            file.write('axed/__init__.py,,\n../../../bin/axed,,\n')

        def found(**env):
            code = f'import sys; sys.path.insert(0, {site!r}); import axed; print(axed.find())'
            return subprocess.run([sys.executable, '-B', '-c', code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env={**os.environ, **env}).stdout.strip()

        tap.equal(found(AXED='/other'), own, 'beside the package')
        os.remove(own)
        tap.equal(found(AXED='/other'), '/other', 'else AXED')
        tap.equal(found(AXED='', PATH=os.path.dirname(fake(folder, ''))), os.path.join(folder, 'axed'), 'else PATH')
        tap.equal(found(AXED='', PATH='/nowhere'), '', 'else none')


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ''
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_notebooks():
    model = tap.model('pinned_reshape.onnx')
    results = [axed.show(model), axed.shapes(model), axed.check(model), axed.axes(model), axed.symbols(model),
               axed.explain(model, 'output'), axed.repair(model), axed.set(model, 'input:0=3'), axed.draw(model),
               axed.diff(model, tap.model('dynamic_linear.onnx'))]
    for result in results:
        page = Tags(result._repr_html_())
        tap.check(set(page.tags) <= {'table', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'pre', 'div', 'img'} and page.tags,
                  f'{type(result).__name__}: {page.tags[:9]}')
    tap.check('[3, 5, 2]' in Tags(results[1]._repr_html_()).text, 'shapes are in the table')
    tap.check('batch_size can only be 3' in Tags(results[2]._repr_html_()).text, 'findings are in the table')
    hostile = axed.Shapes((axed.Tensor('<script>"x"</script>', '', None, None, 'input'),))
    page = Tags(hostile._repr_html_())
    tap.check('script' not in page.tags and '<script>"x"</script>' in page.text, 'names of a file are text')


def test_floats():
    run = records.read(axed.Run, {'kind': 'same', 'sizes': {'n': 2}, 'verdict': 'differs', 'difference': 'nan',
                                  'place': None, 'before': '1', 'after': 'nan', 'unequal': 1, 'compared': 2,
                                  'seconds': 1, 'message': None, 'of a later axed': 1})
    tap.check(run.difference != run.difference and run.seconds == 1.0, f'not a number: {run}')


if __name__ == '__main__':
    os.environ['AXED'] = program.os.path.abspath(tap.AXED)
    tap.main(globals())
