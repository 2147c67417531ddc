# SPDX-License-Identifier: MIT
"""The notebooks of docs/notebooks run, and are committed without outputs."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted(Path(__file__).resolve().parents[2].glob("docs/notebooks/*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file, monkeypatch):
    """Its cells in their order, by this Python, in a folder of the test."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    names = {"__name__": "__main__"}
    cells = json.loads(file.read_text())["cells"]
    for k, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, "clear its outputs before a commit"
            exec(compile("".join(cell["source"]), f"{file.name}, cell {k}", "exec"), names)


def test_there_are_notebooks():
    assert {file.stem for file in NOTEBOOKS} >= {"first-orbit", "integrators", "galaxy"}
