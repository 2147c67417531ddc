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

#include "common/export.hpp"

namespace orrery {

/// Runs pieces of work in order on one thread. After a piece has thrown, no further one is run.
class ORRERY_EXPORT WorkQueue {
 public:
  /// The sizes of waiting pieces and the running one are at most `most` in all.
  explicit WorkQueue(std::size_t most) : most_(most) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  /// Finishes the waiting pieces.
  ~WorkQueue();

  /// Blocks while there is no room for it; a piece larger than `most` is alone. `size` > 0. Rethrows the exception of an earlier piece.
  void add(std::function<void()> piece, std::size_t size = 1);
  /// Returns whether all pieces are done. Rethrows the exception of a piece.
  [[nodiscard]] bool idle();
  /// Blocks until all pieces are done. Rethrows the exception of a piece.
  void wait();

 private:
  void work();
  void rethrow();

  struct Piece {
    std::function<void()> run;
    std::size_t size;
  };

  std::size_t most_, size_ = 0;  ///< of all pieces that are not done
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  std::exception_ptr failure_;
  bool closed_ = false;
  std::thread thread_;  ///< started with the first piece
};

}  // namespace orrery
