// SPDX-License-Identifier: MIT
// The figure "view3d": bodies and paths in space, seen from a camera that rests or turns.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/point_cloud/point_cloud.hpp"
#include "render/view/axes3d.hpp"
#include "render/view/camera.hpp"
#include "render/view/camera_path.hpp"
#include "render/view/edges.hpp"
#include "render/view/plane.hpp"
#include "render/view/space.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> cameras{"fixed", "orbit"};

constexpr Range heights{.low = -89, .high = 89};

constexpr std::array key_fields{
    Parameter{.name = "time", .kind = Kind::number_or_text, .meaning = "of the run", .unit = "time", .optional = true},
    Parameter{.name = "at", .meaning = "or the share of the film", .range = {.low = 0, .high = 1}, .optional = true},
    Parameter{.name = "azimuth", .meaning = "", .unit = "degrees", .optional = true},
    Parameter{.name = "elevation", .meaning = "", .unit = "degrees", .range = heights, .optional = true},
    Parameter{.name = "zoom", .meaning = "", .range = {.low = 1e-3, .high = 1e6}, .optional = true},
};

constexpr std::array parameters{
    bodies_parameter,
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
              .range = heights},
    Parameter{.name = "key",
              .kind = Kind::records,
              .example = "[{ at = 0, azimuth = -58 }, { at = 1, azimuth = 32, zoom = 2 }]",
              .meaning =
                  "or frames that the eye goes between, [[film.key]]: `at`, the share of the film, or `time` of the "
                  "run; azimuth, elevation, zoom",
              .fields = key_fields,
              .optional = true},
    Parameter{.name = "axes",
              .kind = Kind::boolean,
              .example = "true",
              .meaning = "walls with numbers around the bodies; left out: but around a crowd in the dark",
              .optional = true},
    space_limits_parameter,
    zoom_parameter,
    follow_parameter,
    frame_limits_parameter,
    outliers_parameter,
    line_width_parameter,
    marker_size_parameter,
};

/// The names of axes stand out beside the axes: in a film, where letters cannot shrink, they need more width than beside a plane,
/// and a legend more height.
Style with_room_for_names(const Canvas& canvas) {
  Style style = canvas.style();
  if (style.least_text == 0) return style;
  style.named = style.named && static_cast<float>(canvas.size().width) >= 22 * style.tick_text;
  style.legended = style.legended && letters(style, canvas.size()) >= 16;
  return style;
}

class View3d final : public Figure {
 public:
  View3d(Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(with_room_for_names(canvas), info, arguments, trails),
        view_limits_(info, shown_.reference, arguments, {0, 1, 2}, 0.34),
        path_(info, arguments),
        zoom_(arguments.number("zoom")) {
    if (arguments.has("axes")) axes_ = arguments.boolean("axes");
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { shown_.take(frame); }

 private:
  void draw(Drawing& drawing) const {
    const Style& style = shown_.style;
    const float edge = 0.7F * style.tick_text;
    const Box canvas{0, 0, static_cast<float>(drawing.size.width), static_cast<float>(drawing.size.height)};
    const Box whole{edge, 0.3F * edge + heading_height(style), canvas.right - edge, canvas.bottom - edge};
    const bool any = !shown_.paths.empty();
    const Volume staged = view_limits_.at(shown_.now());
    const Pose pose = path_.at(any ? shown_.paths.now().time : shown_.info.start);
    const float bar = 0.42F * whole.height(), beside = shown_.legend.empty() ? 0 : shown_.legend.width(bar);
    const bool has_axes = axes_.value_or(style.theme == Theme::light || !shown_.crowded());
    // Axes are as large as what is shown; in the open sky only the eye's lens makes things larger.
    const Volume volume = staged.scaled(has_axes ? 1 / pose.zoom : zoom_);
    Camera camera(volume, pose.azimuth, pose.elevation);
    if (has_axes) {
      fit(camera, volume, whole, beside);
      draw_axes3d(drawing, style, volume, camera, shown_.info.length_unit);
    } else {
      // The sky has no frame: bodies fill the canvas, and words lie upon it.
      const float legend = shown_.coloring.scale() ? beside : 0;
      if (shown_.still || view_limits_.moves() || !open_) open_ = open_camera(camera, volume, canvas, legend);
      camera = open_->turned_to(pose.azimuth, pose.elevation);
      camera.magnify(zoom_ * pose.zoom);
    }
    const Volume seen = has_axes ? volume : volume.scaled(2);
    const Bounds& bounds = shown_.reference.bounds();
    draw_edges(drawing, style, seen, camera, bounds, false);
    if (shown_.crowded()) {
      draw_point_cloud(drawing, canvas, volume, camera, has_axes, pose.zoom);
    } else {
      draw_in_space(drawing, shown_, seen, camera, has_axes);
      draw_names(drawing, shown_, seen, camera, {whole.left, whole.top, whole.right - beside, whole.bottom});
    }
    draw_edges(drawing, style, seen, camera, bounds, true);
    if (!has_axes && style.named)
      length_bar(drawing, style, {whole.left, whole.bottom}, camera.scale(), shown_.info.length_unit);
    if (beside > 0) {
      const float top = has_axes ? whole.top + 0.4F * style.tick_text : whole.bottom - shown_.legend.height(bar);
      shown_.legend.draw(drawing, {whole.right - beside, top}, bar);
    }
    heading(drawing, style, whole, shown_.info.title, shown_.stamp());
  }

  /// Holds most of the bodies at all times; what must be seen of them is known beforehand.
  [[nodiscard]] Camera open_camera(Camera camera, const Volume& volume, const Box& canvas, float beside) const {
    const float margin = 0.1F * canvas.height();
    const Box room{margin, margin, canvas.right - std::max(margin, beside), canvas.bottom - margin};
    const std::vector<Place> places = sampled_places(volume);
    if (places.empty() || view_limits_.limited() || view_limits_.moves() || shown_.reference.bounds().any()) {
      camera.fit(room, path_.turns());
    } else {
      camera.fit(room, path_.turns(), places);
    }
    if (view_limits_.follows()) camera.aim({room.middle(), (room.top + room.bottom) / 2});
    return camera;
  }

  /// Some two thousand places of the run.
  [[nodiscard]] std::vector<Place> sampled_places(const Volume& volume) const {
    std::vector<Place> places;
    std::size_t all = 0, i = 0;
    const auto size_of = [&](const Frame& sample) {
      return shown_.chosen.empty() ? sample.size() : shown_.chosen.size();
    };
    for (const Frame& sample : shown_.info.samples) all += size_of(sample);
    const std::size_t stride = std::max<std::size_t>(1, all / 2000);
    for (const Frame& sample : shown_.info.samples) {
      if (i >= size_of(sample)) {
        i -= size_of(sample);
        continue;
      }
      const Frame frame = shown_.seen(sample);
      for (; i < frame.size(); i += stride) {
        const float* at = &frame.position[3 * i];
        const Place p{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
        if (volume.contains(p)) places.push_back(p);
      }
      i -= frame.size();
    }
    return places;
  }

  /// Numbers stand on the left and below; they depend on the scale in turn.
  void fit(Camera& camera, const Volume& volume, const Box& whole, float beside) const {
    const bool turning = path_.turns();
    camera.fit(whole, turning);
    for (int pass = 0; pass < 2; ++pass) {
      CageMargins margins = axes3d_margins(shown_.style, volume, camera);
      if (view_limits_.moves()) margins.left = steady_margin(whole);
      const float right = std::max(beside > 0 ? beside + 0.7F * shown_.style.tick_text : 0, 0.6F * margins.below);
      const Box room{whole.left + margins.left, whole.top, whole.right - right, whole.bottom - margins.below};
      camera.fit(room, turning);
      if (view_limits_.follows()) camera.aim({room.middle(), (room.top + room.bottom) / 2});
    }
  }

  /// Room for the longest numbers of all moments: it must not change while axes go by.
  [[nodiscard]] float steady_margin(const Box& whole) const {
    for (const Volume& volume : hysteresis_ > 0 ? std::vector<Volume>{} : view_limits_.some()) {
      Camera camera(volume, 0, 0);
      camera.fit(whole, true);
      hysteresis_ = std::max(hysteresis_, axes3d_margins(shown_.style, volume, camera).left);
    }
    return hysteresis_;
  }

  /// An eye that comes closer sees fewer bodies on a pixel, by the square of `zoom`, and each brighter. By as much, those
  /// that stand alone would be white; by half of it a core stays bright, and bodies keep their colours.
  void draw_point_cloud(Drawing& drawing, const Box& canvas, const Volume& volume, const Camera& camera, bool has_axes,
                        double zoom) const {
    const auto closer = static_cast<float>(std::clamp(zoom, 1.0 / 16, 16.0));
    drawing.add(cloud_.picture(canvas, drawing.scale, [&](const float* at) {
      const Place p{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
      const double nearness = camera.nearness(p);
      // Axes hold what lies inside them; else all is seen but what the eye would run into.
      if (has_axes ? !volume.contains(p) : nearness > 2.5) return Dot{{}, 0, 0};
      const auto larger = static_cast<float>(camera.magnification(p));
      return Dot{camera.at(p), 0, closer * larger * larger};
    }));
  }

  Shown shown_;
  PointCloud cloud_{shown_};
  ViewLimits view_limits_;
  CameraPath path_;
  double zoom_;
  std::optional<bool> axes_;
  mutable std::optional<Camera> open_;  // without axes; of a film, from its first picture on
  mutable float hysteresis_ = 0;
};

}  // namespace

extern const FigureKind view3d{.name = "view3d",
                               .meaning = "bodies and paths in space, in a cage of axes; a crowd as lights in the dark",
                               .parameters = parameters,
                               .needs_frames = true,
                               .make = make<View3d>,
                               .has_paths = true};

}  // namespace orrery::render
