"""The tables of README.md that are generated from the program's own.

    readme.py MANUAL [--update]    MANUAL is the build tool of src/app/manual.c
"""

import os
import re
import subprocess
import sys

README = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'README.md')


def made(manual, text):
    """The text with its tables regenerated, and their number."""
    def table(match):
        rows = subprocess.run([manual, 'readme', match[2]], capture_output=True, text=True, check=True).stdout
        return match[1] + rows + match[3]
    return re.subn(r'(<!-- (\w+): made by [^>]*-->\n).*?(<!-- end -->\n)', table, text, flags=re.S)


if __name__ == '__main__':
    with open(README, encoding='utf-8') as file:
        have = file.read()
    new, count = made(sys.argv[1], have)
    if '--update' in sys.argv:
        with open(README, 'w', encoding='utf-8') as file:
            file.write(new)
    elif new != have or count != 2:
        sys.exit('README.md has old tables: python3 tests/cli/readme.py build/src/manual --update')
