// SPDX-License-Identifier: MIT
#include "render/view/panel.hpp"

#include <algorithm>

#include "render/canvas/text.hpp"
#include "render/style/annotations.hpp"

namespace orrery::render {
namespace {

/// Returns ticks that are round in the unit of the axis, at the places of its limits.
Ticks ticks_of(const Axis& axis, float length, float text_size, bool along) {
  if (axis.dates && !axis.logarithmic) {
    Ticks dates = date_ticks(axis.limits, *axis.dates, length, text_size);
    if (dates.at.size() > 1) return dates;
  }
  const double unit = axis.unit_length, shift = std::log10(unit);
  const auto [low, high] = axis.limits;
  Ticks ticks = axis.logarithmic ? decade_ticks({low - shift, high - shift}, length, text_size)
                                 : linear_ticks({low / unit, high / unit}, length, text_size, along, axis.step / unit,
                                                axis.largest / unit);
  if (axis.whole) std::erase_if(ticks.minor, [](double at) { return std::abs(at - std::round(at)) > 1e-6; });
  for (std::vector<double>* places : {&ticks.at, &ticks.minor}) {
    for (double& place : *places) place = axis.logarithmic ? place + shift : place * unit;
  }
  return ticks;
}

/// Removes labels for which `fits(i)` is false, unless fewer than two would remain.
template <class Fits>
void keep_within(Ticks& ticks, const Fits& fits) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    if (!fits(i)) out.push_back(i);
  }
  if (ticks.at.size() < out.size() + 2) return;
  for (const std::size_t i : out) ticks.labels[i].clear();
}

/// Returns the relative size of a name that fits beside a box; above 1 if there is space to spare. Names of other panels may be
/// above and below.
float share_beside(const Box& box, const Style& style, const std::string& words) {
  return 0.97F * (box.height() + 0.4F * style.tick_text) / std::max(extents_of(words, style.label_text).width, 1.F);
}

/// Returns the minimum relative size that is legible.
float min_share(const Style& style, float otherwise) {
  return std::max(otherwise, style.min_text / style.label_text);
}

}  // namespace

Margins first_margins(const Style& style) {
  return {4.5F * style.tick_text, 0, 0.7F * style.tick_text, 3.5F * style.tick_text};
}

Box room_for_panels(const Style& style, Size canvas, const Margins& around, float beside, float above) {
  const float edge = 0.7F * style.tick_text;
  return {edge + around.left, edge + above, static_cast<float>(canvas.width) - edge - around.right - beside,
          static_cast<float>(canvas.height) - edge - around.bottom};
}

Panel::Panel(const Style& style, Box box, Axis horizontal, Axis vertical)
    : style_(style),
      box_{crisp(box.left), crisp(box.top), crisp(box.right), crisp(box.bottom)},
      horizontal_(std::move(horizontal)),
      vertical_(std::move(vertical)),
      x_ticks_(ticks_of(horizontal_, box_.width(), style_.tick_text, true)),
      y_ticks_(ticks_of(vertical_, box_.height(), style_.tick_text, false)) {
  const float slack = 0.35F * style_.tick_text;
  if (horizontal_.within) {
    const float half = widest_of(x_ticks_.labels, style_.tick_text) / 2;  // dropped on both sides alike
    keep_within(x_ticks_, [&](std::size_t i) {
      const float x = at(x_ticks_.at[i], 0).x;
      return x - half >= box_.left - slack && x + half <= box_.right + slack;
    });
  }
  if (vertical_.within) {
    keep_within(y_ticks_, [&](std::size_t i) {
      const float half = 0.5F * style_.tick_text, y = at(0, y_ticks_.at[i]).y;
      return y - half >= box_.top - slack && y + half <= box_.bottom + slack;
    });
  }
}

Point Panel::at(double x, double y) const {
  const double u = (x - horizontal_.limits.low) / horizontal_.limits.length();
  const double v = (y - vertical_.limits.low) / vertical_.limits.length();
  // Clamp points far outside of the box: a float would lose the subpixel precision that the slope of a line inside needs.
  const auto pixel = [](double from, double length, double t) {
    return static_cast<float>(from + length * std::clamp(t, -50.0, 50.0));
  };
  return {pixel(box_.left, box_.width(), u), pixel(box_.bottom, -box_.height(), v)};
}

bool Panel::numbered(const Ticks& ticks) const {
  return style_.numbered && (style_.named || ticks.exponent == 0);
}

float Panel::numbers() const {
  return numbered(y_ticks_) ? std::max(vertical_.room, widest_of(y_ticks_.labels, style_.tick_text)) : 0;
}

float Panel::name_share(const std::string& words) const {
  return std::clamp(share_beside(box_, style_, words), min_share(style_, 0.62F), 1.F);
}

std::vector<std::string> Panel::name_lines() const {
  const std::string words = axis_label(vertical_.name, vertical_.unit, y_ticks_.exponent);
  const std::size_t unit = words.find(" [");
  const float nearly = min_share(style_, 0.85F);
  if (share_beside(box_, style_, words) > nearly) return {words};
  std::vector<std::string> lines{words};
  if (unit != std::string::npos) lines = {words.substr(0, unit), words.substr(unit + 1)};
  if (unit != std::string::npos && share_beside(box_, style_, lines.front()) > nearly) return lines;
  for (const float share : {1.F, 0.9F, 0.8F, 0.7F}) {  // between words, but not within a unit
    const auto two = wrapped(words, style_.label_text,
                             share_beside(box_, style_, words) / share * extents_of(words, style_.label_text).width);
    if (two.size() == 2 && two[0] + " " + two[1] == words && two[1].find('[') != 0 &&
        two[0].find('[') == std::string::npos)
      return two;
  }
  return lines;
}

float Panel::name_size() const {
  float share = 1;
  for (const std::string& line : name_lines()) share = std::min(share, name_share(line));
  return share * style_.label_text;
}

double Panel::step() const {
  const auto of = [](const Ticks& ticks) { return ticks.at.size() > 1 ? ticks.at[1] - ticks.at[0] : 0; };
  return std::max(of(x_ticks_), of(y_ticks_));
}

std::array<float, 2> Panel::overhang() const {
  if (x_ticks_.at.empty() || !numbered(x_ticks_)) return {0, 0};
  const float first = extents_of(x_ticks_.labels.front(), style_.tick_text).width / 2;
  const float last = extents_of(x_ticks_.labels.back(), style_.tick_text).width / 2;
  return {std::max(0.F, box_.left - (at(x_ticks_.at.front(), 0).x - first)),
          std::max(0.F, at(x_ticks_.at.back(), 0).x + last - box_.right)};
}

float Panel::name_offset() const {
  return 0.55F * style_.tick_text + numbers();
}

Margins Panel::margins() const {
  Margins m;
  const float number = style_.tick_text, name = style_.label_text;
  m.top = 0.5F * number;
  m.right = 0.3F * number;
  if (horizontal_.written) {
    m.bottom = (numbered(x_ticks_) ? 0.68F + 1.2F : 0.3F) * number + (style_.named ? (0.2F + 1.25F) * name : 0);
    // The last label may overhang the corner.
    m.right = std::max(m.right, horizontal_.room / 2);
    m.right = std::max(m.right, overhang()[1]);
  } else {
    m.bottom = 0.3F * number;
  }
  const float lines = 1.25F + 1.15F * static_cast<float>(name_lines().size() - 1);
  m.left = 0.3F * number;
  if (vertical_.written && numbered(y_ticks_))
    m.left = name_offset() + (style_.named ? 0.5F * number + lines * name : 0);
  return m;
}

void Panel::open(Drawing& drawing) const {
  for (const double x : x_ticks_.at) {
    const float px = crisp(at(x, 0).x);
    drawing.line({px, box_.top}, {px, box_.bottom}, style_.grid, style_.grid_line);
  }
  for (const double y : y_ticks_.at) {
    const float py = crisp(at(0, y).y);
    drawing.line({box_.left, py}, {box_.right, py}, style_.grid, style_.grid_line);
  }
  drawing.add(Clip{box_});
}

void Panel::close(Drawing& drawing) const {
  draw_frame(drawing);
  draw_labels(drawing);
}

void Panel::draw_frame(Drawing& drawing) const {
  drawing.add(Clip{});
  drawing.outline(box_, style_.frame, style_.frame_line);
  const auto mark_x = [&](double x, float length) {
    const float px = crisp(at(x, 0).x);
    drawing.line({px, box_.bottom}, {px, box_.bottom - length}, style_.frame, style_.frame_line);
    drawing.line({px, box_.top}, {px, box_.top + length}, style_.frame, style_.frame_line);
  };
  const auto mark_y = [&](double y, float length) {
    const float py = crisp(at(0, y).y);
    drawing.line({box_.left, py}, {box_.left + length, py}, style_.frame, style_.frame_line);
    drawing.line({box_.right, py}, {box_.right - length, py}, style_.frame, style_.frame_line);
  };
  const float tall = 11 * style_.unit, low = 6 * style_.unit;
  for (const double x : x_ticks_.minor) mark_x(x, low);
  for (const double x : x_ticks_.at) mark_x(x, tall);
  for (const double y : y_ticks_.minor) mark_y(y, low);
  for (const double y : y_ticks_.at) mark_y(y, tall);
}

void Panel::draw_labels(Drawing& drawing) const {
  if (horizontal_.written) write_horizontal(drawing);
  if (vertical_.written) write_vertical(drawing);
}

void Panel::write_horizontal(Drawing& drawing) const {
  const float number = style_.tick_text;
  for (std::size_t i = 0; numbered(x_ticks_) && i < x_ticks_.at.size(); ++i) {
    if (x_ticks_.labels[i].empty()) continue;
    drawing.text(x_ticks_.labels[i], {at(x_ticks_.at[i], 0).x, box_.bottom + 0.62F * number}, number, style_.ink,
                 Across::center, Along::top);
  }
  if (!style_.named) return;
  drawing.text(
      x_ticks_.name.empty() ? axis_label(horizontal_.name, horizontal_.unit, x_ticks_.exponent) : x_ticks_.name,
      {box_.middle(), box_.bottom + 1.88F * number + 0.2F * style_.label_text}, style_.label_text, style_.ink,
      Across::center, Along::top);
}

void Panel::write_vertical(Drawing& drawing) const {
  const float number = style_.tick_text;
  for (std::size_t i = 0; numbered(y_ticks_) && i < y_ticks_.at.size(); ++i) {
    if (y_ticks_.labels[i].empty()) continue;
    drawing.text(y_ticks_.labels[i], {box_.left - 0.5F * number, at(0, y_ticks_.at[i]).y}, number, style_.ink,
                 Across::right, Along::middle);
  }
  if (!style_.named) return;
  const float size = vertical_.name_size > 0 ? std::min(vertical_.name_size, name_size()) : name_size();
  const auto lines = name_lines();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float out = 0.75F + 1.15F * static_cast<float>(lines.size() - 1 - i);
    Text name{lines[i],       {box_.left - name_offset() - out * style_.label_text, (box_.top + box_.bottom) / 2},
              size,           style_.ink,
              Across::center, Along::baseline};
    name.upwards = true;
    drawing.add(name);
  }
}

}  // namespace orrery::render
