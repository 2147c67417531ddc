// SPDX-License-Identifier: MIT
// orrery table: tabulate the results of a sweep or of other runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/run/run_table.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

struct TableFlags {
  std::string format, columns;
  int digits = 0;  ///< significant digits; 0: the default of the format
  OutputFlags output;
};

Action add_table(CLI::App& app) {
  const auto flags = std::make_shared<TableFlags>();
  app.add_option("--format", flags->format, "csv (default) with all columns and digits, or for reports markdown, latex")
      ->type_name("NAME");
  add_number(app, "--digits", flags->digits, 1, 17, "significant digits; default: all in csv, 4 in markdown and latex");
  app.add_option(
         "--columns", flags->columns,
         "these columns, by their names in csv: integrator.dt,energy_error; default: all in csv, in markdown and "
         "latex those in which the runs differ, and the state")
      ->type_name("NAME,NAME");
  add_output(app, flags->output);
  return [flags](const CommandLine& line) {
    const TableFormat& format = table_format(flags->format);
    Terminal terminal(line.resources);
    TextOutput out(flags->output.output.value_or("-"), flags->output.replacing(Replacing::nothing));
    RunTable table = run_table({line.operands.begin(), line.operands.end()}, terminal);
    if (!flags->columns.empty()) {
      table = with_columns(table, flags->columns);
    } else if (format.name != table_format("").name && !table.partial.empty()) {
      terminal.note("left out keys that only some runs have: {}; csv has them, and --columns chooses",
                    fmt::format("{}", fmt::join(table.partial, ", ")));
    }
    out.add(format.write(table, flags->digits > 0 ? flags->digits : format.digits));
    out.finish();
    return 0;
  };
}

}  // namespace

const Command table_command{.name = "table",
                            .meaning = "tabulate the members of a sweep, or other runs",
                            .operands = "DIR",
                            .max_operands = 1000,
                            .add = add_table,
                            .operands_note = "a folder of runs, or runs: RUN.h5"};

}  // namespace orrery::pipeline
