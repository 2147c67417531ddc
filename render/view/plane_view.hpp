// SPDX-License-Identifier: MIT
#pragma once

#include "render/view/plane.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {

/// The visible part of a coordinate plane at each moment.
class PlaneView {
 public:
  /// Reads `plane` and the keys of ViewLimits. Throws ArgumentError.
  PlaneView(const Style& style, const RunInfo& info, const Reference& reference, const Arguments& arguments,
            double share);

  [[nodiscard]] Plane plane() const { return plane_; }
  /// Returns the limits of the horizontal and the vertical axis; `seen` is the frame shown, or null.
  [[nodiscard]] std::array<Interval, 2> limits(const Frame* seen) const;
  /// Returns plane_panel() with these limits; its frame stays in place while limits move.
  [[nodiscard]] Panel panel(Size canvas, const Frame* seen, float beside);

 private:
  Style style_;
  const RunInfo& info_;
  Plane plane_;
  ViewLimits view_limits_;
  float numbers_ = 0;  // the maximum width over the run, if limits move
};

}  // namespace orrery::render
