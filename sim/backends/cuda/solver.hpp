// SPDX-License-Identifier: MIT
// The interface of a force solver on a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/deferred_ops.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/resident.hpp"

namespace orrery::sim::cuda {

/// The state on the device. Columns in the order of Column, [3][stride] each, images last if there are any; masses,
/// potentials and, if a law has a cutoff, virials: [stride].
struct State {
  std::size_t n, stride;
  std::vector<DeviceArray<double>> columns;
  DeviceArray<double> mass, potential, virial;

  [[nodiscard]] double* at(Column column) const { return columns[static_cast<std::size_t>(column)].get(); }
};

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Queues the pair forces at the present positions into the acceleration column and the other outputs; partial sums
  /// may be added to `deferred`. Operations already there come first, by `deferred.carry_out` or the solver's kernels.
  virtual void evaluate(State& state, const Operation& evaluation, DeferredOps& deferred, Stream& stream) = 0;
  /// Queues the deferred operations.
  virtual void carry_out(State&, DeferredOps& deferred, Stream& stream) { deferred.carry_out(stream.get()); }
  /// Whether `evaluate` waits for the device, so that it cannot be recorded and replayed.
  [[nodiscard]] virtual bool waits() const { return false; }
  /// Returns itself if the solver keeps and moves the bodies, else null. Not called if external fields act.
  virtual ResidentSolver* resident() { return nullptr; }
  /// Minimum r² + ε² for which the pair force is representable in the solver's arithmetic.
  [[nodiscard]] virtual double min_r2() const { return default_min_r2; }
  /// Name of the pair loop, such as "pair-once".
  [[nodiscard]] virtual std::string kernel() const = 0;
};

}  // namespace orrery::sim::cuda
