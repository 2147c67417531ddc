// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace orrery::sim {

struct Vec3 {
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// N vectors as structure of arrays.
struct Vectors {
  std::vector<double> x, y, z;

  Vectors() = default;
  explicit Vectors(std::size_t n) : x(n), y(n), z(n) {}
  Vectors(std::initializer_list<Vec3> vectors) {
    for (const Vec3& v : vectors) push_back(v.x, v.y, v.z);
  }

  [[nodiscard]] std::size_t size() const { return x.size(); }
  void push_back(double vx, double vy, double vz) {
    x.push_back(vx);
    y.push_back(vy);
    z.push_back(vz);
  }
  friend bool operator==(const Vectors&, const Vectors&) = default;
};

/// N bodies, in double. `charge`, `radius` and `names` are empty or have N entries, the others always have N.
struct Bodies {
  std::vector<double> mass;
  std::vector<double> charge;
  std::vector<double> radius;  ///< of solid spheres: what they cover; forces do not know it
  Vectors position, velocity;
  std::vector<std::int32_t> species;  ///< index of the scenario's component
  std::vector<std::string> names;

  [[nodiscard]] std::size_t size() const { return mass.size(); }
  /// The name of body i, or "body i" if it has none.
  [[nodiscard]] std::string label(std::size_t i) const {
    return i < names.size() && !names[i].empty() ? names[i] : "body " + std::to_string(i);
  }
};

}  // namespace orrery::sim
