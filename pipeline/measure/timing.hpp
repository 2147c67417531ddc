// SPDX-License-Identifier: MIT
// Repeated measurements of the same work, and the two numbers that are said of them.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "common/error.hpp"

namespace orrery::pipeline {

/// Several repetitions of so many steps each.
struct Timing {
  double median = 0;  ///< s a step
  double least = 0;
  double greatest = 0;
  int repetitions = 0;
  std::int64_t steps = 0;  ///< in each repetition

  /// (greatest − least) / median
  [[nodiscard]] double spread() const { return (greatest - least) / median; }
};

/// `seconds`: what each repetition of `steps` steps took; at least one.
Timing summary(std::vector<double> seconds, std::int64_t steps);

/// How often, and how long each time at least.
struct Patience {
  int repetitions = 7;
  double seconds = 0.05;
};

/// Warms up until a repetition is long enough, then measures. `take(n)` does n steps and returns the seconds that it
/// took; `stop()` is asked before each repetition, and where it says so there are fewer of them, perhaps none.
Timing measure(const std::function<double(std::int64_t)>& take, const std::function<bool()>& stop,
               const Patience& patience = {});

/// Repetitions of the same `steps` steps, for which nobody has to be warmed up: as many as patience has, fewer where together
/// they would take more than `longest` seconds, but one at least. `take()` is a repetition and returns the seconds that it took;
/// one within which `stop()` says so does not count.
Timing measure_whole(std::int64_t steps, const std::function<double()>& take, const std::function<bool()>& stop,
                     double longest, const Patience& patience = {});

/// Measures tasks, one row of `rows` each, until `stopped(row)` says so: half a row is none. What fails stands in its row.
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
