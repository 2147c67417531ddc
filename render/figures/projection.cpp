// SPDX-License-Identifier: MIT
// The figure "projection": bodies and paths on one coordinate plane.
#include <algorithm>
#include <array>
#include <cmath>

#include "render/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/furniture.hpp"
#include "render/plane.hpp"
#include "render/reference.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> planes{"xy", "xz", "yz"};

constexpr std::array parameters{
    Parameter{.name = "plane",
              .kind = Kind::text,
              .fallback = "\"xy\"",
              .meaning = "the coordinates to the right and up",
              .choices = planes},
    frame_parameter,
    Parameter{.name = "limits",
              .kind = Kind::numbers,
              .fallback = "",
              .meaning = "what is shown: [right from, to, up from, to]; left out, all of the run",
              .unit = "length",
              .count = 4,
              .optional = true},
};

Plane plane_named(const std::string& name) {
  return {name == "yz" ? 1U : 0U, name == "xy" ? 1U : 2U};
}

class Projection final : public Figure {
 public:
  Projection(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : cast_(cast),
        look_(canvas.look()),
        plane_(plane_named(arguments.text("plane"))),
        reference_(arguments.text("frame"), cast),
        paths_(trails),
        still_(std::isinf(trails.time)),
        legend_(look_, cast) {
    if (arguments.has("limits")) limits_ = checked_limits(arguments.numbers("limits"));
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { paths_.append(reference_.seen(frame)); }

 private:
  void draw(Drawing& drawing) const {
    const Panel panel = layout(drawing.size);
    panel.open(drawing);
    draw_bodies(drawing, look_, panel, plane_, paths_, cast_, still_);
    panel.close(drawing);
    if (!legend_.empty()) {
      legend_.draw(drawing, {panel.box().right + panel.margins().right + look_.tick_text, panel.box().top});
    }
    heading(drawing, look_, panel.box(), cast_.title, shown_time(cast_, paths_, still_));
  }

  /// The largest box that leaves room for what stands around it; all of it in the middle of the canvas.
  [[nodiscard]] Panel layout(Size size) const {
    const Extent extent = shown_extent(reference_, paths_, still_);
    Interval right = limits_.empty() ? padded(extent, plane_.right, 0.5) : Interval{limits_[0], limits_[1]};
    Interval up = limits_.empty() ? padded(extent, plane_.up, 0.5) : Interval{limits_[2], limits_[3]};
    const double ratio = right.length() / up.length();
    const float edge = 0.7F * look_.tick_text,
                beside = legend_.empty() ? 0 : legend_.width() + look_.tick_text;
    Margins around{4.5F * look_.tick_text, 0, edge, 3.5F * look_.tick_text};
    double step = 0;  // of both axes, as they share their scale
    for (int pass = 0;; ++pass) {
      const Box room{edge + around.left, edge + heading_height(look_),
                     static_cast<float>(size.width) - edge - around.right - beside,
                     static_cast<float>(size.height) - edge - around.bottom};
      Box box = fitted_box(room, ratio);
      const float down = (room.height() - box.height()) / 2;
      box.top += down;
      box.bottom += down;
      equalise(right, up, static_cast<double>(box.width() / box.height()));
      Axis x = coordinate_axis(plane_.right, right, cast_), y = coordinate_axis(plane_.up, up, cast_);
      x.step = y.step = step;
      Panel panel(look_, box, x, y);
      if (pass == 2) return panel;
      around = panel.margins();
      step = std::max(step, panel.step());
    }
  }

  const Cast& cast_;
  Look look_;
  Plane plane_;
  Reference reference_;
  Paths paths_;
  bool still_;
  Legend legend_;
  std::vector<double> limits_;
};

}  // namespace

extern const FigureKind projection{.name = "projection",
                                   .meaning = "paths on a coordinate plane, seen along the third axis",
                                   .parameters = parameters,
                                   .needs_frames = true,
                                   .make = make<Projection>};

}  // namespace orrery::render
