// SPDX-License-Identifier: MIT
// Which program made these frames? Variants of a textbook's program, right and wrong, are stepped and compared with them.
#pragma once

#include <string>

#include "pipeline/judge/exercise.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline::judging {

enum class Finding {
  as_scenario,   ///< the method and step of the scenario
  other_method,  ///< another right method or step
  fault,         ///< something is wrong, and what
  none,          ///< no program that is known
  undecided      ///< too few frames, or too much work
};
/// "as-scenario", … for JSON.
std::string_view name_of(Finding finding);

struct Judgement {
  Finding finding = Finding::undecided;
  std::string program;            ///< what is followed, in words; of a fault, what is wrong
  std::vector<std::string> keys;  ///< of methods and faults, of the best
  Report report;
};

/// Throws Error, Fault::request, if frames and scenario do not go together.
Judgement judge(GivenFrames mine, const Exercise& exercise);

}  // namespace orrery::pipeline::judging
