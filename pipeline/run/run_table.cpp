// SPDX-License-Identifier: MIT
#include "pipeline/run/run_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/run/conserved_momenta.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/massless_record.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"

namespace orrery::pipeline {
namespace {

/// A column that every table has. `time`: it has the run's unit of time. "{}" in words is what the error is relative to, as
/// `energy_error_name` says it.
struct Fact {
  const char *name, *words, *latex;
  bool report = true, time = false;
};
constexpr Fact facts[] = {
    {"finished", "finished", "finished"},
    {"steps", "steps", "steps"},
    {"dt", "dt", R"($\Delta t$)", true, true},
    {"time", "t", "$t$", true, true},
    {"state", "state", "state"},
    {"energy_error", "{}, final", "{}, final"},
    {"greatest_energy_error", "{}, greatest", "{}, greatest"},
    {"angular_momentum_error", "|ΔL|/|L₀|, final", R"($|\Delta L|/|L_0|$, final)", false},
    {"greatest_angular_momentum_error", "|ΔL|/|L₀|, greatest", R"($|\Delta L|/|L_0|$, greatest)"},
    {"seconds", "file open [s]", "file open [s]"},
    {"G", "G", "$G$", false},
    {"file", "file", "file", false},
    {"energy_error_name", "energy error", "energy error"},
    {"massless_error", "error without mass", "error without mass"},
    {"massless_error_name", "error without mass is", "error without mass is", false},
};

struct Row {
  std::string task;
  bool readable = false;
  Keys set{};  ///< values of --set and of the sweep
  Keys physics{};
  std::map<std::string, std::string> facts{};
  std::string time_unit{};
};

/// Reads the final and the maximum errors of energy and angular momentum.
void read_errors(Row& row, const TrajectoryReader& trajectory) {
  const History history = trajectory.history();
  const auto energy = energy_record(history);
  if (!energy) return;
  const auto add = [&](const std::string& name, double last, double greatest) {
    row.facts[name] = fmt::format("{}", last);
    row.facts["greatest_" + name] = fmt::format("{}", greatest);
  };
  add("energy_error", std::abs(energy->error), energy->greatest_error);
  row.facts["energy_error_name"] = energy->start.magnitude_name();
  if (const auto massless = massless_record(trajectory)) {
    const bool known = massless->not_measured.empty();
    row.facts["massless_error"] = known ? fmt::format("{}", massless->greatest) : "not measured";
    row.facts["massless_error_name"] = known ? massless->name : massless->not_measured;
  }
  if (conserved_momenta(trajectory).angular != ConservedMomenta::Angular::all) return;
  const double L = initial_angular_momentum(history, trajectory), unit = L == 0 ? 1 : L;
  double greatest = 0;
  for (std::size_t i = 0; i < history.time.size(); ++i)
    greatest = std::max(greatest, angular_momentum_change(history, i));
  const auto &now = history.angular_momentum.back(), &first = history.angular_momentum.front();
  add("angular_momentum_error", length({now[0] - first[0], now[1] - first[1], now[2] - first[2]}) / unit,
      greatest / unit);
}

Row row_of(const FolderRun& run, Messages& messages) {
  Row row{.task = run.task, .readable = run.readable()};
  row.facts = {{"finished", "no"}, {"file", run.file.string()}};
  if (!run.readable()) return row;
  try {
    const TrajectoryReader trajectory(run.file);
    const RunRecord& record = trajectory.record();
    const std::vector<std::string> damage = find_damage(run.file);
    if (!damage.empty()) messages.warning("{}: is damaged: {}", run.file.string(), damage_in_words(damage));
    row.physics = physics_of(trajectory);
    row.set = values_of(run.overrides);
    row.time_unit = PhysicalUnit(record.time_unit).readable();
    row.facts["dt"] = fmt::format("{}", record.dt);
    row.facts["G"] = fmt::format("{}", record.initial_facts.G);
    if (trajectory.finished()) row.facts["finished"] = damage.empty() ? "yes" : "damaged";
    if (const auto state = trajectory.restart()) {
      row.facts["steps"] = fmt::format("{}", state->step);
      row.facts["time"] = fmt::format("{}", state->time);
      if (damage.empty()) row.facts["state"] = state_hash(*state);
      row.facts["seconds"] = fmt::format("{}", trajectory.seconds());
    }
    read_errors(row, trajectory);
  } catch (const Error& problem) {
    messages.warning("{}", problem.what());
  }
  return row;
}

/// Adds rows for members of the sweep that have no readable file, and sorts by task. All folders must have numbers.
void add_missing(std::vector<Row>& rows, const Sweep& sweep) {
  for (const Member& member : sweep.members) {
    const std::string task = fmt::format("{}", member.task);
    auto row = std::ranges::find(rows, task, &Row::task);
    if (row != rows.end() && row->readable) continue;
    if (row == rows.end()) row = rows.insert(rows.end(), {.task = task, .facts = {{"finished", "no"}}});
    row->set = values_of(member.overrides);
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::stoull(row.task); });
}

/// Returns a value without TOML's quotes, or "".
std::string cell(const Keys& keys, const std::string& key) {
  const auto found = keys.find(key);
  if (found == keys.end()) return "";
  const std::string text = brief_toml(found->second);
  const bool quoted = text.size() > 1 && text.starts_with('"') && text.find_first_of("\"\\", 1) == text.size() - 1;
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Returns the keys whose values differ between readable rows.
std::vector<std::string> differing(const std::vector<Row>& rows) {
  std::map<std::string, std::set<std::string>> values;
  for (const Row& row : rows) {
    for (const auto& [key, value] : row.set) values[key];
  }
  std::vector<std::string> keys;
  for (auto& [key, different] : values) {
    for (const Row& row : rows) {
      if (row.readable) different.insert(cell(row.set, key));
    }
    if (different.size() > 1) keys.push_back(key);
  }
  return keys;
}

/// Returns the keys of the sweep as written there, and others that --set gave; without a sweep, all that differ.
std::vector<std::string> keys_of(std::vector<Row>& rows, const Sweep& sweep) {
  std::vector<std::string> keys = sweep.keys;
  if (keys.empty()) {
    for (Row& row : rows) {
      // Physical keys have their resolved values; others have the text of --set.
      for (const auto& [key, value] : row.physics) row.set[plain_key(key)] = value;
    }
  }
  for (std::string& key : differing(rows)) {
    const bool is_list = !sweep.keys.empty() && key.starts_with("sweep");
    if (!is_list && std::ranges::find(keys, key, plain_key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

/// Returns the unit of all times, or "" if there is no common one.
std::string unit_of(const std::vector<Row>& rows) {
  std::set<std::string> units;
  for (const Row& row : rows) {
    if (row.readable) units.insert(row.time_unit);
  }
  return units.size() == 1 ? *units.begin() : "";
}

/// Leaves out of reports of several rows the columns whose cells are equal, and keys that some of the readable `runs` do
/// not have. Returns those keys. The first columns are the task and `keys` keys.
std::vector<std::string> hide_columns(RunTable& table, const std::vector<Row>& runs, std::size_t keys,
                                      const Sweep& sweep) {
  std::vector<std::string> partial;
  if (table.rows.size() < 2) return partial;
  for (std::size_t k = 1; k < table.columns.size(); ++k) {
    TableColumn& column = table.columns[k];
    if (column.name == "state") continue;
    std::set<std::string> cells;
    const bool key = k <= keys;
    for (std::size_t row = 0; row < runs.size(); ++row) {
      if (runs[row].readable || !key) cells.insert(table.rows[row][k]);
    }
    const bool swept = key && std::ranges::find(sweep.keys, column.name) != sweep.keys.end();
    if (key && !swept && sweep.keys.empty() && cells.contains("")) {
      partial.push_back(column.name);
      column.report = false;
    }
    if (cells.size() < 2 && !swept) column.report = false;
  }
  return partial;
}

/// Returns what the energy errors of all runs are, or "|ΔE|" if they are relative to different things.
std::string error_name_of(const std::vector<Row>& rows) {
  std::set<std::string> names;
  for (const Row& row : rows) {
    if (row.facts.contains("energy_error_name")) names.insert(row.facts.at("energy_error_name"));
  }
  return names.empty() ? "|ΔE|/|E₀|" : names.size() == 1 ? *names.begin() : "|ΔE|";
}

std::string latex_of(const std::string& error) {
  if (error == "|ΔE|/|E₀|") return R"($|\Delta E|/|E_0|$)";
  if (error == "|ΔE|") return R"($|\Delta E|$)";
  return R"($|\Delta E|/(K_0+|U_0|)$)";
}

/// Leaves redundant columns out of reports: `finished` if all are, `dt` if it is a key of the sweep, what energy errors are if all
/// are the same, and errors of bodies without mass if there are none.
void hide_redundant_columns(RunTable& table) {
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name, &TableColumn::name) - table.columns.begin());
  };
  const std::size_t finished = column("finished"), dt = column("dt"), swept = column("integrator.dt");
  table.columns[finished].report =
      std::ranges::any_of(table.rows, [&](const auto& row) { return row[finished] != "yes"; });
  table.columns[dt].report = table.columns[dt].report &&
                             (swept == table.columns.size() || std::ranges::any_of(table.rows, [&](const auto& row) {
                                return !row[dt].empty() && row[dt] != row[swept];
                              }));
  const std::size_t name = column("energy_error_name"), massless = column("massless_error");
  std::set<std::string> names;
  for (const auto& row : table.rows) names.insert(row[name]);
  names.erase("");
  table.columns[name].report = names.size() > 1;
  table.columns[massless].report =
      std::ranges::any_of(table.rows, [&](const auto& row) { return !row[massless].empty(); });
}

}  // namespace

RunTable run_table(const std::vector<std::filesystem::path>& runs, Messages& messages) {
  const RunsInFolder found = runs_of(runs, messages);
  std::vector<Row> rows;
  for (const FolderRun& run : found.runs) rows.push_back(row_of(run, messages));
  if (!found.sweep.members.empty() && std::ranges::all_of(found.runs, &FolderRun::numbered))
    add_missing(rows, found.sweep);
  const std::vector<std::string> keys = keys_of(rows, found.sweep);
  const std::string unit = unit_of(rows), error = error_name_of(rows);
  RunTable table{{{.name = "task", .words = "task", .latex = "task"}}, {}, {}};
  for (const std::string& key : keys) table.columns.push_back({.name = key, .words = "", .latex = ""});
  for (const Fact& fact : facts) {
    const std::string counted = fact.time && !unit.empty() ? fmt::format(" [{}]", unit) : "";
    const auto named = [&](const std::string& words, const std::string& name) {
      return words.starts_with("{}") ? name + words.substr(2) : words;
    };
    table.columns.push_back(
        {fact.name, named(fact.words, error) + counted, named(fact.latex, latex_of(error)) + counted, fact.report});
  }
  for (const Row& row : rows) {
    auto& cells = table.rows.emplace_back(std::vector<std::string>{row.task});
    for (const std::string& key : keys) cells.push_back(cell(row.set, plain_key(key)));
    for (const Fact& fact : facts) cells.push_back(row.facts.contains(fact.name) ? row.facts.at(fact.name) : "");
  }
  table.partial = hide_columns(table, rows, keys.size(), found.sweep);
  hide_redundant_columns(table);
  return table;
}

RunTable with_columns(const RunTable& table, const std::string& names) {
  std::vector<std::string_view> known;
  for (const TableColumn& column : table.columns) known.push_back(column.name);
  RunTable chosen;
  chosen.rows.resize(table.rows.size());
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    begin = end + 1;
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw Error(fmt::format("--columns: there is no column `{}`{} (there are: {})", name, suggestion(name, known),
                              fmt::join(known, ", ")),
                  Fault::request);
    const auto k = static_cast<std::size_t>(found - known.begin());
    chosen.columns.push_back(table.columns[k]);
    chosen.columns.back().report = true;
    for (std::size_t row = 0; row < table.rows.size(); ++row) chosen.rows[row].push_back(table.rows[row][k]);
  }
  return chosen;
}

}  // namespace orrery::pipeline
