// SPDX-License-Identifier: MIT
#include "pipeline/compare/key_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <sstream>

#include "pipeline/number_text.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(const std::string& a, const std::string& b) {
  return a == b;
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& places) {
  std::vector<T> some;
  if (all.empty()) return some;
  for (const std::size_t k : places) some.push_back(all[k]);
  return some;
}

/// Adds one difference for an array with one entry per body: how many entries differ, and the first of them.
template <class T>
void compare(const std::string& what, const std::vector<T>& a, const std::vector<T>& b, const BodySet& bodies,
             std::vector<KeyDifference>& found) {
  const std::size_t n = bodies.ids.size();
  std::size_t count = 0, first = n;
  for (std::size_t k = 0; k < n; ++k) {
    if (same(a.empty() ? T() : a[k], b.empty() ? T() : b[k])) continue;
    ++count;
    first = std::min(first, k);
  }
  if (count == 0) return;
  const auto text = [&](const std::vector<T>& list) { return list.empty() ? "nothing" : to_toml(list[first]); };
  found.push_back({count == 1 ? fmt::format("{} of {}", what, bodies.name(first))
                              : fmt::format("{} of {} bodies, first of {}", what, count, bodies.name(first)),
                   text(a), text(b)});
}

}  // namespace

std::vector<KeyDifference> differences(const Keys& a, const Keys& b) {
  const auto value = [](const Keys& keys, const std::string& key) {
    const auto found = keys.find(key);
    return found == keys.end() ? "nothing" : found->second;
  };
  std::vector<KeyDifference> all;
  Keys either = a;
  either.insert(b.begin(), b.end());
  for (const auto& [key, any] : either) {
    if (value(a, key) != value(b, key)) all.push_back({key, value(a, key), value(b, key)});
  }
  return all;
}

std::string to_text(const std::vector<KeyDifference>& keys, const std::string& a, const std::string& b) {
  std::string all;
  for (const KeyDifference& key : keys)
    all += fmt::format("{}{} ({} {}, {} {})", all.empty() ? "" : ", ", key.key, a, key.a, b, key.b);
  return all;
}

void add_keys(Report& report, const std::string& name, const std::vector<KeyDifference>& keys, const std::string& a,
              const std::string& b) {
  if (keys.empty()) return;
  std::vector<Arguments> records;
  for (const KeyDifference& key : keys) records.push_back({{"key", key.key}, {"a", key.a}, {"b", key.b}});
  report.add(name, std::move(records), to_text(keys, a, b));
}

std::string provenance_of(const RunRecord& record, const std::string& key) {
  const auto found = record.provenance.find(key);
  return found == record.provenance.end() ? "" : found->second;
}

Keys physics_of(const TrajectoryReader& run) {
  const RunRecord& record = run.record();
  try {
    const Scenario scenario = scenario_of(run, run.path());
    sim::Model model = scenario.model;
    model.G = record.initial_facts.G;
    model.dt = record.dt;
    model.steps = record.steps;
    return physics(scenario, model, recorded_frames(run));
  } catch (const Error&) {
    return recorded_physics(record);
  }
}

std::optional<std::int64_t> recorded_frames(const TrajectoryReader& run) {
  const Keys keys = recorded_physics(run.record());
  const auto found = keys.find("trajectory.frames");
  if (found == keys.end()) return std::nullopt;
  const double frames = number_of(found->second).value_or(0);
  if (!(frames >= 1 && frames <= 1e15)) refuse(run.path(), "has an invalid number of frames");
  return static_cast<std::int64_t>(frames);
}

const sim::Integrator* integrator_of(const RunRecord& record) {
  const auto found = std::ranges::find(sim::integrators(), provenance_of(record, "integrator"), &sim::Integrator::name);
  return found == sim::integrators().end() ? nullptr : *found;
}

Keys recorded_physics(const RunRecord& record) {
  Keys keys;
  std::istringstream in(record.physics);
  for (std::string line; std::getline(in, line);) {
    const auto equals = line.find(" = ");
    if (equals != std::string::npos) keys[line.substr(0, equals)] = line.substr(equals + 3);
  }
  return keys;
}

Keys compared_provenance(const RunRecord& record) {
  Keys keys = record.provenance;
  for (const char* other : {"command_line", "overrides", "backend_choice", "force_error_start"}) keys.erase(other);
  return keys;
}

std::string BodySet::name(std::size_t k) const {
  const bool named = k < bodies.names.size() && !bodies.names[k].empty();
  return named ? bodies.names[k] : fmt::format("body {}", ids[k]);
}

std::vector<std::size_t> BodySet::places_of(const BodySet& some) const {
  std::vector<std::size_t> places;
  for (const std::int64_t id : some.ids) {
    const auto found = std::ranges::lower_bound(ids, id);
    if (found != ids.end() && *found == id) places.push_back(static_cast<std::size_t>(found - ids.begin()));
  }
  return places;
}

BodySet BodySet::at(const std::vector<std::size_t>& places) const {
  BodySet some{picked(ids, places), {}};
  some.bodies.mass = picked(bodies.mass, places);
  some.bodies.charge = picked(bodies.charge, places);
  some.bodies.names = picked(bodies.names, places);
  return some;
}

BodySet all_of(const sim::Bodies& bodies) {
  BodySet all{std::vector<std::int64_t>(bodies.size()), bodies};
  std::iota(all.ids.begin(), all.ids.end(), 0);
  return all;
}

BodySet stored_in(const TrajectoryReader& trajectory) {
  return {trajectory.ids(), trajectory.bodies()};
}

std::vector<KeyDifference> differences(const BodySet& a, const BodySet& b) {
  std::vector<KeyDifference> found;
  const BodySet mine = a.at(a.places_of(b)), theirs = b.at(b.places_of(a));
  if (mine.ids.size() < std::max(a.ids.size(), b.ids.size()))
    found.push_back({"bodies", std::to_string(a.ids.size()), std::to_string(b.ids.size())});
  compare("mass", mine.bodies.mass, theirs.bodies.mass, mine, found);
  compare("charge", mine.bodies.charge, theirs.bodies.charge, mine, found);
  compare("name", mine.bodies.names, theirs.bodies.names, mine, found);
  return found;
}

}  // namespace orrery::pipeline
