// SPDX-License-Identifier: MIT
#include "render/style/color_bar.hpp"

#include "render/canvas/text.hpp"

namespace orrery::render {

bool ColorBar::powers() const {
  return axis_.logarithmic && axis_.limits.length() > 1.5;
}

Ticks ColorBar::ticks(float height) const {
  // A range of few decades has too few powers of ten for labels.
  return powers() ? decade_ticks(axis_.limits, height, style_.tick_text)
                  : linear_ticks(axis_.limits, height, style_.tick_text, false);
}

float ColorBar::width(float height) const {
  return bar() + 0.4F * style_.tick_text + widest_of(ticks(height).labels, style_.tick_text) +
         0.35F * style_.tick_text + 1.2F * style_.label_text;
}

void ColorBar::draw(Drawing& drawing, Point top_left, float height) const {
  const Box box{crisp(top_left.x), crisp(top_left.y), crisp(top_left.x + bar()), crisp(top_left.y + height)};
  // Two columns, since VTK takes a single one for a row.
  Picture gradient{box, {2, static_cast<int>(colors_.size())}, {}, true};
  for (std::size_t i = colors_.size(); i-- > 0;) {
    for (int column = 0; column < 2; ++column) {
      gradient.rgba.insert(gradient.rgba.end(), {colors_[i].red, colors_[i].green, colors_[i].blue, 255});
    }
  }
  drawing.add(std::move(gradient));
  drawing.outline(box, style_.frame, style_.frame_line);
  const Ticks marks = ticks(height);
  const auto y = [&](double value) {
    const double t = (value - axis_.limits.low) / axis_.limits.length();
    return box.bottom - static_cast<float>(t) * box.height();
  };
  const float tick = 0.22F * style_.tick_text, gap = 0.4F * style_.tick_text;
  for (std::size_t i = 0; i < marks.at.size(); ++i) {
    const float at = y(marks.at[i]);
    drawing.line({box.right, crisp(at)}, {box.right + tick, crisp(at)}, style_.frame, style_.frame_line);
    drawing.add(
        Text{marks.labels[i], {box.right + gap, at}, style_.tick_text, style_.ink, Across::left, Along::middle});
  }
  const std::string name = axis_.logarithmic && !powers() ? "log₁₀ " + axis_.name : axis_.name;
  Text label{axis_label(name, axis_.unit, marks.exponent),
             {box.right + gap + widest_of(marks.labels, style_.tick_text) + 0.35F * style_.tick_text +
                  0.95F * style_.label_text,
              (box.top + box.bottom) / 2},
             style_.label_text,
             style_.ink,
             Across::center,
             Along::baseline};
  const float room = 1.6F * height, wide = extents_of(label.words, label.size).width;
  if (wide > room) label.size *= room / wide;
  if (label.size < style_.min_text) return;
  label.upwards = true;
  drawing.add(label);
}

}  // namespace orrery::render
