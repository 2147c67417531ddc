// SPDX-License-Identifier: MIT
// Code that is compiled once for each SIMD target, and the targets that this processor can run.
//
// Such a source (in a folder simd/) is compiled with the flags of its target, so it may define no function that other
// files share: a linker would keep either copy, and an old processor would meet instructions it does not know (a test
// looks at the symbols). What it offers is one function that gives a table, overloaded by the target, which
// ORRERY_SIMD_TARGET names.
#pragma once

#include <span>

namespace orrery::sim::simd {

namespace target {
struct avx512 {};
struct avx2 {};
struct neon {};
struct generic {};
}  // namespace target

enum class Target { avx512, avx2, neon, generic };

/// Those that were compiled and that this processor has, best first. The last one runs everywhere.
std::span<const Target> available_targets();
/// "avx512"
const char* name_of(Target target);

/// table(target::avx512()) or that of another one, for a target that is available.
template <class Table>
const auto& of_target([[maybe_unused]] Target target, const Table& table) {
#if defined(__x86_64__)
  if (target == Target::avx512) return table(target::avx512());
  if (target == Target::avx2) return table(target::avx2());
#elif defined(__aarch64__)
  if (target == Target::neon) return table(target::neon());
#endif
  return table(target::generic());
}

}  // namespace orrery::sim::simd
