// SPDX-License-Identifier: MIT
// All forces of a run: "From partial sums to accelerations" of docs/canonical-order.md.
#pragma once

#include "pairs.hpp"

namespace orrery::page::ORRERY_ENGINE {

class Forces {
 public:
  static constexpr int most = 16;

  void clear() { count_ = 0; }
  /// In the order of the scenario. Whether there is room.
  bool add(const ActingForce& force) {
    if (count_ == most) return false;
    forces_[count_++] = force;
    return true;
  }

  /// Writes the acceleration of every body, and its potential or jerk.
  void evaluate(const Bodies& bodies, Asked asked) const {
    bool first = true;
    for (int k = 0; k < count_; ++k) {
      if (is_field(forces_[k])) continue;
      PairSums(bodies, forces_[k].law == Law::coulomb ? bodies.charge() : bodies.mass()).add_up(forces_[k], asked);
      respond(bodies, forces_[k], asked, first);
      first = false;
    }
    if (first) respond(bodies, {}, asked, true);
    for (int k = 0; k < count_; ++k) {
      if (is_field(forces_[k])) add_field(bodies, forces_[k], asked);
    }
    bodies.hold_still(Kept::acceleration);
    if (asked == Asked::jerk) bodies.hold_still(Kept::jerk);
  }

 private:
  static bool is_field(const ActingForce& force) { return force.law >= Law::logarithmic_halo; }

  /// Adds what the sums of a law do to every body; for the `first` law in place of what was there.
  static void respond(const Bodies& bodies, const ActingForce& force, Asked asked, bool first) {
    const auto to = [&](double* target, const double* sum) {
      for (int i = 0; i < bodies.size(); i += lanes) {
        Lanes s = force.factor;
        if (force.law == Law::coulomb) {
          const Lanes q = load(bodies.charge() + i);
          s = (-(force.factor * q) / load(bodies.mass() + i)) & (q != 0.0);
        }
        const Lanes A = load(sum + i);
        store(target + i, first ? s * A : fma(s, A, load(target + i)));
      }
    };
    for (int axis = 0; axis < 3; ++axis) {
      to(bodies[Kept::acceleration][axis], bodies.total()[axis]);
      if (asked == Asked::jerk) to(bodies[Kept::jerk][axis], bodies.total()[jerk_sum + axis]);
    }
    if (asked == Asked::potential) to(bodies.potential(), bodies.total()[potential_sum]);
  }

  static void add_field(const Bodies& bodies, const ActingForce& field, Asked asked) {
    Plainly plainly;
    const Rows x = bodies[Kept::position], v = bodies[Kept::velocity], a = bodies[Kept::acceleration],
               j = bodies[Kept::jerk];
    const auto add = [](double* to, Lanes number) { store(to, load(to) + number); };
    const Triple centre{field.centre[0], field.centre[1], field.centre[2]};
    for (int i = 0; i < bodies.size(); i += lanes) {
      const Triple d = centre - x.from(i);
      const Lanes r2 = square(plainly, d, field.length2);
      Strengths of;
      if (field.law == Law::logarithmic_halo) {
        of.c = field.factor / r2;
        of.u = (0.5 * field.factor) * natural_log(r2 / field.length2);
        of.slope = (-2.0 * of.c) / r2;
      } else {
        const Strengths unit = of_gravity(plainly, r2);
        of = {field.factor * unit.c, field.factor * unit.u, field.factor * unit.slope};
      }
      const Triple change = rate_of_change(d, Triple{0.0, 0.0, 0.0} - v.from(i), of);
      add(a[0] + i, of.c * d.x), add(a[1] + i, of.c * d.y), add(a[2] + i, of.c * d.z);
      if (asked == Asked::potential) add(bodies.potential() + i, 2.0 * of.u);
      if (asked == Asked::jerk) add(j[0] + i, change.x), add(j[1] + i, change.y), add(j[2] + i, change.z);
    }
  }

  ActingForce forces_[most];
  int count_ = 0;
};

}  // namespace orrery::page::ORRERY_ENGINE
