// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/point_cloud/accumulation_buffer.hpp"
#include "render/point_cloud/tone_mapping.hpp"
#include "render/shown.hpp"

namespace orrery::render {

/// The indices of bodies that outweigh nearly all others, a star among planetesimals, a black hole in a cluster, the heaviest first:
/// clouds mark them by discs. None if there are more than 64.
std::vector<std::size_t> outweighing(const std::vector<double>& mass);

/// Draws many bodies as points of light on a dark background, or as dots of ink on a light one.
class PointCloud {
 public:
  /// `shown` must outlive this.
  explicit PointCloud(const Shown& shown);

  /// Projects a position in space to the canvas; weight 0: not visible.
  using See = std::function<Dot(const float* place)>;

  /// Sets the tone mapping: in a still for `now`; in a film once, to avoid flicker, for the samples of the run, or for `now`
  /// if there are none.
  void set_tone_mapping(const Frame& now, const Box& room, const See& see);

  /// Returns the bodies of `now` inside `room` with `scale` device pixels per pixel; call set_tone_mapping() before.
  /// O(bodies + pixels) on all threads, or on the GPU of the run (RunInfo::gpu); the result does not depend on the number of
  /// threads.
  [[nodiscard]] Picture picture(const Frame& now, const Box& room, float scale, const See& see) const;

  /// Adds that picture, and the heaviest bodies as discs, `see` of which is within `room`.
  void draw(Drawing& drawing, const Frame& now, const Box& room, const See& see) const;
  /// Returns the disc of a body; its radius is 0 if it is not one of the heaviest, or not visible.
  [[nodiscard]] Disc disc_of(std::size_t body, const Frame& now, const Box& room, const See& see) const;

 private:
  /// Returns the dots of a frame; the arguments must outlive them.
  [[nodiscard]] AccumulationBuffer::Dots dots_of(const Frame& frame, const Box& room, float scale,
                                                 const See& see) const;
  /// Adds dots to a cleared buffer, on a GPU unless null.
  void gather(AccumulationBuffer& buffer, float scale, std::size_t count, const AccumulationBuffer::Dots& dots,
              GpuLight* gpu) const;
  [[nodiscard]] Picture tone_mapped(const AccumulationBuffer& buffer, const Box& room) const;
  /// Returns the width of a body in device pixels: the standard deviation of its light.
  [[nodiscard]] float sigma(float scale) const;

  const Shown& shown_;
  std::vector<float> weights_;      // of the light of bodies; empty: all are alike
  std::vector<std::size_t> heavy_;  // in order of decreasing mass
  std::optional<ToneMapping> tone_mapping_;
};

}  // namespace orrery::render
