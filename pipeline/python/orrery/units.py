# SPDX-License-Identifier: MIT
"""Quantities of astropy as numbers in the units of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .catalogue import entries
from .errors import refused

if TYPE_CHECKING:
    from .model import Model

_KINDS = {"mass": "mass", "position": "length", "velocity": "length/time"}


def units_of(system: str) -> dict[str, str]:
    """Names of the units of length, time and mass of a system, as astropy reads them; empty in N-body units."""
    pairs = (part.strip().partition(" ") for part in entries("units")[system].meaning.split(","))
    return {kind: unit for kind, _, unit in pairs if kind in ("length", "time", "mass")}


def plain(model: Model, value: Any, key: str) -> Any:
    """A value without its unit, if it has one, in the units of the model.

    Raises:
        Error: it has a unit, but the model has none, or one of another kind.
    """
    if not hasattr(value, "to_value"):
        return value
    from astropy import units  # it comes from there

    own = units_of(model.units)
    if not own or key not in _KINDS:
        raise refused(f"`{key}` = {value} has a unit: give the model units, such as units=\"astronomical\"", key)
    unit = units.Unit(own["length"]) / units.Unit(own["time"]) if key == "velocity" else units.Unit(own[_KINDS[key]])
    try:
        return value.to_value(unit)
    except units.UnitConversionError:
        raise refused(f"`{key}` = {value} is no {_KINDS[key]}", key) from None
