"""Terminals that nobody described: unknown names, no terminfo, no locale, wishes about colours.

usage: test_assumed.py PROGRAM, which prints the built-in entry of terminfo.
"""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model, run

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptys import Pty
from terminals import Session

BOX = '\u256d'  # a corner
COLOUR = rb'\x1b\[(?:[0-9]+;)*[34][0-9](?:;[0-9]+)*m'


class Opened:
    """axed in a pseudo terminal; the environment says nothing of a locale or of colours but `env`."""

    def __init__(self, *words, env=None, program=None):
        self.folder = tap.folder()
        shutil.copy(model('dynamic_rnn.onnx'), os.path.join(self.folder.name, 'm.onnx'))
        # The leak checker would count what curses leaks when a name is unknown.
        quiet = {'LC_ALL': '', 'LC_CTYPE': '', 'LANG': '', 'XDG_STATE_HOME': self.folder.name,
                 'XDG_CONFIG_HOME': self.folder.name, 'ASAN_OPTIONS': 'detect_leaks=0',
                 **{name: '' for name in ('CLICOLOR', 'CLICOLOR_FORCE', 'FORCE_COLOR')}}
        self.pty = Pty([*(program or []), os.path.abspath(tap.AXED), *words], cwd=self.folder.name, env={**quiet, **(env or {})})

    def __enter__(self):
        return self.pty

    def __exit__(self, *_):
        self.pty.close()
        self.folder.cleanup()


def wait(p, text):
    return check(p.wait(text, 20), f'{text!r} never came; the screen:\n{p.screen.text()}')


def leave(p):
    p.send('q')
    equal(p.ended(20), 0, f'the exit code; the screen:\n{p.screen.text()}')
    check(p.is_sane(), f'the terminal is not as it was: {p.screen.modes}')


UTF8 = {'LC_ALL': 'C.UTF-8'}


def test_unknown_names_take_the_nearest():
    for term, entry in (('xterm-kitty', 'xterm-256color'), ('foot', 'xterm-256color'), ('xterm-ghostty', 'xterm-256color'),
                        ('nonsense', 'xterm-256color'), ('tmux-direct9', 'screen-256color'), ('vt321', 'vt220')):
        with Opened('m.onnx', env={**UTF8, 'TERM': term}) as p:
            wait(p, 'batch_size')
            wait(p, f"terminal '{term}' is unknown here: drawing for {entry}")
            equal(p.screen.odd, [], f'{term}: foreign sequences')
            equal(bool(re.search(COLOUR, p.raw)), '256color' in entry, f'{term}: colours')
            p.send('j')
            check(p.gone('is unknown here', 20), 'the next key takes the note away')
            leave(p)


def test_known_names_have_no_note():
    with Opened('m.onnx', env={**UTF8, 'TERM': 'xterm'}) as p:
        wait(p, 'hjkl move')
        check('unknown here' not in p.screen.text() and 'locale' not in p.screen.text(), p.screen.text())
        leave(p)


def test_a_terminal_without_a_name():
    for env, words in (({'TERM': ''}, ['axed show', 'TERM=xterm-256color']), ({'TERM': 'dumb'}, ["'dumb'", 'axed show'])):
        with Opened('edit', 'm.onnx', env=env) as p:
            equal(p.ended(20), 2, f'{env}: the exit code')
            said = p.raw.decode().strip()
            check(all(word in said for word in words), said)
            check('\n' not in said and '\x1b' not in said, said)
        with Opened('m.onnx', env=env) as p:
            equal(p.ended(20), 0, f'{env}: a summary instead')
            check(b'batch_size' in p.raw and b'\x1b' not in p.raw, p.raw)


def builtin(term):
    return subprocess.run([PROGRAM, term], capture_output=True, check=True).stdout.decode().strip()


def plain(text):
    """As infocmp writes it; our table is in C."""
    text = text.encode().decode('unicode_escape')
    for byte, shown in (('\x1b', '\\E'), ('\a', '^G'), ('\r', '\\r'), ('\n', '\\n'), ('\b', '^H'), ('\t', '^I'), ('\x7f', '^?')):
        text = text.replace(byte, shown)
    return text


def test_the_builtin_entry_is_the_table():
    if not shutil.which('infocmp'):
        raise tap.Skip('no infocmp')
    for term, levels in (('xterm', ('VT100', 'XTERM')), ('vt100', ('VT100',))):
        wanted = {name for name, level in tap.rows('ui/terminfo.def', r'FLAG\((\w+), \d+, (\w+)\)') if level in levels}
        wanted |= {f'{name}#{int(value, 0)}' for name, level, value
                   in tap.rows('ui/terminfo.def', r'NUMBER\((\w+), \d+, (\w+), (\w+)\)') if level in levels}
        wanted |= {f'{name}={plain(value)}' for name, level, value
                   in tap.rows('ui/terminfo.def', r'TEXT\((\w+), \d+, (\w+), "(.*)"\)') if level in levels}
        env = {**os.environ, 'TERMINFO': builtin(term), 'TERM': 'axed-builtin'}
        done = subprocess.run(['infocmp', '-1', 'axed-builtin'], capture_output=True, env=env, check=False)
        shown = {line.strip().rstrip(',') for line in done.stdout.decode().split('\n') if line.startswith('\t')}
        shown = {re.sub(r'#0x([0-9a-f]+)$', lambda m: f'#{int(m[1], 16)}', line) for line in shown}
        check(len(wanted) > 30, f'{term}: {len(wanted)} rows')
        equal(sorted(shown), sorted(wanted), term)


def use_builtin(p):
    wait(p, 'batch_size')
    equal(p.screen.odd, [], 'foreign sequences')
    check(re.search(rb'38;5;', p.raw), 'colours')
    p.send('3')
    wait(p, 'Inspector')
    p.send('\x1bOB\x1b[6~\x1b[5~\x1bOA2')  # cursor keys and pages are keys, not Esc and letters
    p.send(':theme light\r')
    p.send('?')
    wait(p, 'moving')
    p.send('\x1b')
    check(p.gone('moving', 20), p.screen.text())
    leave(p)


def test_the_builtin_entry_draws():
    with Opened('m.onnx', env={**UTF8, 'TERM': 'axed-builtin', 'TERMINFO': builtin('xterm')}) as p:
        use_builtin(p)
    with Opened('m.onnx', env={**UTF8, 'TERM': 'axed-builtin', 'TERMINFO': builtin('vt100')}) as p:
        wait(p, 'batch_size')
        check(not re.search(COLOUR, p.raw), 'no colours on a VT100')
        leave(p)


def test_the_builtin_mouse():
    with Opened('m.onnx', env={**UTF8, 'TERM': 'axed-builtin', 'TERMINFO': builtin('xterm')}) as p:
        wait(p, 'batch_size')
        wait(p, 'hjkl move')  # the last row: the frame is whole
        check({1000, 1006} <= p.screen.modes, f'the mouse is on: {p.screen.modes}')
        rows = p.screen.text().split('\n')
        y = next(i for i, row in enumerate(rows) if 'Transpose' in row)
        x = rows[y].index('Transpose')
        p.send(f'\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m')
        check(p.until(lambda: 'Transpose' in p.screen.text().rstrip().split('\n')[-2], 20), f'a click selects:\n{p.screen.text()}')
        leave(p)


def test_no_terminfo_at_all():
    """In a namespace of its own, where the folders of terminfo are empty."""
    folders = [f for f in ('/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/lib/terminfo') if os.path.isdir(f)]
    hide = ' && '.join(f'mount -t tmpfs none {f}' for f in folders)
    if not shutil.which('unshare') or subprocess.run(['unshare', '-rm', 'sh', '-c', hide], capture_output=True, check=False).returncode:
        raise tap.Skip('cannot hide the folders of terminfo')
    program = ['unshare', '-rm', 'sh', '-c', f'{hide} && exec "$@"', 'sh']
    with Opened('m.onnx', env={**UTF8, 'TERM': 'xterm-256color', 'TERMINFO_DIRS': '', 'HOME': '/nonexistent'}, program=program) as p:
        wait(p, "terminal 'xterm-256color' is unknown here: drawing for axed-builtin")
        use_builtin(p)


def test_no_locale_is_taken_for_utf8():
    for env in ({}, {'LANG': 'C'}, {'LC_CTYPE': 'POSIX'}):
        with Opened('m.onnx', env=env) as p:
            wait(p, 'no locale is set: drawing in UTF-8; --ascii draws plain')
            wait(p, BOX)
            leave(p)
    with Opened('m.onnx', env={'TERM': 'xterm-kitty'}) as p:
        wait(p, "terminal 'xterm-kitty' is unknown here: drawing for xterm-256color; no locale is set: drawing in UTF-8")
        leave(p)


def test_a_locale_that_is_not_installed():
    with Opened('m.onnx', env={'LANG': 'xx_XX.UTF-8'}) as p:
        wait(p, BOX)
        check('locale' not in p.screen.text(), 'the user said UTF-8: nothing is assumed')
        leave(p)


def test_ascii_is_what_was_asked_for():
    for words, env in ((['m.onnx'], {'LC_ALL': 'C'}), (['--ascii', 'm.onnx'], {}), (['m.onnx'], {'TERM': 'vt100'}),
                       (['m.onnx'], {'LANG': 'xx_XX.ISO-8859-1'})):
        with Opened(*words, env=env) as p:
            wait(p, 'batch_size')
            check(max(p.raw) < 0x80, f'{words} {env}: bytes {set(c for c in p.raw if c > 0x7f)}')
            check('locale' not in p.screen.text(), f'{words} {env}: no note')
            leave(p)


def test_in_tmux():
    """tmux's own terminal takes what is drawn for another."""
    with Session('dynamic_rnn.onnx', env={'LC_ALL': '', 'LANG': ''}, words='--color=auto') as (t, path):
        t.wait('batch_size')
        t.keys('q')
        t.wait('left 0')
        t.command('export LC_ALL= LANG= TERM=xterm-ghostty; clear; axed() { ' + os.path.abspath(tap.AXED) + ' "$@"; }; axed m.onnx; echo left $?')
        t.wait("terminal 'xterm-ghostty' is unknown here")
        t.wait(BOX)
        t.keys('q')
        t.wait('left 0')


# What a command in a pipe, a command in a terminal and the screen do.
COLOURS = [
    ({}, [], (False, True, True)),
    ({'NO_COLOR': '1'}, [], (False, False, False)),
    ({'NO_COLOR': ''}, [], (False, True, True)),
    ({'CLICOLOR': '0'}, [], (False, False, False)),
    ({'CLICOLOR': '1'}, [], (False, True, True)),
    ({'CLICOLOR_FORCE': '1'}, [], (True, True, True)),
    ({'CLICOLOR_FORCE': '0'}, [], (False, True, True)),
    ({'FORCE_COLOR': '1'}, [], (True, True, True)),
    ({'FORCE_COLOR': '3'}, [], (True, True, True)),
    ({'FORCE_COLOR': '0'}, [], (False, False, False)),
    ({'CLICOLOR_FORCE': '1', 'CLICOLOR': '0'}, [], (True, True, True)),
    ({'CLICOLOR_FORCE': '1', 'FORCE_COLOR': '0'}, [], (True, True, True)),
    ({'NO_COLOR': '1', 'CLICOLOR_FORCE': '1', 'FORCE_COLOR': '1'}, [], (False, False, False)),
    ({'NO_COLOR': '1'}, ['--color=always'], (True, True, True)),
    ({'CLICOLOR': '0'}, ['--color=always'], (True, True, True)),
    ({'CLICOLOR_FORCE': '1'}, ['--color=never'], (False, False, False)),
    ({'NO_COLOR': '1', 'FORCE_COLOR': '1'}, ['--color=auto'], (False, False, False)),
]


def test_wishes_about_colours():
    for env, words, (piped, shown, screen) in COLOURS:
        what = f'{env} {words}'
        quiet = {name: '' for name in ('NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'FORCE_COLOR')}
        out = run('show', *words, model('dynamic_rnn.onnx'), env={**quiet, **env, 'TERM': 'xterm-256color'})[1]
        equal(bool(re.search(rb'\x1b\[', out)), piped, f'{what}: in a pipe')
        with Opened('show', *words, 'm.onnx', env={**UTF8, **env}) as p:
            equal(p.ended(20), 0, what)
            equal(bool(re.search(rb'\x1b\[', p.raw)), shown, f'{what}: in a terminal')
        with Opened('edit', *words, 'm.onnx', env={**UTF8, **env}) as p:
            wait(p, 'batch_size')
            equal(bool(re.search(COLOUR, p.raw)), screen, f'{what}: on the screen')
            leave(p)


def test_a_dumb_terminal_has_colours_when_forced():
    for env, wanted in (({'TERM': 'dumb'}, False), ({'TERM': 'dumb', 'CLICOLOR_FORCE': '1'}, True), ({'TERM': ''}, False)):
        with Opened('show', 'm.onnx', env={**UTF8, **env}) as p:
            equal(p.ended(20), 0, f'{env}')
            equal(b'\x1b[' in p.raw, wanted, f'{env}')


PROGRAM = os.path.abspath(sys.argv[1])
tap.main(globals())
