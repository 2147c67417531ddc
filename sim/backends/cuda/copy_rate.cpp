// SPDX-License-Identifier: MIT
// Copies of arrays that are larger than the caches of any GPU.
#include "sim/backends/cuda/copy_rate.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "sim/backends/cuda/device.hpp"

namespace orrery::sim::cuda {

double copy_rate(int index) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t bytes = std::size_t{1} << 29;
  // Long enough that what it takes to start them and to wait is nothing.
  constexpr int copies = 16, tries = 7;
  const Device device(index);
  const DeviceArray<std::byte> from(device, bytes), to(device, bytes);
  Stream stream(device);
  const auto time = [&] {
    stream.wait();
    const auto begin = Clock::now();
    for (int k = 0; k < copies; ++k) stream.copy(to.get(), from.get(), bytes);
    stream.wait();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double least = time();
  for (int k = 0; k < tries; ++k) least = std::min(least, time());
  return 2.0 * copies * static_cast<double>(bytes) / least;
}

}  // namespace orrery::sim::cuda
