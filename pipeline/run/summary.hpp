// SPDX-License-Identifier: MIT
// summary.json: what came of a run, and the sign that it is done.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What an integrator's own steps came to, where it chose them: adds own_steps, own_steps_refused and own_evaluations.
void add_own_steps(Report& report, const sim::Clock& clock);

/// How far the bits of a run go: "everywhere", or "on this device with this build".
std::string reproducible(const std::string& precision);

/// `summary.json` in the folder of a trajectory. It is there when everything that was asked for is: it is written last,
/// and taken away before anything changes.
class Summary {
 public:
  explicit Summary(const std::filesystem::path& trajectory);

  /// Whether orrery wrote what is there.
  [[nodiscard]] bool exists() const;
  /// Throws Error, exit code 2, where another file has its name, unless that may be replaced.
  void refuse_to_replace(Replacing replacing, std::string_view elsewhere) const;
  void remove() const;
  /// Makes it as new as if it were written now, which Make goes by; where that is not allowed it stays as it is.
  void touch() const;
  /// Of a trajectory that is finished and these pictures. The file appears whole, and is on the disk. Throws Error.
  void write(const std::vector<std::filesystem::path>& pictures, Replacing replacing) const;

 private:
  std::filesystem::path trajectory_, file_;
};

}  // namespace orrery::pipeline
