// SPDX-License-Identifier: MIT
// Langevin dynamics: a leapfrog step, then friction and noise of a heat bath over dt.
#pragma once

#include <cmath>

#include "sim/elementary.hpp"
#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {

inline constexpr Parameter langevin_keys[] = {
    {.name = "temperature",
     .fallback = "1.0",
     .meaning = "of the bath, k_B = 1",
     .unit = "energy",
     .range = not_negative},
    {.name = "friction",
     .fallback = "1.0",
     .meaning = "rate at which velocities decay; 0: a leapfrog without heat bath",
     .unit = "1/time",
     .range = not_negative},
    {.name = "noise",
     .kind = Kind::integer,
     .fallback = "1",
     .meaning = "seed of the noise, independent of the scenario's seed",
     .range = {.low = 0, .high = 0x1p53}}};

/// The heat bath acts alike in both directions of time.
inline constexpr Integrator langevin{
    .name = "langevin",
    .meaning = "a leapfrog with a heat bath: brings bodies to a temperature and keeps them there",
    .order = 2,
    .evaluations = 1,
    .references = {literature::bussi2007},
    .parameters = langevin_keys,
    .uses_time = true,
    .bath = true,
    .step = [](Backend& bodies, const Step& step) {
      bodies.accelerate();
      bodies.kick(step.dt / 2);
      bodies.drift(step.dt);
      bodies.accelerate();
      bodies.kick(step.dt / 2);
      const auto [temperature, friction, noise, none] = step.keys.at;
      if (friction == 0) return;
      const double kept = exponential(-(friction * std::abs(step.dt)));
      bodies.thermalise({.kept = kept,
                         .spread = std::sqrt(temperature * ((1 - kept) * (1 + kept))),
                         .noise = static_cast<std::uint64_t>(noise),
                         .step = step.number});
    }};

}  // namespace orrery::sim
