// SPDX-License-Identifier: MIT
// Clock, power and temperature of a GPU, from nvidia-smi.
#pragma once

#include <functional>
#include <string>

namespace orrery::pipeline {

/// 0 if unknown.
struct GpuState {
  double clock = 0;           ///< of the multiprocessors, Hz
  double greatest_clock = 0;  ///< maximum allowed by the driver, Hz
  double power = 0;           ///< W
  double temperature = 0;     ///< °C
};

/// Runs `nvidia-smi`, if installed, while calling `work` repeatedly, at least once, since an idle GPU lowers its clock.
GpuState gpu_state_during(const std::string& bus_id, const std::function<void()>& work);

/// Parses the output of nvidia-smi: "1980, 1980, 651.30, 43", in MHz, MHz, W and °C; "[N/A]" is unknown.
GpuState parse_gpu_state(const std::string& line);

}  // namespace orrery::pipeline
