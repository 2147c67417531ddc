// SPDX-License-Identifier: MIT
// Values of keys as TOML: generic ones near the default or example, and those at the edges of what a key accepts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "tests/fuzz/mutate.hpp"

namespace orrery::generator {

using fuzz::any;
using fuzz::below;
using fuzz::Random;

/// True with that probability.
bool chance(Random& random, double probability);
/// Uniform in [low, high).
double uniform(Random& random, double low, double high);
/// `value` times a factor whose logarithm is uniform, at most 2^±octaves.
double scaled(Random& random, double value, double octaves);
/// The shortest TOML text that reads back as the same double.
std::string text_of(double value);

/// A value near the default, or else the example, of a key: each number in it is scaled, a choice is any of them. Numbers of
/// bodies, which `many` limits, and others that are counted are small.
std::string generic_value(const Parameter& key, Random& random, std::size_t many);
/// A value at an edge of the key's range or of its type; sometimes of a wrong type.
std::string edge_value(const Parameter& key, Random& random, std::size_t many);

/// Lines "key = value" for the keys of a table. Required keys are always given, others with the probability `given`; a value is
/// an edge with the probability `edges`. Keys in `without` are left out.
std::string lines_of(const std::vector<Parameter>& keys, Random& random, double given, double edges, std::size_t many,
                     const std::vector<std::string_view>& without = {});

}  // namespace orrery::generator
