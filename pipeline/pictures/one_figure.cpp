// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/pictures/render_run.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/overrides.hpp"

namespace orrery::pipeline {
namespace {

/// The description of a kind; empty in a build without pictures. Throws if there is no such kind.
FigureDescription description_of(const std::string& kind) {
  const auto all = figure_descriptions();
  const auto found = std::ranges::find(all, kind, &FigureDescription::name);
  if (found != all.end() || all.empty()) return all.empty() ? FigureDescription{} : *found;
  std::vector<std::string_view> names;
  for (const FigureDescription& figure : all) names.push_back(figure.name);
  throw Error(fmt::format("--figure {}: there is no such figure{} (there are: {})", kind, suggestion(kind, names),
                          fmt::join(names, ", ")),
              2);
}

const Parameter* key_of(const FigureDescription& figure, std::string_view key) {
  const auto found = std::ranges::find(figure.parameters, key, &Parameter::name);
  return found == figure.parameters.end() ? nullptr : &*found;
}

/// Whether `output` is a file rather than a folder: it is no existing folder, and its extension begins with a letter, as in .mp4
/// but not in v1.2.
bool names_file(const std::filesystem::path& output) {
  const std::string extension = output.extension().string();
  std::error_code none;
  return extension.size() > 1 && std::isalpha(static_cast<unsigned char>(extension[1])) != 0 &&
         !std::filesystem::is_directory(output, none);
}

/// The path of `file` relative to the folder of the run `first`; absolute if one of them is.
std::string relative_to(const std::filesystem::path& first, const std::filesystem::path& file) {
  if (first.is_absolute() || file.is_absolute()) return std::filesystem::absolute(file).string();
  return file.lexically_proximate(first.parent_path()).string();
}

/// All runs but the first, relative to its folder.
std::vector<std::string> others_of(const std::vector<std::filesystem::path>& runs) {
  std::vector<std::string> files;
  for (std::size_t k = 1; k < runs.size(); ++k) files.push_back(relative_to(runs.front(), runs[k]));
  return files;
}

/// The key `other` or `others` as a line of TOML; "" if there is one run.
std::string others(const RenderOptions& options, const FigureDescription& figure) {
  const auto& runs = options.runs;
  for (std::size_t k = 1; k < runs.size(); ++k) {
    (void)TrajectoryReader(runs[k]);  // reports errors of the file itself
    if (std::find(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(k), runs[k]) !=
        runs.begin() + static_cast<std::ptrdiff_t>(k))
      throw Error(fmt::format("{} is given twice", runs[k].string()), 2);
  }
  const auto complain = [&](const std::string& why) {
    throw Error(fmt::format("--figure {} {}", options.figure, why), 2);
  };
  const std::vector<std::string> files = others_of(runs);
  if (key_of(figure, "other") != nullptr) {
    if (runs.size() != 2)
      complain(fmt::format("compares two runs, A.h5 B.h5; {} given",
                           runs.size() == 1 ? "one is" : fmt::format("{} are", runs.size())));
    return fmt::format("other = {}\n", to_toml(files.front()));
  }
  if (runs.size() == 1 && options.figure == "convergence")
    complain("compares several runs: give them all, or the folder of a sweep");
  if (runs.size() == 1) return "";
  if (key_of(figure, "others") == nullptr)
    complain("shows one run; for several use energy-error or convergence, for two divergence");
  return fmt::format("others = {}\n", to_toml(files));
}

std::string against(const RenderOptions& options, const FigureDescription& figure) {
  if (options.against.empty()) return "";
  const Parameter* key = key_of(figure, "against");
  if (key == nullptr)
    throw Error(fmt::format("--against is for --figure energy-error or convergence, not {}", options.figure), 2);
  if (!key->choices.empty() && std::ranges::find(key->choices, options.against) == key->choices.end()) {
    throw Error(fmt::format("--against {}: there is no such choice{} (there are: {})", options.against,
                            suggestion(options.against, key->choices), fmt::join(key->choices, ", ")),
                2);
  }
  return fmt::format("against = {}\n", to_toml(options.against));
}

/// Refuses overrides of keys other than those of pictures.
void check_overrides(const RenderOptions& options) {
  for (const std::string& override : options.overrides) {
    const std::string key = override.substr(0, override.find_first_of(".[= "));
    if (key != "figure" && key != "film" && !override.starts_with("backend.device"))
      refuse(place_of(override), "render cannot change the run: only keys of [[figure]] and [[film]]");
  }
}

}  // namespace

RenderJob own_pictures(const RenderOptions& options, const TrajectoryReader& trajectory) {
  check_overrides(options);
  const std::filesystem::path run = options.runs.front(), output = options.output.value_or(run.parent_path());
  const ScenarioText source = scenario_text(trajectory, run);
  std::vector<std::string> overrides = options.overrides;
  Document document(source.text, source.name, overrides);
  if (!options.output || !is_picture(output) || !names_file(output)) return {std::move(document), output};
  const std::size_t figures = document.count("figure"), films = document.count("film");
  if (figures + films != 1)
    throw Error(fmt::format("-o {}: the run has {} pictures: give a folder, or choose one, --figure KIND",
                            output.string(), figures + films),
                2);
  overrides.push_back(fmt::format("{}[0].file={}", films > 0 ? "film" : "figure", to_toml(output.filename().string())));
  return {Document(source.text, source.name, overrides), output.parent_path()};
}

RenderJob figure_of_runs(const std::vector<std::filesystem::path>& runs, const std::string& table,
                         const std::filesystem::path& folder) {
  const std::string text = without_pictures(TrajectoryReader(runs.front()).record().resolved) + table +
                           fmt::format("others = {}\n", to_toml(others_of(runs)));
  return {Document(text, runs.front().string() + ":scenario", {}), folder};
}

RenderOptions expand_folders(const RenderOptions& options, Messages& messages) {
  RenderOptions all = options;
  all.runs.clear();
  for (const std::filesystem::path& folder : options.runs) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      all.runs.push_back(folder);
      continue;
    }
    if (options.figure.empty())
      throw Error(fmt::format("{}: is a folder: choose a figure of its runs, --figure convergence or energy-error",
                              folder.string()),
                  2);
    const RunsInFolder found = runs_in(folder, messages);
    std::vector<std::string> unfinished, unreadable;
    std::set<std::string> tasks;
    for (const FolderRun& run : found.runs) {
      tasks.insert(run.task);
      if (!run.readable()) {
        unreadable.push_back(run.folder);
      } else if (run_status(run.file).finished) {
        all.runs.push_back(run.file);
      } else {
        unfinished.push_back(run.folder);
      }
    }
    const bool numbered = std::ranges::all_of(found.runs, &FolderRun::numbered);
    for (const Member& member : found.sweep.members) {
      if (numbered && !tasks.contains(fmt::format("{}", member.task))) unfinished.push_back(found.sweep.folder(member));
    }
    const auto warn = [&](const std::vector<std::string>& runs, const std::string& why) {
      if (!runs.empty())
        messages.warning("{}: left out {}, {}", folder.string(), fmt::format("{}", fmt::join(runs, ", ")), why);
    };
    const std::string hint = found.sweep.members.empty() ? "" : "; the command that runs the sweep goes on";
    warn(unfinished, "not finished" + hint);
    warn(unreadable, "which cannot be read: `orrery info` says why");
    if (!all.output) all.output = folder;
  }
  if (all.runs.empty()) throw Error(fmt::format("{}: contains no finished run", options.runs.front().string()), 2);
  return all;
}

RenderJob one_figure(const RenderOptions& options, const TrajectoryReader& first) {
  check_overrides(options);
  const FigureDescription figure = description_of(options.figure);
  const std::filesystem::path run = options.runs.front(), output = options.output.value_or(run.parent_path());
  const bool is_file = options.output && names_file(output);
  const std::string file = is_file ? output.filename().string() : options.figure + ".png";
  if (is_file && !is_picture(output))
    throw Error(
        fmt::format(
            "-o {}: must end in .png, .svg or .pdf; for the numbers of a chart in .csv or .json; for a film in .mp4, "
            ".webm or .gif",
            output.string()),
        2);
  const std::string_view table = is_file && !is_still(output) ? "film" : "figure";
  const std::string text =
      fmt::format("[[{}]]\nkind = {}\nfile = {}\n", table, to_toml(options.figure), to_toml(file)) +
      (figure.name.empty() ? "" : others(options, figure) + against(options, figure));
  return {Document(without_pictures(first.record().resolved), run.string() + ":scenario", options.overrides,
                   {text, "--figure " + options.figure}),
          is_file ? output.parent_path() : output};
}

}  // namespace orrery::pipeline
