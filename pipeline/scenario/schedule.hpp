// SPDX-License-Identifier: MIT
// At which steps frames are kept and observables are measured.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace orrery::pipeline {

/// So many, evenly spaced in time from the first step to the last, each at the step nearest to its time.
struct Evenly {
  std::int64_t count;
};
/// Every so many steps, from step 0; or from `first` on, after step 0.
struct Every {
  std::int64_t interval;
  std::int64_t first = 0;
};
/// At these steps, ascending.
struct At {
  std::vector<std::int64_t> steps;
};

/// Step 0, then `count` − 1 steps from `first` to `last`, evenly spaced in the logarithm of time, each the nearest to its
/// time. While that spacing is closer than a step, the steps follow each other, so that there are always `count` of them:
/// step k is max(nearest(first · (last/first)^((k−1)/(count−2))), first + k − 1). They are the same on every machine. With
/// count ≤ 2 only the ends are there; else count − 1 ≤ last − first + 1 and first ≥ 1 are needed.
At logarithmic(std::int64_t count, std::int64_t first, std::int64_t last);

/// How many of `steps` + 1 moments are as far from each other as any, from the first to the last: the number nearest to `wish`
/// from 2/3 to 3/2 of it that is one more than a divisor of `steps`, the greater of two; nothing where there is none.
std::optional<std::int64_t> evenly_dividing(std::int64_t wish, std::int64_t steps);

/// How many frames are kept where nobody says: of every step up to 600, else evenly_dividing(600), else 600.
std::int64_t usual_frames(std::int64_t steps);

/// A set of steps in 0 … last.
class Schedule {
 public:
  using Rule = std::variant<Evenly, Every, At>;
  Schedule(Rule rule, std::int64_t last) : rule_(std::move(rule)), last_(last) {}

  /// The first scheduled step at or after `step`; last + 1 where there is none.
  [[nodiscard]] std::int64_t from(std::int64_t step) const;
  [[nodiscard]] bool contains(std::int64_t step) const { return from(step) == step && step <= last_; }
  [[nodiscard]] std::int64_t size() const;
  /// The least and the greatest number of steps from one to the next; 0 where there is one at most.
  struct Gaps {
    std::int64_t least, greatest;
  };
  [[nodiscard]] Gaps gaps() const;

 private:
  Rule rule_;
  std::int64_t last_;
};

}  // namespace orrery::pipeline
