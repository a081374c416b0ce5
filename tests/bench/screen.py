"""Measures the screen and checks the figures against their limits.

The cost of a key is the difference between two scripts, one of which presses it many times more.  Latency is measured
in a pseudo terminal, from the key to the last byte of the change; the minimum counts, since other load only adds to
it.
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

from common import SHARED, TESTS, Table, options, run
from generate import generate

sys.path.insert(0, str(TESTS / "ui"))
from ptys import Pty

# The limits: README.md has their reasons.
START_SWIN = 60  # ms
START_LARGE = 150
LAYOUT = 50
FRAME = 16
PREVIEW = 50
MEMORY = 60  # MB

NODES = 20000
WIDTH, HEIGHT = 160, 45
STATES = {
    "folded": [],
    "lanes": ["keys zR", "zoom lanes"],
    "boxes": ["keys zR", "zoom boxes"],
}
KEYS = {"j": "j", "page down": "PgDn", "next pane": "Tab", "why": "x Esc"}


class Watched(Pty):
    """Records when output comes, without interpreting it."""

    def quiet(self, seconds):
        """The times of the first and the last byte before a pause of this length."""
        first = last = None
        while True:
            data = self.pump(seconds)
            if not data:
                return first, last
            last = time.perf_counter()
            first = first or last

    def press(self, keys, quiet=0.15):
        os.write(self.ours, keys)
        start = time.perf_counter()
        first, last = self.quiet(quiet)
        return [1e3 * ((t or start) - start) for t in (first, last)]


class ScreenBench:
    def __init__(self, args, folder):
        self.args = args
        self.folder = Path(folder)
        self.table = Table()
        os.environ.update(XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder, LC_ALL="C.UTF-8")
        self.large = self.folder / "large.onnx"
        generate(self.large, NODES, 0, "none")

    def check(self, figure, ms, limit, more=""):
        self.table.check(figure, ms, limit, "ms", (f"{ms:.2f} ms" if ms < 10 else f"{ms:.1f} ms") + more)

    # without a terminal

    def script(self, model, lines):
        path = self.folder / "script"
        path.write_text("\n".join([f"resize {WIDTH} {HEIGHT}", *lines, ""]))
        return run(self.args.axed, "edit", model, "--script", path, "--discard").processor * 1e3

    def step(self, model, before, lines):
        """Processor time of the lines and a frame, in ms."""
        frame = "save-screen /dev/null"
        steps = []
        for _ in range(self.args.rounds):
            base = self.script(model, [*before, frame])
            steps.append((self.script(model, [*before, frame, *[*lines, frame] * self.args.times]) - base) / self.args.times)
        return max(statistics.median(steps), 0)

    def keys(self):
        for state, before in STATES.items():
            for name, keys in KEYS.items():
                self.check(f"a key to its frame: {state}, {name}", self.step(self.large, before, [f"keys {keys}"]), FRAME)
            # unfolding twice is impossible: fold and unfold, minus fold
            both = self.step(self.large, before, ["keys zM", "save-screen /dev/null", "keys zR"])
            fold = self.step(self.large, before, ["keys zM"])
            self.check(f"a key to its frame: {state}, unfold all", max(both - fold, 0), FRAME)
        for state, before in STATES.items():
            typed = [*before, "keys gg", "edit set batch="]
            self.check(f"a typed character with its preview: {state}", self.step(self.large, typed, ["keys a"]), PREVIEW)

    def layout(self):
        bench = self.args.axed.parent / "tests" / "bench-layout"
        if not bench.exists():
            self.table.skip("layout", f"no {bench.name}")
            return
        told = subprocess.run([bench, self.large], capture_output=True, text=True, check=True).stdout
        parts = dict(re.findall(r"(\w+) ([0-9.]+) ms", told))
        self.check(f"layout: {NODES:,} nodes, nothing folded", float(parts["view"]) + float(parts["boxes"]), LAYOUT)
        self.check("layout: with the first folding", float(parts["folded"]), LAYOUT)

    # in a terminal

    def open(self, model):
        start = time.perf_counter()
        watched = Watched([str(self.args.axed), str(model)], WIDTH, HEIGHT)
        while b"quit" not in watched.raw[-4000:]:
            if not watched.pump(5):
                sys.exit(f"no screen of {model}")
        return watched, 1e3 * (time.perf_counter() - start)

    def start(self, name, model, limit):
        times = []
        for _ in range(self.args.rounds * 3):
            watched, ms = self.open(model)
            times.append(ms)
            watched.close()
        self.check(f"start to the first frame: {name}", min(times), limit, f" (median {statistics.median(times):.0f} ms)")

    def pressed(self, watched, figure, keys):
        # at the end of a list a key changes nothing, so measures nothing
        times = [ms for ms in (watched.press(k)[1] for k in keys * self.args.rounds) if ms]
        self.check(figure, min(times), FRAME, f" (median {statistics.median(times):.1f} ms)")

    def terminal(self):
        watched, _ = self.open(self.large)
        watched.quiet(0.2)
        self.pressed(watched, "in a terminal: folded, j and k", [b"j", b"j", b"k", b"j"])
        for state, keys in (("lanes", b"zR:zoom lanes\r"), ("boxes", b":zoom boxes\r")):
            watched.press(keys, 0.5)
            self.pressed(watched, f"in a terminal: {state}, j and k", [b"j", b"j", b"k", b"j"])
        watched.press(b":edit set batch=\r", 0.5)
        times = [watched.press(b"a", 0.3) for _ in range(4 * self.args.rounds)]
        for name, times, limit in zip(("a typed character is seen", "its preview is"), zip(*times), (FRAME, PREVIEW)):
            self.check(f"in a terminal: {name}", min(times), limit, f" (median {statistics.median(times):.1f} ms)")
        status = Path(f"/proc/{watched.process.pid}/status").read_text()
        memory = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
        self.table.check(f"memory: {NODES:,} nodes unfolded, an edit previewed", memory, MEMORY, "MB", f"{memory:.0f} MB")
        watched.close()


def main():
    parser = argparse.ArgumentParser(description="Measures the screen against the limits.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=20, help="how often a key is pressed in a script")
    args = options(parser)
    with tempfile.TemporaryDirectory() as folder:
        bench = ScreenBench(args, folder)
        swin = SHARED / "swin_t.onnx"
        if swin.exists():
            shutil.copy(swin, bench.folder / "swin_t.onnx")
            bench.start("swin_t", bench.folder / "swin_t.onnx", START_SWIN)
        else:
            bench.table.skip("start to the first frame: swin_t", "no shared models")
        bench.start(f"{NODES:,} nodes", bench.large, START_LARGE)
        bench.layout()
        bench.keys()
        bench.terminal()
    return 1 if bench.table.broken else 0


if __name__ == "__main__":
    sys.exit(main())
