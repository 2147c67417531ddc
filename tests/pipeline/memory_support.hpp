// SPDX-License-Identifier: MIT
// Shared by tests of memory: programs with limited memory, and how much they used.
#pragma once

#include <sys/resource.h>

#include <string>

namespace orrery::pipeline::testing {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline const std::string twenty_steps = "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 20\n";
inline const std::string two_bodies = "[initial]\nkind = \"two-body\"\n" + twenty_steps;
inline const std::string cluster = "[initial]\nkind = \"plummer\"\nn = 2000\n" + twenty_steps;

/// Peak memory in bytes of the largest child program so far.
inline double peak_of_programs() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Limits the address space of programs started during its lifetime.
class LittleMemory {
 public:
  explicit LittleMemory(rlim_t bytes) {
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit little{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &little);
  }
  ~LittleMemory() { ::setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_{};
};

}  // namespace orrery::pipeline::testing
