// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/point_cloud/gpu_light.hpp"
#include "render/point_cloud/splat.hpp"

namespace orrery::render {

/// One body on the canvas.
struct Dot {
  Point at;
  std::uint16_t color = 0;  ///< index into a palette
  float weight = 1;         ///< of its light; 0: not drawn
};

/// A Gaussian glow of `sigma` pixels around bright places; `share` is its amount of light relative to that of the
/// source.
struct Bloom {
  float sigma, share;
};

/// Converts an sRGB channel to linear 0 … 1.
float linear(std::uint8_t channel);

/// A floating-point image to which bodies are added as light, before tone mapping.
class AccumulationBuffer {
 public:
  explicit AccumulationBuffer(Size size);
  void clear();

  /// Writes dots `first` … `first` + dots.size() − 1 of many.
  using Dots = std::function<void(std::size_t first, std::span<Dot> dots)>;

  /// Adds `count` dots, each as a Gaussian of `sigma` pixels whose sum over pixels is its weight times `gain`. Positions are in
  /// pixels of this buffer. Asks for each dot twice, on all threads, which is faster than to keep them. O(count · sigma²); the
  /// result does not depend on the number of threads.
  void add(std::size_t count, const Dots& dots, const std::vector<Color>& palette, float sigma, float gain);
  /// The same on a GPU, for a buffer without light, which is then valid until the next call for this GPU; asks for each dot once.
  /// After an error of the GPU, sets `gpu.failure` and adds on the processor.
  void add_on(GpuLight& gpu, std::size_t count, const Dots& dots, const std::vector<Color>& palette, float sigma,
              float gain);

  /// Sets blooms around the light so far, in order of increasing sigma. The cost does not depend on the number of dots.
  void set_blooms(std::span<const Bloom> blooms);

  [[nodiscard]] Size size() const { return size_; }
  /// Calls visit(x, texels, count) for consecutive pieces of row y that contain at least `least` light. Blooms are
  /// added here, in the buffer `scratch`, which saves a pass over the whole image.
  template <class Visit>
  void visit_row(int y, float least, std::vector<Texel>& scratch, const Visit& visit) const {
    const auto line = bloom_line(y, scratch);
    for (int x = 0; x < size_.width; x += block) {
      const int end = std::min(size_.width, x + block);
      if (const Texel* piece = piece_of(y, x, end, least, line)) visit(x, piece, end - x);
    }
  }
  /// Returns the amount of light at a position; 0 outside of the buffer.
  [[nodiscard]] float amount(Point at) const;

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) + static_cast<std::size_t>(x);
  }
  /// A position between the middles of cells `low` and `low` + 1 of a coarser grid, `share` of the way.
  struct Between {
    int low;
    float share;
  };
  [[nodiscard]] Between between(int pixel, int cells) const;
  void set_bloom_grid(AccumulationBuffer bloom, int factor);
  /// Returns the bloom along row y on its coarse grid, followed by space for a piece; empty without bloom.
  [[nodiscard]] std::span<Texel> bloom_line(int y, std::vector<Texel>& scratch) const;
  /// Returns pixels `first` … `end` − 1 of row y with bloom; null if all have less light than `least`.
  [[nodiscard]] const Texel* piece_of(int y, int first, int end, float least, std::span<Texel> line) const;
  [[nodiscard]] const Texel* plain_row(int y) const { return &texels_[index(0, y)]; }
  /// Returns whether pixels `first` … `last` of a row are in blocks without light.
  [[nodiscard]] bool dark(int y, int first, int last) const {
    const std::uint8_t* blocks = &lit_[static_cast<std::size_t>(y) * static_cast<std::size_t>(blocks_)];
    return std::find(blocks + first / block, blocks + last / block + 1, 1) == blocks + last / block + 1;
  }
  /// Before pixels `first` … `last` of a row get light: clears their blocks, unless they have some.
  void light(int y, int first, int last) {
    std::uint8_t* blocks = &lit_[static_cast<std::size_t>(y) * static_cast<std::size_t>(blocks_)];
    for (int k = first / block; k <= last / block; ++k) {
      if (std::exchange(blocks[k], std::uint8_t{1}) == 0) clear_block(y, k);
    }
  }
  void clear_block(int y, int k);
  [[nodiscard]] AccumulationBuffer smaller(int factor) const;
  [[nodiscard]] AccumulationBuffer coarse_bloom(std::span<const Bloom> blooms, float pixel, int factor) const;
  void blur(int radius);

  static constexpr int block = 32;
  Size size_;
  int blocks_;  ///< of `block` pixels in a row
  std::unique_ptr<Texel, void (*)(void*)> memory_;
  std::span<Texel> texels_;                          ///< there or on loan; those of blocks without light are never read
  std::vector<std::uint8_t> lit_;                    ///< [height][blocks_]: 1 if a block contains light
  std::shared_ptr<const AccumulationBuffer> bloom_;  ///< on a grid that is coarser by `coarseness_`
  int coarseness_ = 1;
  std::vector<Between> columns_;  ///< of that grid, for each pixel
};

}  // namespace orrery::render
