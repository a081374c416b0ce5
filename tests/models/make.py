"""Write the test models, the same bytes every time.

    python3 make.py OUTDIR         write them all
    python3 make.py --check DIR    exit 1 if those in DIR are out of date

Needs only Python.  README.md describes each model.
"""

import json
import os
import struct
import sys
from pathlib import Path

import demo
import structures
import weights


def link(target):
    """A symbolic link; its type tells it from a file."""
    return Path(target)


def files():
    """{path in the folder: bytes, or link(target)}"""
    out = {f"{name}.onnx": make() for name, make in structures.MODELS.items()}
    out["demo.onnx"] = demo.demo()
    out["demo_pinned.onnx"] = demo.pinned()
    out["weights_typed.onnx"] = weights.model(weights.typed)
    out["weights_raw.onnx"] = weights.model(weights.raw)
    # one tensor per line, to keep diffs readable
    rows = (f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in weights.facts().items())
    out["weights.json"] = ("{\n" + ",\n".join(rows) + "\n}\n").encode()

    out["external.bin"] = structures.external_data()
    out["whole.bin"] = struct.pack("<6f", *range(6))
    out["sub/data.bin"] = struct.pack("<4f", *range(4)) + struct.pack("<2q", 2, -1)
    out["link.bin"] = link("../../LICENSE")
    out["outside"] = link("..")
    return out


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    if isinstance(content, Path):
        path.unlink(missing_ok=True)
        path.symlink_to(content)
    else:
        path.write_bytes(content)


def same(path, content):
    if isinstance(content, Path):
        return path.is_symlink() and Path(os.readlink(path)) == content
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content


def main(args):
    check = args[:1] == ["--check"]
    if len(args) != 1 + check:
        sys.exit(__doc__)
    folder, made = Path(args[-1]), files()
    if not check:
        for name, content in made.items():
            write(folder / name, content)
        return 0
    wrong = [name for name, content in made.items() if not same(folder / name, content)]
    for name in wrong:
        print(f"{folder / name}: not what make.py writes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
