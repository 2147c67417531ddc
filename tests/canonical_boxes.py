# SPDX-License-Identifier: MIT
"""Runs in boxes as specified in docs/canonical-order.md: laws with a cutoff, walls, images."""
import math

from canonical_forces import estimate, fma, gravity_u, natural_log
from canonical_run import between, Run, tree


def inverse_root(r2):
    return -gravity_u(r2, estimate(r2))


def inverse(r2):
    y = estimate(r2)
    y2 = y * y
    e = fma(-r2, y2, 1.0)
    return fma(y2, fma(fma(e, e, e), e, e), y2)


def cube(q):
    return q * q * q


class Law:
    """A law by name (lennard-jones with its truncation after a colon), with the parameters of the committed bits."""

    def __init__(self, name):
        self.name, _, truncation = name.partition(":")
        self.strength = {"repulsive": 0.8, "lennard-jones": 1.2, "wca": 1.2, "soft": 3.7}[self.name]
        self.spacing = {"repulsive": 0.7, "lennard-jones": 1.0, "wca": 0.9, "soft": 0.8}[self.name]
        self.cutoff = {"repulsive": 1.1, "lennard-jones": 2.3, "wca": 1.122462048309373 * 0.9, "soft": 1.3}[self.name]
        self.sigma2 = 0.9 * 0.9
        if self.name == "lennard-jones":
            s = cube(self.sigma2 / (self.cutoff * self.cutoff))
            self.f = (24 - 48 * s) * s / self.cutoff if truncation == "force-shifted" else 0.0
            self.g = (4 * s * (s - 1) if truncation != "cut" else 0.0) - self.f * self.cutoff

    def c(self, r2):
        return self.c_and_u(r2)[0]

    def u(self, r2):
        return self.c_and_u(r2)[1]

    def c_and_u(self, r2):
        if self.name == "repulsive":
            m = self.cutoff / 100
            h = m * m if r2 < m * m else r2
            y = inverse_root(h)
            q = self.cutoff * y
            c = fma(-self.cutoff, y, 1.0) * (y * y)
            return c, fma(0.5 * c, r2 - h, (q - 1) - natural_log(q))
        if self.name == "lennard-jones":
            y = inverse_root(r2)
            p = y * y
            s = cube(self.sigma2 * p)
            return (fma(-self.f, y, fma(-48.0, s, 24.0) * (s * p)),
                    fma(-self.f, r2 * y, 4 * s * (s - 1) - self.g))
        if self.name == "wca":
            i = inverse(r2)
            s = cube(self.sigma2 * i)
            return fma(-48.0, s, 24.0) * (s * i), fma(4 * s, s - 1, 1.0)
        k = 1 / self.cutoff
        h = 2.0**-100 if r2 < 2.0**-100 else r2
        y = inverse_root(h)
        left = fma(-(h * y), k, 1.0)
        return k - y, 0.5 * self.cutoff * left * left


def cross(kind, x, v, low, length):
    """Applies the boundary of an axis: returns position, velocity, and the number of lengths by which x was moved down."""
    lost, high, image, rounds = (math.nan, v, 0), low + length, 0, 0
    while kind == "reflecting" and (x < low or x > high):
        rounds += 1
        x, v = (2 * low - x if x < low else 2 * high - x), -v
        if rounds > 1024:
            return lost
    while kind == "periodic" and x < low:
        rounds += 1
        x, image = x + length, image - 1
        if rounds > 1024:
            return lost
    while kind == "periodic" and x >= high:
        rounds += 1
        x, image = x - length, image + 1
        if rounds > 1024:
            return lost
    if kind == "periodic" and x < low:
        x = low
    return x, v, image


class BoxRun(Run):
    def __init__(self, law, m, x, v, low, edges, kinds):
        super().__init__(m, x, v, 0.0, law.strength, [])
        self.law, self.low, self.edges, self.kinds = law, low, edges, kinds
        self.image = [[0.0] * 3 for _ in m]

    def apart(self, i, j):
        d = [self.x[j][q] - self.x[i][q] for q in range(3)]
        for q, kind in enumerate(self.kinds):
            if kind == "periodic":
                length = self.edges[q]
                if d[q] > 0.5 * length:
                    d[q] = d[q] - length
                elif d[q] < -(0.5 * length):
                    d[q] = d[q] + length
        return d

    def accelerate(self, with_potential=False):
        if self.known:
            return
        self.known = True  # the potential always comes with the forces
        self.a, self.potential, self.virial = [], [], []
        cutoff2 = self.law.cutoff * self.law.cutoff
        near = [[] for _ in self.m]  # of every body, in the order of the others
        for i in range(len(self.m)):
            for j in range(i + 1, len(self.m)):
                d = self.apart(i, j)
                if d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1.001 * cutoff2:
                    continue  # certainly beyond the cutoff; the exact test below is slow
                r2 = fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2]))
                if r2 <= cutoff2:
                    c, u = self.law.c_and_u(r2)
                    near[i].append((d, r2, c, u))
                    near[j].append(([-each for each in d], r2, c, u))
        for m, others in zip(self.m, near):
            A, phi, virial = [0.0] * 3, 0.0, 0.0
            for d, r2, c, u in others:
                A = [fma(c, d[q], A[q]) for q in range(3)]
                phi = phi + u
                virial = fma(c, r2, virial)
            s = self.law.strength / m
            self.a.append([s * A[q] for q in range(3)])
            self.potential.append(s * phi)
            self.virial.append(s * virial)

    def drift(self, dt):
        super().drift(dt)
        for i, x in enumerate(self.x):
            for q, kind in enumerate(self.kinds):
                x[q], self.v[i][q], moved = cross(kind, x[q], self.v[i][q], self.low[q], self.edges[q])
                self.image[i][q] += moved

    def numbers(self, second):
        numbers = super().numbers(second)
        numbers.append(tree([(-0.5 * m) * virial for m, virial in zip(self.m, self.virial)]))
        if "periodic" in self.kinds:
            numbers += [each[q] for q in range(3) for each in self.image]
        return numbers


def bodies_and_box(name, n, dimensions, kinds):
    """Returns masses, positions and velocities of a committed line, and the box: its low corner, edges, boundaries."""
    a, side = Law(name).spacing, 6
    while side**dimensions < n:
        side += 1
    low = [-0.7, 0.3, 1.1][:dimensions]
    m = [between(0.5, 1.5, 7 * i) for i in range(n)]
    x, v = [[0.0] * 3 for _ in range(n)], [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        site = (i % side, i // side % side, i // side**2)
        for q in range(dimensions):
            x[i][q] = low[q] + a * (site[q] + between(0.0, 0.1, 7 * i + 1 + q))
            v[i][q] = between(-4.0, 4.0, 7 * i + 4 + q)
    return m, x, v, low, [a * side] * dimensions, kinds
