// SPDX-License-Identifier: MIT
#include "pipeline/run/main_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/error.hpp"

namespace orrery::pipeline {

MainLoop::MainLoop(const sim::Model& model, const OutputPlan& output, sim::Backend& backend,
                   TrajectoryWriter& trajectory, const ResumePoint* origin, Context& context, Progress* sweep_progress,
                   Observer observer)
    : steps_(model.steps),
      output_(output),
      backend_(backend),
      trajectory_(trajectory),
      context_(context),
      simulation_(backend, model),
      progress_(sweep_progress != nullptr ? *sweep_progress : own_progress_.emplace("stepping", context)),
      resumed_(origin != nullptr),
      start_(resumed_ ? origin->state.step : 0),
      own_start_(resumed_ ? origin->state.clock.steps : 0),
      writer_(trajectory, resumed_ ? start_ : -1),
      control_(steps_, output_, writer_, context.stop(), std::move(observer)) {
  if (origin != nullptr) simulation_.resume(origin->state);
  simulation_.stop_when(context.stop());
  sim::Snapshot first = [this] {
    const Context::During evaluation(context_, Context::Phase::once);
    return simulation_.observe();
  }();
  if (origin != nullptr)
    first.extremes = origin->state.extremes, first.energy_violation = origin->state.energy_violation;
  first_energy_ = origin != nullptr ? origin->first_energy : sim::InitialEnergy(first.observables);
  if (output.stored.extremes && (origin == nullptr || origin->extremes)) {
    simulation_.watch(first_energy_, first, model.bodies.mass);
  }
  last_ = std::make_shared<sim::Snapshot>(std::move(first));
}

template <class Work>
auto MainLoop::commit_on_error(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    commit_remaining();
    throw Error(fmt::format("{} (the file holds everything up to step {})", error.what(), writer_.committed_step()),
                error.fault());
  }
}

SteppingResult MainLoop::run() {
  show_progress();
  if (!resumed_) {
    writer_.append(last_, output_.frames.contains(last_->step));
    writer_.commit(last_);  // from here on the run can be resumed
  }
  if (control_.observer().see) control_.observer().see(*last_, first_energy_);
  while (const std::int64_t steps = control_.next_slice(simulation_.step())) {
    const bool ends_at_row = control_.has_row(simulation_.step() + steps);
    commit_on_error([&] {
      const Context::During stepping(context_, Context::Phase::stepping);
      simulation_.advance(steps, ends_at_row);
    });
    if (simulation_.was_stopped()) break;
    write_pending();
    read_back(control_.readback(simulation_.step(), rows_.size()));
    if (control_.has_look(simulation_.step())) look();
    show_progress();
  }
  return finish();
}

void MainLoop::read_back(Readback what) {
  switch (what) {
    case Readback::none:
      return;
    case Readback::observables:
      commit_on_error([&] { simulation_.request_observables(); });
      pending_ = true;
      return;
    case Readback::state:
      commit_on_error([&] { simulation_.request_readback(); });
      pending_ = true;
      return;
    case Readback::restart:
      auto state = std::make_shared<sim::Snapshot>(commit_on_error([&] { return simulation_.state(); }));
      write_rows();
      writer_.commit(std::move(state));
  }
}

void MainLoop::write_pending() {
  if (std::exchange(pending_, false)) write(commit_on_error([&] { return simulation_.take_readback(); }));
}

void MainLoop::write(sim::Snapshot snapshot) {
  auto now = std::make_shared<sim::Snapshot>(std::move(snapshot));
  // A row without a state waits for the next good state, because a run cannot be resumed from it.
  if (now->size() == 0) return rows_.push_back(std::move(now));
  write_rows();
  last_ = std::move(now);
  writer_.append(last_, output_.frames.contains(last_->step));
}

void MainLoop::write_rows() {
  for (auto& row : rows_) writer_.append(std::move(row), false);
  rows_.clear();
}

void MainLoop::look() {
  write_pending();
  const bool is_row = last_->step == simulation_.step();
  control_.observer().see(is_row ? *last_ : commit_on_error([&] { return simulation_.look(); }), first_energy_);
}

SteppingResult MainLoop::finish() {
  write_pending();
  if (simulation_.was_stopped()) {
    rows_.clear();  // the state is past these rows and incomplete
  } else if (last_->step != simulation_.step()) {
    last_ = std::make_shared<sim::Snapshot>(commit_on_error([&] { return simulation_.observe(); }));
    write_rows();
  }
  const bool finished = simulation_.step() == steps_;
  writer_.flush();
  if (!finished && last_->step > writer_.committed_step()) writer_.commit(last_), writer_.flush();
  if (finished) trajectory_.finish(*last_);
  progress_.clear();
  return {.last = *last_,
          .steps = simulation_.step() - start_,
          .own_steps = simulation_.clock().steps - own_start_,
          .seconds = progress_.elapsed().count(),
          .finished = finished};
}

void MainLoop::show_progress() {
  const auto step = static_cast<double>(simulation_.step());
  const double fraction = step / static_cast<double>(std::max<std::int64_t>(steps_, 1));
  if (simulation_.step() == start_) return progress_.starts_at(fraction);
  progress_.show(fraction, [&] {
    const double seconds = progress_.elapsed().count();
    return fmt::format("{} steps/s · {} interactions/s · {} {:+.1e}",
                       with_prefix((step - static_cast<double>(start_)) / seconds),
                       with_prefix(static_cast<double>(backend_.evaluations()) * backend_.interactions() / seconds),
                       first_energy_.error_name(), energy_error());
  });
}

/// Called if the state has left the range of numbers or the device is lost. Asks the backend only for the states of
/// rows that have none, and stops at the first failure.
void MainLoop::commit_remaining() {
  try {
    if (std::exchange(pending_, false)) write(simulation_.take_readback());
  } catch (const Error&) {  // lost with the device
  }
  try {
    for (const auto& row : std::exchange(rows_, {})) write(simulation_.restore_state(*row));
  } catch (const Error&) {  // lost with the device, or not a good state
  }
  writer_.flush();
  if (last_->step > writer_.committed_step()) writer_.commit(last_), writer_.flush();
}

double MainLoop::energy_error() const {
  return first_energy_.error((rows_.empty() ? last_ : rows_.back())->observables.total_energy());
}

}  // namespace orrery::pipeline
