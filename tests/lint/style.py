"""The sources are formatted, and the tree has no stray files."""

import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALLOWED = {'meson.build', 'src', 'proto', 'themes', 'tests', 'screenshots', 'README.md', 'setup', 'LICENSE'}
# Follow no links: one in the test models points outside on purpose.
SOURCES = sorted(os.path.join(folder, name) for top in ('src', 'tests') for folder, _, names in os.walk(f'{TOP}/{top}')
                 for name in names if name.endswith(('.c', '.h')))
LONGEST_FILE = 700
FORMATTER = '14'  # the version of Debian 12


def has_our_formatter():
    """Others format a few lines differently."""
    if not shutil.which('clang-format'):
        return False
    said = subprocess.run(['clang-format', '--version'], capture_output=True, text=True).stdout
    return re.search(r'version (\d+)', said)[1] == FORMATTER


def unformatted():
    done = subprocess.run(['clang-format', '--dry-run', '-Werror', *SOURCES], capture_output=True, text=True)
    return [] if done.returncode == 0 else done.stderr.splitlines()[:10]


def strangers():
    names = subprocess.run(['git', '-C', TOP, 'ls-tree', '--name-only', 'HEAD'], capture_output=True, text=True)
    return [n for n in names.stdout.split() if n not in ALLOWED and not n.startswith('.')]


def untidy():
    found = []
    for path in SOURCES:
        text = open(path, encoding='utf-8').read()
        name = os.path.relpath(path, TOP)
        if name.startswith('src/') and text.count('\n') > LONGEST_FILE:
            found.append(f'{name}: {text.count(chr(10))} lines; is it still one thing?')
        if re.search(r'[ \t]\n', text):
            found.append(f'{name}: white space at the end of a line')
        if re.search(r'\b(TODO|FIXME|XXX)\b', text):
            found.append(f'{name}: something left to do')
    return found


checks = [('the formatter is content', unformatted if has_our_formatter() else None),
          ('nothing foreign in the top folder', strangers if os.path.exists(TOP + '/.git') else None),
          ('sources are tidy', untidy)]
bad = 0
print(f'1..{len(checks)}')
for number, (name, function) in enumerate(checks, 1):
    problems = function() if function else []
    for problem in problems:
        print('#', problem)
    bad += bool(problems)
    print(f'{"not ok" if problems else "ok"} {number} - {name}' + ('' if function else ' # SKIP its tool is missing, or another version'))
sys.exit(bool(bad))
