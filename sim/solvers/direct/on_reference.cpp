// SPDX-License-Identifier: MIT
// The definition of the canonical order, written for clarity. Shares no code with other backends.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/backends/reference/laws.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim::direct {
namespace {

using reference::Sums;
using std::fma;
using std::size_t;

/// A pair force, and what is computed of it.
struct Interaction {
  const PairForce& force;
  const reference::Law* law;  ///< null: the law is a function of the program
  Outputs outputs;
};

/// c, and u or c′/r if they are asked for.
struct OfPair {
  double c, u, slope;
};

OfPair of_pair(const Interaction& pairs, double r2) {
  const auto& [force, law, outputs] = pairs;
  const bool potential = outputs == Outputs::potential, jerk = outputs == Outputs::jerk;
  OfPair of{};
  if (law == nullptr) {
    force.law->of_pairs(1, &r2, &of.c, potential ? &of.u : nullptr, jerk ? &of.slope : nullptr, force.parameters);
    return of;
  }
  of.c = law->force_over_r(r2, force.parameters.at);
  if (potential) of.u = law->u(r2, force.parameters.at);
  if (jerk) of.slope = law->force_over_r_slope(r2, force.parameters.at);
  return of;
}

class OnReference final : public HostSolver {
 public:
  explicit OnReference(const System& system) : n_(system.bodies.size()), forces_(system.forces) {}

  void evaluate(const HostBodies& bodies) override {
    at_ = &bodies;
    const bool with_jerk = bodies.outputs == Outputs::jerk;
    for (size_t k = 0; k < forces_.size(); ++k) {
      const reference::Law* law = is_foreign(forces_[k]) ? nullptr : &reference::law(forces_[k].law->name);
      const auto sums = sums_over_pairs({forces_[k], law, bodies.outputs});
      const auto& s = forces_[k].target_factor;
      for (size_t i = 0; i < n_; ++i) {
        const auto respond = [&](double& to, size_t q) { to = k == 0 ? s[i] * sums[i][q] : fma(s[i], sums[i][q], to); };
        for (size_t q = 0; q < 3; ++q) respond(bodies.acceleration[q][i], q);
        if (bodies.outputs == Outputs::potential) respond(bodies.potential[i], 3);
        for (size_t q = 0; with_jerk && q < 3; ++q) respond(bodies.jerk[q][i], 4 + q);
      }
    }
  }

  [[nodiscard]] double min_r2() const override { return min_r2_in_doubles(forces_); }
  [[nodiscard]] std::string kernel() const override { return "pair-once"; }

 private:
  /// Returns the sums of every body: its sums over each chunk, added in the order of the chunks.
  std::vector<Sums> sums_over_pairs(const Interaction& pairs) {
    size_t chunk = 128;
    while (chunk * 256 < n_) chunk *= 2;
    const size_t chunks = (n_ + chunk - 1) / chunk;
    std::vector<std::vector<Sums>> from(chunks,
                                        std::vector<Sums>(n_, Sums{}));  // from[c][i]: sums over chunk c for body i
    for (size_t I = 0; I < chunks; ++I) {
      within(pairs, I * chunk, std::min((I + 1) * chunk, n_), from[I]);
      for (size_t J = I + 1; J < chunks; ++J) between(pairs, I * chunk, J * chunk, chunk, from[J], from[I]);
    }
    std::vector<Sums> total(n_, Sums{});
    for (const auto& part : from) {
      for (size_t i = 0; i < n_; ++i) {
        for (size_t q = 0; q < 7; ++q) total[i][q] += part[i][q];
      }
    }
    return total;
  }

  /// A chunk and itself: each body sums over the others in ascending order.
  void within(const Interaction& pairs, size_t begin, size_t end, std::vector<Sums>& on) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = begin; j < end; ++j) {
        if (j != i) add_pair(pairs, i, j, on[i], nullptr);
      }
    }
  }

  /// Two chunks, each pair once: tiles of 128 bodies i by 32 bodies j. At time t lane l pairs j = (l + t) mod 32 with
  /// its four bodies i = l, l + 32, l + 64, l + 96 in this order.
  void between(const Interaction& pairs, size_t I, size_t J, size_t chunk, std::vector<Sums>& on_i,
               std::vector<Sums>& on_j) {
    for (size_t tile = I; tile < I + chunk; tile += 128) {
      std::vector<Sums> travelling(chunk, Sums{});  // the sums over this tile for the bodies j
      for (size_t group = 0; group < chunk; group += 32) {
        for (size_t t = 0; t < 32; ++t) {
          for (size_t lane = 0; lane < 32; ++lane) {
            const size_t j = group + (lane + t) % 32;
            if (J + j >= n_) continue;  // the last chunk may have fewer bodies
            for (size_t r = 0; r < 4; ++r) {
              const size_t i = tile + 32 * r + lane;
              add_pair(pairs, i, J + j, on_i[i], &travelling[j]);
            }
          }
        }
      }
      for (size_t j = 0; j < chunk && J + j < n_; ++j) {
        for (size_t q = 0; q < 7; ++q) on_j[J + j][q] += travelling[j][q];
      }
    }
  }

  /// Adds the action of j on i and, unless `on_j` is null, of i on j. A source of weight 0 does not act.
  void add_pair(const Interaction& pairs, size_t i, size_t j, Sums& on_i, Sums* on_j) {
    const PairForce& force = pairs.force;
    const auto apart = [i, j](const double* const(&of)[3]) {
      return std::array<double, 3>{of[0][j] - of[0][i], of[1][j] - of[1][i], of[2][j] - of[2][i]};
    };
    const auto d = apart(at_->position);
    const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], force.softening2)));
    const auto [c, u, slope] = of_pair(pairs, r2);
    const double wi = force.source[i], wj = force.source[j], cj = wj * c, ci = wi * c;
    const bool acts_on_i = wj != 0, acts_on_j = wi != 0 && on_j != nullptr;  // or 0 · ∞ would be NaN
    if (acts_on_i) {
      for (size_t q = 0; q < 3; ++q) on_i[q] = fma(d[q], cj, on_i[q]);
      on_i[3] = fma(wj, u, on_i[3]);
    }
    if (acts_on_j) {
      for (size_t q = 0; q < 3; ++q) (*on_j)[q] = fma(-d[q], ci, (*on_j)[q]);
      (*on_j)[3] = fma(wi, u, (*on_j)[3]);
    }
    if (pairs.outputs != Outputs::jerk) return;
    const auto change = reference::rate_of_change(d, apart(at_->velocity), c, slope);
    for (size_t q = 0; q < 3; ++q) {
      if (acts_on_i) on_i[4 + q] = fma(wj, change[q], on_i[4 + q]);
      if (acts_on_j) (*on_j)[4 + q] = fma(-wi, change[q], (*on_j)[4 + q]);
    }
  }

  size_t n_;
  std::vector<PairForce> forces_;
  const HostBodies* at_ = nullptr;
};

}  // namespace

std::unique_ptr<HostSolver> on_reference(const System& system) {
  return std::make_unique<OnReference>(system);
}

}  // namespace orrery::sim::direct
