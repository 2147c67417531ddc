# SPDX-License-Identifier: MIT
"""Values and documents as TOML, which Python's library reads but does not write."""

from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import refused


def value(given: Any, key: str = "") -> str:
    """A value as TOML; numbers keep all of their bits.

    Raises:
        Error: it is no bool, number, text, or list or dict of these.
    """
    if isinstance(given, bool) or type(given).__name__ == "bool_":
        return "true" if given else "false"
    if isinstance(given, numbers.Integral):
        return str(int(given))
    if isinstance(given, numbers.Real):
        number = float(given)
        return (
            repr(number) if math.isfinite(number) else "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
        )
    if isinstance(given, (str, os.PathLike)):
        return json.dumps(os.fspath(given), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{_name(k)} = {value(v, k)}" for k, v in given.items() if v is not None) + " }"
    if isinstance(given, Iterable):
        return "[" + ", ".join(value(entry, key) for entry in given) + "]"
    raise refused(f"`{key}` = {given!r} is no number, text, list or dict", key)


def document(tables: Mapping[str, Any]) -> str:
    """A scenario of dicts as TOML: `{"seed": 7, "initial": {"kind": "plummer", "n": 100}, "force": [{…}, {…}]}`."""
    lines = [f"{_name(k)} = {value(v, k)}" for k, v in tables.items() if not _is_table(v) and v is not None]
    for name, table in tables.items():
        if not _is_table(table):
            continue
        several = not isinstance(table, Mapping)
        for entry in table if several else [table]:
            lines.append(f"\n[[{_name(name)}]]" if several else f"\n[{_name(name)}]")
            lines += [f"{_name(k)} = {value(v, k)}" for k, v in entry.items() if v is not None]
    return "\n".join(lines) + "\n"


def overrides(changes: Mapping[str, Any] | None) -> list[str]:
    """Changes by dotted keys as `--set` takes them: `integrator.dt=0.01`."""
    return [f"{key}={value(new, key)}" for key, new in (changes or {}).items()]


def _is_table(given: Any) -> bool:
    return isinstance(given, Mapping) or (
        isinstance(given, (list, tuple)) and len(given) > 0 and all(isinstance(entry, Mapping) for entry in given)
    )


def _name(key: str) -> str:
    return key if key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key) else json.dumps(key)
