// SPDX-License-Identifier: MIT
// Local densities against known values, and as colours.
#include "render/point_cloud/knn_density.hpp"

#include <gtest/gtest.h>

#include "render/style/coloring.hpp"
#include "scene.hpp"
#include "tests/thread_limit.hpp"

namespace orrery::render {
namespace {

/// `n` bodies uniformly random in a cube of side `side`.
Frame even(std::size_t n, float side) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> place(0, side);
  Frame frame;
  for (std::size_t i = 0; i < 3 * n; ++i) frame.position.edit().push_back(place(random));
  return frame;
}

TEST(KnnDensity, OfAUniformCubeIsRight) {
  for (const std::size_t n : {500U, 20011U}) {
    const Frame frame = even(n, 2);
    const std::vector<double> mass(n, 3.0);
    const std::vector<float> densities = local_densities(frame, mass);
    double sum = 0, inside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      bool inner = true;
      for (std::size_t k = 0; k < 3; ++k) inner = inner && std::abs(frame.position[3 * i + k] - 1) < 0.6F;
      if (!inner) continue;
      sum += static_cast<double>(densities[i]);
      ++inside;
    }
    // The variance of the estimate is ρ²/4 per body, and estimates of neighbours are correlated.
    EXPECT_NEAR(sum / inside / (3 * static_cast<double>(n) / 8), 1, n > 1000 ? 0.05 : 0.25) << n;
  }
}

TEST(KnnDensity, ScalesWithTheUnitOfLength) {
  const Frame frame = even(501, 1);
  const std::vector<double> mass(501, 3e30);
  const std::vector<float> expected = local_densities(frame, mass);
  for (const int power : {-20, 10, 70}) {  // 2^70 m are a hundred thousand light years
    Frame other = frame;
    for (float& x : other.position.edit()) x = std::ldexp(x, power);
    const std::vector<double> heavy(501, std::ldexp(3e30, 3 * power));
    const std::vector<float> found = local_densities(other, power > 0 ? mass : heavy);
    for (std::size_t i = 0; i < 501; ++i) {
      const double here = static_cast<double>(found[i]) * (power > 0 ? std::ldexp(1.0, 3 * power) : 1);
      EXPECT_NEAR(here / static_cast<double>(expected[i]), 1, 1e-6) << power << " " << i;
    }
  }
}

TEST(KnnDensity, CoincidentMasslessBodiesHaveZeroDensity) {
  Frame frame = even(20, 1);
  std::vector<double> mass(20, 0.0);
  mass[19] = 1;
  for (std::size_t k = 0; k < 27; ++k) frame.position.edit()[k] = frame.position[k % 3];
  const std::vector<float> found = local_densities(frame, mass);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(found[i], 0) << i;
  for (const float density : found) EXPECT_TRUE(std::isfinite(density));
}

TEST(KnnDensity, TreeEqualsBruteForce) {
  for (const std::size_t n : {2U, 3U, 7U, 33U, 257U}) {
    const Frame frame = even(n, 1);
    std::vector<double> mass;
    for (std::size_t i = 0; i < n; ++i) mass.push_back(1 + static_cast<double>(i % 5));
    const std::vector<float> found = local_densities(frame, mass);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::pair<double, double>> others;
      for (std::size_t j = 0; j < n; ++j) {
        double d = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const auto x = static_cast<double>(frame.position[3 * j + k] - frame.position[3 * i + k]);
          d += x * x;
        }
        if (j != i) others.emplace_back(d, mass[j]);
      }
      std::ranges::sort(others);
      const std::size_t k = std::min<std::size_t>(6, n - 1);
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j) sum += others[j].second;
      const double r3 = std::pow(others[k - 1].first, 1.5), share = k > 1 ? 1 - 1 / static_cast<double>(k) : 1;
      EXPECT_NEAR(static_cast<double>(found[i]) / (share * sum / (4 * M_PI / 3 * r3)), 1, 1e-5) << n << " " << i;
    }
  }
}

TEST(KnnDensity, DoesNotDependOnThreads) {
  const Frame frame = even(30000, 1);
  const std::vector<double> mass(30000, 1.0);
  const auto found_by = [&](int threads) {
    const ThreadLimit limit(threads);
    return local_densities(frame, mass);
  };
  EXPECT_EQ(found_by(1), found_by(3));
}

TEST(KnnDensity, NonFiniteAndCoincidentPositionsAreAllowed) {
  Frame frame = even(40, 1);
  frame.position.edit()[3] = std::nanf("");
  for (std::size_t i = 30; i < 90; ++i) frame.position.edit()[i] = 0.5F;  // twenty in one place
  const auto densities = local_densities(frame, {});
  EXPECT_EQ(densities[1], 0);
  for (const float density : densities) EXPECT_TRUE(std::isfinite(density));
  EXPECT_EQ(local_densities(Frame{0, {1, 2, 3}, {}}, {1.0}), std::vector<float>{0});
}

TEST(KnnDensity, DenseRegionsAreBrighter) {
  for (const std::size_t n : {40U, 4000U}) {
    TestRun run;
    Frame frame = even(n, 2);
    for (std::size_t i = 0; i < 3 * (n / 2); ++i)
      frame.position.edit()[i] = 0.02F * frame.position[i] - 3;  // a tight half
    run.frames = {frame};
    run = settled(run);
    const Coloring coloring("density", Theme::dark, run.info, Reference("inertial", run.info));
    ASSERT_TRUE(coloring.scale());
    EXPECT_TRUE(coloring.scale()->logarithmic);
    EXPECT_GT(coloring.scale()->limits.length(), 3) << "powers of ten";
    frame.density = local_densities(frame, run.info.mass);
    EXPECT_GT(coloring.index(0, shade_of(frame, 0)), 120) << n;
    EXPECT_LT(coloring.index(n - 1, shade_of(frame, n - 1)), 100) << n;
    for (const char* name : {"projection", "view3d", "projections"}) {
      Arguments arguments = defaults(kind_named(name));
      arguments.set("color_by", std::string("density"));
      Canvas canvas({640, 480}, Theme::dark);
      const auto figure = shown(kind_named(name), canvas, run, arguments);
      bool named = false;
      for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
        const auto* text = std::get_if<Text>(&shape);
        named = named || (text != nullptr && text->words.find("density") != std::string::npos);
      }
      EXPECT_TRUE(named) << name << ": the bar says what it is";
    }
  }
}

}  // namespace
}  // namespace orrery::render
