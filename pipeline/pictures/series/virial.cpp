// SPDX-License-Identifier: MIT
// Figure "virial": 2T/|Σ m x·a|, with T about the centre of mass.
#include <algorithm>
#include <cmath>

#include "pipeline/pictures/series.hpp"
#include "sim/analysis/structure.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::pipeline {
namespace {

/// For gravity without softening and fields, Σ m x·a is U (Euler's theorem for a potential of degree −1).
bool virial_is_energy(const sim::System& system) {
  if (!system.fields.empty() || system.forces.size() != 1) return false;
  const sim::PairForce& force = system.forces.front();
  return force.softening2 == 0 && sim::is_newtonian(*force.law, force.numbers);
}

std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({""}, 1);
  if (request.info.bounds.any_joined()) {
    request.keys.complain(
        "kind",
        "in a periodic box Σ m x·a depends on the origin of the box: \"thermodynamics\" shows the pressure, "
        "which does not");
  }
  if (!request.physics.unknown.empty()) request.keys.complain("kind", request.physics.unknown);
  const sim::System& system = *request.physics.system;
  if (!virial_is_energy(system) && request.stored.bodies != request.info.mass.size()) {
    request.keys.complain("kind",
                          "the forces need all bodies, but frames store only some: the run must be without "
                          "`bodies`, `bodies_every` and `components` in [trajectory]");
  }
  const TrajectoryReader* run = request.trajectory;
  if (run == nullptr) return all;
  const History h = run->history();
  if (h.time.empty()) return all;
  const std::vector<double>& mass = system.bodies.mass;
  const double total = request.physics.mass;
  const auto add = [&](std::size_t row, double virial) {
    const auto& p = h.momentum[row];
    const double of_all = total > 0 ? (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / total : 0;
    add_row(all[0], h.time[row], {(2 * h.kinetic_energy[row] - of_all) / std::abs(virial)});
  };
  if (virial_is_energy(system)) {
    for (std::size_t row = 0; row < h.time.size(); ++row) add(row, h.potential_energy[row]);
    return {thinned(all[0], request.most_rows)};
  }
  const double pairs = std::max(1.0, 0.5 * static_cast<double>(mass.size()) * static_cast<double>(mass.size()));
  // Below a million pairs, synchronising threads takes longer than the forces.
  const auto backend = sim::cpu_backend.make(system, {.threads = pairs < 1e6 ? 1 : request.physics.threads});
  // 1e10 pairs take some ten seconds.
  const auto most = static_cast<std::size_t>(std::clamp(1e10 / pairs, 16.0, 20'000.0));
  each_snapshot(
      *run,
      [&](const sim::Snapshot& at) {
        const auto row = std::ranges::lower_bound(h.step, at.step) - h.step.begin();
        if (row == std::ssize(h.step)) return;
        backend->upload(sim::Column::position, at.position);
        backend->accelerate();
        const sim::Vec3 center = sim::center_of_mass({mass, at.position, at.position});
        const sim::Vectors acceleration = backend->download(sim::Column::acceleration);
        add(static_cast<std::size_t>(row), sim::virial(mass, at.position, acceleration, center));
      },
      most);
  return all;
}

}  // namespace

extern const SeriesKind virial_series{.figure = "virial", .make = make, .forces = true};

}  // namespace orrery::pipeline
