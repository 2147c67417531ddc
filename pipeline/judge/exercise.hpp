// SPDX-License-Identifier: MIT
// What a program was meant to compute, and its frames in the order, place and time of that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/judge/given_frames.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline::judging {

/// A scenario as the textbook has it.
struct Exercise {
  std::string name;  ///< of its file
  Problem problem;
  double G = 1, dt = 0;
  std::int64_t steps = 0;
  std::vector<double> frames;  ///< steps with a frame
  std::string integrator;      ///< by its name in the engine
};

/// Throws Error, Fault::request, for forces or boxes that the textbook does not have.
Exercise exercise_of(const Setup& setup, const std::string& name);

/// Puts the frames into the order of the scenario's bodies and to its place, and returns what had to be done, a line each: bodies in
/// another order, all of them shifted or moving along, frames after the first number that is none. Throws Error, Fault::request, if
/// the bodies are not as many, naming those that are missing.
std::vector<std::string> align(GivenFrames& mine, const Exercise& exercise);

/// When the frames may be, in steps: as they say; as the scenario keeps its frames; or evenly.
struct Moments {
  std::vector<double> steps;
  std::string words;       ///< "" if the frames say so themselves
  bool otherwise = false;  ///< they say something else
};
std::vector<Moments> moments(const GivenFrames& mine, const Exercise& exercise);

}  // namespace orrery::pipeline::judging
