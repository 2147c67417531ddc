// SPDX-License-Identifier: MIT
// Where an axis has its ticks, and what is written at them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace orrery::render {

struct Interval {
  double low = 0, high = 1;
  [[nodiscard]] double length() const { return high - low; }
  [[nodiscard]] double middle() const { return low + (high - low) / 2; }
};

/// Round numbers inside an interval, with labels that never touch.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;  ///< one a tick; empty where a tick bears none
  std::vector<double> minor;
  int exponent = 0;  ///< labels are to be multiplied by ten to this power
};

/// For an axis of `length` pixels; `along` is true where labels stand side by side, false where one above
/// another.
/// `least`: ticks are no closer than this, for axes that share a scale to share their steps too, unless that would leave
/// one number alone. `largest`: the largest number of all those axes, for the power of ten to be the same, unless this one's
/// would begin with several zeros.
Ticks linear_ticks(Interval limits, float length, float text_size, bool along, double least = 0, double largest = 0);

/// For limits that are exponents of ten; labels are "10⁻⁸", or "0.2" and the like where there are no two of those, or no
/// three and those between are short.
Ticks decade_ticks(Interval exponents, float length, float text_size);

/// The largest of their ends, without its sign.
double largest_of(std::span<const Interval> intervals);

/// `value` with `decimals` digits and a true minus sign.
std::string number_text(double value, int decimals);

/// An axis label: "x", "x [au]", "x [10⁶ km]", "ΔE/E₀ [10⁻¹²]".
std::string axis_label(const std::string& name, const std::string& unit, int exponent);

}  // namespace orrery::render
