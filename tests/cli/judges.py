"""The Python that judges: this one, or that of $AXED_JUDGE, which has onnx, onnxruntime and numpy.

No test needs them: it says that it is skipped where neither Python has what it asks for.
"""

import functools
import importlib.util
import os
import subprocess
import sys

MODULES = ('numpy', 'onnx', 'onnxruntime')
# In a restarted test: a second restart would go on for ever.
RESTARTED = 'AXED_JUDGED'


def here(*modules):
    """Goes on in a Python that has these modules, this one if it can; the first that is missing, or None."""
    lacks = next((name for name in modules or MODULES if not importlib.util.find_spec(name)), None)
    other = os.environ.get('AXED_JUDGE')
    if lacks and other and RESTARTED not in os.environ:
        os.environ[RESTARTED] = '1'
        os.execvp(other, [other, *sys.argv])
    return lacks


def need(*modules):
    """The same, and skips the whole test where there is none."""
    if lacks := here(*modules):
        print(f'1..0 # SKIP {lacks} is not installed')
        sys.exit(0)


@functools.cache
def python(*modules):
    """The path of a Python that has these modules, or None."""
    for path in filter(None, (os.environ.get('AXED_JUDGE'), sys.executable)):
        try:
            if subprocess.run([path, '-c', 'import ' + ', '.join(modules or MODULES)], capture_output=True).returncode == 0:
                return path
        except OSError:
            pass
    return None
