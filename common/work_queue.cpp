// SPDX-License-Identifier: MIT
#include "common/work_queue.hpp"

#include <utility>

namespace orrery {

void WorkQueue::add(std::function<void()> piece) {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.wait(lock, [this] { return waiting_.size() < most_ || failure_; });
  rethrow();
  waiting_.push_back(std::move(piece));
  changed_.notify_all();
}

void WorkQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty() && !working_; });
  rethrow();
}

void WorkQueue::work() {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<void()> piece = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    if (failure_) continue;
    working_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      piece();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    working_ = false;
    changed_.notify_all();
  }
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void WorkQueue::rethrow() {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace orrery
