// SPDX-License-Identifier: MIT
// The interface of everything that a study times.
#pragma once

#include <cstdint>

#include "common/seconds_of.hpp"
#include "sim/bodies.hpp"

namespace orrery::sim::study {

/// Parameters common to all kernels of gravity, G = 1, in the units of the bodies.
struct Setting {
  double softening = 0.05;  ///< Plummer softening length, > 0
  double dt = 1e-6;         ///< step of symplectic Euler (kick, drift)
  int threads = 1;          ///< CPU threads
  int device = 0;           ///< GPU index
};

/// Resources of a compiled GPU kernel; zeros on a CPU.
struct KernelFacts {
  int registers = 0;     ///< per thread
  double occupancy = 0;  ///< resident threads / maximum of a multiprocessor
};

/// Bodies in the memory and layout that a kernel needs, and a way to advance them.
class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Does `times` steps or evaluations. Returns the elapsed seconds, including the wait for the device.
  virtual double take(std::int64_t times) = 0;
  /// Accelerations, [n], at the initial positions; call it before `take`. Empty if the work computes none.
  virtual Vectors accelerations() { return {}; }
  [[nodiscard]] virtual KernelFacts facts() const { return {}; }
};

/// Seconds on the clock that `times` calls of `step()` take.
template <class Step>
double seconds_of(std::int64_t times, const Step& step) {
  return orrery::seconds_of([&] {
    for (std::int64_t k = 0; k < times; ++k) step();
  });
}

}  // namespace orrery::sim::study
