// SPDX-License-Identifier: MIT
// A synthetic run that is interrupted by faults again and again, and the check of what is left of its file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/faults/children.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

/// Results of all faults of one kind.
struct FaultCounts {
  int faults = 0;      ///< that took effect
  int committed = 0;   ///< those after which something committed could have been lost
  int lost = 0;        ///< after which committed frames, rows or states were missing or wrong, or the file unreadable
  int resumed = 0;     ///< after which the run was resumed
  int unequal = 0;     ///< resumed with a result different from an undisturbed run
  int unreadable = 0;  ///< after which the reader refused the file until it was repaired
  std::vector<std::string> reasons{};  ///< the first few

  void blame(const std::string& reason) {
    if (reasons.size() < 5) reasons.push_back(reason);
  }
};

/// Fails if anything was lost, and records the numbers for the table at the end.
void expect_no_loss(const std::string& mode, const FaultCounts& counts);

/// A synthetic run in a folder of its own: its undisturbed result, and a file that is subjected to faults.
class Scene {
 public:
  /// `begun`: the work resumes an interrupted file from step `begun` − 1 (the last step: only the mark that it is
  /// finished is missing); 0: the work writes the whole run.
  explicit Scene(SyntheticRun run, std::int64_t begun = 0);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const SyntheticRun& run() const { return run_; }
  /// The work subjected to faults: writing from the beginning, or resuming, to the end.
  [[nodiscard]] Work work() const;
  /// The write calls of the work.
  [[nodiscard]] std::vector<Call> calls() const;
  /// Repeats the work with a fault and checks the result. `resume`: whether to resume afterwards too.
  void run_with_fault(const Fault& fault, bool resume, FaultCounts& counts) const;
  /// Kills the work at a random call, resumes, kills again, and so on to the end; repeated the given number of times.
  [[nodiscard]] FaultCounts repeated_kills(int count, std::uint64_t seed) const;
  void kill_after(std::int64_t microseconds, FaultCounts& counts) const;
  /// Kills before or inside every `step`-th call; resumes after every `resume_every`-th kill.
  [[nodiscard]] FaultCounts kills(const std::string& what, std::size_t step, int resume_every = 1) const;

  /// The last step committed before the work; -1: none.
  [[nodiscard]] std::int64_t committed_before() const;
  /// Resumes the file as it is.
  [[nodiscard]] Work go_on() const;
  /// The bytes of the file before the work; empty if the work creates it.
  void prepare() const;
  /// Returns what is missing or wrong in the file, given that everything up to step `committed` was committed; empty:
  /// nothing. Throws what reading throws.
  [[nodiscard]] std::string loss(std::int64_t committed) const;
  /// Resumes the file to the end and compares it with an undisturbed one; empty: they are the same.
  [[nodiscard]] std::string difference_when_resumed() const;

 private:
  void clear_finished_mark() const;
  // Checks what a child left; `what` names the fault.
  void check(const std::string& what, std::int64_t committed, bool resume, FaultCounts& counts) const;

  SyntheticRun run_;
  std::int64_t begun_;
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5", calm_ = folder_ / "calm.h5", begun_file_ = folder_ / "begun.h5";
  std::map<std::string, std::vector<char>> content_;  // of calm_
  std::vector<std::string> objects_;                  // likewise
  std::vector<sim::Snapshot> frames_;                 // likewise
  History history_;                                   // likewise
};

}  // namespace orrery::pipeline::testing
