"""Measures edits and checks the figures against their limits.

Compared commands take turns in the same rounds.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from common import SHARED, TESTS, Bench, alternate, memory_text, options, run
from generate import generate_pinned

# The limits: README.md has their reasons.
SLOWER_THAN_COPY = 1.5
SLOWER_WITH_DATA = 1.5
GROWTH = 8  # for five times the nodes
REPAIR_1000 = 10  # s


class EditBench(Bench):
    def __init__(self, args, folder):
        super().__init__(args, folder)
        self.target = self.folder / "edited.onnx"

    def writing(self, *command):
        def measure():
            sample = run(*command)
            self.target.unlink()  # which writes what cp left in the page cache
            return sample
        return measure

    def edit(self, model, *edits, command="set"):
        return self.writing(self.args.axed, command, "-q", model, *edits, "-o", self.target)

    # weights

    def inline(self):
        size = 200e6 if self.args.quick else 1.9e9
        bare, _ = self.model("bare.onnx", 1000)
        full, _ = self.model("inline.onnx", 1000, size, "random")
        # pending writes would slow down the first rounds
        with open(full, "rb+") as made:
            os.fsync(made)
        edit, never, plain, flushed, small = alternate(
            self.args.rounds,
            self.edit(full, "batch=items"),
            self.writing("cp", "--reflink=never", full, self.target),
            self.writing("cp", full, self.target),
            self.writing("sh", "-c", 'cp "$0" "$1" && sync "$1"', full, self.target),
            self.edit(bare, "batch=items"))
        name = f"set batch=items: {full.stat().st_size / 1e9:.1f} GB inline"
        self.table.note(name, f"{edit.seconds:.2f} s, {memory_text(edit)}")
        self.table.note("... without weights", f"{small.seconds * 1e3:.1f} ms, {memory_text(small)}")
        self.table.note("... against cp --reflink=never", self.ratio(edit, never))
        self.table.note("... against cp", self.ratio(edit, plain))
        self.table.check("... against cp and sync, as safe as a save", edit.times(flushed),
                         SLOWER_THAN_COPY, "x", self.ratio(edit, flushed))
        self.check_memory("... memory against no weights", edit, small)
        full.unlink()

    @staticmethod
    def ratio(series, other):
        return f"{series.times(other):.2f} x ({other.seconds:.2f} s)"

    def external(self):
        bare, _ = self.model("bare.onnx", 1000)
        model, size = self.model("external.onnx", 1000, 6e9, "external")
        edit, small = alternate(self.args.rounds * 3, self.edit(model, "batch=items"),
                                self.edit(bare, "batch=items"))
        name = f"the same with {size / 1e9:.1f} GB external"
        times = edit.times(small)
        self.table.check(f"{name}: time", times, SLOWER_WITH_DATA, "x",
                         f"{times:.2f} x ({edit.seconds * 1e3:.1f} ms)")
        self.check_memory(f"{name}: memory", edit, small)
        Path(f"{model}.data").unlink()

    # many nodes

    def nodes(self):
        swin = SHARED / "swin_t.onnx"
        if swin.exists():
            self.two_edits("swin_t", swin, "N=items", "N=4")
        else:
            self.table.skip("set: swin_t", "no swin_t here")
        before = None
        for count in [20000] if self.args.quick else [20000, 100000]:
            path, _ = self.model(f"n{count}.onnx", count)
            series = self.two_edits(f"{count:,} nodes", path, "batch=items", "batch=4")
            if before:
                times = series.processor / before.processor
                self.table.check("... fix, five times the nodes", times, GROWTH, "x", f"{times:.1f} x")
            before = series

    def two_edits(self, name, path, rename, fix):
        series = alternate(self.args.rounds, self.edit(path, rename), self.edit(path, fix))
        for edit, one in zip(("rename", "fix"), series):
            self.table.note(f"set: {name}: {edit}", f"{one.seconds * 1e3:.0f} ms "
                            f"({one.processor * 1e3:.0f} ms ran)")
        return series[1]

    # repair

    def repair(self):
        for name in ("swin_legacy_1", "swin_legacy_3"):
            path = TESTS / "repair/zoo" / f"{name}.onnx"
            [series] = alternate(self.args.rounds, self.edit(path, "x:0=batch", command="repair"))
            self.table.note(f"repair: {name}", self.seconds(series))
        counts = [100, 1000]
        for count in counts:
            path = self.folder / f"pinned{count}.onnx"
            generate_pinned(path, count)
            [series] = alternate(self.args.rounds, self.edit(path, "x:0=batch", command="repair"))
            name = f"repair: {count:,} pinned Reshapes"
            if count < counts[-1]:
                self.table.note(name, self.seconds(series))
            else:
                self.table.check(name, series.processor, REPAIR_1000, "s", self.seconds(series))

    @staticmethod
    def seconds(series):
        return f"{series.seconds:.2f} s ({series.processor:.2f} s ran)"


def main():
    parser = argparse.ArgumentParser(description="Measures edits against the limits.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="200 MB inline, and no 100,000 nodes")
    args = options(parser, folder="4 GB")
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        bench = EditBench(args, folder)
        bench.inline()
        bench.external()
        bench.nodes()
        bench.repair()
    return 1 if bench.table.broken else 0


if __name__ == "__main__":
    sys.exit(main())
