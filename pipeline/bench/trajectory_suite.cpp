// SPDX-License-Identifier: MIT
// orrery bench --suite trajectory: writing and reading of frames.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/files.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view legend =
    "\nFrames with velocities in float64. frames/s, written: from creating the file until it is on the disk; medians\n"
    "of 5. of plain: time of a plain file of the same bytes / time of the trajectory, median of 5 pairs. spread:\n"
    "(maximum − minimum) / median. file: its size. open ms: time to open the finished file. read ms: time to read\n"
    "one frame with its checksums. CSV: one file per frame, shortest exact digits, without waiting for the disk.\n\n";

std::string table(const std::vector<FileRow>& rows) {
  const auto identify = [](const FileRow& row) -> Cells {
    return {fmt::format("{}", row.bodies), fmt::format("{}", row.frames)};
  };
  const auto measured = [](const FileRow& row) -> Cells {
    return {with_prefix(row.frames_per_second()),
            in_bytes(row.bytes_per_second()) + "/s",
            fmt::format("{:.0f} %", 100 * row.share_of_plain),
            fmt::format("{:.0f} %", 100 * row.write.spread()),
            in_bytes(row.file_bytes),
            fmt::format("{:.3g}", 1e3 * row.open),
            fmt::format("{:.3g}", 1e3 * row.read),
            with_prefix(1 / row.csv_write),
            in_bytes(row.csv_bytes * static_cast<double>(row.frames))};
  };
  return table_of(rows,
                  columns_of({}, {"bodies", "frames", "frames/s", "written", "of plain", "spread", "file", "open ms",
                                  "read ms", "CSV frames/s", "CSV bytes"}),
                  identify, measured);
}

std::vector<Arguments> records(const std::vector<FileRow>& rows) {
  const auto identify = [](const FileRow& row) {
    return Arguments{{"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"frames", static_cast<std::int64_t>(row.frames)}};
  };
  return records_of(rows, identify, [](Arguments& record, const FileRow& row) {
    record.set("frame_bytes", row.frame_bytes);
    record.set("file_bytes", row.file_bytes);
    record.set("frames_per_second", row.frames_per_second());
    record.set("bytes_per_second", row.bytes_per_second());
    record.set("plain_bytes_per_second", row.frame_bytes / row.plain.median);
    record.set("share_of_plain", row.share_of_plain);
    record.set("spread", row.write.spread());
    record.set("plain_spread", row.plain.spread());
    record.set("seconds_to_write", row.write.median * static_cast<double>(row.frames));
    record.set("seconds_to_open", row.open);
    record.set("seconds_to_read_a_frame", row.read);
    record.set("csv_seconds_per_frame", row.csv_write);
    record.set("csv_bytes_per_frame", row.csv_bytes);
  });
}

BenchResult run(const BenchOptions& options, Context& context) {
  const fs::path where = options.folder ? *options.folder : fs::path(".");
  std::vector<FileRow> rows;
  for (const std::size_t bodies :
       options.sizes.empty() ? std::vector<std::size_t>{6, 1000, 1'000'000} : options.sizes) {
    rows.push_back({.bodies = bodies, .frames = frames_of_suite(bodies)});
  }
  Report report = begin_report(trajectory_suite.name);
  report.add("folder", fs::absolute(where).lexically_normal().string());
  add_load(report);

  const Scratch scratch(where);
  measure_rows(
      rows, context, [](const FileRow& row) { return fmt::format("{} frames of {} bodies", row.frames, row.bodies); },
      [&](FileRow& row, const auto& show) { measure_files(row, scratch.path(), show); });
  return finished(std::move(report), records(rows), std::string(legend) + table(rows),
                  std::ranges::any_of(rows, has_failed<FileRow>), context);
}

}  // namespace

const Suite trajectory_suite{.name = "trajectory",
                             .meaning = "frames per second written and read, compared with the disk and with CSV",
                             .run = run};

}  // namespace orrery::pipeline
