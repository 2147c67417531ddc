// SPDX-License-Identifier: MIT
#include "pipeline/exports/particle_groups.hpp"

#include "common/error.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/scenario/units.hpp"

namespace orrery::pipeline {

void require_velocities(const ExportJob& job, std::string_view format) {
  if (!job.trajectory.options().velocities)
    refuse(job.file, fmt::format("has no velocities, which {} needs: make the run again with `velocities = true` in "
                                 "[trajectory]",
                                 format));
}

void note_what_is_left_out(const ExportJob& job, std::string_view format, bool has_box) {
  const sim::Bodies& bodies = job.trajectory.bodies();
  const sim::Domain& domain = job.trajectory.record().domain;
  std::vector<std::string_view> lost;
  if (!bodies.names.empty()) lost.emplace_back("names");
  if (!bodies.charge.empty()) lost.emplace_back("charges");
  if (!bodies.radius.empty()) lost.emplace_back("radii");
  if (!domain.is_open() && !has_box) lost.emplace_back("the box");
  if (domain.is_periodic()) lost.emplace_back("images");
  if (!lost.empty())
    job.context.note("{} has no place for {}, which {} left out", format, fmt::to_string(fmt::join(lost, ", ")),
                     lost.size() > 1 || lost.front() != "the box" ? "are" : "is");
}

double periodic_cube(const sim::Domain& domain) {
  const double edge = domain.edges[0];
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!domain.boundary[axis]->periodic || domain.edges[axis] != edge || domain.low[axis] != 0) return 0;
  return edge;
}

bool in_double(const ExportJob& job) {
  return !job.single_precision && !job.trajectory.options().single_precision;
}

Groups::Groups(const ExportJob& job, std::size_t count, const std::function<std::size_t(std::string_view)>& group_of)
    : bodies_(job.trajectory.bodies()), sizes_(count), masses_(count) {
  for (const std::string& component : job.trajectory.record().components)
    group_of_species_.push_back(group_of(component));
  group_of_species_.resize(std::max<std::size_t>(group_of_species_.size(), 1), group_of(""));
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    const auto species = static_cast<std::size_t>(bodies_.species[n]);
    if (species >= group_of_species_.size()) group_of_species_.resize(species + 1, group_of(""));
    const std::size_t group = group_of_species_[species];
    if (sizes_[group]++ == 0) masses_[group] = bodies_.mass[n];
    if (masses_[group] != bodies_.mass[n]) masses_[group] = 0;
  }
}

void Groups::for_each_run(
    std::size_t group, const std::function<void(std::size_t first, std::span<const std::size_t> bodies)>& visit) const {
  constexpr std::size_t most = 65536;
  std::vector<std::size_t> run;
  run.reserve(std::min(most, sizes_[group]));
  std::size_t first = 0;
  const auto flush = [&] {
    if (!run.empty()) visit(first, run);
    first += run.size();
    run.clear();
  };
  for (std::size_t n = 0; n < bodies_.size(); ++n) {
    if (group_of_species_[static_cast<std::size_t>(bodies_.species[n])] != group) continue;
    run.push_back(n);
    if (run.size() == most) flush();
  }
  flush();
}

ExportUnits units_of(const ExportJob& job) {
  const RunRecord& record = job.trajectory.record();
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  return {length.h5md(), mass.h5md(), time.h5md(), (length / time).h5md()};
}

CgsUnits cgs_units_of(const ExportJob& job) {
  for (const Units& units : all_units()) {
    const auto si = units.name == job.trajectory.record().units ? in_si(units) : std::nullopt;
    if (si) return {100 * si->length, 1000 * si->mass, 100 * si->length / si->time};
  }
  return {};
}

}  // namespace orrery::pipeline
