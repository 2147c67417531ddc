# SPDX-License-Identifier: MIT
"""Bodies that are given to a model: one by one, as arrays, as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import arrays
from ._library import made
from .arrays import Floats
from .context import encoded, texts
from .errors import refused

Plain = Callable[[Any, str], Any]
"""A value of a key of a body without its unit."""

DIMENSIONS = {"mass": "mass", "position": "length", "velocity": "length/time"}

_COMPONENTS = {"position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz")}


@dataclass(frozen=True)
class Bodies:
    """Bodies at the start of a run, in the units of the model.

    Attributes:
        mass: of shape [bodies].
        position, velocity: of shape [bodies, 3].
        charge: of shape [bodies], or None if they have none.
        names: [bodies], empty texts for those without one.
    """

    mass: Floats
    position: Floats
    velocity: Floats
    charge: Floats | None
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.mass)


@dataclass(frozen=True)
class Body:
    """A body, whose numbers are checked."""

    name: str
    mass: float
    position: list[float]
    velocity: list[float]
    charge: float | None
    component: str | None


def body_of(plain: Plain, where: str, name: str | None, component: str | None, **numbers: Any) -> Body:
    """A body of the arguments of `Model.add`; `where` is what errors call it.

    Raises:
        Error: numbers that are not finite, too many or few of them, a negative mass.
    """

    def finite(key: str) -> Any:
        value, vector = numbers[key], key in _COMPONENTS
        try:
            array = np.asarray(plain(value, key))
            array = np.array([]) if array.dtype.kind not in "iuf" else array.astype(np.float64)
        except (TypeError, ValueError):
            array = np.array([])
        if not (array.shape in ((2,), (3,)) if vector else array.ndim == 0):
            what = "three numbers" if vector else "a number"
            raise refused(f"{where}: `{key}` must be {what}, not {value!r}", key, where)
        if not np.isfinite(array).all():
            raise refused(f"{where}: `{key}` must be finite, not {value!r}", key, where)
        return [*map(float, np.atleast_1d(array)), 0.0][:3] if vector else float(array)

    checked: dict[str, Any] = {
        key: None if value is None and key == "charge" else finite(key) for key, value in numbers.items()
    }
    body = Body(name or "", component=component, **checked)
    if body.mass < 0:
        raise refused(f"{where}: `mass` = {body.mass!r} must be at least 0", "mass", where)
    return body


@dataclass(frozen=True)
class BodyArrays:
    """Bodies as the arguments of `Model.add_bodies`, converted to arrays of numpy."""

    mass: Floats
    position: Floats
    velocity: Floats | None
    charge: Floats | None
    names: Sequence[str] | None
    component: str | None

    @classmethod
    def of(cls, plain: Plain, names: Sequence[str] | None, component: str | None, **columns: Any) -> BodyArrays:
        """Of arrays of any types and strides.

        Raises:
            Error: masses or positions are missing, or shapes do not fit.
        """
        for key in ("mass", "position"):
            if columns[key] is None:
                raise refused(f"`{key}` is missing", key, "add_bodies")
        numbers: dict[str, Any] = {
            key: None
            if values is None
            else (arrays.rows if key in _COMPONENTS else arrays.scalars)(plain(values, key), key)
            for key, values in columns.items()
        }
        made_of = cls(names=names, component=component, **numbers)
        for key, array in {**numbers, "names": names}.items():
            if array is not None and len(array) != len(made_of.mass):
                raise refused(
                    f"there are {len(made_of.mass)} masses, but `{key}` has {len(array)} entries", key, "add_bodies"
                )
        return made_of

    @classmethod
    def of_bodies(cls, bodies: Sequence[Body]) -> BodyArrays:
        """Of single bodies of one component."""
        charged, named = any(body.charge is not None for body in bodies), any(body.name for body in bodies)
        return cls(
            mass=np.array([body.mass for body in bodies]),
            position=np.array([body.position for body in bodies]),
            velocity=np.array([body.velocity for body in bodies]),
            charge=np.array([body.charge or 0.0 for body in bodies]) if charged else None,
            names=[body.name for body in bodies] if named else None,
            component=bodies[0].component,
        )

    def struct(self) -> Any:
        """orrery_bodies, which refers to these arrays."""
        given = made("bodies", count=len(self.mass))
        given.mass, given.mass_stride = arrays.strided(self.mass)
        given.position = arrays.vectors(self.position)
        if self.velocity is not None:
            given.velocity = arrays.vectors(self.velocity)
        if self.charge is not None:
            given.charge, given.charge_stride = arrays.strided(self.charge)
        if self.names is not None:
            given.names = texts([str(name) for name in self.names])
        if self.component is not None:
            given.component = encoded(self.component)
        return given


def columns_of(table: Any) -> dict[str, Any]:
    """The arguments of `Model.add_bodies` of a table by columns: a dict, a table of pandas, a structured array.

    Raises:
        Error: a column that bodies do not have.
    """
    names = list(table.dtype.names or ()) if hasattr(table, "dtype") else list(table.keys())
    columns: dict[str, Any] = {}
    for name in names:
        key = next((key for key, parts in _COMPONENTS.items() if name in parts), name)
        if key != name:
            parts = [part for part in _COMPONENTS[key] if part in names]
            columns[key] = np.stack([np.asarray(table[part]) for part in parts], axis=1)
        elif name in ("name", "names"):
            columns["names"] = list(table[name])
        elif name in ("mass", "position", "velocity", "charge"):
            columns[name] = table[name] if hasattr(table[name], "to_value") else np.asarray(table[name])
        else:
            known = "mass, position or x, y, z, velocity or vx, vy, vz, charge, name"
            raise refused(f"unknown column `{name}` (there are: {known})", name, "add_bodies")
    return columns
