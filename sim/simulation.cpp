// SPDX-License-Identifier: MIT
// Steps, and what to say when a state leaves the range in which the arithmetic holds.
#include "sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

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

/// Body i and the nearest of those from `first` on; infinitely far where there is none.
Pair nearest(const Vectors& x, std::size_t i, std::size_t first) {
  Pair found{i, i};
  for (std::size_t j = first; j < x.size(); ++j) {
    const double dx = x.x[j] - x.x[i], dy = x.y[j] - x.y[i], dz = x.z[j] - x.z[i];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (j != i && r2 < found.r2) found = {i, j, r2};
  }
  return found;
}

Pair closest(const Vectors& x) {
  Pair found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (const Pair mine = nearest(x, i, i + 1); mine.r2 < found.r2) found = mine;
  }
  return found;
}

}  // namespace

Simulation::Simulation(Backend& bodies, const Integrator& integrator, double dt, double accuracy,
                       std::vector<std::string> names)
    : bodies_(bodies),
      integrator_(integrator),
      dt_(dt),
      accuracy_(accuracy),
      columns_({Column::position, Column::velocity}),
      names_(std::move(names)) {
  int own = 0;
  for (const OwnColumn& column : integrator_.columns) {
    if (column.persistent) columns_.push_back(own_column(own));
    ++own;
  }
  if (integrator_.start != nullptr) integrator_.start(bodies_);
  last_good_ = download();
}

void Simulation::resume(const Snapshot& from) {
  bodies_.upload(Column::position, from.position);
  bodies_.upload(Column::velocity, from.velocity);
  for (std::size_t k = 2; k < columns_.size(); ++k) bodies_.upload(columns_[k], from.columns.at(k - 2));
  step_ = from.step;
  clock_ = from.clock;
  cut_short_ = false;
  last_good_ = from;
}

void Simulation::advance(std::int64_t steps, bool observed_next) {
  if (steps <= 0) return;
  bodies_.expect_observation(false);
  if (integrator_.reach != nullptr && (accuracy_ > 0 || integrator_.step == nullptr)) return reach(step_ + steps);
  bodies_.repeat(integrator_.step, dt_, observed_next ? steps - 1 : steps);
  if (observed_next) {
    bodies_.expect_observation(true);
    integrator_.step(bodies_, dt_);
  }
  step_ += steps;
}

void Simulation::reach(std::int64_t step) {
  const Journey journey{step_, step, dt_, accuracy_, stop_};
  try {
    integrator_.reach(bodies_, clock_, journey);
  } catch (const Stopped&) {
    cut_short_ = true;
    return;
  } catch (const StepTooSmall& at) {
    const Pair pair = nearest(bodies_.download(Column::position), at.body, 0);
    const std::string other =
        std::isfinite(pair.r2) ? ", " + in_digits(std::sqrt(pair.r2)) + " from " + name(pair.j) + "," : "";
    throw Error("at t = " + in_digits(at.time) + " " + name(at.body) + other + " asks " +
                std::string(integrator_.name) + " for steps below " + in_digits(std::abs(at.length)) +
                ", which no longer change the time: two bodies meet there, or the accuracy asked for is beyond double; "
                "take a larger " +
                std::string(integrator_.parameters.front().name) + " or give [force] a softening > 0");
  }
  step_ = step;
}

Snapshot Simulation::state() {
  Snapshot now = download();
  if (!in_range(now)) explain(step_);
  last_good_ = now;
  return now;
}

void Simulation::look() {
  bodies_.note(columns_);
  looked_at_ = step_;
  clock_looked_at_ = clock_;
}

Snapshot Simulation::seen() {
  Backend::Note note = bodies_.noted();
  Snapshot then = snapshot(looked_at_, clock_looked_at_, std::move(note.columns));
  then.observables = note.observables;
  // Two bodies may have met just now, which only the next step would show.
  if (!in_range(then) || !std::isfinite(then.observables.total_energy())) explain(looked_at_);
  last_good_ = then;
  return then;
}

Snapshot Simulation::download() const {
  std::vector<Vectors> values;
  for (const Column column : columns_) values.push_back(bodies_.download(column));
  return snapshot(step_, clock_, std::move(values));
}

Snapshot Simulation::snapshot(std::int64_t step, const Clock& clock, std::vector<Vectors> values) const {
  Snapshot s;
  s.step = step;
  s.time = time_at(step);
  s.position = std::move(values[0]);
  s.velocity = std::move(values[1]);
  s.clock = clock;
  s.columns.assign(std::make_move_iterator(values.begin() + 2), std::make_move_iterator(values.end()));
  return s;
}

std::string Simulation::name(std::size_t i) const {
  return i < names_.size() && !names_[i].empty() ? names_[i] : "body " + std::to_string(i);
}

/// Goes back to the last good state and forward again step by step, to find the step and the bodies at fault.
void Simulation::explain(std::int64_t last) {
  resume(last_good_);
  Snapshot before = last_good_, after = last_good_;
  while (in_range(after) && step_ < last) {
    before = std::move(after);
    advance(1);
    after = download();
  }
  const std::string when = " at step " + std::to_string(after.step) + ", t = " + in_digits(after.time);
  const Pair met = closest(all_in_range(after.position) ? after.position : before.position);
  if (met.r2 < bodies_.least_r2()) {
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
