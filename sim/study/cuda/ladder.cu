// SPDX-License-Identifier: MIT
#include "sim/study/ladder.hpp"

#include <cmath>
#include <vector>

#include "sim/study/cuda/first_rungs.cuh"
#include "sim/study/cuda/last_rungs.cuh"

namespace orrery::sim::study {
namespace {

using cuda::DeviceArray;
using cuda::Place;

float as_float(double x) {
  return static_cast<float>(x);
}

/// Rungs with an array of structures.
class PlainWork : public GpuWork {
 public:
  using Kernel = void (*)(Numbers, PlainBody*);

  PlainWork(Kernel kernel, bool update_on_host, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting),
        kernel_(kernel),
        update_on_host_(update_on_host),
        numbers_(numbers_of(bodies.size(), setting)) {
    const auto &x = bodies.position, &v = bodies.velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      host_.push_back({as_float(x.x[i]), as_float(x.y[i]), as_float(x.z[i]), as_float(v.x[i]), as_float(v.y[i]),
                       as_float(v.z[i]), 0, 0, 0, as_float(bodies.mass[i])});
    bodies_ = on_device(host_);
  }

  Vectors accelerations() override {
    accelerate();
    std::vector<float3> all;
    for (const PlainBody& body : on_host(bodies_.get(), numbers_.n)) all.push_back({body.ax, body.ay, body.az});
    return vectors_of(all);
  }
  [[nodiscard]] KernelFacts facts() const override { return facts_of(kernel_, usual_block); }

 protected:
  void step() override {
    if (!update_on_host_) {
      accelerate();
      move_plain_kernel<<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, bodies_.get());
      return;
    }
    const std::size_t bytes = numbers_.n * sizeof(PlainBody);
    stream_.copy_in(bodies_.get(), host_.data(), bytes);
    accelerate();
    stream_.copy_out(host_.data(), bodies_.get(), bytes);
    stream_.wait();
    for (PlainBody& b : host_) {
      b.x += numbers_.dt * (b.vx += numbers_.dt * b.ax);
      b.y += numbers_.dt * (b.vy += numbers_.dt * b.ay);
      b.z += numbers_.dt * (b.vz += numbers_.dt * b.az);
    }
  }

 private:
  void accelerate() { kernel_<<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, bodies_.get()); }

  Kernel kernel_;
  bool update_on_host_;
  Numbers numbers_;
  std::vector<PlainBody> host_;
  DeviceArray<PlainBody> bodies_;
};

/// Rungs with a structure of arrays.
class ArraysWork : public GpuWork {
 public:
  ArraysWork(bool restricted, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting), restricted_(restricted), numbers_(numbers_of(bodies.size(), setting)) {
    const auto floats = [](std::initializer_list<const std::vector<double>*> columns) {
      std::vector<float> all;
      for (const auto* column : columns) all.insert(all.end(), column->begin(), column->end());
      return all;
    };
    x_ = on_device(floats({&bodies.position.x, &bodies.position.y, &bodies.position.z}));
    v_ = on_device(floats({&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z}));
    a_ = on_device(std::vector<float>(3 * bodies.size()));
    mass_ = on_device(floats({&bodies.mass}));
  }

  Vectors accelerations() override {
    accelerate();
    const auto host = on_host(a_.get(), 3 * numbers_.n);
    Vectors all(numbers_.n);
    for (std::size_t i = 0; i < numbers_.n; ++i) {
      all.x[i] = static_cast<double>(host[i]);
      all.y[i] = static_cast<double>(host[numbers_.n + i]);
      all.z[i] = static_cast<double>(host[2 * numbers_.n + i]);
    }
    return all;
  }
  [[nodiscard]] KernelFacts facts() const override {
    return restricted_ ? facts_of(restricted_arrays_kernel, usual_block) : facts_of(arrays_kernel, usual_block);
  }

 protected:
  void step() override {
    accelerate();
    move_arrays_kernel<<<blocks_for(3 * numbers_.n), usual_block, 0, stream()>>>(numbers_, arrays());
  }

 private:
  [[nodiscard]] Arrays arrays() const { return {x_.get(), v_.get(), a_.get(), mass_.get()}; }
  void accelerate() {
    const unsigned blocks = blocks_for(numbers_.n);
    if (restricted_) {
      restricted_arrays_kernel<<<blocks, usual_block, 0, stream()>>>(numbers_, x_.get(), mass_.get(), a_.get());
    } else {
      arrays_kernel<<<blocks, usual_block, 0, stream()>>>(numbers_, arrays());
    }
  }

  bool restricted_;
  Numbers numbers_;
  DeviceArray<float> x_, v_, a_, mass_;
};

/// Rungs with float3 positions and separate masses.
class TriplesWork : public GpuWork {
 public:
  TriplesWork(const Bodies& bodies, const Setting& setting)
      : GpuWork(setting), numbers_(numbers_of(bodies.size(), setting)) {
    x_ = on_device(float3s_of(bodies.position));
    v_ = on_device(float3s_of(bodies.velocity));
    a_ = on_device(std::vector<float3>(bodies.size()));
    mass_ = on_device(std::vector<float>(bodies.mass.begin(), bodies.mass.end()));
  }
  Vectors accelerations() override {
    accelerate();
    return vectors_of(on_host(a_.get(), numbers_.n));
  }
  [[nodiscard]] KernelFacts facts() const override { return facts_of(triples_kernel, usual_block); }

 protected:
  void step() override {
    accelerate();
    move_packed_kernel<float3>
        <<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, a_.get(), v_.get(), x_.get());
  }

 private:
  void accelerate() {
    triples_kernel<<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, x_.get(), mass_.get(), a_.get());
  }

  Numbers numbers_;
  DeviceArray<float3> x_, v_, a_;
  DeviceArray<float> mass_;
};

/// Whether the positions of each step are copied to the host, and to which kind of memory.
enum class Copies { none, pageable, pinned };

/// A rung with float4: its kernel and parameters.
struct Packed {
  PackedKernel kernel;
  unsigned bodies_a_block = usual_block;
  Copies copies = Copies::none;
  bool pair_once = false;  ///< uses `pair_once_kernel` instead of `kernel`
};

/// Rungs with float4, padded with massless bodies to whole blocks.
class PackedWork : public GpuWork {
 public:
  PackedWork(const Packed& rung, const Bodies& bodies, const Setting& setting)
      : GpuWork(setting),
        rung_(rung),
        numbers_(numbers_of(bodies.size(), setting)),
        padded_(std::size_t{blocks_for(bodies.size())} * usual_block) {
    bodies_ = on_device(float4s_of(bodies), padded_);
    v_ = on_device(float3s_of(bodies.velocity));
    a_ = on_device(std::vector<float3>(padded_));
    if (rung_.copies == Copies::pageable) pageable_.resize(numbers_.n);
    if (rung_.copies == Copies::pinned) pinned_ = DeviceArray<float4, Place::pinned>(device_, numbers_.n);
  }
  Vectors accelerations() override {
    accelerate();
    return vectors_of(on_host(a_.get(), numbers_.n));
  }
  [[nodiscard]] KernelFacts facts() const override {
    return rung_.pair_once ? facts_of(pair_once_kernel, 128) : facts_of(rung_.kernel, usual_block);
  }

 protected:
  void step() override {
    accelerate();
    move_packed_kernel<float4>
        <<<blocks_for(numbers_.n), usual_block, 0, stream()>>>(numbers_, a_.get(), v_.get(), bodies_.get());
    if (rung_.copies == Copies::pageable)
      stream_.copy_out(pageable_.data(), bodies_.get(), numbers_.n * sizeof(float4));
    if (rung_.copies == Copies::pinned) stream_.copy_out(pinned_.get(), bodies_.get(), numbers_.n * sizeof(float4));
  }

 private:
  void accelerate() {
    if (!rung_.pair_once) {
      rung_.kernel<<<blocks_for(numbers_.n, rung_.bodies_a_block), usual_block, 0, stream()>>>(numbers_, bodies_.get(),
                                                                                               a_.get());
      return;
    }
    constexpr std::size_t width = 32 * rows;
    Numbers padded = numbers_;
    padded.n = padded_;
    const std::size_t tiles = padded_ / width, shares = std::clamp<std::size_t>(65536 / tiles, 1, tiles / 2 + 1);
    stream_.clear(a_.get(), padded_ * sizeof(float3));
    pair_once_kernel<<<blocks_for(32 * tiles * shares, 128), 128, 0, stream()>>>(padded, bodies_.get(), &a_.get()->x);
  }

  Packed rung_;
  Numbers numbers_;
  std::size_t padded_;
  DeviceArray<float4> bodies_;
  DeviceArray<float3> v_, a_;
  std::vector<float4> pageable_;
  DeviceArray<float4, Place::pinned> pinned_;
};

template <PlainWork::Kernel kernel, bool update_on_host>
std::unique_ptr<Work> make_plain(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<PlainWork>(kernel, update_on_host, bodies, setting);
}
template <bool restricted>
std::unique_ptr<Work> make_arrays(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<ArraysWork>(restricted, bodies, setting);
}
std::unique_ptr<Work> make_triples(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<TriplesWork>(bodies, setting);
}
template <PackedKernel kernel, Copies copies = Copies::none, unsigned bodies_a_thread = 1>
std::unique_ptr<Work> make_packed(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<PackedWork>(
      Packed{.kernel = kernel, .bodies_a_block = bodies_a_thread * usual_block, .copies = copies}, bodies, setting);
}
template <const PackedKernel& kernel>
std::unique_ptr<Work> make_flushed(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<PackedWork>(Packed{.kernel = kernel}, bodies, setting);
}
std::unique_ptr<Work> make_pair_once(const Bodies& bodies, const Setting& setting) {
  return std::make_unique<PackedWork>(Packed{.kernel = nullptr, .pair_once = true}, bodies, setting);
}

constexpr double a_tile = 16.0 / usual_block;  ///< bytes per pair: a tile is loaded once for all threads of a block

constexpr Rung all_rungs[] = {
    {"update on host", "bodies are copied to the GPU and back in every step, and moved by the host", 40,
     make_plain<naive_kernel, true>},
    {"naive", "bodies stay on the GPU; array of structures, sums in memory", 40, make_plain<naive_kernel, false>},
    {"registers", "a thread's own body and its sums in registers", 16, make_plain<registers_kernel, false>},
    {"structure of arrays", "x, y, z and masses in arrays of their own", 16, make_arrays<false>},
    {"float3", "three coordinates side by side", 16, make_triples},
    {"float4", "position and mass in one load of 16 bytes", 16, make_packed<packed_kernel>},
    {"back to float", "arrays of floats again, promised to be read only", 16, make_arrays<true>},
    {"tiles", "others come through shared memory, 256 at a time", a_tile,
     make_packed<packed_tiles_kernel<Root::divided, Product::plain, 1>>},
    {"unrolled", "the loop over a tile 32 times", a_tile,
     make_packed<packed_tiles_kernel<Root::divided, Product::plain, 32>>},
    {"frames to the host", "as before, and positions of each step copied to pageable memory", a_tile,
     make_packed<packed_tiles_kernel<Root::divided, Product::plain, 32>, Copies::pageable>},
    {"pinned", "the same copies to pinned memory", a_tile,
     make_packed<packed_tiles_kernel<Root::divided, Product::plain, 32>, Copies::pinned>},
    {"flush to zero", "no copies; denormal floats are zero, root and division stay exact", a_tile,
     make_flushed<flushed_divided>},
    {"fast root", "rsqrtf in place of root and division, denormal floats stay", a_tile,
     make_packed<packed_tiles_kernel<Root::approximate, Product::plain, 32>>},
    {"both", "fast root, and denormal floats are zero", a_tile, make_flushed<flushed_approximate>},
    {"fused", "fast root and fused multiply-adds", a_tile,
     make_packed<packed_tiles_kernel<Root::approximate, Product::fused, 32>>},
    {"4 bodies per thread", "each of a tile's bodies is read once for four", a_tile / 4,
     make_packed<packed_tiles_kernel<Root::approximate, Product::fused, 8, 4>, Copies::none, 4>},
    {"pair-once", "each pair is computed once in registers, and sums are passed from lane to lane", 16.0 / (32 * rows),
     make_pair_once},
    {"as printed", "a report's last rung: every thread fills the tile, without barriers", 16,
     make_packed<racing_kernel>, true},
};

}  // namespace

std::span<const Rung> gpu_ladder() {
  return all_rungs;
}

}  // namespace orrery::sim::study
