// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace orrery::pipeline {

/// Makes malloc keep freed memory for the next snapshot, because requesting it again costs more than filling it.
void keep_freed_memory();
/// Returns that memory to the system, for use before allocations of other sizes.
void give_back_freed_memory();
/// Returns the bytes of memory that this process can still allocate: the minimum of what the machine (with swap), its
/// cgroups and its address space limit leave.
std::uint64_t usable_memory();

}  // namespace orrery::pipeline
