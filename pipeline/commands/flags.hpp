// SPDX-License-Identifier: MIT
// Flags that several commands have.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "common/new_file.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {

/// Adds a flag for a number from `least` to `most`.
template <class Number>
void add_number(CLI::App& app, const std::string& flag, Number& number, int least, int most,
                const std::string& meaning) {
  app.add_option(flag, number, meaning)->type_name("N")->check(CLI::Range(least, most).description(""));
}

/// Adds a flag that may be repeated, each time with one value.
CLI::Option* add_repeated(CLI::App& app, const std::string& flag, std::vector<std::string>& values, const char* type,
                          const char* meaning);

/// Adds a flag for a path.
void add_path(CLI::App& app, const std::string& flag, std::optional<std::filesystem::path>& path,
              const std::string& meaning, const char* type);

void add_quiet(CLI::App& app, bool& quiet);
/// --set and --unset, as overrides.
void add_set(CLI::App& app, std::vector<std::string>& overrides);
/// --threads and --device, as overrides of [backend]. Must be added after `add_set`, whose overrides come first.
void add_threads(CLI::App& app, std::vector<std::string>& overrides);
void add_device(CLI::App& app, std::vector<std::string>& overrides);
/// How many GPUs --device may name.
enum class Gpus { one, several };
/// --backend, --threads and --device.
void add_backend(CLI::App& app, std::vector<std::string>& overrides, Gpus gpus = Gpus::several);
/// --frames
void add_frames(CLI::App& app, std::string& frames);
/// --n
void add_sizes(CLI::App& app, std::vector<std::size_t>& sizes);

/// -o and --force.
struct OutputFlags {
  std::optional<std::filesystem::path> output;
  bool force = false;

  /// Returns which files may be replaced: any with --force, else `otherwise`.
  [[nodiscard]] Replacing replacing(Replacing otherwise = Replacing::ours) const {
    return force ? Replacing::anything : otherwise;
  }
};
void add_output(CLI::App& app, std::optional<std::filesystem::path>& output);
void add_force(CLI::App& app, bool& force);
void add_output(CLI::App& app, OutputFlags& flags);

/// --json, or --json FILE.
struct JsonFlag {
  bool json = false;
  std::optional<std::filesystem::path> file{};  ///< unset: print to stdout
};
void add_json(CLI::App& app, bool& json);
void add_json_file(CLI::App& app, JsonFlag& flag);

/// Calls `work` and rethrows any Error as a fault of the request, for commands whose exit code 1 means "different".
template <class Work>
auto as_request(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.what(), Fault::request);
  }
}

/// Prints a report as a table or as JSON.
void print(const Report& report, bool json);
/// Prints a report as a table followed by `text`, or as JSON; writes JSON to the file of `flag` if there is one.
void print(const Report& report, const std::string& text, const JsonFlag& flag, Replacing replacing);

}  // namespace orrery::pipeline
