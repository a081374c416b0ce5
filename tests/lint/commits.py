"""A commit says in its subject where it is and what it does now, and in its body why.

This covers the commits after BASE except merges; in a shallow clone, those that it has.
"""

import os
import re
import subprocess
import sys

import source

BASE = '450c52f'
BASE_DATE = '2026-11-17T07:08:12+00:00'
LONGEST_SUBJECT = 71
# Places that are not a file or folder.
OTHER = {'build', 'ci', 'docs', 'lint', 'tests'}


def git(*words):
    done = subprocess.run(['git', '-C', source.TOP, *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def read_commits():
    """[(hash, message, [path])], or None where there is no history."""
    top = git('rev-parse', '--show-toplevel')
    if top is None or os.path.realpath(top.strip()) != os.path.realpath(source.TOP):
        return None
    whole = git('merge-base', '--is-ancestor', BASE, 'HEAD') is not None
    since = [f'{BASE}..HEAD'] if whole else [f'--since={BASE_DATE}', 'HEAD']
    text = git('log', '--no-merges', '--name-only', '--format=%x01%h%x02%B%x02', *since)
    if text is None:
        return None
    commits = [part.split('\2') for part in text.split('\1')[1:]]
    return [(number, message.rstrip('\n'), paths.split('\n')) for number, message, paths in commits]


def problems(message, paths):
    subject, *rest = message.split('\n')
    if len(subject) > LONGEST_SUBJECT:
        yield f'the subject has {len(subject)} characters; the limit is {LONGEST_SUBJECT}'
    form = re.match(r'([\w./-]+(?:, [\w./-]+)*): \S', subject)
    if not form:
        yield 'the subject is not "room: what it does now"'
    else:
        touched = {os.path.splitext(word)[0] for path in paths for word in path.split('/')} | OTHER
        for word in form[1].split(', '):
            if os.path.splitext(word)[0].split('/')[-1] not in touched:
                yield f'"{word}" is not a place that it changes'
    if rest and rest[0]:
        yield 'no empty line follows the subject'
    if not any(line.strip() for line in rest):
        yield 'no body says why'


def main():
    commits = read_commits()
    print('1..1')
    if commits is None:
        print('ok 1 - commits say what and why # SKIP not in a git checkout')
        return
    bad = 0
    for number, message, paths in commits:
        for problem in problems(message, paths):
            print(f'# {number} {message.splitlines()[0] if message else ""}: {problem}')
            bad += 1
    print('not ok' if bad else 'ok', f'1 - {len(commits)} commits say what and why')
    sys.exit(bool(bad))


main()
