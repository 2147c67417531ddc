// SPDX-License-Identifier: MIT
// orrery bench --suite trajectory: writing and reading of frames.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/error.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/columns.hpp"
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
  std::vector<Column> columns{{"bodies", false},   {"frames", false},       {"frames/s", false}, {"written", false},
                              {"of plain", false}, {"spread", false},       {"file", false},     {"open ms", false},
                              {"read ms", false},  {"CSV frames/s", false}, {"CSV bytes", false}};
  std::vector<std::string> failures;
  for (const FileRow& row : rows) {
    const bool measured = row.failure.empty();
    add_row(
        columns,
        {fmt::format("{}", row.bodies), fmt::format("{}", row.frames),
         measured ? with_prefix(row.frames_per_second()) : "", measured ? in_bytes(row.bytes_per_second()) + "/s" : "",
         measured ? fmt::format("{:.0f} %", 100 * row.share_of_plain) : "",
         measured ? fmt::format("{:.0f} %", 100 * row.write.spread()) : "", measured ? in_bytes(row.file_bytes) : "",
         measured ? fmt::format("{:.3g}", 1e3 * row.open) : "", measured ? fmt::format("{:.3g}", 1e3 * row.read) : "",
         measured ? with_prefix(1 / row.csv_write) : "",
         measured ? in_bytes(row.csv_bytes * static_cast<double>(row.frames)) : ""});
    failures.push_back(row.failure);
  }
  return aligned(std::move(columns), failures);
}

std::vector<Arguments> records(const std::vector<FileRow>& rows) {
  std::vector<Arguments> all;
  for (const FileRow& row : rows) {
    Arguments record{{"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"frames", static_cast<std::int64_t>(row.frames)}};
    if (!row.failure.empty()) {
      record.set("failure", row.failure);
    } else {
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
    }
    all.push_back(std::move(record));
  }
  return all;
}

BenchResult run(const BenchOptions& options, Messages& messages) {
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
  const Interrupt interrupt;
  {
    Progress progress("bench", messages);
    for (std::size_t k = 0; k < rows.size() && Interrupt::signal() == 0; ++k) {
      const auto show = [&](double done) {
        progress.show((static_cast<double>(k) + done) / static_cast<double>(rows.size()),
                      [&] { return fmt::format("{} frames of {} bodies", rows[k].frames, rows[k].bodies); });
        return Interrupt::signal() != 0;
      };
      try {
        measure_files(rows[k], scratch.path(), show);
      } catch (const Error& failure) {
        rows[k].failure = failure.what();
      }
    }
  }
  if (Interrupt::signal() != 0) std::erase_if(rows, [](const FileRow& row) { return row.csv_write == 0; });
  return finished(std::move(report), records(rows), std::string(legend) + table(rows),
                  std::ranges::any_of(rows, [](const FileRow& row) { return !row.failure.empty(); }));
}

}  // namespace

const Suite trajectory_suite{.name = "trajectory",
                             .meaning = "frames per second written and read, compared with the disk and with CSV",
                             .run = run};

}  // namespace orrery::pipeline
