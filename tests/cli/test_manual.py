"""The manual, shell completion, installed files, and the tables of the pages for people.

    test_manual.py MANUAL BUILD    the build tool of src/app/manual.c, and the build folder
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.dom.minidom

import readme
import tap
from tap import check, equal, model, run

MANUAL, BUILD = sys.argv[1:3]
PAGES = [os.path.join(BUILD, 'src', name) for name in ('axed.1', 'axed-recipe.5')]
SHELLS = os.path.join(tap.TOP, 'src', 'app', 'completion')
DEMO = model('demo.onnx')


def need(program):
    if not shutil.which(program):
        raise tap.Skip(f'{program} is not installed')


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def rows(table, macro):
    """The first string of every row of a .def file, parsed simply."""
    text = text_of(f'{tap.TOP}/src/app/{table}.def')
    found = re.findall(rf'^{macro}\([^"\n]*"([^"]+)"', text, re.M)
    check(5 < len(found) == len(re.findall(rf'^{macro}\(', text, re.M)), f'{table}.def could be read')
    return found


def candidates(*words, **rest):
    code, out, err = run('complete', '--', *words, **rest)
    equal((code, err), (0, b''), f'completing {words}')
    return [line.split('\t')[0] for line in out.decode().splitlines()]


# ---- the manual


def test_pages_are_mdoc():
    need('mandoc')
    for page in PAGES:
        done = subprocess.run(['mandoc', '-Tlint', '-Wwarning', page], capture_output=True, text=True)
        equal((done.returncode, done.stdout), (0, ''), page)


def test_page_has_every_row():
    page = text_of(PAGES[0])
    for name in rows('commands', 'COMMAND'):
        check(f'\n.It Nm Cm {name}' in page, f'command {name}')
    for name in rows('options', 'OPTION'):
        check(re.search(rf'^\.It.* Fl \\-{name}( |$)', page, re.M), f'option {name}')
    for name in rows('lines', 'LINE'):
        check('\n.It Ic \\&' + name.replace('-', '\\-') in page, f'line {name}')
    check('.It Ic \\&k , Ic \\&Up\nup\n' in page, 'keys')
    check('@' not in page, 'nothing is left to be filled in')


def test_every_format_is_told():
    names = tap.formats()
    check(len(names) > 5, 'formats.def could be read')
    listed = ', '.join(names[:-1]) + ' or ' + names[-1]
    endings = ', '.join(f'.{name}' for name in names[:-1]) + f' or .{names[-1]}'
    for path in PAGES[:1]:
        check(f'\n{listed}, whatever the ending says.\n' in text_of(path), 'the manual of --format')
        check(' '.join(['to a file:', *(f'.{name}' for name in names)]) in text_of(path), 'the manual of the line')
    about = run('help', 'export')[1].decode()
    check(listed in about, 'the help of --format')
    for name in names:
        check(f'.{name}' in about.split('\n')[2], f'.{name} in what export does')
        equal(run('export', '--demo', '-o', '-', '--format', name)[0], 0, f'{name} can be written')
    check(listed in run('export', '--demo', '-o', '-', '--format', 'gif')[2].decode(), 'the message about --format')
    check(endings in run('export', '--demo', '-o', 'x.gif')[2].decode(), 'the message about an ending')


def test_every_pane_is_told():
    names, page = tap.panes(), text_of(PAGES[0])
    check(len(names) > 5, 'panes.def could be read')
    check(' '.join(['\ngo to a pane:', *names]) + '.\n' in page, 'the manual of the line')
    seen = {}
    for number, name in enumerate(names, 1):
        check(f'\npane {name}\n' in page, f'{name} has a key')
        shown = [run('edit', '--demo', '--script', '-', stdin=f'resize 80 24\npane {word}\nsave-screen\n'.encode())
                 for word in (name, number)]
        equal((shown[0][0], shown[0][2]), (0, b''), f'pane {name}')
        equal(shown[1], shown[0], f'pane {number} is pane {name}')
        check(shown[0][1] not in seen, f'pane {name} looks like {seen.get(shown[0][1])}')
        seen[shown[0][1]] = name


def test_every_line_has_a_name_of_its_own():
    text = text_of(f'{tap.TOP}/src/app/lines.def')
    names = rows('lines', 'LINE') + re.findall(r'^LINE\([^"\n]*"[^"]+", "([^"]+)"', text, re.M)
    check('wq' in names and 'x' in names, 'names and abbreviations')
    equal(sorted(n for n in set(names) if names.count(n) > 1), [], 'names that two lines have')


def test_every_key_runs_a_line():
    bound = re.findall(r'BIND\("[^"]+", "([^" ]+)', text_of(f'{tap.TOP}/src/app/keys.def'))
    check('up' in bound and len(bound) > 50, 'keys.def could be read')
    equal([name for name in bound if name not in rows('lines', 'LINE')], [], 'keys bound to no line')


def test_page_says_the_version():
    version = run('--version')[1].decode().split()[1]
    for page in PAGES:
        check(f'.Os axed {version}\n' in text_of(page), page)


def test_examples_can_be_typed():
    examples = re.findall(r'^axed (.*)$', text_of(PAGES[0]).split('.Sh EXAMPLES')[1], re.M)
    check(len(examples) > 5, 'there are examples')
    for line in examples:
        code, out, err = run(*line.split(), '--help')
        equal((code, err), (0, b''), line)


def test_json_is_as_documented():
    page = text_of(PAGES[0]).split('.Sh JSON')[1]
    for command, words, top, keys in (
            ('shapes', (), 'tensors', 'name graph type shape from'),
            ('check', (), 'findings', 'level graph node op tensor axis value message why repairs'),
            ('axes', (), 'axes', 'input axis dim verdict value by equal bounds dependents'),
            ('symbols', (), 'symbols', 'name kind node uses equal'),
            ('explain', ('logits:0',), 'steps', 'tensor axis dim node op from depth'),
            ('explain', ('logits:0', '--flow'), 'axes', 'tensor axis dim factors'),
            ('set', ('batch=N', '-n'), 'changes', 'name before after')):
        out = json.loads(run(command, '--demo', *words, '--json')[1])
        check(out[top], f'{command} has {top}')
        check(set(keys.split()) <= set(out[top][0]), f'{command}: {set(keys.split()) - set(out[top][0])} missing')
        for key in (top, *keys.split()):
            check(f'.Ql {key}\n' in page or f'.Ql {key} ' in page, f'{command}: {key} is documented')
    out = json.loads(run('export', '--demo', '-o', '-', '--format', 'json')[1])
    own = set(out) - set(json.loads(run('show', '--demo', '--json')[1])) - {'finding_count'}
    for key in own | set(out['nodes'][0]) | {'elem', 'dims', 'bytes', 'stored', 'values'}:
        check(f'.Ql {key}\n' in page or f'.Ql {key} ' in page, f'export: {key} is documented')
    check({'elem', 'dims', 'bytes', 'stored', 'values'} <= set(out['constants'][0]), 'export: constants')
    out = json.loads(run('diff', DEMO, model('dynamic_linear.onnx'), '--json')[1])
    equal(sorted(out['differences'][0]), sorted('kind graph name what before after'.split()), 'diff')
    check({'model', 'inputs', 'outputs', 'symbols', 'opsets', 'nodes'} <= set(json.loads(run('show', '--demo', '--json')[1])),
          'show')


def test_recipes_are_as_documented():
    with tap.folder() as folder:
        recipe, out = os.path.join(folder, 'recipe'), os.path.join(folder, 'out.onnx')
        with open(recipe, 'w', encoding='utf-8') as file:
            file.write("# axed recipe\n\nset 'batch=N' \\seq=S # two\nset N=M nope=3\n")
        code, _, err = run('apply', DEMO, recipe, '-o', out)
        equal((code, os.path.exists(out)), (2, False), 'a line fails: nothing is written')
        check(b'line 4' in err, 'and it is named')
        equal(run('apply', DEMO, recipe, '-o', out, '--partial')[0], 1, 'with --partial')
        shape = json.loads(run('shapes', out, 'ids', '--json')[1])['tensors'][0]['shape']
        equal(shape, ['N', 'S'], 'the edits of a line are done together or not at all')


# ---- completion


def test_commands_and_options():
    first = candidates('')
    equal([c for c in first if c in rows('commands', 'COMMAND')], rows('commands', 'COMMAND'), 'commands')
    check('complete' not in first, 'the hidden one is not offered')
    for command in rows('commands', 'COMMAND'):
        listed = re.findall(r'--([a-z-]+)', run('help', command)[1].decode().split('\nOptions:\n')[1].replace('    --', '--'))
        got = [c[2:].rstrip('=') for c in candidates(command, '--')]
        check(got and set(got) <= set(listed), f'{command}: {got}')
        for name in got:
            check(f'--{name}' in run('help', command)[1].decode(), f'{command} --{name}')


def test_every_value_has_candidates():
    for name, value in re.findall(r'^OPTION\(\w+, "([^"]+)", [^,]+, "([^"]+)"', text_of(f'{tap.TOP}/src/app/options.def'), re.M):
        users = [c for c in rows('commands', 'COMMAND') if f'--{name}=' in candidates(c, '--')]
        path = model('nested.onnx') if name == 'graph' else DEMO  # the demo has one graph
        for command in users:
            apart = candidates(command, path, f'--{name}', '', cwd=tap.MODELS)
            check(apart, f'{command} --{name} {value} has candidates')
            equal(candidates(command, path, f'--{name}=', cwd=tap.MODELS), [f'--{name}={c}' for c in apart], name)


def test_every_argument_has_candidates():
    for command in rows('commands', 'COMMAND'):
        check(candidates(command, '', cwd=tap.MODELS), f'{command} has candidates')


def test_every_word_of_a_usage_is_a_kind():
    kinds = {word for words in re.findall(r'^(?:COMPLETE|CHOICES)\(\w+, "([^"]*)"', text_of(f'{tap.TOP}/src/app/completes.def'), re.M)
             for word in words.split()}
    check({'MODEL', 'NAME=N'} < kinds, 'completes.def could be read')
    usages = re.findall(r'^COMMAND\(\w+, "[^"]+", "([^"]*)"', text_of(f'{tap.TOP}/src/app/commands.def'), re.M)
    words = {re.match('[A-Z]+', word.lstrip('['))[0] for usage in usages for word in re.split(r' \[?-', usage)[0].split()}
    words |= set(re.findall(r'^OPTION\(\w+, "[^"]+", [^,]+, "([^"]+)"', text_of(f'{tap.TOP}/src/app/options.def'), re.M))
    check({'TENSOR', 'POLICY'} < words, 'usages could be read')
    equal(sorted(words - kinds), [], 'words that completion does not know')


def test_exports_have_names_that_tell_the_format():
    named = candidates('export', DEMO, '-o', 'demo.')
    equal(named[:len(tap.formats())], [f'demo.{name}' for name in tap.formats()], 'one for each')
    equal(candidates('export', DEMO, '--format', 'p'), ['png', 'pdf'], 'formats')
    for name in candidates('export', DEMO, '--format', ''):
        equal(run('export', '--demo', '-o', '-', '--format', name)[0], 0, f'{name} is one')


def test_what_the_model_has():
    axes = [f'{name}:{axis}=' for name, axes in (('ids', 2), ('mask', 2), ('logits', 2)) for axis in range(axes)]
    equal(candidates('set', DEMO, ''), [*axes, 'batch=', 'seq='], 'edits')
    equal(candidates('set', '--demo', 'ids:'), axes[:2], 'axes of the demo')
    equal(candidates('set', DEMO, '-o', 'x', 'ids:0=b'), ['ids:0=batch'], 'symbols')
    equal(candidates('repair', DEMO, 'm'), ['mask:0', 'mask:1'], 'axes to repair')
    equal(candidates('explain', DEMO, 'logits'), ['logits'], 'tensors')
    equal(candidates('explain', DEMO, 'logits:'), ['logits:0', 'logits:1'], 'their axes')
    equal(candidates('shapes', DEMO, '--bind', 's'), ['seq='], 'sizes')
    equal(candidates('check', DEMO, '--fail-on', 'pin,st'), ['pin,stale'], 'lists')
    equal(candidates('show', 'demo.', cwd=tap.MODELS), ['demo.onnx'], 'models only')
    equal(candidates('shapes', model('loop.onnx'), 'zzz'), [], 'nothing fits')
    equal(candidates('shapes', DEMO, 'logi'), ['logits'], 'tensors after models')
    equal(candidates('shapes', DEMO, 'demo.', cwd=tap.MODELS), ['demo.onnx'], 'and models')
    equal(candidates('edit', DEMO, ''), [], 'an option ends the words')
    for name in candidates('export', model('nested.onnx'), '--graph', ''):
        equal(run('export', model('nested.onnx'), '--graph', name, '-o', '-', '--format', 'txt')[0], 0, f'graph {name}')


def test_strangers_stay_quiet():
    for path in sorted(glob.glob(tap.MODELS + '/*.onnx')) + [tap.MODELS, '/dev/null', 'nowhere', '-']:
        for words in (('set', path, ''), ('explain', path, '')):
            for line in candidates(*words):
                check(line.isprintable(), f'{path}: {line!r}')
    for words in ((), ('--nope', ''), ('nope', 'x', ''), ('set', '--', DEMO, ''), ('show', '-', ''), ('-', '-'), ('set', '--=', '')):
        candidates(*words)


BASH = r'''
source "$1"/axed.bash
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3))
_axed
printf '%s\n' "${COMPREPLY[@]}"
'''


def bash(line):
    """What bash would replace the last word with; bash splits at = and : itself."""
    words = re.findall(r'[=:]+|(?:\\.|[^\s=:])+', line) + ([''] if line.endswith(' ') else [])
    done = subprocess.run(['bash', '-c', BASH, 'bash', SHELLS, line, *words], capture_output=True, text=True,
                          cwd=tap.MODELS, env={**os.environ, 'PATH': os.path.dirname(tap.AXED) + ':' + os.environ['PATH']})
    equal((done.returncode, done.stderr), (0, ''), line)
    return done.stdout.split('\n')[:-1]


def test_bash():
    need('bash')
    equal(bash('axed sym'), ['symbols'], 'commands')
    equal(bash('axed set demo.onnx mask:'), ['0=', '1='], 'behind a colon')
    equal(bash('axed set demo.onnx mask:0=s'), ['seq'], 'behind an equals sign')
    equal(bash('axed set demo.onnx batch=N mask:1'), ['1='], 'the second edit')
    equal(bash('axed check demo.onnx --color='), ['auto', 'always', 'never'], 'a value')
    equal(bash('axed check demo.onnx --color al'), ['always'], 'a value apart')
    equal(bash('axed repair --demo mask'), ['mask:0', 'mask:1'], 'the demo')
    equal(bash('axed explain dem\\o.onnx logi'), ['logits'], 'quoted')
    equal(bash('axed explain $(touch x) '), [''], 'nothing is run')
    check(not os.path.exists(tap.MODELS + '/x'), 'nothing was run')
    with tap.folder() as folder:
        shutil.copy(DEMO, os.path.join(folder, 'a b.onnx'))
        equal(bash(f'axed show {folder}/a'), [f'{folder}/a\\ b.onnx'], 'a blank is quoted')
        equal(bash(f'axed set {folder}/a\\ b.onnx ba'), ['batch='], 'and understood')


def test_completion_prints_the_installed_files():
    for shell, file in (('bash', 'axed.bash'), ('zsh', '_axed'), ('fish', 'axed.fish')):
        equal(run('completion', shell), (0, tap.read(f'{SHELLS}/{file}'), b''), shell)
    code, out, err = run('completion', 'tcsh')
    equal((code, out, err.count(b'\n')), (2, b'', 1), 'another shell')
    check(b'bash, zsh and fish' in err, err)
    equal(candidates('completion', ''), ['bash', 'zsh', 'fish'], 'and is completed')


def test_bash_evaluates_it():
    need('bash')
    done = subprocess.run(['bash', '-c', 'eval "$("$1" completion bash)"; complete -p axed', 'bash', os.path.abspath(tap.AXED)],
                          capture_output=True, text=True)
    equal((done.returncode, done.stdout, done.stderr), (0, 'complete -F _axed axed\n', ''), 'it is bound')


# A zsh in a pseudo terminal of zsh's own; Tab completes, and the line is printed.
ZSH = r'''
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= RPS1= PS2= TERM=xterm; stty -echo; unsetopt zle_bracketed_paste prompt_cr; autoload -Uz compinit; '"$1"
zpty -w shell 'show() { print -r -- "line=<$BUFFER>"; zle kill-buffer; }; zle -N show; bindkey "^X" show; print ready'
zpty -r shell answer '*ready*'
zpty -n -w shell "$2"$'\t'
zpty -n -w shell $'\x18'
zpty -r shell answer '*line=<*>*'
print -r -- "$answer"
'''


def zsh(load, typed):
    done = subprocess.run(['zsh', '-f', '-c', ZSH, 'zsh', load, typed], capture_output=True, text=True, cwd=tap.MODELS, timeout=60,
                          env={**os.environ, 'PATH': os.path.dirname(tap.AXED) + ':' + os.environ['PATH']})
    return re.findall(r'line=<(.*?)>', done.stdout)[-1:] or done.stdout + done.stderr


def test_zsh():
    need('zsh')
    done = subprocess.run(['zsh', '-n', SHELLS + '/_axed'], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ''), 'its syntax')
    for load in (f'fpath=({SHELLS} $fpath); compinit -u -D', 'compinit -u -D; eval "$(axed completion zsh)"'):
        equal(zsh(load, 'axed symb'), ['axed symbols '], load)
        equal(zsh(load, 'axed set demo.onnx mask:0=s'), ['axed set demo.onnx mask:0=seq '], load)


def test_fish():
    need('fish')
    with tap.folder() as home:
        done = subprocess.run(['fish', '-c', 'axed completion fish | source; complete -C "axed set demo.onnx mask:0=s";'
                               'complete -C "axed sym"; complete -C "axed snippet --for "'],
                              capture_output=True, text=True, cwd=tap.MODELS, env={
                                  **os.environ, 'HOME': home, 'PATH': os.path.dirname(tap.AXED) + ':' + os.environ['PATH']})
    words = [line.split('\t')[0] for line in done.stdout.splitlines()]
    equal((words[:2], sorted(words[2:])), (['mask:0=seq', 'symbols'], ['onnxruntime', 'openvino', 'tensorrt', 'torch', 'triton']),
          done.stderr)


# ---- installed files


def test_install():
    need('meson')
    with tap.folder() as folder:
        done = subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', folder],
                              capture_output=True, text=True)
        equal(done.returncode, 0, done.stdout + done.stderr)
        there = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    for wanted in ('bin/axed', 'man/man1/axed.1', 'man/man5/axed-recipe.5', 'bash-completion/completions/axed',
                   'zsh/site-functions/_axed', 'fish/vendor_completions.d/axed.fish', 'axed/themes/dark.theme',
                   'applications/axed.desktop', 'icons/hicolor/scalable/apps/axed.svg', 'mime/packages/axed.xml'):
        check(any(path.endswith('/' + wanted) for path in there), f'{wanted} is installed')
    equal(len(there), 13, 'and nothing else but three more themes')


def test_desktop_files():
    folder = f'{tap.TOP}/src/app/desktop'
    equal(xml.dom.minidom.parse(folder + '/axed.svg').documentElement.tagName, 'svg', 'the icon')
    need('desktop-file-validate')
    done = subprocess.run(['desktop-file-validate', folder + '/axed.desktop'], capture_output=True, text=True)
    equal((done.returncode, done.stdout), (0, ''), 'the entry')


def test_mime_type():
    """The system's own tools tell a model by its name, and an exported one by its first bytes."""
    need('update-mime-database')
    folder = f'{tap.TOP}/src/app/desktop'
    equal(re.findall(r'^MimeType=(.*);$', text_of(folder + '/axed.desktop'), re.M), ['application/x-onnx'], 'the entry takes it')
    with tap.folder() as data:
        os.makedirs(data + '/mime/packages')
        shutil.copy(folder + '/axed.xml', data + '/mime/packages')
        done = subprocess.run(['update-mime-database', '-V', data + '/mime'], capture_output=True, text=True)
        equal(done.returncode, 0, done.stdout + done.stderr)
        check('axed.xml' not in done.stderr, done.stderr)
        check('application/x-onnx:*.onnx' in text_of(data + '/mime/globs'), 'the name')
        check(b'pytorch' in tap.read(data + '/mime/magic'), 'the first bytes')


def test_pages():
    for name, tables in readme.PAGES.items():
        have = readme.text_of(name)
        equal(readme.made(MANUAL, have), (have, tables), f'{name}: python3 tests/cli/readme.py build/src/manual --update makes it true')


tap.main(globals())
