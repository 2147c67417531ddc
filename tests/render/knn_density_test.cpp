// SPDX-License-Identifier: MIT
// Local densities against known values, and as colours.
#include "render/point_cloud/knn_density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <utility>

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

TEST(KnnDensity, NeighboursIncludePeriodicImages) {
  const Frame frame = even(1003, 1);
  const std::vector<double> mass(1003, 2.0);
  Bounds box;
  box.low = {0, 0, 0};
  box.high = {1, 1, 1};
  box.closed = box.periodic = {true, true, false};
  Frame moved = frame;  // along the periodic axes, across their ends
  for (std::size_t k = 0; k < 3 * 1003; ++k) {
    float& x = moved.position.edit()[k];
    x += k % 3 == 0 ? 0.37F : k % 3 == 1 ? 0.61F : 0;
    if (x >= 1) x -= 1;
  }
  const auto expected = local_densities(frame, mass, box), found = local_densities(moved, mass, box);
  const auto open = local_densities(frame, mass);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < 1003; ++i) {
    EXPECT_NEAR(found[i] / expected[i], 1, 1e-3) << i;
    EXPECT_GE(expected[i], open[i]) << i;
    differ += open[i] < 0.99F * expected[i] ? 1 : 0;
  }
  EXPECT_GT(differ, 50U) << "images are nearer for some";
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

constexpr std::array all_axes{true, true, true};

/// Normally distributed bodies about a place.
void add_clump(Frame& frame, std::mt19937& random, std::size_t bodies, const Place& at, double radius) {
  std::normal_distribution<double> normal(0, radius);
  for (std::size_t i = 0; i < 3 * bodies; ++i)
    frame.position.edit().push_back(static_cast<float>(at[i % 3] + normal(random)));
}

/// The definition, with all pairs and all images next to the box.
Place center_by_all_pairs(const Frame& frame, const std::vector<double>& mass, const Bounds& box) {
  std::vector<std::size_t> heavy;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) heavy.push_back(i);
  }
  std::array<std::complex<double>, 3> circle{};
  Place sum{};
  double weights = 0;
  for (const std::size_t i : heavy) {
    std::vector<std::pair<double, double>> others;  // squared distances and masses
    for (const std::size_t j : heavy) {
      for (int image = 0; j != i && image < 27; ++image) {
        const std::array<int, 3> laps{image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        double square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double way =
              static_cast<double>(frame.position[3 * j + k]) - static_cast<double>(frame.position[3 * i + k]);
          square += std::pow(way + laps[k] * box.period(k), 2);
          if (laps[k] != 0 && !box.periodic[k]) square = INFINITY;
        }
        others.emplace_back(square, mass[j]);
      }
    }
    std::ranges::sort(others);
    const std::size_t count = std::min<std::size_t>(6, heavy.size() - 1);
    double near = mass[i];
    for (std::size_t k = 0; k < count; ++k) near += others[k].second;
    const double density = near / std::pow(others[count - 1].first, 1.5), weight = mass[i] * density * density;
    weights += weight;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto x = static_cast<double>(frame.position[3 * i + k]);
      sum[k] += weight * x;
      if (box.periodic[k]) circle[k] += std::polar(weight, 2 * M_PI * (x - box.low[k]) / box.period(k));
    }
  }
  Place center{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double turn = std::arg(circle[k]) / (2 * M_PI);
    center[k] = box.periodic[k] ? box.low[k] + (turn < 0 ? turn + 1 : turn) * box.period(k) : sum[k] / weights;
  }
  return center;
}

TEST(DensityCenter, EqualsTheSumOverAllPairs) {
  for (const std::size_t n : {2U, 3U, 7U, 8U, 65U, 257U}) {
    for (const bool boxed : {false, true}) {
      Frame frame = even(n, 3);
      std::vector<double> mass;
      for (std::size_t i = 0; i < n; ++i) mass.push_back(i % 5 == 2 ? 0 : 0.1 + static_cast<double>(i * i % 7));
      const std::array periodic{boxed, boxed, false};
      const Bounds box{.low = {0, 0, 0}, .high = {3, 3, 0}, .closed = periodic, .periodic = periodic};
      const Place found = density_center(frame, mass, box), expected = center_by_all_pairs(frame, mass, box);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 2e-5) << n << boxed << k;
    }
  }
}

TEST(DensityCenter, OfOneOrNoBody) {
  EXPECT_EQ(density_center({}, {}, {}), Place{});
  const Frame one{.time = 0, .position = {1.5F, -2, 0.25F}, .velocity = {}};
  EXPECT_EQ(density_center(one, {3}, {}), (Place{1.5, -2, 0.25}));
  EXPECT_EQ(density_center(one, {0}, {}), (Place{1.5, -2, 0.25}));
  const Frame lost{.time = 0, .position = {NAN, 1, 2, 1, INFINITY, 2}, .velocity = {}};
  EXPECT_EQ(density_center(lost, {1, 1}, {}), Place{});
  Frame two = one;
  two.position.edit().insert(two.position.edit().end(), {2.5F, 2, 1.25F, NAN, 0, 0});
  const Place center = density_center(two, {3, 1, 1}, {});  // their centre of mass
  EXPECT_NEAR(center[0], 1.75, 1e-6);
  EXPECT_NEAR(center[1], -1, 1e-6);
  two.position = {1.5F, -2, 0.25F, 1.5F, -2, 0.25F, 1.5F, -2, 0.25F};
  EXPECT_NEAR(density_center(two, {3, 1, 1}, {})[1], -2, 1e-6) << "all in one place";
}

TEST(DensityCenter, IsThatOfTheDenseClumpAndIgnoresMasslessBodies) {
  for (const float unit : {1.F, 1e-15F, 1e18F}) {
    std::mt19937 random(5);
    Frame frame;
    add_clump(frame, random, 400, {3, -2, 1}, 0.2);
    add_clump(frame, random, 900, {-4, 5, 2}, 1.5);  // more mass, in more space
    frame.position.edit().insert(frame.position.edit().end(), {900, 10, 20});
    for (float& x : frame.position.edit()) x *= unit;
    std::vector<double> mass(1301, 2e30);
    const Place center = density_center(frame, mass, {});
    EXPECT_NEAR(center[0] / static_cast<double>(unit), 3, 0.03);
    EXPECT_NEAR(center[1] / static_cast<double>(unit), -2, 0.03);
    EXPECT_NEAR(center[2] / static_cast<double>(unit), 1, 0.03);
    Frame more = frame;
    for (int i = 0; i < 1500; ++i) more.position.edit().insert(more.position.edit().end(), {unit, unit, unit});
    mass.resize(2801, 0);
    EXPECT_EQ(density_center(more, mass, {}), center);
    if (unit != 1) continue;
    EXPECT_NEAR(density_center(more, std::vector<double>(2801, 0.0), {})[0], 1, 1e-3) << "all without mass";
  }
}

TEST(DensityCenter, PassesTheEndsOfAPeriodicBoxEvenly) {
  std::mt19937 random(8);
  Frame clump;
  add_clump(clump, random, 501, {0, 0, 0}, 0.15);
  const Bounds box{.low = {-1, 2, -3}, .high = {3, 5, 2}, .closed = all_axes, .periodic = all_axes};
  const std::vector<double> mass(501, 1.0);
  const Place own = density_center(clump, mass, {});
  for (int step = 0; step <= 40; ++step) {
    const Place shift{0.3 + 0.37 * step, 2.2 - 0.23 * step, 0.11 * step};
    Frame moved = clump;
    for (std::size_t i = 0; i < moved.position.size(); ++i) {
      const double x = static_cast<double>(clump.position[i]) + shift[i % 3];
      moved.position.edit()[i] = static_cast<float>(wrapped_coordinate(box, i % 3, x));
    }
    const Place center = density_center(moved, mass, box);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(center[k], box.low[k]);
      EXPECT_LE(center[k], box.high[k]);
      EXPECT_NEAR(nearest(center[k] - own[k] - shift[k], box.period(k)), 0, 1e-3) << step << k;
    }
  }
}

TEST(DensityCenter, MovesGraduallyBetweenTwoClumps) {
  // One clump expands while the other contracts; with equal radii they are mirror images.
  std::mt19937 random(3);
  Frame shape;
  add_clump(shape, random, 333, {0, 0, 0}, 1);
  const auto center_at = [&](double t) {
    Frame frame;
    for (const double side : {-1.0, 1.0}) {
      const double radius = std::exp(0.8 * side * t);
      for (std::size_t i = 0; i < shape.position.size(); ++i) {
        const double x = side * radius * static_cast<double>(shape.position[i]) + (i % 3 == 0 ? side * 10 : 0);
        frame.position.edit().push_back(static_cast<float>(x));
      }
    }
    return density_center(frame, std::vector<double>(666, 1.0), {});
  };
  EXPECT_NEAR(center_at(-1)[0], 10, 0.2);
  EXPECT_NEAR(center_at(0)[0], 0, 1e-3);
  EXPECT_NEAR(center_at(1)[0], -10, 0.2);
  double before = center_at(-1)[0];
  for (int f = -199; f <= 200; ++f) {
    const double now = center_at(f / 200.0)[0];
    EXPECT_LT(std::abs(now - before), 0.03 * 20) << "of the distance between the clumps, in frame " << f;
    before = now;
  }
}

TEST(DensityCenter, OfManyBodiesIncludesTheHeaviest) {
  std::mt19937 random(21);
  Frame frame;
  constexpr std::size_t n = 70001;
  add_clump(frame, random, n, {0, 0, 0}, 1);
  std::vector<double> mass(n, 1e-3 / n);
  const Place light = density_center(frame, mass, {});
  for (const double x : light) EXPECT_NEAR(x, 0, 0.05);
  mass[43211] = 1;
  for (std::size_t k = 0; k < 3; ++k) frame.position.edit()[3 * 43211 + k] = 0.7F;
  const Place heavy = density_center(frame, mass, {});
  for (const double x : heavy) EXPECT_NEAR(x, 0.7, 0.05);
}

TEST(DensityCenter, DoesNotDependOnThreads) {
  std::mt19937 random(2);
  Frame frame;
  add_clump(frame, random, 20011, {0.3, 0.4, 0.5}, 0.1);
  const Bounds box{.low = {0, 0, 0}, .high = {1, 1, 1}, .closed = all_axes, .periodic = all_axes};
  for (std::size_t k = 0; k < frame.position.size(); ++k)
    frame.position.edit()[k] =
        static_cast<float>(wrapped_coordinate(box, k % 3, static_cast<double>(frame.position[k])));
  const std::vector<double> mass(20011, 1.0);
  const Place many = density_center(frame, mass, box);
  const ThreadLimit one(1);
  EXPECT_EQ(density_center(frame, mass, box), many);
}

}  // namespace
}  // namespace orrery::render
