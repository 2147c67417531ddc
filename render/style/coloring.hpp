// SPDX-License-Identifier: MIT
// What bodies are coloured by, and what a legend has to say about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"
#include "render/style/palette.hpp"
#include "render/view/panel.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

/// Legends name no more; of bodies without names, no more than the second.
inline constexpr std::size_t most_names = 12, most_numbers = 8;

class Coloring {
 public:
  /// `by` is "body", "component", "speed", "mass", "density" or "id", or empty: body, in a crowd component. Speeds are
  /// those seen from `reference`. `chosen`: the bodies that are shown, in their order, and that its functions count; empty:
  /// all. What colours mean does not depend on who is shown. Throws ArgumentError for "color_by" where the run does not
  /// have what is asked for.
  Coloring(std::string by, Theme theme, const RunInfo& info, const Reference& reference,
           const std::vector<std::size_t>& chosen = {});

  /// The colour of a body that moves so fast, or where it is so dense: see shade_of().
  [[nodiscard]] Color of(std::size_t body, float shade) const { return palette_[index(body, shade)]; }
  /// That colour's place in the palette.
  [[nodiscard]] std::uint16_t index(std::size_t body, float shade) const {
    return changes_ ? place(static_cast<double>(shade)) : body < indices_.size() ? indices_[body] : 0;
  }
  /// The place in the palette of every body of a frame.
  [[nodiscard]] std::vector<std::uint16_t> indices(const Frame& frame) const;
  /// Frames must bring their densities.
  [[nodiscard]] bool by_density() const { return by_density_; }
  [[nodiscard]] bool by_speed() const { return changes_ && !by_density_; }
  [[nodiscard]] const std::vector<Color>& palette() const { return palette_; }

  /// What a scalar's colours mean, from the palette's first to its last; nothing where colours are names.
  [[nodiscard]] const std::optional<Axis>& scale() const { return scale_; }
  /// Names of bodies or components, for a legend; empty where there are too many, or just one.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The colour of the i-th of those.
  [[nodiscard]] Color color_of_name(std::size_t i) const { return palette_[name_colors_[i]]; }

 private:
  void by_component(const RunInfo& info, Theme theme);
  void by_body(const RunInfo& info, Theme theme, const std::vector<std::size_t>& chosen);
  void by_scalar(Theme theme, Axis scale, const std::vector<double>& values);
  [[nodiscard]] std::uint16_t place(double value) const;

  bool changes_ = false, by_density_ = false;
  std::vector<Color> palette_;
  std::vector<std::uint16_t> indices_;  // [N], where they stay the same
  std::optional<Axis> scale_;
  std::vector<std::string> names_;
  std::vector<std::uint16_t> name_colors_;  // their places in the palette
};

}  // namespace orrery::render
