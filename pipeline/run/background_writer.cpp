// SPDX-License-Identifier: MIT
// One thread, one queue of batches.
#include "pipeline/run/background_writer.hpp"

#include <algorithm>
#include <utility>

namespace orrery::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t batch_bytes = std::size_t{256} << 10, most_bytes = std::size_t{64} << 20, most_snapshots = 4;
constexpr auto batch_time = 50ms;

/// What a snapshot takes in memory, with what the allocator adds to each array.
std::size_t bytes_of(const sim::Snapshot& snapshot) {
  const std::size_t arrays = 3 * (2 + snapshot.columns.size() + (snapshot.image.size() > 0 ? 1 : 0));
  return sizeof snapshot + arrays * (snapshot.size() * sizeof(double) + 16);
}

}  // namespace

BackgroundWriter::BackgroundWriter(TrajectoryWriter& writer, std::int64_t safe)
    : BackgroundWriter(Sink{.append = [&](const sim::Snapshot& s, bool is_frame) { writer.append(s, is_frame); },
                            .commit = [&](const sim::Snapshot& state) { writer.commit(state); },
                            .commit_due = [&] { return writer.commit_due(); }},
                       safe) {}

BackgroundWriter::~BackgroundWriter() {
  try {
    hand_over();
  } catch (...) {  // told where it can be: by wait
  }
  thread_.request_stop();
}

bool BackgroundWriter::commit_due() {
  if (!gathered_.tasks.empty()) {
    if (Clock::now() - handed_over_ >= batch_time) hand_over();
    return false;
  }
  const std::lock_guard lock(mutex_);
  rethrow();
  return waiting_.empty() && sink_.commit_due();
}

void BackgroundWriter::wait() {
  hand_over();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty(); });
  rethrow();
}

std::int64_t BackgroundWriter::safe() {
  const std::lock_guard lock(mutex_);
  return safe_;
}

void BackgroundWriter::add(Task task) {
  const std::size_t bytes = bytes_of(*task.snapshot);
  const bool now = task.kind == Kind::state || Clock::now() - handed_over_ >= batch_time;
  gathered_.tasks.push_back(std::move(task));
  gathered_.bytes += bytes;
  gathered_.largest = std::max(gathered_.largest, bytes);
  if (now || gathered_.bytes >= batch_bytes) hand_over();
}

void BackgroundWriter::hand_over() {
  if (gathered_.tasks.empty()) return;
  handed_over_ = Clock::now();
  Batch batch = std::exchange(gathered_, {});
  // What one thread has taken from the heap it gives back sooner than another can.
  std::vector<std::vector<Task>> spent;
  const std::size_t most = std::max(most_bytes, most_snapshots * batch.largest);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() || bytes_ + batch.bytes <= most; });
  rethrow();
  spent.swap(spent_);
  bytes_ += batch.bytes;
  waiting_.push_back(std::move(batch));
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
  safe_ = state.step;
}

void BackgroundWriter::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // What waits is written before the thread stops.
  while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    Batch& batch = waiting_.front();  // a deque does not move what it holds
    lock.unlock();
    std::exception_ptr failure;
    try {
      write(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    if (batch.largest > batch_bytes) batch.tasks.clear();  // before anybody is told that there is room
    lock.lock();
    spent_.push_back(std::move(batch.tasks));
    bytes_ -= batch.bytes;
    waiting_.pop_front();
    if (failure != nullptr) {
      failure_ = failure;
      waiting_.clear();
      bytes_ = 0;
    }
    changed_.notify_all();
  }
}

void BackgroundWriter::rethrow() {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace orrery::pipeline
