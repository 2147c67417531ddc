# SPDX-License-Identifier: MIT
"""Plug-ins as functions with their keys as keywords: `model.initial("plummer", n=100)` is
`model.initial.plummer(n=100)`.

Names, docstrings and signatures are made of the descriptions that the library gives, so that `help`, a notebook and an
editor know the keys; ``kinds.pyi``, which ``stub.py`` makes of the same descriptions, tells type checkers.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .catalogue import Entry, Key, Listing, entries, identifier

Apply = Callable[[str, "str | None", dict[str, Any]], Any]
"""Called with a topic, the name of a plug-in and its keys."""


class Kinds:
    """The plug-ins of a topic, as functions of an object."""

    def __init__(self, topic: str, apply: Apply) -> None:
        self._topic, self._apply = topic, apply

    def __call__(self, kind: str | None = None, /, **keys: Any) -> Any:
        """Applies the plug-in `kind` with its keys; `orrery.list(topic, kind)` describes them.

        Raises:
            Error: there is none of that name; a key that it does not have, or a value that it cannot have.
        """
        __tracebackhide__ = True
        return self._apply(self._topic, kind, keys)

    def __getattr__(self, name: str) -> Any:
        entry = named(self._topic, name)
        if entry is None:
            raise AttributeError(
                f'there is no {self._topic} "{name}"; orrery.list("{self._topic}") shows what there is'
            )
        return function_of(entry, self._apply)

    def __dir__(self) -> list[str]:
        return [identifier(name) for name in entries(self._topic)]

    def __repr__(self) -> str:
        return repr(Listing(entries(self._topic)))


def named(topic: str, name: str) -> Entry | None:
    """The entry whose name as an attribute this is."""
    return next((entry for entry in entries(topic).values() if identifier(entry.name) == name), None)


def function_of(entry: Entry, apply: Apply) -> Callable[..., Any]:
    """A function with the keys of an entry as keywords, and with its description."""

    def function(**keys: Any) -> Any:
        __tracebackhide__ = True
        return apply(entry.topic, entry.name, keys)

    only = inspect.Parameter.KEYWORD_ONLY
    function.__name__ = function.__qualname__ = identifier(entry.name)
    function.__doc__ = str(entry)
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name, only, annotation=key.type, default=inspect.Parameter.empty if key.required else key.default
            )
            for name, key in keywords_of(entry).items()
        ]
    )
    return function


def keywords_of(entry: Entry) -> dict[str, Key]:
    """The keys of an entry by their names as keywords; the kind is the name of the entry."""
    keys = {name + "_" * keyword.iskeyword(name): key for name, key in entry.keys.items() if name != "kind"}
    if entry.topic in ("figure", "film"):
        keys["file"] = replace(keys["file"], required=False)
    return keys


def run_keys() -> dict[str, Key]:
    """The keys that `orrery.run` takes: those of all integrators, and those of [trajectory]."""
    every = {name: key for entry in entries("integrator").values() for name, key in entry.keys.items()}
    keys = {name: replace(key, required=False) for name, key in every.items()}
    return {**keys, **{name: key for name, key in entries("table")["trajectory"].keys.items() if name != "file"}}


RunFunction = Callable[..., Any]
"""`orrery.run`, whose keys ``kinds.pyi`` has."""


def with_run_keys(function: Callable[..., Any]) -> RunFunction:
    """The function, whose `**keys` are those of `run_keys`, with them in its signature and docstring."""
    signature = inspect.signature(function)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind != inspect.Parameter.VAR_KEYWORD]
    keys = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=key.default, annotation=key.type)
        for name, key in run_keys().items()
    ]
    function.__signature__ = signature.replace(parameters=own + keys)  # type: ignore[attr-defined]
    lines = (f"        {key.line()}" for key in run_keys().values())
    function.__doc__ = f"{function.__doc__}\n    Keys:\n" + "\n".join(lines)
    return function


class ModelKinds:
    """What a model is made of; initial states, forces and fields are also functions of the model itself, of a name that
    several have the first of these."""

    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any:
        raise NotImplementedError

    initial = property(lambda self: Kinds("initial", self._apply), doc="Adds bodies: an initial state by its name.")
    force = property(lambda self: Kinds("force", self._apply), doc="Sets the force between pairs.")
    field = property(lambda self: Kinds("field", self._apply), doc="Adds an external field.")
    solver = property(lambda self: Kinds("solver", self._apply), doc="Sets how the force is computed.")
    integrator = property(
        lambda self: Kinds("integrator", self._apply),
        doc="Sets the integrator, its step and the length of the run; without a name, further keys of the present one.",
    )

    domain = property(
        lambda self: function_of(entries("table")["domain"], self._apply),
        doc="Sets the space of the bodies; keys that are not given stay.",
    )

    def run(self, out: Any = None, **options: Any) -> Any:
        """Makes a run: `orrery.run`, which has the arguments."""
        from .runs import run

        return run(self, out, **options)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            for topic in ("initial", "force", "field"):
                if (entry := named(topic, name)) is not None:
                    return function_of(entry, self._apply)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}", name=name, obj=self)

    def __dir__(self) -> list[str]:
        short = [identifier(name) for topic in ("initial", "force", "field") for name in entries(topic)]
        return [*super().__dir__(), *short]


class RunKinds:
    """What is drawn of a run."""

    def _apply(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _curves(self, topic: str, kind: str | None, keys: dict[str, Any]) -> Any:
        raise NotImplementedError

    figure = property(lambda self: Kinds("figure", self._apply), doc="Draws a figure: a `Picture`.")
    film = property(lambda self: Kinds("film", self._apply), doc="Makes a film: a `Picture`.")
    curves = property(
        lambda self: Kinds("figure", self._curves),
        doc="The curves of a figure as arrays: a list of `Chart`, one per panel.",
    )
