// SPDX-License-Identifier: MIT
// Many bodies as points of light on the dark ground, as grains of ink on paper; a crowd of them as its density.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/point_cloud/accumulation_buffer.hpp"
#include "render/point_cloud/tone_mapping.hpp"
#include "render/shown.hpp"

namespace orrery::render {

class PointCloud {
 public:
  /// A still is exposed for what it shows, a film for the moments of its whole run, once: it never flickers.
  /// `shown` must outlive this.
  explicit PointCloud(const Shown& shown) : shown_(shown) {}

  /// Where on the canvas a place in space is seen, and how bright; weight 0: nowhere.
  using See = std::function<Dot(const float* place)>;

  /// The bodies of this moment inside `room`, `scale` device pixels a pixel. O(bodies + pixels) on all
  /// threads; the same with any number of them.
  [[nodiscard]] Picture picture(const Box& room, float scale, const See& see) const;

 private:
  /// The light of the picture before, if it was of this size, dark again.
  [[nodiscard]] AccumulationBuffer& darkness(Size size) const;
  /// Gathers on a light of the size of `room`, which is dark.
  void gather(AccumulationBuffer& light, float scale, const std::vector<Dot>& dots) const;
  [[nodiscard]] std::vector<Dot> dots_of(const Frame& frame, const Box& room, float scale, const See& see) const;
  [[nodiscard]] ToneMapping measured(const Box& room, const See& see) const;
  [[nodiscard]] Picture developed(const AccumulationBuffer& light, const Box& room,
                                  const ToneMapping& tone_mapping) const;

  const Shown& shown_;
  mutable std::optional<AccumulationBuffer> accumulation_;  // of the picture before
  mutable std::optional<ToneMapping> tone_mapping_;         // of a film, from its first picture on
};

}  // namespace orrery::render
