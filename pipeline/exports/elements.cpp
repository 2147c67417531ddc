// SPDX-License-Identifier: MIT
// elements: one line per body and frame with its osculating orbit about one body; can be read as a table of bodies, since the
// central body, which has a position and a velocity, is the first of each frame.
#include <algorithm>
#include <cmath>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "pipeline/export.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/pictures/subject.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

/// The centre of the orbits. Throws Error.
std::size_t central_body(const ExportJob& job) {
  const sim::Bodies& bodies = job.trajectory.bodies();
  auto center = static_cast<std::size_t>(std::ranges::max_element(bodies.mass) - bodies.mass.begin());
  if (!job.around.empty()) {
    const auto named = std::ranges::find(bodies.names, job.around);
    const auto number = number_of(job.around);
    if (named != bodies.names.end()) {
      center = static_cast<std::size_t>(named - bodies.names.begin());
    } else if (number && *number >= 0 && *number < static_cast<double>(bodies.size()) &&
               *number == std::floor(*number)) {
      center = static_cast<std::size_t>(*number);
    } else {
      throw Error(
          fmt::format("--around: no body of this run is named \"{}\"{}", job.around,
                      suggestion(job.around, std::vector<std::string_view>(bodies.names.begin(), bodies.names.end()))),
          Fault::request);
    }
  }
  if (!(bodies.mass[center] > 0)) {
    throw Error(fmt::format("--around: {} has no mass: choose a body with mass", bodies.label(center)), Fault::request);
  }
  return center;
}

/// Position and velocity of body n from another, or its own.
sim::RelativeState state_from(const sim::Snapshot& at, std::size_t n, std::optional<std::size_t> center) {
  const auto from = [&](const sim::Vectors& of) {
    sim::Vec3 v{of.x[n], of.y[n], of.z[n]};
    if (center) v = {v.x - of.x[*center], v.y - of.y[*center], v.z - of.z[*center]};
    return v;
  };
  return {from(at.position), from(at.velocity)};
}

void add_number(TextOutput& out, double x) {
  std::isfinite(x) ? out.print(",{}", x) : out.add(",");  // 1/0 of a parabola, and what a straight line lacks
}

void write_elements(const ExportJob& job) {
  const sim::Bodies& bodies = job.trajectory.bodies();
  const RunRecord& record = job.trajectory.record();
  const auto refuse = [&](const char* what) {
    throw Error(fmt::format("{}: {}", job.file.string(), what), Fault::request);
  };
  const Physics physics = subject_of(job.trajectory, job.context.resources).physics;
  if (!physics.unknown.empty()) throw Error(physics.unknown, Fault::request);
  const double G = physics.G;
  if (!(G > 0)) refuse("has no orbits: its bodies do not attract each other by their masses");
  if (!job.trajectory.options().velocities)
    refuse("has no velocities: make the run again with `velocities = true` in [trajectory]");
  if (record.domain.is_periodic()) refuse("is periodic: there are no orbits about one body");
  const std::size_t center = central_body(job);
  const std::string around = csv_field(bodies.label(center));
  job.out.print("frame,step,time,id,name,mass,x,y,z,vx,vy,vz,around");
  for (const auto& element : sim::orbital_element_list) job.out.print(",{}", element.name);
  job.out.print(",component\n");
  job.for_each_frame([&](std::size_t i, const sim::Snapshot& frame) {
    const auto write = [&](std::size_t n) {
      const auto species = static_cast<std::size_t>(bodies.species[n]);
      const auto [r, v] = state_from(frame, n, center);
      const double mu = G * (bodies.mass[center] + bodies.mass[n]);
      const sim::OrbitalElements of = n == center ? sim::OrbitalElements() : sim::elements_of(mu, r, v, frame.time);
      const bool placed = std::isnan(of.inclination);  // the centre, or a body on a straight line
      const bool named = n < bodies.names.size() && !bodies.names[n].empty();
      job.out.print("{},{},{},{},{},{}", i, frame.step, frame.time, job.trajectory.ids()[n],
                    n == center ? around
                    : named     ? csv_field(bodies.names[n])
                                : "",
                    bodies.mass[n]);
      const auto own = state_from(frame, n, {});
      for (const auto& u : {own.position, own.velocity})
        for (const double x : {u.x, u.y, u.z}) add_number(job.out, placed ? x : NAN);
      job.out.print(",{}", placed ? "" : around);
      for (const auto& element : sim::orbital_element_list) add_number(job.out, placed ? NAN : of.*element.value);
      job.out.print(",{}\n", species < record.components.size() ? csv_field(record.components[species]) : "");
    };
    write(center);
    for (std::size_t n = 0; n < frame.size(); ++n)
      if (n != center) write(n);
  });
}

}  // namespace

extern const ExportFormat elements_format{
    .name = "elements",
    .meaning = "osculating elements of each body and frame about one body; can be read as a table of bodies",
    .write = write_elements,
    .orbits = true,
    .of_state = true};

}  // namespace orrery::pipeline
