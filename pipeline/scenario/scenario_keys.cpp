// SPDX-License-Identifier: MIT
// The keys that all plug-ins of a table share; those of [force] have the keys of all solvers among them.
#include <fmt/format.h>

#include "pipeline/scenario/scenario.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view precisions[] = {"float64", "mixed", "float32"};
constexpr std::string_view inverse_roots[] = {"rsqrt", "sqrt"};
constexpr std::string_view kernels[] = {"auto", "pair-once", "tiled"};
constexpr std::string_view spacings[] = {"even", "log"};
constexpr std::string_view stores[] = {"float64", "float32"};
constexpr Range at_least_one{.low = 1};

const std::vector<std::string_view>& unit_names() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const sim::Units& units : sim::all_units()) all.push_back(units.name);
    return all;
  }();
  return names;
}

std::span<const Parameter> top_keys() {
  static const Parameter keys[] = {
      {.name = "title", .kind = Kind::text, .fallback = "\"\"", .meaning = "title of figures and films"},
      {.name = "seed",
       .kind = Kind::integer,
       .fallback = "1",
       .meaning = "seed of all random numbers",
       .range = not_negative},
      {.name = "units",
       .kind = Kind::text,
       .example = "\"si\"",
       .meaning = "system of units of all numbers: sets axis labels and the force constant (G, k) and allows numbers "
                  "with units "
                  "of their own, \"3 years\" or \"1.37 Mearth\"; default: nbody",
       .choices = unit_names(),
       .optional = true},
      {.name = "epoch",
       .kind = Kind::text,
       .example = "\"2026-11-27\"",
       .meaning = "date of t = 0: of the Gregorian calendar with or without a time (\"2026-11-27 18:30\"), \"JD "
                  "2461371.5\" or "
                  "\"J2000\"; in TDB, or with a time scale after it, TT or UTC",
       .optional = true},
  };
  return keys;
}
constexpr Parameter kind_of_plugin{
    .name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "name of the plug-in"};

constexpr Parameter initial_keys[] = {
    kind_of_plugin,
    {.name = "component",
     .kind = Kind::text,
     .example = "\"…\"",
     .meaning = "name of these bodies; default: the kind, or the names of its parts",
     .optional = true},
    {.name = "scale",
     .kind = Kind::numbers,
     .example = "[2.0, 0.7]",
     .meaning = "factors of all positions and of all velocities, before the keys below",
     .range = positive,
     .count = 2,
     .optional = true},
    {.name = "rotate",
     .kind = Kind::numbers,
     .example = "[30.0, 60.0, 0.0]",
     .meaning =
         "angles Ω, i and ω of an orbit, into whose plane x-y turns, with x towards its pericentre: by ω about z, i "
         "about x, Ω about z",
     .unit = "degrees",
     .range = {.low = -1e5, .high = 1e5},
     .count = 3,
     .optional = true},
    {.name = "offset",
     .kind = Kind::numbers,
     .fallback = "[0.0, 0.0, 0.0]",
     .meaning = "added to every position",
     .unit = "length",
     .count = 3},
    {.name = "velocity",
     .kind = Kind::numbers,
     .fallback = "[0.0, 0.0, 0.0]",
     .meaning = "added to every velocity",
     .unit = "length/time",
     .count = 3},
    {.name = "recentre",
     .kind = Kind::boolean,
     .example = "true",
     .meaning = "move the centre of mass of all bodies to the origin and stop it; default: true, but false with "
                "external fields or in a box",
     .optional = true},
};
constexpr Parameter perturb_keys[] = {
    {.name = "body", .kind = Kind::number_or_text, .example = "0", .meaning = "name of the body, or its index from 0"},
    {.name = "position",
     .kind = Kind::numbers,
     .example = "[0.001, 0.0, 0.0]",
     .meaning = "[x, y, z] added to its position",
     .unit = "length",
     .count = 3,
     .optional = true},
    {.name = "velocity",
     .kind = Kind::numbers,
     .example = "[0.001, 0.0, 0.0]",
     .meaning = "[vx, vy, vz] added to its velocity",
     .unit = "length/time",
     .count = 3,
     .optional = true},
    {.name = "mass",
     .example = "1000",
     .meaning = "added to its mass; may be negative",
     .unit = "mass",
     .optional = true},
};
/// `method`, with all solvers, and the keys of each. A key is never given by default, since only one method has it.
std::vector<Parameter> make_force_keys() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const auto* solver : sim::force_solvers()) all.push_back(solver->name);
    return all;
  }();
  static const auto meaning = [] {
    std::string text;
    for (const auto* solver : sim::force_solvers()) text += fmt::format("{}: {}; ", solver->name, solver->meaning);
    const auto laws = sim::force_laws();  // those with a cutoff come last
    return text + fmt::format("default: {} for laws with a cutoff, else {}", sim::default_solver(*laws.back()).name,
                              sim::default_solver(*laws.front()).name);
  }();
  static const std::string example = fmt::format("\"{}\"", sim::default_solver(*sim::force_laws().back()).name);
  std::vector<Parameter> keys{kind_of_plugin,
                              {.name = "method",
                               .kind = Kind::text,
                               .example = example,
                               .meaning = meaning,
                               .choices = names,
                               .optional = true}};
  for (const auto* solver : sim::force_solvers()) {
    for (Parameter key : solver->parameters) {
      if (key.example.empty()) key.example = key.fallback;
      key.fallback = {};
      key.optional = true;
      keys.push_back(key);
    }
  }
  return keys;
}

constexpr Parameter domain_keys[] = {
    {.name = "dimensions",
     .kind = Kind::integer,
     .fallback = "3",
     .meaning = "number of dimensions; with 2, all bodies lie in the plane z = 0, and places and velocities may be "
                "[x, y]",
     .range = {.low = 2, .high = 3}},
    {.name = "boundary",
     .kind = Kind::text_or_texts,
     .fallback = "\"open\"",
     .meaning = "boundary at both ends of each axis: one for all axes, or a list; see `orrery list boundary`",
     .choices = sim::Boundaries::names},
    {.name = "edges",
     .kind = Kind::numbers,
     .example = "[1.0, 1.0, 1.0]",
     .meaning = "length of the box along each axis; 0 along open axes",
     .unit = "length",
     .range = not_negative,
     .optional = true},
    {.name = "low",
     .kind = Kind::numbers,
     .example = "[0.0, 0.0, 0.0]",
     .meaning = "lower end of the box along each axis; default: 0",
     .unit = "length",
     .optional = true},
};
constexpr Parameter integrator_keys[] = {
    kind_of_plugin,
    {.name = "dt",
     .kind = Kind::number_or_text,
     .example = "\"1/1000 period\"",
     .meaning = "time step: a number, \"1/1000 period\" or \"1 hour\"; negative to run backward; frames are at "
                "multiples of dt; integrators with adaptive steps need none",
     .unit = "time",
     .optional = true},
    {.name = "time",
     .kind = Kind::number_or_text,
     .example = "\"10 periods\"",
     .meaning =
         "duration of the run: a number, \"20 periods\" or \"3 years\", rounded to whole steps; the sign is ignored "
         "if dt is negative; with `epoch`, \"until 2031-01-01\"",
     .unit = "time",
     .optional = true},
    {.name = "steps",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of steps, instead of `time`",
     .range = {.low = 0, .high = 1e15},
     .optional = true},
};
constexpr Parameter backend_keys[] = {
    kind_of_plugin,
    {.name = "precision",
     .kind = Kind::text,
     .fallback = "\"float64\"",
     .meaning = "precision of pair forces",
     .choices = precisions},
    {.name = "inverse_root",
     .kind = Kind::text,
     .fallback = "\"rsqrt\"",
     .meaning = "how float32 computes 1/√x: the approximation of the processor, or 1 / sqrt(x)",
     .choices = inverse_roots},
    {.name = "kernel",
     .kind = Kind::text,
     .fallback = "\"auto\"",
     .meaning = "loop over pairs; cpu has auto and pair-once, cuda has all",
     .choices = kernels},
    {.name = "threads",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of threads; default: \"auto\", from CPU affinity, cgroup limit and OMP_NUM_THREADS",
     .range = {.low = 1, .high = 4096},
     .optional = true},
    {.name = "device",
     .kind = Kind::integer,
     .fallback = "0",
     .meaning = "index of the GPU",
     .range = {.low = 0, .high = 255}},
    {.name = "devices",
     .kind = Kind::text,
     .example = "\"0,1\"",
     .meaning = "several GPUs that share the forces, instead of `device`: their indices, or \"all\"",
     .optional = true},
};
constexpr Parameter times{.name = "times",
                          .kind = Kind::numbers_or_texts,
                          .example = "[0.0, 1.0]",
                          .meaning =
                              "times of output, instead of a number: numbers, \"2 periods\" or \"30 days\", "
                              "rounded to whole steps",
                          .unit = "time",
                          .optional = true};

constexpr Parameter spacing(std::string_view meaning) {
  return {.name = "spacing", .kind = Kind::text, .fallback = "\"even\"", .meaning = meaning, .choices = spacings};
}

constexpr Parameter first(std::string_view meaning) {
  return {.name = "first",
          .kind = Kind::number_or_text,
          .example = "\"10 periods\"",
          .meaning = meaning,
          .unit = "time",
          .optional = true};
}

constexpr Parameter trajectory_keys[] = {
    {.name = "file",
     .kind = Kind::text,
     .fallback = "\"run.h5\"",
     .meaning = "name of the trajectory file in the output folder: .h5, .hdf5 or .vtkhdf"},
    {.name = "frames",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of frames, evenly spaced in time; default: every step, or about 600 equidistant frames, "
                "or as many as follow the fastest orbit of up to 64 bodies if 20,000 do",
     .range = at_least_one,
     .optional = true},
    {.name = "every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of steps between frames, instead of `frames`",
     .range = at_least_one,
     .optional = true},
    times,
    spacing("spacing of `frames`; log: t = 0, then even in the logarithm of time"),
    first(
        "time of the first frame after t = 0, with spacing \"log\" (default: dt) or `every` (default: `every` steps)"),
    {.name = "store",
     .kind = Kind::text,
     .fallback = "\"float64\"",
     .meaning = "precision of stored frames",
     .choices = stores},
    {.name = "bodies",
     .kind = Kind::texts,
     .example = "[\"…\"]",
     .meaning = "bodies to store: names, or indices such as \"3\" or \"0:9\"; default: all",
     .optional = true},
    {.name = "bodies_every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "also store every n-th body, of `components` if given",
     .range = at_least_one,
     .optional = true},
    {.name = "components",
     .kind = Kind::texts,
     .example = "[\"…\"]",
     .meaning = "also store the bodies of these components",
     .optional = true},
    {.name = "velocities", .kind = Kind::boolean, .fallback = "true", .meaning = "store velocities"},
    {.name = "commit",
     .fallback = "1.0",
     .meaning = "time between commits of new frames to the file",
     .unit = "s",
     .range = not_negative},
    {.name = "sync",
     .fallback = "10.0",
     .meaning = "time between calls of fdatasync",
     .unit = "s",
     .range = not_negative},
};
constexpr Parameter observables_keys[] = {
    {.name = "every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of steps between rows; default: rows at frames only",
     .range = at_least_one,
     .optional = true},
    {.name = "rows",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "number of rows, evenly spaced in time, instead of `every`",
     .range = at_least_one,
     .optional = true},
    times,
    spacing("spacing of `rows`; log: t = 0, then even in the logarithm of time"),
    first("time of the first row after t = 0, with spacing \"log\" (default: dt) or `every` (default: `every` steps)"),
    {.name = "extremes",
     .kind = Kind::boolean,
     .fallback = "true",
     .meaning = "store minimum and maximum of energy and angular momentum since the previous row: of every step for up "
                "to 64 bodies (every second step of leapfrog-dkd), of one random step in 64 for more"},
};

}  // namespace

std::span<const Parameter> section_keys(std::string_view section) {
  if (section == "initial") return initial_keys;
  if (section == "perturb") return perturb_keys;
  static const std::vector<Parameter> force_keys = make_force_keys();
  if (section == "force") return force_keys;
  if (section == "domain") return domain_keys;
  if (section == "integrator") return integrator_keys;
  if (section == "backend") return backend_keys;
  if (section == "trajectory") return trajectory_keys;
  if (section == "observables") return observables_keys;
  return top_keys();
}

}  // namespace orrery::pipeline
