// SPDX-License-Identifier: MIT
// csv: one line a body and frame, numbers in the fewest digits that read back as the same bits (RFC 4180 but for \n).
#include "pipeline/exports/list.hpp"

namespace orrery::pipeline {
namespace {

template <class Stored>
void write_vector(TextOutput& out, const sim::Vectors& v, std::size_t n) {
  out.print(",{},{},{}", static_cast<Stored>(v.x[n]), static_cast<Stored>(v.y[n]), static_cast<Stored>(v.z[n]));
}

/// What bodies have throughout the run stands at the end of each line: with it the lines of a frame are a table of bodies.
class Constants {
 public:
  explicit Constants(const TrajectoryReader& trajectory) : bodies_(trajectory.bodies()) {
    for (const std::string& name : trajectory.record().components) components_.push_back(csv_field(name));
  }
  [[nodiscard]] bool charged() const { return !bodies_.charge.empty(); }
  void write(TextOutput& out, std::size_t n) const {
    out.print(",{}", bodies_.mass[n]);
    if (charged()) out.print(",{}", bodies_.charge[n]);
    const auto species = static_cast<std::size_t>(bodies_.species[n]);
    out.print(",{}\n", species < components_.size() ? components_[species] : "");
  }

 private:
  const sim::Bodies& bodies_;
  std::vector<std::string> components_;
};

void write_csv(const ExportJob& job) {
  const TrajectoryOptions& options = job.trajectory.options();
  const auto& names = job.trajectory.bodies().names;
  const auto& ids = job.trajectory.ids();
  const Constants constants(job.trajectory);
  const bool images = job.trajectory.record().domain.is_joined();
  const auto write = options.single_precision ? write_vector<float> : write_vector<double>;
  job.out.print("frame,step,time,id{},x,y,z{}{},mass{},component\n", names.empty() ? "" : ",name",
                options.velocities ? ",vx,vy,vz" : "", images ? ",ix,iy,iz" : "", constants.charged() ? ",charge" : "");
  job.for_each_frame([&](std::size_t i, const sim::Snapshot& frame) {
    for (std::size_t n = 0; n < frame.size(); ++n) {
      job.out.print("{},{},{},{}", i, frame.step, frame.time, ids[n]);
      if (!names.empty()) job.out.print(",{}", csv_field(names[n]));
      write(job.out, frame.position, n);
      if (options.velocities) write(job.out, frame.velocity, n);
      if (images) write_vector<std::int32_t>(job.out, frame.image, n);
      constants.write(job.out, n);
    }
  });
}

}  // namespace

const ExportFormat csv_format{
    .name = "csv", .meaning = "one line a body and frame; bodies of a table can be read from it", .write = write_csv};

}  // namespace orrery::pipeline
