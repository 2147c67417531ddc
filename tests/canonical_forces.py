# SPDX-License-Identifier: MIT
"""Forces as specified in docs/canonical-order.md: arithmetic, gravity of pairs, sums over pairs, external fields."""
import functools
import math
import random
import struct
from fractions import Fraction


# Arithmetic: Python's +, −, ×, ÷ on floats are IEEE 754 double precision operations, rounded to nearest, ties to even.

def exact_fma(a, b, c):
    """a·b + c rounded once, by rational arithmetic: the definition of `fma`."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return float(exact) if exact else a * b + c  # a quotient of integers is rounded correctly; zeros keep their signs


def fma(a, b, c):
    """The same, faster: a·b = p + e without error (Dekker 1971), and fsum rounds the sum of three doubles once."""
    p = a * b
    if 1e-250 < abs(p) < 1e250 and -1e250 < a < 1e250 and -1e250 < b < 1e250:
        t = 134217729.0 * a
        ah = t - (t - a)
        al = a - ah
        t = 134217729.0 * b
        bh = t - (t - b)
        bl = b - bh
        return math.fsum((p, ((ah * bh - p) + ah * bl + al * bh) + al * bl, c)) or p + c
    return exact_fma(a, b, c) if p else p + c


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


# A pair. It is met from both sides, and once more for its potential, at the same r².

known = functools.lru_cache(1 << 16)


@known
def estimate(r2):
    h = bits_of(r2) >> 32
    y = double_of((0x5FE6EB50 - (h >> 1)) << 32)
    e = fma(-(r2 * y), y, 1.0)
    return fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y)


@known
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


@known
def gravity_u(r2, y):
    e = fma(-r2, y * y, 1.0)
    return 0.0 - fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y)


class Pairs:
    """The sums over pairs of every body: A.x, A.y, A.z, Φ if requested, and with velocities also J.x, J.y, J.z."""

    def __init__(self, x, w, eps2, with_potential, v=None):
        self.x, self.w, self.eps2, self.with_potential, self.v = x, w, eps2, with_potential, v

    def meet(self, i, j, on_i, on_j=None):
        xi, xj, w = self.x[i], self.x[j], self.w
        d = [xj[0] - xi[0], xj[1] - xi[1], xj[2] - xi[2]]
        r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], self.eps2)))
        y = estimate(r2)
        c = gravity_c(r2, y)
        if w[j] == 0:
            on_i = [0.0] * 7  # the action of a massless body is discarded
        if w[i] == 0:
            on_j = None
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
        of = [[[0.0] * 7 for _ in range(n)] for _ in begins]  # of[c][i]: P_c, the action of chunk c on body i
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


def field(name, numbers, x, v=(0.0, 0.0, 0.0)):
    """g, φ and dg/dt. Numbers: g; or v0·v0, G·M or A, then rc·rc, a·a, ε·ε, rs·rs or a, the centre, and b·b."""
    if name == "uniform":
        return list(numbers), 0.0 - fma(numbers[0], x[0], fma(numbers[1], x[1], numbers[2] * x[2])), [0.0] * 3
    first, second, centre = numbers[0], numbers[1], numbers[2:5]
    d = [centre[q] - x[q] for q in range(3)]
    turned = [0.0 - each for each in v]
    if name == "miyamoto-nagai":
        return disk(first, second, numbers[5], d, turned)
    if name == "nfw":
        return nfw(first, second, d, turned)
    r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], second)))
    if name == "logarithmic-halo":
        k, phi = first / r2, (0.5 * first) * natural_log(r2 / second)
        slope = (-2.0 * k) / r2
    else:
        y = estimate(r2)
        k, phi = first * gravity_c(r2, y), first * gravity_u(r2, y)
        slope = first * gravity_slope(r2, y)
    return [k * d[0], k * d[1], k * d[2]], phi, rate_of_change(d, turned, k, slope)


def disk(mu, a, b2, d, v):
    s2 = fma(d[2], d[2], b2)
    w = -gravity_u(s2, estimate(s2))
    h = fma(s2, w, a)
    q = fma(d[0], d[0], fma(d[1], d[1], h * h))
    y = estimate(q)
    k, z = mu * gravity_c(q, y), fma(a, w, 1.0) * d[2]
    rise = fma(a * w, b2 * (w * w), 1.0)
    along = (mu * gravity_slope(q, y)) * fma(d[0], v[0], fma(d[1], v[1], z * v[2]))
    jerk = [fma(along, d[0], k * v[0]), fma(along, d[1], k * v[1]), fma(along, z, k * (rise * v[2]))]
    return [k * d[0], k * d[1], k * z], mu * gravity_u(q, y), jerk


def nfw_halo(x2):
    """x, W and P."""
    x = x2 * -gravity_u(x2, estimate(x2))
    if x < 0.5:
        y, u = 2.0 / (2.0 + x), x / (2.0 + x)
        p = 1.0 / 23.0
        for number in range(21, 2, -2):
            p = fma(p, u * u, 1.0 / number)
        well, pull = y * fma(p, u * u, 1.0), ((y * y) * fma(p, u, 1.0 / (1.0 + u))) / (x + x)
    else:
        logarithm = natural_log(1.0 + x)
        well, pull = logarithm / x, (logarithm - x / (1.0 + x)) / (x * x2)
    return x, well, pull


def nfw(factor, rs2, d, v):
    x2 = max(fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], 0.0))) / rs2, 2.0**-100)
    x, well, pull = nfw_halo(x2)
    slope = (1.0 / (x * ((1.0 + x) * (1.0 + x))) - 3.0 * pull) / (x2 * rs2)
    k = factor * pull
    return [k * d[q] for q in range(3)], (factor * rs2) * (0.0 - well), rate_of_change(d, v, k, factor * slope)
