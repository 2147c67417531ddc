// SPDX-License-Identifier: MIT
// What a hand-in is worth: the same bits as the exercise, the same physics, or where it parts and why.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/grade/hand_ins.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline::grading {

/// From the best on.
enum class Marking {
  same_bits,     ///< every frame, to the last bit
  same_physics,  ///< to the error of its method
  parts,         ///< from the exercise, at a time, for a reason
  forged,        ///< claims to be a run of this scenario by orrery, with other numbers than that has
  damaged,       ///< numbers that do not match their checksums
  unreadable,    ///< no frames of these bodies
  too_much,      ///< of time, memory or size
  empty          ///< nothing was handed in
};
/// "same bits", "same physics", …
std::string_view words_of(Marking verdict);

struct Grade {
  Marking verdict = Marking::empty;
  std::string file{};     ///< the solution that was graded, relative to the folder
  std::string why{};      ///< a sentence
  std::string until{};    ///< the time at which it parts; "" if it does not
  std::string state{};    ///< hash of the final state, if it is at the end of the exercise
  std::string content{};  ///< hash of all frames, by which equal ones are found
};

/// The exercise, and its run.
struct Answer {
  const Scenario* scenario;
  std::filesystem::path run;
};

/// Grades one solution in this process. Throws nothing: what cannot be read is a verdict. Files go to `scratch`.
Grade grade_of(const Solution& solution, const Answer& answer, const std::filesystem::path& scratch, Context& context);

/// A grade as text, for another process.
std::string text_of(const Grade& grade);
/// The same back; too_much if the text is not whole.
Grade grade_in(std::string_view text);

}  // namespace orrery::pipeline::grading
