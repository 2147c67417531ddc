// SPDX-License-Identifier: MIT
#include "pipeline/run/energy_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/physical_unit.hpp"
#include "sim/integrator.hpp"

namespace orrery::pipeline {
namespace {

/// The number of states that the extremes of the rows cover, out of the number of steps.
struct Coverage {
  std::int64_t states, steps;
  [[nodiscard]] bool every_step() const { return states >= steps; }
};

Coverage coverage(const History& history, std::int64_t own_steps) {
  return {.states = std::accumulate(history.states.begin(), history.states.end(), std::int64_t{0}),
          // The last of the integrator's own steps ends beyond the run.
          .steps = own_steps > 0 ? own_steps - 1 : history.step.back() - history.step.front()};
}

std::string states_used(const History& history, std::int64_t own_steps) {
  const std::size_t rows = history.step.size();
  if (history.states.empty()) return fmt::format("{} {}", rows, rows == 1 ? "row" : "rows");
  const Coverage covered = coverage(history, own_steps);
  if (covered.every_step()) return "every step";
  return fmt::format("{} of {} steps, drawn by counter", covered.states, covered.steps);
}

std::string brief(double value, const std::string& unit) {
  return with_unit(fmt::format("{:.4g}", value), PhysicalUnit(unit));
}

/// The minimum height of a peak that counts, as a fraction of the range of the values.
constexpr double min_peak = 0.02;

/// Returns the number of local extrema, without peaks lower than `height`.
std::size_t extrema(const std::vector<double>& values, double height) {
  std::size_t found = 0;
  double extreme = values.front();
  int direction = 0;
  for (const double value : values) {
    const double change = value - extreme;
    if (direction == 0 ? std::abs(change) > height : change * direction < -height) {
      if (direction != 0) ++found;
      direction = change > 0 ? 1 : -1;
      extreme = value;
    } else if (change * direction > 0) {
      extreme = value;
    }
  }
  return found;
}

}  // namespace

double length(const std::array<double, 3>& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool has_bath(const RunRecord& record) {
  const sim::Integrator* integrator = integrator_of(record);
  return integrator != nullptr && integrator->bath;
}

sim::InitialEnergy initial_energy(const History& history) {
  return {history.kinetic_energy.front(), history.potential_energy.front()};
}

std::optional<EnergyRecord> energy_record(const History& history, std::int64_t own_steps) {
  const auto& energy = history.total_energy;
  if (energy.empty()) return std::nullopt;
  const sim::InitialEnergy start = initial_energy(history);
  double greatest = 0;
  for (std::size_t i = 0; i < energy.size(); ++i) greatest = std::max(greatest, energy_change(history, i));
  return EnergyRecord{.start = start,
                      .first = energy.front(),
                      .last = energy.back(),
                      .error = start.error(energy.back()),
                      .greatest_error = start.scale() > 0 ? greatest / start.scale() : greatest,
                      .states_used = states_used(history, own_steps)};
}

double energy_change(const History& history, std::size_t i) {
  const double first = history.total_energy.front();
  double change = std::abs(history.total_energy[i] - first);
  if (history.energy_range.empty()) return change;
  for (const double e : history.energy_range[i]) change = std::max(change, std::abs(e - first));
  return change;
}

std::array<double, 3> angular_momentum_changes(const History& history, std::size_t i) {
  const auto &first = history.angular_momentum.front(), &now = history.angular_momentum[i];
  std::array<double, 3> change{};
  for (std::size_t k = 0; k < 3; ++k) {
    change.at(k) = std::abs(now.at(k) - first.at(k));
    if (history.momentum_range.empty()) continue;
    for (const std::size_t end : {k, k + 3})
      change.at(k) = std::max(change.at(k), std::abs(history.momentum_range[i].at(end) - first.at(k)));
  }
  return change;
}

double angular_momentum_change(const History& history, std::size_t i) {
  const auto change = angular_momentum_changes(history, i);
  return std::hypot(change[0], change[1], change[2]);
}

double initial_angular_momentum(const History& history, const TrajectoryReader& trajectory) {
  double most = 0;
  if (trajectory.size() > 0 && trajectory.options().velocities) {
    const sim::Snapshot start = trajectory.snapshot(0);
    const auto& mass = trajectory.bodies().mass;
    const auto& [x, y, z] = start.position;
    const auto& [u, v, w] = start.velocity;
    for (std::size_t i = 0; i < mass.size(); ++i)
      most += mass[i] * length({x[i], y[i], z[i]}) * length({u[i], v[i], w[i]});
  }
  const double L = length(history.angular_momentum.front());
  return L > 1e-12 * most ? L : 0;
}

EnergyErrors energy_errors(const TrajectoryReader& trajectory) {
  const auto state = trajectory.restart();
  return {.all = energy_record(trajectory.history(), state ? state->clock.steps : 0),
          .massless = massless_record(trajectory)};
}

std::string EnergyErrors::to_text() const {
  std::string words;
  if (all && (!massless || all->start.scale() > 0))
    words = fmt::format("{} = {:+.2e}, at most {:.2e}", all->start.error_name(), all->error, all->greatest_error);
  if (massless) words += fmt::format("{}{}", words.empty() ? "" : "; ", massless->to_text());
  return words;
}

std::string energy_warning(const TrajectoryReader& trajectory, const EnergyErrors& errors) {
  if (has_bath(trajectory.record())) return "";
  const auto& [energy, massless] = errors;
  const bool off = energy && energy->is_off();
  if (!off && !(massless && massless->is_off())) return "";
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  std::string words;
  if (off) words = fmt::format("{} reached {:.2e}", energy->start.magnitude_name(), energy->greatest_error);
  if (off && state && state->energy_violation) {
    const sim::EnergyViolation& at = state->energy_violation;
    words += fmt::format("; it was above {:g} first at t = {} (step {})", sim::tolerated_energy_error,
                         brief(at.time, record.time_unit), at.step);
    if (at.body != at.other) {
      words += fmt::format(", when {} and {} passed each other, {} apart", body_name(trajectory, at.body),
                           body_name(trajectory, at.other), brief(at.distance, record.length_unit));
    }
  }
  if (massless && massless->is_off()) words += (off ? "; " : "") + massless->to_text();
  if ((off && energy->greatest_error > 1) || (massless && massless->is_off() && massless->greatest > 1))
    words += "; these bodies moved as those of another system would";
  // Laws with a cutoff have no softening, nor the derivative that most adaptive integrators need.
  if (record.virial) return words + "; take a smaller " + (state && state->clock.steps > 0 ? "tolerance" : "dt");
  if (state && state->clock.steps > 0) return words + "; take a smaller tolerance, or a softening > 0";
  return words + "; take a smaller dt, a softening > 0, or an integrator that chooses its steps, as ias15 does";
}

void add_energy(Report& report, const TrajectoryReader& trajectory, const EnergyErrors& errors) {
  const auto& [energy, massless] = errors;
  if (!energy) return;
  report.add("energy", energy->first,
             fmt::format("E₀ = {:.10g}, {} = {:+.2e} at the end, at most {:.2e} ({})", energy->first,
                         energy->start.error_name(), energy->error, energy->greatest_error, energy->states_used));
  report.add_to_json("first_energy", energy->first);
  report.add_to_json("last_energy", energy->last);
  report.add_to_json("energy_error", energy->error);
  report.add_to_json("greatest_energy_error", energy->greatest_error);
  report.add_to_json("energy_error_name", std::string(energy->start.error_name()));
  report.add_to_json("energy_looked_at", energy->states_used);
  if (massless) massless->add_to(report);
  const auto state = trajectory.restart();
  if (!state || !state->energy_violation) return;
  const sim::EnergyViolation& at = state->energy_violation;
  report.add_to_json("energy_off_step", at.step);
  report.add_to_json("energy_off_time", at.time);
  if (at.body == at.other) return;
  report.add_to_json("energy_off_bodies",
                     std::vector<std::string>{body_name(trajectory, at.body), body_name(trajectory, at.other)});
  report.add_to_json("energy_off_distance", at.distance);
}

std::optional<ClosestApproach> closest_approach(const History& history) {
  const auto& distances = history.closest_approach;
  if (distances.empty()) return std::nullopt;
  const auto least = std::ranges::min_element(distances);
  const auto row = static_cast<std::size_t>(least - distances.begin());
  if (!std::isfinite(*least)) return std::nullopt;
  return ClosestApproach{*least, history.closest_bodies[row], row};
}

void add_closest_approach(Report& report, const TrajectoryReader& trajectory) {
  if (trajectory.whole() < 2) return;
  const History history = trajectory.history();
  const auto closest = closest_approach(history);
  if (!closest) {
    const bool many = trajectory.whole() > sim::few_bodies;
    const std::string why = many                   ? fmt::format("of up to {} bodies only", sim::few_bodies)
                            : history.time.empty() ? "there are no rows"
                                                   : "the rows do not keep it: `extremes = false`";
    report.add("closest_approach_not_measured", why, "");
    return;
  }
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  const std::string a = body_name(trajectory, closest->bodies[0]), b = body_name(trajectory, closest->bodies[1]);
  const double until = history.time[closest->row], from = history.time[closest->row - (closest->row > 0 ? 1 : 0)];
  const std::string when = closest->row > 0
                               ? fmt::format("between t = {:.6g} and {}", from, brief(until, record.time_unit))
                               : "at t = " + brief(until, record.time_unit);
  report.add("closest_approach", closest->distance,
             fmt::format("{}, {} and {} {} ({})",
                         with_unit(fmt::format("{:.6g}", closest->distance), PhysicalUnit(record.length_unit)), a, b,
                         when, states_used(history, state ? state->clock.steps : 0)));
  report.add_to_json("closest_approach_bodies", std::vector<std::string>{a, b});
  report.add_to_json("closest_approach_times", std::vector<double>{from, until});
}

void add_thermodynamics(Report& report, const TrajectoryReader& trajectory) {
  const History history = trajectory.history();
  if (history.temperature.empty()) return;
  const RunRecord& record = trajectory.record();
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  const PhysicalUnit energy = mass * (length / time) * (length / time);
  const auto add = [&](const char* key, double value, const PhysicalUnit& unit) {
    report.add(key, value, with_unit(fmt::format("{:.6g}", value), unit) + " at the end");
  };
  add("temperature", history.temperature.back(), energy);
  if (history.pressure.empty()) return;
  const PhysicalUnit area = length * length;
  add("pressure", history.pressure.back(), energy / (record.domain.dimensions == 2 ? area : area * length));
}

bool shows_between_rows(const History& history) {
  if (history.energy_range.size() < 2) return false;
  double least = history.total_energy.front(), most = least;
  for (const auto& [low, high] : history.energy_range) least = std::min(least, low), most = std::max(most, high);
  const double slack = min_peak * (most - least);
  for (std::size_t i = 1; i < history.energy_range.size(); ++i) {
    const auto [from, to] = std::minmax(history.total_energy[i - 1], history.total_energy[i]);
    if (history.energy_range[i][0] < from - slack || history.energy_range[i][1] > to + slack) return true;
  }
  return false;
}

std::string extremes_in_words(const History& history, std::int64_t own_steps) {
  const Coverage covered = coverage(history, own_steps);
  if (covered.every_step()) return "least to greatest of every step";
  const auto steps = static_cast<double>(covered.steps), states = static_cast<double>(covered.states);
  const auto one_in = std::max<std::int64_t>(2, std::llround(steps / std::max(1.0, states)));
  return fmt::format("least to greatest, sampled: 1 step in {}", one_in);
}

std::string too_few(std::size_t count, std::string_view what) {
  return fmt::format("{} {} are too few: what lies between is not seen", count, what);
}

std::string too_few_rows(const std::vector<double>& time, const std::vector<double>& values, double timescale,
                         std::string_view what) {
  const std::size_t rows = values.size();
  if (rows < 8) return "";
  const auto [low, high] = std::ranges::minmax(values);
  const double span = high - low;
  if (!(span > 1e-12 * std::max(std::abs(low), std::abs(high)))) return "";
  const double apart = std::abs(time.back() - time.front()) / static_cast<double>(rows - 1);
  const bool sparse = timescale > 0 && apart > timescale / 10;
  if (!sparse && 4 * extrema(values, min_peak * span) < rows) return "";
  return too_few(rows, what);
}

}  // namespace orrery::pipeline
