// SPDX-License-Identifier: MIT
// What all backends share, which is to know what is known; and their list.
#include "sim/backend.hpp"

#include "sim/backends/cpu.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/backends/reference.hpp"

namespace orrery::sim {

void Backend::evaluate(bool with_potential) {
  compute_acceleration(with_potential);
  known_ = with_potential ? Known::potential_too : Known::acceleration;
  ++evaluations_;
}

void Backend::accelerate() {
  if (known_ == Known::nothing) evaluate(with_potential_);
}

void Backend::combine(Column target, std::initializer_list<Term> terms) {
  compute_combination(target, {terms.begin(), terms.size()});
  if (target == Column::position) known_ = Known::nothing;
}

Observables Backend::observe() {
  if (known_ != Known::potential_too) evaluate(true);
  return measure();
}

std::span<const BackendKind* const> backend_kinds() {
  static constexpr const BackendKind* kinds[] = {
      &reference_backend,
      &cpu_backend,
      &cuda_backend,
  };
  return kinds;
}

}  // namespace orrery::sim
