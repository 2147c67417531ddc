// SPDX-License-Identifier: MIT
#include "render/style/annotations.hpp"

#include <algorithm>
#include <cmath>

#include "common/power_of_ten.hpp"
#include "common/utf8.hpp"
#include "render/canvas/text.hpp"
#include "render/chart/ticks.hpp"
#include "render/view/paths.hpp"

namespace orrery::render {
namespace {

/// Returns how many discs and points of lines of more than one segment are in a box.
std::ptrdiff_t points_in(const Drawing& drawing, const Box& box) {
  const auto inside = [&](Point p) {
    return p.x >= box.left && p.x <= box.right && p.y >= box.top && p.y <= box.bottom;
  };
  std::ptrdiff_t count = 0;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* disc = std::get_if<Disc>(&shape)) count += inside(disc->center) ? 1 : 0;
    const auto* line = std::get_if<Line>(&shape);
    if (line != nullptr && line->points.size() > 2) count += std::ranges::count_if(line->points, inside);
  }
  return count;
}

}  // namespace

std::string fitted(std::string words, float size, bool bold, float room) {
  if (extents_of(words, size, bold).width <= room) return words;
  std::vector<std::string> starts{""};  // without letters far beyond the room
  for (const Glyph& glyph : glyphs_of(words, bold).glyphs) {
    if (glyph.at * static_cast<double>(size) > 2 * static_cast<double>(room + size)) break;
    starts.push_back(starts.back());
    append_utf8(starts.back(), glyph.letter);
  }
  while (starts.size() > 1 && extents_of(starts.back() + "…", size, bold).width > room) starts.pop_back();
  return starts.back() + "…";
}

std::vector<std::string> wrapped(const std::string& text, float size, float room) {
  const std::string words = in_one_line(text);
  constexpr std::size_t most_lines = 8;
  const auto fits = [&](const std::string& line) { return extents_of(line, size).width <= room; };
  const auto after_letter = [](const std::string& text, std::size_t at) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80);
    return std::min(at, text.size());
  };
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < words.size() && lines.size() <= most_lines;) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    const std::string joined = lines.back().empty() ? word : lines.back() + " " + word;
    if (fits(joined)) {
      lines.back() = joined;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    while (!fits(word) && lines.size() <= most_lines) {
      std::size_t some = after_letter(word, 0);
      for (std::size_t more = after_letter(word, some); more < word.size() && fits(word.substr(0, more));
           more = after_letter(word, more))
        some = more;
      if (some == word.size()) break;
      lines.back() = word.substr(0, some);
      lines.emplace_back();
      word.erase(0, some);
    }
    lines.back() = word;
  }
  if (lines.size() > most_lines) {
    lines.resize(most_lines);
    lines.back() = fitted(lines.back() + " …", size, false, room);
  }
  return lines;
}

float heading_height(const Style& style) {
  return style.titled ? 1.75F * style.title_text : 0.3F * style.tick_text;
}

void heading(Drawing& drawing, const Style& style, const Box& plot, const std::string& title, const Stamp& stamp) {
  if (!style.titled) return;
  const float baseline = plot.top - 0.62F * style.title_text;
  float right = static_cast<float>(drawing.size.width) - 0.6F * style.title_text;
  if (!stamp.words.empty() && style.stamped) {
    const float left = plot.right - extents_of(stamp.longest, style.label_text).width;
    drawing.add(Text{stamp.words, {left, baseline}, style.label_text, style.ink});
    right = left - style.title_text;
  }
  if (title.empty()) return;
  const float whole = extents_of(title, style.title_text, true).width;
  // A title too long for a narrow plot starts further left rather than become much smaller.
  const float share = style.least_text > 0 ? 1.04F : 0.85F;
  const float left = std::clamp(right - share * whole, std::min(0.6F * style.title_text, plot.left), plot.left);
  const float room = right - left;
  const float size =
      std::max(style.least_text, style.title_text * std::clamp(0.97F * room / std::max(whole, 1.F), 0.62F, 1.F));
  const std::string words = fitted(title, size, true, room);
  if (style.least_text > 0 && 2 * words.size() < title.size()) return;  // too little of it is left
  drawing.text(words, {left, baseline}, size, style.ink, Across::left, Along::baseline, true);
}

void write_remark(Drawing& drawing, const Style& style, const Box& plot, const std::string& words) {
  if (words.empty()) return;
  const float size = style.tick_text, edge = 0.5F * size, row = 1.3F * size;
  struct Place {
    std::vector<std::string> lines;
    Box box{};
    std::ptrdiff_t hidden = 0;  // points under it
  };
  std::optional<Place> best;
  for (const float share : {1.0F, 0.6F, 0.45F, 0.33F}) {
    const auto lines = wrapped(words, size, share * plot.width() - 4 * edge);
    const float width = widest_of(lines, size) + 2 * edge, height = row * static_cast<float>(lines.size());
    if (width > plot.width() - 2 * edge || height > 0.4F * plot.height()) continue;
    for (const float top : {plot.top + edge, plot.bottom - edge - height}) {
      for (const float left : {plot.left + edge, plot.right - edge - width}) {
        Place place{lines, {left, top, left + width, top + height}};
        place.hidden = points_in(drawing, place.box);
        if (!best || place.hidden < best->hidden) best = std::move(place);
      }
    }
  }
  if (!best) return;  // the plot is hardly larger than a letter
  drawing.fill(best->box, faded(style.background, 0.8));
  for (std::size_t i = 0; i < best->lines.size(); ++i) {
    const float y = best->box.top + row * (static_cast<float>(i) + 0.5F);
    drawing.text(best->lines[i], {best->box.left + edge, y}, size, style.soft_ink, Across::left, Along::middle);
  }
}

Stamp time_stamp(const RunInfo& info, double time, bool still) {
  const double unit = info.time_unit_length;
  const double span = std::abs(info.end - info.start) / unit;
  const double largest = std::max(std::abs(info.start), std::abs(info.end)) / unit;
  // Resolve 1/1000 of the run.
  const int last = span > 0 ? static_cast<int>(std::floor(std::log10(span))) - 2 : -2;
  // Times such as 10⁸ or 10⁻¹⁵ get a power of ten, unless the run is so short that all digits matter.
  const bool raised = largest > 0 && (largest < 1e-3 || (largest >= 1e6 && last >= 0));
  const int exponent = raised ? static_cast<int>(std::floor(std::log10(1.0005 * largest))) : 0;  // 9.997 is 10.00
  const double power = std::pow(10.0, exponent);
  const std::string after =
      (raised ? "·" + power_of_ten(exponent) : "") + (info.time_unit.empty() ? "" : " " + info.time_unit);
  const auto text = [&](double t) {
    return "t = " + number_text(t / unit / power, std::clamp(exponent - last, 0, 9)) + after;
  };
  const std::string first = text(info.start), end = text(info.end);
  return {text(time), still ? text(time) : first.size() > end.size() ? first : end};
}

Legend::Legend(const Style& style, const Coloring& coloring) : style_(style) {
  if (!style.legended) return;
  const float most = std::min(9 * style.tick_text, style.legend_room.x - 1.35F * style.tick_text);
  const float high = 1.55F * style.tick_text * static_cast<float>(coloring.names().size());
  if (most > 3 * style.tick_text && high <= style.legend_room.y) names_ = coloring.names();
  for (auto& name : names_) name = fitted(name, style_.tick_text, false, most);
  if (coloring.scale()) {
    bar_.emplace(style, *coloring.scale(), coloring.palette());
  } else if (!names_.empty()) {
    for (std::size_t i = 0; i < names_.size(); ++i) colors_.push_back(coloring.color_of_name(i));
  }
}

float Legend::width(float room) const {
  if (bar_) return bar_->width(room);
  if (empty()) return 0;
  return widest_of(names_, style_.tick_text) + 1.35F * style_.tick_text;
}

float Legend::height(float room) const {
  return bar_ ? room : 1.55F * style_.tick_text * static_cast<float>(names_.size());
}

void Legend::draw(Drawing& drawing, Point top_left, float room) const {
  if (bar_) return bar_->draw(drawing, top_left, room);
  const float row = 1.55F * style_.tick_text;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const float y = top_left.y + (static_cast<float>(i) + 0.5F) * row;
    drawing.add(Disc{{top_left.x + 0.42F * style_.tick_text, y}, 0.3F * style_.tick_text, colors_[i]});
    drawing.text(names_[i], {top_left.x + 1.2F * style_.tick_text, y}, style_.tick_text, style_.ink, Across::left,
                 Along::middle);
  }
}

void length_bar(Drawing& drawing, const Style& style, Point corner, double scale, const std::string& unit) {
  // The largest of …, 1, 2, 5, 10, … that is at most a fifth of the canvas.
  const double most = 0.2 * drawing.size.width / scale;
  const int exponent = static_cast<int>(std::floor(std::log10(most)));
  const double lead = most / std::pow(10.0, exponent);
  const int digit = lead >= 5 ? 5 : lead >= 2 ? 2 : 1;
  const double length = digit * std::pow(10.0, exponent);
  std::string words = std::abs(exponent) <= 3 ? number_text(length, std::max(0, -exponent))
                                              : std::to_string(digit) + " × " + power_of_ten(exponent);
  if (!unit.empty()) words += " " + unit;
  const float x = corner.x + 0.3F * style.tick_text, y = corner.y - 0.4F * style.tick_text;
  const float end = x + static_cast<float>(length * scale), cap = 0.28F * style.tick_text;
  drawing.add(Line{{{x, y - cap}, {x, y}, {end, y}, {end, y - cap}}, {style.soft_ink}, style.frame_line});
  drawing.add(
      Text{words, {(x + end) / 2, y - 0.45F * style.tick_text}, style.tick_text, style.soft_ink, Across::center});
}

std::vector<float> body_radii(const Style& style, const RunInfo& info, std::size_t bodies) {
  const double heaviest = info.mass.empty() ? 0 : *std::max_element(info.mass.begin(), info.mass.end());
  const double usual = (bodies > most_names ? 9 : 15) * static_cast<double>(style.unit);
  const double largest = style.mark > 0 ? static_cast<double>(style.mark) : usual;
  std::vector<float> radii(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const double mass = i < info.mass.size() ? info.mass[i] : 0;
    const double share = heaviest > 0 ? std::cbrt(std::max(0.0, mass) / heaviest) : 1;
    // Massless bodies are smaller, so that one in front of a moon hides only a part of it.
    radii[i] =
        static_cast<float>(std::max(2.0, largest * std::clamp(share, mass > 0 || heaviest <= 0 ? 0.55 : 0.3, 1.0)));
  }
  return radii;
}

}  // namespace orrery::render
