// SPDX-License-Identifier: MIT
#include "render/chart/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/power_of_ten.hpp"
#include "render/canvas/text.hpp"

namespace orrery::render {
namespace {

/// Returns element `rank` of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, …; rank 0 is 1.
double step_of(int rank) {
  static constexpr std::array<double, 3> leading{1, 2, 5};
  const int decade = rank >= 0 ? rank / 3 : -((2 - rank) / 3);
  return leading[static_cast<std::size_t>(rank - 3 * decade)] * std::pow(10.0, decade);
}

std::vector<double> multiples(Interval limits, double step) {
  std::vector<double> at;
  const double slack = 1e-6 * limits.length();
  const double first = std::ceil((limits.low - slack) / step);
  for (int i = 0; i < 1000; ++i) {
    const double value = (first + i) * step;
    if (value > limits.high + slack) break;
    at.push_back(value == 0 ? 0.0 : value);
  }
  return at;
}

/// Returns "0.2", "50", or "2·10⁻⁸" if digits would be long.
std::string digit_text(int digit, int exponent) {
  if (exponent >= -3 && exponent <= 3) return number_text(digit * std::pow(10.0, exponent), std::max(0, -exponent));
  return (digit == 1 ? "" : std::to_string(digit) + "·") + power_of_ten(exponent);
}

/// For an axis with fewer than two powers of ten: labels at 1, 2 and 5 times those, or at all digits if there is still only
/// one.
Ticks digit_ticks(Interval exponents) {
  Ticks ticks;
  for (const bool all : {false, true}) {
    ticks = {};
    for (int e = static_cast<int>(std::floor(exponents.low)); e <= exponents.high; ++e) {
      for (int digit = 1; digit < 10; ++digit) {
        const double at = e + std::log10(digit);
        if (at < exponents.low - 1e-9 || at > exponents.high + 1e-9) continue;
        const bool bears = all || digit == 1 || digit == 2 || digit == 5;
        (bears ? ticks.at : ticks.minor).push_back(at);
        if (bears) ticks.labels.push_back(digit_text(digit, e));
      }
    }
    if (ticks.at.size() > 1) break;
  }
  return ticks;
}

/// Reduces labels to every n-th multiple of the step, with the smallest n for which fits(n) is true, or, if fewer than two would
/// remain, to both ends, or to one label if these do not fit.
template <class Fits>
Ticks every_few(Ticks ticks, double step, const Fits& fits) {
  const auto is_every = [&](std::size_t i, int few) { return std::llround(ticks.at[i] / step) % few == 0; };
  const auto count = [&](int few) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < ticks.at.size(); ++i) n += is_every(i, few) ? 1 : 0;
    return n;
  };
  int few = 2;
  while (count(few) > 1 && !fits(few)) ++few;
  const auto whole = static_cast<int>(std::llround((ticks.at.back() - ticks.at.front()) / step));
  const bool ends = count(few) < 2 && fits(whole), first = count(few) == 0;
  Ticks kept;
  kept.minor = ticks.minor;
  kept.exponent = ticks.exponent;
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    if (ends ? i == 0 || i + 1 == ticks.at.size() : first ? i == 0 : is_every(i, few)) {
      kept.at.push_back(ticks.at[i]);
      kept.labels.push_back(ticks.labels[i]);
    } else {
      kept.minor.push_back(ticks.at[i]);
    }
  }
  std::ranges::sort(kept.minor);
  return kept;
}

}  // namespace

double largest_of(std::span<const Interval> intervals) {
  double largest = 0;
  for (const auto& [low, high] : intervals) largest = std::max({largest, std::abs(low), std::abs(high)});
  return largest;
}

std::string number_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "−" + text : text;
}

std::string axis_label(const std::string& name, const std::string& unit, int exponent) {
  if (exponent == 0) return unit.empty() ? name : name + " [" + unit + "]";
  return name + " [" + power_of_ten(exponent) + (unit.empty() ? "]" : " " + unit + "]");
}

Ticks linear_ticks(Interval limits, float length, float text_size, bool along, double least, double largest) {
  Ticks ticks;
  const double own = largest_of({&limits, 1});
  if (largest < own || largest > 200 * own) largest = own;
  if (largest >= 1e5 || largest < 2e-3) ticks.exponent = static_cast<int>(std::floor(std::log10(largest)));
  const double factor = std::pow(10.0, ticks.exponent);
  // Start from 2 to 9 steps, depending on the length, and coarsen until labels fit.
  const double wish = limits.length() / std::clamp(static_cast<double>(length / text_size) / 3.9, 2.0, 9.0);
  int rank = static_cast<int>(std::ceil(3 * std::log10(wish / factor) - 0.6));
  // A single label does not define a scale.
  for (int finer = 0; finer < 3 && multiples(limits, step_of(rank) * factor).size() < 2; ++finer) --rank;
  if (least > 0 && multiples(limits, least).size() < 2) least = 0;
  const auto need = [&](const Ticks& of, bool close) {
    if (!along) return (close ? 1.3 : 1.9) * static_cast<double>(text_size);
    return static_cast<double>(widest_of(of.labels, text_size) + (close ? 0.4F : 0.9F) * text_size);
  };
  Ticks before;  // with the previous step
  for (;; before = ticks, ++rank) {
    const double step = step_of(rank) * factor;
    if (step < least * (1 - 1e-6)) continue;
    ticks.at = multiples(limits, step);
    ticks.labels.clear();
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / factor) + 1e-9)));
    for (const double value : ticks.at) ticks.labels.push_back(number_text(value / factor, decimals));
    const auto room = [&](double between) { return between / limits.length() * static_cast<double>(length); };
    const bool alone_next = multiples(limits, step_of(rank + 1) * factor).size() < 2;
    if (ticks.at.size() < 2 && before.at.size() > 2) {
      const double finer = step_of(rank - 1) * factor;
      return every_few(before, finer, [&](int few) { return room(few * finer) >= need(before, true); });
    }
    // Prefer close labels to a single one.
    if (ticks.at.size() < 2 || room(step) >= need(ticks, alone_next)) {
      ticks.minor = multiples(limits, step / (rank % 3 == 1 || rank % 3 == -2 ? 4 : 5));
      return ticks;
    }
  }
}

Ticks decade_ticks(Interval exponents, float length, float text_size) {
  Ticks ticks;
  const double decades = std::max(exponents.length(), 1e-9);
  const double fitting = std::max(1.0, static_cast<double>(length) / (2.2 * static_cast<double>(text_size)));
  int step = std::max(1, static_cast<int>(std::ceil(decades / std::min(fitting, 8.0))));
  const auto labelled = [&] {
    return std::floor((exponents.high + 1e-9) / step) - std::ceil((exponents.low - 1e-9) / step) + 1;
  };
  const double decade = static_cast<double>(length / text_size) / decades;  // in text heights
  while (step > 1 && labelled() < 2 && (step - 1) * decade >= 1.3) --step;  // prefer close labels to a single one
  for (int e = static_cast<int>(std::ceil(exponents.low - 1e-9)); e <= exponents.high + 1e-9; ++e) {
    if (e % step == 0) {
      ticks.at.push_back(e);
      ticks.labels.push_back(power_of_ten(e));
    } else {
      ticks.minor.push_back(e);
    }
  }
  if (step > 1 || decades > 7) return ticks;
  const bool plain = exponents.low >= -3 && exponents.high < 4 && 0.3 * decade >= 3;  // labels fit between 1 and 2
  if (ticks.at.size() < (plain ? 3U : 2U)) return digit_ticks(exponents);
  for (int e = static_cast<int>(std::floor(exponents.low)); e <= exponents.high; ++e) {
    for (int digit = 2; digit < 10; ++digit) {
      const double at = e + std::log10(digit);
      if (at >= exponents.low && at <= exponents.high) ticks.minor.push_back(at);
    }
  }
  return ticks;
}

}  // namespace orrery::render
