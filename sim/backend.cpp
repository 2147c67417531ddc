// SPDX-License-Identifier: MIT
#include "sim/backend.hpp"

#include <algorithm>
#include <string>

#include "common/error.hpp"
#include "sim/analysis/closest.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/integrator.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {

void Backend::execute(const Operation& one) {
  carry_out(one);
  if (one.is_evaluation()) {
    known_ = std::max(known_, one.outputs == Outputs::potential ? Known::potential_too : Known::acceleration);
    ++evaluations_;
  } else if (one.is_drift() || one.column == Column::position) {
    known_ = Known::nothing;
  }
}

void Backend::accelerate() {
  if (known_ == Known::nothing) execute({.outputs = with_potential_ ? Outputs::potential : Outputs::forces});
}

void Backend::know_potential() {
  if (known_ != Known::potential_too) execute({.outputs = Outputs::potential});
}

void Backend::accelerate_with_jerk(Column jerk) {
  execute({.outputs = Outputs::jerk, .column = jerk});
}

void Backend::combine(Column target, std::span<const Term> terms) {
  if (terms.empty() || terms.size() > max_terms)
    throw Error("a combination of columns has 1 to " + std::to_string(max_terms) + " terms, not " +
                std::to_string(terms.size()));
  execute({.verb = Operation::Verb::combine, .column = target, .terms = terms});
}

Backend::Backend(const System& system)
    : interactions_(checked_solver(system, Precision::float64).interactions(system)),
      bodies_(system.bodies.size()),
      domain_(system.domain) {
  if (domain_.is_periodic()) image_ = scratch_column(system.scratch_columns);
  if (system.bath) mobility_ = mobilities(system.bodies.mass);
}

void Backend::thermalise(const HeatBath& bath) {
  if (mobility_.size() != bodies_) throw Error("a heat bath needs a system that was built for one");
  Vectors velocity = download(Column::velocity);
  sim::thermalise(velocity, mobility_, domain_.dimensions == 2, bath);
  upload(Column::velocity, velocity);
}

void Backend::repeat(const Integrator& integrator, const Step& first, std::int64_t times, bool tracked) {
  for (std::int64_t k = 0; k < times; ++k) {
    integrator.step(*this, first.later(k));
    if (tracked) track();
  }
}

void Backend::greatest(std::span<const Column> columns, std::span<Greatest> found) const {
  for (std::size_t k = 0; k < columns.size(); ++k) found[k] = sim::greatest(download(columns[k]));
}

void Backend::half_extents(std::span<const Column> columns, std::span<double> found) const {
  for (std::size_t k = 0; k < columns.size(); ++k) found[k] = half_extent(download(columns[k]));
}

void Backend::track() {
  know_potential();
  widen_extremes();
}

void Backend::widen_extremes() {
  const Observables now = measure();
  extremes_.include(now.total_energy(), now.angular_momentum, closest_pair());
}

Approach Backend::closest_of_few() const {
  const Vectors position = download(Column::position);
  return sim::closest_of_few({position.x, position.y, position.z}, domain_.periods());
}

void Backend::request_readback(std::span<const Column> columns) {
  know_potential();
  begin_readback(columns);
  readback_requested_ = true;
}

Backend::Readback Backend::take_readback() {
  if (!readback_requested_) throw Error("a readback was taken that was not requested, or taken twice");
  readback_requested_ = false;
  return end_readback();
}

void Backend::upload(Column column, const Vectors& values) {
  for (const auto* axis : {&values.x, &values.y, &values.z}) {
    if (axis->size() != bodies_) {
      throw Error("a column of " + std::to_string(axis->size()) + " bodies does not fit a system of " +
                  std::to_string(bodies_));
    }
  }
  store(column, values);
  if (column == Column::position) known_ = Known::nothing;
}

void Backend::begin_readback(std::span<const Column> columns) {
  readback_ = {.observables = measure(), .extremes = take_extremes(), .closest = closest_pair(), .columns = {}};
  for (const Column column : columns) readback_.columns.push_back(download(column));
}

extern const BackendKind reference_backend;  // backends/reference.cpp

std::span<const BackendKind* const> backend_kinds() {
  static constexpr const BackendKind* kinds[] = {
      &reference_backend,
      &cpu_backend,
      &cuda_backend,
  };
  return kinds;
}

}  // namespace orrery::sim
