// SPDX-License-Identifier: MIT
// Whether frames are close enough to know what bodies do between them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "render/bounds.hpp"
#include "render/frame.hpp"
#include "render/view/place.hpp"

namespace orrery::render {

/// One body at the times of frames, unwrapped from periodic images. Without velocities its way is made of straight lines.
struct Way {
  std::vector<double> time;
  std::vector<Place> place, velocity;  ///< each as long as `time`, or no velocities
};

/// Returns the estimated error, a length, of the interpolation between each two frames: [frames − 1]. The cubic polynomials on
/// both sides of a frame have different second derivatives there. h²/32 of the difference is about the error where that is near
/// the tolerated one (measured on Kepler orbits), less if frames are closer, and no less than about the size of the orbit if a
/// body goes round between them, at any phase. Of the two ends of an interval the smaller one counts, since the other may be due
/// to its neighbour. Without velocities it is h²/8 of the second difference, which does not find whole turns. At walls of
/// `bounds`, where velocities jump, coordinates are left out.
std::vector<double> errors_between(const Way& way, const Bounds& bounds = {});

/// Returns the error up to which the way counts as known: half a percent of the length of the way's longer side, without its
/// outer tenth, two percent if it is made of straight lines; a circle may have 5 frames with velocities, 11 without.
double tolerated_error(const Way& way);

/// Between which frames the ways of bodies are known.
class Between {
 public:
  /// `frames`: all that are drawn, in the order of the run, with the same bodies. O(frames · bodies)
  Between(const std::vector<Frame>& frames, const Bounds& bounds);

  [[nodiscard]] bool all_known() const { return unknown_.empty(); }
  /// Returns whether the way of a body is known between two moments that no frame is between.
  [[nodiscard]] bool known(std::size_t body, double from, double to) const;
  /// Returns the bodies whose way is not known somewhere.
  [[nodiscard]] std::set<std::size_t> bodies() const;
  /// Returns the largest angle by which the direction of motion of a body turns over all frames; at least half a turn where its
  /// way is not known. 0 without velocities.
  [[nodiscard]] double turned() const { return turned_; }
  /// Puts bodies whose way is not known between frames a and b, which `now` is between, where they are in the nearer one.
  void hold(const Frame& a, const Frame& b, Frame& now) const;

 private:
  std::size_t count_ = 0;  // of bodies
  double turned_ = 0;
  std::vector<double> time_;   // of frames
  std::vector<bool> unknown_;  // [frames − 1][bodies], or empty
};

inline constexpr std::string_view no_path = "no path where frames are too far apart";

/// Returns what a picture says of bodies whose ways are drawn as points or, without `paths`, of which a film (`pictures` > 0) shows
/// the nearer frame; and of a film that steps over turns; "" if neither.
std::string words_for(const Between& between, int pictures, bool paths = true);

}  // namespace orrery::render
