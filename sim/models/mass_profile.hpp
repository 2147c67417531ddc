// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace orrery::sim {

/// The mass within a radius r ≥ 0, which never decreases. Like initial states it uses sim/elementary.hpp and no function of
/// the C library but sqrt.
using MassProfile = std::function<double(double radius)>;

}  // namespace orrery::sim
