// SPDX-License-Identifier: MIT
// Methods of a textbook, as loops over bodies: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed. (2006), I.1 and II;
// H. Yoshida, Phys. Lett. A 150, 262 (1990).
#include <algorithm>
#include <cmath>

#include "pipeline/judge/programs.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr Statement force{Do::evaluate};
constexpr Statement kick(double by) {
  return {Do::kick, by};
}
constexpr Statement drift(double by) {
  return {Do::drift, by};
}
constexpr Statement fall(double by) {
  return {Do::fall, by};
}

/// Leapfrogs of these parts of a step, one after the other.
std::vector<Loop> leapfrogs(const std::vector<double>& parts) {
  std::vector<Loop> loops;
  for (const double part : parts)
    for (const Loop& loop : {Loop{force}, {kick(part / 2), drift(part)}, {force}, {kick(part / 2)}})
      loops.push_back(loop);
  return loops;
}
std::vector<Loop> drift_leapfrogs(const std::vector<double>& parts) {
  std::vector<Loop> loops;
  for (const double part : parts)
    for (const Loop& loop : {Loop{drift(part / 2)}, {force}, {kick(part), drift(part / 2)}}) loops.push_back(loop);
  return loops;
}

const double w1 = 1 / (2 - std::cbrt(2.0)), w0 = 1 - 2 * w1;

std::vector<Method> right_methods() {
  return {
      {.key = "leapfrog", .name = "leapfrog, kick-drift-kick (velocity Verlet)", .order = 2, .loops = leapfrogs({1})},
      {.key = "leapfrog-dkd", .name = "leapfrog, drift-kick-drift", .order = 2, .loops = drift_leapfrogs({1})},
      {.key = "rk4",
       .name = "Runge-Kutta of fourth order",
       .order = 4,
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}},
      {.key = "yoshida4", .name = "Yoshida's fourth order, of leapfrogs", .order = 4, .loops = leapfrogs({w1, w0, w1})},
      {.key = "forest-ruth",
       .name = "Forest and Ruth's fourth order",
       .order = 4,
       .loops = drift_leapfrogs({w1, w0, w1})},
      {.key = "midpoint",
       .name = "the midpoint rule (Runge-Kutta of second order)",
       .order = 2,
       .tableau = {{{}, {0.5}}, {0, 1}}},
      {.key = "heun",
       .name = "Heun's method (Runge-Kutta of second order)",
       .order = 2,
       .tableau = {{{}, {1}}, {0.5, 0.5}}},
      {.key = "ralston",
       .name = "Ralston's method (Runge-Kutta of second order)",
       .order = 2,
       .tableau = {{{}, {2.0 / 3}}, {0.25, 0.75}}},
      {.key = "rk3",
       .name = "Kutta's third order",
       .order = 3,
       .tableau = {{{}, {0.5}, {-1, 2}}, {1.0 / 6, 2.0 / 3, 1.0 / 6}}},
      {.key = "rk4-38",
       .name = "Kutta's 3/8 rule of fourth order",
       .order = 4,
       .tableau = {{{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}}, {0.125, 0.375, 0.375, 0.125}}},
      {.key = "ruth3",
       .name = "Ruth's third order",
       .order = 3,
       .loops = {{force},
                 {kick(7.0 / 24), drift(2.0 / 3)},
                 {force},
                 {kick(0.75), drift(-2.0 / 3)},
                 {force},
                 {kick(-1.0 / 24), drift(1)}}},
      {.key = "kick-drift",
       .name = "kick, then drift (symplectic Euler, first order; also a leapfrog that begins without its half kick)",
       .order = 1,
       .loops = {{force}, {kick(1), drift(1)}},
       .looks = "energy swings about its value by an error proportional to dt, and orbits are slightly displaced"},
      {.key = "drift-kick",
       .name = "drift, then kick (symplectic Euler, first order)",
       .order = 1,
       .loops = {{drift(1)}, {force}, {kick(1)}},
       .looks = "energy swings about its value by an error proportional to dt, and orbits are slightly displaced"},
      {.key = "explicit-euler",
       .name = "explicit Euler (first order): positions move with the velocities of before the kick",
       .order = 1,
       .loops = {{force}, {drift(1), kick(1)}},
       .looks = "orbits spiral outwards and energy grows steadily"},
  };
}

std::vector<Method> wrong_methods() {
  return {
      {.key = "stale-kick",
       .name = "the second half kick has the forces of the step's beginning (x += v h + a h²/2, v += a h)",
       .loops = {{force}, {kick(0.5), drift(1), kick(0.5)}},
       .looks = "energy grows steadily, about half as fast as with explicit Euler"},
      {.key = "lost-first-half-kick",
       .name = "the very first half kick of the leapfrog is lost (forces are zero until they are computed)",
       .loops = {{kick(0.5), drift(1)}, {force}, {kick(0.5)}},
       .looks = "orbits begin with slightly other velocities, by a dt/2"},
      {.key = "lost-second-half-kick",
       .name = "the second half kick of the leapfrog is lost",
       .loops = {{force}, {kick(0.5), drift(1)}},
       .looks = "forces act with half their strength: orbits are too wide and too slow, or bodies escape"},
      {.key = "whole-kicks",
       .name = "both half kicks of the leapfrog are whole ones",
       .loops = {{force}, {kick(1), drift(1)}, {force}, {kick(1)}},
       .looks = "forces act with twice their strength: orbits are too narrow and too fast"},
      {.key = "whole-first-kick",
       .name = "the first half kick of the leapfrog is a whole one",
       .loops = {{force}, {kick(1), drift(1)}, {force}, {kick(0.5)}},
       .looks = "forces are half as strong again: orbits are too narrow"},
      {.key = "half-drift",
       .name = "one of the two half drifts of the leapfrog is lost",
       .loops = {{drift(0.5)}, {force}, {kick(1)}},
       .looks = "bodies move at half their velocities"},
      {.key = "half-drift-after",
       .name = "one of the two half drifts of the leapfrog is lost",
       .loops = {{force}, {kick(1), drift(0.5)}},
       .looks = "bodies move at half their velocities"},
      {.key = "whole-drifts",
       .name = "both half drifts of the leapfrog are whole ones",
       .loops = {{drift(1)}, {force}, {kick(1), drift(1)}},
       .looks = "bodies move at twice their velocities"},
      {.key = "no-fall",
       .name = "x += v h lacks a h²/2, while v += (a + a′) h/2",
       .loops = {{force}, {drift(1), kick(0.5)}, {force}, {kick(0.5)}},
       .looks = "energy grows, about half as fast as with explicit Euler"},
      {.key = "whole-fall",
       .name = "x += v h + a h² lacks the half of a h², while v += (a + a′) h/2",
       .loops = {{force}, {fall(1), drift(1), kick(0.5)}, {force}, {kick(0.5)}},
       .looks = "energy falls steadily, and orbits shrink"},
      {.key = "fall-new-kick",
       .name = "x += v h + a h²/2, but v += a′ h by the new forces alone",
       .loops = {{force}, {fall(0.5), drift(1)}, {force}, {kick(1)}},
       .looks = "energy falls steadily, and orbits shrink"},
      {.key = "fall-whole-kicks",
       .name = "v += (a + a′) h lacks its half, while x += v h + a h²/2",
       .loops = {{force}, {fall(0.5), drift(1), kick(1)}, {force}, {kick(1)}},
       .looks = "forces act with twice their strength"},
      {.key = "twice-fall",
       .name = "a h²/2 is added to positions whose velocities already have the half kick",
       .loops = {{force}, {kick(0.5), drift(1), fall(0.5)}, {force}, {kick(0.5)}},
       .looks = "energy falls steadily, and orbits shrink"},
      {.key = "fall-kicked",
       .name = "x += v h + a h²/2 with velocities that were kicked before",
       .loops = {{force}, {kick(1), drift(1), fall(0.5)}},
       .looks = "energy falls steadily, and orbits shrink"},
      {.key = "old-then-new",
       .name =
           "kicks on both sides of a step are by the forces of its beginning and end, but the second is a whole one",
       .loops = {{force}, {kick(0.5), drift(1)}, {force}, {kick(1)}},
       .looks = "forces are half as strong again: orbits are too narrow"},
      {.key = "moved-kick-drift",
       .name =
           "each body is kicked and moved before the forces on the next are computed (symplectic Euler in one loop)",
       .loops = {{force, kick(1), drift(1)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-explicit-euler",
       .name = "each body is moved before the forces on the next are computed (explicit Euler in one loop)",
       .loops = {{force, drift(1), kick(1)}},
       .looks = "action and reaction differ: total momentum drifts, and orbits spiral"},
      {.key = "moved-drift-kick",
       .name = "each body is moved and kicked before the next is moved (drift-kick in one loop)",
       .loops = {{drift(1), force, kick(1)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-leapfrog",
       .name = "the whole leapfrog step of each body is taken before that of the next",
       .loops = {{force, kick(0.5), drift(1), force, kick(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-first-half",
       .name = "in the first half of the leapfrog, each body is moved before the forces on the next are computed",
       .loops = {{force, kick(0.5), drift(1)}, {force}, {kick(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-second-half",
       .name = "the forces of the leapfrog's second half are computed in the loop that moves the bodies",
       .loops = {{force}, {kick(0.5), drift(1), force, kick(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-stale",
       .name = "each body is moved by x += v h + a h²/2, v += a h before the forces on the next are computed",
       .loops = {{force, kick(0.5), drift(1), kick(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, and energy grows"},
      {.key = "moved-leapfrog-dkd",
       .name = "the whole drift-kick-drift of each body is taken before that of the next",
       .loops = {{drift(0.5), force, kick(1), drift(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "moved-kicked-dkd",
       .name = "in drift-kick-drift, each body is kicked and moved on before the forces on the next are computed",
       .loops = {{drift(0.5)}, {force, kick(1), drift(0.5)}},
       .looks = "action and reaction differ: total momentum drifts, by an error proportional to dt"},
      {.key = "forces-once",
       .name = "forces are computed at the start only",
       .loops = {{force}, {kick(0.5), drift(1), kick(0.5)}},
       .looks = "each body moves on a parabola",
       .evaluates_once = true},
      {.key = "accumulated",
       .name = "accelerations are not set to zero before forces are summed (symplectic Euler)",
       .loops = {{{Do::accumulate}}, {kick(1), drift(1)}},
       .looks = "forces grow from step to step"},
      {.key = "accumulated-explicit",
       .name = "accelerations are not set to zero before forces are summed (explicit Euler)",
       .loops = {{{Do::accumulate}}, {drift(1), kick(1)}},
       .looks = "forces grow from step to step"},
      {.key = "accumulated-leapfrog",
       .name = "accelerations are not set to zero before forces are summed (leapfrog)",
       .loops = {{{Do::accumulate}}, {kick(0.5), drift(1)}, {{Do::accumulate}}, {kick(0.5)}},
       .looks = "forces grow from step to step"},
      {.key = "rk4-whole-stages",
       .name = "the middle stages of Runge-Kutta are taken a whole step ahead",
       .tableau = {{{}, {1}, {0, 1}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
       .looks = "errors are of low order, and energy drifts"},
      {.key = "rk4-beginning-speeds",
       .name = "positions in the stages of Runge-Kutta move with the velocities of the step's beginning",
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
       .looks = "errors are of first order, and energy drifts",
       .beginning_speeds = true},
      {.key = "rk4-half-last",
       .name = "the last stage of Runge-Kutta is taken half a step ahead only",
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 0.5}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
       .looks = "errors are of low order, and energy drifts"},
      {.key = "rk4-even-weights",
       .name = "the four stages of Runge-Kutta have equal weights",
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {0.25, 0.25, 0.25, 0.25}},
       .looks = "errors are of second order, and energy drifts"},
      {.key = "rk4-first-stage",
       .name = "the third stage of Runge-Kutta begins from the first instead of the second",
       .tableau = {{{}, {0.5}, {0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
       .looks = "errors are of low order, and energy drifts"},
      {.key = "rk4-unweighted",
       .name = "the middle stages of Runge-Kutta are not counted twice, while the sum is divided by 6",
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6}},
       .looks = "everything runs at two thirds of its pace"},
      {.key = "rk2-half",
       .name = "the midpoint rule takes only its first half step's slopes for half a step",
       .tableau = {{{}, {0.5}}, {0, 0.5}},
       .looks = "everything runs at half its pace"},
      {.key = "yoshida4-signs",
       .name = "the middle leapfrog of Yoshida's method goes forward instead of backward",
       .loops = leapfrogs({w1, -w0, w1}),
       .looks = "everything runs at more than four times its pace"},
  };
}

}  // namespace

std::span<const Method> methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list = right_methods();
    for (Method& wrong : wrong_methods()) list.push_back(std::move(wrong));
    return list;
  }();
  return all;
}

const Method& method_named(std::string_view key) {
  return *std::ranges::find(methods(), key, &Method::key);
}

const Method* method_of(std::string_view integrator) {
  if (integrator == "symplectic-euler") return &method_named("kick-drift");
  const auto found = std::ranges::find(methods(), integrator, &Method::key);
  return found != methods().end() && found->order > 0 ? &*found : nullptr;
}

}  // namespace orrery::pipeline::judging
