// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ranks/ranks.hpp"

namespace orrery::pipeline {

/// Runs a command line; the first word is the program. Returns its exit code; prints errors.
using RunCommand = std::function<int(const std::vector<std::string>&)>;

/// The number of ranks of this process; 1 if it is alone.
int rank_count();
/// The number of ranks that would share a run with these options.
int rank_count(const sim::BackendOptions& options);
/// Carries out commands on all ranks, each on the next rank that is free, as a process of its own would. For rank 0,
/// within a command. Returns their exit codes, −1 for those that were not begun because of a signal. Each rank prints
/// what its commands say. Throws Error if a rank has ended.
std::vector<int> carry_out_on_ranks(const std::vector<std::vector<std::string>>& commands);

/// The part of this process in a job of several that mpirun or srun has started. MPI is loaded only then.
class MpiJob {
 public:
  /// Waits for the others. Throws Error, exit code 2, on rank 0 if this build has no MPI, or if others have another
  /// version of the program.
  explicit MpiJob(RunCommand run);
  /// Lets the others end.
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  /// Returns whether rank 0 leads this process, so that it only serves.
  [[nodiscard]] bool serves() const { return silent_ || (ranks_ != nullptr && ranks_->rank() > 0); }
  /// Carries out what rank 0 asks for until it needs nothing more. Returns the exit code. Prints nothing: rank 0 says
  /// what has happened.
  int serve();

 private:
  std::shared_ptr<sim::Ranks> ranks_;
  bool silent_ = false;  ///< rank 0 reports an error that all have
};

}  // namespace orrery::pipeline
