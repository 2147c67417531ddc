// SPDX-License-Identifier: MIT
// What differs between two runs before a step is taken: keys of their scenarios, provenance, bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

using Keys = std::map<std::string, std::string>;

/// A key with its two values; "nothing" where one has none.
struct KeyDifference {
  std::string key, a, b;
};

std::vector<KeyDifference> differences(const Keys& a, const Keys& b);
/// "integrator.dt (there 0.01, here 0.02), …", where the two are called "there" and "here".
std::string in_words(const std::vector<KeyDifference>& keys, const std::string& a, const std::string& b);
/// Adds them as one line for people and a list for programs; nothing where there are none.
void add_keys(Report& report, const std::string& name, const std::vector<KeyDifference>& keys, const std::string& a,
              const std::string& b);

/// What a record's provenance says under a key; "" where it has none.
std::string provenance_of(const RunRecord& record, const std::string& key);
/// What decides the bits of a stored run, key by key as this program calls them: its scenario is read again, so that keys that
/// came after it have the values that they had without being there. Where that scenario cannot be read any more (a plug-in that
/// is gone), as it was when the file was made.
Keys physics_of(const TrajectoryReader& run);
/// The same as the program that made the file wrote it down.
Keys recorded_physics(const RunRecord& record);
/// What of a record's provenance may explain other bits; how the run was asked for is not among it.
Keys origin_of(const RunRecord& record);

/// Some bodies of a run: which ones, counted from 0, ascending; and what they are.
struct BodySet {
  std::vector<std::int64_t> ids;
  sim::Bodies bodies;

  /// Of the one at place k: its name, or "body 5".
  [[nodiscard]] std::string name(std::size_t k) const;
  /// At which places those of `some` are that are here.
  [[nodiscard]] std::vector<std::size_t> places_of(const BodySet& some) const;
  /// Those at some places.
  [[nodiscard]] BodySet at(const std::vector<std::size_t>& places) const;
};
BodySet all_of(const sim::Bodies& bodies);
/// Those that the frames of a trajectory hold.
BodySet stored_in(const TrajectoryReader& trajectory);

/// How two sets differ in number, and where they are the same bodies in mass, charge and name.
std::vector<KeyDifference> differences(const BodySet& a, const BodySet& b);

}  // namespace orrery::pipeline
