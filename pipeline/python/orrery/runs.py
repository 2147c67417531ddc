# SPDX-License-Identifier: MIT
"""Whole runs: made, resumed, repeated, compared."""

from __future__ import annotations

import ctypes
import difflib
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._library import callback, made
from .arrays import cube, scalars
from .catalogue import entries
from .context import Context, Progress, default_context, encoded
from .errors import integer, refused
from .keys import keys_of
from .kinds import run_keys, with_run_keys
from .model import Model, load
from .observables import Observables, observables_of
from .progress import Shown
from .simulation import backend_options
from .trajectory import Run, close_runs

Observe = Callable[[int, float, Observables], object]
"""Called with the step, the time and the observables of a moment; if it returns False, the run stops there."""


@dataclass(frozen=True)
class Comparison:
    """Whether two runs are the same, bit by bit, and what differs. It is true or false as `same` is.

    Attributes:
        same: whether nothing differs.
        report: what was compared, and what differs, line by line.
    """

    same: bool
    report: str

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return self.report


@with_run_keys
def run(
    model: Model | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    integrator: str | None = None,
    observables: Mapping[str, Any] | None = None,
    backend: str | Mapping[str, Any] | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    observe: Observe | None = None,
    observe_every: int = 0,
    **keys: Any,
) -> Run:
    """Makes a run and writes its trajectory, as `orrery simulate` does.

    A file that is there and holds the same run is used: finished, there is nothing to do; unfinished, it is resumed.
    After Ctrl-C, or an exception in `progress` or `observe`, the file holds all up to the last step, and the same call
    goes on from there with the same bits.

    Args:
        model: a model, which is not changed, or the file of a scenario.
        out: the file, .h5, .hdf5 or .vtkhdf; in its folder, which is made, summary.json is written. None: a temporary
            file, which is deleted with the run.
        integrator: by its name; None: that of the model.
        observables: when energies and momenta are stored, by the keys of ``orrery.list("table", "observables")``; None:
            as the model's scenario says, else at each frame.
        backend: where it is computed: ``"auto"``, ``"reference"``, ``"cpu"``, ``"cuda"``, or a dict with `kind`,
            `kernel`, `threads`, `devices`; it decides no bit. None: as the model's scenario says, else the fastest.
        replace: a file that holds another run.
        progress: True shows a bar; a function is called with the part that is done and what it is a part of, and stops
            the run if it returns False.
        observe: called at step 0, then every `observe_every` steps (0: never), and at the last one, with the step, the
            time and the observables. It changes neither the run nor its file.
        keys: those of the integrator, and those of [trajectory], which say what the file stores; see below.

    Returns:
        The run; `Run.finished` is False if it was stopped.

    Raises:
        Error: a key or value that cannot be, with `key` and `place`; a file that holds another run; a failure.
    """
    own = (model if isinstance(model, Model) else load(model)).copy()
    stored, steps = _divided(keys, integrator)
    if integrator is not None or steps:
        own.integrator(integrator, **steps)
    path = Path(tempfile.mkdtemp(prefix="orrery-"), "run.h5") if out is None else Path(out)
    options, kept = _options(own.context, backend, observe, observe_every)
    options.trajectory, options.trajectory_count = keys_of(stored, "[trajectory]")
    options.observables, options.observables_count = keys_of(observables or {}, "[observables]")
    options.replace = int(replace)
    close_runs(path)
    handle = own._handle
    with Shown(progress) as progress:
        own.context.call(
            "run", handle, ctypes.byref(options), encoded(path), progress=progress, long=True, stoppable=True
        )
    del kept
    return Run(path, context=own.context, temporary=out is None)


def import_frames(
    model: Model | str | os.PathLike[str],
    file: str | os.PathLike[str],
    time: ArrayLike,
    position: ArrayLike,
    velocity: ArrayLike | None = None,
) -> Run:
    """Writes a run of frames that another program computed, for figures, films, tables and comparisons.

    Its energies are those of the model's forces; without velocities the kinetic ones are NaN. It cannot be resumed or
    verified.

    Args:
        model: the bodies, in the order of the arrays, and forces; or the file of a scenario.
        file: must not exist.
        time: of the frames, [frames]; increasing, or decreasing.
        position: [frames, bodies, 3].
        velocity: the same, or None.

    Raises:
        Error: arrays of another shape; times in no order; a file that exists.
    """
    own = model if isinstance(model, Model) else load(model)
    times = np.ascontiguousarray(scalars(time, "time"))
    shape = (len(times), len(own), 3)
    arrays = [cube(values, name, shape) for values, name in ((position, "position"), (velocity, "velocity")) if values is not None]
    pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in [times, *arrays]]
    close_runs(file)
    own.context.call("import_frames", own._handle, encoded(file), len(times), *pointers, *[None] * (3 - len(pointers)))
    return Run(file, context=own.context)


def resume(
    file: Run | str | os.PathLike[str],
    *,
    backend: str | Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
    observe: Observe | None = None,
    observe_every: int = 0,
    context: Context | None = None,
) -> Run:
    """Goes on with the run in a file, to its end, with the bits that it would have had without the stop. Arguments are
    those of `run`.

    Raises:
        Error: the file is no trajectory, or another process writes it; a failure.
    """
    context = context or default_context()
    options, kept = _options(context, backend, observe, observe_every)
    close_runs(file)
    with Shown(progress) as progress:
        context.call(
            "resume", context, encoded(file), ctypes.byref(options), progress=progress, long=True, stoppable=True
        )
    del kept
    return file.refresh() if isinstance(file, Run) else Run(file, context=context)


def verify(
    file: Run | str | os.PathLike[str], *, progress: Progress | bool | None = None, context: Context | None = None
) -> Comparison:
    """Repeats the run in a file and compares every bit of it.

    Raises:
        Error: the file is no trajectory, or `progress` stopped the work.
    """
    return _compared("verify", context, progress, encoded(file))


def diff(
    a: Run | str | os.PathLike[str], b: Run | str | os.PathLike[str], *, context: Context | None = None
) -> Comparison:
    """Compares two trajectories, or a trajectory and a scenario.

    Raises:
        Error: a file is neither.
    """
    return _compared("diff", context, None, encoded(a), encoded(b))


def _compared(function: str, context: Context | None, progress: Progress | bool | None, *files: bytes) -> Comparison:
    context = context or default_context()
    same, lines = ctypes.c_int(), list[str]()
    with Shown(progress) as progress:
        context.call(function, context, *files, ctypes.byref(same), progress=progress, results=lines, long=True)
    return Comparison(bool(same.value), "\n".join(lines))


def _divided(keys: Mapping[str, Any], integrator: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keys of [trajectory], and those of the integrator.

    Raises:
        Error: a key of neither.
    """
    stored = entries("table")["trajectory"].keys
    known = run_keys()
    for key in keys:
        if key not in known and (integrator is None or integrator in entries("integrator")):
            close = difflib.get_close_matches(key, known, 1)
            raise refused(f"run: unknown key `{key}`" + (f"; did you mean `{close[0]}`?" if close else ""), key, "run")
    return (
        {key: value for key, value in keys.items() if key in stored},
        {key: value for key, value in keys.items() if key not in stored},
    )


def _options(
    context: Context, backend: str | Mapping[str, Any] | None, observe: Observe | None, every: int
) -> tuple[Any, list[Any]]:
    """orrery_run_options, and what must be kept as long as they are used."""
    options = made("run_options", observe_every=integer(every, "observe_every", 0))
    kept: list[Any] = []
    if backend is not None:
        chosen = backend_options(backend)
        kept.append(chosen)
        options.backend = ctypes.pointer(chosen)
    if observe is not None:
        called = observe

        def look(_user: Any, state: Any, now: Any) -> object:
            return called(state.contents.step, state.contents.time, observables_of(now.contents))

        options.observe = callback("run_options", "observe", context.guarded(look))
        kept.append(options.observe)
    return options, kept
