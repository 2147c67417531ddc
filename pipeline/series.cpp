// SPDX-License-Identifier: MIT
// The list of all kinds of series: a line for the file and a line for the list; and what they share.
#include "pipeline/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "pipeline/frame_range.hpp"
#include "pipeline/interrupt.hpp"

namespace orrery::pipeline {

extern const SeriesKind energy_series;      // series/energies.cpp
extern const SeriesKind separation_series;  // series/separations.cpp
extern const SeriesKind phase_series;       // series/phases.cpp
extern const SeriesKind element_series;     // series/elements.cpp
extern const SeriesKind divergence_series;  // series/divergences.cpp

std::vector<render::Series> series_of(std::string_view figure, const SeriesRequest& request) {
  static constexpr std::array kinds{&energy_series, &separation_series, &phase_series, &element_series,
                                    &divergence_series};
  const auto found = std::ranges::find(kinds, figure, &SeriesKind::figure);
  return found == kinds.end() ? std::vector<render::Series>{} : (*found)->make(request);
}

std::vector<render::Series> empty_series(const std::vector<std::string>& names, std::size_t values) {
  std::vector<render::Series> all;
  for (const std::string& name : names) all.push_back({name, {}, std::vector<std::vector<double>>(values)});
  return all;
}

void each_snapshot(const TrajectoryReader& trajectory, const std::function<void(const sim::Snapshot&)>& use) {
  for (const std::size_t i : sampled(trajectory.size(), 20'000)) {
    if (Interrupt::signal() != 0) return;
    use(trajectory.snapshot(i));
  }
}

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : in_digits(std::get<double>(value));
}

std::size_t body_meant(const SeriesRequest& request, std::string_view key, const std::string& name) {
  if (const auto body = render::find_body(name, request.cast)) return *body;
  const std::vector<std::string_view> names(request.cast.names.begin(), request.cast.names.end());
  request.keys.complain(
      key, fmt::format("no body is called \"{}\"{}; bodies go by name, or by number from \"0\" to \"{}\"", name,
                       suggestion(name, names), request.cast.mass.size() - 1));
}

std::vector<std::size_t> bodies_meant(const SeriesRequest& request, std::string_view key, std::size_t most) {
  std::vector<std::size_t> bodies(request.cast.mass.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  if (request.keys->has(key)) {
    bodies.clear();
    for (const std::string& name : request.keys->texts(key)) {
      const std::size_t body = body_meant(request, key, name);
      if (std::ranges::find(bodies, body) == bodies.end()) bodies.push_back(body);
    }
  }
  if (bodies.size() > most) {
    request.keys.complain(key,
                          fmt::format("{} bodies are too many to tell apart: choose at most {}, {} = [\"{}\", \"{}\"]",
                                      bodies.size(), most, key, name_of(request.cast, 0), name_of(request.cast, 1)));
  }
  return bodies;
}

std::string name_of(const render::Cast& cast, std::size_t body) {
  const bool named = body < cast.names.size() && !cast.names[body].empty();
  return named ? cast.names[body] : fmt::format("body {}", body);
}

TrajectoryReader other_run(const SeriesRequest& request, std::string_view key, const std::string& file) {
  const std::filesystem::path path = (request.trajectory->path().parent_path() / file).lexically_normal();
  try {
    return TrajectoryReader(path);
  } catch (const Error& error) {
    request.keys.complain(key, error.what());
  }
}

}  // namespace orrery::pipeline
