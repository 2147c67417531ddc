// SPDX-License-Identifier: MIT
// Headings and legends keep clear of the data: they stand outside the frame.
#include "render/furniture.hpp"

#include <algorithm>
#include <cmath>

#include "render/paths.hpp"
#include "render/text.hpp"
#include "render/ticks.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t most_names = 12;

/// `words` without its last character, which may be several bytes of UTF-8.
void drop_character(std::string& words) {
  while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xC0U) == 0x80U) words.pop_back();
  if (!words.empty()) words.pop_back();
}

std::string fitted(std::string words, float size, bool bold, float room) {
  if (extents_of(words, size, bold).width <= room) return words;
  while (!words.empty() && extents_of(words + "…", size, bold).width > room) drop_character(words);
  return words + "…";
}

}  // namespace

float heading_height(const Look& look) {
  return 1.75F * look.title_text;
}

void heading(Drawing& drawing, const Look& look, const Box& plot, const std::string& title,
             const Stamp& stamp) {
  const float baseline = plot.top - 0.62F * look.title_text;
  float right = static_cast<float>(drawing.size.width) - 0.6F * look.title_text;
  if (!stamp.words.empty()) {
    const float left = plot.right - extents_of(stamp.longest, look.label_text).width;
    drawing.add(Text{stamp.words, {left, baseline}, look.label_text, look.ink});
    right = left - look.title_text;
  }
  if (title.empty()) return;
  const float room = right - plot.left, whole = extents_of(title, look.title_text, true).width;
  const float size = look.title_text * std::clamp(room / std::max(whole, 1.F), 0.62F, 1.F);
  drawing.add(Text{fitted(title, size, true, room),
                   {plot.left, baseline},
                   size,
                   look.ink,
                   Across::left,
                   Along::baseline,
                   true});
}

Stamp time_stamp(const Cast& cast, double time) {
  const double span = std::abs(cast.end - cast.start);
  // A thousandth of the run is told apart.
  const int decimals = span > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(span))), 0, 9) : 2;
  const auto text = [&](double t) {
    return "t = " + number_text(t, decimals) + (cast.time_unit.empty() ? "" : " " + cast.time_unit);
  };
  const std::string first = text(cast.start), last = text(cast.end);
  return {text(time), first.size() > last.size() ? first : last};
}

Legend::Legend(const Look& look, const Cast& cast) : look_(look) {
  const std::size_t bodies = cast.mass.size();
  if (bodies <= most_names) {
    names_ = cast.names;
  } else if (bodies > most_bodies_with_paths && cast.components.size() > 1 &&
             cast.components.size() <= most_names) {
    names_ = cast.components;
  }
  if (std::all_of(names_.begin(), names_.end(), [](const auto& name) { return name.empty(); }))
    names_.clear();
  for (auto& name : names_) name = fitted(name, look_.tick_text, false, 9 * look_.tick_text);
}

float Legend::width() const {
  if (empty()) return 0;
  float widest = 0;
  for (const auto& name : names_) widest = std::max(widest, extents_of(name, look_.tick_text).width);
  return widest + 1.35F * look_.tick_text;
}

float Legend::height() const {
  return 1.55F * look_.tick_text * static_cast<float>(names_.size());
}

void Legend::draw(Drawing& drawing, Point top_left) const {
  const float row = 1.55F * look_.tick_text;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const float y = top_left.y + (static_cast<float>(i) + 0.5F) * row;
    drawing.add(
        Disc{{top_left.x + 0.42F * look_.tick_text, y}, 0.3F * look_.tick_text, body_color(look_.theme, i)});
    drawing.add(Text{names_[i],
                     {top_left.x + 1.2F * look_.tick_text, y},
                     look_.tick_text,
                     look_.ink,
                     Across::left,
                     Along::middle});
  }
}

std::vector<float> body_radii(const Look& look, const Cast& cast, std::size_t bodies) {
  const double heaviest = cast.mass.empty() ? 0 : *std::max_element(cast.mass.begin(), cast.mass.end());
  const double largest = (bodies > most_names ? 9 : 15) * static_cast<double>(look.unit);
  std::vector<float> radii(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const double mass = i < cast.mass.size() ? cast.mass[i] : 0;
    const double share = heaviest > 0 ? std::cbrt(std::max(0.0, mass) / heaviest) : 1;
    radii[i] = static_cast<float>(std::max(2.0, largest * std::clamp(share, 0.55, 1.0)));
  }
  return radii;
}

std::vector<std::uint16_t> color_indices(const Cast& cast, std::size_t bodies) {
  std::vector<std::uint16_t> indices(bodies, 0);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (bodies <= most_bodies_with_paths) {
      indices[i] = static_cast<std::uint16_t>(i);
    } else if (i < cast.species.size() && cast.species[i] > 0) {
      indices[i] = static_cast<std::uint16_t>(cast.species[i] % 8);
    }
  }
  return indices;
}

}  // namespace orrery::render
