# SPDX-License-Identifier: MIT
"""Keywords as the library takes them: typed keys."""

from __future__ import annotations

import ctypes
import keyword
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from ._library import C, constant
from .context import encoded
from .errors import integer, refused

Numbers = Sequence[float | str] | np.ndarray[Any, Any]
Texts = Sequence[str]
Records = Sequence[Mapping[str, Any]]

_Key = C.structs["orrery_key"]
_Record = C.structs["orrery_record"]


def keys_of(values: Mapping[str, Any], place: str = "") -> tuple[Any, int]:
    """An array of orrery_key, which keeps all that it points to, and its length; values that are None are left out.

    Args:
        values: bool, int, float, str, lists of numbers, of texts, or of dicts; numpy's numbers and arrays; quantities
            of astropy as durations; paths and runs, which are those that Python means, while a str is relative to what
            the key says.
        place: where errors say that they stand.

    Raises:
        Error: a value of another type.
    """
    given = [(name, value) for name, value in values.items() if value is not None]
    array: Any = (_Key * len(given))()
    array.kept = []  # what ctypes would not keep: memory behind pointers
    for key, (name, value) in zip(array, given):
        fields = {"name": encoded(plain(name)), **_fields(name, value, place)}
        array.kept.append(fields)
        for field, converted in fields.items():
            setattr(key, field, converted)
    return array, len(given)


def plain(name: str) -> str:
    """A keyword as a key: `from_` is `from`, which is a word of Python's."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _fields(name: str, value: Any, place: str) -> dict[str, Any]:
    """The fields of orrery_key for a value."""
    if isinstance(value, (str, os.PathLike)):
        return {"kind": constant("TEXT"), "text": _text(name, value)}
    if isinstance(value, (bool, np.bool_)):
        return {"kind": constant("BOOLEAN"), "integer": int(value)}
    if hasattr(value, "unit"):  # a quantity of astropy: "100 yr"
        return {"kind": constant("TEXT"), "text": encoded(f"{float(value.value)!r} {value.unit}", name)}
    if isinstance(value, numbers.Integral):
        return {"kind": constant("INTEGER"), "integer": integer(value, name)}
    if isinstance(value, numbers.Real):
        return {"kind": constant("NUMBER"), "number": float(value)}
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _fields(name, value.item(), place)
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iuf":
        return _numbers(value)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, Set)):
        entries = list(value)
        if all(isinstance(entry, Mapping) for entry in entries) and entries:
            return _records(name, entries, place)
        if any(isinstance(entry, str) for entry in entries):  # ["29.78 km/s", 0, 0]
            entries = [repr(float(one)) if _is_real(one) else one for one in entries]
        if all(isinstance(entry, (str, os.PathLike)) for entry in entries):
            array = (ctypes.c_char_p * len(entries))(*(_text(name, entry) for entry in entries))
            return {"kind": constant("TEXTS"), "texts": array, "count": len(entries)}
        if all(_is_real(entry) for entry in entries):
            return _numbers(np.array(entries, dtype=np.float64))
    what = f"{value!r}" if len(repr(value)) < 60 and "\n" not in repr(value) else f"a {type(value).__name__}"
    raise refused(f"`{name}` = {what} is no number, text, or list of numbers, of texts or of dicts", name, place)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _text(name: str, value: str | os.PathLike[str]) -> bytes:
    return encoded(value if isinstance(value, str) else os.path.abspath(value), name)


def _numbers(values: Any) -> dict[str, Any]:
    array = np.asarray(values, dtype=np.float64)
    return {"kind": constant("NUMBERS"), "numbers": (ctypes.c_double * len(array))(*array), "count": len(array)}


def _records(name: str, entries: Sequence[Mapping[str, Any]], place: str) -> dict[str, Any]:
    array: Any = (_Record * len(entries))()
    array.kept = []
    for record, entry in zip(array, entries):
        keys, record.count = keys_of(entry, f"{place} {name}".strip())
        record.keys = keys
        array.kept.append(keys)
    pointer = ctypes.cast(array, ctypes.c_void_p)
    pointer.kept = array  # type: ignore[attr-defined]
    return {"kind": constant("RECORDS"), "records": pointer, "count": len(entries)}
