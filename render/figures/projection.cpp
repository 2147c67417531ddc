// SPDX-License-Identifier: MIT
// The figure "projection": bodies and paths on one coordinate plane.
#include <array>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/view/plane_view.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{bodies_parameter,     plane_parameter,        frame_parameter,
                                color_parameter,      plane_limits_parameter, zoom_parameter,
                                follow_parameter,     frame_limits_parameter, outliers_parameter,
                                line_width_parameter, marker_size_parameter};

class Projection final : public Figure {
 public:
  Projection(Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(canvas.style(), info, arguments, trails), view_(shown_.style, info, shown_.reference, arguments, 0.5) {
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { shown_.take(frame); }

 private:
  void draw(Drawing& drawing) const {
    const Legend& legend = shown_.legend;
    const float gap = shown_.style.tick_text,
                beside = legend.empty() ? 0 : legend.width(static_cast<float>(drawing.size.height)) + gap;
    const Panel panel = view_.panel(drawing.size, shown_.now(), beside);
    panel.open(drawing);
    draw_bodies(drawing, panel, view_.plane(), shown_, cloud_);
    draw_names(drawing, panel, view_.plane(), shown_);
    panel.close(drawing);
    const Box& box = panel.box();
    if (!legend.empty()) legend.draw(drawing, {box.right + panel.margins().right + gap, box.top}, box.height());
    heading(drawing, shown_.style, box, shown_.info.title, shown_.stamp());
  }

  Shown shown_;
  PointCloud cloud_{shown_};
  PlaneView view_;
};

}  // namespace

extern const FigureKind projection{.name = "projection",
                                   .meaning = "paths on a coordinate plane, seen along the third axis",
                                   .parameters = parameters,
                                   .needs_frames = true,
                                   .make = make<Projection>,
                                   .has_paths = true};

}  // namespace orrery::render
