// SPDX-License-Identifier: MIT
// orrery info: what a trajectory or a picture holds.
#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/commands/watch.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/summary.hpp"

namespace orrery::pipeline {
namespace {

struct InfoFlags {
  bool json = false, watch = false;
};

/// The run that a picture shows, and below the scenario as it could be run.
int info_of_picture(const std::filesystem::path& file, bool json) {
  const render::Provenance told = provenance_of_picture(file);
  Report report;
  report.add("version", told.version);
  report.add("state", told.state);
  report.add_to_json("scenario", told.scenario);
  print(report, "\n" + told.scenario, {.json = json}, Replacing::nothing);
  return 0;
}

int info(const std::filesystem::path& file, const InfoFlags& flags) {
  if (flags.watch && flags.json) throw Error("--watch is for people to read; leave out --json", 2);
  if (flags.watch) return watch(file);
  if (is_picture(file)) return info_of_picture(file, flags.json);
  const TrajectoryReader trajectory(file);
  print(run_report(trajectory), flags.json);
  if (const std::string warning = energy_warning(trajectory); !warning.empty() && !flags.json)
    say(stderr, "orrery: {}: {}\n", file.string(), warning);
  return 0;
}

Action add_info(CLI::App& app) {
  const auto flags = std::make_shared<InfoFlags>();
  add_json(app, flags->json);
  app.add_flag("--watch", flags->watch, "again and again until the run ends");
  return [flags](const CommandLine& line) { return info(line.operands.front(), *flags); };
}

}  // namespace

const Command info_command{.name = "info",
                           .meaning = "what a trajectory or a picture holds and where it came from",
                           .operands = "RUN.h5",
                           .least = 1,
                           .most = 1,
                           .add = add_info,
                           .operands_note = or_a_picture};

}  // namespace orrery::pipeline
