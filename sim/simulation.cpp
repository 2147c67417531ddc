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
#include "sim/analysis/closest.hpp"
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

/// Steps that are cheap are all looked at.
StepSampling sampling_of(std::size_t bodies, const Integrator& integrator) {
  constexpr std::size_t few = 64;
  if (bodies > few) return {.stride = 64};
  // Where steps begin with a drift a look costs an evaluation of its own: as much as such a step, so every second one.
  return {.stride = integrator.drifts_first && integrator.evaluations == 1 ? 2 : 1};
}

}  // namespace

Simulation::Simulation(Backend& bodies, const Integrator& integrator, double dt, const KeyValues& keys,
                       std::vector<std::string> names)
    : bodies_(bodies),
      integrator_(integrator),
      dt_(dt),
      keys_(keys),
      columns_({Column::position, Column::velocity}),
      names_(std::move(names)) {
  int own = 0;
  for (const WorkVector& column : integrator_.columns) {
    if (column.persistent) columns_.push_back(own_column(own));
    ++own;
  }
  if (bodies_.image()) columns_.push_back(*bodies_.image());
  if (integrator_.start != nullptr) integrator_.start(bodies_);
  last_good_ = download();
}

void Simulation::resume(const Snapshot& from) {
  bodies_.upload(Column::position, from.position);
  bodies_.upload(Column::velocity, from.velocity);
  const std::size_t kept = columns_.size() - (bodies_.image() ? 1 : 0);
  for (std::size_t k = 2; k < kept; ++k) bodies_.upload(columns_[k], from.columns.at(k - 2));
  if (bodies_.image()) bodies_.upload(*bodies_.image(), from.image);
  (void)bodies_.take_extremes();
  earlier_ = from.extremes;
  step_ = tracked_to_ = fine_to_ = from.step;
  clock_ = from.clock;
  cut_short_ = false;
  last_good_ = from;
}

void Simulation::watch(double first_energy, const Snapshot& so_far) {
  tracked_ = sampling_of(last_good_.size(), integrator_);
  first_energy_ = first_energy;
  earlier_ = so_far.extremes;
  excursion_ = so_far.excursion;
}

void Simulation::advance(std::int64_t steps, bool observed_next) {
  if (steps <= 0) return;
  bodies_.expect_observation(false);
  if (takes_own_steps()) return advance_to(step_ + steps);
  take_steps(observed_next ? steps - 1 : steps);
  if (!observed_next) return;
  bodies_.expect_observation(true);
  integrator_.step(bodies_, next_step());
  ++step_;
}

void Simulation::take_steps(std::int64_t steps) {
  const std::int64_t end = step_ + steps;
  if (tracked_.stride == 1) {
    bodies_.expect_observation(true);
    bodies_.repeat(integrator_, next_step(), steps, true);
    bodies_.expect_observation(false);
    step_ = end;
  }
  while (step_ < end) {
    const std::int64_t drawn = tracked_.stride > 0 ? tracked_.next(step_) : end + 1;
    const std::int64_t plain = std::min(end, drawn - 1) - step_;
    bodies_.repeat(integrator_, next_step(), plain, false);
    step_ += plain;
    if (drawn > end) continue;
    bodies_.expect_observation(true);
    bodies_.repeat(integrator_, next_step(), 1, true);
    bodies_.expect_observation(false);
    ++step_;
  }
  tracked_to_ = end;
}

void Simulation::advance_to(std::int64_t step) {
  const AdvanceGoal goal{step_, step, dt_, accuracy(), stop_, tracked_};
  try {
    integrator_.advance_to(bodies_, clock_, goal);
  } catch (const Stopped&) {
    cut_short_ = true;
    return;
  } catch (const StepTooSmall& at) {
    const Pair pair = nearest(bodies_.download(Column::position), at.body, bodies_.domain().periods());
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
  earlier_.meet(bodies_.take_extremes());
  now.extremes = earlier_;
  if (tracked_.stride > 0) look_for_excursion(now, std::numeric_limits<double>::quiet_NaN());
  now.excursion = excursion_;
  last_good_ = now;
  fine_to_ = now.step;
  return now;
}

void Simulation::request_readback() {
  look_at(columns_);
}

void Simulation::request_observables() {
  look_at({});
}

void Simulation::look_at(std::span<const Column> columns) {
  bodies_.request_readback(columns);
  looked_at_ = step_;
  // Integrators that choose their steps are met where those end.
  look_counts_ = !takes_own_steps() && step_ > tracked_to_ && tracked_.takes(step_);
  tracked_to_ = step_;
  clock_looked_at_ = clock_;
}

Snapshot Simulation::take_readback() {
  Backend::Readback readback = bodies_.take_readback();
  const bool holds_state = !readback.columns.empty();
  Snapshot then = snapshot(looked_at_, clock_looked_at_, std::move(readback.columns));
  then.observables = readback.observables;
  // Two bodies may have met just now, which only the next step would show.
  if (!in_range(then) || !std::isfinite(then.observables.total_energy())) explain(looked_at_);
  if (tracked_.stride > 0) {
    then.extremes = std::exchange(earlier_, {});
    then.extremes.meet(readback.extremes);
    if (look_counts_) then.extremes.meet(then.observables.total_energy(), then.observables.angular_momentum);
    look_for_excursion(then, then.observables.total_energy());
    then.excursion = excursion_;
  }
  if (holds_state) last_good_ = then;
  fine_to_ = then.step;
  return then;
}

Snapshot Simulation::with_state(const Snapshot& row) {
  resume(Snapshot(last_good_));
  const StepSampling tracked = std::exchange(tracked_, {});
  advance(row.step - step_);
  tracked_ = tracked;
  if (cut_short_) throw Error("stopped on the way to the state at step " + std::to_string(row.step));
  Snapshot whole = download();
  if (!in_range(whole)) throw Error("the state at step " + std::to_string(row.step) + " is out of range");
  whole.observables = row.observables;
  whole.extremes = row.extremes;
  whole.excursion = row.excursion;
  last_good_ = whole;
  fine_to_ = whole.step;
  return whole;
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
  s.clock = clock;
  if (values.empty()) return s;
  s.position = std::move(values[0]);
  s.velocity = std::move(values[1]);
  if (bodies_.image()) {
    s.image = std::move(values.back());
    values.pop_back();
  }
  s.columns.assign(std::make_move_iterator(values.begin() + 2), std::make_move_iterator(values.end()));
  return s;
}

std::string Simulation::name(std::size_t body) const {
  return body < names_.size() && !names_[body].empty() ? names_[body] : "body " + std::to_string(body);
}

Excursion Simulation::excursion_at(const Snapshot& state) const {
  Excursion found{.step = state.step, .time = state.time};
  if (const Pair pair = closest(state.position, nullptr, bodies_.domain().periods()); std::isfinite(pair.r2)) {
    found.body = static_cast<std::int64_t>(pair.i);
    found.other = static_cast<std::int64_t>(pair.j);
    found.distance = std::sqrt(pair.r2);
  }
  return found;
}

/// Goes back to the last good state and forward again, a look a step; then everything is as it was before.
void Simulation::look_for_excursion(const Snapshot& seen, double energy) {
  const auto off = [this](double e) { return std::abs(energy_error(e, first_energy_)) > tolerated_energy_error; };
  const bool drawn_off = seen.extremes.states > 0 && (off(seen.extremes.energy_low) || off(seen.extremes.energy_high));
  const bool went_off = first_energy_ != 0 && (drawn_off || off(energy));
  if (excursion_ || !went_off) return;
  Snapshot now = download();
  now.extremes = earlier_;
  now.extremes.meet(bodies_.take_extremes());
  const StepSampling tracked = std::exchange(tracked_, {});
  const auto stop = std::exchange(stop_, nullptr);  // or a stop would change what is found
  const bool row = !std::isnan(energy);
  const std::int64_t tracked_to = tracked_to_, fine_to = fine_to_;
  const Snapshot last_good = last_good_;
  resume(last_good);
  while (!excursion_ && step_ < seen.step) {
    advance(1, true);
    const bool counts = takes_own_steps() || tracked.takes(step_) || (row && step_ == seen.step);
    if (step_ > fine_to && counts && off(bodies_.observe().total_energy())) excursion_ = excursion_at(download());
  }
  // Steps of an integrator's own may be off where those of dt are not.
  if (!excursion_ && row) excursion_ = excursion_at(download());
  resume(now);
  last_good_ = last_good;
  stop_ = stop;
  tracked_ = tracked;
  tracked_to_ = tracked_to;
}

/// Goes back to the last good state and forward again step by step, to find the step and the bodies at fault, until it is
/// told to stop.
void Simulation::explain(std::int64_t last) {
  resume(last_good_);
  Snapshot before = last_good_, after = last_good_;
  constexpr auto remedy = ": take a smaller dt, a softening > 0, or units in which the numbers are nearer to 1";
  while (in_range(after) && step_ < last) {
    before = std::move(after);
    if (!told_to_stop()) advance(1);
    if (cut_short_ || step_ == before.step) {
      throw Error("the state left the range of numbers between steps " + std::to_string(before.step) + " and " +
                  std::to_string(last) + ", after t = " + in_digits(before.time) +
                  " (stopped before it was known where)" + remedy);
    }
    after = download();
  }
  const std::string when = " at step " + std::to_string(after.step) + ", t = " + in_digits(after.time);
  const Pair met =
      closest(all_in_range(after.position) ? after.position : before.position, stop_, bodies_.domain().periods());
  if (met.r2 < bodies_.least_r2()) {
    throw Error(
        name(met.i) + " and " + name(met.j) + " came within " + in_digits(std::sqrt(met.r2)) + " of each other" + when +
        ": their force is beyond the range of numbers there; begin with them apart, or give [force] a softening > 0 "
        "if its law takes one");
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
              when + (met.cut_short ? " (stopped before it was known which bodies had met)" : "") + remedy);
}

}  // namespace orrery::sim
