// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// Returns the facts that `orrery info` prints: sizes, steps, energies, hash of the last state, provenance. With `damage`,
/// as find_damage() returns it, they have that instead of a hash.
Report run_report(const TrajectoryReader& trajectory, const std::vector<std::string>& damage,
                  const EnergyErrors& errors);

/// Returns where the bits of a run can be reproduced: "everywhere", or "on this device with this build".
std::string reproducible(std::string_view precision);

inline constexpr const char* summary_name = "summary.json";

/// The results of a finished run: `summary.json` in the folder of its trajectory. It marks the run and its pictures as
/// complete: it is written last and removed before anything changes.
class Summary {
 public:
  explicit Summary(const std::filesystem::path& trajectory);

  /// Returns whether the file exists and was written by orrery.
  [[nodiscard]] bool exists() const;
  /// Throws Error, Fault::request, if the name is taken by a file that may not be replaced.
  void refuse_to_replace(Replacing replacing, std::string_view elsewhere) const;
  void remove() const;
  /// Sets the modification time to now, for Make. Ignores failures.
  void touch() const;
  /// Writes the summary of a finished trajectory, its last state, its errors and these pictures, atomically, and syncs it. Throws
  /// Error.
  void write(const TrajectoryReader& trajectory, const sim::Snapshot& last, const EnergyErrors& errors,
             const std::vector<std::filesystem::path>& pictures, Replacing replacing) const;

 private:
  std::filesystem::path trajectory_, file_;
};

}  // namespace orrery::pipeline
