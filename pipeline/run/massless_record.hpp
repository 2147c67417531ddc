// SPDX-License-Identifier: MIT
// How well the bodies without mass were integrated, which no quantity that weighs by mass shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The greatest error of any body without mass at times of frames. For masses that do not move relative to each other it
/// is the change of the body's energy per mass ε = ½v² + φ since the start; for two masses on a circle that of its Jacobi
/// constant C = ε − ω·(x × v). In other cases parts of the run are repeated with half the step, or a hundredth of the
/// tolerance, and the error is the difference of ε at their ends. What it is relative to is chosen as for the energy of
/// the run.
struct MasslessRecord {
  bool alone = false;  ///< no body has mass
  std::vector<double> time{}, error{};
  double greatest = 0, last = 0;
  std::string name{};          ///< "Δε/|ε₀|"
  std::string body{};          ///< of the greatest error
  std::string looked_at{};     ///< "601 frames"
  std::string not_measured{};  ///< why; empty: it was

  [[nodiscard]] bool is_off() const { return not_measured.empty() && greatest > sim::tolerated_energy_error; }
  /// Returns "without mass Δε/|ε₀| at most 3.40e-08 (probe, 601 frames)".
  [[nodiscard]] std::string to_text() const;
  void add_to(Report& report) const;
};

/// Empty if all bodies have mass. Takes at most about a second; the result is that of the file alone.
std::optional<MasslessRecord> massless_record(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
