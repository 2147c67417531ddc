// SPDX-License-Identifier: MIT
// Band by band: what OpenGL takes follows from the band, not from the picture.
#include "render/canvas/rasteriser.hpp"

#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

#include "render/bands.hpp"
#include "render/canvas/painter.hpp"
#include "render/canvas/vtk_window.hpp"

namespace orrery::render {
namespace {

/// What hangs in the window, made once.
struct WindowContents {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkContextActor> actor;
  vtkNew<Painter> painter;
  WindowContents() {
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

/// What VTK has drawn, without the alpha that is 255 everywhere.
void copy_opaque(const std::uint8_t* drawn, std::size_t width, std::uint8_t* to) {
  for (std::size_t x = 0; x < width; ++x, drawn += 4, to += 3) {
    to[0] = drawn[0];
    to[1] = drawn[1];
    to[2] = drawn[2];
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
  parallel_parts(bottom - top, stride / 4 * static_cast<std::size_t>(bottom - top), [&](int first, int last) {
    for (int y = first; y < last; ++y)
      visit(rgba->GetPointer(0) + stride * static_cast<std::size_t>(bottom - top - 1 - y), top + y);
  });
}

}  // namespace

Image rasterised(const Drawing& drawing, int scale, std::size_t most) {
  vtkRenderWindow& window = off_screen_window();
  static auto* const stage = new WindowContents;  // as long as the window
  const Size size{drawing.size.width * scale, drawing.size.height * scale};
  const Picture* ground = ground_of(drawing, size);
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
  // OpenGL takes 36 bytes a pixel of what is drawn at once. All bands are of one height, the last has rows to spare.
  const int rows =
      width * height <= most ? size.height : std::clamp(static_cast<int>(most / 3 / width), 64, size.height);
  window.SetSize(size.width, rows);
  stage->actor->GetScene()->SetGeometry(size.width, rows);
  const Color under = ground != nullptr ? Color{} : drawing.background;
  stage->renderer->SetBackground(under.red / 255.0, under.green / 255.0, under.blue / 255.0);

  Image image{size, {}};
  image.rgb.resize(3 * width * height);
  const auto row_of = [&](int y) { return image.rgb.data() + 3 * width * static_cast<std::size_t>(y); };
  if (ground != nullptr) {
    parallel_parts(size.height, width * height, [&](int first, int last) {
      for (int y = first; y < last; ++y)
        compose(ground->rgba.data() + 4 * width * static_cast<std::size_t>(y), drawing.background, width, row_of(y));
    });
  }
  for (int top = 0; top < size.height; top += rows) {
    stage->painter->take(&drawing, ground != nullptr ? 1 : 0, scale, {top, rows});
    window.Render();
    const int seen = std::min(rows, size.height - top);
    if (ground == nullptr) {
      read_rows(window, {size.width, rows}, 0, seen,
                [&](const std::uint8_t* from, int y) { copy_opaque(from, width, row_of(top + y)); });
      continue;
    }
    const auto& painted = stage->painter->painted();
    const auto last = painted.begin() + seen;
    for (auto end = painted.begin();;) {  // words are above and below; most rows have none
      const auto begin = std::find(end, last, true);
      if (begin == last) break;
      end = std::find(begin, last, false);
      read_rows(window, {size.width, rows}, static_cast<int>(begin - painted.begin()),
                static_cast<int>(end - painted.begin()),
                [&](const std::uint8_t* from, int y) { lay_upon(from, width, row_of(top + y)); });
    }
  }
  return image;
}

}  // namespace orrery::render
