// SPDX-License-Identifier: MIT
// What this machine lets the program use.
#pragma once

#include <cstdint>
#include <filesystem>

namespace orrery::pipeline {

/// Threads that this process may keep busy: affinity and OMP_NUM_THREADS, and no more than the cgroup's quota.
int usable_threads();
/// Bytes of memory, of the machine or of the cgroup.
std::uint64_t usable_memory();
/// Bytes free on the file system of `path` or of its nearest parent that exists.
std::uint64_t free_space(std::filesystem::path path);

}  // namespace orrery::pipeline
