// SPDX-License-Identifier: MIT
// Which of the SIMD targets that were compiled this processor can run; itself compiled for any processor.
#include <vector>

#include "sim/backends/simd/kernels.hpp"

namespace orrery::sim::simd {

#if defined(__x86_64__)
namespace avx512 {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
#elif defined(__aarch64__)
namespace neon {
extern const Kernels kernels;
}
#endif
namespace generic {
extern const Kernels kernels;
}

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> available = [] {
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (avx512) found.push_back(&avx512::kernels);
    if (avx2) found.push_back(&avx2::kernels);
#elif defined(__aarch64__)
    found.push_back(&neon::kernels);
#endif
    found.push_back(&generic::kernels);
    return found;
  }();
  return available;
}

}  // namespace orrery::sim::simd
