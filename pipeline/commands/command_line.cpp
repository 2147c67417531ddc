// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// `command` is "orrery" or "orrery run".
[[noreturn]] void complain(const std::string& command, const std::string& what) {
  throw Error(fmt::format("{} (see `{} --help`)", what, command), Fault::request);
}

const Command& command_named(const std::string& name) {
  return **std::ranges::find(commands(), name, &Command::name);
}

[[noreturn]] void refuse_operands(const Command& command) {
  const auto [least, most] = std::pair(command.min_operands, command.max_operands);
  const auto count = least == most ? fmt::format("{} argument{}", most, most == 1 ? "" : "s")
                     : most < 10   ? fmt::format("{} to {} arguments", least, most)
                                   : fmt::format("{} or more arguments", least);
  const std::string name = fmt::format("orrery {}", command.name);
  complain(name, fmt::format("`{}` takes {}: {}", name, count, command.operands));
}

/// Throws Error for the first argument that looks like a flag and is not one of `known`.
void refuse_unknown_flag(const std::string& command, const std::vector<std::string>& arguments, const CLI::App& known) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : known.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  const std::vector<std::string_view> names(flags.begin(), flags.end());
  for (const std::string& argument : arguments) {
    if (argument == "--") return;  // only files follow
    const std::string flag = argument.substr(0, argument.find('='));
    if (flag.size() < 2 || flag[0] != '-' || std::isdigit(static_cast<unsigned char>(flag[1])) != 0) continue;
    if (std::ranges::find(names, flag[1] == '-' ? flag : flag.substr(0, 2)) != names.end()) continue;
    const std::string hint = std::filesystem::exists(argument) ? fmt::format("; the file is `./{}`", argument)
                             : flag[1] == '-'                  ? suggestion(flag, names)
                                                               : "";
    complain(command, fmt::format("`{}` has no flag `{}`{}", command, flag, hint));
  }
}

/// Throws Error for an empty argument, which would count as none: `-o "$DIR"` without DIR.
void refuse_empty(const std::vector<std::string>& arguments) {
  std::string flag;
  for (const std::string& argument : arguments) {
    const bool is_flag = argument.starts_with("--") && argument.size() > 2;
    if (argument.empty() || (is_flag && argument.find('=') == argument.size() - 1)) {
      const std::string what = argument.empty() ? flag : argument.substr(0, argument.size() - 1);
      throw Error(what.empty() ? "an argument is empty: leave it out, or name a file"
                               : fmt::format("the value of {} is empty: leave the flag out, or give it one", what),
                  Fault::request);
    }
    flag = argument.starts_with('-') ? argument : "";
  }
}

/// Throws Error with a better message than CLI11's "The following argument was not expected: --fro".
[[noreturn]] void refuse_command_line(const CLI::App& app, const std::vector<std::string>& arguments,
                                      const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    std::vector<std::string_view> names;
    for (const Command* command : commands()) names.push_back(command->name);
    const auto word = std::ranges::find_if(arguments, [](const std::string& a) { return !a.starts_with('-'); });
    if (word != arguments.end())
      complain("orrery", fmt::format("there is no command `{}`{}", *word, suggestion(*word, names)));
    refuse_unknown_flag("orrery", arguments, app);
    complain("orrery", "no command given");
  }
  if (arguments.front().starts_with('-'))
    complain("orrery", fmt::format("`{}` belongs after the command", arguments.front()));
  const Command& command = command_named(chosen.front()->get_name());
  const std::string name = fmt::format("orrery {}", command.name);
  refuse_unknown_flag(name, arguments, *chosen.front());
  if (command.max_operands > 0 && std::string_view(error.what()).starts_with(command.operands))
    refuse_operands(command);
  complain(name, error.what());
}

}  // namespace

std::span<const Command* const> commands() {
  static constexpr const Command* list[] = {
      &run_command,    &simulate_command, &resume_command, &verify_command, &diff_command,     &repair_command,
      &render_command, &report_command,   &view_command,   &join_command,   &check_command,    &info_command,
      &import_command, &judge_command,    &grade_command,  &export_command, &table_command,    &matrix_command,
      &list_command,   &new_command,      &bench_command,  &study_command,  &validate_command,
  };
  return list;
}

int run_command_line(int argc, const char* const* argv, const Resources& resources) {
  CLI::App app{"orrery: N-body simulation. Reads a scenario in TOML; writes a trajectory, figures and films.",
               "orrery"};
  app.set_version_flag("--version", version_line())->description("print the version");
  app.set_help_flag("-h,--help", "print this help");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.require_subcommand(1);
  app.footer("Start with: orrery new two-body && orrery run two-body.toml");
  CommandLine line;
  line.resources = resources;
  std::map<std::string_view, Action> actions;
  for (const Command* command : commands()) {
    CLI::App* flags = app.add_subcommand(std::string(command->name), std::string(command->meaning))->group("Commands");
    if (command->max_operands > 0) {
      flags->add_option(std::string(command->operands), line.operands, std::string(command->operands_note))
          ->option_text(" ")
          ->expected(1, command->max_operands > 1 ? -1 : 1)
          ->required(command->min_operands > 0);
    }
    actions[command->name] = command->add(*flags);
  }

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) arguments.emplace_back("--help");
  refuse_empty(arguments);
  try {
    std::vector<std::string> reversed(arguments.rbegin(),
                                      arguments.rend());  // the order that CLI11 expects of a vector
    app.parse(reversed);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    refuse_command_line(app, arguments, error);
  }

  // File names may have any bytes, but records hold UTF-8.
  for (int k = 0; k < argc; ++k) line.whole += (k > 0 ? " " : "") + printable(quoted(argv[k]), Lines::several);
  const Command& command = command_named(app.get_subcommands().front()->get_name());
  const std::size_t count = line.operands.size();
  if (count < command.min_operands || count > command.max_operands) refuse_operands(command);
  const UseThreads threads(resources.threads);
  return actions.at(command.name)(line);
}

}  // namespace orrery::pipeline
