"""Processes of a program under test, read from /proc.

All waits are for an event.  PATIENCE only turns a hang into a named failure; it is far above any delay by load.
"""

import os
import time

import tap

PATIENCE = 240  # seconds


def until(event, what):
    """Waits until event() is true, and returns its result."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = event()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f'{what}: not in {PATIENCE} s')


def descendants(pid):
    """All descendants of a process."""
    if not os.path.exists(f'/proc/{os.getpid()}/task/{os.getpid()}/children'):
        raise tap.Skip('/proc does not tell children here')
    try:
        children = [int(c) for c in tap.read(f'/proc/{pid}/task/{pid}/children').split()]
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return []
    return [p for c in children for p in [c, *descendants(c)]]


def has_open(path):
    """Tells of a process whether it has the file open."""
    def has(pid):
        try:
            return any(os.readlink(entry.path) == path for entry in os.scandir(f'/proc/{pid}/fd'))
        except (FileNotFoundError, ProcessLookupError):
            return False

    return has


def is_drawing(pid):
    """Whether Graphviz is at work in it: its warnings are dropped meanwhile."""
    try:
        return os.readlink(f'/proc/{pid}/fd/2') == '/dev/null'
    except (FileNotFoundError, ProcessLookupError):
        return False


def slow_dot():
    """A folder, and a PATH with it on which dot takes very long."""
    folder = tap.folder()
    path = os.path.join(folder.name, 'dot')
    with open(path, 'w', encoding='ascii') as file:
        file.write('#!/bin/sh\nexec sleep 1000\n')
    os.chmod(path, 0o755)
    return folder, f'{folder.name}:/usr/bin:/bin'


def wait_for_work(process, count, works):
    """Waits for that many descendants of which works(pid) is true; returns them."""
    def working():
        assert process.poll() is None, f'it ended with {process.returncode}'
        found = [p for p in descendants(process.pid) if works(p)]
        return found if len(found) >= count else None

    try:
        return until(working, f'{count} processes')
    except AssertionError:
        process.kill()
        raise


def is_gone(pid):
    """Whether the process has ended; a zombie counts as ended."""
    try:
        return tap.read(f'/proc/{pid}/stat').rpartition(b')')[2].split()[0] == b'Z'
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until_gone(pids):
    until(lambda: all(is_gone(p) for p in pids), f'the end of {pids}')
