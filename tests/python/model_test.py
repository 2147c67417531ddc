# SPDX-License-Identifier: MIT
"""Models of keywords, dicts, arrays and TOML are the same models."""

import copy
import inspect
import pickle
import time
from pathlib import Path

import numpy as np
import pytest

import orrery as orr


def test_the_same_model_by_functions_dicts_and_toml():
    by_functions = orr.Model(seed=7, title="a").plummer(n=57).gravity(softening=0.05).solver("direct")
    by_functions.field("plummer-halo", mass=3, scale_length=2).integrator("yoshida4", dt=0.01, steps=21)
    tables = {
        "seed": 7,
        "initial": {"kind": "plummer", "n": 57},
        "force": [{"kind": "gravity", "softening": 0.05}, {"kind": "plummer-halo", "mass": 3, "scale_length": 2}],
        "integrator": {"kind": "yoshida4", "dt": 0.01, "steps": 21},
    }
    assert by_functions == orr.Model.from_dict(tables)
    assert by_functions == orr.Model.from_toml(by_functions.toml)
    assert by_functions != orr.Model.from_dict({**tables, "seed": 8})
    assert by_functions.document["initial"] == [{"kind": "plummer", "n": 57}]
    assert (len(by_functions), by_functions.seed, by_functions.title) == (57, 7, "a")


def test_bodies_on_orbits():
    one_by_one = orr.Model(units="astronomical").add("Sun", mass=1.0)
    one_by_one.add("A", mass=1e-3, a=5.2, e=0.05, pomega=14.7, l=34.4)
    one_by_one.add("B", mass=1e-8, around="A", semi_major_axis=0.01, plane="equatorial", i=3.0)
    nan = float("nan")
    table = {
        "name": ["Sun", "A", "B"],
        "mass": [1.0, 1e-3, 1e-8],
        "x": [0, nan, nan],
        "y": [0, nan, nan],
        "z": [0, nan, nan],
        "a": [nan, 5.2, 0.01],
        "e": [nan, 0.05, nan],
        "pomega": [nan, 14.7, nan],
        "l": [nan, 34.4, nan],
        "i": [nan, nan, 3.0],
        "around": ["", "", "A"],
        "plane": ["", "", "equatorial"],
    }
    by_columns = orr.Model(units="astronomical").add_bodies(table)
    assert np.array_equal(one_by_one.bodies.position, by_columns.bodies.position)
    assert np.linalg.norm(one_by_one.bodies.position[2] - one_by_one.bodies.position[1]) == pytest.approx(0.01)
    with pytest.raises(orr.Error, match="`position` and elements of an orbit exclude each other"):
        one_by_one.add("C", mass=0, a=1, position=(1, 0, 0))
    with pytest.raises(orr.Error, match="there is no key `aa`"):
        one_by_one.add("C", mass=0, aa=1)
    with pytest.raises(orr.Error, match="contradicts the other elements"):
        orr.Model().add("Sun", mass=1.0).add("C", mass=0, a=1, P=77).bodies


def test_names_are_functions_with_docstrings_and_signatures():
    model = orr.Model()
    for function in (model.plummer, model.initial.plummer):
        assert (
            "n" in inspect.signature(function).parameters
            and inspect.signature(function).parameters["n"].default == 1024
        )
        assert "star cluster" in function.__doc__ and "virial_ratio" in function.__doc__
    assert inspect.signature(model.domain).parameters["dimensions"].default == 3 and "edges" in model.domain.__doc__
    for name in ("frames", "tolerance", "dt", "backend"):
        assert name in inspect.signature(orr.run).parameters and f"{name}: " in orr.run.__doc__
    assert "plummer_halo" in dir(model) and "ias15" in dir(model.integrator) and "elements" in orr.list("figure")
    assert inspect.signature(model.integrator.ias15).parameters["tolerance"].annotation == "float"
    with pytest.raises(AttributeError):
        model.plumer
    with pytest.raises(AttributeError, match="orrery.list"):
        model.initial.plumer


@pytest.mark.parametrize(
    "change, key, place",
    [
        (lambda m: m.gravity(softning=0.1), "softning", "[[force]] gravity"),
        (lambda m: m.plummer(n=-1), "n", "[[initial]] plummer"),
        (lambda m: m.plummer(n=2**70), "n", ""),
        (lambda m: m.plummer(n={}), "n", "[[initial]]"),
        (lambda m: m.initial("plumer"), "kind", "[[initial]]"),
        (lambda m: m.initial(), "kind", "[[initial]]"),
        (lambda m: m.domain(dimensions=4), "dimensions", "[domain]"),
        (lambda m: m.plummer(offset={1, 2, 3}), "offset", "[[initial]]"),
        (lambda m: m.plummer(offset=np.zeros((2, 3))), "offset", "[[initial]]"),
        (lambda m: m.add("A", mass=-1), "mass", "body 'A'"),
        (lambda m: m.add("A", mass="1"), "mass", "body 'A'"),
        (lambda m: m.add("A", mass=None), "mass", "body 'A'"),
        (lambda m: m.add("A", mass=1, position=(1, np.nan, 0)), "position", "body 'A'"),
        (lambda m: m.add("A", mass=1, velocity=(1, 2, 3, 4)), "velocity", "body 'A'"),
        (lambda m: m.add_bodies(mass=[1, 2], position=[[0, 0, 0]]), "position", "add_bodies"),
        (lambda m: m.add_bodies(mass=[1, 2], position=[[0, 0], [1, np.inf]]), "position", "body 1"),
        (lambda m: m.add_bodies(mass=["a"], position=[[0, 0, 0]]), "mass", ""),
        (lambda m: m.add_bodies({"mas": [1]}), "mas", ""),
        (lambda m: orr.Model(units="imperial"), "units", "the model"),
        (lambda m: orr.Model.from_toml("seed = 1\nsoftening = 2\n", name="x.toml"), "softening", "x.toml:2:1"),
        (lambda m: orr.Model.from_dict({"initial": {"kind": "plummer", "m": 1}}), "m", "dict:4:1"),
        (lambda m: m.changed({"integrator.dx": 1}), "dx", ""),
    ],
)
def test_what_cannot_be_is_refused_with_its_key_and_place(change, key, place):
    model = orr.Model().plummer(n=3)
    before = model.toml
    with pytest.raises(orr.Error) as refusal:
        change(model)
    error = refusal.value
    assert error.status == orr.Status.REFUSED and error.key == key and error.place.startswith(place), vars(error)
    assert str(error) == error.message and "\n" not in error.message
    assert model.toml == before, "nothing was changed"
    again = pickle.loads(pickle.dumps(error))
    assert (again.status, again.message, again.key, again.place) == (
        error.status,
        error.message,
        error.key,
        error.place,
    )


def test_arrays_of_any_strides_dicts_and_tables_are_the_same_bodies(some):
    wide = np.zeros((14, 9))
    wide[::2, 0], wide[::2, 1:4], wide[::2, 6:9] = some["mass"], some["position"], some["velocity"][:, ::-1]
    packed = np.zeros(7, dtype=[("pad", "u1"), ("mass", "f8"), ("position", "f8", 3), ("velocity", "f8", 3)])
    columns = {"mass": some["mass"]}
    for name, values in some.items():
        packed[name] = values
    for k, axis in enumerate("xyz"):
        columns[axis], columns["v" + axis] = some["position"][:, k], some["velocity"][:, k]
    models = [
        orr.Model().add_bodies(**some),
        orr.Model().add_bodies(mass=wide[::2, 0], position=wide[::2, 1:4], velocity=wide[::2, 8:5:-1]),
        orr.Model().add_bodies(packed[["mass", "position", "velocity"]]),
        orr.Model().add_bodies(columns),
        orr.Model().add_bodies([{"mass": m, "position": x, "velocity": v} for m, x, v in zip(*some.values())]),
    ]
    for model in models:
        assert model == models[0]
        for name, values in some.items():
            np.testing.assert_array_equal(getattr(model.bodies, name), values)
    reverse = orr.Model().add_bodies(**{name: values[::-1] for name, values in some.items()})
    np.testing.assert_array_equal(reverse.bodies.position, some["position"][::-1])


def test_a_table_of_pandas_is_bodies(some):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"name": list("abcdefg"), "mass": some["mass"], **dict(zip("xyz", some["position"].T))})
    model = orr.Model().add_bodies(table)
    np.testing.assert_array_equal(model.bodies.position, some["position"])
    assert model.bodies.names == tuple("abcdefg") and not model.bodies.velocity.any()


def test_quantities_of_astropy_are_in_the_units_of_the_model():
    units = pytest.importorskip("astropy.units")
    model = orr.Model(units="galactic").add("A", mass=2e30 * units.kg, position=[1, 2, 3] * units.pc)
    np.testing.assert_allclose(model.bodies.position, [[1e-3, 2e-3, 3e-3]])
    model.add("B", mass=1 * units.Msun, velocity=[1, 0, 0] * units.km / units.s).integrator(dt=1e3 * units.yr, steps=1)
    np.testing.assert_allclose(model.bodies.velocity[1], [1, 0, 0], rtol=1e-6)
    model.gravity(softening=2 * units.pc).plummer_halo(mass=3e42 * units.kg, scale_length=1 * units.kpc).plummer(
        n=2, virial_radius=4
    )
    assert model.document["force"][0]["softening"] == pytest.approx(2e-3)
    assert model.document["force"][1]["mass"] == pytest.approx(3e42 / 1.98841e30, rel=1e-4)
    with pytest.raises(orr.Error, match="no length"):
        model.add("C", mass=1, position=[1, 2, 3] * units.s)
    with pytest.raises(orr.Error, match="has a unit"):
        orr.Model().add("C", mass=1 * units.kg)


def test_numbers_with_units_are_texts():
    model = orr.Model(units="astronomical", epoch="2026-11-27")
    model.add("A", mass="1 Msun").add("B", mass="1 Mearth", position=["149597870.7 km", 0, 0.5], velocity=[0, "1 au/d", 0])
    model.gravity(softening="1 km").integrator(dt="1 d", time="until 2026-12-07")
    assert model.bodies.mass.tolist() == [1, 3.986004e14 / 1.3271244e20]
    assert model.bodies.position[1].tolist() == [1, 0, 0.5] and model.bodies.velocity[1].tolist() == [0, 1, 0]
    assert model.document["force"][0]["softening"] == 10 / 1495978707
    assert model.epoch == "2026-11-27 TDB" and orr.Model().epoch is None
    pair = orr.Model(units="au-yr").two_body(masses=["1 Msun", 0.5])
    assert pair.bodies.mass.tolist() == [1, 0.5]
    with pytest.raises(orr.Error, match="is a length: write a mass"):
        model.add("C", mass="1 km")
    with pytest.raises(orr.Error, match="has a unit, but units"):
        orr.Model().plummer(n=2, mass="1 Msun")


def test_a_plane_takes_pairs_and_bodies_have_charges_and_names():
    model = orr.Model(dimensions=2).add("a", mass=1, position=(1, 2), charge=-0.5).add(mass=2, radius=0.5, position=[3, 4])
    assert model.bodies.radius.tolist() == [0, 0.5] and orr.Model().add(mass=1).bodies.radius is None
    assert model.bodies.charge.tolist() == [-0.5, 0] and model.bodies.names == ("a", "")
    assert model.bodies.position.tolist() == [[1, 2, 0], [3, 4, 0]]
    with pytest.raises(orr.Error, match="a"):
        orr.Model().add("a", mass=1).add("a", mass=1, position=(1, 0, 0)).bodies


def test_a_domain_keeps_what_is_not_given():
    model = orr.Model(dimensions=2).domain(boundary="periodic", edges=[2, 3]).domain(low=[-1, 0])
    assert model.document["domain"] == {"dimensions": 2, "boundary": ["periodic"], "edges": [2, 3], "low": [-1, 0]}
    assert "boundary" not in model.domain(boundary=None).document["domain"]


def test_perturb_displaces_a_body(earth):
    moved = earth.copy().perturb("Earth", position=(0.25, 0, 0), mass=1e-6)
    assert moved.bodies.position[1].tolist() == [1.25, 0, 0] and earth.bodies.position[1].tolist() == [1, 0, 0]
    assert moved != earth and earth.copy().perturb(1, position=(0.25, 0, 0), mass=1e-6) == moved


def test_a_million_bodies_take_less_than_a_second():
    n = 1_000_000
    mass, position = np.ones(n), np.random.default_rng(1).normal(size=(n, 3))
    start = time.process_time()
    model = orr.Model().add_bodies(mass=mass, position=position, velocity=position)
    assert time.process_time() - start < 1
    assert len(model) == n


def bits_kept(some, count):
    """A model of bodies of arrays whose bits a text could lose."""
    random = np.random.default_rng(3)
    position = random.normal(size=(count, 3)) * 10.0 ** random.integers(-200, 200, (count, 3))
    position[0] = -0.0, 5e-324, 1 / 3
    names = [f"b,{k}" if k % 3 else "" for k in range(count)]
    return (
        orr.Model(seed=3)
        .add_bodies(mass=random.uniform(size=count), position=position, names=names)
        .integrator(dt=0.1, steps=2)
    )


@pytest.mark.parametrize("count", [999, 1001])
def test_files_pickles_and_copies_keep_every_bit(some, count):
    model = bits_kept(some, count)
    model.save("x.toml")
    assert Path("x.csv").exists() == (count > 1000)
    for other in (
        orr.load("x.toml"),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        model.changed({"title": "b"}),
    ):
        assert other == model
        assert other.bodies.position.tobytes() == model.bodies.position.tobytes()
        assert other.bodies.names == model.bodies.names
    pickle.loads(pickle.dumps(model)).save("y.toml")
    assert orr.load("y.toml") == model


def test_a_file_of_another_content_is_not_replaced(earth):
    earth.save("x.toml")
    earth.save("x.toml")
    earth.title = "other"
    with pytest.raises(orr.Error, match="exists and is another one; `replace`"):
        earth.save("x.toml")
    earth.save("x.toml", replace=True)
    assert orr.load("x.toml").title == "other"
    with pytest.raises(orr.Error, match=".toml"):
        earth.save("x.txt")


def test_changes_by_dotted_keys(source):
    model = orr.load(source / "scenarios/plummer.toml", {"initial.n": 19, "title": 'of "19"'})
    assert (len(model), model.title) == (19, 'of "19"')
    assert len(model.changed({"initial.n": 23})) == 23 and len(model) == 19
    assert "[[figure]]" in model.toml or "figure" in model.document, "its pictures stay"
    assert orr.Model.from_toml(model.toml) == model, "its text has the changes"


def test_the_integrator_keeps_what_is_not_given():
    model = orr.Model().plummer(n=3).integrator("ias15", tolerance=1e-8, time=2.0)
    model.integrator(dt=0.25).integrator(steps=3)
    assert model.document["integrator"] == {"kind": "ias15", "tolerance": 1e-8, "dt": 0.25, "steps": 3}
    model.integrator("rk4")
    assert model.document["integrator"] == {"kind": "rk4", "dt": 0.25, "steps": 3}


def test_values_of_numpy_and_paths_are_keys():
    model = orr.Model().plummer(
        n=np.int32(5), mass=np.float32(0.5), recentre=np.bool_(False), offset=np.array([1, 2, 3])
    )
    expected = {"kind": "plummer", "n": 5, "mass": 0.5, "recentre": False, "offset": [1.0, 2.0, 3.0]}
    assert model.document["initial"] == [expected]
    model.integrator("leapfrog", dt="1/100 period", time=np.array(3.0))
    assert model.document["integrator"]["dt"] == "1/100 period"


def test_a_model_says_what_it_is(earth):
    assert "2 bodies" in repr(earth) and "astronomical" in repr(earth) and "leapfrog" in repr(earth)
    assert "no bodies yet" in repr(orr.Model()) and orr.Model()
    with pytest.raises(TypeError):
        hash(earth)


def test_lists_of_keys_do_not_share_memory():
    model = orr.Model().domain(boundary=["periodic", "open", "reflecting"], edges=[2, 0, 5], low=[-1, -2, -3])
    assert model.document["domain"] == {
        "boundary": ["periodic", "open", "reflecting"],
        "edges": [2, 0, 5],
        "low": [-1, -2, -3],
    }


def test_models_that_are_not_whole_are_compared_kept_and_completed(some):
    empty = orr.Model(units="si")
    assert empty == orr.Model(units="si") != orr.Model() and pickle.loads(pickle.dumps(empty)) == empty
    half = orr.Model().add_bodies(**some)
    assert half != empty and half == pickle.loads(pickle.dumps(half)) and half.changed({"force.softening": 0.1}) != half
    with pytest.raises(orr.Error, match="there are no bodies: add some"):
        empty.bodies
    for missing in ("dt", "time"):
        with pytest.raises(orr.Error, match=f"needs `{missing}`"):
            half.run("a.h5")
        half.integrator(dt=0.01)
    assert half.run("a.h5", time=0.02).finished
