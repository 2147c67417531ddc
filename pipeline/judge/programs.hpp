// SPDX-License-Identifier: MIT
// The programs that a student may have written: methods, right and wrong, and faults of the rest.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/judge/textbook.hpp"

namespace orrery::pipeline::judging {

/// All methods; those of order > 0 are right ones, in the order in which they are named if several fit.
std::span<const Method> methods();
const Method& method_named(std::string_view key);
/// The method of an integrator of the engine; null if the textbook does not have it.
const Method* method_of(std::string_view integrator);

/// Something wrong that is no method.
struct Mistake {
  std::string key;
  std::string name;   ///< "the softening is forgotten"
  std::string looks;  ///< what results look like with it
  std::function<void(Program&, Problem&)> apply;
};
/// All faults that change the numbers of this problem, without those that have a free number.
std::vector<Mistake> faults(const Problem& problem);

/// A number of a program that may be wrong by any factor.
struct Knob {
  std::string key;
  std::function<std::string(double factor)> name;
  std::string looks;
  std::function<void(Program&, Problem&, double factor)> apply;
  std::vector<double> guesses;  ///< of the factor, from which it is improved
};
std::vector<Knob> knobs(const Problem& problem, double G, double dt);

}  // namespace orrery::pipeline::judging
