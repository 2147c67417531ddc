// SPDX-License-Identifier: MIT
// Threads that share loops: every task runs once, however threads are scheduled; and waiting threads sleep.
#include "common/thread_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <stdexcept>
#include <vector>

#include "sim/backends/cpu.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

using std::size_t;

TEST(ThreadPool, EveryTaskIsDoneOnceBeforeTheLoopReturns) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (size_t round = 0; round < 2000; ++round) {
      const size_t begin = round % 7, end = begin + round % 23;
      std::vector<int> done(end + 1, 0);  // no atomics: the return of the loop makes them visible
      pool.for_each(begin, end, [&](size_t k) { ++done[k]; });
      for (size_t k = 0; k <= end; ++k) ASSERT_EQ(done[k], k >= begin && k < end ? 1 : 0) << threads << " " << round;
    }
  }
}

/// As many tasks as threads, which all wait for each other, so each runs on its own thread.
TEST(ThreadPool, HasTheRequestedNumberOfThreads) {
  for (const size_t threads : {1U, 2U, 5U}) {
    ThreadPool pool(static_cast<int>(threads));
    std::atomic<size_t> here = 0;
    std::vector<std::thread::id> ids(threads);
    pool.for_each(0, threads, [&](size_t k) {
      ids[k] = std::this_thread::get_id();
      ++here;
      while (here < threads) std::this_thread::yield();
    });
    const std::set<std::thread::id> different(ids.begin(), ids.end());
    EXPECT_EQ(different.size(), threads);
    EXPECT_TRUE(different.contains(std::this_thread::get_id()));
  }
}

TEST(ThreadPool, ExceptionsReachTheCaller) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (size_t bad = 0; bad < 50; ++bad) {
      std::atomic<size_t> begun = 0;
      try {
        pool.for_each(0, 50, [&](size_t k) {
          ++begun;
          if (k >= bad) throw std::runtime_error(std::to_string(k));
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_GE(std::stoul(error.what()), bad);
        EXPECT_LE(begun, bad + static_cast<size_t>(threads)) << "tasks after the failure are left out";
      }
      size_t sum = 0;
      ThreadPool(1).for_each(0, 3, [&](size_t k) { sum += k; });
      std::atomic<size_t> after = 0;
      pool.for_each(0, 20, [&](size_t k) { after += k; });
      EXPECT_EQ(after, 190U) << "the next loop is not concerned";
      EXPECT_EQ(sum, 3U);
    }
  }
}

/// While one thread is held in its task, the others do the rest, and loops of another pool run within that task.
TEST(ThreadPool, LongTaskDoesNotDelayOthers) {
  ThreadPool pool(2);
  std::atomic<int> done = 0;
  pool.for_each(0, 100, [&](size_t k) {
    if (k == 0) {
      while (done < 99) std::this_thread::yield();
      ThreadPool inner(2);
      std::atomic<int> within = 0;
      inner.for_each(0, 10, [&](size_t) { ++within; });
      EXPECT_EQ(within, 10);
    } else {
      ++done;
    }
  });
  EXPECT_EQ(done, 99);
}

double processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Idle threads of the cpu backend keep their cores for at most 50 µs. On a busy machine the measurement itself may be
/// delayed, but threads that do not sleep show in every pause.
TEST(ThreadPool, WaitingThreadsSleepSoon) {
  const Bodies bodies = cloud(1024);
  const auto backend = make_cpu_backend(system_of(bodies, 0.05), 4, 0);
  double least = 1;
  for (int k = 0; k < 10; ++k) {
    backend->accelerate();
    backend->drift(1e-6);
    const double before = processor_time();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    least = std::min(least, processor_time() - before);
  }
  EXPECT_LT(least, 1e-3)
      << "three threads wait: 0.2 ms is theirs; without sleep it is as much as the machine has, 20 ms";
}

}  // namespace
}  // namespace orrery::sim::testing
