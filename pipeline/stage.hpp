// SPDX-License-Identifier: MIT
// A command describes itself and runs; the list of all commands.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"

namespace orrery::pipeline {

class Progress;

/// The flags that commands share; a command names those it takes.
enum class Flag {
  output,
  force,
  set,
  backend,
  threads,
  device,
  quiet,
  json,
  json_file,
  suite,
  integrator,
  orbit,
  quick,
  sizes,
  neighbours,
  all,
  frames,
  format,
  table_format,
  digits,
  task,
  follow,
  preview,
  watch,
  figure,
  against,
  draw,
  compare,
  threshold,
  matrix
};

/// What `orrery matrix` was asked for, as it was typed.
struct MatrixRequest {
  std::string quantity = "distance", precision = "float64", time, block, reduce;
  std::optional<double> exponent;
  int bins = 0;  ///< 0: as many as are usual
  bool half = false;
};

/// What a command was asked for.
struct Request {
  std::vector<std::string> operands;
  std::optional<std::filesystem::path> output;
  bool force = false, quiet = false, json = false, all = false, follow = false, watch = false, quick = false,
       preview = false, draw = false;
  std::optional<std::filesystem::path> json_file;  ///< where the JSON goes, if not to be printed
  std::string suite;                               ///< empty: the command's own choice
  std::vector<std::string> integrators, orbits;    ///< empty: all of them
  std::vector<std::int64_t> sizes;                 ///< numbers of bodies; empty: the command's own choice
  int neighbours = 0;                              ///< threads that spin while steps are measured
  std::string frames;                              ///< "a:b", "a:", ":b", "a:b:k"; empty: all of them
  std::string format;                              ///< of an export or a table
  int digits = 0;                                  ///< significant ones in a table; 0: as its format has them
  std::string figure;                              ///< the kind of the one to draw; empty: those of the scenario
  std::optional<std::filesystem::path> compare;    ///< an earlier result
  double threshold = 0.8;                          ///< the least ratio to it that is well
  std::string against;                             ///< what it is drawn over; empty: as the figure has it
  MatrixRequest matrix{};                          ///< of which matrix
  std::optional<std::int64_t> task;                ///< one member of a sweep, counted from 0
  std::vector<std::string> overrides;              ///< of --set, and of --backend, --threads and --device as keys
  std::string command_line;
  std::string label;             ///< opens the line that says what came of a run
  Progress* progress = nullptr;  ///< of something longer that this is a part of

  /// What the files that it writes may replace without --force is `otherwise`.
  [[nodiscard]] Replacing replacing(Replacing otherwise = Replacing::ours) const {
    return force ? Replacing::anything : otherwise;
  }
};

struct Stage {
  std::string_view name;
  std::string_view meaning;
  std::string_view operands;  ///< one word, as in the usage line: "SCENARIO.toml"
  std::size_t least, most;    ///< operands it takes
  std::span<const Flag> flags;
  /// Returns the exit code; throws Error.
  int (*run)(const Request& request);
  std::string_view instead{};  ///< what else an operand may be, for --help
};

/// Every command, in the order of `orrery --help`.
std::span<const Stage* const> stages();

/// Reads the arguments and runs the command that they name. Returns the exit code.
int run_command_line(int argc, const char* const* argv);

}  // namespace orrery::pipeline
