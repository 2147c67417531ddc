// SPDX-License-Identifier: MIT
// csv: one line per body and frame, numbers in the shortest form that reads back as the same bits (RFC 4180, but with \n).
#include "common/csv.hpp"
#include "pipeline/export.hpp"

namespace orrery::pipeline {
namespace {

template <class Stored>
void write_vector(TextOutput& out, const sim::Vectors& v, std::size_t n) {
  out.print(",{},{},{}", static_cast<Stored>(v.x[n]), static_cast<Stored>(v.y[n]), static_cast<Stored>(v.z[n]));
}

void write_csv(const ExportJob& job) {
  const TrajectoryOptions& options = job.trajectory.options();
  const sim::Bodies& bodies = job.trajectory.bodies();
  const auto& names = bodies.names;
  const auto& ids = job.trajectory.ids();
  std::vector<std::string> components;
  for (const std::string& name : job.trajectory.record().components) components.push_back(csv_field(name));
  const bool images = job.trajectory.record().domain.is_periodic();
  const auto write = options.single_precision ? write_vector<float> : write_vector<double>;
  job.out.print("frame,step,time,id{},x,y,z{}{},mass{}{},component\n", names.empty() ? "" : ",name",
                options.velocities ? ",vx,vy,vz" : "", images ? ",ix,iy,iz" : "",
                !bodies.charge.empty() ? ",charge" : "", !bodies.radius.empty() ? ",radius" : "");
  job.for_each_frame([&](std::size_t i, const sim::Snapshot& frame) {
    for (std::size_t n = 0; n < frame.size(); ++n) {
      job.out.print("{},{},{},{}", i, frame.step, frame.time, ids[n]);
      if (!names.empty()) job.out.print(",{}", csv_field(names[n]));
      write(job.out, frame.position, n);
      if (options.velocities) write(job.out, frame.velocity, n);
      if (images) write_vector<std::int32_t>(job.out, frame.image, n);
      // Constants of the body, so that the lines of a frame are a table of bodies.
      job.out.print(",{}", bodies.mass[n]);
      if (!bodies.charge.empty()) job.out.print(",{}", bodies.charge[n]);
      if (!bodies.radius.empty()) job.out.print(",{}", bodies.radius[n]);
      const auto species = static_cast<std::size_t>(bodies.species[n]);
      job.out.print(",{}\n", species < components.size() ? components[species] : "");
    }
  });
}

}  // namespace

extern const ExportFormat csv_format{.name = "csv",
                                     .meaning = "one line per body and frame; can be read as a table of bodies",
                                     .write = write_csv,
                                     .of_state = true};

}  // namespace orrery::pipeline
