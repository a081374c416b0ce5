"""Which room of src/ may include which, and which room uses which foreign library.

The table is the architecture: data flows one way.  A header in a row allows that header and nothing else of its room.
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MAY_INCLUDE = {
    'base': '',
    'sym': 'base',
    'ir': 'base sym',
    'cmd': 'base',
    'wire': 'base sym ir',
    'ops': 'base sym ir',
    'infer': 'base sym ir ops',
    'flow': 'base sym ir ops infer',
    'edit': 'base sym ir infer flow wire ops/info.h ops/need.h ops/property.h',
    'layout': 'base ir ops/property.h',
    'report': 'base sym ir infer flow edit ops/info.h ops/need.h ops/property.h',
    'export': 'base sym ir infer layout report ops/info.h ops/need.h ops/property.h',
    'ui': 'base sym ir infer flow layout report cmd ops/info.h ops/need.h ops/property.h',
    'app': 'base sym ir cmd wire ops infer flow edit layout report export ui',
}
# A foreign header and the only room that may include it.
FOREIGN = {
    'protobuf-c': 'wire',
    'onnx.pb-c.h': 'wire',
    'curses': 'ui',
    'graphviz': 'export',
    'cgraph': 'export',
}
# Only these may change a model.
MAY_BUILD = {'ir', 'wire', 'edit'}
# Functions of the C library that are unsafe with hostile input, or do not report errors.
BANNED = 'gets strcpy strcat sprintf vsprintf strtok atoi atol alloca mktemp tmpnam system popen'.split()

problems = []


def complain(path, line, what):
    problems.append(f'{os.path.relpath(path, TOP)}:{line}: {what}')


def check_include(path, line, room, name, system):
    for part, owner in FOREIGN.items():
        if part in name and owner != room:
            complain(path, line, f'{name} belongs to {owner}')
    if system or name == 'onnx.pb-c.h':
        return
    other = name.split('/')[0]
    if other not in MAY_INCLUDE:
        complain(path, line, f'"{name}" names no room')
    elif other != room and not {other, name} & set(MAY_INCLUDE[room].split()):
        complain(path, line, f'{room} may not include {other}')
    if name == 'ir/build.h' and room not in MAY_BUILD:
        complain(path, line, f'{room} may not change a model')


def check_file(path, room):
    text = open(path, encoding='utf-8').read()
    for number, line in enumerate(text.splitlines(), 1):
        include = re.match(r'\s*#include ([<"])([^>"]+)', line)
        if include:
            check_include(path, number, room, include[2], include[1] == '<')
        for word in BANNED:
            if re.search(rf'(?<![A-Za-z0-9_.>]){word}\(', line):
                complain(path, number, f'{word} is not used here')
    if path.endswith('.h') and not re.search(rf'#ifndef {room.upper()}_\w+_H\n', text):
        complain(path, 1, f'the include guard is not {room.upper()}_..._H')


files = sorted(glob.glob(TOP + '/src/**/*.[ch]', recursive=True))
for file in files:
    folder = os.path.relpath(file, TOP).split(os.sep)[1]
    if folder in MAY_INCLUDE:
        check_file(file, folder)
    else:
        complain(file, 1, f'{folder} is no room')
for problem in problems:
    print('#', problem)
print('1..1')
print('not ok' if problems or len(files) < 20 else 'ok', f'1 - {len(files)} files keep to their rooms')
sys.exit(bool(problems))
