"""Light and dark: what the terminal answers, when and how it comes, and what is remembered."""

import os
import stat
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import tap
from tap import check, equal, model

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ptys import Pty

QUESTION = b'\x1b]11;?\x07'
# The status line's background tells the themes apart.
# the header
THEMES = {'dark': b'38;5;252m\x1b[48;5;236m', 'light': b'38;5;236m\x1b[48;5;252m', 'safe': b'38;5;255m\x1b[48;5;240m'}
ANSWERS = {'light': b'\x1b]11;rgb:ffff/ffff/ffff\x07', 'dark': b'\x1b]11;rgb:0000/0000/0000\x07'}


class Run:
    def __init__(self, env=None, folder=None, **options):
        self.own = tap.folder()
        self.folder = folder or self.own.name
        self.pty = Pty([os.path.abspath(tap.AXED), model('dynamic_rnn.onnx')],
                       env={'XDG_STATE_HOME': self.folder, 'XDG_CONFIG_HOME': self.folder, **(env or {})}, **options)

    def __enter__(self):
        return self.pty

    def __exit__(self, *_):
        self.pty.close()
        self.own.cleanup()


def themed(p, name, since=0):
    return check(p.until(lambda: THEMES[name] in p.raw[since:], 15), f'never {name}: {p.raw[since:][:400]}')


def asked(p):
    return check(p.until(lambda: QUESTION in p.raw, 15), 'nobody asked')


def leave(p):
    p.send('q')
    equal(p.ended(15), 0, 'the exit code')
    check(p.is_sane(), 'the terminal is as it was')


def typed(p):
    """What is in the `:` line."""
    return p.screen.text().split('\n')[-2].strip()


def test_the_answer_decides():
    for answer, name in ((ANSWERS['light'], 'light'), (ANSWERS['dark'], 'dark'), (b'\x1b]11;rgb:fd/f6/e3\x1b\\', 'light'),
                         (b'\x1b]11;rgb:0/2/3\x07', 'dark'), (b'\x1b]11;rgba:ffff/ffff/ffff/8000\x1b\\', 'light')):
        with Run() as p:
            asked(p)
            p.send(answer)
            themed(p, name)
            leave(p)


def test_no_answer_costs_nothing():
    """Then COLORFGBG, then colours that hold on both; the first frame does not wait."""
    for env, name in (({}, 'safe'), ({'COLORFGBG': '0;15'}, 'light'), ({'COLORFGBG': '15;default;0'}, 'dark'),
                      ({'COLORFGBG': 'default;default'}, 'safe')):
        with Run(env) as p:
            themed(p, name)
            check(p.wait('batch_size'), 'the first frame')
            equal([n for n in THEMES if THEMES[n] in p.raw], [name], 'themes of the first frames')
            leave(p)


def test_a_late_answer_changes_the_theme():
    with Run({'COLORFGBG': '15;0'}) as p:
        themed(p, 'dark')
        p.wait('batch_size')
        since = len(p.raw)
        p.send(ANSWERS['light'])
        themed(p, 'light', since)
        leave(p)


def test_an_answer_is_never_typed():
    """In one piece with keys before and after it, and byte by byte while somebody types."""
    with Run() as p:
        asked(p)
        p.send(b':se' + ANSWERS['light'] + b't x')
        check(p.until(lambda: typed(p) == ':set x'), p.screen.text())
        themed(p, 'light')
        p.send('\x1b')
        leave(p)
    for gap in (0.001, 0.03):
        with Run() as p:
            asked(p)
            for byte in ANSWERS['light']:
                p.send(bytes([byte]))
                end = time.monotonic() + gap
                while time.monotonic() < end:
                    p.pump(gap)
            p.send(':x')
            check(p.until(lambda: typed(p) == ':x'), p.screen.text())
            themed(p, 'light')
            p.send('\x1b')
            leave(p)


def test_an_answer_among_pasted_text():
    with Run() as p:
        asked(p)
        p.wait('batch_size')
        p.send(':')
        p.send(b'\x1b[200~pasted\x1b[201~' + ANSWERS['light'] + b'!')
        check(p.until(lambda: typed(p) == ':pasted!'), p.screen.text())
        themed(p, 'light')
        p.send('\x1b')
        leave(p)


def test_answers_that_are_none():
    """Cut short, of another kind, or much too long: the keys after it count."""
    for answer in (b'\x1b]11;\x07', b'\x1b]10;rgb:ffff/ffff/ffff\x07', b'\x1b]11;rgb:ffff/ffff\x07', b'\x1b]11;rgb:fffff/f/f\x07',
                   b'\x1b]11;rgb:' + b'f' * 60 + b'\x07', b'\x1b]11;rgb:ffff/f '):
        with Run() as p:
            themed(p, 'safe')
            p.wait('batch_size')
            p.send(answer + b'\x07\x07')
            p.send('\x1b')
            p.send(':y')
            check(p.until(lambda: typed(p) == ':y'), f'{answer}: {p.screen.text()}')
            check(THEMES['light'] not in p.raw, f'{answer} was believed')
            p.send('\x1b')
            leave(p)


def test_who_is_not_asked():
    # For the console ncurses loads libgpm, which leaks 10 bytes.
    for env in ({'TERM': 'linux', 'ASAN_OPTIONS': 'detect_leaks=0'}, {'TERM': 'vt100'}, {'NO_COLOR': '1'}):
        with Run(env) as p:
            p.wait('batch_size')
            check(QUESTION not in p.raw, f'{env} was asked')
            leave(p)


def test_a_theme_is_remembered_until_auto():
    with tap.folder() as folder:
        state = os.path.join(folder, 'axed', 'theme')

        def command(text, wanted):
            with Run({'COLORFGBG': '15;0'}, folder) as p:
                p.wait('batch_size')
                p.send(f':{text}\r')
                check(p.wait(wanted), p.screen.text())
                p.send('\x1b')
                leave(p)

        command('theme light', 'from now on')
        equal(tap.read(state), b'light\n', 'what is remembered')
        equal(stat.S_IMODE(os.stat(state).st_mode), 0o600, 'who may read it')
        with Run({'COLORFGBG': '15;0'}, folder) as p:
            asked(p)
            p.send(ANSWERS['dark'])
            themed(p, 'light')
            p.wait('batch_size')
            check(THEMES['dark'] not in p.raw, 'the answer changes nothing')
            leave(p)
        command('theme auto', 'suits the terminal')
        check(not os.path.exists(state), 'it is forgotten')
        with Run({'COLORFGBG': '15;0'}, folder) as p:
            themed(p, 'dark')
            p.wait('batch_size')
            leave(p)


def test_what_is_remembered_may_be_bad():
    """A link, a name that leads elsewhere, a theme that is gone: as if nothing were there."""
    with tap.folder() as folder:
        state = os.path.join(folder, 'axed', 'theme')
        os.mkdir(os.path.dirname(state), 0o700)
        for text in (b'../../x\n', b'gone\n', b'', b'\0\n', b'light' * 20000):
            with open(state, 'wb') as file:
                file.write(text)
            with Run({'COLORFGBG': '15;0'}, folder) as p:
                themed(p, 'dark')
                p.wait('batch_size')
                leave(p)
        os.remove(state)
        os.symlink(os.path.join(folder, 'mine'), state)
        with open(os.path.join(folder, 'mine'), 'w', encoding='ascii') as file:
            file.write('light\n')
        with Run({'COLORFGBG': '15;0'}, folder) as p:
            themed(p, 'dark')
            p.wait('batch_size')
            leave(p)


def test_a_configuration_is_not_overruled_by_the_answer():
    with tap.folder() as folder:
        os.mkdir(os.path.join(folder, 'axed'))
        with open(os.path.join(folder, 'axed', 'config'), 'w', encoding='ascii') as file:
            file.write('theme light\n')
        with Run(folder=folder) as p:
            asked(p)
            p.send(ANSWERS['dark'])
            themed(p, 'light')
            p.wait('batch_size')
            check(THEMES['dark'] not in p.raw, 'the answer changes nothing')
            equal(os.listdir(os.path.join(folder, 'axed')).count('theme'), 0, 'a configuration is not remembered')
            leave(p)


tap.main(globals())
