// SPDX-License-Identifier: MIT
// orrery table: what came of the members of a sweep, or of any runs side by side.
#include "pipeline/run/run_table.hpp"
#include "pipeline/run/table_format.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::table_format, Flag::digits, Flag::output, Flag::force};

int table(const Request& request) {
  const TableFormat& format = table_format(request.format);
  TextOutput out(request.output.value_or("-"), request.replacing(Replacing::nothing));
  out.add(format.write(run_table(request.operands.front()), request.digits > 0 ? request.digits : format.digits));
  out.finish();
  return 0;
}

}  // namespace

const Stage table_stage{.name = "table",
                        .meaning = "a sweep's members, or other runs in folders side by side, a row each",
                        .operands = "DIR",
                        .least = 1,
                        .most = 1,
                        .flags = flags,
                        .run = table};

}  // namespace orrery::pipeline
