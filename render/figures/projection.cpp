// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    bodies_parameter,       plane_parameter,       frame_parameter,  color_parameter,        colormap_parameter,
    plane_limits_parameter, zoom_parameter,        follow_parameter, frame_limits_parameter, outliers_parameter,
    line_width_parameter,   marker_size_parameter, names_parameter,  others_parameter,       labels_parameter};

class Projection final : public Figure {
 public:
  Projection(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(canvas.style(), info, arguments, trails), view_(shown_.style, info, shown_.reference, arguments, 0.5) {
    for (const RunInfo& other : info.others)
      others_.push_back(std::make_unique<Other>(canvas.style(), other, arguments, trails));
  }

  void show(const Frame& frame) override { shown_.take(frame); }
  void show_other(std::size_t other, const Frame& frame) override { others_[other]->shown.take(frame); }

  void prepare(const Drawing& blank) override {
    const Legend& legend = shown_.legend;
    const float beside = legend.empty() ? 0 : legend.width(static_cast<float>(blank.size.height)) + gap();
    const float above = heading(blank.size).height();
    panel_ = others_.empty() ? view_.panel(blank.size, shown_.now(), beside, above)
                             : view_.panel(blank.size, limits_of_all(), beside, above);
    if (shown_.is_point_cloud())
      cloud_.set_tone_mapping(shown_.paths.now(), panel_->box(), projection_to(*panel_, view_.plane()));
  }

  void draw(Drawing& drawing) const override {
    const Legend& legend = shown_.legend;
    const Panel& panel = *panel_;
    panel.open(drawing);
    draw_bodies(drawing, panel, view_.plane(), shown_, shown_.paths, cloud_);
    for (const auto& other : others_)
      draw_bodies(drawing, panel, view_.plane(), other->shown, other->shown.paths, cloud_);
    draw_names(drawing, panel, view_.plane(), shown_, cloud_);
    panel.close(drawing);
    const Box& box = panel.box();
    if (!legend.empty()) legend.draw(drawing, {box.right + panel.margins().right + gap(), box.top}, box.height());
    heading(drawing.size).draw(drawing, box, shown_.stamp());
  }

  [[nodiscard]] std::string remark() const override {
    std::string words = shown_.remark();
    for (const auto& other : others_)
      if (words.empty()) words = other->shown.remark();
    return words;
  }

 private:
  /// Another run in the same panel.
  struct Other {
    Other(const Style& style, const RunInfo& info, const Arguments& arguments, Trails trails)
        : shown(style, info, arguments, trails), view(shown.style, info, shown.reference, arguments, 0.5) {}
    Shown shown;
    PlaneView view;
  };

  /// Returns limits that hold those of each run.
  [[nodiscard]] std::array<Interval, 2> limits_of_all() const {
    std::array<Interval, 2> all = view_.limits(shown_.now());
    for (const auto& other : others_) {
      const auto limits = other->view.limits(other->shown.now());
      for (std::size_t k = 0; k < 2; ++k)
        all[k] = {std::min(all[k].low, limits[k].low), std::max(all[k].high, limits[k].high)};
    }
    return all;
  }
  [[nodiscard]] Heading heading(Size size) const {
    return {shown_.style, size, shown_.info.title, remark(), shown_.stamp().longest};
  }
  [[nodiscard]] float gap() const { return shown_.style.tick_text; }

  Shown shown_;
  PointCloud cloud_{shown_};
  PlaneView view_;
  std::vector<std::unique_ptr<Other>> others_;
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
