// SPDX-License-Identifier: MIT
// How well a run conserved energy and angular momentum, and whether its rows are dense enough to show it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/run/massless_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The length of a vector of History.
double length(const std::array<double, 3>& v);

/// The total energy over a run. Errors are those of `start`, which says what they are relative to.
struct EnergyRecord {
  sim::InitialEnergy start;
  double first, last;
  double error;             ///< at the end
  double greatest_error;    ///< maximum absolute value, of the rows and the extremes between them
  std::string states_used;  ///< "every step", "157 of 10000 steps, drawn by counter", "600 rows"

  /// Returns whether the error is so large that the run does not show the motion of these bodies.
  [[nodiscard]] bool is_off() const { return start.scale() > 0 && greatest_error > sim::tolerated_energy_error; }
};

/// Returns whether the integrator of a run has a heat bath, which exchanges energy with the bodies.
bool has_bath(const RunRecord& record);

/// The energy to which the errors of these rows refer. There must be a row.
sim::InitialEnergy initial_energy(const History& history);
/// Returns nullopt if there are no rows. `own_steps` is the number of steps of an integrator that chooses them, else 0.
std::optional<EnergyRecord> energy_record(const History& history, std::int64_t own_steps = 0);

/// Returns max |ΔE| since the row before, including row i.
double energy_change(const History& history, std::size_t i);
/// Returns max |ΔL| since the row before; an upper bound, made of the components, if the rows hold extremes.
double angular_momentum_change(const History& history, std::size_t i);
/// The same of each component.
std::array<double, 3> angular_momentum_changes(const History& history, std::size_t i);

/// Returns |L₀| of the first row, or 0 if it is only rounding error compared with Σ m |x| |v| over the stored bodies. There must be a row.
double initial_angular_momentum(const History& history, const TrajectoryReader& trajectory);

/// How well a run kept the energy of all bodies, and those of the bodies without mass.
struct EnergyErrors {
  std::optional<EnergyRecord> all{};         ///< empty: there are no rows
  std::optional<MasslessRecord> massless{};  ///< empty: all bodies have mass

  /// Returns "ΔE/|E₀| = +1.20e-09, at most 3.40e-08", and the same of the bodies without mass.
  [[nodiscard]] std::string to_text() const;
};
/// Takes as long as massless_record().
EnergyErrors energy_errors(const TrajectoryReader& trajectory);

/// Returns "" if energy is conserved, else by how much it is off, since when, which bodies changed, and what to do. `errors` are
/// those of the trajectory.
std::string energy_warning(const TrajectoryReader& trajectory, const EnergyErrors& errors);

/// Adds the errors and, if the energy went off, the moment when it did.
void add_energy(Report& report, const TrajectoryReader& trajectory, const EnergyErrors& errors);

/// The least distance of two bodies in the states that the rows cover, and the row that covers it; empty if not kept.
struct ClosestApproach {
  double distance;
  std::array<std::int64_t, 2> bodies;
  std::size_t row;
};
std::optional<ClosestApproach> closest_approach(const History& history);
/// Adds it, or says that it was not measured.
void add_closest_approach(Report& report, const TrajectoryReader& trajectory);
/// Adds the last temperature and pressure of runs that record them.
void add_thermodynamics(Report& report, const TrajectoryReader& trajectory);

/// Returns whether the energy between two rows leaves their interval by more than 2 % of its range over the run. False
/// if the rows hold no extremes.
bool shows_between_rows(const History& history);

/// Returns a label for the extremes: "least to greatest of every step". `own_steps` as for energy_record.
std::string extremes_in_words(const History& history, std::int64_t own_steps);

/// Returns a warning if a curve through rows without extremes may be wrong: fewer than ten rows per `timescale` (0:
/// unknown), or every fourth row an extremum. Returns "" else, and if `values` change by rounding only.
std::string too_few_rows(const std::vector<double>& time, const std::vector<double>& values, double timescale,
                         std::string_view what = "rows");
/// Returns this warning: "600 rows are too few: what lies between is not seen". `what`: "rows" or "frames".
std::string too_few(std::size_t count, std::string_view what);

}  // namespace orrery::pipeline
