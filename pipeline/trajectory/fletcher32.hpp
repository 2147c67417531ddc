// SPDX-License-Identifier: MIT
// The checksum that HDF5 puts behind every chunk, as fast as the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orrery::pipeline::trajectory {

/// Fletcher's checksum of 16-bit words, as the filter of HDF5 defines it: big-endian words, sums modulo 65535 that are
/// 65535 rather than 0 unless every byte is 0. An even number of bytes.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace orrery::pipeline::trajectory
