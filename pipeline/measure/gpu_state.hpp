// SPDX-License-Identifier: MIT
// What a GPU is doing at this moment, as its vendor's tool sees it.
#pragma once

#include <functional>
#include <string>

namespace orrery::pipeline {

/// Zero where it is not known.
struct GpuState {
  double clock = 0;           ///< of the multiprocessors, Hz
  double greatest_clock = 0;  ///< that the driver would allow, Hz
  double power = 0;           ///< W
  double temperature = 0;     ///< °C
};

/// Asks `nvidia-smi`, where there is one, while `work` is called again and again, once at least: an idle GPU would
/// have another clock.
GpuState gpu_state_during(const std::string& bus_id, const std::function<void()>& work);

/// From the line that nvidia-smi prints: "1980, 1980, 651.30, 43", in MHz, MHz, W and °C; "[N/A]" is not known.
GpuState parse_gpu_state(const std::string& line);

}  // namespace orrery::pipeline
