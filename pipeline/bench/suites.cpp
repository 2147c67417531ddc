// SPDX-License-Identifier: MIT
// The list of suites.
#include "pipeline/bench/suites.hpp"

namespace orrery::pipeline {

std::span<const Suite* const> suites() {
  static constexpr const Suite* list[] = {&forces_suite, &short_range_suite, &trajectory_suite, &render_suite};
  return list;
}

}  // namespace orrery::pipeline
