// SPDX-License-Identifier: MIT
// The description of the toy solver, and its host code: the same loop for the reference and, with threads, for the cpu.
#include "tests/sim/toys/ascending/ascending.hpp"

#include <algorithm>

#include "common/thread_pool.hpp"
#include "sim/scalar.hpp"
#include "sim/scaling.hpp"
#include "tests/sim/toys/ascending/meet.hpp"

namespace orrery::sim::testing {
namespace {

using std::size_t;

constexpr size_t usual_piece = 64;
constexpr Parameter parameters[] = {
    {.name = "piece",
     .kind = Kind::integer,
     .fallback = "64",
     .meaning = "bodies of one task",
     .range = {.low = 1, .high = 4096}},
};

/// A law given by its description, so that any law works.
struct DescribedLaw {
  const PairForce& force;

  [[nodiscard]] Scalar force_over_r(Scalar r2) const {
    return Scalar(force.law->force_over_r(r2.value, force.parameters));
  }
  [[nodiscard]] Scalar force_over_r_slope(Scalar r2) const {
    return Scalar(force.law->force_over_r_slope(r2.value, force.parameters));
  }
  [[nodiscard]] Scalar u(Scalar r2) const { return Scalar(force.law->u(r2.value, force.parameters)); }
};

class OnHost final : public HostSolver {
 public:
  /// Runs on the calling thread if there is no pool.
  OnHost(const System& system, ThreadPool* threads)
      : force_(system.forces.front()),
        piece_(system.solver_values.empty() ? usual_piece
                                            : static_cast<size_t>(system.solver_values[0].value_or(usual_piece))),
        threads_(threads) {}

  void evaluate(const HostBodies& bodies) override {
    const auto one_piece = [&](size_t k) {
      for (size_t i = k * piece_; i < std::min((k + 1) * piece_, bodies.n); ++i) sum_up(bodies, i);
    };
    const size_t pieces = (bodies.n + piece_ - 1) / piece_;
    if (threads_ != nullptr) return threads_->for_each(0, pieces, one_piece);
    for (size_t k = 0; k < pieces; ++k) one_piece(k);
  }

  [[nodiscard]] double min_r2() const override { return min_r2_in(Precision::float64, force_, {}); }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  void sum_up(const HostBodies& bodies, size_t i) const {
    const auto apart = [i](const double* const(&of)[3], size_t j) {
      return Triple<Scalar>{Scalar(of[0][j] - of[0][i]), Scalar(of[1][j] - of[1][i]), Scalar(of[2][j] - of[2][i])};
    };
    ascending::Sums<Scalar> sums;
    for (size_t j = 0; j < bodies.n; ++j) {
      if (j == i || force_.source[j] == 0) continue;
      sums.interact(DescribedLaw{force_}, apart(bodies.position, j), apart(bodies.velocity, j),
                    Scalar(force_.source[j]), Scalar(force_.softening2), bodies.outputs);
    }
    const Scalar s(force_.target_factor[i]);
    bodies.acceleration[0][i] = (s * sums.x).value;
    bodies.acceleration[1][i] = (s * sums.y).value;
    bodies.acceleration[2][i] = (s * sums.z).value;
    if (bodies.outputs == Outputs::potential) bodies.potential[i] = (s * sums.u).value;
    if (bodies.outputs != Outputs::jerk) return;
    bodies.jerk[0][i] = (s * sums.jerk.x).value;
    bodies.jerk[1][i] = (s * sums.jerk.y).value;
    bodies.jerk[2][i] = (s * sums.jerk.z).value;
  }

  PairForce force_;
  size_t piece_;  ///< bodies of one task, which no bit depends on
  ThreadPool* threads_;
};

Refusal refusal(const System& system, Precision) {
  if (system.forces.size() == 1) return {};
  return {"force.kind", "ascending: takes one force of pairs, not " + std::to_string(system.forces.size()) +
                            ": choose another solver"};
}

/// Computes the action of all sources on every body, except on themselves.
double interactions(const System& system) {
  double sources = 0;
  for (const double w : system.forces.front().source) sources += w != 0 ? 1 : 0;
  return sources * (static_cast<double>(system.bodies.size()) - 1);
}

constexpr Precision precisions[] = {Precision::float64};

}  // namespace

const ForceSolver ascending_solver{
    .name = "ascending",
    .meaning = "all pairs from both sides, one body after the other",
    .parameters = parameters,
    .precisions = precisions,
    .has_jerk = true,
    .long_range = true,
    .short_range = false,
    .refusal = refusal,
    .interactions = interactions,
    .bytes =
        [](size_t bodies, Outputs, const BackendOptions&) {
          // weights and target factors; the sums are in registers
          return SolverBytes{.host = 2 * bodies * sizeof(double), .device = ascending::bytes_on_cuda(bodies)};
        },
    .on_reference = [](const System& system) -> std::unique_ptr<HostSolver> {
      return std::make_unique<OnHost>(system, nullptr);
    },
    .on_cpu = [](const System& system, const BackendOptions&, const HostContext& means) -> std::unique_ptr<HostSolver> {
      return std::make_unique<OnHost>(system, &means.threads);
    },
    .on_cuda = ascending::on_cuda,
};

}  // namespace orrery::sim::testing
