#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The section "The tree" of docs/canonical-order.md once more, written from that page alone with Python's standard library only.

canonical_tree.py HASHES [--all]    compares its own bits with the committed ones, for the cases that take a few seconds or, with
                                    --all, for every case; exit code 1 if one differs
"""
import math
import struct
import sys
import time

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from canonical_forces import bits_of, check_fma, estimate, fma, gravity_c, gravity_u, natural_log
from canonical_run import cloud, hash_of


def fold(t):
    return ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]))


def fma_over(pairs):
    """The canonical sum of products a·b."""
    t = [0.0] * 8
    for i, (a, b) in enumerate(pairs):
        t[i % 8] = fma(a, b, t[i % 8])
    return fold(t)


def minus(a, b):
    return [a[q] - b[q] for q in range(3)]


def square(d, last=0.0):
    return fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2] if last == 0.0 else fma(d[2], d[2], last)))


def product(y, k):
    """y^k as specified for inverse-power."""
    factors = []
    while k > 0:
        if k % 2 == 1:
            factors.append(y)
        k, y = k // 2, y * y
    result = factors[0]
    for f in factors[1:]:
        result = result * f
    return result


class Law:
    def __init__(self, name):
        self.name = name
        self.n = int(name.split(":")[1]) if ":" in name else 2

    def c(self, r2):
        y = estimate(r2)
        return product(-gravity_u(r2, y), self.n + 1) if ":" in self.name else gravity_c(r2, y)

    def u(self, r2):
        u = gravity_u(r2, estimate(r2))
        if ":" not in self.name:
            return u
        if self.n == 1:
            return 0.5 * natural_log(r2)
        return (-1.0 / (self.n - 1)) * product(-u, self.n - 1)

    def radial(self, r2, p):
        y = -gravity_u(r2, estimate(r2))
        y2 = y * y
        f = [0.0 - self.u(r2), 0.0 - product(y, self.n + 1)]
        for m in range(1, p):
            f.append(f[m] * (y2 * (1 - self.n - 2 * m)))
        return f


class Tensors:
    def __init__(self, p):
        self.p = p
        self.of = [(n - t, t - c, c) for n in range(p + 1) for t in range(n + 1) for c in range(t + 1)]
        self.number = {k: i for i, k in enumerate(self.of)}
        self.order = [sum(k) for k in self.of]
        # For each k: pairs of j and the number of k − j, and pairs of j and the number of k + j.
        self.parts = [[(j, self.number[rest]) for j, e in enumerate(self.of)
                       if min(rest := tuple(k[q] - e[q] for q in range(3))) >= 0] for k in self.of]
        self.onward = [[(j, self.number[tuple(k[q] + e[q] for q in range(3))]) for j, e in enumerate(self.of)
                        if sum(e) <= p - sum(k)] for k in self.of]

    def powers(self, d):
        of = [[None, x] for x in d]
        for q in range(3):
            for a in range(2, self.p + 1):
                of[q].append(of[q][-1] * (d[q] * (1.0 / a)))
        t = []
        for k in self.of:
            factors = [of[q][k[q]] for q in range(3) if k[q] > 0]
            value = factors[0] if factors else 1.0
            for f in factors[1:]:
                value = value * f
            t.append(value)
        return t

    def shifted_moment(self, m, t, k):
        s = 0.0
        for j, rest in self.parts[k]:
            s = fma(m[j], t[rest], s)
        return s

    def shifted_series(self, l, t, k):
        s = 0.0
        for j, both in self.onward[k]:
            s = fma(l[both], t[j], s)
        return s

    def derivatives(self, d, f):
        before = {(0, 0, 0): f[self.p]}
        for s in range(1, self.p + 1):
            now = {(0, 0, 0): f[self.p - s]}
            for k in self.of[1:]:
                if sum(k) > s:
                    continue
                q = next(q for q in range(3) if k[q] > 0)
                less = lambda by: before[tuple(k[r] - (by if r == q else 0) for r in range(3))]
                a = k[q]
                now[k] = (d[q] * less(1) if a == 1 else fma(d[q], less(1), less(2)) if a == 2 else
                          fma(d[q], less(1), (a - 1) * less(2)))
            before = now
        return [before[k] for k in self.of]


class Cell:
    def __init__(self, begin, end, level, parent):
        self.begin, self.end, self.level, self.parent, self.children = begin, end, level, parent, []
        self.far, self.near, self.left = [], [], []


class Tree:
    def __init__(self, m, x, charge, order, narrow, wide, leaf, law, softening):
        self.tensors, self.narrow, self.wide, self.leaf = Tensors(order), narrow, wide, leaf
        self.law, self.eps2 = Law(law), softening * softening
        coulomb = law == "coulomb"
        source = charge if coulomb else m
        self.response = [(0.0 if charge[i] == 0 else -(1.0 * charge[i]) / m[i]) if coulomb else 1.0 for i in range(len(m))]
        self.both_signs = min(source) < 0 < max(source)
        self.sort(x, source)
        self.divide()
        for cell in reversed(self.cells):
            self.gather(cell)
        total = self.cells[0].weight
        self.acts = total != 0
        if self.acts:
            for cell in self.cells:
                cell.reach = cell.reach / self.angle(cell.weight / total)

    def sort(self, x, source):
        low = [min(r[q] for r in x) for q in range(3)]
        extent = max(max(r[q] for r in x) - low[q] for q in range(3))
        side = 2.0**-300
        while side <= extent:
            side *= 2
        keys = []
        for r in x:
            at = [min(int((r[q] - low[q]) * (2.0**21 / side)), 2**21 - 1) for q in range(3)]
            keys.append(sum((at[q] >> bit & 1) << (3 * bit + 2 - q) for bit in range(21) for q in range(3)))
        self.order = sorted(range(len(x)), key=lambda i: keys[i])
        self.keys = [keys[i] for i in self.order]
        self.x = [x[i] for i in self.order]
        self.w = [source[i] for i in self.order]

    def divide(self):
        n = len(self.x)
        self.cells = [Cell(0, n, 0, None)]
        for number, cell in enumerate(self.cells):
            cell.number, cell.bodies = number, cell.end - cell.begin
            if cell.level == 21 or cell.bodies == 1 or cell.bodies <= self.leaf and 4 * cell.bodies * 8**cell.level >= n:
                continue
            octant = lambda k: self.keys[k] >> (60 - 3 * cell.level) & 7
            begin = cell.begin
            while begin < cell.end:
                end = begin
                while end < cell.end and octant(end) == octant(begin):
                    end += 1
                cell.children.append(Cell(begin, end, cell.level + 1, cell))
                begin = end
            self.cells += cell.children

    def gather(self, cell):
        t = self.tensors
        cell.sources = [k for k in range(cell.begin, cell.end) if self.w[k] != 0]
        if not cell.children:
            cell.weight = fma_over([(1.0, abs(self.w[k])) for k in cell.sources])
            parts = [(abs(self.w[k]), self.x[k]) for k in cell.sources]
            if cell.weight == 0:
                parts = [(1.0, self.x[k]) for k in range(cell.begin, cell.end)]
        else:
            cell.weight = fma_over([(1.0, c.weight) for c in cell.children])
            parts = [(c.weight if cell.weight != 0 else float(c.bodies), c.centre) for c in cell.children]
        divisor = cell.weight if cell.weight != 0 else float(cell.bodies)
        cell.centre = [fma_over([(w, x[q]) for w, x in parts]) / divisor for q in range(3)]
        cell.reach = math.sqrt(max(square(minus(self.x[k], cell.centre)) for k in range(cell.begin, cell.end)))
        size = range(len(t.of))
        if not cell.children:
            powers = [(self.w[k], t.powers(minus(cell.centre, self.x[k]))) for k in cell.sources]
            cell.moments = [fma_over([(w, of[k]) for w, of in powers]) for k in size]
        else:
            powers = [(c, t.powers(minus(cell.centre, c.centre))) for c in cell.children]
            cell.moments = [fma_over([(1.0, t.shifted_moment(c.moments, of, k)) for c, of in powers]) for k in size]

    def angle(self, share):
        def g(x):
            y = x
            for _ in range(self.tensors.p + 1):
                y = y * x
            return y / ((1 - x) * (1 - x))

        least = (g(self.narrow) * g(self.narrow)) * g(self.narrow)
        low, high = self.narrow, self.wide
        for _ in range(12):
            middle = 0.5 * (low + high)
            y = g(middle)
            if ((y * y) * y) * share < least:
                low = middle
            else:
                high = middle
        return low

    def choose(self, t):
        now = [self.cells[0]] if t.parent is None else t.parent.left
        while now:
            following = []
            for s in now:
                if s.weight == 0:
                    continue
                d2, both, wider = square(minus(t.centre, s.centre)), t.reach + s.reach, max(t.reach, s.reach)
                leaves = not t.children and not s.children
                few = leaves and t.bodies * s.bodies <= len(self.tensors.of)
                if both * both < d2 and (16 / 9) * (wider * wider) < d2 and not few:
                    t.far.append(s)
                elif leaves:
                    t.near.append(s)
                elif s.children and (not t.children or s.reach > t.reach or s.reach == t.reach and s.number < t.number):
                    following += s.children
                else:
                    t.left.append(s)
            now = following

    def expand(self, cell):
        t = self.tensors
        sums = [[0.0] * 8 for _ in t.of]
        for i, s in enumerate(cell.far):
            d = minus(cell.centre, s.centre)
            r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], self.eps2)))
            D = t.derivatives(d, self.law.radial(r2, t.p))
            for k in range(len(t.of)):
                total = sums[k][i % 8]
                for j, both in t.onward[k]:
                    if t.order[j] != 1 or self.both_signs:
                        total = fma(s.moments[j], D[both], total)
                sums[k][i % 8] = total
        own = [fold(of) for of in sums]
        if cell.parent is None:
            cell.series = [0.0 + o for o in own]
        else:
            powers = t.powers(minus(cell.centre, cell.parent.centre))
            cell.series = [t.shifted_series(cell.parent.series, powers, k) + own[k] for k in range(len(t.of))]

    def accelerate(self):
        """Accelerations along x, y, z and potentials, in the order of the scenario."""
        results = [[0.0] * len(self.x) for _ in range(4)]
        for cell in self.cells if self.acts else []:
            self.choose(cell)
            self.expand(cell)
            if not cell.children:
                self.act_on_bodies(cell, results)
        return [[self.response[i] * of[i] for i in range(len(self.x))] for of in results]

    def act_on_bodies(self, cell, results):
        t = self.tensors
        sources = [k for s in cell.near for k in s.sources]
        for i in range(cell.begin, cell.end):
            near = [0.0] * 4
            for first in range(0, len(sources), 2048):
                terms = [[] for _ in range(4)]
                for j in sources[first:first + 2048]:
                    if j == i:
                        values = [(0.0, 0.0)] * 4
                    else:
                        d = minus(self.x[j], self.x[i])
                        r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], self.eps2)))
                        s = self.w[j] * self.law.c(r2)
                        values = [(d[q], s) for q in range(3)] + [(self.w[j], self.law.u(r2))]
                    for q in range(4):
                        terms[q].append(values[q])
                near = [near[q] + fma_over(terms[q]) for q in range(4)]
            powers = t.powers(minus(self.x[i], cell.centre))
            g = [t.shifted_series(cell.series, powers, k) for k in range(4)]
            for q in range(3):
                results[q][self.order[i]] = g[1 + q] + near[q]
            results[3][self.order[i]] = near[3] - g[0]


def bodies(name, n):
    """Masses, positions and charges of a named set of n bodies."""
    m, x, _ = cloud(n)
    for i in range(n):
        if name == "line":
            x[i] = [x[i][0], 0.0, 0.0]
        elif name == "outlier" and i == 0:
            x[i] = [1e5, -3e4, 2e4]
        elif name == "pairs" and i % 2 == 1:
            x[i] = x[i - 1]
        elif name == "place":
            x[i] = x[0]
        elif name == "key" and i > 0:
            x[i] = [c * 2.0**-40 for c in x[i]]
        elif name == "clusters":
            x[i] = [x[i][0] / 100 + (10 if i % 2 == 1 else 0), x[i][1] / 100, x[i][2] / 100]
        elif name == "light" and i % 10 != 0:
            m[i] = 0.0
    return m, x, [-m[i] if i % 2 == 1 else m[i] for i in range(n)]


def main(arguments):
    check_fma()
    compared, wrong = 0, 0
    for line in open(arguments[0], encoding="utf-8"):
        words = line.split("#")[0].split()
        if not words:
            continue
        n = int(words[1])
        if n > 130 and "--all" not in arguments:
            continue
        begin = time.perf_counter()
        tree = Tree(*bodies(words[0], n), int(words[2]), float(words[3]), float(words[4]), int(words[5]), words[6],
                    float(words[7]))
        found = hash_of(x for column in tree.accelerate() for x in column)
        compared += 1
        wrong += found != int(words[8], 16)
        print(f"{'ok   ' if found == int(words[8], 16) else 'WRONG'} {line.strip()}   found {found:016x}, "
              f"{time.perf_counter() - begin:.2f} s")
    print(f"{compared} cases, {wrong} wrong")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
