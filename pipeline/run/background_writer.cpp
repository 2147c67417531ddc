// SPDX-License-Identifier: MIT
#include "pipeline/run/background_writer.hpp"

#include <algorithm>
#include <utility>

namespace orrery::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t batch_bytes = std::size_t{256} << 10, most_bytes = std::size_t{64} << 20, most_snapshots = 4;
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

BackgroundWriter::~BackgroundWriter() {
  try {
    submit();
  } catch (...) {  // flush() reports it
  }
  thread_.request_stop();
}

bool BackgroundWriter::commit_due() {
  if (!batch_.tasks.empty()) {
    if (Clock::now() - submitted_ >= batch_time) submit();
    return false;
  }
  const std::lock_guard lock(mutex_);
  rethrow();
  return queue_.empty() && sink_.commit_due();
}

void BackgroundWriter::flush() {
  submit();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty(); });
  rethrow();
}

std::int64_t BackgroundWriter::committed_step() {
  const std::lock_guard lock(mutex_);
  return committed_;
}

void BackgroundWriter::add(Task task) {
  const std::size_t bytes = bytes_of(*task.snapshot);
  const bool now = task.kind == Kind::state || Clock::now() - submitted_ >= batch_time;
  batch_.tasks.push_back(std::move(task));
  batch_.bytes += bytes;
  batch_.largest = std::max(batch_.largest, bytes);
  if (now || batch_.bytes >= batch_bytes) submit();
}

void BackgroundWriter::submit() {
  if (batch_.tasks.empty()) return;
  submitted_ = Clock::now();
  Batch batch = std::exchange(batch_, {});
  // Memory is freed faster by the thread that allocated it.
  std::vector<std::vector<Task>> spent;
  const std::size_t most = std::max(most_bytes, most_snapshots * batch.largest);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() || queued_bytes_ + batch.bytes <= most; });
  rethrow();
  spent.swap(spent_);
  queued_bytes_ += batch.bytes;
  queue_.push_back(std::move(batch));
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_all();
  lock.unlock();
}

void BackgroundWriter::write(const Batch& batch) {
  for (const auto& [snapshot, kind] : batch.tasks) {
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
  const std::lock_guard lock(mutex_);
  committed_ = state.step;
}

void BackgroundWriter::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // The queue is emptied before the thread stops.
  while (changed_.wait(lock, stop, [&] { return !queue_.empty(); })) {
    Batch& batch = queue_.front();  // a deque does not move its elements
    lock.unlock();
    std::exception_ptr failure;
    try {
      write(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    if (batch.largest > batch_bytes) batch.tasks.clear();  // before the caller learns that there is room
    lock.lock();
    spent_.push_back(std::move(batch.tasks));
    queued_bytes_ -= batch.bytes;
    queue_.pop_front();
    if (failure != nullptr) {
      failure_ = failure;
      queue_.clear();
      queued_bytes_ = 0;
    }
    changed_.notify_all();
  }
}

void BackgroundWriter::rethrow() {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace orrery::pipeline
