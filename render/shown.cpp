// SPDX-License-Identifier: MIT
#include "render/shown.hpp"

#include <utility>

#include "render/point_cloud/knn_density.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {

Shown::Shown(const Style& its_look, const RunInfo& its_cast, const Arguments& arguments, Trails trails)
    : chosen(chosen_bodies(arguments, its_cast)),
      info(chosen.empty() ? its_cast : picked(its_cast, chosen)),
      style(with_sizes(its_look, arguments)),
      reference(arguments.text("frame"), its_cast, arguments.text("outliers") == "show"),
      coloring(arguments.has("color_by") ? arguments.text("color_by") : "", style.theme, its_cast, reference, chosen),
      legend(style, coloring),
      paths(trails, reference.bounds()),
      still(trails.still) {}

Frame Shown::seen(const Frame& frame) const {
  return chosen.empty() ? reference.seen(frame) : picked(reference.seen(frame), chosen);
}

void Shown::take(const Frame& frame) {
  Frame seen = reference.seen(frame);
  if (coloring.by_density()) seen.density = local_densities(seen, reference.mass());
  if (!chosen.empty()) all_now = std::exchange(seen, picked(seen, chosen));
  // Each of several panels keeps its frame: drop what is not drawn.
  if (seen.size() > most_bodies_with_paths && !coloring.by_speed()) seen.velocity = std::vector<float>();
  paths.append(std::move(seen));
}

Stamp Shown::stamp() const {
  if (paths.empty() || (still && !crowded())) return {};
  return time_stamp(info, paths.now().time, still);
}

}  // namespace orrery::render
