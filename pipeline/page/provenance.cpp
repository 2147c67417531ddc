// SPDX-License-Identifier: MIT
// By what and where a run was computed, and how to compute it again.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/page/known_run.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/scenario/overrides.hpp"

namespace orrery::pipeline {
namespace {

/// When the file was changed last, in UTC; "" if that is unknown.
std::string last_changed(const std::filesystem::path& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return "";
  const auto clock = std::chrono::file_clock::to_sys(time);
  return fmt::format(
      "{:%Y-%m-%d %H:%M} UTC",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(clock))));
}

/// A word of a shell command.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

/// A name for files made of a title: "two-droplets".
std::string file_stem(const std::string& title) {
  std::string stem;
  for (const char c : title) {
    if (c == '\'') continue;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'), capital = c >= 'A' && c <= 'Z';
    if (letter || capital) {
      stem += static_cast<char>(capital ? c - 'A' + 'a' : c);
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
    if (stem.size() == 40) break;
  }
  return stem.substr(0, stem.find_last_not_of('-') + 1);
}

}  // namespace

std::vector<WordsRow> provenance(const KnownRun& run) {
  std::vector<WordsRow> rows;
  const auto add = [&](const std::string& name, const std::string& value, const std::string& meaning = "") {
    if (!value.empty()) rows.push_back({name, printable(value), printable(meaning)});
  };
  const auto of = [&](const char* key) { return provenance_of(run.record, key); };
  const std::string precision = of("precision");
  const std::string imported = imported_from(run.record);
  add(imported.empty() ? "program" : "imported by", fmt::format("orrery {}", of("version")));
  add("imported from", imported, "frames of another program; energies are those that the forces give");
  add("commit", of("commit"), of("commit").ends_with("-dirty") ? "with changes that were not committed" : "");
  add("compiler", of("compiler"));
  add("backend", of("backend"), of("kernel").empty() ? "" : fmt::format("kernel {}", of("kernel")));
  add("device", of("device"));
  add("precision", precision);
  if (const std::string foreign = of(foreign_key); !foreign.empty()) add("plug-ins", foreign_names(foreign));
  add("file", run.file.path().filename().string(),
      last_changed(run.file.path()).empty() ? "" : "changed last " + last_changed(run.file.path()));
  add("seed", fmt::format("{}", run.record.seed));
  const double seconds = run.file.seconds();
  if (seconds > 0) add("wall time", fmt::format("{:.3g} s", seconds), "for which the file was open");
  for (const RunPart& part : run.record.parts) add("resumed", fmt::format("at step {}", part.step));
  if (run.state) {
    add(run.file.finished() ? "final state" : "state", state_hash(*run.state),
        fmt::format("XXH3 of the state after {}{}", counted(run.state->step, "step"),
                    imported.empty() ? fmt::format("; reproducible {}", reproducible(precision)) : ""));
  }
  return rows;
}

Again again(const KnownRun& run) {
  CarriedRun carried;
  std::string flags;
  try {
    carried = carried_runs({run.file.path()}).front();
    const Document document(carried.scenario, run.file.path().string(), {});
    // The member of a sweep has one value of each list.
    if (!carried.overrides.empty() && document.count("sweep") > 0) flags += " --unset sweep";
  } catch (const Error&) {  // no scenario of this version
    return {run.record.scenario, {}};
  }
  // Plug-ins of another program are functions, which no scenario has, and so are its own steps.
  if (!provenance_of(run.record, foreign_key).empty() || !imported_from(run.record).empty())
    return {carried.scenario, {}};
  std::string stem = file_stem(run.record.title);
  if (stem.empty()) stem = file_stem(title_of(run));
  if (stem.empty()) stem = "scenario";
  const std::string folder = stem + "-again";
  for (const std::string& override : carried.overrides)
    flags += fmt::format(" {} {}", flag_of(override), shell_word(override));
  const std::string name = shell_word(run.file.path().filename().string()), copy = shell_word(carried.file);
  return {carried.scenario,
          {{fmt::format("orrery run {}.toml -o {}{}", stem, folder, flags),
            fmt::format("runs the scenario, saved as {}.toml, again", stem)},
           {fmt::format("orrery diff {} {}/{}", name, folder, copy), "compares every bit of both files"},
           {fmt::format("orrery verify {}", name), "does both at once, without a second file"}}};
}

}  // namespace orrery::pipeline
