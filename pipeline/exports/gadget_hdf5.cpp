// SPDX-License-Identifier: MIT
// gadget-hdf5: a snapshot as GADGET-4 writes it (Springel et al. 2021, MNRAS 506, 2871), with the attributes that GADGET-2's readers need.
#include <array>
#include <limits>

#include "pipeline/exports/particle_groups.hpp"
#include "pipeline/formats/gadget.hpp"
#include "pipeline/trajectory/hdf5_output.hpp"

namespace orrery::pipeline {
namespace {

using Real = Hdf5Output::Number;

/// The mass of all bodies of a type, unless it has a unit, which the header cannot state: then it is a column.
double mass_in_header(const ExportJob& job, const Groups& groups, std::size_t type) {
  return job.trajectory.record().mass_unit.empty() ? groups.common_mass(type) : 0;
}

void write_header(Hdf5Output& out, const ExportJob& job, const Groups& groups, double time) {
  std::array<std::int64_t, gadget::usual_types> counts{}, none{};
  std::array<double, gadget::usual_types> masses{};
  for (std::size_t type = 0; type < gadget::usual_types; ++type) {
    counts[type] = static_cast<std::int64_t>(groups.size(type));
    masses[type] = mass_in_header(job, groups, type);
  }
  const auto& domain = job.trajectory.record().domain;
  out.group("/Header");
  out.attribute("/Header", "NumPart_ThisFile", Real::uint64, counts);
  out.attribute("/Header", "NumPart_Total", Real::uint64, counts);
  out.attribute("/Header", "NumPart_Total_HighWord", Real::uint32, none);
  out.attribute("/Header", "MassTable", Real::float64, masses);
  for (const auto& [name, number] : {std::pair("Time", time),
                                     {"Redshift", 0.0},
                                     {"BoxSize", periodic_cube(domain)},
                                     {"Omega0", 0.0},
                                     {"OmegaLambda", 0.0},
                                     {"HubbleParam", 1.0}})
    out.attribute("/Header", name, number);
  out.attribute("/Header", "NumFilesPerSnapshot", Real::int32, std::array<std::int64_t, 1>{1});
  if (const CgsUnits cgs = cgs_units_of(job); cgs.length > 0) {
    out.group("/Parameters");
    for (const auto& [name, number] : {std::pair("UnitLength_in_cm", cgs.length),
                                       {"UnitMass_in_g", cgs.mass},
                                       {"UnitVelocity_in_cm_per_s", cgs.velocity}})
      out.attribute("/Parameters", name, number);
  }
}

void write_gadget_hdf5(const ExportJob& job) {
  require_velocities(job, "gadget-hdf5");
  const Groups groups(job, gadget::usual_types, gadget::type_of_component);
  note_what_is_left_out(job, "gadget-hdf5", periodic_cube(job.trajectory.record().domain) > 0);
  const sim::Snapshot frame = job.trajectory.snapshot(job.begin);
  const sim::Bodies& bodies = job.trajectory.bodies();
  const auto& ids = job.trajectory.ids();
  const Real real = in_double(job) ? Real::float64 : Real::float32;
  const ExportUnits units = units_of(job);
  const CgsUnits cgs = cgs_units_of(job);

  Hdf5Output out(job.out.draft());
  write_header(out, job, groups, frame.time);
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  for (std::size_t type = 0; type < gadget::usual_types; ++type) {
    if (groups.size(type) == 0) continue;
    const std::string group = fmt::format("/PartType{}", type);
    out.group(group);
    /// Creates a dataset that states its unit, by which readers turn back our numbers without rounding, and its unit in cgs.
    const auto create = [&](const char* name, const Hdf5Output::Extents& extents, const std::string& unit,
                            double to_cgs) {
      const std::string path = group + "/" + name;
      out.dataset(path, real, extents);
      for (const char* exponent : {"a_scaling", "h_scaling"}) out.attribute(path, exponent, 0.0);
      out.attribute(path, "to_cgs", to_cgs);
      if (!unit.empty()) out.attribute(path, "unit", unit);
    };
    const std::uint64_t count = groups.size(type);
    const auto write_vectors = [&](const char* name, const sim::Vectors& v, const std::string& unit, double to_cgs) {
      create(name, {count, 3}, unit, to_cgs);
      groups.for_each_run(type, [&](std::size_t first, std::span<const std::size_t> run) {
        numbers.clear();
        for (const std::size_t n : run) numbers.insert(numbers.end(), {v.x[n], v.y[n], v.z[n]});
        out.write(group + "/" + name, numbers, {first, 0}, {run.size(), 3});
      });
    };
    write_vectors("Coordinates", frame.position, units.length, cgs.length);
    write_vectors("Velocities", frame.velocity, units.velocity, cgs.velocity);
    out.dataset(group + "/ParticleIDs",
                ids.back() < std::numeric_limits<std::uint32_t>::max() ? Real::uint32 : Real::uint64, {count});
    groups.for_each_run(type, [&](std::size_t first, std::span<const std::size_t> run) {
      integers.clear();
      for (const std::size_t n : run) integers.push_back(ids[n] + 1);  // some programs take 0 for no particle
      out.write(group + "/ParticleIDs", integers, {first}, {run.size()});
    });
    if (mass_in_header(job, groups, type) > 0) continue;
    create("Masses", {count}, units.mass, cgs.mass);
    groups.for_each_run(type, [&](std::size_t first, std::span<const std::size_t> run) {
      numbers.clear();
      for (const std::size_t n : run) numbers.push_back(bodies.mass[n]);
      out.write(group + "/Masses", numbers, {first}, {run.size()});
    });
  }
  out.close();
}

}  // namespace

extern const ExportFormat gadget_hdf5_format{.name = "gadget-hdf5",
                                             .meaning = "one frame as a snapshot of GADGET in HDF5, for yt, too",
                                             .write = write_gadget_hdf5,
                                             .of_state = true,
                                             .one_frame = true,
                                             .binary = true,
                                             .precision = true};

}  // namespace orrery::pipeline
