"""ONNX Runtime in a child process with time and memory limits; a crash costs one case."""

import json
import os
import resource
import select
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GIGABYTES, SECONDS = 8, 60


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    os.nice(max(0, 10 - os.nice(0)))


class Runtime:
    """Answers cases about one model; a child that dies or hangs is started anew for the next case."""

    recorded = False  # does it answer any case?

    def __init__(self, path, mode):
        self.words = [sys.executable, os.path.join(HERE, 'runner.py'), path, mode]
        self.child = None
        self.seen = {}

    def start(self):
        self.child = subprocess.Popen(
            self.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=limit,
            env={**os.environ, 'OMP_NUM_THREADS': '1'},
        )

    def stop(self):
        if self.child:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def run(self, case):
        line = json.dumps(case)
        if line not in self.seen:
            self.seen[line] = self.ask(line)
        return self.seen[line]

    def ask(self, line):
        if self.child is None:
            self.start()
        try:
            self.child.stdin.write(line.encode() + b'\n')
            self.child.stdin.flush()
        except BrokenPipeError:
            self.stop()
            return {'ok': False, 'error': 'crash'}
        ready, _, _ = select.select([self.child.stdout], [], [], SECONDS)
        answer = self.child.stdout.readline() if ready else b''
        if not answer:
            code = self.child.poll()
            self.stop()
            return {'ok': False, 'error': f'crash {code}' if ready else f'more than {SECONDS} seconds', 'crash': True}
        return json.loads(answer)
