#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of docs/models.md: spherical models at the start and after ten crossing times beside closed forms and Jeans' equation.

PYTHONPATH=pipeline/python python3 docs/models.py [bodies]
"""

import sys

import numpy as np
import orrery as orr

SOFTENING = 0.01
SHARES = (0.15, 0.5, 0.85)  # of the mass, in the middle of shells that hold a fifth of it
HALF = 0.1


def king(w0):
    """Density over r in core radii: King 1966, eq. 9 and Poisson's equation."""
    from math import erf, exp, pi, sqrt

    def of(w):
        return exp(w) * erf(sqrt(w)) - sqrt(4 * w / pi) * (1 + 2 * w / 3) if w > 0 else 0.0

    step, x, w, slope = 1e-3, 0.0, w0, 0.0
    radii, rho = [1e-9], [1.0]
    while w > 0:
        slope += step * (-9 * of(w + step * slope / 2) / of(w0) - 2 * slope / (x + step / 2))
        x, w = x + step, w + step * slope
        radii.append(x), rho.append(of(w) / of(w0))
    return lambda r: np.interp(r, radii, rho, right=0.0)


def cut(r, edge):
    return 1 / np.cosh(np.minimum(r / edge, 300))


# Name, keys, anisotropy radius, ρ(r) up to a factor.
MODELS = [
    ("plummer", dict(virial_radius=16 / (3 * np.pi)), None, lambda r: (1 + r * r) ** -2.5 * (r < 38.7)),
    ("hernquist", dict(), None, lambda r: cut(r, 100) / (r * (1 + r) ** 3)),
    ("hernquist", dict(anisotropy_radius=1.0), 1.0, lambda r: cut(r, 100) / (r * (1 + r) ** 3)),
    ("dehnen", dict(gamma=1.5), None, lambda r: cut(r, 100) / (r**1.5 * (1 + r) ** 2.5)),
    ("nfw", dict(), None, lambda r: cut(r, 10) / (r * (1 + r) ** 2)),
    ("isochrone", dict(), None, lambda r: cut(r, 100) * (1 + 2 * np.hypot(1, r)) / ((1 + np.hypot(1, r)) ** 2 * np.hypot(1, r) ** 3)),
    ("king", dict(w0=6.0, core_radius=1.0), None, king(6.0)),
]


class Expected:
    """Mass, radial dispersion and anisotropy: ρ σ² (1 + r²/a²) = ∫ ρ (1 + s²/a²) G M(s)/s² ds from r outwards."""

    def __init__(self, density, a):
        r = self.r = np.geomspace(1e-5, 2500, 40000)
        self.a = a
        rho = density(r)

        def sums(y):
            return np.concatenate([[0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(r))])

        mass = sums(4 * np.pi * r * r * rho)
        self.mass = mass / mass[-1]
        weight = 1 + (r / a) ** 2 if a else np.ones_like(r)
        inward = sums(rho * weight * self.mass / r**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.sigma2 = np.nan_to_num((inward[-1] - inward) / (rho * weight))

    def shares(self, r):
        return np.interp(r, self.r, self.mass)

    def sigma(self, r):
        return np.sqrt(np.mean(np.interp(r, self.r, self.sigma2)))

    def beta(self, r):
        s2 = np.interp(r, self.r, self.sigma2)
        t2 = s2 / (1 + (r / self.a) ** 2) if self.a else s2
        return 1 - t2.mean() / s2.mean()


def virial(x, v):
    """2T/−Σ m x·a with equal masses that sum to 1."""
    n, pull = len(x), 0.0
    for i in range(1, n):
        r2 = ((x[:i] - x[i]) ** 2).sum(axis=1)
        pull += (r2 / (r2 + SOFTENING**2) ** 1.5).sum()
    return (v**2).sum() / n / (pull / n**2)


def centre(x):
    """Of mass, of ever fewer bodies."""
    at = x.mean(axis=0)
    for share in (0.9, 0.7, 0.5, 0.3):
        d = np.linalg.norm(x - at, axis=1)
        at = x[d <= np.quantile(d, share)].mean(axis=0)
    return at


def measured(x, v, expected):
    x, v = x - centre(x), v - v.mean(axis=0)
    r = np.linalg.norm(x, axis=1)
    radial = (x * v).sum(axis=1) / r
    tangential2 = ((v**2).sum(axis=1) - radial**2) / 2
    share = expected.shares(r)
    columns = []
    for middle in SHARES:
        inside = np.abs(share - middle) < HALF
        some = r[inside]
        columns.append(inside.mean() / (2 * HALF))
        columns.append(np.sqrt((radial[inside] ** 2).mean()) / expected.sigma(some))
        columns.append(1 - tangential2[inside].mean() / (radial[inside] ** 2).mean() - expected.beta(some))
    return columns, virial(x, v)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
    print("| model | | ρ/ρ₀ | σ/σ₀ | β − β₀ | ρ/ρ₀ | σ/σ₀ | β − β₀ | ρ/ρ₀ | σ/σ₀ | β − β₀ | 2T/\\|W\\| |")
    print("|---|---|" + 10 * "---|")
    for name, keys, a, density in MODELS:
        model = orr.Model(seed=1).initial(name, n=n, **keys).gravity(softening=SOFTENING)
        run = model.run(integrator="leapfrog", dt="1/500 crossing time", time="10 crossing times", frames=11, backend="cpu")
        expected = Expected(density, a)
        for frame, when in ((0, "start"), (-1, "end")):
            columns, ratio = measured(np.array(run.position[frame]), np.array(run.velocity[frame]), expected)
            numbers = [f"{c:+.2f}" if k % 3 == 2 else f"{c:.2f}" for k, c in enumerate(columns)]
            label = f"`{name}`" + (f", a = {a:g}" if a else "") if frame == 0 else ""
            print(f"| {label} | {when} | {' | '.join(numbers)} | {ratio:.3f} |".replace("-0.", "−0."), flush=True)


main()
