// SPDX-License-Identifier: MIT
// Bodies from texts of JPL Horizons (https://ssd.jpl.nasa.gov/horizons/): tables of vectors or of osculating elements.
#pragma once

#include <filesystem>
#include <optional>

#include "pipeline/scenario/table_file.hpp"
#include "sim/initial_state.hpp"

namespace orrery::pipeline {

/// Whether the text begins as one of Horizons does, with its header or "$$SOE", rather than with names of columns.
bool is_horizons_file(const std::filesystem::path& file);

/// Reads the body at `epoch` (JD, TDB): its name, position and velocity on axes of the ecliptic of J2000 in `units`, and what it is
/// around, the name of the text's centre unless that is the barycentre of the solar system. Its mass is G M of the text's header (0
/// without one) over G. Without an epoch the text must have one state only. Elements are turned into a state with the
/// "Keplerian GM" of the text, whose orientation is its "Reference frame". Throws Error, Fault::request, with file:line: also for
/// observer tables, other centres than bodies' own, light-time corrected states, and dates that are not there.
TableFile read_horizons_file(const std::filesystem::path& file, const std::optional<double>& epoch,
                             const std::optional<sim::SystemOfUnits>& units);

}  // namespace orrery::pipeline
