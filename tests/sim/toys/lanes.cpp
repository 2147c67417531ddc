// SPDX-License-Identifier: MIT
// Words and toy law in lanes, for the SIMD target that ORRERY_SIMD_TARGET names.
#include "tests/sim/toys/lanes.hpp"

#include "sim/backends/simd/lanes.hpp"
#include "tests/sim/toys/yukawa.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {
namespace {

/// Two vectors side by side, as the loops over pairs have them.
template <class T>
using Real = Lanes<T, 2>;
template <class T>
inline constexpr std::size_t wide = 2 * width<T>;

template <class T>
void words(const T* x, const T* y, Words<T> to, std::size_t count) {
  for (std::size_t k = 0; k < count; k += wide<T>) {
    const auto a = Real<T>::load(x + k), b = Real<T>::load(y + k);
    minimum(a, b).store(to.lesser + k);
    maximum(a, b).store(to.greater + k);
    exponential(a).store(to.exponential + k);
  }
}

template <class T>
void toy(const LawNumbers& numbers, const T* from, Formulas<T> to, std::size_t count) {
  const testing::Yukawa law(numbers);
  for (std::size_t k = 0; k < count; k += wide<T>) {
    const auto r2 = Real<T>::load(from + k);
    law.c(r2).store(to.c + k);
    if constexpr (sizeof(T) == sizeof(double)) law.slope(r2).store(to.slope + k);
    law.u(r2).store(to.u + k);
  }
}

}  // namespace

#define ORRERY_NAME_OF(target) #target
#define ORRERY_NAME(target) ORRERY_NAME_OF(target)
extern const LaneFunctions lane_functions;
const LaneFunctions lane_functions{.name = ORRERY_NAME(ORRERY_SIMD_TARGET),
                                   .words = words<double>,
                                   .words_in_float = words<float>,
                                   .toy = toy<double>,
                                   .toy_in_float = toy<float>};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
