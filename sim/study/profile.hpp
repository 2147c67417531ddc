// SPDX-License-Identifier: MIT
// Where the time of some work on a GPU goes: kernels, copies, calls of the driver.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace orrery::sim::study {

struct ProfiledPart {
  enum class Kind { kernel, copy, call };  ///< on the device, to or from it or within it, or in the runtime on the host

  Kind kind;
  std::string name;    ///< of the kernel without its arguments; "host to device"; "cudaLaunchKernel"
  double seconds = 0;  ///< of all of them
  std::int64_t count = 0;
};

struct Profile {
  double seconds = 0;  ///< on the host's clock, of all of the work
  double busy = 0;     ///< seconds in which some kernel ran; those that overlap count once
  std::vector<ProfiledPart> parts;
};

/// Does the work under CUPTI. Calls run beside kernels, so that parts may add up to more than the whole. Empty where CUPTI is not
/// installed. Throws Error where it fails.
Profile profile_of(const std::function<void()>& work);

}  // namespace orrery::sim::study
