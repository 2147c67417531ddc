// SPDX-License-Identifier: MIT
// The figure "projections": the three coordinate planes with one scale, unfolded like an engineer's drawing.
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

constexpr std::array parameters{
    frame_parameter,
    Parameter{.name = "limits",
              .kind = Kind::numbers,
              .fallback = "",
              .meaning = "what is shown: [x from, to, y from, to, z from, to]; left out, all of the run",
              .unit = "length",
              .count = 6,
              .optional = true},
};

/// x-z above x-y, z-y to the right of it: panels that share a coordinate share its axis.
struct Panels {
  Panel xz, xy, zy;
};

class Projections final : public Figure {
 public:
  Projections(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : cast_(cast),
        look_(canvas.look()),
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
    const Panels panels = layout(drawing.size);
    const auto one = [&](const Panel& panel, Plane plane) {
      panel.open(drawing);
      draw_bodies(drawing, look_, panel, plane, paths_, cast_, still_);
      panel.close(drawing);
    };
    one(panels.xz, {0, 2});
    one(panels.xy, {0, 1});
    one(panels.zy, {2, 1});
    const Box &corner = panels.xz.box(), &beside = panels.zy.box();
    if (!legend_.empty()) legend_.draw(drawing, {beside.left + 0.3F * look_.tick_text, corner.top});
    heading(drawing, look_, {corner.left, corner.top, beside.right, beside.bottom}, cast_.title,
            shown_time(cast_, paths_, still_));
  }

  [[nodiscard]] Panels layout(Size size) const {
    const Extent extent = shown_extent(reference_, paths_, still_);
    std::array<Interval, 3> limits;
    for (std::size_t k = 0; k < 3; ++k) {
      limits[k] = limits_.empty() ? padded(extent, k, 0.3) : Interval{limits_[2 * k], limits_[2 * k + 1]};
    }
    const double dx = limits[0].length(), dy = limits[1].length(), dz = limits[2].length();
    const float edge = 0.7F * look_.tick_text, gap = 0.9F * look_.tick_text;
    Margins around{4.5F * look_.tick_text, 0, edge, 3.5F * look_.tick_text};
    float numbers = 0;
    double step = 0;  // of all axes, as they share their scale
    for (int pass = 0;; ++pass) {
      const Box room{edge + around.left, edge + heading_height(look_),
                     static_cast<float>(size.width) - edge - around.right,
                     static_cast<float>(size.height) - edge - around.bottom};
      const float beside = legend_.empty() ? 0 : legend_.width();
      // Pixels a unit of length, the same in all panels; the legend's column is never narrower than the
      // legend.
      double scale = std::min(static_cast<double>(room.width() - gap) / (dx + dz),
                              static_cast<double>(room.height() - gap) / (dy + dz));
      scale = std::min(scale, std::max(static_cast<double>(room.width() - gap - beside) / dx, 0.3 * scale));
      const auto pixels = [&](double length) { return static_cast<float>(scale * length); };
      const float width = pixels(dx) + gap + pixels(dz), height = pixels(dy) + gap + pixels(dz);
      const float left = room.middle() - std::max(width, pixels(dx) + gap + beside) / 2;
      const float top = room.top + (room.height() - height) / 2;
      const float middle = left + pixels(dx) + gap, below = top + pixels(dz) + gap;
      const auto axis = [&](std::size_t k, bool written) {
        Axis a = coordinate_axis(k, limits[k], cast_);
        a.written = written;
        a.room = numbers;
        a.step = step;
        return a;
      };
      Panels panels{
          Panel(look_, {left, top, left + pixels(dx), top + pixels(dz)}, axis(0, false), axis(2, true)),
          Panel(look_, {left, below, left + pixels(dx), below + pixels(dy)}, axis(0, true), axis(1, true)),
          Panel(look_, {middle, below, middle + pixels(dz), below + pixels(dy)}, axis(2, true),
                axis(1, false))};
      if (pass == 2) return panels;
      numbers = std::max(panels.xz.numbers(), panels.xy.numbers());
      step = std::max(panels.xy.step(), step);
      around = {std::max(panels.xz.margins().left, panels.xy.margins().left), 0, panels.zy.margins().right,
                panels.xy.margins().bottom};
    }
  }

  const Cast& cast_;
  Look look_;
  Reference reference_;
  Paths paths_;
  bool still_;
  Legend legend_;
  std::vector<double> limits_;
};

}  // namespace

extern const FigureKind projections{.name = "projections",
                                    .meaning = "the three coordinate planes in one picture, with one scale",
                                    .parameters = parameters,
                                    .needs_frames = true,
                                    .make = make<Projections>};

}  // namespace orrery::render
