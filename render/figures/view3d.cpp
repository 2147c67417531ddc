// SPDX-License-Identifier: MIT
// The figure "view3d": bodies and paths in space, seen from a camera that rests or turns.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/cage.hpp"
#include "render/camera.hpp"
#include "render/canvas.hpp"
#include "render/cloud.hpp"
#include "render/figures/shared.hpp"
#include "render/plane.hpp"
#include "render/space.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> cameras{"fixed", "orbit"};

constexpr std::array parameters{
    frame_parameter,
    color_parameter,
    Parameter{.name = "camera",
              .kind = Kind::text,
              .fallback = "\"fixed\"",
              .meaning = "fixed | orbit: one turn about the z axis over the film",
              .choices = cameras},
    Parameter{.name = "azimuth",
              .kind = Kind::number,
              .fallback = "-58.0",
              .meaning = "of the eye about the z axis, from x towards y",
              .unit = "degrees"},
    Parameter{.name = "elevation",
              .kind = Kind::number,
              .fallback = "24.0",
              .meaning = "of the eye above the x-y plane",
              .unit = "degrees",
              .range = {.low = -89, .high = 89}},
    Parameter{.name = "axes",
              .kind = Kind::boolean,
              .meaning = "walls with numbers around the bodies; left out: but around a crowd in the dark",
              .optional = true},
    space_limits_parameter,
    outliers_parameter,
};

class View3d final : public Figure {
 public:
  View3d(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : shown_(canvas.look(), cast, arguments, trails),
        turning_(arguments.text("camera") == "orbit"),
        azimuth_(arguments.number("azimuth")),
        elevation_(arguments.number("elevation")) {
    if (arguments.has("axes")) axes_ = arguments.boolean("axes");
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { shown_.take(frame); }

 private:
  void draw(Drawing& drawing) const {
    const Look& look = shown_.look;
    const float edge = 0.7F * look.tick_text;
    const Box canvas{0, 0, static_cast<float>(drawing.size.width), static_cast<float>(drawing.size.height)};
    const Box whole{edge, 0.3F * edge + heading_height(look), canvas.right - edge, canvas.bottom - edge};
    const Volume volume = seen_volume();
    const double azimuth = azimuth_ + turned();
    const float bar = 0.42F * whole.height(), beside = shown_.legend.empty() ? 0 : shown_.legend.width(bar);
    const bool caged = axes_.value_or(look.theme == Theme::light || !shown_.crowded());
    Camera camera(volume, azimuth, elevation_);
    if (caged) {
      fit(camera, volume, whole, beside);
      draw_cage(drawing, look, volume, camera, shown_.cast.length_unit);
    } else {
      // The sky has no frame: bodies fill the canvas, and words lie upon it.
      if (shown_.still || !open_) open_ = open_camera(camera, canvas, shown_.coloring.scale() ? beside : 0);
      camera = open_->turned_to(azimuth);
    }
    if (shown_.crowded()) {
      draw_crowd(drawing, canvas, volume, camera, caged);
    } else {
      draw_in_space(drawing, shown_, volume, camera, caged);
    }
    if (!caged) length_bar(drawing, look, {whole.left, whole.bottom}, camera.scale(), shown_.cast.length_unit);
    if (beside > 0) {
      const float top = caged ? whole.top + 0.4F * look.tick_text : whole.bottom - shown_.legend.height(bar);
      shown_.legend.draw(drawing, {whole.right - beside, top}, bar);
    }
    heading(drawing, look, whole, shown_.cast.title, shown_.stamp());
  }

  /// Holds most of the bodies at all times; what must be seen of them is known beforehand.
  [[nodiscard]] Camera open_camera(Camera camera, const Box& canvas, float beside) const {
    const float margin = 0.1F * canvas.height();
    const Box room{margin, margin, canvas.right - std::max(margin, beside), canvas.bottom - margin};
    const std::vector<Place> places = sampled_places();
    if (places.empty() || !shown_.limits.empty()) {
      camera.fit(room, turning_);
    } else {
      camera.fit(room, turning_, places);
    }
    return camera;
  }

  /// Some two thousand places of the run.
  [[nodiscard]] std::vector<Place> sampled_places() const {
    std::vector<Place> places;
    std::size_t all = 0, i = 0;
    for (const Frame& sample : shown_.cast.samples) all += sample.size();
    const std::size_t stride = std::max<std::size_t>(1, all / 2000);
    for (const Frame& sample : shown_.cast.samples) {
      const Frame frame = shown_.reference.seen(sample);
      for (; i < frame.size(); i += stride) {
        const float* at = &frame.position[3 * i];
        if (!std::isfinite(at[0] + at[1] + at[2])) continue;
        places.push_back({static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
      }
      i -= frame.size();
    }
    return places;
  }

  /// Numbers stand on the left and below; they depend on the scale in turn.
  void fit(Camera& camera, const Volume& volume, const Box& whole, float beside) const {
    camera.fit(whole, turning_);
    for (int pass = 0; pass < 2; ++pass) {
      const CageMargins margins = cage_margins(shown_.look, volume, camera);
      const float right = std::max(beside, 0.6F * margins.below);
      camera.fit({whole.left + margins.left, whole.top, whole.right - right, whole.bottom - margins.below}, turning_);
    }
  }

  [[nodiscard]] Volume seen_volume() const {
    Volume volume;
    const Extent extent = shown_.reference.extent();
    const auto& limits = shown_.limits;
    for (std::size_t k = 0; k < 3; ++k) {
      volume.limits[k] = limits.empty() ? padded(extent, k, 0.34) : Interval{limits[2 * k], limits[2 * k + 1]};
    }
    return volume;
  }

  [[nodiscard]] double turned() const {
    const Cast& cast = shown_.cast;
    const double span = cast.end - cast.start;
    const bool turns = turning_ && !shown_.paths.empty() && span != 0;
    return turns ? 360 * (shown_.paths.now().time - cast.start) / span : 0;
  }

  void draw_crowd(Drawing& drawing, const Box& canvas, const Volume& volume, const Camera& camera, bool caged) const {
    drawing.add(crowd_.picture(canvas, drawing.scale, [&](const float* at) {
      const Place p{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
      const double nearness = camera.nearness(p);
      // A cage holds what lies inside it; else all is seen but what the eye would run into.
      if (caged ? !volume.contains(p) : nearness > 2.5) return Dot{{}, 0, 0};
      const auto larger = static_cast<float>(camera.magnification(p));
      return Dot{camera.at(p), 0, larger * larger};
    }));
  }

  Shown shown_;
  Crowd crowd_{shown_};
  bool turning_;
  double azimuth_, elevation_;
  std::optional<bool> axes_;
  mutable std::optional<Camera> open_;  // without axes; of a film, from its first picture on
};

}  // namespace

extern const FigureKind view3d{.name = "view3d",
                               .meaning = "bodies and paths in space, in a cage of axes; a crowd as lights in the dark",
                               .parameters = parameters,
                               .needs_frames = true,
                               .make = make<View3d>};

}  // namespace orrery::render
