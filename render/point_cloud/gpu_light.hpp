// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "render/point_cloud/splat.hpp"

namespace orrery::render {

/// Adds the light of many bodies on a GPU, in fixed point (64 bits, a unit of 2⁻³²): the sums do not depend on the order
/// of additions and are the same on every GPU. Relative to sums in single precision they differ by about 1e-6.
class GpuLight {
 public:
  /// Throws Error if the device (a number from 0) cannot be used. Memory is allocated when it is needed.
  explicit GpuLight(int device);
  ~GpuLight();
  GpuLight(const GpuLight&) = delete;
  GpuLight& operator=(const GpuLight&) = delete;

  /// Returns memory for `count` bodies, to be filled before add(). Throws Error.
  std::span<Splat> splats(std::size_t count);

  /// Returns the light of all splats [height][width], each with the sum of its weight times `gain`, in memory that is valid
  /// until the next call. Sets `lit` [height][⌈width / 32⌉]: whether 32 pixels of a row have light. Throws Error.
  Texel* add(const Profile& profile, std::span<const Texel> colors, float gain, int width, int height,
             std::uint8_t* lit);

  /// The number of usable GPUs, 0 in a build without CUDA.
  static int count();

  /// Set after an error, with its reason; then nothing is added on this GPU any more.
  std::string failure{};

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace orrery::render
