// SPDX-License-Identifier: MIT
// Selects SIMD targets at run time; compiled for any processor.
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <vector>

#include "sim/backends/simd/columns.hpp"
#include "sim/backends/simd/targets.hpp"

namespace orrery::sim::simd {
namespace {

#if defined(__x86_64__)
/// F16C, LZCNT and MOVBE, which not every compiler supports in __builtin_cpu_supports.
bool has_f16c_lzcnt_movbe() {
  unsigned a = 0, b = 0, c = 0, d = 0, extended = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || __get_cpuid(0x80000001, &a, &b, &extended, &d) == 0) return false;
  return (c & bit_F16C) != 0 && (c & bit_MOVBE) != 0 && (extended & bit_LZCNT) != 0;
}
#endif

}  // namespace

std::span<const Target> available_targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    // Everything that the flags in sim/CMakeLists.txt allow the compiler to use.
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt") && has_f16c_lzcnt_movbe() && __builtin_cpu_supports("aes") &&
                      __builtin_cpu_supports("pclmul");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (avx512) found.push_back(Target::avx512);
    if (avx2) found.push_back(Target::avx2);
#elif defined(__aarch64__)
    found.push_back(Target::neon);
#endif
    found.push_back(Target::generic);
    return found;
  }();
  return all;
}

const char* name_of(Target target) {
  constexpr const char* names[] = {"avx512", "avx2", "neon", "generic"};
  return names[static_cast<int>(target)];
}

const ColumnKernels& column_kernels(Target target) {
  return of_target(
      target, [](auto t) -> const auto& { return column_kernels(t); });
}

}  // namespace orrery::sim::simd
