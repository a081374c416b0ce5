"""The widths of characters in a terminal, from Python's table of Unicode.

    python3 width.py          print width.def
    python3 width.py --check  exit 1 if width.def is out of date

The table has the Unicode version that its first line names; make it anew with the Python that knows the latest.  --check
compares all of it in a Python with that version; in an older one the characters that it knows; in a later one what is in
the table.
"""

import os
import re
import sys
import unicodedata

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'width.def')
HEAD = '''/*
 * Unicode {version}, written by width.py: change that.
 *
 * WIDTH(first, last, columns): the characters that take no column, because they combine with the one before, or two.
 */
'''
# Vowels and final consonants of Hangul: they combine with the syllable's first letter.
JOINING = (range(0x1160, 0x1200), range(0xd7b0, 0xd800))
# Unicode 15 and 16 changed them: a sign of Ahom; the Book of Changes, Tai Xuan Jing and counting rods became wide.
CHANGED = (range(0x1171e, 0x1171f), range(0x2630, 0x2638), range(0x268a, 0x2690), range(0x4dc0, 0x4e00),
           range(0x1d300, 0x1d377))


def width(code):
    char = chr(code)
    if unicodedata.category(char) in ('Mn', 'Me', 'Cf') or any(code in r for r in JOINING):
        return 0
    return 2 if unicodedata.east_asian_width(char) in 'WF' else 1


def rows():
    """[first, last, width] of all that is not 1."""
    out = []
    for code in range(0x80, 0x110000):
        columns = width(code)
        if out and out[-1][1] == code - 1 and out[-1][2] == columns:
            out[-1][1] = code
        elif columns != 1:
            out.append([code, code, columns])
    return out


def table():
    words = [f'WIDTH({first:#x}, {last:#x}, {columns})' for first, last, columns in rows()]
    lines = [' '.join(words[i:i + 4]) for i in range(0, len(words), 4)]
    return HEAD.format(version=unicodedata.unidata_version) + '\n'.join(lines) + '\n'


def is_known(code):
    return unicodedata.category(chr(code)) != 'Cn' and not any(code in r for r in CHANGED)


def wrong(text, later):
    """The characters that have another width in the table, of those that both versions know."""
    columns = {code: int(n) for first, last, n in re.findall(r'WIDTH\((0x\w+), (0x\w+), (\d)\)', text)
               for code in range(int(first, 16), int(last, 16) + 1)}
    both = columns if later else filter(is_known, range(0x80, 0x110000))
    return [code for code in both if columns.get(code, 1) != width(code)]


def check():
    with open(PATH) as file:
        text = file.read()
    version = re.search(r'Unicode ([\d.]+),', text)[1]
    ours, this = (tuple(map(int, v.split('.'))) for v in (version, unicodedata.unidata_version))
    if ours == this:
        bad = [] if text == table() else ['the table is not what width.py prints']
    else:
        bad = [f'U+{code:04X} has another width in Unicode {unicodedata.unidata_version}' for code in wrong(text, this > ours)]
    for line in bad[:20]:
        print(line)
    return 1 if bad else 0


if __name__ == '__main__':
    if sys.argv[1:] == ['--check']:
        sys.exit(check())
    sys.stdout.write(table())
