"""Shared by the benchmarks: the table with limits, and the measurement of time, memory and instructions.

Absolute times on a shared machine mean little.  So compared commands take turns in the same rounds,
and the figure is the median of the ratios per round; or instructions are counted, which other load
does not change.
"""

import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from generate import generate

TESTS = Path(__file__).resolve().parent.parent
TOP = TESTS.parent
SHARED = TOP.parent / "shared" / "models"
MB = 1e6
MORE_MEMORY = 40  # MB


class Failed(SystemExit):
    """A command failed: one sentence.  If not caught, it ends the program."""


# the table of limits

class Table:
    """Markdown for README.md, printed row by row, since the last rows take minutes."""

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
    processor: float  # seconds of processor time
    memory: int  # peak, in bytes


def run(*command, output=os.devnull, limit=None):
    """Runs a command; `limit` is in seconds of processor time, so that other load does not matter."""
    where = (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    command = [str(word) for word in command]
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[where])
    if limit:
        resource.prlimit(pid, resource.RLIMIT_CPU, (limit, limit))
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if limit and os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        raise Failed(f"more than {limit} s")
    if status:
        raise Failed(f"failed: {' '.join(command)}")
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
    """One series per measurement; a warm-up round fills the caches."""
    for measure in measures:
        measure()
    series = [Series() for _ in measures]
    for _ in range(rounds):
        for one, measure in zip(series, measures):
            one.samples.append(measure())
    return series


def telling(series):
    """Whether its memory is a real figure, not only an upper bound.

    The kernel counts a process from before its exec, when it was still this one: a command that
    needs less memory than Python seems to need as much.
    """
    return series.memory > run("true").memory * 1.05


def memory_text(series):
    return f"{'' if telling(series) else 'under '}{series.memory / MB:.0f} MB"


def instructions(*command, options=(), accepted=(0,), **how):
    """Counted by callgrind, in the command and its children; `accepted` are its exit codes."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options, *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **how)
    counts = re.findall(r"Collected : (\d+)", done.stderr)
    if done.returncode not in accepted or not counts:
        raise Failed(f"callgrind failed on {' '.join(str(word) for word in command)}:\n{done.stderr}")
    return sum(int(count) for count in counts)


class Bench:
    """A table, and a temporary folder for models."""

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
        """An unknown base counts as zero, so that the limit is never met by chance."""
        known = telling(base)
        more = (series.memory - (base.memory if known else 0)) / MB
        text = f"{'' if known else 'under '}{more:.0f} MB more"
        self.table.check(figure, more, MORE_MEMORY, "MB", text)


# tools written in Python

class Peer:
    """A tool's worker (peers.py), which imports it once and forks for each job."""

    def __init__(self, python, name):
        self.name = name
        worker = Path(__file__).resolve().parent / "peers.py"
        self.process = None
        self.version, self.tasks = None, []
        if not shutil.which(python):
            return
        self.process = subprocess.Popen([python, worker, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        told = self.process.stdout.readline()
        if told:
            self.version, self.tasks = json.loads(told)

    def work(self, task, path, warm, out, limit):
        """The samples of its parts, in order."""
        if self.process.poll() is not None:
            raise Failed("fails: its process is gone")
        print(json.dumps({"task": task, "path": str(path), "warm": str(warm), "out": str(out), "limit": limit}),
              file=self.process.stdin, flush=True)
        told = self.process.stdout.readline()
        if not told:
            raise Failed("fails: its process is gone")
        told = json.loads(told)
        if "failed" in told:
            raise Failed(told["failed"])
        return {part: Sample(*times, told["memory"]) for part, times in told["parts"].items()}

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


# the command line

def options(parser, folder=None):
    """The options that all of them have, read and checked."""
    parser.add_argument("--axed", default=TOP / "build" / "axed", type=Path)
    if folder:
        parser.add_argument("--folder", help=f"where models are made: {folder} free, and holes possible")
    args = parser.parse_args()
    args.axed = args.axed.resolve()
    if not args.axed.exists():
        sys.exit(f"{args.axed} is not there: build it, or give --axed")
    return args
