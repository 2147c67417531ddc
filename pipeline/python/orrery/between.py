# SPDX-License-Identifier: MIT
"""Bodies of a run at any time, between its frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats
from .errors import refused
from .frames import FrameArray

if TYPE_CHECKING:
    from .trajectory import Run

_BLOCK = 1_000_000  # bodies times moments that are interpolated at once


@dataclass(frozen=True)
class State:
    """Bodies at one time, or at several.

    Attributes:
        time: a number, or an array of shape [times].
        position, velocity: of shape [bodies, 3], or [times, bodies, 3]; `velocity` is None if the file has none.
        mass: of shape [bodies].
        names: [bodies].
    """

    time: Any
    position: Floats
    velocity: Floats | None
    mass: Floats
    names: tuple[str, ...]


def state_at(run: Run, time: ArrayLike) -> State:
    """The bodies at a time, or at several: see `Run.at`."""
    times = np.asarray(time, dtype=np.float64)
    shown = np.atleast_1d(times)
    own = run.time if len(run) < 2 or run.time[-1] >= run.time[0] else -run.time
    wanted = shown if own is run.time else -shown
    if times.ndim > 1:
        raise refused(f"times must be a number or of the shape [times], not {list(times.shape)}", "time", run.path.name)
    if len(own) == 0 or not ((wanted >= own[0]) & (wanted <= own[-1])).all():
        ends = f" from {run.time[0]:g} to {run.time[-1]:g}" if len(own) else ", which has no frames yet"
        raise refused(f"t = {time!r} is not within the run{ends}", "time", run.path.name)
    first = np.clip(np.searchsorted(own, wanted, side="right") - 1, 0, max(len(own) - 2, 0))
    count, has_velocity = len(run.mass), bool(run.info["velocities"])
    position = np.empty((len(shown), count, 3))
    velocity = np.empty(position.shape) if has_velocity else None
    order, block = np.argsort(first, kind="stable"), max(1, _BLOCK // max(count, 1))
    for begin in range(0, len(order), block):
        here = order[begin : begin + block]
        x, v = _between(run, first[here], shown[here])
        position[here] = x
        if velocity is not None:
            velocity[here] = v
    if times.ndim == 0:
        position, velocity = position[0], None if velocity is None else velocity[0]
    return State(times[()], position, velocity, run.mass, run.names)


def _between(run: Run, first: NDArray[np.int64], times: Floats) -> tuple[Floats, Floats | None]:
    """Positions and velocities, of shape [times, bodies, 3], at times that are each between the frame `first` and the
    next one, if there is one."""
    info = run.info
    last = np.minimum(first + 1, len(run) - 1)
    frames, place = np.unique(np.concatenate([first, last]), return_inverse=True)

    def at_ends(part: FrameArray) -> tuple[Floats, Floats]:
        stored = part[frames]
        return stored[place[: len(first)]], stored[place[len(first) :]]

    start, end = run.time[first], run.time[last]
    h = np.where(last > first, end - start, 1.0)[:, np.newaxis, np.newaxis]
    s = (times - start)[:, np.newaxis, np.newaxis] / h
    r = 1 - s
    stored = at_ends(run.position)
    x0, x1 = stored[0], stored[1] + _laps(run, at_ends)
    velocity = None
    if info["velocities"]:
        v0, v1 = at_ends(run.velocity)
        position = (1 + 2 * s) * r * r * x0 + s * r * r * h * v0 + s * s * (3 - 2 * s) * x1 - s * s * r * h * v1
        velocity = 6 * s * r * (x1 - x0) / h + r * (1 - 3 * s) * v0 + s * (3 * s - 2) * v1
    else:
        position = r * x0 + s * x1
    for axis in np.flatnonzero(info["periodic"]):
        low, edge = info["low"][axis], info["edges"][axis]
        position[..., axis] = low + np.mod(position[..., axis] - low, edge)
    for k, exact in enumerate((times == start, times == end)):  # at frames, their bits
        position[exact] = stored[k][exact]
        if velocity is not None:
            velocity[exact] = (v0, v1)[k][exact]
    return position, velocity


def _laps(run: Run, at_ends: Callable[[FrameArray], tuple[Floats, Floats]]) -> Any:
    """What bodies crossed of the periods of a box from frames to the next ones."""
    if not any(run.info["periodic"]):
        return 0.0
    before, after = at_ends(run.image)
    return (after - before) * np.where(run.info["periodic"], run.info["edges"], 0.0)
