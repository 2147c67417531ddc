// SPDX-License-Identifier: MIT
#include "pipeline/study/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/error.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/text_output.hpp"
#include "render/chart/chart.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view folder_of_files = "studies", page_file = "studies.md";

constexpr std::string_view opening = R"(# Studies: `orrery study`

Five student reports on CUDA N-body codes stand behind this project. Each study below asks one of their questions of the
machine that it runs on, with their axes and their own numbers beside ours:

```sh
orrery study                      # what there is to study
orrery study ladder -o DIR        # one of them: a page, its numbers as JSON and CSV, its figures
orrery study --all -o DIR         # all that this machine can do
orrery study --draw DIR/studies/*.json -o docs   # pages and figures of what other machines measured
orrery study ladder --compare OLD.json           # ratios; exit code 1 where one is below 0.8 (--threshold)
```

`--quick` measures few sizes in seconds. Numbers of reports are theirs, measured on their machines; all others were measured by
the command that stands at each table. A row that is marked *extrapolated* was not run: one step of it would take longer than
10 s. This page is made by the program.
)";

std::string file_of(const StudyResult& result, std::string_view part, std::string_view extension) {
  return fmt::format("{}/{}-{}{}{}.{}", folder_of_files, result.study, result.machine.name, part.empty() ? "" : "-",
                     part, extension);
}

std::string machines(std::span<const StudyResult> results) {
  std::string text = "\n## Machines\n";
  std::vector<std::string> done;
  for (const StudyResult& result : results) {
    if (std::ranges::find(done, result.machine.name) != done.end()) continue;
    done.push_back(result.machine.name);
    text += fmt::format("\n**{}**\n\n| | |\n|---|---|\n", result.machine.name);
    for (const auto& [name, value] : result.machine.facts)
      text += fmt::format("| {} | {} |\n", name, markdown_cell(value));
  }
  return text;
}

/// A table of all studies with their short answers and limits.
std::string at_a_glance(std::span<const StudyResult> results) {
  std::string text = "\n## At a glance\n\n| study | machine | answer | limit |\n|---|---|---|---|\n";
  for (const Study* study : studies()) {
    for (const StudyResult& result : results) {
      if (result.study != study->name || result.findings.empty()) continue;
      text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} |\n", result.study, result.machine.name,
                          markdown_cell(result.findings.front()), markdown_cell(result.limit));
    }
  }
  return text;
}

std::string part_of(const StudyResult& result) {
  std::string text = fmt::format("\n### On {}\n\n`{}`{}\n", result.machine.name, result.command,
                                 result.quick ? " (few sizes: `--quick`)" : "");
  for (const std::string& finding : result.findings) text += fmt::format("\n- {}", finding);
  if (!result.findings.empty()) text += "\n";
  const auto picture = [&](const auto& drawn) {
    text += fmt::format("\n![{}]({})\n", drawn.title, file_of(result, drawn.name, "png"));
  };
  for (const ResultChart& chart : result.charts) picture(chart);
  for (const ResultMap& map : result.maps) picture(map);
  for (const ResultTable& table : result.tables)
    text += fmt::format("\n{} ([CSV]({}))\n\n{}", table.title, file_of(result, table.name, "csv"), to_markdown(table));
  return text;
}

render::ChartAxis axis_of(const ResultAxis& axis) {
  return {.name = axis.name, .unit = axis.unit, .logarithmic = axis.logarithmic};
}

/// Error bars: bands of one point each.
render::Curve bars_of(const ResultCurve& curve) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  render::Curve bars{.name = curve.name, .stroke = render::Curve::Stroke::band};
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    bars.x.insert(bars.x.end(), {curve.x[i], gap});
    bars.y.insert(bars.y.end(), {curve.greatest[i], gap});
    bars.low.insert(bars.low.end(), {curve.least[i], gap});
  }
  return bars;
}

/// Writes a PNG; false in a build without pictures, which writes nothing.
bool draw(const ResultChart& chart, const std::filesystem::path& file, Replacing replacing) {
  render::Chart drawn{.title = chart.title, .x = axis_of(chart.x), .y = axis_of(chart.y)};
  using enum render::Curve::Stroke;
  constexpr render::Curve::Stroke kinds[] = {line, marks, both, dashed};  // by ResultCurve::Stroke
  for (const ResultCurve& curve : chart.curves) {
    drawn.curves.push_back({.name = curve.name,
                            .x = curve.x,
                            .y = curve.y,
                            .stroke = kinds[static_cast<std::size_t>(curve.stroke)],
                            .note = curve.note});
    if (!curve.least.empty() && curve.least.size() == curve.greatest.size()) drawn.curves.push_back(bars_of(curve));
  }
  return write_chart(file, {640, 430}, render::Theme::light, {drawn}, 1, replacing);
}

bool draw(const ResultMap& map, const std::filesystem::path& file, Replacing replacing) {
  return write_heat_map(file, {640, 430}, render::Theme::light,
                        {.title = map.title,
                         .x = axis_of(map.x),
                         .y = axis_of(map.y),
                         .value = axis_of(map.value),
                         .xs = map.xs,
                         .ys = map.ys,
                         .values = map.values},
                        replacing);
}

}  // namespace

std::string page(std::span<const StudyResult> results) {
  std::string text(opening);
  text += at_a_glance(results) + machines(results);
  for (const Study* study : studies()) {
    bool begun = false;
    for (const StudyResult& result : results) {
      if (result.study != study->name) continue;
      if (!std::exchange(begun, true)) {
        text += fmt::format("\n## {}\n\n{}\n", result.study, result.question);
        for (const std::string& paragraph : result.method) text += fmt::format("\n{}\n", paragraph);
      }
      text += part_of(result);
    }
  }
  return text;
}

std::vector<std::filesystem::path> write_page(const std::filesystem::path& folder, std::span<const StudyResult> results,
                                              Replacing replacing) {
  std::error_code error;
  std::filesystem::create_directories(folder / folder_of_files, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  std::vector<std::filesystem::path> files;
  const auto write = [&](const std::string& name, const std::string& text, Replacing may) {
    write_whole(folder / name, text, may);
    files.push_back(folder / name);
  };
  refuse_unwritable(folder / page_file, replacing);
  for (const StudyResult& result : results) {
    // A CSV file does not name its program. It may be replaced if the JSON file beside it is orrery's.
    const std::string json = file_of(result, "", "json");
    const bool ours = written_by_orrery(folder / json);
    write(json, to_json(result), replacing);
    for (const ResultTable& table : result.tables)
      write(file_of(result, table.name, "csv"), to_csv(table), ours ? Replacing::anything : replacing);
    const auto paint = [&](const auto& drawn) {
      const std::filesystem::path file = folder / file_of(result, drawn.name, "png");
      if (draw(drawn, file, replacing)) files.push_back(file);
    };
    for (const ResultChart& chart : result.charts) paint(chart);
    for (const ResultMap& map : result.maps) paint(map);
  }
  write_whole(folder / page_file, page(results), replacing);
  files.push_back(folder / page_file);
  return files;
}

}  // namespace orrery::pipeline
