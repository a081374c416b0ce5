"""./setup on machines that are made up: apt-get, dpkg and the compiler are scripts that note how they are called."""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import tap
from tap import check, equal

REAL = ('bash', 'cut', 'dirname', 'env', 'grep', 'ln', 'mkdir', 'readlink', 'rm', 'sed', 'sleep', 'sort', 'tail', 'tr', 'uname')
# As Debian 12 answers: it has libcgraph6 and libgraphviz-dev, but no libcgraph-dev.
APT = r'''echo "$*" >>"$CALLS"
case " $* " in
*' --assume-no '*libcgraph-dev*) echo 'E: Unable to locate package libcgraph-dev' >&2; exit 100 ;;
*' --assume-no '*)
	case " $* " in
	*NoLocking*) ;;
	*) [ -z "$BUSY" ] || { echo 'E: Could not get lock' >&2; exit 100; } ;;
	esac
	echo '0 upgraded, 2 newly installed, 0 to remove and 0 not upgraded.'
	echo 'Need to get 30.9 kB of archives.'
	exit 1 ;;
*' download '*) echo headers >libgraphviz-dev_1_amd64.deb ;;
*' install '*|*' update '*)
	if [ -n "$BUSY" ] && [ "$(grep -c ' install -qq ' "$CALLS")" -lt 3 ]; then
		echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)' >&2
		exit 100
	fi
	for word; do echo "$word" >>"$INSTALLED"; done ;;
esac
'''
FAKES = {
    'apt-get': APT,
    'apt-cache': "echo libgraphviz-dev; echo '  Depends: libcgraph6'",
    'dpkg-query': 'grep -qx "$4" "$INSTALLED" 2>/dev/null && printf installed',
    'dpkg-deb': '''mkdir -p usr/lib/x/pkgconfig usr/include
echo prefix=/usr >usr/lib/x/pkgconfig/libcgraph.pc
ln -s libcgraph.so.6.0.0 usr/lib/x/libcgraph.so''',
    'pkg-config': 'case $2 in libcgraph) [ -f build-needs/pkgconfig/libcgraph.pc ] ;; esac',
    'meson': 'echo configured >>"$CALLS"; exit 1',
    'cc': 'while read -r line; do :; done',
    **dict.fromkeys(('python3', 'ninja', 'protoc-c'), 'exit 0'),
}


def setup(place, installed=(), user=1000, words=('build',), **more):
    """Runs ./setup up to meson; what it says, and how apt-get was called."""
    programs = f'{place}/bin'
    os.mkdir(programs)
    fakes = {**FAKES, 'id': f'echo {user}', **more.pop('fakes', {})}
    for name in set(REAL) - set(fakes):
        os.symlink(shutil.which(name), f'{programs}/{name}')
    for name, text in fakes.items():
        # 'x': never through a link to the program of this machine.
        with open(f'{programs}/{name}', 'x', encoding='utf-8') as file:
            file.write('#!/bin/sh\n' + text + '\n')
        os.chmod(f'{programs}/{name}', 0o755)
    with open(f'{place}/installed', 'w', encoding='utf-8') as file:
        file.write(''.join(name + '\n' for name in installed))
    shutil.copy(os.path.join(tap.TOP, 'setup'), place)
    done = subprocess.run(['./setup', *words], cwd=place, capture_output=True, text=True, timeout=60, env={
        'PATH': programs, 'CALLS': f'{place}/calls', 'INSTALLED': f'{place}/installed', 'HOME': place, 'BUSY': '', **more})
    calls = open(f'{place}/calls', encoding='utf-8').read() if os.path.exists(f'{place}/calls') else ''
    return re.sub(r'\d+ s\b', 'N s', done.stderr), calls


def test_headers_need_no_root():
    with tap.folder() as place:
        said, calls = setup(place, installed=['libcgraph6'])
        check('unpacking the headers of cgraph ... N s\n' in said and 'configured' in calls, f'{said} {calls}')
        check(' -qq ' not in calls.replace('download -qq', ''), f'nothing is installed: {calls}')
        with open(f'{place}/build-needs/pkgconfig/libcgraph.pc', encoding='utf-8') as file:
            equal(file.read(), f'prefix={place}/build-needs/libgraphviz-dev/usr\n', 'libcgraph.pc')


def test_missing_packages_have_their_real_names():
    with tap.folder() as place:
        said, calls = setup(place)
        equal(said, 'setup: cannot install packages without root or sudo; as root: apt-get install libcgraph6\n', 'without root')
        check('configured' not in calls, calls)


def test_sudo_is_used():
    with tap.folder() as place:
        said, calls = setup(place, fakes={'sudo': 'echo sudo >>"$CALLS"; exec "$@"'})
        check('installing 2 packages, 30.9 kB ... N s\n' in said and 'configured' in calls, f'{said} {calls}')
        check(re.search(r'^sudo\n-y .*install -qq libcgraph6$', calls, re.M), calls)


def test_another_apt_is_waited_for():
    with tap.folder() as place:
        said, calls = setup(place, user=0, BUSY='yes')
        check('installing 2 packages, 30.9 kB ... waiting for another apt ... N s\n' in said, said)
        check('configured' in calls and calls.count('install -qq libcgraph6') == 3 and 'update' not in calls, calls)


def test_another_apt_that_does_not_end():
    with tap.folder() as place:
        wait = 'grep -c "install -qq" "$CALLS" >/dev/null; echo "E: Could not get lock /x" >&2; exit 100'
        said, _ = setup(place, user=0, fakes={'apt-get': APT.replace("*' install '*|*' update '*)", f"*' install '*) {wait} ;;\nx)"),
                                              'sleep': 'exit 0'}, APT_PATIENCE='1')
        check('setup: another apt has been running for N s: try again\n' in said, said)


# A build that leaves a program which says how it was called.
BUILDS = 'mkdir -p build; : >build/build.ninja; ln -sf "$PWD/said" build/axed'


def ran(place, *words):
    """What ./setup run says, and how it calls the program."""
    with open(f'{place}/said', 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\necho "$@" >called\n')
    os.chmod(f'{place}/said', 0o755)
    said, _ = setup(place, installed=['libcgraph6'], words=('run', *words), fakes={'meson': BUILDS})
    with open(f'{place}/called', encoding='utf-8') as file:
        return said, file.read()


def test_run_opens_the_demo_or_a_model():
    for words, wanted in (((), '--demo\n'), (('m.onnx',), 'm.onnx\n')):
        with tap.folder() as place:
            said, called = ran(place, *words)
            equal(called, wanted, 'how axed is called')
            check('compiling build; linking, the last step, takes a minute ... N s' in said, said)


def sources_of_the_package(place, **env):
    """What ./setup deb gives dpkg-buildpackage, as one text."""
    programs = f'{place}/bin'
    os.mkdir(programs)
    for name in ('bash', 'cat', 'cp', 'cut', 'date', 'dirname', 'find', 'ls', 'mkdir', 'rm', 'sed', 'sort', 'tail', 'tr'):
        os.symlink(shutil.which(name), f'{programs}/{name}')
    build = 'find . -type f | sort | while read -r file; do echo "== $file"; cat "$file"; done >"$SOURCES"; : >../axed.deb'
    fakes = dict.fromkeys(('dh', 'g++', 'meson', 'ninja', 'pkg-config', 'protoc-c', 'python3'), 'exit 0')
    # A compiler that leaves its input unread would end who writes it by SIGPIPE, now and then.
    for name, text in {**fakes, 'cc': 'cat >/dev/null', 'git': 'echo 1700000000', 'dpkg-buildpackage': build}.items():
        with open(f'{programs}/{name}', 'x', encoding='utf-8') as file:
            file.write('#!/bin/sh\n' + text + '\n')
        os.chmod(f'{programs}/{name}', 0o755)
    os.makedirs(f'{place}/tests')
    shutil.copytree(os.path.join(tap.TOP, 'tests', 'deb'), f'{place}/tests/deb')
    for name in ('setup', 'LICENSE', 'README.md', 'meson.build'):
        shutil.copy(os.path.join(tap.TOP, name), place)
    for name in ('proto', 'src', 'themes'):
        os.mkdir(f'{place}/{name}')
    done = subprocess.run(['./setup', 'deb'], cwd=place, capture_output=True, text=True, timeout=60, env={
        'PATH': programs, 'HOME': place, 'SOURCES': f'{place}/given', **env})
    equal(done.returncode, 0, f'./setup deb: {done.stdout}{done.stderr}')
    with open(f'{place}/given', encoding='utf-8') as file:
        return file.read()


def test_a_package_is_dated_by_its_commit():
    """dpkg takes the time of all its files from the changelog, and nothing else in there is of today or of here."""
    with tap.folder() as one, tap.folder() as two:
        first = sources_of_the_package(one)
        check('\n -- The axed authors <axed@localhost>  Tue, 14 Nov 2023 22:13:20 +0000\n' in first, first[:3000])
        check(one not in first, 'names the folder')
        equal(sources_of_the_package(two, TZ='Pacific/Chatham', LC_ALL='C.UTF-8'), first, 'elsewhere')
        shutil.rmtree(f'{two}/bin')
        shutil.rmtree(f'{two}/tests')
        for name in ('proto', 'src', 'themes'):
            os.rmdir(f'{two}/{name}')
        given = sources_of_the_package(two, SOURCE_DATE_EPOCH='1600000000')
        check('Sun, 13 Sep 2020 12:26:40 +0000' in given, 'SOURCE_DATE_EPOCH comes first')


tap.main(globals())
