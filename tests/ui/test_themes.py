"""The theme files: each has every style, can be selected, and is readable on its backgrounds."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, model, run

tap.AXED = os.path.abspath(tap.AXED)
THEMES = os.path.join(tap.TOP, 'themes')
NAMES = ('dark', 'light', 'mono', 'safe')
BLACK, WHITE = ((0, 0, 0), (229, 229, 229)), ((255, 255, 255), (0, 0, 0))
DARK, LIGHT = ((16, 20, 26), (216, 222, 233)), ((253, 253, 251), (36, 41, 46))
# The backgrounds, with the default text colour on them, that a theme is for.
MEANT_FOR = {'dark': [BLACK, DARK], 'light': [WHITE, LIGHT], 'safe': [BLACK, DARK, LIGHT, WHITE]}
# The contrast that text has at least.  No colour has much more than 4.5 on white and on black.
LEAST = {'dark': 4.5, 'light': 4.5, 'safe': 3}
# The 8 colours of xterm, where bold ones are brighter.
EIGHT = [(0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)]
BOLD = [(127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)]
# Styles that panes draw on the background of another one.
GROUNDS = ('selected', 'selected-idle', 'overlay')
# Lines need less contrast than text, and are never on another background.
LINES = ('frame', 'edge', 'lane')
SYMBOLS = ['symbol-%d' % i for i in range(1, 11)]


def styles():
    text = tap.read(os.path.join(tap.TOP, 'src', 'ui', 'roles.def')).decode()
    return re.findall(r'^STYLE\(\w+, "([^"]+)"', text, re.M)


def theme(name):
    """{style: (256 colours, 8 colours, attributes)}; a pair is text and background, None the default."""
    looks = {}
    for line in tap.read(os.path.join(THEMES, name + '.theme')).decode().splitlines():
        found = re.match(r'([\w-]+)\s*=\s*(\S+)(?: on (\S+))?((?: \w+)*)$', line)
        if found:
            fg, bg = ([None if n == 'default' else int(n) for n in (part or 'default').split('/')]
                      for part in found.group(2, 3))
            looks[found[1]] = ((fg[0], bg[0]), (fg[-1], bg[-1]), frozenset(found[4].split()))
    return looks


def rgb(color):
    if color < 232:
        steps = (0, 95, 135, 175, 215, 255)
        color -= 16
        return steps[color // 36], steps[color // 6 % 6], steps[color % 6]
    return (8 + (color - 232) * 10,) * 3


def light_of(color):
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    """The WCAG contrast ratio, 1 to 21: large text needs 3."""
    low, high = sorted((light_of(one), light_of(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_style_is_named_once():
    for name in NAMES:
        lines = [line.split()[0] for line in tap.read(os.path.join(THEMES, name + '.theme')).decode().splitlines()
                 if line.strip() and not line.startswith('#')]
        check(lines == styles(), f'{name}: {sorted(set(lines) ^ set(styles()))} or another order')
        check(set(theme(name)) == set(styles()), f'{name}: some lines were not understood')


def test_each_theme_can_be_switched_to():
    with tap.folder() as folder:
        for name in NAMES:
            for where in ('', folder):  # the built-in one, then the file as a user's theme
                os.makedirs(os.path.join(folder, 'axed', 'themes'), exist_ok=True)
                with open(os.path.join(folder, 'axed', 'themes', 'mine.theme'), 'wb') as file:
                    file.write(tap.read(os.path.join(THEMES, name + '.theme')))
                code, _, err = run('edit', model('dynamic_rnn.onnx'), '--script', '-',
                                   stdin=f'theme {"mine" if where else name}\nquit\n'.encode(),
                                   env={'XDG_STATE_HOME': folder, 'XDG_CONFIG_HOME': folder})
                check(code == 0, f'{name}: {err.decode()}')


def test_a_theme_that_is_not_there_is_one_sentence():
    code, _, err = run('edit', model('dynamic_rnn.onnx'), '--script', '-', stdin=b'theme nonesuch\nquit\n')
    check(code != 0 and b'there is no theme' in err, err.decode())


def test_text_can_be_read_on_its_background():
    for name, backgrounds in MEANT_FOR.items():
        looks = theme(name)
        for plain, default in backgrounds:
            for style, ((fg, bg), _, _) in looks.items():
                text = default if fg is None else rgb(fg)
                grounds = {'its own': rgb(bg)} if bg is not None else {'the terminal': plain}
                if bg is None and not style.startswith((*LINES, 'node', 'keys', 'faded')):
                    grounds.update({g: rgb(looks[g][0][1]) for g in GROUNDS if looks[g][0][1] is not None})
                for ground, color in grounds.items():
                    least = 2 if style == 'faded' else 3 if style.startswith(LINES) else LEAST[name]
                    got = contrast(text, color)
                    check(got >= least, f'{name}: {style} on {ground}: {got:.1f}')


def test_text_can_be_read_in_8_colours():
    for name, ground in {'dark': (0, 0, 0), 'light': (255, 255, 255)}.items():
        for style, (_, (fg, bg), attributes) in theme(name).items():
            colors = BOLD if 'bold' in attributes else EIGHT
            if fg is not None and bg is None:
                got = contrast(colors[fg], ground)
                check(got >= (3 if style.startswith(LINES) else 3.7), f'{name}: {style} is {fg}: {got:.1f}')


def test_no_text_vanishes_where_there_are_8_colours():
    bad = {'dark': (0, 4), 'light': (3, 6, 7), 'safe': (0, 3, 4, 7)}
    for name, never in bad.items():
        looks = theme(name)
        for style, (_, (fg, bg), _) in looks.items():
            check(bg is not None or fg not in never, f'{name}: {style} is {fg}')
            check(fg is None or fg != bg, f'{name}: {style} is {fg} on itself')
            check(bg is not None or fg is None or all(looks[g][1][1] != fg for g in GROUNDS),
                  f'{name}: {style} is the colour of a selected row')


def test_no_two_symbols_look_the_same():
    for name in NAMES:
        looks = theme(name)
        wide = {(looks[s][0], looks[s][2]) for s in SYMBOLS}
        check(len(wide) == len(SYMBOLS), f'{name}: {len(wide)} looks for {len(SYMBOLS)} symbols')
        few = {(looks[s][1], looks[s][2]) for s in SYMBOLS[:8]}
        check(len(few) == 8, f'{name}: with 8 colours {len(few)} looks for the first 8')


def test_symbols_look_neither_wrong_nor_folded():
    """Not the colour of errors, nor that of folds; nor have the main operators that of folds."""
    def far(one, other):
        return sum((a - b) ** 2 for a, b in zip(rgb(one), rgb(other))) ** 0.5
    for name in ('dark', 'light', 'safe'):
        looks = theme(name)
        for style in (*SYMBOLS, 'kind-product'):
            for other in ('conflict', 'scope'):
                wide, few = ((looks[style][i][0], looks[other][i][0]) for i in (0, 1))
                check(few[0] != few[1], f'{name}: with 8 colours {style} is {other}')
                check(far(*wide) > 30, f'{name}: {style} is nearly {other}')


def test_notices_are_quiet():
    """On the ground of the line that they are on."""
    for name in ('dark', 'light', 'safe'):
        looks = theme(name)
        for style in ('notice', 'notice-bad'):
            check([look[1] for look in looks[style][:2]] == [look[1] for look in looks['status'][:2]], f'{name}: {style} has a ground of its own')


def test_the_selected_row_is_not_the_idle_one():
    for name in NAMES:
        looks = theme(name)
        check(looks['selected'] != looks['selected-idle'] != looks['text'], name)


tap.main(globals())
