// SPDX-License-Identifier: MIT
// orrery import: say what files of bodies hold and write a scenario that begins with them, or a trajectory of their frames.
#include "pipeline/formats/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/run/imported_run.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

struct ImportFlags {
  std::map<std::string, std::string> keys;  ///< of all flags, empty if not given
  std::string units, dt;
  std::optional<std::filesystem::path> scenario;
  OutputFlags output;
  bool quiet = false;
};

/// The files of the operands, of which those with * and ? stand for several.
std::vector<std::filesystem::path> files_of_operands(const CommandLine& line) {
  std::vector<std::filesystem::path> files;
  for (const std::string& operand : line.operands)
    for (std::filesystem::path& file : files_of(operand)) files.push_back(std::move(file));
  if (are_numbered(files))
    std::ranges::sort(files, [](const auto& a, const auto& b) { return naturally_before(a.string(), b.string()); });
  return files;
}

/// "frames/*.csv", "frame_0.csv … frame_9.csv".
std::string source_of(const CommandLine& line, const std::vector<std::filesystem::path>& files) {
  if (line.operands.size() == 1) return line.operands.front();
  return fmt::format("{} … {}", files.front().string(), files.back().string());
}

/// Says what was guessed, and throws if something is missing.
void report_notes(const std::vector<std::string>& notes, const std::vector<AskedKey>& asked,
                  const std::filesystem::path& file, bool quiet) {
  for (const std::string& remark : notes)
    if (!quiet) say(stderr, "note: {}\n", remark);
  if (asked.empty()) return;
  std::vector<std::string> all;
  for (const AskedKey& one : asked) all.push_back(fmt::format("{} ({})", flag_for(one.key), one.why));
  throw Error(fmt::format("{}: give {}", file.string(), fmt::join(all, ", ")), Fault::request);
}

int import_run(ImportOptions options, const std::filesystem::path& to, const ImportFlags& flags,
               const CommandLine& line) {
  Terminal terminal(line.resources, flags.quiet);
  refuse_to_replace(to, flags.output.replacing(Replacing::nothing), written_by_orrery);
  ImportedRun run{.title = to.stem().string(), .source = source_of(line, options.files), .command_line = line.whole};
  std::optional<Scenario> scenario;
  if (flags.scenario) {
    scenario = parse_scenario(scenario_text(*flags.scenario, terminal));
    if (!options.units.empty()) throw Error("--units: the system of units is that of --scenario", Fault::request);
    options.units = scenario->model.units->name;
    options.masses = false;
    run.scenario = &*scenario;
  }
  run.read = import_frames(options);
  report_notes({}, run.read.asked, options.files.front(), flags.quiet);
  if (!flags.dt.empty()) {
    try {
      run.interval = quantity_in(flags.dt, "time", *run.read.units);
    } catch (const std::invalid_argument& error) {
      throw Error(fmt::format("--dt {}: {}", flags.dt, error.what()), Fault::request);
    }
  }
  const std::size_t frames = run.read.frames.size(), bodies = run.read.frames.first.bodies->rows;
  const bool moves = !run.read.frames.velocity.empty();
  // The old file goes only when the new one is there.
  const std::filesystem::path draft =
      flags.output.force && std::filesystem::exists(to) ? to.string() + ".new.h5" : to.string();
  const std::vector<std::string> notes = write_imported_run(std::move(run), draft, terminal);
  if (draft != to) {
    remove_trajectory(to, true);
    std::filesystem::rename(draft, to);
  }
  report_notes(notes, {}, to, flags.quiet);
  if (!flags.quiet) {
    say("written: {}: {} frame{} of {} {}\n", to.string(), frames, frames == 1 ? "" : "s", bodies,
        bodies == 1 ? "body" : "bodies");
    if (!moves) say(stderr, "note: without velocities there are no kinetic energies\n");
  }
  return 0;
}

int import_scenario(ImportOptions options, const std::filesystem::path& to, const ImportFlags& flags) {
  options.folder = to == "-" ? "" : to.parent_path();
  if (to != "-") refuse_to_replace(to, flags.output.replacing(Replacing::nothing), written_by_orrery);
  const Imported imported = import_bodies(options);
  std::FILE* const stream = to == "-" ? stderr : stdout;
  for (const Report& facts : imported.files)
    if (!flags.quiet) say_lines(stream, facts.table());
  report_notes(imported.remarks, imported.asked, options.files.front(), flags.quiet);
  write_whole(to, imported.scenario, flags.output.replacing(Replacing::nothing));
  if (to != "-" && !flags.quiet) say("written: {}\n", to.string());
  return 0;
}

/// The name of the output: that of the first file, as a run if there are several frames and none is chosen.
std::filesystem::path output_of(const ImportOptions& options, const ImportFlags& flags) {
  if (flags.output.output) return *flags.output.output;
  const std::filesystem::path& file = options.files.front();
  const std::string stem = frame_in_name(file).value_or(std::pair(file, 0)).first.stem().string();
  const bool run = flags.scenario || !flags.dt.empty() || are_numbered(options.files) ||
                   (options.files.size() == 1 && !options.keys.contains("frame") && frames_in(file, options) != 1);
  return stem + (run ? ".h5" : ".toml");
}

int import_files(const ImportFlags& flags, const CommandLine& line) {
  ImportOptions options{.files = files_of_operands(line), .keys = {}, .units = flags.units, .folder = {}};
  for (const auto& [key, text] : flags.keys)
    if (!text.empty()) options.keys.emplace(key, text);
  const std::filesystem::path to = output_of(options, flags);
  if (extension_of(to) == ".h5") return import_run(std::move(options), to, flags, line);
  if (extension_of(to) != ".toml" && to != "-")
    throw Error(fmt::format("{}: `import` writes a scenario, .toml, or a trajectory, .h5; `orrery export` makes other "
                            "files of either",
                            to.string()),
                Fault::request);
  if (flags.scenario || !flags.dt.empty())
    throw Error("--scenario and --dt are for a trajectory: -o NAME.h5", Fault::request);
  return import_scenario(std::move(options), to, flags);
}

Action add_import(CLI::App& app) {
  const auto flags = std::make_shared<ImportFlags>();
  for (const Parameter& key : import_keys())
    app.add_option(flag_for(key.name), flags->keys[std::string(key.name)], std::string(key.meaning))
        ->type_name(key.kind == Kind::texts  ? "A,B"
                    : key.kind == Kind::text ? "TEXT"
                                             : "VALUE");
  app.add_option("--units", flags->units, "the system of units of the scenario; default: that of the file")
      ->type_name("NAME");
  app.add_option("--dt", flags->dt, "the time between frames, in place of the times of the files")->type_name("TIME");
  add_path(app, "--scenario", flags->scenario,
           "the same problem: its forces, constants and units, its masses and names if the files have none",
           "SCENARIO.toml");
  add_output(app, flags->output);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) { return import_files(*flags, line); };
}

}  // namespace

const Command import_command{.name = "import",
                             .meaning = "read bodies, or a whole trajectory, from another program's files",
                             .operands = "FILE",
                             .max_operands = 1'000'000,
                             .add = add_import,
                             .operands_note =
                                 "of any format in `orrery list import`, or 'frames/*.csv'; frames become a "
                                 "trajectory, NAME.h5, others [[initial]] tables, NAME.toml"};

}  // namespace orrery::pipeline
