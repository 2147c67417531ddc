// SPDX-License-Identifier: MIT
// The checksum that HDF5 puts behind every block of its own structures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orrery::pipeline::trajectory {

/// Bob Jenkins's lookup3, "hashlittle" with an initial value of 0, public domain (burtleburtle.net/bob/c/lookup3.c).
std::uint32_t lookup3(std::span<const std::byte> bytes);

}  // namespace orrery::pipeline::trajectory
