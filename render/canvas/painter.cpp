// SPDX-License-Identifier: MIT
// VTK's 2-D context paints triangles, text and pictures in the order of the drawing.
#include "render/canvas/painter.hpp"

#include <vtkAbstractMapper.h>
#include <vtkBrush.h>
#include <vtkCellArray.h>
#include <vtkContext2D.h>
#include <vtkContextDevice2D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <variant>

#include "render/canvas/glyphs.hpp"
#include "render/canvas/text.hpp"
#include "render/canvas/vtk_text.hpp"

namespace orrery::render {
namespace {

/// Of rows of four bytes a pixel.
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

}  // namespace

vtkStandardNewMacro(Painter);

void Painter::take(const Drawing* drawing, std::size_t first, int scale, Band band) {
  drawing_ = drawing;
  first_ = first;
  scale_ = static_cast<float>(scale);
  width_ = static_cast<float>(drawing->size.width) * scale_;
  top_ = static_cast<float>(band.top);
  height_ = static_cast<float>(band.rows);
  whole_ = band.rows >= drawing->size.height * scale;
}

bool Painter::Paint(vtkContext2D* context) {
  context_ = context;
  mesh_ = Mesh(scale_);
  painted_.assign(static_cast<std::size_t>(height_), false);
  hidden_ = false;
  for (std::size_t i = first_; i < drawing_->shapes.size(); ++i) {
    std::visit(
        [this](const auto& s) {
          if (hidden_ && !std::is_same_v<std::decay_t<decltype(s)>, Clip>) return;
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

void Painter::mark(float top, float bottom) {
  const float first = std::clamp(std::floor(top - top_) - 2, 0.F, height_);
  const float end = std::clamp(std::ceil(bottom - top_) + 2, first, height_);
  std::fill(painted_.begin() + static_cast<int>(first), painted_.begin() + static_cast<int>(end), true);
}

void Painter::flush() {
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

void Painter::paint(const Text& text) {
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
  context_->DrawString(across(std::round(corner.x)), text_row(std::round(corner.y)), drawable(text.words, text.bold));
}

float Painter::text_row(float device) const {
  if (whole_) return upwards(device);
  const float all = static_cast<float>(drawing_->size.height) * scale_, below = all - top_ - height_;
  const float number = std::floor(0.5F + (all - device) * (all - 1) / all);
  const float place = std::round((number - 0.5F) * all / (all - 1)) - below;
  return std::round(0.5F + place * (height_ - 1) / height_) + 0.5F;
}

void Painter::paint(const Picture& picture) {
  const Box box = place_of(picture);
  const float row = box.height() / static_cast<float>(picture.size.height);
  const auto row_at = [&](float device) {
    return static_cast<int>(std::clamp((device - box.top) / row, 0.F, static_cast<float>(picture.size.height)));
  };
  // In a band, of its rows those that lie there or close to it: a texture is made of no more.
  const int first = whole_ ? 0 : row_at(top_ - 1);
  const int end = whole_ ? picture.size.height : std::min(row_at(top_ + height_ + 1) + 1, picture.size.height);
  if (first >= end) return;
  const float left = across(box.left), right = across(box.right);
  const float top = upwards(first == 0 ? box.top : box.top + static_cast<float>(first) * row);
  const float bottom = upwards(end == picture.size.height ? box.bottom : box.top + static_cast<float>(end) * row);
  mark(box.top, box.bottom);
  context_->GetPen()->SetLineType(vtkPen::NO_PEN);
  context_->GetBrush()->SetColor(255, 255, 255, 255);
  // As the texture of a brush: vtkContext2D::DrawImage would pad it to powers of two, pixel by pixel.
  const std::size_t stride = 4 * static_cast<std::size_t>(picture.size.width);
  context_->GetBrush()->SetTexture(
      pixels_of({picture.size.width, end - first}, picture.rgba.data() + static_cast<std::size_t>(first) * stride));
  context_->GetBrush()->SetTextureProperties(vtkBrush::Nearest | vtkBrush::Stretch);
  context_->DrawQuad(left, bottom, right, bottom, right, top, left, top);
  context_->GetBrush()->SetTexture(nullptr);
}

void Painter::paint(const Clip& clip) {
  vtkContextDevice2D* device = context_->GetDevice();
  device->EnableClipping(clip.box.has_value());
  hidden_ = false;
  if (!clip.box) return;
  const auto pixel = [this](float logical) { return static_cast<int>(std::lround(logical * scale_)); };
  const int rows = static_cast<int>(height_);
  const auto in_band = [&](float logical) {
    return whole_ ? pixel(logical) : std::clamp(pixel(logical) - static_cast<int>(top_), 0, rows);
  };
  const int top = in_band(clip.box->top), bottom = in_band(clip.box->bottom);
  hidden_ = !whole_ && top >= bottom;
  int cut[4] = {pixel(clip.box->left), rows - bottom, pixel(clip.box->right) - pixel(clip.box->left), bottom - top};
  device->SetClipping(cut);
}

Box Painter::place_of(const Picture& picture) const {
  Box box{picture.box.left * scale_, picture.box.top * scale_, picture.box.right * scale_, picture.box.bottom * scale_};
  const auto width = static_cast<float>(picture.size.width), height = static_cast<float>(picture.size.height);
  const bool pixel_by_pixel = std::abs(box.width() - width) < 1 && std::abs(box.height() - height) < 1;
  if (whole_ || !pixel_by_pixel) return box;
  const float left = std::ceil(box.left - 0.5F), top = std::ceil(box.top - 0.5F);
  return {left, top, left + width, top + height};
}

}  // namespace orrery::render
