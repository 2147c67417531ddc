// SPDX-License-Identifier: MIT
// The memory that this process has and can have.
#pragma once

#include <cstdint>

namespace orrery::pipeline {

/// Keeps memory that is freed for the next snapshot, which is as large: to give it back to the system and to take it
/// anew costs more than to fill it.
void keep_freed_memory();
/// Gives back what is kept so, before something else needs memory of other sizes.
void give_back_freed_memory();
/// Bytes of memory that this process can still have: of the machine, swap included, of its cgroups, and of its own limit on
/// addresses.
std::uint64_t usable_memory();

}  // namespace orrery::pipeline
