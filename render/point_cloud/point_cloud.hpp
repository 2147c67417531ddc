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
  /// `shown` must outlive this.
  explicit PointCloud(const Shown& shown) : shown_(shown) {}

  /// Where on the canvas a place in space is seen, and how bright; weight 0: nowhere.
  using See = std::function<Dot(const float* place)>;

  /// Decides how much light is how bright: a still for what it shows, a film for the moments of its whole run, once, so that
  /// it never flickers, or for `now` where none are known.
  void expose(const Frame& now, const Box& room, const See& see);

  /// The bodies of `now` inside `room`, `scale` device pixels a pixel; after `expose`. O(bodies + pixels) on all
  /// threads; the same with any number of them.
  [[nodiscard]] Picture picture(const Frame& now, const Box& room, float scale, const See& see) const;

 private:
  /// Gathers on a light of the size of `room`, which is dark.
  void gather(AccumulationBuffer& light, float scale, const std::vector<Dot>& dots) const;
  [[nodiscard]] std::vector<Dot> dots_of(const Frame& frame, const Box& room, float scale, const See& see) const;
  [[nodiscard]] Picture developed(const AccumulationBuffer& light, const Box& room) const;

  const Shown& shown_;
  std::optional<ToneMapping> tone_mapping_;
};

}  // namespace orrery::render
