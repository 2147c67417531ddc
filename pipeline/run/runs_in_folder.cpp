// SPDX-License-Identifier: MIT
// Membership follows from what the runs' own files say: nobody keeps a list, and tasks on many machines share nothing.
#include "pipeline/run/runs_in_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// What decides the bits of a run as its scenario says it: durations are not yet counted in steps.
Keys as_written(const Scenario& scenario) {
  Keys keys = physics(scenario, KnownSteps{.G = 0, .dt = 0, .steps = 0, .frames = ""});
  for (const char* counted : {"G", "integrator.dt", "integrator.steps", "trajectory.frames"}) keys.erase(counted);
  const auto add = [&](const std::string& table, const Section& section, std::string_view only = "") {
    for (const std::string& line : section.lines()) {
      const auto equals = line.find(" = ");
      const std::string key = line.substr(0, equals);
      if (key != "kind" && (only.empty() || key == only)) keys[table + key] = line.substr(equals + 3);
    }
  };
  add("integrator.", scenario.integrator.section);
  add("trajectory.", scenario.trajectory, "frames");
  return keys;
}

/// That of a text and its overrides, with bodies that a trajectory holds.
Keys as_written(const std::string& text, const std::vector<std::string>& overrides, const TrajectoryReader& run) {
  return as_written(parse_scenario({.text = text,
                                    .name = run.path().string() + ":scenario",
                                    .folder = run.path().parent_path(),
                                    .archived = true,
                                    .bodies = [&run](std::size_t i) { return run.initial(i); }},
                                   overrides));
}

void read(FolderRun& run) {
  const TrajectoryReader trajectory(run.file);
  run.scenario = trajectory.record().scenario;
  run.overrides = overrides_of(trajectory.record());
  try {
    run.written = as_written(run.scenario, run.overrides, trajectory);
  } catch (const Error&) {  // of a version that had other rules
  }
}

std::vector<FolderRun> all_runs(const std::filesystem::path& folder, Messages& messages) {
  std::vector<FolderRun> runs;
  std::error_code error;
  for (const auto& within : std::filesystem::directory_iterator(folder, error)) {
    if (!within.is_directory(error)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(within.path(), error)) {
      const auto extension = entry.path().extension();
      if (extension != ".h5" && extension != ".hdf5" && extension != ".vtkhdf") continue;
      const std::string name = within.path().filename().string();
      FolderRun run{.folder = name, .task = name, .file = entry.path(), .scenario = "", .overrides = {}, .written = {}};
      if (is_number(name)) run.task = fmt::format("{}", std::stoll(name));
      try {
        read(run);
      } catch (const Error& problem) {
        messages.warning("{}", problem.what());
      }
      runs.push_back(std::move(run));
    }
  }
  std::ranges::sort(runs, {}, [](const FolderRun& run) {
    return std::tuple(!run.numbered(), run.numbered() ? run.task.size() : 0, run.task, run.file);
  });
  return runs;
}

/// The lists of the sweep that a run says it was a member of; --set may have changed them.
Sweep sweep_of(const std::string& scenario, const std::vector<std::string>& overrides, const std::string& file) {
  std::vector<std::string> lists = overrides;
  std::erase_if(lists, [](const std::string& line) { return !line.starts_with("sweep"); });
  return parse_sweep(scenario, file, lists);
}

/// The sweep that one run is of, to ask of others whether they are members too.
class Candidate {
 public:
  explicit Candidate(const FolderRun& run)
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
  /// What --set said besides the values of the member.
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

  /// Why a run is no member of this sweep, of which `first` is one.
  std::string reason(const FolderRun& run, const FolderRun& first) {
    if (!run.numbered()) return "its folder has no number";
    if (run.written.empty()) return "its scenario cannot be read any more";
    auto keys = differences(run.written, has_number(run) ? of(number(run)) : first.written);
    if (!has_number(run)) {
      std::erase_if(keys, [&](const KeyDifference& key) {
        return std::ranges::find(sweep_.keys, plain_key(key.key), plain_key) != sweep_.keys.end();
      });
    }
    constexpr std::size_t enough = 3;
    if (keys.size() > enough) keys.resize(enough);
    if (!keys.empty()) return in_words(keys, "there", "here");
    return fmt::format("the sweep has {} members", sweep_.members.size());
  }

 private:
  /// What the scenario of a member says.
  const Keys& of(std::size_t task) {
    if (!written_[task]) {
      std::vector<std::string> overrides = base_;
      const auto& own = sweep_.members[task].overrides;
      overrides.insert(overrides.end(), own.begin(), own.end());
      try {
        written_[task] = as_written(text_, overrides, trajectory_);
      } catch (const Error&) {
        written_[task] = Keys();
      }
    }
    return *written_[task];
  }

  static std::size_t number(const FolderRun& run) { return static_cast<std::size_t>(std::stoull(run.task)); }

  /// Whether the run was given the values of this member, in the same words.
  static bool has_values(const FolderRun& run, const Member& member) {
    const Keys own = values_of(run.overrides);
    return std::ranges::all_of(values_of(member.overrides), [&](const auto& value) {
      const auto found = own.find(value.first);
      return found != own.end() && found->second == value.second;
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
  bool bodies_swept_ = false;  ///< bodies come from files, each member's from another
  std::vector<std::optional<Keys>> written_;
};

struct Found {
  Candidate candidate;
  std::vector<bool> members;  ///< a flag for each run
};

/// The sweep that `first` and the most others of the runs are members of.
std::optional<Found> sweep_with(const FolderRun& first, const std::vector<FolderRun>& runs) {
  std::optional<Found> best;
  std::ptrdiff_t most = 0;
  std::set<std::pair<std::string, std::vector<std::string>>> known;  // texts, and what --set did to them
  for (const FolderRun& run : runs) {
    if (!run.readable()) continue;
    try {
      Candidate candidate(run);
      if (candidate.sweep().members.empty() || !known.emplace(run.scenario, candidate.base()).second) continue;
      if (!candidate.has(first)) continue;
      std::vector<bool> members;
      for (const FolderRun& other : runs) members.push_back(candidate.has(other));
      const auto count = std::ranges::count(members, true);
      if (count > most) best.emplace(std::move(candidate), std::move(members)), most = count;
    } catch (const Error&) {  // of a version that had other rules
    }
  }
  return best;
}

void tell_left_out(const std::filesystem::path& folder, const std::vector<FolderRun>& out, const FolderRun& first,
                   Candidate& sweep, Messages& messages) {
  constexpr std::size_t enough = 8;
  std::vector<std::string> names;
  for (const FolderRun& run : out) {
    if (names.empty() || names.back() != run.folder) names.push_back(run.folder);
  }
  const std::size_t more = names.size() - std::min(names.size(), enough);
  const bool one = names.size() == 1;
  names.resize(names.size() - more);
  messages.warning(
      "{}: left out {}{}, which {} of the sweep of {}: {}; remove {}, or run each sweep in a folder of its own, -o DIR",
      folder.string(), fmt::format("{}", fmt::join(names, ", ")), more > 0 ? fmt::format(" and {} more", more) : "",
      one ? "is no member" : "are no members", first.folder, sweep.reason(out.front(), first), one ? "it" : "them");
}

}  // namespace

bool FolderRun::numbered() const {
  return is_number(folder);
}

Keys values_of(const std::vector<std::string>& overrides) {
  Keys values;
  for (const std::string& line : overrides) {
    const auto equals = line.find('=');
    if (equals != std::string::npos) values[plain_key(line.substr(0, equals))] = line.substr(equals + 1);
  }
  return values;
}

std::vector<std::string> overrides_of(const RunRecord& record) {
  std::vector<std::string> overrides;
  std::istringstream lines(provenance_of(record, "overrides"));
  for (std::string line; std::getline(lines, line);) overrides.push_back(line);
  return overrides;
}

std::vector<std::string> swept_keys(const std::vector<const RunRecord*>& runs) {
  std::vector<std::string> keys;
  try {
    const RunRecord& first = *runs.front();
    for (const std::string& key : sweep_of(first.scenario, overrides_of(first), "scenario").keys)
      keys.push_back(plain_key(key));
  } catch (const Error&) {  // of a version that had other rules
    return {};
  }
  const auto all_there = [&](const RunRecord* run) {
    const Keys values = values_of(overrides_of(*run));
    return std::ranges::all_of(keys, [&](const std::string& key) { return values.contains(key); });
  };
  return std::ranges::all_of(runs, all_there) ? keys : std::vector<std::string>();
}

RunsInFolder runs_in(const std::filesystem::path& folder, Messages& messages) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    throw Error(fmt::format("{}: {}", folder.string(),
                            std::filesystem::exists(folder, error) ? "not a folder" : "no such folder"),
                2);
  }
  std::vector<FolderRun> runs = all_runs(folder, messages);
  if (runs.empty()) {
    throw Error(fmt::format("{}: holds no folders with runs: a sweep's are {}/000/run.h5 and so on", folder.string(),
                            folder.string()),
                2);
  }
  const auto known = std::ranges::find_if(runs, &FolderRun::readable);
  if (known == runs.end()) return {std::move(runs), {}};
  const FolderRun first = *known;
  std::optional<Found> sweep = sweep_with(first, runs);
  if (!sweep) return {std::move(runs), {}};
  RunsInFolder found{{}, sweep->candidate.sweep()};
  std::vector<FolderRun> out;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const FolderRun& run = runs[k];
    const bool member = sweep->members[k] && run.numbered() == first.numbered();
    const bool lost = !run.readable() && sweep->candidate.has_number(run);  // the member with its number, damaged
    if (member || lost) {
      found.runs.push_back(run);
    } else if (run.readable()) {
      out.push_back(run);
    }
  }
  if (!first.numbered() && !out.empty()) return {std::move(runs), {}};  // nothing says that they ought to be one
  if (!out.empty()) tell_left_out(folder, out, first, sweep->candidate, messages);
  return found;
}

}  // namespace orrery::pipeline
