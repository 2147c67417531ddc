# SPDX-License-Identifier: MIT
"""Figures, films and curves of a run, as a notebook shows them."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import orrery as orr


@pytest.fixture
def run():
    return orr.Model(title="Two").two_body(eccentricity=0.3).run("two.h5", dt="1/40 period", time="1 period", frames=41)


@pytest.fixture(autouse=True)
def drawing(request):
    if "curves" not in request.node.name:
        request.getfixturevalue("pictures")


def test_figures_are_svg_in_a_notebook_and_files_of_each_format(run):
    figure = run.figure("elements", theme="light", title="A title")
    assert figure._repr_svg_().startswith("<?xml") or figure._repr_svg_().startswith("<svg")
    assert "<svg" in figure.svg and figure._repr_png_() is None and figure._repr_html_() is None
    for name, head in {"a.svg": b"<", "a.png": b"\x89PNG", "a.pdf": b"%PDF", "b/a.csv": b"", "a.json": b"{"}.items():
        assert figure.save(name) is figure
        assert Path(name).read_bytes().startswith(head) and Path(name).stat().st_size > 100
    assert figure.png == Path("a.png").read_bytes()
    figure.save("a.svg")
    Path("own.svg").write_text("<svg/>")
    with pytest.raises(orr.Error, match="own.svg: exists and was not written by orrery; give another name$"):
        figure.save("own.svg")
    assert Path("own.svg").read_text() == "<svg/>"


def test_a_run_draws_the_pictures_of_its_scenario():
    tables = {
        "initial": {"kind": "two-body"},
        "integrator": {"dt": "1/40 period", "time": "1 period"},
        "figure": [
            {"kind": "panels", "file": "p.svg", "part": [{"kind": "projection"}, {"kind": "energy"}]},
            {"kind": "phase", "file": "v.png", "size": [320, 240]},
        ],
        "film": {"kind": "projection", "file": "f.gif", "duration": 0.2, "size": [96, 64]},
    }
    run = orr.Model.from_dict(tables).run("a/run.h5")
    assert [picture.kind for picture in run.render()] == ["panels", "phase", "projection"]
    assert {file.name for file in Path("a").iterdir()} >= {"p.svg", "v.png", "f.gif"}
    run.render("b")
    assert Path("b/v.png").read_bytes() == Path("a/v.png").read_bytes()
    assert orr.Model().two_body().run(dt=0.1, steps=2).render() == []


def test_a_large_figure_is_png_in_a_notebook(run, monkeypatch):
    monkeypatch.setattr("orrery.pictures._LARGEST_SVG", 1000)
    figure = run.figure.projection(plane="xz", size=[320, 200])
    assert figure._repr_svg_() is None and figure._repr_png_().startswith(b"\x89PNG")


def test_films_are_videos_in_a_notebook(run):
    film = run.film("xy.mp4", duration=0.2, size=[160, 96])
    assert Path("xy.mp4").read_bytes() == film.to_bytes(".mp4")
    assert (
        film._repr_html_().startswith("<video controls")
        and "base64" in film._repr_html_()
        and film._repr_svg_() is None
    )
    progress = []
    gif = run.film("energy", file="e.gif", duration=0.2, size=[160, 96], progress=lambda *now: progress.append(now))
    assert gif._repr_html_().startswith('<img src="data:image/gif') and Path("e.gif").exists() and progress
    assert run.film(duration=0.1, size=[160, 96]).kind == "projection"


def test_functions_have_the_keys_of_the_kind(run):
    assert run.figure.energy_error().kind == "energy-error"
    assert "a_limits" in run.figure.elements.__doc__ and "fps" in run.film.elements.__doc__
    assert "kind" not in run.figure.elements.__signature__.parameters
    assert "from_" in run.figure.pair_correlation.__signature__.parameters
    with pytest.raises(orr.Error) as refusal:
        run.figure("pair-correlation", from_="x")
    assert refusal.value.key == "from"


@pytest.mark.parametrize(
    "draw, key",
    [
        (lambda run: run.figure("elements", bodie=["a"]), "bodie"),
        (lambda run: run.figure("element"), "kind"),
        (lambda run: run.figure("elements", a_limits=[3, "x"]), "a_limits"),
        (lambda run: run.film("xy.mp4", file="b.mp4"), "file"),
        (lambda run: run.curves("projection"), ""),
    ],
)
def test_wrong_keys_of_pictures_are_refused(run, draw, key):
    with pytest.raises(orr.Error) as refusal:
        draw(run)
    assert refusal.value.key == key, vars(refusal.value)


def test_a_picture_of_parts_takes_lists_of_dicts(run):
    parts = [{"kind": "projection", "plane": "xy"}, {"kind": "energy-error"}]
    assert "<svg" in run.figure("panels", part=parts, size=[640, 320]).svg


def test_curves_are_arrays(run):
    charts = run.curves("energy")
    assert [curve.name for curve in charts[0].curves][:1] != [""] and charts[0].x.label.startswith("t")
    total = next(curve for curve in charts[0].curves if "total" in curve.name.lower() or curve.name == "E")
    np.testing.assert_allclose(total.y, run.total_energy, rtol=1e-12)
    assert len(run.curves.elements()) >= 2
    assert "points" in repr(charts[0].curves[0])


def test_curves_are_drawn_by_matplotlib(run):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = run.curves("energy")[0].plot()
    assert len(axes.lines) == len(run.curves("energy")[0].curves) and axes.get_xlabel().startswith("t")


def test_curves_of_other_runs_take_runs(run):
    other = run.model().perturb(0, position=[1e-6, 0, 0]).run("b/two.h5", frames=41)
    distances = run.curves("divergence", other=other)[0].curves[0]
    assert 1e-7 < np.nanmax(distances.y) < 1e-3
    assert len(run.curves("energy-error", others=[other, Path("b/two.h5")])[0].curves) >= 2


def test_pictures_pickle_as_what_they_draw(run):
    figure = pickle.loads(pickle.dumps(run.figure("energy")))
    assert figure.kind == "energy" and "<svg" in figure.svg


def test_a_page_of_a_run_and_of_several(run):
    page = run.page()
    assert page == Path("page.html") and "<h1>Two</h1>" in page.read_text()
    other = orr.Model(title="Others").two_body(eccentricity=0.4).run("o.h5", dt="1/40 period", time="1 period", frames=5)
    assert run.page("both.html", others=[other], size=1).stat().st_size < 1e6
    assert "<h2>2 runs</h2>" in Path("both.html").read_text()
    Path("own.html").write_text("mine")
    with pytest.raises(orr.Error, match="own.html: exists and was not written by orrery; give another name$"):
        run.page("own.html")
    with pytest.raises(orr.Error, match="`size` = 0.25"):
        run.page(size=0.25)


def test_a_picture_keeps_the_file_of_a_temporary_run():
    model = orr.Model().two_body(eccentricity=0.3).integrator(dt=0.01)
    figure = model.run(time=0.37, frames=5).figure("separation")
    assert figure.to_bytes(".pdf").startswith(b"%PDF")
