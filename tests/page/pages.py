# SPDX-License-Identifier: MIT
"""Pages for tests: runs of small scenarios, and what is common to the tests of both browsers."""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

from browsers import found

SKIPPED = 77  # the exit code that ctest takes for "skipped"


def need(*browsers):
    """Ends the tests as skipped, with a line, if one of these browsers is missing."""
    for browser in browsers:
        if not found(*browser.programs):
            print(f"there is no {browser.__name__} ({', '.join(browser.programs)})")
            sys.exit(SKIPPED)


class Pages:
    """Runs and pages in a temporary folder. `program`: orrery."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        self._folder = tempfile.TemporaryDirectory(prefix="pages-")
        self.folder = pathlib.Path(self._folder.name)
        self.scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"

    def close(self):
        self._folder.cleanup()

    def orrery(self, *arguments):
        done = subprocess.run(
            [self.program, *map(str, arguments)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode:
            raise RuntimeError(f"orrery {' '.join(map(str, arguments))}: {done.stderr or done.stdout}")

    def run(self, name, *changes, scenario=None):
        """Simulates a scenario of the project, or the text of one, with changes KEY=VALUE. Returns the file of the run."""
        file = self.scenarios / f"{scenario or name}.toml"
        if scenario and "\n" in scenario:
            file = self.folder / f"{name}.toml"
            file.write_text(scenario, encoding="utf-8")
        sets = [word for change in changes for word in ("--set", change)]
        self.orrery("simulate", file, "-o", self.folder / name, "--quiet", *sets)
        return self.folder / name / "run.h5"

    def page(self, name, *runs, size=5):
        """Writes a page of these runs and returns it."""
        page = self.folder / f"{name}.html"
        self.orrery("report", *runs, "-o", page, "--size", size)
        return page

    def hash_of(self, run):
        """What the program has printed of the last state."""
        return json.loads((run.parent / "summary.json").read_text())["state"]


def opened(browser, page, part=""):
    """Opens a page and waits until its first stage has drawn itself."""
    browser.open(page.as_uri() + part)
    browser.wait(
        "document.querySelector('.stage').dataset.ready && document.querySelector('[name=time]').hasAttribute('aria-valuetext')",
        60,
    )


def stepped(browser, seconds=60):
    """Steps the run of a page in the browser and returns what the page says of it."""
    browser.run("document.querySelector('[name=step]').click()")
    said = "document.querySelector('.result').textContent"
    return browser.wait(f"document.querySelector('.result').className !== 'result ' && {said}", seconds)


def pixels(png):
    """Returns width and rows of an 8-bit RGB or RGBA picture, as bytes [height][width · channels], and the number of channels."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6)
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    channels = 3 if color == 2 else 4
    stride, plain, rows = width * channels, zlib.decompress(data), []
    above = bytes(stride)
    for y in range(height):
        filtered, row = plain[y * (stride + 1)], bytearray(plain[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left, up = row[i - channels] if i >= channels else 0, above[i]
            corner = above[i - channels] if i >= channels else 0
            if filtered == 1:
                row[i] = (row[i] + left) & 255
            elif filtered == 2:
                row[i] = (row[i] + up) & 255
            elif filtered == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif filtered == 4:
                guess = left + up - corner
                near = min((left, up, corner), key=lambda x: abs(guess - x))
                row[i] = (row[i] + near) & 255
        above = bytes(row)
        rows.append(above)
    return width, rows, channels
