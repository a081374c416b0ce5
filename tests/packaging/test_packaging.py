"""The recipes agree with meson.build and setup, and do what they can without their package managers.

usage: test_packaging.py [--build], which also runs the functions of the PKGBUILD: a whole build.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'cli'))
import tap
from tap import check, equal, model

tap.AXED = os.path.abspath(tap.AXED)
COLUMNS = ('test', 'apt', 'dnf', 'pacman', 'apk', 'brew')


def text_of(*path):
    with open(os.path.join(tap.TOP, *path), encoding='utf-8') as file:
        return file.read()


def recipe(name):
    return text_of('tests', 'packaging', name)


def fact(name):
    return re.search(rf"^\t{name}: '([^']+)',$", text_of('meson.build'), re.M)[1]


def needs(manager):
    """The packages that setup installs, without the compiler and the C library."""
    rows = re.search(r"^needs='\n(.*?)'$", text_of('setup'), re.M | re.S)[1].strip().split('\n')
    rows = [row.split('|') for row in rows]
    check(len(rows) == 10 and all(len(row) == len(COLUMNS) for row in rows), f'the table of setup: {rows}')
    return {row[COLUMNS.index(manager)] for row in rows if row[0] not in ('command:cc', 'program:a C program')}


def test_version_and_licence():
    version, licence = re.escape(fact('version')), re.escape(fact('license'))
    for name, wanted in (('axed.rb', [rf'/v{version}\.tar', rf'license "{licence}"']),
                         ('meta.yaml', [rf'version = "{version}"', rf'license: {licence}$']),
                         ('PKGBUILD', [rf'^pkgver={version}$', rf'^license=\({licence}\)$', rf'axed-{version}/ ']),
                         ('flake.nix', [rf'version = "{version}";', rf'licenses\.{licence.lower()};'])):
        for pattern in wanted:
            check(re.search(pattern, recipe(name), re.M), f'{name}: no {pattern}')


def words_of(name, pattern):
    return {word for found in re.findall(pattern, recipe(name), re.M) for word in found.split()}


def test_dependencies():
    equal(words_of('axed.rb', r'depends_on "([^"]+)"'), needs('brew'), 'Homebrew')
    equal(words_of('PKGBUILD', r'^(?:make)?depends=\((.*)\)') - {'gcc', 'glibc'}, needs('pacman'), 'Arch')
    # Names of these are not in setup's table.
    conda = {'pkgconf': 'pkg-config', 'protobuf-c': 'libprotobuf-c'}
    equal({line for line in words_of('meta.yaml', r'^    - ([a-z-]+)$') if line},
          {conda.get(word, word) for word in needs('brew')}, 'conda')
    nix = {'pkgconf': 'pkg-config', 'protobuf-c': 'protobufc', 'python': 'python3'}
    equal(words_of('flake.nix', r'Inputs = with pkgs; \[(.*?)\]'), {nix.get(word, word) for word in needs('brew')}, 'Nix')


def test_docker_has_the_libraries():
    found = words_of('Dockerfile', r'recommends (.*?) &&')
    for name in ('libcgraph', 'libncursesw', 'libprotobuf-c'):
        check(any(word.startswith(name) for word in found), f'{name}: {found}')
    check('setup install' in recipe('Dockerfile'), 'and is built by setup')


def test_static_libraries():
    """setup's own build loads neither ncurses nor protobuf-c, where their static libraries are there."""
    check(re.findall(r'configure build .*-Ddefault_library=static', text_of('setup')), 'setup asks for them')
    folder = subprocess.run(['pkg-config', '--variable=libdir', 'ncursesw'], capture_output=True, text=True).stdout.strip()
    if not shutil.which('meson') or not os.path.exists(folder + '/libncursesw.a'):
        raise tap.Skip('no meson, or no static ncurses')
    # As setup does, for the headers that it unpacked.
    paths = [os.path.join(tap.TOP, 'build-needs', 'pkgconfig'), os.environ.get('PKG_CONFIG_PATH', '')]
    with tap.folder() as build:
        done = subprocess.run(['meson', 'setup', build, '-Ddefault_library=static'], cwd=tap.TOP, capture_output=True, text=True,
                              env={**os.environ, 'PKG_CONFIG_PATH': ':'.join(path for path in paths if path)})
        equal(done.returncode, 0, done.stdout + done.stderr)
        linked = subprocess.run(['ninja', '-C', build, '-t', 'commands', 'axed'], capture_output=True, text=True).stdout
    last = linked.splitlines()[-1].split()
    for name in ('ncursesw', 'protobuf-c'):
        check([word for word in last if word.endswith(f'lib{name}.a')], f'{name}: {last[-20:]}')
    check([word for word in last if word.endswith('.so')] or '-lcgraph' in last, f'cgraph is shared: {last[-20:]}')


def test_no_address_is_made_up():
    """Until there is a repository, its place is OWNER/REPO."""
    for name in ('axed.rb', 'PKGBUILD', 'meta.yaml', 'flake.nix'):
        for address in re.findall(r'github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?["/\s]', recipe(name)):
            equal(address, 'OWNER/REPO', name)
    guide = text_of('src', 'app', 'manual', 'GUIDE.md')
    used = re.findall(r'^- (?:uses|repo): (.*)$', guide, re.M)
    equal(len(used), 2, f'steps of CI: {used}')
    check(all('OWNER/REPO' in place for place in used), f'steps of CI: {used}')


def test_ruby():
    if not shutil.which('ruby'):
        raise tap.Skip('ruby is not installed')
    done = subprocess.run(['ruby', '-c', os.path.join(HERE, 'axed.rb')], capture_output=True, text=True)
    equal((done.returncode, done.stdout), (0, 'Syntax OK\n'), done.stderr)


def test_what_they_test():
    """The commands by which the packages are tested do what is expected of them."""
    wanted, words = re.search(r'assert_match "([^"]+)", shell_output\("#\{bin\}/axed ([^"]+)"\)', recipe('axed.rb')).groups()
    code, out, err = tap.run(*words.split())
    check(code == 0 and wanted in out.decode(), f'Homebrew: {code} {out} {err}')
    commands = re.search(r'^  commands:\n((?:    - axed .*\n)+)', recipe('meta.yaml'), re.M)[1]
    for words in re.findall(r'- axed (.*)', commands):
        equal(tap.run(*words.split())[0], 0, f'conda: {words}')


def test_conda():
    try:
        import jinja2
        import yaml
    except ImportError as error:
        raise tap.Skip(str(error))
    made = yaml.safe_load(jinja2.Template(recipe('meta.yaml')).render(compiler=lambda name: name + '-compiler'))
    equal((made['package']['version'], made['about']['license']), (fact('version'), fact('license')), 'rendered')
    check(all(made['requirements'][part] for part in ('build', 'host')) and made['test']['commands'], made)


def test_flake_is_balanced():
    stack = []
    for sign in re.sub(r'"[^"]*"', '', recipe('flake.nix')):
        if sign in '([{':
            stack.append(sign)
        elif sign in ')]}':
            check(stack and '([{'.index(stack.pop()) == ')]}'.index(sign), f'an odd {sign}')
    equal(stack, [], 'left open')


def test_pkgbuild():
    path = os.path.join(HERE, 'PKGBUILD')
    done = subprocess.run(['bash', '-euc', '. "$1"; declare -F build package; echo "$pkgname-$pkgver ${source[0]}"', 'bash', path],
                          capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ''), 'sourced')
    check(f'axed-{fact("version")}' in done.stdout and 'v' + fact('version') in done.stdout, done.stdout)
    if '--build' not in sys.argv:
        return
    with tap.folder() as folder:
        os.symlink(tap.TOP, os.path.join(folder, 'axed-' + fact('version')))
        done = subprocess.run(['bash', '-euc', '. "$1"; cd "$2"; pkgdir=$2/pkg; (build); (package)', 'bash', path, folder],
                              capture_output=True, text=True)
        equal(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        done = subprocess.run([os.path.join(folder, 'pkg/usr/bin/axed'), '--version'], capture_output=True, text=True)
        equal(done.stdout, f'axed {fact("version")}\n', 'the program that was packaged')


# ---- the action, as a runner would run it


def steps():
    """Each step's script and environment; the file is plain enough to read by its indentation."""
    text = text_of('.github', 'actions', 'check', 'action.yml')
    defaults = dict(re.findall(r"^  ([a-z-]+):\n    description: .*\n    default: '(.*)'$", text, re.M))
    for step in text.split('    - name: ')[1:]:
        script = re.search(r'^      run: \|\n((?:        .*\n|\n)+)', step + '\n', re.M)[1]
        env = re.findall(r'^        ([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$', step, re.M)
        yield re.sub(r'^ {8}', '', script, flags=re.M), env, defaults


def act(folder, **inputs):
    """Exit code and output of all steps, as a runner with axed in PATH."""
    bin_folder = os.path.join(folder, 'bin')
    os.makedirs(bin_folder, exist_ok=True)
    if not os.path.exists(bin_folder + '/axed'):
        os.symlink(tap.AXED, bin_folder + '/axed')
    out = ''
    for script, env, defaults in steps():
        values = {name: inputs.get(key.replace('-', '_'), defaults[key]) for name, key in env}
        done = subprocess.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, **values, 'PATH': bin_folder + ':' + os.environ['PATH'], 'GITHUB_PATH': folder + '/path',
                                   'GITHUB_ACTION_PATH': tap.TOP + '/.github/actions/check', 'RUNNER_TEMP': folder})
        out += done.stdout + done.stderr
        if done.returncode:
            return done.returncode, out
    return 0, out


def test_the_action():
    equal(len(list(steps())), 2, 'steps')
    with tap.folder() as folder:
        os.mkdir(folder + '/m')
        shutil.copy(model('dynamic_linear.onnx'), folder + '/m/good.onnx')
        equal(act(folder, models='m/*.onnx')[0], 0, 'a good model')
        equal(act(folder, models='m/*.onnx', expect='input:0=batch_size')[0], 0, 'and what is expected of it')
        code, out = act(folder, models='**/*.onnx', expect='input:0=7')
        check(code == 1 and '::error file=m/good.onnx' in out, f'an axis that was expected: {code} {out}')
        shutil.copy(model('pinned_reshape.onnx'), folder + '/m/bad one.onnx')
        code, out = act(folder, models='m/*.onnx')
        check(code == 1 and re.search(r'^::error file=m/bad one\.onnx.*::', out, re.M), f'a bad model: {code} {out}')
        equal(act(folder, models='m/*.onnx', fail_on='error')[0], 0, 'which is only an error if asked for')
        code, out = act(folder, models='none/*.onnx')
        check(code == 2 and '::error::' in out, f'no models: {code} {out}')
        code, out = act(folder, models='m/good.onnx; touch ran', expect='$(touch ran)')
        check(code and not os.path.exists(folder + '/ran'), f'inputs are text: {code} {out}')


# ---- pre-commit


def test_the_hook():
    hook = text_of('.pre-commit-hooks.yaml')
    entry = re.search(r'^  entry: (axed .*)$', hook, re.M)[1].split()
    for name, wanted in (('dynamic_linear.onnx', 0), ('pinned_reshape.onnx', 1)):
        equal(tap.run(*entry[1:], model(name))[0], wanted, name)
    program = os.environ.get('PRE_COMMIT') or shutil.which('pre-commit')
    if not program:
        raise tap.Skip('pre-commit is not installed; its entry was run')
    with tap.folder() as folder:
        hooks, work = folder + '/hooks', folder + '/work'
        for path in (hooks, work):
            subprocess.run(['git', 'init', '-q', path], check=True)
        shutil.copy(tap.TOP + '/.pre-commit-hooks.yaml', hooks)
        shutil.copy(model('dynamic_linear.onnx'), work + '/m.onnx')
        os.mkdir(folder + '/bin')
        os.symlink(tap.AXED, folder + '/bin/axed')
        env = {**os.environ, 'PATH': folder + '/bin:' + os.environ['PATH'], 'PRE_COMMIT_HOME': folder + '/cache',
               'GIT_AUTHOR_NAME': 'a', 'GIT_AUTHOR_EMAIL': 'a@b', 'GIT_COMMITTER_NAME': 'a', 'GIT_COMMITTER_EMAIL': 'a@b'}
        for words in (['add', '-A'], ['commit', '-qm', 'hooks']):
            subprocess.run(['git', '-C', hooks, *words], check=True, env=env)
        for source, wanted, said in (('dynamic_linear.onnx', 0, 'Passed'), ('pinned_reshape.onnx', 1, 'can only be 3')):
            shutil.copy(model(source), work + '/m.onnx')
            subprocess.run(['git', '-C', work, 'add', '-A'], check=True, env=env)
            done = subprocess.run([program, 'try-repo', hooks, 'axed-check', '--all-files'], cwd=work, env=env, capture_output=True, text=True)
            equal(done.returncode, wanted, f'{source}: {done.stdout}{done.stderr}')
            check(said in done.stdout, done.stdout)


tap.main(globals())
