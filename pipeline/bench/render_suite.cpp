// SPDX-License-Identifier: MIT
// orrery bench --suite render: figures and films.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "common/usable_threads.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/measure/columns.hpp"
#include "pipeline/measure/drawing.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nFrom opening the trajectory, of as many frames as are stored, to the finished pictures.\n\n";

std::string table(const std::vector<DrawingRow>& rows) {
  std::vector<Column> columns{{"pictures", true},    {"bodies", false},  {"stored", false},
                              {"frames", false},     {"seconds", false}, {"CPU s", false},
                              {"ms a frame", false}, {"memory", false},  {"files", false}};
  std::vector<std::string> failures;
  for (const DrawingRow& row : rows) {
    const bool measured = row.failure.empty();
    std::size_t next = 0;
    const auto put = [&](bool known, const auto& text) { columns[next++].cells.push_back(known ? text() : ""); };
    put(true, [&] { return row.what; });
    put(true, [&] { return fmt::format("{}", row.bodies); });
    put(true, [&] { return fmt::format("{}", row.stored); });
    put(row.frames > 0, [&] { return fmt::format("{}", row.frames); });
    put(measured, [&] { return fmt::format("{:.3g}", row.seconds); });
    put(measured, [&] { return fmt::format("{:.3g}", row.cpu); });
    put(measured && row.frames > 0, [&] { return fmt::format("{:.3g}", 1e3 * row.per_frame()); });
    put(measured && row.peak > 0, [&] { return in_bytes(row.peak); });
    put(measured, [&] { return in_bytes(row.bytes); });
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
  Report report;
  report.add("program", version_line());
  report.add("suite", std::string("render"));
  report.add("processor", processor());
  report.add("threads", std::int64_t{usable_threads()});
  report.add("load_average", load_average(), fmt::format("{:.2f} over the minute before", load_average()));

  const Scratch scratch(options.folder ? *options.folder : std::filesystem::temp_directory_path());
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
  if (Interrupt::signal() != 0) {
    rows.resize(done);
    report.add("interrupted", true, "rows are missing");
  }
  report.add_to_json("rows", records(rows));
  return {.report = std::move(report),
          .table = std::string(legend) + table(rows),
          .failed = std::ranges::any_of(rows, [](const DrawingRow& row) { return !row.failure.empty(); }),
          .signal = Interrupt::signal()};
}

}  // namespace

const Suite render_suite{.name = "render",
                         .meaning = "figures and films, from the trajectory to the finished files",
                         .run = run,
                         .has_quick = true};

}  // namespace orrery::pipeline
