// SPDX-License-Identifier: MIT
// Two runs moment by moment: frames and rows of observables, to the last bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// A row of observables as numbers: energies, momentum, angular momentum, centre of mass; then virial, temperature and pressure,
/// which are compared if both rows have them; then the extremes since the previous row, which are compared if both rows cover the
/// same number of `states`.
struct ObservableRow {
  double time = 0;
  std::array<double, 26> numbers{};
  std::int64_t states = -1;  ///< −1: extremes are not stored
  bool approach = false;     ///< has the closest approach
  bool thermal = false;      ///< has virial, temperature and, if there is a volume, pressure
};
ObservableRow row_at(const History& history, std::size_t i);

/// The first number that differs between two runs.
struct FirstDifference {
  std::int64_t index;  ///< of the frame or row, in the first run
  std::int64_t step;
  double time;
  std::string body, component;  ///< "Ida", "position x"; `body` is empty for rows
  double a, b;
  std::uint64_t ulps;  ///< distance in units in the last place, of float if frames store floats
};

/// Compares two runs bit by bit.
class Comparison {
 public:
  /// `floats`: frames store floats. `periods`: Domain::periods of both runs, for distances between nearest images.
  explicit Comparison(bool floats, const std::array<double, 3>& periods = {}) : floats_(floats), periods_(periods) {}

  /// Compares frame `index` of the first run with a frame of the second at the same time, both of `bodies`. Velocities and images are
  /// compared if both frames have them.
  void add_frame(std::size_t index, const sim::Snapshot& a, const sim::Snapshot& b, const BodySet& bodies);
  void add_row(std::size_t index, std::int64_t step, const ObservableRow& a, const ObservableRow& b);
  /// Records a frame that cannot be read.
  void add_damaged(const std::string& why);

  [[nodiscard]] bool same() const;
  /// Adds the results to a report. `a` and `b` name the two runs.
  void report(Report& report, const std::string& a, const std::string& b) const;

 private:
  struct Maximum {
    double distance = 0;
    std::int64_t step = 0;
    double time = 0;
  };

  bool floats_;
  std::array<double, 3> periods_;
  std::size_t frames_ = 0, same_frames_ = 0, rows_ = 0, same_rows_ = 0;
  std::optional<FirstDifference> first_frame_, first_row_;
  Maximum position_, velocity_;
  std::vector<std::string> damaged_;
};

/// Returns a snapshot as frames store it: the bodies at these places, rounded to float if `floats`.
sim::Snapshot as_stored(const sim::Snapshot& snapshot, const std::vector<std::size_t>& places, bool floats,
                        bool velocities);

}  // namespace orrery::pipeline
