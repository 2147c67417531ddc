// SPDX-License-Identifier: MIT
// Rungs whose particles keep their order.
#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <vector>

#include "sim/study/cuda/bins.cuh"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

/// Arrays of a step, by bin (counts, starts, filled) or by particle.
struct Bins {
  unsigned *counts, *starts, *filled, *order, *bin, *slot;
};

__global__ void all_pairs_kernel(Square square, Particle* particles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  double2 a{};
  for (unsigned j = 0; j < square.n; ++j) {
    if (j != i) repel(particles[j].x - particles[i].x, particles[j].y - particles[i].y, a);
  }
  particles[i].ax = a.x;
  particles[i].ay = a.y;
}

__global__ void count_kernel(Square square, const Particle* particles, Bins bins, bool cached, bool slots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  const int bin = bin_of(square, particles[i].x, particles[i].y);
  const unsigned slot = atomicAdd(&bins.counts[bin], 1U);
  if (cached) bins.bin[i] = static_cast<unsigned>(bin);
  if (slots) bins.slot[i] = slot;
}

__global__ void scatter_kernel(Square square, const Particle* particles, Bins bins, bool cached, bool slots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  const unsigned bin = cached ? bins.bin[i] : static_cast<unsigned>(bin_of(square, particles[i].x, particles[i].y));
  const unsigned slot = slots ? bins.slot[i] : atomicAdd(&bins.filled[bin], 1U);
  bins.order[bins.starts[bin] + slot] = i;
}

/// Calls visit(j) for each particle j in the nine bins around `bin`; `table` may be null.
template <class Visit>
__device__ void each_near(const Square& square, const Bins& bins, int bin, const int* table, const Visit& visit) {
  const int column = bin % square.side, row = bin / square.side;
  for (int k = 0; k < 9; ++k) {
    int other;
    if (table != nullptr) {
      other = table[9 * bin + k];
      if (other < 0) continue;
    } else {
      const int c = column + k % 3 - 1, r = row + k / 3 - 1;
      if (c < 0 || c >= square.side || r < 0 || r >= square.side) continue;
      other = r * square.side + c;
    }
    const unsigned end = bins.starts[other] + bins.counts[other];
    for (unsigned place = bins.starts[other]; place < end; ++place) visit(bins.order[place]);
  }
}

__global__ void neighbours_kernel(Square square, int* table) {
  const int bin = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (bin >= square.side * square.side) return;
  for (int k = 0; k < 9; ++k) {
    const int c = bin % square.side + k % 3 - 1, r = bin / square.side + k / 3 - 1;
    table[9 * bin + k] = c < 0 || c >= square.side || r < 0 || r >= square.side ? -1 : r * square.side + c;
  }
}

__global__ void full_stencil_kernel(Square square, Particle* particles, Bins bins, const int* table) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  const double x = particles[i].x, y = particles[i].y;
  double2 a{};
  each_near(square, bins, bin_of(square, x, y), table, [&](unsigned j) {
    if (j != i) repel(particles[j].x - x, particles[j].y - y, a);
  });
  particles[i].ax = a.x;
  particles[i].ay = a.y;
}

/// Accelerations must be 0 initially.
__global__ void half_stencil_kernel(Square square, Particle* particles, Bins bins) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  const double x = particles[i].x, y = particles[i].y;
  each_near(square, bins, bin_of(square, x, y), nullptr, [&](unsigned j) {
    double2 a{};
    if (j <= i || !repel(particles[j].x - x, particles[j].y - y, a)) return;
    atomicAdd(&particles[i].ax, a.x);
    atomicAdd(&particles[i].ay, a.y);
    atomicAdd(&particles[j].ax, -a.x);
    atomicAdd(&particles[j].ay, -a.y);
  });
}

__global__ void clear_kernel(Square square, Particle* particles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < square.n) particles[i].ax = particles[i].ay = 0;
}

__global__ void thread_a_cell_kernel(Square square, Particle* particles, Bins bins, const int* table) {
  const int bin = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (bin >= square.side * square.side) return;
  const unsigned end = bins.starts[bin] + bins.counts[bin];
  for (unsigned place = bins.starts[bin]; place < end; ++place) {
    const unsigned i = bins.order[place];
    const double x = particles[i].x, y = particles[i].y;
    double2 a{};
    each_near(square, bins, bin, table, [&](unsigned j) {
      if (j != i) repel(particles[j].x - x, particles[j].y - y, a);
    });
    particles[i].ax = a.x;
    particles[i].ay = a.y;
  }
}

__global__ void move_kernel_of_particles(Square square, Particle* particles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  Particle p = particles[i];
  move(square, {p.ax, p.ay}, p.x, p.y, p.vx, p.vy);
  particles[i] = p;
}

/// Arrays of all rungs, of which each uses some.
class BinsWork : public GpuWork {
 public:
  BinsWork(const Decisions& how, const Bodies& bodies, int device)
      : GpuWork({.device = device}), how_(how), square_(square_of(bodies.size(), how.bins > 0 ? how.bins : 1)) {
    const auto &x = bodies.position, &v = bodies.velocity;
    std::vector<Particle> host;
    for (std::size_t i = 0; i < bodies.size(); ++i) host.push_back({x.x[i], x.y[i], v.x[i], v.y[i], 0, 0});
    particles_ = on_device(host);
    if (how_.bins == 0) return;
    const std::size_t cells = bins();
    counts_ = DeviceArray<unsigned>(device_, cells);
    starts_ = DeviceArray<unsigned>(device_, cells);
    filled_ = DeviceArray<unsigned>(device_, cells);
    sums_ = DeviceArray<unsigned>(device_, cells / 512 + 4096);
    for (auto* array : {&order_, &bin_, &slot_}) *array = DeviceArray<unsigned>(device_, bodies.size());
    if (how_.neighbours) {
      table_ = DeviceArray<int>(device_, 9 * cells);
      neighbours_kernel<<<blocks_for(cells), usual_block, 0, stream()>>>(square_, table_.get());
    }
    if (how_.library) {
      std::size_t bytes = 0;
      cuda::check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts_.get(), starts_.get(), static_cast<int>(cells),
                                                stream()),
                  "asking CUB");
      scratch_ = DeviceArray<char>(device_, bytes);
      scratch_bytes_ = bytes;
    }
  }

  Vectors accelerations() override {
    accelerate();
    Vectors all(square_.n);
    const auto host = on_host(particles_.get(), square_.n);
    for (std::size_t i = 0; i < host.size(); ++i) {
      all.x[i] = host[i].ax;
      all.y[i] = host[i].ay;
    }
    return all;
  }

 protected:
  void step() override {
    accelerate();
    move_kernel_of_particles<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get());
  }

 private:
  [[nodiscard]] std::size_t bins() const {
    return static_cast<std::size_t>(square_.side) * static_cast<std::size_t>(square_.side);
  }
  [[nodiscard]] unsigned threads() const { return blocks_for(square_.n); }

  void accelerate() {
    if (how_.bins == 0) {
      all_pairs_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get());
      return;
    }
    const Bins bins{counts_.get(), starts_.get(), filled_.get(), order_.get(), bin_.get(), slot_.get()};
    stream_.clear(counts_.get(), this->bins() * sizeof(unsigned));
    if (!how_.slots) stream_.clear(filled_.get(), this->bins() * sizeof(unsigned));
    count_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get(), bins, how_.cached, how_.slots);
    if (how_.library) {
      cuda::check(cub::DeviceScan::ExclusiveSum(scratch_.get(), scratch_bytes_, counts_.get(), starts_.get(),
                                                static_cast<int>(this->bins()), stream()),
                  "scanning");
    } else {
      scan(counts_.get(), starts_.get(), sums_.get(), this->bins(), stream());
    }
    scatter_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get(), bins, how_.cached, how_.slots);
    if (how_.half) {
      clear_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get());
      half_stencil_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get(), bins);
    } else if (how_.thread_a_cell) {
      thread_a_cell_kernel<<<blocks_for(this->bins()), usual_block, 0, stream()>>>(square_, particles_.get(), bins,
                                                                                   table_.get());
    } else {
      full_stencil_kernel<<<threads(), usual_block, 0, stream()>>>(square_, particles_.get(), bins, table_.get());
    }
  }

  Decisions how_;
  Square square_;
  DeviceArray<Particle> particles_;
  DeviceArray<unsigned> counts_, starts_, filled_, sums_, order_, bin_, slot_;
  DeviceArray<int> table_;
  DeviceArray<char> scratch_;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Work> make_bins(const Decisions& how, const Bodies& bodies, int device) {
  return std::make_unique<BinsWork>(how, bodies, device);
}

}  // namespace orrery::sim::study
