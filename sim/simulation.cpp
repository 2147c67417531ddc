// SPDX-License-Identifier: MIT
// Steps, and what to say when a state leaves the range in which the arithmetic holds.
#include "sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "common/error.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

/// True for numbers, false for infinities, NaN and what is too far away.
bool all_in_range(const Vectors& v) {
  const auto fine = [](double x) { return std::abs(x) < farthest; };
  return std::ranges::all_of(v.x, fine) && std::ranges::all_of(v.y, fine) && std::ranges::all_of(v.z, fine);
}

bool in_range(const Snapshot& s) {
  return all_in_range(s.position) && all_in_range(s.velocity);
}

/// As people write numbers: six digits, and a power of ten where it takes one.
std::string in_digits(double x) {
  std::ostringstream out;
  out << x;
  return std::move(out).str();
}

struct Pair {
  std::size_t i = 0, j = 0;
  double r2 = std::numeric_limits<double>::infinity();
};

Pair closest(const Vectors& x) {
  Pair found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double dx = x.x[j] - x.x[i], dy = x.y[j] - x.y[i], dz = x.z[j] - x.z[i];
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < found.r2) found = {i, j, r2};
    }
  }
  return found;
}

}  // namespace

Simulation::Simulation(Backend& bodies, const Integrator& integrator, double dt, std::vector<std::string> names)
    : bodies_(bodies), integrator_(integrator), dt_(dt), names_(std::move(names)), last_good_(download()) {}

void Simulation::resume(const Snapshot& from) {
  bodies_.upload(Column::position, from.position);
  bodies_.upload(Column::velocity, from.velocity);
  int own = 0;
  std::size_t kept = 0;
  for (const OwnColumn& column : integrator_.columns) {
    if (column.persistent) bodies_.upload(own_column(own), from.columns.at(kept++));
    ++own;
  }
  step_ = from.step;
  last_good_ = from;
}

void Simulation::advance(std::int64_t steps, bool observed_next) {
  for (std::int64_t k = 1; k <= steps; ++k) {
    bodies_.expect_observation(observed_next && k == steps);
    integrator_.step(bodies_, dt_);
  }
  step_ += std::max<std::int64_t>(steps, 0);
}

Snapshot Simulation::state() {
  Snapshot now = download();
  if (!in_range(now)) explain();
  last_good_ = now;
  return now;
}

Snapshot Simulation::observe() {
  Snapshot now = download();
  if (!in_range(now)) explain();
  now.observables = bodies_.observe();
  // Two bodies may have met just now, which only the next step would show.
  if (!std::isfinite(now.observables.total_energy())) explain();
  last_good_ = now;
  return now;
}

Snapshot Simulation::download() const {
  Snapshot now;
  now.step = step_;
  now.time = time();
  now.position = bodies_.download(Column::position);
  now.velocity = bodies_.download(Column::velocity);
  int own = 0;
  for (const OwnColumn& column : integrator_.columns) {
    if (column.persistent) now.columns.push_back(bodies_.download(own_column(own)));
    ++own;
  }
  return now;
}

/// Goes back to the last good state and forward again step by step, to find the step and the bodies at fault.
void Simulation::explain() {
  const auto name = [&](std::size_t i) {
    return i < names_.size() && !names_[i].empty() ? names_[i] : "body " + std::to_string(i);
  };
  const std::int64_t last = step_;
  resume(last_good_);
  Snapshot before = last_good_, after = last_good_;
  while (in_range(after) && step_ < last) {
    before = std::move(after);
    advance(1);
    after = download();
  }
  const std::string when = " at step " + std::to_string(after.step) + ", t = " + in_digits(after.time);
  const Pair met = closest(all_in_range(after.position) ? after.position : before.position);
  if (met.r2 < least_r2_of_any_law) {
    throw Error(name(met.i) + " and " + name(met.j) + " came within " + in_digits(std::sqrt(met.r2)) +
                " of each other" + when +
                ": their force is beyond the range of numbers there; give [force] a softening > 0");
  }
  const auto bad = [](const Vectors& v) {
    std::size_t i = 0;
    while (i < v.size() && std::max({std::abs(v.x[i]), std::abs(v.y[i]), std::abs(v.z[i])}) < farthest &&
           !std::isnan(v.x[i] + v.y[i] + v.z[i])) {
      ++i;
    }
    return i;
  };
  const std::size_t i = std::min(bad(after.position), bad(after.velocity));
  throw Error((i < after.size() ? name(i) + " left the range of numbers" : "the energy left the range of numbers") +
              when + ": take a smaller dt, a softening > 0, or units in which the numbers are nearer to 1");
}

}  // namespace orrery::sim
