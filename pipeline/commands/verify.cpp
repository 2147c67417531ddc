// SPDX-License-Identifier: MIT
// orrery verify: repeat a stored run and compare every bit.
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

Action add_verify(CLI::App& app) {
  const auto flags = std::make_shared<VerifyFlags>();
  add_frames(app, flags->options.frames);
  add_backend(app, flags->options.overrides);
  add_quiet(app, flags->quiet);
  add_json(app, flags->json);
  return [flags](const CommandLine& line) {
    flags->options.file = line.operands.front();
    flags->options.command_line = line.whole;
    Terminal terminal(flags->quiet);
    const Verdict verdict = with_exit_code_2([&] { return verify(flags->options, terminal); });
    print(verdict.report, flags->json);
    if (verdict.signal != 0) return 128 + verdict.signal;
    return verdict.same ? 0 : 1;
  };
}

}  // namespace

const Command verify_command{.name = "verify",
                             .meaning = "repeat the run of a trajectory and compare every bit",
                             .operands = "RUN.h5",
                             .add = add_verify};

}  // namespace orrery::pipeline
