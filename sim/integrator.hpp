// SPDX-License-Identifier: MIT
// An integrator is a sentence of a backend's verbs that describes itself; the list of all integrators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/parameter.hpp"
#include "sim/backend.hpp"

namespace orrery::sim {

/// A column that an integrator uses besides position, velocity and acceleration.
struct WorkVector {
  std::string_view name;
  bool persistent;  ///< kept between steps, so part of the state that a run is resumed from
};

/// What an integrator that chooses its steps itself is asked to show: the state at step `to` of the scenario's dt. What
/// it showed last is that of step `from`.
struct AdvanceGoal {
  std::int64_t from, to;
  double dt;                 ///< negative where time falls
  double accuracy;           ///< 0: its steps are those of dt
  bool (*stop)() = nullptr;  ///< asked after each step: whether to throw Stopped rather than to go on
  StepSampling tracked{};    ///< after which of its own steps the extremes are widened

  [[nodiscard]] double time() const { return static_cast<double>(to) * dt; }
};

/// Stepping ended on the way, because `stop` said so. Nothing is shown; own state and clock are whole.
struct Stopped {};

/// A step fell below what changes the time. Simulation makes an Error of it that names the body.
struct StepTooSmall {
  double time, length;
  std::size_t body;  ///< that asked for the smallest step
};

/// Why an integrator needs space without walls that puts positions together from saved columns rather than by `drift`.
inline constexpr std::string_view passes_walls =
    "its positions come from the beginning of a step, which a wall that is met on the way does not change";

struct Integrator {
  std::string_view name;
  std::string_view meaning;
  int order;
  bool symplectic;
  bool symmetric = false;     ///< a step of −dt undoes one of dt, but for rounding
  bool drifts_first = false;  ///< so that the forces at the ends of a step are never wanted
  int evaluations;            ///< of the forces in a step, at least where their number changes from step to step
  std::string_view reference;
  std::span<const WorkVector> columns{};
  /// Its keys, numbers all of them, which come with each step in this order. The first one of an integrator that chooses
  /// its steps is how accurate they shall be, 0 for steps of dt.
  std::span<const Parameter> parameters{};
  double least_accuracy = 0;  ///< below it, but for 0, steps would shrink for digits that a double does not have
  /// Why it needs forces in double, where it does; completes "ias15 needs precision = "float64": ".
  std::string_view why_float64{};
  /// Why it needs space without walls, where it does; completes "rk4 needs boundary = "open": ".
  std::string_view why_open{};
  /// Uses `accelerate_with_jerk`.
  bool jerk = false;
  /// Fills persistent columns at the start of a run, where those that are zero will not do.
  void (*start)(Backend& bodies) = nullptr;
  /// What `step` asks the backend for depends on the number or the time of the step, or comes from the host: as where it
  /// draws noise or a force changes with time. Nothing of it is recorded then.
  bool uses_time = false;
  /// Uses `thermalise`.
  bool bath = false;
  /// One step of dt. Null where even steps of dt take the host's decisions.
  void (*step)(Backend& bodies, const Step& step) = nullptr;
  /// Null where it takes steps of dt alone. Takes its own steps until the last one ends at or beyond `goal.time()`,
  /// then leaves the state at that time in position and velocity: interpolated, or by a step aside that is forgotten.
  /// Its own state is in its columns and the clock, so that its steps never depend on what is shown; before the first
  /// (clock.length = 0) that is what position and velocity hold. Throws StepTooSmall.
  void (*advance_to)(Backend& bodies, Clock& clock, const AdvanceGoal& goal) = nullptr;

  [[nodiscard]] KeyValues keys(const Arguments& arguments) const {
    KeyValues values;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const std::string_view key = parameters[k].name;
      const bool whole = parameters[k].kind == Kind::integer;
      values.at.at(k) = whole ? static_cast<double>(arguments.integer(key)) : arguments.number(key);
    }
    return values;
  }
  /// How accurate its own steps shall be; 0 where it takes those of dt.
  [[nodiscard]] double accuracy(const Arguments& arguments) const {
    return advance_to == nullptr ? 0 : keys(arguments).at.front();
  }
};

/// Room in a system for what an integrator keeps and uses.
void make_room(System& system, const Integrator& integrator);

/// Every integrator, in the order of `orrery list integrator`.
std::span<const Integrator* const> integrators();

}  // namespace orrery::sim
