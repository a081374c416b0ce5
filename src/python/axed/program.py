"""The program axed: where it is, how it is run, and what its failures are in Python."""

import glob
import json
import os
import shutil
import subprocess
from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple, Union


class Serializable(Protocol):
    """onnx.ModelProto, and whatever else becomes the bytes of a model."""

    def SerializeToString(self) -> bytes:
        ...


Model = Union[str, 'os.PathLike[str]', bytes, bytearray, memoryview, Serializable]

# The version of the JSON that the records describe.
JSON_VERSION = 2


class Error(Exception):
    """What axed refused or could not do: its own sentence, and its exit code.

    >>> import axed
    >>> axed.show("not-there-at-all.onnx")
    Traceback (most recent call last):
    axed.program.Error: not-there-at-all.onnx: cannot open: No such file or directory
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


class Refused(Error):
    """Exit code 1 where that is not an answer: a size that the graph contradicts, an axis that was not freed.

    `report` is what axed found all the same.
    """

    def __init__(self, sentence: str, code: int, report: Any) -> None:
        super().__init__(sentence, code)
        self.report = report


class NotFound(Error):
    """There is no program: neither in this wheel, nor as AXED, nor in PATH."""

    def __init__(self) -> None:
        super().__init__('the program axed is neither installed with this module, nor named by AXED, nor in PATH',
                         2)


def _own() -> Optional[str]:
    """The program that came in the same wheel, by the list of files that pip left beside the package."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for record in glob.glob(os.path.join(glob.escape(site), 'axed-*.dist-info', 'RECORD')):
        with open(record, encoding='utf-8') as file:
            for line in file:
                name = line.split(',')[0]
                if os.path.basename(name) == 'axed' and os.path.basename(os.path.dirname(name)) == 'bin':
                    path = os.path.normpath(os.path.join(site, name))
                    if os.access(path, os.X_OK):
                        return path
    # pip install --target leaves a bin folder inside and lists another.
    path = os.path.join(site, 'bin', 'axed')
    there = glob.glob(os.path.join(glob.escape(site), 'axed-*.dist-info'))
    return path if there and os.access(path, os.X_OK) else None


def find() -> str:
    """The path of the program: from this wheel, else $AXED, else from PATH."""
    path = _own() or os.environ.get('AXED') or shutil.which('axed')
    if not path:
        raise NotFound()
    return path


def version() -> str:
    """The version of the program.

    >>> import axed
    >>> axed.version().split('.')[0].isdigit()
    True
    """
    return run(['--version']).stdout.decode().split()[-1]


class Done:
    """What a run left: exit code, standard output, and the sentences of standard error."""

    def __init__(self, code: int, stdout: bytes, stderr: bytes) -> None:
        self.code = code
        self.stdout = stdout
        self.sentences = [line[6:] if line.startswith('axed: ') else line
                          for line in stderr.decode('utf-8', 'replace').splitlines() if line]

    def sentence(self) -> str:
        if self.code < 0:
            return f'axed died (signal {-self.code})'
        return '; '.join(self.sentences) or f'axed ended with exit code {self.code}'

    def json(self) -> Dict[str, Any]:
        """Everything it printed: one object."""
        try:
            said = json.loads(self.stdout)
        except ValueError:
            raise Error(f'axed printed something else than JSON: {self.stdout[:80]!r}', self.code) from None
        if not isinstance(said, dict) or said.get('version') != JSON_VERSION:
            raise Error(f'this module reads version {JSON_VERSION} of the JSON of axed, {find()} writes another',
                        self.code)
        return said


def word(path: Union[str, 'os.PathLike[str]']) -> str:
    """A path that cannot be taken for an option."""
    text = os.fspath(path)
    return './' + text if text.startswith('-') else text


def operand(model: Model) -> Tuple[str, Optional[bytes]]:
    """The word that names a model on the command line, and the bytes for standard input."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return '-', bytes(model)
    if isinstance(model, (str, os.PathLike)):
        return word(model), None
    if not hasattr(model, 'SerializeToString'):
        raise TypeError(f'a model is a path, bytes or an onnx.ModelProto, not {model!r}')
    try:
        return '-', model.SerializeToString()
    except Exception as failure:  # of protobuf, in whichever of its versions
        raise Error(f'the model cannot become bytes, which have a limit of 2 GB; save it and give its path: {failure}',
                    2) from failure


def edited(words: Sequence[str], stdin: Optional[bytes], said: Dict[str, Any]) -> bytes:
    """The model that an edit makes, if the edit is still the one that said so before."""
    done = run([words[0], '--json', '--output=-', *words[1:]], stdin, (0, 1))
    # With the model on standard output, the report is on standard error, among the notes.
    told = [line for line in done.sentences if line.startswith('{')]
    if not done.stdout:
        raise Error('there is no edited model: nothing was freed' if told else done.sentence(), 1)
    if not told or json.loads(told[-1]) != said:
        raise Error('the file has changed since it was asked about', 2)
    return done.stdout


def run(words: Sequence[str], stdin: Optional[bytes] = None, allow: Sequence[int] = (0,)) -> Done:
    """Runs axed; an exit code that is not allowed is an Error with its sentence."""
    command: List[str] = [find(), *words]
    try:
        ended = subprocess.run(command, input=b'' if stdin is None else stdin, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, check=False)
    except OSError as failure:
        raise Error(f'cannot run {command[0]}: {failure.strerror}', 2) from failure
    done = Done(ended.returncode, ended.stdout, ended.stderr)
    if done.code not in allow:
        raise Error(done.sentence(), done.code)
    return done
