// SPDX-License-Identifier: MIT
#include "render/point_cloud/point_cloud.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

/// Returns the size of a body in pixels on a canvas of the usual size, smaller for more bodies.
float width_of(std::size_t bodies) {
  return std::clamp(4.5F * std::pow(static_cast<float>(bodies) / 64, -0.32F), 0.7F, 4.5F);
}

/// Converts linear 0 … 1 to sRGB 0 … 255 by a table.
class Encoding {
 public:
  Encoding() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const float c = static_cast<float>(i) / last;
      const float encoded = c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
      table_[i] = static_cast<std::uint8_t>(std::lround(255 * encoded));
    }
  }
  /// Four numbers at once in a register, twice as fast as one by one.
  using Four = float __attribute__((vector_size(16)));
  using Places = std::int32_t __attribute__((vector_size(16)));
  /// Returns where numbers are in the table.
  static Places places(Four c) {
    c = c > 0.F ? c : Four{};
    c = c < 1.F ? c : Four{} + 1.F;
    return __builtin_convertvector(c * static_cast<float>(last) + 0.5F, Places);
  }
  std::uint8_t operator[](std::int32_t place) const { return table_[static_cast<std::size_t>(place)]; }

 private:
  static constexpr int last = 8191;
  std::array<std::uint8_t, last + 1> table_{};
};

float smooth_step(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.F, 1.F);
  return t * t * (3 - 2 * t);
}

/// Dither noise in 0 … 1 that avoids steps in slow gradients (Jimenez 2014, interleaved gradient noise).
class Grain {
 public:
  Grain() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const std::size_t x = i % side, y = i / side;
      const float f = 0.06711056F * static_cast<float>(x) + 0.00583715F * static_cast<float>(y);
      const float g = 52.9829189F * (f - std::floor(f));
      table_[i] = g - std::floor(g);
    }
  }
  [[nodiscard]] const float* row(int y) const { return &table_[static_cast<std::size_t>(y) % side * side]; }
  static constexpr std::size_t side = 64;

 private:
  std::array<float, side * side> table_{};
};

/// The opacity of a brightness, and how far (0 … 1) its colour is moved towards white (dark theme) or black (light
/// theme).
struct Tone {
  float alpha, shift;
};

Tone tone_of(Theme theme, float brightness) {
  // Light keeps its hue until it is very bright; ink first becomes opaque, then darker.
  if (theme == Theme::dark) {
    const float shift = brightness > 0.72F ? 0.9F * smooth_step(0.72F, 1.15F, brightness) : 0.F;
    return {std::min(brightness, 1.F), shift};
  }
  const float b = std::min(brightness, 1.F);
  return {1 - (1 - b) * (1 - b), 0.75F * smooth_step(0.45F, 1.2F, brightness)};
}

/// Returns the size in device pixels.
Size size_of(const Box& room, float scale) {
  return {static_cast<int>(std::lround(room.width() * scale)), static_cast<int>(std::lround(room.height() * scale))};
}

/// The mass below which this share of the bodies lies.
double mass_below(std::vector<double> mass, double share) {
  const auto nth = mass.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(mass.size() - 1));
  std::ranges::nth_element(mass, nth);
  return *nth;
}

}  // namespace

std::vector<std::size_t> outweighing(const std::vector<double>& mass) {
  constexpr double nearly_all = 0.95, far_above = 30;
  constexpr std::size_t most = 64;
  const double usual = mass_below(mass, nearly_all);
  std::vector<std::size_t> heavy;
  for (std::size_t i = 0; i < mass.size() && heavy.size() <= most; ++i) {
    if (mass[i] > far_above * usual && mass[i] > 0) heavy.push_back(i);
  }
  if (heavy.size() > most) heavy.clear();
  std::ranges::stable_sort(heavy, std::greater{}, [&](std::size_t i) { return mass[i]; });
  return heavy;
}

PointCloud::PointCloud(const Shown& shown) : shown_(shown) {
  const std::vector<double>& mass = shown.info.mass;
  if (mass.size() <= max_bodies_with_paths) return;
  heavy_ = outweighing(mass);
  const double middle = mass_below(mass, 0.5);
  const auto [least, greatest] = std::ranges::minmax(mass);
  if (!(middle > 0) || least == greatest) return;
  weights_.resize(mass.size());
  parallel_for(mass.size(), 4 * mass.size(), [&](std::size_t i) {
    weights_[i] = static_cast<float>(std::clamp(std::cbrt(mass[i] / middle), 0.5, 3.0));
  });
}

AccumulationBuffer::Dots PointCloud::dots_of(const Frame& frame, const Box& room, float scale, const See& see) const {
  return [this, &frame, &see, &room, scale](std::size_t first, std::span<Dot> dots) {
    for (std::size_t k = 0; k < dots.size(); ++k) {
      const std::size_t i = first + k;
      const float* place = &frame.position[3 * i];
      if (!std::isfinite(place[0] + place[1] + place[2])) {
        dots[k] = {{}, 0, 0};
        continue;
      }
      dots[k] = see(place);
      if (!weights_.empty()) dots[k].weight *= weights_[i];
      dots[k].at = {(dots[k].at.x - room.left) * scale, (dots[k].at.y - room.top) * scale};
      dots[k].color = shown_.coloring.index(i, shade_of(frame, i));
    }
  };
}

float PointCloud::sigma(float scale) const {
  // The Gaussian with its half width at the radius of the mark.
  const Style& style = shown_.style;
  const float usual = style.unit * width_of(shown_.info.mass.size());
  return std::max(0.6F, scale * (style.mark > 0 ? style.mark / 1.177F : usual));
}

void PointCloud::gather(AccumulationBuffer& buffer, float scale, std::size_t count,
                        const AccumulationBuffer::Dots& dots, GpuLight* gpu) const {
  // The amount of light is per pixel of the canvas, independent of the scale.
  const auto& palette = shown_.coloring.palette();
  if (gpu != nullptr && gpu->failure.empty())
    buffer.add_on(*gpu, count, dots, palette, sigma(scale), scale * scale);
  else
    buffer.add(count, dots, palette, sigma(scale), scale * scale);
}

void PointCloud::set_tone_mapping(const Frame& now, const Box& room, const See& see) {
  if (tone_mapping_ && !shown_.still) return;
  std::vector<float> luminances;
  AccumulationBuffer buffer(size_of(room, 1));
  const auto measure = [&](const Frame& frame) {
    const AccumulationBuffer::Dots dots = dots_of(frame, room, 1, see);
    buffer.clear();
    gather(buffer, 1, frame.size(), dots, nullptr);  // equal on all machines
    const std::size_t before = luminances.size();
    luminances.resize(before + frame.size());
    parallel_for(frame.size(), 4 * frame.size(), [&](std::size_t i) {
      Dot dot;
      dots(i, std::span(&dot, 1));
      luminances[before + i] = dot.weight > 0 ? buffer.amount(dot.at) : 0;
    });
  };
  if (shown_.still || shown_.info.samples.empty()) {
    measure(now);
  } else {
    luminances.reserve(now.size() * shown_.info.samples.size());
    for (const Frame& sample : shown_.info.samples) measure(shown_.seen(sample));
  }
  const bool dark = shown_.style.theme == Theme::dark;
  // A body far from others is seen, whatever its size and however dense others are: on white, where faint light is nearly
  // the background, and with marks of a given size. Fainter among very many bodies, which are not seen one by one.
  const double peak = 0.16 / std::pow(static_cast<double>(sigma(1)), 2);
  const double many = std::min(1.0, std::pow(2e4 / static_cast<double>(std::max<std::size_t>(now.size(), 1)), 0.25));
  const double visible = !dark ? 0.35 * many : shown_.style.mark > 0 ? 0.2 * many : 0;
  tone_mapping_.emplace(luminances, dark ? 0.7 : 0.5, dark ? 1.5 : 1, peak, visible);
}

Picture PointCloud::picture(const Frame& now, const Box& room, float scale, const See& see) const {
  AccumulationBuffer buffer(size_of(room, scale));
  gather(buffer, scale, now.size(), dots_of(now, room, scale, see), shown_.info.gpu.get());
  if (shown_.style.theme == Theme::dark) {
    // Blooms are stronger for fewer bodies.
    const auto n = static_cast<float>(shown_.info.mass.size());
    const float share = std::min(1.F, std::pow(8192 / n, 0.35F));
    // In a small panel, where bodies have the same size, blooms are smaller and fainter.
    const float full = 900 * shown_.style.unit, part = std::min(1.F, std::min(room.width(), room.height()) / full);
    const float unit = scale * shown_.style.unit * part, rest = share * part * part;
    buffer.set_blooms(
        std::array{Bloom{6 * unit, 0.25F * part}, Bloom{22 * unit, 0.5F * rest}, Bloom{70 * unit, 0.3F * rest}});
  }
  return tone_mapped(buffer, room);
}

Disc PointCloud::disc_of(std::size_t body, const Frame& now, const Box& room, const See& see) const {
  const auto found = std::ranges::find(heavy_, body);
  const float* place = &now.position[3 * body];
  if (found == heavy_.end() || !std::isfinite(place[0] + place[1] + place[2])) return {{}, 0, {}};
  const Dot dot = see(place);
  const bool is_seen = dot.weight > 0 && dot.at.x >= room.left && dot.at.x <= room.right && dot.at.y >= room.top &&
                       dot.at.y <= room.bottom;
  const Style& style = shown_.style;
  const float share = std::cbrt(static_cast<float>(shown_.info.mass[body] / shown_.info.mass[heavy_.front()]));
  const float radius = std::max(2 * sigma(1), 7 * style.unit * std::max(0.5F, share));
  return {dot.at, is_seen ? radius : 0, shown_.coloring.of(body, shade_of(now, body)), style.background,
          1.5F * style.frame_line};
}

void PointCloud::draw(Drawing& drawing, const Frame& now, const Box& room, const See& see) const {
  drawing.add(picture(now, room, drawing.scale, see));
  for (const std::size_t body : heavy_) {
    if (const Disc disc = disc_of(body, now, room, see); disc.radius > 0) drawing.add(disc);
  }
}

Picture PointCloud::tone_mapped(const AccumulationBuffer& buffer, const Box& room) const {
  static const Encoding encoding;
  static const Grain grain;
  const Encoding& encoded = encoding;  // avoids the check of the static in the loop
  const ToneMapping& tone_mapping = *tone_mapping_;
  const Size size = buffer.size();
  const auto width = static_cast<std::size_t>(size.width);
  const float end = shown_.style.theme == Theme::dark ? 1.F : 0.F;
  constexpr float faintest = 0.002F;
  const float least = 0.999F * tone_mapping.luminance_of(faintest);
  Picture picture{room, size, std::vector<std::uint8_t>(4 * width * static_cast<std::size_t>(size.height), 0)};
  parallel_parts(size.height, width * static_cast<std::size_t>(size.height), [&](int top, int bottom) {
    std::vector<Texel> line;
    for (int y = top; y < bottom; ++y) {
      const float* grains = grain.row(y);
      std::uint8_t* row = picture.rgba.data() + 4 * width * static_cast<std::size_t>(y);
      buffer.visit_row(y, least, line, [&](int first, const Texel* from, int count) {
        std::uint8_t* to = row + std::ptrdiff_t{4} * first;
        for (int x = first; x < first + count; ++x, ++from, to += 4) {
          const float brightness = tone_mapping(from->amount);
          if (brightness < faintest) continue;
          const Tone tone = tone_of(shown_.style.theme, brightness);
          const float share = (1 - tone.shift) / from->amount, rest = tone.shift * end;
          const Encoding::Four sums{from->red, from->green, from->blue, from->amount};
          const auto places = Encoding::places(share * sums + rest);
          for (int q = 0; q < 3; ++q) to[q] = encoded[places[q]];
          to[3] = static_cast<std::uint8_t>(
              std::min(255.F, 255 * tone.alpha + grains[static_cast<std::size_t>(x) % Grain::side]));
        }
      });
    }
  });
  return picture;
}

}  // namespace orrery::render
