# SPDX-License-Identifier: MIT
"""Writes ``kinds.pyi``, which tells type checkers and editors the keys of all plug-ins: ``python3 -m orrery.stub``.

It is made of the descriptions that the library gives, and committed; a test compares it with them.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from .catalogue import Entry, Key, entries, identifier
from .kinds import keywords_of, run_keys
from .runs import run

_HEAD = """# SPDX-License-Identifier: MIT
# Made of the descriptions of the library by `python3 -m orrery.stub`.
import os
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, overload

from .catalogue import Entry, Key
from .context import Progress
from .keys import Numbers, Records, Texts
from .model import Model
from .pictures import Chart, Picture
from .runs import Observe
from .trajectory import Run

Apply = Callable[[str, str | None, dict[str, Any]], Any]
T = TypeVar("T")

def named(topic: str, name: str) -> Entry | None: ...
def function_of(entry: Entry, apply: Apply) -> Callable[..., Any]: ...
def keywords_of(entry: Entry) -> dict[str, Key]: ...
def run_keys() -> dict[str, Key]: ...
def with_run_keys(function: Callable[..., Any]) -> RunFunction: ...

class Kinds:
    def __init__(self, topic: str, apply: Apply) -> None: ...
"""
_CLASSES = {
    "initial": "InitialKinds",
    "force": "ForceKinds",
    "field": "FieldKinds",
    "solver": "SolverKinds",
    "integrator": "IntegratorKinds",
    "figure": "FigureKinds",
    "film": "FilmKinds",
}
_SHORT = ("initial", "force", "field")
_PICTURES = ("figure", "film")
_PROGRESS = "progress: Progress | bool | None = ..."


def stub() -> str:
    """The text of ``kinds.pyi``."""
    lines = [_HEAD]
    for topic, name in _CLASSES.items():
        lines.append(f"class {name}(Kinds, Generic[T]):")
        for entry in entries(topic).values():
            lines.append("    @overload")
            lines.append(f"    def __call__(self, kind: Literal[{_quoted(entry.name)}], /{_keywords(entry)}) -> T: ...")
        optional = " | None = None" if topic == "integrator" else ""
        lines.append("    @overload")
        lines.append(f"    def __call__(self, kind: str{optional}, /, **keys: Any) -> T: ...")
        lines += [_method(entry, "T") for entry in entries(topic).values()]
        lines.append("")
    lines += ["class RunFunction(Protocol):", f"    def __call__(self, {_run_parameters()}) -> Run: ...", ""]
    lines.append("class ModelKinds:")
    lines.append("    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any: ...")
    for topic in _CLASSES:
        if topic not in _PICTURES:
            lines += ["    @property", f"    def {topic}(self) -> {_CLASSES[topic]}[Self]: ..."]
    short = {entry.name: entry for topic in reversed(_SHORT) for entry in entries(topic).values()}  # the first of a name
    lines += [_method(entry, "Self") for topic in _SHORT for entry in entries(topic).values() if short[entry.name] is entry]
    lines.append(_method(entries("table")["domain"], "Self"))
    lines.append(f"    def run(self, {_run_parameters().partition(', ')[2]}) -> Run: ...")
    lines += ["", "class RunKinds:"]
    lines.append("    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any: ...")
    lines.append("    def _curves(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any: ...")
    for name, topic, result in [
        ("figure", "figure", "Picture"),
        ("film", "film", "Picture"),
        ("curves", "figure", "list[Chart]"),
    ]:
        lines += ["    @property", f"    def {name}(self) -> {_CLASSES[topic]}[{result}]: ..."]
    return "\n".join(lines) + "\n"


def _method(entry: Entry, result: str) -> str:
    return f"    def {identifier(entry.name)}(self{_keywords(entry)}) -> {result}:\n        {_quoted(entry.meaning, 3)}"


def _run_parameters() -> str:
    """The parameters of `orrery.run`."""
    own = [
        str(parameter).replace("'", "")
        for parameter in inspect.signature(run).parameters.values()
        if parameter.name not in run_keys()
    ]
    own.insert(2, "*")
    return ", ".join(own + [_parameter(name, key) for name, key in run_keys().items()])


def _parameter(name: str, key: Key) -> str:
    given = f"{name}: {_type(key.type, key.choices)}"
    return given if key.required else f"{given}{_or_none(key.type)} = {_default(key.default)}"


def _keywords(entry: Entry) -> str:
    """Its keys as parameters, after others."""
    keys = [_parameter(name, key) for name, key in keywords_of(entry).items()]
    keys += [_PROGRESS] if entry.topic in _PICTURES else []
    return ", *, " + ", ".join(keys) if keys else ""


def _type(name: str, choices: tuple[str, ...]) -> str:
    literal = f"Literal[{', '.join(map(_quoted, choices))}]"
    return name.replace("str", literal) if choices else name


def _or_none(name: str) -> str:
    return "" if name == "bool" else " | None"


def _default(default: object) -> str:
    return repr(default) if isinstance(default, (bool, int, float, str)) else "..."


def _quoted(text: str, quotes: int = 1) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' * quotes + escaped + '"' * quotes


if __name__ == "__main__":
    Path(__file__).with_name("kinds.pyi").write_text(stub())
