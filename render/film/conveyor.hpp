// SPDX-License-Identifier: MIT
// Work that another thread does, piece after piece, while the caller makes the next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace orrery::render {

/// After a piece that throws, none is done any more.
class Conveyor {
 public:
  /// At most `most` pieces wait besides the one that is being done, so that memory is bounded.
  explicit Conveyor(std::size_t most) : most_(most) {}
  Conveyor(const Conveyor&) = delete;
  Conveyor& operator=(const Conveyor&) = delete;
  /// What waits is done still.
  ~Conveyor() { join(); }

  /// Waits for room. Throws what an earlier piece threw.
  void add(std::function<void()> piece);
  /// Waits until all is done. Throws what a piece threw.
  void finish();

 private:
  void work();
  void join();
  void rethrow();

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::exception_ptr failure_;
  bool closed_ = false;
  std::thread thread_;  ///< from the first piece on
};

}  // namespace orrery::render
