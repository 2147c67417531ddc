// SPDX-License-Identifier: MIT
// Numbers at known places of a binary file, in either byte order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "pipeline/input_file.hpp"

namespace orrery::pipeline {

/// The number in the first bytes of `from`, which have that order.
template <class Number>
[[nodiscard]] Number number_at(const void* from, std::endian order) {
  std::array<std::byte, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), from, bytes.size());
  if (order != std::endian::native) std::ranges::reverse(bytes);
  return std::bit_cast<Number>(bytes);
}

/// A regular file of numbers. Members throw Error, Fault::request, with the file and the byte.
class BinaryFile {
 public:
  explicit BinaryFile(const std::filesystem::path& path) : path_(path), in_(path) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return in_.size(); }
  /// Whether `count` bytes follow `at`; without overflow.
  [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t count) const { return at <= size() && count <= size() - at; }
  /// From now on numbers have this byte order.
  void set_order(std::endian order) { order_ = order; }
  void read(std::uint64_t at, std::span<std::byte> bytes) const;

  template <class Number>
  [[nodiscard]] Number number(std::uint64_t at) const {
    std::byte bytes[sizeof(Number)];
    read(at, bytes);
    return number_in<Number>(bytes);
  }
  /// The number in the first bytes of a record that was read.
  template <class Number>
  [[nodiscard]] Number number_in(const std::byte* bytes) const {
    return number_at<Number>(bytes, order_);
  }
  /// Calls visit(first, records, bytes) for runs of `count` records of `width` bytes from `at` on, which take at most 1 MiB.
  void for_each_run(std::uint64_t at, std::uint64_t count, std::size_t width,
                    const std::function<void(std::uint64_t first, std::size_t records, const std::byte*)>& visit) const;
  /// Reads numbers of 4 or 8 bytes, which must be finite and at least `least`.
  void read_floats(std::uint64_t at, std::size_t width, std::span<double> numbers, const char* name,
                   double least = std::numeric_limits<double>::lowest()) const;

  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;

 private:
  std::filesystem::path path_;
  InputFile in_;
  std::endian order_ = std::endian::native;
};

/// Throws Error, Fault::request, unless there is memory for `bodies` as rows of a table and as a state, with `texts` each.
void require_memory_for(const std::filesystem::path& file, std::uint64_t bodies, std::size_t texts = 0);

}  // namespace orrery::pipeline
