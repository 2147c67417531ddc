// SPDX-License-Identifier: MIT
#include "pipeline/progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::pipeline {

std::string with_prefix(double value) {
  constexpr const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
  int k = 0;
  for (; std::abs(value) >= 999.5 && k < 5; ++k) value /= 1000;
  return fmt::format("{:.3g}{}", value, prefixes[k]);
}

std::string in_bytes(double bytes) {
  return with_prefix(bytes) + (std::abs(bytes) < 999.5 ? " B" : "B");
}

std::string to_text(std::chrono::duration<double> time) {
  const double seconds = time.count();
  if (!(seconds < 1e9)) return "ages";
  if (seconds > 0 && seconds < 0.0995) {
    constexpr const char* units[] = {"ms", "µs", "ns"};
    int k = 0;
    double value = 1e3 * seconds;
    for (; value < 0.995 && k < 2; ++k) value *= 1000;
    return fmt::format("{} {}", value < 9.95 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value), units[k]);
  }
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

void Progress::part(std::string what, double low, double high) {
  what_ = std::move(what);
  in_parts_ = true;
  low_ = low;
  high_ = high;
  part_begin_ = Clock::now();
}

void Progress::draw(double of_part, const std::string& details) {
  const double fraction = low_ + (high_ - low_) * of_part, done = fraction - start_;
  const std::chrono::duration<double> gone = Clock::now() - begin_;
  const std::string left = done > 0 ? to_text(gone * ((1 - fraction) / done)) + " left" : "";
  line_->reach(fraction, what_);
  line_->show(fmt::format("{} {:5.1f} %{}{}{}{}", what_, 100 * fraction, details.empty() ? "" : " · ", details,
                          left.empty() ? "" : " · ", left));
}

}  // namespace orrery::pipeline
