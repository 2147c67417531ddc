// SPDX-License-Identifier: MIT
// A further implementation of docs/canonical-order.md, for pages that step a run in the browser: all pairs in float64, one thread.
#pragma once

#include "steps.hpp"
#include "xxh3.hpp"

namespace orrery::page::ORRERY_ENGINE {

class Engine {
 public:
  /// `memory`: Bodies::size(bodies) doubles, all 0. Then come the numbers of the bodies, and the forces.
  void begin(int bodies, double* memory, Method method, double dt) {
    stepper_.bodies.begin(bodies, memory);
    stepper_.forces.clear();
    stepper_.begin(method, dt);
  }
  bool add(const ActingForce& force) { return stepper_.forces.add(force); }
  [[nodiscard]] const Bodies& bodies() const { return stepper_.bodies; }

  void advance(int steps) {
    for (int k = 0; k < steps; ++k) stepper_.step();
  }

  [[nodiscard]] double kinetic_energy() const {
    const Rows v = bodies()[Kept::velocity];
    for (int i = 0; i < bodies().size(); ++i) {
      const auto [x, y, z] = v.of(i);
      bodies().scratch()[i] = ((0.5 * bodies().mass()[i]) * fma(x, x, fma(y, y, z * z))).v[0];
    }
    return bodies().sum();
  }
  double potential_energy() {
    stepper_.accelerate(Asked::potential);
    for (int i = 0; i < bodies().size(); ++i)
      bodies().scratch()[i] = (0.5 * bodies().mass()[i]) * bodies().potential()[i];
    return bodies().sum();
  }

  /// XXH3 of x of all bodies, y, z, vx, vy, vz: what the program prints.
  [[nodiscard]] u64 hash() const {
    const int n = bodies().size();
    constexpr Kept both[] = {Kept::position, Kept::velocity};
    double* to = bodies().scratch();
    for (const Kept column : both) {
      for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < n; ++i) *to++ = bodies()[column][axis][i];
      }
    }
    return Xxh3::of(reinterpret_cast<const u8*>(bodies().scratch()), 6 * n * 8);
  }
  /// XXH3 of a stored frame: positions, and velocities if they are stored, body by body, as float32 if `single`.
  [[nodiscard]] u64 checksum(bool single, bool velocities) const {
    return single ? checksum<float>(velocities) : checksum<double>(velocities);
  }

 private:
  template <class Number>
  [[nodiscard]] u64 checksum(bool velocities) const {
    const int n = bodies().size(), columns = velocities ? 2 : 1;
    auto* to = reinterpret_cast<Number*>(bodies().scratch());
    for (int column = 0; column < columns; ++column) {
      for (int i = 0; i < n; ++i) {
        for (int axis = 0; axis < 3; ++axis) *to++ = static_cast<Number>(bodies()[static_cast<Kept>(column)][axis][i]);
      }
    }
    return Xxh3::of(reinterpret_cast<const u8*>(bodies().scratch()),
                    3 * columns * n * static_cast<int>(sizeof(Number)));
  }

  Stepper stepper_;
};

}  // namespace orrery::page::ORRERY_ENGINE
