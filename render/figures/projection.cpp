// SPDX-License-Identifier: MIT
// The figure "projection": bodies and paths on one coordinate plane.
#include <array>

#include "render/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{plane_parameter, frame_parameter, color_parameter, plane_limits_parameter,
                                outliers_parameter};

class Projection final : public Figure {
 public:
  Projection(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : shown_(canvas.look(), cast, arguments, trails), plane_(plane_named(arguments.text("plane"))) {
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { shown_.take(frame); }

 private:
  void draw(Drawing& drawing) const {
    const Extent extent = shown_.reference.extent();
    const auto& limits = shown_.limits;
    const Interval right = limits.empty() ? padded(extent, plane_.right, 0.5) : Interval{limits[0], limits[1]};
    const Interval up = limits.empty() ? padded(extent, plane_.up, 0.5) : Interval{limits[2], limits[3]};
    const Legend& legend = shown_.legend;
    const float gap = shown_.look.tick_text,
                beside = legend.empty() ? 0 : legend.width(static_cast<float>(drawing.size.height)) + gap;
    const Panel panel = plane_panel(shown_.look, drawing.size, plane_, right, up, shown_.cast, beside);
    panel.open(drawing);
    draw_bodies(drawing, panel, plane_, shown_, crowd_);
    panel.close(drawing);
    const Box& box = panel.box();
    if (!legend.empty()) legend.draw(drawing, {box.right + panel.margins().right + gap, box.top}, box.height());
    heading(drawing, shown_.look, box, shown_.cast.title, shown_.stamp());
  }

  Shown shown_;
  Crowd crowd_{shown_};
  Plane plane_;
};

}  // namespace

extern const FigureKind projection{.name = "projection",
                                   .meaning = "paths on a coordinate plane, seen along the third axis",
                                   .parameters = parameters,
                                   .needs_frames = true,
                                   .make = make<Projection>};

}  // namespace orrery::render
