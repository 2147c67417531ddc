// SPDX-License-Identifier: MIT
// Differences of two runs in keys of their scenarios, provenance and bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/integrator.hpp"

namespace orrery::pipeline {

/// A key with its two values; "nothing" if a run does not have the key.
struct KeyDifference {
  std::string key, a, b;
};

/// Whether two values are the same to the last bit: −0 differs from 0.
bool same_value(const Value& a, const Value& b);
std::vector<KeyDifference> differences(const Keys& a, const Keys& b);
/// Returns "integrator.dt (there 0.01, here 0.02), …" for runs named "there" and "here".
std::string to_text(const std::vector<KeyDifference>& keys, const std::string& a, const std::string& b);
/// Adds the differences to a report, unless there are none.
void add_keys(Report& report, const std::string& name, const std::vector<KeyDifference>& keys, const std::string& a,
              const std::string& b);

/// Returns an entry of a record's provenance; empty if it does not exist.
std::string provenance_of(const RunRecord& record, const std::string& key);
/// The files of another program from which a run was imported; empty if orrery computed it.
std::string imported_from(const RunRecord& record);
/// Returns the keys that determine the bits of a stored run. Parses its scenario anew, so that keys introduced later have their
/// defaults. Falls back to recorded_recipe if the scenario cannot be parsed, because a plug-in was removed, for example.
Keys physics_of(const TrajectoryReader& run);
/// The integrator of a run; null if this version does not have it.
const sim::Integrator* integrator_of(const RunRecord& record);
/// Compares the parts of two records' provenance that may explain different bits: not the command line and backend choice.
std::vector<KeyDifference> provenance_differences(const RunRecord& a, const RunRecord& b);

/// Bodies of a run with their indices in it, ascending from 0.
struct BodySet {
  std::vector<std::int64_t> ids;
  sim::Bodies bodies;

  /// The name of the body at place k, or "body 5" if it has none.
  [[nodiscard]] std::string name(std::size_t k) const;
  /// The places here of the bodies that are also in `some`.
  [[nodiscard]] std::vector<std::size_t> places_of(const BodySet& some) const;
  /// The bodies at these places.
  [[nodiscard]] BodySet at(const std::vector<std::size_t>& places) const;
};
BodySet all_of(const sim::Bodies& bodies);
/// The bodies stored in the frames of a trajectory.
BodySet stored_in(const TrajectoryReader& trajectory);

/// The name of a body by its index in the run; "body 3" if it has none or frames do not keep it.
std::string body_name(const TrajectoryReader& trajectory, std::int64_t body);

/// Compares the number of bodies, and masses, charges, radii and names of the common bodies.
std::vector<KeyDifference> differences(const BodySet& a, const BodySet& b);

}  // namespace orrery::pipeline
