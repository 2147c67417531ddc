// SPDX-License-Identifier: MIT
// The figure "density": the logarithm of the mass per area of a coordinate plane.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/bands.hpp"
#include "render/canvas/canvas.hpp"
#include "render/canvas/text.hpp"
#include "render/figures/shared.hpp"
#include "render/point_cloud/density_map.hpp"
#include "render/point_cloud/dominant.hpp"
#include "render/statistics.hpp"
#include "render/style/annotations.hpp"
#include "render/style/color_bar.hpp"
#include "render/view/edges.hpp"
#include "render/view/plane_view.hpp"

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
    Parameter{.name = "range",
              .kind = Kind::numbers,
              .example = "[-1.0, 1.0]",
              .meaning = "of the colours: [from, to], powers of ten; left out, what the run needs, at most 5 apart",
              .count = 2,
              .optional = true},
    marker_size_parameter,
    Parameter{.name = "component",
              .kind = Kind::text,
              .example = "\"disk\"",
              .meaning = "the only component that counts; left out, all do",
              .optional = true},
};

constexpr std::size_t shades = 256;

/// What is spread over the plane, and bodies that are drawn as such.
struct Crowded {
  std::vector<PointMass> points;
  std::vector<std::size_t> apart;  // the heaviest first
  bool alike = false;              // none of the points has mass: they count alike
};

class Density final : public Figure {
 public:
  Density(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info),
        style_(canvas.style()),
        reference_(arguments.text("frame"), info, arguments.text("outliers") == "show"),
        view_(style_, info, reference_, arguments, 0.3),
        still_(trails.still),
        chosen_(chosen_bodies(arguments, info)) {
    if (arguments.has("marker_size")) style_ = with_sizes(style_, arguments);
    if (arguments.has("component")) choose(arguments.text("component"));
    if (arguments.has("range")) {
      const auto& range = arguments.numbers("range");
      if (!(range[0] < range[1])) throw ArgumentError("range", "the lower end must be below the upper one");
      range_ = {range[0], range[1]};
      given_ = true;
    }
    for (std::size_t i = 0; i < shades; ++i) {
      palette_.push_back(field_color(style_.theme, static_cast<double>(i) / (shades - 1)));
    }
  }

  void show(const Frame& frame) override { now_ = reference_.seen(frame); }

  void prepare(const Drawing& blank) override {
    const auto laid_out = [&] {
      const float beside = style_.legended ? bar().width(static_cast<float>(blank.size.height)) + style_.tick_text : 0;
      return view_.panel(blank.size, now_ ? &*now_ : nullptr, beside);
    };
    panel_ = laid_out();
    if (!now_ || given_ || (measured_ && !still_)) return;
    measure(*panel_);
    panel_ = laid_out();  // the numbers beside the bar take their room from the panel
  }

  void draw(Drawing& drawing) const override {
    const Panel& panel = *panel_;
    const Box& box = panel.box();
    const Crowded crowd = now_ ? crowd_of(*now_, panel) : Crowded{};
    panel.open(drawing);
    if (now_) {
      drawing.add(developed(field_of(crowd, panel), box));
      draw_edges(drawing, style_, panel, view_.plane(), reference_.bounds());
      draw_apart(drawing, panel, crowd.apart);
    }
    panel.close(drawing);
    if (style_.legended)
      bar(crowd).draw(drawing, {box.right + panel.margins().right + style_.tick_text, box.top}, box.height());
    Stamp stamp = now_ ? time_stamp(info_, now_->time) : Stamp{};
    if (still_) stamp.longest = stamp.words;
    heading(drawing, style_, box, title_without(crowd.apart), stamp);
  }

 private:
  void choose(const std::string& component) {
    counts_.resize(info_.components.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] = info_.components[i] == component;
    if (std::ranges::find(counts_, true) != counts_.end()) {
      component_ = component;
      return;
    }
    std::string all;
    for (const std::string& name : info_.components) all += (all.empty() ? "" : ", ") + name;
    throw ArgumentError("component", "no component is called \"" + component + "\"; there are " + all);
  }

  /// Behind the title of the run stands who does not count in what is shown.
  [[nodiscard]] std::string title_without(const std::vector<std::size_t>& apart) const {
    if (apart.empty()) return info_.title;
    return info_.title + (info_.title.empty() ? "" : " · ") + "without " +
           names_of({apart.begin(), apart.end()}, info_);
  }

  [[nodiscard]] ColorBar bar(const Crowded& crowd = {}) const {
    Axis axis;
    axis.limits = range_;
    axis.name = component_.empty() ? "log₁₀ Σ" : "log₁₀ Σ of " + component_;
    if (!info_.mass_unit.empty()) axis.unit = (crowd.alike ? "1" : info_.mass_unit) + "/" + info_.length_unit + "²";
    return {style_, axis, palette_};
  }

  [[nodiscard]] bool counts(std::size_t body) const {
    const auto species = body < info_.species.size() ? static_cast<std::size_t>(info_.species[body]) : 0;
    return counts_.empty() || (species < counts_.size() && counts_[species]);
  }

  [[nodiscard]] Crowded crowd_of(const Frame& frame, const Panel& panel) const {
    const Plane plane = view_.plane();
    std::vector<PointMass> points;
    std::vector<std::size_t> bodies;
    points.reserve(frame.size());
    const auto add = [&](std::size_t i) {
      if (!counts(i)) return;
      bodies.push_back(i);
      points.push_back({static_cast<double>(frame.position[3 * i + plane.right]),
                        static_cast<double>(frame.position[3 * i + plane.up]),
                        i < info_.mass.size() ? info_.mass[i] : 0});
    };
    for (std::size_t i = 0; chosen_.empty() && i < frame.size(); ++i) add(i);
    std::ranges::for_each(chosen_, add);
    Crowded crowd{{}, dominant(points, panel.horizontal().limits, panel.vertical().limits)};
    for (std::size_t& i : crowd.apart) {
      points[i].x = std::nan("");  // is nowhere
      i = bodies[i];
    }
    const Interval across = panel.horizontal().limits, up = panel.vertical().limits;
    crowd.alike =
        std::ranges::none_of(points, [&](const PointMass& p) { return p.mass > 0 && is_inside(p, across, up); });
    for (PointMass& p : points) p.mass = crowd.alike ? 1 : p.mass;
    crowd.points = std::move(points);
    return crowd;
  }

  [[nodiscard]] DensityMap field_of(const Crowded& crowd, const Panel& panel) const {
    const Box& box = panel.box();
    return surface_density(crowd.points, panel.horizontal().limits, panel.vertical().limits,
                           {static_cast<int>(box.width()), static_cast<int>(box.height())});
  }

  /// Bodies in their colours, as large as in other figures of few; the names of few of them beside them.
  void draw_apart(Drawing& drawing, const Panel& panel, const std::vector<std::size_t>& apart) const {
    if (apart.empty()) return;
    const auto radii = body_radii(style_, picked(info_, apart), apart.size());
    for (std::size_t k = 0; k < apart.size(); ++k) {
      const std::size_t body = apart[k];
      const float* at = &now_->position[3 * body];
      const Point place =
          panel.at(static_cast<double>(at[view_.plane().right]), static_cast<double>(at[view_.plane().up]));
      drawing.add(Disc{place, radii[k], body_color(style_.theme, number_of(info_, body)), style_.background,
                       1.5F * style_.frame_line});
      if (apart.size() > most_numbers || !style_.legended) continue;
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

  /// From where 98 of a hundred bodies are denser to the densest place of all moments, in quarters of a
  /// decade, one to five decades. A body that flies off is in thin air, and changes nothing.
  void measure(const Panel& panel) {
    std::vector<double> met;
    double peak = 0;
    const auto measure_one = [&](const Frame& frame) {
      const Crowded crowd = crowd_of(frame, panel);
      const DensityMap field = field_of(crowd, panel);
      for (const float density : field.density) peak = std::max(peak, static_cast<double>(density));
      for (const PointMass& p : crowd.points) {
        if (is_inside(p, field.x, field.y)) met.push_back(static_cast<double>(field.at(p.x, p.y)));
      }
    };
    if (still_ || info_.samples.empty()) {
      measure_one(*now_);
    } else {
      const std::size_t stride = std::max<std::size_t>(1, info_.samples.size() / 6);
      for (std::size_t i = 0; i < info_.samples.size(); i += stride) measure_one(reference_.seen(info_.samples[i]));
    }
    measured_ = true;
    if (met.empty() || !(peak > 0)) return;
    const double thin = percentile(met, 0.02), high = std::ceil(4 * std::log10(peak)) / 4;
    const double low = thin > 0 ? std::floor(4 * std::log10(thin)) / 4 : high - 5;
    range_ = {std::clamp(low, high - 5, high - 1), high};
  }

  [[nodiscard]] Picture developed(const DensityMap& field, const Box& box) const {
    Picture picture{box, field.size, std::vector<std::uint8_t>(4 * field.density.size())};
    in_shares(field.density.size(), field.density.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const double decades = std::log10(static_cast<double>(field.density[i]));  // −∞ where there is nothing
        const double t = std::clamp((decades - range_.low) / range_.length(), 0.0, 1.0);
        const Color color = palette_[static_cast<std::size_t>(t * (shades - 1) + 0.5)];
        const std::array<std::uint8_t, 4> rgba{color.red, color.green, color.blue, 255};
        std::ranges::copy(rgba, picture.rgba.begin() + static_cast<std::ptrdiff_t>(4 * i));
      }
    });
    return picture;
  }

  const RunInfo& info_;
  Style style_;
  Reference reference_;
  PlaneView view_;
  bool still_;
  std::vector<std::size_t> chosen_;  // empty: all
  std::vector<bool> counts_;         // which components do; empty: all
  std::string component_;
  std::vector<Color> palette_;
  std::optional<Frame> now_;
  bool given_ = false, measured_ = false;
  std::optional<Panel> panel_;
  Interval range_{-2, 2};  // powers of ten; of a film, from its first picture on
};

}  // namespace

extern const FigureKind density{.name = "density",
                                .meaning = "mass per area of a coordinate plane, as colours of its logarithm",
                                .parameters = parameters,
                                .needs_frames = true,
                                .make = make<Density>,
                                .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
