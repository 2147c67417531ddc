// SPDX-License-Identifier: MIT
// Light gathered on pixels as floating-point numbers, before tone mapping.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// One body on the canvas.
struct Dot {
  Point at;
  std::uint16_t color = 0;  ///< index into a palette
  float weight = 1;         ///< brighter above 1
};

/// Linear red, green and blue, each times the amount of light, and that amount.
struct alignas(16) Texel {
  float red = 0, green = 0, blue = 0, amount = 0;
};

/// Some light goes astray, as in every camera and eye: a soft Gaussian of `sigma` pixels around what is bright.
struct Bloom {
  float sigma, share;
};

/// 0 … 1 for an sRGB channel.
float linear(std::uint8_t channel);

class AccumulationBuffer {
 public:
  explicit AccumulationBuffer(Size size);
  /// Dark again, for the next picture. Takes as long as there is light to put out: a few thousand bodies leave most of the
  /// buffer untouched, and to write and read all of it is what would take the time.
  void clear();

  /// Adds each dot as a Gaussian of width `sigma` pixels, whose sum over pixels is its weight times `gain`.
  /// Their places are in pixels of this buffer. O(dots · sigma²), the same with any number of threads.
  void add(const std::vector<Dot>& dots, const std::vector<Color>& palette, float sigma, float gain);

  /// Gives it halos, the narrow before the wide. Costs the same for any number of dots.
  void glow(std::span<const Bloom> halos);

  [[nodiscard]] Size size() const { return size_; }
  /// visit(x, texels, count) for the pieces of row y, from the left, halos and all, which lie in `room`: they are added
  /// here, where the row is about to be used, which saves a pass over all of it. Pieces where there is less than `least`
  /// are left out, and in most pictures that is most of them.
  template <class Visit>
  void visit_row(int y, float least, std::vector<Texel>& room, const Visit& visit) const {
    const auto line = halo_line(y, room);
    for (int x = 0; x < size_.width; x += block) {
      const int end = std::min(size_.width, x + block);
      if (const Texel* piece = piece_of(y, x, end, least, line)) visit(x, piece, end - x);
    }
  }
  /// How much light there is at the place of a dot; 0 outside.
  [[nodiscard]] float amount(Point at) const;

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) + static_cast<std::size_t>(x);
  }
  /// A place between the middles of cells `low` and `low` + 1 of a coarser grid, and how far it is on the way.
  struct Between {
    int low;
    float share;
  };
  [[nodiscard]] Between between(int pixel, int cells) const;
  void take(AccumulationBuffer bloom, int factor);
  /// The halos along row y, on their own coarse grid, behind which there is room for a piece; empty without halos.
  [[nodiscard]] std::span<Texel> halo_line(int y, std::vector<Texel>& room) const;
  /// Pixels `first` … `end` − 1 of row y; nothing where there is less than `least`.
  [[nodiscard]] const Texel* piece_of(int y, int first, int end, float least, std::span<Texel> line) const;
  [[nodiscard]] const Texel* plain_row(int y) const { return &texels_[index(0, y)]; }
  /// Whether no light has fallen on pixels `first` … `last` of a row.
  [[nodiscard]] bool dark(int y, int first, int last) const {
    const std::uint8_t* blocks = &lit_[static_cast<std::size_t>(y) * static_cast<std::size_t>(blocks_)];
    return std::find(blocks + first / block, blocks + last / block + 1, 1) == blocks + last / block + 1;
  }
  void mark(int y, int first, int last) {
    std::uint8_t* blocks = &lit_[static_cast<std::size_t>(y) * static_cast<std::size_t>(blocks_)];
    std::fill(blocks + first / block, blocks + last / block + 1, std::uint8_t{1});
  }
  [[nodiscard]] AccumulationBuffer smaller(int factor) const;
  [[nodiscard]] AccumulationBuffer halo_light(std::span<const Bloom> halos, float pixel, int factor) const;
  void blur(int radius);

  static constexpr int block = 32;
  Size size_;
  int blocks_;  ///< of `block` pixels in a row
  std::vector<Texel> texels_;
  std::vector<std::uint8_t> lit_;                    ///< [height][blocks_]: 1 where light has fallen
  std::shared_ptr<const AccumulationBuffer> bloom_;  ///< on a grid `coarseness_` times as coarse
  int coarseness_ = 1;
  std::vector<Between> columns_;  ///< of that grid, for each of ours
};

}  // namespace orrery::render
