// SPDX-License-Identifier: MIT
// Of the figure "rotation-curve": how fast bodies go round the axis, over the distance from it, component by component.
#include <tuple>

#include "pipeline/pictures/series.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t most_components = 13;

/// Some of the bodies of a moment.
struct Part {
  std::vector<double> mass;
  sim::Vectors position, velocity;
};

Part part_of(const SeriesRequest& request, const sim::Snapshot& at, std::int32_t species) {
  Part part;
  const auto& [cast, p, v] = std::tie(request.cast, at.position, at.velocity);
  for (std::size_t i = 0; i < cast.mass.size(); ++i) {
    if (i < cast.species.size() && cast.species[i] != species) continue;
    part.mass.push_back(cast.mass[i]);
    part.position.push_back(p.x[i], p.y[i], p.z[i]);
    part.velocity.push_back(v.x[i], v.y[i], v.z[i]);
  }
  return part;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  const std::string& plane = request.keys->text("plane");
  const int axis = plane == "xy" ? 2 : plane == "xz" ? 1 : 0;
  const auto& components = request.cast.components;
  const bool apart = components.size() > 1 && components.size() <= most_components;
  std::vector<render::Series> all = empty_series(apart ? components : std::vector<std::string>{""}, 0);
  if (request.trajectory == nullptr) return all;
  ask_for_velocities(request);
  each_moment(request, [&](const sim::Snapshot& at) {
    const sim::Moment whole{request.cast.mass, at.position, at.velocity};
    const sim::Vec3 center = center_of(request, whole);
    const sim::Vec3 drift = request.keys->text("about") == "origin" ? sim::Vec3{} : sim::drift_of(whole);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Part part = apart ? part_of(request, at, static_cast<std::int32_t>(k)) : Part{};
      const sim::Moment moment = apart ? sim::Moment{part.mass, part.position, part.velocity} : whole;
      std::vector<double> row;
      for (const sim::Ring& ring : sim::rotation_curve(moment, center, drift, axis))
        row.insert(row.end(), {ring.radius, ring.speed, ring.dispersion});
      add_row(all[k], at.time, row);
    }
  });
  return all;
}

}  // namespace

extern const SeriesKind rotation_series{"rotation-curve", make};

}  // namespace orrery::pipeline
