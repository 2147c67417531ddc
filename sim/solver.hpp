// SPDX-License-Identifier: MIT
// Algorithms for pair forces, on each kind of backend. Each has a folder in sim/solvers/: its description, its code for
// the host and, optionally, for GPUs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sim/arithmetic.hpp"
#include "sim/backend.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/precision.hpp"
#include "sim/publication.hpp"
#include "sim/resident.hpp"

namespace orrery {
class ThreadPool;
}

namespace orrery::sim {

namespace cuda {
class Solver;
class Stream;
struct State;
}  // namespace cuda

/// Bodies and output arrays of a force evaluation on a host; n numbers per coordinate. In the cpu backend each array is
/// accessible up to a multiple of 32 numbers, or of a whole vector for at most 128 bodies; inputs are zero beyond n.
struct HostBodies {
  const double *position[3], *velocity[3];
  std::size_t n;
  Outputs outputs;
  /// Potential and jerk are null unless requested; the virial comes with the potential if a law has a cutoff.
  double *acceleration[3], *potential, *virial, *jerk[3];
};

/// The columns of the state on a host, for a resident solver; n numbers per coordinate. Images are null if
/// no axis is periodic.
struct HostColumns {
  double *position[3], *velocity[3], *acceleration[3], *image[3], *potential, *virial;
  std::size_t n;
};

/// A solver on a host, constructed for one system.
class HostSolver {
 public:
  HostSolver() = default;
  virtual ~HostSolver() = default;
  HostSolver(const HostSolver&) = delete;
  HostSolver& operator=(const HostSolver&) = delete;

  /// Overwrites the accelerations with those of all pair forces and, if requested, computes Σ s_i w_j u of each body or
  /// the jerk.
  virtual void evaluate(const HostBodies& bodies) = 0;
  /// This object if it keeps and moves the bodies, else null. Not used by the reference.
  virtual ResidentSolver* resident() { return nullptr; }
  /// Pairs whose softened r² is below this have no force in its arithmetic.
  [[nodiscard]] virtual double min_r2() const { return default_min_r2; }
  /// How it iterates over pairs: "pair-once".
  [[nodiscard]] virtual std::string kernel() const = 0;
};

/// Resources of the cpu backend for its solver.
struct HostContext {
  ThreadPool& threads;
  simd::Target target;
  std::size_t stride;  ///< of the arrays of HostBodies
  HostColumns columns;
};

/// Memory in bytes besides the columns of the state.
struct SolverBytes {
  std::size_t host = 0, device = 0;
};

/// Why a solver cannot do what a system asks of it.
struct Refusal {
  /// The key that asks for it, with its table, as in --set: "force.method", "integrator.kind", "domain.edges".
  std::string_view key{};
  std::string why{};  ///< one line that says why not and what to do; empty: it can

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// Everything that the rest of the program knows of a solver.
struct ForceSolver {
  std::string_view name;
  std::string_view meaning;
  Citations references{};  ///< where it was published
  /// Its keys in [[force]] besides `method`; no other solver, force or field has keys of these names. Their values are
  /// numbers: System::solver_values. An optional one that is not given is as the solver says; a default is recorded in
  /// the file of a run.
  std::span<const Parameter> parameters{};
  // What it computes; refusal_of() refuses all else.
  std::span<const Precision> precisions;  ///< of those of the backend, the supported ones
  bool has_jerk;                          ///< in float64, of laws without a cutoff
  bool long_range;                        ///< laws without a cutoff
  bool short_range;                       ///< laws with one
  bool functions = false;                 ///< laws that are functions of the program that uses the library
  bool linear = false;                    ///< O(N) work, where all pairs are O(N²)
  /// The least value of its first parameter, which is about the median error of a force relative to it, if that alone is
  /// given. 0: it computes forces without error.
  double min_accuracy = 0;
  /// How forces with errors change while bodies move: "jump by about 1e-5 of their size when …".
  std::string_view discontinuity{};

  /// Why it cannot compute these forces, for a reason of its own: at a key of [force], [integrator], [backend] or [domain]; empty
  /// if it can. Also asked before there are bodies, with the default parameters of the law. Null: it has none.
  Refusal (*refusal)(const System& system, Precision precision) = nullptr;
  /// Number of pair interactions per force evaluation, the basis of rates.
  double (*interactions)(const System& system);
  /// Memory for this number of bodies and these outputs, on the cpu and on a GPU.
  SolverBytes (*bytes)(std::size_t bodies, Outputs most, const BackendOptions& options);
  /// Bytes that the busiest of so many ranks sends in an evaluation, on cpus or on GPUs. Null: ranks cannot share it.
  double (*bytes_sent)(double bodies, double ranks, bool gpu) = nullptr;

  /// The plain definition, on one thread.
  std::unique_ptr<HostSolver> (*on_reference)(const System& system);
  std::unique_ptr<HostSolver> (*on_cpu)(const System& system, const BackendOptions& options, const HostContext& means);
  /// `state` outlives the solver. Null if it, or this program, has no code for GPUs.
  std::unique_ptr<cuda::Solver> (*on_cuda)(const System& system, const BackendOptions& options, cuda::Stream& stream,
                                           cuda::State& state);

  [[nodiscard]] bool is_approximate() const { return min_accuracy > 0; }
};

/// All solvers; the first is all pairs.
std::span<const ForceSolver* const> force_solvers();
/// The solver of a law for which none is chosen: cells for those with a cutoff, all pairs for others.
const ForceSolver& default_solver(const ForceLaw& law);
/// The solver with this parameter; null if there is none.
const ForceSolver* solver_with(std::string_view parameter);

/// The system's solver, or the default one of its law.
const ForceSolver& solver_of(const System& system);
/// Why a solver cannot compute the forces of a system, by what it says that it computes, what the laws admit, and its own reasons;
/// empty if it can.
Refusal refusal_of(const ForceSolver& solver, const System& system, Precision precision);
/// The system's solver, or the default one of its law; throws Error if that does not support the system.
const ForceSolver& checked_solver(const System& system, Precision precision);

/// Bytes that the busiest of some ranks sends if each sends the complete sums of its equal part of the bodies to all others, with so
/// many bytes for a body.
constexpr double bytes_to_all(double bodies, double ranks, double a_body = 3 * sizeof(double)) {
  return bodies / ranks * (ranks - 1) * a_body;
}
/// "this integrator", or its name.
inline std::string integrator_of(const System& system) {
  return system.integrator.empty() ? "this integrator" : std::string(system.integrator);
}

/// The largest outputs of an evaluation.
constexpr Outputs max_outputs(bool jerk) {
  return jerk ? Outputs::jerk : Outputs::potential;
}

}  // namespace orrery::sim
