// SPDX-License-Identifier: MIT
// Symplectic integrators made of kicks (velocities) and drifts (positions), by order.
#pragma once

#include <cstddef>

#include "sim/integrator.hpp"
#include "sim/literature.hpp"

namespace orrery::sim {

/// A kick by the forces at the current positions.
inline void kick_here(Backend& bodies, double dt) {
  bodies.accelerate();
  bodies.kick(dt);
}

inline constexpr Integrator symplectic_euler{
    .name = "symplectic-euler",
    .meaning = "kick, then drift: first order, but its energy does not drift away",
    .order = 1,
    .symplectic = true,
    .evaluations = 1,
    .references = {{literature::hairer2006, "I.1.2"}},
    .step = [](Backend& bodies, const Step& step) {
      kick_here(bodies, step.dt);
      bodies.drift(step.dt);
    }};

inline constexpr Integrator leapfrog{
    .name = "leapfrog",
    .meaning = "kick-drift-kick (velocity Verlet): the standard of N-body work",
    .order = 2,
    .symplectic = true,
    .symmetric = true,
    .evaluations = 1,
    .references = {literature::verlet1967},
    .step = [](Backend& bodies, const Step& step) {
      kick_here(bodies, step.dt / 2);  // forces are known from the previous step, except in the first one
      bodies.drift(step.dt);
      kick_here(bodies, step.dt / 2);
    }};

inline constexpr Integrator leapfrog_dkd{
    .name = "leapfrog-dkd",
    .meaning = "drift-kick-drift (position Verlet): forces half-way through the step",
    .order = 2,
    .symplectic = true,
    .symmetric = true,
    .drifts_first = true,
    .evaluations = 1,
    .references = {literature::tuckerman1992},
    .step = [](Backend& bodies, const Step& step) {
      bodies.drift(step.dt / 2);
      kick_here(bodies, step.dt);
      bodies.drift(step.dt / 2);
    }};

inline constexpr Integrator ruth3{
    .name = "ruth3",
    .meaning = "three kicks and drifts of unequal lengths: third order, not symmetric in time",
    .order = 3,
    .symplectic = true,
    .evaluations = 3,
    .references = {literature::ruth1983},
    .step = [](Backend& bodies, const Step& step) {
      kick_here(bodies, 7.0 / 24 * step.dt);
      bodies.drift(2.0 / 3 * step.dt);
      kick_here(bodies, 3.0 / 4 * step.dt);
      bodies.drift(-2.0 / 3 * step.dt);
      kick_here(bodies, -1.0 / 24 * step.dt);
      bodies.drift(step.dt);
    }};

inline constexpr double triple_jump = 1.3512071919596576340;  // 1/(2 − 2^(1/3))

/// Leapfrogs of these parts of a step, first to last, then back to the first: symmetric, hence of even order.
template <std::size_t n>
void take_leapfrogs(Backend& bodies, const Step& step, const double (&parts)[n]) {
  for (std::size_t k = 0; k < n; ++k) leapfrog.step(bodies, step.part(parts[k]));
  for (std::size_t k = n - 1; k-- > 0;) leapfrog.step(bodies, step.part(parts[k]));
}

inline constexpr Integrator yoshida4{.name = "yoshida4",
                                     .meaning = "three leapfrogs of w₁, w₀, w₁ steps with 2w₁³ + w₀³ = 0: fourth order",
                                     .order = 4,
                                     .symplectic = true,
                                     .symmetric = true,
                                     .evaluations = 3,
                                     .references = {literature::yoshida1990},
                                     .step = [](Backend& bodies, const Step& step) {
                                       take_leapfrogs(bodies, step, {triple_jump, 1 - 2 * triple_jump});
                                     }};

inline constexpr Integrator forest_ruth{.name = "forest-ruth",
                                        .meaning = "yoshida4 with drifts for kicks: fourth order",
                                        .order = 4,
                                        .symplectic = true,
                                        .symmetric = true,
                                        .drifts_first = true,
                                        .evaluations = 3,
                                        .references = {literature::forest1990},
                                        .step = [](Backend& bodies, const Step& step) {
                                          constexpr double theta = triple_jump;
                                          bodies.drift(theta / 2 * step.dt);
                                          kick_here(bodies, theta * step.dt);
                                          bodies.drift((1 - theta) / 2 * step.dt);
                                          kick_here(bodies, (1 - 2 * theta) * step.dt);
                                          bodies.drift((1 - theta) / 2 * step.dt);
                                          kick_here(bodies, theta * step.dt);
                                          bodies.drift(theta / 2 * step.dt);
                                        }};

inline constexpr Integrator pefrl{.name = "pefrl",
                                  .meaning = "four kicks between five drifts, optimised: fourth order, small errors",
                                  .order = 4,
                                  .symplectic = true,
                                  .symmetric = true,
                                  .drifts_first = true,
                                  .evaluations = 4,
                                  .references = {literature::omelyan2002},
                                  .step = [](Backend& bodies, const Step& step) {
                                    constexpr double xi = 0.1786178958448091;
                                    constexpr double lambda = -0.2123418310626054;
                                    constexpr double chi = -0.06626458266981849;
                                    bodies.drift(xi * step.dt);
                                    kick_here(bodies, (0.5 - lambda) * step.dt);
                                    bodies.drift(chi * step.dt);
                                    kick_here(bodies, lambda * step.dt);
                                    bodies.drift((1 - 2 * (chi + xi)) * step.dt);
                                    kick_here(bodies, lambda * step.dt);
                                    bodies.drift(chi * step.dt);
                                    kick_here(bodies, (0.5 - lambda) * step.dt);
                                    bodies.drift(xi * step.dt);
                                  }};

inline constexpr Integrator yoshida6{
    .name = "yoshida6",
    .meaning = "seven leapfrogs of unequal lengths (solution A): sixth order",
    .order = 6,
    .symplectic = true,
    .symmetric = true,
    .evaluations = 7,
    .references = {literature::yoshida1990, {literature::hairer2006, "V.3.2"}},
    .step = [](Backend& bodies, const Step& step) {
      take_leapfrogs(bodies, step,
                     {0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695, 1.31518632068391121889});
    }};

inline constexpr Integrator yoshida8{.name = "yoshida8",
                                     .meaning = "fifteen leapfrogs of unequal lengths (solution D): eighth order",
                                     .order = 8,
                                     .symplectic = true,
                                     .symmetric = true,
                                     .evaluations = 15,
                                     .references = {literature::yoshida1990},
                                     .step = [](Backend& bodies, const Step& step) {
                                       constexpr double w1 = 0.102799849391985, w2 = -1.96061023297549,
                                                        w3 = 1.93813913762276, w4 = -0.158240635368243,
                                                        w5 = -1.44485223686048, w6 = 0.253693336566229,
                                                        w7 = 0.914844246229740;
                                       constexpr double w0 = 1 - 2 * (w1 + w2 + w3 + w4 + w5 + w6 + w7);
                                       take_leapfrogs(bodies, step, {w7, w6, w5, w4, w3, w2, w1, w0});
                                     }};

}  // namespace orrery::sim
