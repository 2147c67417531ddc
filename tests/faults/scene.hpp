// SPDX-License-Identifier: MIT
// A made-up run that is disturbed again and again, and the judgement of what is left of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/faults/children.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

/// What came of all disturbances of one kind.
struct Toll {
  int faults = 0;      ///< that struck
  int committed = 0;   ///< those after which something had been committed that could have been lost
  int lost = 0;        ///< after which committed frames, rows or states were missing or wrong, or the file unreadable
  int resumed = 0;     ///< after which it was tried to go on
  int unequal = 0;     ///< and what came out was not what an undisturbed run gives
  int unreadable = 0;  ///< after which the reader refused the file, and took it after a repair
  std::vector<std::string> reasons{};  ///< the first few

  void blame(const std::string& reason) {
    if (reasons.size() < 5) reasons.push_back(reason);
  }
};

/// Fails where anything was lost, and notes the numbers for the table at the end.
void expect_no_loss(const std::string& mode, const Toll& toll);

/// A tale in a folder of its own: how it should come out, and a place to be disturbed in.
class Scene {
 public:
  /// `begun`: the act is to go on from step `begun` − 1 of an interrupted file (the last step: one that lacks nothing but
  /// the word that it is finished); 0: to tell all of it.
  explicit Scene(Tale tale, std::int64_t begun = 0);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const Tale& tale() const { return tale_; }
  /// What is disturbed: telling from the beginning, or going on, to the end.
  [[nodiscard]] Work act() const;
  /// The calls that the act writes with.
  [[nodiscard]] std::vector<Call> calls() const;
  /// The act once more from where it starts, disturbed; then judged. `resume`: whether to go on, too.
  void disturb(const Fault& fault, bool resume, Toll& toll) const;
  /// Killed at a random call, taken up again, killed again, and so on to the end; so many times over.
  [[nodiscard]] Toll relays(int count, std::uint64_t seed) const;
  void kill_after(std::int64_t microseconds, Toll& toll) const;
  /// A kill before every `step`-th call, or inside; every `resume_every`-th is gone on from.
  [[nodiscard]] Toll kills(const std::string& what, std::size_t step, int resume_every = 1) const;

  /// The last step committed before the act; -1: none.
  [[nodiscard]] std::int64_t committed_before() const;
  /// Going on with the file as it is.
  [[nodiscard]] Work go_on() const;
  /// What the act begins with; nothing where it makes the file.
  void set_the_stage() const;
  /// What of the file is missing or wrong where everything up to step `committed` was; empty: nothing. Throws what reading
  /// it throws.
  [[nodiscard]] std::string loss(std::int64_t committed) const;
  /// Goes on with the file to the end, and compares it with an undisturbed one; empty: they are the same.
  [[nodiscard]] std::string difference_when_resumed() const;

 private:
  void leave_out_the_last_word() const;
  // What is left by a child; `what` names the disturbance.
  void judge(const std::string& what, std::int64_t committed, bool resume, Toll& toll) const;

  Tale tale_;
  std::int64_t begun_;
  Folder folder_;
  std::filesystem::path path_ = folder_ / "run.h5", calm_ = folder_ / "calm.h5", begun_file_ = folder_ / "begun.h5";
  std::map<std::string, std::vector<char>> content_;  // of calm_
  std::vector<std::string> objects_;                  // likewise
  std::vector<sim::Snapshot> frames_;                 // likewise
  History history_;                                   // likewise
};

}  // namespace orrery::pipeline::testing
