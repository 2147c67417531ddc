// SPDX-License-Identifier: MIT
// The command line, built from the descriptions of the commands; CLI11 is seen here alone.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/export.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/validate/suites.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

struct Answers {
  Request request;
  std::string output, backend, json_file, compare;
  int threads = 0, device = -1;
};

/// "csv, xdmf, …".
std::string format_names() {
  std::string names;
  for (const ExportFormat* format : export_formats()) {
    if (!names.empty()) names += ", ";
    names += format->name;
  }
  return names;
}

/// Of the command that has them.
std::string suite_names(const CLI::App& command) {
  std::vector<std::string_view> names;
  if (command.get_name() == "validate") {
    for (const ValidationSuite* suite : validation_suites()) names.push_back(suite->name);
  } else {
    for (const Suite* suite : suites()) names.push_back(suite->name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A number from `least` to `most`.
template <class Number>
void add_number(CLI::App& command, const std::string& flag, Number& number, int least, int most,
                const std::string& meaning) {
  command.add_option(flag, number, meaning)->type_name("N")->check(CLI::Range(least, most).description(""));
}

void add_matrix_flags(CLI::App& command, MatrixRequest& matrix) {
  command.add_option("--quantity", matrix.quantity, "distance, potential, force or inverse-power")->type_name("NAME");
  command.add_option("--exponent", matrix.exponent, "a of inverse-power, r^-a: 0.5, 1, 1.5, … 15.5")->type_name("A");
  command.add_option("--time", matrix.time, "of a run: the frame nearest to it; default: the last one")->type_name("T");
  command.add_option("--precision", matrix.precision, "float64 or float32")->type_name("NAME");
  command.add_option("--block", matrix.block, "rows i to j − 1, and columns k to l − 1, counted from 0")
      ->type_name("I:J[,K:L]");
  command.add_flag("--half", matrix.half, "what is on and above the diagonal; 0 below it");
  command
      .add_option("--reduce", matrix.reduce, "the matrix is not kept: sum, minimum, histogram, or several: sum,minimum")
      ->type_name("WHAT");
  add_number(command, "--bins", matrix.bins, 1, 4096, "of the histogram; default: 100");
}

/// A flag that may be given again and again, each time with one value.
void add_repeated(CLI::App& command, const std::string& flag, std::vector<std::string>& values, const char* type,
                  const char* meaning) {
  command.add_option(flag, values, meaning)->type_name(type)->expected(1)->take_all();
}

void add_flag(CLI::App& command, Flag flag, Answers& answers) {
  switch (flag) {
    case Flag::output:
      command.add_option("-o,--output", answers.output, "where to write: a folder, or a file")->type_name("PATH");
      break;
    case Flag::force:
      command.add_flag("--force", answers.request.force, "replace what is there");
      break;
    case Flag::set:
      add_repeated(command, "--set", answers.request.overrides, "KEY=VALUE",
                   "set a key of the scenario: integrator.dt=1e-4, film[0].fps=25");
      break;
    case Flag::backend:
      command.add_option("--backend", answers.backend, "auto, reference, cpu or cuda")->type_name("NAME");
      break;
    case Flag::threads:
      add_number(command, "--threads", answers.threads, 1, 4096, "how many threads");
      break;
    case Flag::device:
      add_number(command, "--device", answers.device, 0, 255, "which GPU, counted from 0");
      break;
    case Flag::quiet:
      command.add_flag("--quiet", answers.request.quiet, "no progress");
      break;
    case Flag::json:
      command.add_flag("--json", answers.request.json, "for programs to read");
      break;
    case Flag::json_file:
      command
          .add_option_function<std::vector<std::string>>(
              "--json",
              [&answers](const std::vector<std::string>& file) {
                answers.request.json = true;
                if (!file.empty()) answers.json_file = file.front();
              },
              "for programs to read: printed, or written to a file")
          ->type_name("[FILE]")
          ->expected(0, 1)
          ->trigger_on_parse();
      break;
    case Flag::suite:
      command.add_option("--suite", answers.request.suite, "one suite of what there is: " + suite_names(command))
          ->type_name("NAME");
      break;
    case Flag::integrator:
      add_repeated(command, "--integrator", answers.request.integrators, "NAME", "only this one; may be given again");
      break;
    case Flag::orbit:
      command.add_option("--orbit", answers.request.orbits, "only on this one; may be given again")
          ->type_name("NAME")
          ->expected(1)
          ->take_all();
      break;
    case Flag::quick:
      command.add_flag("--quick", answers.request.quick, "what takes a few seconds");
      break;
    case Flag::sizes:
      command.add_option("--n", answers.request.sizes, "with so many bodies: 6,8192")
          ->type_name("N,N")
          ->delimiter(',')
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}).description(""));
      break;
    case Flag::neighbours:
      add_number(command, "--neighbours", answers.request.neighbours, 0, 4096,
                 "suite forces: while N threads spin, each kept to one of the last cores");
      break;
    case Flag::frames:
      command
          .add_option("--frames", answers.request.frames,
                      std::string("only frames A to B, counted from 0, B too; A: and :B go to an end") +
                          (command.get_name() == "render" ? "; A:B:K every K-th, of which a film shows each once" : ""))
          ->type_name(command.get_name() == "render" ? "A:B:K" : "A:B");
      break;
    case Flag::format:
      command.add_option("--format", answers.request.format, format_names())->type_name("NAME")->required();
      break;
    case Flag::table_format:
      command
          .add_option("--format", answers.request.format,
                      "csv, which is the default, with everything; or for a report: markdown, latex")
          ->type_name("NAME");
      break;
    case Flag::digits:
      add_number(command, "--digits", answers.request.digits, 1, 17,
                 "significant digits; default: all in csv, 4 in markdown and latex");
      break;
    case Flag::task:
      add_number(command, "--task", answers.request.task, 0, 1'000'000'000, "one member of a sweep, counted from 0");
      break;
    case Flag::follow:
      command.add_flag("--follow", answers.request.follow, "go on while the run does");
      break;
    case Flag::preview:
      command.add_flag("--preview", answers.request.preview,
                       "small and quick: half the size and 640 pixels wide at most, 15 frames a second, 5 s; files are "
                       "called NAME-preview");
      break;
    case Flag::figure:
      command
          .add_option(
              "--figure", answers.request.figure,
              "only this kind, of one run or several, whatever its scenario asks for (see `orrery list figure`)")
          ->type_name("KIND");
      break;
    case Flag::against:
      command
          .add_option("--against", answers.request.against,
                      "what --figure energy-error is drawn over: time, evaluations, wall-time; wall time, and "
                      "evaluations of steps that adapt, are spread evenly over the run; of convergence a swept key, "
                      "integrator.dt")
          ->type_name("WHAT");
      break;
    case Flag::draw:
      command.add_flag("--draw", answers.request.draw, "measure nothing: pages and figures of results, RESULT.json");
      break;
    case Flag::compare:
      command
          .add_option("--compare", answers.compare, "ratios to an earlier result; exit code 1 where one is too small")
          ->type_name("OLD.json");
      break;
    case Flag::threshold:
      command.add_option("--threshold", answers.request.threshold, "the least ratio that is well; 0.8 unless told")
          ->type_name("RATIO")
          ->check(CLI::Range(0.0, 1000.0).description(""));
      break;
    case Flag::watch:
      command.add_flag("--watch", answers.request.watch, "again and again until the run ends");
      break;
    case Flag::matrix:
      add_matrix_flags(command, answers.request.matrix);
      break;
    case Flag::all:
      command.add_flag(
          "--all", answers.request.all,
          command.get_name() == "study" ? "every study that this machine can do" : "every kernel, and what takes long");
      break;
  }
}

/// `command` is "orrery", or "orrery run".
[[noreturn]] void complain(const std::string& command, const std::string& what) {
  throw Error(fmt::format("{} (see `{} --help`)", what, command), 2);
}

const Stage& stage_named(const std::string& name) {
  return **std::ranges::find(stages(), name, &Stage::name);
}

[[noreturn]] void refuse_operands(const Stage& stage) {
  const auto count = stage.least == stage.most ? fmt::format("{} argument{}", stage.most, stage.most == 1 ? "" : "s")
                     : stage.most < 10         ? fmt::format("{} to {} arguments", stage.least, stage.most)
                                               : fmt::format("{} or more arguments", stage.least);
  const std::string command = fmt::format("orrery {}", stage.name);
  complain(command, fmt::format("`{}` takes {}: {}", command, count, stage.operands));
}

/// The first of the arguments that looks like a flag and is none of `known`.
void refuse_unknown_flag(const std::string& command, const std::vector<std::string>& arguments, const CLI::App& known) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : known.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  const std::vector<std::string_view> names(flags.begin(), flags.end());
  for (const std::string& argument : arguments) {
    if (argument == "--") return;  // what follows are files, whatever they are called
    const std::string flag = argument.substr(0, argument.find('='));
    if (flag.size() < 2 || flag[0] != '-' || std::isdigit(static_cast<unsigned char>(flag[1])) != 0) continue;
    if (std::ranges::find(names, flag[1] == '-' ? flag : flag.substr(0, 2)) != names.end()) continue;
    const std::string meant = std::filesystem::exists(argument) ? fmt::format("; the file is `./{}`", argument)
                              : flag[1] == '-'                  ? suggestion(flag, names)
                                                                : "";
    complain(command, fmt::format("`{}` has no flag `{}`{}", command, flag, meant));
  }
}

/// CLI11 says "The following argument was not expected: --fro"; people are better served by a suggestion.
[[noreturn]] void refuse(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    std::vector<std::string_view> names;
    for (const Stage* stage : stages()) names.push_back(stage->name);
    const auto word = std::ranges::find_if(arguments, [](const std::string& a) { return !a.starts_with('-'); });
    if (word != arguments.end())
      complain("orrery", fmt::format("there is no command `{}`{}", *word, suggestion(*word, names)));
    refuse_unknown_flag("orrery", arguments, app);
    complain("orrery", "a command is wanted");
  }
  if (arguments.front().starts_with('-'))
    complain("orrery", fmt::format("`{}` belongs behind the command", arguments.front()));
  const Stage& stage = stage_named(chosen.front()->get_name());
  const std::string command = fmt::format("orrery {}", stage.name);
  refuse_unknown_flag(command, arguments, *chosen.front());
  if (stage.most > 0 && std::string_view(error.what()).starts_with(stage.operands)) refuse_operands(stage);
  complain(command, error.what());
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{"orrery: an N-body laboratory. A TOML scenario goes in; a trajectory, figures and films come out.",
               "orrery"};
  app.set_version_flag("--version", version_line())->description("print the version");
  app.set_help_flag("-h,--help", "print this");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.require_subcommand(1);
  app.footer("Start with: orrery new two-body && orrery run two-body.toml");
  Answers answers;
  for (const Stage* stage : stages()) {
    CLI::App* command = app.add_subcommand(std::string(stage->name), std::string(stage->meaning))->group("Commands");
    if (stage->most > 0) {
      command->add_option(std::string(stage->operands), answers.request.operands, std::string(stage->instead))
          ->option_text(" ")
          ->expected(1, stage->most > 1 ? -1 : 1)
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
  if (!answers.compare.empty()) request.compare = answers.compare;
  if (!answers.json_file.empty()) request.json_file = answers.json_file;
  if (!answers.backend.empty()) request.overrides.push_back("backend.kind=" + to_toml(answers.backend));
  if (answers.threads > 0) request.overrides.push_back(fmt::format("backend.threads={}", answers.threads));
  if (answers.device >= 0) request.overrides.push_back(fmt::format("backend.device={}", answers.device));
  for (int k = 0; k < argc; ++k) request.command_line += (k > 0 ? " " : "") + quoted(argv[k]);
  const Stage& stage = stage_named(app.get_subcommands().front()->get_name());
  if (request.operands.size() < stage.least || request.operands.size() > stage.most) refuse_operands(stage);
  return stage.run(request);
}

}  // namespace orrery::pipeline
