// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace orrery::sim {

/// The mass within a radius r ≥ 0, which never decreases. Like initial states it uses sim/elementary.hpp and no function of
/// the C library but sqrt.
using MassProfile = std::function<double(double radius)>;

/// Of all of them together, in this order.
inline MassProfile sum_of(std::vector<MassProfile> profiles) {
  return [all = std::move(profiles)](double radius) {
    double sum = 0;
    for (const MassProfile& mass : all) sum += mass(radius);
    return sum;
  };
}

}  // namespace orrery::sim
