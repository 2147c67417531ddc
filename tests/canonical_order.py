#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/canonical-order.md as a second program, written from that page alone, in nothing but Python's standard library.

canonical_order.py HASHES [--all]    compares its own bits with the committed ones of every case that takes it a second
                                     or two, or of every case; exit code 1 where one differs
"""
import functools
import math
import operator
import pathlib
import random
import re
import struct
import sys
import time
from fractions import Fraction


# Arithmetic: Python's +, −, ×, ÷ on floats are those of IEEE 754 double precision, rounded to nearest, ties to even.

def exact_fma(a, b, c):
    """a·b + c rounded once, by rational arithmetic; the definition of the one below."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return float(exact) if exact else a * b + c  # a quotient of integers is rounded correctly; zeros keep their signs


def fma(a, b, c):
    """The same, faster: a·b = p + e without error (Dekker 1971), and fsum rounds the sum of three doubles once."""
    p = a * b
    if not 1e-250 < abs(p) < 1e250 or not (abs(a) < 1e250 and abs(b) < 1e250):
        return exact_fma(a, b, c)
    t = 134217729.0 * a
    ah = t - (t - a)
    al = a - ah
    t = 134217729.0 * b
    bh = t - (t - b)
    bl = b - bh
    e = ((ah * bh - p) + ah * bl + al * bh) + al * bl
    return math.fsum((p, e, c)) or p + c


def check_fma(trials=3000):
    draw = random.Random(1)
    for _ in range(trials):
        a, b = (math.ldexp(draw.uniform(-2, 2), draw.randint(-40, 40)) for _ in range(2))
        if draw.random() < 0.5:
            a, b = 1 + draw.randint(-9, 9) * 2.0**-52, 1 + draw.randint(-9, 9) * 2.0**-draw.randint(1, 53)
        c = draw.choice([-a * b, a * b * 2.0 ** draw.randint(-110, 110), math.ldexp(draw.choice([-3, -1, 0, 1, 5]), -53)])
        expected = exact_fma(a, b, c)
        assert struct.pack("<d", fma(a, b, c)) == struct.pack("<d", expected), (a, b, c)
    assert fma(1 + 2.0**-30, 1 - 2.0**-30, -1.0) == -(2.0**-60)


def bits_of(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def double_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


# A pair.

def estimate(r2):
    h = bits_of(r2) >> 32
    y = double_of((0x5FE6EB50 - (h >> 1)) << 32)
    e = fma(-(r2 * y), y, 1.0)
    return fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y)


def gravity_c(r2, y):
    y2 = y * y
    y3 = y * y2
    e = fma(-r2, y2, 1.0)
    return fma(y3 * e, fma(fma(2.1875, e, 1.875), e, 1.5), y3)


def gravity_slope(r2, y):
    root = -gravity_u(r2, y)
    return -3.0 * (gravity_c(r2, y) * (root * root))


def rate_of_change(d, v, c, slope):
    along = slope * fma(d[0], v[0], fma(d[1], v[1], d[2] * v[2]))
    return [fma(along, d[q], c * v[q]) for q in range(3)]


def gravity_u(r2, y):
    e = fma(-r2, y * y, 1.0)
    return 0.0 - fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y)


class Pairs:
    """The sums over pairs: A.x, A.y, A.z and, where asked for, Φ of every body and, with velocities, J.x, J.y, J.z."""

    def __init__(self, x, w, eps2, with_potential, v=None):
        self.x, self.w, self.eps2, self.with_potential, self.v = x, w, eps2, with_potential, v

    def meet(self, i, j, on_i, on_j=None):
        xi, xj, w = self.x[i], self.x[j], self.w
        d = [xj[0] - xi[0], xj[1] - xi[1], xj[2] - xi[2]]
        r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], self.eps2)))
        y = estimate(r2)
        c = gravity_c(r2, y)
        s = w[j] * c
        for q in range(3):
            on_i[q] = fma(d[q], s, on_i[q])
        if on_j is not None:
            s = w[i] * c
            for q in range(3):
                on_j[q] = fma(-d[q], s, on_j[q])
        if self.with_potential:
            u = gravity_u(r2, y)
            on_i[3] = fma(w[j], u, on_i[3])
            if on_j is not None:
                on_j[3] = fma(w[i], u, on_j[3])
        if self.v is not None:
            v = [self.v[j][q] - self.v[i][q] for q in range(3)]
            g = rate_of_change(d, v, c, gravity_slope(r2, y))
            for q in range(3):
                on_i[4 + q] = fma(w[j], g[q], on_i[4 + q])
                if on_j is not None:
                    on_j[4 + q] = fma(-w[i], g[q], on_j[4 + q])

    def sums(self):
        n = len(self.x)
        size = 128
        while (n + size - 1) // size > 256:
            size *= 2
        begins = range(0, n, size)
        of = [[[0.0] * 7 for _ in range(n)] for _ in begins]  # of[c][i]: P_c, what chunk c does to body i
        for first, I in enumerate(begins):
            for i in range(I, min(I + size, n)):
                for j in range(I, min(I + size, n)):
                    if j != i:
                        self.meet(i, j, of[first][i])
            for second in range(first + 1, len(begins)):
                self.two_chunks(I, begins[second], size, of[second], of[first])
        total = [[0.0] * 7 for _ in range(n)]
        for part in of:
            for i in range(n):
                for q in range(7):
                    total[i][q] += part[i][q]
        return total

    def two_chunks(self, I, J, size, on_i, on_j):
        n = len(self.x)
        for tile in range(I, I + size, 128):
            own = {j: [0.0] * 7 for j in range(J, min(J + size, n))}
            for group in range(J, min(J + size, n), 32):
                for t in range(32):
                    for lane in range(32):
                        j = group + (lane + t) % 32
                        if j < n:
                            for i in range(tile + lane, tile + 128, 32):
                                self.meet(i, j, on_i[i], own[j])
            for j, sums in own.items():
                for q in range(7):
                    on_j[j][q] += sums[q]


# External fields.

def natural_log(x):
    b = bits_of(x) + 0x00095F6200000000
    k = float((b >> 52) - 1023)
    m = double_of((b & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E00000000)
    f = m - 1.0
    s = f / (2.0 + f)
    s2 = s * s
    h = (0.5 * f) * f
    p = 2.0 / 23.0
    for number in range(21, 2, -2):
        p = fma(p, s2, 2.0 / number)
    low = fma(s, fma(p, s2, h), k * float.fromhex("0x1.ef35793c76730p-45"))
    return fma(k, float.fromhex("0x1.62e42fefa3800p-1"), f - (h - low))


def field(name, first, second, centre, x, v=(0.0, 0.0, 0.0)):
    """g, φ and dg/dt; first: v0·v0 or G·M, second: rc·rc or a·a."""
    d = [centre[q] - x[q] for q in range(3)]
    r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], second)))
    if name == "logarithmic-halo":
        k, phi = first / r2, (0.5 * first) * natural_log(r2 / second)
        slope = (-2.0 * k) / r2
    else:
        y = estimate(r2)
        k, phi = first * gravity_c(r2, y), first * gravity_u(r2, y)
        slope = first * gravity_slope(r2, y)
    return [k * d[0], k * d[1], k * d[2]], phi, rate_of_change(d, [0.0 - each for each in v], k, slope)


# A run.

def tree(terms):
    while True:
        sums = []
        for begin in range(0, len(terms), 256):
            t = terms[begin:begin + 256]
            t += [0.0] * (256 - len(t))
            half = 128
            while half:
                for k in range(half):
                    t[k] = t[k] + t[k + half]
                half //= 2
            sums.append(t[0])
        terms = sums
        if len(terms) == 1:
            return terms[0]


class Run:
    def __init__(self, m, x, v, softening, G, fields):
        self.m, self.x, self.v, self.eps2, self.G, self.fields = m, x, v, softening * softening, G, fields
        self.known = self.a0 = None

    def accelerate_with_jerk(self):
        sums = Pairs(self.x, self.m, self.eps2, False, self.v).sums()
        self.a = [[self.G * A[q] for q in range(3)] for A in sums]
        self.j = [[self.G * A[4 + q] for q in range(3)] for A in sums]
        for numbers in self.fields:
            for i, x in enumerate(self.x):
                g, _, change = field(*numbers, x, self.v[i])
                self.a[i] = [self.a[i][q] + g[q] for q in range(3)]
                self.j[i] = [self.j[i][q] + change[q] for q in range(3)]

    def accelerate(self, with_potential=False):
        if self.known is None or (with_potential and not self.known):
            self.known = with_potential
            sums = Pairs(self.x, self.m, self.eps2, with_potential).sums()
            self.a = [[self.G * A[q] for q in range(3)] for A in sums]
            self.potential = [self.G * A[3] for A in sums]
            for numbers in self.fields:
                for i, x in enumerate(self.x):
                    g, phi, _ = field(*numbers, x)
                    self.a[i] = [self.a[i][q] + g[q] for q in range(3)]
                    self.potential[i] = self.potential[i] + 2.0 * phi

    def kick(self, dt):
        self.v = [[fma(dt, a[q], v[q]) for q in range(3)] for v, a in zip(self.v, self.a)]

    def drift(self, dt):
        self.x = [[fma(dt, v[q], x[q]) for q in range(3)] for x, v in zip(self.x, self.v)]
        self.known = None

    def leapfrog(self, dt):
        self.accelerate()
        self.kick(dt / 2)
        self.drift(dt)
        self.accelerate()
        self.kick(dt / 2)

    def leapfrog_dkd(self, dt):
        self.drift(dt / 2)
        self.accelerate()
        self.kick(dt)
        self.drift(dt / 2)

    def symplectic_euler(self, dt):
        self.accelerate()
        self.kick(dt)
        self.drift(dt)

    def leapfrogs(self, dt, *parts):
        for w in parts + parts[-2::-1]:
            self.leapfrog(w * dt)

    def yoshida4(self, dt):
        w1 = 1.3512071919596576340
        self.leapfrogs(dt, w1, 1 - 2 * w1)

    def yoshida6(self, dt):
        self.leapfrogs(dt, 0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695,
                       1.31518632068391121889)

    def yoshida8(self, dt):
        w = (0.914844246229740, 0.253693336566229, -1.44485223686048, -0.158240635368243, 1.93813913762276,
             -1.96061023297549, 0.102799849391985)
        self.leapfrogs(dt, *w, 1 - 2 * functools.reduce(operator.add, w[::-1]))

    def kicks_and_drifts(self, dt, first, *parts):
        """Turn by turn; `first` says with which."""
        for k, part in enumerate(parts):
            if (first == "kick") == (k % 2 == 0):
                self.accelerate()
                self.kick(part * dt)
            else:
                self.drift(part * dt)

    def ruth3(self, dt):
        self.kicks_and_drifts(dt, "kick", 7.0 / 24, 2.0 / 3, 3.0 / 4, -2.0 / 3, -1.0 / 24, 1.0)

    def forest_ruth(self, dt):
        t = 1.3512071919596576340
        self.kicks_and_drifts(dt, "drift", t / 2, t, (1 - t) / 2, 1 - 2 * t, (1 - t) / 2, t, t / 2)

    def pefrl(self, dt):
        xi, la, chi = 0.1786178958448091, -0.2123418310626054, -0.06626458266981849
        self.kicks_and_drifts(dt, "drift", xi, 0.5 - la, chi, la, 1 - 2 * (chi + xi), la, chi, 0.5 - la, xi)

    def rk4(self, dt):
        def moved(start, *terms):
            for factor, slope in terms:
                start = [[fma(factor, s[q], x[q]) for q in range(3)] for x, s in zip(start, slope)]
            return start

        def slope_at(x):
            self.x, self.known = x, None
            self.accelerate()
            return self.a

        x, v, h2 = self.x, self.v, dt * dt
        self.accelerate()
        a1 = self.a
        a2 = slope_at(moved(x, (dt / 2, v)))
        a3 = slope_at(moved(x, (dt / 2, v), (h2 / 4, a1)))
        a4 = slope_at(moved(x, (dt, v), (h2 / 2, a2)))
        self.x, self.known = moved(x, (dt, v), (h2 / 6, a1), (h2 / 6, a2), (h2 / 6, a3)), None
        self.v = moved(v, (dt / 6, a1), (dt / 3, a2), (dt / 3, a3), (dt / 6, a4))

    @staticmethod
    def combine(*terms):
        """The first factor is not 1: a product; then one fma a term."""
        def one(i, q):
            total = terms[0][0] * terms[0][1][i][q]
            for factor, source in terms[1:]:
                total = fma(factor, source[i][q], total)
            return total
        return [[one(i, q) for q in range(3)] for i in range(len(terms[0][1]))]

    def hermite4(self, h):
        if self.a0 is None:
            self.accelerate_with_jerk()
            self.a0, self.j0 = self.a, self.j
        x0, v0, a0, j0 = self.x, self.v, self.a0, self.j0
        self.x = self.combine((h * h * h / 6, j0), (h * h / 2, a0), (h, v0), (1.0, x0))
        self.v = self.combine((h * h / 2, j0), (h, a0), (1.0, v0))
        for _ in range(2):
            self.accelerate_with_jerk()
            a, j = self.a, self.j
            self.v = self.combine((-h * h / 12, j), (h * h / 12, j0), (h / 2, a), (h / 2, a0), (1.0, v0))
            self.x = self.combine((-h * h / 12, a), (h * h / 12, a0), (h / 2, self.v), (h / 2, v0), (1.0, x0))
        self.a0, self.j0, self.known = self.a, self.j, None

    def observables(self):
        self.accelerate(True)
        m, x, v, bodies = self.m, self.x, self.v, range(len(self.m))
        mass = tree(list(m))
        values = [tree([(0.5 * m[i]) * fma(v[i][0], v[i][0], fma(v[i][1], v[i][1], v[i][2] * v[i][2])) for i in bodies]),
                  tree([(0.5 * m[i]) * self.potential[i] for i in bodies])]
        values += [tree([m[i] * v[i][q] for i in bodies]) for q in range(3)]
        for p, q in ((1, 2), (2, 0), (0, 1)):
            values.append(tree([m[i] * fma(x[i][p], v[i][q], -(x[i][q] * v[i][p])) for i in bodies]))
        return values + [tree([m[i] * x[i][q] for i in bodies]) / mass if mass > 0 else 0.0 for q in range(3)]

    def hash(self, second):
        numbers = [each[q] for column in (self.x, second) for q in range(3) for each in column] + self.observables()
        value = 0xCBF29CE484222325
        for byte in struct.pack(f"<{len(numbers)}d", *numbers):
            value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        return value


# The bodies of the tests.

def uniform(k):
    counter, key = [k & 0xFFFFFFFF, k >> 32, 0, 0], [1, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return ((counter[0] << 32 | counter[1]) >> 11) * 2.0**-53


def cloud(n):
    def between(low, high, k):
        return low + (high - low) * uniform(k)
    m = [0.0 if i % 7 == 0 and i > 0 else between(0.5 / n, 1.5 / n, 7 * i) for i in range(n)]
    x = [[between(-1.0, 1.0, 7 * i + q) for q in (1, 2, 3)] for i in range(n)]
    v = [[between(-0.5, 0.5, 7 * i + q) for q in (4, 5, 6)] for i in range(n)]
    return m, x, v


def check_page(page):
    """The worked numbers of the page."""
    rows = re.findall("^" + r"\| ([0-9a-f]{16}) " * 5 + r"\|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 4
    for r2, first, second, c, u in rows:
        x = double_of(int(r2, 16))
        y = estimate(x)
        found = [f"{bits_of(value):016x}" for value in (y, gravity_c(x, y), gravity_u(x, y))]
        assert found == [second, c, u] and int(first, 16) == (0x5FE6EB50 - (bits_of(x) >> 33)) << 32, r2


def main(arguments):
    check_fma()
    check_page(pathlib.Path(__file__).parent.parent / "docs" / "canonical-order.md")
    most = math.inf if "--all" in arguments else 1.2e5
    compared, wrong = 0, 0
    for line in open(arguments[0], encoding="utf-8"):
        words = line.split("#")[0].split()
        if not words:
            continue
        n, steps, integrator, softening = int(words[0]), int(words[1]), words[2], float(words[3])
        method = getattr(Run, integrator.replace("-", "_"), None)
        if method is None:  # the page speaks of steps of kicks and drifts, of rk4 and of hermite4
            continue
        evaluations = 1 + steps * {"ruth3": 3, "yoshida4": 3, "forest-ruth": 3, "pefrl": 4, "rk4": 4, "yoshida6": 7,
                                   "yoshida8": 15, "hermite4": 3}.get(integrator, 1)
        if evaluations * n * (n if n <= 128 else n / 2) > most:
            continue
        begin = time.perf_counter()
        fields = [("logarithmic-halo", 1.3 * 1.3, 0.7 * 0.7, (0.1, -0.2, 0.3)),
                  ("plummer-halo", 1.7 * 2.1, 0.9 * 0.9, (0.1, -0.2, 0.3))] if "fields" in words else []
        run = Run(*cloud(n), softening, 1.0, fields)
        for _ in range(steps):
            method(run, 1e-3)
        run.accelerate(True)
        found, expected = run.hash(run.v if steps else run.a), int(words[4], 16)
        compared += 1
        wrong += found != expected
        print(f"{'ok   ' if found == expected else 'WRONG'} {line.strip()}   found {found:016x}, "
              f"{time.perf_counter() - begin:.2f} s")
    print(f"{compared} cases, {wrong} wrong")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
