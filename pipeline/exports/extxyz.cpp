// SPDX-License-Identifier: MIT
// extxyz: extended XYZ (https://github.com/libAtoms/extxyz), for OVITO, ASE and others; a number of bodies, a line of key=value pairs and
// a line per body for each frame, numbers in the shortest form that reads back as the same bits. The species is the component.
#include <algorithm>

#include "pipeline/export.hpp"

namespace orrery::pipeline {
namespace {

/// A text as one field: blanks and quotes are no part of a field, and an empty one is X, as for unknown elements.
std::string xyz_field(const std::string& text) {
  std::string field = text.empty() ? "X" : text;
  std::ranges::replace_if(
      field, [](char c) { return c == ' ' || c == '\t' || c == '"'; }, '_');
  return field;
}

/// Lattice and pbc of the box; empty for unbounded space. An axis without a length has an edge of 0.
std::string lattice_of(const sim::Domain& domain) {
  const auto& edges = domain.edges;
  if (edges == std::array<double, 3>{}) return "";
  const auto end = [&](std::size_t axis) { return domain.boundary[axis]->periodic ? "T" : "F"; };
  std::string text = fmt::format("Lattice=\"{} 0 0 0 {} 0 0 0 {}\" pbc=\"{} {} {}\" ", edges[0], edges[1], edges[2],
                                 end(0), end(1), end(2));
  if (domain.low != std::array<double, 3>{})
    text += fmt::format("Origin=\"{} {} {}\" ", domain.low[0], domain.low[1], domain.low[2]);
  return text;
}

template <class Stored>
void print_xyz(TextOutput& out, const sim::Vectors& v, std::size_t n) {
  out.print(" {} {} {}", static_cast<Stored>(v.x[n]), static_cast<Stored>(v.y[n]), static_cast<Stored>(v.z[n]));
}

void write_extxyz(const ExportJob& job) {
  const TrajectoryOptions& options = job.trajectory.options();
  const sim::Bodies& bodies = job.trajectory.bodies();
  const RunRecord& record = job.trajectory.record();
  const auto& ids = job.trajectory.ids();
  const bool named = std::ranges::any_of(bodies.names, [](const std::string&name) { return !name.empty(); }),
             charged = !bodies.charge.empty(), solid = !bodies.radius.empty();
  const std::string lattice = lattice_of(record.domain);
  const auto print = options.single_precision ? print_xyz<float> : print_xyz<double>;
  std::vector<std::string> species;
  for (const std::string& component : record.components) species.push_back(xyz_field(component));
  if (record.domain.is_periodic()) job.context.note("extxyz holds no image counts: positions are within the box");
  if (!record.length_unit.empty())
    job.context.note("extxyz states no units: those of the run are {}, {} and {}", record.length_unit, record.mass_unit,
                     record.time_unit);
  job.for_each_frame([&](std::size_t, const sim::Snapshot& frame) {
    job.out.print("{}\n{}Properties=species:S:1:pos:R:3{}:mass:R:1{}{}:id:I:1{} Time={} step={}\n", frame.size(),
                  lattice, options.velocities ? ":velo:R:3" : "", charged ? ":charge:R:1" : "",
                  solid ? ":radius:R:1" : "", named ? ":name:S:1" : "", frame.time, frame.step);
    for (std::size_t n = 0; n < frame.size(); ++n) {
      const auto k = static_cast<std::size_t>(bodies.species[n]);
      job.out.add(k < species.size() ? species[k] : "X");
      print(job.out, frame.position, n);
      if (options.velocities) print(job.out, frame.velocity, n);
      job.out.print(" {}", bodies.mass[n]);
      if (charged) job.out.print(" {}", bodies.charge[n]);
      if (solid) job.out.print(" {}", bodies.radius[n]);
      job.out.print(" {}", ids[n]);
      if (named) job.out.print(" {}", xyz_field(bodies.names[n]));
      job.out.add("\n");
    }
  });
}

}  // namespace

extern const ExportFormat extxyz_format{.name = "extxyz",
                                        .meaning = "extended XYZ, for OVITO, ASE and others; also read as bodies",
                                        .write = write_extxyz,
                                        .of_state = true};

}  // namespace orrery::pipeline
