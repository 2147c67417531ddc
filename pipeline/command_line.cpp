// SPDX-License-Identifier: MIT
// The command line, built from the descriptions of the commands; CLI11 is seen here alone.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/section.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

struct Answers {
  Request request;
  std::string output, backend;
  int threads = 0;
};

void add_flag(CLI::App& command, Flag flag, Answers& answers) {
  switch (flag) {
    case Flag::output:
      command.add_option("-o,--output", answers.output, "where to write: a folder, or a file")->type_name("PATH");
      break;
    case Flag::force: command.add_flag("--force", answers.request.force, "replace what is there"); break;
    case Flag::set:
      command.add_option("--set", answers.request.overrides, "set a key of the scenario: integrator.dt=1e-4, film[0].fps=25")
          ->type_name("KEY=VALUE")
          ->expected(1)
          ->take_all();
      break;
    case Flag::backend: command.add_option("--backend", answers.backend, "auto, reference or cpu")->type_name("NAME"); break;
    case Flag::threads:
      command.add_option("--threads", answers.threads, "how many threads")->type_name("N")->check(CLI::Range(1, 4096));
      break;
    case Flag::quiet: command.add_flag("--quiet", answers.request.quiet, "no progress"); break;
    case Flag::json: command.add_flag("--json", answers.request.json, "for programs to read"); break;
  }
}

[[noreturn]] void complain(const std::string& what) { throw Error(what + " (see `orrery --help`)", 2); }

/// CLI11 says "The following argument was not expected: --fro"; people are better served by a suggestion.
[[noreturn]] void refuse(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    std::vector<std::string_view> names;
    for (const Stage* stage : stages()) names.push_back(stage->name);
    const auto word = std::ranges::find_if(arguments, [](const std::string& a) { return !a.starts_with('-'); });
    if (word != arguments.end()) complain(fmt::format("there is no command `{}`{}", *word, suggestion(*word, names)));
  } else {
    std::vector<std::string> flags;
    for (const CLI::Option* option : chosen.front()->get_options()) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
    const std::vector<std::string_view> known(flags.begin(), flags.end());
    for (const std::string& argument : arguments) {
      const std::string flag = argument.substr(0, argument.find('='));
      if (flag.starts_with("--") && std::ranges::find(known, flag) == known.end()) {
        complain(fmt::format("`{}` has no flag `{}`{}", chosen.front()->get_name(), flag, suggestion(flag, known)));
      }
    }
  }
  complain(error.what());
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{"orrery: an N-body laboratory. A TOML scenario goes in; a trajectory, figures and films come out.", "orrery"};
  app.set_version_flag("--version", version_line());
  app.require_subcommand(1);
  app.footer("Start with: orrery new two-body && orrery run two-body.toml");
  Answers answers;
  for (const Stage* stage : stages()) {
    CLI::App* command = app.add_subcommand(std::string(stage->name), std::string(stage->meaning));
    if (stage->most > 0) {
      command->add_option("operands", answers.request.operands, std::string(stage->operands))
          ->type_name(std::string(stage->operands))
          ->option_text(" ")
          ->expected(static_cast<int>(std::max<std::size_t>(stage->least, 1)),
                     static_cast<int>(std::min<std::size_t>(stage->most, 1 << 20)))
          ->required(stage->least > 0);
    }
    for (const Flag flag : stage->flags) add_flag(*command, flag, answers);
  }

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) arguments.emplace_back("--help");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants a vector
    app.parse(reversed);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    refuse(app, arguments, error);
  }

  Request& request = answers.request;
  if (!answers.output.empty()) request.output = answers.output;
  if (!answers.backend.empty()) request.overrides.push_back(fmt::format("backend.kind=\"{}\"", answers.backend));
  if (answers.threads > 0) request.overrides.push_back(fmt::format("backend.threads={}", answers.threads));
  for (int k = 0; k < argc; ++k) request.command_line += (k > 0 ? " " : "") + std::string(argv[k]);
  const std::string name = app.get_subcommands().front()->get_name();
  return (*std::ranges::find(stages(), name, &Stage::name))->run(request);
}

}  // namespace orrery::pipeline
