// SPDX-License-Identifier: MIT
// Two themes, one font.
#include "render/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "common/error.hpp"

namespace orrery::render {
namespace {

// After Okabe and Ito, "Color Universal Design" (2008): eight colours that every eye tells apart. Their
// yellow is darkened for white paper; all are lightened a little for the dark ground, where black becomes
// near white.
constexpr std::array<Color, 8> on_light{{{0, 114, 178},
                                         {213, 94, 0},
                                         {0, 158, 115},
                                         {204, 121, 167},
                                         {230, 159, 0},
                                         {86, 180, 233},
                                         {64, 64, 64},
                                         {176, 164, 20}}};
constexpr std::array<Color, 8> on_dark{{{92, 186, 240},
                                        {246, 146, 62},
                                        {46, 196, 152},
                                        {230, 150, 196},
                                        {244, 228, 96},
                                        {84, 130, 246},
                                        {240, 240, 240},
                                        {226, 92, 80}}};

// Nine points of viridis (van der Walt and Smith 2015, matplotlib, CC0), joined linearly.
constexpr std::array<Color, 9> viridis{{{68, 1, 84},
                                        {71, 44, 122},
                                        {59, 81, 139},
                                        {44, 113, 142},
                                        {33, 144, 141},
                                        {39, 173, 129},
                                        {92, 200, 99},
                                        {170, 220, 50},
                                        {253, 231, 37}}};

std::string find_font(std::string_view name) {
  // Debian and Ubuntu, Fedora, Arch, openSUSE, a user's own.
  for (const char* folder : {"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/dejavu-sans-fonts/",
                             "/usr/share/fonts/dejavu/", "/usr/share/fonts/TTF/",
                             "/usr/share/fonts/truetype/", "/usr/local/share/fonts/"}) {
    std::string file = folder + std::string(name);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  throw Error("no font for the labels: " + std::string(name) +
              " is not in /usr/share/fonts; install fonts-dejavu-core (dejavu-sans-fonts on Fedora, "
              "ttf-dejavu on Arch)");
}

}  // namespace

Theme theme_named(std::string_view name) {
  if (name == "light") return Theme::light;
  if (name == "dark") return Theme::dark;
  throw Error("no theme is called \"" + std::string(name) + "\"; there are \"light\" and \"dark\"", 2);
}

Look look(Theme theme, Size size) {
  Look l;
  l.theme = theme;
  if (theme == Theme::light) {
    l.background = {255, 255, 255};
    l.ink = {24, 24, 28};
    l.soft_ink = {96, 98, 106};
    l.frame = {70, 72, 80};
    l.grid = {228, 230, 234};
    l.pane = {247, 248, 250};
  } else {
    l.background = {13, 15, 22};
    l.ink = {232, 234, 240};
    l.soft_ink = {150, 156, 170};
    l.frame = {112, 120, 138};
    l.grid = {36, 41, 54};
    l.pane = {19, 22, 31};
  }
  // A wide film has as many pixels for a line of text as a still of the same height.
  l.unit = static_cast<float>(std::max(0.15, std::min(size.width / 1600.0, size.height / 1200.0 * 1.12)));
  const auto text = [&](double pixels) {
    return static_cast<float>(std::max(9.0, std::round(pixels * l.unit)));
  };
  l.tick_text = text(31);
  l.label_text = text(36);
  l.title_text = text(41);
  const auto line = [&](double pixels) { return static_cast<float>(std::max(0.7, pixels * l.unit)); };
  l.frame_line = line(2.2);
  l.grid_line = line(1.6);
  l.path_line = line(3.4);
  l.curve_line = line(3.0);
  return l;
}

Color body_color(Theme theme, std::size_t i) {
  const auto& colors = theme == Theme::light ? on_light : on_dark;
  const Color color = colors[i % colors.size()];
  const std::size_t round = i / colors.size() % 3;
  const Color toward = theme == Theme::light ? Color{255, 255, 255} : Color{60, 64, 80};
  return mixed(color, toward, 0.28 * static_cast<double>(round));
}

Color scalar_color(double t) {
  const double place = std::clamp(t, 0.0, 1.0) * (viridis.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  return mixed(viridis[i], viridis[i + 1], place - static_cast<double>(i));
}

const std::string& font_file(bool bold) {
  static const std::string plain = find_font("DejaVuSans.ttf");
  if (!bold) return plain;
  static const std::string heavy = find_font("DejaVuSans-Bold.ttf");
  return heavy;
}

}  // namespace orrery::render
