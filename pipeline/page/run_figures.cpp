// SPDX-License-Identifier: MIT
#include "pipeline/page/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "common/base64.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/page/phrases.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "render/page/html.hpp"

namespace orrery::pipeline {
namespace {

using render::html::escaped;

constexpr double widest_image = 800;  // pixels

std::string caption_of(const render::FigureKind& kind) {
  std::string words(kind.meaning);
  if (!words.empty()) words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

}  // namespace

std::vector<RunFigure> run_figures(const TrajectoryReader& trajectory, const std::vector<Picture>& pictures,
                                   const std::string& prefix, Context& context) {
  const Scratch folder({});
  const Subject subject = subject_of(trajectory, context.resources);
  Silenced silent(context);
  const bool many = trajectory.bodies().size() > render::max_bodies_with_paths;
  std::vector<RunFigure> figures;
  for (std::size_t k = 0; k < pictures.size() && !context.stopped(); ++k) {
    const Picture& given = pictures[k];
    const std::string name = fmt::format("{}{}", prefix, k);
    const bool cloud = many && given.kind->needs_frames;
    const Picture shown = cloud ? untitled(given, name + ".png", widest_image) : untitled(given, name + ".svg");
    RunFigure figure{.caption = caption_of(*given.kind)};
    try {
      const auto files = Pictures(subject, {shown}, false).draw(trajectory, folder.path(), silent);
      const std::string bytes = files.empty() ? "" : read_whole(files.front());
      if (!bytes.empty() && cloud) {
        figure.markup =
            fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", escaped(figure.caption), base64(bytes));
      } else if (!bytes.empty()) {
        figure.markup = render::html::inline_svg(bytes, name + "-", figure.caption);
      }
      if (given.kind->is_chart() && !has_parts(*given.kind)) {
        const Picture numbers = untitled(given, name + ".json");
        figure.charts = Pictures(subject, {numbers}, false).charts(trajectory, context);
      }
    } catch (const Error& error) {
      context.warning("{} is left out: {}", given.kind->name, error.what());
      continue;
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::string table_of(const render::Chart& chart, std::size_t most) {
  const auto axis = [](const render::ChartAxis& of) {
    return escaped(of.unit.empty() ? of.name : fmt::format("{} ({})", of.name, of.unit));
  };
  // Curves of the same points stand side by side.
  std::vector<std::vector<const render::Curve*>> groups;
  for (const render::Curve& curve : chart.curves) {
    if (curve.x.empty()) continue;
    if (groups.empty() || groups.back().front()->x != curve.x) groups.emplace_back();
    groups.back().push_back(&curve);
  }
  std::string text;
  for (const auto& group : groups) {
    text += fmt::format("<table><thead><tr><th scope=\"col\">{}</th>", axis(chart.x));
    for (const render::Curve* curve : group) {
      const std::string name = curve->name.empty() ? "" : escaped(curve->name) + ": ";
      text += curve->low.empty()
                  ? fmt::format("<th scope=\"col\">{}{}</th>", name, axis(chart.y))
                  : fmt::format("<th scope=\"col\">{0}least {1}</th><th scope=\"col\">{0}greatest {1}</th>", name,
                                axis(chart.y));
    }
    text += "</tr></thead>\n<tbody>\n";
    const std::size_t points = group.front()->x.size(), rows = std::min(most, points);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t i = rows < 2 ? 0 : r * (points - 1) / (rows - 1);
      text += fmt::format("<tr><th scope=\"row\">{}</th>", number(group.front()->x[i] / chart.x.unit_length));
      for (const render::Curve* curve : group) {
        if (!curve->low.empty()) text += fmt::format("<td>{}</td>", number(curve->low[i] / chart.y.unit_length, 4));
        text += fmt::format("<td>{}</td>", number(curve->y[i] / chart.y.unit_length, 4));
      }
      text += "</tr>\n";
    }
    text += "</tbody></table>\n";
    if (rows < points) text += fmt::format("<p class=\"soft\">{} of {} rows.</p>\n", rows, points);
  }
  return text;
}

}  // namespace orrery::pipeline
