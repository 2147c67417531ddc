// SPDX-License-Identifier: MIT
// Dots are splatted into one float plane a component, as optical depth, and tone-mapped to colour and alpha.
#include "render/cloud.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::render {
namespace {

/// Adds a soft disc of `radius` pixels around (x, y).
void splat(std::vector<float>& plane, Size size, float x, float y, float radius, float depth) {
  const float reach = radius + 0.75F;
  const int left = std::max(0, static_cast<int>(std::floor(x - reach)));
  const int right = std::min(size.width - 1, static_cast<int>(std::floor(x + reach)));
  const int top = std::max(0, static_cast<int>(std::floor(y - reach)));
  const int bottom = std::min(size.height - 1, static_cast<int>(std::floor(y + reach)));
  for (int row = top; row <= bottom; ++row) {
    float* line = plane.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(size.width);
    for (int column = left; column <= right; ++column) {
      const float dx = static_cast<float>(column) + 0.5F - x, dy = static_cast<float>(row) + 0.5F - y;
      const float inside = radius + 0.5F - std::sqrt(dx * dx + dy * dy);
      if (inside > 0) line[column] += depth * std::min(1.F, inside);
    }
  }
}

/// What a depth of dots looks like: alpha = 1 − e^−depth; and where many lie upon each other their colour
/// goes on to change, towards white on the dark ground and towards black on the light one. Tabulated over the
/// root of the depth.
class Tones {
 public:
  Tones() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const float root = static_cast<float>(i) / per_unit, depth = root * root;
      table_[i] = {1 - std::exp(-depth), std::clamp(std::log2(1 + depth / 4) / 4.5F, 0.F, 1.F)};
    }
  }
  struct Tone {
    float alpha = 0, crowding = 0;
  };
  [[nodiscard]] Tone operator()(float depth) const {
    return table_[std::min(table_.size() - 1, static_cast<std::size_t>(std::sqrt(depth) * per_unit))];
  }

 private:
  static constexpr float per_unit = 96;
  std::array<Tone, 1024> table_;
};

/// Where there is anything to be seen, in whole pixels: a picture is no larger than it needs to be.
Box part_with_dots(const Box& room, const std::vector<Dot>& dots, float margin) {
  Box box{room.right, room.bottom, room.left, room.top};
  for (const Dot& dot : dots) {
    box = {std::min(box.left, dot.at.x - margin), std::min(box.top, dot.at.y - margin),
           std::max(box.right, dot.at.x + margin), std::max(box.bottom, dot.at.y + margin)};
  }
  box = {std::max(room.left, room.left + std::floor(box.left - room.left)),
         std::max(room.top, room.top + std::floor(box.top - room.top)),
         std::min(room.right, room.left + std::ceil(box.right - room.left)),
         std::min(room.bottom, room.top + std::ceil(box.bottom - room.top))};
  return box.width() >= 1 && box.height() >= 1 ? box : Box{room.left, room.top, room.left + 1, room.top + 1};
}

}  // namespace

Picture cloud(const Look& look, const Box& room, float scale, const std::vector<Dot>& dots) {
  const Box box = part_with_dots(room, dots, 12 * look.unit);
  const Size size{static_cast<int>(std::lround(box.width() * scale)),
                  static_cast<int>(std::lround(box.height() * scale))};
  const std::size_t pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  std::size_t components = 1;
  for (const Dot& dot : dots) components = std::max<std::size_t>(components, dot.component + 1U);

  // More bodies are smaller and fainter, so that a crowd keeps its shades.
  const auto n = static_cast<float>(std::max<std::size_t>(dots.size(), 1));
  const float radius = scale * look.unit * std::clamp(11.F * std::pow(n / 64, -0.32F), 1.5F, 11.F);
  const float depth = 3.2F * std::min(1.F, std::sqrt(4000 / n));

  std::vector<std::vector<float>> planes(components, std::vector<float>(pixels, 0.F));
  for (const Dot& dot : dots) {
    splat(planes[dot.component], size, (dot.at.x - box.left) * scale, (dot.at.y - box.top) * scale,
          std::max(0.5F, radius), depth * dot.weight);
  }
  static const Tones tones;
  struct Shade {
    Color thin, crowded;
  };
  std::vector<Shade> shades;
  for (std::size_t c = 0; c < components; ++c) {
    const Color color = body_color(look.theme, c);
    shades.push_back(
        {color, look.theme == Theme::dark ? Color{255, 252, 244} : mixed(color, Color{0, 0, 0}, 0.72)});
  }

  Picture picture{box, size, std::vector<std::uint8_t>(4 * pixels, 0)};
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < pixels; ++i) {
    float total = 0;
    for (const auto& plane : planes) total += plane[i];
    if (total == 0) continue;
    const auto tone = tones(total);
    const float crowding = tone.crowding;
    float red = 0, green = 0, blue = 0;  // of the components, each by its share of the depth
    for (std::size_t c = 0; c < components; ++c) {
      const float share = planes[c][i] / total;
      const auto add = [&](float& sum, std::uint8_t thin, std::uint8_t crowded) {
        sum += share * (static_cast<float>(thin) + crowding * static_cast<float>(crowded - thin));
      };
      add(red, shades[c].thin.red, shades[c].crowded.red);
      add(green, shades[c].thin.green, shades[c].crowded.green);
      add(blue, shades[c].thin.blue, shades[c].crowded.blue);
    }
    std::uint8_t* to = picture.rgba.data() + 4 * i;
    to[0] = static_cast<std::uint8_t>(red + 0.5F);
    to[1] = static_cast<std::uint8_t>(green + 0.5F);
    to[2] = static_cast<std::uint8_t>(blue + 0.5F);
    to[3] = static_cast<std::uint8_t>(255 * tone.alpha + 0.5F);
  }
  return picture;
}

}  // namespace orrery::render
