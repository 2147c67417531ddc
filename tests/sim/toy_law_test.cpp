// SPDX-License-Identifier: MIT
// A law that is no power: its formulas, the concept of laws, and its bits in lanes and in loops over pairs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "laws.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/random.hpp"
#include "sim/scalar.hpp"
#include "tests/sim/toys/lanes.hpp"
#include "tests/sim/toys/pair_loops.hpp"

namespace orrery::sim {
namespace simd {

#if defined(__x86_64__)
namespace toy_avx512 {
extern const LaneFunctions lane_functions;
}  // namespace toy_avx512
namespace toy_avx2 {
extern const LaneFunctions lane_functions;
}  // namespace toy_avx2
#elif defined(__aarch64__)
namespace toy_neon {
extern const LaneFunctions lane_functions;
}  // namespace toy_neon
#endif
namespace toy_generic {
extern const LaneFunctions lane_functions;
}  // namespace toy_generic

std::span<const LaneFunctions* const> available_lane_functions() {
  static const auto all = [] {
    std::vector<const LaneFunctions*> found;
    for (const Target target : available_targets()) {
      for (const LaneFunctions* functions : {
#if defined(__x86_64__)
             &toy_avx512::lane_functions, &toy_avx2::lane_functions,
#elif defined(__aarch64__)
               &toy_neon::lane_functions,
#endif
                 &toy_generic::lane_functions
           }) {
        if (functions->name == std::string("toy_") + name_of(target)) found.push_back(functions);
      }
    }
    return found;
  }();
  return all;
}

}  // namespace simd

namespace testing {
namespace {

struct WithoutSlope {
  using Interaction = WithoutSlope;
  [[maybe_unused]] static constexpr bool is_inverse_square = false;
  explicit WithoutSlope(const LawParameters&) {}
  template <class Real>
  Real force_over_r(Real r2) const {
    return r2;
  }
  template <class Real>
  Real u(Real r2) const {
    return r2;
  }
  [[maybe_unused]] static const ForceLaw law;
};
struct OfOneDouble : Yukawa {
  using Interaction = OfOneDouble;
  explicit OfOneDouble(double);
};

static_assert(PairLaw<Yukawa, Scalar> && PairLaw<Coulomb, Scalar>);
static_assert(!PairLaw<WithoutSlope, Scalar> && !PairLaw<OfOneDouble, Scalar>);

const LawParameters toy_numbers{{0.8, 5.5}};

/// 32 768 random parameters between low and high.
std::vector<double> draws(std::uint32_t stream, double low, double high) {
  std::vector<double> all;
  for (std::uint64_t k = 0; k < 32 * 1024; ++k) all.push_back(Random(17, stream).between(low, high, k));
  return all;
}

/// Equal bits, except that any NaN equals any other.
void expect_the_bits(const std::vector<double>& found, const std::vector<double>& expected, const std::string& name) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (std::isnan(found[k]) && std::isnan(expected[k])) continue;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found[k]), std::bit_cast<std::uint64_t>(expected[k])) << name << ", " << k;
  }
}

template <class T>
struct ThreeColumns {
  std::vector<T> a, b, c;
  explicit ThreeColumns(std::size_t n) : a(n), b(n), c(n) {}
};

TEST(ToyLaw, EqualsItsFormulaAndIsZeroBeyondTheCutoff) {
  for (const double r2 : draws(1, 1e-3, 40)) {
    const long double r = std::sqrt(static_cast<long double>(r2)), x = r / 0.8L, e = std::exp(-x);
    const bool within = r2 < 5.5 * 5.5;
    const auto expect = [&](double found, long double right) {
      EXPECT_NEAR(found, static_cast<double>(within ? right : 0), 6e-15 * std::abs(static_cast<double>(right))) << r2;
    };
    expect(Yukawa::law.force_over_r(r2, toy_numbers), e * (1 + x) / (r * r * r));
    expect(Yukawa::law.force_over_r_slope(r2, toy_numbers), -e * (3 + 3 * x + x * x) / (r * r * r * r * r));
    expect(Yukawa::law.u(r2, toy_numbers), -e / r);
  }
  EXPECT_NE(Yukawa::law.force_over_r(std::nextafter(5.5 * 5.5, 0), toy_numbers), 0);
  EXPECT_EQ(Yukawa::law.force_over_r(5.5 * 5.5, toy_numbers), 0);
  EXPECT_EQ(Yukawa::law.u(5.5 * 5.5, toy_numbers), 0);
}

TEST(ToyLaw, HasTheSameBitsInEveryLane) {
  auto r2 = draws(2, 0, 40);
  r2[3] = 0x1p-680, r2[11] = 0x1p680, r2[40] = 5.5 * 5.5;
  ThreeColumns<double> expected(0);
  for (const double one : r2) {
    expected.a.push_back(Yukawa::law.force_over_r(one, toy_numbers));
    expected.b.push_back(Yukawa::law.force_over_r_slope(one, toy_numbers));
    expected.c.push_back(Yukawa::law.u(one, toy_numbers));
  }
  ASSERT_EQ(simd::available_lane_functions().size(), simd::available_targets().size());
  for (const auto* target : simd::available_lane_functions()) {
    ThreeColumns<double> found(r2.size());
    target->toy(toy_numbers, r2.data(), {found.a.data(), found.b.data(), found.c.data()}, r2.size());
    expect_the_bits(found.a, expected.a, target->name);
    expect_the_bits(found.b, expected.b, target->name);
    expect_the_bits(found.c, expected.c, target->name);
    const std::vector<float> single(r2.begin() + 64, r2.end());
    ThreeColumns<float> in_float(single.size());
    target->toy_in_float(toy_numbers, single.data(), {in_float.a.data(), nullptr, in_float.c.data()}, single.size());
    for (std::size_t k = 0; k < single.size(); ++k) {
      const double c = Yukawa::law.force_over_r(single[k], toy_numbers), u = Yukawa::law.u(single[k], toy_numbers);
      ASSERT_NEAR(in_float.a[k], c, 4e-6 * std::abs(c)) << target->name << ", r² = " << single[k];
      ASSERT_NEAR(in_float.c[k], u, 4e-6 * std::abs(u)) << target->name << ", r² = " << single[k];
    }
  }
}

/// The laws with a cutoff, from distance 0 to beyond it.
TEST(ForceLaws, WithACutoffHaveTheSameBitsInEveryLane) {
  for (const NumberedLaw& law : every_short_range_law()) {
    auto r2 = draws(5, 0, 1.1 * law.cutoff() * law.cutoff());
    for (std::size_t k = 0; k < 4096; ++k) r2[k] *= 1e-5;
    r2[3] = 0, r2[11] = law.cutoff() * law.cutoff(), r2[40] = law.parameters.at[1], r2[41] = 0x1p-100, r2[50] = 1e-300;
    ThreeColumns<double> expected(0);
    for (const double one : r2) expected.a.push_back(law.force_over_r(one)), expected.b.push_back(law.u(one));
    for (const auto* target : simd::available_lane_functions()) {
      ThreeColumns<double> found(r2.size());
      target->short_range(law_index(*law.law), law.parameters, r2.data(), {found.a.data(), nullptr, found.b.data()},
                          r2.size());
      expect_the_bits(found.a, expected.a, law.name() + ", " + target->name);
      expect_the_bits(found.b, expected.b, law.name() + ", " + target->name);
    }
  }
}

TEST(Arithmetic, OperationsOfLawsHaveTheSameBitsInEveryLane) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  auto x = draws(3, -760, 720), y = draws(4, -760, 720);
  const std::vector<double> special = {0.0,    -0.0,   1e-320, -1e-320,  none,    1.0,   infinite, -infinite,
                                       709.78, 709.79, -745.1, -745.133, -745.14, 1e308, -1e308,   -708.5};
  for (std::size_t k = 0; k < special.size(); ++k) {
    x[k] = special[k], y[k] = special[(k + 1) % special.size()];
  }
  y[17] = none, y[18] = x[18];
  ThreeColumns<double> expected(0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool below = y[k] < x[k], above = x[k] < y[k];
    expected.a.push_back(below ? y[k] : x[k]);
    expected.b.push_back(above ? y[k] : x[k]);
    expected.c.push_back(exponential(x[k]));
    EXPECT_EQ(minimum(Scalar(x[k]), Scalar(y[k])).value == y[k], below || x[k] == y[k]);
    EXPECT_EQ(maximum(Scalar(x[k]), Scalar(y[k])).value == y[k], above || x[k] == y[k]);
  }
  for (const auto* target : simd::available_lane_functions()) {
    ThreeColumns<double> found(x.size());
    target->words(x.data(), y.data(), {found.a.data(), found.b.data(), found.c.data()}, x.size());
    expect_the_bits(found.a, expected.a, target->name);
    expect_the_bits(found.b, expected.b, target->name);
    expect_the_bits(found.c, expected.c, target->name);
    std::vector<float> p, q;
    for (std::size_t k = 32; k < x.size(); ++k) {
      p.push_back(static_cast<float>(x[k] / 9)), q.push_back(static_cast<float>(y[k] / 9));
    }
    ThreeColumns<float> single(p.size());
    target->words_in_float(p.data(), q.data(), {single.a.data(), single.b.data(), single.c.data()}, p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      ASSERT_EQ(single.a[k], std::min(p[k], q[k])) << target->name;
      ASSERT_EQ(single.b[k], std::max(p[k], q[k])) << target->name;
      ASSERT_EQ(single.c[k], static_cast<float>(exponential(static_cast<double>(p[k])))) << target->name;
    }
  }
}

/// Bodies of one chunk in the order of docs/canonical-order.md, bit by bit; two chunks, whose order is more complex, up
/// to rounding.
TEST(ToyLaw, IsSummedOverPairs) {
  constexpr std::size_t n = 201, chunk = 128, stride = 256;
  Bodies bodies = cloud(n);
  std::vector<double> x[3] = {bodies.position.x, bodies.position.y, bodies.position.z}, w = bodies.mass;
  for (auto* column : {&x[0], &x[1], &x[2], &w}) column->resize(stride);
  const LawParameters near{{0.8, 1.1}};
  const simd::ParticleView field{{x[0].data(), x[1].data(), x[2].data()}, {}, w.data(), n, 0.01, near, 1, 1};
  const simd::PairKernels& loops = simd::pair_loops(simd::target::toy_loops()).laws[0][0].outputs[1];
  const auto sums = [&](std::size_t i, std::size_t begin, std::size_t end) {
    std::vector<double> of(4);
    for (std::size_t j = begin; j < end; ++j) {
      if (i == j) continue;
      const double d[3] = {x[0][j] - x[0][i], x[1][j] - x[1][i], x[2][j] - x[2][i]};
      const double r2 = std::fma(d[0], d[0], std::fma(d[1], d[1], std::fma(d[2], d[2], 0.01)));
      const double s = w[j] * Yukawa::law.force_over_r(r2, near);
      for (std::size_t q = 0; q < 3; ++q) of[q] = std::fma(d[q], s, of[q]);
      of[3] = std::fma(w[j], Yukawa::law.u(r2, near), of[3]);
    }
    return of;
  };
  std::vector<double> within(4 * stride), on_i(4 * stride), on_j(4 * stride);
  loops.within(field, 0, chunk, {within.data(), stride});
  loops.between(field, 0, chunk, chunk, {on_i.data(), stride}, {on_j.data(), stride});
  for (std::size_t i = 0; i < chunk; ++i) {
    const auto own = sums(i, 0, chunk), others = sums(i, chunk, n);
    for (std::size_t q = 0; q < 4; ++q) {
      EXPECT_EQ(within[q * stride + i], own[q]) << i;
      EXPECT_NEAR(on_i[q * stride + i], others[q], 1e-14) << i;
    }
  }
  for (std::size_t j = chunk; j < n; ++j) {
    const auto others = sums(j, 0, chunk);
    for (std::size_t q = 0; q < 4; ++q) EXPECT_NEAR(on_j[q * stride + j - chunk], others[q], 1e-14) << j;
  }
}

}  // namespace
}  // namespace testing
}  // namespace orrery::sim
