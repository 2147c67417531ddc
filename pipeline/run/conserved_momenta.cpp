// SPDX-License-Identifier: MIT
#include "pipeline/run/conserved_momenta.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/run/energy_record.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/foreign.hpp"

namespace orrery::pipeline {
namespace {

using Angular = ConservedMomenta::Angular;

/// The angular momentum about the origin that a field conserves, from its torque at generic places; none if it cannot be computed.
Angular conserved_by(const sim::ExternalField& field) {
  if (field.law->foreign != nullptr && !field.law->foreign->absent.empty()) return Angular::none;
  constexpr std::array<sim::Vec3, 4> places{
      {{0.31, -0.83, 0.57}, {-1.9, 0.7, 2.3}, {7.1, 5.3, -3.7}, {0.02, 0.05, 0.03}}};
  bool all = true, about_z = true;
  for (const sim::Vec3& x : places) {
    const sim::Vec3 g = field.law->acceleration(field.parameters, x);
    const double most = 1e-12 * std::hypot(x.x, x.y, x.z) * std::hypot(g.x, g.y, g.z);
    about_z = about_z && std::abs(x.x * g.y - x.y * g.x) <= most;
    all = all && std::abs(x.y * g.z - x.z * g.y) <= most && std::abs(x.z * g.x - x.x * g.z) <= most;
  }
  return !about_z ? Angular::none : all ? Angular::all : Angular::about_z;
}

}  // namespace

ConservedMomenta conserved_momenta(const sim::Domain& domain, const std::vector<sim::ExternalField>& fields,
                                   bool bath) {
  ConservedMomenta found;
  if (bath) return found;
  found.momentum = fields.empty() && std::ranges::all_of(domain.boundary, [](const sim::Boundary* each) {
                     return each == &sim::Open::kind || each->periodic;
                   });
  if (!domain.is_open()) return found;
  found.angular = Angular::all;
  for (const sim::ExternalField& field : fields) found.angular = std::min(found.angular, conserved_by(field));
  return found;
}

ConservedMomenta conserved_momenta(const TrajectoryReader& trajectory) {
  const RunRecord& record = trajectory.record();
  std::vector<sim::ExternalField> fields;
  try {
    sim::Model model = scenario_of(trajectory, trajectory.path()).model;
    model.G = record.initial_facts.G;
    fields = sim::fields_of(model);
  } catch (const Error&) {  // not a scenario of this version
  }
  return conserved_momenta(record.domain, fields, has_bath(record));
}

}  // namespace orrery::pipeline
