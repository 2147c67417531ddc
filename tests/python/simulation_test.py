# SPDX-License-Identifier: MIT
"""Steps without a file, and steps that are written in Python."""

import numpy as np
import pytest

import orrery as orr


@pytest.fixture
def model(some):
    return orr.Model().add_bodies(**some).gravity(softening=0.1).integrator("leapfrog", dt=0.01)


def test_steps_have_the_bits_of_the_run(model):
    sim = model.simulation(backend="cpu")
    run = model.run("a.h5", steps=23, frames=24)
    for steps in (1, 7, 15):
        sim.advance(steps)
        np.testing.assert_array_equal(sim.position, run.position[sim.step])
        np.testing.assert_array_equal(sim.velocity, run.velocity[sim.step])
    assert (sim.step, sim.time, sim.backend, len(sim)) == (23, 23 * 0.01, "cpu", 7)
    assert sim.observables.total_energy == run.total_energy[-1] and sim.observables.energy_error == run.energy_error[-1]
    np.testing.assert_array_equal(
        sim.observables.momentum, [run.momentum_x[-1], run.momentum_y[-1], run.momentum_z[-1]]
    )
    reference = model.simulation(backend={"kind": "reference"})
    reference.advance(23)
    assert sim.hash == reference.hash and "step 23" in repr(sim)


def test_arrays_cannot_be_written_and_keep_their_moment(model):
    sim = model.simulation()
    before = sim.position
    kept = before.copy()
    assert sim.position is before, "it is made once"
    with pytest.raises(ValueError):
        before[0, 0] = 1
    sim.advance(3)
    np.testing.assert_array_equal(before, kept)
    assert not np.array_equal(sim.position, kept)
    now = sim.velocity
    del sim
    assert np.isfinite(now).all()


def test_a_leapfrog_in_python_has_the_bits_of_the_built_in(model):
    own, built_in = model.simulation(), model.simulation()
    for _ in range(11):
        own.accelerate()
        own.kick(0.005)
        own.drift(0.01)
        own.accelerate()
        own.kick(0.005)
    built_in.advance(11)
    assert (
        own.hash != ""
        and np.array_equal(own.position, built_in.position)
        and np.array_equal(own.velocity, built_in.velocity)
    )


def test_columns_are_combined_and_copied(model):
    sim = model.simulation(scratch=2, jerk=True)
    x, v = sim.position, sim.velocity
    sim.accelerate_with_jerk(1)
    a = sim.download("acceleration")
    sim.combine(0, [(1.0, "position"), (0.5, "velocity"), (0.125, "acceleration")])
    np.testing.assert_allclose(sim.download(0), x + 0.5 * v + 0.125 * a, rtol=1e-14)
    assert np.abs(sim.download(1)).max() > 0
    sim.upload("velocity", v[:, ::-1])
    np.testing.assert_array_equal(sim.velocity, v[:, ::-1])
    sim.upload(1, np.asfortranarray(x))
    sim.combine("position", [(2.0, 1)])
    np.testing.assert_array_equal(sim.position, 2 * x)


def test_what_cannot_be_done_is_refused(model):
    sim = model.simulation(scratch=1)
    for work in (
        lambda: sim.advance(-1),
        lambda: sim.download("speed"),
        lambda: sim.download(1),
        lambda: sim.upload("acceleration", sim.position),
        lambda: sim.combine("velocity", [(1, 7)]),
    ):
        with pytest.raises(orr.Error) as refusal:
            work()
        assert refusal.value.status == orr.Status.MISUSED
    for work in (lambda: sim.upload("velocity", np.zeros((6, 3))), lambda: sim.image, lambda: orr.Model().simulation()):
        with pytest.raises(orr.Error) as refusal:
            work()
        assert refusal.value.status == orr.Status.REFUSED


def test_progress_stops_an_advance(model):
    sim = model.simulation()
    sim.advance(10**9, progress=lambda done, what: False)
    assert 0 < sim.step < 10**9
    error = OSError("mine")

    def fail(done, what):
        raise error

    with pytest.raises(OSError) as caught:
        sim.advance(10**9, progress=fail)
    assert caught.value is error


def test_a_file_of_steps_of_ones_own(model):
    model.integrator(steps=20)
    sim = model.simulation()
    with sim.writer("own.h5") as writer:
        for _ in range(4):
            sim.advance(3)
            writer.append()
    run = orr.open("own.h5")
    assert run.step.tolist() == [0, 3, 6, 9, 12] and not run.finished
    assert run.resume().finished and run.verify()
    with pytest.raises(orr.Error, match="own.h5"):
        model.simulation().writer("own.h5")


def test_images_of_a_box():
    model = orr.Model().domain(boundary="periodic", edges=[1, 2, 3]).force("soft", cutoff=0.3)
    model.add(mass=1, position=(0.5, 1, 1), velocity=(3, 0, -5)).integrator(dt=0.5)
    sim = model.simulation()
    sim.advance(2)
    assert sim.image.tolist() == [[3, 0, -2]] and sim.position.tolist() == [[0.5, 1, 2]]


def test_contexts_with_one_thread_have_the_same_bits(model, some):
    one = orr.Model(context=orr.Context(threads=1)).add_bodies(**some).gravity(softening=0.1).integrator(dt=0.01)
    assert one == model and one.context is not model.context
    a, b = one.simulation(backend="cpu"), model.simulation(backend="cpu")
    a.advance(5), b.advance(5)
    assert a.hash == b.hash


@pytest.mark.parametrize("number", [2**64 + 1, 2**70, -(2**64), 1.5, "1", None])
def test_numbers_that_do_not_fit_are_refused_rather_than_cut(model, number):
    sim = model.simulation()
    for work in (
        lambda: sim.advance(number),
        lambda: sim.download(number) if not isinstance(number, str) else sim.advance(number),
        lambda: orr.Context(threads=number),
        lambda: orr.Context(device=number),
        lambda: orr.Model().plummer(n=number if not isinstance(number, (float, str, type(None))) else 2**70),
        lambda: setattr(model, "seed", number),
        lambda: model.simulation(scratch=number),
        lambda: model.simulation(backend={"kind": "cpu", "threads": number}),
        lambda: model.run("a.h5", steps=1, observe_every=number),
    ):
        with pytest.raises(orr.Error) as refusal:
            work()
        assert refusal.value.status == orr.Status.REFUSED and refusal.value.key
    assert sim.step == 0
