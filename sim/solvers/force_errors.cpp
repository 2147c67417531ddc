// SPDX-License-Identifier: MIT
#include "sim/solvers/force_errors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/solvers/tree/order.hpp"
#include "sim/solvers/tree/simd/near.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

/// Sums over all sources for the bodies `some`, added to a[q][k] times their target_factor.
void add_direct(const PairForce& force, const Vectors& x, const std::vector<size_t>& some, double* const* a) {
  const simd::NearLoops& loops = simd::near_loops(simd::available_targets().front());
  const size_t n = x.size(), count = some.size();
  std::vector<double> segment(4 * tree::segment_size), targets(3 * count), self(count), sums(3 * count);
  for (size_t k = 0; k < count; ++k) {
    targets[k] = x.x[some[k]], targets[count + k] = x.y[some[k]], targets[2 * count + k] = x.z[some[k]];
  }
  double* out[] = {sums.data(), sums.data() + count, sums.data() + 2 * count};
  double* to = segment.data();
  std::vector<size_t> held;  // ascending
  const auto interact = [&] {
    for (size_t k = 0; k < count; ++k) {
      const auto at = std::ranges::lower_bound(held, some[k]);
      self[k] = at == held.end() || *at != some[k] ? -1 : static_cast<double>(at - held.begin());
    }
    const size_t whole = (held.size() + tree::lanes - 1) / tree::lanes * tree::lanes;
    for (size_t k = 0; k < whole; ++k) {
      const bool there = k < held.size();
      to[k] = there ? x.x[held[k]] : simd::padding_place;
      to[tree::segment_size + k] = there ? x.y[held[k]] : 0;
      to[2 * tree::segment_size + k] = there ? x.z[held[k]] : 0;
      to[3 * tree::segment_size + k] = there ? force.source[held[k]] : 0;
    }
    loops.laws[law_index(*force.law)][0](
        {to, to + tree::segment_size, to + 2 * tree::segment_size, to + 3 * tree::segment_size, whole, force.softening2,
         force.parameters},
        {targets.data(), targets.data() + count, targets.data() + 2 * count, self.data(), count}, out);
    held.clear();
  };
  for (size_t j = 0; j < n; ++j) {
    if (force.source[j] == 0) continue;
    held.push_back(j);
    if (held.size() == tree::segment_size) interact();
  }
  if (!held.empty()) interact();
  for (size_t q = 0; q < 3; ++q) {
    for (size_t k = 0; k < count; ++k) a[q][k] += force.target_factor[some[k]] * out[q][k];
  }
}

}  // namespace

ForceErrors errors_of_sample(const System& system, const Vectors& position, const Vectors& acceleration, size_t sample,
                             int threads) {
  constexpr size_t at_once = 16;
  const size_t n = position.size(), stride = std::max<size_t>(1, (n + sample - 1) / std::max<size_t>(sample, 1));
  std::vector<size_t> all;
  for (size_t i = 0; i < n; i += stride) all.push_back(i);
  std::vector<double> errors(all.size(), -1);
  thread_pool(threads)->for_each(0, (all.size() + at_once - 1) / at_once, [&](size_t block) {
    const size_t begin = block * at_once, end = std::min(begin + at_once, all.size());
    const std::vector<size_t> some(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                   all.begin() + static_cast<std::ptrdiff_t>(end));
    double sums[3][at_once] = {};
    double* a[] = {sums[0], sums[1], sums[2]};
    for (const PairForce& force : system.forces) add_direct(force, position, some, a);
    for (size_t k = 0; k < some.size(); ++k) {
      const size_t i = some[k];
      const double size = std::hypot(sums[0][k], sums[1][k], sums[2][k]);
      if (size > 0)
        errors[begin + k] =
            std::hypot(acceleration.x[i] - sums[0][k], acceleration.y[i] - sums[1][k], acceleration.z[i] - sums[2][k]) /
            size;
    }
  });
  std::erase(errors, -1.0);
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {errors.size(), errors[errors.size() / 2], errors[(errors.size() * 99 + 99) / 100 - 1], errors.back()};
}

}  // namespace orrery::sim
