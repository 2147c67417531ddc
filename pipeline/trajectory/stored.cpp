// SPDX-License-Identifier: MIT
// What frames keep of a run, for those who have the run and not the file.
#include <cstddef>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

template <class T>
void choose(std::vector<T>& values, const std::vector<std::int64_t>& kept) {
  if (values.empty()) return;
  std::vector<T> chosen;
  chosen.reserve(kept.size());
  for (const std::int64_t n : kept) chosen.push_back(values[static_cast<std::size_t>(n)]);
  values = std::move(chosen);
}

}  // namespace

sim::Bodies stored_bodies(const sim::Bodies& bodies, const TrajectoryOptions& options) {
  sim::Bodies stored = bodies;
  if (options.bodies.empty()) return stored;
  for (sim::Vectors* v : {&stored.position, &stored.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) choose(*axis, options.bodies);
  }
  choose(stored.mass, options.bodies);
  choose(stored.charge, options.bodies);
  choose(stored.species, options.bodies);
  choose(stored.names, options.bodies);
  return stored;
}

std::uint64_t frame_checksum(const sim::Snapshot& snapshot, const TrajectoryOptions& options) {
  trajectory::FrameBlock block({.bodies = options.bodies.empty() ? snapshot.size() : options.bodies.size(),
                                .whole = snapshot.size(),
                                .single_precision = options.single_precision,
                                .velocities = options.velocities,
                                .images = snapshot.image.size() > 0});
  block.add(snapshot, options.bodies);
  return block.checksum.front();
}

}  // namespace orrery::pipeline
