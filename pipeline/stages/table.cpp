// SPDX-License-Identifier: MIT
// orrery table: what came of the members of a sweep, or of any runs side by side.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "common/error.hpp"
#include "pipeline/run_table.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output};

int table(const Request& request) {
  const std::string text = run_table(request.operands.front());
  if (!request.output) {
    fmt::print("{}", text);
    return 0;
  }
  errno = 0;
  std::ofstream out(*request.output, std::ios::binary);
  out << text;
  if (!out.flush())
    throw Error(fmt::format("{}: cannot be written: {}", request.output->string(), std::strerror(errno)));
  return 0;
}

}  // namespace

const Stage table_stage{.name = "table",
                        .meaning = "a sweep's members, or other runs in folders side by side, a CSV row each",
                        .operands = "DIR",
                        .least = 1,
                        .most = 1,
                        .flags = flags,
                        .run = table};

}  // namespace orrery::pipeline
