# SPDX-License-Identifier: MIT
"""Laws, fields and integrators in Python: bits, values, failures, lifetimes, and what is refused."""

import gc
import signal
import threading

import numpy as np
import pytest

import orrery as orr
from orrery import plug_ins
from orrery import context as contexts


def slope_of_gravity(r2):
    y = orr.inverse_root(r2)
    return -3 * (orr.inverse_cube(r2) * (y * y))


@pytest.fixture
def gravity():
    @orr.law(potential=lambda r2: 0 - orr.inverse_root(r2), slope=slope_of_gravity)
    def my_gravity(r2):
        """Gravity, again."""
        return orr.inverse_cube(r2)

    return my_gravity


@pytest.fixture
def leapfrog():
    @orr.integrator(order=2, symplectic=True, symmetric=True, same_each_step=True)
    def my_leapfrog(bodies, dt):
        bodies.accelerate()
        bodies.kick(dt / 2)
        bodies.drift(dt)
        bodies.accelerate()
        bodies.kick(dt / 2)

    return my_leapfrog


def hash_after(law="gravity", integrator="leapfrog", n=33, backend="cpu", context=None, steps=3):
    model = orr.Model(seed=3, context=context).plummer(n=n).force(law, softening=0.1).integrator(integrator, dt=0.01)
    sim = model.simulation(backend=backend)
    sim.advance(steps)
    return sim.hash


@pytest.mark.parametrize("n", [1, 2, 3, 33, 257, 600])
def test_gravity_and_leapfrog_in_python_have_the_bits_of_the_built_in(gravity, leapfrog, n):
    built_in = hash_after(n=n)
    assert hash_after("my-gravity", "my-leapfrog", n) == built_in
    assert hash_after("my-gravity", "leapfrog", n, context=orr.Context(threads=3)) == built_in
    if n <= 33:
        assert hash_after("my-gravity", "my-leapfrog", n, "reference") == built_in
        assert hash_after("my-gravity", "hermite4", n) == hash_after("gravity", "hermite4", n)


def test_roots_are_those_of_the_library():
    x = np.random.default_rng(1).uniform(1e-3, 1e3, (3, 5)).T
    np.testing.assert_allclose(orr.inverse_root(x), x**-0.5, rtol=4e-16)
    np.testing.assert_allclose(orr.inverse_cube(x), x**-1.5, rtol=1e-15)
    assert orr.inverse_root(4) == 0.5 and orr.inverse_cube([]).shape == (0,)


def test_a_file_of_plug_ins_is_one_of_any_run(gravity, leapfrog, some):
    model = orr.Model(title="own").add_bodies(**some).force("my-gravity", softening=0.1)
    run = model.run("own.h5", integrator="my-leapfrog", dt=0.01, steps=40, frames=5)
    other = model.copy().gravity(softening=0.1).run("built_in.h5", integrator="leapfrog", dt=0.01, steps=40, frames=5)
    np.testing.assert_array_equal(run.position[:], other.position[:])
    np.testing.assert_array_equal(run.energy_error, other.energy_error)
    assert run.verify() and run.model() == model.integrator("my-leapfrog", dt=0.01, steps=40)
    assert run.figure("projection").svg and run.curves("energy-error")[0].curves
    with orr.open("own.h5") as again:
        assert again.title == "own"


def test_a_field_in_python_is_plummers_to_rounding(some):
    @orr.field(
        potential=lambda x, y, z, mass, scale: -mass / np.sqrt(x * x + y * y + z * z + scale**2),
        parameters={"mass": orr.Parameter("total mass", "mass", low=0), "scale": "of the core"},
    )
    def my_halo(x, y, z, mass, scale=1.0):
        c = -mass * (x * x + y * y + z * z + scale**2) ** -1.5
        return c * x, c * y, c * z

    entry = orr.list("field", "my-halo")
    assert entry.keys["mass"].required and entry.keys["mass"].unit == "mass" and entry.keys["scale"].default == 1
    base = orr.Model().add_bodies(**some).gravity(softening=0.1).integrator("rk4", dt=0.01)
    own, built_in = (
        model.simulation()
        for model in (base.copy().my_halo(mass=3, scale=0.7), base.copy().plummer_halo(mass=3, scale_length=0.7))
    )
    own.advance(50), built_in.advance(50)
    np.testing.assert_allclose(own.position, built_in.position, rtol=1e-12, atol=1e-13)
    assert own.observables.potential_energy == pytest.approx(built_in.observables.potential_energy, rel=1e-12)
    with pytest.raises(orr.Error, match="mass"):
        base.copy().my_halo(scale=1)
    with pytest.raises(orr.Error, match="mass"):
        base.copy().my_halo(mass=-1)


def test_parameters_reach_a_law(some):
    seen = set()

    @orr.law(name="springs", acts_by="number", potential=lambda r2, k, rest: 0.5 * k * (np.sqrt(r2) - rest) ** 2)
    def any_name(r2, k=2.0, rest=0.5):
        seen.add((k, rest))
        return k * (1 - rest / np.sqrt(r2))

    sim = orr.Model().add_bodies(**some).springs(k=3).integrator(dt=1e-3).simulation()
    before = sim.observables.total_energy
    sim.advance(100)
    assert seen == {(3, 0.5)} and sim.observables.total_energy == pytest.approx(before, rel=1e-3)
    assert any_name(4.0) == 1.5, "the function stays a function"


def test_an_integrator_with_columns_is_resumed_with_the_same_bits(some):
    def start(bodies):
        bodies.accelerate()
        bodies.combine("last", [(1, "acceleration")])

    @orr.integrator(order=2, columns=["new"], persistent=["last"], start=start, reference="nobody")
    def two_steps(bodies, dt, weight=1.5):
        """Adams and Bashforth."""
        bodies.accelerate()
        bodies.combine("new", [(weight, "acceleration"), (1 - weight, "last")])
        bodies.combine("last", [(1, "acceleration")])
        bodies.upload("velocity", bodies.download("velocity") + dt * bodies.download("new"))
        bodies.drift(dt)
        assert bodies.time == bodies.step * dt and len(bodies) == 7

    model = orr.Model().add_bodies(**some).gravity(softening=0.1).integrator("two-steps", dt=0.01, steps=50)
    whole = model.run("whole.h5", frames=6)
    calls = []
    model.run("part.h5", frames=6, observe=lambda *_: calls.append(1) or len(calls) < 3, observe_every=7)
    part = orr.open("part.h5")
    assert not part.finished and part.resume().diff(whole)


def failing_after(count, error):
    calls = []

    @orr.law(potential=lambda r2: -1 / np.sqrt(r2))
    def fragile(r2):
        calls.append(threading.get_ident())
        if len(calls) == count:
            raise error
        return r2**-1.5

    return calls


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt(), SystemExit(3)])
def test_what_a_law_raises_arrives_as_it_is_and_the_run_goes_on(some, error):
    failing_after(50, error)
    model = orr.Model().add_bodies(**some).force("fragile", softening=0.1)
    with pytest.raises(type(error)) as caught:
        model.run("a.h5", backend="cpu", dt=0.01, steps=100, frames=11)
    assert caught.value is error
    run = orr.open("a.h5")
    assert not run.finished and run.resume().finished
    assert run.diff(model.run("b.h5", backend="cpu", dt=0.01, steps=100, frames=11))


def test_a_law_is_called_by_several_threads_and_what_one_raises_ends_all(some):
    error = ValueError("mine")
    calls = failing_after(2000, error)
    model = orr.Model(context=orr.Context(threads=3)).plummer(n=1500).force("fragile", softening=0.1)
    model.integrator(dt=0.01)
    sim = model.simulation(backend="cpu")
    with pytest.raises(ValueError) as caught:
        sim.advance(1000)
    assert caught.value is error and len(set(calls)) > 1


def test_a_law_cannot_use_the_context_that_calls_it_from_any_thread():
    model = orr.Model(context=orr.Context(threads=3)).plummer(n=1500)

    @orr.law(potential=lambda r2: 0)
    def curious(r2):
        return 0 if threading.current_thread() is threading.main_thread() else len(model)

    with pytest.raises(orr.Error, match="a callback cannot use"):
        model.copy().force("curious").integrator(dt=0.01).simulation(backend="cpu").advance(100)


def test_ctrl_c_ends_a_law_that_takes_long(some):
    @orr.law(potential=lambda r2: 0)
    def slow(r2):
        signal.raise_signal(signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        orr.Model().add_bodies(**some).force("slow").integrator(dt=0.01).simulation(backend="reference").advance(1)


def test_what_integrators_raise_and_misuse(some):
    kept = []

    @orr.integrator()
    def misled(bodies, dt, what=0.0):
        kept.append(bodies)
        if what == 0:
            raise OSError("mine")
        bodies.combine("acceleration", [(1, "velocity")]) if what == 1 else bodies.upload("velocity", np.zeros((3, 3)))

    model = orr.Model().add_bodies(**some)
    for what, kind, words in [
        (0, OSError, "mine"),
        (1, orr.Error, "misled.*accelerations"),
        (2, orr.Error, r"\[7, 3\]"),
    ]:
        with pytest.raises(kind, match=words):
            model.integrator("misled", dt=0.01, what=what).simulation().advance(1)
    with pytest.raises(orr.Error, match="has ended"):
        kept[0].accelerate()


@pytest.mark.parametrize("result", [None, np.zeros(3), "a", np.zeros(2) + 1j])
def test_results_that_are_none_are_refused_in_words(some, result):
    @orr.law(potential=lambda r2: 0)
    def wrong(r2):
        return result

    with pytest.raises(orr.Error, match='the law "wrong": the force over the distance must be a number or an array of'):
        orr.Model().add_bodies(**some).force("wrong").integrator(dt=0.1).simulation(backend="cpu").advance(1)


def test_what_cannot_be_registered_is_refused():
    def f(r2, k=1.0):
        return k

    for work, words in [
        (lambda: orr.law("gravity", potential=f)(f), "already"),
        (lambda: orr.law("My Law", potential=f)(f), "lower-case"),
        (lambda: orr.law(potential=lambda r2: 0)(f), "same arguments"),
        (lambda: orr.law(potential=f, acts_by="size")(f), "acts_by"),
        (lambda: orr.law(potential=f, parameters={"q": "a"})(f), "no parameter `q`"),
        (lambda: orr.law(potential=f)(lambda r2, k="a": 0), "a number"),
        (lambda: orr.law(potential=f, parameters={"k": orr.Parameter(low=2)})(f), "range"),
        (lambda: orr.field(potential=f)(f), "same arguments"),
        (lambda: orr.integrator(columns=["a", "a"])(lambda b, dt: None), "name"),
    ]:
        with pytest.raises(orr.Error, match=words) as refusal:
            work()
        assert refusal.value.status == orr.Status.REFUSED
    assert not contexts._registrations and "f" not in orr.list("force")


def test_a_function_that_is_defined_again_counts_for_later_models(some):
    def energy(model):
        return model.simulation().observables.potential_energy

    def redefine(k):
        @orr.law(potential=lambda r2: 0.5 * k * r2)
        def again(r2):
            return k

        return orr.Model().add_bodies(**some).force("again").integrator(dt=0.01)

    one = redefine(1.0)
    two = redefine(2.0)
    assert energy(two) == pytest.approx(2 * energy(one))


def test_callbacks_live_as_long_as_they_are_needed(gravity):
    gc.collect()
    before = len(plug_ins._alive)
    sims = [orr.Model(context=orr.Context(threads=1)).plummer(n=9).force("my-gravity") for _ in range(3)]
    sims = [model.integrator(dt=0.01).simulation() for model in sims]
    assert len(plug_ins._alive) == before + 3
    gc.collect()
    for sim in sims:
        sim.advance(2)
    del sims, sim
    gc.collect()
    assert len(plug_ins._alive) == before


def test_without_the_plug_in_the_file_is_read_but_not_repeated(gravity, some, script):
    model = orr.Model().add_bodies(**some).force("my-gravity")
    model.run("own.h5", dt=0.01, steps=4, frames=2)
    model.run("part.h5", dt=0.01, steps=9, frames=2, observe=lambda step, *_: step == 0, observe_every=2)
    process = script(
        """
        run = orr.open("own.h5")
        print(len(run.figure("projection").svg) > 0)
        for work in (run.verify, lambda: orr.resume("part.h5"), lambda: orr.Model().force("my-gravity")):
            try:
                work()
            except orr.Error as error:
                print("my-gravity" in str(error), error.status == orr.Status.REFUSED)
        """
    )
    output, errors = process.communicate(timeout=20)
    assert output.split() == ["True"] * 7, output + errors
