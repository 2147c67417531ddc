// SPDX-License-Identifier: MIT
// Shapes as triangles whose edges fade over one pixel: smooth without multisampling, which costs 60 ms a frame in Mesa.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// Triangles in device pixels, y down, painted in their order.
class Mesh {
 public:
  explicit Mesh(float scale) : scale_(scale) {}

  void add(const Line& line);
  void add(const Area& area);
  void add(const Disc& disc);
  void add(const Ball& ball);

  struct Vertex {
    float x, y;
    Color color;
  };
  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<std::array<std::uint32_t, 3>>& triangles() const { return triangles_; }
  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  void clear();

 private:
  struct Ring {
    float radius;
    Color color;
  };
  /// From the innermost ring out; the middle has the first ring's colour where that does not start at 0.
  void rings(Point center, const std::vector<Ring>& rings);
  void strip(const std::vector<Point>& points, const std::vector<Color>& colors, float width);
  std::uint32_t vertex(float x, float y, Color color);
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);

  float scale_;
  std::vector<Vertex> vertices_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

}  // namespace orrery::render
