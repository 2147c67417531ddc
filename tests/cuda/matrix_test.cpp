// SPDX-License-Identifier: MIT
// Matrices of pairs on a GPU, stored and reduced, have the bits of the cpu.
#include "sim/study/work.hpp"
#include "tests/cuda/gpu.hpp"
#include "tests/sim/matrix_support.hpp"

namespace orrery::sim::testing {
namespace {

class MatrixOnGpu : public Gpu {};

TEST_F(MatrixOnGpu, HasTheBitsOfTheCpu) {
  for (const std::size_t n : {1U, 2U, 3U, 33U, 257U, 1100U}) {
    const Bodies bodies = cloud(n);
    const System system = system_of(bodies, 0.03, 1.7);
    for (const MatrixKind& kind : kinds_of_matrices()) {
      for (const Domain& domain : {Domain(), periodic_box(2.1)}) {
        const PairMatrix matrix = pair_matrix(kind, bodies, domain, {&system.forces.front(), 1.7});
        const auto here = make_matrix_on_cpu(matrix, 2), there = make_matrix_on_cuda(matrix, 0, 2);
        if (kind.floats) {
          ASSERT_EQ(whole<float>(*here, n), whole<float>(*there, n)) << n;
          ASSERT_EQ(whole<float>(*here, n, 33), whole<float>(*there, n, 33)) << n;
        } else {
          ASSERT_EQ(whole<double>(*here, n), whole<double>(*there, n)) << n;
          ASSERT_EQ(whole<double>(*here, n, 33), whole<double>(*there, n, 33)) << n;
        }
        const RowSums a = here->reduce(n / 3, n, true), b = there->reduce(n / 3, n, true);
        ASSERT_EQ(a.sum, b.sum) << n;
        ASSERT_EQ(a.least, b.least);
        ASSERT_EQ(a.greatest, b.greatest);
        ASSERT_EQ(a.nearest, b.nearest);
        ASSERT_EQ(there->reduce(n / 3, n, false).sum, a.sum);
        MatrixBins mine{.low = 0, .high = 1.5, .counts = std::vector<std::int64_t>(9)}, its = mine;
        here->count(n / 4, n, mine);
        there->count(n / 4, n, its);
        ASSERT_EQ(mine.counts, its.counts);
      }
    }
  }
}

TEST_F(MatrixOnGpu, IsTimedByAStudy) {
  for (const bool floats : {false, true}) {
    EXPECT_GT(study::make_matrix_fill(0, 1024, floats)->take(2), 0);
    for (const auto quantity : {Quantity::distance, Quantity::potential})
      EXPECT_GT(study::make_matrix_reduce(0, 1024, floats, quantity)->take(2), 0);
  }
}

}  // namespace
}  // namespace orrery::sim::testing
