// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "common/work_queue.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Writes snapshots and commits to a trajectory on its own thread, in order, while the run continues. They are
/// submitted in batches of 256 KiB or 50 ms, so that waking the thread costs nothing. At most 64 MiB wait, or four
/// snapshots if those are larger; a call that would exceed it blocks. After a failure nothing more is written,
/// and every further call throws that failure. All member functions must be called by the same thread.
class BackgroundWriter {
 public:
  using SharedSnapshot = std::shared_ptr<const sim::Snapshot>;

  /// The members of TrajectoryWriter with these names, or a replacement in a test. Used by one thread at a time.
  struct Sink {
    std::function<void(const sim::Snapshot& snapshot, bool is_frame)> append;
    std::function<void(const sim::Snapshot& state)> commit;
    std::function<bool()> commit_due;
  };

  /// `committed` is the last committed step of the file; −1: none. `writer` must not be used elsewhere before flush().
  BackgroundWriter(TrajectoryWriter& writer, std::int64_t committed);
  BackgroundWriter(Sink sink, std::int64_t committed);
  /// Writes everything that was appended or committed, and ignores failures.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Appends a snapshot. It is also committed if a commit is due and it holds bodies; a row may come without its state
  /// if a later one has it.
  void append(SharedSnapshot snapshot, bool is_frame) {
    add({std::move(snapshot), is_frame ? Kind::frame : Kind::row});
  }
  /// Returns whether a commit is due and no queued snapshot will cause it. Must be called regularly, because it also
  /// submits a batch that has been waiting.
  [[nodiscard]] bool commit_due();
  /// Commits everything appended so far with `state` as the restart state. Does not wait.
  void commit(SharedSnapshot state) { add({std::move(state), Kind::state}); }
  /// Waits until everything appended or committed is written.
  void flush();
  [[nodiscard]] std::int64_t committed_step() const { return committed_; }

 private:
  enum class Kind { row, frame, state };
  struct Task {
    SharedSnapshot snapshot;
    Kind kind;
  };
  struct Batch {
    std::vector<Task> tasks;
    std::size_t bytes = 0;
  };

  void add(Task task);
  void submit();
  void write(const std::vector<Task>& tasks);
  void commit_now(const sim::Snapshot& state);

  Batch batch_;  ///< not submitted yet
  std::chrono::steady_clock::time_point submitted_ = std::chrono::steady_clock::now();
  std::deque<std::shared_ptr<Batch>> sent_;  ///< to the thread
  Sink sink_;                                ///< used by the thread while the queue is not idle, else by the caller
  std::atomic<std::int64_t> committed_;
  WorkQueue queue_;  ///< last, since its pieces use the other members
};

}  // namespace orrery::pipeline
