"""Colours of what commands print: they change no byte of the content, and mean the same everywhere."""

import glob
import os
import re
import sys

import tap
from tap import asked, check, equal, model, on_terminal, run

sys.path.insert(0, tap.MODELS)
import build as b  # noqa: E402

SGR = re.compile(rb'\x1b\[[0-9;]*m')
# Two symbols, and one that the graph pins.
THREE = b.model(b.graph('g', [b.node('Reshape', 'x s', 'y', name='bake'), b.node('Relu', 'w', 'v', name='relu')],
                        [b.floats('x', 'a', 4), b.floats('w', 'b', 'c')], [b.floats('y', 3, 4), b.floats('v', 'b', 'c')],
                        [b.int_tensor('s', [2], [3, 4])]))


def uncoloured(text):
    return SGR.sub(b'', text)


def commands(path):
    for command in ('show', 'check', 'axes', 'symbols', 'shapes'):
        yield [command, path]
    for line in run('shapes', path)[1].decode('utf-8', 'replace').splitlines()[-2:]:
        name = line.split('\t')[0]
        yield ['explain', path, name]
        yield ['explain', path, name, '--flow']


def test_colours_change_no_byte_of_the_content():
    coloured = 0
    for path in [*sorted(glob.glob(model('*.onnx'))), os.path.join(tap.TOP, 'tests/ui/networks/cache.onnx')]:
        for words in commands(path):
            plain = run(*words, '--color=never')
            always = run(*words, '--color=always')
            equal(uncoloured(always[1]), plain[1], f'{words}')
            equal((always[0], always[2]), (plain[0], plain[2]), f'{words}: exit code, errors')
            equal(run(*words)[1], plain[1], f'{words}: in a pipe')
            check(b'\x1b' not in plain[1], f'{words}: an escape without colours')
            coloured += plain[1] != always[1]
    check(coloured > 250, coloured)


def test_the_same_on_a_terminal_of_any_width():
    for name in ('demo', 'pinned_reshape', 'dynamic_rnn', 'hostile_names', 'functions'):
        for words in commands(model(name + '.onnx')):
            for width in (40, 80, 200):
                plain = on_terminal(width, *words, '--color=never')
                always = on_terminal(width, *words, '--color=always')
                equal([SGR.sub(b'', line.encode()).decode() for line in always], plain, f'{words}, {width} columns')


def test_a_terminal_has_colours_unless_told_otherwise():
    path = model('demo.onnx')
    for command in ('check', 'axes', 'symbols', 'shapes'):
        wanted = on_terminal(80, command, path, '--color=always')
        clean = {'NO_COLOR': '', 'CLICOLOR': '', 'FORCE_COLOR': '', 'CLICOLOR_FORCE': ''}
        equal(on_terminal(80, command, path, env=clean), wanted, command)
        check(any('\x1b[' in line for line in wanted), command)


def looks(text, word):
    """The escapes before each occurrence of the word."""
    return re.findall(rb'(\x1b\[[0-9;]*m)' + re.escape(word) + rb'\x1b\[0m', text)


def test_a_symbol_has_one_colour_in_all_commands():
    def ask(path):
        return [run(*words, '--color=always')[1] for words in (
            ['show', path], ['shapes', path], ['axes', path], ['symbols', path], ['check', path], ['explain', path, 'x:0'],
            ['explain', path, 'x:0', '--flow'])]
    texts = asked(THREE, ask)
    for name, escape in ((b'a', b'\x1b[1;38;5;166m'), (b'b', b'\x1b[1;38;5;28m'), (b'c', b'\x1b[1;38;5;135m')):
        for text in texts[:4]:
            equal(set(looks(text, name)), {escape}, name)
    for text in texts[4:]:
        equal(set(looks(text, b'a')), {b'\x1b[1;38;5;166m'}, text)
    equal(len(looks(texts[4], b'a')), 3, f'in the sentence, and in its reason: {texts[4]}')


def test_levels_and_verdicts_have_their_colours():
    def ask(path):
        return run('check', path, '--color=always')[1], run('axes', path, '--color=always')[1]
    check_text, axes_text = asked(THREE, ask)
    equal(looks(check_text, b'pin'), [b'\x1b[1;38;5;160m'], check_text)
    check(b' can only be 3' in check_text, f'the words of a sentence are plain: {check_text}')
    equal(looks(axes_text, b'pinned to 3'), [b'\x1b[1;38;5;160m'], axes_text)
    equal(len(looks(axes_text, b'free')), 2, axes_text)
    text = asked(THREE, lambda path: run('check', path, '--color=always', '--expect', 'y:0=a'))[1]
    equal(looks(text, b'expect'), [b'\x1b[1;38;5;160m'], text)


def test_the_environment_is_asked():
    path = model('demo.onnx')
    for command in ('check', 'axes', 'symbols', 'shapes'):
        plain = run(command, path)[1]
        for env, wanted in (({'CLICOLOR_FORCE': '1'}, True), ({'FORCE_COLOR': '1'}, True), ({'NO_COLOR': '1'}, False),
                            ({'NO_COLOR': '1', 'FORCE_COLOR': '1'}, False)):
            got = run(command, path, env=env)[1]
            check((got != plain) == wanted, f'{command} {env}')
            equal(uncoloured(got), plain, f'{command} {env}')
        check(b'\x1b' not in run(command, path, '--json', '--color=always')[1], f'{command}: JSON has no colours')


def luminance(colour):
    """Of a colour of the 256, as xterm has it."""
    if colour >= 232:
        levels = [8 + 10 * (colour - 232)] * 3
    else:
        levels = [(0, 95, 135, 175, 215, 255)[(colour - 16) // n % 6] for n in (36, 6, 1)]
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (n / 255 for n in levels)]
    return sum(part * v for part, v in zip((0.2126, 0.7152, 0.0722), linear))


def test_colours_read_on_dark_and_on_light_backgrounds():
    with open(os.path.join(tap.TOP, 'src/report/paint.c'), encoding='utf-8') as file:
        colours = {int(n) for n in re.findall(r'38;5;(\d+)m', file.read())}
    check(len(colours) > 10, colours)
    for colour in colours:
        at = luminance(colour)
        check(1.05 / (at + 0.05) >= 3.2 and (at + 0.05) / 0.05 >= 3.2,
              f'{colour}: {1.05 / (at + 0.05):.1f} on white, {(at + 0.05) / 0.05:.1f} on black')


tap.main(globals())
