// SPDX-License-Identifier: MIT
// A coordinate plane as it is seen at each moment.
#pragma once

#include "render/view/plane.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {

class PlaneView {
 public:
  /// Reads `plane` and the keys of a ViewLimits. Throws ArgumentError.
  PlaneView(const Style& style, const RunInfo& info, const Reference& reference, const Arguments& arguments,
            double share);

  [[nodiscard]] Plane plane() const { return plane_; }
  /// What goes to the right and up with this frame; null: before there is one.
  [[nodiscard]] std::array<Interval, 2> limits(const Frame* seen) const;
  /// The largest panel that shows it, as plane_panel() has it. Its frame stays where it is while its numbers go by.
  [[nodiscard]] Panel panel(Size canvas, const Frame* seen, float beside);

 private:
  Style style_;
  const RunInfo& info_;
  Plane plane_;
  ViewLimits view_limits_;
  float numbers_ = 0;  // the widest of all moments, where they go by
};

}  // namespace orrery::render
