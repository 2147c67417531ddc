// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/context.hpp"

namespace CLI {
class App;
}

namespace orrery::pipeline {

struct CommandLine {
  std::vector<std::string> operands;  ///< the arguments that are not flags
  std::string whole;                  ///< as typed, for provenance
  Resources resources{};
};

/// Returns the exit code; throws Error.
using Action = std::function<int(const CommandLine&)>;

struct Command {
  std::string_view name;
  std::string_view meaning;
  std::string_view operands{};  ///< one word for the usage line: "SCENARIO.toml"
  std::size_t min_operands = 1, max_operands = 1;
  /// Registers the flags of the command. The returned action runs it after they are parsed.
  Action (*add)(CLI::App& app);
  std::string_view operands_note{};  ///< for --help: what else an operand may be
};

extern const Command run_command, simulate_command, resume_command, verify_command, diff_command, repair_command,
    render_command, report_command, view_command, join_command, check_command, info_command, import_command,
    judge_command, grade_command, export_command, table_command, matrix_command, list_command, new_command,
    bench_command, study_command, validate_command;

/// Returns all commands in the order of `orrery --help`.
std::span<const Command* const> commands();

/// Parses the arguments and runs the command. Returns the exit code; throws Error.
int run_command_line(int argc, const char* const* argv, const Resources& resources);

}  // namespace orrery::pipeline
