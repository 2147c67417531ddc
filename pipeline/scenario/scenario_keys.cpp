// SPDX-License-Identifier: MIT
// The description of every key that does not belong to a plug-in.
#include "pipeline/scenario/scenario.hpp"
#include "sim/boundaries/list.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view unit_names[] = {"nbody", "si", "astronomical", "galactic"};
constexpr std::string_view precisions[] = {"float64", "mixed", "float32"};
constexpr std::string_view inverse_roots[] = {"rsqrt", "sqrt"};
constexpr std::string_view kernels[] = {"auto", "pair-once", "tiled"};
constexpr std::string_view spacings[] = {"even", "log"};
constexpr std::string_view stores[] = {"float64", "float32"};
constexpr Range at_least_one{.low = 1};

constexpr Parameter top_keys[] = {
    {.name = "title", .kind = Kind::text, .fallback = "\"\"", .meaning = "shown in figures"},
    {.name = "seed",
     .kind = Kind::integer,
     .fallback = "1",
     .meaning = "every random number comes from this",
     .range = not_negative},
    {.name = "units",
     .kind = Kind::text,
     .example = "\"si\"",
     .meaning = "of all numbers: they name axes, allow \"3 years\" as a time, and give the force's constant (G, k)",
     .choices = unit_names,
     .optional = true},
};
constexpr Parameter kind_of_plugin{.name = "kind", .kind = Kind::text, .fallback = "\"\"", .meaning = "which one"};

constexpr Parameter initial_keys[] = {
    kind_of_plugin,
    {.name = "component",
     .kind = Kind::text,
     .example = "\"…\"",
     .meaning = "a name for these bodies; default: the kind, or what it calls its parts",
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
     .meaning =
         "takes place and velocity of the centre of mass from all; default: true, but false in external fields and "
         "between the ends of a box",
     .optional = true},
};
constexpr Parameter perturb_keys[] = {
    {.name = "body",
     .kind = Kind::number_or_text,
     .example = "0",
     .meaning = "which one: its name, or its number, counted from 0"},
    {.name = "position",
     .kind = Kind::numbers,
     .example = "[0.001, 0.0, 0.0]",
     .meaning = "[x, y, z], added to its own",
     .unit = "length",
     .count = 3,
     .optional = true},
    {.name = "velocity",
     .kind = Kind::numbers,
     .example = "[0.001, 0.0, 0.0]",
     .meaning = "[vx, vy, vz], added to its own",
     .unit = "length/time",
     .count = 3,
     .optional = true},
    {.name = "mass",
     .example = "1000",
     .meaning = "added to its own; may be negative",
     .unit = "mass",
     .optional = true},
};
constexpr std::string_view methods[] = {"direct", "cells"};
constexpr Parameter force_keys[] = {
    kind_of_plugin,
    {.name = "method",
     .kind = Kind::text,
     .example = "\"cells\"",
     .meaning = "who sums the pairs: all of them, or those within a cutoff by cells, which laws that have one take by "
                "themselves; the same bits in float64",
     .choices = methods,
     .optional = true},
};
constexpr Parameter domain_keys[] = {
    {.name = "dimensions",
     .kind = Kind::integer,
     .fallback = "3",
     .meaning = "2: all bodies are in the plane z = 0",
     .range = {.low = 2, .high = 3}},
    {.name = "boundary",
     .kind = Kind::text_or_texts,
     .fallback = "\"open\"",
     .meaning = "what is at either end of each axis: one for all of them, or a list; `orrery list boundary`",
     .choices = sim::Boundaries::names},
    {.name = "edges",
     .kind = Kind::numbers,
     .example = "[1.0, 1.0, 1.0]",
     .meaning = "how long the box is along each axis; 0 for no length, where it is open",
     .unit = "length",
     .range = not_negative,
     .optional = true},
    {.name = "low",
     .kind = Kind::numbers,
     .example = "[0.0, 0.0, 0.0]",
     .meaning = "where it begins along each axis (default: 0)",
     .unit = "length",
     .optional = true},
};
constexpr Parameter integrator_keys[] = {
    kind_of_plugin,
    {.name = "dt",
     .kind = Kind::number_or_text,
     .example = "\"1/1000 period\"",
     .meaning = "the time step: a number, \"1/1000 period\" or \"1 hour\"; below 0, the run goes backward; frames fall "
                "on such steps",
     .unit = "time"},
    {.name = "time",
     .kind = Kind::number_or_text,
     .example = "\"10 periods\"",
     .meaning = "how long to run: a number, \"20 periods\" or \"3 years\"; backward, with or without a minus",
     .unit = "time",
     .optional = true},
    {.name = "steps",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "or how many steps",
     .range = {.low = 0, .high = 1e15},
     .optional = true},
};
constexpr Parameter backend_keys[] = {
    kind_of_plugin,
    {.name = "precision",
     .kind = Kind::text,
     .fallback = "\"float64\"",
     .meaning = "of the pair arithmetic",
     .choices = precisions},
    {.name = "inverse_root",
     .kind = Kind::text,
     .fallback = "\"rsqrt\"",
     .meaning = "of float32: the processor's approximation, or 1 / sqrt",
     .choices = inverse_roots},
    {.name = "kernel",
     .kind = Kind::text,
     .fallback = "\"auto\"",
     .meaning = "how pairs are gone through; pair-once by cpu, all by cuda",
     .choices = kernels},
    {.name = "threads",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "\"auto\" follows affinity, cgroup and OMP_NUM_THREADS",
     .range = {.low = 1, .high = 4096},
     .optional = true},
    {.name = "device",
     .kind = Kind::integer,
     .fallback = "0",
     .meaning = "which GPU, counted from 0",
     .range = {.low = 0, .high = 255}},
};
constexpr Parameter times{.name = "times",
                          .kind = Kind::numbers_or_texts,
                          .example = "[0.0, 1.0]",
                          .meaning = "or at these times: numbers, \"2 periods\" or \"30 days\"",
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
    {.name = "file", .kind = Kind::text, .fallback = "\"run.h5\"", .meaning = "inside the output folder"},
    {.name = "frames",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "so many, evenly spaced in time (default: every step, or about 600 that are equally far apart)",
     .range = at_least_one,
     .optional = true},
    {.name = "every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "or one every so many steps",
     .range = at_least_one,
     .optional = true},
    times,
    spacing("of `frames`: \"log\" has t = 0, then even steps in the logarithm of time"),
    first("with \"log\" or `every`, the time of the first frame after t = 0 (default: one step; `every`)"),
    {.name = "store",
     .kind = Kind::text,
     .fallback = "\"float64\"",
     .meaning = "precision of the stored frames",
     .choices = stores},
    {.name = "bodies",
     .kind = Kind::texts,
     .example = "[\"…\"]",
     .meaning = "frames keep only these: by name, or by number as \"3\" or \"0:9\" (default: all)",
     .optional = true},
    {.name = "bodies_every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "and every so many of all, or of those components, from the first",
     .range = at_least_one,
     .optional = true},
    {.name = "components",
     .kind = Kind::texts,
     .example = "[\"…\"]",
     .meaning = "and those of these components",
     .optional = true},
    {.name = "velocities", .kind = Kind::boolean, .fallback = "true", .meaning = "whether frames keep them"},
    {.name = "commit", .fallback = "1.0", .meaning = "seconds between commits", .unit = "s", .range = not_negative},
    {.name = "sync",
     .fallback = "10.0",
     .meaning = "seconds between calls of fdatasync",
     .unit = "s",
     .range = not_negative},
};
constexpr Parameter observables_keys[] = {
    {.name = "every",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "a row every so many steps (default: with the frames only)",
     .range = at_least_one,
     .optional = true},
    {.name = "rows",
     .kind = Kind::integer,
     .example = "1000",
     .meaning = "or so many, evenly spaced in time",
     .range = at_least_one,
     .optional = true},
    times,
    spacing("of `rows`: \"log\" has t = 0, then even steps in the logarithm of time"),
    first("with \"log\" or `every`, the time of the first row after t = 0 (default: one step; `every`)"),
    {.name = "extremes",
     .kind = Kind::boolean,
     .fallback = "true",
     .meaning =
         "rows keep the least and greatest energy and angular momentum since the row before: of every step up to 64 "
         "bodies (every second one of leapfrog-dkd), above that of one step drawn from each 64"},
};

}  // namespace

std::span<const Parameter> section_keys(std::string_view section) {
  if (section == "initial") return initial_keys;
  if (section == "perturb") return perturb_keys;
  if (section == "force") return force_keys;
  if (section == "domain") return domain_keys;
  if (section == "integrator") return integrator_keys;
  if (section == "backend") return backend_keys;
  if (section == "trajectory") return trajectory_keys;
  if (section == "observables") return observables_keys;
  return top_keys;
}

}  // namespace orrery::pipeline
