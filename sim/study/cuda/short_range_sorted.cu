// SPDX-License-Identifier: MIT
// Rungs that sort the particles by bins, and the list of all rungs on a GPU.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <utility>
#include <vector>

#include "sim/study/cuda/bins.cuh"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;

/// Structure of arrays; `id`: the initial index of a particle.
struct Sorted {
  double *x, *y, *vx, *vy;
  unsigned* id;
};

__device__ __forceinline__ void copy_particle(const Sorted& now, unsigned from, const Sorted& next, unsigned to) {
  next.x[to] = now.x[from];
  next.y[to] = now.y[from];
  next.vx[to] = now.vx[from];
  next.vy[to] = now.vy[from];
  next.id[to] = now.id[from];
}

__global__ void count_sorted_kernel(Square square, Sorted now, unsigned* counts, unsigned* bin, unsigned* slot) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  const auto own = static_cast<unsigned>(bin_of(square, now.x[i], now.y[i]));
  bin[i] = own;
  slot[i] = atomicAdd(&counts[own], 1U);
}

__global__ void place_kernel(Square square, Sorted now, Sorted next, const unsigned* starts, const unsigned* bin,
                             const unsigned* slot) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < square.n) copy_particle(now, i, next, starts[bin[i]] + slot[i]);
}

/// Input of the sort by key: bins, and the indices 0 … n − 1.
__global__ void keys_kernel(Square square, Sorted now, unsigned* keys, unsigned* numbers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  keys[i] = static_cast<unsigned>(bin_of(square, now.x[i], now.y[i]));
  numbers[i] = i;
}

__global__ void gather_kernel(Square square, Sorted now, Sorted next, const unsigned* from) {
  const unsigned to = blockIdx.x * blockDim.x + threadIdx.x;
  if (to < square.n) copy_particle(now, from[to], next, to);
}

/// The first particle of each bin among sorted keys, also for empty bins.
__global__ void starts_kernel(Square square, const unsigned* keys, unsigned* starts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > square.n) return;
  const unsigned bins = static_cast<unsigned>(square.side) * static_cast<unsigned>(square.side);
  const unsigned own = i < square.n ? keys[i] : bins - 1;
  for (unsigned bin = i == 0 ? 0 : keys[i - 1] + 1; bin <= own; ++bin) starts[bin] = i;
}

/// The three bins of a row are contiguous. Writes `forces` unless null; else moves the particles.
__global__ void force_and_move_kernel(Square square, Sorted now, Sorted next, const unsigned* starts, double2* forces) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= square.n) return;
  double x = now.x[i], y = now.y[i];
  const int column = along(square, x), row = along(square, y), bins = square.side * square.side;
  double2 a{};
  for (int r = max(row - 1, 0); r <= min(row + 1, square.side - 1); ++r) {
    const int first = r * square.side + max(column - 1, 0),
              behind = r * square.side + min(column + 1, square.side - 1) + 1;
    const unsigned end = behind < bins ? starts[behind] : square.n;
    for (unsigned j = starts[first]; j < end; ++j) {
      if (j != i) repel(now.x[j] - x, now.y[j] - y, a);
    }
  }
  if (forces != nullptr) {
    forces[now.id[i]] = a;
    return;
  }
  double vx = now.vx[i], vy = now.vy[i];
  move(square, a, x, y, vx, vy);
  next.x[i] = x;
  next.y[i] = y;
  next.vx[i] = vx;
  next.vy[i] = vy;
  next.id[i] = now.id[i];
}

class SortedWork : public GpuWork {
 public:
  SortedWork(double bins, bool by_key, const Bodies& bodies, int device)
      : GpuWork({.device = device}), by_key_(by_key), square_(square_of(bodies.size(), bins)) {
    const std::size_t n = bodies.size();
    std::vector<unsigned> numbers(n);
    for (unsigned i = 0; i < n; ++i) numbers[i] = i;
    const std::vector<double>* columns[] = {&bodies.position.x, &bodies.position.y, &bodies.velocity.x,
                                            &bodies.velocity.y};
    for (auto& side : columns_) {
      for (std::size_t c = 0; c < 4; ++c) side[c] = on_device(*columns[c]);
    }
    for (auto& id : id_) id = on_device(numbers);
    for (auto* array : {&bin_, &slot_, &sorted_keys_, &from_}) *array = DeviceArray<unsigned>(device_, n);
    counts_ = DeviceArray<unsigned>(device_, cells());
    starts_ = DeviceArray<unsigned>(device_, cells());
    sums_ = DeviceArray<unsigned>(device_, cells() / 512 + 4096);
    forces_ = DeviceArray<double2>(device_, n);
    if (by_key_) {
      cuda::check(sort(nullptr), "asking CUB");
      scratch_ = DeviceArray<char>(device_, scratch_bytes_);
    }
  }

  Vectors accelerations() override {
    sort_by_bins();
    force_and_move_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(1), at(0), starts_.get(), forces_.get());
    const auto host = on_host(forces_.get(), square_.n);
    Vectors all(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      all.x[i] = host[i].x;
      all.y[i] = host[i].y;
    }
    return all;
  }

 protected:
  void step() override {
    sort_by_bins();
    force_and_move_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(1), at(0), starts_.get(), nullptr);
  }

 private:
  [[nodiscard]] std::size_t cells() const {
    return static_cast<std::size_t>(square_.side) * static_cast<std::size_t>(square_.side);
  }
  [[nodiscard]] unsigned blocks() const { return blocks_for(square_.n); }
  [[nodiscard]] Sorted at(int side) const {
    return {columns_[side][0].get(), columns_[side][1].get(), columns_[side][2].get(), columns_[side][3].get(),
            id_[side].get()};
  }

  cudaError_t sort(void* scratch) {
    int bits = 1;
    while (bits < 32 && (std::size_t{1} << bits) < cells()) ++bits;
    return cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes_, bin_.get(), sorted_keys_.get(), slot_.get(),
                                           from_.get(), static_cast<int>(square_.n), 0, bits, stream());
  }

  /// Sorts the particles by bins from the first buffer into the second.
  void sort_by_bins() {
    if (by_key_) {
      keys_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(0), bin_.get(), slot_.get());
      cuda::check(sort(scratch_.get()), "sorting");
      gather_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(0), at(1), from_.get());
      starts_kernel<<<blocks_for(square_.n + 1), usual_block, 0, stream()>>>(square_, sorted_keys_.get(),
                                                                             starts_.get());
      return;
    }
    stream_.clear(counts_.get(), cells() * sizeof(unsigned));
    count_sorted_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(0), counts_.get(), bin_.get(), slot_.get());
    scan(counts_.get(), starts_.get(), sums_.get(), cells(), stream());
    place_kernel<<<blocks(), usual_block, 0, stream()>>>(square_, at(0), at(1), starts_.get(), bin_.get(), slot_.get());
  }

  bool by_key_;
  Square square_;
  DeviceArray<double> columns_[2][4];
  DeviceArray<unsigned> id_[2], bin_, slot_, sorted_keys_, from_, counts_, starts_, sums_;
  DeviceArray<double2> forces_;
  DeviceArray<char> scratch_;
  std::size_t scratch_bytes_ = 0;
};

template <Decisions how>
std::unique_ptr<Work> make_rung(const Bodies& bodies, int device) {
  return make_bins(how, bodies, device);
}
template <int bins, bool by_key = false>
std::unique_ptr<Work> make_sorted(const Bodies& bodies, int device) {
  return std::make_unique<SortedWork>(bins, by_key, bodies, device);
}

constexpr std::size_t any_number = std::size_t{1} << 31;

constexpr ShortRangeRung all_sorted[] = {
    {"all pairs", "the starter's program: one thread per particle, array of structures", 100'000,
     make_rung<Decisions{.bins = 0}>},
    {"bins", "bins of a cutoff are counted, scanned and filled in every step; one thread per particle looks into nine",
     any_number, make_rung<Decisions{}>},
    {"half stencil", "each pair once, added to both by atomics", any_number, make_rung<Decisions{.half = true}>},
    {"table of neighbours", "full stencil again; the nine bins come from a table", any_number,
     make_rung<Decisions{.neighbours = true}>},
    {"cached bin", "counting leaves each particle's bin for the scatter; no table", any_number,
     make_rung<Decisions{.cached = true}>},
    {"counts reused", "and its place in the bin: the scatter counts nothing", any_number,
     make_rung<Decisions{.cached = true, .slots = true}>},
    {"library's scan", "CUB's exclusive sum in place of our own", any_number,
     make_rung<Decisions{.cached = true, .slots = true, .library = true}>},
    {"threads on cells", "a thread goes through the particles of a bin", any_number,
     make_rung<Decisions{.cached = true, .slots = true, .library = true, .thread_a_cell = true}>},
    {"sorted particles",
     "particles themselves in the order of bins, structure of arrays; three rows in place of nine bins", any_number,
     make_sorted<1>},
    {"bins of 2 cutoffs", "a quarter of the bins", any_number, make_sorted<2>},
    {"bins of 4 cutoffs", "a sixteenth", any_number, make_sorted<4>},
    {"sort by key", "bins of 2 cutoffs; CUB's radix sort in place of atomics", any_number, make_sorted<2, true>},
};

}  // namespace

std::span<const ShortRangeRung> short_range_on_gpu() {
  return all_sorted;
}

}  // namespace orrery::sim::study
