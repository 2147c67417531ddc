// SPDX-License-Identifier: MIT
// The look of every picture, once: colours, the font, sizes and line widths.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// light: for print; dark: for screens.
enum class Theme { light, dark };

/// Throws Error (exit code 2) for another name than "light" or "dark".
Theme theme_named(std::string_view name);

/// Colours of a theme, and sizes in pixels for a canvas of given size.
struct Style {
  Theme theme = Theme::light;
  Color background, ink, soft_ink, frame, grid, pane;
  float unit = 1;  ///< every length of the look grows with it
  float tick_text = 0, label_text = 0, title_text = 0;
  float frame_line = 0, grid_line = 0, path_line = 0, curve_line = 0;
  float point = 300.0F / 72;  ///< a point of a printer, 1/72 inch, in pixels
  /// Asked for, in pixels: the width of curves and paths; the radius of marks and of the heaviest body. 0: the usual one.
  float line = 0, mark = 0;
  bool paged = false;   ///< letters and lines are what a page wants, and stay so in its parts
  bool titled = true;   ///< there is room for a title above a plot
  bool stamped = true;  ///< and the time is written there, where it goes by
  // What a small sheet leaves out, so that what is left has room.
  bool legended = true, named = true, numbered = true;  ///< legends, names of axes, numbers of axes
  Point legend_room{1e9F, 1e9F};                        ///< the most that a legend takes
  // What can be seen in a film, which nobody enlarges; 0 in stills.
  float least_text = 0;    ///< no letters become smaller than that, in pixels
  float least_radius = 0;  ///< nor do bodies
};

/// By its unit. At 300/dpi of it text is 7.4 to 9.8 points, and lines are 0.5 to 0.8, but for a fainter grid.
Style style(Theme theme, double unit);
/// As it fits a canvas of this size: the unit is 1 on 1600 x 1200.
Style style(Theme theme, Size size);

/// As it fits a film of this size: letters are at least 12 pixels, so that digits are 9 high, and bodies 3 across.
Style film_look(Theme theme, Size size);

/// So many letters' heights are the shorter side of a sheet.
float letters(const Style& style, Size size);
/// The same without what there is no room for on a sheet of this size: title and legend go first, then names of axes, then
/// their numbers. The frame keeps about half of the sheet.
Style fitted(Style style, Size size);

/// The same, `factor` times as large.
Style scaled(const Style& style, float factor);

/// So many colours has body_color before it begins again.
inline constexpr std::size_t different_colors = 24;

/// The colour of body or component `i`; they differ for colour-blind eyes, and repeat, darker, after eight, then paler.
Color body_color(Theme theme, std::size_t i);

/// Perceptually uniform colours for a scalar of a body in 0 … 1, all of them plain to see on the theme's ground.
Color scalar_color(Theme theme, double t);

/// Perceptually uniform colours for a field in 0 … 1, from the theme's ground to ink or light.
Color field_color(Theme theme, double t);

/// The font's file. Throws Error that says what to install where there is none.
const std::string& font_file(bool bold = false);

}  // namespace orrery::render
