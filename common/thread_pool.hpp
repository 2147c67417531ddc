// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "common/export.hpp"

namespace orrery {

/// Runs parallel loops, one at a time. A loop waits for its tasks, not for threads: a thread that sleeps or has lost
/// its core between two tasks does not delay it. Waiting threads spin briefly, then sleep.
class ORRERY_EXPORT ThreadPool {
 public:
  /// `threads` includes the caller of `for_each`. Throws Error if they cannot be started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Number of threads, including the caller.
  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls task(k) once for each k in [begin, end), started in this order, on any of the threads, and returns when all
  /// are done; end − begin < 2³¹. Rethrows the first exception of a task; tasks that have not started by then are
  /// skipped. While a loop is running, another one, of another thread or of a task, is run by its caller alone.
  template <class Task>
  void for_each(std::size_t begin, std::size_t end, const Task& task) {
    if (workers_.empty() || busy_.test_and_set(std::memory_order_acquire)) {
      for (std::size_t k = begin; k < end; ++k) task(k);
    } else {
      const ClearAtEnd clear{busy_};
      if (begin >= end) return;
      run({[](const void* t, std::size_t k) { (*static_cast<const Task*>(t))(k); }, &task, end},
          static_cast<std::int32_t>(end - begin));
    }
  }

 private:
  struct ClearAtEnd {
    std::atomic_flag& busy;
    ~ClearAtEnd() { busy.clear(std::memory_order_release); }
  };
  struct Loop {
    void (*call)(const void* task, std::size_t k);
    const void* task;
    std::size_t end;
  };
  void run(const Loop& loop, std::int32_t tasks);
  void take_tasks();
  void work();
  void stop();

  std::atomic_flag busy_{};
  Loop loop_{};  ///< read only by threads that have taken one of its tasks
  std::exception_ptr failure_{};
  std::atomic<bool> failed_ = false, stopped_ = false;
  std::atomic<int> core_ = -1;  ///< on which the caller began the loop
  // Each on its own cache line, so that waiting for one does not slow down changes of another.
  alignas(64) std::atomic<std::uint32_t> round_ = 0;     ///< counts loops; threads sleep on it
  alignas(64) std::atomic<std::int32_t> not_taken_ = 0;  ///< tasks left to take; below 0 after threads found none
  alignas(64) std::atomic<std::uint32_t> not_done_ = 0;  ///< tasks left to finish; the caller sleeps on it
  std::vector<std::thread> workers_;
};

/// The number of threads for loops that the calling thread begins: that of the innermost UseThreads on it, else
/// usable_threads().
ORRERY_EXPORT int loop_threads();

/// While an object exists, loops that this thread begins use so many threads.
class ORRERY_EXPORT UseThreads {
 public:
  explicit UseThreads(int threads);
  ~UseThreads();
  UseThreads(const UseThreads&) = delete;
  UseThreads& operator=(const UseThreads&) = delete;

 private:
  int before_;
};

/// The pool of the calling thread. One of another size is replaced, and lives as long as others hold it. Throws Error if the
/// threads cannot be started.
ORRERY_EXPORT std::shared_ptr<ThreadPool> thread_pool(int threads = loop_threads());

}  // namespace orrery
