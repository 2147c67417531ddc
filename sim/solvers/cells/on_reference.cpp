// SPDX-License-Identifier: MIT
// The definition of forces with a cutoff, written for clarity. Shares no code with other backends.
#include <cmath>

#include "sim/backends/reference/laws.hpp"
#include "sim/solvers/cells/cells.hpp"

namespace orrery::sim::cells {
namespace {

using std::fma;
using std::size_t;

class OnReference final : public HostSolver {
 public:
  explicit OnReference(const System& system)
      : force_(system.forces.front()),
        law_(reference::law(force_.law->name)),
        cutoff_(force_.law->cutoff(force_.parameters)),
        domain_(system.domain) {}

  void evaluate(const HostBodies& bodies) override {
    for (size_t i = 0; i < bodies.n; ++i) {
      reference::Sums sums{};  // three accelerations, the potential, the virial
      for (size_t j = 0; j < bodies.n; ++j) {
        if (j != i) add_pair(bodies, i, j, sums);
      }
      const double s = force_.target_factor[i];
      for (size_t q = 0; q < 3; ++q) bodies.acceleration[q][i] = s * sums[q];
      if (bodies.outputs != Outputs::potential) continue;
      bodies.potential[i] = s * sums[3];
      bodies.virial[i] = s * sums[4];
    }
  }

  [[nodiscard]] double min_r2() const override { return force_.law->min_r2(force_.parameters).in_doubles; }
  [[nodiscard]] std::string kernel() const override { return "ascending"; }

 private:
  void add_pair(const HostBodies& bodies, size_t i, size_t j, reference::Sums& sums) const {
    double d[3];
    for (size_t q = 0; q < 3; ++q) {
      d[q] = bodies.position[q][j] - bodies.position[q][i];
      if (!domain_.boundary[q]->periodic) continue;
      const double length = domain_.edges[q], half = 0.5 * length;  // the nearest image
      d[q] = d[q] > half ? d[q] - length : d[q] < -half ? d[q] + length : d[q];
    }
    const double r2 = fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2]));
    if (!(r2 <= cutoff_ * cutoff_)) return;
    const double c = law_.force_over_r(r2, force_.parameters.at);
    for (size_t q = 0; q < 3; ++q) sums[q] = fma(c, d[q], sums[q]);
    sums[3] = sums[3] + law_.u(r2, force_.parameters.at);
    sums[4] = fma(c, r2, sums[4]);
  }

  PairForce force_;
  const reference::Law& law_;
  double cutoff_;
  Domain domain_;
};

}  // namespace

std::unique_ptr<HostSolver> on_reference(const System& system) {
  return std::make_unique<OnReference>(system);
}

}  // namespace orrery::sim::cells
