// SPDX-License-Identifier: MIT
#include "render/shown.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "render/point_cloud/knn_density.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {
namespace {

std::string text_or_empty(const Arguments& arguments, std::string_view key) {
  return arguments.has(key) ? arguments.text(key) : "";
}

}  // namespace

Shown::Shown(const Style& base_style, const RunInfo& run, const Arguments& arguments, Trails trails)
    : chosen(chosen_bodies(arguments, run)),
      info(chosen.empty() ? run : picked(run, chosen)),
      style(with_sizes(base_style, arguments)),
      reference(arguments.text("frame"), run, arguments.text("outliers") == "show"),
      coloring(text_or_empty(arguments, "color_by"), style.theme, run, reference, chosen,
               text_or_empty(arguments, "colormap")),
      legend(style, coloring),
      between(between_samples(trails)),
      paths(trails, reference.bounds(), between),
      still(trails.still),
      trailing(trails.time > 0),
      names(text_or_empty(arguments, "names")) {}

std::shared_ptr<const Between> Shown::between_samples(Trails trails) const {
  // A still with many bodies shows none of their paths, and samples of many bodies are not all frames.
  if (info.between == nullptr || (trails.time <= 0 && info.pictures == 0)) return nullptr;
  std::vector<Frame> frames;
  for (const Frame& sample : info.samples) frames.push_back(seen(sample));
  return std::make_shared<const Between>(frames, reference.bounds());
}

Frame Shown::seen(const Frame& frame) const {
  return chosen.empty() ? reference.seen(frame) : picked(reference.seen(frame), chosen);
}

void Shown::take(const Frame& frame) {
  Frame seen = reference.seen(frame);
  if (coloring.by_density()) seen.density = local_densities(seen, reference.mass(), reference.bounds());
  if (!chosen.empty()) all_now = std::exchange(seen, picked(seen, chosen));
  // Each of several panels keeps its frame: drop what is not drawn.
  if (seen.size() > max_bodies_with_paths && !coloring.by_speed()) seen.velocity = {};
  paths.append(std::move(seen));
}

Stamp Shown::stamp() const {
  if (paths.empty() || (still && !is_point_cloud())) return {};
  return time_stamp(info, paths.now().time, still);
}

}  // namespace orrery::render
