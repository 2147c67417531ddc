// SPDX-License-Identifier: MIT
// A curve through rows that are too far apart is another curve: a beat that does not exist, or no peak at all.
#include "pipeline/run/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/run/energy_record.hpp"

namespace orrery::pipeline {
namespace {

/// As much of all that values span as a peak must have to count.
constexpr double part_of_a_peak = 0.02;

/// How often the values turn round, peaks that are lower than `least` left out.
std::size_t turns(const std::vector<double>& values, double least) {
  std::size_t found = 0;
  double extreme = values.front();
  int direction = 0;
  for (const double value : values) {
    const double change = value - extreme;
    if (direction == 0 ? std::abs(change) > least : change * direction < -least) {
      if (direction != 0) ++found;
      direction = change > 0 ? 1 : -1;
      extreme = value;
    } else if (change * direction > 0) {
      extreme = value;
    }
  }
  return found;
}

}  // namespace

bool shows_between_rows(const History& history) {
  if (history.energy_range.size() < 2) return false;
  double least = history.total_energy.front(), most = least;
  for (const auto& [low, high] : history.energy_range) least = std::min(least, low), most = std::max(most, high);
  const double slack = part_of_a_peak * (most - least);
  for (std::size_t i = 1; i < history.energy_range.size(); ++i) {
    const auto [from, to] = std::minmax(history.total_energy[i - 1], history.total_energy[i]);
    if (history.energy_range[i][0] < from - slack || history.energy_range[i][1] > to + slack) return true;
  }
  return false;
}

std::string extremes_in_words(const History& history, std::int64_t own_steps) {
  const StatesMet met = states_met(history, own_steps);
  if (met.every_step()) return "least to greatest of every step";
  const auto steps = static_cast<double>(met.steps), states = static_cast<double>(met.states);
  const auto one_in = std::max<std::int64_t>(2, std::llround(steps / std::max(1.0, states)));
  return fmt::format("least to greatest, sampled: 1 step in {}", one_in);
}

std::string too_few_rows(const std::vector<double>& time, const std::vector<double>& values, double timescale) {
  const std::size_t rows = values.size();
  if (rows < 8) return "";
  const auto [low, high] = std::ranges::minmax(values);
  const double span = high - low;
  if (!(span > 1e-12 * std::max(std::abs(low), std::abs(high)))) return "";
  const double apart = std::abs(time.back() - time.front()) / static_cast<double>(rows - 1);
  const bool sparse = timescale > 0 && apart > timescale / 10;
  if (!sparse && 4 * turns(values, part_of_a_peak * span) < rows) return "";
  return fmt::format("{} rows are too few: what lies between is not seen", rows);
}

}  // namespace orrery::pipeline
