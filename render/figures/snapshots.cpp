// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "render/canvas/canvas.hpp"
#include "render/canvas/text.hpp"
#include "render/figures/shared.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t most = 36;

constexpr std::array parameters{
    plane_parameter,
    optional_key("times", Kind::numbers_or_texts, "[0.0, 1.0]",
                 "times of the panels, as numbers or \"1/2 period\", in the order of the run; default: `count` times "
                 "evenly spaced from start to end",
                 "time"),
    Parameter{.name = "count",
              .kind = Kind::integer,
              .fallback = "6",
              .meaning = "number of panels; 1 if the run has a single frame",
              .range = {.low = 1, .high = most}},
    Parameter{.name = "columns",
              .kind = Kind::integer,
              .example = "2",
              .meaning = "number of panels per row; default: the number that makes them largest",
              .range = {.low = 1, .high = most},
              .optional = true},
    bodies_parameter,
    frame_parameter,
    color_parameter,
    colormap_parameter,
    plane_limits_parameter,
    zoom_parameter,
    outliers_parameter,
    line_width_parameter,
    marker_size_parameter,
};

std::vector<double> times_of(const RunInfo& info, const Arguments& arguments) {
  const double span = info.end - info.start;
  std::vector<double> times;
  if (!arguments.has("times")) {
    const std::int64_t count = span == 0 ? 1 : arguments.integer("count");
    for (std::int64_t k = 0; k < count; ++k) {
      const double share = count == 1 ? 1 : static_cast<double>(k) / static_cast<double>(count - 1);
      times.push_back(k + 1 == count ? info.end : info.start + span * share);
    }
    return times;
  }
  times = arguments.numbers("times");
  if (times.empty() || times.size() > most) {
    throw ArgumentError("times", "1 to " + std::to_string(most) + " panels can be drawn");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i > 0 && !((times[i] - times[i - 1]) * (span < 0 ? -1 : 1) > 0))
      throw ArgumentError("times", "times must come in the order of the run");
    const double share = span != 0 ? (times[i] - info.start) / span : 0;
    // While a run is in progress, without samples, a time beyond its end may still come.
    if (info.samples.empty() && !(share >= -1e-9 && share <= 1 + 1e-9)) {
      throw ArgumentError("times", fmt::format("the run goes from {:.6g} to {:.6g}, and {:.6g} is not in between",
                                               info.start, info.end, times[i]));
    }
  }
  return times;
}

class Snapshots final : public Figure {
 public:
  Snapshots(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(canvas.style(), info, arguments, trails),
        view_(shown_.style, info, shown_.reference, arguments, 0.5),
        times_(times_of(info, arguments)) {
    if (arguments.has("columns")) columns_ = static_cast<std::size_t>(arguments.integer("columns"));
    // As in a film, the tone mapping of a point cloud is set once for all panels; and without whole paths their starts
    // are not marked.
    if (shown_.info.mass.size() > max_bodies_with_paths || !std::isinf(trails.time)) shown_.still = false;
    const float side = letters(shown_.style, canvas.size()) / std::sqrt(static_cast<float>(times_.size()));
    shown_.style.numbered = shown_.style.numbered && side >= 5;
    shown_.style.named = shown_.style.named && side >= 5;
  }

  void show(const Frame& frame) override {
    shown_.take(frame);
    const double start = shown_.info.start, span = shown_.info.end - start, way = span < 0 ? -1 : 1;
    const auto reached = [&](double now, double time) { return way * (now - time) >= -1e-9 * std::abs(span); };
    while (taken_.size() < times_.size() && reached(frame.time, times_[taken_.size()])) {
      const bool before = !reached(times_[taken_.size()], start);  // before the first frame of a part of the run
      taken_.push_back(before ? Paths({}) : shown_.paths);
    }
  }

  void prepare(const Drawing& blank) override {
    const Legend& legend = shown_.legend;
    const float beside = legend.empty() ? 0 : legend.width(0.7F * static_cast<float>(blank.size.height)) + gap();
    grid_.reset();
    for (std::size_t columns = columns_.value_or(1); columns <= columns_.value_or(times_.size()); ++columns) {
      Grid grid = layout(blank.size, std::min(columns, times_.size()), beside);
      if (!grid_ || grid.panels.front().box().width() > grid_->panels.front().box().width()) grid_ = std::move(grid);
    }
    const auto first = std::ranges::find_if(taken_, [](const Paths& paths) { return !paths.empty(); });
    if (first == taken_.end() || !shown_.is_point_cloud()) return;
    const Panel& panel = grid_->panels[static_cast<std::size_t>(first - taken_.begin())];
    cloud_.set_tone_mapping(first->now(), panel.box(), projection_to(panel, view_.plane()));
  }

  void draw(Drawing& drawing) const override {
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const Panel& panel = grid_->panels[i];
      panel.open(drawing);
      const bool seen = i < taken_.size() && !taken_[i].empty();
      if (seen) draw_bodies(drawing, panel, view_.plane(), shown_, taken_[i], cloud_);
      panel.close(drawing);
      stamp(drawing, panel, seen ? taken_[i].now().time : times_[i]);
    }
    const Box all = grid_->box();
    const Legend& legend = shown_.legend;
    if (!legend.empty()) {
      legend.draw(drawing, {all.right + grid_->panels.front().margins().right + gap(), all.top}, all.height());
    }
    Box below_times = all;
    below_times.top -= 1.5F * shown_.style.tick_text;
    heading(drawing.size).draw(drawing, below_times);
  }

  [[nodiscard]] std::string remark() const override { return shown_.remark(); }

 private:
  struct Grid {
    std::size_t columns, rows;
    std::vector<Panel> panels;
    [[nodiscard]] Box box() const {
      Box all = panels.front().box();
      for (const Panel& panel : panels)
        all = {std::min(all.left, panel.box().left), all.top, std::max(all.right, panel.box().right),
               std::max(all.bottom, panel.box().bottom)};
      return all;
    }
  };

  [[nodiscard]] Heading heading(Size size) const { return {shown_.style, size, shown_.info.title, remark()}; }
  [[nodiscard]] float gap() const { return shown_.style.tick_text; }

  /// Returns whether there is space for times above the panels.
  [[nodiscard]] bool stamped() const { return shown_.style.numbered; }

  /// Writes the time above the panel, where it hides no bodies.
  void stamp(Drawing& drawing, const Panel& panel, double time) const {
    const Style& style = shown_.style;
    const Box& box = panel.box();
    if (!stamped()) return;
    const auto words = [&](double t, bool brief) {
      return time_stamp(shown_.info, t).words.substr(brief && !shown_.info.dates ? 4 : 0);
    };
    const auto widest = [&](bool brief) {  // the same size in all panels
      float wide = 1;
      for (const double t : times_) wide = std::max(wide, extents_of(words(t, brief), style.tick_text).width);
      return wide;
    };
    // If text may not shrink, leave out "t = ", but never cut a number.
    const bool rigid = style.min_text > 0, brief = rigid && widest(false) > box.width();
    if (brief && widest(true) > box.width()) return;
    const float size =
        std::max(style.min_text, style.tick_text * std::clamp(0.96F * box.width() / widest(brief), 0.6F, 1.F));
    drawing.text(rigid ? words(time, brief) : fitted(words(time, false), size, false, box.width()),
                 {box.middle(), box.top - 0.4F * style.tick_text}, size, style.ink, Across::center, Along::baseline);
  }

  [[nodiscard]] Grid layout(Size size, std::size_t columns, float beside) const {
    const Style& style = shown_.style;
    auto [right, up] = view_.limits(nullptr);
    const double ratio = right.length() / up.length();
    const std::size_t n = times_.size(), rows = (n + columns - 1) / columns;
    Margins around = first_margins(style);
    float overhang = 0;  // of the labels of two neighbours, towards each other
    for (int pass = 0;; ++pass) {
      const float gap = std::ceil((stamped() ? 1.5F : 0.8F) * style.tick_text);  // includes the time
      const float between = std::ceil(0.8F * style.tick_text + overhang);
      Box room = room_for_panels(style, size, around, beside, heading(size).height());
      room.top += gap;
      const auto c = static_cast<float>(columns), r = static_cast<float>(rows);
      // Whole pixels, so that all panels are identical.
      Box cell = fitted_box({0, 0, (room.width() - (c - 1) * between) / c, (room.height() - (r - 1) * gap) / r}, ratio);
      cell = {0, 0, std::floor(cell.width()), std::max(8.F, std::floor(cell.height()))};
      const float wide = c * cell.width() + (c - 1) * between, high = r * cell.height() + (r - 1) * gap;
      const float left = room.middle() - wide / 2, top = room.top + (room.height() - high) / 2;
      Grid grid{columns, rows, {}};
      for (std::size_t i = 0; i < n; ++i) {
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(i) / c;
        Axis x = coordinate_axis(view_.plane().right, right, shown_.info),
             y = coordinate_axis(view_.plane().up, up, shown_.info);
        x.largest = y.largest = largest_of(std::array{right, up});
        x.written = i + columns >= n;  // none below it
        y.written = i % columns == 0;
        x.within = columns > 1;
        y.within = rows > 1;
        const float at = left + column * (cell.width() + between), down = top + std::floor(row) * (cell.height() + gap);
        grid.panels.emplace_back(style, Box{at, down, at + cell.width(), down + cell.height()}, x, y);
      }
      if (pass == 2) return grid;
      around.left = grid.panels.front().margins().left;
      around.bottom = grid.panels.back().margins().bottom;
      around.right = grid.panels.back().margins().right;
      const auto [left_out, right_out] = grid.panels.back().overhang();
      overhang = columns > 1 ? left_out + right_out : 0;
    }
  }

  Shown shown_;
  PointCloud cloud_{shown_};
  PlaneView view_;
  std::vector<double> times_;
  std::optional<std::size_t> columns_;
  std::optional<Grid> grid_;
  std::vector<Paths> taken_;  // of the panels whose times have been reached
};

}  // namespace

extern const FigureKind snapshots{
    .name = "snapshots",
    .meaning = "bodies and their paths in a coordinate plane at several times, one panel each",
    .parameters = parameters,
    .needs_frames = true,
    .make = make<Snapshots>,
    .moments = times_of,
    .has_paths = true,
    .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
