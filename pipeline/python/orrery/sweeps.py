# SPDX-License-Identifier: MIT
"""Runs of a model with different values of its keys, and a table of what came out."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .errors import refused
from .model import Model, load
from .progress import Shown
from .runs import run
from .table import tabulated
from .trajectory import Run


def sweep(
    model: Model | str | os.PathLike[str],
    values: Mapping[str, Sequence[Any]],
    *,
    out: str | os.PathLike[str] | None = None,
    measure: Callable[[Run], Mapping[str, Any]] | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Any:
    """Makes a run for every combination of values of keys, and a table of them.

    Args:
        model: a model, which is not changed, or the file of a scenario.
        values: lists of values by dotted keys, as of ``--set``: ``{"integrator.dt": [0.1, 0.05], "initial.n": [100,
            200]}``.
        out: the folder of their files, one each, called after the values; runs that are there are used. None: temporary
            files.
        measure: called with each run; the dict that it returns becomes further columns.
        progress: True shows a bar.
        options: those of `run`.

    Returns:
        A table of pandas if that is installed, else a `Table`: a column per key, `energy_error` (the greatest), those
        of `measure`, and `run`, the runs themselves.

    Raises:
        Error: a key or value that cannot be, before the first run of its values.
    """
    base = model if isinstance(model, Model) else load(model)
    if not values or any(isinstance(some, str) or not len(some) for some in values.values()):
        raise refused("a sweep needs a list of values for each key", next(iter(values), ""), "sweep")
    members = [dict(zip(values, chosen)) for chosen in itertools.product(*values.values())]
    models = [base.changed(member) for member in members]
    columns: dict[str, list[Any]] = {key: [member[key] for member in members] for key in values}
    results: dict[str, list[Any]] = {"energy_error": []}
    runs: list[Run] = []
    with Shown(progress) as bar:
        for k, (member, own) in enumerate(zip(members, models)):

            def shown(done: float, _what: str, before: int = k) -> object:
                return bar and bar((before + done) / len(members), f"run {before + 1} of {len(members)}")

            file = None if out is None else Path(out, _name(member), "run.h5")
            runs.append(run(own, file, progress=shown if bar else None, **options))
            errors = runs[-1].column("energy_error")
            row = {"energy_error": float(np.abs(errors).max()) if len(errors) else np.nan}
            row.update(measure(runs[-1]) if measure else {})
            for name, value in row.items():
                results.setdefault(name, [None] * k).append(value)
    return tabulated({**columns, **results, "run": runs})


def _name(member: Mapping[str, Any]) -> str:
    """The name of a folder for these values: "dt=0.1,n=100"."""
    return ",".join(re.sub(r"[^\w.=+-]", "_", f"{key.rsplit('.', 1)[-1]}={value}") for key, value in member.items())
