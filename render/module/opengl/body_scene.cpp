// SPDX-License-Identifier: MIT
// Pixels of a scene by VTK: spheres as impostors with depth, lines and rings as flat polygons.
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCameraPass.h>
#include <vtkCellArray.h>
#include <vtkCullerCollection.h>
#include <vtkFloatArray.h>
#include <vtkLight.h>
#include <vtkLightsPass.h>
#include <vtkNew.h>
#include <vtkOpaquePass.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLRenderer.h>
#include <vtkOpenGLSphereMapper.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderPassCollection.h>
#include <vtkSequencePass.h>
#include <vtkTextureObject.h>
#include <vtkTimerLog.h>
#include <vtkTranslucentPass.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/bands.hpp"
#include "render/module/opengl/module.hpp"
#include "render/module/opengl/vtk_window.hpp"

namespace orrery::render::opengl_module {
namespace {

/// Points with colours; translucent cells must be added from far to near.
class Geometry {
 public:
  Geometry() {
    colors_->SetNumberOfComponents(4);
    radii_->SetName("radius");
  }

  vtkIdType point(const Place& p, Color color) {
    const unsigned char rgba[]{color.red, color.green, color.blue, color.alpha};
    colors_->InsertNextTypedTuple(rgba);
    return points_->InsertNextPoint(p.data());
  }
  void sphere(const Place& center, double radius, Color color) {
    const vtkIdType id = point(center, color);
    cells_->InsertNextCell({id});
    radii_->InsertNextValue(static_cast<float>(radius));
  }
  void polygon(std::initializer_list<vtkIdType> corners) { cells_->InsertNextCell(corners); }

  /// Returns spheres or, if `flat`, polygons.
  [[nodiscard]] vtkNew<vtkPolyData> data(bool flat) const {
    vtkNew<vtkPolyData> data;
    data->SetPoints(points_);
    flat ? data->SetPolys(cells_) : data->SetVerts(cells_);
    data->GetPointData()->SetScalars(colors_);
    if (!flat) data->GetPointData()->AddArray(radii_);
    return data;
  }

 private:
  vtkNew<vtkPoints> points_;
  vtkNew<vtkUnsignedCharArray> colors_;
  vtkNew<vtkFloatArray> radii_;
  vtkNew<vtkCellArray> cells_;
};

/// Converts objects to geometry; sizes in pixels become lengths at their depth.
class Tessellation {
 public:
  explicit Tessellation(const Camera& camera) : camera_(camera) {}

  void add(const BodyScene::Sphere& sphere) {
    spheres.sphere(sphere.center, sphere.radius * length_of_pixel(sphere.center), sphere.color);
  }

  /// A strip that is parallel to the canvas.
  void add(const BodyScene::Path& path) {
    std::vector<std::size_t> kept;  // without points that coincide on the canvas
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      const bool coincides = !kept.empty() && distance(path.points[kept.back()], path.points[i]) < 0.25F;
      if (!coincides) {
        kept.push_back(i);
      } else if (i + 1 == path.points.size() && kept.size() > 1) {
        kept.back() = i;  // where the next part begins
      }
    }
    vtkIdType left = 0, right = 0;
    for (std::size_t k = 0; kept.size() > 1 && k < kept.size(); ++k) {
      const Place& p = path.points[kept[k]];
      const Place& before = path.points[kept[k > 0 ? k - 1 : 0]];
      const Place& after = path.points[kept[std::min(k + 1, kept.size() - 1)]];
      const Point a = camera_.at(before), b = camera_.at(after);
      const double dx = b.x - a.x, dy = b.y - a.y, length = std::max(1e-6, std::hypot(dx, dy));
      const double half = path.width / 2 * length_of_pixel(p);
      const Color color = path.colors.size() > 1 ? path.colors[kept[k]] : path.colors.front();
      const vtkIdType last_left = left, last_right = right;
      left = flat.point(beside(p, -dy / length, dx / length, half), color);
      right = flat.point(beside(p, -dy / length, dx / length, -half), color);
      if (k > 0) flat.polygon({last_left, last_right, right, left});
    }
  }

  void add(const BodyScene::Ring& ring) {
    constexpr int corners = 64;
    const double pixel = length_of_pixel(ring.center);
    const auto circle = [&](double radius, Color color) {
      vtkIdType first = 0;
      for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        const vtkIdType id = flat.point(beside(ring.center, std::cos(angle), std::sin(angle), radius * pixel), color);
        if (i == 0) first = id;
      }
      return first;
    };
    const double inner = ring.radius - ring.rim_width / 2, outer = ring.radius + ring.rim_width / 2;
    const vtkIdType middle = flat.point(ring.center, ring.fill), fill = circle(inner, ring.fill),
                    inside = circle(inner, ring.rim), outside = circle(outer, ring.rim);
    for (int i = 0; i < corners; ++i) {
      const int next = (i + 1) % corners;
      flat.polygon({middle, fill + i, fill + next});
      flat.polygon({inside + i, outside + i, outside + next, inside + next});
    }
  }

  Geometry spheres, flat;

 private:
  [[nodiscard]] double length_of_pixel(const Place& p) const {
    return 1 / (camera_.scale() * camera_.magnification(p));
  }
  /// Returns the place that is shifted on the canvas, y down.
  [[nodiscard]] Place beside(const Place& p, double x, double y, double length) const {
    return plus(plus(p, x * length, camera_.right()), -y * length, camera_.up());
  }
  [[nodiscard]] float distance(const Place& p, const Place& q) const {
    const Point a = camera_.at(p), b = camera_.at(q);
    return std::hypot(b.x - a.x, b.y - a.y);
  }

  const Camera& camera_;
};

/// The VTK objects of all scenes.
class SceneRenderer {
 public:
  explicit SceneRenderer(vtkRenderWindow& window) : window_(window) {
    vtkTimerLog::LoggingOff();  // hundreds of system calls a frame
    spheres_->SetScaleArray("radius");
    actors_[0]->SetMapper(spheres_);
    actors_[1]->SetMapper(polygons_);
    actors_[0]->ForceOpaqueOn();
    actors_[1]->ForceTranslucentOn();
    vtkProperty* shading = actors_[0]->GetProperty();  // close to lit() of the vector formats
    shading->SetAmbient(0.55);
    shading->SetDiffuse(0.55);
    shading->SetSpecular(0.35);
    shading->SetSpecularPower(12);
    actors_[1]->GetProperty()->LightingOff();
    for (const auto& actor : actors_) renderer_->AddActor(actor);
    vtkNew<vtkLight> light;
    light->SetLightTypeToCameraLight();
    light->SetPosition(-0.48, 0.56, 0.675);
    light->SetFocalPoint(0, 0, 0);
    renderer_->GetCullers()->RemoveAllItems();  // they take spheres for points, and cut one that is alone
    renderer_->AutomaticLightCreationOff();
    renderer_->AddLight(light);
    renderer_->SetBackground(0, 0, 0);
    renderer_->SetBackgroundAlpha(0);
    // VTK's default pass for translucent geometry is independent of the order, but slow.
    vtkNew<vtkRenderPassCollection> passes;
    passes->AddItem(vtkNew<vtkLightsPass>());
    passes->AddItem(vtkNew<vtkOpaquePass>());
    passes->AddItem(vtkNew<vtkTranslucentPass>());
    vtkNew<vtkSequencePass> sequence;
    sequence->SetPasses(passes);
    vtkNew<vtkCameraPass> pass;
    pass->SetDelegatePass(sequence);
    vtkOpenGLRenderer::SafeDownCast(renderer_)->SetPass(pass);
    window_.SetMultiSamples(0);
    window_.AddRenderer(renderer_);
    largest_ =
        std::clamp(vtkTextureObject::GetMaximumTextureSize(vtkOpenGLRenderWindow::SafeDownCast(&window_)), 64, 2048);
  }

  void show(const Tessellation& objects) {
    spheres_->SetInputData(objects.spheres.data(false));
    polygons_->SetInputData(objects.flat.data(true));
  }

  /// The largest side of a picture in samples.
  [[nodiscard]] int largest() const { return largest_; }

  /// Returns the samples of a rectangle of the canvas, premultiplied, from the bottom row, until the next call.
  const unsigned char* samples(const Camera& from, int left, int top, Size size, int samples) {
    vtkCamera& camera = *renderer_->GetActiveCamera();
    const Place eye = plus(from.middle(), from.distance(), from.eye());
    camera.SetFocalPoint(from.middle().data());
    camera.SetPosition(eye.data());
    camera.SetViewUp(from.up().data());
    const double width = size.width, height = size.height;
    camera.SetViewAngle(2 * std::atan(height / 2 / from.scale() / from.distance()) * 180 / std::numbers::pi);
    const double x = static_cast<double>(from.origin().x) - left, y = static_cast<double>(from.origin().y) - top;
    camera.SetWindowCenter(1 - 2 * x / width, 2 * y / height - 1);
    camera.SetClippingRange(0.02 * from.distance(), 20 * from.distance());
    window_.SetSize(size.width * samples, size.height * samples);
    window_.Render();
    window_.GetRGBACharPixelData(0, 0, size.width * samples - 1, size.height * samples - 1, 0, rgba_);
    return rgba_->GetPointer(0);
  }

 private:
  vtkRenderWindow& window_;
  vtkNew<vtkRenderer> renderer_;
  vtkNew<vtkOpenGLSphereMapper> spheres_;
  vtkNew<vtkPolyDataMapper> polygons_;
  vtkNew<vtkActor> actors_[2];
  vtkNew<vtkUnsignedCharArray> rgba_;
  int largest_ = 2048;
};

/// Averages samples of a tile, from the bottom row, into straight RGBA from the top row of the tile; `to` must be zeros.
void reduce(const unsigned char* rgba, Size tile, int samples, std::uint8_t* to, std::size_t to_stride) {
  const std::size_t stride = 4 * static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(samples);
  const auto count = static_cast<unsigned>(samples * samples);
  const auto average_row = [&](int y, std::vector<std::uint16_t>& columns) {
    std::ranges::fill(columns, std::uint16_t{0});
    const unsigned char* row = rgba + stride * static_cast<std::size_t>(samples * (tile.height - 1 - y));
    for (int j = 0; j < samples; ++j, row += stride)
      for (std::size_t i = 0; i < stride; ++i) columns[i] = static_cast<std::uint16_t>(columns[i] + row[i]);
    const std::uint16_t* column = columns.data();
    for (std::uint8_t* pixel = to + to_stride * static_cast<std::size_t>(y); column < columns.data() + stride;
         pixel += 4) {
      unsigned sum[4]{};
      for (int j = 0; j < samples; ++j, column += 4)
        for (int k = 0; k < 4; ++k) sum[k] += column[k];
      if (sum[3] == 0) continue;
      pixel[3] = static_cast<std::uint8_t>((sum[3] + count / 2) / count);
      for (int k = 0; k < 3; ++k)
        pixel[k] = static_cast<std::uint8_t>(std::min(255U, (255 * sum[k] + sum[3] / 2) / sum[3]));
    }
  };
  parallel_parts(tile.height, static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height),
                 [&](int first, int end) {
                   std::vector<std::uint16_t> columns(stride);
                   for (int y = first; y < end; ++y) average_row(y, columns);
                 });
}

/// Returns the part of the canvas that the objects cover.
Box covered(const std::vector<const BodyScene::Object*>& objects, const Camera& camera, Size canvas) {
  Box box{1e9F, 1e9F, -1e9F, -1e9F};
  const auto include = [&](const Place& p, float around) {
    const Point at = camera.at(p);
    box = {std::min(box.left, at.x - around), std::min(box.top, at.y - around), std::max(box.right, at.x + around),
           std::max(box.bottom, at.y + around)};
  };
  for (const BodyScene::Object* object : objects) {
    if (const auto* sphere = std::get_if<BodyScene::Sphere>(object)) {
      include(sphere->center, 1.2F * sphere->radius + 1);  // perspective makes it wider beside the middle
    } else if (const auto* ring = std::get_if<BodyScene::Ring>(object)) {
      include(ring->center, ring->radius + ring->rim_width + 1);
    } else if (const auto* path = std::get_if<BodyScene::Path>(object)) {
      for (const Place& p : path->points) include(p, path->width + 1);
    }
  }
  const auto width = static_cast<float>(canvas.width), height = static_cast<float>(canvas.height);
  return {std::floor(std::clamp(box.left, 0.F, width)), std::floor(std::clamp(box.top, 0.F, height)),
          std::ceil(std::clamp(box.right, 0.F, width)), std::ceil(std::clamp(box.bottom, 0.F, height))};
}

}  // namespace

Picture pixels_of(const BodyScene& scene, Size canvas, int samples) {
  const auto objects = scene.sorted();
  const Box box = covered(objects, scene.camera(), canvas);
  const Size size{static_cast<int>(box.width()), static_cast<int>(box.height())};
  if (size.width <= 0 || size.height <= 0) return {};
  Picture picture{
      box, size,
      std::vector<std::uint8_t>(4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height))};
  Tessellation tessellation(scene.camera());
  for (const BodyScene::Object* object : objects) std::visit([&](const auto& o) { tessellation.add(o); }, *object);
  const std::size_t stride = 4 * static_cast<std::size_t>(size.width);
  with_window([&](vtkRenderWindow& window) {
    static auto* const renderer = new SceneRenderer(window);  // never destroyed, like the window
    renderer->show(tessellation);
    const int side = renderer->largest() / samples;
    for (int y = 0; y < size.height; y += side) {
      for (int x = 0; x < size.width; x += side) {
        const Size tile{std::min(side, size.width - x), std::min(side, size.height - y)};
        const unsigned char* rgba = renderer->samples(scene.camera(), static_cast<int>(box.left) + x,
                                                      static_cast<int>(box.top) + y, tile, samples);
        reduce(rgba, tile, samples,
               picture.rgba.data() + stride * static_cast<std::size_t>(y) + 4 * static_cast<std::size_t>(x), stride);
      }
    }
  });
  return picture;
}

}  // namespace orrery::render::opengl_module
