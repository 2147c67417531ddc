// SPDX-License-Identifier: MIT
// One thread per body, pairs in ascending order.
#include <cstddef>

#include "sim/backends/cuda/device.hpp"
#include "sim/study/divergence.hpp"

namespace orrery::sim::study {
namespace {

using namespace cuda;

enum class Contraction { plain, fused };
enum class Inverse { divided, reciprocal, approximate };

__device__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}
__device__ float root(float x) {
  return __fsqrt_rn(x);
}
__device__ double root(double x) {
  return __dsqrt_rn(x);
}
__device__ float fast_inverse_root(float x) {
  return rsqrtf(x);
}
__device__ double fast_inverse_root(double x) {
  return rsqrt(x);
}

/// All sources are compiled without contraction, so only `fused` fuses.
template <Contraction product, class Real>
__device__ Real times_plus(Real a, Real b, Real c) {
  if constexpr (product == Contraction::fused) return fused(a, b, c);
  return a * b + c;
}

template <Contraction product, Inverse inverse, class Real>
__global__ void accelerate_kernel(std::size_t n, Real softening2, const Real* mass, const Real* x, Real* a) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  Real sum[3] = {};
  for (std::size_t j = 0; j < n; ++j) {
    Real d[3], r2 = softening2, s;
    for (int c = 0; c < 3; ++c) {
      d[c] = x[3 * j + c] - x[3 * i + c];
      r2 = times_plus<product>(d[c], d[c], r2);
    }
    if constexpr (inverse == Inverse::divided) {
      s = mass[j] / (r2 * root(r2));
    } else {
      const Real r = inverse == Inverse::approximate ? fast_inverse_root(r2) : 1 / root(r2);
      s = mass[j] * (r * r * r);
    }
    for (int c = 0; c < 3; ++c) sum[c] = times_plus<product>(s, d[c], sum[c]);
  }
  for (int c = 0; c < 3; ++c) a[3 * i + c] = sum[c];
}

/// to ← factor · what + to: a kick or a drift.
template <Contraction product, class Real>
__global__ void add_kernel(std::size_t count, Real factor, const Real* what, Real* to) {
  const std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (k < count) to[k] = times_plus<product>(factor, what[k], to[k]);
}

template <class Real, Contraction product, Inverse inverse>
std::vector<double> run_on_gpu(const Bodies& bodies, double softening, double dt, std::int64_t steps, int device) {
  const Device gpu(device);
  const std::size_t n = bodies.size();
  std::vector<Real> mass, at, velocity;
  for (std::size_t i = 0; i < n; ++i) {
    mass.push_back(static_cast<Real>(bodies.mass[i]));
    for (const auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z})
      at.push_back(static_cast<Real>((*axis)[i]));
    for (const auto* axis : {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z})
      velocity.push_back(static_cast<Real>((*axis)[i]));
  }
  Stream stream(gpu);
  const DeviceArray<Real> m(gpu, n), x(gpu, 3 * n), v(gpu, 3 * n), a(gpu, 3 * n);
  stream.copy_in(m.get(), mass.data(), n * sizeof(Real));
  stream.copy_in(x.get(), at.data(), 3 * n * sizeof(Real));
  stream.copy_in(v.get(), velocity.data(), 3 * n * sizeof(Real));
  constexpr unsigned block = 128;
  const auto blocks = [](std::size_t threads) { return static_cast<unsigned>((threads + block - 1) / block); };
  CUstream_st* const raw = stream.get().stream;
  const auto accelerate = [&] {
    accelerate_kernel<product, inverse>
        <<<blocks(n), block, 0, raw>>>(n, static_cast<Real>(softening * softening), m.get(), x.get(), a.get());
  };
  const auto add = [&](double factor, const DeviceArray<Real>& what, const DeviceArray<Real>& to) {
    add_kernel<product><<<blocks(3 * n), block, 0, raw>>>(3 * n, static_cast<Real>(factor), what.get(), to.get());
  };
  if (n > 0) {
    accelerate();
    for (std::int64_t k = 0; k < steps; ++k) {
      add(dt / 2, a, v);
      add(dt, v, x);
      accelerate();
      add(dt / 2, a, v);
    }
    check(cudaGetLastError(), "starting a step");
  }
  stream.copy_out(at.data(), x.get(), 3 * n * sizeof(Real));
  stream.wait();
  return {at.begin(), at.end()};
}

constexpr Arithmetic gpu_list[] = {
    {"gpu float64", "where it runs, nothing else", false, run_on_gpu<double, Contraction::plain, Inverse::divided>},
    {"gpu float64, fma", "fused multiply-add, nvcc's default", false,
     run_on_gpu<double, Contraction::fused, Inverse::divided>},
    {"gpu float64, fast root", "rsqrt(), exact to 1 unit in the last place", false,
     run_on_gpu<double, Contraction::plain, Inverse::approximate>},
    {"gpu float32", "where it runs, nothing else", true, run_on_gpu<float, Contraction::plain, Inverse::divided>},
    {"gpu float32, fma", "fused multiply-add, nvcc's default", true,
     run_on_gpu<float, Contraction::fused, Inverse::divided>},
    {"gpu float32, fast root", "rsqrtf(), exact to 2 units in the last place", true,
     run_on_gpu<float, Contraction::plain, Inverse::approximate>},
};

}  // namespace

std::span<const Arithmetic> arithmetics_of_gpu() {
  return gpu_list;
}

}  // namespace orrery::sim::study
