// SPDX-License-Identifier: MIT
// Writes what a run has come to while the run goes on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Snapshots and commits wait for a thread that writes them in their order. They are gathered and handed over together,
/// 256 KiB or what came in 50 ms at a time, so that waking the thread costs nothing. At most 64 MiB of them wait, or four
/// snapshots where those are more; who gives more than the disk can take waits until there is room. What the thread has
/// met ends the writing, so that nothing is missing in between: every call from then on throws it. For one thread besides
/// its own.
class BackgroundWriter {
 public:
  using SharedSnapshot = std::shared_ptr<const sim::Snapshot>;

  /// What is done with them, by one thread at a time; as the members of TrajectoryWriter with these names.
  struct Sink {
    std::function<void(const sim::Snapshot& snapshot, bool is_frame)> append;
    std::function<void(const sim::Snapshot& state)> commit;
    std::function<bool()> commit_due;
  };

  /// `safe`: the newest step that the file can go on from; −1 for none. Nobody else uses the writer before `wait`.
  BackgroundWriter(TrajectoryWriter& writer, std::int64_t safe);
  BackgroundWriter(Sink sink, std::int64_t safe) : sink_(std::move(sink)), safe_(safe) {}
  /// Writes what waits.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Appends a snapshot, which is committed with all before it if that is due and there is a body in it: a row may come
  /// without its state, where one with it follows.
  void keep(SharedSnapshot snapshot, bool is_frame) { add({std::move(snapshot), is_frame ? Kind::frame : Kind::row}); }
  /// Whether a commit is due and no snapshot waits that would bring it. To be asked now and then, also when nothing is
  /// kept for long: what was gathered goes to the thread.
  [[nodiscard]] bool commit_due();
  /// Commits all that was given to `keep`, with `state` to go on from; without waiting for it.
  void commit(SharedSnapshot state) { add({std::move(state), Kind::state}); }
  /// Waits for all that was given to `keep` and `commit`.
  void wait();
  /// The newest step that the file can go on from.
  [[nodiscard]] std::int64_t safe();

 private:
  enum class Kind { row, frame, state };
  struct Task {
    SharedSnapshot snapshot;
    Kind kind;
  };
  struct Batch {
    std::vector<Task> tasks;
    std::size_t bytes = 0, largest = 0;
  };

  void add(Task task);
  void hand_over();
  void write(const Batch& batch);
  void commit_now(const sim::Snapshot& state);
  void work(const std::stop_token& stop);
  void rethrow();

  Batch gathered_;  ///< not handed over yet
  std::chrono::steady_clock::time_point handed_over_ = std::chrono::steady_clock::now();

  Sink sink_;         ///< used by the thread while waiting_ has any, else by the caller
  std::mutex mutex_;  ///< of all that follows
  std::condition_variable_any changed_;
  std::deque<Batch> waiting_;             ///< the first is being written
  std::size_t bytes_ = 0;                 ///< in waiting_
  std::vector<std::vector<Task>> spent_;  ///< written
  std::exception_ptr failure_;            ///< that ended the writing
  std::int64_t safe_;
  std::jthread thread_;
};

}  // namespace orrery::pipeline
