// SPDX-License-Identifier: MIT
// Many bodies as points of light on the dark ground, as grains of ink on paper; a crowd of them as its density.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/crowd/exposure.hpp"
#include "render/crowd/light.hpp"
#include "render/shown.hpp"

namespace orrery::render {

class Crowd {
 public:
  /// A still is exposed for what it shows, a film for the moments of its whole run, once: it never flickers.
  /// `shown` must outlive this.
  explicit Crowd(const Shown& shown) : shown_(shown) {}

  /// Where on the canvas a place in space is seen, and how bright; weight 0: nowhere.
  using See = std::function<Dot(const float* place)>;

  /// The bodies of this moment inside `room`, `scale` device pixels a pixel. O(bodies + pixels) on all
  /// threads; the same with any number of them.
  [[nodiscard]] Picture picture(const Box& room, float scale, const See& see) const;

 private:
  /// The light of the picture before, if it was of this size, dark again.
  [[nodiscard]] Light& darkness(Size size) const;
  /// Gathers on a light of the size of `room`, which is dark.
  void gather(Light& light, float scale, const std::vector<Dot>& dots) const;
  [[nodiscard]] std::vector<Dot> dots_of(const Frame& frame, const Box& room, float scale, const See& see) const;
  [[nodiscard]] Exposure measured(const Box& room, const See& see) const;
  [[nodiscard]] Picture developed(const Light& light, const Box& room, const Exposure& exposure) const;

  const Shown& shown_;
  mutable std::optional<Light> light_;        // of the picture before
  mutable std::optional<Exposure> exposure_;  // of a film, from its first picture on
};

}  // namespace orrery::render
