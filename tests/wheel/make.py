"""The wheel: the static program as a script, the Python module, manual, completions, licences.

    make.py ARCH OUT     from build-wheel/ARCH, made by tests/wheel/static, into the folder OUT

Written with the standard library alone, and the same sources give the same bytes: entries are sorted, and
dates are SOURCE_DATE_EPOCH or the first day that a zip file can tell.
"""

import base64
import hashlib
import os
import re
import struct
import sys
import time
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A static program of musl asks nothing of the machine but its processor and a kernel of 2009 or later.
PLATFORMS = ['manylinux_2_17_{0}', 'manylinux2014_{0}', 'musllinux_1_1_{0}']
MACHINES = {'x86_64': 62, 'aarch64': 183}
FIRST_DAY = 315532800  # 1 January 1980

SHARED = {
    'axed.1': 'man/man1/axed.1',
    'axed-recipe.5': 'man/man5/axed-recipe.5',
}
COMPLETION = {
    'axed.bash': 'bash-completion/completions/axed',
    '_axed': 'zsh/site-functions/_axed',
    'axed.fish': 'fish/vendor_completions.d/axed.fish',
}
# What is linked into the program: name in the wheel, file below build-wheel/ARCH.
LICENCES = {
    'LICENSE.musl': 'musl/COPYRIGHT',
    'LICENSE.ncurses': 'ncurses/COPYING',
    'LICENSE.protobuf-c': 'protobuf-c/LICENSE',
    'LICENSE.graphviz': 'graphviz/LICENSE',
}
SUMMARY = 'Dynamic axes of ONNX models: see, check, edit and repair them, in the terminal and from Python'
METADATA = '''Metadata-Version: 2.4
Name: axed
Version: {version}
Summary: {summary}
Author: {author}
License-Expression: MIT AND EPL-1.0 AND BSD-2-Clause AND X11-distribute-modifications-variant
Requires-Python: >=3.8
Classifier: Environment :: Console :: Curses
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Description-Content-Type: text/plain
{licences}
axed shows the graph of an ONNX model in the terminal, with every tensor's shape and its symbolic
dimensions; tells which axes can be dynamic and what stops the others; edits and repairs them, and saves
a file in which nothing else changed.

    axed model.onnx                 the screen
    axed check model.onnx           all problems
    python -c 'import axed; print(axed.shapes("model.onnx")["output"])'

The program is static and holds its themes, its page and the descriptions of common terminals.  It
contains musl, ncurses, protobuf-c, and cgraph and cdt of Graphviz 2.42.4, whose source code is at
https://deb.debian.org/debian/pool/main/g/graphviz/ under the Eclipse Public License 1.0.
'''


def read(*parts):
    with open(os.path.join(*parts), 'rb') as file:
        return file.read()


def version():
    return re.search(r"\n\tversion: '([^']+)'", read(TOP, 'meson.build').decode())[1]


def author():
    """Whom the licence names."""
    return re.search(r'^Copyright \(c\) [0-9-]+ (.+)$', read(TOP, 'LICENSE').decode(), re.M)[1]


def machine(program):
    """The processor a program is for; it must be static."""
    if program[:6] != b'\x7fELF\x02\x01':
        sys.exit('make.py: not a 64-bit program')
    start, = struct.unpack_from('<Q', program, 32)
    size, count = struct.unpack_from('<HH', program, 54)
    if any(struct.unpack_from('<I', program, start + i * size)[0] == 3 for i in range(count)):
        sys.exit('make.py: the program is not static')
    return struct.unpack_from('<H', program, 18)[0]


def contents(arch, built):
    """(name in the wheel, bytes, whether it is a program) of all files but RECORD."""
    name = f'axed-{version()}'
    info, data = f'{name}.dist-info', f'{name}.data'
    program = read(built, 'axed')
    if machine(program) != MACHINES[arch]:
        sys.exit(f'make.py: the program is not for {arch}')
    yield f'{data}/scripts/axed', program, True
    package = os.path.join(TOP, 'src', 'python', 'axed')
    for file in sorted(os.listdir(package)):
        if file.endswith('.py') or file == 'py.typed':
            yield f'axed/{file}', read(package, file), False
    for file, where in SHARED.items():
        yield f'{data}/data/share/{where}', read(built, 'build', 'src', file), False
    for file, where in COMPLETION.items():
        yield f'{data}/data/share/{where}', read(TOP, 'src', 'app', 'completion', file), False
    yield f'{info}/licenses/LICENSE', read(TOP, 'LICENSE'), False
    for file, where in LICENCES.items():
        yield f'{info}/licenses/{file}', read(built, where), False
    licences = ''.join(f'License-File: {file}\n' for file in ['LICENSE', *LICENCES])
    yield f'{info}/METADATA', METADATA.format(version=version(), summary=SUMMARY, author=author(), licences=licences).encode(), False
    tags = ''.join(f'Tag: py3-none-{platform.format(arch)}\n' for platform in PLATFORMS)
    yield (f'{info}/WHEEL', f'Wheel-Version: 1.0\nGenerator: axed {version()}\nRoot-Is-Purelib: false\n{tags}'.encode(),
           False)


def digest(content):
    return 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()


def write(arch, out, built):
    # As installers want it: the folder of metadata last.
    files = sorted(contents(arch, built), key=lambda file: ('.dist-info/' in file[0], file[0]))
    record = f'axed-{version()}.dist-info/RECORD'
    listed = ''.join(f'{name},{digest(content)},{len(content)}\n' for name, content, _ in files)
    files.append((record, f'{listed}{record},,\n'.encode(), False))
    date = time.gmtime(max(int(os.environ.get('SOURCE_DATE_EPOCH', FIRST_DAY)), FIRST_DAY))[:6]
    tags = '.'.join(platform.format(arch) for platform in PLATFORMS)
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, f'axed-{version()}-py3-none-{tags}.whl')
    with zipfile.ZipFile(path, 'w') as wheel:
        for name, content, runs in files:
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return path


if __name__ == '__main__':
    if len(sys.argv) != 3 or sys.argv[1] not in MACHINES:
        sys.exit(__doc__)
    print(write(*sys.argv[1:], os.path.join(TOP, 'build-wheel', sys.argv[1])))
