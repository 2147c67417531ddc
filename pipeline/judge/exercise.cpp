// SPDX-License-Identifier: MIT
#include "pipeline/judge/exercise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "common/error.hpp"
#include "sim/force.hpp"

namespace orrery::pipeline::judging {
namespace {

std::vector<double> interleaved(const sim::Vectors& from) {
  std::vector<double> to;
  for (std::size_t i = 0; i < from.size(); ++i) to.insert(to.end(), {from.x[i], from.y[i], from.z[i]});
  return to;
}

double separation(const std::vector<double>& a, std::size_t i, const std::vector<double>& b, std::size_t j) {
  return std::hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);
}

double extent(const std::vector<double>& x) {
  double most = 0;
  for (const double one : x) most = std::max(most, std::abs(one));
  return most > 0 ? most : 1;
}

/// For each body of `to`, the place of a body of `from` that is nearest to it and not taken; empty if one is farther than `within`.
std::vector<std::size_t> nearest(const std::vector<double>& from, const std::vector<double>& to, double within) {
  const std::size_t n = to.size() / 3;
  std::vector<bool> taken(from.size() / 3);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = taken.size();
    for (std::size_t j = 0; j < taken.size(); ++j)
      if (!taken[j] && (best == taken.size() || separation(to, i, from, j) < separation(to, i, from, best))) best = j;
    if (best == taken.size() || !(separation(to, i, from, best) <= within)) return {};
    taken[best] = true;
    places.push_back(best);
  }
  return places;
}

[[noreturn]] void refuse_numbers_of_bodies(const GivenFrames& mine, const Exercise& exercise) {
  const std::vector<double>&x = mine.frames.front().x, &theirs = exercise.problem.start.x;
  const double near = 1e-6 * extent(theirs);
  std::vector<std::string> missing, more;
  const auto has = [&](const std::vector<double>& all, const std::vector<double>& one, std::size_t i) {
    for (std::size_t j = 0; j < all.size() / 3; ++j)
      if (separation(one, i, all, j) <= near) return true;
    return false;
  };
  for (std::size_t i = 0; i < theirs.size() / 3; ++i)
    if (!has(x, theirs, i)) missing.push_back(exercise.problem.labels[i]);
  for (std::size_t i = 0; i < mine.bodies(); ++i)
    if (!has(theirs, x, i)) more.push_back(i < mine.names.size() ? mine.names[i] : fmt::format("{}", i));
  const auto listed = [](std::vector<std::string>& names) {
    if (names.size() > 5) names.resize(5);
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::string which;
  if (!missing.empty() && missing.size() < exercise.problem.bodies()) which = "; missing are " + listed(missing);
  if (!more.empty() && more.size() < mine.bodies()) which += "; not in the scenario are " + listed(more);
  throw Error(fmt::format("{}: {} bodies in a frame, and {} has {}{}", mine.name, mine.bodies(), exercise.name,
                          exercise.problem.bodies(), which),
              Fault::request);
}

void reorder(std::vector<double>& x, const std::vector<std::size_t>& places) {
  if (x.empty()) return;
  const std::vector<double> before = x;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) x[3 * i + k] = before[3 * places[i] + k];
}

/// The same vector between all bodies of both, if there is one.
std::optional<std::array<double, 3>> shift(const std::vector<double>& a, const std::vector<double>& b, double scale) {
  std::array<double, 3> d{};
  for (std::size_t k = 0; k < 3; ++k) d[k] = a[k] - b[k];
  for (std::size_t c = 0; c < a.size(); ++c)
    if (!(std::abs(a[c] - b[c] - d[c % 3]) <= 1e-7 * scale)) return std::nullopt;
  for (const double one : d)
    if (std::abs(one) > 1e-6 * scale) return d;
  return std::nullopt;
}

}  // namespace

Exercise exercise_of(const Setup& setup, const std::string& name) {
  const sim::Model& model = setup.model;
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: `judge` steps gravity or Coulomb's force of all pairs in open space: {}", name, what),
                Fault::request);
  };
  const std::string_view law = model.force.plugin->name;
  if (law != "gravity" && law != "coulomb") refuse(fmt::format("not the force `{}`", law));
  if (!model.fields.empty()) refuse(fmt::format("not the field `{}`", model.fields.front().plugin->name));
  if (!model.domain.is_open()) refuse("not a box");
  if (model.integrator->bath) refuse(fmt::format("not the random forces of `{}`", model.integrator->name));
  const sim::PairForce force = sim::make_pair_force(*model.force.plugin, model.bodies, model.force.values);
  Exercise exercise{.name = name,
                    .problem = {.start = {interleaved(model.bodies.position), interleaved(model.bodies.velocity)},
                                .mass = model.bodies.mass,
                                .source = force.source,
                                .answer = force.target_factor,
                                .softening = sim::softening_in(model.force.values)},
                    .G = model.coupling(),
                    .dt = model.dt,
                    .steps = model.steps,
                    .frames = {},
                    .integrator = std::string(model.integrator->name)};
  for (std::int64_t s = setup.output.frames.from(0); s <= model.steps && exercise.frames.size() < 100000;
       s = setup.output.frames.from(s + 1))
    exercise.frames.push_back(static_cast<double>(s));
  for (std::size_t i = 0; i < model.bodies.size(); ++i) exercise.problem.labels.push_back(model.bodies.label(i));
  return exercise;
}

std::vector<std::string> align(GivenFrames& mine, const Exercise& exercise) {
  std::vector<std::string> remarks;
  if (mine.bodies() != exercise.problem.bodies()) refuse_numbers_of_bodies(mine, exercise);
  const auto is_number = [](double x) { return std::isfinite(x); };
  for (std::size_t f = 0; f < mine.frames.size(); ++f) {
    const State& frame = mine.frames[f];
    const auto bad = std::ranges::find_if_not(frame.x, is_number);
    if (bad == frame.x.end() && std::ranges::all_of(frame.v, is_number)) continue;
    const auto body = static_cast<std::size_t>(bad - frame.x.begin()) / 3;
    remarks.push_back(fmt::format("frame {} has {} that is no number{}: only the frames before it are compared", f,
                                  bad == frame.x.end() ? "a velocity" : "a position",
                                  bad == frame.x.end() ? "" : fmt::format(" ({})", exercise.problem.labels[body])));
    mine.frames.resize(f);
    break;
  }
  if (mine.frames.empty()) return remarks;
  const std::vector<double>& start = exercise.problem.start.x;
  const double scale = extent(start);
  // Before the order is known, the mean places tell a shift.
  const auto n = static_cast<double>(mine.bodies());
  std::vector<double> moved = mine.frames[0].x;
  for (std::size_t k = 0; k < 3; ++k) {
    double d = 0;
    for (std::size_t c = k; c < start.size(); c += 3) d += (moved[c] - start[c]) / n;
    for (std::size_t c = k; c < start.size(); c += 3) moved[c] -= std::abs(d) > 1e-6 * scale ? d : 0;
  }
  if (const auto places = nearest(moved, start, 1e-5 * scale); !places.empty() && !std::ranges::is_sorted(places)) {
    for (State& frame : mine.frames) {
      reorder(frame.x, places);
      reorder(frame.v, places);
    }
    remarks.emplace_back(
        "the bodies are in another order than in the scenario; they are compared by their first positions");
  }
  const auto d = shift(mine.frames[0].x, start, scale);
  std::optional<std::array<double, 3>> u;
  if (!mine.frames[0].v.empty())
    u = shift(mine.frames[0].v, exercise.problem.start.v, extent(exercise.problem.start.v));
  if (d || u) {
    for (std::size_t f = 0; f < mine.frames.size(); ++f) {
      const double t = mine.times.empty() ? exercise.frames[std::min(f, exercise.frames.size() - 1)] * exercise.dt
                                          : mine.times[f] - mine.times[0];
      for (std::size_t c = 0; c < start.size(); ++c) {
        mine.frames[f].x[c] -= (d ? (*d)[c % 3] : 0) + (u ? (*u)[c % 3] * t : 0);
        if (u) mine.frames[f].v[c] -= (*u)[c % 3];
      }
    }
    remarks.push_back(
        fmt::format("all bodies {}{}{}: forces are the same, so they are compared without that (is the centre of "
                    "mass put to rest in one and not in the other?)",
                    d ? fmt::format("are shifted by ({:.6g}, {:.6g}, {:.6g})", (*d)[0], (*d)[1], (*d)[2]) : "",
                    d && u ? " and " : "",
                    u ? fmt::format("move along at ({:.6g}, {:.6g}, {:.6g})", (*u)[0], (*u)[1], (*u)[2]) : ""));
  }
  return remarks;
}

std::vector<Moments> moments(const GivenFrames& mine, const Exercise& exercise) {
  std::vector<Moments> all;
  const std::size_t count = mine.frames.size();
  const bool ascending = mine.times.size() >= count && std::ranges::adjacent_find(mine.times, [&](double a, double b) {
                                                         return !((b - a) * exercise.dt > 0);
                                                       }) == mine.times.end();
  const auto add = [&](std::vector<double> steps, std::string words) {
    for (const Moments& one : all)
      if (one.steps == steps) return;
    all.push_back({std::move(steps), std::move(words), ascending && !all.empty()});
  };
  if (ascending) {
    std::vector<double> steps;
    for (std::size_t f = 0; f < count; ++f) {
      double step = mine.times[f] / exercise.dt;
      // Sums of dt, and times of six digits, are near whole steps.
      if (std::abs(step - std::round(step)) < 1e-4 * std::max(1.0, std::min(step * 1e-2, 1e3))) step = std::round(step);
      steps.push_back(step);
    }
    add(steps, "");
  }
  if (count <= exercise.frames.size())
    add({exercise.frames.begin(), exercise.frames.begin() + static_cast<std::ptrdiff_t>(count)},
        "as the scenario keeps its frames");
  const auto every = [&](double interval, const std::string& words) {
    std::vector<double> steps;
    for (std::size_t f = 0; f < count; ++f) steps.push_back(static_cast<double>(f) * interval);
    add(steps, words);
  };
  every(1, "after each step");
  if (count > 1) {
    const double interval = static_cast<double>(exercise.steps) / static_cast<double>(count - 1);
    if (interval == std::round(interval) && interval > 1) every(interval, fmt::format("every {} steps", interval));
  }
  return all;
}

}  // namespace orrery::pipeline::judging
