#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Orbits and elementary functions to 50 digits, by textbook formulas in mpmath: classical anomalies and a rotation
matrix, where sim/orbit.cpp has universal variables.

orbits.py > sim/orbit_table.hpp    makes the table that tests/sim/orbit_test.cpp compares with
orbits.py sim/orbit_table.hpp      compares it with this file; exit code 1 if it differs
"""
import sys

from mpmath import mp, mpf, atan2, cos, cosh, degrees, pi, radians, sin, sinh, sqrt, tan, tanh

mp.dps = 60


def pair(x):
    """As a sum of two doubles."""
    high = float(x)
    return f"{{{high!r}, {float(mpf(x) - mpf(high))!r}}}"


# What is given of each orbit, as double: µ, the time, and elements by their symbols. Generic numbers.
ORBITS = [
    (1.7, 0.0, dict(a=1.3, e=0.37, i=23.7, Omega=111.1, omega=203.3, M=77.7)),
    (1.7, 0.0, dict(a=1.3, e=0.0, i=12.3, Omega=45.6, omega=78.9, M=-301.2)),
    (39.5, 0.0, dict(a=5.2, e=0.048, i=0.0, Omega=100.5, pomega=14.7, l=34.4)),
    (39.5, 0.0, dict(q=0.6, Q=35.1, i=162.2, Omega=58.4, omega=111.3, M=38.4)),
    (0.9, 0.0, dict(a=2.1, e=0.61, i=180.0, Omega=12.5, omega=33.3, M=150.2)),
    (0.9, 0.0, dict(a=2.1, e=0.61, i=179.9999, Omega=12.5, omega=33.3, E=150.2)),
    (3.1, 0.0, dict(a=1e6, e=1 - 1e-12, i=71.3, Omega=9.9, omega=281.4, M=41.0)),
    (3.1, 0.0, dict(a=1e12, e=1 - 1e-12, i=71.3, Omega=9.9, omega=281.4, M=1e-15)),
    (3.1, 0.7, dict(q=0.8, e=1 - 1e-12, i=71.3, Omega=9.9, omega=281.4, T=-2.3)),
    (3.1, 0.7, dict(q=0.8, e=1 + 1e-12, i=71.3, Omega=9.9, omega=281.4, T=-2.3)),
    (3.1, 0.7, dict(q=0.8, e=1.0, i=71.3, Omega=9.9, omega=281.4, T=-2.3)),
    (3.1, 0.7, dict(q=0.8, e=1.0, i=71.3, Omega=9.9, omega=281.4, T=250.1)),
    (3.1, 0.0, dict(q=0.8, e=1.0, i=171.3, Omega=309.9, omega=1.4, f=-133.1)),
    (3.1, 0.7, dict(q=0.8, e=1 - 1e-7, i=71.3, Omega=9.9, omega=281.4, T=12.9)),
    (3.1, 0.7, dict(q=0.8, e=1 + 1e-7, i=71.3, Omega=9.9, omega=281.4, T=12.9)),
    (3.1, 0.7, dict(q=0.8, e=0.99999, i=71.3, Omega=9.9, omega=281.4, f=179.9)),
    (2.2, 0.0, dict(a=-1.1, e=1.9, i=33.3, Omega=200.1, omega=300.3, M=400.5)),
    (2.2, 0.0, dict(a=-1.1, e=30.7, i=133.3, Omega=200.1, omega=300.3, M=-40000.5)),
    (2.2, 0.0, dict(a=-1.1, e=1.2, i=33.3, Omega=200.1, pomega=100.9, E=-120.5)),
    (2.2, 0.0, dict(q=0.3, e=3.4, i=33.3, Omega=200.1, omega=300.3, f=-100.5)),
    (2.2, 0.3, dict(P=7.7, e=0.2, i=1e-9, Omega=200.1, omega=300.3, T=1000.1)),
    (2.2, 0.3, dict(P=7.7, q=0.7, i=90.0, Omega=200.1, omega=300.3, f=55.5)),
    (1.32712440018e20, 0.0, dict(a=1.495978707e11, e=0.0167, i=0.00005, Omega=-11.26, pomega=102.9, l=100.46)),
]


def anomaly(function, slope, target, low, high):
    """The root of an increasing function, by bisection and Newton."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < target else (low, middle)
    x = (low + high) / 2
    for _ in range(12):
        x -= (function(x) - target) / slope(x)
    return x


def state(mu, t, given):
    """Position and velocity, by the true anomaly and p."""
    mu, t = mpf(mu), mpf(t)
    g = {key: mpf(value) for key, value in given.items()}
    if "P" in g:
        g["a"] = (mu * (g["P"] / (2 * pi)) ** 2) ** (mpf(1) / 3)
    if "Q" in g:
        g["a"] = (g["q"] + g["Q"]) / 2
    if "e" not in g:
        g["e"] = 1 - g["q"] / g["a"]
    e = g["e"]
    q = g["q"] if "q" in g else g["a"] * (1 - e)
    if "omega" not in g:
        g["omega"] = g["pomega"] - g["Omega"]
    if "l" in g:
        g["M"] = g["l"] - g["Omega"] - g["omega"]
    since = t - g["T"] if "T" in g else mpf(0)
    if "f" in g:
        f = radians(g["f"])
    elif e == 1:  # Barker's equation
        w = 3 * sqrt(mu / (2 * q ** 3)) * since / 2
        y = (abs(w) + sqrt(w * w + 1)) ** (mpf(1) / 3)
        f = 2 * mp.atan((y - 1 / y) * (1 if w > 0 else -1))
    elif e < 1:
        mean = radians(g["M"]) if "M" in g else sqrt(mu * ((1 - e) / q) ** 3) * since
        mean -= 2 * pi * mp.floor(mean / (2 * pi) + mpf(1) / 2)
        E = radians(g["E"]) if "E" in g else anomaly(lambda x: x - e * sin(x), lambda x: 1 - e * cos(x), mean, -pi, pi)
        f = 2 * mp.atan2(sqrt(1 + e) * sin(E / 2), sqrt(1 - e) * cos(E / 2))
    else:
        mean = radians(g["M"]) if "M" in g else sqrt(mu * ((e - 1) / q) ** 3) * since
        H = radians(g["E"]) if "E" in g else anomaly(lambda x: e * sinh(x) - x, lambda x: e * cosh(x) - 1, mean, mpf(-60), mpf(60))
        f = 2 * mp.atan(sqrt((e + 1) / (e - 1)) * tanh(H / 2))
    p = q * (1 + e)
    r, v = p / (1 + e * cos(f)), sqrt(mu / p)
    O, o, i = radians(g["Omega"]), radians(g["omega"]), radians(g["i"])
    P = (cos(O) * cos(o) - sin(O) * sin(o) * cos(i), sin(O) * cos(o) + cos(O) * sin(o) * cos(i), sin(o) * sin(i))
    Q = (-cos(O) * sin(o) - sin(O) * cos(o) * cos(i), -sin(O) * sin(o) + cos(O) * cos(o) * cos(i), cos(o) * sin(i))
    return [r * (cos(f) * a + sin(f) * b) for a, b in zip(P, Q)] + [v * (-sin(f) * a + (e + cos(f)) * b) for a, b in zip(P, Q)]


# µ, t and states, as double.
STATES = [
    (1.7, 0.0, (0.7, -1.1, 0.3, 0.4, 0.9, -0.5)),
    (1.7, 3.3, (0.7, -1.1, 0.3, -0.4, -0.9, 0.5)),
    (1.0, 0.0, (1.0, 0.0, 0.0, 0.0, 1.4142135623730951, 0.0)),
    (1.0, 0.0, (0.3, 0.9, -0.2, 1.1, -0.9, 0.3)),
    (1.0, 0.0, (-0.3, -40.9, 2.2, 1.1, 3.9, 0.3)),
    (1.0, 0.4, (1.2, 0.4, 0.0, -0.2, 0.8, 0.0)),
    (1.0, 0.4, (1.2, 0.4, 0.0, 0.2, -0.8, 0.0)),
    (1.0, 0.4, (1.2, 0.4, 1e-12, 0.2, -0.8, 1e-13)),
    (2.0, 0.0, (3.0, 4.0, 12.0, 0.33, 0.44, -0.17)),
    (2.0, 0.0, (300.0, 400.0, 1200.0, 0.0301, 0.0401, 0.0102)),
    (1.0, 0.0, (1000.0, 30.0, 5.0, -0.04472, -0.00002, 0.00001)),
    (0.999, 0.0, (1.0, 0.1, 0.2, 0.1, 0.5, -0.8)),
]


def in_turn(x):
    x = degrees(x)
    return x + 360 if x < 0 else x


def elements(mu, t, numbers):
    """q, e, 1/a, i, Omega, omega, f, M, E, T by vectors, the anomalies by half angles."""
    mu, t = mpf(mu), mpf(t)
    n = [mpf(x) for x in numbers]
    r, v = n[:3], n[3:]
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    h, R = cross(r, v), sqrt(dot(r, r))
    H = sqrt(dot(h, h))
    ev = [x / mu - y / R for x, y in zip(cross(v, h), r)]
    e = sqrt(dot(ev, ev))
    k = 2 / R - dot(v, v) / mu
    i = mp.acos(h[2] / H)
    node = [-h[1], h[0], mpf(0)] if h[0] or h[1] else [mpf(1), mpf(0), mpf(0)]
    Omega = atan2(node[1], node[0])
    angle = lambda a, b: atan2(dot(cross(a, b), h) / H, dot(a, b))  # from a to b about h
    omega, f = angle(node, ev), angle(ev, r)
    q = H * H / (mu * (1 + e))
    if k > 0:
        E = 2 * atan2(sqrt(1 - e) * sin(f / 2), sqrt(1 + e) * cos(f / 2))
        M = E - e * sin(E)
    else:
        E = 2 * mp.atanh(sqrt((e - 1) / (e + 1)) * tan(f / 2))
        M = e * sinh(E) - E
    T = t - M / sqrt(mu * abs(k) ** 3)
    turn = in_turn if k > 0 else degrees
    return [q, e, k, degrees(i), in_turn(Omega), in_turn(omega), turn(f), turn(M), turn(E), T]


ANGLES = [0.1, 1.0, 29.999999, 45.0, 59.7, 90.0, 133.3, 180.0, -271.7, 1234567.8, 1e-9, 359.99999999]
POINTS = [(1.0, 2.0), (-1e-9, 3.0), (3.0, -4.0), (-0.7, -0.1), (1e-200, -1e-190), (2.0, 2.0), (0.0, -1.0), (5.0, 1e-3)]
STUMPFF = [0.0, 0.03, -0.09, 0.7, -3.3, 9.6, -900.0, 61.7, 1e-20]


def stumpff(z):
    z = mpf(z)
    terms = lambda k: mp.nsum(lambda n: (-z) ** int(n) / mp.factorial(k + 2 * int(n)), [0, 400], method="direct")
    return [terms(k) for k in range(4)]


def rows(lines):
    return "".join(f"    {{{line}}},\n" for line in lines)


def table():
    names = "a P q Q e i Omega omega pomega M E f l T".split()
    text = '''// SPDX-License-Identifier: MIT
// Made by tests/orbits.py: numbers to 50 digits as sums of two doubles.
#pragma once

#include <limits>

namespace orrery::sim::testing::table {

struct Sum {
  double high, low;
};
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// clang-format off
/// µ, t, elements in the order of orbital_element_list; position and velocity.
constexpr struct {
  double mu, t, given[14];
  Sum state[6];
} orbits[] = {
'''
    text += rows(f"{mu!r}, {t!r}, {{{', '.join(repr(g[n]) if n in g else 'none' for n in names)}}}, "
                 f"{{{', '.join(map(pair, state(mu, t, g)))}}}" for mu, t, g in ORBITS)
    text += '''};

/// µ, t, position and velocity; q, e, 1/a, i, Ω, ω, f, M, E, T.
constexpr struct {
  double mu, t, state[6];
  Sum elements[10];
} states[] = {
'''
    text += rows(f"{mu!r}, {t!r}, {{{', '.join(map(repr, s))}}}, {{{', '.join(map(pair, elements(mu, t, s)))}}}"
                 for mu, t, s in STATES)
    text += '''};

/// x; cosine and sine of x degrees, and of x radians.
constexpr struct {
  double x;
  Sum of_degrees[2], of_radians[2];
} directions[] = {
'''
    text += rows(f"{x!r}, {{{pair(mp.cospi(mpf(x) / 180))}, {pair(mp.sinpi(mpf(x) / 180))}}}, "
                 f"{{{pair(cos(mpf(x)))}, {pair(sin(mpf(x)))}}}" for x in ANGLES)
    text += '''};

/// y, x; the angle of (x, y) in radians.
constexpr struct {
  double y, x;
  Sum angle;
} arc_tangents[] = {
'''
    text += rows(f"{y!r}, {x!r}, {pair(atan2(mpf(y), mpf(x)))}" for y, x in POINTS)
    text += '''};

/// z; c₀ … c₃.
constexpr struct {
  double z;
  Sum c[4];
} stumpffs[] = {
'''
    text += rows(f"{z!r}, {{{', '.join(map(pair, stumpff(z)))}}}" for z in STUMPFF)
    return text + '''};
// clang-format on

}  // namespace orrery::sim::testing::table
'''


if __name__ == "__main__":
    if len(sys.argv) > 1:
        same = open(sys.argv[1], encoding="utf-8").read() == table()
        print("the table agrees" if same else f"{sys.argv[1]}: differs from what this script makes")
        sys.exit(0 if same else 1)
    print(table(), end="")
