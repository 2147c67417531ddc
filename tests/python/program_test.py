# SPDX-License-Identifier: MIT
"""The program finds no difference between a run of Python and that of its scenario."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import orrery as orr
from orrery import _library


@pytest.fixture
def program():
    """Runs the program of the build that the library is of; returns what it prints."""
    file = Path(_library.library_path).resolve().parents[1] / "bin" / "orrery"
    if not file.exists():
        pytest.skip(f"there is no {file}")

    def run(*arguments: str) -> str:
        done = subprocess.run([file, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


SCENARIO = """
title = "Sun and Earth"
units = "astronomical"
[initial]
kind = "table"
recentre = false
bodies = [
  { name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
  { name = "Earth", mass = 3.003e-6, position = [1, 0, 0], velocity = [0, 0.01720209895, 0] },
]
[force]
kind = "gravity"
softening = 0.0
[integrator]
kind = "ias15"
time = "100 yr"
[trajectory]
frames = 1000
"""


def test_the_first_example(program):
    m = orr.Model(units="astronomical", title="Sun and Earth")
    m.add("Sun", mass=1.0)
    m.add("Earth", mass=3.003e-6, position=(1, 0, 0), velocity=(0, 0.01720209895, 0))
    m.gravity(softening=0.0)
    run = orr.run(m, integrator="ias15", time="100 yr", frames=1000, out="earth.h5")
    Path("s.toml").write_text(SCENARIO)
    program("simulate", "s.toml", "-o", "s", "--quiet")
    for pair in (("earth.h5", "s/run.h5"), ("earth.h5", "s.toml")):
        assert "same" in program("diff", *pair)
    program("verify", "earth.h5")
    np.testing.assert_array_equal(run.position[:], orr.open("s/run.h5").position[:])
    m.integrator("ias15", time="100 yr").save("earth.toml")
    program("simulate", "earth.toml", "-o", "again", "--set", "trajectory.frames=1000", "--quiet")
    assert orr.diff(run, "again/run.h5")


def test_a_run_that_was_stopped_is_resumed_by_the_program(program):
    m = orr.Model(seed=2).plummer(n=33).integrator("leapfrog", dt=1e-3, steps=200)
    stopped = m.run("a.h5", observe=lambda step, *_: step < 100, observe_every=20)
    assert not stopped.finished
    stopped.close()
    program("resume", "a.h5", "--quiet")
    assert stopped.refresh().finished and orr.diff(stopped, m.run("b.h5"))


def test_many_bodies_of_arrays_saved_for_the_program(program):
    random = np.random.default_rng(8)
    m = orr.Model().add_bodies(mass=np.full(1003, 1e-3), position=random.normal(size=(1003, 3)), component="stars")
    m.gravity(softening=0.1).integrator("leapfrog", dt=0.01, steps=3).save("many.toml")
    program("simulate", "many.toml", "-o", "many", "--quiet")
    assert orr.diff(m.run("own.h5"), "many/run.h5")
