// SPDX-License-Identifier: MIT
// csv: one line a body and frame, numbers in the fewest digits that read back as the same bits (RFC 4180 but for \n).
#include "pipeline/exports/list.hpp"

namespace orrery::pipeline {
namespace {

template <class Stored>
void write_vector(TextOutput& out, const sim::Vectors& v, std::size_t n) {
  out.print(",{},{},{}", static_cast<Stored>(v.x[n]), static_cast<Stored>(v.y[n]), static_cast<Stored>(v.z[n]));
}

void write_csv(const ExportJob& job) {
  const TrajectoryOptions& options = job.trajectory.options();
  const auto& names = job.trajectory.bodies().names;
  const auto& ids = job.trajectory.ids();
  const auto write = options.single_precision ? write_vector<float> : write_vector<double>;
  job.out.print("frame,step,time,id{},x,y,z{}\n", names.empty() ? "" : ",name", options.velocities ? ",vx,vy,vz" : "");
  job.for_each_frame([&](std::size_t i, const sim::Snapshot& frame) {
    for (std::size_t n = 0; n < frame.size(); ++n) {
      job.out.print("{},{},{},{}", i, frame.step, frame.time, ids[n]);
      if (!names.empty()) job.out.print(",{}", csv_field(names[n]));
      write(job.out, frame.position, n);
      if (options.velocities) write(job.out, frame.velocity, n);
      job.out.add("\n");
    }
  });
}

}  // namespace

const ExportFormat csv_format{.name = "csv", .meaning = "one line a body and frame", .write = write_csv};

}  // namespace orrery::pipeline
