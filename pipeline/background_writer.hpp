// SPDX-License-Identifier: MIT
// Writes what a run has come to while the run goes on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "pipeline/trajectory.hpp"

namespace orrery::pipeline {

/// Snapshots of many bodies wait, four at most, for a thread that writes them; those of few are written at once, since
/// they take less time than waking a thread. Every call throws what the writer has thrown meanwhile.
class BackgroundWriter {
 public:
  /// `safe`: the newest step that the file can go on from; −1 for none.
  BackgroundWriter(TrajectoryWriter& writer, std::int64_t safe) : writer_(writer), safe_(safe) {}
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Appends a snapshot, which is committed with all before it if that is due.
  void keep(const sim::Snapshot& snapshot, bool is_frame);
  /// Whether a commit is due and no snapshot waits that would bring it.
  [[nodiscard]] bool commit_due();
  /// Waits for all that was given to `keep`, and commits it with `state` to go on from.
  void commit(const sim::Snapshot& state);
  /// Waits for all that was given to `keep`.
  void wait();
  /// The newest step that the file can go on from.
  [[nodiscard]] std::int64_t safe();

 private:
  struct Task {
    sim::Snapshot snapshot;
    bool is_frame;
  };
  static constexpr std::size_t most_waiting = 4, many_bodies = 4096;

  void write(const Task& task);
  void work(const std::stop_token& stop);
  void rethrow();

  TrajectoryWriter& writer_;  ///< used by the thread while tasks_ has any, else by the caller
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Task> tasks_;  ///< the first is being written
  std::exception_ptr failure_;
  std::int64_t safe_;
  std::jthread thread_;
};

}  // namespace orrery::pipeline
