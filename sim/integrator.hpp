// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/function_view.hpp"
#include "common/parameter.hpp"
#include "sim/backend.hpp"
#include "sim/publication.hpp"
#include "sim/stop_request.hpp"

namespace orrery::sim {

struct ForeignIntegrator;  // sim/foreign.hpp

/// A column that an integrator uses besides position, velocity and acceleration.
struct ScratchColumn {
  std::string_view name;
  bool persistent;  ///< kept between steps and saved in snapshots
};

/// What an adaptive integrator must reach: the state at step `to` of the scenario's dt. Its last output was step
/// `from`.
struct AdvanceGoal {
  std::int64_t from, to;
  double dt;               ///< negative when integrating backward
  double accuracy;         ///< 0: fixed steps of dt
  StopRequest stop{};      ///< polled after each step; true: throw Stopped
  StepSampling tracked{};  ///< which of its own steps are tracked

  [[nodiscard]] double time() const { return static_cast<double>(to) * dt; }
};

/// Thrown when `stop` returned true. Position and velocity are undefined; scratch columns and clock are consistent.
struct Stopped {};

/// Thrown when a step is too short to change the time. Simulation turns it into an Error that names the body.
struct StepTooSmall {
  double time, length;
  std::size_t body;  ///< that required the smallest step
};

/// Integrator::why_open of methods that combine saved columns instead of calling `drift`.
inline constexpr std::string_view positions_bypass_walls =
    "its positions come from the beginning of a step, which a wall that is met on the way does not change";

/// A time-stepping method with its description.
struct Integrator {
  std::string_view name;
  std::string_view meaning;
  int order;
  bool symplectic = false;
  bool symmetric = false;     ///< a step of −dt undoes one of dt, up to rounding
  bool drifts_first = false;  ///< forces are never evaluated at the ends of a step
  int evaluations;            ///< of the forces per step; the minimum if it varies
  Citations references{};     ///< where it was published
  std::span<const ScratchColumn> columns{};
  /// Numeric parameters, passed to each step in this order. The first one of an adaptive integrator is its accuracy, 0
  /// for fixed steps of dt.
  std::span<const Parameter> parameters{};
  double min_accuracy = 0;  ///< minimum nonzero accuracy; below, rounding would shrink steps without end
  /// If it needs forces in float64: why. Completes "ias15 needs precision = "float64": ".
  std::string_view why_float64{};
  /// If it needs open boundaries: why. Completes "rk4 needs boundary = "open": ".
  std::string_view why_open{};
  /// Calls `accelerate_with_jerk`.
  bool jerk = false;
  /// Initialises persistent columns at the start of a run; null: zeros are right.
  FunctionView<void(Backend& bodies)> start = nullptr;
  /// The operations of `step` depend on its number or time or on data of the host (noise, time-dependent forces), so
  /// that they must not be recorded.
  bool uses_time = false;
  /// Calls `thermalise`.
  bool bath = false;
  /// One step of dt; null if `advance_to` also takes fixed steps.
  FunctionView<void(Backend& bodies, const Step& step)> step = nullptr;
  /// For adaptive integrators, else null. Takes steps until the last one ends at or beyond `goal.time()`, then writes
  /// the state at that time to position and velocity, by interpolation or a discarded side step. Its own state is in
  /// the scratch columns and the clock, so that steps do not depend on output times; the first step (clock.length = 0)
  /// starts from position and velocity. Throws StepTooSmall and Stopped.
  void (*advance_to)(Backend& bodies, Clock& clock, const AdvanceGoal& goal) = nullptr;
  const ForeignIntegrator* foreign = nullptr;  ///< what one of the program that uses the library says of itself

  [[nodiscard]] KeyValues keys(const Arguments& arguments) const {
    KeyValues values;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const std::string_view key = parameters[k].name;
      const bool whole = parameters[k].kind == Kind::integer;
      values.at.at(k) = whole ? static_cast<double>(arguments.integer(key)) : arguments.number(key);
    }
    return values;
  }
  /// The accuracy of adaptive steps; 0 for fixed steps of dt.
  [[nodiscard]] double accuracy(const Arguments& arguments) const {
    return advance_to == nullptr ? 0 : keys(arguments).at.front();
  }
};

/// Sets what the system must provide for the integrator: scratch columns, jerk and heat bath.
void add_requirements(System& system, const Integrator& integrator);

/// Every integrator, in the order of `orrery list integrator`.
std::span<const Integrator* const> integrators();

}  // namespace orrery::sim
