// SPDX-License-Identifier: MIT
// orrery bench --suite render: figures and films.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/drawing.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/report.hpp"
#include "render/canvas/canvas.hpp"
#include "render/module.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nstored: frames of the trajectory. frames: frames of the film. seconds: from opening the trajectory to the\n"
    "finished pictures. CPU s: CPU time of all threads. ms/frame: seconds / frames. memory: peak of the process.\n"
    "files: size of the pictures.\n\n";

std::string table(const std::vector<DrawingRow>& rows) {
  const auto identify = [](const DrawingRow& row) -> Cells {
    return {row.what, fmt::format("{}", row.bodies), fmt::format("{}", row.stored),
            row.frames > 0 ? fmt::format("{}", row.frames) : ""};
  };
  const auto measured = [](const DrawingRow& row) -> Cells {
    return {fmt::format("{:.3g}", row.seconds), fmt::format("{:.3g}", row.cpu),
            row.frames > 0 ? fmt::format("{:.3g}", 1e3 * row.per_frame()) : "", row.peak > 0 ? in_bytes(row.peak) : "",
            in_bytes(row.bytes)};
  };
  return table_of(
      rows, columns_of({"pictures"}, {"bodies", "stored", "frames", "seconds", "CPU s", "ms/frame", "memory", "files"}),
      identify, measured);
}

std::vector<Arguments> records(const std::vector<DrawingRow>& rows) {
  const auto identify = [](const DrawingRow& row) {
    return Arguments{{"pictures", row.what},
                     {"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"frames_stored", static_cast<std::int64_t>(row.stored)},
                     {"frames", static_cast<std::int64_t>(row.frames)}};
  };
  return records_of(rows, identify, [](Arguments& record, const DrawingRow& row) {
    set_measured(record, "seconds", row.seconds);
    set_measured(record, "cpu_seconds", row.cpu);
    set_measured(record, "seconds_per_frame", row.per_frame());
    set_measured(record, "memory", row.peak);
    set_measured(record, "bytes", row.bytes);
  });
}

BenchResult run(const BenchOptions& options, Context& context) {
  if (!draws_pictures()) throw Error(render::why_no_drawing(), Fault::request);
  if (!options.sizes.empty())
    throw Error("--n does not go with --suite render, which has sizes of its own", Fault::request);
  std::vector<DrawingRow> rows = drawing_rows(options.quick);
  Report report = begin_report(render_suite.name);
  report.add("threads", std::int64_t{loop_threads()});
  add_load(report);

  const Scratch scratch(options.folder.value_or(""));
  measure_rows(
      rows, context, [](const DrawingRow& row) { return fmt::format("{}, {} bodies", row.what, row.bodies); },
      [&](DrawingRow& row, const auto&) { measure_drawing(row, scratch.path()); });
  return finished(std::move(report), records(rows), std::string(legend) + table(rows),
                  std::ranges::any_of(rows, has_failed<DrawingRow>), context);
}

}  // namespace

const Suite render_suite{.name = "render",
                         .meaning = "figures and films, from the trajectory to the finished files",
                         .run = run,
                         .has_quick = true};

}  // namespace orrery::pipeline
