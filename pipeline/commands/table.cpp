// SPDX-License-Identifier: MIT
// orrery table: tabulate the results of a sweep or of other runs.
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/run/run_table.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

struct TableFlags {
  std::string format;
  int digits = 0;  ///< significant digits; 0: the default of the format
  OutputFlags output;
};

Action add_table(CLI::App& app) {
  const auto flags = std::make_shared<TableFlags>();
  app.add_option("--format", flags->format, "csv (default) with all columns and digits, or for reports markdown, latex")
      ->type_name("NAME");
  add_number(app, "--digits", flags->digits, 1, 17, "significant digits; default: all in csv, 4 in markdown and latex");
  add_output(app, flags->output);
  return [flags](const CommandLine& line) {
    const TableFormat& format = table_format(flags->format);
    Terminal terminal;
    TextOutput out(flags->output.output.value_or("-"), flags->output.replacing(Replacing::nothing));
    out.add(
        format.write(run_table(line.operands.front(), terminal), flags->digits > 0 ? flags->digits : format.digits));
    out.finish();
    return 0;
  };
}

}  // namespace

const Command table_command{.name = "table",
                            .meaning = "tabulate the members of a sweep, or other runs in subfolders",
                            .operands = "DIR",
                            .add = add_table};

}  // namespace orrery::pipeline
