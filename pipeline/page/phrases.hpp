// SPDX-License-Identifier: MIT
// Numbers, units, lists and plurals as sentences have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The units of a run.
struct RunUnits {
  explicit RunUnits(const RunRecord& record);

  PhysicalUnit length, time, mass;

  [[nodiscard]] PhysicalUnit speed() const { return length / time; }
  [[nodiscard]] PhysicalUnit energy() const { return mass * speed() * speed(); }
  /// The unit of a key, "length/time" in its description; empty if that is none of these.
  [[nodiscard]] PhysicalUnit of(std::string_view dimension) const;
};

/// "2.5·10⁻⁷", "−0.5", "∞".
std::string number(double value, int digits = 6);
/// An error, as a power of ten unless it is large: "1.89·10⁻⁴", "27.7", "0".
std::string small(double value);
/// "2.5·10⁻⁷ kpc"
std::string quantity(double value, const PhysicalUnit& unit, int digits = 6);
/// 12 345 as 12,345
std::string with_commas(std::int64_t count);
/// "1 frame", "2 frames", "0 frames", with 12 345 as 12,345.
std::string counted(std::int64_t count, std::string_view singular, std::string_view plural = "");
/// "one" to "twelve", then digits.
std::string counted_in_words(std::int64_t count, std::string_view singular, std::string_view plural);
/// "first", … "eighth", "15th"
std::string ordinal(int n);
/// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");
/// "a", "b" and 198 others: at most `most` of the words.
std::string listed_briefly(std::vector<std::string> words, std::size_t most);
/// "Body 3 and Ida" for "body 3 and Ida": the name of a body at the beginning of a sentence.
std::string at_start(std::string words);
/// ", text"; "" for an empty text.
std::string after_comma(std::string_view text);
/// Text of a run on one line, so that nothing in it can hide or reverse what stands around it.
std::string in_quotes(std::string_view text);
/// "softening = 0.05 kpc", "no softening": a key and its value as the run has it; "" for a table of bodies.
std::string key_in_words(const Parameter& key, const Value& value, const RunUnits& units);
/// "73000 d (200 yr)"
std::string readable_time(double time, const RunRecord& record);
/// "t = 73000 d (200 yr)"
std::string time_in_words(double time, const RunRecord& record);
/// "3 periods", "1 crossing time", "0.25 rotations"; "" without a timescale.
std::string in_timescales(double time, const InitialFacts& facts);

}  // namespace orrery::pipeline
