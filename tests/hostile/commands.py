"""Every command, as words with {placeholders}; and a child that is measured and limited."""

import os
import signal
import subprocess
import sys
import threading

TOOLS = ('torch', 'onnxruntime', 'tensorrt', 'triton', 'openvino')
FORMATS = ('dot', 'svg', 'png', 'pdf', 'html', 'txt', 'json')

# {model} and {other} are files, {y} is a tensor, {out} a folder.
COMMANDS = {
    'show': 'show {model}',
    'show --json': 'show --json {model}',
    'shapes': 'shapes {model}',
    'shapes --json': 'shapes --json {model}',
    'check': 'check {model}',
    'check --json': 'check --json {model}',
    'check --format sarif': 'check --format sarif {model}',
    'axes': 'axes {model}',
    'symbols': 'symbols {model}',
    'explain': 'explain {model} {y}',
    'explain :0': 'explain {model} {y}:0',
    'explain --flow': 'explain --flow {model} {y}:0',
    'diff': 'diff {model} {other}',
    'fit': 'fit {model} {other} -n',
    'set': 'set {model} --batch hostile_batch --shapes all -o {out}/set.onnx',
    'set --force': 'set {model} *:0=7 --force --shapes all -o {out}/set.onnx',
    'repair': 'repair {model} -n',
    'repair --batch': 'repair {model} --batch hostile_batch -n -v',
    'repair --assume': 'repair {model} --batch hostile_batch --assume -o {out}/repair.onnx',
    'apply': 'apply {model} {out}/recipe --partial -o {out}/apply.onnx',
    'edit look': 'edit {model} --script {out}/look',
    'edit change': 'edit {model} --script {out}/change',
    **{f'snippet {tool}': f'snippet {{model}} --for {tool}' for tool in TOOLS},
    **{f'export {kind}': f'export {{model}} -o {{out}}/picture.{kind}' for kind in FORMATS},
    'export whole svg': 'export {model} --whole -o {out}/whole.svg',
    'export whole html': 'export {model} --whole -o {out}/whole.html',
    'export near y': 'export {model} --focus {y} --hops 3 -o {out}/near.svg',
    'export by dot': 'export {model} --engine dot -o {out}/by.svg',
}

# Lines of `edit`: those that only look, then those that change.  The first one that fails ends the script.
LOOK = '''resize 120 40
save-screen {out}/screen
pane outline
last
pane problems
last
pane symbols
last
pane ops
pane metadata
pane map
pane graph
zoom details
fold none
last
zoom map
fold all
resize 300 100
save-screen {out}/screen
next-problem
search y
why
save-screen {out}/screen
quit!
'''
CHANGE = '''resize 120 40
repair
set *:0=hostile
undo
shapes
save-screen {out}/screen
quit!
'''
RECIPE = '''set *:0=hostile
'''


class Result:
    def __init__(self, code, seconds, megabytes, out, err):
        self.code, self.seconds, self.megabytes, self.out, self.err = code, seconds, megabytes, out, err

    @property
    def killed(self):
        return self.code < 0


def prepare(folder):
    """Writes what the commands read into the folder."""
    for name, text in (('look', LOOK), ('change', CHANGE), ('recipe', RECIPE)):
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text.replace('{out}', folder))


def files(command):
    """How many models a command reads."""
    return COMMANDS[command].count('{model}') + COMMANDS[command].count('{other}')


def words(command, model, other, y, out):
    """Split before the names go in: a name may have blanks."""
    return [w.format(model=model, other=other, y=y, out=out) for w in COMMANDS[command].split()]


def run(program, arguments, folder, seconds, megabytes=None):
    """Runs it with at most so much processor time and address space; counts the processes that it starts too."""
    limits = f'ulimit -c 0; ulimit -t {seconds}; ' + (f'ulimit -v {megabytes << 10}; ' if megabytes else '')
    with open(os.path.join(folder, 'stdout'), 'wb+') as out, open(os.path.join(folder, 'stderr'), 'wb+') as err:
        child = subprocess.Popen(['sh', '-c', limits + 'exec "$@"', 'sh', program, *arguments], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err, start_new_session=True, env={**os.environ, 'XDG_STATE_HOME': folder, 'LC_ALL': 'C.UTF-8'})
        # Processor time ends most; a child that only waits is ended by the clock.
        clock = threading.Timer(seconds * 6 + 10, lambda: os.killpg(child.pid, signal.SIGKILL))
        clock.start()
        _, status, used = os.wait4(child.pid, 0)
        clock.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        # ru_maxrss is in KB, on macOS in bytes.
        return Result(child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / (1 << 20 if sys.platform == 'darwin' else 1 << 10),
                      out.read(1 << 16), err.read(1 << 16))
