// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "render/canvas/text.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/chart/chart_legend.hpp"
#include "render/chart/marks.hpp"

namespace orrery::render {
namespace {

bool holds(const Box& box, Point p, float slack = 0) {
  return p.x >= box.left - slack && p.x <= box.right + slack && p.y >= box.top - slack && p.y <= box.bottom + slack;
}

bool holds(const Box& box, const Box& inner) {
  return inner.left >= box.left && inner.right <= box.right && inner.top >= box.top && inner.bottom <= box.bottom;
}

bool apart(const Box& a, const Box& b) {
  return a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom;
}

/// Returns the point at a fraction `share` of the part of a curve inside of the box; nullopt if there is none.
std::optional<Point> place_on(const Pieces& pieces, const Box& box, double share) {
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

class Plotter {
 public:
  Plotter(const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
          std::optional<double> now)
      : style_(style), panel_(panel), chart_(chart), legend_(legend), now_(now) {}

  void draw(Drawing& drawing, const std::optional<Box>& taken) {
    if (taken) taken_.push_back(*taken);
    panel_.open(drawing);
    draw_zero(drawing);
    std::vector<std::pair<const Curve*, Color>> noted;
    const auto layer = [](const Curve& curve) { return is_guide(curve) ? 0 : is_band(curve) ? 1 : 2; };
    for (const int now_drawn : {0, 1, 2}) {
      std::size_t unnamed = 0;
      for (const Curve& curve : chart_.curves) {
        const bool guide = is_guide(curve);
        const CurveStyle style =
            guide ? CurveStyle{.color = style_.soft_ink} : legend_.style_of(curve, curve.name.empty() ? unnamed++ : 0);
        if (layer(curve) != now_drawn) continue;
        is_band(curve) ? draw_band(drawing, curve, style.color) : draw_curve(drawing, curve, style);
        if (!curve.note.empty() && style_.legended) noted.emplace_back(&curve, style.color);
      }
    }
    panel_.close(drawing);
    if (chart_.cut) drawing.add(Clip{panel_.box()});
    std::ranges::move(above_.shapes, std::back_inserter(drawing.shapes));
    if (chart_.cut) drawing.add(Clip{});
    for (const auto& [curve, color] : noted) write_note(drawing, *curve, color);
    if (has_points(chart_)) return;
    const Point middle{panel_.box().middle(), (panel_.box().top + panel_.box().bottom) / 2};
    const std::string words = fitted(chart_.empty, style_.label_text, false, 0.96F * panel_.box().width());
    drawing.text(words, middle, style_.label_text, style_.soft_ink, Across::center, Along::middle);
  }

 private:
  void draw_zero(Drawing& drawing) const {
    const Interval &x = panel_.horizontal().limits, &y = panel_.vertical().limits;
    if (chart_.equal || panel_.vertical().logarithmic || y.low >= 0 || y.high <= 0) return;
    drawing.line(panel_.at(x.low, 0), panel_.at(x.high, 0), style_.soft_ink, style_.grid_line);
  }

  /// Edges are drawn as lines, to be visible where the band is thinner than a pixel. With many points per pixel those in a
  /// quarter of a pixel are combined.
  void draw_band(Drawing& drawing, const Curve& curve, Color color) const {
    for (const std::vector<Span>& piece : spans_of(panel_, chart_, curve, now_)) {
      const float pixels = std::abs(piece.back().high.x - piece.front().high.x) + 1;
      const auto bucket =
          std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<float>(piece.size()) / (4 * pixels)));
      Area area{{}, faded(color, 0.35), true};
      Line high{{}, {color}, 0.5F * style_.curve_line}, low{{}, {color}, 0.5F * style_.curve_line};
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
        drawing.add(Line{{piece[0].high, piece[0].low}, {color}, 2 * style_.curve_line});
        continue;
      }
      drawing.add(thinned(std::move(high)));
      drawing.add(thinned(std::move(low)));
    }
  }

  void draw_curve(Drawing& drawing, const Curve& curve, const CurveStyle& style) {
    using enum Curve::Stroke;
    const Pieces pieces = pieces_of(panel_, chart_, curve, now_);
    if (pieces.empty()) return;
    std::size_t points = 0;
    for (const auto& piece : pieces) points += piece.size();
    if (curve.stroke != marks) draw_line(drawing, curve, pieces, style);
    const std::size_t before = above_.shapes.size();
    const auto mark = [&](Point at, float usual) {
      const float radius = style_.mark > 0 ? style_.mark : usual * style_.unit;
      if (holds(panel_.box(), at, chart_.cut ? radius : 1))
        draw_mark(above_, style_, style.mark, at, radius, style.color);
    };
    if (curve.stroke == marks || curve.stroke == both) {
      const float radius = points > 400 ? 4 : points > 100 ? 6 : 8.5F;
      for (const auto& piece : pieces) std::ranges::for_each(piece, [&](Point at) { mark(at, radius); });
    } else if (legend_.marked() && !curve.name.empty()) {
      const double golden = 0.618 * static_cast<double>(style.mark + 1);
      for (const Point at : sparse_marks(pieces, panel_.box(), golden - std::floor(golden))) mark(at, 8.5F);
    }
    const bool lonely = stays(pieces) && above_.shapes.size() == before;
    const Point end = pieces.back().back();
    if (((now_ && !curve.time.empty()) || lonely) && holds(panel_.box(), end, 1)) {
      const float radius = style_.mark > 0 ? style_.mark : 7 * style_.unit;
      above_.add(Disc{end, radius, style.color, style_.background, style_.frame_line});
    }
  }

  /// Returns whether the whole curve is one dot: a single moment, or a body at rest.
  [[nodiscard]] bool stays(const Pieces& pieces) const {
    const Point first = pieces.front().front();
    return std::ranges::all_of(pieces, [&](const auto& piece) {
      return std::ranges::all_of(piece,
                                 [&](Point at) { return std::hypot(at.x - first.x, at.y - first.y) < style_.unit; });
    });
  }

  void draw_line(Drawing& drawing, const Curve& curve, const Pieces& pieces, const CurveStyle& style) const {
    // A curve that will fill its box is thinner, from the first picture of a film on.
    const bool dense = static_cast<float>(std::min(curve.x.size(), curve.y.size())) > 0.7F * panel_.box().width();
    const float fine = std::max(0.75F * style_.curve_line, std::min(style_.curve_line, 1.F));
    const float usual = dense || is_guide(curve) ? fine : style_.curve_line;
    const float width = style_.line > 0 && !is_guide(curve) ? style_.line : usual;
    for (Line& line : lines_of(pieces, style.color, width)) {
      if (curve.stroke == Curve::Stroke::dashed) {
        draw_dashed(drawing, line, 4 * style_.curve_line, 3 * style_.curve_line);
      } else {
        draw_in_style(drawing, line, style);
      }
    }
    for (const auto& piece : pieces) {
      if (piece.size() == 1) drawing.add(Disc{piece.front(), 1.2F * width, style.color});
    }
  }

  /// Writes the note of a curve beside it, where it covers as little as possible.
  void write_note(Drawing& drawing, const Curve& curve, Color color) {
    const Pieces pieces = pieces_of(panel_, chart_, curve);
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
  const ChartLegend& legend_;
  std::optional<double> now_;
  Drawing above_;  // marks, above the frame, which would cut those at the edge
  std::vector<Box> taken_;
};

}  // namespace

std::ptrdiff_t touching(const Panel& panel, const Chart& chart, const Box& box) {
  return std::ranges::count_if(chart.curves, [&](const Curve& curve) {
    if (is_band(curve)) {
      return std::ranges::any_of(spans_of(panel, chart, curve), [&](const auto& piece) {
        std::vector<Point> high, low;
        for (const Span& span : piece) high.push_back(span.high), low.push_back(span.low);
        return crosses(high, box) || crosses(low, box) || std::ranges::any_of(piece, [&](const Span& span) {
                 return crosses({span.high, span.low}, box);
               });
      });
    }
    return std::ranges::any_of(pieces_of(panel, chart, curve), [&](const auto& piece) { return crosses(piece, box); });
  });
}

void draw_chart(Drawing& drawing, const Style& style, const Panel& panel, const Chart& chart, const ChartLegend& legend,
                const std::optional<Box>& taken, std::optional<double> now) {
  Plotter(style, panel, chart, legend, now).draw(drawing, taken);
}

}  // namespace orrery::render
