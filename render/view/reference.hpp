// SPDX-License-Identifier: MIT
// What a picture holds still: the origin, the centre of mass, a body, or the line through two that turn.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

class Reference {
 public:
  /// `words`: "inertial", "barycentric", "body:NAME", "corotating" or "corotating:NAME,NAME", NAME being a name of the
  /// run info or a number from 0. Throws ArgumentError for "frame" where it is none of these. `escapers`: they take room too.
  Reference(const std::string& words, const RunInfo& info, bool escapers = false);

  /// The frame as seen from there. Corotating: two bodies, if not named the heaviest, lie on the x axis, the first to the
  /// left; their centre of mass rests at the origin, their orbit's plane is that of x and y, and velocities are those of
  /// an observer who turns with them. Who moves through a box whose ends are joined sees the nearest image of each body.
  [[nodiscard]] Frame seen(const Frame& frame) const;

  /// SharedFrames of the run that limits are measured by, as seen from there; none before there is a run.
  [[nodiscard]] std::vector<FrameSummary> moments() const;

  /// [N], of all bodies of the run.
  [[nodiscard]] const std::vector<double>& mass() const { return info_.mass; }
  /// The bodies it goes by: none, one or two.
  [[nodiscard]] std::vector<std::size_t> bodies() const;

  /// The box that bodies are in as seen from there, along axes where it rests: around a moving origin there is one of nearest
  /// images, and no wall.
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  /// Axes along which nobody escapes.
  [[nodiscard]] std::array<bool, 3> closed() const;

  /// The box that a picture of the whole run has to hold (see outliers.hpp); the run's own extent before there is a run.
  [[nodiscard]] const Extent& extent() const { return extent_; }

 private:
  [[nodiscard]] Extent measured(bool escapers) const;
  /// Where it stands at one moment: of a frame summary, or of a frame of all bodies.
  struct Standing;
  [[nodiscard]] Standing standing(const Frame& frame, const FrameSummary* summary) const;

  enum class Center { origin, mass, body, pair };

  const RunInfo& info_;
  Center center_ = Center::origin;
  std::size_t body_ = 0;
  std::pair<std::size_t, std::size_t> pair_;
  Bounds bounds_;
  Extent extent_;
};

}  // namespace orrery::render
