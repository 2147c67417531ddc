// SPDX-License-Identifier: MIT
// What a force solver is on a GPU: it finds the columns of the state there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/deferred_ops.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/mover.hpp"

namespace orrery::sim::cuda {

/// Columns in the order of Column, [3][stride] each, images last where there are any; masses, potentials and, where a law has a
/// cutoff, virials: [stride].
struct State {
  std::size_t n, stride;
  std::vector<DeviceArray<double>> columns;
  DeviceArray<double> mass, potential, virial;

  [[nodiscard]] double* at(Column column) const { return columns[static_cast<std::size_t>(column)].get(); }
};

/// Where an evaluation goes.
struct Evaluation {
  Outputs outputs;
  Column jerk;  ///< where that goes, if it is wanted
};

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Queues the pair forces at the present positions, into the column of accelerations and what else is wanted; sums may be
  /// left to wait. What `deferred` holds has been asked for and not started: it comes first, by `waiting.carry_out` or within
  /// the solver's own kernels.
  virtual void evaluate(State& state, const Evaluation& evaluation, DeferredOps& deferred, Stream& stream) = 0;
  /// Carries out what waits.
  virtual void carry_out(State&, DeferredOps& deferred, Stream& stream) { deferred.carry_out(stream.get()); }
  /// Itself, where it moves the bodies too; where fields act as well it is not asked to.
  virtual Mover* mover() { return nullptr; }
  /// Below this r², softened, a pair has no force in its arithmetic.
  [[nodiscard]] virtual double least_r2() const { return least_r2_of_any_law; }
  /// How it goes through pairs: "pair-once".
  [[nodiscard]] virtual std::string kernel() const = 0;
};

}  // namespace orrery::sim::cuda
