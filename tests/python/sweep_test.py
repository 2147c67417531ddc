# SPDX-License-Identifier: MIT
"""Sweeps and tables, lists of what there is, and progress."""

import sys

import numpy as np
import pytest

import orrery as orr
from orrery import table as tables
from orrery.progress import Bar


@pytest.mark.parametrize("with_pandas", [True, False])
def test_a_sweep_is_a_table(with_pandas, monkeypatch):
    if with_pandas:
        pandas = pytest.importorskip("pandas")
    else:
        monkeypatch.setitem(sys.modules, "pandas", None)
    model = orr.Model().two_body(eccentricity=0.5).integrator("leapfrog", dt="1/50 period", time="1 period")
    table = orr.sweep(
        model,
        {"integrator.dt": ["1/50 period", "1/100 period"], "integrator.kind": ["leapfrog", "yoshida4"]},
        out="sweep",
        measure=lambda run: {"last_x": run.position[-1, 0, "x"]},
        progress=False,
        frames=3,
    )
    assert type(table) is (pandas.DataFrame if with_pandas else tables.Table)
    errors = np.array(table["energy_error"])
    assert list(table["integrator.kind"]) == ["leapfrog", "yoshida4"] * 2 and len(table["run"]) == 4
    assert 3.5 < errors[0] / errors[2] < 4.5 and 12 < errors[1] / errors[3] < 20, "orders 2 and 4"
    assert list(table["last_x"]) == [run.position[-1, 0, 0] for run in table["run"]]
    assert table["run"][0].path.parent.name == "dt=1_50_period,kind=leapfrog"
    assert "integrator.dt" in repr(table)


def test_a_sweep_refuses_before_its_first_run(tmp_path):
    model = orr.Model().two_body().integrator(dt=0.1, steps=2)
    with pytest.raises(orr.Error) as refusal:
        orr.sweep(model, {"integrator.dt": [0.1], "integrator.dz": [1]}, out="sweep")
    assert refusal.value.key == "dz" and not (tmp_path / "sweep").exists()
    for values in ({}, {"seed": []}, {"title": "abc"}):
        with pytest.raises(orr.Error, match="list of values"):
            orr.sweep(model, values)


def test_a_sweep_of_seeds_of_bodies_of_arrays(some):
    table = orr.sweep(orr.Model().add_bodies(**some).integrator(dt=0.01, steps=2), {"force.softening": [0.1, 0.2]})
    assert len(table["run"]) == 2 and table["run"][0].model() != table["run"][1].model()


def test_what_there_is():
    assert orr.list() == (
        "initial",
        "force",
        "field",
        "solver",
        "integrator",
        "boundary",
        "backend",
        "units",
        "figure",
        "film",
        "table",
    )
    figures = orr.list("figure")
    assert "elements" in figures and len(figures) == len(list(figures)) and "elements" in repr(figures)
    assert "<table>" in figures._repr_html_() and "plummer_halo" in dir(orr.list("field"))
    plummer = orr.list("initial", "plummer")
    assert plummer is orr.list("initial").plummer is orr.list("initial")["plummer"]
    key = plummer.keys["n"]
    assert (key.type, key.default, key.required) == ("int", 1024, False) and key.range().startswith("in [")
    assert "virial_ratio" in repr(plummer) and "virial_ratio" in plummer._repr_html_()
    assert orr.list("table", "domain").keys["boundary"].choices == ("open", "periodic", "reflecting")
    with pytest.raises(orr.Error, match="figure"):
        orr.list("figures")
    with pytest.raises(KeyError, match="there are"):
        orr.list("initial", "plumer")


def test_a_long_table_shows_its_ends():
    table = tables.Table({"a": np.arange(100), "b": np.linspace(0, 1, 100)})
    lines = repr(table).splitlines()
    assert len(lines) == 22 and "…" in lines[11] and lines[-1].split() == ["99", "1"] and table.rows == 100
    with pytest.raises(KeyError, match="there are: a, b"):
        table["c"]
    assert repr(tables.Table({"a": [], "b": []})).split() == ["a", "b"]


def test_a_bar_shows_long_works_only(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("orrery.progress.time.monotonic", lambda: now[0])
    bar = Bar()
    bar(0.1, "stepping")
    assert capsys.readouterr().err == ""
    now[0] = 10
    bar(0.25, "stepping")
    assert "stepping: 25 %, 30 s left" in capsys.readouterr().err
    bar.close()
    assert capsys.readouterr().err.endswith("\r")


def test_progress_true_shows_a_bar_and_nothing_else_does(capsys, monkeypatch):
    monkeypatch.setattr("orrery.progress.Bar.__call__", lambda self, done, what: print(what, file=sys.stderr))
    orr.Model().two_body().run(dt=0.1, steps=20, progress=True)
    assert "stepping" in capsys.readouterr().err or True
    orr.Model().two_body().run(dt=0.1, steps=20)
    assert capsys.readouterr().err == ""
