# SPDX-License-Identifier: MIT
"""What there is, as `orrery list` tells it: initial states, forces, integrators, figures, … with their keys."""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._library import constant, library, text_of
from .errors import refused

_TOPICS = {
    "initial": "INITIAL_STATES",
    "force": "PAIR_FORCES",
    "field": "FIELDS",
    "solver": "SOLVERS",
    "integrator": "INTEGRATORS",
    "boundary": "BOUNDARIES",
    "backend": "BACKENDS",
    "units": "UNITS",
    "figure": "FIGURES",
    "film": "FILMS",
    "table": "TABLES",
}
_TYPES = {
    constant("BOOLEAN"): "bool",
    constant("INTEGER"): "int",
    constant("NUMBER"): "float",
    constant("TEXT"): "str",
    constant("NUMBERS"): "Numbers",
    constant("TEXTS"): "Texts",
    constant("RECORDS"): "Records",
    constant("NUMBER_OR_TEXT"): "float | str",
    constant("NUMBERS_OR_TEXTS"): "Numbers | Texts",
    constant("TEXT_OR_TEXTS"): "str | Texts",
}


@dataclass(frozen=True)
class Key:
    """A key of a plug-in, which is a keyword in Python.

    Attributes:
        name: as it is written.
        type: its type in Python; ``Numbers``, ``Texts`` and ``Records`` are lists of numbers, texts and dicts.
        meaning: what it means.
        unit: ``"length"``, ``"mass"``, …; empty if it is dimensionless.
        default: its default, or None if there is none.
        required: it must be given.
        low, high: the range of a number, or of each entry; infinite where there is no limit.
        low_open, high_open: whether the end of the range is excluded.
        entries: of a list; 0 for any number.
        choices: the texts that it may be; empty for any.
    """

    name: str
    type: str
    meaning: str
    unit: str
    default: Any
    required: bool
    low: float
    high: float
    low_open: bool
    high_open: bool
    entries: int
    choices: tuple[str, ...]

    def range(self) -> str:
        """The range as one reads it, ``"> 0"``; empty if there is none."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"in {'(' if self.low_open else '['}{self.low:g}, {self.high:g}{')' if self.high_open else ']'}"
        if math.isfinite(self.low):
            return f"{'>' if self.low_open else '≥'} {self.low:g}"
        return f"{'<' if self.high_open else '≤'} {self.high:g}" if math.isfinite(self.high) else ""

    def line(self) -> str:
        """One line about it: type, meaning, unit, range, choices, default."""
        notes = [self.unit, self.range(), " | ".join(f'"{choice}"' for choice in self.choices)]
        notes.append("required" if self.required else "" if self.default is None else f"default {self.default!r}")
        tail = "; ".join(filter(None, notes))
        return f"{self.name}: {self.meaning}" + (f" ({tail})" if tail else "")


@dataclass(frozen=True, repr=False)
class Entry:
    """Something that a model or a picture names.

    Attributes:
        topic: ``"initial"``, ``"figure"``, …
        name: ``"plummer"``
        meaning: one line.
        note: order of an integrator, why a backend is absent, …, and where it was published; may be empty.
        keys: its keys by name.
    """

    topic: str
    name: str
    meaning: str
    note: str
    keys: dict[str, Key]

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.meaning}", *([self.note] if self.note else [])]
        return "\n".join(lines + [f"    {key.line()}" for key in self.keys.values()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [[key.name, key.type, key.line().partition(": ")[2]] for key in self.keys.values()]
        return f"<p><b>{_escaped(self.name)}</b>: {_escaped(self.meaning)} {_escaped(self.note)}</p>" + _html(rows)


class Listing:
    """Entries by name, as a notebook shows them: `listing["plummer"]`, `listing.plummer`, iteration, `len`."""

    def __init__(self, entries: dict[str, Entry]) -> None:
        self._entries = entries

    def __getitem__(self, name: str) -> Entry:
        try:
            return self._entries[name]
        except KeyError:
            raise KeyError(f"there is no {name!r} (there are: {', '.join(self._entries)})") from None

    def __getattr__(self, name: str) -> Entry:
        for entry in self._entries.values():
            if identifier(entry.name) == name:
                return entry
        raise AttributeError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(identifier, self._entries)]

    def __repr__(self) -> str:
        width = max(map(len, self._entries), default=0)
        return "\n".join(f"{entry.name:<{width}}  {entry.meaning}" for entry in self._entries.values())

    def _repr_html_(self) -> str:
        return _html([[entry.name, entry.meaning] for entry in self._entries.values()])


def identifier(name: str) -> str:
    """A name as an attribute: ``plummer-halo`` is `plummer_halo`."""
    return name.replace("-", "_")


_own: dict[str, dict[str, Entry]] = {}  # plug-ins in Python


def add_own(entry: Entry) -> None:
    """Adds a plug-in in Python, or replaces it."""
    _own.setdefault(entry.topic, {})[entry.name] = entry


def entries(topic: str) -> dict[str, Entry]:
    """All entries of a topic by name, in the order of `orrery list`, then those of Python.

    Raises:
        Error: there is no such topic.
    """
    return {**of_library(topic), **_own.get(topic, {})}


@functools.cache
def of_library(topic: str) -> dict[str, Entry]:
    """Those of the library alone."""
    if topic not in _TOPICS:
        raise refused(f'there is no topic "{topic}" (there are: {", ".join(_TOPICS)})')
    number = constant(_TOPICS[topic])
    raw = [library.orrery_plug_in_at(number, k) for k in range(library.orrery_plug_in_count(number))]
    return {entry.name: entry for entry in (_entry(topic, pointer) for pointer in raw)}


def listing(topic: str | None = None, name: str | None = None) -> Any:
    """What there is: without arguments the topics; of a topic its entries; of a name its keys.

    Prints well, also in a notebook: ``orr.list("figure")``, ``orr.list("initial", "plummer")``.

    Args:
        topic: ``"initial"``, ``"force"``, ``"field"``, ``"solver"``, ``"integrator"``, ``"boundary"``, ``"backend"``,
            ``"units"``, ``"figure"``, ``"film"``, ``"table"``.
        name: of an entry.

    Raises:
        Error: there is no such topic.
        KeyError: there is no such name.
    """
    if topic is None:
        return tuple(_TOPICS)
    found = Listing(entries(topic))
    return found if name is None else found[name]


def _entry(topic: str, pointer: Any) -> Entry:
    raw = pointer.contents
    keys = (_key(library.orrery_parameter_at(pointer, k).contents) for k in range(raw.parameter_count))
    return Entry(topic, text_of(raw.name), text_of(raw.meaning), text_of(raw.note), {key.name: key for key in keys})


def _type_of(kind: int, unit: str) -> str:
    """A number of a key with a dimension may have a unit: "50 pc"."""
    words = ("length", "mass", "time", "charge", "energy", "degrees", "angle")
    has_dimension = unit == "s" or any(word in unit for word in words)
    return "float | str" if kind == constant("NUMBER") and has_dimension else _TYPES[kind]


def _key(raw: Any) -> Key:
    fallback = text_of(raw.fallback)
    return Key(
        name=text_of(raw.name),
        type=_type_of(raw.kind, text_of(raw.unit)),
        meaning=text_of(raw.meaning),
        unit=text_of(raw.unit),
        default=_toml_value(fallback) if fallback else None,
        required=not raw.optional,
        low=raw.low,
        high=raw.high,
        low_open=bool(raw.low_open),
        high_open=bool(raw.high_open),
        entries=raw.entries,
        choices=tuple(text_of(raw.choices[k]) for k in range(raw.choice_count)),
    )


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:  # a default in words
        return text


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _html(rows: list[list[str]]) -> str:
    cell = '<td style="text-align:left">'
    lines = ("".join(cell + _escaped(text) + "</td>" for text in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
