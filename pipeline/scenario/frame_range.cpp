// SPDX-License-Identifier: MIT
#include "pipeline/scenario/frame_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "common/error.hpp"

namespace orrery::pipeline {

std::size_t FrameRange::count() const {
  const std::size_t step = std::max<std::size_t>(stride, 1);
  return (end - begin + step - 1) / step;
}

std::size_t FrameRange::last() const {
  return begin + (count() - 1) * std::max<std::size_t>(stride, 1);
}

FrameRange frame_range(const std::string& text, std::size_t size, bool strides) {
  if (text.empty()) return {0, size};
  const auto first = text.find(':'), second = first == std::string::npos ? first : text.find(':', first + 1);
  if (strides && second != std::string::npos) {
    const std::string_view digits = std::string_view(text).substr(second + 1);
    std::size_t stride = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), stride);
    if (error != std::errc() || end != digits.data() + digits.size() || stride == 0)
      throw Error(fmt::format("--frames {}: write a:b:k for every k-th frame, k ≥ 1", text), Fault::request);
    FrameRange range = frame_range(text.substr(0, second), size);
    range.stride = stride;
    return range;
  }
  const auto number = [&](std::string_view digits, std::size_t fallback) {
    if (digits.empty()) return fallback;
    std::int64_t value = 0;
    const char* stop = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), stop, value);
    if (error != std::errc() || end != stop)
      throw Error(fmt::format("--frames {}: write a:b, a: or :b, counted from 0, or -1 for the last frame", text),
                  Fault::request);
    const auto frame = value < 0 ? value + static_cast<std::int64_t>(size) : value;
    if (frame < 0 || frame >= static_cast<std::int64_t>(size)) {
      throw Error(fmt::format("--frames {}: there is no frame {}: the file holds {}", text, value,
                              size == 0 ? "none"
                                        : fmt::format("0 to {}, or {} to -1 from the end", size - 1,
                                                      -static_cast<std::int64_t>(size))),
                  Fault::request);
    }
    return static_cast<std::size_t>(frame);
  };
  const std::string_view all = text;
  const auto colon = all.find(':');
  const std::size_t begin = number(all.substr(0, colon), 0);
  if (colon == std::string_view::npos) return {begin, begin + 1};
  if (size == 0) return {0, 0};
  const std::size_t last = number(all.substr(colon + 1), size - 1);
  if (last < begin) throw Error(fmt::format("--frames {}: the last frame is before the first", text), Fault::request);
  return {begin, last + 1};
}

std::vector<std::size_t> sampled(const FrameRange& frames, std::size_t most) {
  std::vector<std::size_t> chosen;
  if (frames.count() == 0) return chosen;
  const std::size_t step = std::max<std::size_t>(1, (frames.count() + most - 1) / most);
  const std::size_t stride = step * std::max<std::size_t>(frames.stride, 1), last = frames.last();
  for (std::size_t i = frames.begin; i <= last; i += stride) chosen.push_back(i);
  if (chosen.back() != last) chosen.push_back(last);
  return chosen;
}

}  // namespace orrery::pipeline
