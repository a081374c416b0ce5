"""axed from Python: shapes and dynamic axes of ONNX models, and their repair.

Each function runs the program axed once, and returns what it prints as JSON in typed records:

>>> import axed
>>> axed.shapes("pinned_reshape.onnx")["output"]
Tensor(output: float32 [3, 5, 2])
>>> for finding in axed.check("pinned_reshape.onnx"):
...     print(finding.level, finding.repairs)
pin ('repair input:0',)
loss ('repair input:0',)

A model is a path, its bytes, or anything with SerializeToString, such as onnx.ModelProto.  An edited model is a
file if you name one, else bytes: `onnx.load_from_string(axed.set(proto, {"batch": 8}).model)`.  print() shows a
result as the command line does; in a notebook results are tables, and axed.draw(model) is a picture.
"""

from .commands import (apply, axes, check, diff, draw, explain, export, fit, repair, set, shapes, show, snippet,
                       symbols, verify)
from .notebook import Drawing
from .program import Error, NotFound, Refused, find, version
from .records import (Axes, Axis, By, Change, Changes, Difference, Differences, Dim, Explanation, Findings,
                      Finding, Fit, FitAxis, Freed, Input, Opset, Operator, Range, Repair, Run, Shapes, Solved,
                      Step, Summary, Symbol, Symbols, Tensor, Type, Use, Verification)

__all__ = [
    'apply', 'axes', 'check', 'diff', 'draw', 'explain', 'export', 'find', 'fit', 'repair', 'set', 'shapes', 'show',
    'snippet', 'symbols', 'verify', 'version',
    'Axes', 'Axis', 'By', 'Change', 'Changes', 'Difference', 'Differences', 'Dim', 'Drawing', 'Error',
    'Explanation', 'Finding', 'Findings', 'Fit', 'FitAxis', 'Freed', 'Input', 'NotFound', 'Operator', 'Opset',
    'Range', 'Refused', 'Repair', 'Run', 'Shapes', 'Solved', 'Step', 'Summary', 'Symbol', 'Symbols', 'Tensor',
    'Type', 'Use', 'Verification',
]
