// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/loops/loops.hpp"
#include "sim/study/peak.hpp"

namespace orrery::sim::study {
namespace {

using loops::Loops;
using loops::PlainBody;

float as_float(double x) {
  return static_cast<float>(x);
}

class CpuWork : public Work {
 public:
  explicit CpuWork(const Setting& setting)
      : softening2_(as_float(setting.softening * setting.softening)), dt_(as_float(setting.dt)) {}

  double take(std::int64_t times) override {
    return seconds_of(times, [&] {
      accelerate();
      move();
    });
  }

 protected:
  virtual void accelerate() = 0;
  virtual void move() = 0;
  float softening2_, dt_;
};

/// Array of structures.
class PlainLoop : public CpuWork {
 public:
  using Loop = void (*)(PlainBody*, std::size_t, float);
  PlainLoop(Loop loop, const Bodies& bodies, const Setting& setting) : CpuWork(setting), loop_(loop) {
    const auto &x = bodies.position, &v = bodies.velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies_.push_back({as_float(x.x[i]), as_float(x.y[i]), as_float(x.z[i]), as_float(v.x[i]), as_float(v.y[i]),
                         as_float(v.z[i]), 0, 0, 0, as_float(bodies.mass[i])});
  }
  Vectors accelerations() override {
    accelerate();
    Vectors all(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      all.x[i] = static_cast<double>(bodies_[i].ax);
      all.y[i] = static_cast<double>(bodies_[i].ay);
      all.z[i] = static_cast<double>(bodies_[i].az);
    }
    return all;
  }

 protected:
  void accelerate() override { loop_(bodies_.data(), bodies_.size(), softening2_); }
  void move() override {
    for (PlainBody& b : bodies_) {
      b.x += dt_ * (b.vx += dt_ * b.ax);
      b.y += dt_ * (b.vy += dt_ * b.ay);
      b.z += dt_ * (b.vz += dt_ * b.az);
    }
  }

 private:
  Loop loop_;
  std::vector<PlainBody> bodies_;
};

/// Structure of arrays; one-sided on `threads` threads, or each pair once on one.
class ArraysLoop : public CpuWork {
 public:
  ArraysLoop(const Loops& loops, bool pair_once, int threads, const Bodies& bodies, const Setting& setting)
      : CpuWork(setting),
        loops_(loops),
        pair_once_(pair_once),
        pool_(threads),
        mass_(bodies.mass.begin(), bodies.mass.end()) {
    const std::vector<double>* positions[] = {&bodies.position.x, &bodies.position.y, &bodies.position.z};
    const std::vector<double>* velocities[] = {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z};
    for (std::size_t c = 0; c < 3; ++c) {
      x_[c].assign(positions[c]->begin(), positions[c]->end());
      v_[c].assign(velocities[c]->begin(), velocities[c]->end());
      a_[c].resize(bodies.size());
    }
  }
  Vectors accelerations() override {
    accelerate();
    Vectors all(mass_.size());
    std::ranges::copy(a_[0], all.x.begin());
    std::ranges::copy(a_[1], all.y.begin());
    std::ranges::copy(a_[2], all.z.begin());
    return all;
  }

 protected:
  void accelerate() override {
    const loops::Arrays arrays{x_[0].data(), x_[1].data(), x_[2].data(), mass_.data(),
                               a_[0].data(), a_[1].data(), a_[2].data()};
    const std::size_t n = mass_.size(), slice = std::max<std::size_t>(1, (n + 63) / 64);
    if (pair_once_) {
      for (auto& axis : a_) std::ranges::fill(axis, 0.0F);
      loops_.pair_once(arrays, n, softening2_);
      return;
    }
    pool_.for_each(0, (n + slice - 1) / slice, [&](std::size_t s) {
      loops_.arrays(arrays, s * slice, std::min((s + 1) * slice, n), n, softening2_);
    });
  }
  void move() override {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = 0; i < mass_.size(); ++i) x_[c][i] += dt_ * (v_[c][i] += dt_ * a_[c][i]);
    }
  }

 private:
  const Loops& loops_;
  bool pair_once_;
  ThreadPool pool_;
  std::vector<float> x_[3], v_[3], a_[3], mass_;
};

enum class Layout { naive, registers, arrays, pair_once, threads };

template <const Loops& loops, Layout layout>
std::unique_ptr<Work> make_loop(const Bodies& bodies, const Setting& setting) {
  if constexpr (layout == Layout::naive || layout == Layout::registers) {
    return std::make_unique<PlainLoop>(layout == Layout::naive ? loops.naive : loops.registers, bodies, setting);
  } else {
    return std::make_unique<ArraysLoop>(loops, layout == Layout::pair_once,
                                        layout == Layout::threads ? setting.threads : 1, bodies, setting);
  }
}

constexpr Rung plain_rungs[] = {
    {"naive, -O0", "array of structures, sums in memory; no optimisation", 40,
     make_loop<loops::unoptimised, Layout::naive>},
    {"naive, -O2", "the same source, optimised", 40, make_loop<loops::optimised, Layout::naive>},
};
constexpr Rung wide_rungs[] = {
    {"naive, -O3, AVX2", "for a processor with 256-bit registers", 40, make_loop<loops::vectorised, Layout::naive>},
    {"naive, -ffast-math", "sums may be taken in another order", 40, make_loop<loops::relaxed, Layout::naive>},
    {"registers", "the body itself and its sums in registers", 16, make_loop<loops::relaxed, Layout::registers>},
    {"structure of arrays", "eight bodies are loaded side by side: SIMD", 16,
     make_loop<loops::relaxed, Layout::arrays>},
    {"pair-once", "Newton's third law: half of the pairs", 28, make_loop<loops::relaxed, Layout::pair_once>},
    {"threads", "structure of arrays, one-sided, on all threads", 16, make_loop<loops::relaxed, Layout::threads>},
};

bool is_wide() {
  return simd::available_targets().front() != simd::Target::generic;
}

}  // namespace

double cpu_roots() {
  const Loops& loops = is_wide() ? loops::vectorised : loops::optimised;
  std::vector<float> numbers(1024, 3.0F);
  double best = 0;
  for (int k = 0; k < 20; ++k) {
    constexpr int turns = 200;
    const double seconds = seconds_of(turns, [&] { loops.roots(numbers.data(), numbers.size()); });
    best = std::max(best, turns * static_cast<double>(numbers.size()) / seconds);
  }
  return best;
}

std::span<const Rung> cpu_ladder() {
  static const std::vector<Rung> list = [] {
    std::vector<Rung> all(std::begin(plain_rungs), std::end(plain_rungs));
    if (is_wide()) all.insert(all.end(), std::begin(wide_rungs), std::end(wide_rungs));
    return all;
  }();
  return list;
}

}  // namespace orrery::sim::study
