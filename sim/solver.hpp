// SPDX-License-Identifier: MIT
// A force solver is an algorithm for the forces of pairs, on each kind of backend; the list of all of them.
//
// A backend holds the state and carries out the verbs; where pair forces are wanted it asks its solver. One folder of
// sim/solvers/ has all of one: its description, its code for the host, and what it does on a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sim/arithmetic.hpp"
#include "sim/backend.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/mover.hpp"
#include "sim/precision.hpp"

namespace orrery {
class ThreadPool;
}

namespace orrery::sim {

namespace cuda {
class Solver;
class Stream;
struct State;
}  // namespace cuda

/// The bodies on a host as forces act on them, and where these go: n numbers a coordinate. In the cpu backend each array can be
/// read and written on to a multiple of 32 numbers, or a whole vector where there are at most 128 bodies; what lies there beyond
/// n is zeros.
struct HostBodies {
  const double *position[3], *velocity[3];
  std::size_t n;
  Outputs outputs;
  /// The potential and the jerk as wanted, else null; the virial comes with the potential where a law has a cutoff.
  double *acceleration[3], *potential, *virial, *jerk[3];
};

/// The columns of the state on a host, for a solver that moves the bodies: n numbers a coordinate. Those of images are null where
/// there are none.
struct HostColumns {
  double *position[3], *velocity[3], *acceleration[3], *image[3], *potential, *virial;
  std::size_t n;
};

/// A solver on a host, made for one system.
class HostSolver {
 public:
  HostSolver() = default;
  virtual ~HostSolver() = default;
  HostSolver(const HostSolver&) = delete;
  HostSolver& operator=(const HostSolver&) = delete;

  /// Overwrites the accelerations by those of all pair forces and, as wanted, Σ s_i w_j u of each body or the jerk.
  virtual void evaluate(const HostBodies& bodies) = 0;
  /// Itself, where it moves the bodies too; where fields act as well, or the reference asks, it is not asked to.
  virtual Mover* mover() { return nullptr; }
  /// Below this r², softened, a pair has no force in its arithmetic.
  [[nodiscard]] virtual double least_r2() const { return least_r2_of_any_law; }
  /// How it goes through pairs: "pair-once".
  [[nodiscard]] virtual std::string kernel() const = 0;
};

/// What the cpu backend lends to a solver.
struct HostMeans {
  ThreadPool& threads;
  simd::Target target;
  std::size_t stride;  ///< of the arrays of HostBodies
  HostColumns columns;
};

/// Bytes besides the columns of the state.
struct SolverBytes {
  std::size_t host = 0, device = 0;
};

struct ForceSolver {
  std::string_view name;
  std::string_view meaning;
  std::span<const Precision> precisions;  ///< those of a backend that it has too
  bool has_jerk;                          ///< in float64

  /// One line that says why it cannot serve this system, and what to do; empty where it can.
  std::string (*refusal)(const System& system, Precision precision);
  /// Interactions of one evaluation of the forces: the work that times and rates are reckoned by.
  double (*interactions)(const System& system);
  /// What it takes for so many bodies and sums a body, on the cpu with so many threads and on a GPU.
  SolverBytes (*bytes)(std::size_t bodies, Outputs most, const BackendOptions& options);

  /// The definition, on one thread and as plain as it can be said.
  std::unique_ptr<HostSolver> (*on_reference)(const System& system);
  std::unique_ptr<HostSolver> (*on_cpu)(const System& system, const BackendOptions& options, const HostMeans& means);
  /// For that state, which outlives it. Null where it, or this program, has no code for GPUs.
  std::unique_ptr<cuda::Solver> (*on_cuda)(const System& system, const BackendOptions& options, cuda::Stream& stream,
                                           cuda::State& state);
};

/// Every solver, the first of which is all pairs.
std::span<const ForceSolver* const> force_solvers();

/// The one that a system is to be solved by; where it names none, cells for a law with a cutoff and all pairs for others.
const ForceSolver& solver_of(const System& system);
/// The same for a backend that is to be made. Throws Error where that cannot serve the system.
const ForceSolver& fitting_solver(const System& system, Precision precision);

/// What an evaluation must give at the most for this system.
constexpr Outputs most_wanted(bool jerk) {
  return jerk ? Outputs::jerk : Outputs::potential;
}

}  // namespace orrery::sim
