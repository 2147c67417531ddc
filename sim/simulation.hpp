// SPDX-License-Identifier: MIT
// A run in progress: an integrator moves the bodies of a backend through steps of dt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/snapshot.hpp"

namespace orrery::sim {

class Simulation {
 public:
  /// Starts at step 0 with the bodies that the backend was made with. `names` are used in messages; may be empty.
  Simulation(Backend& bodies, const Integrator& integrator, double dt, std::vector<std::string> names = {});

  /// Goes on from a snapshot.
  void resume(const Snapshot& from);

  /// Takes so many steps. `observed_next`: the potential is wanted right after, so it comes with the last forces.
  void advance(std::int64_t steps, bool observed_next = false);

  /// The present state; the second with its observables too. Both throw orrery::Error that names body and time where
  /// the state has left the range of the arithmetic.
  Snapshot state();
  Snapshot observe();

  [[nodiscard]] std::int64_t step() const { return step_; }
  /// An integer step times dt, so that no rounding adds up.
  [[nodiscard]] double time() const { return static_cast<double>(step_) * dt_; }
  [[nodiscard]] const Backend& backend() const { return bodies_; }

 private:
  [[nodiscard]] Snapshot download() const;
  [[noreturn]] void explain();

  Backend& bodies_;
  const Integrator& integrator_;
  double dt_;
  std::int64_t step_ = 0;
  std::vector<std::string> names_;
  Snapshot last_good_;
};

}  // namespace orrery::sim
