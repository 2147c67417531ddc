#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""States of the solar system from DE405, as Debian's packages casacore-data-jpl-de405 and python3-casacore have it.

    solar_system.py table           sim/initial_states/ephemeris_table.cpp before clang-format, to standard output
    solar_system.py states JD…      what tests compare with: positions (au) and velocities (au/d) at those dates (TDB)

The data are the Jet Propulsion Laboratory's, without copyright in the United States (17 U.S.C. 105). A record of the file covers
32 days. It holds Chebyshev coefficients of x, y and z in km for one or several spans of each body, in the layout of the
constants file of DE405, without the two dates at the beginning of a record.
"""
import sys

import numpy
from casacore.tables import table

FOLDER = "/usr/share/casacore/data/ephemerides/DE405"
FIRST_RECORD, DAYS = 2436912.5, 32
# body: its first coefficient, coefficients, spans of a record
LAYOUT = {"mercury": (0, 14, 4), "venus": (168, 10, 2), "earth-moon": (228, 13, 2), "mars": (306, 11, 1),
          "jupiter": (339, 8, 1), "saturn": (363, 7, 1), "uranus": (384, 6, 1), "neptune": (402, 6, 1),
          "pluto": (420, 6, 1), "moon": (438, 13, 8), "sun": (750, 11, 2)}
ORDER = ["sun", "mercury", "venus", "earth", "moon", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto"]
FIRST_DATE, BETWEEN, COUNT = 2436934.5, 1015, 37
AU = 149597870.7  # km, IAU 2012

data = table(FOLDER, ack=False)
records, constants = data.getcol("x"), data.getkeywords()


def chebyshev(body, date):
    """Position and velocity, in au and au/d: [2, 3]."""
    first, count, spans = LAYOUT[body]
    record = min(int((date - FIRST_RECORD) // DAYS), len(records) - 1)
    length = DAYS / spans
    since = date - FIRST_RECORD - DAYS * record
    span = min(int(since // length), spans - 1)
    x = 2 * (since - span * length) / length - 1
    start = first + span * 3 * count
    c = records[record][start:start + 3 * count].reshape(3, count).T
    derivative = numpy.polynomial.chebyshev.chebder(c) * 2 / length
    return numpy.array([numpy.polynomial.chebyshev.chebval(x, c), numpy.polynomial.chebyshev.chebval(x, derivative)]) / AU


def states(date):
    """[body, 2, 3], from the barycentre of the solar system."""
    at = {body: chebyshev(body, date) for body in LAYOUT}
    at["earth"] = at["earth-moon"] - at["moon"] / (1 + constants["EMRAT"])
    at["moon"] = at["moon"] + at["earth"]
    return numpy.array([at[body] for body in ORDER])


def lines(all_states, indent):
    for x, v in all_states:
        position, velocity = ", ".join(f"{c:.13f}" for c in x), ", ".join(f"{c:.15f}" for c in v)
        print(f"{indent}{{{{{position}}}, {{{velocity}}}}},")


def print_table():
    print("""// SPDX-License-Identifier: MIT
// Made by tests/sim/solar_system.py from the Chebyshev coefficients of DE405, data of the Jet Propulsion Laboratory without
// copyright (see there).
#include "sim/initial_states/ephemeris.hpp"

namespace orrery::sim::ephemeris {

const States nodes[node_count] = {""")
    for k in range(COUNT):
        print("    {{")
        lines(states(FIRST_DATE + k * BETWEEN), "        ")
        print("    }},")
    print("""};

}  // namespace orrery::sim::ephemeris""")


if __name__ == "__main__":
    if sys.argv[1:] == ["table"]:
        print_table()
    elif sys.argv[1:2] == ["states"]:
        for argument in sys.argv[2:]:
            print(argument)
            lines(states(float(argument)), "    ")
    else:
        sys.exit(__doc__)
