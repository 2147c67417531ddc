// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/domain.hpp"
#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/schedule_keys.hpp"
#include "pipeline/scenario/turning.hpp"
#include "pipeline/scenario/units.hpp"
#include "sim/body_error.hpp"
#include "sim/rotation.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

/// What an initial state made, scaled by `scale` and turned by `rotate`.
void turn_and_scale(const InitialTable& choice, const sim::Rotation& rotation, sim::InitialConditions& made) {
  if (choice.section->has("scale")) {
    const double length = choice.section->numbers("scale")[0], speed = choice.section->numbers("scale")[1];
    const auto multiply = [](sim::Vectors& all, double factor) {
      for (auto* axis : {&all.x, &all.y, &all.z}) {
        for (double& x : *axis) x *= factor;
      }
    };
    multiply(made.bodies.position, length);
    multiply(made.bodies.velocity, speed);
    made.timescale *= length / speed;
    made.equilibrium = made.equilibrium && std::abs(length * speed * speed - 1) < 1e-9;
  }
  if (!choice.section->has("rotate")) return;
  sim::rotate(rotation, made.bodies.position);
  sim::rotate(rotation, made.bodies.velocity);
}

sim::Rotation rotation_of(const InitialTable& choice) {
  if (!choice.section->has("rotate")) return {};
  const auto& angles = choice.section->numbers("rotate");
  return sim::rotation_of(angles[0], angles[1], angles[2]);
}

/// What `function` returns for the values of a table, whose keys ArgumentErrors complain of.
template <class Function>
auto asked(const InitialTable& choice, const Function& function) {
  try {
    return function(choice.section.values());
  } catch (const ArgumentError& error) {
    choice.section.complain(error.name(), error.what());
  }
}

/// Whether the plug-in has a key of that name, which replaces the common one.
bool has_own(const InitialTable& choice, std::string_view key) {
  return std::ranges::find(choice.plugin->parameters, key, &Parameter::name) != choice.plugin->parameters.end();
}

/// The bodies that the table lists; null if it lists none.
SharedColumns list_of(const InitialTable& choice) {
  const Value* list = choice.section->find("bodies");
  const auto* columns = list == nullptr ? nullptr : std::get_if<SharedColumns>(list);
  return columns == nullptr ? nullptr : *columns;
}

/// Appends vectors, each shifted by `shift`.
void append(sim::Vectors& to, sim::Vectors&& from, const std::vector<double>& shift) {
  const auto add = [](std::vector<double>& all, std::vector<double>&& more, double distance) {
    for (double& x : more) x += distance;
    if (all.empty()) {
      all = std::move(more);
    } else {
      all.insert(all.end(), more.begin(), more.end());
    }
  };
  add(to.x, std::move(from.x), shift[0]);
  add(to.y, std::move(from.y), shift[1]);
  add(to.z, std::move(from.z), shift[2]);
}

/// Appends a list that may be empty; `n` and `more` are the numbers of bodies. The result has n + more entries, or none.
template <class T>
void append(std::vector<T>& to, std::size_t n, std::vector<T>&& from, std::size_t more) {
  if (to.empty() && from.empty()) return;
  if (n == 0) {
    to = std::move(from);
  } else {
    to.resize(n);
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }
  to.resize(n + more);
}

/// Adds the bodies of one [[initial]] with its `offset` and `velocity`; their species are numbered from `species`.
void add(sim::Bodies& all, sim::Bodies&& some, const InitialTable& choice, std::int32_t species) {
  const std::vector<double> none{0, 0, 0};
  append(all.position, std::move(some.position), choice.section->numbers("offset"));
  append(all.velocity, std::move(some.velocity),
         has_own(choice, "velocity") ? none : choice.section->numbers("velocity"));
  const std::size_t n = all.size(), more = some.size();
  append(all.names, n, std::move(some.names), more);
  append(all.charge, n, std::move(some.charge), more);
  append(all.radius, n, std::move(some.radius), more);
  append(all.mass, n, std::move(some.mass), more);
  all.species.reserve(n + more);
  for (std::size_t i = 0; i < more; ++i) all.species.push_back(species + (some.species.empty() ? 0 : some.species[i]));
}

/// Appends the names of the species of one [[initial]]: `component` or the kind, combined with `own` names if there are any.
void name_components(std::vector<std::string>& components, const std::vector<std::string_view>& own,
                     const InitialTable& choice) {
  const std::string given = choice.section->has("component") ? choice.section->text("component") : "";
  if (own.empty()) components.push_back(given.empty() ? std::string(choice.plugin->name) : given);
  for (const std::string_view name : own)
    components.push_back(given.empty() ? std::string(name) : fmt::format("{} {}", given, name));
}

/// The index of the [[initial]] that made body i.
std::size_t table_of(const std::vector<std::size_t>& first_bodies, std::size_t i) {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_bodies, i) - first_bodies.begin()) - 1;
}

/// Whether two names have the same hash. For a million different names the probability is 10^-7.
bool maybe_double(const std::vector<std::string>& names) {
  std::vector<XXH64_hash_t> hashes;
  hashes.reserve(names.size());
  for (const std::string& name : names) {
    if (!name.empty()) hashes.push_back(XXH3_64bits(name.data(), name.size()));
  }
  std::ranges::sort(hashes);
  return std::ranges::adjacent_find(hashes) != hashes.end();
}

/// Throws if two bodies have the same name. `first` are Setup::first_bodies.
void check_names(const Scenario& scenario, const std::vector<std::string>& names,
                 const std::vector<std::size_t>& first) {
  if (!maybe_double(names)) return;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || seen.insert(names[i]).second) continue;
    const std::string place = where_body(scenario, first, i),
                      what = fmt::format("two bodies are named \"{}\"", names[i]);
    if (place.empty()) scenario.tables.initial[table_of(first, i)].section.complain("", what);
    refuse(place, what);
  }
}

/// The maximum absolute coordinate.
double max_abs(const sim::Vectors& all) {
  double most = 0;
  for (const auto* axis : {&all.x, &all.y, &all.z}) {
    for (const double value : *axis) most = std::max(most, std::abs(value));
  }
  return most;
}

/// Moves the centre of mass to the origin and stops it; stores the change in `setup`.
void recentre(Setup& setup) {
  constexpr double rounding = 1e-10;  // relative, of the sums over all bodies
  sim::Bodies& bodies = setup.model.bodies;
  if (bodies.size() == 0) return;
  const sim::Vectors &x = bodies.position, &v = bodies.velocity;
  const sim::Vec3 place{x.x[0], x.y[0], x.z[0]}, velocity{v.x[0], v.y[0], v.z[0]};
  const double far = max_abs(x), fast = max_abs(v);
  sim::recentre(bodies);
  const auto change = [](const sim::Vec3& before, const sim::Vectors& after, double scale) {
    const sim::Vec3 by{before.x - after.x[0], before.y - after.y[0], before.z - after.z[0]};
    const double most = std::max({std::abs(by.x), std::abs(by.y), std::abs(by.z)});
    return most > rounding * scale ? by : sim::Vec3{};
  };
  setup.moved = change(place, x, far);
  setup.slowed = change(velocity, v, fast);
}

/// Where the bodies of one [[initial]] are, and how fast: centre and mean velocity by mass, and squares of both.
struct InitialPart {
  double mass = 0, place2 = 0, speed2 = 0;
  sim::Vec3 place{}, velocity{};
};

/// Of the bodies from `first` on, which `choice` made. A model is centred on its `offset`, whatever its sample.
InitialPart part_of(const sim::Bodies& bodies, std::size_t first, const InitialTable& choice) {
  InitialPart part;
  for (std::size_t i = first; i < bodies.size(); ++i) part.mass += bodies.mass[i];
  if (!(part.mass > 0)) return part;
  const auto mean = [&](const sim::Vectors& all, sim::Vec3& value, double& square) {
    for (std::size_t i = first; i < bodies.size(); ++i) {
      const double w = bodies.mass[i] / part.mass, x = all.x[i], y = all.y[i], z = all.z[i];
      value.x += w * x, value.y += w * y, value.z += w * z;
      square += w * (x * x + y * y + z * z);
    }
  };
  mean(bodies.position, part.place, part.place2);
  mean(bodies.velocity, part.velocity, part.speed2);
  if (!lists_bodies(*choice.plugin)) {
    const auto given = [&](const char* key) {
      const auto& v = choice.section->numbers(key);
      return sim::Vec3{v[0], v[1], v[2]};
    };
    part.place = given("offset");
    if (!has_own(choice, "velocity")) part.velocity = given("velocity");
  }
  return part;
}

/// Whether two parts are about one centre, at rest to each other, to a fifth of the extent of `a`.
bool concentric(const InitialPart& a, const InitialPart& b) {
  constexpr double near2 = 0.04;
  const auto square = [](const sim::Vec3& p, const sim::Vec3& q) {
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
  };
  const auto variance = [&](double squares, const sim::Vec3& p) { return squares - square(p, {}); };
  return square(a.place, b.place) <= near2 * variance(a.place2, a.place) &&
         square(a.velocity, b.velocity) <= near2 * variance(a.speed2, a.velocity);
}

/// The name of the initial state that is meant to make the whole stationary, or "". `meant`: which parts say so. Parts
/// of less than a hundredth of the mass are no matter.
std::string equilibrium_of(const Scenario& scenario, const std::vector<InitialPart>& parts,
                           const std::vector<bool>& meant, bool has_fields) {
  const auto main = static_cast<std::size_t>(std::ranges::find(meant, true) - meant.begin());
  if (main == parts.size()) return "";
  double mass = 0;
  for (const InitialPart& part : parts) mass += part.mass;
  const auto fits = [&](const InitialPart& part) { return part.mass <= 0.01 * mass || concentric(parts[main], part); };
  if (!std::ranges::all_of(parts, fits) || (has_fields && !concentric(parts[main], {}))) return "";
  return std::string(scenario.tables.initial[main].plugin->name);
}

/// Throws if `memory` says that a run of the bodies to come needs more than there is; of those whose number is not known in
/// advance, there are few.
void check_memory(const Scenario& scenario, const std::function<double(std::size_t)>& memory) {
  std::int64_t bodies = 0;
  for (const auto& choice : scenario.tables.initial) {
    const SharedColumns columns = list_of(choice);
    if (!columns && !choice.section->has("n")) continue;
    bodies += columns ? static_cast<std::int64_t>(columns->rows) : choice.section->integer("n");
    const double need = memory(static_cast<std::size_t>(bodies)), have = static_cast<double>(usable_memory());
    if (need > have) {
      choice.section.complain(columns ? "file" : "n",
                              fmt::format("{} bodies need {} of memory, this machine has {}",
                                          shortest_text(static_cast<double>(bodies)), in_bytes(need), in_bytes(have)));
    }
  }
}

/// The mass profiles of all [[initial]] tables that have one, if there are several; `environments` of each.
std::vector<sim::MassProfile> mass_profiles(const Scenario& scenario,
                                            const std::vector<sim::Environment>& environments) {
  const auto& tables = scenario.tables.initial;
  std::vector<sim::MassProfile> all(tables.size());
  for (std::size_t i = 0; i < tables.size() && tables.size() > 1; ++i) {
    if (tables[i].plugin->enclosed_mass == nullptr) continue;
    all[i] = asked(tables[i],
                   [&](const Arguments& values) { return tables[i].plugin->enclosed_mass(values, environments[i]); });
  }
  return all;
}

/// Of `all`, those of the other tables with the offset and velocity of table i. What is scaled is made as if alone.
std::vector<sim::MassProfile> companions_of(const Scenario& scenario, const std::vector<sim::MassProfile>& all,
                                            std::size_t i) {
  const auto& tables = scenario.tables.initial;
  std::vector<sim::MassProfile> others;
  for (std::size_t j = 0; j < all.size(); ++j) {
    if (j == i || !all[j] || tables[i].section->has("scale") || tables[j].section->has("scale")) continue;
    const auto same = [&](const char* key) {
      return tables[i].section->numbers(key) == tables[j].section->numbers(key);
    };
    if (same("offset") && same("velocity")) others.push_back(all[j]);
  }
  return others;
}

/// Makes the bodies of all [[initial]] tables. The timescale is that of the first table that has one.
void make_bodies(const Scenario& scenario, Setup& setup) {
  bool centred = true;
  std::vector<InitialPart> parts;
  std::vector<bool> meant_stationary;
  sim::Model& model = setup.model;
  const auto fields = sim::fields_of(model);
  const bool boxed = std::ranges::any_of(model.domain.boundary, &sim::Boundary::bounded);
  std::vector<sim::Environment> environments;
  for (const auto& choice : scenario.tables.initial) {
    const auto& offset = choice.section->numbers("offset");
    environments.push_back({.G = model.attraction(),
                            .random = sim::Random(scenario.seed, static_cast<std::uint32_t>(environments.size())),
                            .softening = sim::softening_in(model.force.values),
                            .fields = fields,
                            .origin = {offset[0], offset[1], offset[2]},
                            .rotation = rotation_of(choice),
                            .domain = model.domain,
                            .units = in_si(*model.units),
                            .before = &model.bodies,
                            .epoch = scenario.epoch ? std::optional(scenario.epoch->julian_date()) : std::nullopt});
  }
  const std::vector<sim::MassProfile> masses = mass_profiles(scenario, environments);
  for (std::size_t i = 0; i < environments.size(); ++i) {
    const InitialTable& choice = scenario.tables.initial[i];
    if (choice.plugin->enclosed_mass != nullptr) environments[i].companions = companions_of(scenario, masses, i);
    auto made = asked(choice, [&](const Arguments& values) { return choice.plugin->make(values, environments[i]); });
    turn_and_scale(choice, environments[i].rotation, made);
    setup.first_bodies.push_back(model.bodies.size());
    add(model.bodies, std::move(made.bodies), choice, static_cast<std::int32_t>(model.components.size()));
    name_components(model.components, made.components, choice);
    parts.push_back(part_of(model.bodies, setup.first_bodies.back(), choice));
    meant_stationary.push_back(made.equilibrium);
    if (setup.facts.timescale == 0) {
      setup.facts.timescale = made.timescale;
      setup.facts.timescale_name = made.timescale_name;
    }
    // External fields and boxes have fixed positions: by default bodies are not moved relative to them.
    centred =
        centred && (choice.section->has("recentre") ? choice.section->boolean("recentre") : fields.empty() && !boxed);
  }
  check_names(scenario, model.bodies.names, setup.first_bodies);
  setup.equilibrium = equilibrium_of(scenario, parts, meant_stationary, !fields.empty());
  if (centred) recentre(setup);
  perturb(model.bodies, scenario.tables.perturbations);
  const auto& first = scenario.tables.initial.front();
  setup.facts.G = model.G;
  for (const double mass : model.bodies.mass) setup.facts.mass += mass;
  if (parts.size() == 1 && first.plugin->density != nullptr && !first.section->has("scale"))
    setup.facts.density = first.plugin->density(first.section.values());
}

/// Throws if the solver does not support these forces in this domain; counts its interactions. Moves the bodies out and
/// back, to avoid a copy.
void check_solver(const Scenario& scenario, Setup& setup) {
  sim::System system = system_at(scenario.tables.force, setup.model, std::move(setup.model.bodies),
                                 [&](std::size_t i) { return where_body(scenario, setup.first_bodies, i); });
  refuse_unsolvable(scenario.tables, system, setup.model.precision);
  setup.interactions = sim::solver_of(system).interactions(system);
  setup.model.bodies = std::move(system.bodies);
}

TimeUnits time_units(const Scenario& scenario, const Setup& setup) {
  return {setup.facts.timescale, std::string(setup.model.units->time), scenario.epoch};
}

/// `frames` is the default number of frames.
void set_schedules(const Scenario& scenario, std::int64_t frames, Setup& setup) {
  const StepPlan step_plan{setup.model.dt, setup.model.steps, time_units(scenario, setup),
                           std::ranges::any_of(scenario.overrides,
                                               [](const std::string& override) {
                                                 return override.starts_with("integrator") ||
                                                        override.starts_with("initial");
                                               }),
                           setup.model.accuracy() > 0};
  const auto scheduled = [&](const std::string& name, const Section& table, const char* count,
                             const Schedule& otherwise) {
    Adjusted adjusted;
    Schedule schedule = schedule_of(table, count, step_plan, otherwise, adjusted);
    for (auto& [key, value] : adjusted.keys) setup.adjusted.emplace(name + "." + key, std::move(value));
    setup.notes.insert(setup.notes.end(), adjusted.notes.begin(), adjusted.notes.end());
    return schedule;
  };
  OutputPlan& output = setup.output;
  output.frames = scheduled("trajectory", scenario.tables.trajectory, "frames", {Evenly{frames}, step_plan.steps});
  output.rows = scheduled("observables", scenario.tables.observables, "rows", output.frames);
}

/// The usual number of frames; of few bodies more if they turn too far between those, up to what a picture reads and 16 MB.
std::int64_t default_frames(const Setup& setup) {
  constexpr double max_bytes = 16e6;
  const sim::Model& model = setup.model;
  // Without dt, the steps are as fine as any output needs, and their number says nothing.
  if (setup.dt_of_outputs) return usual_frames(std::min<std::int64_t>(model.steps, 600));
  const std::int64_t usual = usual_frames(model.steps);
  const std::int64_t needed = frames_to_follow(model, setup.facts.timescale, model.attraction());
  const double bytes = 48 * static_cast<double>(model.bodies.size()) + 300;  // a frame and a row
  const double most = std::min({max_drawn_frames, max_bytes / bytes, static_cast<double>(model.steps + 1)});
  if (needed <= usual || static_cast<double>(needed) > most) return usual;
  return equidistant_above(needed, model.steps);
}

/// All of [trajectory] and [observables] but the schedules.
void set_output(const Scenario& scenario, Setup& setup) {
  const Section &trajectory = scenario.tables.trajectory, &observables = scenario.tables.observables;
  setup.output.stored = {.single_precision = trajectory->text("store") == "float32",
                         .velocities = trajectory->boolean("velocities"),
                         .extremes = observables->boolean("extremes"),
                         .bodies = kept_bodies(trajectory, setup.model.bodies, setup.model.components),
                         .commit = trajectory->number("commit"),
                         .sync = trajectory->number("sync")};
  setup.default_frames = !trajectory.given("frames") && !trajectory.given("every") && !trajectory.given("times");
}

}  // namespace

Setup set_up(const Scenario& scenario, const std::function<double(std::size_t)>& memory) {
  if (memory) check_memory(scenario, memory);
  Setup setup{.model = scenario.model};
  make_bodies(scenario, setup);
  check_inside(scenario.tables.domain, setup.model.domain, setup.model.bodies, sim::fields_of(setup.model),
               [&](std::size_t i) { return where_body(scenario, setup.first_bodies, i); });
  set_output(scenario, setup);
  check_solver(scenario, setup);
  setup.dt_of_outputs = !set_steps(scenario, time_units(scenario, setup), setup.model, setup.notes);
  setup.rounded_end = !setup.notes.empty();
  set_schedules(scenario, default_frames(setup), setup);
  return setup;
}

namespace {

/// `time` of [integrator]. A date is on the side of the epoch to which dt runs.
double length_of_run(const Section& integrator, const TimeUnits& units, double dt) {
  const double time = time_of(integrator, "time", units);
  const Value& written = *integrator->find("time");
  if (std::holds_alternative<std::string>(written) && parse_duration(written).date && time * dt < 0) {
    integrator.complain(
        "time", fmt::format("the date is {} the epoch, {}: {}", time < 0 ? "before" : "after", to_text(*units.epoch),
                            time < 0 ? "a run backward has a negative `dt`" : "a run forward has a positive `dt`"));
  }
  return time;
}

}  // namespace

bool set_steps(const Scenario& scenario, const TimeUnits& units, sim::Model& model, std::vector<std::string>& notes) {
  const Section& integrator = scenario.tables.integrator;
  double& dt = model.dt;
  if (!integrator->has("dt")) {
    const double time = time_of(integrator, "time", units);
    model.steps = steps_for_outputs(scenario.tables.trajectory, scenario.tables.observables, time, units);
    dt = model.steps == 0 ? 1 : time / static_cast<double>(model.steps);
    if (!std::isnormal(dt)) integrator.complain("time", "`time` is too short: a part of it is a subnormal double");
    return false;
  }
  dt = time_of(integrator, "dt", units);
  if (dt != 0 && !std::isnormal(dt)) integrator.complain("dt", "`dt` is too small: it is a subnormal double");
  if (dt == 0) integrator.complain("dt", "`dt` must not be 0: a positive dt runs forward, a negative one backward");
  model.steps = integrator.given("steps")
                    ? integrator->integer("steps")
                    : nearest_step(integrator, "time", length_of_run(integrator, units, dt), dt, notes);
  return true;
}

std::string where_body(const Scenario& scenario, const std::vector<std::size_t>& first_bodies, std::size_t i) {
  const std::size_t table = table_of(first_bodies, i);
  const auto& [plugin, section] = scenario.tables.initial[table];
  return lists_bodies(*plugin) ? section.where(fmt::format("bodies[{}]", i - first_bodies[table])) : "";
}

std::map<std::size_t, SharedColumns> listed_bodies(const Scenario& scenario) {
  std::map<std::size_t, SharedColumns> all;
  for (std::size_t i = 0; i < scenario.tables.initial.size(); ++i) {
    if (const SharedColumns columns = list_of(scenario.tables.initial[i])) all.emplace(i, columns);
  }
  return all;
}

std::optional<sim::KeplerStart> kepler_start(const Scenario& scenario) {
  const auto& [plugin, section] = scenario.tables.initial.front();
  const bool alone = scenario.tables.initial.size() == 1 && scenario.tables.perturbations.empty();
  const sim::Model& model = scenario.model;
  if (plugin->kepler == nullptr || !alone || section->has("scale") || section->has("rotate") || !model.fields.empty() ||
      !model.is_newtonian() || sim::softening_in(model.force.values) != 0)
    return std::nullopt;
  return plugin->kepler(section.values());
}

bool has_random_bodies(const Scenario& scenario) {
  return std::ranges::any_of(scenario.tables.initial, [](const auto& choice) { return choice.plugin->random; });
}

bool has_listed_bodies(const Scenario& scenario) {
  return std::ranges::any_of(scenario.tables.initial, [](const auto& choice) { return lists_bodies(*choice.plugin); });
}

sim::System system_at(const Section& force, const sim::Model& model, sim::Bodies bodies,
                      const std::function<std::string(std::size_t)>& where) {
  try {
    return sim::system_of(model, std::move(bodies));
  } catch (const sim::BodyArgumentError& error) {
    const std::string place = where ? where(error.body()) : "";
    if (place.empty()) force.complain(error.name(), error.what());
    refuse(place, error.what());
  } catch (const ArgumentError& error) {
    force.complain(error.name(), error.what());
  }
}

}  // namespace orrery::pipeline
