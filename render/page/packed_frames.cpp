// SPDX-License-Identifier: MIT
#include "render/page/packed_frames.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/page/html.hpp"

namespace orrery::render {
namespace {

constexpr int max_order = 3;

/// What a coordinate over time is stored as: differences of `order`, which grows from 0 over the first frames.
void differentiate(std::vector<std::int64_t>& values, int order) {
  for (int k = 0; k < order; ++k) {
    for (std::size_t f = values.size(); f-- > static_cast<std::size_t>(k) + 1;) values[f] -= values[f - 1];
  }
}

std::uint32_t zigzag(std::int64_t value) {
  return static_cast<std::uint32_t>((value << 1) ^ (value >> 63));
}

}  // namespace

PackedFrames packed_frames(std::span<const float> positions, std::size_t frames, std::size_t bodies,
                           const std::array<double, 3>& centre, double quantum) {
  const std::size_t count = 3 * bodies * frames;
  constexpr double most = 1 << 27;
  const auto sequence_of = [&](std::size_t axis, std::size_t body) {
    std::vector<std::int64_t> values(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      const double value = std::rint((positions[3 * (f * bodies + body) + axis] - centre[axis]) / quantum);
      values[f] = std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -most, most));
    }
    return values;
  };
  const auto packed_with = [&](int order, std::size_t stride) {
    std::vector<std::uint32_t> codes;
    codes.reserve(count / stride);
    std::uint32_t all = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t body = 0; body < bodies; body += stride) {
        std::vector<std::int64_t> values = sequence_of(axis, body);
        differentiate(values, order);
        for (const std::int64_t value : values) all |= codes.emplace_back(zigzag(value));
      }
    }
    PackedFrames packed{.order = order, .planes = std::max(1, (static_cast<int>(std::bit_width(all)) + 7) / 8), .bytes = {}};
    std::string planes(codes.size() * static_cast<std::size_t>(packed.planes), '\0');
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(packed.planes); ++plane) {
      for (std::size_t i = 0; i < codes.size(); ++i)
        planes[plane * codes.size() + i] = static_cast<char>(codes[i] >> (8 * plane) & 0xFF);
    }
    packed.bytes = html::deflated(planes);
    return packed;
  };
  // The order that is best for some of many bodies is used for all.
  const std::size_t stride = std::max<std::size_t>(1, bodies / 1024);
  PackedFrames best = packed_with(1, stride);
  for (int order = 2; order <= max_order; ++order) {
    PackedFrames other = packed_with(order, stride);
    if (other.bytes.size() < best.bytes.size()) best = std::move(other);
  }
  return stride == 1 ? best : packed_with(best.order, 1);
}

}  // namespace orrery::render
