// SPDX-License-Identifier: MIT
// VTK's 2-D context paints triangles, text and pictures in the order of the drawing.
#include "render/canvas/rasteriser.hpp"

#include <vtkAbstractMapper.h>
#include <vtkBrush.h>
#include <vtkCellArray.h>
#include <vtkContext2D.h>
#include <vtkContextActor.h>
#include <vtkContextDevice2D.h>
#include <vtkContextItem.h>
#include <vtkContextScene.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "render/bands.hpp"
#include "render/canvas/glyphs.hpp"
#include "render/canvas/mesh.hpp"
#include "render/canvas/text.hpp"
#include "render/canvas/vtk_text.hpp"
#include "render/canvas/vtk_window.hpp"

namespace orrery::render {
namespace {

vtkSmartPointer<vtkImageData> pixels_of(Size size, const std::uint8_t* rgba) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(size.width, size.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  const std::size_t stride = 4 * static_cast<std::size_t>(size.width);
  auto* to = static_cast<std::uint8_t*>(image->GetScalarPointer());
  for (int y = 0; y < size.height; ++y) {  // VTK's first row is the lowest
    std::memcpy(to + static_cast<std::size_t>(size.height - 1 - y) * stride,
                rgba + static_cast<std::size_t>(y) * stride, stride);
  }
  return image;
}

/// Paints a drawing. VTK counts y upwards from the lower edge.
class Painter : public vtkContextItem {
 public:
  static Painter* New();
  vtkTypeMacro(Painter, vtkContextItem);

  /// Shapes before `first` are left out.
  void take(const Drawing* drawing, std::size_t first, int scale) {
    drawing_ = drawing;
    first_ = first;
    scale_ = static_cast<float>(scale);
    width_ = static_cast<float>(drawing->size.width) * scale_;
    height_ = static_cast<float>(drawing->size.height) * scale_;
  }

  bool Paint(vtkContext2D* context) override {
    context_ = context;
    mesh_ = Mesh(scale_);
    painted_.assign(static_cast<std::size_t>(height_), false);
    for (std::size_t i = first_; i < drawing_->shapes.size(); ++i) {
      std::visit(
          [this](const auto& s) {
            if constexpr (requires { mesh_.add(s); }) {
              mesh_.add(s);
            } else {
              flush();
              paint(s);
            }
          },
          drawing_->shapes[i]);
    }
    flush();
    return true;
  }
  /// Whether anything was painted in each row, from the top; perhaps where it is true, surely not where it is false.
  [[nodiscard]] const std::vector<bool>& painted() const { return painted_; }

 private:
  /// From `top` to `bottom` in device pixels.
  void mark(float top, float bottom) {
    const float first = std::clamp(std::floor(top) - 2, 0.F, height_);
    const float end = std::clamp(std::ceil(bottom) + 2, first, height_);
    std::fill(painted_.begin() + static_cast<int>(first), painted_.begin() + static_cast<int>(end), true);
  }

  // VTK stretches 0.5 … width − 0.5 over the whole width; undone here, or no line would lie in the middle of
  // its pixels.
  [[nodiscard]] float across(float device) const { return 0.5F + device * (width_ - 1) / width_; }
  [[nodiscard]] float upwards(float device) const { return 0.5F + (height_ - device) * (height_ - 1) / height_; }
  [[nodiscard]] float x(float logical) const { return across(logical * scale_); }
  [[nodiscard]] float y(float logical) const { return upwards(logical * scale_); }

  /// Draws the triangles gathered so far: a few calls a picture, not one a shape.
  void flush() {
    if (mesh_.empty()) return;
    vtkNew<vtkPoints> points;
    vtkNew<vtkUnsignedCharArray> colors;
    vtkNew<vtkCellArray> cells;
    const auto& vertices = mesh_.vertices();
    points->SetNumberOfPoints(static_cast<vtkIdType>(vertices.size()));
    colors->SetNumberOfComponents(4);
    colors->SetNumberOfTuples(static_cast<vtkIdType>(vertices.size()));
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const auto& [px, py, color] = vertices[i];
      points->SetPoint(static_cast<vtkIdType>(i), static_cast<double>(across(px)), static_cast<double>(upwards(py)), 0);
      const std::array<unsigned char, 4> rgba{color.red, color.green, color.blue, color.alpha};
      colors->SetTypedTuple(static_cast<vtkIdType>(i), rgba.data());
    }
    for (const auto& [a, b, c] : mesh_.triangles()) {
      cells->InsertNextCell({a, b, c});
      const auto row = [&](auto vertex) { return vertices[static_cast<std::size_t>(vertex)].y; };
      const auto [top, bottom] = std::minmax({row(a), row(b), row(c)});
      mark(top, bottom);
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetPolys(cells);
    context_->DrawPolyData(0, 0, data, colors, VTK_SCALAR_MODE_USE_POINT_DATA);
    mesh_.clear();
  }

  void paint(const Text& text) {
    if (text.words.empty()) return;
    const float size = text.size * scale_;
    const Point from = baseline_offset(text, scale_);
    const float descent = extents_of(text.words, size, text.bold).descent;
    vtkTextProperty* property = context_->GetTextProp();
    set_font(property, size, text.bold);
    property->SetColor(text.color.red / 255.0, text.color.green / 255.0, text.color.blue / 255.0);
    property->SetOpacity(text.color.alpha / 255.0);
    property->SetOrientation(text.upwards ? 90 : 0);
    // VTK wants the lower left corner, as it lies before the text is turned; in whole pixels, for sharp letters.
    const float left = text.at.x * scale_, top = text.at.y * scale_;
    const Point corner =
        text.upwards ? Point{left + from.y + descent, top - from.x} : Point{left + from.x, top + from.y + descent};
    const Box room = room_of(text);
    mark(room.top * scale_ - size, room.bottom * scale_ + size);  // accents stand above it
    context_->DrawString(across(std::round(corner.x)), upwards(std::round(corner.y)), drawable(text.words, text.bold));
  }

  void paint(const Picture& picture) {
    const float left = x(picture.box.left), right = x(picture.box.right);
    const float bottom = y(picture.box.bottom), top = y(picture.box.top);
    mark(picture.box.top * scale_, picture.box.bottom * scale_);
    context_->GetPen()->SetLineType(vtkPen::NO_PEN);
    context_->GetBrush()->SetColor(255, 255, 255, 255);
    // As the texture of a brush: vtkContext2D::DrawImage would pad it to powers of two, pixel by pixel.
    context_->GetBrush()->SetTexture(pixels_of(picture.size, picture.rgba.data()));
    context_->GetBrush()->SetTextureProperties(vtkBrush::Nearest | vtkBrush::Stretch);
    context_->DrawQuad(left, bottom, right, bottom, right, top, left, top);
    context_->GetBrush()->SetTexture(nullptr);
  }

  void paint(const Clip& clip) {
    vtkContextDevice2D* device = context_->GetDevice();
    device->EnableClipping(clip.box.has_value());
    if (!clip.box) return;
    const auto pixel = [this](float logical) { return static_cast<int>(std::lround(logical * scale_)); };
    int cut[4] = {pixel(clip.box->left), static_cast<int>(height_) - pixel(clip.box->bottom),
                  pixel(clip.box->right) - pixel(clip.box->left), pixel(clip.box->bottom) - pixel(clip.box->top)};
    device->SetClipping(cut);
  }

  const Drawing* drawing_ = nullptr;
  std::size_t first_ = 0;
  vtkContext2D* context_ = nullptr;
  float scale_ = 1, width_ = 0, height_ = 0;
  std::vector<bool> painted_;
  Mesh mesh_{1};
};
vtkStandardNewMacro(Painter);

/// What hangs in the window, made once.
struct Stage {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkContextActor> actor;
  vtkNew<Painter> painter;
  Stage() {
    actor->GetScene()->AddItem(painter);
    renderer->AddActor(actor);
    off_screen_window().SetMultiSamples(0);  // the mesh brings its own smooth edges
    off_screen_window().AddRenderer(renderer);
  }
};

/// The picture that all else lies upon, where it fills the canvas pixel by pixel: a crowd under its words. To blend it
/// here costs less than to have OpenGL do it without a GPU.
const Picture* ground_of(const Drawing& drawing, Size size) {
  const auto* picture = drawing.shapes.empty() ? nullptr : std::get_if<Picture>(&drawing.shapes.front());
  if (picture == nullptr || picture->size != size) return nullptr;
  const Box& box = picture->box;
  const bool fills = box.left == 0 && box.top == 0 && box.right == static_cast<float>(drawing.size.width) &&
                     box.bottom == static_cast<float>(drawing.size.height);
  return fills ? picture : nullptr;
}

/// a/255 of `over` and the rest of `under`, rounded.
std::uint8_t blended(unsigned over, unsigned under, unsigned a) {
  return static_cast<std::uint8_t>((over * a + under * (255 - a) + 127) / 255);
}

/// A row of the ground on its colour.
void compose(const std::uint8_t* ground, Color color, std::size_t width, std::uint8_t* to) {
  for (std::size_t x = 0; x < width; ++x, ground += 4, to += 3) {
    const unsigned a = ground[3];
    if (a == 0) {
      to[0] = color.red, to[1] = color.green, to[2] = color.blue;
      continue;
    }
    to[0] = blended(ground[0], color.red, a);
    to[1] = blended(ground[1], color.green, a);
    to[2] = blended(ground[2], color.blue, a);
  }
}

/// What VTK has drawn upon a row: in colours that are multiplied by alpha already.
void lay_upon(const std::uint8_t* drawn, std::size_t width, std::uint8_t* to) {
  for (std::size_t x = 0; x < width; ++x, drawn += 4, to += 3) {
    const unsigned rest = 255U - drawn[3];
    if (rest == 255) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      to[k] = static_cast<std::uint8_t>(std::min(255U, drawn[k] + (to[k] * rest + 127) / 255));
    }
  }
}

/// visit(rgba, y) for the rows from `top` to `bottom` − 1, counted from the top of a picture of this size in the window.
template <class Visit>
void read_rows(vtkRenderWindow& window, Size size, int top, int bottom, const Visit& visit) {
  vtkNew<vtkUnsignedCharArray> rgba;
  window.GetRGBACharPixelData(0, size.height - bottom, size.width - 1, size.height - 1 - top, 0, rgba);
  const std::size_t stride = 4 * static_cast<std::size_t>(size.width);
  in_shares(bottom - top, stride / 4 * static_cast<std::size_t>(bottom - top), [&](int first, int last) {
    for (int y = first; y < last; ++y)
      visit(rgba->GetPointer(0) + stride * static_cast<std::size_t>(bottom - top - 1 - y), top + y);
  });
}

}  // namespace

Image rasterised(const Drawing& drawing, int scale) {
  vtkRenderWindow& window = off_screen_window();
  static auto* const stage = new Stage;  // as long as the window
  const Size size{drawing.size.width * scale, drawing.size.height * scale};
  const Picture* ground = ground_of(drawing, size);
  window.SetSize(size.width, size.height);
  stage->actor->GetScene()->SetGeometry(size.width, size.height);
  const Color under = ground != nullptr ? Color{} : drawing.background;
  stage->renderer->SetBackground(under.red / 255.0, under.green / 255.0, under.blue / 255.0);
  stage->painter->take(&drawing, ground != nullptr ? 1 : 0, scale);
  window.Render();

  Image image{size, {}};
  const auto width = static_cast<std::size_t>(size.width);
  image.rgb.resize(3 * width * static_cast<std::size_t>(size.height));
  const auto row_of = [&](int y) { return image.rgb.data() + 3 * width * static_cast<std::size_t>(y); };
  if (ground == nullptr) {
    read_rows(window, size, 0, size.height, [&](const std::uint8_t* from, int y) {
      std::uint8_t* to = row_of(y);
      for (std::size_t x = 0; x < width; ++x, from += 4, to += 3) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
      }
    });
    return image;
  }
  in_shares(size.height, image.rgb.size() / 3, [&](int first, int last) {
    for (int y = first; y < last; ++y)
      compose(ground->rgba.data() + 4 * width * static_cast<std::size_t>(y), drawing.background, width, row_of(y));
  });
  const auto& painted = stage->painter->painted();
  for (auto end = painted.begin();;) {  // words are above and below; most rows have none
    const auto begin = std::find(end, painted.end(), true);
    if (begin == painted.end()) break;
    end = std::find(begin, painted.end(), false);
    read_rows(window, size, static_cast<int>(begin - painted.begin()), static_cast<int>(end - painted.begin()),
              [&](const std::uint8_t* from, int y) { lay_upon(from, width, row_of(y)); });
  }
  return image;
}

}  // namespace orrery::render
