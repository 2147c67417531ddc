// SPDX-License-Identifier: MIT
// Colours, font, text sizes and line widths of all pictures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/export.hpp"
#include "render/canvas/drawing.hpp"

namespace orrery::render {

enum class Theme { light, dark };

/// `name` is "light" or "dark"; throws Error (Fault::request) for others.
Theme theme_named(std::string_view name);

/// Colours of a theme, and sizes in pixels for a given canvas.
struct Style {
  Theme theme = Theme::light;
  Color background, ink, soft_ink, frame, grid, pane;
  float unit = 1;  ///< all sizes are proportional to it
  float tick_text = 0, label_text = 0, title_text = 0;
  float frame_line = 0, grid_line = 0, path_line = 0, curve_line = 0;
  float point = 300.0F / 72;  ///< 1/72 inch, in pixels
  /// Width of curves and paths, and radius of marks and of the heaviest body, in pixels, if given; 0: the usual ones.
  float line = 0, mark = 0;
  bool paged = false;                                   ///< sizes are those for a printed page, also in parts of it
  bool titled = true;                                   ///< has a title above a plot
  bool stamped = true;                                  ///< has a time stamp there
  bool legended = true, named = true, numbered = true;  ///< has legends, names of axes, tick labels; see fitted()
  Point legend_room{1e9F, 1e9F};                        ///< maximum size of a legend
  float min_text = 0;                                   ///< minimum text size in films, in pixels; 0 in stills
  float min_radius = 0;                                 ///< minimum radius of bodies, likewise
};

/// Returns a style by its unit. With a unit of dpi/300, text is 7.4 to 9.8 points and lines, except for the grid, are 0.5 to
/// 0.8.
Style style(Theme theme, double unit);
/// Returns a style for a canvas of this size; the unit is 1 for 1600 x 1200.
Style style(Theme theme, Size size);

/// Returns a style for a film of this size: text has at least 12 pixels (digits are 9 high), bodies have a diameter of at
/// least 3.
Style film_style(Theme theme, Size size);

/// Returns the shorter side of a sheet in text heights.
float letters(const Style& style, Size size);
/// Returns the style without what does not fit a sheet of this size: first title and legend, then names of axes, then tick
/// labels are removed, so that the frame keeps about half of the sheet.
Style fitted(Style style, Size size);

/// Returns the style scaled by `factor`.
Style scaled(const Style& style, float factor);

/// The number of different colours of body_color().
inline constexpr std::size_t different_colors = 24;

/// Returns the colour of body or component `i`: eight colours that colour-blind people can distinguish, then darker, then
/// paler ones.
Color body_color(Theme theme, std::size_t i);

/// Returns a perceptually uniform colour for a scalar of a body in 0 … 1, visible on the background of the theme; greater
/// values differ more from it.
Color scalar_color(Theme theme, double t);

/// Returns a perceptually uniform colour for a field in 0 … 1; 0 is the background of the theme.
Color field_color(Theme theme, double t);

/// Returns the path of the font. Throws Error with a package to install if it is missing.
ORRERY_EXPORT const std::string& font_file(bool bold = false);

}  // namespace orrery::render
