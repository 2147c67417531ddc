// SPDX-License-Identifier: MIT
// cs267: the text format of Berkeley's course on parallel computers: "n size", then per frame lines "x y" and an empty line.
#include <algorithm>

#include "pipeline/export.hpp"

namespace orrery::pipeline {
namespace {

/// The edge of the box along x, or without a box the larger side of the bounding rectangle of all frames.
double size_of(const ExportJob& job) {
  const double edge = job.trajectory.record().domain.edges.front();
  if (edge != 0) return edge;
  double low[2], high[2];
  bool any = false;
  job.for_each_frame([&](std::size_t, const sim::Snapshot& frame) {
    const std::vector<double>* axes[] = {&frame.position.x, &frame.position.y};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto [minimum, maximum] = std::ranges::minmax(*axes[k]);
      low[k] = any ? std::min(low[k], minimum) : minimum;
      high[k] = any ? std::max(high[k], maximum) : maximum;
    }
    any = true;
  });
  return any ? std::max(high[0] - low[0], high[1] - low[1]) : 0;
}

void write_cs267(const ExportJob& job) {
  job.out.print("{} {:g}\n", job.trajectory.bodies().size(), size_of(job));  // {:g}: like C++ streams
  job.for_each_frame([&](std::size_t, const sim::Snapshot& frame) {
    if (frame.step == 0) return;  // the course's programs write no frame before the first step
    for (std::size_t n = 0; n < frame.size(); ++n)
      job.out.print("{:g} {:g}\n", frame.position.x[n], frame.position.y[n]);
    job.out.add("\n");
  });
}

}  // namespace

extern const ExportFormat cs267_format{
    .name = "cs267", .meaning = "x and y of every frame except step 0, six digits", .write = write_cs267};

}  // namespace orrery::pipeline
