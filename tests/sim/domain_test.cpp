// SPDX-License-Identifier: MIT
// Boundaries: their declared properties, bit by bit, the textbook's walls, and a toy boundary of this file.
#include "sim/domain.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "common/parameter.hpp"
#include "sim/boundaries/list.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

/// A toy boundary: a body that leaves at one end enters at the other with reversed velocity.
struct Mirrored {
  static ORRERY_EVERYWHERE Coordinate cross(Coordinate at, double low, double length) {
    const Coordinate inside = Periodic::cross(at, low, length);
    return (inside.image - at.image) % 2 == 0 ? inside : Coordinate{inside.x, -inside.v, inside.image};
  }

  static constexpr Boundary kind{
      .name = "mirrored", .meaning = "a toy", .bounded = true, .periodic = true, .cross = cross};
};

std::vector<const Boundary*> every_kind() {
  std::vector<const Boundary*> all(boundaries().begin(), boundaries().end());
  all.push_back(&Mirrored::kind);
  return all;
}

struct Box {
  double low, length;
  [[nodiscard]] double high() const { return low + length; }
};

/// Boxes at the origin, near it and far from it, mostly with generic numbers. In the one of 0.683… moving down by a
/// length from the upper end would end below the lower one.
constexpr Box boxes[] = {
    {0, 1},         {0, 0.0387298334620742}, {-0.7, 1.3},   {0.1, 0.3},      {1e9, 1.7},
    {-3.3e7, 0.11}, {1e-90, 7e-99},          {-1e99, 1e99}, {0x1p-30, 0.03}, {0.1, 0.6831063161636557},
    {-0.0, 3}};

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

void expect_same(const Coordinate& found, const Coordinate& expected) {
  EXPECT_EQ(bits(found.x), bits(expected.x)) << found.x << " for " << expected.x;
  EXPECT_EQ(bits(found.v), bits(expected.v)) << found.v << " for " << expected.v;
  EXPECT_EQ(found.image, expected.image);
}

TEST(Boundaries, AreListedWithUniqueNames) {
  std::set<std::string_view> names;
  for (const Boundary* boundary : every_kind()) {
    EXPECT_TRUE(names.insert(boundary->name).second) << boundary->name;
    EXPECT_FALSE(boundary->meaning.empty()) << boundary->name;
    EXPECT_NE(boundary->cross, nullptr) << boundary->name;
  }
  const auto all = boundaries();
  ASSERT_EQ(all.size(), std::size(Boundaries::names));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(boundary_index(*all[i]), i);
    EXPECT_EQ(all[i]->name, Boundaries::names[i]);
  }
  EXPECT_EQ(all.front(), &Open::kind);
}

TEST(Boundaries, KeepPositionsInsideTheBox) {
  for (const Boundary* boundary : every_kind()) {
    for (const Box& box : boxes) {
      const double last = std::nextafter(box.high(), box.low);
      for (const double x : {box.low, std::nextafter(box.low, box.high()), box.low + 0.37 * box.length, last}) {
        for (const double v : {0.0, -0.0, -2.5, infinite, not_a_number}) {
          SCOPED_TRACE(std::string(boundary->name) + " " + std::to_string(x));
          expect_same(boundary->cross({x, v, 7}, box.low, box.length), {x, v, 7});
        }
      }
    }
    expect_same(boundary->cross({-0.0, 1, 0}, 0, 1), {-0.0, 1, 0});
  }
}

TEST(Boundaries, MapIntoTheBox) {
  for (const Boundary* boundary : every_kind()) {
    if (!boundary->bounded) continue;
    for (const Box& box : boxes) {
      const double low = box.low, high = box.high();
      for (const double lengths :
           {-1023.3, -17.83, -2.0, -1.0, -0.999, -1e-16, 1.0, 1.0000001, 2.0, 3.41, 33.0, 1000.7}) {
        for (const double x : {low + lengths * box.length, std::nextafter(low + lengths * box.length, infinite),
                               std::nextafter(low + lengths * box.length, -infinite)}) {
          const Coordinate in = boundary->cross({x, 1.25, 0}, low, box.length);
          SCOPED_TRACE(std::string(boundary->name) + " in " + std::to_string(low) + " + " + std::to_string(box.length));
          EXPECT_GE(in.x, low);
          EXPECT_LE(in.x, high);
          EXPECT_TRUE(in.x < high || !boundary->periodic);
          EXPECT_EQ(std::abs(in.v), 1.25);
          // Applying it again changes nothing.
          expect_same(boundary->cross(in, low, box.length), in);
        }
      }
    }
  }
}

TEST(Boundaries, LosePositionsThatCrossTooOften) {
  for (const Boundary* boundary : every_kind()) {
    for (const Box& box : boxes) {
      const double far = 1025.5 * box.length;
      for (const double x : {infinite, -infinite, not_a_number, box.high() + far, box.low - far, 1e308, -1e308}) {
        SCOPED_TRACE(std::string(boundary->name) + " " + std::to_string(x));
        expect_same(boundary->cross({x, -0.5, 3}, box.low, box.length),
                    {boundary->bounded ? not_a_number : x, -0.5, 3});
      }
    }
  }
}

/// The walls of the course CS267, at 0 and `size`.
Coordinate textbook(double x, double v, double size) {
  while (x < 0 || x > size) {
    x = x < 0 ? -x : 2 * size - x;
    v = -v;
  }
  return {x, v, 0};
}

TEST(Reflecting, HasTheBitsOfTheDefinition) {
  for (const double size : {1.0, 0.0387298334620742, 7e-99, 3e99}) {
    for (const double low : {0.0, -0.0}) {
      for (int k = -4000; k <= 4000; ++k) {
        const double x = size * 0.00731 * k, v = 0.3 * k;
        expect_same(Reflecting::cross({x, v, 0}, low, size), textbook(x, v, size));
      }
      for (const double x : {-tiny, -0.0, 0.0, tiny, size, std::nextafter(size, 2 * size), 2 * size, -size, 3 * size})
        expect_same(Reflecting::cross({x, 1, 0}, low, size), textbook(x, 1, size));
    }
  }
}

TEST(Reflecting, TurnsTheVelocityAtEachWall) {
  expect_same(Reflecting::cross({-0.25, -3, 5}, 0, 1), {0.25, 3, 5});
  expect_same(Reflecting::cross({1.25, 3, 5}, 0, 1), {0.75, -3, 5});
  expect_same(Reflecting::cross({2.25, 3, 5}, 0, 1), {0.25, 3, 5});
  expect_same(Reflecting::cross({-1.25, 3, 5}, 0, 1), {0.75, 3, 5});
  expect_same(Reflecting::cross({5.75, 3, 0}, 4, 1.5), {5.25, -3, 0});
  expect_same(Reflecting::cross({3.75, 0, 0}, 4, 1.5), {4.25, -0.0, 0});
}

TEST(Periodic, CountsImages) {
  expect_same(Periodic::cross({1, 2, 0}, 0, 1), {0, 2, 1});  // the upper end is the lower one
  expect_same(Periodic::cross({-0.25, 2, 0}, 0, 1), {0.75, 2, -1});
  expect_same(Periodic::cross({3.25, 2, 10}, 0, 1), {0.25, 2, 13});
  expect_same(Periodic::cross({-7.5, -2, 0}, -1, 2), {0.5, -2, -4});
  expect_same(Periodic::cross({1023.5, 0, 0}, 0, 1), {0.5, 0, 1023});
  expect_same(Periodic::cross({-tiny, 0, 0}, 0, 1), {0, 0, 0});  // rounded up to the other end, and back
}

TEST(Periodic, UnwrapsPositions) {
  for (const Box& box : boxes) {
    for (int k = -3000; k <= 3000; k += 7) {
      const double x = box.low + 0.0731 * k * box.length;
      const Coordinate in = Periodic::cross({x, 0, 0}, box.low, box.length);
      const double rounding = 1e-15 * (std::abs(box.low) + 220 * box.length) * (std::abs(0.0731 * k) + 2);
      EXPECT_NEAR(in.x + static_cast<double>(in.image) * box.length, x, rounding);
    }
  }
}

std::string fault(const Domain& domain) {
  try {
    check(domain);
  } catch (const ArgumentError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    return error.name();
  }
  return "";
}

TEST(Domain, IsOpenSpaceByDefault) {
  const Domain space;
  EXPECT_TRUE(space.is_open());
  EXPECT_EQ(space.dimensions, 3);
  EXPECT_EQ(fault(space), "");
  for (std::size_t axis = 0; axis < 3; ++axis) expect_same(space.cross(axis, {-1e300, 4, 2}), {-1e300, 4, 2});
  EXPECT_TRUE((Domain{.dimensions = 2, .edges = {3, 4}}).is_open());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Domain box{.low = {1, 1, 1}, .edges = {2, 2, 2}};
    box.boundary[axis] = &Mirrored::kind;
    EXPECT_FALSE(box.is_open());
    EXPECT_EQ(fault(box), "");
    for (std::size_t other = 0; other < 3; ++other)
      expect_same(box.cross(other, {3.5, 4, 0}), other == axis ? Coordinate{1.5, -4, 1} : Coordinate{3.5, 4, 0});
  }
}

TEST(Domain, InvalidDomainsAreExplained) {
  const auto walls = [](double low, double edge) {
    Domain box{.low = {low}, .edges = {edge}};
    box.boundary[0] = &Reflecting::kind;
    return fault(box);
  };
  EXPECT_EQ(walls(-2, 4), "");
  EXPECT_EQ(walls(4e9, 4), "");
  EXPECT_EQ(walls(-4.1e9, 4), "low");
  for (const double edge : {0.0, -0.0, -1.0, infinite, not_a_number, 1e-101, 1e101}) EXPECT_EQ(walls(0, edge), "edges");
  for (const double low : {infinite, -infinite, not_a_number}) EXPECT_EQ(walls(low, 1), "low");
  for (const int dimensions : {-1, 0, 1, 4}) EXPECT_EQ(fault({.dimensions = dimensions}), "dimensions");
  EXPECT_EQ(fault({.dimensions = 2, .edges = {1, 1, 1}}), "edges");
  EXPECT_EQ(fault({.dimensions = 2, .low = {0, 0, 1}}), "edges");
  EXPECT_EQ(fault({.boundary = {&Open::kind, nullptr, &Open::kind}}), "boundary");
  EXPECT_EQ(fault({.edges = {0, -1, 0}}), "edges");
}

}  // namespace
}  // namespace orrery::sim::testing
