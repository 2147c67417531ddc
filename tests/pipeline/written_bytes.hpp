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
  /// A block of GADGET-2 between two copies of its length; in format 2, `labelled`, after one with its label of four letters.
  WrittenBytes& gadget_block(std::string_view label, const std::string& data, bool labelled) {
    const auto size = static_cast<std::uint32_t>(data.size());
    if (labelled) {
      add(8U);
      text += label;
      add(size + 8).add(8U);
    }
    add(size);
    text += data;
    return add(size);
  }

  std::string text;

 private:
  std::endian order_;
};

}  // namespace orrery::pipeline::testing
