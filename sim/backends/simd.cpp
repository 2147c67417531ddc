// SPDX-License-Identifier: MIT
// Which of the SIMD targets that were compiled this processor can run; itself compiled for any processor.
#include <vector>

#include "sim/backends/simd/fma_rate.hpp"
#include "sim/backends/simd/kernels.hpp"

namespace orrery::sim::simd {

#if defined(__x86_64__)
namespace avx512 {
extern const Kernels kernels;
extern const FmaLoops fma_loops;
}  // namespace avx512
namespace avx2 {
extern const Kernels kernels;
extern const FmaLoops fma_loops;
}  // namespace avx2
#elif defined(__aarch64__)
namespace neon {
extern const Kernels kernels;
extern const FmaLoops fma_loops;
}  // namespace neon
#endif
namespace generic {
extern const Kernels kernels;
extern const FmaLoops fma_loops;
}  // namespace generic

namespace {

/// Of the targets that this processor has, best first.
struct Available {
  std::vector<const Kernels*> kernels;
  std::vector<const FmaLoops*> fma_loops;

  void add(const Kernels& more_kernels, const FmaLoops& more_loops) {
    kernels.push_back(&more_kernels);
    fma_loops.push_back(&more_loops);
  }
};

const Available& available() {
  static const Available all = [] {
    Available found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (avx512) found.add(avx512::kernels, avx512::fma_loops);
    if (avx2) found.add(avx2::kernels, avx2::fma_loops);
#elif defined(__aarch64__)
    found.add(neon::kernels, neon::fma_loops);
#endif
    found.add(generic::kernels, generic::fma_loops);
    return found;
  }();
  return all;
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  return available().kernels;
}

std::span<const FmaLoops* const> available_fma_loops() {
  return available().fma_loops;
}

}  // namespace orrery::sim::simd
