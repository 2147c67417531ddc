// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/model.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

/// Advances the bodies of a backend by an integrator in steps of dt, with readback, error reporting and energy
/// monitoring.
class Simulation {
 public:
  /// Starts at step 0, t = 0, from the bodies in the backend; dt < 0 integrates backward. `keys` are the values of the
  /// integrator's parameters, `names` the bodies' names for error messages (may be empty).
  Simulation(Backend& bodies, const Integrator& integrator, double dt, const KeyValues& keys = {},
             std::vector<std::string> names = {});
  /// The run of a model, on a backend made of its system.
  Simulation(Backend& bodies, const Model& model);

  /// `stop` is polled after each step of an adaptive integrator and while an out-of-range state is diagnosed. Once it
  /// returns true, `advance` returns early with `was_stopped() == true`; only `take_readback` and `resume` may be called
  /// then.
  void stop_when(StopRequest stop) { stop_ = std::move(stop); }
  [[nodiscard]] bool was_stopped() const { return cut_short_; }

  /// Records the extremes of energy and angular momentum from now on, and the first sampled state whose relative energy
  /// error exceeds `tolerated_energy_error`; snapshots contain both. Up to `few_bodies` bodies every step is sampled
  /// (every second one if a sample costs as much as a step), otherwise one random step of each 64. A run without energy
  /// at its start has no such error. `so_far` holds the previous values when a run is resumed. `mass`: [N], by which
  /// the bodies at fault are found; empty: all equal.
  void watch(const InitialEnergy& first, const Snapshot& so_far, std::vector<double> mass = {});

  /// Continues from a snapshot.
  void resume(const Snapshot& from);

  /// Advances by `steps`·dt; an adaptive integrator chooses its own steps. `observed_next`: the potential is needed
  /// next, so it is computed with the last forces. Throws Error, naming body and time, if an adaptive step becomes too
  /// small.
  void advance(std::int64_t steps, bool observed_next = false);

  /// The current state without observables. Throws Error, naming bodies and time, if it is out of range.
  Snapshot state();
  /// Starts an asynchronous readback of the current state and its observables. Further steps may be taken before
  /// `take_readback`.
  void request_readback() { begin_readback(columns_); }
  /// The same for the observables alone: `take_readback` returns a snapshot without bodies and only checks that the
  /// energy is finite.
  void request_observables() { begin_readback({}); }
  /// The result of the last request, once. Throws Error, naming bodies and time, if the state is out of range.
  Snapshot take_readback();
  /// `row`, a result of `request_observables`, completed by its state: steps again from the last good state to that
  /// step and stays there. Throws Error if the state is out of range or `stop` ended the steps.
  Snapshot restore_state(const Snapshot& row);
  Snapshot observe() {
    request_readback();
    return take_readback();
  }
  /// The same of a state that is no row: extremes stay those since the last row, and a later row is what it is without this call.
  Snapshot look();

  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] double time() const { return time_at(step_); }
  [[nodiscard]] const Backend& backend() const { return bodies_; }
  /// The clock of an adaptive integrator.
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  void advance_to(std::int64_t step);
  /// Takes steps of dt and tracks the sampled ones.
  void take_steps(std::int64_t steps);
  /// Sets energy_violation_ if the energy error became too large between the last good state and `current`. `energy` is that
  /// of a row; NaN for other states, whose times do not influence the result.
  void find_energy_violation(const Snapshot& current, double energy);
  /// `before`: the state one step earlier.
  [[nodiscard]] EnergyViolation energy_violation_at(const Snapshot& before, const Snapshot& state) const;
  void begin_readback(std::span<const Column> columns);
  Snapshot end_readback(bool is_row);
  [[nodiscard]] double accuracy() const { return keys_.at.front(); }
  [[nodiscard]] bool is_adaptive() const {
    return integrator_.advance_to != nullptr && (accuracy() > 0 || integrator_.step == nullptr);
  }
  [[nodiscard]] Step next_step() const { return Step{.dt = dt_, .keys = keys_}.later(step_); }
  /// step·dt, so that no rounding accumulates; never −0.
  [[nodiscard]] double time_at(std::int64_t step) const { return static_cast<double>(step) * dt_ + 0.0; }
  [[nodiscard]] Snapshot download() const;
  /// `values` are in the order of columns_.
  [[nodiscard]] Snapshot snapshot(std::int64_t step, const Clock& clock, std::vector<Vectors> values) const;
  [[nodiscard]] std::string name(std::size_t body) const;
  [[noreturn]] void throw_out_of_range(std::int64_t last);

  Backend& bodies_;
  const Integrator& integrator_;
  double dt_;
  KeyValues keys_;
  StopRequest stop_;
  bool cut_short_ = false;
  std::vector<Column> columns_;  ///< of a snapshot: position, velocity, persistent scratch columns, images
  std::int64_t step_ = 0, readback_step_ = 0;
  Clock clock_, readback_clock_;
  StepSampling sampling_;
  InitialEnergy first_energy_;
  std::vector<double> mass_{};
  Extremes earlier_;               ///< since the last row, before those that the backend holds
  std::int64_t tracked_to_ = 0;    ///< sampled steps up to this one are in the extremes
  bool readback_sampled_ = false;  ///< the state being read back is sampled and not in the extremes yet
  EnergyViolation energy_violation_;
  std::vector<std::string> names_;
  Snapshot last_good_;                  ///< the last snapshot in range that contains a state
  std::int64_t energy_checked_to_ = 0;  ///< no energy_violation up to this step
};

}  // namespace orrery::sim
