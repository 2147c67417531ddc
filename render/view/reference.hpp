// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

/// A reference frame: inertial, barycentric, centred on a body, or rotating with two bodies.
class Reference {
 public:
  /// `words`: "inertial", "barycentric", "body:NAME", "corotating" or "corotating:NAME,NAME"; NAME is a name or a number from
  /// 0. Throws ArgumentError for "frame" otherwise. `keep_outliers`: extent() includes escaping bodies.
  Reference(const std::string& words, const RunInfo& info, bool keep_outliers = false);

  /// Transforms positions and velocities to the reference frame. Corotating: two bodies, by default the heaviest, are on the
  /// x axis, the first on the left, with their centre of mass at the origin and their orbit in the x-y plane; velocities are
  /// those in the rotating frame. In a periodic box a moving frame has the nearest image of each body.
  [[nodiscard]] Frame seen(const Frame& frame) const;

  /// Returns the moments from which limits are computed, in the reference frame; none before the run has started.
  [[nodiscard]] std::vector<FrameSummary> moments() const;

  /// [N], all bodies of the run.
  [[nodiscard]] const std::vector<double>& mass() const { return info_.mass; }
  /// Returns the bodies that define the frame: none, one or two.
  [[nodiscard]] std::vector<std::size_t> bodies() const;

  /// Returns the box in the reference frame; around a moving origin it is that of the nearest images, without walls.
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  /// Returns the axes along which bodies cannot escape.
  [[nodiscard]] std::array<bool, 3> closed() const;

  /// Returns the bounding box of the run without outliers (see outliers.hpp); that of the run info before the run has started.
  [[nodiscard]] const Extent& extent() const { return extent_; }

 private:
  [[nodiscard]] Extent measured(bool keep_outliers) const;
  /// The transformation at one moment.
  struct Transform;
  /// `summary`: that of `frame`, or null for a frame of all bodies.
  [[nodiscard]] Transform transform(const Frame& frame, const FrameSummary* summary) const;

  enum class Center { origin, mass, body, pair };

  const RunInfo& info_;
  Center center_ = Center::origin;
  std::size_t body_ = 0;
  std::pair<std::size_t, std::size_t> pair_;
  Bounds bounds_;
  Extent extent_;
};

}  // namespace orrery::render
