// SPDX-License-Identifier: MIT
#include "pipeline/measure/timing.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::pipeline {

Timing summary(std::vector<double> seconds, std::int64_t steps) {
  std::ranges::sort(seconds);
  const std::size_t n = seconds.size();
  const auto of_a_step = [&](double time) { return time / static_cast<double>(steps); };
  return {.median = of_a_step((seconds[(n - 1) / 2] + seconds[n / 2]) / 2),
          .least = of_a_step(seconds.front()),
          .greatest = of_a_step(seconds.back()),
          .repetitions = static_cast<int>(n),
          .steps = steps};
}

Timing measure(const std::function<double(std::int64_t)>& take, const std::function<bool()>& stop,
               const Patience& patience) {
  // Doubling the steps also lets clocks rise, caches fill and threads start.
  std::int64_t steps = 1;
  double took = take(steps);
  while (took < patience.seconds / 2 && !stop()) took = take(steps *= 2);
  // A tenth more than needed, so that faster repetitions are still long enough.
  const double missing = 1.1 * patience.seconds / took;
  if (missing > 1) {
    steps = static_cast<std::int64_t>(std::ceil(missing * static_cast<double>(steps)));
    if (!stop()) take(steps);
  }
  std::vector<double> seconds;
  for (int k = 0; k < patience.repetitions && !stop(); ++k) seconds.push_back(take(steps));
  return seconds.empty() ? Timing{} : summary(std::move(seconds), steps);
}

Timing measure_whole(std::int64_t steps, const std::function<double()>& take, const std::function<bool()>& stop,
                     double longest, const Patience& patience) {
  std::vector<double> seconds;
  double together = 0;
  for (int k = 0; k < patience.repetitions && !stop(); ++k) {
    if (k > 0 && together + seconds.back() > longest) break;
    const double took = take();
    if (stop()) break;
    seconds.push_back(took);
    together += took;
  }
  return seconds.empty() ? Timing{} : summary(std::move(seconds), steps);
}

}  // namespace orrery::pipeline
