// SPDX-License-Identifier: MIT
// Which programs the frames follow.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/judge/given_frames.hpp"
#include "pipeline/judge/programs.hpp"

namespace orrery::pipeline::judging {

/// A program that may have made the frames, as differences from the right one.
struct Candidate {
  const Method* method = nullptr;
  double part = 1;      ///< length of a step, in dt of the scenario
  int late = 0;         ///< steps by which the frames are later than they say
  bool single = false;  ///< computed in float
  std::vector<const Mistake*> faults{};
  std::vector<std::pair<const Knob*, double>> knobs{};

  [[nodiscard]] std::size_t wrongs() const {
    return (method->order == 0 ? 1U : 0U) + (late != 0 ? 1U : 0U) + (single ? 1U : 0U) + faults.size() + knobs.size();
  }
};

/// How a candidate and the frames go together.
struct Match {
  Candidate candidate;
  /// Root mean square over bodies of the distance between both, relative to the size of the system, from the first frame on
  /// while it was compared.
  std::vector<double> distance{};
  std::size_t frames = 0;  ///< so many from the first on are within the tolerance
  bool whole = false;      ///< all of those that were compared, which are enough to say so
  /// The mean logarithm of the distances relative to the tolerances, over some frames.
  [[nodiscard]] double mean_log(const std::vector<double>& tolerance, std::size_t frames) const;
};

/// The distance within which numbers are the same, frame by frame: rounding, of the file and of each step, times the growth of small
/// differences in this problem.
using Tolerance = std::vector<double>;

/// Frames at known steps, and the comparison of programs with them.
class Search {
 public:
  /// `steps`: the time of each frame in dt. `compared`: the number of frames is at most this.
  Search(const GivenFrames& mine, const Problem& problem, std::vector<double> steps, double dt, double G);

  [[nodiscard]] std::size_t frames() const { return steps_.size(); }
  /// The first frame that shows forces; frames() if none does.
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] const Tolerance& tolerance() const { return tolerance_; }
  /// The tolerance for numbers that are computed in float.
  [[nodiscard]] const Tolerance& single_tolerance();
  [[nodiscard]] double time(std::size_t frame) const { return steps_[frame] * dt_; }
  [[nodiscard]] double resolution() const { return resolution_; }
  /// Whether candidates were left out.
  [[nodiscard]] bool exhausted() const { return exhausted_; }

  /// `least`: compared at least so many frames, then to the first outside the tolerance.
  [[nodiscard]] Match compare(const Candidate& candidate, const Tolerance& tolerance, std::size_t least = 0) const;
  /// All candidates that the frames follow. The last of them are left out if the work is too much.
  [[nodiscard]] std::vector<Match> followed(const std::vector<Candidate>& candidates, const Tolerance& tolerance) const;
  /// All candidates over so many frames.
  [[nodiscard]] std::vector<Match> compared(const std::vector<Candidate>& candidates, std::size_t frames) const;
  /// Each candidate with each knob at the factor that fits best, as far as there is one. `exactly`: only if the first frames agree.
  [[nodiscard]] std::vector<Candidate> fitted(const std::vector<Candidate>& candidates, const std::vector<Knob>& knobs,
                                              bool exactly) const;

  /// What tells laws apart at the price of one evaluation: the motion up to first(), other than straight on, is a factor times t²/2 times
  /// the accelerations at the start, and a rest, relative to that motion. Roughly, since forces change.
  struct Beginning {
    double factor, rest;
  };
  [[nodiscard]] Beginning beginning(const Candidate& candidate) const;
  /// Pairs to compare a right program with frames up to first().
  [[nodiscard]] double price() const {
    return cost({.method = &method_named("leapfrog")}, std::min(first_, frames() - 1));
  }
  /// Whether the frames can be at whole steps of this length.
  [[nodiscard]] bool admits(double part) const;
  /// The velocities of a program at a frame, `shift` steps of its last kick later; empty if the frames have none.
  [[nodiscard]] double velocity_distance(const Candidate& candidate, std::size_t frame, double shift) const;
  [[nodiscard]] double velocity_tolerance(std::size_t frame) const;
  /// The factor of velocities that fits best at a frame, and the distance then.
  [[nodiscard]] std::pair<double, double> velocity_factor(const Candidate& candidate, std::size_t frame) const;
  /// Distances of two programs from each other.
  [[nodiscard]] std::vector<double> apart(const Candidate& a, const Candidate& b) const;
  [[nodiscard]] bool have_velocities() const;

 private:
  [[nodiscard]] std::optional<Candidate> fitted(const Candidate& candidate, const Knob& knob, bool exactly) const;
  /// Calls work(k) for each k < count on all threads, until pairs are used up.
  template <class Work>
  void for_each(std::size_t count, const Work& work) const;
  struct Made {
    Program program;
    Problem problem;
  };
  [[nodiscard]] Made made(const Candidate& candidate) const;
  [[nodiscard]] std::int64_t step_of(const Candidate& candidate, std::size_t frame) const;
  [[nodiscard]] double cost(const Candidate& candidate, std::size_t frame) const;
  [[nodiscard]] double distance(const std::vector<double>& x, std::size_t frame) const;
  [[nodiscard]] std::vector<double> growth(const Candidate& candidate) const;
  [[nodiscard]] Tolerance tolerance_from(const std::vector<double>& growth) const;
  [[nodiscard]] std::vector<State> states(const Made& made, const Candidate& candidate, std::size_t frames) const;

  const GivenFrames& mine_;
  const Problem& problem_;
  std::vector<double> steps_;
  double dt_, G_;
  double size_ = 1, speed_ = 1, resolution_ = 0, velocity_resolution_ = 0, rounding_ = 0, start_error_ = 0;
  Tolerance tolerance_, single_tolerance_;
  std::vector<double> growth_;
  std::size_t first_ = 0;
  mutable std::atomic<double> spent_ = 0;  ///< pairs
  mutable std::atomic<bool> exhausted_ = false;
};

/// The distance between neighbouring numbers of a file, relative to the greatest of them: 10^−p for numbers with p digits, 2^−24 for
/// floats, 0 if they are doubles.
double resolution_of(const std::vector<double>& numbers);
/// Whether all are floats, as they are or in shortest decimals.
bool are_floats(const std::vector<double>& numbers);

}  // namespace orrery::pipeline::judging
