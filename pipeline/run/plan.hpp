// SPDX-License-Identifier: MIT
// What a scenario will cost and whether it makes sense, before a step is taken.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

struct Plan {
  Report facts;
  double seconds = 0;  ///< of stepping
  std::vector<std::string> warnings;
};

/// "all bodies were moved by 0.005 au and 2e-06 au/d: …" where the centre of mass was put to rest at the origin; "" where it
/// was there but for rounding, or stays.
std::string words_for_recentring(const Scenario& scenario, const Setup& setup);

/// Measures a few steps to estimate the time.
Plan make_plan(const Scenario& scenario, const Setup& setup);

/// The set-up of a run that is to be stepped here. Throws Error, exit code 2, where memory cannot hold its
/// bodies, before they are made.
Setup set_up_to_step(const Scenario& scenario);

/// Throws Error, exit code 2, where the disk of `folder` cannot hold the trajectory.
void refuse_too_large(const Scenario& scenario, const Setup& setup, const std::filesystem::path& folder);

/// "601, every 3 steps": the frames that are kept, how far they are apart, and where that differs the nearest number of which it
/// would not.
std::string frames_in_words(const Scenario& scenario, const Setup& setup);

/// Bytes of the trajectory's file, to a tenth or so.
double file_size(const Scenario& scenario, const Setup& setup);

}  // namespace orrery::pipeline
