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

/// A number from `least` to `most`.
template <class Number>
void add_number(CLI::App& app, const std::string& flag, Number& number, int least, int most,
                const std::string& meaning) {
  app.add_option(flag, number, meaning)->type_name("N")->check(CLI::Range(least, most).description(""));
}

/// A flag that may be given again and again, each time with one value.
CLI::Option* add_repeated(CLI::App& app, const std::string& flag, std::vector<std::string>& values, const char* type,
                          const char* meaning);

/// One path; an empty text is none.
void add_path(CLI::App& app, const std::string& flag, std::optional<std::filesystem::path>& path,
              const std::string& meaning, const char* type);

void add_quiet(CLI::App& app, bool& quiet);
void add_set(CLI::App& app, std::vector<std::string>& overrides);
/// --threads and --device, as overrides of [backend]; after `add_set`, whose values come first.
void add_threads(CLI::App& app, std::vector<std::string>& overrides);
void add_device(CLI::App& app, std::vector<std::string>& overrides);
/// --backend and the two.
void add_backend(CLI::App& app, std::vector<std::string>& overrides);
/// --frames, of those that are stored.
void add_frames(CLI::App& app, std::string& frames);
/// --n
void add_sizes(CLI::App& app, std::vector<std::size_t>& sizes);

/// -o and --force.
struct OutputFlags {
  std::optional<std::filesystem::path> output;
  bool force = false;

  /// What the files that are written may replace; without --force, `otherwise`.
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
  std::optional<std::filesystem::path> file{};  ///< none: to be printed
};
void add_json(CLI::App& app, bool& json);
void add_json_file(CLI::App& app, JsonFlag& flag);

/// Does `work`; exit code 1 means that something differs, so whatever keeps us from knowing is 2.
template <class Work>
auto with_exit_code_2(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.what(), 2);
  }
}

/// The facts as people or programs read them.
void print(const Report& report, bool json);
/// The facts and the text behind them, or the facts as JSON, printed or into the file.
void print(const Report& report, const std::string& text, const JsonFlag& flag, Replacing replacing);

}  // namespace orrery::pipeline
