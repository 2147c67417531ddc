// SPDX-License-Identifier: MIT
#include "render/view/plane_view.hpp"

#include <algorithm>

namespace orrery::render {

PlaneView::PlaneView(const Style& style, const RunInfo& info, const Reference& reference, const Arguments& arguments,
                     double share)
    : style_(style),
      info_(info),
      plane_(plane_named(arguments.text("plane"))),
      view_limits_(info, reference, arguments, {plane_.right, plane_.up}, share) {}

std::array<Interval, 2> PlaneView::limits(const Frame* seen) const {
  const Volume volume = view_limits_.at(seen);
  return {volume.limits[plane_.right], volume.limits[plane_.up]};
}

Panel PlaneView::panel(Size canvas, const Frame* seen, float beside) {
  const auto panel_of = [&](const Interval& right, const Interval& up) {
    return plane_panel(style_, canvas, plane_, right, up, info_, beside, numbers_);
  };
  if (view_limits_.moves() && numbers_ == 0) {
    float widest = 0;
    for (const Volume& volume : view_limits_.some())
      widest = std::max(widest, panel_of(volume.limits[plane_.right], volume.limits[plane_.up]).numbers());
    numbers_ = widest;
  }
  const auto [right, up] = limits(seen);
  return panel_of(right, up);
}

}  // namespace orrery::render
