// SPDX-License-Identifier: MIT
#include <array>
#include <optional>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    bodies_parameter,       plane_parameter,       frame_parameter,  color_parameter,        colormap_parameter,
    plane_limits_parameter, zoom_parameter,        follow_parameter, frame_limits_parameter, outliers_parameter,
    line_width_parameter,   marker_size_parameter, names_parameter};

class Projection final : public Figure {
 public:
  Projection(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(canvas.style(), info, arguments, trails), view_(shown_.style, info, shown_.reference, arguments, 0.5) {}

  void show(const Frame& frame) override { shown_.take(frame); }

  void prepare(const Drawing& blank) override {
    const Legend& legend = shown_.legend;
    const float beside = legend.empty() ? 0 : legend.width(static_cast<float>(blank.size.height)) + gap();
    panel_ = view_.panel(blank.size, shown_.now(), beside, heading(blank.size).height());
    if (shown_.is_point_cloud())
      cloud_.set_tone_mapping(shown_.paths.now(), panel_->box(), projection_to(*panel_, view_.plane()));
  }

  void draw(Drawing& drawing) const override {
    const Legend& legend = shown_.legend;
    const Panel& panel = *panel_;
    panel.open(drawing);
    draw_bodies(drawing, panel, view_.plane(), shown_, shown_.paths, cloud_);
    draw_names(drawing, panel, view_.plane(), shown_, cloud_);
    panel.close(drawing);
    const Box& box = panel.box();
    if (!legend.empty()) legend.draw(drawing, {box.right + panel.margins().right + gap(), box.top}, box.height());
    heading(drawing.size).draw(drawing, box, shown_.stamp());
  }

  [[nodiscard]] std::string remark() const override { return shown_.remark(); }

 private:
  [[nodiscard]] Heading heading(Size size) const {
    return {shown_.style, size, shown_.info.title, remark(), shown_.stamp().longest};
  }
  [[nodiscard]] float gap() const { return shown_.style.tick_text; }

  Shown shown_;
  PointCloud cloud_{shown_};
  PlaneView view_;
  std::optional<Panel> panel_;
};

}  // namespace

extern const FigureKind projection{.name = "projection",
                                   .meaning = "bodies and their paths in a coordinate plane, seen along the third axis",
                                   .parameters = parameters,
                                   .needs_frames = true,
                                   .make = make<Projection>,
                                   .has_paths = true,
                                   .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
