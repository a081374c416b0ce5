"""A headless browser, driven through its debugging pipe: user input in, page state out.

Records every request, console message and policy violation.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome')


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


def high_pipe():
    """A pipe whose descriptors are not 3 or 4."""
    low = os.pipe()
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in low]
    for fd in low:
        os.close(fd)
    return high


class Chrome:
    def __init__(self, width=1200, height=800):
        self.folder = tempfile.TemporaryDirectory(prefix='axed-chrome-', ignore_cleanup_errors=True)
        theirs_in, ours_out = high_pipe()
        ours_in, theirs_out = high_pipe()
        words = [find(), '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
                 '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
                 '--remote-debugging-pipe', f'--user-data-dir={self.folder.name}', f'--window-size={width},{height}', 'about:blank']
        null = os.open(os.devnull, os.O_RDWR)
        self.pid = os.posix_spawn(words[0], words, {**os.environ, 'HOME': self.folder.name}, setsid=True, file_actions=[
            (os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2),
            (os.POSIX_SPAWN_DUP2, theirs_in, 3), (os.POSIX_SPAWN_DUP2, theirs_out, 4)])
        for fd in (theirs_in, theirs_out, null):
            os.close(fd)
        self.out, self.into, self.rest = ours_out, ours_in, b''
        self.number, self.session, self.events = 0, None, []
        self.requests, self.complaints = [], []
        target = next(t['targetId'] for t in self.ask('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        for domain in ('Page', 'Runtime', 'Log', 'Network', 'Audits'):
            self.ask(domain + '.enable')

    def close(self):
        os.close(self.out)
        os.close(self.into)
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        self.folder.cleanup()

    # ---- the protocol

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b'\0' not in self.rest:
            if not select.select([self.into], [], [], max(end - time.monotonic(), 0))[0]:
                return None
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError('the browser has ended')
            self.rest += more
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def keep(self, message):
        method, p = message.get('method'), message.get('params', {})
        if method == 'Network.requestWillBeSent':
            self.requests.append(p['request']['url'])
        elif method == 'Runtime.exceptionThrown':
            self.complaints.append(p['exceptionDetails'].get('exception', {}).get('description') or p['exceptionDetails']['text'])
        elif method == 'Runtime.consoleAPICalled':
            self.complaints.append(f'console.{p["type"]}: {p["args"]}')
        elif method == 'Log.entryAdded':
            self.complaints.append(p['entry']['text'])
        elif method == 'Audits.issueAdded' and p['issue']['code'] == 'ContentSecurityPolicyIssue':
            self.complaints.append(f'policy: {p["issue"]["details"]}')
        elif method == 'Page.javascriptDialogOpening':
            self.complaints.append(f'a dialog: {p["message"]}')
        self.events.append(method)

    def ask(self, method, seconds=60, **params):
        self.number += 1
        words = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            words['sessionId'] = self.session
        data = json.dumps(words).encode() + b'\0'
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.message(seconds)
            if answer is None:
                raise TimeoutError(method)
            if answer.get('id') != self.number:
                self.keep(answer)
            elif 'error' in answer:
                raise RuntimeError(f'{method}: {answer["error"]}')
            else:
                return answer['result']

    # ---- user input

    def open(self, path, seconds=60):
        self.requests, self.complaints, self.events = [], [], []
        self.ask('Page.navigate', url='file://' + os.path.abspath(path))
        end = time.monotonic() + seconds
        while 'Page.loadEventFired' not in self.events:
            message = self.message(end - time.monotonic())
            if message is None:
                raise TimeoutError(path)
            self.keep(message)
        self.rested()

    def run(self, text):
        done = self.ask('Runtime.evaluate', expression=text, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in done:
            raise RuntimeError(done['exceptionDetails'])
        return done['result'].get('value')

    def rested(self):
        """Waits until pending changes are drawn."""
        self.run('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

    def mouse(self, kind, x, y, **more):
        self.ask('Input.dispatchMouseEvent', type='mouse' + kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse('Pressed', x, y, button='left', clickCount=1)
        self.mouse('Released', x, y, button='left', clickCount=1)
        self.rested()

    def drag(self, x, y, dx, dy):
        self.mouse('Pressed', x, y, button='left', clickCount=1)
        for part in (0.3, 0.6, 1):
            self.mouse('Moved', x + dx * part, y + dy * part, button='left', buttons=1)
        self.mouse('Released', x + dx, y + dy, button='left', clickCount=1)
        self.rested()

    def wheel(self, x, y, delta, **more):
        self.mouse('Wheel', x, y, deltaX=0, deltaY=delta, **more)
        self.rested()

    def touch(self, kind, *points):
        self.ask('Input.dispatchTouchEvent', type='touch' + kind, touchPoints=[{'x': x, 'y': y, 'id': i} for i, (x, y) in enumerate(points)])

    def key(self, key, shift=False):
        text = {'Enter': '\r'}.get(key, key if len(key) == 1 else '')
        code = {'Enter': 13, 'Escape': 27, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40}.get(key, 0)
        for kind in ('keyDown', 'keyUp'):
            self.ask('Input.dispatchKeyEvent', type=kind, key=key, text=text if kind == 'keyDown' else '', windowsVirtualKeyCode=code,
                     modifiers=8 if shift else 0)
        self.rested()

    def type(self, text):
        self.ask('Input.insertText', text=text)
        self.rested()

    def picture(self):
        return base64.b64decode(self.ask('Page.captureScreenshot', format='png')['data'])
