// SPDX-License-Identifier: MIT
// A run in progress: an integrator moves the bodies of a backend through steps of dt.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

class Simulation {
 public:
  /// Starts at step 0 and t = 0, and goes backward where dt < 0, with the bodies that the backend was made with.
  /// `keys` are the values of the integrator's. `names` are used in messages; may be empty.
  Simulation(Backend& bodies, const Integrator& integrator, double dt, const KeyValues& keys = {},
             std::vector<std::string> names = {});

  /// What to ask between an integrator's own steps, of which there may be very many in one of dt: where it says yes,
  /// `advance` returns before it is there. Then `cut_short` is true, and nothing but `seen` and `resume` may follow. It is
  /// asked as well while a state that has left the range is looked into: the Error then says what was found so far.
  void stop_when(bool (*asked)()) { stop_ = asked; }
  [[nodiscard]] bool cut_short() const { return cut_short_; }

  /// From now on the extremes of energy and angular momentum are kept: of every state up to 64 bodies (of every second one where
  /// a look costs as much as a step), else of one step drawn from each 64; and the first of these states whose energy is off by
  /// more than `tolerated_energy_error` of its `first` value (0: nothing is), which `seen` and `state` then tell of. `so_far` are
  /// those of a run that goes on.
  void watch(double first_energy, const Snapshot& so_far);

  /// Goes on from a snapshot.
  void resume(const Snapshot& from);

  /// Takes so many steps of dt, or as many of its own as the integrator needs to come as far. `observed_next`: the
  /// potential is wanted right after, so it comes with the last forces. Throws orrery::Error that names body and time
  /// where no step is small enough.
  void advance(std::int64_t steps, bool observed_next = false);

  /// The present state. Throws orrery::Error that names body and time where it has left the range of the arithmetic.
  Snapshot state();
  /// Looks at the present state with its observables; `seen`, which throws as `state` does, gives it once. A device
  /// takes further steps meanwhile.
  void request_readback();
  /// The same without the state, which is not copied: `seen` gives a snapshot with no body in it, and throws where the
  /// energy is no number. Whether a body has left the range shows when a state is next asked for.
  void request_observables();
  Snapshot take_readback();
  /// What `request_observables` saw, with its state: goes back to the last good state and on to that step, and stays there.
  /// For who has met an Error, which is why it throws Error where the state is not good or was not reached.
  Snapshot with_state(const Snapshot& row);
  Snapshot observe() {
    request_readback();
    return take_readback();
  }

  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] double time() const { return time_at(step_); }
  [[nodiscard]] const Backend& backend() const { return bodies_; }
  /// Of an integrator that chooses its steps itself.
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  void advance_to(std::int64_t step);
  /// Steps of dt, after which those that are drawn are met.
  void take_steps(std::int64_t steps);
  /// Looks for the moment at which the energy went off, between the last good state and `seen`, of this energy if it is a row
  /// (NaN: it is none). What is found does not depend on when states that are no rows were asked for.
  void look_for_excursion(const Snapshot& seen, double energy);
  [[nodiscard]] Excursion excursion_at(const Snapshot& state) const;
  void look_at(std::span<const Column> columns);
  [[nodiscard]] double accuracy() const { return keys_.at.front(); }
  [[nodiscard]] bool takes_own_steps() const {
    return integrator_.advance_to != nullptr && (accuracy() > 0 || integrator_.step == nullptr);
  }
  /// What the integrator is told of the step that comes next.
  [[nodiscard]] Step next_step() const { return Step{.dt = dt_, .keys = keys_}.later(step_); }
  /// An integer step times dt, so that no rounding adds up; 0 is never −0.
  [[nodiscard]] double time_at(std::int64_t step) const { return static_cast<double>(step) * dt_ + 0.0; }
  [[nodiscard]] Snapshot download() const;
  /// What the columns of the state, in the order of columns_, come to.
  [[nodiscard]] Snapshot snapshot(std::int64_t step, const Clock& clock, std::vector<Vectors> values) const;
  [[nodiscard]] std::string name(std::size_t body) const;
  [[nodiscard]] bool told_to_stop() const { return stop_ != nullptr && stop_(); }
  [[noreturn]] void explain(std::int64_t last);

  Backend& bodies_;
  const Integrator& integrator_;
  double dt_;
  KeyValues keys_;
  bool (*stop_)() = nullptr;
  bool cut_short_ = false;
  std::vector<Column> columns_;  ///< of the state: position, velocity, what the integrator keeps, images
  std::int64_t step_ = 0, looked_at_ = 0;
  Clock clock_, clock_looked_at_;
  StepSampling tracked_;
  double first_energy_ = 0;
  Extremes earlier_;             ///< met since the last look, before those that the backend has
  std::int64_t tracked_to_ = 0;  ///< drawn steps up to here were met
  bool look_counts_ = false;     ///< the state that was looked at was drawn, and not met yet
  Excursion excursion_;
  std::vector<std::string> names_;
  Snapshot last_good_;        ///< of those that hold a state
  std::int64_t fine_to_ = 0;  ///< up to this step nothing of the energy was off
};

}  // namespace orrery::sim
