// SPDX-License-Identifier: MIT
#include "pipeline/compare/key_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/foreign_text.hpp"

namespace orrery::pipeline {
namespace {

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
    if (same_value(a.empty() ? T() : a[k], b.empty() ? T() : b[k])) continue;
    ++count;
    first = std::min(first, k);
  }
  if (count == 0) return;
  const auto text = [&](const std::vector<T>& list) { return list.empty() ? "nothing" : to_toml(list[first]); };
  found.push_back({count == 1 ? fmt::format("{} of {}", what, bodies.name(first))
                              : fmt::format("{} of {} bodies, first of {}", what, count, bodies.name(first)),
                   text(a), text(b)});
}

/// The keys whose values are not the same or only in one of two maps; `in_words` makes texts of values.
template <class Map, class ToText>
std::vector<KeyDifference> differing(const Map& a, const Map& b, const ToText& in_words) {
  const auto text = [&](const Map& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? "nothing" : in_words(found->second);
  };
  Map either = a;
  either.insert(b.begin(), b.end());
  std::vector<KeyDifference> all;
  for (const auto& [key, any] : either) {
    const auto in_a = a.find(key), in_b = b.find(key);
    if (in_a != a.end() && in_b != b.end() && same_value(in_a->second, in_b->second)) continue;
    all.push_back({key, text(a, key), text(b, key)});
  }
  return all;
}

}  // namespace

bool same_value(const Value& a, const Value& b) {
  constexpr auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  const auto same = [&]<class T>(const T& value) {
    const T* other = std::get_if<T>(&b);
    if (other == nullptr) return false;
    if constexpr (std::is_same_v<T, double>) {
      return bits(value) == bits(*other);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      return std::ranges::equal(value, *other, {}, bits, bits);
    } else if constexpr (std::is_same_v<T, SharedColumns>) {
      return hash_of(*value) == hash_of(**other);
    } else if constexpr (std::is_same_v<T, std::vector<Arguments>>) {
      return to_toml(value) == to_toml(*other);
    } else {
      return value == *other;
    }
  };
  return std::visit(same, a);
}

std::vector<KeyDifference> differences(const Keys& a, const Keys& b) {
  return differing(a, b, brief_toml);
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

std::string imported_from(const RunRecord& record) {
  return provenance_of(record, "imported");
}

std::string provenance_of(const RunRecord& record, const std::string& key) {
  const auto found = record.provenance.find(key);
  return found == record.provenance.end() ? "" : found->second;
}

Keys physics_of(const TrajectoryReader& run) {
  const RunRecord& record = run.record();
  Keys keys;
  try {
    keys = recipe(scenario_of(run, run.path()));
  } catch (const Error&) {
    keys = recorded_recipe(run);
  }
  return physics(std::move(keys), record.initial_facts.G, record.dt, record.steps, record.frames);
}

const sim::Integrator* integrator_of(const RunRecord& record) {
  const auto found = std::ranges::find(sim::integrators(), provenance_of(record, "integrator"), &sim::Integrator::name);
  return found == sim::integrators().end() ? nullptr : *found;
}

std::vector<KeyDifference> provenance_differences(const RunRecord& a, const RunRecord& b) {
  const auto compared = [](const RunRecord& record) {
    auto all = record.provenance;
    for (const char* other : {"command_line", "overrides", "backend_choice", "force_error_start"}) all.erase(other);
    if (const auto foreign = all.find(foreign_key); foreign != all.end())
      foreign->second = foreign_names(foreign->second);
    return all;
  };
  return differing(compared(a), compared(b), [](const std::string& value) { return value; });
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
  some.bodies.radius = picked(bodies.radius, places);
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

std::string body_name(const TrajectoryReader& trajectory, std::int64_t body) {
  const BodySet kept = stored_in(trajectory);
  const auto place = kept.places_of({.ids = {body}, .bodies = {}});
  return place.empty() ? fmt::format("body {}", body) : kept.name(place.front());
}

std::vector<KeyDifference> differences(const BodySet& a, const BodySet& b) {
  std::vector<KeyDifference> found;
  const BodySet mine = a.at(a.places_of(b)), theirs = b.at(b.places_of(a));
  if (mine.ids.size() < std::max(a.ids.size(), b.ids.size()))
    found.push_back({"bodies", std::to_string(a.ids.size()), std::to_string(b.ids.size())});
  compare("mass", mine.bodies.mass, theirs.bodies.mass, mine, found);
  compare("charge", mine.bodies.charge, theirs.bodies.charge, mine, found);
  compare("radius", mine.bodies.radius, theirs.bodies.radius, mine, found);
  compare("name", mine.bodies.names, theirs.bodies.names, mine, found);
  return found;
}

}  // namespace orrery::pipeline
