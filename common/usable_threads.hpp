// SPDX-License-Identifier: MIT
// Number of threads that this process may use on Linux.
#pragma once

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>
#include <thread>

namespace orrery {

/// The CPU quota of the cgroup (version 2, else 1), in CPUs; infinity if there is none.
inline double cpu_quota() {
  double quota = -1, period = 0;
  if (std::ifstream version2("/sys/fs/cgroup/cpu.max"); version2 >> quota >> period && quota > 0 && period > 0) {
    return quota / period;
  }
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota;
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

/// OMP_NUM_THREADS, or the number of cores that the affinity allows, limited by the cgroup's quota. At least 1.
inline int usable_threads() {
  static const double quota = std::ceil(cpu_quota());
  int threads = 0;
  if (const char* asked = std::getenv("OMP_NUM_THREADS"); asked != nullptr) {
    const std::string_view text = asked;  // "4", or a list whose first number counts
    std::from_chars(text.data(), text.data() + text.size(), threads);
  }
  if (threads <= 0) {
    cpu_set_t cores;
    const bool known = ::sched_getaffinity(0, sizeof cores, &cores) == 0;  // not on machines of more than 1024
    threads = known ? CPU_COUNT(&cores) : static_cast<int>(std::thread::hardware_concurrency());
  }
  return std::max(1, static_cast<int>(std::min<double>(threads, quota)));
}

}  // namespace orrery
