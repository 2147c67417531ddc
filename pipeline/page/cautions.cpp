// SPDX-License-Identifier: MIT
// What a reader of a run should be careful about: sentences with numbers and times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/page/model_words.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/plausibility.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/turning.hpp"
#include "render/between.hpp"
#include "render/statistics.hpp"
#include "render/view/outliers.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t names_in_caution = 5;

std::string when_in_words(const KnownRun& run, std::size_t row) {
  const auto& time = run.history.time;
  if (row == 0) return fmt::format("at {}", time_in_words(time[0], run.record));
  return fmt::format("between t = {} and {}", number(time[row - 1]), quantity(time[row], run.units.time));
}

/// "Ida and body 3"
std::string pair_in_words(const KnownRun& run, const std::array<std::int64_t, 2>& bodies) {
  return fmt::format("{} and {}", run.name_of(bodies[0]), run.name_of(bodies[1]));
}

std::string unfinished(const KnownRun& run) {
  if (run.file.finished()) return "";
  const double reached = run.state ? run.state->time : 0;
  return fmt::format("The run is not finished: it has reached {}, step {} of {}.", time_in_words(reached, run.record),
                     with_commas(run.reached()), with_commas(run.record.steps));
}

std::string energy_off(const KnownRun& run) {
  const std::string words = energy_warning(run.file, run.errors);
  return words.empty() ? "" : fmt::format("The energy is not conserved: {}.", printable(words));
}

/// One change of the energy from row to row that is most of all of its change, and that stays.
std::string energy_jump(const KnownRun& run) {
  constexpr std::size_t least_rows = 16;
  constexpr double least_jump = 1e-6;  // relative
  const std::vector<double>& energy = run.history.total_energy;
  if (energy.size() < least_rows || has_bath(run.record) || !run.errors.all) return "";
  std::size_t at = 1;
  for (std::size_t i = 1; i < energy.size(); ++i) {
    if (std::abs(energy[i] - energy[i - 1]) > std::abs(energy[at] - energy[at - 1])) at = i;
  }
  const double jump = energy[at] - energy[at - 1], scale = run.errors.all->start.scale();
  const auto [low, high] = std::ranges::minmax(energy);
  const auto split = energy.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<double> earlier(energy.begin(), split), later(split, energy.end());
  const double before = render::percentile(earlier, 0.5), after = render::percentile(later, 0.5);
  const auto edge = static_cast<std::ptrdiff_t>(least_rows / 4);
  if (split - energy.begin() < edge || energy.end() - split < edge) return "";
  const bool stays = std::abs(after - before) >= std::abs(jump) / 2 && std::abs(jump) >= (high - low) / 2;
  if (!stays || !(scale > 0) || std::abs(jump) < least_jump * scale) return "";
  std::string words = fmt::format("The energy jumped once by {} = {}, {}", run.errors.all->start.error_name(),
                                  small(jump / scale), when_in_words(run, at));
  if (at < run.history.closest_approach.size() && std::isfinite(run.history.closest_approach[at])) {
    words +=
        fmt::format(", when {} came as close to each other as {}", pair_in_words(run, run.history.closest_bodies[at]),
                    quantity(run.history.closest_approach[at], run.units.length, 3));
  }
  return words + ".";
}

/// The mass of a body by its index in the run; 0 if frames do not keep it.
double mass_of(const KnownRun& run, std::int64_t body) {
  const auto& ids = run.file.ids();
  const auto found = std::ranges::lower_bound(ids, body);
  return found != ids.end() && *found == body ? run.file.bodies().mass[static_cast<std::size_t>(found - ids.begin())]
                                              : 0;
}

/// The closest approach, if it was within the softening length, or so fast that few steps covered it.
std::string closest(const KnownRun& run) {
  const auto closest = closest_approach(run.history);
  if (!closest || !run.scenario || !pairs_act(run)) return "";
  const sim::Model& model = run.scenario->model;
  const double softening = sim::softening_in(model.force.values);
  const std::string words =
      fmt::format("{} came as close to each other as {}, {}", at_start(pair_in_words(run, closest->bodies)),
                  quantity(closest->distance, run.units.length, 3), when_in_words(run, closest->row));
  if (closest->distance < softening) {
    return fmt::format("{}: that is {} softening lengths, at which the force is {} of that of points.", words,
                       number(closest->distance / softening, 2),
                       number(std::pow(1 + std::pow(softening / closest->distance, 2), -1.5), 2));
  }
  constexpr double least_steps = 3;
  const double mu = model.attraction() * (mass_of(run, closest->bodies[0]) + mass_of(run, closest->bodies[1]));
  if (run.own_steps() || softening > 0 || !(mu > 0) || !model.is_newtonian()) return "";
  const double passage = std::sqrt(std::pow(closest->distance, 3) / (2 * mu));  // at the speed of a parabola
  const double steps = passage / std::abs(run.record.dt);
  if (steps >= least_steps) return "";
  return fmt::format("{}: free fall crosses that distance in {} steps, too few to follow their motion.", words,
                     number(steps, 2));
}

/// Frames of few bodies, all of them or as many as pictures read.
std::vector<render::Frame> frames_of_few(const KnownRun& run) {
  std::vector<render::Frame> frames;
  if (run.file.bodies().size() > sim::few_bodies) return frames;
  for (const std::size_t k : sampled(run.file.size(), frames_for_paths(run.file.bodies().size())))
    frames.push_back(run.file.frame(k));
  return frames;
}

std::string left(const KnownRun& run, const std::vector<render::Frame>& frames) {
  constexpr std::size_t most_moments = 2000;
  const render::Bounds bounds = bounds_of(run.record.domain);
  const std::vector<double>& mass = run.file.bodies().mass;
  std::vector<render::FrameSummary> moments;
  for (const std::size_t k : sampled(frames.size(), most_moments)) {
    render::FrameSummary& now = moments.emplace_back(
        render::FrameSummary{.frame = frames[k], .box = {}, .center = render::center_of_mass(frames[k], mass, bounds)});
    if (!frames[k].velocity.empty()) now.drift = render::mean(frames[k].velocity, mass);
  }
  const std::vector<render::Escape> gone = render::escapes(moments, mass, bounds.closed);
  if (gone.empty()) return "";
  std::vector<std::string> names;
  std::size_t last = moments.size();
  for (const render::Escape& each : gone) {
    names.push_back(run.name_of(run.file.ids()[each.body]));
    last = std::min(last, each.last);
  }
  const bool one = names.size() == 1;
  return fmt::format("{} {} unbound and {}, after {}: views leave {} out from then on.",
                     at_start(listed_briefly(std::move(names), names_in_caution)), one ? "is" : "are",
                     one ? "leaves the others" : "leave the others",
                     time_in_words(moments[last].frame.time, run.record), one ? "it" : "them");
}

std::string massless_unmeasured(const KnownRun& run) {
  const auto& massless = run.errors.massless;
  if (!massless || massless->not_measured.empty()) return "";
  return fmt::format("How well the bodies without mass were integrated was not measured: {}.",
                     printable(massless->not_measured));
}

std::string few_rows(const KnownRun& run) {
  const History& history = run.history;
  if (history.time.empty()) return "The file has no rows of energies and momenta: their errors are unknown.";
  if (!history.energy_range.empty() || has_bath(run.record)) return "";
  const std::string words = too_few_rows(history.time, history.total_energy, run.record.initial_facts.timescale);
  return words.empty() ? "" : fmt::format("Of the energy, {}.", words);
}

std::string imprecise(const KnownRun& run) {
  const std::string precision = provenance_of(run.record, "precision");
  if (precision == "float64" || precision.empty()) return "";
  return fmt::format(
      "Forces were computed in {}, with errors of some 10⁻⁷ that differ from step to step; the run is reproducible {}.",
      printable(precision), reproducible(precision));
}

/// How many frames there are in the shortest known period.
std::string few_frames(const KnownRun& run, const std::vector<render::Frame>& frames) {
  if (run.file.size() < 2) return "";
  const auto& times = run.file.times();
  double gap = 0;
  for (std::size_t k = 1; k < times.size(); ++k) gap = std::max(gap, std::abs(times[k] - times[k - 1]));
  const InitialFacts& facts = run.record.initial_facts;
  if (frames.empty()) {
    constexpr double least = 10;  // frames
    const double count = facts.timescale / gap;
    if (!(facts.timescale > 0) || count >= least) return "";
    return fmt::format("Frames are up to {} apart, and a {} is {}.", quantity(gap, run.units.time, 3),
                       printable(facts.timescale_name), quantity(facts.timescale, run.units.time, 3));
  }
  const render::Between between(frames, bounds_of(run.record.domain));
  if (between.all_known()) return "";
  std::vector<std::string> names;
  for (const std::size_t body : between.bodies()) names.push_back(run.name_of(run.file.ids()[body]));
  std::string words = fmt::format("Frames are up to {} apart, too far to know how {} moved between them",
                                  quantity(gap, run.units.time, 3), listed_briefly(std::move(names), names_in_caution));
  if (run.file.options().velocities && run.scenario) {
    sim::Bodies bodies = run.file.bodies();
    sim::Snapshot start = run.file.snapshot(0);
    bodies.position = std::move(start.position), bodies.velocity = std::move(start.velocity);
    const double turning = turning_of(bodies, run.scenario->model.attraction(), facts.timescale).mean;
    if (turning > 0)
      words +=
          fmt::format(": the shortest period at the start is {}", quantity(2 * sim::pi / turning, run.units.time, 3));
  }
  return words + ".";
}

/// Probable mistakes that the bodies at the start show, if that takes no time.
std::vector<std::string> doubtful(const KnownRun& run) {
  constexpr std::size_t most_bodies = 4096;
  if (!run.scenario || run.file.whole() > most_bodies) return {};
  std::vector<std::string> sentences;
  try {
    const Setup setup = set_up(*run.scenario);
    const ChosenBackend chosen = make_backend(setup, {.kind = "cpu"});
    const sim::Observables start = sim::Simulation(*chosen.backend, setup.model).observe().observables;
    const auto errors = force_errors(setup.model, *chosen.backend);
    for (const std::string& line : doubts(*run.scenario, setup, *chosen.backend, start, errors).lines())
      sentences.push_back(fmt::format("At the start: {}.", printable(line)));
  } catch (const Error&) {  // plug-ins that are only described, or a precision that this processor lacks
  }
  return sentences;
}

}  // namespace

std::vector<std::string> cautions(const KnownRun& run) {
  const std::vector<render::Frame> frames = frames_of_few(run);
  std::vector<std::string> all{unfinished(run), energy_off(run), energy_jump(run), closest(run)};
  for (std::string& line : doubtful(run)) all.push_back(std::move(line));
  for (std::string line :
       {left(run, frames), massless_unmeasured(run), few_rows(run), imprecise(run), few_frames(run, frames)})
    all.push_back(std::move(line));
  std::erase(all, "");
  return all;
}

}  // namespace orrery::pipeline
