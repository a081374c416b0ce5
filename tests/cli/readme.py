"""The pages for people, and those of their tables that are generated from the program's own.

    readme.py MANUAL [--update]    MANUAL is the build tool of src/app/manual.c
"""

import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# page: the tables that it has
PAGES = {
    'README.md': 0,
    'src/app/manual/GUIDE.md': 2,
    'src/CONTRIBUTING.md': 0,
    'src/SECURITY.md': 0,
    'tests/bench/COMPARISON.md': 0,
    'tests/bench/README.md': 0,
}


def text_of(page):
    with open(os.path.join(TOP, page), encoding='utf-8') as file:
        return file.read()


def write(page, text):
    with open(os.path.join(TOP, page), 'w', encoding='utf-8') as file:
        file.write(text)


def made(manual, text):
    """The text with its tables regenerated, and their number."""
    def table(match):
        rows = subprocess.run([manual, 'readme', match[2]], capture_output=True, text=True, check=True).stdout
        return match[1] + rows + match[3]
    return re.subn(r'(<!-- (\w+): made by [^>]*-->\n).*?(<!-- end -->\n)', table, text, flags=re.S)


if __name__ == '__main__':
    for name, tables in PAGES.items():
        have = text_of(name)
        new, count = made(sys.argv[1], have)
        if '--update' in sys.argv:
            write(name, new)
        elif new != have or count != tables:
            sys.exit(f'{name} has old tables: python3 tests/cli/readme.py build/src/manual --update')
