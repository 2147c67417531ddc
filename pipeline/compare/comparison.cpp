// SPDX-License-Identifier: MIT
#include "pipeline/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/domain.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array axes{&sim::Vectors::x, &sim::Vectors::y, &sim::Vectors::z};
constexpr std::array axis_names{"x", "y", "z"};
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
                                    "virial",
                                    "temperature",
                                    "pressure",
                                    "least energy",
                                    "greatest energy",
                                    "least angular momentum x",
                                    "least angular momentum y",
                                    "least angular momentum z",
                                    "greatest angular momentum x",
                                    "greatest angular momentum y",
                                    "greatest angular momentum z",
                                    "closest approach",
                                    "body of the closest approach",
                                    "other body of the closest approach"};
constexpr std::size_t thermal_begin = 12, extremes_begin = 15, approach_begin = 23;

template <class Integer, class Number>
std::uint64_t steps_between(Number a, Number b) {
  // Maps bit patterns to integers in the order of the numbers.
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

/// A vector quantity of all bodies.
struct Quantity {
  const char* name;
  sim::Vectors sim::Snapshot::*vectors;
};
constexpr std::array quantities{Quantity{"position", &sim::Snapshot::position},
                                Quantity{"velocity", &sim::Snapshot::velocity},
                                Quantity{"image", &sim::Snapshot::image}};

double distance(const sim::Vectors& a, const sim::Vectors& b, std::size_t i, const std::array<double, 3>& periods) {
  return std::hypot(sim::nearest_image(a.x[i] - b.x[i], periods[0]), sim::nearest_image(a.y[i] - b.y[i], periods[1]),
                    sim::nearest_image(a.z[i] - b.z[i], periods[2]));
}

std::string describe_moment(std::int64_t step, double time) {
  return fmt::format("step {}, t = {:.12g}", step, time);
}

std::string describe(const FirstDifference& at, const std::string& kind, const std::string& a, const std::string& b) {
  return fmt::format("{} {} ({}), {}{}: {} {:.17g}, {} {:.17g}, {} ulps", kind, at.index,
                     describe_moment(at.step, at.time), at.body.empty() ? "" : at.body + ", ", at.component, a, at.a, b,
                     at.b, at.ulps);
}

Arguments record_of(const FirstDifference& at, const std::string& kind) {
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
  row.thermal = !history.virial.empty();
  if (row.thermal) {
    row.numbers[thermal_begin] = history.virial[i];
    row.numbers[thermal_begin + 1] = history.temperature[i];
    if (!history.pressure.empty()) row.numbers[thermal_begin + 2] = history.pressure[i];
  }
  if (history.states.empty()) return row;
  const auto after = std::ranges::copy(history.energy_range[i], row.numbers.begin() + extremes_begin).out;
  std::ranges::copy(history.momentum_range[i], after);
  row.states = history.states[i];
  row.approach = !history.closest_approach.empty();
  if (row.approach) {
    row.numbers[approach_begin] = history.closest_approach[i];
    for (const std::size_t k : {0, 1})
      row.numbers[approach_begin + 1 + k] = static_cast<double>(history.closest_bodies[i].at(k));
  }
  return row;
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
  const auto copy = [&](const sim::Vectors& from, sim::Vectors& to, bool as_floats) {
    to = sim::Vectors(places.size());
    for (const auto axis : axes) {
      for (std::size_t k = 0; k < places.size(); ++k) {
        const double x = (from.*axis)[places[k]];
        (to.*axis)[k] = as_floats ? static_cast<double>(static_cast<float>(x)) : x;
      }
    }
  };
  copy(snapshot.position, stored.position, floats);
  if (velocities) copy(snapshot.velocity, stored.velocity, floats);
  if (snapshot.image.size() > 0) copy(snapshot.image, stored.image, false);
  return stored;
}

void Comparison::add_frame(std::size_t index, const sim::Snapshot& a, const sim::Snapshot& b, const BodySet& bodies) {
  const bool velocities = a.velocity.size() > 0 && b.velocity.size() > 0;
  bool same = true;
  ++frames_;
  const auto compare = [&](std::size_t i, const Quantity& quantity) {
    const sim::Vectors &left = a.*quantity.vectors, &right = b.*quantity.vectors;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const double x = (left.*axes[k])[i], y = (right.*axes[k])[i];
      if (same_bits(x, y)) continue;
      same = false;
      if (!first_frame_) {
        const bool floats = floats_ && quantity.vectors != &sim::Snapshot::image;
        first_frame_ = FirstDifference{static_cast<std::int64_t>(index),
                                       a.step,
                                       a.time,
                                       bodies.name(i),
                                       fmt::format("{} {}", quantity.name, axis_names[k]),
                                       x,
                                       y,
                                       ulps_between(x, y, floats)};
      }
      return;
    }
  };
  for (std::size_t i = 0; i < bodies.ids.size(); ++i) {
    for (const Quantity& quantity : quantities) {
      if ((a.*quantity.vectors).size() > 0 && (b.*quantity.vectors).size() > 0) compare(i, quantity);
    }
  }
  if (same) {
    ++same_frames_;
    return;
  }
  const auto update = [&](Maximum& maximum, const sim::Vectors& p, const sim::Vectors& q, const auto& periods) {
    for (std::size_t i = 0; i < bodies.ids.size(); ++i) {
      if (const double d = distance(p, q, i, periods); d > maximum.distance) maximum = {d, a.step, a.time};
    }
  };
  update(position_, a.position, b.position, periods_);
  if (velocities) update(velocity_, a.velocity, b.velocity, std::array<double, 3>{});
}

void Comparison::add_row(std::size_t index, std::int64_t step, const ObservableRow& a, const ObservableRow& b) {
  ++rows_;
  const auto comparable = [&](std::size_t k) {
    if (k >= approach_begin && !(a.approach && b.approach)) return false;
    if (k >= extremes_begin) return a.states == b.states;
    return k < thermal_begin || (a.thermal && b.thermal);
  };
  std::size_t k = 0;
  while (k < a.numbers.size() && (!comparable(k) || same_bits(a.numbers[k], b.numbers[k]))) ++k;
  if (k == a.numbers.size()) {
    ++same_rows_;
  } else if (!first_row_) {
    const double x = a.numbers[k], y = b.numbers[k];
    first_row_ = FirstDifference{static_cast<std::int64_t>(index), step, a.time, "", row_components[k], x, y,
                                 ulps_between(x, y, false)};
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
               describe(*first_frame_, "frame", a, b));
  }
  if (first_row_)
    report.add("first_row_difference", std::vector{record_of(*first_row_, "row")}, describe(*first_row_, "row", a, b));
  const auto add_maximum = [&](const std::string& name, const std::string& symbol, const Maximum& at) {
    if (at.distance == 0) return;
    report.add("greatest_" + name, at.distance,
               fmt::format("|{}| = {:.3g} at {}", symbol, at.distance, describe_moment(at.step, at.time)));
    report.add_to_json("greatest_" + name + "_step", at.step);
  };
  add_maximum("distance", "Δx", position_);
  add_maximum("velocity_difference", "Δv", velocity_);
  if (!damaged_.empty()) {
    report.add("damaged", damaged_,
               damaged_.front() + (damaged_.size() > 1 ? fmt::format(", and {} more", damaged_.size() - 1) : ""));
  }
}

}  // namespace orrery::pipeline
