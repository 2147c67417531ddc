// SPDX-License-Identifier: MIT
// Maximum components and extents on a GPU agree with the cpu, including which body has them.
#include <bit>
#include <limits>
#include <string>

#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr Column columns[] = {scratch_column(0), Column::position, Column::velocity, scratch_column(1),
                              Column::acceleration};

/// Both backends with the same columns; `first` is the first of the integrator's columns.
struct Pair {
  std::unique_ptr<Backend> gpu, cpu;
  Pair(std::size_t n, const Vectors& first) {
    System system = system_of(cloud(n), 0.05);
    system.scratch_columns = 2;
    if (n > 5000) system.forces.clear();  // which are not what is tested
    gpu = on_gpu(system), cpu = on_cpu(system);
    for (Backend* each : {gpu.get(), cpu.get()}) {
      each->upload(scratch_column(0), first);
      each->accelerate();
      each->combine(scratch_column(1), {{-2.5, Column::velocity}, {0.75, Column::acceleration}});
    }
  }
  void expect_same(const std::string& what, bool extents = true) const {
    const auto found = gpu->greatest(columns), expected = cpu->greatest(columns);
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].value, expected[k].value) << what << ", column " << k;
      EXPECT_EQ(found[k].body, expected[k].body) << what << ", column " << k;
    }
    const auto spans = gpu->half_extents(columns), right = cpu->half_extents(columns);
    for (std::size_t k = extents ? 0 : 1; k < spans.size(); ++k) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(spans[k]), std::bit_cast<std::uint64_t>(right[k]))
          << what << ", column " << k;
    }
  }
};

class CudaGreatest : public Gpu, public ::testing::WithParamInterface<std::size_t> {
 protected:
  std::size_t n = GetParam();
};

TEST_P(CudaGreatest, EqualsThatOfTheCpu) {
  Pair both(n, cloud(n, 7).velocity);
  both.expect_same("at random");
  for (Backend* each : {both.gpu.get(), both.cpu.get()}) run(*each, integrator("leapfrog"), 1e-3, 40);
  both.expect_same("after some steps");
}

TEST_P(CudaGreatest, FirstOfEqualValues) {
  Vectors ties(n);
  Pair(n, ties).expect_same("zeros");
  for (auto* axis : {&ties.z, &ties.y, &ties.x}) {
    for (std::size_t i = n / 3; i < n; i += 3) (*axis)[i] = i % 2 == 0 ? 0.75 : -0.75;
    const Pair both(n, ties);
    both.expect_same("ties");
    EXPECT_EQ(both.gpu->greatest({scratch_column(0)})[0].body, n / 3);
  }
  for (double& x : ties.x) x = -0.0;
  Pair(n, ties).expect_same("with zeros of both signs");
}

TEST_P(CudaGreatest, NanCountsAsInfinite) {
  for (const double odd : {infinity, -infinity, nan, -nan}) {
    for (const std::size_t body : {std::size_t{0}, n / 2, n - 1}) {
      Vectors values = cloud(n, 3).position;
      values.y[body] = odd;
      const bool extents = odd == odd;
      const std::string what = "N = " + std::to_string(n) + ", " + std::to_string(odd);
      const Pair one(n, values);
      one.expect_same(what, extents);
      const Greatest found = one.gpu->greatest({scratch_column(0)})[0];
      EXPECT_EQ(found.value, infinity) << what;
      EXPECT_EQ(found.body, body) << what;
      values.z[0] = nan, values.z[n - 1] = infinity, values.y[n - 1] = -infinity;
      const Pair several(n, values);
      several.expect_same(what + " and others", false);
      EXPECT_EQ(several.gpu->greatest({scratch_column(0)})[0].body, body) << what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaGreatest, ::testing::Values(1, 2, 33, 257, 4097, 40001));

/// More columns than one launch takes, and the same one again.
TEST_F(Gpu, GreatestOfManyColumns) {
  System system = system_of(cloud(257), 0.05);
  system.scratch_columns = 23;
  const auto gpu = on_gpu(system), cpu = on_cpu(system);
  std::vector<Column> many{Column::velocity, Column::velocity};
  for (int k = 0; k < system.scratch_columns; ++k) {
    many.push_back(scratch_column(k));
    for (Backend* each : {gpu.get(), cpu.get()})
      each->combine(scratch_column(k), {{1.0 + k, Column::position}, {-3, Column::velocity}});
  }
  std::vector<Greatest> found(many.size()), expected(many.size());
  std::vector<double> spans(many.size()), right(many.size());
  gpu->greatest(many, found), cpu->greatest(many, expected);
  gpu->half_extents(many, spans), cpu->half_extents(many, right);
  EXPECT_EQ(spans, right);
  for (std::size_t k = 0; k < many.size(); ++k) {
    EXPECT_EQ(found[k].value, expected[k].value) << k;
    EXPECT_EQ(found[k].body, expected[k].body) << k;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
