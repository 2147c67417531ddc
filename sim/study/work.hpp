// SPDX-License-Identifier: MIT
// What a study times: a way to do some work, made small enough to be read beside others.
#pragma once

#include <cstdint>

#include "sim/bodies.hpp"

namespace orrery::sim::study {

/// What the compiler made of a GPU's kernel; zeros on a processor.
struct KernelFacts {
  int registers = 0;      ///< a thread
  int spilled_bytes = 0;  ///< of local memory a thread
  int shared_bytes = 0;   ///< a block, static and dynamic
  double occupancy = 0;   ///< resident threads / the most that a multiprocessor can hold
};

/// Bodies where the work wants them, on a processor or in the memory of a GPU, and a way to go on with them.
class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Does it so many times: a step, or one evaluation. Returns the seconds until it was done on the device too.
  virtual double take(std::int64_t times) = 0;
  /// Forces a mass, [n], at the positions that it was made with; to be asked before `take`. Empty where it makes none.
  virtual Vectors accelerations() { return {}; }
  [[nodiscard]] virtual KernelFacts facts() const { return {}; }
};

}  // namespace orrery::sim::study
