"""Measures what opening and saving cost, and holds the figures against their limits.

Times of a shared machine mean little alone.  So what is compared takes turns in the same rounds,
and the figure is the median of the rounds' ratios; or instructions are counted, which no
neighbour changes.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from generate import NODES_PER_LAYER, WEIGHTS_PER_LAYER, generate

MB = 1e6

# The limits: README.md has their reasons.
SLOWER_WITH_WEIGHTS = 1.5
MORE_MEMORY = 40  # MB
LOAD_20000 = 50  # ms
GROWTH = 12  # for ten times the nodes
SLOWER_THAN_COPY = 1.5

ONNX_LOAD = """
import sys, time, onnx
start = time.perf_counter()
onnx.load(sys.argv[1])
print(time.perf_counter() - start)
"""


# the table

class Table:
    """Printed row by row, since the last rows take minutes; Markdown, to be kept in README.md."""

    WIDTHS = (48, 26, 9, 7)

    def __init__(self):
        self.broken = False
        self.row("figure", "measured", "limit", "verdict")
        self.row(*("-" * width for width in self.WIDTHS))

    def row(self, *cells):
        filled = (cell.ljust(width) for cell, width in zip(cells, self.WIDTHS))
        print("|", " | ".join(filled), "|", flush=True)

    def note(self, figure, text):
        self.row(figure, text, "", "")

    def skip(self, figure, why):
        self.row(figure, why, "", "SKIPPED")

    def check(self, figure, value, limit, unit, text):
        ok = value <= limit
        self.broken |= not ok
        self.row(figure, text, f"{limit:g} {unit}", "ok" if ok else "BROKEN")


# measuring

class Sample(NamedTuple):
    seconds: float
    processor: float  # seconds it really ran
    memory: int  # bytes at most


def run(*command, output=os.devnull):
    where = (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    command = [str(word) for word in command]
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[where])
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Sample(seconds, usage.ru_utime + usage.ru_stime, memory)


class Series:
    """The samples of one command."""

    def __init__(self):
        self.samples = []

    @property
    def seconds(self):
        return statistics.median(s.seconds for s in self.samples)

    @property
    def processor(self):
        return statistics.median(s.processor for s in self.samples)

    @property
    def memory(self):
        return max(s.memory for s in self.samples)

    def times(self, other):
        pairs = zip(self.samples, other.samples)
        return statistics.median(a.seconds / b.seconds for a, b in pairs)


def alternate(rounds, *measures):
    """One series for each measure; a round before the first fills the caches."""
    for measure in measures:
        measure()
    series = [Series() for _ in measures]
    for _ in range(rounds):
        for one, measure in zip(series, measures):
            one.samples.append(measure())
    return series


def telling(series):
    """Whether its memory is a figure, or only an upper bound.

    The kernel counts a process from before its exec, when it still was this one: what needs less
    memory than Python looks as if it needed as much.
    """
    return series.memory > run("true").memory * 1.05


def memory_text(series):
    return f"{'' if telling(series) else 'under '}{series.memory / MB:.0f} MB"


class Bench:
    def __init__(self, args, folder):
        self.args = args
        self.folder = Path(folder)
        self.table = Table()

    def show(self, model):
        return lambda: run(self.args.axed, "show", model)

    def model(self, name, nodes, size=0, weights="none"):
        path = self.folder / name
        return path, generate(path, nodes, size, weights)

    def check_memory(self, figure, series, base):
        """A base that cannot be told counts as nothing, so the limit is never met by luck."""
        known = telling(base)
        more = (series.memory - (base.memory if known else 0)) / MB
        text = f"{'' if known else 'under '}{more:.0f} MB more"
        self.table.check(figure, more, MORE_MEMORY, "MB", text)

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
        """Of holes, which is kind to it: real bytes would have to come from the disk first."""
        python = self.args.python
        if self.args.quick:
            return self.table.skip(figure, "--quick")
        has_onnx = [python, "-c", "import onnx"]
        if not shutil.which(python) or subprocess.run(has_onnx, stderr=subprocess.DEVNULL).returncode:
            return self.table.skip(figure, f"no onnx in {Path(python).name}")
        said = self.folder / "seconds"

        def measure():
            sample = run(python, "-c", ONNX_LOAD, path, output=str(said))
            # without the start of Python, which is no part of loading
            return sample._replace(seconds=float(said.read_text()))

        [series] = alternate(3, measure)
        self.table.note(figure, f"{series.seconds:.1f} s, {series.memory / MB:,.0f} MB")
        self.table.note("... as many times the time of show", f"{series.seconds / show.seconds:,.0f} x")

    # many nodes

    def nodes(self):
        path, _ = self.model("n20000.onnx", 20000)
        [series] = alternate(self.args.rounds * 3, self.show(path))
        ms = series.seconds * 1e3
        # the only limit in absolute time: the second figure tells whether neighbours broke it
        self.table.check("show: 20,000 nodes: time", ms, LOAD_20000, "ms",
                         f"{ms:.1f} ms ({series.processor * 1e3:.1f} ms ran)")
        self.table.note("show: 20,000 nodes: memory", memory_text(series))

    def instructions(self, nodes):
        path, _ = self.model(f"n{nodes}.onnx", nodes)
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                   self.args.axed, "show", path]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        count = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not count:
            sys.exit(f"callgrind failed:\n{done.stderr}")
        return int(count[1])

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
        # what is still on its way to the disk would be in the way of the first ones
        with open(source, "rb+") as made:
            os.fsync(made)

        def saved_by(*command):
            def measure():
                sample = run(*command)
                target.unlink()  # and with it what cp left to be written
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
    here = Path(__file__).resolve().parent
    args = argparse.ArgumentParser(description="Measures opening and saving against the limits.")
    args.add_argument("--axed", default=here.parent.parent / "build" / "axed", type=Path)
    args.add_argument("--python", default="python3", help="one that has onnx, to compare with")
    args.add_argument("--rounds", type=int, default=9)
    args.add_argument("--folder", help="where models are made: 700 MB free, and holes possible")
    args.add_argument("--quick", action="store_true", help="leave out what takes long")
    a = args.parse_args()
    a.axed = a.axed.resolve()
    if not a.axed.exists():
        sys.exit(f"{a.axed} is not there: build it, or give --axed")
    with tempfile.TemporaryDirectory(dir=a.folder) as folder:
        bench = Bench(a, folder)
        bench.weights()
        bench.nodes()
        bench.growth()
        bench.saving()
    return 1 if bench.table.broken else 0


if __name__ == "__main__":
    sys.exit(main())
