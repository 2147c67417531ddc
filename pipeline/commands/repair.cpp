// SPDX-License-Identifier: MIT
// orrery repair: repair a file whose writer was killed, and report damage.
#include <fmt/format.h>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/following.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"

namespace orrery::pipeline {
namespace {

std::string outcome_of(const RepairSummary& file, bool damaged) {
  const std::string what = fmt::format("{} {}", file.frames, file.frames == 1 ? "frame" : "frames");
  if (!file.changed && damaged)
    return fmt::format("cannot be repaired in place; -o NEW.h5 copies what is sound of {}", what);
  if (!file.changed) return "nothing to do: " + what;
  if (file.finished) return fmt::format("repaired: {}, finished", what);
  if (!file.step) return fmt::format("repaired: {}, no state to resume from", what);
  return fmt::format("repaired: {}, can be resumed from step {}", what, *file.step);
}

int repair_file(const std::filesystem::path& file, const std::optional<std::filesystem::path>& output) {
  refuse_live(file);
  if (std::error_code none; output && std::filesystem::exists(symlink_status(*output, none)))
    refuse(*output, "exists already: give another name with -o");
  // With a copy, the original stays as it is.
  std::optional<RepairSummary> repaired;
  if (!output) repaired = repair(file);
  const auto damage = find_damage(file);
  if (repaired) say("{}: {}\n", file.string(), outcome_of(*repaired, !damage.empty()));
  for (const std::string& line : damage) say("{}: {}\n", file.string(), line);
  if (output) {
    const CopySummary copy = salvage(file, *output);
    say("{}: {} of {} frames and {} of {} rows{}\n", output->string(), copy.frames, copy.all_frames, copy.rows,
        copy.all_rows, copy.state ? "" : ", no state to resume from");
  }
  return damage.empty() ? 0 : 1;
}

Action add_repair(CLI::App& app) {
  const auto output = std::make_shared<std::optional<std::filesystem::path>>();
  add_output(app, *output);
  return [output](const CommandLine& line) { return repair_file(line.operands.front(), *output); };
}

}  // namespace

const Command repair_command{.name = "repair",
                             .meaning = "repair a file whose writer was killed, and report damage",
                             .operands = "RUN.h5",
                             .add = add_repair};

}  // namespace orrery::pipeline
