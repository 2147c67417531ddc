// SPDX-License-Identifier: MIT
// Repeated timings of the same work, and their median and spread.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/seconds_of.hpp"

namespace orrery::pipeline {

/// Summary of several repetitions of `steps` steps each.
struct Timing {
  double median = 0, least = 0, greatest = 0;  ///< s per step
  int repetitions = 0;
  std::int64_t steps = 0;  ///< per repetition

  /// (greatest − least) / median
  [[nodiscard]] double spread() const { return (greatest - least) / median; }
};

/// `seconds`: of each repetition of `steps` steps; not empty.
Timing summary(std::vector<double> seconds, std::int64_t steps);

/// Number of repetitions and minimum duration of each, s.
struct Patience {
  int repetitions = 7;
  double seconds = 0.05;
};

/// Warms up until a repetition is long enough, then measures. `take(n)` does n steps and returns the seconds that they
/// took. Ends early, perhaps without any repetition, when `stop()` returns true before a repetition.
Timing measure(const std::function<double(std::int64_t)>& take, const std::function<bool()>& stop,
               const Patience& patience = {});

/// Repeats the same `steps` steps without warm-up: at most `patience.repetitions` times, at least once, and no longer
/// than `longest` seconds in total. `take()` does a repetition and returns its seconds. A repetition during which
/// `stop()` becomes true is dropped.
Timing measure_whole(std::int64_t steps, const std::function<double()>& take, const std::function<bool()>& stop,
                     double longest, const Patience& patience = {});

/// Measures tasks, each giving a row of `rows`, until `stopped(row)` returns true; an incomplete row is dropped. A
/// failure is stored in its row.
template <class Task, class Row>
void measure_rows(std::vector<Task>& tasks, std::vector<Row>& rows, const std::function<bool(const Row&)>& stopped,
                  const std::function<void(Task&)>& measure) {
  for (Task& task : tasks) {
    if (stopped(task.row)) return;
    try {
      measure(task);
    } catch (const std::bad_alloc&) {
      task.row.failure = "out of memory";
    } catch (const Error& error) {
      task.row.failure = error.what();
    }
    if (task.row.failure.empty() && stopped(task.row)) return;
    rows.push_back(std::move(task.row));
  }
}

}  // namespace orrery::pipeline
