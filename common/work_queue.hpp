// SPDX-License-Identifier: MIT
// A queue of work for a background thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace orrery {

/// Runs pieces of work in order on one thread. After a piece has thrown, no further one is run.
class WorkQueue {
 public:
  /// At most `most` pieces wait besides the running one.
  explicit WorkQueue(std::size_t most) : most_(most) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  /// Finishes the waiting pieces.
  ~WorkQueue();

  /// Blocks while the queue is full. Rethrows the exception of an earlier piece.
  void add(std::function<void()> piece);
  /// Blocks until all pieces are done. Rethrows the exception of a piece.
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
  std::thread thread_;  ///< started with the first piece
};

}  // namespace orrery
