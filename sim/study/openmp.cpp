// SPDX-License-Identifier: MIT
#include "sim/study/openmp.hpp"

#include <omp.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery::sim::study {
namespace {

using Index = std::ptrdiff_t;

/// One-sided, as in a student report: the thread of body i sums over all j and is the only one to write a_i.
void with_private_temporaries(const Bodies& bodies, double softening2, int threads, Vectors& out) {
  const double *x = bodies.position.x.data(), *y = bodies.position.y.data(), *z = bodies.position.z.data();
  const double* m = bodies.mass.data();
  const auto n = static_cast<Index>(bodies.size());
  double dx = 0, dy = 0, dz = 0, r2 = 0, s = 0;
#pragma omp parallel for num_threads(threads) schedule(static) private(dx, dy, dz, r2, s)
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double ax = 0, ay = 0, az = 0;
    for (Index j = 0; j < n; ++j) {
      dx = x[j] - x[i];
      dy = y[j] - y[i];
      dz = z[j] - z[i];
      r2 = dx * dx + dy * dy + dz * dz + softening2;
      s = m[j] / (r2 * std::sqrt(r2));
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    out.x[at] = ax;
    out.y[at] = ay;
    out.z[at] = az;
  }
}

/// The same loop with the sums in a reduction clause, which makes them private to each thread.
void with_reductions(const Bodies& bodies, double softening2, int threads, Vectors& out) {
  const double *x = bodies.position.x.data(), *y = bodies.position.y.data(), *z = bodies.position.z.data();
  const double* m = bodies.mass.data();
  const auto n = static_cast<Index>(bodies.size());
  double ax = 0, ay = 0, az = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : ax, ay, az)
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ax = ay = az = 0;
    for (Index j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double r2 = dx * dx + dy * dy + dz * dz + softening2;
      const double s = m[j] / (r2 * std::sqrt(r2));
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    out.x[at] = ax;
    out.y[at] = ay;
    out.z[at] = az;
  }
}

/// Newton's third law halves the pairs. Each thread has sums of its own for all bodies, since any pair may write to any
/// body.
void symmetric_with_private_sums(const Bodies& bodies, double softening2, int threads, Vectors& out) {
  const double *x = bodies.position.x.data(), *y = bodies.position.y.data(), *z = bodies.position.z.data();
  const double* m = bodies.mass.data();
  const auto n = static_cast<Index>(bodies.size());
  std::vector<Vectors> sums(static_cast<std::size_t>(threads), Vectors(bodies.size()));
#pragma omp parallel num_threads(threads)
  {
    Vectors& own = sums[static_cast<std::size_t>(omp_get_thread_num())];
    double *ax = own.x.data(), *ay = own.y.data(), *az = own.z.data();
#pragma omp for schedule(dynamic, 16)  // rows become shorter
    for (Index i = 0; i < n; ++i) {
      for (Index j = i + 1; j < n; ++j) {
        const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const double r2 = dx * dx + dy * dy + dz * dz + softening2;
        const double s = 1 / (r2 * std::sqrt(r2)), si = m[j] * s, sj = m[i] * s;
        ax[i] += si * dx;
        ay[i] += si * dy;
        az[i] += si * dz;
        ax[j] -= sj * dx;
        ay[j] -= sj * dy;
        az[j] -= sj * dz;
      }
    }
#pragma omp for schedule(static)
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out.x[at] = out.y[at] = out.z[at] = 0;
      for (const Vectors& one : sums) {
        out.x[at] += one.x[at];
        out.y[at] += one.y[at];
        out.z[at] += one.z[at];
      }
    }
  }
}

using Loop = void(const Bodies&, double, int, Vectors&);

class LoopWork : public Work {
 public:
  LoopWork(Loop* loop, const Bodies& bodies, double softening, int threads)
      : loop_(loop), bodies_(bodies), softening2_(softening * softening), threads_(threads), out_(bodies.size()) {}

  double take(std::int64_t times) override {
    return seconds_of(times, [&] { loop_(bodies_, softening2_, threads_, out_); });
  }
  Vectors accelerations() override {
    loop_(bodies_, softening2_, threads_, out_);
    return out_;
  }

 private:
  Loop* loop_;
  Bodies bodies_;
  double softening2_;
  int threads_;
  Vectors out_;
};

template <Loop* loop>
std::unique_ptr<Work> make_loop(const Bodies& bodies, double softening, int threads) {
  return std::make_unique<LoopWork>(loop, bodies, softening, threads);
}

constexpr OpenMpLoop loops[] = {
    {"one-sided, private", make_loop<with_private_temporaries>},
    {"one-sided, reduction", make_loop<with_reductions>},
    {"symmetric, private sums", make_loop<symmetric_with_private_sums>},
};

}  // namespace

std::span<const OpenMpLoop> openmp_loops() {
  return loops;
}

}  // namespace orrery::sim::study
