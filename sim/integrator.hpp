// SPDX-License-Identifier: MIT
// An integrator is a sentence of a backend's verbs that describes itself; the list of all integrators.
#pragma once

#include <span>
#include <string_view>

#include "common/parameter.hpp"
#include "sim/backend.hpp"

namespace orrery::sim {

/// A column that an integrator uses besides position, velocity and acceleration.
struct OwnColumn {
  std::string_view name;
  bool persistent;  ///< kept between steps, so part of the state that a run is resumed from
};

/// What an integrator that chooses its steps itself is asked to show: the state at step `to` of the scenario's dt. What
/// it showed last is that of step `from`.
struct Journey {
  std::int64_t from, to;
  double dt;                 ///< negative where time falls
  double accuracy;           ///< 0: its steps are those of dt
  bool (*stop)() = nullptr;  ///< asked after each step: whether to throw Stopped rather than to go on
  StepSampling tracked{};    ///< after which of its own steps the extremes are widened

  [[nodiscard]] double time() const { return static_cast<double>(to) * dt; }
};

/// A journey ended on the way, because `stop` said so. Nothing is shown; own state and clock are whole.
struct Stopped {};

/// A step fell below what changes the time. Simulation makes an Error of it that names the body.
struct StepTooSmall {
  double time, length;
  std::size_t body;  ///< that asked for the smallest step
};

struct Integrator {
  std::string_view name;
  std::string_view meaning;
  int order;
  bool symplectic;
  bool symmetric = false;     ///< a step of −dt undoes one of dt, but for rounding
  bool drifts_first = false;  ///< so that the forces at the ends of a step are never wanted
  int evaluations;            ///< of the forces in a step, at least where their number changes from step to step
  std::string_view reference;
  std::span<const OwnColumn> columns{};
  /// Its one key, if it has one: how accurate its steps shall be, 0 for steps of dt.
  std::span<const Parameter> parameters{};
  double least_accuracy = 0;  ///< below it, but for 0, steps would shrink for digits that a double does not have
  /// Why it needs forces in double, where it does; completes "ias15 needs precision = "float64": ".
  std::string_view why_float64{};
  /// Uses `accelerate_with_jerk`.
  bool jerk = false;
  /// Fills persistent columns at the start of a run, where those that are zero will not do.
  void (*start)(Backend& bodies) = nullptr;
  /// One step of dt. Null where even steps of dt take the host's decisions.
  void (*step)(Backend& bodies, double dt) = nullptr;
  /// Null where it takes steps of dt alone. Takes its own steps until the last one ends at or beyond `journey.time()`,
  /// then leaves the state at that time in position and velocity: interpolated, or by a step aside that is forgotten.
  /// Its own state is in its columns and the clock, so that its steps never depend on what is shown; before the first
  /// (clock.length = 0) that is what position and velocity hold. Throws StepTooSmall.
  void (*reach)(Backend& bodies, Clock& clock, const Journey& journey) = nullptr;

  /// The value of its key; 0 where it has none.
  [[nodiscard]] double accuracy(const Arguments& arguments) const {
    return parameters.empty() ? 0 : arguments.number(parameters.front().name);
  }
};

/// Room in a system for what an integrator keeps and uses.
void make_room(System& system, const Integrator& integrator);

/// Every integrator, in the order of `orrery list integrator`.
std::span<const Integrator* const> integrators();

}  // namespace orrery::sim
