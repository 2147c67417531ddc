# SPDX-License-Identifier: MIT
"""Bodies that are given to a model: one by one, as arrays, as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import arrays
from ._library import C, made
from .arrays import Floats
from .context import encoded, texts
from .errors import refused

Plain = Callable[[Any, str], Any]
"""A value of a key of a body without its unit."""

ELEMENTS = {
    "semi_major_axis": ("a", "length"),
    "period": ("P", "time"),
    "pericentre": ("q", "length"),
    "apocentre": ("Q", "length"),
    "eccentricity": ("e", ""),
    "inclination": ("i", "angle"),
    "ascending_node": ("Omega", "angle"),
    "argument_of_pericentre": ("omega", "angle"),
    "longitude_of_pericentre": ("pomega", "angle"),
    "mean_anomaly": ("M", "angle"),
    "eccentric_anomaly": ("E", "angle"),
    "true_anomaly": ("f", "angle"),
    "mean_longitude": ("l", "angle"),
    "time_of_pericentre": ("T", "time"),
}
"""Elements of orbits: symbols, which are accepted as well, and dimensions; angles are in degrees."""

_SYMBOLS = {symbol: name for name, (symbol, _) in ELEMENTS.items()}

DIMENSIONS = {"mass": "mass", "position": "length", "velocity": "length/time", "charge": "charge",
              "radius": "length"} | {
    key: dimension for name, (symbol, dimension) in ELEMENTS.items() for key in (name, symbol)
}

_Element = C.structs["orrery_element"]

_COMPONENTS = {"position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz")}


@dataclass(frozen=True)
class Bodies:
    """Bodies at the start of a run, in the units of the model.

    Attributes:
        mass: of shape [bodies].
        position, velocity: of shape [bodies, 3].
        charge: of shape [bodies], or None if they have none.
        names: [bodies], empty texts for those without one.
        radius: of shape [bodies], or None if they have none.
    """

    mass: Floats
    position: Floats
    velocity: Floats
    charge: Floats | None
    names: tuple[str, ...]
    radius: Floats | None = None

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
    radius: float | None = None
    around: str = ""
    plane: str = ""
    elements: Mapping[str, float] = field(default_factory=dict)


def full_names(elements: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Elements by their names, which may be given by their symbols; without those that are None.

    Raises:
        Error: an unknown one, or one that is given twice.
    """
    named: dict[str, Any] = {}
    for key, value in elements.items():
        name = _SYMBOLS.get(key, key)
        if name not in ELEMENTS:
            raise refused(f"{where}: there is no key `{key}`", key, where)
        if name in named:
            raise refused(f"{where}: `{key}` is `{name}`, which is given, too", key, where)
        if value is not None:
            named[name] = value
    return named


def orbiting_body(
    plain: Plain, where: str, name: str | None, component: str | None, around: str | Sequence[str] | None,
    plane: str | None, mass: Any, charge: Any, radius: Any, elements: Mapping[str, Any],
) -> Body:
    """A body on an orbit, of the arguments of `Model.add`.

    Raises:
        Error: as `body_of`, and elements that it cannot have.
    """
    body = body_of(
        plain, where, name, component, mass=mass, position=[math.nan] * 3, velocity=[math.nan] * 3, charge=charge,
        radius=radius,
    )
    numbers: dict[str, float] = {}
    for key, value in full_names(elements, where).items():
        try:
            numbers[key] = float(plain(value, key))
        except (TypeError, ValueError):
            raise refused(f"{where}: `{key}` must be a number, not {value!r}", key, where) from None
        if not math.isfinite(numbers[key]):
            raise refused(f"{where}: `{key}` must be finite, not {value!r}", key, where)
    return replace(body, around=around_text(around), plane=plane or "", elements=numbers)


def around_text(around: str | Sequence[str] | None) -> str:
    """What a body is around, as the library has it: several names make their barycentre."""
    return around or "" if around is None or isinstance(around, str) else " + ".join(around)


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
        absent = vector and np.isnan(array).all()  # of a body on an orbit
        if not np.isfinite(array).all() and not absent:
            raise refused(f"{where}: `{key}` must be finite, not {value!r}", key, where)
        return [*map(float, np.atleast_1d(array)), 0.0][:3] if vector else float(array)

    checked: dict[str, Any] = {
        key: None if value is None and key in ("charge", "radius") else finite(key) for key, value in numbers.items()
    }
    body = Body(name or "", component=component, **checked)
    for key, value in (("mass", body.mass), ("radius", body.radius or 0.0)):
        if value < 0:
            raise refused(f"{where}: `{key}` = {value!r} must be at least 0", key, where)
    return body


@dataclass(frozen=True)
class BodyArrays:
    """Bodies as the arguments of `Model.add_bodies`, converted to arrays of numpy."""

    mass: Floats
    position: Floats | None
    velocity: Floats | None
    charge: Floats | None
    names: Sequence[str] | None
    component: str | None
    radius: Floats | None = None
    around: Sequence[str] | None = None
    planes: Sequence[str] | None = None
    elements: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        plain: Plain,
        names: Sequence[str] | None,
        component: str | None,
        *,
        around: str | Sequence[str] | None = None,
        plane: str | Sequence[str] | None = None,
        elements: Mapping[str, Any] | None = None,
        **columns: Any,
    ) -> BodyArrays:
        """Of arrays of any types and strides.

        Raises:
            Error: masses or positions are missing, or shapes do not fit.
        """
        given = full_names(elements or {}, "add_bodies")
        for key in ("mass",) if given else ("mass", "position"):
            if columns[key] is None:
                raise refused(f"`{key}` is missing", key, "add_bodies")
        numbers: dict[str, Any] = {
            key: None
            if values is None
            else (arrays.rows if key in _COMPONENTS else arrays.scalars)(plain(values, key), key)
            for key, values in columns.items()
        }
        count = len(numbers["mass"])
        orbits = {key: arrays.scalars(np.broadcast_to(plain(value, key), count), key) for key, value in given.items()}
        each = {
            key: [text] * count if isinstance(text, str) else text for key, text in (("around", around), ("planes", plane))
        }
        made_of = cls(names=names, component=component, elements=orbits, **each, **numbers)
        for key, array in {**numbers, **each, "names": names}.items():
            if array is not None and len(array) != len(made_of.mass):
                raise refused(
                    f"there are {len(made_of.mass)} masses, but `{key}` has {len(array)} entries", key, "add_bodies"
                )
        return made_of

    @classmethod
    def of_bodies(cls, bodies: Sequence[Body]) -> BodyArrays:
        """Of single bodies of one component."""
        elements = sorted({key for body in bodies for key in body.elements})
        named = any(body.name for body in bodies)

        def numbers_of(values: list[float | None]) -> Floats | None:
            return None if all(value is None for value in values) else np.array([value or 0.0 for value in values])

        return cls(
            mass=np.array([body.mass for body in bodies]),
            position=np.array([body.position for body in bodies]),
            velocity=np.array([body.velocity for body in bodies]),
            charge=numbers_of([body.charge for body in bodies]),
            radius=numbers_of([body.radius for body in bodies]),
            names=[body.name for body in bodies] if named else None,
            component=bodies[0].component,
            around=[body.around for body in bodies] if any(body.around for body in bodies) else None,
            planes=[body.plane for body in bodies] if any(body.plane for body in bodies) else None,
            elements={key: np.array([body.elements.get(key, math.nan) for body in bodies]) for key in elements},
        )

    def struct(self) -> Any:
        """orrery_bodies, which refers to these arrays."""
        given = made("bodies", count=len(self.mass))
        given.mass, given.mass_stride = arrays.strided(self.mass)
        if self.position is not None:
            given.position = arrays.vectors(self.position)
        if self.velocity is not None:
            given.velocity = arrays.vectors(self.velocity)
        if self.charge is not None:
            given.charge, given.charge_stride = arrays.strided(self.charge)
        if self.radius is not None:
            given.radius, given.radius_stride = arrays.strided(self.radius)
        if self.names is not None:
            given.names = texts([str(name) for name in self.names])
        if self.component is not None:
            given.component = encoded(self.component)
        if self.around is not None:
            given.around = texts([around_text(around) for around in self.around])
        if self.planes is not None:
            given.planes = texts([str(plane) for plane in self.planes])
        if self.elements:
            entries = (_Element * len(self.elements))()
            for entry, (name, values) in zip(entries, self.elements.items()):
                entry.name = encoded(name)
                entry.values, entry.stride = arrays.strided(values)
            given.elements, given.element_count = entries, len(entries)
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
        elif name in ("mass", "position", "velocity", "charge", "radius"):
            columns[name] = table[name] if hasattr(table[name], "to_value") else np.asarray(table[name])
        elif name in ("around", "plane"):
            columns[name] = list(table[name])
        elif name in ELEMENTS or name in _SYMBOLS:
            columns[name] = table[name] if hasattr(table[name], "to_value") else np.asarray(table[name])
        else:
            known = "mass, position or x, y, z, velocity or vx, vy, vz, charge, radius, name, around, plane, elements of orbits"
            raise refused(f"unknown column `{name}` (there are: {known})", name, "add_bodies")
    return columns
