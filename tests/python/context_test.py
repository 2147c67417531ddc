# SPDX-License-Identifier: MIT
"""What contexts promise to plug-ins in Python."""

import ctypes
import threading

import numpy as np
import pytest

import orrery as orr
from orrery import context as contexts
from orrery._library import callback, constant, made


@pytest.fixture
def plug_ins(monkeypatch):
    """Registrations, and a context of this thread, of a test alone."""
    monkeypatch.setattr(contexts, "_registrations", {})
    monkeypatch.setattr(contexts, "_own", threading.local())


def spring(pairs):
    """What registers a law whose force over the distance is given by a function of r²."""
    kept = []

    def register(context):
        def called(_user, n, r2, c, u, _slope, _parameters):
            np.ctypeslib.as_array(c, (n,))[:] = pairs(np.ctypeslib.as_array(r2, (n,)))
            if u:
                np.ctypeslib.as_array(u, (n,))[:] = 0

        law = made("law", name=b"own-spring", acts_by=constant("BY_MASS"))
        law.pairs = callback("law", "pairs", context.guarded(called))
        kept.append(law.pairs)
        context.call("register_law", context, ctypes.byref(law))

    return register


def test_a_plug_in_of_the_module_is_in_every_context(plug_ins, some):
    before = orr.Context(threads=2)
    contexts.for_every_context("own-spring", spring(lambda r2: 2 + 0 * r2))
    hashes = set()
    for context in (before, orr.Context(threads=1), contexts.default_context()):
        model = orr.Model(context=context).add_bodies(**some).force("own-spring").integrator(dt=0.01)
        for backend in ("reference", "cpu"):
            sim = model.simulation(backend=backend)
            sim.advance(5)
            hashes.add(sim.hash)
    assert len(hashes) == 1


def test_what_a_plug_in_raises_arrives_unchanged_and_the_file_is_valid(plug_ins, some):
    error, calls = ZeroDivisionError("mine"), []

    def pairs(r2):
        calls.append(1)
        if len(calls) == 2000:
            raise error
        return 1 / (1 + r2)

    contexts.for_every_context("own-spring", spring(pairs))
    model = orr.Model().add_bodies(**some).force("own-spring")
    with pytest.raises(ZeroDivisionError) as caught:
        model.run("a.h5", dt=0.01, steps=3000, frames=31, backend="cpu")
    assert caught.value is error
    run = orr.open("a.h5")
    assert not run.finished and run.position[0].shape == (7, 3)
    assert run.resume().finished and run.diff(model.run("b.h5", dt=0.01, steps=3000, frames=31))


def test_a_callback_of_one_context_may_use_another_one(some):
    other = orr.Context(threads=1)
    sim = orr.Model().add_bodies(**some).integrator(dt=0.01).simulation()
    seen = []

    def progress(done, what):
        inner = orr.Model(context=other).add_bodies(**some).integrator(dt=0.01).simulation()
        inner.advance(1)
        seen.append(inner.hash)

    sim.advance(3, progress=progress)
    assert seen and len(set(seen)) == 1 and sim.step == 3
