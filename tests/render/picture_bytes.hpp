// SPDX-License-Identifier: MIT
// Builds picture files byte by byte.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace orrery::render {

/// The bytes of a number, big-endian.
inline std::string big(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// A PNG chunk with its length and checksum.
inline std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big(static_cast<std::uint32_t>(data.size())) + body + big(static_cast<std::uint32_t>(sum));
}

inline void put(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace orrery::render
