// SPDX-License-Identifier: MIT
#include "pipeline/measure/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "common/error.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;
constexpr int pairs = 5, samples = 15;
constexpr std::size_t csv_frames = 2000;

double median_of(std::vector<double> values) {
  return values.empty() ? 0 : summary(std::move(values), 1).median;
}

double write_plain(const fs::path& file, const FileRow& row) {
  const auto bytes = static_cast<std::size_t>(row.frame_bytes);
  const std::size_t at_once = std::max<std::size_t>(bytes, std::size_t{1} << 20);
  const std::vector<char> buffer(at_once, 'x');
  fs::remove(file);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool well = descriptor >= 0;
  const double seconds = seconds_of([&] {
    for (std::size_t left = bytes * row.frames; well && left > 0;) {
      const ssize_t written = ::write(descriptor, buffer.data(), std::min(left, at_once));
      well = written > 0;
      left -= static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    well = well && ::fdatasync(descriptor) == 0;
  });
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!well) throw Error(fmt::format("{}: {}", file.string(), std::strerror(reason)));
  return seconds;
}

void measure_csv(FileRow& row, const fs::path& folder, const sim::Bodies& bodies) {
  const std::size_t count = std::clamp<std::size_t>(2'000'000 / row.bodies, 2, std::min(csv_frames, row.frames));
  const auto name_of = [&](std::size_t i) { return folder / fmt::format("frame_{:06}.csv", i); };
  row.csv_write = seconds_of([&] {
                    for (std::size_t i = 0; i < count; ++i)
                      std::ofstream(name_of(i), std::ios::binary) << csv_frame(bodies);
                  }) /
                  static_cast<double>(count);
  row.csv_bytes = static_cast<double>(fs::file_size(name_of(0)));
  for (std::size_t i = 0; i < count; ++i) fs::remove(name_of(i));
}

void measure_reading(FileRow& row, const fs::path& file) {
  std::vector<double> opened, read;
  for (int k = 0; k < samples; ++k) {
    std::optional<TrajectoryReader> reader;
    opened.push_back(seconds_of([&] { reader.emplace(file); }));
    const std::size_t i = static_cast<std::size_t>(k) * 7919 % row.frames;
    read.push_back(seconds_of([&] { (void)reader->frame(i); }));
  }
  row.open = median_of(opened);
  row.read = median_of(read);
}

}  // namespace

sim::Bodies made_up(std::size_t n) {
  sim::Bodies bodies;
  bodies.mass.assign(n, 1.0 / 3);
  bodies.species.assign(n, 0);
  bodies.position = bodies.velocity = sim::Vectors(n);
  double x = 0.1;
  for (auto* vectors : {&bodies.position, &bodies.velocity}) {
    for (auto* axis : {&vectors->x, &vectors->y, &vectors->z}) {
      for (double& value : *axis) value = x = 3.9 * x * (1 - x);
    }
  }
  return bodies;
}

double write_trajectory(const fs::path& file, const sim::Bodies& bodies, const FileRow& row) {
  sim::Snapshot snapshot;
  snapshot.position = bodies.position;
  snapshot.velocity = bodies.velocity;
  RunRecord record;
  record.steps = static_cast<std::int64_t>(row.frames) - 1;
  record.components = {"made up"};
  fs::remove(file);
  return seconds_of([&] {
    TrajectoryWriter writer(file, bodies, record, row.options);
    for (std::size_t i = 0; i < row.frames; ++i) {
      snapshot.step = static_cast<std::int64_t>(i);
      writer.append(snapshot, true);
      if (writer.commit_due()) writer.commit(snapshot);
    }
    writer.finish(snapshot);
  });
}

std::string csv_frame(const sim::Bodies& bodies) {
  std::string text = "id,x,y,z,vx,vy,vz\n";
  const auto &x = bodies.position, &v = bodies.velocity;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", i, x.x[i], x.y[i], x.z[i], v.x[i], v.y[i],
                   v.z[i]);
  }
  return text;
}

std::size_t frames_of_suite(std::size_t bodies) {
  return std::clamp<std::size_t>(2'000'000'000 / (48 * bodies), 2, 1'000'000);
}

void measure_files(FileRow& row, const fs::path& folder, const std::function<bool(double)>& show) {
  const sim::Bodies bodies = made_up(row.bodies);
  const fs::path ours = folder / "frames.h5", plain = folder / "frames.bytes";
  const double element = row.options.single_precision ? 4 : 8;
  row.frame_bytes = static_cast<double>(row.bodies) * 3 * element * (row.options.velocities ? 2 : 1);
  std::vector<double> written, plainly, shares;
  for (int k = 0; k < pairs && !show(k / (pairs + 2.0)); ++k) {
    // The order alternates, since the state of the disk favours one of them.
    if (k % 2 == 0) plainly.push_back(write_plain(plain, row));
    written.push_back(write_trajectory(ours, bodies, row));
    if (k % 2 != 0) plainly.push_back(write_plain(plain, row));
    shares.push_back(plainly.back() / written.back());
    fs::remove(plain);
  }
  if (shares.size() < pairs) return;
  const auto frames = static_cast<std::int64_t>(row.frames);
  row.write = summary(written, frames);
  row.plain = summary(plainly, frames);
  row.share_of_plain = median_of(shares);
  row.file_bytes = static_cast<double>(fs::file_size(ours));
  if (show(pairs / (pairs + 2.0))) return;
  measure_reading(row, ours);
  fs::remove(ours);
  if (show((pairs + 1) / (pairs + 2.0))) return;
  measure_csv(row, folder, bodies);
}

}  // namespace orrery::pipeline
