// SPDX-License-Identifier: MIT
// Figure "rotation-curve": rotation speed against the distance from the axis, for each component.
#include "pipeline/pictures/series.hpp"
#include "render/chart/marks.hpp"

namespace orrery::pipeline {
namespace {

/// The `bodies` of one component.
std::vector<std::size_t> members_of(const render::RunInfo& info, std::int32_t species,
                                    const std::vector<std::size_t>& bodies) {
  std::vector<std::size_t> members;
  for (const std::size_t i : bodies) {
    if (i >= info.species.size() || info.species[i] == species) members.push_back(i);
  }
  return members;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::string& plane = request.keys->text("plane");
  const int axis = plane == "xy" ? 2 : plane == "xz" ? 1 : 0;
  const auto& components = request.info.components;
  const bool apart = components.size() > 1 && components.size() <= render::different_marks;
  std::vector<render::Series> all = empty_series(apart ? components : std::vector<std::string>{""}, 0);
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  if (request.trajectory == nullptr) return all;
  each_moment(request, [&](const sim::Snapshot& at) {
    const sim::ParticleState whole{request.info.mass, at.position, at.velocity};
    const sim::Vec3 center = center_of(request, at);
    const sim::Vec3 drift = request.keys->text("about") == "origin" ? sim::Vec3{} : sim::mean_velocity(whole);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Part part(request, at, apart ? members_of(request.info, static_cast<std::int32_t>(k), bodies) : bodies);
      std::vector<double> row;
      for (const sim::Ring& ring : sim::rotation_curve(part.state(), center, drift, axis))
        row.insert(row.end(), {ring.radius, ring.speed, ring.dispersion});
      add_row(all[k], at.time, row);
    }
  });
  return all;
}

}  // namespace

extern const SeriesKind rotation_series{.figure = "rotation-curve", .make = make, .velocities = true};

}  // namespace orrery::pipeline
