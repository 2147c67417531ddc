// SPDX-License-Identifier: MIT
// At which steps frames are kept and observables are measured.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace orrery::pipeline {

/// So many, evenly spaced in time from the first step to the last, each at the step nearest to its time.
struct Evenly {
  std::int64_t count;
};
/// Every so many steps, from step 0.
struct Every {
  std::int64_t interval;
};
/// At these steps, ascending.
struct At {
  std::vector<std::int64_t> steps;
};

/// A set of steps in 0 … last.
class Schedule {
 public:
  using Rule = std::variant<Evenly, Every, At>;
  Schedule(Rule rule, std::int64_t last) : rule_(std::move(rule)), last_(last) {}

  /// The first scheduled step at or after `step`; last + 1 where there is none.
  [[nodiscard]] std::int64_t from(std::int64_t step) const;
  [[nodiscard]] bool contains(std::int64_t step) const { return from(step) == step && step <= last_; }
  [[nodiscard]] std::int64_t size() const;

 private:
  Rule rule_;
  std::int64_t last_;
};

}  // namespace orrery::pipeline
