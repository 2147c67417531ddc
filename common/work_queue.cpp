// SPDX-License-Identifier: MIT
#include "common/work_queue.hpp"

#include <utility>

#include "common/thread_pool.hpp"

namespace orrery {

void WorkQueue::add(std::function<void()> piece, std::size_t size) {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) {
    thread_ = std::thread([this, threads = loop_threads()] {
      const UseThreads as_here(threads);
      work();
    });
  }
  changed_.wait(lock, [&] { return size_ == 0 || size_ + size <= most_ || failure_; });
  rethrow();
  waiting_.push_back({std::move(piece), size});
  size_ += size;
  changed_.notify_all();
}

bool WorkQueue::idle() {
  const std::lock_guard lock(mutex_);
  rethrow();
  return size_ == 0;
}

void WorkQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return size_ == 0; });
  rethrow();
}

void WorkQueue::work() {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Piece piece = std::move(waiting_.front());
    waiting_.pop_front();
    if (!failure_) {
      lock.unlock();
      std::exception_ptr failure;
      try {
        piece.run();
      } catch (...) {
        failure = std::current_exception();
      }
      piece.run = nullptr;  // before others learn that it is done
      lock.lock();
      failure_ = failure;
    }
    size_ -= piece.size;
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
