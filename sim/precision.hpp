// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::sim {

/// Arithmetic of pairs; the state is double in all of them. mixed: positions as sums of two floats, pairs in float,
/// sums in double. float32 uses the processor's approximate root, float32_exact_root 1/√ with both operations rounded
/// correctly.
enum class Precision { float64, mixed, float32, float32_exact_root };
inline constexpr std::size_t precision_count = 4;
inline constexpr Precision every_precision[precision_count] = {Precision::float64, Precision::mixed, Precision::float32,
                                                               Precision::float32_exact_root};

constexpr bool in_floats(Precision precision) {
  return precision != Precision::float64;
}

/// Its name in [backend], where the root of float32 is a key of its own.
constexpr std::string_view name_of(Precision precision) {
  return precision == Precision::float64 ? "float64" : precision == Precision::mixed ? "mixed" : "float32";
}

/// The same at compile time. A position is the sum of `parts` numbers.
template <Precision precision>
struct PairNumbers {
  static constexpr bool floats = true, exact_root = precision == Precision::float32_exact_root;
  static constexpr std::size_t parts = precision == Precision::mixed ? 2 : 1;
  using Number = float;
};
template <>
struct PairNumbers<Precision::float64> {
  static constexpr bool floats = false, exact_root = false;
  static constexpr std::size_t parts = 1;
  using Number = double;
};

}  // namespace orrery::sim
