// SPDX-License-Identifier: MIT
// The figure "view3d": bodies and paths in space, seen from a fixed or moving camera.
#include <algorithm>
#include <array>
#include <optional>

#include "render/canvas/canvas.hpp"
#include "render/figures/shared.hpp"
#include "render/point_cloud/point_cloud.hpp"
#include "render/view/camera.hpp"
#include "render/view/camera_path.hpp"
#include "render/view/plane.hpp"
#include "render/view/space.hpp"
#include "render/view/view_limits.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> cameras{"fixed", "orbit"};

constexpr Range heights{.low = -89, .high = 89};

constexpr Parameter key_fields[] = {
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
    colormap_parameter,
    choice_key("camera", "\"fixed\"", cameras, "fixed | orbit: one turn about the z axis over the film"),
    Parameter{.name = "azimuth",
              .kind = Kind::number,
              .fallback = "-58.0",
              .meaning = "of the camera about the z axis, from +x towards +y",
              .unit = "degrees"},
    Parameter{.name = "elevation",
              .kind = Kind::number,
              .fallback = "24.0",
              .meaning = "of the camera above the x-y plane",
              .unit = "degrees",
              .range = heights},
    Parameter{
        .name = "key",
        .kind = Kind::records,
        .example = "[{ at = 0, azimuth = -58 }, { at = 1, azimuth = 32, zoom = 2 }]",
        .meaning =
            "key frames of the camera, [[film.key]]: `at`, a fraction of the film, or `time` of the run; azimuth, "
            "elevation, zoom",
        .fields = key_fields,
        .optional = true},
    optional_key("axes", Kind::boolean, "true",
                 "draw the axes: three walls with a grid and tick labels; default: true, except for a point cloud in "
                 "the dark theme"),
    space_limits_parameter,
    zoom_parameter,
    follow_parameter,
    frame_limits_parameter,
    outliers_parameter,
    line_width_parameter,
    marker_size_parameter,
    names_parameter,
};

/// Names of 3D axes lie farther out than those of a plane: in films, where text cannot shrink, they need more width, and a
/// legend more height.
Style with_room_for_names(const Canvas& canvas) {
  Style style = canvas.style();
  if (style.min_text == 0) return style;
  style.named = style.named && static_cast<float>(canvas.size().width) >= 22 * style.tick_text;
  style.legended = style.legended && letters(style, canvas.size()) >= 16;
  return style;
}

class View3d final : public Figure {
 public:
  View3d(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : shown_(with_room_for_names(canvas), info, arguments, trails),
        view_limits_(info, shown_.reference, arguments, {0, 1, 2}, 0.34),
        path_(info, arguments),
        zoom_(arguments.number("zoom")) {
    if (arguments.has("axes")) axes_ = arguments.boolean("axes");
  }

  void show(const Frame& frame) override { shown_.take(frame); }

  void prepare(const Drawing& blank) override {
    const Style& style = shown_.style;
    const float edge = 0.7F * style.tick_text;
    const bool any = !shown_.paths.empty();
    const Pose pose = path_.at(any ? shown_.paths.now().time : shown_.info.start);
    const bool has_axes = axes_.value_or(style.theme == Theme::light || !shown_.is_point_cloud());
    // With axes, zooming in reduces the volume that they enclose; without, the volume stays and the camera magnifies.
    const Volume volume = view_limits_.at(shown_.now()).scaled(has_axes ? 1 / pose.zoom : zoom_);
    Layout at{.camera = Camera(volume, pose.azimuth, pose.elevation),
              .volume = volume,
              .has_axes = has_axes,
              .zoom = pose.zoom,
              .canvas = {0, 0, static_cast<float>(blank.size.width), static_cast<float>(blank.size.height)}};
    at.whole = {edge, 0.3F * edge + heading(blank.size).height(), at.canvas.right - edge, at.canvas.bottom - edge};
    at.legend = 0.42F * at.whole.height();
    at.beside = shown_.legend.empty() ? 0 : shown_.legend.width(at.legend);
    if (at.has_axes) {
      if (numbers_ == 0) numbers_ = widest_numbers(at.whole);
      fit(at);
    } else {
      // Without axes there is no frame: bodies fill the canvas, and text is drawn over them.
      if (shown_.still || view_limits_.moves() || !open_)
        open_ = open_camera(at.camera, at.volume, at.canvas, shown_.coloring.scale() ? at.beside : 0);
      at.camera = open_->turned_to(pose.azimuth, pose.elevation);
      at.camera.magnify(zoom_ * pose.zoom);
    }
    if (shown_.is_point_cloud()) cloud_.set_tone_mapping(shown_.paths.now(), at.canvas, seen_by(at));
    layout_ = at;
  }

  void draw(Drawing& drawing) const override {
    const Style& style = shown_.style;
    const Layout& at = *layout_;
    if (at.has_axes) draw_axes3d(drawing, style, at.volume, at.camera, shown_length(shown_.info));
    const Volume seen = at.has_axes ? at.volume : at.volume.scaled(2);
    if (shown_.is_point_cloud()) {
      const Bounds& bounds = shown_.reference.bounds();
      draw_edges(drawing, style, seen, at.camera, bounds, false);
      cloud_.draw(drawing, shown_.paths.now(), at.canvas, seen_by(at));
      draw_edges(drawing, style, seen, at.camera, bounds, true);
    } else {
      draw_in_space(drawing, shown_, seen, at.camera, at.has_axes);
      draw_names(drawing, shown_, seen, at.camera,
                 {at.whole.left, at.whole.top, at.whole.right - at.beside, at.whole.bottom});
    }
    if (!at.has_axes && style.named)
      length_bar(drawing, style, {at.whole.left, at.whole.bottom}, at.camera.scale(), shown_length(shown_.info));
    if (at.beside > 0) {
      const float top =
          at.has_axes ? at.whole.top + 0.4F * style.tick_text : at.whole.bottom - shown_.legend.height(at.legend);
      shown_.legend.draw(drawing, {at.whole.right - at.beside, top}, at.legend);
    }
    heading(drawing.size).draw(drawing, at.whole, shown_.stamp());
  }

  [[nodiscard]] std::string remark() const override { return shown_.remark(); }

 private:
  [[nodiscard]] Heading heading(Size size) const {
    return {shown_.style, size, shown_.info.title, remark(), shown_.stamp().longest};
  }

  /// The layout of one picture.
  struct Layout {
    Camera camera;
    Volume volume;
    bool has_axes;
    double zoom;  ///< of the camera's path
    Box canvas;
    Box whole{};                   ///< without margins and title
    float beside = 0, legend = 0;  ///< width of the legend, and its height at most
  };

  /// Returns the camera without axes: it shows 98 % of the sampled positions, or the whole volume if limits are given or move, or
  /// there is a box.
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

  /// Returns about 2000 positions inside the volume, sampled over the run.
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
        const Place p = place_of(frame.position, i);
        if (volume.contains(p)) places.push_back(p);
      }
      i -= frame.size();
    }
    return places;
  }

  /// Fits the volume into the space left by tick labels, in two passes since the labels depend on the scale.
  void fit(Layout& at) const {
    const bool turning = path_.turns();
    at.camera.fit(at.whole, turning);
    for (int pass = 0; pass < 2; ++pass) {
      Axes3DMargins margins = axes3d_margins(shown_.style, at.volume, at.camera, shown_length(shown_.info).length);
      if (view_limits_.moves()) margins.left = numbers_;
      // Labels at the right are below a legend, unless it is high.
      const float legend = at.beside > 0 ? at.beside + 0.7F * shown_.style.tick_text : 0, labels = 0.6F * margins.below;
      const float right = shown_.legend.height(at.legend) > at.legend ? legend + labels : std::max(legend, labels);
      const Box room{at.whole.left + margins.left, at.whole.top, at.whole.right - right,
                     at.whole.bottom - margins.below};
      at.camera.fit(room, turning);
      if (view_limits_.follows()) at.camera.aim({room.middle(), (room.top + room.bottom) / 2});
    }
  }

  /// Returns the maximum width of tick labels over the run.
  [[nodiscard]] float widest_numbers(const Box& whole) const {
    return view_limits_.widest([&](const Volume& volume) {
      Camera camera(volume, 0, 0);
      camera.fit(whole, true);
      return axes3d_margins(shown_.style, volume, camera, shown_length(shown_.info).length).left;
    });
  }

  /// Projects a body for the point cloud. A camera that zooms in shows fewer bodies per pixel, by zoom². A brightness factor of zoom²
  /// would turn single bodies white; a factor of zoom keeps dense cores bright and colours visible.
  [[nodiscard]] static PointCloud::See seen_by(const Layout& at) {
    const auto closer = static_cast<float>(std::clamp(at.zoom, 1.0 / 16, 16.0));
    return [&at, closer](const float* place) {
      const Place p = place_of(place);
      const double nearness = at.camera.nearness(p);
      // With axes, bodies outside the volume are hidden; without, only those too close to the camera.
      if (at.has_axes ? !at.volume.contains(p) : nearness > 2.5) return Dot{{}, 0, 0};
      const auto larger = static_cast<float>(at.camera.magnification(p));
      return Dot{at.camera.at(p), 0, closer * larger * larger};
    };
  }

  Shown shown_;
  PointCloud cloud_{shown_};
  ViewLimits view_limits_;
  CameraPath path_;
  double zoom_;
  std::optional<bool> axes_;
  std::optional<Layout> layout_;
  std::optional<Camera> open_;  // without axes; in a film set by the first picture unless limits move
  float numbers_ = 0;           // maximum width of tick labels, if limits move
};

}  // namespace

extern const FigureKind view3d{
    .name = "view3d",
    .meaning = "bodies and paths in perspective, with three axes; more than 64 bodies as a point cloud",
    .parameters = parameters,
    .needs_frames = true,
    .make = make<View3d>,
    .has_paths = true,
    .needs_opengl = true,
    .velocity_key = velocity_key_of_bodies};

}  // namespace orrery::render
