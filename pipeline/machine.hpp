// SPDX-License-Identifier: MIT
// What this machine is, and what it lets the program use; common/usable_threads.hpp has the threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery::pipeline {

/// The processor's model, as the system calls it.
std::string processor();
/// How many programs wanted to run at a time, on average over the last minute; 0 where the system does not say.
double load_average();
/// The models of all GPUs with a driver, and which of them are to be seen; asks no driver, so it takes no time.
std::string gpus();
/// Bytes free on the file system of `path` or of its nearest parent that exists.
std::uint64_t free_space(std::filesystem::path path);

}  // namespace orrery::pipeline
