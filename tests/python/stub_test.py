# SPDX-License-Identifier: MIT
"""What type checkers are told is what there is."""

import os
import subprocess
import sys

import pytest

from orrery import stub


def test_the_stub_is_current(source):
    committed = (source / "pipeline/python/orrery/kinds.pyi").read_text()
    assert committed == stub.stub(), "run `python3 -m orrery.stub` in pipeline/python"


def test_mypy_finds_nothing_in_the_module_and_the_mistakes_of_a_user(source, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import orrery as orr\n"
        'run = orr.Model(title="a").plummer(n=9).integrator("ias15", time="1 yr").run()\n'
        'run.figure("elements", bodies=["a"]).save("a.svg")\n'
        "orr.Model().plummer(nn=9)\n"
        "run.figure.elements(bodie=[1])\n"
        "orr.Model().run(framez=3)\n"
        "orr.run(orr.Model(), framez=3).energy_error\n"
        "orr.run(orr.Model().domain(dimensions=2), dt=0.1, steps=3, frames=4, velocities=False)\n"
    )
    environment = dict(os.environ, MYPYPATH=f"{source / 'pipeline/python'}:{tmp_path}")
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", tmp_path / "cache"]
    modules = ["-m", "orrery", "-m", "orrery.stub", "-m", "user"]
    said = subprocess.run([*command, *modules], env=environment, capture_output=True, text=True).stdout
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert [line.split(": error:")[0].split("/")[-1] for line in errors] == [f"user.py:{k}" for k in (4, 5, 6, 7)], said
