// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery::pipeline {

/// Returns the model of the processor, as in /proc/cpuinfo.
std::string processor();
/// Returns the load average over the last minute; 0 if it is unknown.
double load_average();
/// Returns the models of all NVIDIA GPUs and CUDA_VISIBLE_DEVICES, without starting a driver.
std::string gpus();
/// Returns the bytes free on the file system of `path` or of its nearest existing parent.
std::uint64_t free_space(std::filesystem::path path);

}  // namespace orrery::pipeline
