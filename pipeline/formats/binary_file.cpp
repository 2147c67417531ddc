// SPDX-License-Identifier: MIT
#include "pipeline/formats/binary_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/error.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {

void BinaryFile::fail(std::uint64_t at, const std::string& what) const {
  refuse(fmt::format("{}: byte {}", path_.string(), at), what);
}

void BinaryFile::read(std::uint64_t at, std::span<std::byte> bytes) const {
  if (!holds(at, bytes.size()))
    fail(at, fmt::format("{} bytes should be here, but the file ends at byte {}", bytes.size(), size()));
  in_.read_at(at, bytes);
}

void BinaryFile::for_each_run(
    std::uint64_t at, std::uint64_t count, std::size_t width,
    const std::function<void(std::uint64_t first, std::size_t records, const std::byte*)>& visit) const {
  const std::uint64_t most = std::max<std::uint64_t>(1, (std::uint64_t{1} << 20) / width);
  std::vector<std::byte> buffer(std::min(count, most) * width);
  for (std::uint64_t first = 0; first < count; first += most) {
    const std::size_t records = std::min(most, count - first);
    read(at + first * width, std::span(buffer).first(records * width));
    visit(first, records, buffer.data());
  }
}

void BinaryFile::read_floats(std::uint64_t at, std::size_t width, std::span<double> numbers, const char* name,
                             double least) const {
  for_each_run(at, numbers.size(), width, [&](std::uint64_t first, std::size_t count, const std::byte* bytes) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::byte* here = bytes + k * width;
      const double value = width == 4 ? double{number_in<float>(here)} : number_in<double>(here);
      if (!std::isfinite(value) || value < least)
        fail(at + (first + k) * width,
             fmt::format("a {} is {}, not a {}", name, value, least == 0 ? "number ≥ 0" : "finite number"));
      numbers[first + k] = value;
    }
  });
}

void require_memory_for(const std::filesystem::path& file, std::uint64_t bodies, std::size_t texts) {
  constexpr double bytes_of_a_body = 2 * 8 * 8 + 4, bytes_of_a_text = 2 * 64;
  const double need = static_cast<double>(bodies) * (bytes_of_a_body + static_cast<double>(texts) * bytes_of_a_text);
  const auto have = static_cast<double>(usable_memory());
  if (need > have)
    refuse(file,
           fmt::format("{} bodies need {} of memory, this machine has {}", bodies, in_bytes(need), in_bytes(have)));
}

}  // namespace orrery::pipeline
