// SPDX-License-Identifier: MIT
#include "pipeline/run/runs_in_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "pipeline/refusal.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The keys of a text with overrides as they are written; the trajectory provides bodies that it holds.
Keys keys_written(const std::string& text, const std::vector<std::string>& overrides, const TrajectoryReader& run) {
  ScenarioText source = scenario_text(run, run.path());
  source.text = text;
  return recipe(parse_scenario(source, overrides));
}

void read(FolderRun& run) {
  const TrajectoryReader trajectory(run.file);
  run.scenario = trajectory.record().scenario;
  run.overrides = overrides_of(trajectory.record());
  try {
    run.written = keys_written(run.scenario, run.overrides, trajectory);
  } catch (const Error&) {  // written by a version with other rules
  }
}

/// Returns the trajectories in a folder, judged by their extensions.
std::vector<std::filesystem::path> trajectories_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto extension = entry.path().extension();
    if (extension == ".h5" || extension == ".hdf5" || extension == ".vtkhdf") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// "1 is", "3 are" left out, with their names.
std::string listed(std::vector<std::string> names) {
  constexpr std::size_t max_names = 8;
  std::ranges::sort(names);
  const std::size_t more = names.size() - std::min(names.size(), max_names);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Returns the runs in a folder and in its subfolders, with different names.
std::vector<FolderRun> all_runs(const std::filesystem::path& folder, Messages& messages) {
  std::vector<FolderRun> runs;
  std::vector<std::string> without;  // subfolders
  const auto add = [&](FolderRun run) {
    try {
      read(run);
    } catch (const Error& problem) {
      messages.warning("{}", problem.what());
    }
    runs.push_back(std::move(run));
  };
  std::error_code error;
  for (const auto& within : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = within.path().filename().string();
    if (!within.is_directory(error) || name.starts_with('.')) continue;
    const auto files = trajectories_in(within.path());
    if (files.empty()) without.push_back(name);
    for (const auto& file : files) {
      FolderRun run{.folder = name, .task = name, .file = file};
      if (run.numbered()) run.task = fmt::format("{}", std::stoll(name));
      if (files.size() > 1) run.task += "/" + file.stem().string();
      add(std::move(run));
    }
  }
  const auto own = trajectories_in(folder);
  for (const auto& file : own) {
    const bool alone = runs.empty() && own.size() == 1;
    const std::filesystem::path named = std::filesystem::weakly_canonical(folder, error).filename();
    add({.folder = file.filename().string(), .task = alone ? named.string() : file.stem().string(), .file = file});
  }
  std::ranges::sort(runs, {}, [](const FolderRun& run) {
    return std::tuple(!run.numbered(), run.numbered() ? run.task.size() : 0, run.task, run.file);
  });
  if (!runs.empty() && !without.empty() && !(own.size() == 1 && runs.size() == 1)) {
    messages.warning("{}: left out {}, which {} no run", folder.string(), listed(without),
                     without.size() == 1 ? "holds" : "hold");
  }
  return runs;
}

/// Returns the sweep of a run's scenario, with the changes of --set.
Sweep sweep_of(const std::string& scenario, const std::vector<std::string>& overrides, const std::string& file) {
  std::vector<std::string> lists = overrides;
  std::erase_if(lists, [](const std::string& line) { return !line.starts_with("sweep"); });
  return parse_sweep(scenario, file, lists);
}

/// The sweep in the scenario of one run, and the test whether other runs are members of it.
class SweepCandidate {
 public:
  explicit SweepCandidate(const FolderRun& run)
      : trajectory_(run.file),
        text_(run.scenario),
        base_(run.overrides),
        sweep_(sweep_of(run.scenario, run.overrides, run.file.string())) {
    std::set<std::string> swept;
    for (const std::string& key : sweep_.keys) swept.insert(plain_key(key));
    std::erase_if(base_,
                  [&](const std::string& line) { return swept.contains(plain_key(line.substr(0, line.find('=')))); });
    const auto names_bodies = [](const std::string& key) { return key.ends_with(".file") || key.ends_with(".bodies"); };
    bodies_swept_ = std::ranges::any_of(swept, names_bodies);
    written_.resize(sweep_.members.size());
  }

  [[nodiscard]] const Sweep& sweep() const { return sweep_; }
  /// The overrides of --set without the values of the member.
  [[nodiscard]] const std::vector<std::string>& base() const { return base_; }

  bool has(const FolderRun& run) {
    if (run.written.empty()) return false;
    const auto is = [&](const Member& member) {
      return (!bodies_swept_ || has_values(run, member)) && same(run.written, of(member.task));
    };
    if (run.numbered()) return has_number(run) && is(sweep_.members[number(run)]);
    return std::ranges::any_of(sweep_.members,
                               [&](const Member& member) { return has_values(run, member) && is(member); });
  }

  [[nodiscard]] bool has_number(const FolderRun& run) const {
    return run.numbered() && number(run) < sweep_.members.size();
  }

  /// Returns why `run` is not a member of this sweep; `first` is one.
  std::string reason(const FolderRun& run, const FolderRun& first) {
    if (!run.numbered()) return "its folder has no number";
    if (run.written.empty()) return "its scenario cannot be read any more";
    auto keys = differences(run.written, has_number(run) ? of(number(run)) : first.written);
    if (!has_number(run)) {
      std::erase_if(keys, [&](const KeyDifference& key) {
        return std::ranges::find(sweep_.keys, plain_key(key.key), plain_key) != sweep_.keys.end();
      });
    }
    constexpr std::size_t max_keys_named = 3;
    if (keys.size() > max_keys_named) keys.resize(max_keys_named);
    if (!keys.empty()) return to_text(keys, "there", "here");
    return fmt::format("the sweep has {} members", sweep_.members.size());
  }

 private:
  /// Returns the keys of a member's scenario.
  const Keys& of(std::size_t task) {
    if (!written_[task]) {
      try {
        written_[task] = keys_written(text_, sweep_.members[task].added_to(base_), trajectory_);
      } catch (const Error&) {
        written_[task] = Keys();
      }
    }
    return *written_[task];
  }

  static std::size_t number(const FolderRun& run) { return static_cast<std::size_t>(std::stoull(run.task)); }

  /// Returns whether the run has the values of this member.
  static bool has_values(const FolderRun& run, const Member& member) {
    const Keys own = values_of(run.overrides);
    return std::ranges::all_of(values_of(member.overrides), [&](const auto& value) {
      const auto found = own.find(value.first);
      return found != own.end() && same_value(found->second, value.second);
    });
  }

  [[nodiscard]] bool same(const Keys& a, const Keys& b) const {
    const auto counts = [&](const KeyDifference& key) { return !bodies_swept_ || !key.key.ends_with(".bodies"); };
    return std::ranges::none_of(differences(a, b), counts);
  }

  TrajectoryReader trajectory_;
  std::string text_;
  std::vector<std::string> base_;
  Sweep sweep_;
  bool bodies_swept_ = false;  ///< the members' bodies come from different files
  std::vector<std::optional<Keys>> written_;
};

struct FoundSweep {
  SweepCandidate candidate;
  std::vector<bool> members;  ///< a flag for each run
};

/// Returns the sweep of which `first` and the largest number of other runs are members.
std::optional<FoundSweep> sweep_with(const FolderRun& first, const std::vector<FolderRun>& runs) {
  std::optional<FoundSweep> best;
  std::ptrdiff_t most = 0;
  std::set<std::pair<std::string, std::vector<std::string>>> known;  // scenarios and overrides
  for (const FolderRun& run : runs) {
    if (!run.readable()) continue;
    try {
      SweepCandidate candidate(run);
      if (candidate.sweep().members.empty() || !known.emplace(run.scenario, candidate.base()).second) continue;
      if (!candidate.has(first)) continue;
      std::vector<bool> members;
      for (const FolderRun& other : runs) members.push_back(candidate.has(other));
      const auto count = std::ranges::count(members, true);
      if (count > most) best = {std::move(candidate), std::move(members)}, most = count;
    } catch (const Error&) {  // written by a version with other rules
    }
  }
  return best;
}

void warn_of_left_out(const std::filesystem::path& folder, const std::vector<FolderRun>& out, const FolderRun& first,
                      SweepCandidate& sweep, Messages& messages) {
  std::vector<std::string> names;
  for (const FolderRun& run : out) {
    if (names.empty() || names.back() != run.folder) names.push_back(run.folder);
  }
  const bool one = names.size() == 1;
  messages.warning(
      "{}: left out {}, which {} of the sweep of {}: {}; remove {}, or run each sweep in a folder of its own, -o DIR",
      folder.string(), listed(names), one ? "is no member" : "are no members", first.folder,
      sweep.reason(out.front(), first), one ? "it" : "them");
}

}  // namespace

bool FolderRun::numbered() const {
  return is_number(folder);
}

Keys values_of(const std::vector<std::string>& overrides) {
  Keys values;
  for (const std::string& override : overrides) values[plain_key(key_of(override))] = value_of(override);
  return values;
}

std::vector<std::string> overrides_of(const RunRecord& record) {
  std::vector<std::string> overrides;
  std::istringstream lines(provenance_of(record, "overrides"));
  for (std::string line; std::getline(lines, line);) overrides.push_back(line);
  return overrides;
}

std::vector<std::string> swept_keys(const std::string& scenario,
                                    const std::vector<std::vector<std::string>>& overrides) {
  std::vector<std::string> keys;
  std::set<std::vector<std::string>> of_members;
  try {
    const Sweep sweep = sweep_of(scenario, overrides.front(), "scenario");
    for (const std::string& key : sweep.keys) keys.push_back(plain_key(key));
    for (const Member& member : sweep.members) {
      std::vector<std::string> own;
      for (const std::string& override : member.overrides) own.push_back(plain_key(key_of(override)));
      of_members.insert(std::move(own));
    }
  } catch (const Error&) {  // written by a version with other rules
    return {};
  }
  const auto has_all = [&](const std::vector<std::string>& run) {
    const Keys values = values_of(run);
    return std::ranges::any_of(of_members, [&](const std::vector<std::string>& of_member) {
      return std::ranges::all_of(of_member, [&](const std::string& key) { return values.contains(key); });
    });
  };
  return std::ranges::all_of(overrides, has_all) ? keys : std::vector<std::string>();
}

RunsInFolder runs_in(const std::filesystem::path& folder, Messages& messages) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    refuse(folder, std::filesystem::exists(folder, error) ? "not a folder" : "no such folder");
  }
  std::vector<FolderRun> runs = all_runs(folder, messages);
  if (runs.empty()) {
    refuse(folder, fmt::format("holds no runs: a sweep's are {}/000/run.h5 and so on", folder.string()));
  }
  const auto known = std::ranges::find_if(runs, &FolderRun::readable);
  if (known == runs.end()) return {std::move(runs), {}};
  const FolderRun first = *known;
  std::optional<FoundSweep> sweep = sweep_with(first, runs);
  if (!sweep) return {std::move(runs), {}};
  RunsInFolder found{{}, sweep->candidate.sweep()};
  std::vector<FolderRun> out;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const FolderRun& run = runs[k];
    const bool member = sweep->members[k] && run.numbered() == first.numbered();
    const bool lost = !run.readable() && sweep->candidate.has_number(run);  // a damaged member
    if (member || lost) {
      found.runs.push_back(run);
    } else if (run.readable()) {
      out.push_back(run);
    }
  }
  if (!first.numbered() && !out.empty()) return {std::move(runs), {}};  // nothing says that all should be members
  if (!out.empty()) warn_of_left_out(folder, out, first, sweep->candidate, messages);
  return found;
}

RunsInFolder runs_of(const std::vector<std::filesystem::path>& operands, Messages& messages) {
  std::error_code error;
  const auto is_file = [&](const std::filesystem::path& path) { return std::filesystem::is_regular_file(path, error); };
  if (operands.size() == 1 && !is_file(operands.front())) return runs_in(operands.front(), messages);
  RunsInFolder found;
  for (const std::filesystem::path& operand : operands) {
    if (is_file(operand)) {
      FolderRun run{.folder = operand.parent_path().filename().string(), .file = operand};
      read(run);
      found.runs.push_back(std::move(run));
    } else {
      for (FolderRun& run : runs_in(operand, messages).runs) found.runs.push_back(std::move(run));
    }
  }
  std::vector<std::filesystem::path> files;
  for (const FolderRun& run : found.runs) files.push_back(run.file);
  const std::vector<std::string> names = names_by_path(files);
  for (std::size_t k = 0; k < names.size(); ++k) found.runs[k].task = names[k];
  return found;
}

}  // namespace orrery::pipeline
