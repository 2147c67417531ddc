#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browsers_test.py ORRERY: pages in Chromium and Firefox: many bodies, narrow and wide windows, hostile text, what axe-core finds, and
the bits of ten scenarios. Skipped (77) without both browsers; the test with axe-core also without npm or its registry."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from browsers import Chromium, Firefox
from pages import Pages, need, opened, pixels, stepped

# Scenarios that the engine of a page steps, with fewer steps or bodies where it would take long.
TEN = {
    "figure-eight": [],
    "outer-solar-system": [],
    "two-body": [],
    "lagrange": [],
    "lagrange-equal": [],
    "ions": [],
    "random-cube": ["integrator.steps=50000"],
    "butterfly-1": ["integrator.kind=hermite4", "integrator.dt=1e-3"],
    "plummer": ["initial.n=256", "integrator.steps=200"],
    "cold-collapse": ["initial.n=200", "integrator.steps=200"],
    "galaxy": ["initial[0].n=500", "integrator.time=1/10 rotation"],
}

# Ends of scripts, comments and attributes, markup, quotes, control and format characters, right-to-left overrides.
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\"'><img src=x onerror=alert(2)>",
    "]]><svg onload=alert(3)>",
    "`${alert(4)}`",
    "\\u003c/script\\u003e\\",
    "\u202egnirts a\u2066\u200f",
    "\u0001\u0007\u001b[31mred",
    "&lt;b&gt;&amp;&#60;i&#62;",
    "javascript:alert(5)",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "</title></style><style>*{display:none}</style>",
]


class Slow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = Pages(PROGRAM)
        cls.addClassCleanup(cls.pages.close)

    def test_ten_scenarios_have_the_same_bits_in_both_browsers(self):
        made = {}
        for name, changes in TEN.items():
            file = self.pages.run(name, *changes)
            made[name] = self.pages.page(f"ten-{name}", file), self.pages.hash_of(file)
        for kind in Chromium, Firefox:
            with kind() as browser:
                for name, (page, wanted) in made.items():
                    with self.subTest(browser=kind.__name__, scenario=name):
                        opened(browser, page)
                        said = stepped(browser, 120)
                        self.assertIn("The same bits", said)
                        self.assertIn(wanted, said)

    def test_firefox(self):
        page = self.pages.page("firefox", self.pages.run("eight", "trajectory.frames=76", scenario="figure-eight"))
        with Firefox() as browser:
            opened(browser, page)
            time_of = "document.querySelector('[name=time]').getAttribute('aria-valuetext')"
            first = browser.run(time_of)
            browser.wait(f"{time_of} !== {json.dumps(first)}")
            browser.click_on("[name=play]")
            browser.drag(*browser.middle("canvas"), 80, 20)
            browser.key("]")
            browser.wait("/^body 0\\nmass 1\\n/.test(document.querySelector('.about').textContent)")
            browser.key("End")
            browser.wait(f"{time_of} !== {json.dumps(first)}")
            browser.click_on("[data-do=link]")
            browser.wait("/az=-86/.test(location.hash)")
            self.assertEqual(browser.complaints("firefox.html"), [])

    def test_bodies_that_are_left_out_keep_their_numbers(self):
        file = self.pages.run(
            "thin", "initial[0].n=4000", "integrator.time=1/4 rotation", "trajectory.frames=151", scenario="galaxy"
        )
        page = self.pages.page("thin", file, size=0.5)
        with Chromium(calm=True) as browser:
            opened(browser, page)
            ids = browser.run("stages[0].run.ids")
            self.assertLess(len(ids), 4000)
            browser.run(f"stages[0].find('{ids[7]}')")
            self.assertEqual(browser.run("stages[0].selected"), 7)
            browser.wait(f"document.querySelector('.about').textContent.startsWith('body {ids[7]}')")
            self.assertEqual(browser.run("document.querySelector('[name=body]').value"), str(ids[7]))
            missing = next(i for i in range(4000) if i not in set(ids))
            browser.run(f"stages[0].find('{missing}')")
            self.assertEqual(browser.run("stages[0].selected"), -1)

    def test_films_play(self):
        film = self.pages.folder / "film"
        scenario = self.pages.scenarios / "two-body.toml"
        small = ["--set", "integrator.steps=300", "--set", "film[0].size=[320, 180]", "--set", "film[0].duration=2.0"]
        self.pages.orrery("run", scenario, "-o", film, "--quiet", *small)
        page = self.pages.page("film", film / "run.h5")
        for kind in Chromium, Firefox:
            with kind() as browser:
                opened(browser, page)
                browser.wait("document.querySelector('video').readyState > 1")
                self.assertEqual(browser.run("document.querySelector('video').videoWidth"), 320)
                browser.run("document.querySelector('video').play().then(() => 1)")
                browser.wait("document.querySelector('video').currentTime > 0.2")

    def test_the_exact_engine(self):
        file = self.pages.run("exact", "trajectory.frames=76", scenario="figure-eight")
        with Chromium() as browser:
            opened(browser, self.pages.page("exact", file))
            browser.run(
                "(load => { Engine.load = (fused, exact) => load.call(Engine, fused, exact, 'exact'); })(Engine.load)"
            )
            self.assertIn("The same bits", stepped(browser))
            # One that is not fused where it says so gives other bits at first.
            opened(browser, self.pages.folder / "exact.html")
            browser.run(
                "(load => { Engine.load = async (fused, exact, kind) => { const engine = await load.call(Engine, fused, exact, kind);"
                " if (kind === 'auto') engine.hash = () => 'other'; window.kinds = [...(window.kinds ?? []), kind]; return engine; }; })(Engine.load)"
            )
            self.assertIn("The same bits", stepped(browser))
            self.assertEqual(browser.run("window.kinds"), ["auto", "exact"])

    def test_many_bodies(self):
        file = self.pages.run(
            "many",
            "initial[0].n=65536",
            "trajectory.frames=40",
            "integrator.dt=1/100 rotation",
            "integrator.time=4/10 rotation",
            "force[0].method=tree",
            scenario="galaxy",
        )
        page = self.pages.page("many", file, size=20)
        with Chromium() as browser:
            opened(browser, page)
            self.assertEqual(browser.run("stages[0].run.bodies"), 65536)
            ready = float(browser.run("document.querySelector('.stage').dataset.ready"))
            time.sleep(3)
            took = browser.run("stages[0].drawing")
            print(f"65536 bodies: ready after {ready / 1000:.2f} s, a picture takes {took:.0f} ms")
            self.assertLess(ready, 10000)
            self.assertLess(took, 100)
            browser.run("stages[0].play(false), stages[0].seek(0)")
            # It is brightest in the middle, and dark at the edges.
            light = browser.run(
                "(() => { const { canvas: { width, height }, context } = stages[0]; return [[0.5, 0.5], [0.03, 0.5], [0.5, 0.97]].map(([x, y]) =>"
                " context.getImageData(Math.round(x * width) - 4, Math.round(y * height) - 4, 8, 8).data.reduce((a, b) => a + b) / 256); })()"
            )
            self.assertGreater(light[0], light[1] + 50)
            self.assertGreater(light[0], light[2] + 50)
            # It blooms: many pixels are not quite dark, though bodies are on fewer.
            lit = browser.run(
                "(() => { const { canvas: { width, height }, context } = stages[0];"
                " const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);"
                " return pixels.filter(p => p !== 0xff160f0d).length / pixels.length; })()"
            )
            self.assertGreater(lit, 0.3)
            body = browser.run(
                "(() => { const s = stages[0], b = s.spot(s.track, 12345); return s.pick(b.x, b.y, 14); })()"
            )
            self.assertEqual(body, 12345)
            self.assertEqual(browser.said, [])

    def test_a_periodic_box_has_no_smear(self):
        file = self.pages.run(
            "box",
            "initial.n=512",
            "domain.edges=[8.0, 8.0, 8.0]",
            "integrator.steps=1000",
            "trajectory.every=20",
            scenario="wca-fluid",
        )
        with Chromium(calm=True) as browser:
            opened(browser, self.pages.page("box", file))
            # Between any two frames all bodies are in the box and go less than half of it.
            worst = browser.run(
                "(() => { const t = stages[0].track; let far = 0, out = 0; const [low, high] = [-4.0001, 4.0001];"
                " for (let k = 0; k < t.last; k += 0.25) { t.seek(k); const a = t.now.slice(); t.seek(k + 0.25);"
                " a.forEach((x, i) => { let d = Math.abs(t.now[i] - x); d = Math.min(d, 8 - d); far = Math.max(far, d); if (x < low || x > high) ++out; }); }"
                " return [far, out]; })()"
            )
            self.assertLess(worst[0], 0.4)
            self.assertEqual(worst[1], 0)
            # A path breaks where the body crosses an end: no two of its points are half a box apart.
            longest = browser.run(
                "Math.max(...[...Array(512).keys()].map(b => { const p = stages[0].track.path(b); let most = 0;"
                " for (let i = 3; i < p.length; ++i) { const d = Math.abs(p[i] - p[i - 3]); if (d > most) most = d; } return most; }))"
            )
            self.assertLess(longest, 4)
            self.assertGreater(
                browser.run("[...Array(512).keys()].filter(b => stages[0].track.path(b).some(Number.isNaN)).length"), 5
            )

    def test_hostile_text_is_text(self):
        quoted = [json.dumps(text) for text in HOSTILE]  # JSON's strings are TOML's
        bodies = "".join(
            f"{{ name = {name}, mass = 1.0, position = [{k}, 0, 0], velocity = [0, 0.1, 0] }},\n"
            for k, name in enumerate(quoted)
        )
        for title in HOSTILE:
            with self.subTest(title=title):
                scenario = (
                    f'title = {json.dumps(title)}\n[initial]\nkind = "table"\nbodies = [\n{bodies}]\n[force]\nkind = "gravity"\nsoftening = 0.5\n'
                    '[integrator]\nkind = "leapfrog"\ndt = 0.01\nsteps = 20\n[trajectory]\nframes = 5\n'
                )
                file = self.pages.run(f"hostile-{HOSTILE.index(title)}", scenario=scenario)
                page = self.pages.page(f"hostile-{HOSTILE.index(title)}", file)
                with Chromium(calm=True) as browser:
                    opened(browser, page)
                    browser.run(
                        "[...Array(12).keys()].forEach(b => { stages[0].select(b); stages[0].draw(); stages[0].update(); })"
                    )
                    shown = browser.run(
                        "[document.querySelector('h1').textContent, document.querySelector('.about').textContent, document.title]"
                    )
                    self.assertEqual(shown[0], "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in title))
                    self.assertTrue(
                        shown[1].startswith("".join(c if c.isprintable() else "\ufffd" for c in HOSTILE[11])), shown[1]
                    )
                    self.assertEqual(
                        browser.run("document.querySelectorAll('img, iframe, object, embed, form, base, link').length"),
                        0,
                    )
                    self.assertEqual(browser.run("document.querySelectorAll('script:not([type])').length"), 1)
                    self.assertIn("The same bits", stepped(browser))
                    self.assertEqual((browser.dialogs, browser.said), ([], []))

    def test_narrow_and_wide_windows(self):
        files = [self.pages.run(name) for name in ("outer-solar-system", "two-body")]
        page = self.pages.page("both", *files)
        for width, touch in (320, True), (390, True), (768, True), (1280, False), (1920, False):
            for dark in True, False:
                with self.subTest(width=width, dark=dark), Chromium(
                    width, 900, dark=dark, calm=True, touch=touch
                ) as browser:
                    opened(browser, page)
                    self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
                    wide, rows, channels = pixels(browser.picture())
                    x, y = browser.run(
                        "(() => { const b = document.querySelector('canvas').getBoundingClientRect(); return [b.x + 4, b.y + 60]; })()"
                    )
                    ground = rows[int(y)][int(x) * channels : int(x) * channels + 3]
                    self.assertEqual(tuple(ground), (13, 15, 22) if dark else (255, 255, 255))
                    # Every control is within the window.
                    out = browser.run(
                        f"[...document.querySelectorAll('.panel button, .panel input, .panel select')].filter(e => e.offsetParent && (b => b.left < 0 || b.right > {width})(e.getBoundingClientRect())).map(e => e.name || e.textContent)"
                    )
                    self.assertEqual(out, [])
                    self.assertEqual(browser.said, [])

    def test_axe_finds_nothing(self):
        tools = pathlib.Path(__file__).resolve().parents[2] / "render" / "page"
        npm = shutil.which("npm")
        if not npm:
            self.skipTest("there is no npm")
        with tempfile.TemporaryDirectory(prefix="axe-") as folder:
            for name in "package.json", "package-lock.json":
                shutil.copy(tools / name, folder)
            if subprocess.run(
                [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True
            ).returncode:
                self.skipTest("npm ci cannot install axe-core")
            axe = (pathlib.Path(folder) / "node_modules/axe-core/axe.min.js").read_text()
        files = [
            self.pages.run("axe-eight", "trajectory.frames=76", scenario="figure-eight"),
            self.pages.run("axe-ions", "trajectory.frames=50", scenario="ions"),
        ]
        pages = [self.pages.page("axe-one", files[0]), self.pages.page("axe-two", *files)]
        for page in pages:
            for width, dark in (1280, True), (1280, False), (390, False):
                with self.subTest(page=page.name, width=width, dark=dark), Chromium(
                    width, 900, dark=dark, calm=True
                ) as browser:
                    opened(browser, page)
                    browser.run(
                        "document.querySelectorAll('details').forEach(d => { d.open = true; }), stages[0].select(1)"
                    )
                    stepped(browser)
                    browser.run(axe + "; 1")
                    found = browser.run(
                        "axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).slice(0, 3).join(' ')))"
                    )
                    self.assertEqual(found, [])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    need(Chromium, Firefox)
    unittest.main()
