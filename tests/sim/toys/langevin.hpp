// SPDX-License-Identifier: MIT
// A toy: Langevin's equation by a leapfrog, then friction and noise, which is drawn by the number of the step.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/integrator.hpp"
#include "sim/random.hpp"

namespace orrery::sim::testing {

inline constexpr OwnColumn langevin_columns[] = {{.name = "noise", .persistent = false}};

inline constexpr Parameter langevin_parameters[] = {
    {.name = "friction", .fallback = "0.7", .meaning = "rate at which velocities are forgotten"},
    {.name = "temperature", .fallback = "0.3", .meaning = "variance of a component of the velocity without forces"}};

/// `noise` ← uniform numbers of variance 1, a function of the step and of the body alone: who goes on from a snapshot, on
/// whatever backend, draws them again. Made by the host.
inline void draw_noise(Backend& bodies, Column noise, std::int64_t step) {
  Vectors values = bodies.download(noise);
  const auto low = static_cast<std::uint32_t>(step), high = static_cast<std::uint32_t>(step >> 32);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto words = philox({static_cast<std::uint32_t>(i), 0, low, high}, {20, 26});
    const auto number = [&](std::size_t k) { return std::sqrt(3.0) * ((words[k] + 0.5) * 0x1p-31 - 1); };
    values.x[i] = number(0), values.y[i] = number(1), values.z[i] = number(2);
  }
  bodies.upload(noise, values);
}

inline constexpr Integrator langevin{
    .name = "langevin",
    .meaning = "leapfrog, friction and noise",
    .order = 1,
    .symplectic = false,
    .evaluations = 1,
    .reference = "Gillespie 1996, Phys. Rev. E 54, 2084, with a rational factor for his exponential",
    .columns = langevin_columns,
    .parameters = langevin_parameters,
    .uses_time = true,
    .step = [](Backend& bodies, const Step& step) {
      constexpr Column v = Column::velocity, noise = own_column(0);
      const auto [friction, temperature, unused, unused_too] = step.keys.at;
      bodies.accelerate();
      bodies.kick(step.dt / 2);
      bodies.drift(step.dt);
      bodies.accelerate();
      bodies.kick(step.dt / 2);
      const double half = friction * step.dt / 2, kept = (1 - half) / (1 + half);
      draw_noise(bodies, noise, step.number);
      bodies.combine(v, {{kept, v}, {std::sqrt(temperature * (1 - kept * kept)), noise}});
    }};

}  // namespace orrery::sim::testing
