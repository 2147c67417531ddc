// SPDX-License-Identifier: MIT
// What a force solver is on a GPU: it finds the columns of the state there, and may keep them as it likes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/waiting.hpp"

namespace orrery::sim::cuda {

/// Columns in the order of Column, [3][stride] each; masses, potentials: [stride].
struct State {
  std::size_t n, stride;
  std::vector<Array<double>> columns;
  Array<double> mass, potential;

  [[nodiscard]] double* at(Column column) const { return columns[static_cast<std::size_t>(column)].get(); }
};

/// Where an evaluation goes.
struct Evaluation {
  Wanted wanted;
  Column jerk;  ///< where that goes, if it is wanted
};

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Queues the pair forces at the present positions, into the column of accelerations and what else is wanted; sums may be
  /// left to wait. What `waiting` holds has been asked for and not started: it comes first, by `waiting.carry_out` or within
  /// the solver's own kernels. May bring all columns of the state, and the potentials, into another order, or change them for
  /// others; masses stay in the bodies' order.
  virtual void evaluate(State& state, const Evaluation& evaluation, Waiting& waiting, Queue& queue) = 0;

  /// On the device: which body is at each place of the columns, [n]. Null: each at its own.
  [[nodiscard]] virtual const std::uint32_t* order() const { return nullptr; }
  /// Carries out what waits; a solver that keeps columns in another type of number does it with kernels of its own.
  virtual void carry_out(State&, Waiting& waiting, Queue& queue) { waiting.carry_out(queue.get()); }
  /// Queues a column as doubles in the solver's order, [3][stride]; `column` itself where that is what it is.
  virtual const double* as_doubles(const State&, const double* column, Queue&) { return column; }
  /// A column was written by the host, as doubles in the solver's order.
  virtual void was_written(State&, double* /*column*/, Queue&) {}

  /// Steps that a graph records and replays: what they queue must come back to what it was within them.
  [[nodiscard]] virtual int steps_of_a_graph() const { return 16; }
  /// Below this r², softened, a pair has no force in its arithmetic.
  [[nodiscard]] virtual double least_r2() const { return least_r2_of_any_law; }
  /// How it goes through pairs: "pair-once".
  [[nodiscard]] virtual std::string kernel() const = 0;
};

}  // namespace orrery::sim::cuda
