// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/view/plane.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{bodies_parameter,     frame_parameter,        color_parameter,
                                colormap_parameter,   space_limits_parameter, zoom_parameter,
                                follow_parameter,     frame_limits_parameter, outliers_parameter,
                                line_width_parameter, marker_size_parameter};

/// x-z above x-y, and z-y to the right of it: panels with a common coordinate share its axis.
constexpr std::array<Plane, 3> shown_planes{{{0, 2}, {0, 1}, {2, 1}}};
struct Panels {
  Panel xz, xy, zy;
  bool legend_outside = false;  ///< rather than in the free corner

  [[nodiscard]] std::array<const Panel*, 3> all() const { return {&xz, &xy, &zy}; }
};

class Projections final : public Figure {
 public:
  Projections(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(canvas.style(), info, arguments, trails),
        view_limits_(info, shown_.reference, arguments, {0, 1, 2}, 0.3) {
    // Each side is shared by two panels.
    shown_.style.named = shown_.style.named && letters(shown_.style, canvas.size()) >= 16;
    shown_.style.numbered = shown_.style.numbered && letters(shown_.style, canvas.size()) >= 13;
  }

  void show(const Frame& frame) override { shown_.take(frame); }

  void prepare(const Drawing& blank) override {
    if (numbers_ == 0) {
      numbers_ =
          view_limits_.widest([&](const Volume& volume) { return layout(blank.size, volume.limits).xy.numbers(); });
    }
    panels_ = layout(blank.size, view_limits_.at(shown_.now()).limits);
    if (!shown_.is_point_cloud()) return;
    for (std::size_t k = 0; k < 3; ++k) {
      const Panel& panel = *panels_->all()[k];
      clouds_[k].set_tone_mapping(shown_.paths.now(), panel.box(), projection_to(panel, shown_planes[k]));
    }
  }

  void draw(Drawing& drawing) const override {
    const Panels& panels = *panels_;
    for (std::size_t k = 0; k < 3; ++k) {
      const Panel& panel = *panels.all()[k];
      panel.open(drawing);
      draw_bodies(drawing, panel, shown_planes[k], shown_, shown_.paths, clouds_[k]);
      panel.close(drawing);
    }
    const Box &corner = panels.xz.box(), &beside = panels.zy.box();
    if (!shown_.legend.empty()) {
      const float left =
          panels.legend_outside ? beside.right + shown_.style.tick_text : beside.left + 0.3F * shown_.style.tick_text;
      shown_.legend.draw(drawing, {left, corner.top}, corner.height());
    }
    heading(drawing.size).draw(drawing, {corner.left, corner.top, beside.right, beside.bottom}, shown_.stamp());
  }

  [[nodiscard]] std::string remark() const override { return shown_.remark(); }

 private:
  [[nodiscard]] Heading heading(Size size) const {
    return {shown_.style, size, shown_.info.title, remark(), shown_.stamp().longest};
  }
  /// Puts the legend into the free corner, or outside if it is higher than that.
  [[nodiscard]] Panels layout(Size size, const std::array<Interval, 3>& limits) const {
    Panels panels = layout(size, limits, false);
    const float high = panels.xz.box().height();
    if (shown_.legend.empty() || shown_.legend.height(high) <= high) return panels;
    return layout(size, limits, true);
  }

  [[nodiscard]] Panels layout(Size size, const std::array<Interval, 3>& limits, bool outside) const {
    const Style& style = shown_.style;
    const double dx = limits[0].length(), dy = limits[1].length(), dz = limits[2].length();
    // The limits of a box are often round, so that labels at the ends of neighbouring axes face each other.
    const bool boxed = shown_.reference.bounds().any();
    float gap = (boxed ? 1.2F : 0.9F) * style.tick_text;
    Margins around = first_margins(style);
    float numbers = numbers_;
    double step = 0;  // the same on all axes, since they share their scale
    const float wide = shown_.legend.empty() ? 0 : shown_.legend.width(static_cast<float>(size.height) / 3);
    const float beside = outside ? 0 : wide, above = heading(size).height();
    for (int pass = 0;; ++pass) {
      const Box room = room_for_panels(style, size, around, outside ? wide + style.tick_text : 0, above);
      // Pixels per unit of length, the same in all panels; the right column is at least as wide as the legend in it.
      double scale = std::min(static_cast<double>(room.width() - gap) / (dx + dz),
                              static_cast<double>(room.height() - gap) / (dy + dz));
      scale = std::min(scale, std::max(static_cast<double>(room.width() - gap - beside) / dx, 0.3 * scale));
      const auto pixels = [&](double length) { return static_cast<float>(scale * length); };
      const float width = pixels(dx) + gap + pixels(dz), height = pixels(dy) + gap + pixels(dz);
      const float left = room.middle() - std::max(width, pixels(dx) + gap + beside) / 2;
      const float top = room.top + (room.height() - height) / 2;
      const float middle = left + pixels(dx) + gap, below = top + pixels(dz) + gap;
      const auto axis = [&](std::size_t k, bool written) {
        Axis a = coordinate_axis(k, limits[k], shown_.info);
        a.written = written;
        a.room = numbers;
        a.step = step;
        a.largest = largest_of(limits);
        return a;
      };
      Panels panels{
          Panel(style, {left, top, left + pixels(dx), top + pixels(dz)}, axis(0, false), axis(2, true)),
          Panel(style, {left, below, left + pixels(dx), below + pixels(dy)}, axis(0, true), axis(1, true)),
          Panel(style, {middle, below, middle + pixels(dz), below + pixels(dy)}, axis(2, true), axis(1, false)),
          outside};
      if (pass == 2) return panels;
      numbers = std::max(numbers, std::max(panels.xz.numbers(), panels.xy.numbers()));
      step = std::max(panels.xy.step(), step);
      if (boxed) gap = std::max(gap, panels.xy.overhang()[1] + panels.zy.overhang()[0] + 0.5F * style.tick_text);
      around = {std::max(panels.xz.margins().left, panels.xy.margins().left), 0, panels.zy.margins().right,
                panels.xy.margins().bottom};
    }
  }

  Shown shown_;
  ViewLimits view_limits_;
  std::array<PointCloud, 3> clouds_{PointCloud(shown_), PointCloud(shown_), PointCloud(shown_)};
  std::optional<Panels> panels_;
  float numbers_ = 0;  // the maximum width over the run, if limits move
};

}  // namespace

extern const FigureKind projections{.name = "projections",
                                    .meaning = "bodies and their paths in all three coordinate planes, with one scale",
                                    .parameters = parameters,
                                    .needs_frames = true,
                                    .make = make<Projections>,
                                    .has_paths = true,
                                    .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
