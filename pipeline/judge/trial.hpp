// SPDX-License-Identifier: MIT
// The lists of programs that are compared with frames.
#pragma once

#include <vector>

#include "pipeline/judge/exercise.hpp"
#include "pipeline/judge/search.hpp"

namespace orrery::pipeline::judging {

/// The programs that frames may follow, under one assumption of when the frames are and from where they begin.
class Trial {
 public:
  Trial(const GivenFrames& mine, const Exercise& exercise, const Problem& problem, const std::vector<double>& steps);

  [[nodiscard]] Search& search() { return search_; }
  [[nodiscard]] const Search& search() const { return search_; }
  [[nodiscard]] bool shows_forces() const { return search_.first() < search_.frames(); }
  /// The method of the scenario, leapfrog if the textbook does not have it.
  [[nodiscard]] const Method* intended() const;

  /// Right programs whose numbers these are, likely ones first.
  [[nodiscard]] std::vector<Match> right() const;
  /// Programs with one thing wrong.
  [[nodiscard]] std::vector<Match> one_fault() const;
  [[nodiscard]] std::vector<Match> two_faults() const;
  /// Programs that compute in float, right ones or those with one fault.
  [[nodiscard]] std::vector<Match> in_single(bool with_faults);
  /// The programs with one fault that come nearest, whatever their method, best first; and the right ones.
  [[nodiscard]] std::vector<Match> nearest(std::size_t frames) const;
  [[nodiscard]] std::vector<Match> nearest_right(std::size_t frames) const;

 private:
  /// The same one step or one frame late or early.
  [[nodiscard]] std::vector<Candidate> later(const Candidate& plain) const;
  [[nodiscard]] std::vector<Candidate> right_ones() const;
  void choose_likely_ones();
  [[nodiscard]] std::vector<Match> sorted(std::vector<Match> matches, std::size_t frames) const;

  const Exercise& exercise_;
  Problem problem_;
  Search search_;
  bool costly_ =
      false;  ///< many bodies or steps: only likely methods, steps of dt, and laws that begin as the frames do
  std::vector<const Method*> methods_;
  std::vector<double> parts_;
  std::vector<Mistake> faults_;
  std::vector<Knob> knobs_;
};

}  // namespace orrery::pipeline::judging
