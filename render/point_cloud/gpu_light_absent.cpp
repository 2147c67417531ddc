// SPDX-License-Identifier: MIT
// For builds without CUDA.
#include "common/error.hpp"
#include "render/point_cloud/gpu_light.hpp"

namespace orrery::render {

struct GpuLight::Memory {};

GpuLight::GpuLight(int /*device*/) {
  throw Error("this build has no CUDA");
}
GpuLight::~GpuLight() = default;
std::span<Splat> GpuLight::splats(std::size_t /*count*/) {
  return {};
}
Texel* GpuLight::add(const Profile& /*profile*/, std::span<const Texel> /*colors*/, float /*gain*/, int /*width*/,
                     int /*height*/, std::uint8_t* /*lit*/) {
  return nullptr;
}
int GpuLight::count() {
  return 0;
}

}  // namespace orrery::render
