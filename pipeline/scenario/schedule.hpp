// SPDX-License-Identifier: MIT
// At which steps frames are kept and observables are measured.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace orrery::pipeline {

/// `count` steps evenly spaced from 0 to the last step, each rounded to the nearest step.
struct Evenly {
  std::int64_t count;
};
/// Step 0, then `first`, `first` + `interval`, …
struct Every {
  std::int64_t interval;
  std::int64_t first = 0;
};
/// These steps, sorted.
struct At {
  std::vector<std::int64_t> steps;
};

/// Step 0, then `count` − 1 steps from `first` to `last` evenly spaced in the logarithm of time: step k is
/// max(nearest(first · (last/first)^((k−1)/(count−2))), first + k − 1), so that no two are equal. The result is the same on
/// every machine. Requires first ≥ 1 and count − 1 ≤ last − first + 1, unless count ≤ 2.
At logarithmic(std::int64_t count, std::int64_t first, std::int64_t last);

/// The number of frames nearest to `wish`, within 2/3 to 3/2 of it, that are exactly equidistant in a run of `steps`: one more
/// than a divisor of `steps`. The larger of two equally near; nullopt if there is none.
std::optional<std::int64_t> equidistant_count(std::int64_t wish, std::int64_t steps);

/// The default number of frames, unless few bodies need more: every step if steps < 600, else equidistant_count(600, steps), else 600.
std::int64_t usual_frames(std::int64_t steps);

/// The smallest number of frames from `least` to 3/2 of it that are exactly equidistant in a run of `steps`; `least` if there is none.
std::int64_t equidistant_above(std::int64_t least, std::int64_t steps);

/// A set of steps in 0 … last.
class Schedule {
 public:
  using Rule = std::variant<Evenly, Every, At>;
  Schedule(Rule rule, std::int64_t last) : rule_(std::move(rule)), last_(last) {}

  /// The first scheduled step ≥ `step`; last + 1 if there is none.
  [[nodiscard]] std::int64_t from(std::int64_t step) const;
  [[nodiscard]] bool contains(std::int64_t step) const { return from(step) == step && step <= last_; }
  [[nodiscard]] std::int64_t size() const;
  /// Whether its steps are listed: given times, or a logarithmic spacing.
  [[nodiscard]] bool is_listed() const { return std::holds_alternative<At>(rule_); }
  /// Minimum and maximum distance between consecutive scheduled steps; 0 if there are fewer than two.
  struct Gaps {
    std::int64_t least, greatest;
  };
  [[nodiscard]] Gaps gaps() const;

 private:
  Rule rule_;
  std::int64_t last_;
};

}  // namespace orrery::pipeline
