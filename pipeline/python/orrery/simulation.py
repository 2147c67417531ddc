# SPDX-License-Identifier: MIT
"""Stepping a model without a file."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import C, constant, made, text_of
from .arrays import Floats
from .context import Progress, encoded
from .errors import integer, misused, refused
from .keys import keys_of
from .model import Model
from .observables import Observables, observables_of
from .progress import Shown

_COLUMNS = {name.lower(): constant(name) for name in ("POSITION", "VELOCITY", "ACCELERATION")}


class Simulation:
    """A model being stepped, at step 0 when it is made. The model is copied; it needs `dt`, and no number of steps.

    `position`, `velocity` and `image` are arrays of numpy that cannot be written: copies of the state, made when they
    are asked for and kept until it changes. One that was taken before keeps the state of that time, so nothing that one
    holds ever changes or ends.

    The bits are those of the run, on every backend and however the steps are divided into calls.

    Args:
        model: the model.
        backend: ``"auto"``, ``"reference"``, ``"cpu"``, ``"cuda"``, or a dict with `kind`, `kernel`, `threads`,
            `devices`; None: as the model's scenario says, else the fastest.
        scratch: the number of scratch columns for steps that are written outside.
        jerk: whether `accelerate_with_jerk` is called.

    Raises:
        Error: what does not fit together in the model; a backend that is not there.
    """

    def __init__(
        self, model: Model, *, backend: str | Mapping[str, Any] | None = None, scratch: int = 0, jerk: bool = False
    ) -> None:
        options = backend_options(backend or {}, scratch_columns=integer(scratch, "scratch", 0, 32), jerk=int(jerk))
        self._context = model.context
        self._simulation = self._context.create("simulation", "simulation_create", model._handle, ctypes.byref(options))
        self._state: dict[str, Any] = {}

    def advance(self, steps: int = 1, *, progress: Progress | bool | None = None) -> None:
        """Takes steps of dt.

        Args:
            steps: how many.
            progress: True shows a bar; a function is called with the part that is done, and stops the work if it
                returns False: `step` says how far it came.

        Raises:
            Error: bodies came out of the range of numbers; then the state is not defined.
        """
        self._state = {}
        with Shown(progress) as progress:
            self._context.call(
                "simulation_advance",
                self._simulation,
                integer(steps, "steps"),
                progress=progress,
                long=True,
                stoppable=True,
            )

    @property
    def step(self) -> int:
        """Steps that were taken."""
        return int(self._context.value("simulation_step", self._simulation))

    @property
    def time(self) -> float:
        """step·dt"""
        return float(self._context.value("simulation_time", self._simulation))

    @property
    def backend(self) -> str:
        """The kind of backend that was chosen."""
        return text_of(self._context.value("simulation_backend", self._simulation))

    def __len__(self) -> int:
        """The number of bodies."""
        return int(self._context.value("simulation_count", self._simulation))

    def __bool__(self) -> bool:
        return True

    def _now(self, name: str) -> Any:
        if name not in self._state:
            state = made("state")
            self._context.call("simulation_state", self._simulation, ctypes.byref(state))
            view = getattr(state, name)
            if name == "image" and not view.x:
                raise refused("there are no images: no axis is periodic", "image")
            self._state[name] = arrays.read_only((arrays.numbers_of if name == "mass" else arrays.rows_of)(view))
        return self._state[name]

    @property
    def mass(self) -> Floats:
        """Masses, of shape [bodies]; read-only."""
        return self._now("mass")  # type: ignore[no-any-return]

    @property
    def position(self) -> Floats:
        """Positions, of shape [bodies, 3]; read-only."""
        return self._now("position")  # type: ignore[no-any-return]

    @property
    def velocity(self) -> Floats:
        """Velocities, of shape [bodies, 3]; read-only."""
        return self._now("velocity")  # type: ignore[no-any-return]

    @property
    def image(self) -> Floats:
        """Images in a box with periodic axes, of shape [bodies, 3]: ``position + image * edges`` is continuous."""
        return self._now("image")  # type: ignore[no-any-return]

    @property
    def observables(self) -> Observables:
        """Energies, momenta, the energy error relative to the start. Costs an evaluation of the forces, and changes
        nothing."""
        if "observables" not in self._state:
            raw = made("observables")
            self._context.call("simulation_observe", self._simulation, ctypes.byref(raw))
            self._state["observables"] = observables_of(raw)
        return self._state["observables"]  # type: ignore[no-any-return]

    @property
    def hash(self) -> str:
        """Of the state, as `orrery info` gives that of a run's last one."""
        digits = ctypes.create_string_buffer(17)
        self._context.call("simulation_hash", self._simulation, digits)
        return digits.value.decode()

    # -- steps that are written outside ---------------------------------------------------------------------------------

    def _change(self, operation: str, *arguments: Any) -> None:
        self._state = {}
        self._context.call(f"simulation_{operation}", self._simulation, *arguments)

    def accelerate(self) -> None:
        """a ← Σ forces at the current positions; does nothing if they are known."""
        self._change("accelerate")

    def accelerate_with_jerk(self, jerk: int) -> None:
        """The same, and da/dt into scratch column `jerk`."""
        self._change("accelerate_with_jerk", column_of(jerk))

    def kick(self, dt: float) -> None:
        """v ← v + dt·a"""
        self._change("kick", float(dt))

    def drift(self, dt: float) -> None:
        """x ← x + dt·v, then the boundary conditions of the domain."""
        self._change("drift", float(dt))

    def combine(self, target: str | int, terms: Iterable[tuple[float, str | int]]) -> None:
        """target ← Σ factor·source in the given order, one fused multiply-add per term; at most 32.

        Args:
            target: ``"position"``, ``"velocity"``, or k for scratch column k.
            terms: pairs of a factor and a source, which may also be ``"acceleration"``. A first term with factor 1 is
                copied.
        """
        array = terms_of(terms)
        self._change("combine", column_of(target), array, len(array))

    def download(self, column: str | int) -> Floats:
        """A copy of a column, of shape [bodies, 3]: ``"position"``, ``"velocity"``, ``"acceleration"``, or k for
        scratch column k."""
        array = np.empty((len(self), 3))
        self._context.call("simulation_download", self._simulation, column_of(column), arrays.room(array))
        return array

    def upload(self, column: str | int, values: ArrayLike) -> None:
        """Copies an array of shape [bodies, 3] to a column, but not to the acceleration.

        Raises:
            Error: it has another shape.
        """
        array = arrays.rows(values, "values", len(self))
        self._change("upload", column_of(column), arrays.vectors(array))

    # -- a file of it ---------------------------------------------------------------------------------------------------

    def writer(self, file: str | os.PathLike[str], **keys: Any) -> Writer:
        """A file to which frames are appended, with the state at step 0 as its first one. The model must have a number
        of steps.

        Args:
            file: must not exist.
            keys: those of [trajectory] that say what is stored: velocities, store, bodies, commit.
        """
        return Writer(self, file, keys)

    def __repr__(self) -> str:
        return f"<orrery.Simulation of {len(self)} bodies on {self.backend}: step {self.step}, t = {self.time:g}>"

    def __reduce__(self) -> Any:
        raise TypeError("a simulation cannot be pickled: pickle its model, or write a run")


class Writer:
    """A file of a simulation that one steps oneself; a context, at whose end it is closed. The file is one of the same
    run, which `orrery verify` repeats, and `orrery.resume` continues if its last frame is not that of the last step."""

    def __init__(self, simulation: Simulation, file: str | os.PathLike[str], keys: Mapping[str, Any]) -> None:
        self._simulation = simulation
        array, count = keys_of(keys, "[trajectory]")
        context = simulation._context
        self._writer = context.create("writer", "writer_create", simulation._simulation, array, count, encoded(file))

    def append(self) -> None:
        """Appends the current state as a frame, and its observables as a row. Steps must increase."""
        self._simulation._context.call("writer_append", self._writer, self._simulation._simulation)

    def finish(self) -> None:
        """Closes the file."""
        if not self._writer.closed:
            self._simulation._context.call("writer_finish", self._writer)
            self._writer.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None) -> None:
        if kind is None:
            self.finish()
        self._writer.close()


def column_of(column: str | int) -> int:
    """A column by its name or, a scratch column, its number.

    Raises:
        Error: there is none of that name.
    """
    if isinstance(column, str):
        if column not in _COLUMNS:
            raise misused(
                f"there is no column {column!r}: there are {', '.join(_COLUMNS)}, and numbers of scratch columns"
            )
        return _COLUMNS[column]
    return constant("SCRATCH") + integer(column, "column", 0, 31)


def terms_of(terms: Iterable[tuple[float, str | int]]) -> Any:
    """An array of orrery_term."""
    given = [(float(factor), column_of(source)) for factor, source in terms]
    return (C.structs["orrery_term"] * len(given))(*given)


def backend_options(backend: str | Mapping[str, Any], **more: int) -> Any:
    """orrery_backend_options of the name of a backend, or of a dict of its keys.

    Raises:
        Error: an unknown key.
    """
    given = {"kind": backend} if isinstance(backend, str) else dict(backend)
    values: dict[str, Any] = dict(more)
    for key, value in given.items():
        if key not in ("kind", "kernel", "threads", "devices"):
            raise refused(f"backend: unknown key `{key}` (there are: kind, kernel, threads, devices)", key, "[backend]")
        values[key] = integer(value, key, 0, 32) if key == "threads" else encoded(value, key)
    return made("backend_options", **values)
