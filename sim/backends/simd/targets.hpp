// SPDX-License-Identifier: MIT
// Code that is compiled once per SIMD target, and the targets that this processor supports.
//
// Sources in folders simd/ are compiled with the flags of their target, so they may not define functions that other
// files share: the linker would keep either copy, and an old processor might execute unsupported instructions (a test
// checks the symbols). Each provides one function that returns a table, overloaded by target; ORRERY_SIMD_TARGET is its
// target.
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

/// The compiled targets that this processor supports, best first. The last one runs everywhere.
std::span<const Target> available_targets();
/// "avx512"
const char* name_of(Target target);

/// Calls table(target::avx512()) etc. for an available target.
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
