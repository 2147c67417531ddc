// SPDX-License-Identifier: MIT
// Where two bodies are by the closed form of their orbit.
#pragma once

#include <array>
#include <optional>

#include "pipeline/pictures/run_info.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/force.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {

class ExactOrbit {
 public:
  /// The orbit of a run of two bodies that gravity alone moves: by the keys of its initial state if that is such an orbit, else by
  /// the first frame, which must have velocities. Nullopt if the run has no closed form.
  static std::optional<ExactOrbit> of(const TrajectoryReader& run) {
    const Document document(scenario_text(run, run.path()), {});
    try {
      const Scenario scenario = scenario_of(run, run.path());
      if (const auto start = kepler_start(scenario)) {
        const auto& [mass, semi_major_axis, eccentricity] = *start;
        return ExactOrbit({mass[0], mass[1]}, scenario.model.coupling() * (mass[0] + mass[1]),
                          {.semi_major_axis = semi_major_axis, .eccentricity = eccentricity, .time_of_pericentre = 0});
      }
    } catch (const Error&) {  // not a scenario of this version, but its forces may be known
    }
    const std::vector<double>& mass = run.bodies().mass;
    const bool both = mass.size() == 2 && run.whole() == 2 && run.size() > 0;
    if (!both || !(mass[0] + mass[1] > 0) || bounds_of(run.record().domain).any() || !gravity_alone(document))
      return std::nullopt;
    const sim::Snapshot start = run.snapshot(0);
    if (start.velocity.x.empty()) return std::nullopt;
    const double mu = run.record().initial_facts.G * (mass[0] + mass[1]);
    const sim::OrbitalElements all = sim::elements_of(mu, apart(start.position), apart(start.velocity), start.time);
    // Two elements of the shape, not more, since all are rounded.
    sim::OrbitalElements some{.eccentricity = all.eccentricity,
                              .inclination = all.inclination,
                              .ascending_node = all.ascending_node,
                              .argument_of_pericentre = all.argument_of_pericentre,
                              .time_of_pericentre = all.time_of_pericentre};
    (all.eccentricity < 1 ? some.semi_major_axis : some.pericentre) =
        all.eccentricity < 1 ? all.semi_major_axis : all.pericentre;
    if (!sim::faults_of(some, mu, start.time).empty()) return std::nullopt;  // a straight line, say
    return ExactOrbit({mass[0], mass[1]}, mu, some);
  }

  /// The places of both bodies about their centre of mass at the time of a snapshot, which may drift.
  [[nodiscard]] sim::Vectors positions(const sim::Snapshot& at) const {
    const double total = mass_[0] + mass_[1];
    const auto orbit = sim::state_of(elements_, mu_, at.time);
    const auto& p = at.position;
    const auto centre = [&](const auto& of) { return (mass_[0] * of[0] + mass_[1] * of[1]) / total; };
    const double x = centre(p.x), y = centre(p.y), z = centre(p.z);
    sim::Vectors places;
    for (const double share : {-mass_[1] / total, mass_[0] / total})
      places.push_back(x + share * orbit.position.x, y + share * orbit.position.y, z + share * orbit.position.z);
    return places;
  }

 private:
  ExactOrbit(std::array<double, 2> mass, double mu, const sim::OrbitalElements& elements)
      : mass_(mass), mu_(mu), elements_(elements) {}

  /// Whether the forces of a scenario are gravity without softening and fields.
  static bool gravity_alone(const Document& document) {
    try {
      const sim::Model model = read_forces(document).model;
      return model.is_newtonian() && model.fields.empty() && sim::softening_in(model.force.values) == 0;
    } catch (const Error&) {
      return false;
    }
  }
  static sim::Vec3 apart(const sim::Vectors& of) { return {of.x[1] - of.x[0], of.y[1] - of.y[0], of.z[1] - of.z[0]}; }

  std::array<double, 2> mass_;
  double mu_;
  sim::OrbitalElements elements_;
};

}  // namespace orrery::pipeline
