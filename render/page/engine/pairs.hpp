// SPDX-License-Identifier: MIT
// Sums over pairs: "Which pairs" and "Chunks" of docs/canonical-order.md.
#pragma once

#include "laws.hpp"

namespace orrery::page::ORRERY_ENGINE {

enum class Law { gravity, coulomb, inverse_power, logarithmic_halo, plummer_halo };

struct ActingForce {
  Law law;
  double length2;    ///< ε², or of a field its core's
  double factor;     ///< G, k, strength; v₀² or G·M of a field
  int exponent;      ///< of an inverse power
  double centre[3];  ///< of a field
};

/// From body i to j, and how strongly they act.
struct Encounter {
  Triple d, v;
  Lanes weight_i, weight_j;
};

/// All bits if a number of a body is so small or so large that an error of a product could underflow: then none is trusted.
inline Bits doubt_about(const Bodies& bodies, const double* weight, double eps2) {
#ifdef ORRERY_ENGINE_FUSED
  (void)bodies, (void)weight, (void)eps2;
  return Bits{};
#else
  const auto is_extreme = [](double x) {
    return x != 0 && !(0x1p-200 < __builtin_fabs(x) && __builtin_fabs(x) < 0x1p100);
  };
  const Rows x = bodies[Kept::position];
  bool any = is_extreme(eps2);
  for (int i = 0; i < bodies.size(); ++i) {
    const double numbers[] = {x[0][i], x[1][i], x[2][i], weight[i]};
    for (const double number : numbers) any = any || is_extreme(number);
  }
  return any ? ~Bits{} : Bits{};
#endif
}

/// Accelerations by the inverse square, which most runs spend their time on.
class Attraction {
 public:
  static constexpr int sums = 3;
  static constexpr bool of_velocities = false;

  Attraction(double eps2, Bits doubt) : eps2_(eps2), doubt_(doubt) {}

  [[nodiscard]] ORRERY_INLINE Lanes strength(const Triple& d) const {
    Quickly quickly(doubt_);
    const Lanes r2 = square(quickly, d, eps2_), c = inverse_cube(quickly, r2, estimate(quickly, r2));
    return __builtin_expect(quickly.in_doubt(), 0) ? strength_plainly(d, eps2_) : c;
  }
  /// Adds s·d.
  ORRERY_INLINE void act(const Triple& d, Lanes s, Lanes* on) const {
    Quickly quickly(doubt_);
    const Lanes x = quickly.fma(d.x, s, on[0]), y = quickly.fma(d.y, s, on[1]), z = quickly.fma(d.z, s, on[2]);
    if (__builtin_expect(quickly.in_doubt(), 0)) return act_plainly(d, s, on);
    on[0] = x, on[1] = y, on[2] = z;
  }
  ORRERY_INLINE void meet(const Encounter& pair, Lanes* on_i, Lanes* on_j) const {
    const Lanes c = strength(pair.d) & ((pair.weight_i != 0.0) | (pair.weight_j != 0.0));
    act(pair.d, pair.weight_j * c, on_i);
    act({-pair.d.x, -pair.d.y, -pair.d.z}, pair.weight_i * c, on_j);
  }

 private:
  [[gnu::noinline]] static Lanes strength_plainly(const Triple& d, double eps2) {
    Plainly plainly;
    const Lanes r2 = square(plainly, d, eps2);
    return inverse_cube(plainly, r2, estimate(plainly, r2));
  }
  [[gnu::noinline]] static void act_plainly(const Triple& d, Lanes s, Lanes* on) {
    on[0] = fma(d.x, s, on[0]), on[1] = fma(d.y, s, on[1]), on[2] = fma(d.z, s, on[2]);
  }

  double eps2_;
  Bits doubt_;
};

/// Any law, and what is asked for besides accelerations.
class Everything {
 public:
  static constexpr int sums = sums_of_pairs;
  static constexpr bool of_velocities = true;

  Everything(const ActingForce& force, Asked asked, Bits doubt) : force_(force), asked_(asked), doubt_(doubt) {}

  ORRERY_INLINE void meet(const Encounter& pair, Lanes* on_i, Lanes* on_j) const { meet(pair, on_i, on_j, Bits{}); }
  /// Without `on_j` only the action on i. Bodies do not meet themselves.
  [[gnu::noinline]] void meet(const Encounter& pair, Lanes* on_i, Lanes* on_j, Bits self) const {
    const Bits acts = ((pair.weight_i != 0.0) | (pair.weight_j != 0.0)) & ~self;
    const Strengths all = strengths(pair.d, self), of{all.c & acts, all.u & acts, all.slope & acts};
    const Triple& d = pair.d;
    const Triple g = asked_ == Asked::jerk ? rate_of_change(d, pair.v, of) : Triple{};
    act(d, of, g, pair.weight_j, on_i);
    if (on_j != nullptr) act({-d.x, -d.y, -d.z}, of, {-g.x, -g.y, -g.z}, pair.weight_i, on_j);
  }

 private:
  [[nodiscard]] ORRERY_INLINE Strengths strengths(const Triple& d, Bits self) const {
    Quickly quickly(doubt_);
    const Strengths of = strengths(quickly, d, self);
    return __builtin_expect(quickly.in_doubt(), 0) ? strengths_plainly(d, self) : of;
  }
  [[nodiscard, gnu::noinline]] Strengths strengths_plainly(const Triple& d, Bits self) const {
    Plainly plainly;
    return strengths(plainly, d, self);
  }
  template <class Arithmetic>
  [[nodiscard]] ORRERY_INLINE Strengths strengths(Arithmetic& exactly, const Triple& d, Bits self) const {
    const Lanes r2 = select(self, 1.0, square(exactly, d, force_.length2));
    return force_.law == Law::inverse_power ? of_inverse_power(exactly, force_.exponent, r2) : of_gravity(exactly, r2);
  }
  [[gnu::noinline]] void act(const Triple& d, const Strengths& of, const Triple& g, Lanes weight, Lanes* on) const {
    const Lanes s = weight * of.c;
    on[0] = fma(d.x, s, on[0]), on[1] = fma(d.y, s, on[1]), on[2] = fma(d.z, s, on[2]);
    if (asked_ == Asked::potential) on[potential_sum] = fma(weight, of.u, on[potential_sum]);
    if (asked_ != Asked::jerk) return;
    Lanes* j = on + jerk_sum;
    j[0] = fma(weight, g.x, j[0]), j[1] = fma(weight, g.y, j[1]), j[2] = fma(weight, g.z, j[2]);
  }

  ActingForce force_;
  Asked asked_;
  Bits doubt_;
};

/// Writes the sums of every body over all others to Bodies::total. What chunk c does to a body is added to them as soon as it is
/// known, which happens in the order of the chunks: those before its own, its own, those behind.
class PairSums {
 public:
  PairSums(const Bodies& bodies, const double* weight) : n_(bodies.size()), bodies_(bodies), weight_(weight) {
    while (256 * chunk_ < n_) chunk_ *= 2;
  }

  void add_up(const ActingForce& force, Asked asked) const {
    const Bits doubt = doubt_about(bodies_, weight_, force.length2);
    if (asked == Asked::nothing && force.law != Law::inverse_power && chunk_ == chunk_size) {
      add_up(Attraction(force.length2, doubt));
    } else {
      add_up(Everything(force, asked, doubt));
    }
  }

 private:
  static constexpr int group_size = 32;

  template <class Meeting>
  void add_up(const Meeting& meeting) const {
    Bodies::clear(bodies_.total().first, Meeting::sums * bodies_.total().stride);
    for (int I = 0; I < n_; I += chunk_) {
      within(meeting, I, end_of(I));
      for (int J = I + chunk_; J < n_; J += chunk_) between(meeting, I, J, end_of(J));
    }
  }
  [[nodiscard]] int end_of(int chunk) const { return chunk + chunk_ < n_ ? chunk + chunk_ : n_; }
  template <int sums>
  static void clear(Rows rows, int begin, int end) {
    for (int sum = 0; sum < sums; ++sum) Bodies::clear(rows[sum] + begin, end - begin);
  }
  template <int sums>
  void add_partial(int begin, int end) const {
    const Rows total = bodies_.total(), partial = bodies_.partial();
    for (int sum = 0; sum < sums; ++sum) {
      for (int i = begin; i < end; ++i) total[sum][i] += partial[sum][i];
    }
  }
  template <int sums>
  ORRERY_INLINE static void add(Rows total, int i, const Lanes* of) {
    for (int sum = 0; sum < sums; ++sum) store(total[sum] + i, load(total[sum] + i) + of[sum]);
  }

  /// Each body meets the others, ascending.
  void within(const Everything& meeting, int begin, int end) const {
    const Rows x = bodies_[Kept::position], v = bodies_[Kept::velocity];
    for (int i = begin; i < end; i += lanes) {
      Bits index{};
      for (int k = 0; k < lanes; ++k) index[k] = i + k;
      Lanes sum[Everything::sums] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      for (int j = begin; j < end; ++j) {
        if (weight_[j] == 0) continue;
        meeting.meet({x.of(j) - x.from(i), v.of(j) - v.from(i), 0.0, weight_[j]}, sum, nullptr, index == j - Bits{});
      }
      add<Everything::sums>(bodies_.total(), i, sum);
    }
  }

  /// The same. A pair's strength is computed once, for both of its bodies.
  void within(const Attraction& meeting, int begin, int end) const {
    const Rows x = bodies_[Kept::position], total = bodies_.total(), c = bodies_.matrix();  // 0 of a body and itself
    for (int j = begin; j < end; ++j) {
      const Triple xj = x.of(j);
      for (int i = j + 1; i < end; i += lanes) {
        const Lanes strength = meeting.strength(xj - x.from(i));
        store(c[j - begin] + i - begin, strength);
        store(c[i - begin] + j - begin, c.stride, strength);
      }
    }
    for (int i = begin; i < end; i += lanes) {
      const Triple xi = x.from(i);
      Lanes sum[Attraction::sums] = {0.0, 0.0, 0.0};
      for (int j = begin; j < end; ++j) {
        if (weight_[j] != 0) meeting.act(x.of(j) - xi, weight_[j] * load(c[j - begin] + i - begin), sum);
      }
      add<Attraction::sums>(total, i, sum);
    }
  }

  template <class Meeting>
  void between(const Meeting& meeting, int I, int J, int end) const {
    clear<Meeting::sums>(bodies_.partial(), I, I + chunk_);
    clear<Meeting::sums>(bodies_.partial(), J, end);
    for (int tile = I; tile < I + chunk_; tile += chunk_size) {
      for (int group = J; group < end; group += group_size) {
        meet(meeting, tile, group, end - group < group_size ? end - group : group_size);
      }
    }
    add_partial<Meeting::sums>(I, I + chunk_);
    add_partial<Meeting::sums>(J, end);
  }

  /// A tile and a group of `count` bodies: at time t lane l meets body (l + t) mod 32, which is l + t in arrays that have the group
  /// twice. Lanes whose body there is not meet the first one without its weight, which changes no sum.
  template <class Meeting>
  void meet(const Meeting& meeting, int tile, int group, int count) const {
    constexpr int sums = Meeting::sums;
    const Rows x = bodies_[Kept::position], v = bodies_[Kept::velocity], partial = bodies_.partial();
    double numbers[7][2 * group_size], effects[sums][2 * group_size] = {};
    const Rows xj{numbers[0], 2 * group_size}, vj{numbers[3], 2 * group_size}, effect{effects[0], 2 * group_size};
    for (int k = 0; k < 2 * group_size; ++k) {
      const int body = k % group_size, j = group + (body < count ? body : 0);
      for (int axis = 0; axis < 3; ++axis) xj[axis][k] = x[axis][j], vj[axis][k] = v[axis][j];
      numbers[6][k] = body < count ? weight_[j] : 0;
    }
    for (int t = 0; t < group_size; ++t) {
      for (int lane = 0; lane < group_size; lane += lanes) {
        const int k = lane + t;
        Encounter pair{{}, {}, {}, load(numbers[6] + k)};
        Lanes on_i[sums], on_j[sums];
        for (int sum = 0; sum < sums; ++sum) on_j[sum] = load(effect[sum] + k);
        for (int i = tile + lane; i < tile + chunk_size; i += group_size) {
          pair.d = xj.from(k) - x.from(i);
          if constexpr (Meeting::of_velocities) pair.v = vj.from(k) - v.from(i);
          pair.weight_i = load(weight_ + i);
          for (int sum = 0; sum < sums; ++sum) on_i[sum] = load(partial[sum] + i);
          meeting.meet(pair, on_i, on_j);
          for (int sum = 0; sum < sums; ++sum) store(partial[sum] + i, on_i[sum]);
        }
        for (int sum = 0; sum < sums; ++sum) store(effect[sum] + k, on_j[sum]);
      }
      for (int sum = 0; sum < sums; ++sum)
        effect[sum][t + group_size] = effect[sum][t];  // where the lane before finds it
    }
    for (int sum = 0; sum < sums; ++sum) {
      for (int k = 0; k < count; ++k) partial[sum][group + k] += effect[sum][group_size + k];
    }
  }

  int n_, chunk_ = chunk_size;
  const Bodies& bodies_;
  const double* weight_;
};

}  // namespace orrery::page::ORRERY_ENGINE
