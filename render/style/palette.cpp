// SPDX-License-Identifier: MIT
#include "render/style/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include "common/error.hpp"
#include "common/installed.hpp"
#include "render/style/colormap.hpp"

namespace orrery::render {
namespace {

/// Reads `n` colours of six hexadecimal digits each.
template <std::size_t n>
constexpr std::array<Color, n> colors_of(std::string_view digits) {
  std::array<Color, n> colors;
  for (std::size_t i = 0; i < n; ++i) colors[i] = color_at(digits, 6 * i);
  return colors;
}

// After Okabe and Ito, "Color Universal Design" (2008): eight colours that colour-blind people can distinguish. On a light
// background yellow is too pale and is replaced by violet (a darker yellow looks like orange without red vision). On a dark
// background all are slightly lighter and black is near white.
constexpr auto on_light = colors_of<8>("0072b2d55e00009e73cc79a7e69f0056b4e9404040542ec4");
constexpr auto on_dark = colors_of<8>("5cbaf0f6923e2ec498e696c4f4e4605482f6f0f0f0e25c50");

// Of a style: background, ink, soft ink, frame, grid and pane.
constexpr auto light = colors_of<6>("ffffff18181c60626a464850e4e6eaf7f8fa");
constexpr auto dark = colors_of<6>("0d0f16e8eaf0969caa70788a24293613161f");

// Ten points each of plasma and magma (Smith and van der Walt 2015, matplotlib, CC0), interpolated linearly.
constexpr auto plasma = colors_of<10>("0d088746039f7201a89c179ebd3786d8576bed7953fb9f3afdca26f0f921");
constexpr auto magma = colors_of<10>("000004180f3d440f76721f819e2f7fcd4071f1605dfd9668feca8dfcfdbf");

Color on(const std::array<Color, 10>& map, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), map.size() - 2);
  return mixed(map[i], map[i + 1], place - static_cast<double>(i));
}

/// Beside the library, or in the system's folders.
std::string find_font(std::string_view name) {
  std::vector<std::filesystem::path> folders;
  if (const auto library = folder_of_library()) folders.push_back(*library / "../share/orrery/fonts");
  // Debian and Ubuntu, Fedora, Arch, openSUSE, local.
  for (const char* folder : {"truetype/dejavu", "dejavu-sans-fonts", "dejavu", "TTF", "truetype"})
    folders.push_back(std::filesystem::path("/usr/share/fonts") / folder);
  folders.emplace_back("/usr/local/share/fonts");
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path file = folder / name;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  throw Error("no font for the labels: " + std::string(name) +
              " is not in /usr/share/fonts; install fonts-dejavu-core (dejavu-sans-fonts on Fedora, "
              "ttf-dejavu on Arch)");
}

/// Returns the style with minimum sizes.
Style no_smaller(Style style, float text, float radius) {
  style.min_text = text;
  style.min_radius = radius;
  for (float* size : {&style.tick_text, &style.label_text, &style.title_text}) *size = std::max(*size, text);
  return style;
}

}  // namespace

Theme theme_named(std::string_view name) {
  if (name == "light") return Theme::light;
  if (name == "dark") return Theme::dark;
  throw Error("no theme is named \"" + std::string(name) + "\"; there are \"light\" and \"dark\"", Fault::request);
}

Style style(Theme theme, double unit) {
  const auto& [background, ink, soft_ink, frame, grid, pane] = theme == Theme::light ? light : dark;
  Style l{.theme = theme,
          .background = background,
          .ink = ink,
          .soft_ink = soft_ink,
          .frame = frame,
          .grid = grid,
          .pane = pane};
  l.unit = static_cast<float>(std::max(0.15, unit));
  const auto text = [&](double pixels) { return static_cast<float>(std::max(9.0, std::round(pixels * l.unit))); };
  l.tick_text = text(31);
  l.label_text = text(36);
  l.title_text = text(41);
  const auto line = [&](double pixels) {
    return static_cast<float>(std::max(0.7, pixels * static_cast<double>(l.unit)));
  };
  l.frame_line = line(2.2);
  l.grid_line = line(1.6);
  l.path_line = line(3.4);
  l.curve_line = line(3.0);
  return l;
}

Style scaled(const Style& style, float factor) {
  const Style sized = render::style(style.theme, static_cast<double>(style.unit * factor));
  Style l = style;
  l.unit = sized.unit;
  for (const auto size : {&Style::tick_text, &Style::label_text, &Style::title_text, &Style::frame_line,
                          &Style::grid_line, &Style::path_line, &Style::curve_line}) {
    l.*size = sized.*size;
  }
  return no_smaller(l, style.min_text, style.min_radius);
}

float letters(const Style& style, Size size) {
  return static_cast<float>(std::min(size.width, size.height)) / style.tick_text;
}

Style fitted(Style style, Size size) {
  const float high = letters(style, size), wide = static_cast<float>(size.width) / style.tick_text;
  style.titled = style.titled && high >= 16;
  // Letters that may not shrink leave a narrow film no room beside a legend.
  style.legended = style.legended && (high >= 16 || (high >= 12 && wide >= 22)) && (style.min_text == 0 || wide >= 22);
  style.named = style.named && high >= 12;
  style.numbered = style.numbered && high >= 9;
  style.legend_room = {0.36F * static_cast<float>(size.width), 0.95F * static_cast<float>(size.height)};
  return style;
}

Style style(Theme theme, Size size) {
  // A wide film has the same number of pixels per line of text as a still of the same height.
  return style(theme, std::min(size.width / 1600.0, size.height / 1200.0 * 1.12));
}

Style film_style(Theme theme, Size size) {
  return no_smaller(style(theme, size), 12, 1.5F);
}

Color body_color(Theme theme, std::size_t i) {
  const auto& colors = theme == Theme::light ? on_light : on_dark;
  const Color color = colors[i % colors.size()];
  // Paler ones come last, since pale blue resembles sky blue.
  const std::size_t round = i / colors.size() % 3;
  return round == 0 ? color : mixed(color, round == 1 ? Color{18, 20, 25} : Color{255, 255, 255}, 0.36);
}

Color scalar_color(Theme theme, double t) {
  // Avoid near black on a dark background and pale yellow on a light one. Greater values stand out more from either.
  t = std::clamp(t, 0.0, 1.0);
  return on(plasma, theme == Theme::dark ? 0.25 + 0.75 * t : 0.84 * (1 - t));
}

Color field_color(Theme theme, double t) {
  // Blend the lowest tenth with the background, so that a field has no visible edge.
  t = std::clamp(t, 0.0, 1.0);
  const Color color = on(magma, theme == Theme::dark ? 0.04 + 0.96 * t : 1 - 0.97 * t);
  return mixed(style(theme, 1.0).background, color, t / 0.1);
}

const std::string& font_file(bool bold) {
  static const std::string plain = find_font("DejaVuSans.ttf");
  if (!bold) return plain;
  static const std::string heavy = find_font("DejaVuSans-Bold.ttf");
  return heavy;
}

}  // namespace orrery::render
