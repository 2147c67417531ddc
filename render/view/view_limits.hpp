// SPDX-License-Identifier: MIT
// Which part of space a picture shows at each moment: all of the run, what was asked for, or what goes along.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/parameter.hpp"
#include "render/view/camera.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

class ViewLimits {
 public:
  /// Reads the keys `bodies`, those that are to be held, `limits`, of these coordinates in their order, `zoom`, `follow`,
  /// `frame_limits` and `outliers`. A side is no shorter than `share` of the longest. Throws ArgumentError.
  ViewLimits(const RunInfo& info, const Reference& reference, const Arguments& arguments,
             const std::vector<std::size_t>& coordinates, double share);

  /// What is shown with this frame, as the reference sees it; of null, of an empty run.
  [[nodiscard]] Volume at(const Frame* seen) const;

  /// Not the same at all moments.
  [[nodiscard]] bool moves() const { return followed_ != Followed::nothing || !moments_.empty(); }
  /// What is followed is in the middle.
  [[nodiscard]] bool follows() const { return followed_ != Followed::nothing; }
  /// Limits were asked for.
  [[nodiscard]] bool limited() const { return limited_; }
  /// Some of the places where it will be, from the first moment to the last.
  [[nodiscard]] std::vector<Volume> some() const;

 private:
  /// Who is followed: body i of a frame, or the centre of mass.
  [[nodiscard]] Place center(const Frame& seen, std::size_t i, const Place& of_mass) const;
  [[nodiscard]] Place center(const Frame& seen) const;
  [[nodiscard]] Place center(const FrameSummary& seen) const;
  [[nodiscard]] Volume at(std::optional<double> time, const Place& from) const;
  /// SharedFrames of those that are shown, from who is followed where somebody is.
  [[nodiscard]] std::vector<FrameSummary> seen_moments() const;
  void widen_about_center(double share);
  void smooth();

  enum class Followed { nothing, mass, body };

  const RunInfo& info_;
  const Reference& reference_;
  bool escapers_, limited_;
  double zoom_;
  Followed followed_ = Followed::nothing;
  std::size_t body_ = 0;
  std::vector<std::size_t> chosen_;  ///< that are shown; empty: all
  std::vector<double> mass_;         ///< of those
  std::array<Interval, 3> limits_;   ///< counted from who is followed, where somebody is
  /// Of limits that go along, evenly over the run: the middle, likewise counted, and half of each side.
  struct LimitsAtTime {
    Place middle;
    double half;
  };
  std::vector<LimitsAtTime> moments_;
};

}  // namespace orrery::render
