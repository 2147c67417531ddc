// SPDX-License-Identifier: MIT
#include "pipeline/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/thread_pool.hpp"
#include "common/usable_threads.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/plausibility.hpp"
#include "pipeline/run/run_record.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/pair_order.hpp"
#include "sim/ranks/shared_backend.hpp"
#include "sim/simulation.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

double norm(const sim::Vec3& a) {
  return std::hypot(a.x, a.y, a.z);
}

/// Returns the shortest time in which a pair orbits, collapses or separates: min 2π/√|(sᵢwⱼ + sⱼwᵢ) c(r² + ε²)|, which
/// is 2π √((r² + ε²)^(3/2) / (G (mᵢ + mⱼ))) for gravity; infinite if none act. i runs over all bodies, or over a sample of
/// about 1000, and fewer of more than 10⁵.
double shortest_timescale(const sim::Model& model, const sim::PairForce& force) {
  const sim::Vectors& position = model.bodies.position;
  const auto &x = position.x, &y = position.y, &z = position.z, &w = force.source, &s = force.target_factor;
  const auto period = model.domain.periods();
  const bool falls = !is_short_range(force);
  const double reach = falls ? sim::farthest : force.law->cutoff(force.parameters);
  const std::size_t n = model.bodies.size(),
                    stride = std::max<std::size_t>(1, n / std::clamp<std::size_t>(100'000'000 / (n + 1), 1, 1000));
  std::vector<double> shortest2((n + stride - 1) / stride, std::numeric_limits<double>::infinity());
  thread_pool()->for_each(0, shortest2.size(), [&](std::size_t k) {
    const std::size_t i = k * stride;
    // If the law falls with the distance, a pair that is farther and weaker than the fastest one so far is not faster.
    double nearest2 = std::numeric_limits<double>::infinity(), strongest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = sim::nearest_image(x[j] - x[i], period[0]), dy = sim::nearest_image(y[j] - y[i], period[1]),
                   dz = sim::nearest_image(z[j] - z[i], period[2]);
      const double r2 = dx * dx + dy * dy + dz * dz + force.softening2;
      const double mu = std::abs(s[i] * w[j] + s[j] * w[i]);
      if ((falls && r2 >= nearest2 && mu <= strongest) || j == i || mu == 0 || r2 >= reach * reach) continue;
      const double time2 = 1 / (mu * std::abs(force.law->force_over_r(r2, force.parameters)));
      if (time2 < shortest2[k]) shortest2[k] = time2, nearest2 = r2, strongest = mu;
    }
  });
  double least2 = std::numeric_limits<double>::infinity();
  for (const double one : shortest2) least2 = std::min(least2, one);
  return 2 * sim::pi * std::sqrt(least2);
}

/// Returns whether bodies can escape; they cannot from a potential that grows without bound, like a logarithmic one.
bool has_escape(const sim::PairForce& force) {
  return force.law->u(sim::farthest * sim::farthest, force.parameters) <= 0;
}

/// "1/12.3 of", "4.5 times"
std::string as_part(double part, double whole) {
  return part < whole ? fmt::format("1/{:.4g} of", whole / part) : fmt::format("{:.4g} times", part / whole);
}

/// `explained`: another line says why these bodies fly apart.
std::vector<std::string> warnings_of(const Scenario& scenario, const Setup& setup, const sim::PairForce& force,
                                     double shortest, const std::optional<sim::Observables>& start, bool explained) {
  std::vector<std::string> warnings;
  const sim::Model& model = setup.model;
  const bool random = has_random_bodies(scenario);
  const bool fixed_steps = model.accuracy() == 0;  // adaptive steps follow close encounters
  const bool long_range = !is_short_range(force);  // short-range forces have no softening and bind no bodies
  if (fixed_steps && random && model.bodies.size() > 2 && force.softening2 == 0 && long_range) {
    warnings.push_back(
        fmt::format("the softening of {} is 0 and bodies are at random: two will come so close that no "
                    "fixed dt follows them; try a softening near the mean distance / 50",
                    force.law->name));
  }
  if (setup.facts.timescale > 0 && force.law->potential_power(force.parameters) != -1) {
    warnings.push_back(
        fmt::format("the {} is that of gravity, not of {}", setup.facts.timescale_name, force.law->name));
  }
  if (fixed_steps && std::abs(model.dt) * 20 > shortest) {
    warnings.push_back(fmt::format("dt is {} the shortest orbit of a pair at the start; 1/100 is usual",
                                   as_part(std::abs(model.dt), shortest)));
  }
  if (const sim::ForceSolver& solver = *model.solver; !fixed_steps && solver.is_approximate()) {
    warnings.push_back(fmt::format(
        "{} follows forces to its tolerance, and those of method = \"{}\" {}, so its steps may become tiny: "
        "use leapfrog, or method = \"{}\"",
        model.integrator->name, solver.name, solver.discontinuity, sim::default_solver(*force.law).name));
  }
  if (!explained && long_range && start && start->potential_energy != 0 && start->total_energy() > 0 &&
      model.fields.empty() && has_escape(force)) {
    warnings.emplace_back("the energy is positive: these bodies are not bound and will fly apart");
  }
  return warnings;
}

void add_steps(Report& facts, const Scenario& scenario, const Setup& setup, const StepCost& step, double shortest) {
  const sim::Model& model = setup.model;
  const auto time = [&](double t) {
    const std::string unit(model.units->time);
    return with_unit(fmt::format("{:.6g}", t), PhysicalUnit(unit)) + in_readable_unit(t, unit);
  };
  facts.add("title", scenario.title);
  facts.add("bodies", static_cast<std::int64_t>(setup.model.bodies.size()));
  facts.add("integrator", std::string(model.integrator->name),
            fmt::format("{}, order {}", model.integrator->name, model.integrator->order));
  facts.add("G", model.G);
  const bool free = setup.dt_of_outputs;
  facts.add("dt", model.dt, time(model.dt) + (free ? ", for the outputs: the integrator chooses its own steps" : ""));
  facts.add("steps", model.steps,
            fmt::format("{}to t = {}", free ? "" : fmt::format("{}, ", model.steps), time(model.end())));
  if (step.own_steps > 0) {
    const double own = step.own_steps * static_cast<double>(model.steps);
    facts.add("own_steps", own, fmt::format("about {:.2g} adaptive ones, estimated from the first", own));
  }
  if (setup.facts.timescale > 0) {
    facts.add("timescale", setup.facts.timescale,
              fmt::format("{} {}, {:.4g} of them in the run", setup.facts.timescale_name, time(setup.facts.timescale),
                          std::abs(model.end()) / setup.facts.timescale));
  }
  if (std::isfinite(shortest)) {
    const double dt = std::abs(model.dt);
    facts.add("dt_over_shortest_timescale", dt / shortest, as_part(dt, shortest) + " it");
  }
}

void add_sizes(Report& facts, const Setup& setup, const sim::BackendOptions& options) {
  facts.add("frames", setup.output.frames.size(), frames_in_words(setup));
  facts.add("rows_of_observables", setup.output.rows.size());
  const auto add_bytes = [&](const char* key, double bytes) {
    facts.add(key, static_cast<std::int64_t>(std::min(bytes, 9e18)), in_bytes(bytes));
  };
  add_bytes("file_size", file_size(setup));
  const sim::Model& model = setup.model;
  add_bytes("memory", run_memory(model, options, model.bodies.size()));
  const auto on_device = sim::cuda_backend_bytes(*model.solver, model.bodies.size(), *model.integrator, options).device;
  if (on_device > 0) add_bytes("device_memory", static_cast<double>(on_device));
}

/// Seconds for which `check` computes forces in each of its measurements, which together take about one.
constexpr double patience = 0.2;

/// What is measured of a run in bounded time: a step of all bodies, or of some if that takes too long.
struct Measured {
  std::unique_ptr<sim::Backend> backend;  ///< of the bodies in the measurement
  std::optional<sim::Model> sample{};     ///< these bodies, unless they are all
  std::size_t bodies = 0;                 ///< their number
  double scale = 1;                       ///< by which a step of all takes longer

  [[nodiscard]] const sim::Model& of(const sim::Model& all) const { return sample ? *sample : all; }
};

/// Chooses the bodies that are measured: all if a step of them takes at most three times `patience`. `whole`: a backend of all.
Measured affordable(const Setup& setup, const std::string& kind, const sim::BackendOptions& options,
                    std::unique_ptr<sim::Backend> whole) {
  const sim::Model& model = setup.model;
  const std::size_t n = model.bodies.size();
  const auto evaluations = static_cast<double>(std::max<std::int64_t>(model.integrator->evaluations, 1));
  // The work of a force evaluation in any unit. If it grows with the number of bodies, a sample is less dense than all, so that
  // its time is a lower bound.
  const auto work = [&](std::size_t bodies, double interactions) {
    return model.solver->linear ? static_cast<double>(bodies) : std::max(1.0, interactions);
  };
  constexpr std::size_t first = 1024, more = 8;
  for (std::size_t some = first; some < n; some *= more) {
    Measured part{.backend = nullptr, .sample = sim::first_bodies(model, some), .bodies = some};
    part.backend = sim::make_backend(kind_named(kind), sim::system_of(*part.sample), options);
    part.scale = work(n, setup.interactions) / work(some, part.backend->interactions());
    const double step = evaluations * evaluation_seconds(*part.backend);
    if (part.scale * step < 3 * patience) break;
    if (more * more * step > patience) return part;
  }
  return {.backend = std::move(whole), .bodies = n};
}

/// "about 12.3 s of stepping". `whole`: all bodies were measured; `steps`: how many of dt.
std::string words_for_time(double seconds, bool whole, double steps) {
  constexpr double ages = 1e9;
  const std::string from = steps < 1 ? fmt::format(", from the first {:.2g} of one dt", steps) : "";
  if (!(seconds < ages)) return "more than 30 years of stepping" + from;
  return fmt::format("{} {} of stepping{}", whole && steps >= 1 ? "about" : "roughly",
                     to_text(std::chrono::duration<double>(seconds)), from);
}

/// Adds who would do what, if several ranks share the run: their number, what they send, and how much faster they are than
/// one, which is measured.
void add_ranks(Report& facts, const sim::Model& model, const Measured& measured, const std::string& kind,
               sim::BackendOptions alone, double step) {
  const int ranks = sim::ranks_of(alone);
  if (ranks == 1 || kind == "reference") return;
  alone.helpers.clear();
  alone.ranks.reset();
  facts.add("ranks", std::int64_t{ranks}, fmt::format("{}, each with the whole state and a part of the forces", ranks));
  const double bytes =
      model.solver->bytes_sent(static_cast<double>(model.bodies.size()), ranks, kind_named(kind).device != nullptr);
  facts.add("bytes_sent", bytes, fmt::format("{} an evaluation, by the busiest rank", in_bytes(bytes)));
  const sim::Model& part = measured.of(model);
  const auto backend = kind_named(kind).make(sim::system_of(part), alone);
  const double one = time_a_step(part, *backend, patience).seconds;
  facts.add("speedup", one / step,
            fmt::format("{:.3g} times one rank, {:.0f} % of perfect", one / step, 100 * one / step / ranks));
}

/// Adds the errors of approximate forces, and what the other method would cost, if there is one.
void add_methods(Plan& plan, const sim::Model& model, const std::string& kind, const sim::BackendOptions& options,
                 const std::optional<sim::ForceErrors>& errors) {
  const auto add_errors = [&](const char* key, const sim::ForceErrors& found) {
    plan.facts.add(key, std::vector<double>{found.median, found.of_99, found.greatest}, to_text(found));
  };
  if (errors) add_errors("force_error", *errors);
  const auto other = other_method(model, kind, options, {.approximate = 32'768, .exact = 4096});
  if (!other) return;
  const double seconds =
      other->seconds * static_cast<double>(model.steps) * static_cast<double>(model.integrator->evaluations);
  const std::string time = to_text(std::chrono::duration<double>(seconds));
  plan.facts.add("other_method", other->name, fmt::format("{}: about {} of stepping", other->name, time));
  plan.facts.add_to_json("other_method_seconds", seconds);
  if (!other->errors) return;
  add_errors("other_method_force_error", *other->errors);
  constexpr double an_hour = 3600;
  if (plan.seconds > an_hour && seconds < 0.5 * plan.seconds) {
    plan.warnings.push_back(
        fmt::format("method = \"{}\" in [force] would take about {} instead of {}; errors of its forces: {}",
                    other->name, time, to_text(std::chrono::duration<double>(plan.seconds)), to_text(*other->errors)));
  }
}

}  // namespace

double run_memory(const sim::Model& model, const sim::BackendOptions& options, std::size_t bodies) {
  const std::size_t backend = sim::cpu_backend_bytes(*model.solver, bodies, *model.integrator, options);
  return static_cast<double>(backend) + static_cast<double>(bodies) * (8 * 7 + 7 * 8 * 6);
}

std::string words_for_recentring(const Setup& setup) {
  const PhysicalUnit distance(setup.model.units->length), time(setup.model.units->time);
  const auto size = [](const sim::Vec3& a, const PhysicalUnit& unit) {
    return with_unit(fmt::format("{:.3g}", norm(a)), unit);
  };
  if (setup.moved == sim::Vec3{} && setup.slowed == sim::Vec3{}) return "";
  return fmt::format(
      "all positions were shifted by {} and all velocities by {}, so that the centre of mass is at rest at the origin "
      "(`recentre = false` disables this)",
      size(setup.moved, distance), size(setup.slowed, distance / time));
}

std::string frames_in_words(const Setup& setup) {
  const Schedule& frames = setup.output.frames;
  const std::int64_t count = frames.size(), steps = setup.model.steps;
  const auto every = [](std::int64_t apart) {
    return apart == 1 ? std::string("every step") : fmt::format("every {} steps", apart);
  };
  const auto [least, greatest] = frames.gaps();
  if (count < 2 || setup.dt_of_outputs) return std::to_string(count);
  if (least == greatest) return fmt::format("{}, {}", count, every(least));
  if (frames.is_listed()) return std::to_string(count);  // no advice where times or a spacing are set
  const auto even = equidistant_count(count, steps);
  return fmt::format("{}, {} or {} steps apart; {}", count, least, greatest,
                     even ? fmt::format("`frames = {}` would be {}", *even, every(steps / (*even - 1)))
                          : fmt::format("no number of frames near it is equally spaced in {} steps", steps));
}

void refuse_rounded_end(const Scenario& scenario, const Setup& setup) {
  if (!setup.rounded_end) return;
  scenario.tables.integrator.complain(
      "time", fmt::format("is no whole number of steps of dt = {}, and a figure compares all members at their ends: "
                          "choose another dt, or leave that figure out",
                          setup.model.dt));
}

Error placed(const Scenario& scenario, const Setup& setup, const sim::BodyError& error) {
  for (const std::size_t body : error.bodies()) {
    if (const std::string place = where_body(scenario, setup.first_bodies, body); !place.empty())
      return Error(fmt::format("{}: {}", place, error.what()), error.fault());
  }
  return error;
}

Setup set_up_to_step(const Scenario& scenario, const Resources& resources) {
  const sim::BackendOptions options = options_of(scenario.backend, resources);
  return set_up(scenario, [&](std::size_t bodies) { return run_memory(scenario.model, options, bodies); });
}

void refuse_too_large(const Scenario& scenario, const Setup& setup, const std::filesystem::path& folder) {
  const double size = file_size(setup), room = static_cast<double>(free_space(folder.empty() ? "." : folder));
  if (size > room) {
    scenario.tables.trajectory.complain(
        "frames", fmt::format("{} frames come to {}, but {} has {} free: keep fewer frames, `store = \"float32\"` or "
                              "`velocities = false`",
                              setup.output.frames.size(), in_bytes(size), folder.empty() ? "the disk" : folder.string(),
                              in_bytes(room)));
  }
}

Plan make_plan(const Scenario& scenario, const Setup& setup, const Resources& resources) {
  const sim::Model& model = setup.model;
  const sim::BackendOptions options = options_of(scenario.backend, resources);
  auto [made, kind, reason] = make_backend(setup, scenario.backend, resources);
  const Measured measured = affordable(setup, kind, options, std::move(made));
  const sim::Model& part = measured.of(model);
  const sim::Backend& backend = *measured.backend;
  const bool whole = &part == &model;
  std::optional<sim::Observables> start;
  std::optional<sim::ForceErrors> errors;
  VirialRatio virial{.value = std::numeric_limits<double>::quiet_NaN(), .deviation = 0};
  Doubts doubtful;
  if (whole) {  // before steps are timed, which move the bodies
    sim::Simulation simulation(*measured.backend, model);
    start = with_places(scenario, setup, [&] { return simulation.observe().observables; });
    virial = virial_ratio(model.bodies, backend.download(sim::Column::acceleration));
    errors = force_errors(model, *measured.backend);
    doubtful = doubts(scenario, setup, *measured.backend, *start, errors);
  }
  StepCost step = time_a_step(part, *measured.backend, patience);
  const double of_part = step.seconds;
  step.seconds *= measured.scale;
  const sim::PairForce force = sim::make_pair_force(*model.force.plugin, model.bodies, model.force.values);
  const double shortest = shortest_timescale(model, force);
  const double expected = step.seconds * static_cast<double>(model.steps);

  Plan plan;
  Report& facts = plan.facts;
  add_steps(facts, scenario, setup, step, shortest);
  if (start) {
    facts.add("energy", start->total_energy(), fmt::format("E₀ = {:.10g}", start->total_energy()));
  } else {
    facts.add("measured_bodies", static_cast<std::int64_t>(measured.bodies),
              fmt::format("{}: a step of all takes too long for energies and errors of forces to be computed here",
                          measured.bodies));
  }
  if (std::isfinite(virial.value)) {
    facts.add("virial_ratio", virial.value,
              fmt::format("2T/|Σ m x·a| = {:.4g}{}", virial.value,
                          setup.equilibrium.empty() ? "" : fmt::format(", by sampling 1 ± {:.2g}", virial.deviation)));
    facts.add_to_json("virial_ratio_deviation", virial.deviation);
  }
  facts.add_to_json("recentre_distance", norm(setup.moved));
  facts.add_to_json("recentre_speed", norm(setup.slowed));
  if (const std::string words = words_for_recentring(setup); !words.empty()) facts.add("recentre", true, words);
  add_sizes(facts, setup, options);
  facts.add("backend", kind);
  facts.add("backend_choice", reason);
  facts.add("device", backend.hardware());
  facts.add("kernel", backend.kernel());
  add_ranks(facts, model, measured, kind, options, of_part);
  facts.add("seconds", expected, words_for_time(expected, whole, step.measured));

  plan.seconds = expected;
  plan.warnings = setup.notes;
  std::ranges::move(doubtful.lines(), std::back_inserter(plan.warnings));
  const bool explained = !doubtful.implausible.empty();
  std::ranges::move(warnings_of(scenario, setup, force, shortest, start, explained), std::back_inserter(plan.warnings));
  add_methods(plan, model, kind, options, errors);
  return plan;
}

}  // namespace orrery::pipeline
