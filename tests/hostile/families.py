"""All families, by name."""

import fixed  # noqa: F401
import nesting  # noqa: F401
import symbols  # noqa: F401
import width  # noqa: F401
import written  # noqa: F401
from net import FAMILIES, LARGEST  # noqa: F401

if __name__ == '__main__':
    for name, family in FAMILIES.items():
        lengths = [len(family.make(size)) for size in family.sizes]
        print(f'{name:32} {lengths}' + (' TOO LARGE' if max(lengths) >= LARGEST else ''))
