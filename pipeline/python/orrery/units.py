# SPDX-License-Identifier: MIT
"""Quantities of astropy as numbers in the units of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .catalogue import Key, entries
from .errors import refused

if TYPE_CHECKING:
    from .model import Model

_DIMENSIONS = {"mass": (0, 0, 1), "length": (1, 0, 0), "length/time": (1, -1, 0)}  # powers of length, time and mass
_OF_ORBITS = {"period", "time_of_pericentre"}  # times that the library reads as numbers


def units_of(system: str) -> dict[str, str]:
    """Names of the units of length, time and mass of a system, as astropy reads them; empty in N-body units."""
    pairs = (part.strip().partition(" ") for part in entries("units")[system].meaning.split(","))
    return {kind: unit for kind, _, unit in pairs if kind in ("length", "time", "mass")}


def plain(model: Model, value: Any, key: str, dimension: str) -> Any:
    """A value without its unit, if it has one, in the units of the model. One of another dimension than length, mass
    and length/time is left as it is: the library understands times.

    Raises:
        Error: it has a unit, but the model has none, or one of another dimension.
    """
    if hasattr(value, "to_value") and dimension == "angle":
        return value.to_value("deg")
    powers = (0, 1, 0) if key in _OF_ORBITS else _DIMENSIONS.get(dimension)
    if not hasattr(value, "to_value") or powers is None:
        return value
    from astropy import units  # it comes from there

    own = units_of(model.units)
    if not own:
        raise refused(f'`{key}` = {value} has a unit: give the model units, such as units="astronomical"', key)
    unit = units.dimensionless_unscaled
    for base, power in zip(("length", "time", "mass"), powers):
        unit = unit * units.Unit(own[base]) ** power
    try:
        return value.to_value(unit)
    except units.UnitConversionError:
        raise refused(f"`{key}` = {value} is no {dimension}", key) from None


def plain_keys(model: Model, values: Mapping[str, Any], described: Mapping[str, Key]) -> dict[str, Any]:
    """Values of keys without their units."""
    return {
        key: plain(model, value, key, described[key].unit if key in described else "") for key, value in values.items()
    }
