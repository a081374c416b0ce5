"""All models of the zoo, by name."""

import importlib

from spec import REGISTRY

FILES = ('modules', 'pictures', 'language', 'sight', 'sound', 'vision')


def load(files=FILES):
    for name in files:
        importlib.import_module(name)
    return REGISTRY
