# SPDX-License-Identifier: MIT
"""Parts of the frames of a file as an array that is read by slices."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import constant, made
from .arrays import Floats
from .context import Context, Handle

_AXES = {"x": 0, "y": 1, "z": 2}


class FrameArray:
    """Positions, velocities or images of all frames: numbers of shape [frames, bodies, 3].

    An index is that of numpy, up to three: frames, bodies, axes. Each may be a number (negative: from the end), a slice,
    a list, or a mask; bodies may also be names, ``run.position[:, "Earth"]``, ``run.position[-1, ["Sun", "Earth"]]``,
    axes also ``"x"``, ``"y"``, ``"z"``. Lists in several places select rows and columns, not single elements. Only the frames
    that an index names are read, each whole, since it is checked against its checksum; only the bodies that it names
    are kept. The result is an array of numpy.

    Raises:
        IndexError: there is no such frame, body or axis.
        Error: the file is damaged, or does not have this part.
    """

    def __init__(
        self, part: str, handle: Callable[[], Handle], shape: tuple[int, int, int], names: Callable[[], Sequence[str]]
    ):
        self._part, self._handle, self._names = part, handle, names
        self.shape = shape

    ndim = 3
    dtype = np.dtype(np.float64)

    @property
    def size(self) -> int:
        """The number of numbers."""
        return self.shape[0] * self.shape[1] * self.shape[2]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Floats]:
        return (self[frame] for frame in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self[:], dtype)

    def __repr__(self) -> str:
        return f"<{self._part} of {self.shape[0]} frames of {self.shape[1]} bodies: [frame, body or name, axis]>"

    def __getitem__(self, index: Any) -> Any:
        given = list(index) if isinstance(index, tuple) else [index]
        for at in [k for k, entry in enumerate(given) if entry is Ellipsis][:1]:
            given[at : at + 1] = [slice(None)] * (4 - len(given))
        if len(given) > 3:
            raise IndexError(f"there are three indices, of frames, bodies and axes, not {len(given)}")
        given += [slice(None)] * (3 - len(given))
        frames = selected(given[0], self.shape[0], "frame")
        bodies = selected(given[1], self.shape[1], "body", self._numbered)
        axes = selected(given[2], 3, "axis", _AXES.__getitem__)
        result: Any = self._read(np.atleast_1d(frames), np.atleast_1d(bodies))
        if not np.array_equal(axes, [0, 1, 2]):
            result = np.ascontiguousarray(result[:, :, np.atleast_1d(axes)])
        for axis, chosen in reversed(list(enumerate((frames, bodies, axes)))):
            if np.ndim(chosen) == 0:
                result = result.take(0, axis)
        return result if np.ndim(result) else result[()]

    def _numbered(self, name: str) -> int:
        names = self._names()
        try:
            return list(names).index(name)
        except ValueError:
            known = [n for n in names if n][:10]
            raise KeyError(
                f"there is no body {name!r}" + (f" (there are: {', '.join(known)})" if known else "")
            ) from None

    def _read(self, frames: NDArray[np.int64], bodies: NDArray[np.int64]) -> Floats:
        """The chosen frames of the chosen bodies, of shape [frames, bodies, 3]."""
        result = np.empty((len(frames), len(bodies), 3))
        if result.size == 0:
            return result
        handle = self._handle()
        chosen = np.ascontiguousarray(bodies, dtype=np.int64)
        for begin, end in stretches(frames):
            step = int(frames[begin + 1] - frames[begin]) if end - begin > 1 else 1
            piece = made(
                "slice",
                part=constant("PART_" + self._part.upper()),
                first=int(frames[begin]),
                step=step,
                frames=end - begin,
                bodies=chosen.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
                count=len(chosen),
            )
            to = result[begin:end].ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            context: Context = handle.context
            context.call("trajectory_read_slice", handle, ctypes.byref(piece), to, long=True)
        return result


def selected(index: Any, length: int, what: str, named: Callable[[str], int] | None = None) -> Any:
    """The numbers that an index selects, ascending as it says; a single one, without a dimension, for a number or a
    name.

    Raises:
        IndexError: there is none of that number or name.
    """
    if isinstance(index, slice):
        return np.arange(length)[index]
    try:
        if isinstance(index, str) and named is not None:
            return np.int64(named(index))
        if isinstance(index, (list, tuple)) and named is not None and any(isinstance(entry, str) for entry in index):
            index = [named(entry) if isinstance(entry, str) else entry for entry in index]
    except KeyError as error:
        raise IndexError(
            str(error.args[0]) if what != "axis" else f"there is no axis {error}: there are x, y, z"
        ) from None
    numbers = np.asarray(index)
    if numbers.dtype == bool and numbers.ndim == 1:
        if len(numbers) != length:
            raise IndexError(f"a mask for {what} must have {length} entries, not {len(numbers)}")
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        numbers = numbers.astype(np.int64)
    if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
        raise IndexError(f"{index!r} is no index of {what}: give a number, a slice, a list or a mask")
    outside = numbers[(numbers < -length) | (numbers >= length)] if numbers.ndim else numbers[()]
    if numbers.ndim == 0 and not -length <= numbers < length or numbers.ndim and outside.size:
        raise IndexError(f"there is no {what} {np.atleast_1d(outside)[0]}: there are {length}")
    return np.where(numbers < 0, numbers + length, numbers).astype(np.int64)[()]


def stretches(frames: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Evenly spaced stretches [begin, end) of a list of numbers."""
    begin = 0
    while begin < len(frames):
        end = begin + 1
        while end < len(frames) and (
            end - begin < 2 or frames[end] - frames[end - 1] == frames[begin + 1] - frames[begin]
        ):
            end += 1
        yield begin, end
        begin = end
