// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/pictures/render_run.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/overrides.hpp"

namespace orrery::pipeline {
namespace {

const Parameter* key_of(const std::vector<Parameter>& keys, std::string_view key) {
  const auto found = std::ranges::find(keys, key, &Parameter::name);
  return found == keys.end() ? nullptr : &*found;
}

/// The figures that have a key.
std::vector<std::string_view> kinds_with(std::string_view key) {
  std::vector<std::string_view> names;
  for (const FigureDescription& kind : figure_descriptions())
    if (key_of(kind.parameters, key) != nullptr) names.push_back(kind.name);
  return names;
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

/// Sets key `other` or `others`, one of `known`, if there are several runs.
void set_others(Arguments& keys, const RenderOptions& options, const std::vector<Parameter>& known) {
  const auto& runs = options.runs;
  std::set<std::filesystem::path> seen;
  for (const std::filesystem::path& run : runs) {
    if (run != runs.front()) (void)TrajectoryReader(run);  // reports errors of the file itself
    if (!seen.insert(run).second) throw Error(fmt::format("{} is given twice", run.string()), Fault::request);
  }
  const auto complain = [&](const std::string& why) {
    throw Error(fmt::format("--figure {} {}", options.figure, why), Fault::request);
  };
  const std::vector<std::string> files = others_of(runs);
  const bool shows_a_sweep = chart_of(figure_kind(options.figure, "--figure")).of_sweep;
  if (key_of(known, "other") != nullptr && options.from != "exact") {
    if (runs.size() != 2)
      complain(fmt::format("compares two runs, A.h5 B.h5; {} given",
                           runs.size() == 1 ? "one is" : fmt::format("{} are", runs.size())));
    keys.set("other", files.front());
    return;
  }
  if (runs.size() == 1 && shows_a_sweep) complain("compares several runs: give them all, or the folder of a sweep");
  if (runs.size() == 1) return;
  if (key_of(known, "others") == nullptr)
    complain(fmt::format("shows one run; several are shown by {}; two by divergence",
                         fmt::join(kinds_with("others"), ", ")));
  keys.set("others", files);
}

void set_against(Arguments& keys, const RenderOptions& options, const std::vector<Parameter>& known) {
  if (options.against.empty()) return;
  const Parameter* key = key_of(known, "against");
  if (key == nullptr)
    throw Error(
        fmt::format("--against is for --figure {}, not {}", fmt::join(kinds_with("against"), " or "), options.figure),
        Fault::request);
  if (!key->choices.empty() && std::ranges::find(key->choices, options.against) == key->choices.end()) {
    throw Error(fmt::format("--against {}: there is no such choice{} (there are: {})", options.against,
                            suggestion(options.against, key->choices), fmt::join(key->choices, ", ")),
                Fault::request);
  }
  keys.set("against", options.against);
}

/// Sets keys `data` and `columns`.
void set_data(Arguments& keys, const RenderOptions& options, const std::vector<Parameter>& known) {
  if (options.data.empty() && options.columns.empty()) return;
  if (key_of(known, "data") == nullptr)
    throw Error(fmt::format("--data is for charts, and {} is none", options.figure), Fault::request);
  if (options.data.empty()) throw Error("--columns are those of a file: give --data FILE", Fault::request);
  std::vector<std::string> files;
  for (const std::filesystem::path& file : options.data) files.push_back(relative_to(options.runs.front(), file));
  keys.set("data", files);
  if (!options.columns.empty()) keys.set("columns", options.columns);
}

/// Sets key `from`.
void set_from(Arguments& keys, const RenderOptions& options, const std::vector<Parameter>& known) {
  if (options.from.empty()) return;
  if (key_of(known, "from") == nullptr)
    throw Error(fmt::format("--from is for --figure {}, not {}", fmt::join(kinds_with("from"), ", "), options.figure),
                Fault::request);
  keys.set("from", options.from);
}

/// Sets key `labels`.
void set_labels(Arguments& keys, const RenderOptions& options, const std::vector<Parameter>& known) {
  if (options.labels.empty()) return;
  if (key_of(known, "labels") == nullptr)
    throw Error(fmt::format("--labels: {} has no legend of curves or runs", options.figure), Fault::request);
  keys.set("labels", options.labels);
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
  Document document(source, overrides);
  std::vector<Picture> pictures = read_pictures(document);
  if (!options.output || !is_picture(output) || !names_file(output))
    return {std::move(document), std::move(pictures), output};
  if (pictures.size() != 1)
    throw Error(fmt::format("-o {}: the run has {} pictures: give a folder, or choose one, --figure KIND",
                            output.string(), pictures.size()),
                Fault::request);
  // An override, since it may take keys away that a film in another format cannot have.
  overrides.push_back(fmt::format("{}[0].file={}", pictures.front().table(), to_toml(output.filename().string())));
  Document changed(source, overrides);
  pictures = read_pictures(changed);
  return {std::move(changed), std::move(pictures), output.parent_path()};
}

Picture figure_of_runs(Picture figure, const std::vector<std::filesystem::path>& runs) {
  figure.keys.set("others", others_of(runs));
  return figure;
}

RenderOptions expand_folders(const RenderOptions& options, Context& context) {
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
                  Fault::request);
    const RunsInFolder found = runs_in(folder, context);
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
        context.warning("{}: left out {}, {}", folder.string(), fmt::format("{}", fmt::join(runs, ", ")), why);
    };
    const std::string hint = found.sweep.members.empty() ? "" : "; the command that runs the sweep goes on";
    warn(unfinished, "not finished" + hint);
    warn(unreadable, "which cannot be read: `orrery info` says why");
    if (!all.output) all.output = folder;
  }
  if (all.runs.empty())
    throw Error(fmt::format("{}: contains no finished run", options.runs.front().string()), Fault::request);
  return all;
}

RenderJob one_figure(const RenderOptions& options, const TrajectoryReader& first) {
  check_overrides(options);
  const std::string place = "--figure " + options.figure;
  const std::vector<Parameter> known = keys_of("figure", figure_kind(options.figure, place));
  const std::filesystem::path run = options.runs.front(), output = options.output.value_or(run.parent_path());
  const bool is_file = options.output && names_file(output);
  const std::string file = is_file ? output.filename().string() : options.figure + ".png";
  if (is_file && !is_picture(output))
    throw Error(
        fmt::format(
            "-o {}: must end in .png, .svg or .pdf; for the numbers of a chart in .csv or .json; for a film in .mp4, "
            ".webm or .gif",
            output.string()),
        Fault::request);
  const std::string_view table = is_file && !is_still(output) ? "film" : "figure";
  Arguments keys{{"kind", options.figure}, {"file", file}};
  set_others(keys, options, known);
  set_against(keys, options, known);
  set_from(keys, options, known);
  set_data(keys, options, known);
  set_labels(keys, options, known);
  Document scenario(without_pictures(first.record().resolved), run.string() + ":scenario", options.overrides);
  std::vector<Picture> pictures = read_pictures(scenario, table, {std::move(keys), place});
  return {std::move(scenario), std::move(pictures), is_file ? output.parent_path() : output};
}

}  // namespace orrery::pipeline
