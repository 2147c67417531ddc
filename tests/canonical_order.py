#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second implementation of docs/canonical-order.md, written from that page alone with Python's standard library only:
arithmetic and forces in canonical_forces.py, runs in canonical_run.py, boxes in canonical_boxes.py.

canonical_order.py HASHES [--all]    compares its own bits with the committed ones, for the cases that take a second or
                                     two or, with --all, for every case; exit code 1 if one differs
"""
import math
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from canonical_boxes import bodies_and_box, BoxRun, Law
from canonical_forces import bits_of, check_fma, double_of, estimate, gravity_c, gravity_u, nfw_halo
from canonical_run import cloud, Run


def check_page(page):
    """Checks the worked numbers of the page."""
    text = page.read_text(encoding="utf-8")
    rows = re.findall("^" + r"\| ([0-9a-f]{16}) " * 5 + r"\|$", text, re.MULTILINE)
    assert len(rows) >= 4
    for r2, first, second, c, u in rows:
        x = double_of(int(r2, 16))
        y = estimate(x)
        found = [f"{bits_of(value):016x}" for value in (y, gravity_c(x, y), gravity_u(x, y))]
        assert found == [second, c, u] and int(first, 16) == (0x5FE6EB50 - (bits_of(x) >> 33)) << 32, r2
    rows = re.findall(r"^\| `([a-z:-]+)` " + r"\| ([0-9a-f]{16}) " * 3 + r"\|$", text, re.MULTILINE)
    assert {name.split(":")[0] for name, *_ in rows} == {"repulsive", "lennard-jones", "wca", "soft"}
    for name, r2, c, u in rows:
        law, x = Law(name), double_of(int(r2, 16))
        found = [f"{bits_of(value):016x}" for value in (law.c(x), law.u(x))]
        assert found == [c, u], (name, r2, found)


# Force evaluations per step; integrators not listed have one.
EVALUATIONS = {"ruth3": 3, "yoshida4": 3, "forest-ruth": 3, "pefrl": 4, "rk4": 4, "yoshida6": 7, "yoshida8": 15,
               "hermite4": 3}


def run_of(words):
    """Returns for a committed line a function that makes the run before its first step, the number of steps, dt, the step
    method (None if the page does not define it), the number of interactions of the whole run, and the expected hash."""
    if words[0][0].isalpha():
        name, n, dimensions, kinds, steps, integrator, expected = words[0], int(words[1]), int(words[2]), *words[3:]
        kind, dt = BoxRun, 1 / 250
        make = lambda: BoxRun(Law(name), *bodies_and_box(name, n, dimensions, kinds.split(",")))
        interactions = n * n / 2
    else:
        n, steps, integrator, softening, expected = int(words[0]), words[1], words[2], float(words[3]), words[4]
        centre, mu = (0.1, -0.2, 0.3), 1.7 * 2.1
        share = 343.0 * nfw_halo(49.0)[2]
        fields = [("logarithmic-halo", (1.3 * 1.3, 0.7 * 0.7, *centre)), ("plummer-halo", (mu, 0.9 * 0.9, *centre)),
                  ("miyamoto-nagai", (mu, 0.9, *centre, 0.3 * 0.3)),
                  ("nfw", (mu / (((share * 0.9) * 0.9) * 0.9), 0.9 * 0.9, *centre)),
                  ("point-mass", (mu, 0.4 * 0.4, *centre)), ("uniform", (0.3, -1.1, 0.7))]
        fields = {"fields": fields[:2], "every-field": fields}.get(words[-1], [])
        kind, dt = Run, 1e-3
        make = lambda: Run(*cloud(n), softening, 1.0, fields)
        interactions = n * (n if n <= 128 else n / 2)
    method = getattr(kind, integrator.replace("-", "_"), None)
    interactions *= 1 + int(steps) * EVALUATIONS.get(integrator, 1)
    return make, int(steps), dt, method, interactions, int(expected, 16)


def main(arguments):
    check_fma()
    check_page(pathlib.Path(__file__).parent.parent / "docs" / "canonical-order.md")
    max_interactions = math.inf if "--all" in arguments else 6e4
    compared, wrong = 0, 0
    for line in open(arguments[0], encoding="utf-8"):
        words = line.split("#")[0].split()
        if not words:
            continue
        begin = time.perf_counter()
        make, steps, dt, method, interactions, expected = run_of(words)
        if method is None or interactions > max_interactions:
            continue
        run = make()
        for _ in range(steps):
            method(run, dt)
        run.accelerate(True)
        found = run.hash(run.v if steps else run.a)
        compared += 1
        wrong += found != expected
        print(f"{'ok   ' if found == expected else 'WRONG'} {line.strip()}   found {found:016x}, "
              f"{time.perf_counter() - begin:.2f} s")
    print(f"{compared} cases, {wrong} wrong")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
