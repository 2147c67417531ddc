# SPDX-License-Identifier: MIT
"""Runs, their files, and what is read of them."""

import logging
import pickle
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import orrery as orr


def test_the_run_is_that_of_the_scenario(earth):
    run = orr.run(earth, "earth.h5", integrator="ias15", time="2 yr", frames=41)
    earth.copy().integrator("ias15", time="2 yr").save("earth.toml")
    Path("earth.toml").write_text(Path("earth.toml").read_text() + "\n[trajectory]\nframes = 41\n")
    assert orr.diff("earth.h5", "earth.toml") and run.diff("earth.toml").report
    other = orr.load("earth.toml").run("b/run.h5")
    assert orr.diff(run, other) and orr.diff(run, other).same
    assert run.verify() and "same" in run.verify().report
    assert run.finished and len(run) == run.frames == 41 and "41 frames of 2 bodies" in repr(run)
    assert earth.document["integrator"]["kind"] == "leapfrog", "the model is not changed"


def test_a_difference_is_reported(earth):
    a, b = earth.run("a.h5"), earth.copy().perturb("Earth", mass=1e-9).run("b.h5")
    comparison = orr.diff(a, b)
    assert not comparison and str(comparison) == comparison.report and "\n" in comparison.report


def test_arrays_of_frames_become_a_run(earth):
    run = orr.run(earth, "a.h5", integrator="leapfrog", dt="1 day", steps=40, frames=21)
    again = orr.import_frames(earth, "b.h5", run.time, run.position[:], run.velocity[:])
    assert (again.frames, again.finished, again.names) == (21, True, run.names)
    np.testing.assert_array_equal(again.position[:], run.position[:])
    np.testing.assert_array_equal(again.total_energy, run.total_energy)
    bare = orr.import_frames(earth, "c.h5", run.time, run.position[:])
    assert np.isnan(bare.total_energy).all()
    with pytest.raises(orr.Error, match="velocit"):
        bare.velocity[0]
    np.testing.assert_array_equal(bare.potential_energy, run.potential_energy)
    for wrong in [run.position[:3], run.position[:][:, :1], run.position[:][..., :2]]:
        with pytest.raises(orr.Error, match="`position` must have the shape"):
            orr.import_frames(earth, "d.h5", run.time, wrong)
    with pytest.raises(orr.Error, match="does not come after"):
        orr.import_frames(earth, "d.h5", np.zeros(21), run.position[:])
    with pytest.raises(orr.Error, match="already exists"):
        orr.import_frames(earth, "b.h5", run.time, run.position[:])
    with pytest.raises(orr.Error, match="imported from arrays"):
        again.verify()
    with pytest.raises(orr.Error, match="imported"):
        orr.resume("b.h5")


@pytest.fixture
def run(some):
    """A run of seven bodies, of two components, with 24 frames."""
    model = orr.Model()
    names = ["Sun", "", "Earth", "d", "e", "f", "g"]
    model.add_bodies(**{k: v[:4] for k, v in some.items()}, names=names[:4], component="disk")
    model.add_bodies(**{k: v[4:] for k, v in some.items()}, names=names[4:], component="bulge")
    return model.gravity(softening=0.1).run("x.h5", integrator="leapfrog", dt=0.01, steps=23, frames=24)


def test_slices_are_those_of_the_whole_array(run):
    whole = run.position[:]
    assert whole.shape == run.position.shape == (24, 7, 3) == run.velocity[...].shape
    for index in [0, -1, slice(3, 20, 5), slice(None, None, -3), [5, 1, 1, -2], np.arange(24) % 4 == 1]:
        np.testing.assert_array_equal(run.position[index], whole[index])
        for body in [2, -3, slice(1, 6, 2), slice(None)]:
            np.testing.assert_array_equal(run.position[index, body], whole[index][..., body, :])
            for axis in [0, -1, slice(0, 2), slice(None, None, -1)]:
                np.testing.assert_array_equal(run.position[index, body, axis], whole[index][..., body, :][..., axis])
    np.testing.assert_array_equal(run.position[:, "Earth"], whole[:, 2])
    np.testing.assert_array_equal(run.position[2:4, ["Earth", "Sun", 5], "y"], whole[2:4][:, [2, 0, 5], 1])
    np.testing.assert_array_equal(run.position[..., 0], whole[..., 0])
    np.testing.assert_array_equal(run.position[-1, run.component == "bulge"], whole[-1, 4:])
    np.testing.assert_array_equal(np.array([frame for frame in run.position]), whole)
    np.testing.assert_array_equal(np.asarray(run.position, dtype=np.float32), whole.astype(np.float32))
    assert isinstance(run.position[3, 2, 1], float) and run.position[5:5].shape == (0, 7, 3)
    assert run.component.tolist() == ["disk"] * 4 + ["bulge"] * 3 and run.charge is None


@pytest.mark.parametrize(
    "index", [24, -25, (0, 7), (0, 0, 3), (0, "Moon"), (0, 0, "w"), (0, 0, 0, 0), 1.5, (0, np.zeros(3, bool)), ([30],)]
)
def test_indices_beyond_the_last_are_refused(run, index):
    with pytest.raises(IndexError):
        run.position[index]


def test_columns_of_observables_are_attributes(run):
    assert run.energy_error[0] == 0 and np.abs(run.energy_error).max() < 1e-2
    np.testing.assert_array_equal(run.total_energy, run.observables["total_energy"])
    assert run.observables.columns == run.columns and run.observables.rows == 24 and "momentum_x" in dir(run)
    assert "energy_error" in repr(run.observables) and "<table>" in run.observables._repr_html_()
    v, m = run.velocity[-1], run.mass
    np.testing.assert_allclose(run.kinetic_energy[-1], 0.5 * m @ (v**2).sum(1), rtol=1e-13)
    with pytest.raises(AttributeError, match="energy_error"):
        run.energy_eror
    with pytest.raises(orr.Error, match="energy_error"):
        run.column("energy_eror")


def test_between_frames_paths_are_hermite_polynomials(run):
    x, v, t = run.position[:], run.velocity[:], run.time
    at = t[5] + 0.3 * (t[6] - t[5])
    now = run.at(at)
    h, s = t[6] - t[5], 0.3
    polynomial = (
        x[5]
        + s * h * v[5]
        + s**2 * (3 * (x[6] - x[5]) - h * (2 * v[5] + v[6]))
        + s**3 * (2 * (x[5] - x[6]) + h * (v[5] + v[6]))
    )
    np.testing.assert_allclose(now.position, polynomial, rtol=1e-13, atol=1e-15)
    e = 1e-4 * h
    slope = (run.at(at + e).position - run.at(at - e).position) / (2 * e)
    np.testing.assert_allclose(now.velocity, slope, rtol=1e-6, atol=1e-8)
    several = run.at([t[0], at, t[-1]])
    assert several.position.shape == (3, 7, 3)
    np.testing.assert_array_equal(several.position[[0, 2]], x[[0, -1]])
    np.testing.assert_array_equal(several.velocity[[0, 2]], v[[0, -1]])
    np.testing.assert_array_equal(several.position[1], now.position)
    for outside in (-0.1, t[-1] + 1e-9, np.nan):
        with pytest.raises(orr.Error, match="not within the run"):
            run.at(outside)


def test_the_error_between_frames_is_of_fourth_order():
    """Of a circular orbit, whose positions are known."""
    errors = []
    for frames in (21, 41):
        model = orr.Model().two_body(masses=[1, 1e-3]).integrator("ias15", time="1 period")
        coarse = model.run(f"{frames}.h5", frames=frames)
        fine = model.run("fine.h5", frames=321)
        times = fine.time[1:-1]
        errors.append(np.abs(coarse.at(times).position - fine.position[1:-1]).max())
    assert 12 < errors[0] / errors[1] < 20, errors


def test_backward_runs_and_those_without_velocities_have_times_between(earth):
    back = earth.copy().integrator(dt=-1.0).run("back.h5", frames=38)
    forth = earth.run("forth.h5", frames=38, velocities=False)
    assert back.time[-1] < 0
    np.testing.assert_allclose(back.at(-3.5).position[1, 0], np.cos(0.01720209895 * 3.5), rtol=1e-5)
    now = forth.at(3.25)
    np.testing.assert_allclose(now.position, 0.75 * forth.position[3] + 0.25 * forth.position[4])
    assert now.velocity is None
    with pytest.raises(orr.Error, match="no velocities"):
        forth.velocity[0]


def test_paths_in_a_periodic_box_are_continuous():
    model = orr.Model(dimensions=2).domain(boundary="periodic", edges=[2, 3], low=[-1, 0])
    model.force("soft", cutoff=0.5).add(mass=1, position=(0.9, 1), velocity=(1.0, -2)).add(mass=1, position=(0.4, 2.9))
    run = model.run("box.h5", integrator="leapfrog", dt=0.125, steps=16, frames=17)
    inside = run.position[:, 0]
    assert (
        run.info["periodic"] == (True, True, False) and run.info["edges"][:2] == (2, 3) and run.info["dimensions"] == 2
    )
    assert (inside >= [-1, 0, 0]).all() and (inside < [1, 3, 1e-9]).all() and run.image[-1, 0].tolist() == [1, -1, 0]
    unwrapped = inside + run.image[:, 0] * run.info["edges"]
    np.testing.assert_allclose(unwrapped[:, 0], 0.9 + run.time, rtol=1e-12)
    between = run.at((run.time[:-1] + run.time[1:]) / 2).position[:, 0]
    np.testing.assert_allclose((between[:, 0] + 1) % 2, (1.9 + (run.time[:-1] + run.time[1:]) / 2) % 2, atol=1e-12)
    with pytest.raises(orr.Error, match="no images"):
        orr.Model().two_body().run(dt=0.1, steps=2).image[0]


def test_stored_bodies_are_some_of_those_of_the_run():
    model = (
        orr.Model()
        .force("coulomb")
        .add_bodies(mass=np.ones(5), position=np.arange(15.0).reshape(5, 3) ** 1.5, charge=[1, -1, 2, 0, 0.5])
    )
    run = model.run("some.h5", integrator="leapfrog", dt=0.01, steps=4, bodies=["0:1", "4"], frames=3)
    assert run.index.tolist() == [0, 1, 4] and run.charge.tolist() == [1, -1, 0.5] and run.position.shape == (3, 3, 3)
    assert run.info["bodies_of_run"] == 5 and run.step.tolist() == [0, 2, 4]


def test_a_file_that_is_there_is_used_and_another_run_refused(earth):
    first = earth.run("a.h5")
    written = Path("a.h5").stat().st_mtime_ns
    assert earth.run("a.h5").finished and Path("a.h5").stat().st_mtime_ns == written
    assert first.position[0].shape == (2, 3), "it opens its file again"
    earth.integrator(steps=5)
    with pytest.raises(orr.Error, match="a.h5: holds another run: .*; `replace` replaces it, another name keeps it"):
        earth.run("a.h5")
    assert len(earth.run("a.h5", replace=True)) == 6


def test_a_run_without_a_file_is_temporary(earth):
    run = earth.run()
    path = run.path
    assert path.exists()
    with pytest.raises(TypeError, match="out="):
        pickle.dumps(run)
    del run
    assert not path.exists()


@pytest.mark.parametrize(
    "keys, key",
    [
        ({"framez": 3}, "framez"),
        ({"integrator": "leapfrogg"}, "kind"),
        ({"integrator": "leapfrog", "tolerance": 1e-3}, "tolerance"),
        ({"frames": -3}, "frames"),
        ({"backend": "gpu"}, "kind"),
        ({"backend": {"thread": 1}}, "thread"),
        ({"observables": {"evry": 1}}, "evry"),
    ],
)
def test_wrong_keys_of_a_run_are_refused_before_the_first_step(earth, keys, key):
    with pytest.raises(orr.Error) as refusal:
        earth.run("a.h5", **keys)
    assert refusal.value.key == key and not Path("a.h5").exists(), vars(refusal.value)
    if key == "framez":
        assert "did you mean `frames`" in refusal.value.message


def test_rows_of_observables_and_an_observer(earth):
    seen = []
    run = earth.run(
        "a.h5", frames=3, observables={"every": 4}, observe=lambda *moment: seen.append(moment), observe_every=10
    )
    assert run.observables["step"].tolist() == [0, 4, 8, 12, 16, 19, 20, 24, 28, 32, 36, 37]
    assert [step for step, _, _ in seen] == [0, 10, 20, 30, 37] and seen[0][2].energy_error == 0
    assert earth.run("b.h5", frames=3, observables={"every": 4}).diff(run), "nothing was changed"


def test_an_observer_stops_a_run_and_it_goes_on_with_the_same_bits(earth):
    stopped = earth.run("a.h5", observe=lambda step, *_: step < 20, observe_every=5)
    assert not stopped.finished and "not finished" in repr(stopped)
    assert stopped.resume() is stopped and stopped.finished
    assert orr.diff(stopped, earth.run("b.h5"))


def test_exceptions_of_callbacks_arrive_unchanged_and_the_file_is_valid(earth):
    error = ZeroDivisionError("mine")

    def fail(*_):
        raise error

    for callback in ({"observe": fail}, {"progress": fail}):
        with pytest.raises(ZeroDivisionError) as caught:
            earth.copy().integrator(steps=100_000).run("a.h5", frames=3, **callback)
        assert caught.value is error
    run = orr.open("a.h5")
    assert not run.finished and run.position[0].shape == (2, 3)
    assert run.resume().finished


def test_callbacks_cannot_use_what_calls_them(earth):
    refusals = []

    def look(*_):
        with pytest.raises(orr.Error) as refusal:
            earth.copy()
        refusals.append(refusal.value)

    earth.run("a.h5", observe=look)
    assert len(refusals) == 2 and refusals[0].status == orr.Status.MISUSED and "callback" in refusals[0].message


def test_a_file_is_read_while_it_is_written(script):
    writer = script(
        """
        orr.Model().plummer(n=64).integrator(dt=1e-3, steps=5_000_000).run("slow.h5", every=200, commit=0.0, backend="cpu")
        """
    )
    try:
        while not Path("slow.h5").exists() and writer.poll() is None:
            time.sleep(0.01)
        run = orr.open("slow.h5")
        seen = []
        for now in run.follow(0.02):
            seen.append(len(now))
            if len(now):
                assert now.position[-1].shape == (64, 3) and len(now.time) == len(now)
            if len(seen) == 3:
                assert run.info["being_written"]
                writer.send_signal(2)
        assert seen == sorted(seen) and len(seen) >= 3 and len(set(seen)) == len(seen)
        assert not run.finished and not run.info["being_written"]
    finally:
        writer.kill()
        writer.communicate()


def test_names_of_python_survive_a_star():
    names = {}
    exec("from orrery import *", names)
    assert "Model" in names and "list" not in names and "open" not in names


def test_files_that_are_no_trajectories_are_refused():
    Path("text.h5").write_text("text")
    for file in ("text.h5", "absent.h5"):
        with pytest.raises(orr.Error, match=file):
            orr.open(file)


def test_a_run_whose_file_is_gone_says_so(run):
    run.close()
    Path("x.h5").unlink()
    assert "no such file" in repr(run) and not hasattr(run, "something")
    with pytest.raises(orr.Error, match="no such file"):
        run.position[0]


def test_a_run_pickles_as_its_path(run):
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again.position[-1], run.position[-1])
    assert run.model() == again.model() and run.model().document["integrator"]["steps"] == 23


def test_messages_go_to_the_logger_of_python(earth, caplog):
    with caplog.at_level("INFO", logger="orrery"):
        earth.run("a.h5")
    assert caplog.records and all(record.name == "orrery" for record in caplog.records)


def test_exceptions_of_the_logger_arrive_unchanged(earth):
    error = RuntimeError("mine")

    def fail(record):
        raise error

    logger = logging.getLogger("orrery")
    logger.addFilter(fail)
    logger.setLevel("INFO")
    try:
        with pytest.raises(RuntimeError) as caught:
            earth.run("a.h5")
    finally:
        logger.removeFilter(fail)
        logger.setLevel("NOTSET")
    assert caught.value is error and earth.run("a.h5").finished


def test_two_threads_with_models_of_their_own_run_at_once(some):
    hashes, errors = {}, []

    def work(k):
        try:
            sim = (
                orr.Model()
                .add_bodies(**some)
                .gravity(softening=0.1 + k % 2)
                .integrator(dt=0.01)
                .simulation(backend="cpu")
            )
            sim.advance(200)
            hashes[k] = sim.hash
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not errors and hashes[0] == hashes[2] != hashes[1] == hashes[3]


def test_threads_that_share_a_simulation_take_turns(some):
    sim = orr.Model().add_bodies(**some).gravity(softening=0.1).integrator(dt=0.01).simulation(backend="cpu")
    alone = orr.Model().add_bodies(**some).gravity(softening=0.1).integrator(dt=0.01).simulation(backend="cpu")
    threads = [threading.Thread(target=lambda: [sim.advance(7) for _ in range(30)]) for _ in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    alone.advance(630)
    assert sim.step == 630 and sim.hash == alone.hash


def test_only_the_frames_that_an_index_names_are_read_and_checked():
    n = 30_000  # so many that each frame has a chunk of its own
    mass = np.zeros(n)
    mass[0] = 1
    position = np.random.default_rng(2).normal(size=(n, 3))
    run = (
        orr.Model()
        .add_bodies(mass=mass, position=position)
        .gravity(softening=1)
        .run("x.h5", dt=0.1, steps=3, backend="cpu")
    )
    frames = run.position[:]
    run.close()
    content = bytearray(Path("x.h5").read_bytes())
    at = content.index(frames[2].tobytes()[4000:4100])
    content[at] ^= 1
    Path("x.h5").write_bytes(content)
    damaged = orr.open("x.h5")
    np.testing.assert_array_equal(damaged.position[[0, 1, 3], 17], frames[[0, 1, 3], 17])
    with pytest.raises(orr.Error, match="frame 2"):
        damaged.position[:, 17]


def test_a_forked_process_leaves_temporary_runs_alone(script):
    process = script(
        """
        run = orr.Model().two_body().run(dt=0.01, steps=3)
        if os.fork() == 0:
            sys.exit(0)
        os.wait()
        print(run.path.exists(), len(run.position[:]))
        """
    )
    output, errors = process.communicate(timeout=20)
    assert output.split() == ["True", "4"], errors


def test_a_single_frame_has_one_time(earth):
    run = earth.run("a.h5", steps=0)
    assert len(run) == 1
    now = run.at(0)
    np.testing.assert_array_equal(now.position, run.position[0])
    np.testing.assert_array_equal(now.velocity, run.velocity[0])


def test_many_times_in_any_order_are_interpolated_in_blocks(run, monkeypatch):
    times = np.random.default_rng(4).permutation(np.concatenate([np.linspace(0, run.time[-1], 41), run.time]))
    one_by_one = np.array([run.at(t).position for t in times])
    monkeypatch.setattr("orrery.between._BLOCK", 50)
    np.testing.assert_array_equal(run.at(times).position, one_by_one)
