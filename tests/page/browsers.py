# SPDX-License-Identifier: MIT
"""Headless browsers for tests of pages, by the standard library alone: Chromium over --remote-debugging-pipe (the DevTools
protocol, messages of JSON that end in a zero byte on descriptors 3 and 4), Firefox over Marionette (JSON after its length on TCP)."""

import base64
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class BrowserError(Exception):
    """What the browser or a script in it complained of."""


def found(*names):
    """Returns the first of these programs that is on the path, or None."""
    return next((path for path in map(shutil.which, names) if path), None)


class Browser:
    """A page in a browser: what both browsers can do. Positions are in pixels of the page's window."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def wait(self, condition, seconds=60):
        """Waits until a JavaScript expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(condition)
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"after {seconds} s it is still not true: {condition}")
            time.sleep(0.03)

    def middle(self, selector):
        """Returns the middle of an element, scrolled into view."""
        return self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )

    def click_on(self, selector):
        self.click(*self.middle(selector))

    def _stop(self):
        """Ends the process and those that it has started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)


class Chromium(Browser):
    """`asked` has the addresses of all requests, `said` everything on the console, `dialogs` those that opened."""

    programs = "chromium", "chromium-browser", "google-chrome"

    def __init__(self, width=1280, height=900, dark=True, calm=False, touch=False, scripts=True, ratio=1):
        self._profile = tempfile.mkdtemp(prefix="page-")
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--mute-audio",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
                 f"--user-data-dir={self._profile}", f"--window-size={width},{height}", "about:blank"]  # fmt: skip

        def descriptors():  # 3 and 4 in the child, by way of numbers that are neither
            os.dup2(os.dup2(to_browser, 20), 3)
            os.dup2(os.dup2(to_us, 21), 4)

        self._process = subprocess.Popen([found(*self.programs), *flags], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=descriptors, start_new_session=True)  # fmt: skip
        os.close(to_browser), os.close(to_us)
        self._out, self._in, self._rest, self._number = from_us, from_browser, b"", 0
        self.asked, self.said, self.dialogs, self.downloads = [], [], [], []
        pages = []
        while not pages:
            pages = [t["targetId"] for t in self._send("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self._session = self._send("Target.attachToTarget", targetId=pages[0], flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log", "Accessibility":
            self.command(f"{domain}.enable")
        self.window(width, height, touch, ratio)
        self.scripts(scripts)
        self.media(dark, calm)
        self._send("Browser.setDownloadBehavior", behavior="allow", downloadPath=self._profile, eventsEnabled=True)

    _session = None

    def _receive(self, seconds):
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], seconds)[0]:
                raise BrowserError(f"Chromium said nothing for {seconds} s")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise BrowserError("Chromium has ended")
            self._rest += data
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _note(self, method, of):
        if method == "Network.requestWillBeSent":
            self.asked.append(of["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in of["args"]))
        elif method == "Runtime.exceptionThrown":
            self.said.append(of["exceptionDetails"].get("exception", {}).get("description", str(of)))
        elif method == "Log.entryAdded":
            self.said.append(of["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(of["message"])
            self._write("Page.handleJavaScriptDialog", accept=False)
        elif method == "Browser.downloadProgress" and of["state"] == "completed":
            self.downloads.append(pathlib.Path(of.get("filePath") or self._profile))

    def _write(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        return self._number

    def _send(self, method, seconds=120, **parameters):
        number = self._write(method, **parameters)
        while True:
            message = self._receive(seconds)
            if message.get("id") == number:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self._note(message["method"], message["params"])

    def command(self, method, **parameters):
        """Sends any command of the protocol and returns its result."""
        return self._send(method, **parameters)

    def window(self, width, height, touch=False, ratio=1):
        """Sets the size of the page, `ratio` pixels of the screen to one of it, and whether it is touched."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=touch
        )
        self.command("Emulation.setTouchEmulationEnabled", enabled=touch)

    def scripts(self, allowed):
        self.command("Emulation.setScriptExecutionDisabled", value=not allowed)

    def media(self, dark, calm=False, kind=""):
        """Sets what a page asks of its reader's wishes; `kind`: "print"."""
        wishes = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if calm else "no-preference",
        }
        self.command(
            "Emulation.setEmulatedMedia", media=kind, features=[{"name": k, "value": v} for k, v in wishes.items()]
        )

    def open(self, address):
        self.command(
            "Page.navigate", url=str(address) if "://" in str(address) else pathlib.Path(address).resolve().as_uri()
        )
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", 60)

    def run(self, script):
        """Returns the value of a JavaScript expression, or of its promise."""
        answer = self.command("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def picture(self, file=None):
        """Returns a screenshot as PNG, or writes it."""
        png = base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])
        if file:
            pathlib.Path(file).write_bytes(png)
        return png

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        for k in range(1, count + 1):
            for kind in "mousePressed", "mouseReleased":
                self.mouse(kind, x, y, button="left", buttons=int(kind == "mousePressed"), clickCount=k)

    def drag(self, x, y, dx, dy, shift=False):
        keys = {"modifiers": 8 if shift else 0}
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, **keys)
        for k in range(1, 6):
            self.mouse("mouseMoved", x + dx * k / 5, y + dy * k / 5, button="left", buttons=1, **keys)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1, **keys)

    def wheel(self, x, y, amount):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=amount)

    def touch(self, *moments):
        """Fingers at each moment: lists of (x, y)."""
        for k, fingers in enumerate(moments):
            points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(fingers)]
            self.command("Input.dispatchTouchEvent", type="touchMove" if k else "touchStart", touchPoints=points)
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key, shift=False):
        """A key by its name: "ArrowLeft", "Tab", "Enter", " ", "f"."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip
        code = codes.get(key, ord(key.upper()[0]))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        what = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.command("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **what)
        self.command("Input.dispatchKeyEvent", type="keyUp", **what)

    def close(self):
        os.close(self._out), os.close(self._in)
        self._stop()


class Firefox(Browser):
    programs = "firefox-esr", "firefox"

    def __init__(self, width=1280, height=900, dark=True, calm=False):
        self._profile = tempfile.mkdtemp(prefix="page-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        wishes = {"marionette.port": port, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
                  "ui.prefersReducedMotion": int(calm), "datareporting.policy.dataSubmissionEnabled": False,
                  "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False}  # fmt: skip
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in wishes.items()]
        (pathlib.Path(self._profile) / "user.js").write_text("".join(lines))
        self._process = subprocess.Popen([found(*self.programs), "--headless", "--marionette", "--no-remote", "--remote-allow-system-access", "--profile", self._profile,
                                          f"--width={width}", f"--height={height}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": self._profile})  # fmt: skip
        self._number, end = 0, time.monotonic() + 60
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), 120)
                break
            except OSError as error:
                if time.monotonic() > end or self._process.poll() is not None:
                    self._stop()
                    raise BrowserError(f"Firefox does not answer: {error}") from error
                time.sleep(0.1)
        self._stream = self._socket.makefile("rb")
        self._receive()
        self.command("WebDriver:NewSession", acceptInsecureCerts=False)
        self.command("WebDriver:SetTimeouts", script=120000, pageLoad=120000)

    def _receive(self):
        size = b""
        while not size.endswith(b":"):
            byte = self._stream.read(1)
            if not byte:
                raise BrowserError("Firefox has ended")
            size += byte
        return json.loads(self._stream.read(int(size[:-1])))

    def command(self, name, **parameters):
        self._number += 1
        data = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, value = self._receive()
        if error:
            raise BrowserError(error["message"])
        return value

    def open(self, address):
        self.command(
            "WebDriver:Navigate",
            url=str(address) if "://" in str(address) else pathlib.Path(address).resolve().as_uri(),
        )

    def run(self, script):
        wrapped = f"const done = arguments[arguments.length - 1]; Promise.resolve(eval({json.dumps(script)})).then(v => done(v ?? null), e => done({{failed: String(e)}}))"
        value = self.command("WebDriver:ExecuteAsyncScript", script=wrapped, args=[], newSandbox=False)["value"]
        if isinstance(value, dict) and "failed" in value:
            raise BrowserError(value["failed"])
        return value

    def complaints(self, about):
        """What the console of the browser has about an address: errors of scripts, and what the policy of the page forbade."""
        self.command("Marionette:SetContext", value="chrome")
        script = f"return Services.console.getMessageArray().map(m => m.message).filter(m => m.includes({json.dumps(about)}))"
        said = self.command("WebDriver:ExecuteScript", script=script, args=[])["value"]
        self.command("Marionette:SetContext", value="content")
        return said

    def picture(self, file=None):
        png = base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False, hash=False)["value"])
        if file:
            pathlib.Path(file).write_bytes(png)
        return png

    def _act(self, kind, actions, **more):
        self.command("WebDriver:PerformActions", actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def click(self, x, y, count=1):
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}] * count
        self._act(
            "pointer",
            [{"type": "pointerMove", "x": round(x), "y": round(y)}, *press],
            parameters={"pointerType": "mouse"},
        )

    def drag(self, x, y, dx, dy):
        moves = [
            {"type": "pointerMove", "x": round(x + dx * k / 5), "y": round(y + dy * k / 5), "duration": 20}
            for k in range(6)
        ]
        moves.insert(1, {"type": "pointerDown", "button": 0})
        self._act("pointer", [*moves, {"type": "pointerUp", "button": 0}], parameters={"pointerType": "mouse"})

    def key(self, key):
        codes = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "End": "\ue010", "Home": "\ue011"}  # fmt: skip
        self._act("key", [{"type": kind, "value": codes.get(key, key)} for kind in ("keyDown", "keyUp")])

    def close(self):
        self._socket.close()
        self._stop()
