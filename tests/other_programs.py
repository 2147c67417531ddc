#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports opened by the programs they are for: other_programs.py ORRERY. MDAnalysis and yt are asked only where they are installed
(Debian 12: python3-mdanalysis, python3-yt); without either, the exit code is 77, which ctest shows as skipped."""

import os
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())

CLUSTER = """
title = "a cluster"
units = "gadget"
[initial]
kind = "plummer"
n = 57
mass = 3
virial_radius = 2
[integrator]
kind = "leapfrog"
dt = 1e-5
steps = 12
[trajectory]
every = 4
[observables]
every = 1
"""
BOX = """
[domain]
edges = [7, 7, 7]
boundary = "periodic"
[initial]
kind = "lattice"
n = 343
[[force]]
kind = "wca"
[integrator]
kind = "leapfrog"
dt = 0.001
steps = 8
[trajectory]
every = 2
[observables]
every = 1
"""


def orrery(*arguments: str) -> None:
    subprocess.run([sys.argv[1], *arguments], check=True, stdout=subprocess.DEVNULL)


def expect(true: bool, what: str) -> None:
    if not true:
        sys.exit(f"FAILED: {what}")


def same(a, b) -> bool:
    import numpy

    return numpy.array_equal(numpy.asarray(a), numpy.asarray(b))


def mdanalysis(folder: str) -> None:
    """Every frame, its box and its observables."""
    import h5py
    import MDAnalysis

    for name, scenario in (("cluster", CLUSTER), ("box", BOX)):
        toml, run, exported = (os.path.join(folder, part) for part in (f"{name}.toml", f"{name}/run.h5", f"{name}.h5md.h5"))
        with open(toml, "w", encoding="utf-8") as file:
            file.write(scenario)
        orrery("simulate", toml, "--quiet", "-o", os.path.join(folder, name))
        orrery("export", run, "--format", "h5md", "-o", exported)
        with h5py.File(exported) as file, h5py.File(run) as original:
            positions = file["particles/all/position/value"][:]
            velocities = file["particles/all/velocity/value"][:]
            stored = original["particles/all/position/value"][:]
            steps = list(original["observables/total_energy/step"][:])
            energies = original["observables/total_energy/value"][:]
        expect(same(positions, stored), "h5md has the bits of the frames")
        universe = MDAnalysis.Universe.empty(positions.shape[1], trajectory=True)
        universe.load_new(exported, format="H5MD", convert_units=False)
        expect(len(universe.trajectory) == len(positions), "MDAnalysis sees all frames")
        for k, moment in enumerate(universe.trajectory):
            expect(same(moment.positions, positions[k].astype("float32")), f"MDAnalysis has the positions of frame {k}")
            expect(same(moment.velocities, velocities[k].astype("float32")), f"MDAnalysis has the velocities of frame {k}")
            row = steps.index(moment.data["step"])
            expect(moment.data["total_energy"] == energies[row], f"MDAnalysis has the energy of frame {k}")
            if name == "box":
                expect(same(moment.dimensions, [7, 7, 7, 90, 90, 90]), f"MDAnalysis has the box: {moment.dimensions}")
    print(f"MDAnalysis {MDAnalysis.__version__} opens h5md")


def yt(folder: str) -> None:
    """Positions, velocities and masses of a snapshot, with their units."""
    import h5py
    import yt

    yt.set_log_level(50)
    toml, exported, binary = (os.path.join(folder, part) for part in ("yt.toml", "yt.hdf5", "yt.gadget2"))
    with open(toml, "w", encoding="utf-8") as file:
        file.write(CLUSTER)
    orrery("export", toml, "--format", "gadget-hdf5", "-o", exported)
    # yt 4.1 misplaces all columns after a first one of doubles.
    orrery("export", toml, "--format", "gadget2", "--precision", "float32", "-o", binary)
    with h5py.File(exported) as file:
        positions, velocities = (file[f"PartType1/{name}"][:] for name in ("Coordinates", "Velocities"))
    for path, kind, error in ((exported, "PartType1", 1e-12), (binary, "Halo", 1e-6)):
        data = yt.load(path, bounding_box=[[-1000, 1000]] * 3).all_data()
        there = data[kind, "ParticleIDs"].argsort()
        found = data[kind, "Coordinates"][there]
        expect(found.shape == positions.shape, f"yt sees all particles of {path}")
        expect(abs(found.to("kpc").value - positions).max() < error * abs(positions).max(), f"yt has the positions of {path}")
        speeds = data[kind, "Velocities"][there].to("km/s").value
        expect(abs(speeds - velocities).max() < error * abs(velocities).max(), f"yt has the velocities of {path}")
        mass = float(data[kind, "particle_mass"].sum().to("Msun").value)
        expect(abs(mass / 3e10 - 1) < error, f"yt has the mass of {path}: {mass}")
    print(f"yt {yt.__version__} opens gadget-hdf5 and gadget2")


def main() -> None:
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        for module, test in (("MDAnalysis", mdanalysis), ("yt", yt)):
            try:
                __import__(module)
            except ImportError:
                print(f"{module} is not installed: skipped")
                continue
            test(folder)
            asked += 1
    if asked == 0:
        sys.exit(77)


if __name__ == "__main__":
    main()
