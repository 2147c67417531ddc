// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/study/short_range.hpp"

namespace orrery::sim::study {
namespace {

/// The design decisions of a rung.
struct CpuDecisions {
  int bins = 1;          ///< width in cutoffs; 0: no bins, all pairs
  bool half = false;     ///< each pair once, by the half stencil
  bool sorted = false;   ///< particles are stored in the order of bins
  bool threads = false;  ///< rows of bins are distributed over threads
};

struct CpuParticle {
  double x, y, vx, vy, ax, ay;
  std::size_t id;
};

/// Adds the acceleration due to `other`; false if it is beyond the cutoff.
bool repel_on_cpu(const CpuParticle& other, CpuParticle& own, double (&a)[2]) {
  const double dx = other.x - own.x, dy = other.y - own.y;
  double r2 = dx * dx + dy * dy;
  if (r2 > RepulsiveBox::cutoff * RepulsiveBox::cutoff) return false;
  r2 = std::max(r2, RepulsiveBox::min_r * RepulsiveBox::min_r);
  const double r = std::sqrt(r2), c = (1 - RepulsiveBox::cutoff / r) / r2 / RepulsiveBox::mass;
  a[0] += c * dx;
  a[1] += c * dy;
  return true;
}

class CpuBins : public Work {
 public:
  CpuBins(const CpuDecisions& how, const Bodies& bodies, int threads)
      : how_(how), size_(RepulsiveBox::size(bodies.size())), pool_(how.threads ? threads : 1) {
    const auto &x = bodies.position, &v = bodies.velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i) particles_.push_back({x.x[i], x.y[i], v.x[i], v.y[i], 0, 0, i});
    side_ = how.bins == 0 ? 1 : std::max(1, static_cast<int>(size_ / (how.bins * RepulsiveBox::cutoff)));
    starts_.resize(cells() + 1);
    order_.resize(particles_.size());
  }

  double take(std::int64_t times) override {
    return seconds_of(times, [&] {
      accelerate();
      for (CpuParticle& p : particles_) {
        move(p.x, p.vx, p.ax);
        move(p.y, p.vy, p.ay);
      }
    });
  }

  Vectors accelerations() override {
    accelerate();
    Vectors all(particles_.size());
    for (const CpuParticle& p : particles_) {
      all.x[p.id] = p.ax;
      all.y[p.id] = p.ay;
    }
    return all;
  }

 private:
  [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_); }
  [[nodiscard]] int along(double x) const { return std::min(static_cast<int>(x / size_ * side_), side_ - 1); }
  [[nodiscard]] std::size_t bin_of(const CpuParticle& p) const {
    return static_cast<std::size_t>(along(p.y)) * static_cast<std::size_t>(side_) +
           static_cast<std::size_t>(along(p.x));
  }

  /// Kick, drift and reflection along one axis.
  void move(double& x, double& v, double a) const {
    v += a * RepulsiveBox::dt;
    x += v * RepulsiveBox::dt;
    while (x < 0 || x > size_) {
      x = x < 0 ? -x : 2 * size_ - x;
      v = -v;
    }
  }

  void accelerate() {
    for (CpuParticle& p : particles_) p.ax = p.ay = 0;
    if (how_.bins == 0) {
      for (CpuParticle& p : particles_) sum_all(p);
      return;
    }
    fill_bins();
    const auto rows = static_cast<std::size_t>(side_);
    pool_.for_each(0, rows, [&](std::size_t row) {
      for (std::size_t place = starts_[row * rows]; place < starts_[(row + 1) * rows]; ++place)
        sum_near(particle(place), static_cast<int>(row));
    });
  }

  /// Counting sort of particle indices, or of the particles themselves.
  void fill_bins() {
    std::ranges::fill(starts_, 0U);
    for (const CpuParticle& p : particles_) ++starts_[bin_of(p) + 1];
    for (std::size_t bin = 0; bin < cells(); ++bin) starts_[bin + 1] += starts_[bin];
    next_.assign(starts_.begin(), starts_.end() - 1);
    if (!how_.sorted) {
      for (std::size_t i = 0; i < particles_.size(); ++i) order_[next_[bin_of(particles_[i])]++] = i;
      return;
    }
    moved_.resize(particles_.size());
    for (const CpuParticle& p : particles_) moved_[next_[bin_of(p)]++] = p;
    particles_.swap(moved_);
  }
  CpuParticle& particle(std::size_t place) { return particles_[how_.sorted ? place : order_[place]]; }

  void sum_all(CpuParticle& own) {
    double a[2] = {};
    for (const CpuParticle& other : particles_) {
      if (&other != &own) repel_on_cpu(other, own, a);
    }
    own.ax = a[0];
    own.ay = a[1];
  }

  void sum_near(CpuParticle& own, int row) {
    const int column = along(own.x);
    double a[2] = {};
    for (int r = std::max(row - 1, 0); r <= std::min(row + 1, side_ - 1); ++r) {
      const auto line = static_cast<std::size_t>(r) * static_cast<std::size_t>(side_);
      const std::size_t begin = starts_[line + static_cast<std::size_t>(std::max(column - 1, 0))],
                        end = starts_[line + static_cast<std::size_t>(std::min(column + 1, side_ - 1)) + 1];
      for (std::size_t place = begin; place < end; ++place) {
        CpuParticle& other = particle(place);
        if (&other == &own || (how_.half && other.id < own.id)) continue;
        double pair[2] = {};
        if (!repel_on_cpu(other, own, pair)) continue;
        a[0] += pair[0];
        a[1] += pair[1];
        if (!how_.half) continue;
        other.ax -= pair[0];
        other.ay -= pair[1];
      }
    }
    own.ax += a[0];
    own.ay += a[1];
  }

  CpuDecisions how_;
  double size_;
  int side_ = 1;
  ThreadPool pool_;
  std::vector<CpuParticle> particles_, moved_;
  std::vector<std::size_t> starts_, next_, order_;
};

template <CpuDecisions how>
std::unique_ptr<Work> make_on_cpu(const Bodies& bodies, int threads) {
  return std::make_unique<CpuBins>(how, bodies, threads);
}

constexpr std::size_t any_number = std::size_t{1} << 40;

constexpr ShortRangeRung cpu_rungs[] = {
    {"all pairs", "the starter's program", 30'000, make_on_cpu<CpuDecisions{.bins = 0}>},
    {"bins", "bins of a cutoff are filled in every step; a particle looks into nine", any_number,
     make_on_cpu<CpuDecisions{}>},
    {"half stencil", "each pair once", any_number, make_on_cpu<CpuDecisions{.half = true}>},
    {"bins of 2 cutoffs", "a quarter of the bins", any_number, make_on_cpu<CpuDecisions{.bins = 2, .half = true}>},
    {"bins of 4 cutoffs", "a sixteenth", any_number, make_on_cpu<CpuDecisions{.bins = 4, .half = true}>},
    {"sorted particles", "bins of 2 cutoffs; particles themselves in the order of bins", any_number,
     make_on_cpu<CpuDecisions{.bins = 2, .half = true, .sorted = true}>},
    {"threads", "full stencil again, and rows of bins shared among threads", any_number,
     make_on_cpu<CpuDecisions{.bins = 2, .sorted = true, .threads = true}>},
};

}  // namespace

std::span<const ShortRangeRung> short_range_on_cpu() {
  return cpu_rungs;
}

}  // namespace orrery::sim::study
