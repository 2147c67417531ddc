// SPDX-License-Identifier: MIT
// All of it is read off the trajectories: nobody keeps a list of the members.
#include "pipeline/run/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "pipeline/key_differences.hpp"
#include "pipeline/run/stepping.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/say.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

constexpr const char* facts[] = {"finished",
                                 "steps",
                                 "dt",
                                 "time",
                                 "state",
                                 "energy_error",
                                 "greatest_energy_error",
                                 "angular_momentum_error",
                                 "greatest_angular_momentum_error",
                                 "seconds",
                                 "G",
                                 "file"};

struct Row {
  std::string task;
  std::filesystem::path file{};
  std::string scenario{};
  std::vector<std::string> overrides{};
  Keys set{};  ///< by --set, or by the sweep
  Keys physics{}, facts{};
};

double length(const std::array<double, 3>& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// The error at the end and the greatest on the way.
void add_errors(Row& row, const std::string& name, const std::vector<double>& errors) {
  if (errors.empty()) return;
  row.facts[name] = fmt::format("{}", errors.back());
  row.facts["greatest_" + name] = fmt::format("{}", *std::ranges::max_element(errors));
}

/// |L₀|, or 0 where it is what rounding leaves of Σ m |x| |v| over the bodies that frames keep, if they keep velocities.
double angular_momentum(const History& history, const TrajectoryReader& trajectory) {
  double most = 0;
  if (trajectory.size() > 0 && trajectory.options().velocities) {
    const sim::Snapshot start = trajectory.snapshot(0);
    const auto& mass = trajectory.bodies().mass;
    const auto& [x, y, z] = start.position;
    const auto& [u, v, w] = start.velocity;
    for (std::size_t i = 0; i < mass.size(); ++i)
      most += mass[i] * length({x[i], y[i], z[i]}) * length({u[i], v[i], w[i]});
  }
  const double L = length(history.angular_momentum.front());
  return L > 1e-12 * most ? L : 0;
}

void read_errors(Row& row, const TrajectoryReader& trajectory) {
  const History history = trajectory.history();
  if (history.time.empty()) return;
  std::vector<double> energy, momentum;
  const double L = angular_momentum(history, trajectory);
  for (std::size_t i = 0; i < history.time.size(); ++i) {
    energy.push_back(std::abs(sim::energy_error(history.total_energy[i], history.total_energy[0])));
    const auto &now = history.angular_momentum[i], &first = history.angular_momentum[0];
    momentum.push_back(length({now[0] - first[0], now[1] - first[1], now[2] - first[2]}) / (L == 0 ? 1 : L));
  }
  add_errors(row, "energy_error", energy);
  add_errors(row, "angular_momentum_error", momentum);
}

void read(Row& row) {
  const TrajectoryReader trajectory(row.file);
  const RunRecord& record = trajectory.record();
  row.scenario = record.scenario;
  row.physics = physics_of(trajectory);
  if (const auto found = record.provenance.find("overrides"); found != record.provenance.end()) {
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);) {
      const auto equals = line.find('=');
      if (equals != std::string::npos) row.set[plain_key(line.substr(0, equals))] = line.substr(equals + 1);
      row.overrides.push_back(line);
    }
  }
  row.facts["dt"] = fmt::format("{}", record.dt);
  if (record.initial_facts) row.facts["G"] = fmt::format("{}", record.initial_facts->G);
  if (trajectory.finished()) row.facts["finished"] = "yes";
  if (const auto state = trajectory.restart()) {
    row.facts["steps"] = fmt::format("{}", state->step);
    row.facts["time"] = fmt::format("{}", state->time);
    row.facts["state"] = state_hash(*state);
    row.facts["seconds"] = fmt::format("{}", trajectory.seconds());
  }
  read_errors(row, trajectory);
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

/// Without leading zeros, where it is a number.
std::string task_of(const std::string& folder) {
  if (folder.size() > 18 || !is_number(folder)) return folder;
  return fmt::format("{}", std::stoll(folder));
}

std::vector<Row> rows_of(const std::filesystem::path& folder) {
  std::vector<Row> rows;
  std::error_code error;
  for (const auto& within : std::filesystem::directory_iterator(folder, error)) {
    if (!within.is_directory(error)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(within.path(), error)) {
      const auto extension = entry.path().extension();
      if (extension != ".h5" && extension != ".hdf5" && extension != ".vtkhdf") continue;
      Row row{.task = task_of(within.path().filename().string()), .file = entry.path()};
      row.facts = {{"finished", "no"}, {"file", entry.path().string()}};
      try {
        read(row);
      } catch (const Error& problem) {
        say(stderr, "orrery: {}\n", problem.what());
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// The sweep that all of them are members of, if they are.
Sweep sweep_of(const std::vector<Row>& rows) {
  const auto known = std::ranges::find_if(rows, [](const Row& row) { return !row.scenario.empty(); });
  if (known == rows.end()) return {};
  try {
    std::vector<std::string> lists = known->overrides;  // --set may have changed them
    std::erase_if(lists, [](const std::string& line) { return !line.starts_with("sweep"); });
    Sweep sweep = parse_sweep(known->scenario, known->file.string(), lists);
    for (const Row& row : rows) {
      if (row.scenario.empty()) continue;
      for (const std::string& key : sweep.keys) {
        if (!row.set.contains(plain_key(key))) return {};
      }
    }
    return sweep;
  } catch (const Error&) {
    return {};  // of a version that had other rules
  }
}

/// Members without a trajectory, with the values that they would have; where folders have other names, nobody knows
/// which these are.
void add_missing(std::vector<Row>& rows, const Sweep& sweep) {
  if (!std::ranges::all_of(rows, is_number, &Row::task)) return;
  std::map<std::string, Row*> there;
  for (Row& row : rows) there.emplace(row.task, &row);
  std::vector<Row> missing;
  for (const Member& member : sweep.members) {
    Row row{.task = fmt::format("{}", member.task)};
    row.facts["finished"] = "no";
    const auto found = there.find(row.task);
    if (found != there.end() && !found->second->scenario.empty()) continue;
    Row& mine = found != there.end() ? *found->second : row;
    for (const std::string& override : member.overrides) {
      const auto equals = override.find('=');
      mine.set[plain_key(override.substr(0, equals))] = override.substr(equals + 1);
    }
    if (found == there.end()) missing.push_back(std::move(row));
  }
  std::ranges::move(missing, std::back_inserter(rows));
}

/// The keys that have not the same value in every row that could be read.
std::vector<std::string> differing(std::vector<Row>& rows) {
  std::set<std::string> names;
  for (Row& row : rows) {
    // A key of the physics has the number that it came to; others are as they were set.
    for (const auto& [key, value] : row.physics) row.set[plain_key(key)] = value;
    for (const auto& [key, value] : row.set) names.insert(key);
  }
  std::vector<std::string> all;
  for (const std::string& name : names) {
    std::set<std::string> values;
    for (const Row& row : rows) {
      const auto found = row.set.find(name);
      if (!row.scenario.empty()) values.insert(found == row.set.end() ? "" : found->second);
    }
    if (values.size() > 1) all.push_back(name);
  }
  return all;
}

/// A text without TOML's quotes, with those of CSV where it needs them.
std::string cell(const Keys& keys, const std::string& key) {
  const auto found = keys.find(key);
  if (found == keys.end()) return "";
  std::string text = found->second;
  if (text.size() > 1 && text.starts_with('"') && text.find_first_of("\"\\", 1) == text.size() - 1)
    text = text.substr(1, text.size() - 2);
  return csv_field(text);
}

}  // namespace

std::string run_table(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    throw Error(fmt::format("{}: {}", folder.string(),
                            std::filesystem::exists(folder, error) ? "not a folder" : "no such folder"),
                2);
  }
  std::vector<Row> rows = rows_of(folder);
  if (rows.empty()) {
    throw Error(fmt::format("{}: holds no folders with runs: a sweep's are {}/000/run.h5 and so on", folder.string(),
                            folder.string()),
                2);
  }
  const Sweep sweep = sweep_of(rows);
  add_missing(rows, sweep);
  const std::vector<std::string> keys = sweep.keys.empty() ? differing(rows) : sweep.keys;
  std::ranges::sort(rows, {}, [](const Row& row) {
    const bool number = is_number(row.task);
    return std::tuple(!number, number ? row.task.size() : 0, row.task, row.file);
  });
  std::string text = "task";
  for (const std::string& key : keys) text += "," + key;
  for (const char* fact : facts) text += fmt::format(",{}", fact);
  text += "\n";
  for (const Row& row : rows) {
    text += cell({{"task", row.task}}, "task");
    for (const std::string& key : keys) text += fmt::format(",{}", cell(row.set, plain_key(key)));
    for (const char* fact : facts) text += fmt::format(",{}", cell(row.facts, fact));
    text += "\n";
  }
  return text;
}

}  // namespace orrery::pipeline
