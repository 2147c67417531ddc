// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/chart/marks.hpp"
#include "render/style/annotations.hpp"
#include "render/view/panel.hpp"

namespace orrery::render {

/// Returns how many curves, complete as at the end of a film, touch this box.
inline std::ptrdiff_t touching(const Panel& panel, const Chart& chart, const Box& box) {
  return std::ranges::count_if(chart.curves, [&](const Curve& curve) {
    if (is_band(curve)) {
      return std::ranges::any_of(spans_of(panel, chart, curve, grown(curve)), [&](const auto& piece) {
        std::vector<Point> high, low;
        for (const Span& span : piece) high.push_back(span.high), low.push_back(span.low);
        return crosses(high, box) || crosses(low, box) || std::ranges::any_of(piece, [&](const Span& span) {
                 return crosses({span.high, span.low}, box);
               });
      });
    }
    return std::ranges::any_of(pieces_of(points_of(panel, chart, curve)),
                               [&](const auto& piece) { return crosses(piece, box); });
  });
}

inline bool holds(const Box& box, const Box& inner) {
  return inner.left >= box.left && inner.right <= box.right && inner.top >= box.top && inner.bottom <= box.bottom;
}

inline bool apart(const Box& a, const Box& b) {
  return a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom;
}

/// Returns the point at a fraction `share` of the part of a curve inside of the box; nullopt if there is none.
inline std::optional<Point> place_on(const Pieces& pieces, const Box& box, double share) {
  std::vector<Point> inside;
  for (const auto& piece : pieces) {
    if (piece.size() == 1 && holds(box, piece.front())) inside.push_back(piece.front());
    // Curves of few points also have places between them.
    const int steps = piece.size() < 40 ? 25 : 1;
    for (std::size_t k = 1; k < piece.size(); ++k) {
      const Point a = piece[k - 1], b = piece[k];
      for (int s = 1; s <= steps; ++s) {
        const float t = static_cast<float>(s) / static_cast<float>(steps);
        const Point p{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        if (holds(box, p)) inside.push_back(p);
      }
    }
  }
  if (inside.empty()) return std::nullopt;
  return inside[static_cast<std::size_t>(share * static_cast<double>(inside.size() - 1))];
}

/// Writes notes beside curves, where they cover as little as possible.
class NoteWriter {
 public:
  NoteWriter(const Style& style, const Panel& panel, const Chart& chart, const std::optional<Box>& taken)
      : style_(style), panel_(panel), chart_(chart) {
    if (taken) taken_.push_back(*taken);
  }

  void write(Drawing& drawing, const Curve& curve, std::span<const Point> points, Color color) {
    const Pieces pieces = pieces_of(points);
    std::optional<std::pair<std::ptrdiff_t, Text>> best;
    const float size = style_.tick_text;
    std::vector<double> shares{0.5, 0.7, 0.3, 0.85, 0.15, 1.0, 0.0};
    for (int k = 1; k < 25; ++k) shares.push_back(0.04 * k);
    for (const double share : shares) {
      if (best && best->first == 0) break;
      const auto on = place_on(pieces, panel_.box(), share);
      if (!on) return;
      for (const float dx : {0.7F, -0.7F}) {
        for (const float dy : {-0.45F, 0.35F, 1.1F}) {
          const Text text{curve.note, {on->x + dx * size, on->y + dy * size}, size,
                          color,      dx > 0 ? Across::left : Across::right,  Along::baseline};
          const Box room = room_of(text);
          if (!holds(panel_.box(), room)) continue;
          std::ptrdiff_t hits = touching(panel_, chart_, room);
          for (const Box& other : taken_) hits += apart(room, other) ? 0 : 100;
          if (!best || hits < best->first) best = {hits, text};
        }
      }
    }
    if (!best) return;
    if (best->first > 0 && is_guide(curve) && write_in_corner(drawing, curve.note, color)) return;
    taken_.push_back(room_of(best->second));
    if (best->first > 0) drawing.fill(taken_.back(), faded(style_.background, 0.8));
    drawing.add(best->second);
  }

 private:
  /// Writes a note that has no space beside its curve, after a sample of the line, into a corner that no curve touches.
  bool write_in_corner(Drawing& drawing, const std::string& note, Color color) {
    const float size = style_.tick_text, sample = 2 * size, gap = 0.7F * size;
    const float wide = sample + 0.5F * size + extents_of(note, size).width;
    const Box& box = panel_.box();
    for (const float top : {box.top + gap, box.bottom - gap - 1.3F * size}) {
      for (const float left : {box.right - gap - wide, box.left + gap}) {
        const Box room{left, top, left + wide, top + 1.3F * size};
        const bool free = touching(panel_, chart_, room) == 0 &&
                          std::ranges::all_of(taken_, [&](const Box& other) { return apart(room, other); });
        if (!free || !holds(box, room)) continue;
        const float middle = (room.top + room.bottom) / 2;
        const Line line{{{left, middle}, {left + sample, middle}}, {color}, 0.75F * style_.curve_line};
        draw_dashed(drawing, line, 4 * style_.curve_line, 3 * style_.curve_line);
        drawing.text(note, {room.right, middle}, size, color, Across::right, Along::middle);
        taken_.push_back(room);
        return true;
      }
    }
    return false;
  }

  const Style& style_;
  const Panel& panel_;
  const Chart& chart_;
  std::vector<Box> taken_;
};

/// Edges are drawn as lines, to be visible where the band is thinner than a pixel. With many points per pixel those in a
/// quarter of a pixel are combined.
inline void draw_band(Drawing& drawing, const std::vector<std::vector<Span>>& pieces, Color color, float curve_line) {
  for (const std::vector<Span>& piece : pieces) {
    const float pixels = std::abs(piece.back().high.x - piece.front().high.x) + 1;
    const auto bucket =
        std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<float>(piece.size()) / (4 * pixels)));
    Area area{{}, faded(color, 0.35), true};
    Line high{{}, {color}, 0.5F * curve_line}, low{{}, {color}, 0.5F * curve_line};
    for (std::size_t from = 0; from < piece.size(); from += bucket) {
      Span all = piece[from];
      for (std::size_t i = from; i < std::min(from + bucket, piece.size()); ++i) {
        all.high.y = std::min(all.high.y, piece[i].high.y);
        all.low.y = std::max(all.low.y, piece[i].low.y);
      }
      high.points.push_back(all.high);
      low.points.push_back(all.low);
    }
    area.points = high.points;
    area.points.insert(area.points.end(), low.points.rbegin(), low.points.rend());
    drawing.add(std::move(area));
    if (piece.size() == 1) {  // a vertical line
      drawing.add(Line{{piece[0].high, piece[0].low}, {color}, 2 * curve_line});
      continue;
    }
    drawing.add(thinned(std::move(high)));
    drawing.add(thinned(std::move(low)));
  }
}

/// The length of a segment of a growing line: about this many pixels along the x axis, at least this many points.
inline constexpr float segment_pixels = 16;
inline constexpr std::size_t segment_points = 64;

/// One panel of a chart without its title. All arguments must outlive it.
class ChartPanel {
 public:
  /// Notes of curves avoid the box `taken`.
  ChartPanel(const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
             const std::optional<Box>& taken)
      : style_(style), panel_(panel), chart_(chart), legend_(legend), is_empty_(!has_points(chart)) {
    const auto order = [](const Curve& curve) { return is_guide(curve) ? 0 : is_band(curve) ? 1 : 2; };
    NoteWriter notes(style, panel, chart, taken);
    for (const int painted : {0, 1, 2}) {
      std::size_t unnamed = 0;
      for (const Curve& curve : chart.curves) {
        const CurveStyle look = is_guide(curve) ? CurveStyle{.color = style.soft_ink}
                                                : legend.style_of(curve, curve.name.empty() ? unnamed++ : 0);
        if (order(curve) == painted) add(curve, look);
      }
    }
    for (const PlottedCurve& plotted : curves_) {
      if (!plotted.curve->note.empty() && style.legended)
        notes.write(notes_, *plotted.curve, plotted.points, plotted.style.color);
    }
    // The segments of a line would be drawn over bands that grow.
    if (std::ranges::any_of(curves_, [](const PlottedCurve& p) { return is_band(*p.curve) && !p.curve->time.empty(); }))
      return;
    has_layer_ = true;
    for (std::size_t i = 0; i < curves_.size(); ++i) cut(i);
    std::ranges::stable_sort(segments_, {}, &Segment::order);
  }

  /// Draws all of it, for a still.
  void draw(Drawing& drawing) const {
    panel_.open(drawing);
    draw_zero(drawing);
    for (const PlottedCurve& plotted : curves_) draw_curve(drawing, plotted, 0, plotted.points.size());
    panel_.close(drawing);
    draw_marks(drawing, {});
    draw_words(drawing);
  }

  /// The three parts of a picture of a film, in painting order. The first stays the same, the second only grows: it consists of
  /// the segments of curves that are complete at `now`, which are cut at fixed points, so that a picture does not depend on
  /// where a film began. The cost of the third does not depend on the number of points that lines have.
  void draw_start(Drawing& drawing) const {
    panel_.open(drawing);
    draw_zero(drawing);
    for (const PlottedCurve& plotted : curves_) {
      if (has_layer_ && plotted.curve->time.empty()) draw_curve(drawing, plotted, 0, plotted.points.size());
    }
    drawing.add(Clip{});
    panel_.draw_labels(drawing);
  }
  void grow(Drawing& drawing, double now) {
    const auto is_complete = [&](const Segment& s) { return grown(*curves_[s.curve].curve, now) >= s.to; };
    if (next_ == segments_.size() || !is_complete(segments_[next_])) return;
    drawing.add(Clip{panel_.box()});
    for (; next_ < segments_.size() && is_complete(segments_[next_]); ++next_) {
      const Segment& s = segments_[next_];
      draw_line(drawing, curves_[s.curve], s.from, s.to);
      curves_[s.curve].drawn = s.next;
    }
    drawing.add(Clip{});
  }
  void draw_rest(Drawing& drawing, double now) const {
    drawing.add(Clip{panel_.box()});
    for (const PlottedCurve& plotted : curves_) {
      if (has_layer_ && plotted.curve->time.empty()) continue;
      draw_curve(drawing, plotted, plotted.drawn, grown(*plotted.curve, now));
    }
    panel_.draw_frame(drawing);
    draw_marks(drawing, now);
    draw_words(drawing);
  }

 private:
  /// A curve in pixels.
  struct PlottedCurve {
    const Curve* curve = nullptr;
    CurveStyle style{};
    std::vector<Point> points{};       // not finite in gaps
    std::vector<std::size_t> marks{};  // at these points
    float mark = 0;                    // their radius
    float width = 1;                   // of the line
    std::size_t bucket = 1;            // points of which only the extremes are drawn
    std::size_t drawn = 0;             // grow() has drawn the line up to this point
  };
  /// A part of a growing line.
  struct Segment {
    double order = 0;  // segments are drawn in this order
    std::size_t curve = 0, from = 0, to = 0;
    std::size_t next = 0;  // where the next segment begins, which overlaps it
  };

  void add(const Curve& curve, const CurveStyle& style) {
    using enum Curve::Stroke;
    PlottedCurve plotted{.curve = &curve, .style = style, .points = points_of(panel_, chart_, curve)};
    // A curve that will fill its box is thinner, from the first picture of a film on.
    const bool dense = static_cast<float>(std::min(curve.x.size(), curve.y.size())) > 0.7F * panel_.box().width();
    const float fine = std::max(0.75F * style_.curve_line, std::min(style_.curve_line, 1.F));
    const float usual = dense || is_guide(curve) ? fine : style_.curve_line;
    plotted.width = style_.line > 0 && !is_guide(curve) ? style_.line : usual;
    plotted.bucket = points_per_quarter(plotted.points);
    float mark = 8.5F;
    if (curve.stroke == marks || curve.stroke == both) {
      for (std::size_t i = 0; i < plotted.points.size(); ++i) {
        if (!is_gap(plotted.points[i])) plotted.marks.push_back(i);
      }
      mark = plotted.marks.size() > 400 ? 4 : plotted.marks.size() > 100 ? 6 : 8.5F;
    } else if (is_sparsely_marked(curve)) {
      const double golden = 0.618 * static_cast<double>(style.mark + 1);
      plotted.marks = sparse_marks(plotted.points, panel_.box(), golden - std::floor(golden));
    }
    plotted.mark = style_.mark > 0 ? style_.mark : mark * style_.unit;
    curves_.push_back(std::move(plotted));
  }
  /// Divides a line that grows into segments.
  void cut(std::size_t index) {
    PlottedCurve& plotted = curves_[index];
    const Curve& curve = *plotted.curve;
    const std::size_t n = plotted.points.size();
    const bool solid = curve.stroke == Curve::Stroke::line || curve.stroke == Curve::Stroke::both;
    if (curve.time.empty() || !solid || curve.run > 0 || plotted.style.second || n == 0) return;
    // Whole buckets, which are in both segments where these meet.
    const std::size_t least = std::max(static_cast<std::size_t>(4 * segment_pixels) * plotted.bucket, segment_points);
    const std::size_t length = (least + plotted.bucket - 1) / plotted.bucket * plotted.bucket;
    const double sign = curve.time.back() < curve.time.front() ? -1 : 1;
    for (std::size_t from = 0; from < n; from += length) {
      const std::size_t to = std::min(n, from + length + plotted.bucket);
      segments_.push_back({sign * curve.time[to - 1], index, from, to, std::min(n, from + length)});
    }
  }
  void draw_zero(Drawing& drawing) const {
    const Interval &x = panel_.horizontal().limits, &y = panel_.vertical().limits;
    if (panel_.vertical().logarithmic || y.low >= 0 || y.high <= 0) return;
    drawing.line(panel_.at(x.low, 0), panel_.at(x.high, 0), style_.soft_ink, style_.grid_line);
  }
  /// Draws the points of a line from `from` to `to` - 1, or a whole band up to there.
  void draw_curve(Drawing& drawing, const PlottedCurve& plotted, std::size_t from, std::size_t to) const {
    if (is_band(*plotted.curve)) {
      draw_band(drawing, spans_of(panel_, chart_, *plotted.curve, to), plotted.style.color, style_.curve_line);
    } else if (plotted.curve->stroke != Curve::Stroke::marks) {
      draw_line(drawing, plotted, from, to);
    }
  }
  void draw_line(Drawing& drawing, const PlottedCurve& plotted, std::size_t from, std::size_t to) const {
    const std::vector<Point>& points = plotted.points;
    for (Line& line :
         lines_of(std::span(points).subspan(from, to - from), plotted.bucket, plotted.style.color, plotted.width)) {
      if (plotted.curve->stroke == Curve::Stroke::dashed) {
        draw_dashed(drawing, line, 4 * style_.curve_line, 3 * style_.curve_line);
        continue;
      }
      draw_line_of_run(drawing, line, plotted.curve->run);
      if (!plotted.style.second) continue;
      line.colors = {*plotted.style.second};
      draw_dashed(drawing, line, 14 * line.width, 14 * line.width);
    }
    for (std::size_t i = from; i < to; ++i) {
      const bool is_alone = (i == 0 || is_gap(points[i - 1])) && (i + 1 == points.size() || is_gap(points[i + 1]));
      if (is_alone && !is_gap(points[i])) drawing.add(Disc{points[i], 1.2F * plotted.width, plotted.style.color});
    }
  }
  /// Above the frame, which would cut those at the edge.
  void draw_marks(Drawing& drawing, std::optional<double> now) const {
    if (chart_.cut) drawing.add(Clip{panel_.box()});
    for (const PlottedCurve& plotted : curves_) {
      const auto points = std::span(plotted.points).first(grown(*plotted.curve, now));
      const auto last = std::find_if_not(points.rbegin(), points.rend(), is_gap);
      if (is_band(*plotted.curve) || last == points.rend()) continue;
      bool any = false;
      const auto mark = [&](Point at) {
        if (!holds(panel_.box(), at, chart_.cut ? plotted.mark : 1)) return;
        draw_mark(drawing, style_, plotted.style.mark, at, plotted.mark, plotted.style.color);
        any = true;
      };
      for (const std::size_t i : plotted.marks) {
        if (i < points.size()) mark(points[i]);
      }
      // At least one, also on a short curve.
      const bool is_bare = plotted.marks.empty() || plotted.marks.front() >= points.size();
      if (is_bare && is_sparsely_marked(*plotted.curve)) {
        const auto length = std::find_if(last, points.rend(), is_gap) - last;
        mark(last[length - 1 - length / 2]);
      }
      const bool ends = now && !plotted.curve->time.empty();
      if ((ends || (!any && stays(points))) && holds(panel_.box(), *last, 1)) {
        const float radius = style_.mark > 0 ? style_.mark : 7 * style_.unit;
        drawing.add(Disc{*last, radius, plotted.style.color, style_.background, style_.frame_line});
      }
    }
    if (chart_.cut) drawing.add(Clip{});
  }
  void draw_words(Drawing& drawing) const {
    for (const Shape& shape : notes_.shapes) drawing.add(shape);
    if (!is_empty_) return;
    const Point middle{panel_.box().middle(), (panel_.box().top + panel_.box().bottom) / 2};
    const std::string words = fitted(chart_.empty, style_.label_text, false, 0.96F * panel_.box().width());
    drawing.text(words, middle, style_.label_text, style_.soft_ink, Across::center, Along::middle);
  }
  [[nodiscard]] bool is_sparsely_marked(const Curve& curve) const {
    using enum Curve::Stroke;
    // Of several runs with the same curves, the marks of one are enough.
    const bool repeated =
        !chart_.runs.empty() && &*std::ranges::find(chart_.curves, curve.name, &Curve::name) != &curve;
    return (curve.stroke == line || curve.stroke == dashed) && legend_.marked() && !curve.name.empty() && !repeated;
  }
  /// Returns whether a curve is one dot: a single moment, or a body at rest.
  [[nodiscard]] bool stays(std::span<const Point> points) const {
    const Point first = *std::ranges::find_if_not(points, is_gap);
    return std::ranges::all_of(
        points, [&](Point at) { return is_gap(at) || std::hypot(at.x - first.x, at.y - first.y) < style_.unit; });
  }

  const Style& style_;
  const Panel& panel_;
  const Chart& chart_;
  const ChartLegend& legend_;
  bool is_empty_;
  std::vector<PlottedCurve> curves_;  // in painting order: guides, bands, lines
  Drawing notes_{};
  bool has_layer_ = false;  // pictures of a film share what does not change
  std::vector<Segment> segments_;
  std::size_t next_ = 0;  // the first segment that has not been drawn
};

}  // namespace orrery::render
