// SPDX-License-Identifier: MIT
// What this machine lets the program use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery::pipeline {

/// Threads that this process may keep busy: affinity and OMP_NUM_THREADS, and no more than the cgroup's quota.
int usable_threads();
/// The processor's model, as the system calls it.
std::string processor();
/// How many programs wanted to run at a time, on average over the last minute; 0 where the system does not say.
double load_average();
/// The models of all GPUs with a driver, and which of them are to be seen; asks no driver, so it takes no time.
std::string gpus();
/// Makes that the number of threads of everything that does not ask: pictures are drawn by so many.
void keep_to_usable_threads();
/// Bytes free on the file system of `path` or of its nearest parent that exists.
std::uint64_t free_space(std::filesystem::path path);

}  // namespace orrery::pipeline
