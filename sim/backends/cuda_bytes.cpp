// SPDX-License-Identifier: MIT
// Memory of the cuda backend; compiled in every program, since it must be known before a device is used.
#include <algorithm>

#include "sim/backends/cuda.hpp"
#include "sim/integrator.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim {

SolverBytes cuda_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                               const BackendOptions& options) {
  if (solver.on_cuda == nullptr) return {};
  const std::size_t stride = (bodies + group_size - 1) / group_size * group_size, column = 3 * stride * sizeof(double);
  const auto persistent =
      static_cast<std::size_t>(std::ranges::count(integrator.columns, true, &ScratchColumn::persistent));
  // position, velocity, acceleration and scratch columns; a readback copies the state on the device and then to the host
  const std::size_t columns = 3 + integrator.columns.size(), readback = 2 + persistent;
  const std::size_t mass_and_potential = (bodies + stride) * sizeof(double);
  const std::size_t bath = integrator.bath ? 4 * bodies * sizeof(double) : 0;  // mobilities, velocities
  return {.host = readback * column + bath,
          .device = (columns + readback) * column + mass_and_potential +
                    solver.bytes(bodies, max_outputs(integrator.jerk), options).device};
}

}  // namespace orrery::sim
