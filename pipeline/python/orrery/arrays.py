# SPDX-License-Identifier: MIT
"""Between numpy's arrays and the pointers, strides and counts of the library."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import C
from .errors import refused

Floats = NDArray[np.float64]

_Double = ctypes.POINTER(ctypes.c_double)
_Vectors = C.structs["orrery_vectors"]
_VectorsOut = C.structs["orrery_vectors_out"]


def scalars(values: ArrayLike, name: str, count: int | None = None) -> Floats:
    """Numbers as float64 of shape [count].

    Raises:
        Error: they are no numbers, or of another shape.
    """
    array = _floats(values, name)
    if array.ndim != 1 or (count is not None and len(array) != count):
        wanted = "[bodies]" if count is None else f"[{count}]"
        raise refused(f"`{name}` must have the shape {wanted}, not {list(array.shape)}", name)
    return array


def rows(values: ArrayLike, name: str, count: int | None = None) -> Floats:
    """Vectors as float64 of shape [count, 3] or, in a plane, [count, 2].

    Raises:
        Error: they are no numbers, or of another shape.
    """
    array = _floats(values, name)
    if array.ndim != 2 or array.shape[1] not in (2, 3) or (count is not None and len(array) != count):
        wanted = "bodies" if count is None else count
        raise refused(
            f"`{name}` must have the shape [{wanted}, 3] (or [{wanted}, 2] in a plane), not {list(array.shape)}", name
        )
    return array


def cube(values: ArrayLike, name: str, shape: tuple[int, int, int]) -> Floats:
    """Vectors of all frames as contiguous float64 of that shape.

    Raises:
        Error: they are no numbers, or of another shape.
    """
    array = np.ascontiguousarray(_floats(values, name))
    if array.shape != shape:
        raise refused(f"`{name}` must have the shape {list(shape)}, not {list(array.shape)}", name)
    return array


def strided(array: Floats) -> tuple[Any, int]:
    """A pointer to numbers that are evenly spaced, and their stride."""
    return _pointer(array, 0), array.strides[0] // 8 if len(array) else 1


def vectors(array: Floats) -> Any:
    """orrery_vectors of an array of `rows`, which must be kept during the call."""
    axis = array.strides[1]
    z = _pointer(array, 2 * axis) if array.shape[1] == 3 else None
    return _Vectors(_pointer(array, 0), _pointer(array, axis), z, array.strides[0] // 8, len(array))


def room(array: Floats) -> Any:
    """orrery_vectors_out of a contiguous array of shape [count, 3]."""
    return _VectorsOut(_pointer(array, 0), _pointer(array, 8), _pointer(array, 16), 3, len(array))


NO_ROOM = _VectorsOut(None, None, None, 3, 0)


def numbers_of(view: Any) -> Floats:
    """A copy of an orrery_numbers_view."""
    return _copy(view.data, view.count) if view.count else np.empty(0)


def rows_of(view: Any) -> Floats:
    """A copy of orrery_vectors, of shape [count, 3]."""
    array = np.empty((view.count, 3))
    for axis, pointer in enumerate((view.x, view.y, view.z)):
        array[:, axis] = _copy(pointer, view.count) if view.count else 0
    return array


def points_of(pointer: Any, count: int) -> Floats:
    """A copy of numbers at a pointer."""
    return _copy(pointer, count) if count else np.empty(0)


def read_only(array: Floats) -> Floats:
    """The array, which cannot be written any more."""
    array.flags.writeable = False
    return array


def _floats(values: ArrayLike, name: str) -> Floats:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iufb" and array.size:
            raise TypeError
        array = np.asarray(array, dtype=np.float64)
        whole = array.flags.aligned and not any(stride % 8 for stride in array.strides)
        return array if whole else array.copy()
    except (TypeError, ValueError):
        raise refused(f"`{name}` must be an array of numbers", name) from None


def _pointer(array: Floats, offset: int) -> Any:
    return ctypes.cast(array.ctypes.data + offset, _Double)


def _copy(pointer: Any, count: int) -> Floats:
    numbers: Any = (ctypes.c_double * count).from_address(ctypes.addressof(pointer.contents))
    return np.array(np.frombuffer(numbers, dtype=np.float64))
