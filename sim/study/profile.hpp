// SPDX-License-Identifier: MIT
// Profile of work on a GPU: kernels, copies, driver calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace orrery::sim::study {

struct ProfiledPart {
  enum class Kind { kernel, copy, call };  ///< call: of the CUDA runtime, on the host

  Kind kind;
  std::string name;    ///< of the kernel without its arguments; "host to device"; "cudaLaunchKernel"
  double seconds = 0;  ///< sum over all occurrences
  std::int64_t count = 0;
};

struct Profile {
  double seconds = 0;  ///< total, on the host's clock
  double busy = 0;     ///< seconds in which at least one kernel ran
  std::vector<ProfiledPart> parts;
};

/// Runs `work` under CUPTI. Calls and kernels overlap, so the parts may add up to more than the total. Empty if CUPTI
/// is not installed. Throws Error if CUPTI fails.
Profile profile_of(const std::function<void()>& work);

}  // namespace orrery::sim::study
