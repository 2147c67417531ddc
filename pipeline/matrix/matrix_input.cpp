// SPDX-License-Identifier: MIT
#include "pipeline/matrix/matrix_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "pipeline/matrix/parts.hpp"
#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

/// Parses a time as in a scenario. Throws Error, Fault::request.
double time_named(const std::string& text, const TimeUnits& units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool plain = error == std::errc() && end == text.data() + text.size();
  try {
    const double time = parse_duration(plain ? Value(number) : Value(text)).in_time(units);
    if (!std::isfinite(time)) throw std::invalid_argument("the time must be finite");
    return time;
  } catch (const std::invalid_argument& why) {
    refuse(fmt::format("--time {}: {}", text, why.what()));
  }
}

MatrixInput moment_of(sim::Model model, const Section& force, double time = 0) {
  sim::System system = system_at(force, model, std::move(model.bodies));
  model.bodies = std::move(system.bodies);
  return {std::move(model), std::move(system.forces.front()), time};
}

bool is_hdf5(const std::filesystem::path& file) {
  char begin[4] = {};
  std::error_code none;
  if (std::filesystem::is_regular_file(file, none)) std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, sizeof begin) == "\211HDF" || file.extension() == ".h5" || file.extension() == ".hdf5";
}

MatrixInput moment_of_run(const std::filesystem::path& file, const std::string& time) {
  const TrajectoryReader trajectory(file);
  const RunRecord& record = trajectory.record();
  if (trajectory.size() == 0) refuse(fmt::format("{}: has no frame", file.string()));
  const auto& times = trajectory.times();
  std::size_t frame = times.size() - 1;
  if (!time.empty()) {
    const double wanted = time_named(time, {record.initial_facts.timescale, record.time_unit, record.epoch});
    const auto off = [&](double t) { return std::abs(t - wanted); };
    frame = static_cast<std::size_t>(std::ranges::min_element(times, {}, off) - times.begin());
  }
  const ScenarioText source = scenario_text(trajectory, file);
  Forces forces = read_forces(Document(source, {}));
  forces.model.bodies = trajectory.bodies();
  forces.model.bodies.position = trajectory.snapshot(frame).position;
  forces.model.domain = record.domain;
  return moment_of(std::move(forces.model), forces.pair, times[frame]);
}

MatrixInput moment_of_scenario(const std::filesystem::path& file, const std::string& time,
                               const std::vector<std::string>& overrides, Context& context) {
  const Scenario scenario = parse_scenario(scenario_text(file, context), overrides);
  report_notes(scenario.document, context);
  Setup setup = set_up(scenario);
  const TimeUnits units{setup.facts.timescale, std::string(setup.model.units->time), scenario.epoch};
  if (!time.empty() && time_named(time, units) != 0)
    refuse(fmt::format("--time {}: a scenario has bodies at time 0 only; run it and give the trajectory file", time));
  return moment_of(std::move(setup.model), scenario.tables.force);
}

}  // namespace

MatrixInput matrix_input(const std::filesystem::path& file, const std::string& time,
                         const std::vector<std::string>& overrides, Context& context) {
  if (!is_hdf5(file)) return moment_of_scenario(file, time, overrides, context);
  if (!overrides.empty()) refuse(place_of(overrides.front()) + ": keys can be set for scenarios, not for runs");
  return moment_of_run(file, time);
}

}  // namespace orrery::pipeline
