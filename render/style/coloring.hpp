// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"
#include "render/style/palette.hpp"
#include "render/view/panel.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

/// The maximum number of names in a legend, and of bodies without names.
inline constexpr std::size_t max_names = 12, max_numbers = 8;

/// The colour of each body, and its meaning for a legend.
class Coloring {
 public:
  /// `by` is a value of `color_by`, or empty for its default. Speeds are relative to `reference`. `chosen`: the bodies
  /// shown, to which body indices below refer; empty: all. The meaning of colours does not depend on them. `colormap`: the
  /// name of the map of a scale, or empty for the colours of the theme. Throws ArgumentError for "color_by" if the run did
  /// not store velocities that it needs, and for "colormap" if there is no such map, or colours stand for bodies or
  /// components.
  Coloring(std::string by, Theme theme, const RunInfo& info, const Reference& reference,
           const std::vector<std::size_t>& chosen = {}, std::string_view colormap = {});

  /// Returns the colour of a body; `shade` is its shade_of().
  [[nodiscard]] Color of(std::size_t body, float shade) const { return palette_[index(body, shade)]; }
  /// Returns the index of that colour in the palette.
  [[nodiscard]] std::uint16_t index(std::size_t body, float shade) const {
    return changes_ ? place(static_cast<double>(shade)) : body < indices_.size() ? indices_[body] : 0;
  }
  /// Returns whether frames need densities.
  [[nodiscard]] bool by_density() const { return by_density_; }
  [[nodiscard]] bool by_speed() const { return changes_ && !by_density_; }
  [[nodiscard]] const std::vector<Color>& palette() const { return palette_; }

  /// Returns the axis of the colour bar, over the whole palette; nullopt if colours stand for names.
  [[nodiscard]] const std::optional<Axis>& scale() const { return scale_; }
  /// Returns whether colours stand for the runs of a picture of several: then all bodies of this one have that of its number.
  [[nodiscard]] bool by_run() const { return by_run_; }
  /// Returns names of bodies, components or runs for a legend; empty if there are too many, or only one.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Returns the colour of the i-th name.
  [[nodiscard]] Color color_of_name(std::size_t i) const { return palette_[name_colors_[i]]; }

 private:
  void by_component(const RunInfo& info, Theme theme, const std::vector<std::size_t>& chosen);
  void by_run(const RunInfo& info, Theme theme);
  void by_body(const RunInfo& info, Theme theme, const std::vector<std::size_t>& chosen);
  /// `values`: [N], or empty if they change with time.
  void by_scalar(std::vector<Color> colors, Axis scale, const std::vector<double>& values);
  [[nodiscard]] std::uint16_t place(double value) const;

  bool changes_ = false, by_density_ = false, by_run_ = false;
  std::vector<Color> palette_;
  std::vector<std::uint16_t> indices_;  // [N], unless they change with time
  std::optional<Axis> scale_;
  std::vector<std::string> names_;
  std::vector<std::uint16_t> name_colors_;  // their places in the palette
};

}  // namespace orrery::render
