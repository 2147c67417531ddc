# SPDX-License-Identifier: MIT
"""What the tests of the Python module share."""

import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "pipeline" / "python"))
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402

import orrery as orr  # noqa: E402
from orrery import catalogue, context  # noqa: E402


@pytest.fixture
def source() -> Path:
    """The root of the sources."""
    return SOURCE


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Each test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def own_plug_ins(monkeypatch):
    """Plug-ins in Python, and the context of this thread, are of a test alone."""
    monkeypatch.setattr(context, "_registrations", {})
    monkeypatch.setattr(context, "_own", threading.local())
    monkeypatch.setattr(catalogue, "_own", {})


@pytest.fixture
def earth():
    """The Sun and the Earth, a leapfrog of a day."""
    model = orr.Model(units="astronomical", title="Sun and Earth")
    model.add("Sun", mass=1.0)
    model.add("Earth", mass=3.003e-6, position=(1, 0, 0), velocity=(0, 0.01720209895, 0))
    return model.integrator("leapfrog", dt=1.0, steps=37)


@pytest.fixture
def pictures():
    """Skips a test that draws, in a build without pictures."""
    try:
        orr.Model().two_body().run(dt=0.01, steps=2).figure("energy")
    except orr.Error as error:
        if str(error).startswith("no pictures can be drawn here"):
            pytest.skip(str(error))
        raise


@pytest.fixture
def some():
    """Arrays of seven bodies at generic places."""
    random = np.random.default_rng(5)
    return {
        "mass": random.uniform(0.5, 1.5, 7) / 7,
        "position": random.normal(size=(7, 3)),
        "velocity": random.normal(size=(7, 3)) / 3,
    }


@pytest.fixture
def script(tmp_path):
    """Starts Python with a program as a process of its own in the folder of the test."""

    def start(code: str) -> subprocess.Popen:
        file = tmp_path / "script.py"
        file.write_text("import os, sys, time\nimport orrery as orr\n" + textwrap.dedent(code))
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        return subprocess.Popen(
            [sys.executable, file], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start
