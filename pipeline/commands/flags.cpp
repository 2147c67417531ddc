// SPDX-License-Identifier: MIT
#include "pipeline/commands/flags.hpp"

#include <fmt/format.h>

#include "common/parameter.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

/// Adds a flag for a number that is appended to `overrides`.
void add_number_of_key(CLI::App& app, const std::string& flag, std::vector<std::string>& overrides, const char* key,
                       int least, int most, const std::string& meaning) {
  app.add_option_function<int>(
         flag, [&overrides, key](int number) { overrides.push_back(fmt::format("{}={}", key, number)); }, meaning)
      ->type_name("N")
      ->check(CLI::Range(least, most).description(""));
}

}  // namespace

void add_path(CLI::App& app, const std::string& flag, std::optional<std::filesystem::path>& path,
              const std::string& meaning, const char* type) {
  app.add_option_function<std::string>(
         flag, [&path](const std::string& text) { path = text; }, meaning)
      ->type_name(type);
}

CLI::Option* add_repeated(CLI::App& app, const std::string& flag, std::vector<std::string>& values, const char* type,
                          const char* meaning) {
  return app.add_option(flag, values, meaning)->type_name(type)->expected(1)->take_all()->allow_extra_args(false);
}

void add_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "print no progress");
}

void add_set(CLI::App& app, std::vector<std::string>& overrides) {
  const auto add = [&](const char* flag, const char* type, const char* meaning, bool has_value) {
    app.add_option_function<std::vector<std::string>>(
           flag,
           [&overrides, flag, has_value](const std::vector<std::string>& given) {
             for (const std::string& override : given) {
               if (is_unset(override) == has_value)
                 throw Error(fmt::format("{} {}: write it as section.key{}", flag, override, has_value ? "=value" : ""),
                             Fault::request);
               overrides.push_back(override);
             }
           },
           meaning)
        ->type_name(type)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)  // what follows is an operand
        ->trigger_on_parse();      // in the order of the command line
  };
  add("--set", "KEY=VALUE", "set a key of the scenario: integrator.dt=1e-4, film[0].fps=25", true);
  add("--unset", "KEY", "remove a key or table of the scenario: force.softening, figure[1]", false);
}

void add_threads(CLI::App& app, std::vector<std::string>& overrides) {
  add_number_of_key(app, "--threads", overrides, "backend.threads", 1, 4096, "number of threads");
}

void add_device(CLI::App& app, std::vector<std::string>& overrides) {
  add_number_of_key(app, "--device", overrides, "backend.device", 0, 255, "GPU to use, counted from 0");
}

void add_devices(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option_function<std::string>(
         "--device",
         // Both keys, since `devices` of the scenario would otherwise count more.
         [&overrides](const std::string& devices) {
           const std::string first = devices.substr(0, devices.find(','));
           if (!first.empty() && first.find_first_not_of("0123456789") == std::string::npos)
             overrides.push_back("backend.device=" + first);
           overrides.push_back("backend.devices=" + to_toml(devices));
         },
         "GPU to use, counted from 0; several share the forces: 0,1 or all")
      ->type_name("N,N");
}

void add_backend(CLI::App& app, std::vector<std::string>& overrides, Gpus gpus) {
  app.add_option_function<std::string>(
         "--backend", [&overrides](const std::string& kind) { overrides.push_back("backend.kind=" + to_toml(kind)); },
         "backend: auto, reference, cpu or cuda")
      ->type_name("NAME");
  add_threads(app, overrides);
  gpus == Gpus::several ? add_devices(app, overrides) : add_device(app, overrides);
}

void add_frames(CLI::App& app, std::string& frames) {
  app.add_option("--frames", frames,
                 "only frames A to B inclusive, counted from 0, or from the end: -1 is the last; A: and :B are open")
      ->type_name("A:B");
}

void add_sizes(CLI::App& app, std::vector<std::size_t>& sizes) {
  app.add_option("--n", sizes, "numbers of bodies: 6,8192")
      ->type_name("N,N")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}).description(""));
}

void add_output(CLI::App& app, std::optional<std::filesystem::path>& output) {
  add_path(app, "-o,--output", output, "output folder or file", "PATH");
}

void add_force(CLI::App& app, bool& force) {
  app.add_flag("--force", force, "replace existing files");
}

void add_output(CLI::App& app, OutputFlags& flags) {
  add_output(app, flags.output);
  add_force(app, flags.force);
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print JSON");
}

void add_json_file(CLI::App& app, JsonFlag& flag) {
  app.add_option_function<std::vector<std::string>>(
         "--json",
         [&flag](const std::vector<std::string>& file) {
           flag.json = true;
           if (!file.front().empty()) flag.file = file.front();  // "" if the flag stands alone
         },
         "print JSON, or write it to a file")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->trigger_on_parse();
}

void print(const Report& report, bool json) {
  say_lines(json ? report.json() : report.table());
}

void print(const Report& report, const std::string& text, const JsonFlag& flag, Replacing replacing) {
  if (flag.json && !flag.file) {
    say_lines(report.json());
  } else {
    say_lines(report.table() + text);
  }
  if (flag.file) write_whole(*flag.file, report.json(), replacing);
}

}  // namespace orrery::pipeline
