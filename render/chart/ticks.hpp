// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/calendar.hpp"

namespace orrery::render {

struct Interval {
  double low = 0, high = 1;
  [[nodiscard]] double length() const { return high - low; }
  [[nodiscard]] double middle() const { return low + (high - low) / 2; }
};

/// Ticks at round numbers, with labels that do not touch.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;  ///< one per tick; empty: none
  std::vector<double> minor;
  int exponent = 0;    ///< labels must be multiplied by this power of ten
  std::string name{};  ///< of the axis, instead of its own
};

/// Returns ticks at multiples of 1, 2 or 5 times a power of ten for an axis of `length` pixels. `along`: labels are side by
/// side, not above each other. Axes of the same scale can share their step by `least`, its minimum, which is ignored if a
/// single label would be left, and their power of ten by `largest`, their maximum absolute value, unless labels would start
/// with several zeros.
Ticks linear_ticks(Interval limits, float length, float text_size, bool along, double least = 0, double largest = 0);

/// Returns ticks of a logarithmic axis with limits in exponents of ten. Labels are "10⁻⁸", or digits such as "0.2" if there
/// are fewer than two powers of ten (three if digits have space).
Ticks decade_ticks(Interval exponents, float length, float text_size);

/// Returns ticks of a horizontal axis of times at the beginnings of years, months, days, hours, minutes or seconds, or of several of them, at the
/// places of `limits`, with labels such as "2031", "2031-07", "2031-07-15" or "06:30", at 0 h the date. No ticks if two do not fit.
Ticks date_ticks(Interval limits, const DateScale& dates, float length, float text_size);

/// Returns the maximum absolute value of all ends.
double largest_of(std::span<const Interval> intervals);

/// Returns `value` with `decimals` decimals and a Unicode minus sign.
std::string number_text(double value, int decimals);

/// Returns the name of an axis with its unit: "x", "x [au]", "x [10⁶ km]", "ΔE/|E₀| [10⁻¹²]".
std::string axis_label(const std::string& name, const std::string& unit, int exponent);

}  // namespace orrery::render
