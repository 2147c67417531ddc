// SPDX-License-Identifier: MIT
// Work that another thread does, piece after piece, while the caller goes on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace orrery {

/// After a piece that throws, none is done any more.
class WorkQueue {
 public:
  /// At most `most` pieces wait besides the one that is being done, so that memory is bounded.
  explicit WorkQueue(std::size_t most) : most_(most) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  /// What waits is done still.
  ~WorkQueue();

  /// Waits for room. Throws what an earlier piece threw.
  void add(std::function<void()> piece);
  /// Waits until all is done; the thread stays. Throws what a piece threw.
  void wait();

 private:
  void work();
  void rethrow();

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::exception_ptr failure_;
  bool closed_ = false, working_ = false;
  std::thread thread_;  ///< from the first piece on
};

}  // namespace orrery
