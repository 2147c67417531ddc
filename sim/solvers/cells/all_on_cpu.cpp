// SPDX-License-Identifier: MIT
// Laws with a cutoff over all pairs, multithreaded, as a check of the cells.
#include <algorithm>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/scalar.hpp"
#include "sim/solvers/cells/cells.hpp"

namespace orrery::sim::cells {
namespace {

using std::size_t;

constexpr size_t piece = 64;  ///< bodies per task

class AllOnCpu final : public HostSolver {
 public:
  AllOnCpu(const System& system, Ranks* ranks, ThreadPool& threads)
      : force_(system.forces.front()), periods_(system.domain.periods()), ranks_(ranks), threads_(threads) {
    const double cutoff = force_.law->cutoff(force_.parameters);
    cutoff2_ = cutoff * cutoff;
  }

  void evaluate(const HostBodies& bodies) override {
    const std::vector<RankRange> parts = even_parts(bodies.n, ranks_);
    const auto [first, last] = part_of(parts, ranks_);
    threads_.for_each(0, (last - first + piece - 1) / piece, [&](size_t k) {
      for (size_t i = first + k * piece; i < std::min(first + (k + 1) * piece, last); ++i) sum_up(bodies, i);
    });
    if (ranks_ == nullptr) return;
    std::vector<double*> rows(bodies.acceleration, bodies.acceleration + 3);
    if (bodies.outputs == Outputs::potential) rows.insert(rows.end(), {bodies.potential, bodies.virial});
    ranks_->share(rows, parts);
  }

  [[nodiscard]] double min_r2() const override { return force_.law->min_r2(force_.parameters).in_doubles; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  void sum_up(const HostBodies& bodies, size_t i) const {
    const auto apart = [&](size_t q, size_t j) {
      return Scalar(nearest_image(bodies.position[q][j] - bodies.position[q][i], periods_[q]));
    };
    const bool with_potential = bodies.outputs == Outputs::potential;
    Scalar x(0), y(0), z(0), potential(0), virial(0);
    for (size_t j = 0; j < bodies.n; ++j) {
      if (j == i) continue;
      const Scalar dx = apart(0, j), dy = apart(1, j), dz = apart(2, j), r2 = fma(dx, dx, fma(dy, dy, dz * dz));
      if (!(r2.value <= cutoff2_)) continue;
      const Scalar c(force_.law->force_over_r(r2.value, force_.parameters));
      x = fma(c, dx, x), y = fma(c, dy, y), z = fma(c, dz, z);
      if (!with_potential) continue;
      potential = potential + Scalar(force_.law->u(r2.value, force_.parameters));
      virial = fma(c, r2, virial);
    }
    const Scalar s(force_.target_factor[i]);
    bodies.acceleration[0][i] = (s * x).value;
    bodies.acceleration[1][i] = (s * y).value;
    bodies.acceleration[2][i] = (s * z).value;
    if (!with_potential) return;
    bodies.potential[i] = (s * potential).value;
    bodies.virial[i] = (s * virial).value;
  }

  PairForce force_;
  std::array<double, 3> periods_;
  double cutoff2_;
  Ranks* ranks_;
  ThreadPool& threads_;
};

}  // namespace

std::unique_ptr<HostSolver> all_on_cpu(const System& system, const BackendOptions& options, const HostContext& means) {
  return std::make_unique<AllOnCpu>(system, options.ranks.get(), means.threads);
}

}  // namespace orrery::sim::cells
