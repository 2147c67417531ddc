// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/bands.hpp"
#include "render/canvas/canvas.hpp"
#include "render/canvas/text.hpp"
#include "render/chart/chart_keys.hpp"
#include "render/figures/shared.hpp"
#include "render/point_cloud/density_map.hpp"
#include "render/statistics.hpp"
#include "render/style/annotations.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/colormap.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array parameters{
    bodies_parameter,
    plane_parameter,
    frame_parameter,
    plane_limits_parameter,
    zoom_parameter,
    follow_parameter,
    frame_limits_parameter,
    outliers_parameter,
    interval_key("range", "[-1.0, 1.0]",
                 "[from, to] of the colour scale as powers of ten; default: the range in the run, at most 5 decades"),
    colormap_key("colour map; default: magma from the colour of the background on, reversed in the light theme"),
    marker_size_parameter,
    Parameter{.name = "smoothing",
              .kind = Kind::integer,
              .example = "16",
              .meaning = "number of nearest bodies to which the kernel of a body reaches: fewer are sharper; default: "
                         "2.5 √N, from 24 to 400, but 16 where bodies are few and far",
              .range = {.low = 1, .high = 10'000},
              .optional = true},
    optional_key("component", Kind::text, "\"disk\"", "the only component that is shown; default: all"),
};

/// The bodies of a frame that are smoothed to a field, and those that dominate their neighbourhood and are drawn as discs.
struct Bodies {
  std::vector<PointMass> points;
  std::vector<std::size_t> dominant;  // in order of decreasing mass
  bool alike = false;                 // no point has mass: each counts as 1
};

class Density final : public Figure {
 public:
  Density(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info),
        style_(canvas.style()),
        reference_(arguments.text("frame"), info, arguments.text("outliers") == "show"),
        view_(style_, info, reference_, arguments, 0.3),
        still_(trails.still),
        chosen_(chosen_bodies(arguments, info)),
        palette_(scale_colors(arguments.has("colormap") ? arguments.text("colormap") : "", style_.theme, field_color)),
        given_(arguments.has("range")) {
    if (arguments.has("marker_size")) style_ = with_sizes(style_, arguments);
    if (arguments.has("smoothing")) smoothing_ = static_cast<std::size_t>(arguments.integer("smoothing"));
    if (arguments.has("component")) choose(arguments.text("component"));
    if (given_) range_ = *interval_of(arguments, "range");
  }

  void show(const Frame& frame) override { now_ = reference_.seen(frame); }

  void prepare(const Drawing& blank) override {
    const auto laid_out = [&] {
      const float beside = style_.legended ? bar().width(static_cast<float>(blank.size.height)) + style_.tick_text : 0;
      return view_.panel(blank.size, now_ ? &*now_ : nullptr, beside, heading(blank.size).height());
    };
    panel_ = laid_out();
    if (!now_) return;
    if (!given_ && !(measured_ && !still_)) {
      measure(*panel_);
      panel_ = laid_out();  // the labels of the colour bar take space from the panel
    }
    bodies_ = bodies_of(*now_, *panel_);
    without_ = bodies_.dominant.empty()
                   ? ""
                   : "without " + names_of({bodies_.dominant.begin(), bodies_.dominant.end()}, info_);
    const Panel before = *panel_;
    panel_ = laid_out();  // so do the lines of the title
    if (panel_->box().height() != before.box().height()) bodies_ = bodies_of(*now_, *panel_);
  }

  void draw(Drawing& drawing) const override {
    const Panel& panel = *panel_;
    const Box& box = panel.box();
    const Bodies& bodies = bodies_;
    panel.open(drawing);
    if (now_) {
      drawing.fill(box, palette_.front());
      if (const DensityMap field = field_of(bodies, panel); !field.density.empty()) drawing.add(colored(field, panel));
      draw_edges(drawing, style_, panel, view_.plane(), reference_.bounds());
      draw_dominant(drawing, panel, bodies.dominant);
    }
    panel.close(drawing);
    if (style_.legended)
      bar(bodies).draw(drawing, {box.right + panel.margins().right + style_.tick_text, box.top}, box.height());
    heading(drawing.size).draw(drawing, box, stamp());
  }

 private:
  void choose(const std::string& component) {
    components_.resize(info_.components.size());
    for (std::size_t i = 0; i < components_.size(); ++i) components_[i] = info_.components[i] == component;
    if (std::ranges::find(components_, true) != components_.end()) {
      component_ = component;
      return;
    }
    throw ArgumentError("component", fmt::format("no component is named \"{}\"; there are {}", component,
                                                 fmt::join(info_.components, ", ")));
  }

  [[nodiscard]] Stamp stamp() const { return now_ ? time_stamp(info_, now_->time, still_) : Stamp{}; }
  [[nodiscard]] Heading heading(Size size) const {
    return {style_, size, joined(info_.title, without_), style_.titled ? "" : without_, stamp().longest};
  }

  [[nodiscard]] ColorBar bar(const Bodies& bodies = {}) const {
    Axis axis;
    axis.limits = range_;
    axis.name = component_.empty() ? "log₁₀ Σ" : "log₁₀ Σ of " + component_;
    const ShownUnit unit = shown_density(info_, 2, bodies.alike ? "1" : "");
    axis.unit = unit.name;
    for (double* end : {&axis.limits.low, &axis.limits.high}) *end -= std::log10(unit.length);
    return {style_, axis, palette_};
  }

  [[nodiscard]] bool is_shown(std::size_t body) const {
    const auto species = body < info_.species.size() ? static_cast<std::size_t>(info_.species[body]) : 0;
    return components_.empty() || (species < components_.size() && components_[species]);
  }

  [[nodiscard]] Bodies bodies_of(const Frame& frame, const Panel& panel) const {
    const Plane plane = view_.plane();
    std::vector<PointMass> points;
    std::vector<std::size_t> indices;
    points.reserve(frame.size());
    const auto add = [&](std::size_t i) {
      if (!is_shown(i)) return;
      indices.push_back(i);
      const auto along = [&](std::size_t axis) {
        return wrapped_coordinate(reference_.bounds(), axis, static_cast<double>(frame.position[3 * i + axis]));
      };
      points.push_back({along(plane.right), along(plane.up), i < info_.mass.size() ? info_.mass[i] : 0});
    };
    for (std::size_t i = 0; chosen_.empty() && i < frame.size(); ++i) add(i);
    std::ranges::for_each(chosen_, add);
    const Interval across = panel.horizontal().limits, up = panel.vertical().limits;
    const Bounds& bounds = reference_.bounds();
    Bodies bodies{{}, dominant(points, across, up, {bounds.period(plane.right), bounds.period(plane.up)})};
    for (std::size_t& i : bodies.dominant) {
      points[i].x = std::nan("");  // not part of the field
      i = indices[i];
    }
    bodies.alike =
        std::ranges::none_of(points, [&](const PointMass& p) { return p.mass > 0 && is_inside(p, across, up); });
    for (PointMass& p : points) p.mass = bodies.alike ? 1 : p.mass;
    bodies.points = std::move(points);
    return bodies;
  }

  /// Returns the field in the part of the panel that is inside of the box.
  [[nodiscard]] DensityMap field_of(const Bodies& bodies, const Panel& panel) const {
    const Bounds& bounds = reference_.bounds();
    const auto [right, up] = view_.plane();
    const auto part = [&](Interval seen, std::size_t axis) {
      if (!bounds.closed[axis]) return seen;
      return Interval{std::max(seen.low, bounds.low[axis]), std::min(seen.high, bounds.high[axis])};
    };
    const Interval x = part(panel.horizontal().limits, right), y = part(panel.vertical().limits, up);
    if (!(x.low < x.high && y.low < y.high)) return {x, y, {}, {}};
    const Box box = box_of(x, y, panel);
    return surface_density(bodies.points, x, y, {static_cast<int>(box.width()), static_cast<int>(box.height())},
                           {bounds.period(right), bounds.period(up)}, smoothing_);
  }

  static Box box_of(Interval x, Interval y, const Panel& panel) {
    const Point upper_left = panel.at(x.low, y.high), lower_right = panel.at(x.high, y.low);
    return {upper_left.x, upper_left.y, lower_right.x, lower_right.y};
  }

  /// Draws bodies as discs, with their names if there are few.
  void draw_dominant(Drawing& drawing, const Panel& panel, const std::vector<std::size_t>& bodies) const {
    if (bodies.empty()) return;
    const auto radii = body_radii(style_, picked(info_, bodies), bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const std::size_t body = bodies[k];
      const Point place = projection_to(panel, view_.plane())(&now_->position[3 * body]).at;
      drawing.add(Disc{place, radii[k], body_color(style_.theme, number_of(info_, body)), style_.background,
                       1.5F * style_.frame_line});
      if (bodies.size() > max_numbers || !style_.legended) continue;
      const float off = radii[k] + 0.4F * style_.tick_text;
      Text name{name_of(info_, body), {place.x + off, place.y}, style_.tick_text, style_.ink, Across::left,
                Along::middle};
      if (room_of(name).right > panel.box().right) {
        name.at.x = place.x - off;
        name.across = Across::right;
      }
      drawing.fill(room_of(name), faded(style_.background, 0.75));
      drawing.add(name);
    }
  }

  /// Sets the colour range from the 2nd percentile of the densities at bodies to the maximum of the field over the run,
  /// rounded to quarters of a decade, one to five decades long. Single escaping bodies do not change it.
  void measure(const Panel& panel) {
    std::vector<double> densities;
    double peak = 0;
    const auto measure_one = [&](const Frame& frame) {
      const Bodies bodies = bodies_of(frame, panel);
      const DensityMap field = field_of(bodies, panel);
      for (const float density : field.density) peak = std::max(peak, static_cast<double>(density));
      for (const PointMass& p : bodies.points) {
        if (is_inside(p, field.x, field.y)) densities.push_back(static_cast<double>(field.at(p.x, p.y)));
      }
    };
    if (still_ || info_.samples.empty()) {
      measure_one(*now_);
    } else {
      const std::size_t stride = std::max<std::size_t>(1, info_.samples.size() / 6);
      for (std::size_t i = 0; i < info_.samples.size(); i += stride) measure_one(reference_.seen(info_.samples[i]));
    }
    measured_ = true;
    if (densities.empty() || !(peak > 0)) return;
    const double thin = percentile(densities, 0.02), high = std::ceil(4 * std::log10(peak)) / 4;
    const double low = thin > 0 ? std::floor(4 * std::log10(thin)) / 4 : high - 5;
    range_ = {std::clamp(low, high - 5, high - 1), high};
  }

  [[nodiscard]] Picture colored(const DensityMap& field, const Panel& panel) const {
    Picture picture{box_of(field.x, field.y, panel), field.size, std::vector<std::uint8_t>(4 * field.density.size())};
    parallel_for(field.density.size(), field.density.size(), [&](std::size_t i) {
      const double decades = std::log10(static_cast<double>(field.density[i]));  // −∞ for 0
      const double t = std::clamp((decades - range_.low) / range_.length(), 0.0, 1.0);
      const Color color = palette_[static_cast<std::size_t>(t * (colormap_size - 1) + 0.5)];
      const std::array<std::uint8_t, 4> rgba{color.red, color.green, color.blue, 255};
      std::ranges::copy(rgba, picture.rgba.begin() + static_cast<std::ptrdiff_t>(4 * i));
    });
    return picture;
  }

  const RunInfo& info_;
  Style style_;
  Reference reference_;
  PlaneView view_;
  bool still_;
  std::vector<std::size_t> chosen_;  // empty: all
  std::vector<bool> components_;     // which are shown; empty: all
  std::string component_;
  std::size_t smoothing_ = 0;  // neighbours in a kernel; 0: the default
  std::vector<Color> palette_;
  std::optional<Frame> now_;
  bool given_, measured_ = false;
  Bodies bodies_;        // of the moment shown
  std::string without_;  // the names of those that are not part of the field
  std::optional<Panel> panel_;
  Interval range_{-2, 2};  // powers of ten; fixed by the first picture of a film
};

}  // namespace

extern const FigureKind density{.name = "density",
                                .meaning = "surface density in a coordinate plane, on a logarithmic colour scale",
                                .parameters = parameters,
                                .needs_frames = true,
                                .make = make<Density>,
                                .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
