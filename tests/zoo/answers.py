#!/usr/bin/env python3
"""What the modules of the zoo compute, by torch: a child that reads {"model", "bind", "to"}, one JSON object a line.

The module is built as export.py builds it, so the weights are those of every export; the inputs are those of spec.feeds.
The results go to the file `to` (.npz: o0, o1 ...), or the line that is printed says why there are none.
"""

import json
import os
import sys


def answer(model, bind, to):
    import numpy as np
    import torch

    import spec
    from export import wrapped

    torch.manual_seed(0)
    args = [torch.from_numpy(v) for v in spec.feeds(model.inputs, bind).values()]
    module = wrapped(model)
    with torch.no_grad():
        results = [t.detach().cpu().numpy() for t in module(*args)]
    own = f'{to}.{os.getpid()}.tmp'  # another worker may compute the same
    with open(own, 'wb') as file:
        np.savez(file, **{f'o{i}': v for i, v in enumerate(results)})
    os.rename(own, to)


def main():
    import torch

    import models

    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)
    known = models.load()
    lines = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # some modules print
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer(known[case['model']], case['bind'], case['to'])
            said = {'ok': True}
        except Exception as error:
            said = {'ok': False, 'error': f'{type(error).__name__}: {error}'[:300]}
        print(json.dumps(said), file=lines, flush=True)


if __name__ == '__main__':
    main()
