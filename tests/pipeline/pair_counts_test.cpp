// SPDX-License-Identifier: MIT
// Counting pairs by cells gives exactly the counts of a loop over all pairs.
#include "render/point_cloud/pair_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "box_support.hpp"
#include "pipeline/pictures/run_info.hpp"

namespace orrery::pipeline::testing {
namespace {

using render::PairCounts;

PairCounts counted(const sim::Vectors& at, const sim::Domain& domain, double reach, std::size_t shells) {
  return render::pair_counts({at.x, at.y, at.z}, bounds_of(domain), reach, shells);
}

/// The same by a loop over all pairs.
PairCounts counted_plainly(const sim::Vectors& at, const sim::Domain& domain, double reach, std::size_t shells) {
  PairCounts counts{.others = std::vector<std::uint64_t>(shells, 0)};
  const auto period = domain.periods();
  const std::array columns{&at.x, &at.y, &at.z};
  for (std::size_t i = 0; i < at.size(); ++i) {
    bool center = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(domain.dimensions); ++k) {
      const double x = (*columns[k])[i], low = domain.low[k], high = low + domain.edges[k];
      center = center && (period[k] > 0 || (x - low >= reach && high - x >= reach));
    }
    if (!center) continue;
    ++counts.centers;
    for (std::size_t j = 0; j < at.size(); ++j) {
      double r2 = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = sim::nearest_image((*columns[k])[j] - (*columns[k])[i], period[k]);
        r2 += d * d;
      }
      const double shell = std::sqrt(r2) * (static_cast<double>(shells) / reach);
      if (j != i && shell < static_cast<double>(shells)) ++counts.others[static_cast<std::size_t>(shell)];
    }
  }
  return counts;
}

TEST(PairCounts, EqualCountingAllPairsInAnyBox) {
  struct Case {
    sim::Domain domain;
    std::size_t bodies;
    double reach;
  };
  const Case cases[] = {
      {domain_of(2, {1, 1, 0}, "pp"), 700, 0.1},
      {domain_of(2, {1, 1, 0}, "pp"), 300, 0.5},
      {domain_of(2, {3, 0.37, 0}, "pp", {-1, 7, 0}), 900, 0.18},
      {domain_of(2, {1, 2, 0}, "rr"), 800, 0.21},
      {domain_of(2, {1, 2, 0}, "pr", {-0.5, -0.5, 0}), 801, 0.25},
      {domain_of(3, {1, 1, 1}, "ppp"), 1500, 0.13},
      {domain_of(3, {1, 1, 1}, "ppp"), 200, 0.5},
      {domain_of(3, {5, 1, 1.3}, "prp", {0, -9, 4}), 2000, 0.31},
      {domain_of(3, {1, 1, 1}, "rrr"), 600, 0.249},
      {domain_of(3, {1, 1, 1}, "ppp"), 2, 0.4},
      {domain_of(3, {1, 1, 1}, "ppp"), 1, 0.4},
  };
  for (std::size_t c = 0; c < std::size(cases); ++c) {
    const auto& [domain, bodies, reach] = cases[c];
    const sim::Vectors at = gas(bodies, domain, static_cast<unsigned>(c));
    for (const std::size_t shells : {1U, 7U, 200U}) {
      const PairCounts plain = counted_plainly(at, domain, reach, shells);
      const PairCounts fast = counted(at, domain, reach, shells);
      EXPECT_EQ(fast.centers, plain.centers) << c;
      EXPECT_EQ(fast.others, plain.others) << c << ", " << shells;
    }
  }
}

TEST(PairCounts, NonFinitePositionsAreIgnored) {
  const sim::Domain domain = domain_of(2, {1, 1, 0}, "pr");
  sim::Vectors at = gas(100, domain, 3);
  const PairCounts before = counted(at, domain, 0.2, 10);
  at.push_back(NAN, 0.5, 0);
  at.push_back(0.5, 1e300, 0);
  at.push_back(INFINITY, -INFINITY, 0);
  const PairCounts after = counted(at, domain, 0.2, 10);
  EXPECT_EQ(after.centers, before.centers);
  EXPECT_EQ(after.others, before.others);
}

}  // namespace
}  // namespace orrery::pipeline::testing
