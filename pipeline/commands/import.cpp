// SPDX-License-Identifier: MIT
// orrery import: say what files of bodies hold and write a scenario, or a trajectory of one frame, that begins with them.
#include "pipeline/formats/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/run/initial_trajectory.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

struct ImportFlags {
  std::map<std::string, std::string> keys;  ///< of all flags, empty if not given
  std::string units;
  OutputFlags output;
  bool quiet = false;
};

void write_frame(const std::string& scenario, const std::filesystem::path& file, const OutputFlags& flags) {
  refuse_to_replace(file, flags.replacing(Replacing::nothing), written_by_orrery);
  const Scenario parsed = parse_scenario({.text = scenario, .name = file.string(), .folder = file.parent_path()});
  remove_trajectory(file, flags.force);
  write_initial_trajectory(parsed, file);
}

int import_files(const ImportFlags& flags, const CommandLine& line) {
  ImportOptions options{
      .files = {line.operands.begin(), line.operands.end()}, .keys = {}, .units = flags.units, .folder = {}};
  for (const auto& [key, text] : flags.keys)
    if (!text.empty()) options.keys.emplace(key, text);
  const std::filesystem::path first =
      frame_in_name(options.files.front()).value_or(std::pair(options.files.front(), 0)).first;
  const std::filesystem::path to = flags.output.output.value_or(first.stem().string() + ".toml");
  const bool frame = extension_of(to) == ".h5";
  if (!frame && extension_of(to) != ".toml" && to != "-")
    throw Error(fmt::format("{}: `import` writes a scenario, .toml, or a trajectory of one frame, .h5; `orrery export` "
                            "makes other files of either",
                            to.string()),
                Fault::request);
  options.folder = to == "-" ? "" : to.parent_path();
  if (to != "-") refuse_to_replace(to, flags.output.replacing(Replacing::nothing), written_by_orrery);
  const Imported imported = import_bodies(options);
  std::FILE* const stream = to == "-" ? stderr : stdout;
  for (const Report& facts : imported.files)
    if (!flags.quiet) say_lines(stream, facts.table());
  for (const std::string& remark : imported.remarks)
    if (!flags.quiet) say(stderr, "note: {}\n", remark);
  if (!imported.asked.empty()) {
    std::vector<std::string> all;
    for (const AskedKey& one : imported.asked) all.push_back(fmt::format("{} ({})", flag_for(one.key), one.why));
    throw Error(fmt::format("{}: give {}", options.files.front().string(), fmt::join(all, ", ")), Fault::request);
  }
  if (frame) {
    write_frame(imported.scenario, to, flags.output);
  } else {
    write_whole(to, imported.scenario, flags.output.replacing(Replacing::nothing));
  }
  if (to != "-" && !flags.quiet) say("written: {}\n", to.string());
  return 0;
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
  add_output(app, flags->output);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) { return import_files(*flags, line); };
}

}  // namespace

const Command import_command{
    .name = "import",
    .meaning = "read bodies from another program's file, and write a scenario with them",
    .operands = "FILE",
    .max_operands = 1000,
    .add = add_import,
    .operands_note = "of any format in `orrery list import`; each becomes an [[initial]] table"};

}  // namespace orrery::pipeline
