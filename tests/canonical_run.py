# SPDX-License-Identifier: MIT
"""Runs as specified in docs/canonical-order.md: sums over bodies, steps, fingerprints."""
import functools
import math
import operator
import struct

from canonical_forces import field, fma, natural_log, Pairs
from initial_states import direction


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


def philox(counter, key):
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


def exponential(x):
    k = float(math.trunc(x * 1.4426950408889634 + (-0.5 if x < 0 else 0.5)))
    r = fma(-k, float.fromhex("0x1.ef35793c76730p-45"), fma(-k, float.fromhex("0x1.62e42fefa3800p-1"), x))
    p = 1.0 / math.factorial(13)
    for n in range(12, 1, -1):
        p = fma(p, r, 1.0 / math.factorial(n))
    return math.ldexp(1.0 + fma(r * r, p, r), int(k))


def normal(first, second):
    """Two normal deviates from two random words, by Box and Muller."""
    length = math.sqrt(-2.0 * natural_log((first + 0.5) * 2.0**-32))
    return [length * part for part in direction((second + 0.5) * 2.0**-32)]


class Run:
    def __init__(self, m, x, v, softening, G, fields):
        self.steps = 0
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

    def langevin(self, dt, temperature=1.0, friction=1.0, noise=1):
        self.leapfrog(dt)
        kept = exponential(-(friction * dt))
        spread = math.sqrt(temperature * ((1.0 - kept) * (1.0 + kept)))
        for i, v in enumerate(self.v):
            w = philox([i, 0, self.steps & 0xFFFFFFFF, self.steps >> 32], [noise & 0xFFFFFFFF, noise >> 32 | 1 << 31])
            size = spread * (1.0 / math.sqrt(self.m[i]) if self.m[i] > 0 else 0.0)
            self.v[i] = [fma(size, z, kept * u) for u, z in zip(v, normal(w[0], w[1]) + normal(w[2], w[3]))]
        self.steps += 1

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
        """Alternates kicks and drifts by fractions of dt; `first` is "kick" or "drift"."""
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
        """A product for the first term, whose factor is not 1, then one fma per term."""
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

    def numbers(self, second):
        return [each[q] for column in (self.x, second) for q in range(3) for each in column] + self.observables()

    def hash(self, second):
        return hash_of(self.numbers(second))


def hash_of(numbers):
    """FNV-1a of doubles in little-endian order."""
    value = 0xCBF29CE484222325
    for byte in b"".join(struct.pack("<d", x) for x in numbers):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


# The bodies of the committed runs.

def uniform(k):
    words = philox([k & 0xFFFFFFFF, k >> 32, 0, 0], [1, 0])
    return ((words[0] << 32 | words[1]) >> 11) * 2.0**-53


def between(low, high, k):
    return low + (high - low) * uniform(k)


def cloud(n):
    m = [0.0 if i % 7 == 0 and i > 0 else between(0.5 / n, 1.5 / n, 7 * i) for i in range(n)]
    x = [[between(-1.0, 1.0, 7 * i + q) for q in (1, 2, 3)] for i in range(n)]
    v = [[between(-0.5, 0.5, 7 * i + q) for q in (4, 5, 6)] for i in range(n)]
    return m, x, v
