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
#include "pipeline/ranks.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/plausibility.hpp"
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

/// Returns the options of each of the ranks that share the run.
sim::BackendOptions shared_options(const Scenario& scenario) {
  sim::BackendOptions options = options_of(scenario.backend);
  options.ranks = sim::process_ranks().get();
  return options;
}

/// Returns the bytes of memory for the cpu backend, the initial bodies and seven snapshots, five of them queued.
double memory(const Scenario& scenario, std::size_t bodies) {
  const std::size_t backend =
      sim::cpu_backend_bytes(solver_of(scenario), bodies, *scenario.integrator.plugin, shared_options(scenario));
  return static_cast<double>(backend) + static_cast<double>(bodies) * (8 * 7 + 7 * 8 * 6);
}

/// Returns the bytes of GPU memory; 0 if the program is built without GPU code.
double device_memory(const Scenario& scenario, std::size_t bodies) {
  return static_cast<double>(
      sim::cuda_backend_bytes(solver_of(scenario), bodies, *scenario.integrator.plugin, shared_options(scenario))
          .device);
}

/// Returns the shortest time in which a pair orbits, collapses or separates: min 2π/√|(sᵢwⱼ + sⱼwᵢ) c(r² + ε²)|, which
/// is 2π √((r² + ε²)^(3/2) / (G (mᵢ + mⱼ))) for gravity; infinite if none act. i runs over all bodies, or over a sample of
/// about 1000, and fewer of more than 10⁵.
double shortest_timescale(const Setup& setup, const sim::PairForce& force) {
  const sim::Vectors& position = setup.bodies.position;
  const auto &x = position.x, &y = position.y, &z = position.z, &w = force.source, &s = force.response;
  const auto period = setup.domain.periods();
  const bool falls = !is_short_range(force);
  const double reach = falls ? sim::farthest : force.law->cutoff(force.numbers);
  const std::size_t n = setup.bodies.size(),
                    stride = std::max<std::size_t>(1, n / std::clamp<std::size_t>(100'000'000 / (n + 1), 1, 1000));
  std::vector<double> shortest2((n + stride - 1) / stride, std::numeric_limits<double>::infinity());
  process_pool(usable_threads())->for_each(0, shortest2.size(), [&](std::size_t k) {
    const std::size_t i = k * stride;
    // If the law falls with the distance, a pair that is farther and weaker than the fastest one so far is not faster.
    double nearest2 = std::numeric_limits<double>::infinity(), strongest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = sim::nearest_image(x[j] - x[i], period[0]), dy = sim::nearest_image(y[j] - y[i], period[1]),
                   dz = sim::nearest_image(z[j] - z[i], period[2]);
      const double r2 = dx * dx + dy * dy + dz * dz + force.softening2;
      const double mu = std::abs(s[i] * w[j] + s[j] * w[i]);
      if ((falls && r2 >= nearest2 && mu <= strongest) || j == i || mu == 0 || r2 >= reach * reach) continue;
      const double time2 = 1 / (mu * std::abs(force.law->c(r2, force.numbers)));
      if (time2 < shortest2[k]) shortest2[k] = time2, nearest2 = r2, strongest = mu;
    }
  });
  double least2 = std::numeric_limits<double>::infinity();
  for (const double one : shortest2) least2 = std::min(least2, one);
  return 2 * sim::pi * std::sqrt(least2);
}

/// Returns whether bodies can escape; they cannot from a potential that grows without bound, like a logarithmic one.
bool has_escape(const sim::PairForce& force) {
  return force.law->u(sim::farthest * sim::farthest, force.numbers) <= 0;
}

/// "1/12.3 of", "4.5 times"
std::string as_part(double part, double whole) {
  return part < whole ? fmt::format("1/{:.4g} of", whole / part) : fmt::format("{:.4g} times", part / whole);
}

/// `explained`: another line says why these bodies fly apart.
std::vector<std::string> warnings_of(const Scenario& scenario, const Setup& setup, const sim::PairForce& force,
                                     double shortest, const std::optional<sim::Observables>& start, bool explained) {
  std::vector<std::string> warnings;
  const bool random = std::ranges::any_of(scenario.initial, [](const auto& c) { return c.plugin->random; });
  const bool fixed_steps = setup.accuracy == 0;    // adaptive steps follow close encounters
  const bool long_range = !is_short_range(force);  // short-range forces have no softening and bind no bodies
  if (fixed_steps && random && setup.bodies.size() > 2 && force.softening2 == 0 && long_range) {
    warnings.push_back(
        fmt::format("the softening of {} is 0 and bodies are at random: two will come so close that no "
                    "fixed dt follows them; try a softening near the mean distance / 50",
                    force.law->name));
  }
  if (setup.timescale > 0 && force.law->potential_power(force.numbers) != -1) {
    warnings.push_back(fmt::format("the {} is that of gravity, not of {}", setup.timescale_name, force.law->name));
  }
  if (fixed_steps && std::abs(setup.dt) * 20 > shortest) {
    warnings.push_back(fmt::format("dt is {} the shortest orbit of a pair at the start; 1/100 is usual",
                                   as_part(std::abs(setup.dt), shortest)));
  }
  if (const sim::ForceSolver& solver = solver_of(scenario); !fixed_steps && solver.is_approximate()) {
    warnings.push_back(fmt::format(
        "{} follows forces to its tolerance, and those of method = \"{}\" {}, so its steps may become tiny: "
        "use leapfrog, or method = \"{}\"",
        scenario.integrator.plugin->name, solver.name, solver.discontinuity, sim::default_solver(*force.law).name));
  }
  if (!explained && long_range && start && start->potential_energy != 0 && start->total_energy() > 0 &&
      scenario.fields.empty() && has_escape(force)) {
    warnings.emplace_back("the energy is positive: these bodies are not bound and will fly apart");
  }
  return warnings;
}

void add_steps(Report& facts, const Scenario& scenario, const Setup& setup, const StepCost& step, double shortest) {
  const auto time = [&](double t) {
    const std::string unit(scenario.units->time);
    return with_unit(fmt::format("{:.6g}", t), PhysicalUnit(unit)) + in_readable_unit(t, unit);
  };
  facts.add("title", scenario.title());
  facts.add("bodies", static_cast<std::int64_t>(setup.bodies.size()));
  facts.add("integrator", std::string(scenario.integrator.plugin->name),
            fmt::format("{}, order {}", scenario.integrator.plugin->name, scenario.integrator.plugin->order));
  facts.add("G", setup.G);
  const bool free = !scenario.integrator.section->has("dt");
  facts.add("dt", setup.dt, time(setup.dt) + (free ? ", for the outputs: the integrator chooses its own steps" : ""));
  facts.add("steps", setup.steps,
            fmt::format("{}to t = {}", free ? "" : fmt::format("{}, ", setup.steps), time(setup.end())));
  if (step.own_steps > 0) {
    const double own = step.own_steps * static_cast<double>(setup.steps);
    facts.add("own_steps", own, fmt::format("about {:.2g} adaptive ones, estimated from the first", own));
  }
  if (setup.timescale > 0) {
    facts.add("timescale", setup.timescale,
              fmt::format("{} {}, {:.4g} of them in the run", setup.timescale_name, time(setup.timescale),
                          std::abs(setup.end()) / setup.timescale));
  }
  if (std::isfinite(shortest)) {
    const double dt = std::abs(setup.dt);
    facts.add("dt_over_shortest_timescale", dt / shortest, as_part(dt, shortest) + " it");
  }
}

void add_sizes(Report& facts, const Scenario& scenario, const Setup& setup) {
  facts.add("frames", setup.frames.size(), frames_in_words(scenario, setup));
  facts.add("rows_of_observables", setup.observations.size());
  const auto add_bytes = [&](const char* key, double bytes) {
    facts.add(key, static_cast<std::int64_t>(std::min(bytes, 9e18)), in_bytes(bytes));
  };
  add_bytes("file_size", file_size(scenario, setup));
  add_bytes("memory", memory(scenario, setup.bodies.size()));
  if (const double bytes = device_memory(scenario, setup.bodies.size()); bytes > 0) add_bytes("device_memory", bytes);
}

/// Seconds for which `check` computes forces in each of its measurements, which together take about one.
constexpr double patience = 0.2;

/// What is measured of a run in bounded time: a step of all bodies, or of some if that takes too long.
struct Measured {
  std::unique_ptr<sim::Backend> backend;  ///< of the bodies in the measurement
  std::optional<Setup> sample{};          ///< these bodies, unless they are all
  std::size_t bodies = 0;                 ///< their number
  double scale = 1;                       ///< by which a step of all takes longer

  [[nodiscard]] const Setup& of(const Setup& all) const { return sample ? *sample : all; }
};

std::unique_ptr<sim::Backend> backend_of(const Scenario& scenario, const Setup& setup, const std::string& kind) {
  return sim::make_backend(kind_named(kind), make_system(scenario, setup), options_of(scenario.backend));
}

/// The work of a force evaluation in any unit. If it grows with the number of bodies, a sample is less dense than all, so that
/// its time is a lower bound.
double work_of(const Scenario& scenario, const Setup& setup) {
  if (solver_of(scenario).linear) return static_cast<double>(setup.bodies.size());
  return std::max(1.0, setup.interactions);
}

/// Chooses the bodies that are measured: all if a step of them takes at most three times `patience`. `whole`: a backend of all.
Measured affordable(const Scenario& scenario, const Setup& setup, const std::string& kind,
                    std::unique_ptr<sim::Backend> whole) {
  const std::size_t n = setup.bodies.size();
  const auto evaluations = static_cast<double>(std::max<std::int64_t>(scenario.integrator.plugin->evaluations, 1));
  constexpr std::size_t first = 1024, more = 8;
  const double work = n > first ? work_of(scenario, setup) : 0;
  for (std::size_t some = first; some < n; some *= more) {
    Measured part{.backend = nullptr, .sample = sample_of(scenario, setup, some), .bodies = some};
    part.backend = backend_of(scenario, *part.sample, kind);
    part.scale = work / work_of(scenario, *part.sample);
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
                     in_words(std::chrono::duration<double>(seconds)), from);
}

/// Adds who would do what, if several ranks share the run: their number, what they send, and how much faster they are than
/// one, which is measured.
void add_ranks(Report& facts, const Scenario& scenario, const Setup& setup, const Measured& measured,
               const std::string& kind, double step) {
  sim::BackendOptions alone = options_of(scenario.backend);
  const int ranks = rank_count(alone);
  if (ranks == 1 || kind == "reference") return;
  alone.helpers.clear();
  facts.add("ranks", std::int64_t{ranks}, fmt::format("{}, each with the whole state and a part of the forces", ranks));
  const double bytes = solver_of(scenario).bytes_sent(static_cast<double>(setup.bodies.size()), ranks,
                                                      kind_named(kind).device != nullptr);
  facts.add("bytes_sent", bytes, fmt::format("{} an evaluation, by the busiest rank", in_bytes(bytes)));
  const Setup& part = measured.of(setup);
  const auto backend = kind_named(kind).make(make_system(scenario, part), alone);
  const double one = time_a_step(scenario, part, *backend, patience).seconds;
  facts.add("speedup", one / step,
            fmt::format("{:.3g} times one rank, {:.0f} % of perfect", one / step, 100 * one / step / ranks));
}

/// Adds the errors of approximate forces, and what the other method would cost, if there is one.
void add_methods(Plan& plan, const Scenario& scenario, const Setup& setup, const std::string& kind,
                 const std::optional<sim::ForceErrors>& errors) {
  const auto add_errors = [&](const char* key, const sim::ForceErrors& found) {
    plan.facts.add(key, std::vector<double>{found.median, found.of_99, found.greatest}, in_words(found));
  };
  if (errors) add_errors("force_error", *errors);
  const auto other = other_method(scenario, setup, kind, {.approximate = 32'768, .exact = 4096});
  if (!other) return;
  const double seconds =
      other->seconds * static_cast<double>(setup.steps) * static_cast<double>(scenario.integrator.plugin->evaluations);
  const std::string time = in_words(std::chrono::duration<double>(seconds));
  plan.facts.add("other_method", other->name, fmt::format("{}: about {} of stepping", other->name, time));
  plan.facts.add_to_json("other_method_seconds", seconds);
  if (!other->errors) return;
  add_errors("other_method_force_error", *other->errors);
  constexpr double an_hour = 3600;
  if (plan.seconds > an_hour && seconds < 0.5 * plan.seconds) {
    plan.warnings.push_back(fmt::format(
        "method = \"{}\" in [force] would take about {} instead of {}; errors of its forces: {}", other->name, time,
        in_words(std::chrono::duration<double>(plan.seconds)), in_words(*other->errors)));
  }
}

}  // namespace

std::string words_for_recentring(const Scenario& scenario, const Setup& setup) {
  const PhysicalUnit distance(scenario.units->length), time(scenario.units->time);
  const auto size = [](const sim::Vec3& a, const PhysicalUnit& unit) {
    return with_unit(fmt::format("{:.3g}", norm(a)), unit);
  };
  if (setup.moved == sim::Vec3{} && setup.slowed == sim::Vec3{}) return "";
  return fmt::format(
      "all positions were shifted by {} and all velocities by {}, so that the centre of mass is at rest at the origin "
      "(`recentre = false` disables this)",
      size(setup.moved, distance), size(setup.slowed, distance / time));
}

std::string frames_in_words(const Scenario& scenario, const Setup& setup) {
  const std::int64_t count = setup.frames.size();
  const auto every = [](std::int64_t steps) {
    return steps == 1 ? std::string("every step") : fmt::format("every {} steps", steps);
  };
  const auto [least, greatest] = setup.frames.gaps();
  if (count < 2 || !scenario.integrator.section->has("dt")) return std::to_string(count);
  if (least == greatest) return fmt::format("{}, {}", count, every(least));
  // No advice if the scenario sets times or a spacing.
  if (scenario.trajectory.given("times") || scenario.trajectory->text("spacing") != "even")
    return std::to_string(count);
  const auto even = equidistant_count(count, setup.steps);
  return fmt::format("{}, {} or {} steps apart; {}", count, least, greatest,
                     even ? fmt::format("`frames = {}` would be {}", *even, every(setup.steps / (*even - 1)))
                          : fmt::format("no number of frames near it is equally spaced in {} steps", setup.steps));
}

double file_size(const Scenario& scenario, const Setup& setup) {
  const TrajectoryOptions options = trajectory_options(scenario, setup);
  const double element = options.single_precision ? 4 : 8, whole = static_cast<double>(setup.bodies.size());
  const double n = options.bodies.empty() ? whole : static_cast<double>(options.bodies.size());
  const bool images = setup.domain.is_periodic(), virial = scenario.forces.front().plugin->cutoff != nullptr;
  const double frame = n * 3 * (element * (options.velocities ? 2 : 1) + (images ? 4 : 0));
  // Frames are stored in rows of chunks, which always have their full size; three tails hold incomplete rows.
  const double in_chunk = std::exp2(std::floor(std::log2(0x1p20 / (std::min(n, 65536.0) * 3 * element))));
  const auto kept = static_cast<double>(setup.frames.size());
  const auto rows = static_cast<double>(std::max(setup.frames.size(), setup.observations.size()));
  const auto chunk = [](double entries, double most) {
    return std::min(std::exp2(std::ceil(std::log2(entries))), most);
  };
  const auto in_chunks = [](double entries, double size) { return std::ceil(entries / size) * size; };
  const double row = chunk(kept, std::clamp(in_chunk, 1.0, 4096.0));
  const auto columns =
      static_cast<double>(std::ranges::count(scenario.integrator.plugin->columns, true, &sim::WorkVector::persistent));
  constexpr double overhead = 7.6e4;  // HDF5's names, attributes and indices
  return (in_chunks(kept, row) + 3 * (row - 1)) * frame + in_chunks(kept, chunk(kept, 1024)) * 32 +
         in_chunks(rows, chunk(rows, 1024)) * 8 *
             ((options.extremes ? 24 : 15) + (virial ? 3 : 0) +
              (options.extremes && has_approach(setup.bodies.size()) ? 3 : 0)) +
         whole * 3 * (48 + 24 * (columns + (images ? 1 : 0))) + n * 20 + overhead;
}

void refuse_rounded_end(const Scenario& scenario, const Setup& setup) {
  if (!setup.rounded_end) return;
  const Section& integrator = scenario.integrator.section;
  integrator.complain(
      "time", fmt::format("is no whole number of steps of dt = {}, and a figure compares all members at their ends: "
                          "choose another dt, or leave that figure out",
                          setup.dt));
}

Error placed(const Scenario& scenario, const Setup& setup, const sim::BodyError& error) {
  for (const std::size_t body : error.bodies()) {
    if (const std::string place = where_body(scenario, setup.first_bodies, body); !place.empty())
      return Error(fmt::format("{}: {}", place, error.what()), error.exit_code());
  }
  return error;
}

Setup set_up_to_step(const Scenario& scenario) {
  std::int64_t bodies = 0;
  for (const auto& choice : scenario.initial) {
    const Value* list = choice.section->find("bodies");
    const auto* columns = list == nullptr ? nullptr : std::get_if<SharedColumns>(list);
    if (columns == nullptr && !choice.section->has("n")) continue;
    const char* key = columns == nullptr ? "n" : "file";
    bodies += columns == nullptr ? choice.section->integer("n") : static_cast<std::int64_t>((*columns)->rows);
    const double need = memory(scenario, static_cast<std::size_t>(bodies)), have = static_cast<double>(usable_memory());
    if (need > have) {
      choice.section.complain(key,
                              fmt::format("{} bodies need {} of memory, this machine has {}",
                                          shortest_text(static_cast<double>(bodies)), in_bytes(need), in_bytes(have)));
    }
  }
  return set_up(scenario);
}

void refuse_too_large(const Scenario& scenario, const Setup& setup, const std::filesystem::path& folder) {
  const double size = file_size(scenario, setup), room = static_cast<double>(free_space(folder.empty() ? "." : folder));
  if (size > room) {
    scenario.trajectory.complain(
        "frames", fmt::format("{} frames come to {}, but {} has {} free: keep fewer frames, `store = \"float32\"` or "
                              "`velocities = false`",
                              setup.frames.size(), in_bytes(size), folder.empty() ? "the disk" : folder.string(),
                              in_bytes(room)));
  }
}

Plan make_plan(const Scenario& scenario, const Setup& setup) {
  auto [made, kind, reason] = make_backend(scenario, setup);
  const Measured measured = affordable(scenario, setup, kind, std::move(made));
  const Setup& part = measured.of(setup);
  const sim::Backend& backend = *measured.backend;
  const bool whole = &part == &setup;
  std::optional<sim::Observables> start;
  std::optional<sim::ForceErrors> errors;
  VirialRatio virial{.value = std::numeric_limits<double>::quiet_NaN(), .deviation = 0};
  Doubts doubtful;
  if (whole) {  // before steps are timed, which move the bodies
    sim::Simulation simulation = simulation_of(scenario, setup, *measured.backend);
    start = with_places(scenario, setup, [&] { return simulation.observe().observables; });
    virial = virial_ratio(setup.bodies, backend.download(sim::Column::acceleration));
    errors = force_errors(scenario, setup, *measured.backend);
    doubtful = doubts(scenario, setup, *measured.backend, *start, errors);
  }
  StepCost step = time_a_step(scenario, part, *measured.backend, patience);
  const double of_part = step.seconds;
  step.seconds *= measured.scale;
  const sim::PairForce force = pair_forces(scenario.forces, setup.bodies).front();
  const double shortest = shortest_timescale(setup, force);
  const double expected = step.seconds * static_cast<double>(setup.steps);

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
  if (const std::string words = words_for_recentring(scenario, setup); !words.empty())
    facts.add("recentre", true, words);
  add_sizes(facts, scenario, setup);
  facts.add("backend", kind);
  facts.add("backend_choice", reason);
  facts.add("device", backend.hardware());
  facts.add("kernel", backend.kernel());
  add_ranks(facts, scenario, setup, measured, kind, of_part);
  facts.add("seconds", expected, words_for_time(expected, whole, step.measured));

  plan.seconds = expected;
  plan.warnings = setup.notes;
  std::ranges::move(doubtful.lines(), std::back_inserter(plan.warnings));
  const bool explained = !doubtful.implausible.empty();
  std::ranges::move(warnings_of(scenario, setup, force, shortest, start, explained), std::back_inserter(plan.warnings));
  add_methods(plan, scenario, setup, kind, errors);
  return plan;
}

}  // namespace orrery::pipeline
