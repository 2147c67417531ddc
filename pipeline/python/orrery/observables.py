# SPDX-License-Identifier: MIT
"""Quantities of the whole system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Floats


@dataclass(frozen=True)
class Observables:
    """Quantities of the whole system at one moment, in the units of the model.

    Attributes:
        kinetic_energy, potential_energy, total_energy: energies.
        energy_error: of the total energy relative to the start, as `Run.energy_error`.
        momentum, angular_momentum, center_of_mass: of shape [3]; the angular momentum about the origin.
        virial: of forces with a cutoff, else 0.
    """

    kinetic_energy: float
    potential_energy: float
    total_energy: float
    energy_error: float
    momentum: Floats
    angular_momentum: Floats
    center_of_mass: Floats
    virial: float


def observables_of(raw: Any) -> Observables:
    """Those of an orrery_observables."""
    names = Observables.__dataclass_fields__
    values: dict[str, Any] = {name: getattr(raw, name) for name in names}
    for name, value in values.items():
        values[name] = value if isinstance(value, float) else np.array(value)
    return Observables(**values)
