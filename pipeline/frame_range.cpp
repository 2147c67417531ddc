// SPDX-License-Identifier: MIT
// Numbers of frames, read and checked; or chosen evenly.
#include "pipeline/frame_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "common/error.hpp"

namespace orrery::pipeline {

FrameRange frame_range(const std::string& text, std::size_t size) {
  if (text.empty()) return {0, size};
  const auto number = [&](std::string_view digits, std::size_t otherwise) {
    std::size_t value = otherwise;
    const char* behind = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), behind, value);
    if (!digits.empty() && (error != std::errc() || end != behind))
      throw Error(fmt::format("--frames {}: write a:b, a: or :b, counted from 0", text), 2);
    if (!digits.empty() && value >= size) {
      throw Error(fmt::format("--frames {}: there is no frame {}: the file holds {}", text, value,
                              size == 0 ? "none" : fmt::format("0 to {}", size - 1)),
                  2);
    }
    return value;
  };
  const std::string_view all = text;
  const auto colon = all.find(':');
  const std::size_t first = number(all.substr(0, colon), 0);
  if (colon == std::string_view::npos) return {first, first + 1};
  if (size == 0) return {0, 0};
  const std::size_t last = number(all.substr(colon + 1), size - 1);
  if (last < first) throw Error(fmt::format("--frames {}: goes backwards", text), 2);
  return {first, last + 1};
}

std::vector<std::size_t> sampled(std::size_t frames, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t stride = std::max<std::size_t>(1, (frames + most - 1) / most);
  for (std::size_t i = 0; i < frames; i += stride) chosen.push_back(i);
  if (!chosen.empty() && chosen.back() != frames - 1) chosen.push_back(frames - 1);
  return chosen;
}

}  // namespace orrery::pipeline
