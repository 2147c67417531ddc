// SPDX-License-Identifier: MIT
// Random runs with a short-range force, and their results on a backend, for comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/sim/short_range.hpp"

namespace orrery::sim::testing {

inline constexpr std::string_view kick_drift_methods[] = {"symplectic-euler", "leapfrog", "leapfrog-dkd", "yoshida4"};

/// A run divided into advances, with a readback after some of them.
struct ShortRangeRun {
  System system;
  const Integrator* method;
  double dt;
  std::vector<int> advances;
  std::vector<bool> looks;
};

struct Outcome {
  std::vector<std::vector<std::uint64_t>> columns;
  std::vector<Observables> observed;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline Outcome outcome_of(const ShortRangeRun& run, Backend& backend) {
  Outcome outcome;
  Simulation simulation(backend, *run.method, run.dt);
  for (std::size_t k = 0; k < run.advances.size(); ++k) {
    simulation.advance(run.advances[k], run.looks[k]);
    if (!run.looks[k] && k + 1 < run.advances.size()) continue;
    outcome.observed.push_back(backend.observe());
    outcome.columns.push_back(bits_of(backend.download(Column::position)));
    outcome.columns.push_back(bits_of(backend.download(Column::velocity)));
    outcome.columns.push_back(bits_of(backend.download(Column::acceleration)));
    if (backend.image()) outcome.columns.push_back(bits_of(backend.download(*backend.image())));
  }
  return outcome;
}

/// Whether all numbers are in range; results beyond it are not promised.
inline bool is_fine(const Outcome& outcome) {
  const auto fine = [](double x) { return std::abs(x) < 1e100; };
  return std::ranges::all_of(outcome.observed, [&](const Observables& o) {
    return fine(o.total_energy()) && fine(o.virial) && fine(o.momentum.x) && fine(o.center_of_mass.x) &&
           fine(o.center_of_mass.y) && fine(o.center_of_mass.z);
  });
}

inline ShortRangeRun random_run(std::uint64_t seed) {
  Draws draw(seed);
  ShortRangeRun run{.system = random_short_range_system(draw), .method = nullptr, .dt = 0, .advances = {}, .looks = {}};
  run.method = &integrator(draw.one_of(kick_drift_methods));
  const double cutoff = run.system.forces.front().law->cutoff(run.system.forces.front().parameters);
  // From a small part of the cutoff per step to several boxes; some run backward in time.
  run.dt = cutoff * std::exp2(-12 + 14 * draw.unit()) * (draw.unit() < 0.1 ? -1 : 1);
  for (int k = 0; k < 3; ++k) {
    run.advances.push_back(1 + static_cast<int>(6 * draw.unit()));
    run.looks.push_back(draw.unit() < 0.5);
  }
  return run;
}

}  // namespace orrery::sim::testing
