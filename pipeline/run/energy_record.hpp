// SPDX-License-Identifier: MIT
// How well a run kept its energy and angular momentum: what its rows and their extremes say, and when the energy went off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The total energy over a run. Errors are (E − E₀)/|E₀|, or E − E₀ where E₀ = 0.
struct EnergyRecord {
  double first, last;
  double error;           ///< at the end
  double greatest_error;  ///< in absolute value, of the rows and of what was met between them
  std::string looked_at;  ///< of which states: "every step", "157 of 10000 steps, drawn by counter", "600 rows"
  bool rounding;          ///< E₀ is little more than the rounding of its parts

  /// So much that the run shows its errors rather than the motion of its bodies.
  [[nodiscard]] bool is_off() const { return !rounding && greatest_error > sim::tolerated_energy_error; }
};
/// None where there are no rows. `own_steps`: how many the integrator took, if it chose them; else 0.
std::optional<EnergyRecord> energy_record(const History& history, std::int64_t own_steps = 0);

/// Over how many states the extremes of the rows run, and of how many steps; no states where the rows keep none. Every step
/// counts where the integrator chose them, `own_steps` > 0.
struct StatesMet {
  std::int64_t states, steps;
  [[nodiscard]] bool every_step() const { return states >= steps; }
};
StatesMet states_met(const History& history, std::int64_t own_steps);

/// The greatest |ΔE| since the row before, that of row i included.
double energy_change(const History& history, std::size_t i);
/// The same of |ΔL|: an upper bound made of its components, where the rows keep extremes.
double angular_momentum_change(const History& history, std::size_t i);

/// Where the energy of a run is off: how much, since when, which bodies were close to each other then, and what to do. Else
/// empty.
std::string energy_warning(const TrajectoryReader& trajectory);

/// The record, and the moment at which the energy went off, where it did.
void add_energy(Report& report, const TrajectoryReader& trajectory);
/// The last temperature and pressure, of runs that have them.
void add_thermodynamics(Report& report, const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
