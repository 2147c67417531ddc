// SPDX-License-Identifier: MIT
// What is said of programs and frames.
#pragma once

#include <string>
#include <vector>

#include "pipeline/judge/judge.hpp"
#include "pipeline/judge/trial.hpp"

namespace orrery::pipeline::judging {

/// How the first frame differs from the start of the scenario.
struct StartDifference {
  std::string words;    ///< "": not at all
  bool slight = false;  ///< as constants with other digits do
};
StartDifference start_difference(const GivenFrames& mine, const Exercise& exercise);

/// Whether the velocities of the frames are those that the program has, or none are given.
bool velocities_agree(const Search& search, const Candidate& candidate);

/// Makes judgements of what was found.
class Verdicts {
 public:
  Verdicts(const GivenFrames& mine, const Exercise& exercise) : mine_(mine), exercise_(exercise) {}

  std::vector<std::string> remarks;  ///< for all that follow

  /// `start`: what is wrong with the start, or "".
  [[nodiscard]] Judgement right(const Trial& trial, const std::vector<Match>& found, const std::string& start) const;
  /// `near`: followed only nearly. Programs whose constants have other digits are right.
  [[nodiscard]] Judgement fault(const Trial& trial, std::vector<Match> found, const std::string& start,
                                bool near = false) const;
  /// A method that is not known, and its distance from the exact solution and that of leapfrog at a frame.
  [[nodiscard]] Judgement unnamed(const Trial& trial, double error, double usual, std::size_t frame) const;
  /// `off`: distances from the exact solution.
  [[nodiscard]] Judgement none(const Trial& trial, const std::vector<double>& off) const;
  [[nodiscard]] Judgement undecided(const std::string& why) const;

 private:
  void add_agreement(Report& report, const Search& search, const Match& match) const;
  void add_remarks(Report& report, std::vector<std::string> more = {}) const;

  const GivenFrames& mine_;
  const Exercise& exercise_;
};

}  // namespace orrery::pipeline::judging
