// SPDX-License-Identifier: MIT
// The bodies of a run: what they are, where they are and how they move; one array per coordinate, in double always.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery::sim {

/// Three arrays of one length: N vectors, coordinate by coordinate.
struct Vectors {
  std::vector<double> x, y, z;

  Vectors() = default;
  explicit Vectors(std::size_t n) : x(n), y(n), z(n) {}

  [[nodiscard]] std::size_t size() const { return x.size(); }
  void push_back(double vx, double vy, double vz) {
    x.push_back(vx);
    y.push_back(vy);
    z.push_back(vz);
  }
  friend bool operator==(const Vectors&, const Vectors&) = default;
};

/// A vector in space.
struct Vec3 {
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// N bodies. `charge` and `names` are empty or hold N entries, the others always do.
struct Bodies {
  std::vector<double> mass;
  std::vector<double> charge;
  Vectors position, velocity;
  std::vector<std::int32_t> species;  ///< which component of the scenario a body belongs to
  std::vector<std::string> names;

  [[nodiscard]] std::size_t size() const { return mass.size(); }
};

}  // namespace orrery::sim
