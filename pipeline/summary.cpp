// SPDX-License-Identifier: MIT
// The summary is read off the trajectory, so that it is the same whichever command ends a run.
#include "pipeline/summary.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include "common/error.hpp"
#include "pipeline/key_differences.hpp"
#include "pipeline/report.hpp"
#include "pipeline/stepping.hpp"

namespace orrery::pipeline {
namespace {

/// Makes what is known of a file or a folder safe; a file system that cannot is as safe as it gets.
void sync_path(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

/// `text` under the name `file`, whole or not at all, and on the disk.
void write_safely(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path part = file.string() + ".part";
  const auto refuse = [&](int reason) {
    ::unlink(part.c_str());
    throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(reason)));
  };
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(errno);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    done += static_cast<std::size_t>(count);
  }
  int reason = done < text.size() || ::fsync(descriptor) != 0 ? errno : 0;
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason == 0 && ::rename(part.c_str(), file.c_str()) != 0) reason = errno;
  if (reason != 0) refuse(reason);
  sync_path(file.has_parent_path() ? file.parent_path() : ".");
}

}  // namespace

std::optional<EnergyRecord> energy_record(const render::History& history) {
  const auto& energy = history.total_energy;
  if (energy.empty()) return std::nullopt;
  EnergyRecord record{energy.front(), energy.back(), 0};
  for (const double e : energy) record.greatest_error = std::max(record.greatest_error, std::abs(e - record.first));
  if (record.first != 0) record.greatest_error /= std::abs(record.first);
  return record;
}

std::string reproducible(const std::string& precision) {
  return precision == "float64" ? "everywhere" : "on this device with this build";
}

Summary::Summary(const std::filesystem::path& trajectory)
    : trajectory_(trajectory), file_(trajectory.parent_path() / "summary.json") {}

bool Summary::exists() const {
  std::error_code error;
  return std::filesystem::exists(file_, error);
}

void Summary::remove() const {
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error) throw Error(fmt::format("{}: cannot be removed: {}", file_.string(), error.message()));
}

void Summary::write(const std::vector<std::filesystem::path>& pictures) const {
  const TrajectoryReader trajectory(trajectory_);
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  if (!trajectory.finished() || !state) throw Error(trajectory_.string() + ": is not finished");
  const render::History history = trajectory.history();

  Report report;
  report.add("file", trajectory_.filename().string());
  report.add("title", record.title);
  report.add("bodies", static_cast<std::int64_t>(state->size()));
  report.add("frames", static_cast<std::int64_t>(trajectory.size()));
  report.add("rows", static_cast<std::int64_t>(history.time.size()));
  report.add("steps", record.steps);
  report.add("dt", record.dt);
  report.add("time", state->time);
  report.add("state", state_hash(*state));
  report.add("reproducible", reproducible(provenance_of(record, "precision")));
  if (const auto energy = energy_record(history)) {
    report.add("first_energy", energy->first);
    report.add("last_energy", energy->last);
    report.add("greatest_energy_error", energy->greatest_error);
  }
  report.add("seconds", trajectory.seconds());
  std::vector<std::string> names;
  for (const auto& picture : pictures) names.push_back(picture.lexically_relative(trajectory_.parent_path()).string());
  report.add("pictures", names);
  for (const char* key : {"version", "commit", "compiler", "backend", "kernel", "device", "precision"})
    report.add(key, provenance_of(record, key));
  report.add("finished_at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  write_safely(file_, report.json());
}

}  // namespace orrery::pipeline
