// SPDX-License-Identifier: MIT
// Shapes on VTK's 2-D context, in the order of the drawing; included by sources of this room only.
#pragma once

#include <vtkContextItem.h>

#include <cstddef>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/canvas/mesh.hpp"

class vtkContext2D;

namespace orrery::render {

/// Rows of device pixels of a picture, which are painted at once.
struct Band {
  int top, rows;
};

/// Paints a band of a drawing. VTK counts y upwards from the lower edge.
class Painter : public vtkContextItem {
 public:
  static Painter* New();
  vtkTypeMacro(Painter, vtkContextItem);

  /// Shapes before `first` are left out.
  void take(const Drawing* drawing, std::size_t first, int scale, Band band);

  bool Paint(vtkContext2D* context) override;
  /// Whether anything was painted in each row of the band, from the top; perhaps where it is true, surely not where it is
  /// false.
  [[nodiscard]] const std::vector<bool>& painted() const { return painted_; }

 private:
  /// From `top` to `bottom` in device pixels of the picture.
  void mark(float top, float bottom);

  // VTK stretches 0.5 … width − 0.5 over the whole width; undone here, or no line would lie in the middle of
  // its pixels.
  [[nodiscard]] float across(float device) const { return 0.5F + device * (width_ - 1) / width_; }
  [[nodiscard]] float upwards(float device) const {
    return 0.5F + (height_ - (device - top_)) * (height_ - 1) / height_;
  }
  [[nodiscard]] float x(float logical) const { return across(logical * scale_); }
  [[nodiscard]] float y(float logical) const { return upwards(logical * scale_); }

  /// Draws the triangles gathered so far: a few calls a picture, not one a shape.
  void flush();

  void paint(const Text& text);
  void paint(const Picture& picture);
  void paint(const Clip& clip);
  /// Where VTK, which takes the next lower whole number and stretches it, puts text in all of the picture; in a band the
  /// nearest whole number to that.
  [[nodiscard]] float text_row(float device) const;

  /// In device pixels; in a band on whole ones where it has as many pixels as there are, so that no row is lost between two
  /// bands.
  [[nodiscard]] Box place_of(const Picture& picture) const;

  const Drawing* drawing_ = nullptr;
  std::size_t first_ = 0;
  vtkContext2D* context_ = nullptr;
  float scale_ = 1, width_ = 0;
  float top_ = 0, height_ = 0;  ///< of the band
  bool whole_ = true;           ///< the band is all of the picture
  bool hidden_ = false;         ///< nothing within the clip lies in the band
  std::vector<bool> painted_;
  Mesh mesh_{1};
};

}  // namespace orrery::render
