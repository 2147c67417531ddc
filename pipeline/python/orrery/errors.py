# SPDX-License-Identifier: MIT
"""What the library answers when something cannot be done."""

from __future__ import annotations

import enum
import operator
from typing import Any


class Status(enum.IntEnum):
    """What became of a call, as `orrery_status`."""

    OK = 0
    FAILED = 1  # the work failed: a file, a device, memory, numbers out of range
    REFUSED = 2  # the request cannot be carried out as given
    STOPPED = 3  # a callback said so
    MISUSED = 4  # a rule of the interface was broken


class Error(Exception):
    """What is wrong, where, and what to do, in one line.

    Attributes:
        status: `Status.REFUSED` for a key, a value or a file that cannot be used, `Status.FAILED` for work that went
            wrong, `Status.MISUSED` for a broken rule of the interface.
        message: the line.
        key: the key that it is about, ``"dt"``; empty if it is about none.
        place: where that stands: ``"x.toml:3:8"`` in a file, ``"[integrator]"`` for keywords; empty if nowhere.
    """

    def __init__(self, status: Status | int, message: str, key: str = "", place: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.key, self.place = Status(status), message, key, place

    def __reduce__(self) -> tuple[type[Error], tuple[int, str, str, str]]:
        return type(self), (int(self.status), self.message, self.key, self.place)


def refused(message: str, key: str = "", place: str = "") -> Error:
    """The error of a request that this module itself refuses."""
    return Error(Status.REFUSED, message, key, place)


def misused(message: str) -> Error:
    """The error of a broken rule of the interface."""
    return Error(Status.MISUSED, message)


def integer(value: Any, key: str, low: int = -(2**63), bits: int = 64) -> int:
    """A whole number for an argument of the library, which ctypes would cut to its bits without a word.

    Raises:
        Error: it is no whole number, below `low`, or does not fit.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(f"`{key}` = {value!r} must be a whole number", key) from None
    high = 2 ** (bits - 1) - 1
    if not low <= number <= high:
        raise refused(f"`{key}` = {number} must be in [{max(low, -high - 1)}, {high}]", key)
    return number
