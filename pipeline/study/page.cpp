// SPDX-License-Identifier: MIT
// docs/studies.md: machines first, then study by study what was asked, found, measured, and how to do it again.
#include "pipeline/study/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/study/drawing.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/text_output.hpp"

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

std::string in_one_cell(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '|') all += '\\';
    all += c == '\n' ? ' ' : c;
  }
  return all;
}

std::string file_of(const StudyResult& result, std::string_view part, std::string_view extension) {
  return fmt::format("{}/{}-{}{}{}.{}", folder_of_files, result.study, result.machine.name, part.empty() ? "" : "-",
                     part, extension);
}

std::string machines(std::span<const StudyResult> results) {
  std::string text = "\n## Machines\n";
  std::vector<std::string> told;
  for (const StudyResult& result : results) {
    if (std::ranges::find(told, result.machine.name) != told.end()) continue;
    told.push_back(result.machine.name);
    text += fmt::format("\n**{}**\n\n| | |\n|---|---|\n", result.machine.name);
    for (const auto& [name, value] : result.machine.facts)
      text += fmt::format("| {} | {} |\n", name, in_one_cell(value));
  }
  return text;
}

/// Every question with its answer and the distance from the limit.
std::string at_a_glance(std::span<const StudyResult> results) {
  std::string text = "\n## At a glance\n\n| study | machine | answer | limit |\n|---|---|---|---|\n";
  for (const Study* study : studies()) {
    for (const StudyResult& result : results) {
      if (result.study != study->name || result.findings.empty()) continue;
      text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} |\n", result.study, result.machine.name,
                          in_one_cell(result.findings.front()), in_one_cell(result.limit));
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
    // CSV cannot say whose it is: the JSON beside it does.
    const std::string json = file_of(result, "", "json");
    const bool again = written_by_orrery(folder / json);
    write(json, to_json(result), replacing);
    for (const ResultTable& table : result.tables)
      write(file_of(result, table.name, "csv"), to_csv(table), again ? Replacing::anything : replacing);
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
