// SPDX-License-Identifier: MIT
#include "sim/study/divergence.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>

namespace orrery::sim::study {
namespace {

enum class Fusing { none, fma };
enum class Summing { ascending, descending, tiles };
enum class PlainRoot { divided, reciprocal };

constexpr std::size_t tile = 256;  ///< bodies per partial sum, as in a block of a GPU

/// a·b + c, rounded once or twice.
template <Fusing fusing, class Real>
Real multiply_add(Real a, Real b, Real c) {
  if constexpr (fusing == Fusing::fma) return std::fma(a, b, c);
  return a * b + c;
}

/// The state is stored in `Real`; pairs are computed in `Register`.
template <class Real, class Register, Fusing fusing, Summing summing, PlainRoot root>
class Leapfrog {
 public:
  Leapfrog(const Bodies& bodies, double softening) : softening2_(static_cast<Real>(softening * softening)) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      mass_.push_back(static_cast<Real>(bodies.mass[i]));
      for (const auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z})
        x_.push_back(static_cast<Real>((*axis)[i]));
      for (const auto* axis : {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z})
        v_.push_back(static_cast<Real>((*axis)[i]));
    }
    a_.resize(x_.size());
  }

  std::vector<double> run(double dt, std::int64_t steps) {
    accelerate();
    for (std::int64_t k = 0; k < steps; ++k) {
      add(v_, dt / 2, a_);
      add(x_, dt, v_);
      accelerate();
      add(v_, dt / 2, a_);
    }
    return {x_.begin(), x_.end()};
  }

 private:
  void add(std::vector<Real>& to, double factor, const std::vector<Real>& what) {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = static_cast<Real>(multiply_add<fusing>(static_cast<Register>(static_cast<Real>(factor)),
                                                     static_cast<Register>(what[k]), static_cast<Register>(to[k])));
  }

  void add_pair(std::size_t i, std::size_t j, Register (&sum)[3]) const {
    Register d[3], r2 = softening2_;
    for (std::size_t c = 0; c < 3; ++c) {
      d[c] = static_cast<Register>(x_[3 * j + c]) - static_cast<Register>(x_[3 * i + c]);
      r2 = multiply_add<fusing>(d[c], d[c], r2);
    }
    Register s = 0;
    if constexpr (root == PlainRoot::divided) {
      s = mass_[j] / (r2 * std::sqrt(r2));
    } else {
      const Register inverse = 1 / std::sqrt(r2);
      s = mass_[j] * (inverse * inverse * inverse);
    }
    for (std::size_t c = 0; c < 3; ++c) sum[c] = multiply_add<fusing>(s, d[c], sum[c]);
  }

  void accelerate() {
    const std::size_t n = mass_.size();
    for (std::size_t i = 0; i < n; ++i) {
      Register all[3] = {};
      if constexpr (summing == Summing::tiles) {
        for (std::size_t begin = 0; begin < n; begin += tile) {
          Register part[3] = {};
          for (std::size_t j = begin; j < std::min(begin + tile, n); ++j) add_pair(i, j, part);
          for (std::size_t c = 0; c < 3; ++c) all[c] += part[c];
        }
      } else {
        for (std::size_t k = 0; k < n; ++k) add_pair(i, summing == Summing::ascending ? k : n - 1 - k, all);
      }
      for (std::size_t c = 0; c < 3; ++c) a_[3 * i + c] = static_cast<Real>(all[c]);
    }
  }

  std::vector<Real> x_, v_, a_, mass_;
  Real softening2_;
};

template <class Real, class Register, Fusing fusing, Summing summing, PlainRoot root>
std::vector<double> run_on_cpu(const Bodies& bodies, double softening, double dt, std::int64_t steps, int) {
  return Leapfrog<Real, Register, fusing, summing, root>(bodies, softening).run(dt, steps);
}

template <class Real>
void add_all(std::vector<Arithmetic>& all, const char* const (&names)[6]) {
  constexpr bool single = sizeof(Real) == 4;
  using enum Summing;
  constexpr auto plain = Fusing::none;
  constexpr auto divided = PlainRoot::divided;
  all.push_back({names[0], "nothing: products and sums as written, sqrt and division", single,
                 run_on_cpu<Real, Real, plain, ascending, divided>});
  all.push_back({names[1], "fused multiply-add", single, run_on_cpu<Real, Real, Fusing::fma, ascending, divided>});
  all.push_back({names[2], "pairs are summed from the last body to the first", single,
                 run_on_cpu<Real, Real, plain, descending, divided>});
  all.push_back(
      {names[3], "sums of tiles of 256 bodies are added", single, run_on_cpu<Real, Real, plain, tiles, divided>});
  all.push_back({names[4], "1/√r² cubed in place of a division by r² √r²", single,
                 run_on_cpu<Real, Real, plain, ascending, PlainRoot::reciprocal>});
  if constexpr (LDBL_MANT_DIG == 64)  // the 80-bit registers of x87
    all.push_back({names[5], "pairs computed in the 80-bit registers of x87, results stored rounded", single,
                   run_on_cpu<Real, long double, plain, ascending, divided>});
}

}  // namespace

std::span<const Arithmetic> arithmetics_of_cpu() {
  static const std::vector<Arithmetic> list = [] {
    std::vector<Arithmetic> all;
    add_all<double>(all, {"cpu float64", "cpu float64, fma", "cpu float64, backward", "cpu float64, tiles",
                          "cpu float64, other root", "cpu float64, x87"});
    add_all<float>(all, {"cpu float32", "cpu float32, fma", "cpu float32, backward", "cpu float32, tiles",
                         "cpu float32, other root", "cpu float32, x87"});
    return all;
  }();
  return list;
}

}  // namespace orrery::sim::study
