// SPDX-License-Identifier: MIT
#include "render/style/annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/power_of_ten.hpp"
#include "common/utf8.hpp"
#include "render/canvas/text.hpp"
#include "render/chart/marks.hpp"
#include "render/chart/ticks.hpp"
#include "render/view/paths.hpp"

namespace orrery::render {
namespace {

constexpr float line_height = 1.2F;  // of titles and names, in heights of the text

/// Returns a title in lines, preferably one for each part between " · ".
std::vector<std::string> title_lines(const std::string& title, float size, float room) {
  constexpr std::string_view between = " · ";
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= title.size();) {
    const std::size_t end = std::min(title.find(between, begin), title.size());
    const std::string part = title.substr(begin, end - begin);
    begin = end + between.size();
    const std::string joined = lines.empty() ? part : lines.back() + std::string(between) + part;
    if (extents_of(joined, size, true).width <= room) {
      if (!lines.empty()) lines.pop_back();
      lines.push_back(joined);
    } else {
      const auto more = wrapped(part, size, room, true);
      lines.insert(lines.end(), more.begin(), more.end());
    }
  }
  return lines;
}

/// Returns the width of the longest line of a title.
float widest_bold(const std::vector<std::string>& lines, float size) {
  float widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, extents_of(line, size, true).width);
  return widest;
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

std::vector<std::string> wrapped(const std::string& text, float size, float room, bool bold) {
  const std::string words = in_one_line(text);
  constexpr std::size_t max_lines = 8;
  const auto fits = [&](const std::string& line) { return extents_of(line, size, bold).width <= room; };
  const auto after_letter = [](const std::string& letters, std::size_t at) {
    do ++at;
    while (at < letters.size() && (static_cast<unsigned char>(letters[at]) & 0xC0U) == 0x80);
    return std::min(at, letters.size());
  };
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < words.size() && lines.size() <= max_lines;) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    const std::string joined = lines.back().empty() ? word : lines.back() + " " + word;
    if (fits(joined)) {
      lines.back() = joined;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    while (!fits(word) && lines.size() <= max_lines) {
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
  if (lines.size() > max_lines) {
    lines.resize(max_lines);
    lines.back() = fitted(lines.back() + " …", size, bold, room);
  }
  return lines;
}

Heading::Heading(const Style& style, Size canvas, const std::string& title, const std::string& remark,
                 const std::string& longest)
    : style_(style), size_(style.title_text), margin_(0.6F * style.title_text) {
  const float whole = static_cast<float>(canvas.width) - 2 * margin_, most = 0.25F * static_cast<float>(canvas.height);
  // Small pictures have no room for it.
  if (!remark.empty() && letters(style, canvas) >= 12) remark_ = wrapped(remark, style.tick_text, whole);
  if (remark_row() * static_cast<float>(remark_.size()) > most) remark_.clear();
  if (!style.titled || title.empty()) return;
  const float beside = longest.empty() || !style.stamped ? 0 : extents_of(longest, style.label_text).width + size_;
  const float room = std::max(size_, whole - beside);
  title_ = {title};
  if (min_share * widest_bold(title_, size_) <= room) return;
  std::size_t fitting = 1;
  for (const float share : {0.8F, 0.65F}) {  // several smaller lines
    size_ = std::max(style.min_text, share * style.title_text);
    title_ = title_lines(in_one_line(title), size_, room);
    fitting = std::max<std::size_t>(1, static_cast<std::size_t>(most / (line_height * size_)));
    if (title_.size() <= fitting) return;
  }
  std::string rest;
  for (std::size_t i = fitting - 1; i < title_.size(); ++i) rest += title_[i] + " ";
  title_.resize(fitting);
  title_.back() = fitted(rest, size_, true, room);
  std::size_t left = 0;
  for (const std::string& line : title_) left += line.size();
  if (style.min_text > 0 && 2 * left < title.size()) title_.clear();  // too little of it is left
}

float Heading::height() const {
  const float title = style_.titled ? 1.75F * style_.title_text : 0.3F * style_.tick_text;
  const float more = title_.size() > 1 ? line_height * size_ * static_cast<float>(title_.size() - 1) : 0;
  return title + more + remark_row() * static_cast<float>(remark_.size());
}

void Heading::draw(Drawing& drawing, const Box& plot, const Stamp& stamp) const {
  const float end = static_cast<float>(drawing.size.width) - margin_, start = std::min(margin_, plot.left);
  const auto left_of = [&](float right, float width) { return std::clamp(right - width, start, plot.left); };
  float y = plot.top;
  for (std::size_t i = 0; i < remark_.size(); ++i) {
    y = plot.top - 0.5F * style_.tick_text - remark_row() * static_cast<float>(remark_.size() - 1 - i);
    drawing.text(remark_[i], {left_of(end, widest_of(remark_, style_.tick_text)), y}, style_.tick_text, style_.soft_ink,
                 Across::left, Along::baseline);
  }
  const float bottom = plot.top - remark_row() * static_cast<float>(remark_.size()) - 0.62F * style_.title_text;
  if (!style_.titled) return;
  float right = end;
  if (!stamp.words.empty() && style_.stamped) {
    // Moved to the right for a title that needs the space.
    const float width = extents_of(stamp.longest, style_.label_text).width;
    const float needed = title_.size() > 1 ? widest_bold(title_, size_) : min_share * widest_bold(title_, size_);
    const float least = title_.empty() ? 0 : start + needed + style_.title_text;
    const float left = std::max(plot.right - width, std::min(end - width, least));
    drawing.add(Text{stamp.words, {left, bottom}, style_.label_text, style_.ink});
    right = left - style_.title_text;
  }
  if (title_.size() == 1) {
    const float whole = widest_bold(title_, size_);
    // A title too long for a narrow plot starts further left rather than become much smaller.
    const float share = style_.min_text > 0 ? 1.04F : 0.85F;
    const float left = left_of(right, share * whole), room = right - left;
    const float size = std::max(style_.min_text, size_ * std::clamp(0.97F * room / std::max(whole, 1.F), 0.62F, 1.F));
    drawing.text(fitted(title_.front(), size, true, room), {left, bottom}, size, style_.ink, Across::left,
                 Along::baseline, true);
    return;
  }
  for (std::size_t i = 0; i < title_.size(); ++i) {
    const float above = line_height * size_ * static_cast<float>(title_.size() - 1 - i);
    drawing.text(title_[i], {left_of(right, widest_bold(title_, size_)), bottom - above}, size_, style_.ink,
                 Across::left, Along::baseline, true);
  }
}

namespace {

/// The date of a time: to the day, the minute or the second, whatever is a thousandth of the run at most.
std::string date_text(const DateScale& dates, double span, double time) {
  const double seconds = std::abs(span) * dates.seconds;
  const double unit = seconds >= 1000.0 * 86400 ? 86400 : seconds >= 60000 ? 60 : 1;
  Date date = dates.at(time);
  date = later({date.day, 0}, unit * std::floor(date.seconds / unit + 0.5));  // the nearest one
  const CalendarDay day = calendar_day(date.day);
  std::string text =
      fmt::format("{}{:04}-{:02}-{:02}", day.year < 0 ? "−" : "", std::abs(day.year), day.month, day.day);
  const auto whole = static_cast<int>(date.seconds);
  if (unit < 86400) text += fmt::format(" {:02}:{:02}", whole / 3600, whole / 60 % 60);
  if (unit < 60) text += fmt::format(":{:02}", whole % 60);
  return text;
}

}  // namespace

Stamp time_stamp(const RunInfo& info, double time, bool still) {
  if (info.dates) {
    const auto text = [&](double t) { return date_text(*info.dates, info.end - info.start, t); };
    const std::string first = text(info.start), end = text(info.end);
    return {text(time), still ? text(time) : first.size() > end.size() ? first : end};
  }
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

Legend::Legend(const Style& style, const Coloring& coloring) : style_(style), text_(style.tick_text) {
  if (!style.legended) return;
  of_runs_ = coloring.by_run();
  if (coloring.scale()) {
    bar_.emplace(style, *coloring.scale(), coloring.palette());
    return;
  }
  // Long names have several lines; if these are too high, rather smaller letters than names that are cut off.
  for (const float share : {1.F, 0.85F, 0.7F}) {
    text_ = std::max(style.min_text, share * style.tick_text);
    const float widest = style.legend_room.x - beside_sample();
    const float most = share < 1 ? widest : std::min(9 * style.tick_text, widest);
    if (most <= 3 * text_) return;
    names_.clear();
    for (const auto& name : coloring.names()) names_.push_back(wrapped(name, text_, most));
    if (height(0) <= style.legend_room.y) break;
  }
  if (height(0) > style.legend_room.y) names_.clear();
  for (std::size_t i = 0; i < names_.size(); ++i) colors_.push_back(coloring.color_of_name(i));
}

float Legend::width(float room) const {
  if (bar_) return bar_->width(room);
  float widest = 0;
  for (const auto& lines : names_) widest = std::max(widest, widest_of(lines, text_));
  return empty() ? 0 : widest + beside_sample();
}

float Legend::height_of(std::size_t name) const {
  return (row_height + line_height * static_cast<float>(names_[name].size() - 1)) * text_;
}

float Legend::height(float room) const {
  if (bar_) return room;
  float all = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) all += height_of(i);
  return all;
}

void Legend::draw(Drawing& drawing, Point top_left, float room) const {
  if (bar_) return bar_->draw(drawing, top_left, room);
  float top = top_left.y;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    float y = top + 0.5F * row_height * text_;
    const float left = top_left.x;
    if (of_runs_)
      draw_line_of_run(drawing, Line{{{left, y}, {left + 2.2F * text_, y}}, {colors_[i]}, style_.path_line}, i);
    else
      drawing.add(Disc{{left + 0.42F * text_, y}, 0.3F * text_, colors_[i]});
    for (const std::string& line : names_[i]) {
      drawing.text(line, {left + (of_runs_ ? 2.75F : 1.2F) * text_, y}, text_, style_.ink, Across::left, Along::middle);
      y += line_height * text_;
    }
    top += height_of(i);
  }
}

void length_bar(Drawing& drawing, const Style& style, Point corner, double scale_of_run, const ShownUnit& unit) {
  const double scale = scale_of_run * unit.length;
  // The largest of …, 1, 2, 5, 10, … that is at most a fifth of the canvas.
  const double most = 0.2 * drawing.size.width / scale;
  const int exponent = static_cast<int>(std::floor(std::log10(most)));
  const double lead = most / std::pow(10.0, exponent);
  const int digit = lead >= 5 ? 5 : lead >= 2 ? 2 : 1;
  const double length = digit * std::pow(10.0, exponent);
  std::string words = std::abs(exponent) <= 3 ? number_text(length, std::max(0, -exponent))
                                              : std::to_string(digit) + " × " + power_of_ten(exponent);
  if (!unit.name.empty()) words += " " + unit.name;
  const float x = corner.x + 0.3F * style.tick_text, y = corner.y - 0.4F * style.tick_text;
  const float end = x + static_cast<float>(length * scale), cap = 0.28F * style.tick_text;
  drawing.add(Line{{{x, y - cap}, {x, y}, {end, y}, {end, y - cap}}, {style.soft_ink}, style.frame_line});
  drawing.add(
      Text{words, {(x + end) / 2, y - 0.45F * style.tick_text}, style.tick_text, style.soft_ink, Across::center});
}

std::vector<float> body_radii(const Style& style, const RunInfo& info, std::size_t bodies) {
  const double heaviest = info.mass.empty() ? 0 : *std::max_element(info.mass.begin(), info.mass.end());
  const double usual = (bodies > max_names ? 9 : 15) * static_cast<double>(style.unit);
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
