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
#include "sim/analysis/thermodynamics.hpp"

namespace orrery::pipeline {

/// One moment of the whole system in the order of the file: energies, momentum, angular momentum, centre of mass; then virial,
/// temperature and pressure, which are compared where both have them; then the extremes since the row before, of so many
/// `states`, which are compared where both have as many.
struct ObservableRow {
  double time = 0;
  std::array<double, 23> numbers{};
  std::int64_t states = -1;  ///< −1: they are not kept
  bool thermal = false;      ///< it has virial, temperature and, if there is a volume, pressure
};
ObservableRow row_at(const History& history, std::size_t i);
ObservableRow row_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble);

/// Where two numbers part for the first time.
struct FirstDifference {
  std::int64_t index;  ///< of the frame or row, in the first of the two
  std::int64_t step;
  double time;
  std::string body, component;  ///< "Ida", "position x"; no body in a row
  double a, b;
  std::uint64_t ulps;  ///< of a float where frames hold floats
};

/// Two runs side by side.
class Comparison {
 public:
  /// `floats`: the numbers of frames are floats. `periods`: of both runs, Domain::periods; how far bodies are apart is told by
  /// nearest images.
  explicit Comparison(bool floats, const std::array<double, 3>& periods = {}) : floats_(floats), periods_(periods) {}

  /// Frame `index` of the first run beside one of the other at the same moment, both of `bodies`. Velocities are
  /// compared where both have them, and so are images.
  void add_frame(std::size_t index, const sim::Snapshot& a, const sim::Snapshot& b, const BodySet& bodies);
  void add_row(std::size_t index, std::int64_t step, const ObservableRow& a, const ObservableRow& b);
  /// A frame that cannot be compared, and why.
  void add_damaged(const std::string& why);

  [[nodiscard]] bool same() const;
  [[nodiscard]] std::size_t frames() const { return frames_; }  ///< compared
  /// What was found: a line each for people, all of it for programs. `a` and `b` name the two runs.
  void report(Report& report, const std::string& a, const std::string& b) const;

 private:
  struct Greatest {
    double distance = 0;
    std::int64_t step = 0;
    double time = 0;
  };

  bool floats_;
  std::array<double, 3> periods_;
  std::size_t frames_ = 0, same_frames_ = 0, rows_ = 0, same_rows_ = 0;
  std::optional<FirstDifference> first_frame_, first_row_;
  Greatest position_, velocity_;
  std::vector<std::string> damaged_;
};

/// The numbers of a snapshot as frames hold them: of the bodies at these places, as floats if so, with velocities if so.
sim::Snapshot as_stored(const sim::Snapshot& snapshot, const std::vector<std::size_t>& places, bool floats,
                        bool velocities);

}  // namespace orrery::pipeline
