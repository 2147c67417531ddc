// SPDX-License-Identifier: MIT
#include "pipeline/study/study.hpp"

namespace orrery::pipeline {

std::span<const Study* const> studies() {
  static constexpr const Study* list[] = {
      &peak_study,      &unroll_study, &block_study,   &bodies_study,    &symmetry_study,   &small_study,
      &threads_study,   &ladder_study, &profile_study, &cells_study,     &divergence_study, &energy_study,
      &precision_study, &frames_study, &matrix_study,  &sanitizer_study,
  };
  return list;
}

Timing StudyRun::time(const std::string& what, sim::study::Work& work, int repetitions) const {
  const auto take = [&](std::int64_t times) { return work.take(times); };
  const auto stop = [&] { return stopped(what); };
  if (stop()) return {};
  const Patience patience =
      quick() ? Patience{.repetitions = 3, .seconds = 0.005} : Patience{.repetitions = repetitions, .seconds = 0.03};
  if (take(1) <= patience.seconds) return measure(take, stop, patience);
  // Long steps need no warm-up, and are repeated for 2 s at most.
  return measure_whole(
      1, [&] { return take(1); }, stop, 2, patience);
}

}  // namespace orrery::pipeline
