// SPDX-License-Identifier: MIT
// Bits are compared as bits; how far apart they are is said in units in the last place and as a distance.
#include "pipeline/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace orrery::pipeline {
namespace {

constexpr std::array axes{&sim::Vectors::x, &sim::Vectors::y, &sim::Vectors::z};
constexpr std::array components{"position x", "position y", "position z", "velocity x", "velocity y", "velocity z"};
constexpr std::array row_components{"kinetic energy",
                                    "potential energy",
                                    "total energy",
                                    "momentum x",
                                    "momentum y",
                                    "momentum z",
                                    "angular momentum x",
                                    "angular momentum y",
                                    "angular momentum z",
                                    "center of mass x",
                                    "center of mass y",
                                    "center of mass z",
                                    "least energy",
                                    "greatest energy",
                                    "least angular momentum x",
                                    "least angular momentum y",
                                    "least angular momentum z",
                                    "greatest angular momentum x",
                                    "greatest angular momentum y",
                                    "greatest angular momentum z"};
constexpr std::ptrdiff_t extremes_of_row = 8;

template <class Integer, class Number>
std::uint64_t steps_between(Number a, Number b) {
  // In the order of the numbers: those below zero count down from it.
  const auto place = [](Number x) {
    const auto bits = std::bit_cast<Integer>(x);
    return bits < 0 ? std::numeric_limits<Integer>::min() - bits : bits;
  };
  const Integer i = place(a), j = place(b);
  return static_cast<std::uint64_t>(std::max(i, j)) - static_cast<std::uint64_t>(std::min(i, j));
}

std::uint64_t ulps_between(double a, double b, bool floats) {
  return floats ? steps_between<std::int32_t>(static_cast<float>(a), static_cast<float>(b))
                : steps_between<std::int64_t>(a, b);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The vectors of a snapshot; those of velocities only where `both` have them.
std::vector<const sim::Vectors*> vectors_of(const sim::Snapshot& snapshot, bool velocities) {
  if (velocities) return {&snapshot.position, &snapshot.velocity};
  return {&snapshot.position};
}

double distance(const sim::Vectors& a, const sim::Vectors& b, std::size_t i) {
  return std::hypot(a.x[i] - b.x[i], a.y[i] - b.y[i], a.z[i] - b.z[i]);
}

std::string moment(std::int64_t step, double time) {
  return fmt::format("step {}, t = {:.12g}", step, time);
}

std::string parting_in_words(const Parting& at, const std::string& kind, const std::string& a, const std::string& b) {
  return fmt::format("{} {} ({}), {}{}: {} {:.17g}, {} {:.17g}, {} ulps", kind, at.index, moment(at.step, at.time),
                     at.body.empty() ? "" : at.body + ", ", at.component, a, at.a, b, at.b, at.ulps);
}

Arguments record_of(const Parting& at, const std::string& kind) {
  Arguments record;
  record.set(kind, at.index);
  record.set("step", at.step);
  record.set("time", at.time);
  if (!at.body.empty()) record.set("body", at.body);
  record.set("component", at.component);
  record.set("a", at.a);
  record.set("b", at.b);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  record.set("ulps", static_cast<std::int64_t>(std::min(at.ulps, most)));
  return record;
}

}  // namespace

ObservableRow row_at(const History& history, std::size_t i) {
  const auto &p = history.momentum[i], &l = history.angular_momentum[i], &c = history.center_of_mass[i];
  ObservableRow row{history.time[i],
                    {history.kinetic_energy[i], history.potential_energy[i], history.total_energy[i], p[0], p[1], p[2],
                     l[0], l[1], l[2], c[0], c[1], c[2]}};
  if (history.states.empty()) return row;
  const auto after = std::ranges::copy(history.energy_range[i], row.numbers.end() - extremes_of_row).out;
  std::ranges::copy(history.momentum_range[i], after);
  row.states = history.states[i];
  return row;
}

ObservableRow row_of(const sim::Snapshot& snapshot) {
  const sim::Observables& o = snapshot.observables;
  const sim::Vec3 &p = o.momentum, &l = o.angular_momentum, &c = o.center_of_mass;
  const sim::Extremes e = snapshot.extremes.with(o.total_energy(), o.angular_momentum);
  const sim::Vec3 &low = e.momentum_low, &high = e.momentum_high;
  return {snapshot.time,
          {o.kinetic_energy,
           o.potential_energy,
           o.total_energy(),
           p.x,
           p.y,
           p.z,
           l.x,
           l.y,
           l.z,
           c.x,
           c.y,
           c.z,
           e.energy_low,
           e.energy_high,
           low.x,
           low.y,
           low.z,
           high.x,
           high.y,
           high.z},
          e.states};
}

sim::Snapshot as_stored(const sim::Snapshot& snapshot, const std::vector<std::size_t>& places, bool floats,
                        bool velocities) {
  sim::Snapshot stored{.step = snapshot.step,
                       .time = snapshot.time,
                       .position = {},
                       .velocity = {},
                       .columns = {},
                       .clock = {},
                       .observables = snapshot.observables};
  const auto copy = [&](const sim::Vectors& from, sim::Vectors& to) {
    to = sim::Vectors(places.size());
    for (const auto axis : axes) {
      for (std::size_t k = 0; k < places.size(); ++k) {
        const double x = (from.*axis)[places[k]];
        (to.*axis)[k] = floats ? static_cast<double>(static_cast<float>(x)) : x;
      }
    }
  };
  copy(snapshot.position, stored.position);
  if (velocities) copy(snapshot.velocity, stored.velocity);
  return stored;
}

void Comparison::add_frame(std::size_t index, const sim::Snapshot& a, const sim::Snapshot& b, const BodySet& bodies) {
  const bool velocities = a.velocity.size() > 0 && b.velocity.size() > 0;
  const auto left = vectors_of(a, velocities), right = vectors_of(b, velocities);
  bool same = true;
  ++frames_;
  for (std::size_t i = 0; i < bodies.ids.size(); ++i) {
    for (std::size_t k = 0; k < 3 * left.size(); ++k) {
      const double x = (left[k / 3]->*axes[k % 3])[i], y = (right[k / 3]->*axes[k % 3])[i];
      if (same_bits(x, y)) continue;
      same = false;
      if (!first_frame_) {
        first_frame_ = Parting{static_cast<std::int64_t>(index), a.step, a.time, bodies.name(i), components[k], x, y,
                               ulps_between(x, y, floats_)};
      }
      break;
    }
  }
  if (same) {
    ++same_frames_;
    return;
  }
  const auto widen = [&](Greatest& greatest, const sim::Vectors& p, const sim::Vectors& q) {
    for (std::size_t i = 0; i < bodies.ids.size(); ++i) {
      if (const double d = distance(p, q, i); d > greatest.distance) greatest = {d, a.step, a.time};
    }
  };
  widen(position_, a.position, b.position);
  if (velocities) widen(velocity_, a.velocity, b.velocity);
}

void Comparison::add_row(std::size_t index, std::int64_t step, const ObservableRow& a, const ObservableRow& b) {
  ++rows_;
  const auto differ = [](double x, double y) { return !same_bits(x, y); };
  const auto end = a.numbers.end() - (a.states == b.states ? 0 : extremes_of_row);
  const auto at = std::mismatch(a.numbers.begin(), end, b.numbers.begin(), std::not_fn(differ));
  if (at.first == end) {
    ++same_rows_;
  } else if (!first_row_) {
    const auto k = static_cast<std::size_t>(at.first - a.numbers.begin());
    first_row_ =
        Parting{static_cast<std::int64_t>(index),          step, a.time, "", row_components[k], *at.first, *at.second,
                ulps_between(*at.first, *at.second, false)};
  }
}

void Comparison::add_damaged(const std::string& why) {
  ++frames_;
  damaged_.push_back(why);
}

bool Comparison::same() const {
  return same_frames_ == frames_ && same_rows_ == rows_;
}

void Comparison::report(Report& report, const std::string& a, const std::string& b) const {
  const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  report.add("frames_compared", count(frames_), fmt::format("{}, {} of them the same bits", frames_, same_frames_));
  report.add_to_json("frames_same", count(same_frames_));
  report.add("rows_compared", count(rows_), fmt::format("{}, {} of them the same bits", rows_, same_rows_));
  report.add_to_json("rows_same", count(same_rows_));
  if (first_frame_) {
    report.add("first_difference", std::vector{record_of(*first_frame_, "frame")},
               parting_in_words(*first_frame_, "frame", a, b));
  }
  if (first_row_)
    report.add("first_row_difference", std::vector{record_of(*first_row_, "row")},
               parting_in_words(*first_row_, "row", a, b));
  const auto greatest = [&](const std::string& name, const std::string& sign, const Greatest& at) {
    if (at.distance == 0) return;
    report.add("greatest_" + name, at.distance,
               fmt::format("|{}| = {:.3g} at {}", sign, at.distance, moment(at.step, at.time)));
    report.add_to_json("greatest_" + name + "_step", at.step);
  };
  greatest("distance", "Δx", position_);
  greatest("velocity_difference", "Δv", velocity_);
  if (!damaged_.empty()) {
    report.add("damaged", damaged_,
               damaged_.front() + (damaged_.size() > 1 ? fmt::format(", and {} more", damaged_.size() - 1) : ""));
  }
}

}  // namespace orrery::pipeline
