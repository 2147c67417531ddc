// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/matrix/cuda/kernels.cuh"
#include "sim/study/work.hpp"

namespace orrery::sim {
namespace cuda {
namespace {

using std::size_t;

/// Combines the leaves of each row in their tree.
__global__ void __launch_bounds__(matrix_block)
    finish_kernel(MatrixParts parts, size_t rows, unsigned leaves, bool extremes, MatrixParts to) {
  const size_t row = blockIdx.x * size_t{matrix_block} + threadIdx.x;
  if (row >= rows) return;
  double pending[32], sum = 0, least = matrix_infinity, greatest = -matrix_infinity;
  long long nearest = -1;
  unsigned all = 1;
  while (all < leaves) all *= 2;
  for (unsigned leaf = 0; leaf < all; ++leaf) {
    sum = leaf < leaves ? parts.sum[leaf * rows + row] : 0.0;
    unsigned level = 0;
    for (; (leaf >> level & 1U) != 0; ++level) sum = __dadd_rn(pending[level], sum);
    pending[level] = sum;
    if (!extremes || leaf >= leaves) continue;
    const size_t at = leaf * rows + row;
    if (parts.least[at] < least) least = parts.least[at], nearest = parts.nearest[at];
    if (greatest < parts.greatest[at]) greatest = parts.greatest[at];
  }
  to.sum[row] = sum;
  if (extremes) to.least[row] = least, to.greatest[row] = greatest, to.nearest[row] = nearest;
}

/// The bodies of a matrix on a device, and the launches of its kernels.
class MatrixOnDevice {
 public:
  MatrixOnDevice(const PairMatrix& matrix, int device)
      : numbers_(matrix.numbers),
        device_(device),
        stream_(device_),
        columns_(device_, 4 * matrix.n),
        launches_(matrix_launches(matrix.formula, matrix.periodic, matrix.kind.floats)) {
    size_t at = 0;
    for (const auto* column : {&matrix.x, &matrix.y, &matrix.z, &matrix.weight}) {
      stream_.copy_in(columns_.get() + at, column->data(), matrix.n * sizeof(double));
      at += matrix.n;
    }
    double* x = columns_.get();
    field_ = {x, x + matrix.n, x + 2 * matrix.n, x + 3 * matrix.n, matrix.n};
    stream_.wait();
  }

  [[nodiscard]] const Device& device() const { return device_; }
  Stream& stream() { return stream_; }
  [[nodiscard]] size_t leaves() const { return (field_.n + matrix_leaf - 1) / matrix_leaf; }

  void fill(const Tile& tile, size_t stride, void* out) {
    launches_.fill(stream_, field_, numbers_, tile, stride, out);
  }
  void sum(size_t begin, size_t rows, const MatrixParts& parts, const MatrixParts& to) {
    launches_.sum(stream_, field_, numbers_, begin, rows, parts);
    finish_kernel<<<blocks_for(rows, matrix_block), matrix_block, 0, stream_.get().stream>>>(
        parts, rows, static_cast<unsigned>(leaves()), parts.least != nullptr, to);
    check(cudaGetLastError(), "adding up the rows of a matrix");
  }
  void count(size_t begin, size_t end, const MatrixBins& bins, unsigned long long* counts) {
    launches_.count(stream_, field_, numbers_, begin, end, bins, counts);
  }

 private:
  MatrixNumbers numbers_;
  Device device_;
  Stream stream_;
  DeviceArray<double> columns_;
  MatrixLaunches launches_;
  MatrixParticles field_{};
};

/// Memory of the sums over leaves, followed by the sums of rows.
class SumRoom {
 public:
  SumRoom(const Device& device, size_t leaves, size_t rows, bool extremes)
      : numbers_(device, (leaves + 1) * rows * (extremes ? 3 : 1)),
        places_(device, extremes ? (leaves + 1) * rows : 0) {
    const size_t all = leaves * rows;
    double* at = numbers_.get();
    const auto take = [&](size_t count) { return std::exchange(at, at + count); };
    parts_.sum = take(all);
    if (extremes) parts_.least = take(all), parts_.greatest = take(all), parts_.nearest = places_.get();
    sums_.sum = take(rows);
    if (extremes) sums_.least = take(rows), sums_.greatest = take(rows), sums_.nearest = places_.get() + all;
  }
  [[nodiscard]] const MatrixParts& parts() const { return parts_; }
  [[nodiscard]] const MatrixParts& sums() const { return sums_; }

 private:
  DeviceArray<double> numbers_;
  DeviceArray<long long> places_;
  MatrixParts parts_{}, sums_{};
};

class OnCuda final : public MatrixBuilder {
 public:
  OnCuda(const PairMatrix& matrix, int device, int threads)
      : matrix_(matrix), on_device_(matrix, device), pool_(thread_pool(threads)) {}

  void fill(std::span<const Tile> tiles, size_t stride, size_t bytes, std::byte* out,
            const std::function<void(size_t)>& after) override {
    // On the device rows are aligned to 16 bytes for any stride.
    const size_t element = matrix_.element_bytes(), wide = (stride * element + 15) / 16 * 16 / element;
    const size_t rows = bytes / (stride * element), each = wide * element * rows;
    if (room_ < each * tiles.size()) {
      room_ = each * tiles.size();
      there_ = DeviceArray<std::byte>(on_device_.device(), room_);
      here_ = DeviceArray<std::byte, Place::pinned>(on_device_.device(), room_);
    }
    Stream& stream = on_device_.stream();
    for (size_t k = 0; k < tiles.size(); ++k) {
      if (tiles[k].rows < rows) stream.clear(there_.get() + k * each, each);
      on_device_.fill(tiles[k], wide, there_.get() + k * each);
    }
    stream.copy_out(here_.get(), there_.get(), each * tiles.size());
    stream.wait();
    pool_->for_each(0, tiles.size(), [&](size_t k) {
      std::byte* to = out + k * bytes;
      std::memset(to, 0, bytes);
      for (size_t row = 0; row < tiles[k].rows; ++row)
        std::memcpy(to + row * stride * element, here_.get() + k * each + row * wide * element, stride * element);
      after(k);
    });
  }

  RowSums reduce(size_t begin, size_t end, bool extremes) override {
    RowSums sums;
    constexpr size_t max_bytes = size_t{1} << 28;
    const size_t slice = std::clamp<size_t>(max_bytes / (on_device_.leaves() * 32), 1, end - begin);
    const SumRoom room(on_device_.device(), on_device_.leaves(), slice, extremes);
    for (size_t first = begin; first < end; first += slice) {
      const size_t rows = std::min(slice, end - first);
      on_device_.sum(first, rows, room.parts(), room.sums());
      append(sums.sum, room.sums().sum, rows);
      if (!extremes) continue;
      append(sums.least, room.sums().least, rows);
      append(sums.greatest, room.sums().greatest, rows);
      append(sums.nearest, room.sums().nearest, rows);
    }
    return sums;
  }

  void count(size_t begin, size_t end, MatrixBins& bins) override {
    if (bins.counts.size() > max_bins) throw Error("on a GPU a histogram has at most 4096 bins", Fault::request);
    const DeviceArray<unsigned long long> counts(on_device_.device(), bins.counts.size());
    on_device_.count(begin, end, bins, counts.get());
    std::vector<std::int64_t> more;
    append(more, counts.get(), bins.counts.size());
    for (size_t k = 0; k < more.size(); ++k) bins.counts[k] += more[k];
  }

 private:
  template <class To, class From>
  void append(std::vector<To>& to, const From* from, size_t count) {
    static_assert(sizeof(To) == sizeof(From));
    to.resize(to.size() + count);
    on_device_.stream().copy_out(to.data() + to.size() - count, from, count * sizeof(To));
    on_device_.stream().wait();
  }

  const PairMatrix& matrix_;
  MatrixOnDevice on_device_;
  std::shared_ptr<ThreadPool> pool_;
  size_t room_ = 0;
  DeviceArray<std::byte> there_;
  DeviceArray<std::byte, Place::pinned> here_;
};

/// n random bodies in a cube, with gravity.
struct RandomBodies {
  Bodies bodies;
  PairForce force;
  explicit RandomBodies(size_t n) {
    std::uint64_t state = 1;
    const auto next = [&] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<double>(state >> 11U) * 0x1p-53;
    };
    for (size_t i = 0; i < n; ++i) {
      const double x = next(), y = next(), z = next();
      bodies.position.push_back(x, y, z);
      bodies.mass.push_back(1.0 / static_cast<double>(n));
    }
    force = make_pair_force(*force_laws().front(), bodies, 0.0, 1.0);
  }
  [[nodiscard]] PairMatrix matrix(Quantity quantity, bool floats) const {
    return pair_matrix({.quantity = quantity, .halves = 2, .floats = floats}, bodies, Domain(), {&force, 1.0});
  }
};

template <class Launch>
double seconds_of(Stream& stream, std::int64_t times, const Launch& launch) {
  stream.wait();
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t k = 0; k < times; ++k) launch();
  stream.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Filling final : public study::Work {
 public:
  Filling(int device, size_t n, bool floats)
      : n_(n),
        on_device_(RandomBodies(n).matrix(Quantity::distance, floats), device),
        buffer_(on_device_.device(), n * n * (floats ? sizeof(float) : sizeof(double))) {}
  double take(std::int64_t times) override {
    return seconds_of(on_device_.stream(), times, [&] { on_device_.fill({0, n_, 0, n_}, n_, buffer_.get()); });
  }

 private:
  size_t n_;
  MatrixOnDevice on_device_;
  DeviceArray<std::byte> buffer_;
};

class Adding final : public study::Work {
 public:
  Adding(int device, size_t n, bool floats, Quantity quantity)
      : n_(n),
        on_device_(RandomBodies(n).matrix(quantity, floats), device),
        room_(on_device_.device(), on_device_.leaves(), n, false) {}
  double take(std::int64_t times) override {
    return seconds_of(on_device_.stream(), times, [&] { on_device_.sum(0, n_, room_.parts(), room_.sums()); });
  }

 private:
  size_t n_;
  MatrixOnDevice on_device_;
  SumRoom room_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<MatrixBuilder> make_matrix_on_cuda(const PairMatrix& matrix, int device, int threads) {
  if (const std::string why = cuda_backend.absence(); !why.empty()) throw Error(why, Fault::request);
  return std::make_unique<cuda::OnCuda>(matrix, device, threads);
}

std::unique_ptr<study::Work> study::make_matrix_fill(int device, std::size_t n, bool floats) {
  return std::make_unique<cuda::Filling>(device, n, floats);
}

std::unique_ptr<study::Work> study::make_matrix_reduce(int device, std::size_t n, bool floats, Quantity quantity) {
  return std::make_unique<cuda::Adding>(device, n, floats, quantity);
}

}  // namespace orrery::sim
