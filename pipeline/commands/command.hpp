// SPDX-License-Identifier: MIT
// A command describes itself, registers its flags, and runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace orrery::pipeline {

/// What stands on a command line besides flags.
struct CommandLine {
  std::vector<std::string> operands;
  std::string whole;  ///< as it was typed, for provenance
};

/// Returns the exit code; throws Error.
using Action = std::function<int(const CommandLine&)>;

struct Command {
  std::string_view name;
  std::string_view meaning;
  std::string_view operands;  ///< one word, as in the usage line: "SCENARIO.toml"
  std::size_t least, most;    ///< operands it takes
  /// Registers the command's flags, with the places that they are read into; what it returns runs once they are read.
  Action (*add)(CLI::App& app);
  std::string_view operands_note{};  ///< what else an operand may be, for --help
};

extern const Command run_command, simulate_command, resume_command, verify_command, diff_command, repair_command,
    render_command, check_command, info_command, export_command, table_command, matrix_command, list_command,
    new_command, bench_command, study_command, validate_command;

/// Every command, in the order of `orrery --help`.
std::span<const Command* const> commands();

/// Reads the arguments and runs the command that they name. Returns the exit code.
int run_command_line(int argc, const char* const* argv);

}  // namespace orrery::pipeline
