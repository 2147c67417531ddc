// SPDX-License-Identifier: MIT
// The text format of the course CS267, byte for byte: the program's export against an independent loop over all pairs,
// written from docs/canonical-order.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>

#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

constexpr double cutoff = 0.01, mass = 0.01, dt = 0.0005;

double inverse_root(double r2) {
  const auto nearer = [](double y, double e) {
    return std::fma(y * e, std::fma(std::fma(0.3125, e, 0.375), e, 0.5), y);
  };
  const auto h = std::bit_cast<std::uint64_t>(r2) >> 32;
  const auto first = std::bit_cast<double>((0x5fe6eb50ULL - (h >> 1)) << 32);
  const double y = nearer(first, std::fma(-(r2 * first), first, 1.0));
  return nearer(y, std::fma(-r2, y * y, 1.0));
}

/// The bodies of the course and their steps. Each pair is computed once; each body still sums in ascending order.
class Loop {
 public:
  explicit Loop(std::size_t n) : size_(std::sqrt(0.0005 * static_cast<double>(n))), x_(n), y_(n), vx_(n), vy_(n) {
    std::mt19937 draw(1);
    const auto next = [&draw] { return static_cast<std::uint64_t>(draw()); };
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
    const std::size_t rows = (n + columns - 1) / columns;
    std::vector<std::size_t> left(n);
    for (std::size_t i = 0; i < n; ++i) left[i] = i;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = n - i, least = ((1ULL << 32) - r) % r;
      std::uint64_t m = next() * r;
      while ((m & 0xffffffffU) < least) m = next() * r;
      const std::size_t k = left[m >> 32], row = k / columns;
      left[m >> 32] = left[r - 1];
      x_[i] = size_ * (1.0 + static_cast<double>(k % columns)) / static_cast<double>(1 + columns);
      y_[i] = size_ * (1.0 + static_cast<double>(row)) / static_cast<double>(1 + rows);
      for (double* const v : {&vx_[i], &vy_[i]}) {
        const float f = std::min(static_cast<float>(next()) / 4294967296.0F, std::nextafter(1.F, 0.F));
        *v = f * 2.F - 1.F;
      }
    }
  }

  void step() {
    const std::size_t n = x_.size();
    std::vector<double> ax(n), ay(n);
    const double* const x = x_.data();
    for (std::size_t i = 0; i < n; ++i) {
      const double xi = x[i], yi = y_[i];
      for (std::size_t j = i + 1; j < n; ++j) {
        const double dx = x[j] - xi;
        if (std::abs(dx) > 1.01 * cutoff) continue;
        const double dy = y_[j] - yi, r2 = std::fma(dx, dx, dy * dy);
        if (r2 > cutoff * cutoff) continue;
        const double least = cutoff / 100, root = inverse_root(r2 < least * least ? least * least : r2);
        const double c = std::fma(-cutoff, root, 1.0) * (root * root);
        ax[i] = std::fma(c, dx, ax[i]), ay[i] = std::fma(c, dy, ay[i]);
        ax[j] = std::fma(c, -dx, ax[j]), ay[j] = std::fma(c, -dy, ay[j]);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      move(x_[i], vx_[i], 1 / mass * ax[i]);
      move(y_[i], vy_[i], 1 / mass * ay[i]);
    }
  }

  /// The whole output in the course's format: frames after the steps 1, 11, 21, …
  std::string text() {
    std::ostringstream out;
    out << x_.size() << ' ' << size_ << '\n';
    for (int k = 1; k <= 1000; ++k) {
      step();
      if (k % 10 != 1) continue;
      for (std::size_t i = 0; i < x_.size(); ++i) out << x_[i] << ' ' << y_[i] << '\n';
      out << '\n';
    }
    return out.str();
  }

 private:
  void move(double& at, double& speed, double a) const {
    speed = std::fma(dt, a, speed);
    at = std::fma(dt, speed, at);
    while (at < 0 || at > size_) {
      at = at < 0 ? -at : 2 * size_ - at;
      speed = -speed;
    }
  }

  double size_;
  std::vector<double> x_, y_, vx_, vy_;
};

/// scenarios/short-range.toml with that many bodies.
void expect_its_text(std::size_t n) {
  const Folder folder;
  std::string scenario = read(ORRERY_SOURCE_DIR "/scenarios/short-range.toml");
  const std::string edge = fmt::format("{}", std::sqrt(0.0005 * static_cast<double>(n)));
  scenario = with(scenario, "[0.7071067811865476, 0.7071067811865476]", fmt::format("[{}, {}]", edge, edge));
  scenario = with(scenario, "n    = 1000 ", fmt::format("n = {} ", n));
  write(folder / "s.toml", scenario);
  const Outcome made = run(folder, {"simulate", "s.toml", "--quiet"});
  ASSERT_EQ(made.code, 0) << made.errors;
  const Outcome outcome = run(folder, {"export", "s/run.h5", "--format", "cs267", "-o", "s.txt"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::string ours = read(folder / "s.txt"), expected = Loop(n).text();
  EXPECT_EQ(ours.size(), expected.size());
  EXPECT_TRUE(ours == expected) << "they part after byte " << std::ranges::mismatch(ours, expected).in1 - ours.begin();
}

TEST(Cs267Text, EqualsOutputOfALoopOverAllPairs) {
  expect_its_text(1000);
}

TEST(Cs267Text, OfTenThousandBodiesEqualsALoopOverAllPairsSlow) {
  expect_its_text(10'000);
}

}  // namespace
}  // namespace orrery::pipeline::testing
