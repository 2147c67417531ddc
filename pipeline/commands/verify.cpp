// SPDX-License-Identifier: MIT
// orrery verify: repeat stored runs and compare every bit.
#include "pipeline/compare/verify.hpp"

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"

namespace orrery::pipeline {
namespace {

struct VerifyFlags {
  VerifyOptions options;
  bool quiet = false, json = false;
};

/// Verifies each run in turn. The JSON of several is a list.
int verify_all(VerifyFlags& flags, const CommandLine& line) {
  flags.options.command_line = line.whole;
  Terminal terminal(line.resources, flags.quiet);
  const bool several = line.operands.size() > 1;
  bool same = true;
  std::string list;
  for (const std::string& file : line.operands) {
    flags.options.file = file;
    const Verdict verdict = as_request([&] { return verify(flags.options, terminal); });
    same = same && verdict.same;
    if (several && flags.json) {
      list += (list.empty() ? "" : ",\n") + verdict.report.json();
    } else {
      if (several && file != line.operands.front()) say_lines("\n");
      print(verdict.report, flags.json);
    }
    if (verdict.stopped) return Interrupt::exit_code();
  }
  if (!list.empty()) say_lines("[\n" + list + "]\n");
  return same ? 0 : 1;
}

Action add_verify(CLI::App& app) {
  const auto flags = std::make_shared<VerifyFlags>();
  add_frames(app, flags->options.frames);
  add_backend(app, flags->options.overrides);
  add_quiet(app, flags->quiet);
  add_json(app, flags->json);
  return [flags](const CommandLine& line) { return verify_all(*flags, line); };
}

}  // namespace

const Command verify_command{.name = "verify",
                             .meaning = "repeat the runs of trajectories and compare every bit",
                             .operands = "RUN.h5",
                             .max_operands = 1000,
                             .add = add_verify};

}  // namespace orrery::pipeline
