// SPDX-License-Identifier: MIT
// Advance, write what was read back, read back, show.
#include "pipeline/run/main_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/error.hpp"
#include "pipeline/interrupt.hpp"

namespace orrery::pipeline {

MainLoop::MainLoop(const Scenario& scenario, const Setup& setup, sim::Backend& backend, TrajectoryWriter& trajectory,
                   const Origin* origin, Messages& messages, Progress* whole)
    : setup_(setup),
      backend_(backend),
      trajectory_(trajectory),
      origin_(origin),
      simulation_(simulation_of(scenario, setup, backend)),
      progress_(whole != nullptr ? *whole : own_progress_.emplace("stepping", messages)),
      whole_(whole),
      start_(origin != nullptr ? origin->state.step : 0),
      interactions_(interactions_of_an_evaluation(scenario, setup)),
      writer_(trajectory, origin != nullptr ? start_ : -1),
      control_(setup, writer_) {
  if (origin != nullptr) simulation_.resume(origin->state);
  simulation_.stop_when([] { return Interrupt::signal() != 0; });
  sim::Snapshot first = simulation_.observe();
  if (origin != nullptr) first.extremes = origin->state.extremes, first.excursion = origin->state.excursion;
  const sim::Observables& seen = first.observables;
  first_energy_ = origin != nullptr ? origin->first_energy : seen.total_energy();
  if (scenario.observables->boolean("extremes") && (origin == nullptr || origin->extremes)) {
    simulation_.watch(
        origin != nullptr ? origin->watched_energy : sim::unless_rounding(seen.kinetic_energy, seen.potential_energy),
        first);
  }
  last_ = std::make_shared<sim::Snapshot>(std::move(first));
}

template <class Work>
auto MainLoop::or_make_safe(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    make_safe();
    throw Error(fmt::format("{} (the file holds everything up to step {})", error.what(), writer_.safe()),
                error.exit_code());
  }
}

Stepping MainLoop::run() {
  begin();
  while (const std::int64_t steps = control_.slice(simulation_.step())) {
    advance(steps);
    if (simulation_.cut_short()) break;
    write();
    read_back(control_.readback(simulation_.step(), rows_.size()));
    show_progress();
  }
  return finish();
}

void MainLoop::begin() {
  show_progress();
  if (origin_ != nullptr) return;
  writer_.keep(last_, setup_.frames.contains(last_->step));
  writer_.commit(last_);  // from here on there is something to go on from
}

void MainLoop::advance(std::int64_t steps) {
  or_make_safe([&] { simulation_.advance(steps, control_.has_row(simulation_.step() + steps)); });
}

void MainLoop::read_back(Readback what) {
  switch (what) {
    case Readback::none:
      return;
    case Readback::observables:
    case Readback::state:
      or_make_safe(
          [&] { what == Readback::state ? simulation_.request_readback() : simulation_.request_observables(); });
      pending_ = true;
      return;
    case Readback::restart:
      auto state = std::make_shared<sim::Snapshot>(or_make_safe([&] { return simulation_.state(); }));
      write_rows();
      writer_.commit(std::move(state));
  }
}

void MainLoop::write() {
  if (std::exchange(pending_, false)) write(or_make_safe([&] { return simulation_.take_readback(); }));
}

void MainLoop::write(sim::Snapshot snapshot) {
  auto now = std::make_shared<sim::Snapshot>(std::move(snapshot));
  // A row without a state waits for the next good state: no file could go on from behind it.
  if (now->size() == 0) return rows_.push_back(std::move(now));
  write_rows();
  last_ = std::move(now);
  writer_.keep(last_, setup_.frames.contains(last_->step));
}

void MainLoop::write_rows() {
  for (auto& row : rows_) writer_.keep(std::move(row), false);
  rows_.clear();
}

Stepping MainLoop::finish() {
  write();
  if (simulation_.cut_short()) {
    rows_.clear();  // the state is beyond them and not whole
  } else if (last_->step != simulation_.step()) {
    last_ = std::make_shared<sim::Snapshot>(or_make_safe([&] { return simulation_.observe(); }));
    write_rows();
  }
  const bool finished = simulation_.step() == setup_.steps;
  writer_.wait();
  if (!finished && last_->step > writer_.safe()) writer_.commit(last_), writer_.wait();
  if (finished) trajectory_.finish(*last_);
  if (whole_ != nullptr) whole_->clear();  // others print now
  return {.last = *last_,
          .steps = simulation_.step() - start_,
          .seconds = progress_.elapsed().count(),
          .energy_error = energy_error(),
          .signal = finished ? 0 : Interrupt::signal()};
}

void MainLoop::show_progress() {
  const auto step = static_cast<double>(simulation_.step());
  const double fraction = step / static_cast<double>(std::max<std::int64_t>(setup_.steps, 1));
  if (simulation_.step() == start_) return progress_.starts_at(fraction);
  progress_.show(fraction, [&] {
    const double seconds = progress_.elapsed().count();
    return fmt::format(
        "{} steps/s · {} interactions/s · ΔE/E₀ {:+.1e}", with_prefix((step - static_cast<double>(start_)) / seconds),
        with_prefix(static_cast<double>(backend_.evaluations()) * interactions_ / seconds), energy_error());
  });
}

/// Where the state has left the range of numbers or a device is lost. The backend is asked for no more than the states of rows
/// that have none, once if it is lost.
void MainLoop::make_safe() {
  try {
    if (std::exchange(pending_, false)) write(simulation_.take_readback());
  } catch (const Error&) {  // it was lost with the device
  }
  try {
    for (const auto& row : std::exchange(rows_, {})) write(simulation_.with_state(*row));
  } catch (const Error&) {  // so were their states, or they are not good
  }
  writer_.wait();
  if (last_->step > writer_.safe()) writer_.commit(last_), writer_.wait();
}

double MainLoop::energy_error() const {
  return sim::energy_error((rows_.empty() ? last_ : rows_.back())->observables.total_energy(), first_energy_);
}

}  // namespace orrery::pipeline
