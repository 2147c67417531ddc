// SPDX-License-Identifier: MIT
#include "pipeline/run/background_writer.hpp"

#include <algorithm>
#include <utility>

namespace orrery::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t batch_bytes = std::size_t{256} << 10, max_bytes = std::size_t{64} << 20, max_snapshots = 4;
constexpr auto batch_time = 50ms;

/// Returns the memory of a snapshot, including the allocator's overhead for each array.
std::size_t bytes_of(const sim::Snapshot& snapshot) {
  const std::size_t arrays = 3 * (2 + snapshot.columns.size() + (snapshot.image.size() > 0 ? 1 : 0));
  return sizeof snapshot + arrays * (snapshot.size() * sizeof(double) + 16);
}

}  // namespace

BackgroundWriter::BackgroundWriter(TrajectoryWriter& writer, std::int64_t committed)
    : BackgroundWriter(Sink{.append = [&](const sim::Snapshot& s, bool is_frame) { writer.append(s, is_frame); },
                            .commit = [&](const sim::Snapshot& state) { writer.commit(state); },
                            .commit_due = [&] { return writer.commit_due(); }},
                       committed) {}

BackgroundWriter::BackgroundWriter(Sink sink, std::int64_t committed)
    : sink_(std::move(sink)), committed_(committed), queue_(max_bytes) {}

BackgroundWriter::~BackgroundWriter() {
  try {
    submit();
  } catch (...) {  // flush() reports it
  }
}

bool BackgroundWriter::commit_due() {
  if (!batch_.tasks.empty()) {
    if (Clock::now() - submitted_ >= batch_time) submit();
    return false;
  }
  return queue_.idle() && sink_.commit_due();
}

void BackgroundWriter::flush() {
  submit();
  queue_.wait();
}

void BackgroundWriter::add(Task task) {
  const std::size_t bytes = bytes_of(*task.snapshot);
  const bool now = task.kind == Kind::state || Clock::now() - submitted_ >= batch_time;
  batch_.tasks.push_back(std::move(task));
  batch_.bytes += bytes;
  if (now || batch_.bytes >= batch_bytes) submit();
}

void BackgroundWriter::submit() {
  if (batch_.tasks.empty()) return;
  submitted_ = Clock::now();
  // Memory is freed faster by the thread that allocated it: this one, unless much would lie there till the next batch.
  while (!sent_.empty() && sent_.front().use_count() == 1) sent_.pop_front();
  const auto batch = std::make_shared<Batch>(std::exchange(batch_, {}));
  if (batch->bytes <= 2 * batch_bytes) sent_.push_back(batch);
  queue_.add([this, batch] { write(batch->tasks); }, std::min(batch->bytes, max_bytes / max_snapshots));
}

void BackgroundWriter::write(const std::vector<Task>& tasks) {
  for (const auto& [snapshot, kind] : tasks) {
    if (kind == Kind::state) {
      commit_now(*snapshot);
    } else {
      sink_.append(*snapshot, kind == Kind::frame);
      if (snapshot->size() > 0 && sink_.commit_due()) commit_now(*snapshot);
    }
  }
}

void BackgroundWriter::commit_now(const sim::Snapshot& state) {
  sink_.commit(state);
  committed_ = state.step;
}

}  // namespace orrery::pipeline
