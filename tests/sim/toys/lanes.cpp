// SPDX-License-Identifier: MIT
// The operations and the toy law in lanes, for the SIMD target that ORRERY_SIMD_TARGET names.
#include "tests/sim/toys/lanes.hpp"

#include "sim/backends/simd/lanes.hpp"
#include "sim/forces/list.hpp"
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
void toy(const LawParameters& parameters, const T* from, Formulas<T> to, std::size_t count) {
  const testing::Yukawa law(parameters);
  for (std::size_t k = 0; k < count; k += wide<T>) {
    const auto r2 = Real<T>::load(from + k);
    law.force_over_r(r2).store(to.c + k);
    if constexpr (sizeof(T) == sizeof(double)) law.force_over_r_slope(r2).store(to.slope + k);
    law.u(r2).store(to.u + k);
  }
}

template <class Law>
void formulas(const LawParameters& parameters, const double* from, Formulas<double> to, std::size_t count) {
  const Law law(parameters);
  for (std::size_t k = 0; k < count; k += wide<double>) {
    const auto r2 = Real<double>::load(from + k);
    law.force_over_r(r2).store(to.c + k);
    law.u(r2).store(to.u + k);
  }
}

template <class... Law>
void formulas_of(LawList<Law...>, std::size_t index, const LawParameters& parameters, const double* from,
                 Formulas<double> to, std::size_t count) {
  constexpr void (*all[])(const LawParameters&, const double*, Formulas<double>, std::size_t) = {formulas<Law>...};
  all[index](parameters, from, to, count);
}

void short_range(std::size_t law, const LawParameters& parameters, const double* from, Formulas<double> to,
                 std::size_t count) {
  formulas_of(ShortRangeLaws{}, law, parameters, from, to, count);
}

}  // namespace

#define ORRERY_NAME_OF(target) #target
#define ORRERY_NAME(target) ORRERY_NAME_OF(target)
extern const LaneFunctions lane_functions;
const LaneFunctions lane_functions{.name = ORRERY_NAME(ORRERY_SIMD_TARGET),
                                   .words = words<double>,
                                   .words_in_float = words<float>,
                                   .toy = toy<double>,
                                   .toy_in_float = toy<float>,
                                   .short_range = short_range};

}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET
