// SPDX-License-Identifier: MIT
// One thread, one queue.
#include "pipeline/background_writer.hpp"

#include <utility>

namespace orrery::pipeline {

BackgroundWriter::~BackgroundWriter() {
  thread_.request_stop();
}

void BackgroundWriter::keep(const sim::Snapshot& snapshot, bool is_frame) {
  if (snapshot.size() < many_bodies) return write({snapshot, is_frame});
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return tasks_.size() < most_waiting; });
  rethrow();
  tasks_.push_back({snapshot, is_frame});
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_all();
}

bool BackgroundWriter::commit_due() {
  const std::lock_guard lock(mutex_);
  rethrow();
  return tasks_.empty() && writer_.commit_due();
}

void BackgroundWriter::commit(const sim::Snapshot& state) {
  wait();
  writer_.commit(state);
  safe_ = state.step;
}

void BackgroundWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return tasks_.empty(); });
  rethrow();
}

std::int64_t BackgroundWriter::safe() {
  const std::lock_guard lock(mutex_);
  return safe_;
}

void BackgroundWriter::write(const Task& task) {
  writer_.append(task.snapshot, task.is_frame);
  if (!writer_.commit_due()) return;
  writer_.commit(task.snapshot);
  const std::lock_guard lock(mutex_);
  safe_ = task.snapshot.step;
}

void BackgroundWriter::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // What waits is written before the thread stops.
  while (changed_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
    const Task& task = tasks_.front();  // a deque does not move what it holds
    lock.unlock();
    std::exception_ptr failure;
    try {
      write(task);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    tasks_.pop_front();
    if (failure != nullptr) {
      failure_ = failure;
      tasks_.clear();
    }
    changed_.notify_all();
  }
}

void BackgroundWriter::rethrow() {
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace orrery::pipeline
