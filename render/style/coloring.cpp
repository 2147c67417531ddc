// SPDX-License-Identifier: MIT
#include "render/style/coloring.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/bands.hpp"
#include "render/chosen.hpp"
#include "render/point_cloud/knn_density.hpp"
#include "render/statistics.hpp"
#include "render/style/colormap.hpp"
#include "render/view/paths.hpp"

namespace orrery::render {
namespace {

std::vector<float> speeds_of(const RunInfo& info, const Reference& reference) {
  std::vector<float> speeds;
  for (const Frame& sample : info.samples) speeds.resize(speeds.size() + sample.size());
  float* to = speeds.data();
  for (const Frame& sample : info.samples) {
    if (sample.velocity.empty()) {
      throw ArgumentError(
          "color_by",
          "the trajectory has no velocities to colour by: make it again with velocities = true in [trajectory]");
    }
    const Frame frame = reference.seen(sample);
    parallel_for(frame.size(), 4 * frame.size(), [&](std::size_t i) { to[i] = speed_of(frame, i); });
    to += frame.size();
  }
  return speeds;
}

/// Returns the range of the logarithms of local densities in a few samples of the run.
Interval densities_of(const RunInfo& info) {
  std::vector<double> exponents;
  const std::size_t stride = std::max<std::size_t>(1, (info.samples.size() + 7) / 8);
  for (std::size_t s = 0; s < info.samples.size(); s += stride) {
    for (const float density : local_densities(info.samples[s], info.mass, info.bounds)) {
      if (density > 0) exponents.push_back(std::log10(static_cast<double>(density)));
    }
  }
  if (exponents.empty()) return {-1, 1};
  Interval range = robust_range(exponents);
  if (range.length() < 1) range = {range.middle() - 0.5, range.middle() + 0.5};
  return range;
}

}  // namespace

Coloring::Coloring(std::string by, Theme theme, const RunInfo& info, const Reference& reference,
                   const std::vector<std::size_t>& chosen, std::string_view colormap) {
  const std::size_t bodies = info.mass.size();
  const std::size_t shown = chosen.empty() ? bodies : chosen.size();
  if (!info.runs.empty()) {
    if (!by.empty())
      throw ArgumentError("color_by", "colours stand for the runs of this picture: remove `color_by`, or draw one run");
    by = "run";
  }
  if (by.empty()) by = shown > max_bodies_with_paths ? "component" : "body";
  const auto colors = [&] { return scale_colors(colormap, theme, scalar_color); };
  if (by == "speed") {
    Axis scale{.limits = robust_range(speeds_of(info, reference)), .name = "speed", .unit = info.speed_unit};
    if (scale.limits.low < 0.2 * scale.limits.high) scale.limits.low = 0;
    by_scalar(colors(), scale, {});
    changes_ = true;
  } else if (by == "density") {
    Axis scale{.limits = densities_of(info), .name = "density", .logarithmic = true};
    const bool massive = std::ranges::any_of(info.mass, [](double m) { return m > 0; });
    const ShownUnit unit = shown_density(info, 3, massive ? "" : "1");
    scale.unit = unit.name;
    scale.unit_length = unit.length;
    by_scalar(colors(), scale, {});
    changes_ = by_density_ = true;
  } else if (by == "mass") {
    std::vector<double> masses = info.mass;
    Axis scale{.limits = robust_range(masses),
               .name = "mass",
               .unit = shown_mass(info).name,
               .unit_length = shown_mass(info).length};
    scale.logarithmic = scale.limits.low > 0 && scale.limits.high > 30 * scale.limits.low;
    if (scale.logarithmic) scale.limits = {std::log10(scale.limits.low), std::log10(scale.limits.high)};
    by_scalar(colors(), scale, info.mass);
  } else if (by == "id") {
    std::vector<double> ids(bodies);
    std::iota(ids.begin(), ids.end(), 0.0);
    by_scalar(colors(), {.limits = {0, std::max(1.0, static_cast<double>(bodies) - 1)}, .name = "body number"}, ids);
  } else if (!colormap.empty()) {
    throw ArgumentError("colormap", "the colours stand for " +
                                        std::string(by == "run"    ? "runs"
                                                    : by == "body" ? "bodies"
                                                                   : "components") +
                                        ", not for a scale: set `color_by` to speed, mass, density or id, or leave "
                                        "the colour map out");
  } else if (by == "component") {
    by_component(info, theme, chosen);
  } else if (by == "run") {
    by_run(info, theme);
  } else {
    by_body(info, theme, chosen);
  }
  if (!chosen.empty()) indices_ = picked(indices_, chosen);
}

void Coloring::by_component(const RunInfo& info, Theme theme, const std::vector<std::size_t>& chosen) {
  for (std::size_t i = 0; i < different_colors; ++i) palette_.push_back(body_color(theme, i));
  indices_.resize(info.mass.size());
  parallel_for(indices_.size(), 4 * indices_.size(), [&](std::size_t i) {
    const std::size_t key = i < info.species.size() ? static_cast<std::size_t>(std::max(0, info.species[i])) : 0;
    indices_[i] = static_cast<std::uint16_t>(key % different_colors);
  });
  const bool few = info.components.size() > 1 && info.components.size() <= max_names;
  if (!few || std::ranges::all_of(info.components, &std::string::empty)) return;
  std::vector<bool> shown(info.components.size(), chosen.empty());
  for (const std::size_t i : chosen) {
    if (i < info.species.size() && static_cast<std::size_t>(info.species[i]) < shown.size())
      shown[static_cast<std::size_t>(info.species[i])] = true;
  }
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (!shown[k]) continue;
    names_.push_back(info.components[k]);
    name_colors_.push_back(static_cast<std::uint16_t>(k));
  }
}

void Coloring::by_run(const RunInfo& info, Theme theme) {
  by_run_ = true;
  for (std::size_t i = 0; i < different_colors; ++i) palette_.push_back(body_color(theme, i));
  indices_.assign(info.mass.size(), static_cast<std::uint16_t>(info.run % different_colors));
  names_ = info.runs;
  for (std::size_t i = 0; i < names_.size(); ++i)
    name_colors_.push_back(static_cast<std::uint16_t>(i % different_colors));
}

void Coloring::by_body(const RunInfo& info, Theme theme, const std::vector<std::size_t>& chosen) {
  for (std::size_t i = 0; i < different_colors; ++i) palette_.push_back(body_color(theme, i));
  for (std::size_t i = 0; i < info.mass.size(); ++i)
    indices_.push_back(static_cast<std::uint16_t>(number_of(info, i) % different_colors));
  std::vector<std::size_t> named = chosen;
  for (std::size_t i = 0; chosen.empty() && i < std::min(info.mass.size(), max_names + 1); ++i) named.push_back(i);
  const bool nameless =
      std::ranges::all_of(named, [&](std::size_t i) { return i >= info.names.size() || info.names[i].empty(); });
  // A body without a name needs no number if it is the only one of the run, but does if it was chosen.
  if (named.size() > (nameless ? max_numbers : max_names) || (nameless && chosen.empty() && named.size() < 2)) return;
  for (const std::size_t i : named) {
    names_.push_back(name_of(info, i));
    name_colors_.push_back(indices_[i]);
  }
}

void Coloring::by_scalar(std::vector<Color> colors, Axis scale, const std::vector<double>& values) {
  scale_ = std::move(scale);
  palette_ = std::move(colors);
  indices_.resize(values.size());
  parallel_for(values.size(), 4 * values.size(), [&](std::size_t i) { indices_[i] = place(values[i]); });
}

std::uint16_t Coloring::place(double value) const {
  if (scale_->logarithmic) value = value > 0 ? std::log10(value) : scale_->limits.low;
  const double t = (value - scale_->limits.low) / scale_->limits.length();
  const double at = (t > 0 ? std::min(t, 1.0) : 0) * (colormap_size - 1);
  const auto below = static_cast<std::uint16_t>(at);
  return static_cast<std::uint16_t>(below + (at - below >= 0.5 ? 1 : 0));  // as std::lround, which is slower
}

}  // namespace orrery::render
