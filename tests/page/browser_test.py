#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser_test.py ORRERY: a page of a small run in headless Chromium, as a visitor uses it. Skipped (77) without Chromium."""

import math
import re
import sys
import time
import unittest

from browsers import Chromium
from pages import Pages, need, opened, stepped

TIME = "document.querySelector('[name=time]').getAttribute('aria-valuetext')"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = Pages(PROGRAM)
        cls.addClassCleanup(cls.pages.close)
        cls.file = cls.pages.run("figure-eight", "trajectory.frames=76")
        cls.page = cls.pages.page("page", cls.file)
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.close)

    def open(self, part="", calm=True, dark=True):
        """Opens the page afresh, paused if the reader wishes no motion."""
        self.browser.media(dark, calm)
        self.browser.open("about:blank")
        self.browser.asked.clear(), self.browser.said.clear()
        opened(self.browser, self.page, part)

    def tearDown(self):
        self.assertEqual(self.browser.said, [])
        self.assertEqual(self.browser.dialogs, [])

    def js(self, script):
        return self.browser.run(script)

    def state(self):
        """View and time."""
        return self.js("stages[0].state")

    def spot(self, body):
        """Where a body is in the window."""
        return self.js(
            f"(() => {{ const s = stages[0], b = s.canvas.getBoundingClientRect(), p = s.spot(s.track, {body}); return [b.x + p.x, b.y + p.y]; }})()"
        )

    def color_at(self, x, y):
        return self.js(
            f"(() => {{ const s = stages[0], b = s.canvas.getBoundingClientRect(), k = s.canvas.width / b.width;"
            f" return [...s.context.getImageData(Math.round(({x} - b.x) * k), Math.round(({y} - b.y) * k), 1, 1).data.slice(0, 3)]; }})()"
        )

    def test_opens_from_a_file_and_asks_for_nothing(self):
        self.open()
        self.assertEqual([a for a in self.browser.asked if not a.startswith(("data:", "blob:"))], [self.page.as_uri()])
        self.assertIn("Figure-eight", self.js("document.title"))
        policy = self.js("document.querySelector('meta[http-equiv]').content")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe-inline", policy)

    def test_bodies_are_where_they_are_and_look_so(self):
        self.open()
        self.js("document.querySelector('[name=grid]').click()")
        for body, color in enumerate(["5cbaf0", "f6923e", "2ec498"]):
            with self.subTest(body=body):
                seen = self.color_at(*self.spot(body))
                wanted = [int(color[k : k + 2], 16) for k in (0, 2, 4)]
                self.assertLess(max(abs(a - b) for a, b in zip(seen, wanted)), 70, f"{seen} is not {wanted}")
        self.assertEqual(
            self.js("stages[0].track.where(1).map(x => x + 0)"),
            self.js("[0, 1, 2].map(k => stages[0].track.at[3 * k + 1])"),
        )

    def test_positions_are_those_of_the_file(self):
        self.open()
        # At the frames 0 and 25 bodies have changed places: 25 frames are a third of a period.
        places = self.js(
            "[0, 25].map(k => { stages[0].track.seek(k); return [0, 1, 2].map(b => stages[0].track.where(b)); })"
        )
        for b, place in enumerate(places[0]):
            nearest = min(math.dist(place, other) for other in places[1])
            self.assertLess(nearest, 1e-3, f"body {b}")

    def test_between_frames_bodies_are_where_other_frames_have_them(self):
        places = "[10.5, 40.5, 60.5].map(k => { stages[0].track.seek(k * %d); return [...stages[0].track.now]; })"
        self.open()
        between = self.js(places % 1)
        finer = self.pages.page("finer", self.pages.run("finer", "trajectory.frames=151", scenario="figure-eight"))
        opened(self.browser, finer)
        for found, wanted in zip(between, self.js(places % 2)):
            self.assertLess(max(abs(a - b) for a, b in zip(found, wanted)), 4e-3)

    def test_where_frames_are_too_far_apart_nothing_is_invented(self):
        # Of its orbit there are two and a half frames a period, of the outer one 68.
        scenario = (
            '[initial]\nkind = "table"\nbodies = [\n'
            '{ name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },\n'
            '{ name = "Near", mass = 0.0, position = [1, 0, 0], velocity = [0, 1, 0] },\n'
            '{ name = "Far", mass = 0.0, position = [9, 0, 0], velocity = [0, 0.3333333, 0] }]\n'
            '[force]\nkind = "gravity"\n[integrator]\nkind = "leapfrog"\ndt = 0.01\nsteps = 16000\n[trajectory]\nframes = 65\n'
        )
        page = self.pages.page("apart", self.pages.run("apart", scenario=scenario))
        opened(self.browser, page)
        self.js("stages[0].play(false)")
        said = "Where frames are too far apart to know how Near moved between them, the stage shows the nearer frame, and points in place of a path."
        self.assertIn(said, self.js("document.querySelector('main').textContent"))
        self.assertIn("no path where frames are too far apart", self.js("stages[0].run.view.note"))
        # Between frames it is where it was at the nearer one; the outer one has moved on.
        held, moved = (
            self.js(
                f"(() => {{ const t = stages[0].track; return [20, 20.4, 20.6, 21].map(k => {{ t.seek(k); return t.where({b}); }}); }})()"
            )
            for b in (1, 2)
        )
        self.assertEqual((held[1], held[2]), (held[0], held[3]))
        self.assertGreater(math.dist(held[0], held[3]), 0.5)
        self.assertGreater(min(math.dist(moved[k], moved[k + 1]) for k in range(3)), 0.1)
        for x in moved:
            self.assertAlmostEqual(math.hypot(*x[:2]), 9, delta=0.01)
        # Its path is points at the frames, and no two points in a row.
        gaps = self.js("(b => { const t = stages[0].track, p = t.path(b); return [t.pieces, p.length / 3, [...Array(p.length / 3).keys()].filter(k => !Number.isNaN(p[3 * k]))]; })(1)")
        self.assertEqual(gaps[2], list(range(0, gaps[1], gaps[0])))
        self.assertEqual(self.js("stages[0].track.path(2).some(Number.isNaN)"), False)
        # What is drawn: many more lines with the path of the outer body than with that of the inner one.
        drawn = self.js(
            "(() => { const s = stages[0], found = []; const c = s.context, line = c.lineTo; let count = 0; c.lineTo = function (x, y) { count += Number(x === x); line.call(c, x, y); };"
            " for (const b of [1, 2]) { count = 0; s.stroke(s.track.path(b), '#fff', 1); found.push(count); } delete c.lineTo; return found; })()"
        )
        self.assertLessEqual(drawn[0], 65)
        self.assertGreater(drawn[1], 2 * drawn[0])
        speed = self.js("(() => { const t = stages[0].track; t.seek(20.3); return [t.speed(1), t.speed(2)]; })()")
        self.assertAlmostEqual(speed[0], 1, delta=2e-3)
        self.assertAlmostEqual(speed[1], 1 / 3, delta=2e-3)

    def test_turns_moves_zooms_and_a_link_keeps_it(self):
        self.open()
        x, y = self.browser.middle("canvas")
        before = self.js("stages[0].state")
        self.browser.drag(x, y, 100, 40)
        turned = self.state()
        self.assertAlmostEqual(turned["az"], before["az"] - 35, delta=0.5)
        self.assertAlmostEqual(turned["el"], before["el"] + 14, delta=0.5)
        self.browser.drag(x, y, 100, 0, shift=True)
        moved = self.state()
        self.assertGreater(math.dist([moved[k] for k in "xyz"], [0, 0, 0]), 0.05)
        self.browser.wheel(x, y, -300)
        self.browser.wait(f"stages[0].state.d < {0.8 * before['d']}")
        kept = self.state()
        self.js("navigator.clipboard.writeText = async text => { window.copied = text; }")
        self.browser.click_on("[data-do=link]")
        link = self.browser.wait("window.copied")
        self.assertEqual(link.split("#")[0], self.page.as_uri())
        self.open("#" + link.split("#")[1])
        self.assertEqual(
            {k: round(v, 5) for k, v in self.js("stages[0].state").items()}, {k: round(v, 5) for k, v in kept.items()}
        )
        self.browser.click_on("[data-do=reset]")
        self.assertAlmostEqual(self.state()["az"], before["az"])

    def test_two_fingers_zoom_and_move(self):
        self.browser.window(390, 844, touch=True)
        self.addCleanup(self.browser.window, 1280, 900)
        self.open()
        x, y = self.browser.middle("canvas")
        before = self.js("stages[0].state")
        self.browser.touch(
            [(x - 40, y), (x + 40, y)], [(x - 60, y + 10), (x + 60, y + 10)], [(x - 90, y + 20), (x + 90, y + 20)]
        )
        after = self.js("stages[0].state")
        self.assertLess(after["d"], 0.6 * before["d"])
        self.assertNotEqual([after[k] for k in "xyz"], [0, 0, 0])
        self.browser.touch([(x, y)], [(x + 30, y)], [(x + 60, y)])
        self.assertNotEqual(self.js("stages[0].state.az"), before["az"])
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390)

    def test_plays_and_pauses(self):
        self.open(calm=False)
        first = self.js(TIME)
        self.browser.wait(f"{TIME} !== {first!r}")
        self.browser.click_on("[name=play]")
        self.browser.wait("document.querySelector('[name=play]').textContent === 'Play'")
        still = self.js(TIME)
        time.sleep(0.2)
        self.assertEqual(self.js(TIME), still)
        self.assertIn(still, self.js("document.querySelector('[role=status]').textContent"))
        self.js(
            "document.querySelector('[name=loop]').click(), document.querySelector('[name=speed]').value = 8, stages[0].seek(70), stages[0].toggle()"
        )
        self.browser.wait("!stages[0].playing")
        self.assertEqual(self.js("stages[0].place"), 75)

    def test_a_body_is_picked_and_followed(self):
        self.open("#t=1.3")
        self.browser.click(*self.spot(2))
        self.browser.wait("document.querySelector('.about').textContent")
        lines = self.js("document.querySelector('.about').textContent").split("\n")
        self.assertEqual(lines[:2], ["body 2", "mass 1"])
        self.assertRegex(lines[2], r"^position \([−\d.e]+, [−\d.e]+, 0\)$")
        speed = float(re.fullmatch(r"speed ([\d.]+)", lines[3])[1])
        self.assertTrue(0.2 < speed < 2, speed)
        self.assertEqual(self.state()["body"], 2)
        self.browser.click_on("[name=follow]")
        self.browser.wait("document.querySelector('[name=follow]').checked && stages[0].camera.view.x !== 0")
        middle = self.browser.middle("canvas")
        self.assertLess(math.dist(self.spot(2), middle), 1.5)

    def test_names_do_not_overlap(self):
        self.open()
        # All bodies come close together on the screen from here; a name that has no place is left out.
        self.js("Object.assign(stages[0].camera.view, { el: 0, d: 60 })")
        boxes = self.js(
            "[...Array(40).keys()].map(k => { const s = stages[0], found = []; const write = s.write;"
            " s.write = (text, x, y) => { if (/^body/.test(text)) found.push([x, y - 8, x + s.context.measureText(text).width, y + 8]); };"
            " s.place = k / 2; s.draw(); s.write = write; return found; })"
        )
        for moment in boxes:
            for i, (left, top, right, bottom) in enumerate(moment):
                for other in moment[:i]:
                    apart = left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
                    self.assertTrue(apart, f"{moment[i]} and {other}")
        self.assertGreater(sum(map(len, boxes)), 60)

    def test_full_screen(self):
        self.open()
        self.browser.click_on("[data-do=full]")
        self.browser.wait("document.fullscreenElement?.matches('.panel') ?? false")
        height = self.js("document.querySelector('canvas').clientHeight")
        self.assertGreater(height, 0.75 * self.js("innerHeight"))
        self.browser.wait(f"stages[0].height === {height}")
        self.browser.click_on("[data-do=full]")
        self.browser.wait("document.fullscreenElement === null")

    def test_keyboard_alone(self):
        self.open()
        self.browser.command("Page.bringToFront")
        for _ in range(30):
            self.browser.key("Tab")
            if self.js("document.activeElement.matches('canvas')"):
                break
        self.assertTrue(self.js("document.activeElement.matches('canvas:focus-visible')"))
        before = self.js("stages[0].state")
        self.browser.key("ArrowLeft")
        self.assertAlmostEqual(self.js("stages[0].state.az"), before["az"] - 5)
        self.browser.key("ArrowUp", shift=True)
        self.assertNotEqual(self.js("stages[0].state.z"), 0)
        self.browser.key("+")
        self.assertLess(self.js("stages[0].state.d"), before["d"])
        self.browser.key("]"), self.browser.key("]"), self.browser.key("f")
        self.assertEqual(self.js("[stages[0].selected, stages[0].state.follow]"), [1, 1])
        self.browser.key("End")
        self.assertEqual(self.js("stages[0].place"), 75)
        self.browser.key(",")
        self.assertEqual(self.js("stages[0].place"), 74)
        for key, name in ("n", "names"), ("p", "paths"), ("g", "grid"):
            shown = self.js(f"document.querySelector('[name={name}]').checked")
            self.browser.key(key)
            self.assertNotEqual(self.js(f"document.querySelector('[name={name}]').checked"), shown)
        self.browser.key(" ")
        self.browser.wait("stages[0].playing")
        self.browser.key("Escape"), self.browser.key("r")
        self.assertEqual(self.js("[stages[0].selected, stages[0].state.follow]"), [-1, 0])

    def test_what_a_screen_reader_gets(self):
        self.open()
        nodes = self.browser.command("Accessibility.getFullAXTree")["nodes"]
        of = lambda kind: [
            n.get("name", {}).get("value")
            for n in nodes
            if n.get("role", {}).get("value") == kind and not n.get("ignored")
        ]
        self.assertIn("Figure-eight", of("heading"))
        self.assertEqual(of("application"), ["Figure-eight: 3 bodies in space over time"])
        self.assertIn("Time", of("slider"))
        for name in "Play", "Reset view", "Save picture", "Full screen", "Step it here":
            self.assertIn(name, of("button"))
        self.assertEqual(self.js(TIME), "t = 0.0")

    def test_steps_to_the_hash_of_the_program(self):
        self.open()
        said = stepped(self.browser)
        self.assertIn("The same bits", said)
        self.assertIn(self.pages.hash_of(self.file), said)
        self.assertEqual(self.js("document.querySelector('.result').className"), "result good")

    def test_says_where_bits_part(self):
        self.open()
        # One bit of a mass, as if the program had had another state.
        self.js(
            "(() => { const node = document.getElementById('state-0'), x = new Float64Array(bytesIn('state-0').buffer); x[0] *= 1 + 2 ** -52;"
            " node.textContent = btoa(String.fromCharCode(...new Uint8Array(x.buffer))); })()"
        )
        said = stepped(self.browser)
        self.assertIn("Not the same bits", said)
        self.assertIn("part before frame 1, step 20.", said)

    def test_asks_before_it_takes_long_and_can_be_cancelled(self):
        self.open()
        said, clicked = "document.querySelector('.result').textContent", "document.querySelector('[name=%s]').click()"
        self.js("facts.runs[0].engine.steps = 2e10")
        self.js(clicked % "step")
        self.assertRegex(self.browser.wait(f"/min/.test({said}) && {said}"), r"^This takes about \d+ min here\.$")
        self.js(clicked % "go")
        self.browser.wait("document.querySelector('.rate').textContent")
        self.assertRegex(self.js("document.querySelector('.rate').textContent"), r"^\d+ million pairs a second$")
        self.assertFalse(self.js("document.querySelector('[name=step]').checkVisibility()"))
        self.js(clicked % "cancel")
        self.browser.wait(f"{said} === 'Cancelled.'")
        self.js(clicked % "step")
        self.browser.wait(f"/min/.test({said})")
        self.js(clicked % "cancel")
        self.browser.wait(f"{said} === 'Cancelled.'")
        self.assertTrue(self.js("document.querySelector('[name=step]').checkVisibility()"))

    def test_a_changed_run_beside_the_run(self):
        self.open()
        self.js("document.querySelector('.stepper details').open = true")
        self.js(
            "(() => { const { vx, vary } = document.querySelector('.stepper fieldset').elements; vx.value = +vx.value * 1.01; vx.dispatchEvent(new Event('input')); vary.click(); })()"
        )
        said = self.browser.wait(
            "/apart/.test(document.querySelector('.result').textContent) && document.querySelector('.result').textContent"
        )
        apart = float(re.search(r"up to ([\d.e]+) apart", said)[1])
        self.assertTrue(0.01 < apart < 3, said)
        self.assertEqual(self.js("document.querySelector('[name=other]').value"), "the changed run")
        self.assertFalse(self.js("document.querySelector('.energy').hidden"))
        self.assertEqual(self.js("document.querySelector('.energy .scale').textContent"), "|ΔE|/|E₀|")
        self.assertFalse(self.js("stages[0].other.unknown.some(Boolean)"))
        self.assertGreater(
            self.js("Math.min(...[...document.querySelectorAll('.energy polyline')].map(p => p.points.length))"), 50
        )
        # Its first frame is that of the run.
        self.assertLess(
            self.js(
                "(() => { const { track, other } = stages[0]; return Math.max(...track.at.slice(0, 9).map((x, i) => Math.abs(x - other.at[i]))); })()"
            ),
            1e-5,
        )

    def test_a_changed_run_that_its_frames_do_not_follow(self):
        self.open()
        # With twenty times the mass, the others pass it in less than the time between two frames.
        said = self.js(
            "(async () => { const { mass, dt, vary } = document.querySelector('.stepper fieldset').elements; mass.value = 20; mass.dispatchEvent(new Event('input')); dt.value = 2e-4;"
            " vary.click(); while (!/apart/.test(document.querySelector('.result').textContent)) await new Promise(r => setTimeout(r, 20)); return document.querySelector('.result').textContent; })()"
        )
        self.assertIn("It has no path where frames are too far apart.", said)
        lost = self.js(
            "(t => [...Array(t.last * 3).keys()].filter(i => !t.known(Math.floor(i / 3), i % 3)))(stages[0].other)"
        )
        self.assertTrue(0 < len(lost) < 75, lost)
        body, frame = lost[0] % 3, lost[0] // 3
        where = f"stages[0].other.where({body})"
        held = self.js(f"stages[0].other.seek({frame}), {where}")
        self.assertEqual(self.js(f"stages[0].other.seek({frame} + 0.3), {where}"), held)

    def test_saves_a_picture(self):
        self.open()
        self.browser.downloads.clear()
        self.browser.click_on("[data-do=save]")
        end = time.monotonic() + 10
        while not self.browser.downloads and time.monotonic() < end:
            self.js("1")
            time.sleep(0.05)
        self.assertEqual(self.browser.downloads[0].name, "Figure-eight.png")
        png = self.browser.downloads[0].read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width = int.from_bytes(png[16:20], "big")
        self.assertEqual(width, 2 * self.js("stages[0].canvas.clientWidth"))

    def test_dark_and_light(self):
        self.open()
        corner = self.js(
            "(() => { const b = document.querySelector('canvas').getBoundingClientRect(); return [b.right - 6, b.bottom - 6]; })()"
        )
        self.js("document.querySelector('[name=grid]').click()")
        self.assertEqual(self.color_at(*corner), [13, 15, 22])
        self.browser.click_on(".theme")
        self.js("scrollTo(0, 0)")
        self.browser.wait("stages[0].look.dark === false")
        self.assertEqual(self.color_at(*corner), [255, 255, 255])
        self.open(dark=False)
        self.assertEqual(self.js("[stages[0].look.dark, stages[0].playing]"), [False, False])

    def test_on_paper_and_without_scripts_there_is_the_figure(self):
        self.open()
        shown = (
            lambda selector: f"[...document.querySelectorAll({selector!r})].some(e => e.getClientRects().length > 0)"
        )
        self.assertFalse(self.js(shown(".still svg")))
        self.browser.media(False, kind="print")
        self.assertTrue(self.js(shown(".still svg")))
        self.assertFalse(self.js(shown("canvas, button, .stepper")))
        self.browser.media(True)
        self.browser.scripts(False)
        self.addCleanup(self.browser.scripts, True)
        self.browser.open("about:blank")
        self.browser.open(self.page)
        self.assertTrue(self.js(shown(".still svg")))
        self.assertFalse(self.js(shown("canvas, .theme")))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    need(Chromium)
    unittest.main()
