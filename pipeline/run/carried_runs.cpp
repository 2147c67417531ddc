// SPDX-License-Identifier: MIT
#include "pipeline/run/carried_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "common/file_format.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view table = "run", header = "\n[[run]]\n";
constexpr std::size_t max_runs = 100'000;  // as a sweep

constexpr Parameter keys[] = {
    {.name = "name", .kind = Kind::text, .example = "\"000\"", .meaning = "folder of the run"},
    {.name = "state", .kind = Kind::text, .example = "\"\"", .meaning = "hash of its last state", .optional = true},
    {.name = "overrides",
     .kind = Kind::texts,
     .fallback = "[]",
     .meaning = "changes of the scenario, as --set has them"},
    {.name = "scenario",
     .kind = Kind::text,
     .example = "\"\"",
     .meaning = "its scenario; default: that of the run before",
     .optional = true}};

/// Where the [[run]] tables of a text begin; npos if it has none.
std::size_t first_table(const std::string& text) {
  return ("\n" + text).find(header);
}

/// Whether the scenario of a run takes bodies from a file that may not be where its picture is read.
bool needs_files(const Document& scenario) {
  const auto is_file = [](const auto& entry) {
    return entry.first.starts_with("initial[") && entry.first.ends_with("].file");
  };
  return std::ranges::any_of(scenario.values(), is_file);
}

std::string trajectory_of(const Document& scenario) {
  const auto all = section_keys("trajectory");
  return scenario.table("trajectory", 0, {all.begin(), all.end()})->text("file");
}

/// A literal string of several lines if TOML has one for this text.
std::string quoted_text(const std::string& text) {
  const auto is_plain = [](unsigned char c) { return c >= ' ' ? c != 0x7F : c == '\n' || c == '\t'; };
  const bool literal =
      text.find("'''") == std::string::npos && !text.ends_with('\'') && std::ranges::all_of(text, is_plain);
  return literal ? "'''\n" + text + "'''" : to_toml(Value(text));
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names = names_by_path(files);
  if (std::ranges::all_of(names, is_plain_name)) return names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = fmt::format("{:03}", k);
  return names;
}

}  // namespace

std::vector<CarriedRun> carried_runs(const std::vector<std::filesystem::path>& files) {
  const std::vector<std::string> names = names_of(files);
  std::vector<CarriedRun> all;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const TrajectoryReader run(files[k]);  // not held open, since there may be thousands
    const auto state = run.restart();
    const Document document(run.record().resolved, run.path().string(), {});
    const bool needs = needs_files(document);
    all.push_back({.name = names[k],
                   .scenario = needs ? carried_scenario(run) : run.record().scenario,
                   .overrides = needs ? std::vector<std::string>() : overrides_of(run.record()),
                   .file = trajectory_of(document),
                   .state = state ? state_hash(*state) : ""});
  }
  return all;
}

std::string to_toml(const std::vector<CarriedRun>& runs) {
  std::string text;
  const std::string* before = nullptr;
  for (const CarriedRun& run : runs) {
    text += fmt::format("{}name = {}\n", header, to_toml(Value(run.name)));
    if (!run.state.empty()) text += fmt::format("state = {}\n", to_toml(Value(run.state)));
    if (!run.overrides.empty()) text += fmt::format("overrides = {}\n", to_toml(Value(run.overrides)));
    if (before == nullptr || *before != run.scenario) text += fmt::format("scenario = {}\n", quoted_text(run.scenario));
    before = &run.scenario;
  }
  return text;
}

void refuse_several(const ScenarioText& source) {
  if (first_table(source.text) != std::string::npos)
    refuse(source.name, "shows several runs: `orrery simulate` makes them; give the trajectory of one");
}

Sweep members_of(const ScenarioText& source, const std::vector<std::string>& overrides) {
  // A text without such tables is not parsed here, so that its mistakes are reported where the whole is read.
  const std::size_t first = first_table(source.text);
  if (first == std::string::npos) return parse_sweep(source.text, source.name, overrides);
  const Document document(source.text, source.name, {});
  Sweep sweep;
  sweep.pictures = source.text.substr(0, first);
  if (document.count(table) > max_runs) refuse(source.name, fmt::format("has more than {} runs", max_runs));
  std::set<std::string> names;
  for (std::size_t k = 0; k < document.count(table); ++k) {
    const Section run = document.table(table, k, {std::begin(keys), std::end(keys)});
    const std::string& name = run->text("name");
    if (!is_plain_name(name) || !names.insert(name).second)
      run.complain("name", fmt::format("`{}` must be a name of a folder, different for each run", name));
    if (k == 0 && !run->has("scenario")) run.complain("scenario", "the first run has no scenario");
    const std::string where = fmt::format("{}:{}", source.name, name);
    auto text = run->has("scenario") ? std::make_shared<const ScenarioText>(ScenarioText{.text = run->text("scenario"),
                                                                                         .name = where,
                                                                                         .folder = source.folder,
                                                                                         .stem = name,
                                                                                         .archived = true})
                                     : sweep.members.back().source;
    const auto& own = run->texts("overrides");
    sweep.members.push_back({.task = k, .overrides = own, .places = std::vector<std::string>(own.size(), where)});
    sweep.members.back().source = std::move(text);
    sweep.members.back().folder = name;
  }
  return sweep;
}

}  // namespace orrery::pipeline
