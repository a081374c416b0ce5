"""What a start costs: the program loads few libraries, and has little memory to clear.

The loader clears thread-local buffers page by page at every start, and maps and relocates each library,
before the program has done anything.
"""

import struct

import tap

# By name, without versions.  libtinfo and libcdt are halves of ncurses and cgraph.
LIBRARIES = {'libprotobuf-c', 'libncursesw', 'libtinfo', 'libcgraph', 'libcdt', 'libm', 'libc',
             'ld-linux-x86-64', 'ld-linux-aarch64'}
PT_LOAD, PT_DYNAMIC, PT_TLS = 1, 2, 7
DT_NEEDED, DT_STRTAB = 1, 5


class Elf:
    """The program headers and needed libraries of a 64-bit little-endian file."""

    def __init__(self, path):
        self.bytes = tap.read(path)
        if self.bytes[:6] != b'\x7fELF\x02\x01':
            raise tap.Skip('not a 64-bit ELF program')
        start, = struct.unpack_from('<Q', self.bytes, 32)
        size, count = struct.unpack_from('<HH', self.bytes, 54)
        self.headers = [struct.unpack_from('<IIQQQQQQ', self.bytes, start + i * size)
                        for i in range(count)]

    def segments(self, kind):
        """Offset in the file, address, size in the file and in memory."""
        return [(h[2], h[3], h[5], h[6]) for h in self.headers if h[0] == kind]

    def offset(self, address):
        for offset, start, size, _ in self.segments(PT_LOAD):
            if start <= address < start + size:
                return address - start + offset
        raise ValueError(f'no segment holds address {address}')

    def needed(self):
        tags = []
        for offset, _, size, _ in self.segments(PT_DYNAMIC):
            tags = [struct.unpack_from('<qQ', self.bytes, offset + i) for i in range(0, size, 16)]
        strings = [value for tag, value in tags if tag == DT_STRTAB]
        names = [self.offset(strings[0]) + value for tag, value in tags if tag == DT_NEEDED]
        return [self.bytes[at:self.bytes.index(b'\0', at)].decode() for at in names]


def program():
    elf = Elf(tap.AXED)
    if any('asan' in name or 'ubsan' in name for name in elf.needed()):
        raise tap.Skip('the sanitizers bring libraries')
    return elf


def test_libraries():
    loaded = {name.split('.')[0] for name in program().needed()}
    tap.equal(sorted(loaded - LIBRARIES), [], 'libraries that nobody allowed')


def test_nothing_large_is_cleared():
    for _, _, _, memory in program().segments(PT_TLS):
        tap.check(memory <= 4096, f'{memory} bytes are thread-local, and cleared at every start')


def test_version_needs_nothing():
    code, out, err = tap.run('--version', env={'LC_ALL': 'xx_XX.UTF-8', 'TERM': 'unknown'}, cwd='/')
    tap.equal((code, err), (0, b''), 'axed --version')
    tap.check(out.startswith(b'axed ') and out.count(b'\n') == 1, f'the version is {out!r}')


if __name__ == '__main__':
    tap.main(globals())
