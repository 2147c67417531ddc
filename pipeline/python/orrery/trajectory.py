# SPDX-License-Identifier: MIT
"""Runs: trajectory files, finished or being written."""

from __future__ import annotations

import ctypes
import os
import shutil
import time as clock
import tomllib
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import arrays
from ._library import made, text_of
from .arrays import Floats
from .between import State, state_at
from .context import Context, Handle, Progress, default_context, encoded
from .errors import Error
from .frames import FrameArray
from .kinds import RunKinds
from .model import Model, load
from .pictures import Chart, Picture, charts, picture
from .progress import Shown
from .table import Table

_open_runs: weakref.WeakSet[Run] = weakref.WeakSet()


class Run(RunKinds):
    """A trajectory file: of a finished run, of one that goes on, or of one that was stopped.

    ``run.position[frame, body, axis]`` reads from the file what the index names; `time`, `mass` and `names` are small
    and kept. Columns of the rows of observables are attributes: ``run.energy_error``, ``run.momentum_x``; `observables`
    has all of them. The file is seen as it was when it was opened or refreshed last.

    Args:
        file: .h5, .hdf5 or .vtkhdf.
        context: whose threads and GPU are used; None: that of this thread.
        temporary: its folder is deleted with it.

    Raises:
        Error: there is no such file, it is no trajectory, or it is damaged.
    """

    def __init__(
        self, file: str | os.PathLike[str], *, context: Context | None = None, temporary: bool = False
    ) -> None:
        self.path = Path(file)
        self._context = context or default_context()
        self._trajectory: Handle | None = None
        self._cache: dict[str, Any] = {}
        self._temporary = temporary
        if temporary:
            weakref.finalize(self, _remove, self.path.parent, os.getpid())
        _open_runs.add(self)
        self._handle()

    def _handle(self) -> Handle:
        """The open file."""
        if self._trajectory is None:
            self._trajectory = self._context.create(
                "trajectory", "trajectory_open", self._context, encoded(str(self.path))
            )
        return self._trajectory

    def _kept(self, name: str, read: Any) -> Any:
        """What was read of the file before, or is read now."""
        if name not in self._cache:
            self._cache[name] = read()
        return self._cache[name]

    def close(self) -> None:
        """Closes the file until something is read of it again. `orrery.run` and `orrery.resume` do so with the file
        they write."""
        if self._trajectory is not None:
            self._trajectory.close()
        self._trajectory = None
        self._cache.clear()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def refresh(self) -> Run:
        """Sees what was written since it was opened. Returns itself."""
        if self._trajectory is not None:
            self._context.call("trajectory_refresh", self._trajectory)
        self._cache.clear()
        return self

    def follow(self, interval: float = 1.0) -> Iterator[Run]:
        """Yields the run each time that it has new frames, until it is finished or nobody writes it any more.

        Args:
            interval: seconds between looks at the file.
        """
        seen = -1
        while True:
            self.refresh()
            info = self._info()
            if info.frames > seen:
                seen = info.frames
                yield self
            if info.finished or not info.being_written:
                return
            clock.sleep(interval)

    # -- what it is of --------------------------------------------------------------------------------------------------

    def _info(self) -> Any:
        def read() -> Any:
            info = made("trajectory_info")
            self._context.call("trajectory_describe", self._handle(), ctypes.byref(info))
            return info

        return self._kept("info", read)

    @property
    def info(self) -> dict[str, Any]:
        """What the file says of its run: frames, bodies, steps, dt, whether it is finished, units, the box, …"""
        raw = self._info()
        values = {name: getattr(raw, name) for name, *_ in raw._fields_ if name not in ("size", "toml")}
        for name, value in values.items():
            if isinstance(value, bytes):
                values[name] = text_of(value)
            elif isinstance(value, ctypes.Array):
                values[name] = tuple(bool(v) if name == "periodic" else v for v in value)
            elif name in ("finished", "being_written", "velocities"):
                values[name] = bool(value)
        return values

    @property
    def finished(self) -> bool:
        """Whether the run has reached its last step."""
        return bool(self._info().finished)

    @property
    def title(self) -> str:
        return text_of(self._info().title)

    @property
    def G(self) -> float:
        """The constant of gravity in the units of the run."""
        return float(self._info().G)

    @property
    def toml(self) -> str:
        """The scenario of the run, with all defaults."""
        return text_of(self._info().toml)

    def model(self) -> Model:
        """The model of the run, to be changed and run again."""
        return load(self.path, context=self._context)

    def __len__(self) -> int:
        """The number of frames."""
        return int(self._info().frames)

    def __bool__(self) -> bool:
        return True

    @property
    def frames(self) -> int:
        """The number of frames."""
        return len(self)

    # -- frames ---------------------------------------------------------------------------------------------------------

    def _numbers(self, name: str) -> Floats:
        def read() -> Floats:
            view = made("numbers_view")
            self._context.call(f"trajectory_{name}", self._handle(), ctypes.byref(view))
            return arrays.read_only(arrays.numbers_of(view))

        return self._kept(name, read)  # type: ignore[no-any-return]

    def _integers(self, name: str, count: int) -> NDArray[np.int64]:
        def read() -> NDArray[np.int64]:
            pointer = ctypes.POINTER(ctypes.c_int64)()
            self._context.call(f"trajectory_{name}", self._handle(), ctypes.byref(pointer))
            numbers = np.array(pointer[:count], dtype=np.int64)
            numbers.flags.writeable = False
            return numbers

        return self._kept(name, read)  # type: ignore[no-any-return]

    def _texts(self, name: str) -> tuple[str, ...]:
        def read() -> tuple[str, ...]:
            pointer = ctypes.POINTER(ctypes.c_char_p)()
            self._context.call(f"trajectory_{name}", self._handle(), ctypes.byref(pointer))
            return tuple(text_of(raw) for raw in pointer[: self._info().bodies])

        return self._kept(name, read)  # type: ignore[no-any-return]

    @property
    def time(self) -> Floats:
        """Times of the frames, of shape [frames]."""
        return self._numbers("times")

    @property
    def step(self) -> NDArray[np.int64]:
        """Steps of the frames, of shape [frames]."""
        return self._integers("steps", len(self))

    @property
    def mass(self) -> Floats:
        """Masses of the bodies in frames, of shape [bodies]."""
        return self._numbers("masses")

    @property
    def charge(self) -> Floats | None:
        """Charges of the bodies in frames, of shape [bodies]; None if they have none."""
        charges = self._numbers("charges")
        return charges if len(charges) or not self._info().bodies else None

    @property
    def radius(self) -> Floats | None:
        """Radii of the bodies in frames, of shape [bodies]; None if they have none."""
        radii = self._numbers("radii")
        return radii if len(radii) or not self._info().bodies else None

    @property
    def index(self) -> NDArray[np.int64]:
        """Numbers in the run of the bodies in frames, of which the file may store some, of shape [bodies]."""
        return self._integers("indices", self._info().bodies)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies in frames; empty for those without one."""
        return self._texts("names")

    @property
    def component(self) -> NDArray[np.str_]:
        """The component of each body in frames, "disk" or "bulge", of shape [bodies]: ``run.position[-1, run.component
        == "disk"]``."""
        return np.array(self._texts("components"), dtype=np.str_)

    def _part(self, part: str) -> FrameArray:
        return FrameArray(part, self._handle, (len(self), int(self._info().bodies), 3), lambda: self.names)

    @property
    def position(self) -> FrameArray:
        """Positions of all frames, [frames, bodies, 3], read by slices."""
        return self._part("position")

    @property
    def velocity(self) -> FrameArray:
        """Velocities of all frames, [frames, bodies, 3], read by slices. To read them is refused if the file has
        none."""
        return self._part("velocity")

    @property
    def image(self) -> FrameArray:
        """Images of all frames, [frames, bodies, 3], in a box with periodic axes: ``position + image * edges`` is
        continuous."""
        return self._part("image")

    def at(self, time: ArrayLike) -> State:
        """The bodies at a time, or at several.

        Between two frames each coordinate is the cubic Hermite polynomial through the positions and velocities of both,
        as in films, and the velocity its derivative; without stored velocities, a straight line. At the time of a frame
        they are those of the frame. In a periodic box paths are continuous, and positions within the box. The error of
        a position is of fourth order in the time between frames; there must be some tens of frames in a turn.

        Args:
            time: a number, or an array of shape [times], within those of the run.

        Raises:
            Error: a time outside of the run.
        """
        return state_at(self, time)

    # -- observables ----------------------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the rows of observables: "time", "energy_error", "momentum_x", …"""

        def read() -> tuple[str, ...]:
            handle = self._handle()
            count = self._context.value("trajectory_column_count", handle)
            return tuple(text_of(self._context.value("trajectory_column_name", handle, k)) for k in range(count))

        return self._kept("columns", read)  # type: ignore[no-any-return]

    def column(self, name: str) -> Floats:
        """A column of the rows of observables, one number per row: ``run.column("energy_error")`` or
        ``run.energy_error``.

        Raises:
            Error: there is none of that name.
        """

        def read() -> Floats:
            view = made("numbers_view")
            self._context.call("trajectory_column", self._handle(), encoded(name), ctypes.byref(view))
            return arrays.read_only(arrays.numbers_of(view))

        return self._kept("column " + name, read)  # type: ignore[no-any-return]

    @property
    def observables(self) -> Table:
        """All columns of the rows of observables. Their times, ``observables["time"]``, may be others than those of
        frames."""
        return Table({name: self.column(name) for name in self.columns})

    def __getattr__(self, name: str) -> Any:
        try:
            columns = () if name.startswith("_") else self.columns
        except Error as error:  # the file is gone
            raise AttributeError(str(error)) from None
        if name in columns:
            return self.column(name)
        raise AttributeError(f"a Run has no attribute {name!r}; its observables are {', '.join(columns)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    # -- what is made of it ---------------------------------------------------------------------------------------------

    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Picture:
        progress = keys.pop("progress", None)
        drawn = picture(self._context, str(self.path), topic, kind, keys, progress)
        drawn._source = self
        return drawn

    def _curves(self, _topic: str, kind: str | None, keys: dict[str, Any]) -> list[Chart]:
        return charts(self._context, str(self.path), kind or "energy-error", keys)

    def render(
        self, folder: str | os.PathLike[str] | None = None, *, progress: Progress | bool | None = None
    ) -> list[Picture]:
        """Draws the figures and films of the run's scenario, as `orrery render` does.

        Args:
            folder: where; None: that of the run.
            progress: True shows a bar for each.

        Raises:
            Error: one cannot be drawn; a file that orrery did not write is there.
        """
        into = self.path.parent if folder is None else Path(folder)
        tables = tomllib.loads(self.toml)
        described = [(topic, dict(keys)) for topic in ("figure", "film") for keys in tables.get(topic, [])]
        return [
            self._apply(topic, keys.pop("kind"), {**keys, "file": into / keys["file"], "progress": progress})
            for topic, keys in described
        ]

    def page(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        others: Iterable[Run | str | os.PathLike[str]] = (),
        size: float = 5.0,
        progress: Progress | bool | None = None,
    ) -> Path:
        """Writes a page of the run: one file of HTML, which turns, plays and steps itself in any browser.

        Args:
            file: its name; None: ``page.html`` beside the run. A file that orrery wrote is replaced.
            others: runs to compare with, or folders of runs.
            size: its largest size in MB: frames, then bodies, then bits of positions are left out.
            progress: True shows a bar.

        Returns:
            The name of the file.

        Raises:
            Error: another file is there; a run has no frames.
        """
        path = self.path.parent / "page.html" if file is None else Path(file)
        runs = [encoded(os.fspath(run)) for run in (self, *others)]
        names = (ctypes.c_char_p * len(runs))(*runs)
        with Shown(progress) as progress:
            self._context.call(
                "write_page", self._context, names, len(runs), encoded(path), float(size), long=True, progress=progress
            )
        return path

    def verify(self, **options: Any) -> Any:
        """Repeats the run and compares every bit: `orrery.verify`."""
        from .runs import verify

        return verify(self, context=self._context, **options)

    def diff(self, other: Run | str | os.PathLike[str]) -> Any:
        """Compares it with another run or a scenario: `orrery.diff`."""
        from .runs import diff

        return diff(self, other, context=self._context)

    def resume(self, **options: Any) -> Run:
        """Goes on with the run, to its end: `orrery.resume`."""
        from .runs import resume

        return resume(self, context=self._context, **options)

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        try:
            info = self._info()
        except Error as error:
            return f"<orrery.Run {error}>"
        state = "finished" if info.finished else "being written" if info.being_written else "not finished"
        return f"<orrery.Run {self.path}: {info.frames} frames of {info.bodies} bodies, {state}>"

    def __reduce__(self) -> Any:
        """Pickled as its path."""
        if self._temporary:
            raise TypeError('a run without a file of its own cannot be pickled: give `orrery.run` a name, out="x.h5"')
        return Run, (self.path.absolute(),)


def _remove(folder: Path, owner: int) -> None:
    """Deletes the folder of a temporary run, unless in a process that was forked from its own."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def close_runs(file: str | os.PathLike[str]) -> None:
    """Closes the runs of a file that is going to be written; they open it again when something is read of them."""
    path = os.path.realpath(file)
    for run in list(_open_runs):
        if os.path.realpath(run.path) == path:
            run.close()


def open_run(file: str | os.PathLike[str], *, context: Context | None = None) -> Run:
    """Opens a trajectory file, also while its run goes on: `Run.refresh` and `Run.follow` see what was written since.

    Raises:
        Error: there is no such file, it is no trajectory, or it is damaged.
    """
    return Run(file, context=context)
