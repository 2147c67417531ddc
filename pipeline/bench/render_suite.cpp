// SPDX-License-Identifier: MIT
// orrery bench --suite render: figures and films.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "common/usable_threads.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/columns.hpp"
#include "pipeline/measure/drawing.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nstored: frames of the trajectory. frames: frames of the film. seconds: from opening the trajectory to the\n"
    "finished pictures. CPU s: CPU time of all threads. ms/frame: seconds / frames. memory: peak of the process.\n"
    "files: size of the pictures.\n\n";

std::string table(const std::vector<DrawingRow>& rows) {
  std::vector<Column> columns{{"pictures", true},  {"bodies", false},  {"stored", false},
                              {"frames", false},   {"seconds", false}, {"CPU s", false},
                              {"ms/frame", false}, {"memory", false},  {"files", false}};
  std::vector<std::string> failures;
  for (const DrawingRow& row : rows) {
    const bool measured = row.failure.empty();
    add_row(columns,
            {row.what, fmt::format("{}", row.bodies), fmt::format("{}", row.stored),
             row.frames > 0 ? fmt::format("{}", row.frames) : "", measured ? fmt::format("{:.3g}", row.seconds) : "",
             measured ? fmt::format("{:.3g}", row.cpu) : "",
             measured && row.frames > 0 ? fmt::format("{:.3g}", 1e3 * row.per_frame()) : "",
             measured && row.peak > 0 ? in_bytes(row.peak) : "", measured ? in_bytes(row.bytes) : ""});
    failures.push_back(row.failure);
  }
  return aligned(std::move(columns), failures);
}

std::vector<Arguments> records(const std::vector<DrawingRow>& rows) {
  std::vector<Arguments> all;
  for (const DrawingRow& row : rows) {
    Arguments record{{"pictures", row.what},
                     {"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"frames_stored", static_cast<std::int64_t>(row.stored)},
                     {"frames", static_cast<std::int64_t>(row.frames)}};
    const auto set = [&](std::string_view key, double value) {
      if (value > 0) record.set(key, value);
    };
    if (!row.failure.empty()) {
      record.set("failure", row.failure);
    } else {
      set("seconds", row.seconds);
      set("cpu_seconds", row.cpu);
      set("seconds_per_frame", row.per_frame());
      set("memory", row.peak);
      set("bytes", row.bytes);
    }
    all.push_back(std::move(record));
  }
  return all;
}

BenchResult run(const BenchOptions& options, Messages& messages) {
  if (figure_descriptions().empty())
    throw Error("this build draws no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)", 2);
  if (!options.sizes.empty()) throw Error("--n does not go with --suite render, which has sizes of its own", 2);
  std::vector<DrawingRow> rows = drawing_rows(options.quick);
  Report report = begin_report(render_suite.name);
  report.add("threads", std::int64_t{usable_threads()});
  add_load(report);

  const Scratch scratch(options.folder.value_or(""));
  const Interrupt interrupt;
  std::size_t done = 0;
  {
    Progress progress("bench", messages);
    for (DrawingRow& row : rows) {
      progress.show(static_cast<double>(done) / static_cast<double>(rows.size()),
                    [&] { return fmt::format("{}, {} bodies", row.what, row.bodies); });
      try {
        measure_drawing(row, scratch.path());
      } catch (const Error& failure) {
        row.failure = failure.what();
      }
      if (Interrupt::signal() != 0) break;
      ++done;
    }
  }
  if (Interrupt::signal() != 0) rows.resize(done);
  return finished(std::move(report), records(rows), std::string(legend) + table(rows),
                  std::ranges::any_of(rows, [](const DrawingRow& row) { return !row.failure.empty(); }));
}

}  // namespace

const Suite render_suite{.name = "render",
                         .meaning = "figures and films, from the trajectory to the finished files",
                         .run = run,
                         .has_quick = true};

}  // namespace orrery::pipeline
