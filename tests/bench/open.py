"""Measures opening and saving and checks the figures against their limits."""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from common import MB, Bench, Peer, Series, alternate, instructions, memory_text, options, run
from generate import NODES_PER_LAYER, WEIGHTS_PER_LAYER

# The limits: README.md has their reasons.
SLOWER_WITH_WEIGHTS = 1.5
LOAD_20000 = 50  # ms
GROWTH = 12  # for ten times the nodes
SLOWER_THAN_COPY = 1.5
LOAD_LIMIT = 300  # s, for onnx.load


class OpenBench(Bench):
    # opening with and without weights

    def weights(self):
        bare, _ = self.model("bare.onnx", 1000)
        full, full_size = self.model("inline.onnx", 1000, 1.9e9, "holes")
        external, external_size = self.model("external.onnx", 1000, 6e9, "external")
        shows = [self.show(path) for path in (bare, full, external)]
        base, *rest = alternate(self.args.rounds * 3, *shows)
        weights = 1000 // NODES_PER_LAYER * WEIGHTS_PER_LAYER
        self.table.note(f"show: 1,000 nodes, {weights} weights without data",
                        f"{base.seconds * 1e3:.1f} ms, {memory_text(base)}")
        kinds = [(full, f"{full_size / 1e9:.1f} GB inline"),
                 (external, f"{external_size / 1e9:.1f} GB external")]
        for (path, kind), series in zip(kinds, rest):
            times = series.times(base)
            self.table.check(f"the same with {kind}: time", times, SLOWER_WITH_WEIGHTS, "x",
                             f"{times:.2f} x ({series.seconds * 1e3:.1f} ms)")
            self.check_memory(f"the same with {kind}: memory", series, base)
        for (path, kind), series in zip(kinds, rest):
            self.onnx_load(f"onnx.load, {kind}", path, series)
        full.unlink()
        Path(f"{external}.data").unlink()

    def onnx_load(self, figure, path, show):
        """Loads holes, which favours it: real bytes would come from the disk."""
        if self.args.quick:
            return self.table.skip(figure, "--quick")
        peer = Peer(self.args.python, "onnx")
        if not peer.version:
            return self.table.skip(figure, f"no onnx in {Path(self.args.python).name}")
        warm, _ = self.model("warm.onnx", 25)
        series = Series()
        for _ in range(3):
            series.samples.append(peer.work("open", path, warm, os.devnull, LOAD_LIMIT)["open"])
        peer.close()
        self.table.note(figure, f"{series.seconds:.1f} s, {series.memory / MB:,.0f} MB")
        self.table.note("... as many times the time of show", f"{series.seconds / show.seconds:,.0f} x")

    # many nodes

    def nodes(self):
        path, _ = self.model("n20000.onnx", 20000)
        [series] = alternate(self.args.rounds * 3, self.show(path))
        ms = series.processor * 1e3
        # the only absolute time limit, hence processor time: other load would break wall-clock time
        self.table.check("show: 20,000 nodes: processor time", ms, LOAD_20000, "ms",
                         f"{ms:.1f} ms (took {series.seconds * 1e3:.1f} ms)")
        self.table.note("show: 20,000 nodes: memory", memory_text(series))

    def instructions(self, nodes):
        path, _ = self.model(f"n{nodes}.onnx", nodes)
        return instructions(self.args.axed, "show", path)

    def growth(self):
        figure = "show: instructions"
        if not shutil.which("valgrind"):
            return self.table.skip(figure, "no valgrind here")
        before = self.instructions(2000)
        self.table.note(f"{figure}, 2,000 nodes", f"{before / 1e6:,.0f} million")
        for nodes in [20000] if self.args.quick else [20000, 200000]:
            now = self.instructions(nodes)
            self.table.check(f"{figure}, {nodes:,} nodes", now / before, GROWTH, "x",
                             f"{now / before:.1f} x ({now / 1e6:,.0f} million)")
            before = now
        if self.args.quick:
            self.table.skip(f"{figure}, 200,000 nodes", "--quick")

    # saving

    def saving(self):
        if self.args.quick:
            return self.table.skip("set -o: 300 MB of random weights", "--quick")
        source, _ = self.model("random.onnx", 1000, 300e6, "random")
        target = self.folder / "saved.onnx"
        # pending writes would slow down the first rounds
        with open(source, "rb+") as made:
            os.fsync(made)

        def saved_by(*command):
            def measure():
                sample = run(*command)
                target.unlink()  # which writes what cp left in the page cache
                return sample
            return measure

        save, copy, flushed, show = alternate(
            self.args.rounds,
            saved_by(self.args.axed, "set", source, "-o", target),
            saved_by("cp", source, target),
            saved_by("sh", "-c", 'cp "$0" "$1" && sync "$1"', source, target),
            self.show(source))
        figure = f"set -o: {source.stat().st_size / MB:.0f} MB of random weights"
        self.table.note(figure, f"{save.seconds:.2f} s, {memory_text(save)}")
        self.table.note("... against cp, which leaves it in memory",
                        f"{save.times(copy):.2f} x ({copy.seconds:.2f} s)")
        times = save.times(flushed)
        self.table.check("... against cp and sync, as safe as a save", times, SLOWER_THAN_COPY, "x",
                         f"{times:.2f} x ({flushed.seconds:.2f} s)")
        self.check_memory("... memory against show", save, show)


def main():
    parser = argparse.ArgumentParser(description="Measures opening and saving against the limits.")
    parser.add_argument("--python", default="python3", help="one that has onnx, to compare with")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    args = options(parser, folder="700 MB")
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        bench = OpenBench(args, folder)
        bench.weights()
        bench.nodes()
        bench.growth()
        bench.saving()
    return 1 if bench.table.broken else 0


if __name__ == "__main__":
    sys.exit(main())
