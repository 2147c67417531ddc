// SPDX-License-Identifier: MIT
// orrery bench: how fast this machine is at what the program does, and how fast it could be.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {

std::span<const Suite* const> suites() {
  static constexpr const Suite* list[] = {&forces_suite, &short_range_suite, &trajectory_suite, &render_suite};
  return list;
}

namespace {

constexpr Flag flags[] = {Flag::suite,   Flag::sizes,  Flag::neighbours, Flag::all,       Flag::quick,  Flag::backend,
                          Flag::threads, Flag::device, Flag::quiet,      Flag::json_file, Flag::output, Flag::force};

const Suite& suite_named(const std::string& name) {
  if (name.empty()) return *suites().front();
  const auto found = std::ranges::find(suites(), name, &Suite::name);
  if (found != suites().end()) return **found;
  std::vector<std::string_view> names;
  for (const Suite* suite : suites()) names.push_back(suite->name);
  throw Error(
      fmt::format("there is no suite `{}`{} (there are: {})", name, suggestion(name, names), fmt::join(names, ", ")),
      2);
}

int run_bench(const Request& request) {
  const Suite& suite = suite_named(request.suite);
  if (request.quick && !suite.has_quick) {
    std::vector<std::string_view> quick;
    for (const Suite* other : suites()) {
      if (other->has_quick) quick.push_back(other->name);
    }
    throw Error(fmt::format("--quick goes with --suite {}", fmt::join(quick, " or ")), 2);
  }
  if (request.neighbours > 0 && &suite != &forces_suite)
    throw Error(fmt::format("--neighbours goes with --suite {}", forces_suite.name), 2);
  if (request.json_file) refuse_unwritable(*request.json_file, request.replacing());
  return suite.run(request);
}

}  // namespace

const Stage bench_stage{.name = "bench",
                        .meaning = "measure how fast steps, files and pictures are here, and how fast they could be",
                        .operands = "",
                        .least = 0,
                        .most = 0,
                        .flags = flags,
                        .run = run_bench};

}  // namespace orrery::pipeline
