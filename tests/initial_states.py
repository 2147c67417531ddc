#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second implementation of the initial states short-range-box and lattice, with Python's standard library only.

initial_states.py TEST…    compares its fingerprints with those in these test sources; exit code 1 if one differs
"""
import math
import pathlib
import re
import struct
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from canonical_forces import fma, natural_log


# short-range-box: the problem of the course CS267.

def mersenne_twister(seed):
    """mt19937 of the C++ standard, 32 bits at a time."""
    words = [seed]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & 0xffffffff)
    while True:
        for i in range(624):
            y = words[i] & 0x80000000 | words[(i + 1) % 624] & 0x7fffffff
            words[i] = words[(i + 397) % 624] ^ y >> 1 ^ (0x9908b0df if y & 1 else 0)
        for y in words:
            y ^= y >> 11
            y ^= y << 7 & 0x9d2c5680
            y ^= y << 15 & 0xefc60000
            yield y ^ y >> 18


def single(x):
    """x rounded to float."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def below(count, draw):
    """An unbiased number 0 … count - 1: the upper half of a product; lower halves that would bias it are rejected."""
    while True:
        product = next(draw) * count
        if product % 2**32 >= 2**32 % count:
            return product >> 32


def speed(draw):
    f = min(single(next(draw)) / 2**32, 1 - 2**-24)
    return single(2 * f - 1)


def placement(n, seed, area=0.0005):
    """x, y, vx, vy of all bodies."""
    draw = mersenne_twister(seed)
    size = math.sqrt(area * n)
    columns = math.isqrt(n - 1) + 1
    rows = -(-n // columns)
    left = list(range(n))
    bodies = []
    for _ in range(n):
        j = below(len(left), draw)
        last = left.pop()
        site, left[j:j + 1] = (left[j], [last]) if j < len(left) else (last, [])
        row, column = divmod(site, columns)
        bodies.append((size * (1.0 + column) / (1 + columns), size * (1.0 + row) / (1 + rows), speed(draw), speed(draw)))
    return list(zip(*bodies))


# Lattices.

def uniform(seed, k):
    """Number k of stream 0 of the seed, by Philox4x32-10."""
    counter, key = [k & 0xffffffff, k >> 32, 0, 0], [seed & 0xffffffff, seed >> 32]
    for _ in range(10):
        a, b = 0xd2511f53 * counter[0], 0xcd9e8d57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xffffffff, (a >> 32) ^ counter[3] ^ key[1], a & 0xffffffff]
        key = [(key[0] + 0x9e3779b9) & 0xffffffff, (key[1] + 0xbb67ae85) & 0xffffffff]
    return ((counter[0] << 32 | counter[1]) >> 11) * 2.0**-53


def series(first, count, x):
    """The sum 1/first! - x/(first + 2)! + … by Horner's rule."""
    value = 0.0
    for k in reversed(range(count)):
        value = fma(value, x, (-1) ** k / math.factorial(first + 2 * k))
    return value


def direction(turns):
    """Cosine and sine."""
    quarter = int(4 * turns + 0.5)
    angle = (turns - 0.25 * quarter) * 6.28318530717958648
    square = angle * angle
    sine = fma(angle * square, -series(3, 8, square), angle)
    cosine = 1 - fma(-(square * square), series(4, 7, square), 0.5 * square)
    return [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)][quarter % 4]


def normal(seed, k):
    """Two normal deviates, by Box and Muller."""
    length = math.sqrt(-2 * natural_log(1 - uniform(seed, k)))
    return [length * part for part in direction(uniform(seed, k + 1))]


def lattice(kind, cells, seed, mass=2.0, temperature=1.5):
    """x, y, z, vx, vy, vz on a grid of spacing 1 along its axes: density 1, or 1/2 for fcc."""
    dimensions = 2 if kind == "square" else 3
    edge = range(2 * cells if kind == "fcc" else cells)
    sites = [(i + 0.5, j + 0.5, k + 0.5 if dimensions == 3 else 0.0)
             for k in (edge if dimensions == 3 else [0]) for j in edge for i in edge
             if kind != "fcc" or (i + j + k) % 2 == 0]
    n = len(sites)
    v = list(zip(*((normal(seed, 4 * i) + normal(seed, 4 * i + 2))[:dimensions] for i in range(n))))
    squares = 0.0
    for axis in range(dimensions):
        total = 0.0
        for u in v[axis]:
            total += u
        v[axis] = [u - total / n for u in v[axis]]
        for u in v[axis]:
            squares += u * u
    scale = math.sqrt(dimensions * (n - 1.0) * temperature / (mass * squares))
    still = [] if dimensions == 3 else [[0.0] * n]
    return list(zip(*sites)) + [[u * scale for u in axis] for axis in v] + still


def fingerprint(columns):
    """FNV-1a as specified in docs/canonical-order.md."""
    value = 0xcbf29ce484222325
    for byte in b"".join(struct.pack("<d", x) for column in columns for x in column):
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def main():
    found = 0
    wrong = 0
    for path in sys.argv[1:]:
        for name, size, seed, expected in re.findall(r'\{(?:"(\w+)", )?(\d+), (\d+), 0x([0-9a-f]{16})\}',
                                                     pathlib.Path(path).read_text()):
            made = lattice(name, int(size), int(seed)) if name else placement(int(size), int(seed))
            own = f"{fingerprint(made):016x}"
            found += 1
            if own != expected:
                wrong += 1
                print(f"{path}: {name} {size}, seed {seed}: {own}, and not {expected}")
    print(f"{found - wrong} of {found} placements agree")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
