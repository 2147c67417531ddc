// SPDX-License-Identifier: MIT
#include "common/thread_pool.hpp"

#include <sched.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "common/error.hpp"
#include "common/usable_threads.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

/// Waiting threads spin for this long before they sleep. Sleeping and waking takes some 10 µs, longer than the serial
/// part between two loops; but on a busy machine the cores are needed by the threads that are being waited for.
constexpr auto spin_time = std::chrono::microseconds(50);

thread_local int threads_in_use = 0;  ///< by loops that this thread begins; 0: nothing was said

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns when condition(value). Writers must change the value by a read-modify-write operation before they notify:
/// after a plain store, the notification might not see a thread that has just gone to sleep.
template <class Condition>
void wait(const std::atomic<std::uint32_t>& value, const Condition& condition) {
  const auto end = Clock::now() + spin_time;
  for (bool asleep = false;;) {
    const std::uint32_t now = value.load(std::memory_order_acquire);
    if (condition(now)) return;
    if (asleep || (asleep = Clock::now() >= end)) {
      value.wait(now);
    } else {
      relax();
    }
  }
}

/// Moves this thread to another core if its affinity allows one. The kernel may leave two of our threads on one core
/// while another process uses the other one: fair among processes, but no faster than one thread.
void leave_core(int core) {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  cpu_set_t others = all;
  CPU_CLR(static_cast<unsigned>(core), &others);
  if (CPU_COUNT(&others) == 0 || ::sched_setaffinity(0, sizeof others, &others) != 0) return;
  (void)::sched_setaffinity(0, sizeof all, &all);  // it stays there but may be moved again
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop();
    throw Error("cpu: " + std::to_string(threads) + " threads cannot be started: " + error.code().message() +
                "; choose fewer with --threads or OMP_NUM_THREADS");
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  stopped_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();  // libc++ before 18 has no std::jthread
  workers_.clear();
}

void ThreadPool::run(const Loop& loop, std::int32_t tasks) {
  loop_ = loop;
  core_ = ::sched_getcpu();
  not_done_ = static_cast<std::uint32_t>(tasks);
  not_taken_ = tasks;
  ++round_;
  round_.notify_all();
  take_tasks();
  wait(not_done_, [](std::uint32_t left) { return left == 0; });
  if (failed_.exchange(false)) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::take_tasks() {
  // A late thread finds no task left, or takes tasks of a later loop, which is harmless.
  for (std::int32_t left = not_taken_--; left > 0; left = not_taken_--) {
    try {
      if (!failed_) loop_.call(loop_.task, loop_.end - static_cast<std::size_t>(left));
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
    if (--not_done_ == 0) not_done_.notify_one();
  }
}

void ThreadPool::work() {
  const UseThreads alone(1);  // for loops within tasks
  for (std::uint32_t seen = 0; !stopped_;) {
    wait(round_, [&](std::uint32_t round) { return round != seen; });
    seen = round_;
    if (const int core = ::sched_getcpu(); core >= 0 && core == core_) leave_core(core);
    take_tasks();
  }
}

int loop_threads() {
  return threads_in_use > 0 ? threads_in_use : usable_threads();
}

UseThreads::UseThreads(int threads) : before_(std::exchange(threads_in_use, threads)) {}

UseThreads::~UseThreads() {
  threads_in_use = before_;
}

std::shared_ptr<ThreadPool> thread_pool(int threads) {
  thread_local std::shared_ptr<ThreadPool> pool;
  if (threads <= 1) return std::make_shared<ThreadPool>(1);
  if (pool == nullptr || pool->size() != threads) {
    pool.reset();
    pool = std::make_shared<ThreadPool>(threads);
  }
  return pool;
}

}  // namespace orrery
