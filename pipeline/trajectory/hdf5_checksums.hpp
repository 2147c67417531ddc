// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orrery::pipeline::trajectory {

/// The checksum of HDF5's Fletcher-32 filter, which follows every chunk: big-endian 16-bit words, sums modulo 65535, represented
/// as 65535 instead of 0 unless all bytes are 0. The number of bytes must be even.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// The checksum of HDF5's metadata blocks: Bob Jenkins's lookup3, "hashlittle" with an initial value of 0, public domain
/// (burtleburtle.net/bob/c/lookup3.c).
std::uint32_t lookup3(std::span<const std::byte> bytes);

}  // namespace orrery::pipeline::trajectory
