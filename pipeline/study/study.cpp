// SPDX-License-Identifier: MIT
// The list of studies, and how each is timed.
#include "pipeline/study/study.hpp"

#include "pipeline/study/studies/list.hpp"

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
  return time(
      what, [&](std::int64_t times) { return work.take(times); }, repetitions);
}

Timing StudyRun::time(const std::string& what, const std::function<double(std::int64_t)>& take, int repetitions) const {
  const auto stop = [&] { return stopped(what); };
  if (stop()) return {};
  const Patience patience =
      quick() ? Patience{.repetitions = 3, .seconds = 0.005} : Patience{.repetitions = repetitions, .seconds = 0.03};
  // What takes long needs no warming up, and no more than seconds altogether.
  constexpr double longest = 2;
  const double first = take(1);
  return first > patience.seconds ? measure_whole(
                                        1, [&] { return take(1); }, stop, longest, patience)
                                  : measure(take, stop, patience);
}

}  // namespace orrery::pipeline
