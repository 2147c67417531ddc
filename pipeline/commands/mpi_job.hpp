// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "pipeline/context.hpp"

namespace orrery::pipeline {

/// The part of this process in a job of several that mpirun or srun has started. MPI is loaded only then.
class MpiJob {
 public:
  /// Waits for the others. Throws Error, Fault::request, on rank 0 if this build has no MPI, or if others have another
  /// version of the program.
  MpiJob();
  /// Lets the others end.
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  /// Returns whether rank 0 leads this process, so that it only serves.
  [[nodiscard]] bool serves() const { return silent_ || (ranks_ != nullptr && ranks_->rank() > 0); }
  /// Carries out what rank 0 asks for until it needs nothing more. Returns the exit code. Prints only warnings of parts that
  /// it carries out alone.
  int serve();
  /// Where a command of rank 0 computes: on all ranks, with its share of the processors of its machine.
  [[nodiscard]] const Resources& resources() const { return resources_; }

 private:
  std::shared_ptr<sim::Ranks> ranks_;
  Resources resources_{};
  bool silent_ = false;  ///< rank 0 reports an error that all have
};

}  // namespace orrery::pipeline
