// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "common/parameter.hpp"
#include "render/view/camera.hpp"
#include "render/view/reference.hpp"

namespace orrery::render {

/// The visible part of space at each moment.
class ViewLimits {
 public:
  /// Reads the keys `bodies`, `limits` (of these coordinates, in this order), `zoom`, `follow`, `frame_limits` and
  /// `outliers`. Each side has at least a fraction `share` of the longest. Throws ArgumentError.
  ViewLimits(const RunInfo& info, const Reference& reference, const Arguments& arguments,
             const std::vector<std::size_t>& coordinates, double share);

  /// Returns the visible volume for a frame in the reference frame, or null if there is none.
  [[nodiscard]] Volume at(const Frame* seen) const;

  /// Returns whether limits change with time.
  [[nodiscard]] bool moves() const { return followed_ != Followed::nothing || !moments_.empty(); }
  /// Returns whether a body, the centre of mass or the density centre is in the middle.
  [[nodiscard]] bool follows() const { return followed_ != Followed::nothing; }
  /// Returns whether limits were given.
  [[nodiscard]] bool limited() const { return limited_; }
  /// Returns the maximum of width(volume) at some moments over the run, so that a margin is constant while limits move; 0 if
  /// they do not.
  [[nodiscard]] float widest(const std::function<float(const Volume& volume)>& width) const;

 private:
  /// Returns the position that is followed, of a frame of all bodies or at a moment of the reference.
  [[nodiscard]] Place center(const Frame& seen) const;
  [[nodiscard]] Place center(const FrameSummary& seen, std::size_t moment) const;
  [[nodiscard]] Volume at(std::optional<double> time, const Place& from) const;
  /// Returns the moments of the bodies shown, relative to what is followed.
  [[nodiscard]] std::vector<FrameSummary> seen_moments() const;
  void find_densest();
  void widen_about_center(double share);
  void smooth();

  enum class Followed { nothing, mass, densest, body };

  const RunInfo& info_;
  const Reference& reference_;
  bool keep_outliers_, limited_;
  double zoom_;
  Followed followed_ = Followed::nothing;
  std::size_t body_ = 0;
  std::vector<Place> densest_;       ///< at each moment of the reference, if followed
  std::vector<std::size_t> chosen_;  ///< the bodies shown; empty: all
  SharedVector<double> mass_;        ///< of these bodies
  std::array<Interval, 3> limits_;   ///< relative to what is followed
  /// Moving limits at evenly spaced times: the middle, relative to what is followed, and half of the side.
  struct LimitsAtTime {
    Place middle;
    double half;
  };
  std::vector<LimitsAtTime> moments_;
};

}  // namespace orrery::render
