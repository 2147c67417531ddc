// SPDX-License-Identifier: MIT
// orrery report: a page of one or several runs. orrery view: the same in a temporary file, which a browser opens.
#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/page/page.hpp"

namespace orrery::pipeline {
namespace {

struct PageFlags {
  OutputFlags output;
  double size = PageOptions{}.size;
  bool quiet = false;
};

void add_size(CLI::App& app, double& size) {
  app.add_option("--size", size, "largest size of the page; frames, then bodies, then bits of positions are left out")
      ->type_name("MB")
      ->check(CLI::Range(smallest_page, largest_page).description(""))
      ->default_str("5");
}

Action add_report(CLI::App& app) {
  const auto flags = std::make_shared<PageFlags>();
  add_output(app, flags->output);
  add_size(app, flags->size);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    Terminal terminal(line.resources, flags->quiet);
    const auto page = write_page({.runs = {line.operands.begin(), line.operands.end()},
                                  .output = flags->output.output,
                                  .size = flags->size,
                                  .replacing = flags->output.replacing()},
                                 terminal);
    if (page.empty()) return Interrupt::exit_code();
    terminal.info("{}", page.string());
    return 0;
  };
}

/// Whether a program that shows pages in a browser was started, and took the page. What it prints is not shown.
bool opened(const std::string& page) {
  posix_spawn_file_actions_t silent;
  ::posix_spawn_file_actions_init(&silent);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&silent, descriptor, "/dev/null", O_WRONLY, 0);
  bool taken = false;
  for (std::string name : {"xdg-open", "wslview"}) {
    std::string file = page;
    char* const arguments[]{name.data(), file.data(), nullptr};
    pid_t child = 0;
    int state = 0;
    if (taken || ::posix_spawnp(&child, name.c_str(), &silent, nullptr, arguments, environ) != 0) continue;
    taken = ::waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
  }
  ::posix_spawn_file_actions_destroy(&silent);
  return taken;
}

Action add_view(CLI::App& app) {
  const auto flags = std::make_shared<PageFlags>();
  add_size(app, flags->size);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    Terminal terminal(line.resources, flags->quiet);
    const Scratch folder({});
    const std::filesystem::path file = folder.path().string() + ".html";  // stays, since the browser reads it later
    const auto page = write_page({.runs = {line.operands.begin(), line.operands.end()},
                                  .output = file,
                                  .size = flags->size,
                                  .replacing = Replacing::nothing},
                                 terminal);
    if (page.empty()) return Interrupt::exit_code();
    if (opened(page.string())) {
      terminal.info("{}", page.string());
    } else {
      terminal.result("{}: no program opens it here; open it in a browser", page.string());
    }
    return 0;
  };
}

constexpr std::string_view operands_note = "or a folder of runs; several are compared";

}  // namespace

const Command report_command{.name = "report",
                             .meaning = "write a page of a run, which turns, plays and steps itself: one file of HTML",
                             .operands = "RUN.h5",
                             .max_operands = 100,
                             .add = add_report,
                             .operands_note = operands_note};

const Command view_command{.name = "view",
                           .meaning = "show a run in the browser",
                           .operands = "RUN.h5",
                           .max_operands = 100,
                           .add = add_view,
                           .operands_note = operands_note};

}  // namespace orrery::pipeline
