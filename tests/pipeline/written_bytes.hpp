// SPDX-License-Identifier: MIT
// Binary files as their specifications describe them, byte by byte.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace orrery::pipeline::testing {

/// Appends numbers in a byte order.
class WrittenBytes {
 public:
  explicit WrittenBytes(std::endian order = std::endian::little) : order_(order) {}

  template <class Number>
  WrittenBytes& add(Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    if (order_ != std::endian::native) std::ranges::reverse(bytes);
    text.append(bytes, sizeof bytes);
    return *this;
  }
  /// A float or a double.
  WrittenBytes& real(double number, std::size_t width) {
    return width == 4 ? add(static_cast<float>(number)) : add(number);
  }
  WrittenBytes& zeros(std::size_t count) {
    text.append(count, '\0');
    return *this;
  }

  std::string text;

 private:
  std::endian order_;
};

}  // namespace orrery::pipeline::testing
