// SPDX-License-Identifier: MIT
// Threads that carry out the tasks of one loop after another. Those that have to wait sleep soon.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace orrery {

/// A loop waits for its tasks, not for threads: one that sleeps, or has lost its core between two tasks, holds nobody
/// up.
class ThreadPool {
 public:
  /// So many threads, of which the caller is one. Throws Error where the system does not start them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// How many they are with the caller.
  [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }

  /// task(begin) … task(end − 1), each once, begun in this order, on any of the threads; fewer than 2³¹ of them.
  /// Returns when all are done. Throws the first exception of a task; tasks that have not begun by then are left out.
  /// While a loop is at work, another one, of another thread or of a task, is done by its caller alone.
  template <class Task>
  void for_each(std::size_t begin, std::size_t end, const Task& task) {
    if (others_.empty() || busy_.test_and_set(std::memory_order_acquire)) {
      for (std::size_t k = begin; k < end; ++k) task(k);
    } else {
      const Free at_the_end{busy_};
      if (begin >= end) return;
      carry_out({[](const void* t, std::size_t k) { (*static_cast<const Task*>(t))(k); }, &task, end},
                static_cast<std::int32_t>(end - begin));
    }
  }

 private:
  struct Free {
    std::atomic_flag& busy;
    ~Free() { busy.clear(std::memory_order_release); }
  };
  struct Loop {
    void (*call)(const void* task, std::size_t k);
    const void* task;
    std::size_t end;
  };
  void carry_out(const Loop& loop, std::int32_t tasks);
  void take_tasks();
  void work();
  void stop();

  std::atomic_flag busy_{};
  Loop loop_{};  ///< read by those who have taken a task of it, which it waits for
  std::exception_ptr failure_{};
  std::atomic<bool> failed_ = false, stopped_ = false;
  std::atomic<int> core_ = -1;  ///< that the caller began the loop on
  // Each on a cache line of its own: those who wait for one do not slow down those who change another.
  alignas(64) std::atomic<std::uint32_t> round_ = 0;     ///< counts loops; threads sleep on it
  alignas(64) std::atomic<std::int32_t> not_taken_ = 0;  ///< tasks of the loop; below 0 where threads found none
  alignas(64) std::atomic<std::uint32_t> not_done_ = 0;  ///< tasks of the loop; the caller sleeps on it
  std::vector<std::jthread> others_;
};

/// The pool of this process, of so many threads. Who holds the one of another size keeps it; else its threads end.
std::shared_ptr<ThreadPool> process_pool(int threads);

}  // namespace orrery
