// SPDX-License-Identifier: MIT
// Frames as CSV files, as one CSV file and as one HDF5 file: time to write, read and draw.
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "common/error.hpp"
#include "pipeline/measure/drawing.hpp"
#include "pipeline/measure/files.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;
constexpr double hours_of_report = 18;  ///< film of 4096 bodies and 600 frames from a CSV file per frame

struct Case {
  std::size_t bodies, frames;
};
constexpr Case cases[] = {{6, 100'000}, {4096, 600}};
constexpr Case quick_cases[] = {{6, 500}, {512, 20}};

/// Sum of all numbers in a CSV text, so that all are parsed.
double sum_of(const std::string& text) {
  double sum = 0;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    double value = 0;
    const auto [next, failed] = std::from_chars(at, end, value);
    if (failed == std::errc()) {
      sum += value;
      at = next;
    } else {
      ++at;  // a comma, the end of a line, a letter
    }
  }
  return sum;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Way {
  const char* name;
  double write = 0, read = 0, bytes = 0, files = 0, draw = 0;
};

void put(const fs::path& file, const std::string& text, std::ios::openmode mode) {
  if (!(std::ofstream(file, std::ios::binary | mode) << text))
    throw Error(fmt::format("{}: cannot be written", file.string()));
}

Way a_file_a_frame(const fs::path& folder, const sim::Bodies& bodies, std::size_t frames) {
  Way way{.name = "one CSV file per frame"};
  const fs::path inner = folder / "frames";
  const auto file = [&](std::size_t k) { return inner / fmt::format("frame_{:06}.csv", k); };
  fs::create_directory(inner);
  way.write = seconds_of([&] {
    for (std::size_t k = 0; k < frames; ++k) put(file(k), csv_frame(bodies), std::ios::trunc);
  });
  way.read = seconds_of([&] {
    for (std::size_t k = 0; k < frames; ++k) (void)sum_of(content_of(file(k)));
  });
  way.bytes = static_cast<double>(fs::file_size(file(0)) * frames);
  way.files = static_cast<double>(frames);
  fs::remove_all(inner);
  return way;
}

Way one_csv(const fs::path& folder, const sim::Bodies& bodies, std::size_t frames) {
  Way way{.name = "one CSV"};
  const fs::path file = folder / "all.csv";
  way.write = seconds_of([&] {
    std::ofstream out(file, std::ios::binary);
    for (std::size_t k = 0; k < frames; ++k) out << csv_frame(bodies);
    if (!out.flush()) throw Error(fmt::format("{}: cannot be written", file.string()));
  });
  way.read = seconds_of([&] { (void)sum_of(content_of(file)); });
  way.bytes = static_cast<double>(fs::file_size(file));
  way.files = 1;
  fs::remove(file);
  return way;
}

Way ours(const fs::path& folder, const sim::Bodies& bodies, std::size_t frames) {
  Way way{.name = "orrery's HDF5"};
  const fs::path file = folder / "frames.h5";
  FileRow row;
  row.bodies = bodies.size();
  row.frames = frames;
  way.write = write_trajectory(file, bodies, row);
  way.read = seconds_of([&] {
    const TrajectoryReader reader(file);
    for (std::size_t k = 0; k < reader.size(); ++k) (void)reader.snapshot(k);
  });
  way.bytes = static_cast<double>(fs::file_size(file));
  way.files = 1;
  fs::remove(file);
  return way;
}

/// Seconds to draw a film of 600 such frames; 0 in a build without pictures.
double film_of(const StudyRun& run, std::size_t bodies) {
  if (!draws_pictures()) return 0;
  const std::size_t frames = run.quick() ? 20 : 600;
  DrawingRow row;
  row.bodies = bodies;
  row.stored = row.frames = frames;
  const std::vector<double> size = run.quick() ? std::vector{320.0, 180.0} : std::vector{1920.0, 1080.0};
  row.pictures = {film_of_frames("film.mp4", frames, 30, {{"kind", "projection"}, {"size", size}})};
  measure_drawing(row, run.scratch);
  return row.seconds;
}

void run_frames(StudyRun& run) {
  ResultTable table{
      .name = "frames",
      .title = "Frames of positions and velocities in double: to write, to read all, to draw 600 of them as a film",
      .columns = {{"bodies"},
                  {"frames"},
                  {"as"},
                  {"write", "s", Role::less_is_better},
                  {"read", "s", Role::less_is_better},
                  {"film", "s", Role::less_is_better},
                  {"bytes", "B", Role::less_is_better},
                  {"files", "", Role::remark}}};
  for (const Case& one : run.quick() ? std::span<const Case>(quick_cases) : std::span<const Case>(cases)) {
    const sim::Bodies bodies = made_up(one.bodies);
    std::vector<Way> ways;
    for (const auto& measure : {a_file_a_frame, one_csv, ours}) {
      if (run.stopped(fmt::format("{} bodies, {} frames", one.bodies, one.frames))) return;
      ways.push_back(measure(run.scratch, bodies, one.frames));
    }
    const double film = film_of(run, one.bodies);
    const double shown = (run.quick() ? 20 : 600) / static_cast<double>(one.frames);
    for (const Way& way : ways) {
      const double drawn = film + (way.read - ways.back().read) * std::min(1.0, shown);
      table.add({static_cast<double>(one.bodies), static_cast<double>(one.frames), way.name, way.write, way.read,
                 film > 0 ? Cell(drawn) : Cell(), way.bytes, way.files});
    }
    run.result.findings.push_back(fmt::format(
        "{} bodies, {} frames: one HDF5 file is written {:.1f} times as fast as one CSV file per frame, read {:.1f} "
        "times as fast (each frame checked against its checksum), and takes {:.2f} of the bytes and 1 file instead of "
        "{}. One CSV for all frames, a report's own proposal, writes {:.1f} times and reads {:.1f} times as fast as "
        "one file per frame.",
        one.bodies, one.frames, ways[0].write / ways[2].write, ways[0].read / ways[2].read,
        ways[2].bytes / ways[0].bytes, one.frames, ways[0].write / ways[1].write, ways[0].read / ways[1].read));
    if (one.bodies == 4096 && film > 0)
      run.result.findings.push_back(
          fmt::format("The film of 4096 bodies and 600 frames at 1080p takes {} here; a report's took {:.0f} h through "
                      "one CSV file per frame and a plotting library: {:.0f} times as long.",
                      time_text(film), hours_of_report, hours_of_report * 3600 / film));
  }
  run.result.method.emplace_back(
      "Positions and velocities with all their digits. CSV is written with the shortest digits that give the same "
      "double again and read by a loop over numbers; neither kind of CSV waits for the disk, orrery does. The film is "
      "drawn from our file by `bench --suite render`'s code; for the others its time is that plus what reading as many "
      "frames takes longer.");
  run.result.tables.push_back(std::move(table));
}

}  // namespace

const Study frames_study{
    .name = "frames",
    .question = "What do one CSV file per frame, one CSV, and one HDF5 file cost to write, to read and to draw?",
    .needs_gpu = false,
    .run = run_frames};

}  // namespace orrery::pipeline
