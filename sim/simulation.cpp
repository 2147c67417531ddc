// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include "common/error.hpp"
#include "sim/analysis/closest.hpp"
#include "sim/body_error.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

/// Index of the first vector with a component that is NaN, infinite or beyond `farthest`; v.size() if there is none.
std::size_t first_out_of_range(const Vectors& v) {
  const auto valid = [](double x) { return std::abs(x) < farthest; };
  std::size_t i = 0;
  while (i < v.size() && valid(v.x[i]) && valid(v.y[i]) && valid(v.z[i])) ++i;
  return i;
}

bool in_range(const Vectors& v) {
  return first_out_of_range(v) == v.size();
}

bool in_range(const Snapshot& s) {
  return in_range(s.position) && in_range(s.velocity);
}

/// How often a body would cross a bounded axis in a step of dt, and that body and axis; 0 in unbounded space.
struct Crossings {
  double count = 0;
  std::size_t body = 0, axis = 0;
};
Crossings most_crossings(const Vectors& velocity, const Domain& domain, double dt) {
  Crossings most;
  const std::vector<double>* const columns[] = {&velocity.x, &velocity.y, &velocity.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!domain.boundary[axis]->bounded) continue;
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      const double count = std::abs((*columns[axis])[i] * dt) / domain.edges[axis];
      if (count > most.count) most = {count, i, axis};
    }
  }
  return most;
}

/// Six significant digits.
std::string shortest_text(double x) {
  std::ostringstream out;
  out << x;
  return std::move(out).str();
}

StepSampling sampling_of(std::size_t bodies, const Integrator& integrator) {
  if (bodies > few_bodies) return {.stride = 64};
  // If steps begin with a drift, a sample needs an extra evaluation of the forces, which costs as much as a step.
  return {.stride = integrator.drifts_first && integrator.evaluations == 1 ? 2 : 1};
}

/// Sets a variable for as long as it lives, also if something throws meanwhile.
template <class T>
class Meanwhile {
 public:
  Meanwhile(T& variable, T value) : variable_(variable), kept_(std::exchange(variable, std::move(value))) {}
  ~Meanwhile() { variable_ = std::move(kept_); }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  [[nodiscard]] const T& kept() const { return kept_; }

 private:
  T& variable_;
  T kept_;
};

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
  for (const ScratchColumn& column : integrator_.columns) {
    if (column.persistent) columns_.push_back(scratch_column(own));
    ++own;
  }
  if (bodies_.image()) columns_.push_back(*bodies_.image());
  if (integrator_.start != nullptr) integrator_.start(bodies_);
  last_good_ = download();
}

Simulation::Simulation(Backend& bodies, const Model& model)
    : Simulation(bodies, *model.integrator, model.dt, model.keys, model.bodies.names) {}

void Simulation::resume(const Snapshot& from) {
  bodies_.upload(Column::position, from.position);
  bodies_.upload(Column::velocity, from.velocity);
  const std::size_t kept = columns_.size() - (bodies_.image() ? 1 : 0);
  for (std::size_t k = 2; k < kept; ++k) bodies_.upload(columns_[k], from.columns.at(k - 2));
  if (bodies_.image()) bodies_.upload(*bodies_.image(), from.image);
  (void)bodies_.take_extremes();
  earlier_ = from.extremes;
  step_ = tracked_to_ = energy_checked_to_ = from.step;
  clock_ = from.clock;
  cut_short_ = false;
  last_good_ = from;
}

void Simulation::watch(const InitialEnergy& first, const Snapshot& so_far, std::vector<double> mass) {
  sampling_ = sampling_of(last_good_.size(), integrator_);
  first_energy_ = first;
  mass_ = std::move(mass);
  earlier_ = so_far.extremes;
  energy_violation_ = so_far.energy_violation;
}

void Simulation::advance(std::int64_t steps, bool observed_next) {
  if (steps <= 0) return;
  bodies_.expect_observation(false);
  if (is_adaptive()) return advance_to(step_ + steps);
  take_steps(observed_next ? steps - 1 : steps);
  if (!observed_next) return;
  bodies_.expect_observation(true);
  integrator_.step(bodies_, next_step());
  ++step_;
}

void Simulation::take_steps(std::int64_t steps) {
  const std::int64_t end = step_ + steps;
  if (sampling_.stride == 1) {
    bodies_.expect_observation(true);
    bodies_.repeat(integrator_, next_step(), steps, true);
    bodies_.expect_observation(false);
    step_ = end;
  }
  while (step_ < end) {
    const std::int64_t sampled = sampling_.stride > 0 ? sampling_.next(step_) : end + 1;
    const std::int64_t plain = std::min(end, sampled - 1) - step_;
    bodies_.repeat(integrator_, next_step(), plain, false);
    step_ += plain;
    if (sampled > end) continue;
    bodies_.expect_observation(true);
    bodies_.repeat(integrator_, next_step(), 1, true);
    bodies_.expect_observation(false);
    ++step_;
  }
  tracked_to_ = end;
}

void Simulation::advance_to(std::int64_t step) {
  const AdvanceGoal goal{step_, step, dt_, accuracy(), stop_, sampling_};
  try {
    integrator_.advance_to(bodies_, clock_, goal);
  } catch (const Stopped&) {
    cut_short_ = true;
    return;
  } catch (const StepTooSmall& at) {
    const PairOfBodies pair = nearest(bodies_.download(Column::position), at.body, bodies_.domain().periods());
    const std::string other =
        std::isfinite(pair.r2) ? ", " + shortest_text(std::sqrt(pair.r2)) + " from " + name(pair.j) + "," : "";
    throw Error("at t = " + shortest_text(at.time) + " " + name(at.body) + other + " requires steps of " +
                std::string(integrator_.name) + " below " + shortest_text(std::abs(at.length)) +
                ", which no longer change the time: two bodies collide, or the accuracy exceeds that of float64; "
                "take a larger " +
                std::string(integrator_.parameters.front().name) + " or give [force] a softening > 0");
  }
  step_ = step;
}

Snapshot Simulation::state() {
  Snapshot now = download();
  if (!in_range(now)) throw_out_of_range(step_);
  earlier_.include(bodies_.take_extremes());
  now.extremes = earlier_;
  if (sampling_.stride > 0) find_energy_violation(now, std::numeric_limits<double>::quiet_NaN());
  now.energy_violation = energy_violation_;
  last_good_ = now;
  energy_checked_to_ = now.step;
  return now;
}

void Simulation::begin_readback(std::span<const Column> columns) {
  bodies_.request_readback(columns);
  readback_step_ = step_;
  // Adaptive integrators track the ends of their own steps instead.
  readback_sampled_ = !is_adaptive() && step_ > tracked_to_ && sampling_.takes(step_);
  tracked_to_ = step_;
  readback_clock_ = clock_;
}

Snapshot Simulation::take_readback() {
  return end_readback(true);
}

Snapshot Simulation::look() {
  request_readback();
  return end_readback(false);
}

Snapshot Simulation::end_readback(bool is_row) {
  Backend::Readback readback = bodies_.take_readback();
  const bool holds_state = !readback.columns.empty();
  Snapshot then = snapshot(readback_step_, readback_clock_, std::move(readback.columns));
  then.observables = readback.observables;
  then.closest = readback.closest;
  // A close encounter in this state may show in its energy alone.
  if (!in_range(then) || !std::isfinite(then.observables.total_energy())) throw_out_of_range(readback_step_);
  then.extremes = std::exchange(earlier_, {});
  then.extremes.include(readback.extremes);
  if (readback_sampled_)
    then.extremes.include(then.observables.total_energy(), then.observables.angular_momentum, then.closest);
  if (!is_row) earlier_ = then.extremes;
  if (sampling_.stride > 0)
    find_energy_violation(then, is_row ? then.observables.total_energy() : std::numeric_limits<double>::quiet_NaN());
  then.energy_violation = energy_violation_;
  if (holds_state) last_good_ = then;
  energy_checked_to_ = then.step;
  return then;
}

Snapshot Simulation::restore_state(const Snapshot& row) {
  resume(Snapshot(last_good_));
  {
    const Meanwhile unsampled(sampling_, StepSampling());
    advance(row.step - step_);
  }
  if (cut_short_) throw Error("stopped on the way to the state at step " + std::to_string(row.step));
  Snapshot whole = download();
  if (!in_range(whole)) throw Error("the state at step " + std::to_string(row.step) + " is out of range");
  whole.observables = row.observables;
  whole.extremes = row.extremes;
  whole.closest = row.closest;
  whole.energy_violation = row.energy_violation;
  last_good_ = whole;
  energy_checked_to_ = whole.step;
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

EnergyViolation Simulation::energy_violation_at(const Snapshot& before, const Snapshot& state) const {
  EnergyViolation found{.step = state.step, .time = state.time};
  const PairOfBodies pair = max_changed({mass_, before.position, before.velocity},
                                        {mass_, state.position, state.velocity}, bodies_.domain().periods());
  if (std::isfinite(pair.r2)) {
    found.body = static_cast<std::int64_t>(std::min(pair.i, pair.j));
    found.other = static_cast<std::int64_t>(std::max(pair.i, pair.j));
    found.distance = std::sqrt(pair.r2);
  }
  return found;
}

/// Repeats the steps since the last good state and checks each one; then restores the current state.
void Simulation::find_energy_violation(const Snapshot& current, double energy) {
  const auto off = [this](double e) { return std::abs(first_energy_.error(e)) > tolerated_energy_error; };
  const Extremes& seen = current.extremes;
  const bool sampled_off = seen.states > 0 && (off(seen.energy_low) || off(seen.energy_high));
  if (energy_violation_ || first_energy_.scale() == 0 || !(sampled_off || off(energy))) return;
  Snapshot now = download();
  now.extremes = earlier_;
  now.extremes.include(bodies_.take_extremes());
  const Meanwhile unsampled(sampling_, StepSampling());
  const Meanwhile unstopped(stop_, StopRequest());  // a stop would change the result
  const Meanwhile good(last_good_, last_good_);
  const Meanwhile tracked(tracked_to_, tracked_to_);
  const bool row = !std::isnan(energy);
  const std::int64_t checked_to = energy_checked_to_;
  resume(good.kept());
  Snapshot before = good.kept();
  while (!energy_violation_ && step_ < current.step) {
    advance(1, true);
    Snapshot here = download();
    const bool counts = is_adaptive() || unsampled.kept().takes(step_) || (row && step_ == current.step);
    const bool found = step_ > checked_to && counts && off(bodies_.observe().total_energy());
    // The energy_violation may lie in an adaptive step between two multiples of dt.
    if (found || (row && step_ == current.step)) energy_violation_ = energy_violation_at(before, here);
    before = std::move(here);
  }
  resume(now);
}

/// Repeats the steps since the last good state one by one to find the step and the bodies at fault.
void Simulation::throw_out_of_range(std::int64_t last) {
  resume(last_good_);
  Snapshot before = last_good_, after = last_good_;
  constexpr auto remedy = ": take a smaller dt, a softening > 0, or units in which the numbers are nearer to 1";
  while (in_range(after) && step_ < last) {
    before = std::move(after);
    if (!stop_ || !stop_()) advance(1);
    if (cut_short_ || step_ == before.step) {
      throw Error("the state left the range of numbers between steps " + std::to_string(before.step) + " and " +
                  std::to_string(last) + ", after t = " + shortest_text(before.time) +
                  " (stopped before it was known where)" + remedy);
    }
    after = download();
  }
  const std::string when = " at step " + std::to_string(after.step) + ", t = " + shortest_text(after.time);
  const PairOfBodies met =
      closest(in_range(after.position) ? after.position : before.position, stop_, bodies_.domain().periods());
  if (met.r2 < bodies_.min_r2()) {
    throw BodyError({met.i, met.j}, name(met.i) + " and " + name(met.j) + " came within " +
                                        shortest_text(std::sqrt(met.r2)) + " of each other" + when +
                                        ": their force is beyond the range of numbers there; begin with them apart, or "
                                        "give [force] a softening > 0 "
                                        "if its law takes one");
  }
  // Integrators take parts of a step that are longer than dt.
  if (const Crossings most = most_crossings(before.velocity, bodies_.domain(), dt_); most.count > max_crossings / 2) {
    throw BodyError({most.body}, name(most.body) + " would cross the box along " + "xyz"[most.axis] + " " +
                                     shortest_text(most.count) + " times in the step that ends" + when +
                                     ": take a smaller dt");
  }
  // A position out of range makes the forces on all others NaN, and so their velocities.
  const std::size_t moved = first_out_of_range(after.position);
  const std::size_t i = moved < after.size() ? moved : first_out_of_range(after.velocity);
  throw BodyError(i < after.size() ? std::vector{i} : std::vector<std::size_t>(),
                  (i < after.size() ? name(i) + " left the range of numbers" : "the energy left the range of numbers") +
                      when + (met.was_stopped ? " (stopped before it was known which bodies had met)" : "") + remedy);
}

}  // namespace orrery::sim
